//! Order: which one holds at a consumer, by which key, and which hops end it.
//!
//! An order by fewer columns holds between more events, so it is the better one; where one view has the stronger kind
//! and the other the wider key, nothing compares them.

use super::{
    delivery::presence,
    entry::{Direction, Entry, Side, What},
};
use crate::{
    analysis::order::{Order, OrderKind, OrderVerdict},
    model::{Columns, Design, Id, counted},
};
use std::cmp::Ordering;

/// Appends what differs in order.
pub(super) fn entries(design: &Design, before: &OrderVerdict, after: &OrderVerdict, into: &mut Vec<Entry>) {
    between(before, after, into);
    if let ([one], [other]) = (before.inputs.as_slice(), after.inputs.as_slice()) {
        claim(design, None, one, other, into);
    } else {
        for one in &before.inputs {
            // What is read no longer, or newly, has nothing to compare with.
            if let Some(other) = after.inputs.iter().find(|other| other.over == one.over) {
                claim(design, Some(&one.over), one, other, into);
            }
        }
    }
    hops(before, after, into);
}

/// What ends the order of the events that are read, on one side only, or otherwise.
fn hops(before: &OrderVerdict, after: &OrderVerdict, into: &mut Vec<Entry>) {
    let known = |verdict: &OrderVerdict| verdict.inputs.iter().all(|input| input.missing.is_empty());
    let (old, mut new) = (ends(before), ends(after));
    for (at, was) in old {
        let what = What::OrderEnds(at.clone());
        let same = new.iter().position(|(other, _)| *other == at).map(|at| new.remove(at));
        match same {
            Some((_, is)) if is == was => {}
            Some((_, is)) => into.push(Entry::new(what, Side::known(was), Side::known(is), Direction::Different)),
            None => into.push(Entry::new(what, Side::known(was), presence(None, known(after)), Direction::Better)),
        }
    }
    for (at, is) in new {
        let was = presence(None, known(before));
        into.push(Entry::new(What::OrderEnds(at), was, Side::known(is), Direction::Worse));
    }
}

/// Nothing orders several inputs with each other.
fn between(before: &OrderVerdict, after: &OrderVerdict, into: &mut Vec<Entry>) {
    let (one, other) = (before.inputs.len(), after.inputs.len());
    if (one > 1) == (other > 1) || one == 0 || other == 0 {
        return;
    }
    let side = |inputs: usize| match inputs {
        1 => Side::known("one input"),
        many => Side::known(format!("none between {}", counted(many, "input"))),
    };
    let judged = if one > 1 { Direction::Better } else { Direction::Worse };
    into.push(Entry::new(What::OrderBetween, side(one), side(other), judged));
}

fn claim(design: &Design, over: Option<&Id>, before: &Order, after: &Order, into: &mut Vec<Entry>) {
    let side = |order: &Order| {
        let text = order.sentence(&|id| design.title(id));
        // A stronger order can stand behind what is not known: what is left of it is no finding of its own.
        if order.missing.is_empty() { Side::known(text) } else { Side::unknown(text) }
    };
    let (one, other) = (side(before), side(after));
    if one.text != other.text {
        into.push(Entry::new(What::Order(over.cloned()), one, other, judged(before, after)));
    }
}

fn judged(before: &Order, after: &Order) -> Direction {
    let kinds = before.kind.strength().cmp(&after.kind.strength());
    let keyed = |order: &Order| matches!(order.kind, OrderKind::PerKey | OrderKind::Arrival | OrderKind::Global);
    let keys = if keyed(before) && keyed(after) { wider(&before.key, &after.key) } else { Some(Ordering::Equal) };
    match (kinds, keys) {
        (Ordering::Equal, Some(Ordering::Equal)) => Direction::Different,
        (_, None) => Direction::Incomparable,
        (Ordering::Equal, Some(one)) | (one, Some(Ordering::Equal)) => Direction::by(one),
        (kinds, Some(keys)) if kinds == keys => Direction::by(kinds),
        _ => Direction::Incomparable,
    }
}

/// Between how many events an order by these keys holds: greater where the columns are some of the other's.
fn wider(one: &Columns, other: &Columns) -> Option<Ordering> {
    let within = |a: &Columns, b: &Columns| a.0.iter().all(|column| b.0.contains(column));
    match (within(one, other), within(other, one)) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Greater),
        (false, true) => Some(Ordering::Less),
        (false, false) => None,
    }
}

