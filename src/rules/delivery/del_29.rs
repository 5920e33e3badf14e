use crate::{
    model::{ElementKind, Id, Link, Known, key, units::Size, words::Compression},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// An event can be larger than its writer sends or its channel takes.
    ///
    /// # Why
    /// The client refuses a record above `max.request.size`, before it compresses it; the broker refuses a batch above
    /// `max.message.bytes`, as it was compressed. What is refused is lost unless the writer does something about it, and it is
    /// always the same large events.
    ///
    /// # Example
    /// Orders are 2 kB, one with 4 000 lines is 1.4 MB, the topic takes 1 MiB: every large customer is missing.
    ///
    /// # What to do
    /// Raise the limits on both sides, split the event, or send a reference to what is large.
    DEL_29 "DEL-29" Error "An event is larger than what is taken"
    why "the largest events are refused, and they are always the same ones"
    sources ["Apache Kafka documentation, Producer Configs: max.request.size, compression.type", "Apache Kafka documentation, Topic Configs: max.message.bytes"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.kind(&link.to) != Some(ElementKind::Channel) {
            return None;
        }
        // What this writer sends: of its own events those that the channel holds; of a late or dead-letter output, what came in.
        let (held, own) = (context.events_at(&link.to), context.events_at(&link.from));
        let sends = |event: &&Id| !own.iter().any(|own| held.contains(own)) || own.contains(event);
        let sizes = held.iter().filter(|event| sends(event)).filter_map(|event| Some((*event, context.get(event, key::event::SIZE)?.max()?)));
        let (event, largest) = sizes.max_by_key(|(_, size)| *size)?;
        let (limit, whose) = limit(context, id, &link.to).into_iter().min()?;
        if largest <= limit {
            return None;
        }
        let message = format!(
            "{} can be {}; {} takes {} at most",
            context.title(event), largest.spoken(), if whose == Side::Client { context.title(id) } else { context.title(&link.to) }, limit.spoken()
        );
        Some(rule.finding(&[id, event], message, "raise the limits of client and channel, or send less in one event"))
    };
    context.links().filter_map(one).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Client,
    Channel,
}

/// What the client sends and, where nothing is compressed on the way, what the channel takes.
fn limit(context: &Context<'_>, link: &Id, channel: &Id) -> Vec<(Size, Side)> {
    let compression = context.known(link, key::produce::COMPRESSION);
    // The client's default is to compress nothing.
    let plain = match compression {
        Known::Value(fact) => fact.value == Compression::Nothing,
        Known::Unset(_) => true,
        _ => false,
    };
    let client = context.get(link, key::produce::MAX_REQUEST_SIZE).map(|size| (size, Side::Client));
    let channel = plain.then(|| context.get(channel, key::channel::MAX_MESSAGE_SIZE)).flatten();
    client.into_iter().chain(channel.map(|size| (size, Side::Channel))).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const LARGE: (&str, &str) = ("events/order/proposed/size", r#"{"mean":"2kB","max":"1.4MB"}"#);
    const LIMIT: (&str, &str) = ("elements/orders/proposed/max_message_size", "\"1MiB\"");

    #[test]
    fn an_event_above_the_limit_of_client_or_channel_is_found() {
        let plain = ("links/l1/proposed/compression", "\"none\"");
        assert_eq!(fires("DEL-29", &[LARGE, LIMIT, plain]).message, "order can be 1.4 MB; orders takes 1 MiB at most");
        let client = ("links/l1/proposed/max_request_size", "\"1MiB\"");
        let zstd = ("links/l1/proposed/compression", "\"zstd\"");
        assert!(fires("DEL-29", &[LARGE, client, zstd]).message.contains("shop → orders takes 1 MiB"));
    }

    /// Large orders of another writer are no fault of one that sends small refunds.
    #[test]
    fn a_writer_answers_for_its_own_events() {
        let client = ("links/l1/proposed/max_request_size", "\"1MiB\"");
        let large = ("events/refund/proposed/size", r#"{"mean":"2kB","max":"1.4MB"}"#);
        silent("DEL-29", &[OTHER[0], OTHER[1], OTHER[2], large, client]);
    }

    #[test]
    fn what_compresses_below_the_limit_is_not_claimed_to_be_refused() {
        silent("DEL-29", &[LARGE, LIMIT, ("links/l1/proposed/compression", "\"zstd\"")]);
        silent("DEL-29", &[LARGE, LIMIT]);
        let plain = ("links/l1/proposed/compression", "\"none\"");
        silent("DEL-29", &[LARGE, ("elements/orders/proposed/max_message_size", "\"2MiB\""), plain]);
        silent("DEL-29", &[LIMIT, plain]);
    }
}
