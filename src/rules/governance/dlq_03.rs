use crate::{
    model::{ElementKind, Id, Port, Subject, key, words::Acks},
    rules::{Context, Finding, Fix, Rule, rule::{propose, rule}},
};

rule! {
    /// A dead-letter channel keeps its records less safely than the channel they come from.
    ///
    /// # Why
    /// What stands there is the only copy on its way: the main path has gone on. A channel that was made by hand or by default has
    /// one replica, or needs one in sync.
    ///
    /// # Example
    /// `orders` has three replicas, `orders_dlq` was created on first use with one; a broker is replaced, and the failed orders of a
    /// week are gone.
    ///
    /// # What to do
    /// The replication factor, in-sync replicas and acknowledgement of the main channel.
    DLQ_03 "DLQ-03" Warning "Dead letters are kept less safely"
    why "what is set aside is the only copy, and easier to lose than the rest"
    sources ["Apache Kafka documentation, Kafka Connect Configs: errors.deadletterqueue.topic.replication.factor", "Apache Kafka documentation, Broker Configs: auto.create.topics.enable, default.replication.factor"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let (write, link) = context.into(id).find(|(_, link)| link.port == Some(Port::DeadLetter))?;
        let main = context.channel_before(&link.from).filter(|main| *main != id)?;
        let (mut what, mut fix): (Vec<String>, Option<Fix>) = (Vec::new(), None);
        let pair = |key| Some((context.get(id, key)?, context.get(main, key)?)).filter(|(own, of_main): &(u64, u64)| own < of_main);
        // Where the way back is drawn, rules on channels have found a single replica, one in sync and weak acknowledgements.
        let seen = context.loss_matters(id);
        if let Some((own, of_main)) = pair(key::channel::REPLICATION_FACTOR).filter(|(own, _)| !(seen && *own == 1)) {
            what.push(format!("{own} of {of_main} replicas"));
            fix = Some(propose(&format!("Propose {of_main} replicas"), id, key::channel::REPLICATION_FACTOR, of_main));
        }
        let all = context.get(write, key::produce::ACKS) == Some(Acks::All);
        let in_sync = context.has_in_sync(id) && context.has_in_sync(main);
        if let Some((own, of_main)) = pair(key::channel::MIN_INSYNC_REPLICAS).filter(|_| in_sync).filter(|(own, _)| !(seen && all && *own <= 1)) {
            what.push(format!("{own} in sync instead of {of_main}"));
            fix = fix.or_else(|| Some(propose(&format!("Propose {of_main} in sync"), id, key::channel::MIN_INSYNC_REPLICAS, of_main)));
        }
        let strong = context.into(main).any(|(write, _)| context.get(write, key::produce::ACKS) == Some(Acks::All));
        if let Some(acks) = context.get(write, key::produce::ACKS).filter(|acks| *acks != Acks::All && strong && !seen) {
            what.push(format!("acks={} instead of all", acks.as_str()));
            fix = fix.or_else(|| Some(propose("Propose acks=all", write, key::produce::ACKS, Acks::All)));
        }
        (!what.is_empty()).then(|| {
            let message = format!("{} has {}, compared with {}", context.title(id), what.join(", "), context.title(main));
            rule.finding(&[id, main], message, "keep dead letters as safely as what they come from").fixed_by(fix)
        })
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// No way back: nothing else looks at the channel.
    const END: (&str, &str) = ("links/l10", "null");

    #[test]
    fn weaker_dead_letters_are_found() {
        let two = ("elements/dlq/proposed/replication_factor", "2");
        assert_eq!(fires("DLQ-03", &[two]).message, "dlq has 2 of 3 replicas, compared with orders");
        mends("DLQ-03", &[two]);
        fires("DLQ-03", &[END, ("elements/dlq/proposed/replication_factor", "1")]);
        let acks = [END, ("links/l9/proposed/acks", "\"1\"")];
        assert_eq!(fires("DLQ-03", &acks).message, "dlq has acks=1 instead of all, compared with orders");
        mends("DLQ-03", &acks);
        mends("DLQ-03", &[END, ("elements/dlq/proposed/min_insync_replicas", "1")]);
    }

    #[test]
    fn equal_channels_and_what_other_rules_find_are_left_alone() {
        silent("DLQ-03", &[]);
        silent("DLQ-03", &[END]);
        silent("DLQ-03", &[("elements/dlq/proposed/replication_factor", "null")]);
        silent("DLQ-03", &[("elements/dlq/proposed/replication_factor", "1")]);
        silent("DLQ-03", &[("links/l9/proposed/acks", "\"1\"")]);
        silent("DLQ-03", &[("elements/dlq/proposed/replication_factor", "5")]);
    }
}
