//! How far back the results of a consumer must be able to be made again.

use super::{Short, halt};
use crate::{
    analysis::{ReplayStart, Usable},
    model::{
        Basis, ElementKind, key,
        units::{Duration, human},
    },
    rules::{Context, Halt},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let one = |(id, _)| {
        let needed = context.get(id, key::consumer::REPLAY_NEEDED).filter(|needed| *needed > Duration::ZERO)?;
        let short = short(context, &context.consumer_report(id)?.replay, needed)?;
        halt(context, &[id], &format!("as replayable for {}", needed.spoken()), short)
    };
    context.elements(ElementKind::Consumer).filter_map(one).collect()
}

fn short(context: &Context<'_>, starts: &[ReplayStart], needed: Duration) -> Option<Short> {
    let mend = || "more kept in what is read again, or a second copy; or a smaller need".to_owned();
    let known = starts.iter().filter_map(|start| Some((start, start.reach.as_ref().ok()?)));
    let far: Vec<_> = known.clone().filter(|(_, reach)| reach.value >= needed.secs()).collect();
    let mut enough = far.iter().filter(|(start, _)| start.usable == Usable::Yes).peekable();
    if enough.peek().is_some() {
        let assumed = enough.all(|(_, reach)| reach.basis == Some(Basis::Assumed));
        return assumed.then_some(Short::Assumed);
    }
    // What is far enough and not known to take the place of the old results is nearer to it than what is not known to be far.
    let stands = far.iter().find_map(|(start, _)| match &start.usable {
        Usable::NotKnown(missing) => Some((*start, missing)),
        _ => None,
    });
    let reaches = || {
        let mut counts = starts.iter().filter(|start| !start.usable.barred());
        counts.find_map(|start| Some((start, start.reach.as_ref().err()?.missing.first()?)))
    };
    let open = stands.or_else(reaches).map(|(start, missing)| {
        let (of, from) = (context.title(&missing.subject), context.title(&start.from));
        format!("from {from}, {} of {of} {}", missing.label(), missing.state())
    });
    if stands.is_some() {
        return open.map(Short::Open);
    }
    if let Some((start, why)) =
        far.iter().find_map(|(start, _)| Some((start, start.usable.why_not(|id| context.title(id))?)))
    {
        let mut what = format!("its results can be made again from {}, but {why}", context.title(&start.from));
        if let Some(open) = open {
            what = format!("{what}; not known is {open}");
        }
        let mend = "keys that are made from the event, and a store that can be written over or swapped".to_owned();
        return Some(Short::Unmet(what, mend));
    }
    let Some((start, reach)) = known.max_by(|(_, a), (_, b)| a.value.total_cmp(&b.value)) else {
        return open.map(Short::Open);
    };
    let (from, back) = (context.title(&start.from), human::at_least(reach.value));
    let mut what = if reach.value > 0.0 {
        format!("its results can be made again for {back}, from {from}")
    } else {
        format!("its results cannot be made again from {from}")
    };
    if let Some(open) = open {
        what = format!("{what}; not known is {open}");
    }
    Some(Short::Unmet(what, mend()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::released;

    #[test]
    fn a_reach_that_is_too_short_is_not_released() {
        let month = ("elements/board/proposed/replay_needed", "\"30d\"");
        let halts = released("replayable", &[month]);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "release board as replayable for 30 d");
        assert!(halts[0].consequence.contains("can be made again for"), "{halts:?}");
        assert_eq!(released("replayable", &[("elements/board/proposed/replay_needed", "\"1d\"")]), vec![]);
        assert_eq!(released("replayable", &[("elements/board/proposed/replay_needed", "null")]), vec![]);
    }

    /// Both logs on the way: nothing else can be read again.
    #[test]
    fn a_reach_that_is_not_read_stops_only_what_is_published() {
        let unread = [
            ("elements/orders/proposed/retention_time", "null"),
            ("elements/totals/proposed/retention_time", "null"),
            ("elements/late/proposed/retention_time", "null"),
            ("elements/dlq/proposed/retention_time", "null"),
        ];
        assert_eq!(released("replayable", &unread), vec![]);
        let out = [&unread[..], &[("elements/board/proposed/published", "true")]].concat();
        let halts = released("replayable", &out);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert!(halts[0].consequence.starts_with("nothing establishes it: from "), "{halts:?}");
    }

    #[test]
    fn a_reach_on_what_is_assumed_is_not_released() {
        let on = |basis: &str| {
            let evidence = format!(r#"{{"e1":{{"basis":"{basis}","from":"note"}}}}"#);
            let kept = r#"{"e1":{"retention_time":"7d"}}"#;
            let changes = [
                ("evidence", evidence.as_str()),
                ("elements/orders/proposed/retention_time", "null"),
                ("elements/orders/observed", kept),
                ("elements/totals/proposed/retention_time", "null"),
                ("elements/totals/observed", kept),
                ("elements/orders/lifecycle", "\"existing\""),
                ("elements/totals/lifecycle", "\"existing\""),
            ];
            released("replayable", &changes)
        };
        assert_eq!(on("read"), vec![]);
        assert!(on("assumed")[0].consequence.ends_with("some of the facts behind it are assumed"));
    }

    /// A day is needed. Seven days in the log of the orders; what is sent again from the totals, for 12 h, is too little.
    #[test]
    fn results_that_do_not_take_the_place_of_the_old_ones_are_not_released() {
        let short = ("elements/totals/proposed/retention_time", "\"12h\"");
        assert_eq!(released("replayable", &[short]), vec![]);
        let halts = released("replayable", &[short, ("elements/sum/proposed/determinism", "\"key_varies\"")]);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(
            halts[0].consequence,
            "its results can be made again from orders, but their keys differ on a second run at sum"
        );
        let fixed = released("replayable", &[("elements/table/proposed/rebuild", "\"append_only\"")]);
        assert_eq!(fixed.len(), 1, "{fixed:?}");
        let unread = ("elements/table/proposed/rebuild", "null");
        assert_eq!(released("replayable", &[unread]), vec![], "an open question");
        let out = released("replayable", &[unread, ("elements/board/proposed/published", "true")]);
        assert_eq!(out[0].consequence, "nothing establishes it: from totals, rebuild of table not read");
    }
}
