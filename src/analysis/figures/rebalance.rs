//! How long partitions stand still when the members of a group change: in one rebalance, over a rolling deploy, after a
//! crash.
//!
//! What is *not* here: engines that assign no partitions by a group (they stop and start as a whole, [`super::deploy`] and
//! [`super::recovery`]).

use super::{
    deploy,
    engine::Engine,
    map::{Map, Place},
    need::{Figure, all, at_most, derive, lacks, seconds, sum},
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, MissingWhy, Underivable},
        formulas::recovery as form,
    },
    model::{key, words::RebalanceProtocol},
};
use std::sync::Arc;

static ALL: Formula = Formula {
    id: "D5.rebalance.eager",
    text: "time to the next poll: all partitions",
    source: "Apache Kafka, eager assignment: everybody gives up everything until the slowest member has joined again",
};
static MOVED: Formula = Formula {
    id: "D5.rebalance.cooperative",
    text: "time to the next poll: the partitions that move",
    source: "KIP-429: a partition is given up at the end of a first rebalance and taken in a second; the others are read on",
};
static HANDED_ON: Formula = Formula {
    id: "D5.rebalance.broker",
    text: "time to the next poll + heartbeat interval: the partitions that move",
    source: "KIP-848: the broker waits for the member that gives a partition up, and for nobody else",
};
static ROLLING_COOPERATIVE: Formula = Formula {
    id: "D5.deploy.cooperative",
    text: "2 × time to the next poll, on average",
    source: "KIP-429: a partition moves when its member leaves and when one comes back",
};
static ROLLING_BROKER: Formula = Formula {
    id: "D5.deploy.broker",
    text: "time to the next poll + 2 × heartbeat interval, on average",
    source: "KIP-848: a leaving member has nothing to give up, a joining one waits for the member that has it",
};
static ROLLING_STREAMS: Formula = Formula {
    id: "D5.deploy.streams",
    text: "session time-out + time to the next poll",
    source: "Kafka Streams: a member that closes does not leave its group (internal.leave.group.on.close); its partitions wait until it is given up",
};
static ROLLING_STATIC_BROKER: Formula = Formula {
    id: "D5.deploy.broker.static",
    text: "restart, where it is within the session time-out; else session time-out + time to the next poll + 2 × heartbeat interval",
    source: "KIP-848: a static member leaves with epoch −2 and gets its partitions again when it comes back",
};
static ROLLING_STATIC: Formula = Formula {
    id: "D5.deploy.static",
    text: "restart, where it is within the session time-out; else session time-out + 2 × time to the next poll",
    source: "KIP-345: a member that comes back under its instance id gets its partitions again without a rebalance",
};
static CRASH: Formula = Formula {
    id: "D5.crash",
    text: "session time-out + one rebalance",
    source: "Apache Kafka documentation, Consumer Configs: session.timeout.ms",
};
static CRASH_CONNECT: Formula = Formula {
    id: "D5.crash.connect",
    text: "session time-out + scheduled.rebalance.max.delay.ms",
    source: "KIP-415: the tasks of a lost worker are handed on after the delay",
};

const REBALANCE: Figure = at_most("partitions stand still in a rebalance");
const DEPLOY: Figure = at_most("a partition stands still in a rolling deploy");
const CRASHED: Figure = at_most("partitions of a lost member stand still");

/// How a group is assigned, where the job has one. Kafka Streams always has one, so that it is missing where nobody read how it is
/// assigned; of others it is not known whether they have one.
fn protocol(map: &Map, job: usize, what: &'static str) -> Option<Result<RebalanceProtocol, Underivable>> {
    let protocol = map.setting(map.sites[job].at, key::job::REBALANCE_PROTOCOL, what);
    match (Engine::of(map, job), &protocol) {
        (Engine::Streams | Engine::Other, Ok(RebalanceProtocol::Nothing)) => None,
        (Engine::Streams, _) | (Engine::Other, Ok(_)) => Some(protocol),
        _ => None,
    }
}