/// The hops, each once with all that it does.
fn ends(verdict: &OrderVerdict) -> Vec<(Id, String)> {
    let mut all: Vec<(Id, String)> = Vec::new();
    for breaker in verdict.inputs.iter().flat_map(Order::ends) {
        let words = breaker.words();
        match all.iter_mut().find(|(at, _)| *at == breaker.at) {
            Some((_, said)) if said.split("; ").any(|one| one == words) => {}
            Some((_, said)) => *said = format!("{said}; {words}"),
            None => all.push((breaker.at.clone(), words)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{entry, of, running},
        *,
    };
    use crate::rules::compare::Topic;

    /// The careful design as it runs, with one writer of the totals and a partitioner that is read, so that the order by
    /// window is established.
    fn ordered(changes: &[(&str, &str)]) -> crate::model::Design {
        let known = [("links/l4/observed/e1/partitioner", "\"murmur2\"")];
        running(&[&known[..], changes].concat())
    }

    fn of_order(design: &crate::model::Design) -> Vec<Entry> {
        of(design, "board").entries.into_iter().filter(|entry| entry.what.topic() == Topic::Order).collect()
    }

    #[test]
    fn a_key_of_more_columns_orders_less() {
        let design = ordered(&[("links/l4/proposed/key", "[\"store\", \"window_start\", \"amount\"]")]);
        let board = of(&design, "board");
        let order = entry(&board, |what| *what == What::Order(None));
        assert!(order.before.text.starts_with("per (store, window_start) within one partition of totals"), "{order:?}");
        assert_eq!(order.direction, Direction::Worse, "{order:?}");
        let ends = entry(&board, |what| matches!(what, What::OrderEnds(at) if at.as_str() == "l4"));
        assert_eq!(ends.before.text, "goes by (store, window_start) instead of store");
        assert_eq!(ends.after.text, "goes by (store, window_start, amount) instead of store");
        assert_eq!(ends.direction, Direction::Different);
        assert_eq!(of_order(&ordered(&[])), []);
    }

    #[test]
    fn an_order_that_is_ended_is_a_cost_and_names_the_hop() {
        let design = ordered(&[("links/l5/proposed/processing", "\"threads\"")]);
        let board = of(&design, "board");
        let ends = entry(&board, |what| matches!(what, What::OrderEnds(at) if at.as_str() == "l5"));
        assert_eq!(ends.direction, Direction::Worse);
        assert_eq!(ends.after.text, "works on several records of a partition at once");
        assert_eq!(ends.before.text, "none");
        assert_eq!(entry(&board, |what| *what == What::Order(None)).direction, Direction::Worse);
    }

    #[test]
    fn an_order_that_is_no_longer_known_is_no_gain() {
        let design = ordered(&[("links/l4/proposed/partitioner", "\"unset\"")]);
        for entry in of_order(&design) {
            assert_ne!(entry.direction, Direction::Better, "{entry:?}");
        }
    }

    #[test]
    fn a_second_input_has_no_order_with_the_first() {
        let design =
            ordered(&[("links/l12", r#"{"from":"totals","to":"board"}"#), ("links/l12/lifecycle", "\"planned\"")]);
        let board = of(&design, "board");
        let between = entry(&board, |what| *what == What::OrderBetween);
        assert_eq!((between.after.text.as_str(), between.direction), ("none between 2 inputs", Direction::Worse));
    }

    #[test]
    fn kinds_and_keys_that_pull_apart_are_not_compared() {
        let columns = |names: &[&str]| Columns(names.iter().map(|name| (*name).into()).collect());
        assert_eq!(wider(&columns(&["a"]), &columns(&["a", "b"])), Some(Ordering::Greater));
        assert_eq!(wider(&columns(&[]), &columns(&["a"])), Some(Ordering::Greater), "one partition holds all");
        assert_eq!(wider(&columns(&["a"]), &columns(&["b"])), None);
        assert_eq!(wider(&columns(&["a", "b"]), &columns(&["b", "a"])), Some(Ordering::Equal));
    }
}
