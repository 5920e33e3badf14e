use crate::{
    model::{ElementKind, Id, Link, Statistic, key, units::Size},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// An event can be larger than its producer may send.
    ///
    /// # Why
    /// `max.request.size` bounds a record before compression. A larger one is refused by the client itself, and no retry helps: it
    /// is dropped, or the producer stops. The topic's `max.message.bytes` bounds the batch as it is stored, after compression.
    ///
    /// # Example
    /// Orders are 2 kB; one with 4 000 lines is 1.4 MB, against the default of 1 MiB.
    ///
    /// # What to do
    /// Raise both limits above the largest event, or keep large parts in an object store and send where they are.
    DEL_26 "DEL-26" Warning "An event larger than may be sent"
    why "the client refuses it, and sending it again does not help"
    sources ["Apache Kafka documentation, Producer Configs: max.request.size", "Apache Kafka documentation, Topic Configs: max.message.bytes"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let limit = context.get(id, key::produce::MAX_REQUEST_SIZE)?;
        if context.kind(&link.to)? != ElementKind::Channel || !context.loss_matters(id) {
            return None;
        }
        let (event, largest) = context.events_at(&link.to).iter().find_map(|event| Some((*event, largest(context, event).filter(|size| *size > limit)?)))?;
        let message = format!("{} can be {}; {} sends at most {}", context.title(event), largest.spoken(), context.title(id), limit.spoken());
        Some(rule.finding(&[id, event], message, "raise the limits of producer and topic, or send where the large part is kept"))
    };
    context.links_with(key::produce::MAX_REQUEST_SIZE).filter_map(one).collect()
}

/// The largest size that is stated: a maximum, else the highest percentile, else what stands for all.
fn largest(context: &Context<'_>, event: &Id) -> Option<Size> {
    let size = context.get(event, key::event::SIZE)?;
    let most = size.statistics.get(&Statistic::Max).copied();
    most.or_else(|| size.percentiles().last().map(|(_, size)| size)).or_else(|| size.mean())
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const LIMIT: (&str, &str) = ("links/l1/proposed/max_request_size", "\"1MiB\"");
    const LARGE: (&str, &str) = ("events/order/proposed/size", r#"{"mean":"2kB","max":"1400kB"}"#);

    #[test]
    fn an_event_above_the_limit_is_found() {
        assert!(fires("DEL-26", &[LIMIT, LARGE]).message.ends_with("shop → orders sends at most 1 MiB"));
        fires("DEL-26", &[LIMIT, ("events/order/proposed/size", r#"{"mean":"2kB","p99":"2MB"}"#)]);
    }

    #[test]
    fn what_fits_or_is_not_read_is_left_alone() {
        silent("DEL-26", &[LIMIT]);
        silent("DEL-26", &[LARGE]);
        silent("DEL-26", &[LARGE, ("links/l1/proposed/max_request_size", "\"2MiB\"")]);
        silent("DEL-26", &[LIMIT, LARGE, ("elements/board/proposed/loss_tolerated", "true")]);
    }
}
