use crate::{
    model::{key, words::{OffsetCommit, OffsetReset}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A reader without a position jumps to the end of the channel.
    ///
    /// # Why
    /// `auto.offset.reset` decides when a group is new, when its position has expired, and when retention has passed it.
    /// `latest` then skips what lies between, silently. It is the default of the Java consumer.
    ///
    /// # Example
    /// A group stands still for a week and a day; its position has expired, and it goes on at the end.
    ///
    /// # What to do
    /// `none` stops and tells somebody; `earliest` reads again what is kept, which repeats for a group that was only idle.
    OFF_01 "OFF-01" Warning "A lost position jumps to the end"
    why "a new, expired or overtaken position skips everything up to the end"
    sources ["Apache Kafka documentation, Consumer Configs: auto.offset.reset", "Apache Kafka documentation, Broker Configs: offsets.retention.minutes"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let latest = context.get(id, key::read::OFFSET_RESET)? == OffsetReset::Latest && context.loss_matters(id);
        latest.then(|| {
            let every_start = context.get(id, key::read::OFFSET_COMMIT) == Some(OffsetCommit::Never);
            let when = if every_start { "at every start" } else { "when it has no position" };
            let message = format!("{} starts at the end {when}", context.title(id));
            rule.finding(&[id], message, "choose none to be told, or earliest where repeats are removed")
        })
    };
    context.links_with(key::read::OFFSET_RESET).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_reset_to_the_end_is_found() {
        let latest = ("links/l5/proposed/offset_reset", "\"latest\"");
        assert_eq!(fires("OFF-01", &[latest]).message, "totals → write starts at the end when it has no position");
        silent("OFF-01", &[latest, ("elements/board/proposed/loss_tolerated", "true")]);
        silent("OFF-01", &[("links/l5/proposed/offset_reset", "\"none\"")]);
    }
}
