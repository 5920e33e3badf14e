//! What several rules about time ask: a setting of the operator or of one before it, a version, how long the input may
//! be silent, and who needs results again.

use crate::{
    catalog::Version,
    model::{
        ElementKind, FieldValue, Id, Key, Known, Link, Text, key,
        units::{Duration, Limit},
    },
    rules::{Context, context::Along},
};

/// What is known of a setting of an operator, else of the nearest ones before it in its job, on each way: watermarks go through
/// a job.
pub(in crate::rules) fn reaching<T: FieldValue>(context: &Context<'_>, operator: &Id, key: Key<T>) -> Vec<Known<T>> {
    let Some(node) = context.graph.find(operator) else { return vec![context.known(operator, key)] };
    let known = |node: usize| context.graph.known(context.graph.node_place(node), key);
    context.graph.nearest(node, key).into_iter().map(known).collect()
}

/// The same as one: where the ways into the operator do not agree, it is not known.
pub(in crate::rules) fn inherited<T: FieldValue + PartialEq>(
    context: &Context<'_>,
    operator: &Id,
    key: Key<T>,
) -> Known<T> {
    let agreed = |one: Known<T>, other: Known<T>| match (one, other) {
        (Known::Value(one), Known::Value(other)) if one.value == other.value => Known::Value(one),
        (Known::Value(_), Known::Value(_)) => Known::NotKnown(key.field().row().nature),
        (Known::Value(_), open) => open,
        (open, _) => open,
    };
    reaching(context, operator, key).into_iter().reduce(agreed).unwrap_or(Known::NotKnown(key.field().row().nature))
}

/// A limit that guards against something, which every way into the operator has to have: one that has none or has it switched
/// off decides, else the loosest.
pub(in crate::rules) fn guard(
    context: &Context<'_>,
    operator: &Id,
    key: Key<Limit<Duration>>,
) -> Known<Limit<Duration>> {
    let guards = |known: &Known<Limit<Duration>>| match known {
        Known::Value(fact) => fact.value.bound(),
        _ => None,
    };
    let looser = |one: Known<_>, other: Known<_>| match (guards(&one), guards(&other)) {
        (Some(first), Some(second)) => {
            if second > first {
                other
            } else {
                one
            }
        }
        (None, _) => one,
        (_, None) => other,
    };
    reaching(context, operator, key).into_iter().reduce(looser).unwrap_or(Known::NotKnown(key.field().row().nature))
}

/// The version of a job's product: its own, else its cluster's.
pub(in crate::rules) fn version(context: &Context<'_>, job: &Id) -> Option<Text> {
    let of_cluster = || context.get(context.subject(job)?.cluster.as_ref()?, key::cluster::VERSION);
    context.get(job, key::job::VERSION).or_else(of_cluster)
}

/// Is it known that a version lies before this one? Of words it is not.
pub(in crate::rules) fn before(version: &str, one: Version) -> bool {
    Version::read(version).is_some_and(|version| version < one)
}

/// Does this job run Kafka Streams or ksqlDB?
pub(in crate::rules) fn streams(context: &Context<'_>, job: &Id) -> bool {
    matches!(context.system(job), Some("kafka_streams" | "ksqldb"))
}

/// A channel or source with the longest silence of one of its parts.
pub(in crate::rules) type Silence<'a> = (&'a Id, Limit<Duration>);

