use crate::{
    analysis::ReplayStart,
    catalog::ChannelKind,
    model::{ElementKind, Id, Subject, key, units::Limit},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Results shall be made again, and what feeds them forgets what was acknowledged.
    ///
    /// # Why
    /// A queue deletes a message once it is acknowledged, and so do Pulsar without a retention and Pub/Sub without retained
    /// messages. There is nothing to read again, however long unread messages are kept.
    ///
    /// # Example
    /// "Pub/Sub keeps seven days": what was not acknowledged. What a consumer counted wrongly yesterday is gone.
    ///
    /// # What to do
    /// A retention for acknowledged messages where the product has one, else a copy of the raw events in a log or in objects.
    RET_13 "RET-13" Error "Acknowledged is gone"
    why "there is nothing that could be read again"
    sources ["Apache Pulsar documentation, Message retention and expiry", "Google Cloud Pub/Sub documentation, Replay and purge messages with seek", "Amazon SQS Developer Guide: message lifecycle"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let needed = context.get(id, key::consumer::REPLAY_NEEDED)?;
        let starts = || context.consumer_report(id).into_iter().flat_map(|report| &report.replay).filter(|start| start.recompute);
        let short = |start: &ReplayStart| start.usable.barred() || match &start.reach {
            Ok(reach) => forgets(context, &start.from).is_some() || reach.value < needed.secs(),
            Err(_) => forgets(context, &start.from).is_some() || keeps_nothing(context, &start.from),
        };
        if needed.millis() == 0 || !starts().all(short) {
            return None;
        }
        let (from, how) = starts().find_map(|start| Some((&start.from, forgets(context, &start.from)?)))?;
        let message = format!("{} needs {} of replay, and {} {how}", context.title(id), needed.spoken(), context.title(from));
        Some(rule.finding(&[from, id], message, "keep acknowledged messages, or a copy of the events in a log or in objects"))
    };
    context.elements_with(ElementKind::Consumer, key::consumer::REPLAY_NEEDED).filter_map(one).collect()
}

/// Is what a channel has handed over gone?
pub(super) fn forgets(context: &Context<'_>, channel: &Id) -> Option<&'static str> {
    let product = context.entry(channel)?.channel?;
    if !product.keeps_acknowledged {
        return Some("is a queue: what was acknowledged is gone");
    }
    let kept = context.get(channel, key::channel::RETENTION_TIME);
    match (product.kind, kept) {
        (_, Some(Limit::Of(_) | Limit::Unlimited)) => None,
        (ChannelKind::Queue, _) => Some("is a queue: what was acknowledged is gone"),
        (_, Some(Limit::None)) => Some("keeps nothing of what was acknowledged"),
        (ChannelKind::Subscription, None) => {
            let mut reads = context.from(channel).map(|(link, _)| context.get(link, key::read::RETAIN_ACKED)).peekable();
            (reads.peek().is_some() && reads.all(|kept| kept == Some(false))).then_some("keeps nothing of what was acknowledged")
        }
        (ChannelKind::Log, None) => None,
    }
}

/// A source that is known to keep no log of its own.
fn keeps_nothing(context: &Context<'_>, source: &Id) -> bool {
    context.entry(source).and_then(|entry| entry.source).is_some_and(|source| !source.keeps_log)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const QUEUE: [(&str, &str); 2] =
        [("elements/orders/system", "\"rabbitmq\""), ("elements/orders/proposed/retention_time", "null")];

    #[test]
    fn a_queue_that_shall_be_replayed_is_found() {
        assert_eq!(fires("RET-13", &QUEUE).message, "board needs 24 h of replay, and orders is a queue: what was acknowledged is gone");
        silent("RET-13", &[QUEUE[0], QUEUE[1], ("elements/board/proposed/replay_needed", "null")]);
        // Its retention is that of what nobody has acknowledged; an archive keeps what was handed over.
        fires("RET-13", &QUEUE[..1]);
        silent("RET-13", &[("elements/orders/system", "\"eventbridge\"")]);
    }

    #[test]
    fn no_retention_of_what_was_acknowledged_is_found() {
        let none = [("elements/orders/system", "\"pulsar\""), ("elements/orders/proposed/retention_time", "\"none\"")];
        fires("RET-13", &none);
        silent("RET-01", &none);
        silent("RET-13", &none[..1]);
    }

    #[test]
    fn a_subscription_that_keeps_nothing_is_found() {
        let pubsub = [("elements/orders/system", "\"pubsub\""), QUEUE[1], ("links/l2/proposed/retain_acked", "false")];
        fires("RET-13", &pubsub);
        silent("RET-13", &pubsub[..2]);
        silent("RET-13", &[pubsub[0], pubsub[1], ("links/l2/proposed/retain_acked", "true")]);
    }
}
