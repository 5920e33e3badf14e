use crate::{
    analysis::formulas::checkpoint,
    model::{ElementKind, Id, Subject, key, units::human, words::ProcessingGuarantee},
    rules::{Context, Finding, Rule, rule::{propose, rule}, time::told},
};
use std::cell::LazyCell;

rule! {
    /// Kafka Streams has to read its state back from the changelog, nothing stands by, and the consumer cannot wait that long.
    ///
    /// # Why
    /// Under exactly-once an unclean close takes the local stores along. Without a standby replica the whole changelog is read again,
    /// overwritten entries and all.
    ///
    /// # Example
    /// 40 GB at 50 MB/s take 13 minutes; results may be five minutes late.
    ///
    /// # What to do
    /// A standby replica, or more instances with less state each.
    CHK_05 "CHK-05" Warning "Nothing stands by for a restore"
    why "results stay away while the changelog is read"
    sources ["Apache Kafka documentation, Kafka Streams: num.standby.replicas", "KIP-892: Transactional Semantics for StateStores"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let targets = LazyCell::new(|| super::recovery_targets(context));
    let one = |(id, _): (&Id, &Subject)| {
        let once = context.get(id, key::job::PROCESSING_GUARANTEE) == Some(ProcessingGuarantee::ExactlyOnce);
        if !once || !told::streams(context, id) || context.get(id, key::job::STANDBY_REPLICAS)? > 0 {
            return None;
        }
        let (target, consumer) = context.operators_of(id).filter_map(|operator| targets.get(operator)).min()?;
        let (restore, how) = restore(context, id)?;
        (restore > target.secs()).then(|| {
            let message = format!(
                "{}: no standby, and {how} {}; {} can wait {}",
                context.title(id),
                human::at_least(restore),
                context.title(consumer),
                target.spoken()
            );
            let fix = propose("Propose a standby replica", id, key::job::STANDBY_REPLICAS, 1);
            rule.finding(&[id, consumer], message, "a standby replica, or less state on an instance").fixed_by(Some(fix))
        })
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

/// How long a restore takes: as read, else no less than the live state needs.
fn restore(context: &Context<'_>, id: &Id) -> Option<(f64, &'static str)> {
    if let Some(restart) = context.get(id, key::job::RESTART_TIME).and_then(|restart| restart.max()) {
        return Some((restart.secs(), "a restart takes"));
    }
    context.job_report(id)?.state_of_instance.as_ref()?.as_ref().ok()?;
    let part = super::fullest_instance(context, id)?;
    let restore = checkpoint::slowest(&[(part, context.get(id, key::job::RESTORE_RATE)?.bytes())]);
    restore.is_finite().then_some((restore, "a restore takes at least"))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_long_restore_without_standby_is_found() {
        let streams = [("elements/revenue/system", "\"kafka_streams\""), ("elements/revenue/proposed/standby_replicas", "0")];
        let target = |text| ("elements/board/proposed/recovery_target", text);
        let finding = fires("CHK-05", &[streams[0], streams[1], target("\"2min\"")]);
        assert_eq!(finding.message, "revenue: no standby, and a restart takes 3 min; board can wait 2 min");
        mends("CHK-05", &[streams[0], streams[1], target("\"2min\"")]);
        // 10 M of two days at 100 B and 1.3, 200 MB/s: 17 280 000 × 1.5 × 130 B = 3.4 GB; at 1 MB/s 56 min.
        let derived = [("elements/revenue/proposed/restart_time", "null"), ("elements/revenue/proposed/instances", "1"), ("elements/revenue/proposed/restore_rate", "\"1MB/s\"")];
        let all = [streams[0], streams[1], derived[0], derived[1], derived[2]];
        assert!(fires("CHK-05", &all).message.contains("a restore takes at least 56 min"));
        // Of two instances each reads half.
        let two = ("elements/revenue/proposed/instances", "2");
        assert!(fires("CHK-05", &[streams[0], streams[1], derived[0], two, derived[2], target("\"2min\"")]).message.contains("a restore takes at least 28 min"));
        silent("CHK-05", &[streams[0], streams[1]]);
        silent("CHK-05", &[streams[0], target("\"2min\"")]);
        silent("CHK-05", &[streams[1], target("\"2min\"")]);
    }
}
