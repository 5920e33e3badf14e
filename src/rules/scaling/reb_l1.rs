use crate::{
    model::{ElementKind, Id, Subject, key, units::human, words::RebalanceProtocol},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A group stops as a whole twice for every member that a deploy replaces, and deploys are frequent.
    ///
    /// # Why
    /// Eager assignment takes all partitions away from all members whenever one leaves or joins. The longest poll of any member sets how
    /// long that takes.
    ///
    /// # Example
    /// Ten members that take 8 s to their next poll: 160 s without work for every deploy, three times a day.
    ///
    /// # What to do
    /// Cooperative assignment, the consumer protocol (KIP-848), or static membership.
    REB_L1 "REB-L1" Warning "Every deploy stops the whole group"
    why "nothing is processed while the group is assigned anew"
    sources ["KIP-429: Kafka Consumer Incremental Rebalance Protocol", "KIP-345: Static Membership", "Apache Kafka documentation, Consumer Configs: partition.assignment.strategy"]
    check check
}

/// From how many members on, and from how many deploys a day.
const MEMBERS: u64 = 5;
const A_DAY: f64 = 1.0 / 86_400.0;

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let eager = context.get(id, key::job::REBALANCE_PROTOCOL)? == RebalanceProtocol::Eager;
        if !eager || context.get(id, key::job::STATIC_MEMBERSHIP) == Some(true) {
            return None;
        }
        let instances = context.get(id, key::job::INSTANCES)?.max()?;
        let members = instances.saturating_mul(context.get(id, key::job::THREADS).unwrap_or(1).max(1));
        let deploys = context.get(id, key::job::DEPLOYS)?.secs();
        if members < MEMBERS || deploys < A_DAY * 0.999 {
            return None;
        }
        let pause = context.job_report(id).and_then(|report| report.deploy_pause.as_ref()?.as_ref().ok());
        let pause = pause.map_or_else(|| "for how long is not known".to_owned(), |pause| format!("for up to {}", human::at_most(pause.value)));
        let message = format!("{}: eager assignment of {members} members; every deploy stops all of them, {pause}", context.title(id));
        let fix = propose("Propose cooperative assignment", id, key::job::REBALANCE_PROTOCOL, RebalanceProtocol::Cooperative);
        Some(rule.finding(&[id], message, "cooperative assignment, the consumer protocol, or static membership").fixed_by(Some(fix)))
    };
    context.elements_with(ElementKind::Job, key::job::REBALANCE_PROTOCOL).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn frequent_deploys_of_an_eager_group_are_found() {
        let group = [
            ("elements/loader/proposed/rebalance_protocol", "\"eager\""),
            ("elements/loader/proposed/instances", "10"),
            ("elements/loader/proposed/deploys", "\"3/d\""),
            ("links/l5/proposed/max_poll_records", "500"),
            ("links/l5/proposed/time_per_record", "\"16ms\""),
        ];
        let message = "loader: eager assignment of 10 members; every deploy stops all of them, for up to 2 min 40 s";
        assert_eq!(fires("REB-L1", &group).message, message);
        mends("REB-L1", &group);
        silent("REB-L1", &[&group[..], &[("elements/loader/proposed/instances", "4")]].concat());
        silent("REB-L1", &[&group[..], &[("elements/loader/proposed/deploys", "null")]].concat());
        silent("REB-L1", &[&group[..], &[("elements/loader/proposed/deploys", "\"0.1/d\"")]].concat());
        silent("REB-L1", &[&group[..], &[("elements/loader/proposed/static_membership", "true")]].concat());
    }
}
