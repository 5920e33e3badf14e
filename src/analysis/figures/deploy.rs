//! How long a job stands still when it is deployed anew.

use super::{
    checkpoint, clients,
    engine::Engine,
    instance::Kept,
    map::{Map, Wire},
    need::{Figure, all, all_of, count, derive, largest, seconds, sum},
    recovery,
};
use crate::{
    analysis::{
        explain::{Derived, Formula, Inputs},
        formulas::recovery as form,
    },
    model::{Known, key, words::RebalanceProtocol},
};

static READ: Formula = Formula { id: "D5.read", text: "pause of a deploy, as read", source: "measured" };
static EAGER: Formula = Formula {
    id: "D5.eager",
    text: "2 × members × time to the next poll; members × (time to the next poll + restart) where a restart is shorter",
    source: "Apache Kafka, eager assignment: each member that leaves and each that joins stops all until the slowest has polled; one that is back before that joins the same rebalance",
};
static POLL: Formula = Formula {
    id: "D5.poll",
    text: "longest time between two polls, at most max.poll.interval.ms",
    source: "Apache Kafka: a member joins a rebalance with its next poll",
};
static SLOWEST: Formula = Formula {
    id: "D5.slowest",
    text: "largest over what the job reads",
    source: "the rebalance waits for the slowest member",
};
static MEMBERS: Formula = Formula {
    id: "D5.members",
    text: "instances × threads",
    source: "each thread is a member of its own (Kafka Streams, num.stream.threads)",
};
static SAVEPOINT: Formula = Formula {
    id: "D5.savepoint",
    text: "checkpoint duration + rescheduling + restore",
    source: "Apache Flink, stop with savepoint: all tasks stop, and start again from it",
};

const PAUSE: Figure = seconds("pause of a deploy");

/// The pause of a rolling deploy, or of a stop with savepoint; none where only parts of the input ever stop.
pub(super) fn pause(map: &Map, job: usize, kept: Option<Kept<'_>>) -> Option<Derived> {
    let at = map.sites[job].at;
    if let Known::Value(_) = map.get(at, key::job::DEPLOY_PAUSE) {
        return Some(map.most(at, key::job::DEPLOY_PAUSE, PAUSE).map(|pause| {
            let value = pause.value;
            derive(PAUSE, at, &READ, [pause], value)
        }));
    }
    match Engine::of(map, job) {
        Engine::Flink if checkpoint::checkpoints(map, job) => Some(savepoint(map, job, kept)),
        Engine::Streams | Engine::Other
            if map.value(at, key::job::REBALANCE_PROTOCOL) == Some(RebalanceProtocol::Eager)
                && map.value(at, key::job::STATIC_MEMBERSHIP) != Some(true) =>
        {
            Some(eager(map, job))
        }
        _ => None,
    }
}

fn savepoint(map: &Map, job: usize, kept: Option<Kept<'_>>) -> Derived {
    let at = map.sites[job].at;
    let rescheduling = map.number(at, key::job::RESCHEDULE_TIME, seconds("rescheduling"));
    let inputs = [checkpoint::duration(map, job), rescheduling, recovery::restore(map, job, kept)];
    Ok(sum(PAUSE, at, &SAVEPOINT, all(PAUSE.what, inputs)?))
}

fn eager(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    let instances = map.most(at, key::job::INSTANCES, count("instances"));
    let members = instances.map(|instances| match map.number(at, key::job::THREADS, count("threads")) {
        Ok(threads) => {
            let value = instances.value * threads.value;
            derive(count("members"), at, &MEMBERS, [instances, threads], value)
        }
        Err(_) => instances,
    });
    let [members, poll] = all(PAUSE.what, [members, next_poll(map, job)])?;
    let restart = map.most(at, key::job::RESTART_TIME, seconds("restart")).ok();
    let value = form::rolling_eager(members.value, poll.value, restart.as_ref().map(|restart| restart.value));
    let inputs: Inputs = [members, poll].into_iter().chain(restart).collect();
    Ok(derive(PAUSE, at, &EAGER, inputs, value))
}

/// How long a rebalance waits for the slowest member.
pub(super) fn next_poll(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    let polls = all_of(PAUSE.what, map.reads(job).map(|wire| poll(map, job, wire)));
    Ok(largest(seconds("time to the next poll"), at, &SLOWEST, polls?))
}

fn poll(map: &Map, job: usize, wire: &Wire) -> Derived {
    let between = clients::between_polls(map, job, wire)?;
    let figure = seconds("time to the next poll");
    let limit = map.number(wire.at, key::read::MAX_POLL_INTERVAL, seconds("max.poll.interval.ms")).ok();
    let value = limit.as_ref().map_or(between.value, |limit| between.value.min(limit.value));
    let inputs: Inputs = std::iter::once(between).chain(limit).collect();
    Ok(derive(figure, wire.at, &POLL, inputs, value))
}

#[cfg(test)]
mod tests {
    use crate::{
        analysis::analyse,
        codec,
        model::{Id, View},
    };

    fn pause(job: &str, read: &str) -> Option<f64> {
        let text = format!(
            r#"{{"format":"streaming-pipeline","version":1,"elements":{{
            "in":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"consumer","proposed":{job}}},
            "m":{{"kind":"operator","job":"j","step":"map"}}}},
            "links":{{"l1":{{"from":"in","to":"m","proposed":{read}}}}}}}"#
        );
        let report = analyse(&codec::decode(&text).unwrap(), View::ToBe);
        let pause = report.jobs[&Id::new("j").unwrap()].deploy_pause.clone()?;
        Some(pause.unwrap().value)
    }

    /// 10 members, 500 records of 16 ms to the next poll, 8 s: 2 × 10 × 8 s = 160 s.
    #[test]
    fn an_eager_group_stops_twice_a_member() {
        let read = r#"{"max_poll_records":500,"time_per_record":"16ms"}"#;
        assert_eq!(pause(r#"{"rebalance_protocol":"eager","instances":10}"#, read), Some(160.0));
        assert_eq!(pause(r#"{"rebalance_protocol":"eager","instances":5,"threads":2}"#, read), Some(160.0));
        assert_eq!(pause(r#"{"rebalance_protocol":"cooperative","instances":10}"#, read), None);
        assert_eq!(pause(r#"{"rebalance_protocol":"eager","static_membership":true,"instances":10}"#, read), None);
        assert_eq!(pause(r#"{"rebalance_protocol":"eager","instances":10,"deploy_pause":"30s"}"#, read), Some(30.0));
        // A poll comes at last when its interval is over.
        let slow = r#"{"max_poll_records":500,"time_per_record":"1s","max_poll_interval":"5min"}"#;
        assert_eq!(pause(r#"{"rebalance_protocol":"eager","instances":1}"#, slow), Some(600.0));
    }
}
