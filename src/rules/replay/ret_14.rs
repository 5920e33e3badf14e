use crate::{
    model::{ElementKind, Id, Subject, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A replay is hardly faster than what arrives, or takes so long that it cannot be tried twice.
    ///
    /// # Why
    /// A replay rarely comes out right the first time. The second try needs the same records once more, and they age while the first
    /// one runs.
    ///
    /// # Example
    /// Seven days back at 1.5 times the rate of arrival take fourteen days; the topic keeps ten.
    ///
    /// # What to do
    /// More capacity for the replay, a bounded range first, or a copy that keeps longer.
    RET_14 "RET-14" Warning "A replay without a second try"
    why "if the first try fails there is no time for another"
    sources ["Apache Flink documentation, Tuning Checkpoints and Large State: Capacity Planning", "Apache Kafka documentation, Topic Configs: retention.ms"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let needed = context.get(id, key::consumer::REPLAY_NEEDED)?.secs();
        let starts = &context.consumer_report(id)?.replay;
        // The start that gives most of what is needed; where none reaches, that is found as such.
        let starts = starts.iter().filter(|start| !start.usable.barred());
        let known = starts.filter_map(|start| Some((start, start.reach.as_ref().ok()?.value, start.duration.as_ref()?.as_ref().ok()?)));
        let (start, reach, duration) = known.filter(|(_, reach, _)| *reach >= needed).max_by(|a, b| a.1.total_cmp(&b.1))?;
        let slow = duration.value > needed;
        let how = match () {
            () if duration.unbounded() => return None,
            () if duration.value + needed > reach => format!("{} of {} are left for it", human::at_least(reach - needed), human::at_least(reach)),
            () if slow => "less than twice as fast as records arrive".to_owned(),
            () => return None,
        };
        let message = format!(
            "a replay of {} for {} from {} takes {}: {how}",
            human::seconds(needed), context.title(id), context.title(&start.from), duration.text()
        );
        Some(rule.finding(&[&start.from, id], message, "more capacity for the replay, a bounded range first, or a copy that keeps longer"))
    };
    context.elements_with(ElementKind::Consumer, key::consumer::REPLAY_NEEDED).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// About 100 a second arrive. One day back at 1 000: 2 h 40 min. At 150: 2 d, slower than the day itself.
    #[test]
    fn a_replay_that_takes_too_long_is_found() {
        let slow = ("elements/revenue/proposed/capacity", "\"150/s\"");
        let message = fires("RET-14", &[slow]).message;
        assert!(message.starts_with("a replay of 24 h for board from orders takes 2 d"), "{message}");
        assert!(message.ends_with("less than twice as fast as records arrive"), "{message}");
        // Four days back at 200 take four; of seven days three are left.
        let message = fires("RET-14", &[("elements/revenue/proposed/capacity", "\"200/s\""), ("elements/board/proposed/replay_needed", "\"4d\"")]).message;
        assert!(message.ends_with("are left for it"), "{message}");
        silent("RET-14", &[]);
        silent("RET-14", &[slow, ("elements/table/proposed/rebuild", "\"irreversible\"")]);
        silent("RET-14", &[slow, ("elements/board/proposed/replay_needed", "null")]);
        silent("RET-14", &[("elements/revenue/proposed/capacity", "null")]);
    }
}