/// A setting of the broker that no design holds.
fn heartbeat(at: Place) -> Arc<Explained> {
    let reason = "group.consumer.heartbeat.interval.ms is not read: the documented 5 s of the broker are taken";
    Explained::assumed("heartbeat interval", Some(at.id), DEPLOY.unit, 5.0, reason)
}

/// One rebalance.
pub(super) fn one(map: &Map, job: usize) -> Option<Derived> {
    let at = map.sites[job].at;
    let protocol = match protocol(map, job, REBALANCE.what)? {
        Ok(protocol) => protocol,
        Err(why) => return Some(Err(why)),
    };
    Some(deploy::next_poll(map, job).map(|poll| match protocol {
        RebalanceProtocol::Eager => sum(REBALANCE, at, &ALL, [poll]),
        RebalanceProtocol::Consumer => sum(REBALANCE, at, &HANDED_ON, [poll, heartbeat(at)]),
        RebalanceProtocol::Cooperative | RebalanceProtocol::Nothing => sum(REBALANCE, at, &MOVED, [poll]),
    }))
}

/// Every member deployed anew, one after the other.
pub(super) fn deploy(map: &Map, job: usize) -> Option<Derived> {
    let at = map.sites[job].at;
    let protocol = match protocol(map, job, DEPLOY.what)? {
        Ok(protocol) => protocol,
        Err(why) => return Some(Err(why)),
    };
    if map.value(at, key::job::STATIC_MEMBERSHIP) == Some(true) {
        return Some(fixed(map, job, protocol));
    }
    let poll = deploy::next_poll(map, job);
    Some(match protocol {
        RebalanceProtocol::Eager => deploy::pause(map, job, None)?,
        RebalanceProtocol::Consumer => poll.map(|poll| {
            let heartbeat = heartbeat(at);
            let value = form::rolling_by_broker(poll.value, heartbeat.value);
            derive(DEPLOY, at, &ROLLING_BROKER, [poll, heartbeat], value)
        }),
        RebalanceProtocol::Cooperative if Engine::of(map, job) == Engine::Streams => {
            all(DEPLOY.what, [session(map, at), poll]).map(|inputs| sum(DEPLOY, at, &ROLLING_STREAMS, inputs))
        }
        RebalanceProtocol::Cooperative | RebalanceProtocol::Nothing => poll.map(|poll| {
            let value = form::rolling_cooperative(poll.value);
            derive(DEPLOY, at, &ROLLING_COOPERATIVE, [poll], value)
        }),
    })
}

/// Members that keep their partitions.
fn fixed(map: &Map, job: usize, protocol: RebalanceProtocol) -> Derived {
    let at = map.sites[job].at;
    let by_broker = protocol == RebalanceProtocol::Consumer;
    let formula = if by_broker { &ROLLING_STATIC_BROKER } else { &ROLLING_STATIC };
    let restart = map.most(at, key::job::RESTART_TIME, seconds("restart"));
    let [restart, session] = all(DEPLOY.what, [restart, session(map, at)])?;
    if restart.value <= session.value {
        let value = form::rolling_static(restart.value, session.value, 0.0);
        return Ok(derive(DEPLOY, at, formula, [restart, session], value));
    }
    let poll = deploy::next_poll(map, job)?;
    if by_broker {
        let heartbeat = heartbeat(at);
        let moved = form::rolling_by_broker(poll.value, heartbeat.value);
        let value = form::rolling_static(restart.value, session.value, moved);
        return Ok(derive(DEPLOY, at, formula, [restart, session, poll, heartbeat], value));
    }
    let moved = form::rolling_cooperative(poll.value);
    let value = form::rolling_static(restart.value, session.value, moved);
    Ok(derive(DEPLOY, at, formula, [restart, session, poll], value))
}

fn session<'a>(map: &Map<'a>, at: Place<'a>) -> Derived {
    map.number(at, key::job::SESSION_TIMEOUT, seconds("session time-out"))
}

