use crate::{
    model::{ActionKind, ElementKind, Id, Subject, key, units::{Duration, Limit, human}, words::{CleanupPolicy, TimestampUnit}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Records arrive in a channel with timestamps that are older than its retention.
    ///
    /// # Why
    /// With `CreateTime` the retention goes by the time in the record, not by its arrival. A segment of old records is deleted at the
    /// next check, minutes after it was written.
    ///
    /// # Example
    /// A backfill of last month into a topic that keeps seven days; or seconds where milliseconds belong, January 1970.
    ///
    /// # What to do
    /// `LogAppendTime` for that channel, a longer retention while the backfill is read, or a channel of its own.
    RET_08 "RET-08" Error "Older than the retention when it arrives"
    why "what was just written is deleted at the next check"
    sources ["Apache Kafka documentation, Topic Configs: message.timestamp.type, retention.ms", "Apache Kafka, UnifiedLog: deletableSegments"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let remedy = "let the broker set the time, or keep longer than the oldest record";
    let written = |(id, _): (&Id, &Subject)| {
        let kept = deletes_by_record_time(context, id)?;
        let seconds = |event: &&&Id| {
            context.get(event, key::event::TIMESTAMP_UNIT) == Some(TimestampUnit::S)
                && context.get(event, key::event::TIMESTAMP_FIELD).is_none()
        };
        let event = context.events_at(id).iter().find(seconds)?;
        let message = format!(
            "{} in {} is stamped in seconds and read as milliseconds, January 1970: older than the {} that are kept",
            context.title(event), context.title(id), kept.spoken()
        );
        Some(rule.finding(&[id, event], message, remedy))
    };
    let steps = context.design.records.actions.iter().filter(|(_, action)| action.kind == ActionKind::Backfill);
    let filled = steps.flat_map(|(_, action)| {
        let age = super::steps::age(action);
        action.about.iter().filter_map(move |id| {
            let (age, kept) = (age?, deletes_by_record_time(context, id)?);
            (age > kept.secs()).then(|| {
                let message = format!("the backfill of {} starts {} back, and {} are kept by the time in the record", context.title(id), human::seconds(age), kept.spoken());
                rule.finding(&[id], message, remedy)
            })
        })
    });
    filled.chain(context.elements(ElementKind::Channel).filter_map(written)).collect()
}

/// What a channel keeps, where it goes by the time in the record.
fn deletes_by_record_time(context: &Context<'_>, id: &Id) -> Option<Duration> {
    let Limit::Of(kept) = context.get(id, key::channel::RETENTION_TIME)? else { return None };
    let deletes = context.get(id, key::channel::CLEANUP_POLICY)? != CleanupPolicy::Compact;
    (deletes && super::steps::create_time(context, id)).then_some(kept)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_backfill_beyond_the_retention_is_found() {
        let of = |from: &'static str| [("actions", from)];
        let month = of(r#"{"b1":{"kind":"backfill","about":["orders"],"from":"30d"}}"#);
        assert_eq!(fires("RET-08", &month).message, "the backfill of orders starts 30 d back, and 7 d are kept by the time in the record");
        fires("RET-08", &of(r#"{"b1":{"kind":"backfill","about":["orders"],"from":"2026-10-01","at":"2026-12-01"}}"#));
        silent("RET-08", &of(r#"{"b1":{"kind":"backfill","about":["orders"],"from":"2026-11-28","at":"2026-12-01"}}"#));
        silent("RET-08", &of(r#"{"b1":{"kind":"backfill","about":["orders"],"from":"earliest"}}"#));
        silent("RET-08", &[month[0], ("elements/orders/proposed/timestamp_type", "\"append_time\"")]);
    }

    #[test]
    fn seconds_for_milliseconds_are_found() {
        let seconds = [("events/order/proposed/timestamp_unit", "\"s\""), ("events/order/proposed/timestamp_field", "null")];
        assert!(fires("RET-08", &seconds).message.contains("January 1970: older than the 7 d"));
        silent("RET-08", &seconds[..1]);
        silent("RET-08", &[("events/order/proposed/timestamp_unit", "\"ms\""), seconds[1]]);
    }
}
