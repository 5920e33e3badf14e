//! How long a job that writes in two-phase transactions may be down before the broker aborts what it had prepared.
//!
//! The broker aborts a prepared transaction at its timeout. It was opened up to one interval (or one checkpoint and its
//! pause) before the checkpoint that prepared it, and that checkpoint itself takes its duration.

use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, Missing, MissingWhy, Underivable, Unit},
        formulas::checkpoint,
        graph::{Graph, Place},
    },
    model::{
        Fact, Field, FieldValue, Key, Known,
        key::{job, produce},
        units::Duration,
    },
};
use std::sync::Arc;

static BOUND: Formula = Formula {
    id: "FLK-TXN",
    text: "transaction timeout − max(checkpoint interval, checkpoint duration + pause) − checkpoint duration",
    source: "Apache Flink documentation, Kafka connector, Fault Tolerance: transaction timeout; KafkaCommitter",
};

/// The longest outage of `job` that the transaction timeout of its `write` link covers, in seconds; zero or less means
/// that the timeout does not even cover normal running.
///
/// # Errors
/// Names every setting that is missing.
pub fn outage_bound(graph: &Graph<'_>, write: Place, job: Place) -> Derived {
    let mut missing = Vec::new();
    let timeout = fact(graph, write, produce::TRANSACTION_TIMEOUT, &mut missing);
    let interval = fact(graph, job, job::CHECKPOINT_INTERVAL, &mut missing);
    let pause = fact(graph, job, job::CHECKPOINT_MIN_PAUSE, &mut missing);
    let duration = fact(graph, job, job::CHECKPOINT_DURATION, &mut missing)
        .and_then(|fact| Some(Fact { value: fact.value.max()?, basis: fact.basis, source: fact.source }));
    let (Some(timeout), Some(interval), Some(pause), Some(duration)) = (timeout, interval, pause, duration) else {
        return Err(Underivable { what: "outage that the transaction timeout covers", missing: missing.into() });
    };
    let seconds = |what, fact: &Fact<Duration>| Explained::fact(what, Unit::Seconds, fact, fact.value.secs());
    let inputs = vec![
        seconds("transaction timeout", &timeout),
        seconds("checkpoint interval", &interval),
        seconds("checkpoint duration", &duration),
        seconds("pause between checkpoints", &pause),
    ];
    let period = checkpoint::period(interval.value.secs(), duration.value.secs(), pause.value.secs());
    let value = checkpoint::outage_bound(timeout.value.secs(), period, duration.value.secs());
    let of = graph.id(job);
    Ok(Explained::derive("longest outage covered", Some(of), Unit::Timeout, &BOUND, inputs, value, None))
}

fn fact<T: FieldValue>(graph: &Graph<'_>, at: Place, key: Key<T>, missing: &mut Vec<Missing>) -> Option<Fact<T>> {
    let why = match graph.known(at, key) {
        Known::Value(fact) => return Some(fact),
        Known::Unset(_) => MissingWhy::Unset,
        Known::Conflict(_) => MissingWhy::Conflict,
        Known::NotKnown(_) => MissingWhy::NotKnown,
    };
    missing.push(lacking(graph, at, key.field(), why));
    None
}

fn lacking(graph: &Graph<'_>, at: Place, field: Field, why: MissingWhy) -> Missing {
    Missing { subject: graph.id(at).clone(), field, why }
}

/// The outage that people say the job must survive, else the restart time that was measured or stated.
pub fn stated_outage(graph: &Graph<'_>, job: Place) -> Option<Arc<Explained>> {
    if let Some(fact) = graph.fact(job, job::LONGEST_OUTAGE) {
        return Some(Explained::fact("longest outage to survive", Unit::Seconds, &fact, fact.value.secs()));
    }
    let restart = graph.fact(job, job::RESTART_TIME)?;
    let longest = restart.value.max()?;
    Some(Explained::fact("restart time", Unit::Seconds, &restart, longest.secs()))
}