/// A member crashes: its partitions wait until that is noticed.
pub(super) fn crash(map: &Map, job: usize) -> Option<Derived> {
    let at = map.sites[job].at;
    if map.system(job) == Some("kafka_connect")
        && map.value(at, key::job::REBALANCE_PROTOCOL) != Some(RebalanceProtocol::Eager)
    {
        let delay = match map.cluster(job) {
            Some(cluster) => map.number(cluster, key::cluster::REBALANCE_DELAY, seconds("delay")),
            None => Err(lacks(CRASHED.what, at, key::cluster::REBALANCE_DELAY.field(), MissingWhy::NotKnown)),
        };
        if delay.is_err() {
            protocol(map, job, CRASHED.what)?.ok()?;
        }
        let inputs = all(CRASHED.what, [session(map, at), delay]);
        return Some(inputs.map(|inputs| sum(CRASHED, at, &CRASH_CONNECT, inputs)));
    }
    let one = one(map, job)?;
    Some(all(CRASHED.what, [session(map, at), one]).map(|inputs| sum(CRASHED, at, &CRASH, inputs)))
}

#[cfg(test)]
mod tests {
    use crate::{
        analysis::{JobReport, analyse},
        codec,
        model::{Id, View, key},
    };

    const READ: &str = r#"{"max_poll_records":500,"time_per_record":"16ms"}"#;

    fn job(job: &str, read: &str) -> JobReport {
        of("plain_consumer", job, read)
    }

