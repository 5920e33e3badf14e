//! An order that a consumer needs.

use super::{Short, halt};
use crate::{
    analysis::order::{OrderVerdict, words},
    model::{Basis, Columns, ElementKind, key},
    rules::{Context, Halt},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let one = |(id, _)| {
        let needed = context.get(id, key::consumer::ORDER_NEEDED).filter(|columns| !columns.0.is_empty())?;
        let short = short(context, &context.consumer_report(id)?.order, &needed)?;
        halt(context, &[id], &format!("as ordered by {}", words::key(&needed)), short)
    };
    context.elements(ElementKind::Consumer).filter_map(one).collect()
}

fn short(context: &Context<'_>, order: &OrderVerdict, needed: &Columns) -> Option<Short> {
    if order.inputs.len() > 1 {
        let what = "it reads several inputs, which nothing orders with each other".to_owned();
        return Some(Short::Unmet(what, "one input, or a version or sequence number in the events".to_owned()));
    }
    if let Some(breaker) = order.ends_for(needed).next() {
        let what = format!("{} {}", context.title(&breaker.at), breaker.words());
        return Some(Short::Unmet(what, breaker.mend().to_owned()));
    }
    let input = order.inputs.first()?;
    match input.missing.first() {
        Some(missing) => {
            let of = context.title(&missing.subject);
            Some(Short::Open(format!("{} of {of} {}", missing.label(), missing.state())))
        }
        None => (input.basis == Some(Basis::Assumed)).then_some(Short::Assumed),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::released;

    /// Windows by store, one writer: everything stated that the order needs.
    const BY_WINDOW: &[(&str, &str)] = &[
        ("elements/board/proposed/order_needed", "[\"store\", \"window_start\"]"),
        ("links/l4/proposed/partitioner", "\"murmur2\""),
    ];

    #[test]
    fn an_order_that_ends_on_the_way_is_not_released() {
        let halts = released("ordered", &[("elements/board/proposed/order_needed", "[\"store\"]")]);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "release board as ordered by store");
        assert_eq!(halts[0].consequence, "sum → totals goes by (store, window_start) instead of store");
        assert_eq!(released("ordered", BY_WINDOW), vec![], "mended");
        assert_eq!(released("ordered", &[]), vec![], "not needed");
    }

    #[test]
    fn a_missing_fact_stops_only_what_is_published() {
        let open = [&BY_WINDOW[..1], &[("links/l4/proposed/partitioner", "null")]].concat();
        assert_eq!(released("ordered", &open), vec![]);
        let out = [&open[..], &[("elements/board/proposed/published", "true")]].concat();
        let halts = released("ordered", &out);
        assert_eq!(halts[0].consequence, "nothing establishes it: partitioner of sum → totals not read");
        let planned = [&open[..], &[("actions", r#"{"p1":{"kind":"publish","about":["table"]}}"#)]].concat();
        assert_eq!(released("ordered", &planned).len(), 1, "about to be");
    }

    #[test]
    fn an_order_on_what_is_assumed_is_not_released() {
        let on = |basis: &str| {
            let evidence = format!(r#"{{"e1":{{"basis":"{basis}","from":"note"}}}}"#);
            let changes = [
                BY_WINDOW[0],
                ("evidence", evidence.as_str()),
                ("links/l4/proposed/partitioner", "null"),
                ("links/l4/observed", r#"{"e1":{"partitioner":"murmur2"}}"#),
            ];
            released("ordered", &changes)
        };
        assert!(on("assumed")[0].consequence.ends_with("some of the facts behind it are assumed"));
        assert_eq!(on("read"), vec![]);
    }
}
