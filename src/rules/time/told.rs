//! What several rules about time ask: a setting of the operator or of one before it, a version, how long the input may
//! be silent, and who needs results again.

use crate::{
    model::{
        ElementKind, FieldValue, Id, Key, Known, Link, Text, key,
        units::{Duration, Limit},
    },
    rules::{Context, context::Along},
};

/// Most steps that are gone back for a setting of the watermark.
const FAR: usize = 64;

/// A setting of an operator, else of the nearest one before it in its job: watermarks go through a job.
pub(in crate::rules) fn inherited<T: FieldValue>(context: &Context<'_>, operator: &Id, key: Key<T>) -> Known<T> {
    let own = context.known(operator, key);
    let (mut at, job) = (operator, context.job_of(operator));
    for _ in 0..FAR {
        let known = context.known(at, key);
        if !matches!(known, Known::NotKnown(_)) {
            return known;
        }
        let before = context.into(at).find(|(_, link)| link.port.is_none() && context.job_of(&link.from) == job);
        let Some((_, link)) = before.filter(|_| job.is_some()) else { break };
        at = &link.from;
    }
    own
}

/// The version of a job's product: its own, else its cluster's.
pub(in crate::rules) fn version(context: &Context<'_>, job: &Id) -> Option<Text> {
    let of_cluster = || context.get(context.subject(job)?.cluster.as_ref()?, key::cluster::VERSION);
    context.get(job, key::job::VERSION).or_else(of_cluster)
}

/// Is a version this one or a later one? Words count as nothing.
pub(in crate::rules) fn at_least(version: &str, major: u32, minor: u32) -> bool {
    let mut parts = version.split(['.', '-']).map(|part| part.parse::<u32>().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) >= (major, minor)
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
    use super::at_least;

    #[test]
    fn versions_compare_by_number() {
        assert!(at_least("2.3.0", 2, 3) && at_least("3", 2, 3) && at_least("1.20.1-rc1", 1, 18));
        assert!(!at_least("2.2.1", 2, 3) && !at_least("1.9", 1, 18) && !at_least("main", 1, 0));
    }
}
