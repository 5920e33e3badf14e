use crate::{
    model::{ElementKind, Id, Subject, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A consumer's results cannot be made again as far back as it needs.
    ///
    /// # Why
    /// Once a mistake is found, the time to put it right is the time for which its input is still there, less what the job
    /// needs to warm up.
    ///
    /// # Example
    /// A day of replay is needed; bytes bind and the fullest partition keeps seven and a half hours.
    ///
    /// # What to do
    /// Keep more in the channel that is read again, or a second copy in objects. Where results that are made again do not take the
    /// place of the old ones: a key that is made from the event, or a store that can be written over or swapped.
    RET_01 "RET-01" Error "Results cannot be made again far enough back"
    why "a mistake that is found later cannot be put right from the stream"
    sources ["Apache Kafka documentation, Topic Configs: retention.ms, retention.bytes"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let needed = context.get(id, key::consumer::REPLAY_NEEDED)?.secs();
        let starts = &context.consumer_report(id)?.replay;
        let known: Vec<_> = starts.iter().filter(|start| start.recompute).collect();
        let far: Vec<_> = known.iter().filter(|start| start.reach.as_ref().is_ok_and(|reach| reach.value >= needed)).collect();
        if known.is_empty() || far.iter().any(|start| !start.usable.barred()) {
            return None;
        }
        let needs = || format!("{} needs {} of replay; results can be recomputed", context.title(id), human::seconds(needed));
        if let Some((start, why)) = far.iter().find_map(|start| Some((start, start.usable.why_not(|id| context.title(id))?))) {
            let message = format!("{} from {}, but {why}", needs(), context.title(&start.from));
            return Some(rule.finding(&[&start.from, id], message, "keys made from the event, or a store that is written over or swapped"));
        }
        let best = known
            .iter()
            .filter_map(|start| Some((start, start.reach.as_ref().ok()?.value)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        // What forgets what was acknowledged is found as such.
        let (start, reach) = best.filter(|(start, _)| super::ret_13::forgets(context, &start.from).is_none())?;
        let how = if reach > 0.0 { format!("only {} from {}", human::at_least(reach), context.title(&start.from)) } else {
            format!("not at all from {}", context.title(&start.from))
        };
        let message = format!("{} {how}", needs());
        Some(rule.finding(&[&start.from, id], message, "keep more in the channel that is read again, or a second copy"))
    };
    context.elements_with(ElementKind::Consumer, key::consumer::REPLAY_NEEDED).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_reach_below_the_need_is_found() {
        fires("RET-01", &[("elements/board/proposed/replay_needed", "\"30d\"")]);
        silent("RET-01", &[("elements/board/proposed/replay_needed", "null")]);
    }

    /// Seven days in the log, a day is needed: what is made again does not take the place of what was.
    #[test]
    fn results_that_do_not_take_the_place_of_the_old_ones_do_not_count() {
        let varies = ("elements/sum/proposed/determinism", "\"key_varies\"");
        let message = fires("RET-01", &[varies]).message;
        assert_eq!(message, "board needs 24 h of replay; results can be recomputed from orders, but their keys differ on a second run at sum");
        silent("RET-01", &[("elements/sum/proposed/determinism", "\"value_varies\"")]);
        let fixed = ("elements/table/proposed/rebuild", "\"irreversible\"");
        let message = fires("RET-01", &[fixed]).message;
        assert_eq!(message, "board needs 24 h of replay; results can be recomputed from orders, but table can be neither written over nor shadowed");
        fires("RET-01", &[("elements/table/proposed/rebuild", "\"append_only\"")]);
        silent("RET-01", &[("elements/table/proposed/rebuild", "\"shadow\"")]);
        silent("RET-01", &[("elements/table/proposed/rebuild", "null")]);
    }

    /// Records of up to two days come in: of seven days in the log, five are left from the append on, less a window of 5 min.
    #[test]
    fn what_came_late_counts_from_its_append() {
        let needed = ("elements/board/proposed/replay_needed", "\"6d\"");
        silent("RET-01", &[needed]);
        let message = fires("RET-01", &[needed, ("elements/orders/proposed/append_delay", r#"{"max":"2d"}"#)]).message;
        assert_eq!(message, "board needs 6 d of replay; results can be recomputed only 4 d 23 h from orders");
        let stamped = ("elements/orders/proposed/timestamp_type", "\"append_time\"");
        silent("RET-01", &[needed, ("elements/orders/proposed/append_delay", r#"{"max":"2d"}"#), stamped]);
    }
}
