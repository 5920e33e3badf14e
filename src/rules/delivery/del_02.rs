use crate::{
    model::{Id, key, words::Acks},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A producer counts a record as written before the replicas have it, on a path where loss matters.
    ///
    /// # Why
    /// With `acks=1` the leader answers alone: when it fails before a follower has fetched, an acknowledged record is
    /// gone. With `acks=0` no error is ever seen.
    ///
    /// # Example
    /// A bridge writes with `acks=1` for speed; after a broker failure some alarms are missing and nothing says so.
    ///
    /// # What to do
    /// Set `acks=all` and at least two in-sync replicas.
    DEL_02 "DEL-02" Error "Acknowledged before it is replicated"
    why "an acknowledged record is gone when the leader fails before a follower has it"
    sources ["Apache Kafka documentation, Producer Configs: acks"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        weak(context, id).map(|acks| {
            let message = format!("{} writes with acks={}", context.title(id), acks.as_str());
            rule.finding(&[id], message, "set acks to all").fixed_by(Some(propose(
                "Propose acks=all",
                id,
                key::produce::ACKS,
                Acks::All,
            )))
        })
    };
    context.links_with(key::produce::ACKS).filter_map(one).collect()
}

/// The acknowledgement that a writer takes before its record is safe, where a loss matters.
pub(super) fn weak(context: &Context<'_>, id: &Id) -> Option<Acks> {
    let acks = context.get(id, key::produce::ACKS)?;
    (matches!(acks, Acks::Zero | Acks::One) && context.loss_matters(id)).then_some(acks)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn acks_below_all_are_found_where_loss_matters() {
        let one = ("links/l1/proposed/acks", "\"1\"");
        assert_eq!(fires("DEL-02", &[one]).message, "shop → orders writes with acks=1");
        mends("DEL-02", &[one]);
        silent("DEL-02", &[one, ("elements/board/proposed/loss_tolerated", "true")]);
    }
}
