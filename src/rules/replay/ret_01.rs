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
    /// Keep more in the channel that is read again, or a second copy in objects.
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
        if known.is_empty() || known.iter().any(|start| start.reach.as_ref().is_ok_and(|reach| reach.value >= needed)) {
            return None;
        }
        let best = known
            .iter()
            .filter_map(|start| Some((start, start.reach.as_ref().ok()?.value)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        // What forgets what was acknowledged is found as such.
        let (start, reach) = best.filter(|(start, _)| super::ret_13::forgets(context, &start.from).is_none())?;
        let how = if reach > 0.0 { format!("only {} from {}", human::seconds(reach), context.title(&start.from)) } else {
            format!("not at all from {}", context.title(&start.from))
        };
        let message = format!("{} needs {} of replay; results can be recomputed {how}", context.title(id), human::seconds(needed));
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
}
