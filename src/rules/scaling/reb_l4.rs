use crate::{
    model::{ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, rule::rule, time::told},
};
use std::cell::LazyCell;

rule! {
    /// A Kafka Streams instance that is stopped in order is missed only after its session timeout.
    ///
    /// # Why
    /// Kafka Streams does not leave its group when it closes, so that a quick restart moves no tasks. Whoever takes an instance away for
    /// good waits the whole timeout before another takes over.
    ///
    /// # Example
    /// Scaling in from four instances to three: a quarter of the partitions stands still for 45 s.
    ///
    /// # What to do
    /// Leave the group when closing (CloseOptions.leaveGroup), or a session timeout that the consumer can wait for.
    REB_L4 "REB-L4" Note "A clean stop is noticed late"
    why "partitions of a stopped instance stand still for the session timeout"
    sources ["Apache Kafka, StreamsConfig: internal.leave.group.on.close is false", "KIP-812: Introduce another form of the KafkaStreams.close() API"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let needed = LazyCell::new(|| told::latency_needed(context));
    let one = |(id, _): (&Id, &Subject)| {
        let several = context.get(id, key::job::INSTANCES)?.max()? > 1;
        let timeout = context.get(id, key::job::SESSION_TIMEOUT)?;
        if !several || !told::streams(context, id) {
            return None;
        }
        let (needed, consumer) = context.operators_of(id).filter_map(|operator| needed.get(operator)).min()?;
        (timeout > *needed).then(|| {
            let message = format!(
                "{}: an instance that is taken away is missed after {}, {} needs data within {}",
                context.title(id),
                timeout.spoken(),
                context.title(consumer),
                needed.spoken()
            );
            rule.finding(&[id, consumer], message, "leave the group when closing, or a shorter session timeout")
        })
    };
    context.elements_with(ElementKind::Job, key::job::INSTANCES).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_stop_that_is_noticed_late_is_found() {
        let streams = [
            ("elements/revenue/system", "\"kafka_streams\""),
            ("elements/revenue/proposed/instances", "4"),
            ("elements/revenue/proposed/session_timeout", "\"45s\""),
        ];
        let soon = ("elements/board/proposed/latency_requirement", "\"30s\"");
        fires("REB-L4", &[streams[0], streams[1], streams[2], soon]);
        silent("REB-L4", &streams);
        silent("REB-L4", &[streams[0], streams[2], soon]);
        silent("REB-L4", &[streams[1], streams[2], soon]);
    }
}
