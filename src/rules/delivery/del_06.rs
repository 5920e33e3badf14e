use crate::{
    model::{ElementKind, key},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A replica that is behind may become the leader.
    ///
    /// # Why
    /// What the stale replica does not have is lost, although it was acknowledged. Its offsets are given out again, so
    /// readers that store offsets, and stores keyed by offset, skip or overwrite what survived.
    ///
    /// # Example
    /// All in-sync replicas are down for a minute; the one that was behind takes over with 2 000 records fewer.
    ///
    /// # What to do
    /// Turn it off; a partition then waits for a replica that has everything.
    DEL_06 "DEL-06" Error "A stale replica may take over"
    why "acknowledged records are lost, and their offsets are given out again"
    sources ["Apache Kafka documentation, Topic Configs: unclean.leader.election.enable"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let stale = context.get(id, key::channel::UNCLEAN_LEADER_ELECTION)? && context.has_in_sync(id) && context.loss_matters(id);
        stale.then(|| {
            let message = format!("{} allows unclean leader election", context.title(id));
            rule.finding(&[id], message, "turn unclean leader election off").fixed_by(Some(propose(
                "Propose no unclean election",
                id,
                key::channel::UNCLEAN_LEADER_ELECTION,
                false,
            )))
        })
    };
    context.elements_with(ElementKind::Channel, key::channel::UNCLEAN_LEADER_ELECTION).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// Raft has neither.
    #[test]
    fn redpanda_has_no_such_setting() {
        silent("DEL-06", &[("elements/orders/system", "\"redpanda\""), ("elements/orders/proposed/unclean_leader_election", "true")]);
    }

    #[test]
    fn unclean_election_is_found_where_loss_matters() {
        let unclean = ("elements/orders/proposed/unclean_leader_election", "true");
        fires("DEL-06", &[unclean]);
        mends("DEL-06", &[unclean]);
        silent("DEL-06", &[unclean, ("elements/board/proposed/loss_tolerated", "true")]);
    }
}
