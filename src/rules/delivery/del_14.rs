use crate::{
    model::{ElementKind, Id, Subject},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// One application writes a store and a channel, each on its own.
    ///
    /// # Why
    /// No transaction covers both. A crash between the two leaves a row without its event or an event without its row,
    /// and nothing will ever put them right.
    ///
    /// # Example
    /// A checkout stores the order and then sends "order placed"; the pod is stopped in between.
    ///
    /// # What to do
    /// Write the store only, with an outbox row in the same transaction, and capture the events from it.
    DEL_14 "DEL-14" Error "Two writes without one transaction"
    why "a crash between the two writes leaves them different for ever"
    sources ["Debezium documentation, Outbox Event Router", "Kleppmann, Designing Data-Intensive Applications, chapter 11: Keeping Systems in Sync"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let end = |kind| context.from(id).find(|(_, link)| context.kind(&link.to) == Some(kind));
        let (channel, store) = (end(ElementKind::Channel)?, end(ElementKind::Sink)?);
        let message = format!(
            "{} writes both {} and {}",
            context.title(id),
            context.title(&store.1.to),
            context.title(&channel.1.to)
        );
        Some(rule.finding(&[id, store.0, channel.0], message, "write the store only, and capture the events from an outbox in it"))
    };
    context.elements(ElementKind::Source).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_dual_write_is_found() {
        let store = ("links/l20", r#"{"from":"shop","to":"table"}"#);
        assert_eq!(fires("DEL-14", &[store]).message, "shop writes both table and orders");
        silent("DEL-14", &[]);
    }
}