/// The longest silence in front of each element, as read on the nearest channel, else on a source.
pub(in crate::rules) fn silences<'a>(context: &Context<'a>) -> Along<'a, Silence<'a>> {
    context.forward(|id, inputs: &[(&Id, &Link, &Silence<'a>)]| {
        let measured = match context.kind(id)? {
            ElementKind::Channel => context.get(id, key::channel::LONGEST_SILENCE),
            ElementKind::Source => context.get(id, key::source::LONGEST_SILENCE),
            _ => None,
        };
        measured.and_then(|silence| silence.max()).map(|silence| (id, silence)).or_else(|| Some(*inputs.first()?.2))
    })
}

/// `is silent for up to 5 min`, `has a part that never sends`.
pub(in crate::rules) fn silent_for(silence: Limit<Duration>) -> String {
    match silence {
        Limit::Of(silence) => format!("is silent for up to {}", silence.spoken()),
        _ => "has a part that never sends".to_owned(),
    }
}

/// A consumer behind each element that needs results again, where there is one.
pub(in crate::rules) fn replay_needed<'a>(context: &Context<'a>) -> Along<'a, &'a Id> {
    context.backward(|id, inputs: &[(&Id, &Link, &&'a Id)]| {
        let own = context.get(id, key::consumer::REPLAY_NEEDED).is_some_and(|needed| needed > Duration::ZERO);
        own.then_some(id).or_else(|| inputs.first().map(|(.., consumer)| **consumer))
    })
}

/// The consumer behind each element that needs results soonest, and how soon.
pub(in crate::rules) fn latency_needed<'a>(context: &Context<'a>) -> Along<'a, (Duration, &'a Id)> {
    context.backward(|id, inputs: &[(&Id, &Link, &(Duration, &'a Id))]| {
        let own = context.get(id, key::consumer::LATENCY_REQUIREMENT).map(|needed| (needed, id));
        inputs.iter().map(|(.., needed)| **needed).chain(own).min()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analysis::{analyse, graph::Graph},
        model::View,
        rules::testing::careful_with,
    };

    #[test]
    fn versions_compare_by_number() {
        let since = Version(1, 18);
        assert!(before("1.17.2", since) && before("1.9", since) && before("v1.4.0-rc1", since));
        assert!(!before("1.18", since) && !before("2.0-preview1", since) && !before("main", since));
    }

    /// Two steps in front of the sum, each with what is said of it there.
    fn fan_in<R>(one: &str, other: &str, said: impl Fn(&Context<'_>, &Id) -> R) -> R {
        let step =
            |settings: &str| format!(r#"{{"kind":"operator","job":"revenue","step":"map","proposed":{{{settings}}}}}"#);
        let (one, other) = (step(one), step(other));
        let design = careful_with(&[
            ("elements/sum/proposed/watermark_delay", "null"),
            ("elements/sum/proposed/idle_timeout", "null"),
            ("elements/dedup/proposed/watermark_delay", "null"),
            ("elements/dedup/proposed/idle_timeout", "null"),
            ("links/l3", "null"),
            ("elements/here", &one),
            ("elements/there", &other),
            ("links/l30", r#"{"from":"dedup","to":"here"}"#),
            ("links/l31", r#"{"from":"dedup","to":"there"}"#),
            ("links/l32", r#"{"from":"here","to":"sum"}"#),
            ("links/l33", r#"{"from":"there","to":"sum"}"#),
        ]);
        let report = analyse(&design, View::ToBe);
        let graph = Graph::new(&design, View::ToBe);
        said(&Context::new(&graph, &report), &Id::new("sum").unwrap())
    }

    #[test]
    fn ways_that_do_not_agree_are_not_known() {
        let delay = |one: &str, other: &str| {
            fan_in(one, other, |context, sum| {
                inherited(context, sum, key::operator::WATERMARK_DELAY).value().map(Duration::secs)
            })
        };
        let minute = r#""watermark_delay":"1min""#;
        assert_eq!(delay(minute, minute), Some(60.0));
        assert_eq!(delay(minute, r#""watermark_delay":"1h""#), None);
        assert_eq!(delay(minute, r#""watermark_delay":"unset""#), None);
        assert_eq!(delay(minute, ""), None);
        assert_eq!(delay("", minute), None, "whichever link comes first");
    }

    #[test]
    fn a_guard_is_as_good_as_its_worst_way() {
        let idle = |one: &str, other: &str| {
            fan_in(one, other, |context, sum| guard(context, sum, key::operator::IDLE_TIMEOUT).value())
        };
        let (minute, hour) = (r#""idle_timeout":"1min""#, r#""idle_timeout":"1h""#);
        assert_eq!(idle(minute, hour), Some(Limit::Of(Duration::from_secs(3600))));
        assert_eq!(idle(minute, r#""idle_timeout":"unlimited""#), Some(Limit::Unlimited));
        assert_eq!(idle("", minute), None);
        assert_eq!(idle(minute, ""), None);
    }

    /// One minute and one hour: late for one is not late for the other, so that the bound is not known, and the halt and the rule
    /// about it say nothing for certain.
    #[test]
    fn the_bound_of_ways_that_do_not_agree_is_not_known() {
        let bound = |other: &str| {
            fan_in(r#""watermark_delay":"1min""#, other, |context, sum| {
                crate::rules::time::bound(context, sum).map(Duration::secs)
            })
        };
        assert_eq!(bound(r#""watermark_delay":"1h""#), None);
        // The careful design allows a minute more.
        assert_eq!(bound(r#""watermark_delay":"1min""#), Some(120.0));
    }
}
