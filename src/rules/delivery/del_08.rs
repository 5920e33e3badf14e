use crate::{
    analysis::delivery::verdict::CopyClass,
    catalog::Durability,
    model::{ElementKind, Id, Known, Link, key, words::{Acks, Client}},
    rules::{Context, Finding, Fix, Rule, rule::{propose, rule}},
};

rule! {
    /// A producer is not idempotent in effect, and what it sends twice shows at a consumer.
    ///
    /// # Why
    /// The broker recognises a retry only by the number that an idempotent producer gives each batch. Without it a batch whose
    /// answer was lost is appended again. It needs `acks=all`, retries and at most five requests in flight. Not every client has
    /// it on: Connect turns it off, librdkafka has it off, the Java client has it on since 3.0 (in effect since 3.0.1 and 3.1.1).
    ///
    /// # Example
    /// `acks=1` is set for speed and nothing else: the client drops idempotence without an error, and a leader that answers late
    /// makes two records of one.
    ///
    /// # What to do
    /// `enable.idempotence=true` with `acks=all`. It covers retries of one run of the producer; what is sent again after a restart
    /// needs an id of the event.
    DEL_08 "DEL-08" Warning "Retries are new records"
    why "a retry whose first answer was lost is appended a second time"
    sources ["Apache Kafka documentation, Producer Configs: enable.idempotence", "KAFKA-13598: idempotence was not on by default in 3.0.0 and 3.1.0", "librdkafka, CONFIGURATION.md: enable.idempotence", "Apache Kafka, org.apache.kafka.connect.runtime.Worker: baseProducerConfigs"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.kind(&link.to)? != ElementKind::Channel || !context.copies_show(CopyClass::ProducerRetry, id) {
            return None;
        }
        let log = context.entry(&link.to)?.channel?;
        let able = log.transactions || log.durability == Durability::Replicas;
        if !able || super::del_09::in_conflict(context, id, link).is_some() {
            return None;
        }
        let (what, fix) = cause(context, id, link)?;
        let message = format!("{} {what}: a retry whose answer was lost is a second record", context.title(id));
        Some(rule.finding(&[id], message, "set enable.idempotence=true with acks=all").fixed_by(Some(fix)))
    };
    context.links_into(ElementKind::Channel).filter_map(one).collect()
}

/// Which setting keeps the producer from being idempotent, and what mends it.
fn cause(context: &Context<'_>, id: &Id, link: &Link) -> Option<(String, Fix)> {
    // Where a loss matters too, the same setting is found for it (DEL-02); a switch that is off is one more.
    let told = super::del_02::weak(context, id).is_some();
    if let Some(acks) = context.get(id, key::produce::ACKS).filter(|acks| *acks != Acks::All && !told) {
        let fix = propose("Propose acks=all", id, key::produce::ACKS, Acks::All);
        return Some((format!("writes with acks={}, which idempotence does not go with", acks.as_str()), fix));
    }
    let fix = propose("Propose an idempotent producer", id, key::produce::IDEMPOTENCE, true);
    match context.known(id, key::produce::IDEMPOTENCE) {
        Known::Value(fact) if !fact.value => Some(("has idempotence off".to_owned(), fix)),
        // The clients that have it on give it up for such acks: that is the same cause.
        Known::Unset(_) if !told => Some((format!("leaves idempotence to {}", default_of(context, &link.from)), fix)),
        _ => None,
    }
}

fn default_of(context: &Context<'_>, from: &Id) -> &'static str {
    if context.engine(from).and_then(|engine| engine.default_idempotence) == Some(false) {
        return "Connect, which has it off";
    }
    let client = super::del_09::client(context, from);
    if client == Some(Client::Librdkafka) { "librdkafka, which has it off" } else { "a client that does not have it on" }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const OPEN: &[(&str, &str)] = &[("elements/dedup/step", "\"map\""), ("elements/dedup/proposed", "{}")];
    const OFF: (&str, &str) = ("links/l1/proposed/idempotence", "false");
    const UNSET: (&str, &str) = ("links/l1/proposed/idempotence", "\"unset\"");

    #[test]
    fn retries_that_show_are_found_with_their_cause() {
        let off = fires("DEL-08", &[OPEN, &[OFF]].concat());
        assert_eq!(off.message, "shop → orders has idempotence off: a retry whose answer was lost is a second record");
        mends("DEL-08", &[OPEN, &[OFF]].concat());
        let tolerated = ("elements/board/proposed/loss_tolerated", "true");
        let acks = [OPEN, &[UNSET, ("links/l1/proposed/acks", "\"1\""), tolerated]].concat();
        assert!(fires("DEL-08", &acks).message.contains("acks=1"));
        mends("DEL-08", &acks);
        // Where a loss matters too, the setting is found for it; a switch that is off is one more to set.
        silent("DEL-08", &acks[..acks.len() - 1]);
        let both = [OPEN, &[OFF, ("links/l1/proposed/acks", "\"1\"")]].concat();
        assert!(fires("DEL-08", &both).message.contains("has idempotence off"));
        fires("DEL-02", &both);
        let c = [OPEN, &[UNSET, ("elements/shop/proposed/client", "\"librdkafka\"")]].concat();
        assert!(fires("DEL-08", &c).message.contains("librdkafka, which has it off"));
        mends("DEL-08", &c);
        fires("DEL-08", &[OPEN, &[UNSET, ("elements/shop/proposed/client_version", "\"3.1.0\"")]].concat());
    }

    #[test]
    fn an_idempotent_producer_and_removed_repeats_are_left_alone() {
        silent("DEL-08", OPEN);
        silent("DEL-08", &[OFF]);
        silent("DEL-08", &[OPEN, &[UNSET]].concat());
        silent("DEL-08", &[OPEN, &[OFF, ("elements/board/proposed/duplicates_tolerated", "true")]].concat());
        silent("DEL-08", &[OPEN, &[OFF, ("links/l1/proposed/retries", "0")]].concat());
    }
}
