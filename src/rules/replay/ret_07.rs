use crate::{
    catalog::Version,
    model::{ElementKind, Id, Known, Subject, key, units::{Duration, Limit}, words::{CleanupPolicy, TimestampTrust, TimestampUnit}},
    rules::{Context, Finding, Rule, Severity, rule::{propose, rule}},
};

rule! {
    /// Producers whose clocks are not trusted set the time by which records are deleted, and nothing bounds it.
    ///
    /// # Why
    /// A segment is deleted by the newest timestamp in it, from the oldest segment on. One record from the future holds its segment and
    /// all behind it until that time has come: disk fills, and personal data outlives its retention. Before Kafka 4.0 any future is
    /// accepted unless somebody sets a bound.
    ///
    /// # Example
    /// A producer sends microseconds where milliseconds belong, the year 50 000: nothing is ever deleted by time.
    ///
    /// # What to do
    /// Bound the future (`message.timestamp.after.max.ms`), or let the broker set the time (`LogAppendTime`).
    RET_07 "RET-07" Warning "A clock from outside decides what is deleted"
    why "one timestamp from the future stops deletion by time"
    sources ["Apache Kafka documentation, Topic Configs: message.timestamp.type, message.timestamp.after.max.ms", "Apache Kafka, UnifiedLog: deletableSegments", "KIP-937: Improve Message Timestamp Validation"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let Limit::Of(kept) = context.get(id, key::channel::RETENTION_TIME)? else { return None };
        let compacted = context.get(id, key::channel::CLEANUP_POLICY) == Some(CleanupPolicy::Compact);
        if compacted || !super::steps::create_time(context, id) || !endless(context, id) {
            return None;
        }
        let worst = context.events_at(id).iter().filter_map(|event| Some((*event, untrusted(context, event)?)));
        let (event, (how, never)) = worst.max_by_key(|(_, (_, never))| *never)?;
        let message = format!("{} deletes after {} by the time in {}, which {how}", context.title(id), kept.spoken(), context.title(event));
        let fix = (!never).then(|| propose("Propose at most 1 h ahead", id, key::channel::TIMESTAMP_AFTER_MAX, Limit::Of(Duration::from_secs(3600))));
        let finding = rule.finding(&[id, event], message, "bound the future, or let the broker set the time").fixed_by(fix);
        Some(if never { Finding { severity: Severity::Error, ..finding } } else { finding })
    };
    context.elements_with(ElementKind::Channel, key::channel::RETENTION_TIME).filter_map(one).collect()
}

/// Is any future accepted? As set, or not set before Kafka 4.0.
fn endless(context: &Context<'_>, id: &Id) -> bool {
    match context.known(id, key::channel::TIMESTAMP_AFTER_MAX) {
        Known::Value(fact) => fact.value == Limit::Unlimited,
        Known::Unset(_) => {
            let cluster = context.subject(id).and_then(|subject| subject.cluster.as_ref());
            let version = cluster.and_then(|cluster| context.get(cluster, key::cluster::VERSION));
            context.runs(id, "kafka") && version.and_then(|version| Version::read(&version)).is_some_and(|version| version.0 < 4)
        }
        _ => false,
    }
}

/// Why the time of an event is not to be relied on, and whether all of it lies in the far future.
fn untrusted(context: &Context<'_>, event: &Id) -> Option<(&'static str, bool)> {
    let unit = context.get(event, key::event::TIMESTAMP_UNIT);
    // A unit without a field is that of the record's own timestamp.
    let own = context.get(event, key::event::TIMESTAMP_FIELD).is_none();
    match unit {
        Some(TimestampUnit::Us) if own => Some(("is in microseconds and is read as milliseconds: it never comes", true)),
        Some(TimestampUnit::Ns) if own => Some(("is in nanoseconds and is read as milliseconds: it never comes", true)),
        _ if context.get(event, key::event::TIMESTAMP_TRUST) == Some(TimestampTrust::Low) => Some(("is not trusted and may lie in any future", false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::*;

    const ENDLESS: (&str, &str) = ("elements/orders/proposed/timestamp_after_max", "\"unlimited\"");
    const LOW: (&str, &str) = ("events/order/proposed/timestamp_trust", "\"low\"");

    #[test]
    fn an_untrusted_clock_without_a_bound_is_found() {
        assert_eq!(
            fires("RET-07", &[ENDLESS, LOW]).message,
            "orders deletes after 7 d by the time in order, which is not trusted and may lie in any future"
        );
        mends("RET-07", &[ENDLESS, LOW]);
        silent("RET-07", &[LOW]);
        silent("RET-07", &[ENDLESS]);
        silent("RET-07", &[ENDLESS, LOW, ("elements/orders/proposed/timestamp_type", "\"append_time\"")]);
        silent("RET-07", &[LOW, ("elements/orders/proposed/timestamp_after_max", "null")]);
    }

    #[test]
    fn not_set_is_endless_before_version_four() {
        let unset = ("elements/orders/proposed/timestamp_after_max", "\"unset\"");
        fires("RET-07", &[unset, LOW]);
        silent("RET-07", &[unset, LOW, ("clusters/kafka/proposed/version", "\"4.0\"")]);
    }

    #[test]
    fn microseconds_never_come() {
        let micros = [ENDLESS, ("events/order/proposed/timestamp_unit", "\"us\""), ("events/order/proposed/timestamp_field", "null")];
        assert_eq!(fires("RET-07", &micros).severity, Severity::Error);
        silent("RET-07", &micros[..2]);
    }
}
