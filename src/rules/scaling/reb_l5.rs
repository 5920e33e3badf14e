use crate::{
    model::{Id, Link, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// The reading of a group shows no members, and instances of its job are said to run.
    ///
    /// # Why
    /// Members that take longer than `max.poll.interval.ms` for one poll are put out and join again; between the two the group is empty.
    /// Nothing is committed then, so the lag stays. An empty group says nothing about lag: no row is no reading, and not zero.
    ///
    /// # Example
    /// Four readers run, the group lists none, and the lag is 97 % of the topic.
    ///
    /// # What to do
    /// Look at the rebalances in the log of the members and at the time of one poll against the interval; less work per poll mends it,
    /// a longer interval only makes it rarer.
    REB_L5 "REB-L5" Warning "A group without members"
    why "readers that come and go commit nothing and read the same records again"
    sources ["Apache Kafka documentation, Consumer Configs: max.poll.interval.ms", "Apache Kafka documentation, Basic Kafka Operations: Managing Consumer Groups"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.get(id, key::read::MEMBERS)? != 0 {
            return None;
        }
        let job = context.job_of(&link.to)?;
        // They assign partitions themselves: their groups hold positions at most, and never members.
        if matches!(context.system(job), Some("flink" | "spark" | "dataflow" | "beam")) {
            return None;
        }
        let instances = context.get(job, key::job::INSTANCES).and_then(|instances| instances.min()).filter(|count| *count > 0)?;
        let message = format!("the group of {} on {} has no members, and {instances} of its instances run", context.title(job), context.title(&link.from));
        Some(rule.finding(&[id, job], message, "read the rebalances of its members, and the time of one poll against max.poll.interval.ms"))
    };
    context.links_with(key::read::MEMBERS).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_group_without_members_is_found() {
        let empty = [("links/l5/proposed/members", "0"), ("elements/loader/proposed/instances", "4")];
        assert_eq!(fires("REB-L5", &empty).message, "the group of loader on totals has no members, and 4 of its instances run");
        silent("REB-L5", &[("links/l5/proposed/members", "3"), empty[1]]);
        silent("REB-L5", &empty[..1]);
        silent("REB-L5", &[("links/l2/proposed/members", "0"), ("elements/revenue/proposed/instances", "4")]);
    }
}