    /// A member of Kafka Streams that closes does not leave: 45 s until it is given up, and 8 s to the next poll.
    #[test]
    fn kafka_streams_does_not_leave_its_group() {
        let settings = r#"{"rebalance_protocol":"cooperative","session_timeout":"45s"STATIC}"#;
        let closes = of("kafka_streams", &settings.replace("STATIC", ""), READ);
        assert_eq!(seconds(&closes.deploy_standstill), 53.0);
        let fixed =
            of("kafka_streams", &settings.replace("STATIC", r#","static_membership":true,"restart_time":"30s""#), READ);
        assert_eq!(seconds(&fixed.deploy_standstill), 30.0);
        // It always has a group: nobody read how that is assigned. A consumer of its own may be assigned by hand.
        let unread = of("kafka_streams", r#"{"session_timeout":"45s"}"#, READ);
        for figure in [&unread.rebalance, &unread.deploy_standstill, &unread.crash_standstill] {
            let why = figure.clone().unwrap().unwrap_err();
            assert_eq!((why.missing.len(), why.missing[0].field.name()), (1, "rebalance_protocol"));
        }
        let command = crate::catalog::command_for(key::job::REBALANCE_PROTOCOL.field(), "kafka_streams");
        assert!(command.is_some_and(|command| command.contains("ConsumerConfig values")), "{command:?}");
        assert_eq!(of("plain_consumer", r#"{"session_timeout":"45s"}"#, READ).rebalance, None);
    }

    /// Connect hands the tasks of a lost worker on after 45 s and its delay of 300 s; where that is not read, it is asked for.
    #[test]
    fn connect_waits_for_its_delay() {
        let of = |cluster: &str| {
            let text = format!(
                r#"{{"format":"streaming-pipeline","version":1,"elements":{{"in":{{"kind":"channel","system":"kafka"}},
                "j":{{"kind":"job","system":"kafka_connect","cluster":"c","proposed":{{"rebalance_protocol":"cooperative","session_timeout":"45s"}}}},
                "m":{{"kind":"operator","job":"j","step":"copy"}}}},"clusters":{{"c":{{"system":"kafka_connect","proposed":{cluster}}}}},
                "links":{{"l1":{{"from":"in","to":"m","proposed":{READ}}}}}}}"#
            );
            let report = analyse(&codec::decode(&text).unwrap(), View::ToBe);
            report.jobs[&Id::new("j").unwrap()].crash_standstill.clone()
        };
        assert_eq!(seconds(&of(r#"{"rebalance_delay":"5min"}"#)), 345.0);
        assert_eq!(of("{}").unwrap().unwrap_err().missing[0].field.name(), "rebalance_delay");
    }

    fn of(system: &str, job: &str, read: &str) -> JobReport {
        let text = format!(
            r#"{{"format":"streaming-pipeline","version":1,"elements":{{
            "in":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"{system}","proposed":{job}}},
            "m":{{"kind":"operator","job":"j","step":"map"}}}},
            "links":{{"l1":{{"from":"in","to":"m","proposed":{read}}}}}}}"#
        );
        analyse(&codec::decode(&text).unwrap(), View::ToBe).jobs[&Id::new("j").unwrap()].clone()
    }

    fn seconds(figure: &Option<crate::analysis::explain::Derived>) -> f64 {
        figure.as_ref().unwrap().as_ref().unwrap().value
    }

    /// 500 records of 16 ms: 8 s to the next poll. Eager, ten members: 2 × 10 × 8 s = 160 s for each partition, one rebalance
    /// 8 s, a crash 45 s + 8 s. Back after 3 s: 10 × (8 + 3) = 110 s.
    #[test]
    fn an_eager_group_stops_as_a_whole() {
        let group = job(r#"{"rebalance_protocol":"eager","instances":10,"session_timeout":"45s"}"#, READ);
        assert_eq!(seconds(&group.deploy_pause), 160.0);
        assert_eq!(seconds(&group.deploy_standstill), 160.0);
        assert_eq!(seconds(&group.rebalance), 8.0);
        assert_eq!(seconds(&group.crash_standstill), 53.0);
        let quick = r#"{"rebalance_protocol":"eager","instances":10,"restart_time":"3s"}"#;
        assert_eq!(seconds(&job(quick, READ).deploy_pause), 110.0);
    }

    /// Two moves of 8 s: 16 s. By the broker: 8 s + 2 × 5 s = 18 s. Under its own id, back after 30 s: 30 s; after 60 s with a
    /// session of 45 s: 45 s + 16 s.
    #[test]
    fn other_groups_stop_in_parts() {
        let cooperative = job(r#"{"rebalance_protocol":"cooperative","instances":10}"#, READ);
        assert_eq!(cooperative.deploy_pause, None);
        assert_eq!(seconds(&cooperative.deploy_standstill), 16.0);
        assert!(cooperative.crash_standstill.unwrap().is_err(), "nobody gave the session time-out");
        let broker = job(r#"{"rebalance_protocol":"consumer","instances":10}"#, READ);
        assert_eq!((seconds(&broker.deploy_standstill), seconds(&broker.rebalance)), (18.0, 13.0));
        let fixed = |restart: &str| {
            let settings = format!(
                r#"{{"rebalance_protocol":"cooperative","static_membership":true,"session_timeout":"45s","restart_time":"{restart}"}}"#
            );
            seconds(&job(&settings, READ).deploy_standstill)
        };
        assert_eq!((fixed("30s"), fixed("60s")), (30.0, 61.0));
        // The broker keeps them for a static member as well: 30 s; after 60 s 45 s + 8 s + 2 × 5 s.
        let by_broker = |restart: &str| {
            let settings = format!(
                r#"{{"rebalance_protocol":"consumer","static_membership":true,"session_timeout":"45s","restart_time":"{restart}"}}"#
            );
            seconds(&job(&settings, READ).deploy_standstill)
        };
        assert_eq!((by_broker("30s"), by_broker("60s")), (30.0, 63.0));
        let unknown = job(r#"{"rebalance_protocol":"cooperative"}"#, "{}");
        assert!(unknown.deploy_standstill.unwrap().is_err() && unknown.rebalance.unwrap().is_err());
        assert_eq!(job("{}", READ).rebalance, None);
    }
}
