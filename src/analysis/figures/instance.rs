//! What one instance of a job holds: its part of the state, and the memory that stores of Kafka Streams take outside the
//! heap.

use super::{
    engine::Engine,
    map::{Map, Place},
    need::{Figure, all, all_of, bytes, count, derive, lacks, largest, seconds, sum},
    windows,
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, MissingWhy, Underivable, Unit},
        formulas::{ratio, state as form},
    },
    model::{
        Element, ElementKind, Step, key,
        words::{JoinKind, StateBackend, WindowKind},
    },
};
use std::sync::Arc;

static PART: Formula = Formula {
    id: "D2.instance",
    text: "state ÷ instances, at least",
    source: "entries spread evenly over instances; the fullest one holds no less",
};

const STREAMS: &str = "Apache Kafka, RocksDBStore: 50 MiB of block cache and three write buffers of 16 MiB for each RocksDB; \
    AbstractSegments: one RocksDB a segment; segments counted in store directories of Kafka Streams 3.9";

static SEGMENTS: Formula = Formula {
    id: "ST-3.segments",
    text: "min(⌈retention ÷ segment⌉ + 1, ⌈(retention + segment) ÷ step⌉), segment = max(retention ÷ 2, 60 s)",
    source: STREAMS,
};
static STORES: Formula =
    Formula { id: "ST-3.stores", text: "RocksDB instances of all stores of one partition", source: STREAMS };
static TASKS: Formula = Formula {
    id: "ST-3.tasks",
    text: "⌈partitions ÷ instances⌉",
    source: "Kafka Streams: one task a partition, spread evenly over instances",
};
static MOST: Formula = Formula {
    id: "ST-3.partitions",
    text: "partitions of the channel with the most",
    source: "Kafka Streams: a task reads the same partition of all its inputs",
};
static MEMORY: Formula = Formula {
    id: "ST-3.memory",
    text: "tasks × RocksDB instances × 98 MiB, unless a RocksDBConfigSetter bounds them together",
    source: STREAMS,
};

/// Memory of one RocksDB under Kafka Streams: 50 MiB and 3 × 16 MiB.
const ROCKSDB: f64 = 98.0 * 1_048_576.0;
/// How finely joins, sessions, sliding windows and de-duplication cut time, in seconds.
const FINEST: f64 = 0.001;

/// The part of a job's state on one instance.
pub(super) fn state(map: &Map, job: usize, state: &Derived) -> Derived {
    let at = map.sites[job].at;
    let figure = bytes("state on one instance");
    let instances = map.most(at, key::job::INSTANCES, count("instances"));
    let [state, instances] = all(figure.what, [state.clone(), instances])?;
    let value = ratio(state.value, instances.value.max(1.0));
    Ok(derive(figure, at, &PART, vec![state, instances], value))
}

/// Memory outside the heap that the stores of an instance may take; none where no store is a RocksDB of Kafka Streams.
pub(super) fn stores(map: &Map, job: usize) -> Option<Derived> {
    let at = map.sites[job].at;
    let figure = bytes("memory of the stores of an instance");
    if Engine::of(map, job) != Engine::Streams {
        return None;
    }
    let stores: Vec<Derived> = map.sites[job].operators.iter().flat_map(|site| of_operator(map, *site)).collect();
    if stores.is_empty() {
        return None;
    }
    match map.setting(at, key::job::STATE_BACKEND, figure.what) {
        Ok(StateBackend::Rocksdb) => {}
        Ok(_) => return None,
        Err(why) => return Some(Err(why)),
    }
    let stores = all_of(figure.what, stores).map(|stores| sum(count("RocksDB instances"), at, &STORES, stores));
    Some(all(figure.what, [tasks(map, job), stores]).map(|[tasks, stores]| {
        let size = Explained::constant("one RocksDB", Unit::Bytes, ROCKSDB, STREAMS);
        let value = tasks.value * stores.value * size.value;
        derive(figure, at, &MEMORY, vec![tasks, stores, size], value)
    }))
}

fn tasks(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    let figure: Figure = count("tasks of an instance");
    let channels = map.reads(job).filter(|wire| map.sites[wire.from].element.kind() == ElementKind::Channel);
    let channels =
        channels.map(|wire| map.number(map.sites[wire.from].at, key::channel::PARTITIONS, count("partitions")));
    let partitions = all_of(figure.what, channels).and_then(|channels| match channels.len() {
        0 => Err(lacks(figure.what, at, key::job::PARALLELISM.field(), MissingWhy::NotKnown)),
        _ => Ok(largest(count("partitions"), at, &MOST, channels)),
    });
    let [partitions, instances] =
        all(figure.what, [partitions, map.most(at, key::job::INSTANCES, count("instances"))])?;
    let value = ratio(partitions.value, instances.value.max(1.0)).ceil();
    Ok(derive(figure, at, &TASKS, vec![partitions, instances], value))
}

/// RocksDB instances of each store of an operator, for one partition.
fn of_operator(map: &Map, site: usize) -> Vec<Derived> {
    let at = map.sites[site].at;
    let Element::Operator { step, .. } = map.sites[site].element else { return Vec::new() };
    match step {
        Step::Deduplicate => vec![deduplication(map, at)],
        Step::Aggregate => vec![aggregate(map, at)],
        Step::Join => match map.setting(at, key::operator::JOIN, FIGURE.what) {
            Err(why) => vec![Err(why)],
            Ok(JoinKind::Interval | JoinKind::Window) => vec![join(map, at), join(map, at)],
            Ok(JoinKind::ForeignKey) => vec![Ok(one()), Ok(one()), Ok(one())],
            Ok(_) => vec![Ok(one())],
        },
        _ => Vec::new(),
    }
}

const FIGURE: Figure = count("segments of a store");

fn one() -> Arc<Explained> {
    Explained::constant("a store without segments", Unit::Count, 1.0, STREAMS)
}

fn segments(at: Place, retention: Arc<Explained>, step: f64, of: Option<Arc<Explained>>) -> Arc<Explained> {
    let value = form::streams_segments(retention.value, step);
    derive(FIGURE, at, &SEGMENTS, std::iter::once(retention).chain(of).collect(), value)
}

fn deduplication(map: &Map, at: Place) -> Derived {
    let ttl = map.number(at, key::operator::STATE_TTL, seconds("time-to-live"))?;
    Ok(if ttl.unbounded() { one() } else { segments(at, ttl, FINEST, None) })
}

fn aggregate(map: &Map, at: Place) -> Derived {
    let kind = map.setting(at, key::operator::WINDOW, FIGURE.what)?;
    let grace = || map.number(at, key::operator::ALLOWED_LATENESS, seconds("grace"));
    let retention = |length: Derived| -> Result<Arc<Explained>, Underivable> {
        let [length, grace] = all(FIGURE.what, [length, grace()])?;
        Ok(windows::retention(at, length, grace))
    };
    Ok(match kind {
        WindowKind::Nothing | WindowKind::Global => one(),
        WindowKind::Session => {
            let gap = map.number(at, key::operator::WINDOW_GAP, seconds("session gap"));
            segments(at, retention(gap)?, FINEST, None)
        }
        WindowKind::Sliding => segments(at, retention(windows::size_of(map, at))?, FINEST, None),
        WindowKind::Tumbling | WindowKind::Hopping | WindowKind::Cumulating => {
            let [kept, advance] =
                all(FIGURE.what, [retention(windows::size_of(map, at)), windows::advance(map, at, kind)])?;
            let step = advance.value;
            segments(at, kept, step, Some(advance))
        }
    })
}

static AROUND: Formula = Formula {
    id: "ST-3.join",
    text: "before + after + grace",
    source: "Kafka Streams, JoinWindows: what a join store keeps",
};

fn join(map: &Map, at: Place) -> Derived {
    let inputs = [
        map.number(at, key::operator::JOIN_BEFORE, seconds("before")),
        map.number(at, key::operator::JOIN_AFTER, seconds("after")),
        map.number(at, key::operator::ALLOWED_LATENESS, seconds("grace")),
    ];
    let kept = sum(seconds("store retention"), at, &AROUND, all(FIGURE.what, inputs)?.into());
    Ok(segments(at, kept, FINEST, None))
}

#[cfg(test)]
mod tests {
    use crate::{
        analysis::analyse,
        codec,
        model::{Id, View},
    };

    /// 12 partitions on one instance. A window of 10 min with 1 ms of grace, step 10 min: ⌈(600.001 + 300) ÷ 600⌉ = 2; a join 10 min
    /// before and after with 5 min of grace: 1 500 s in segments of 750 s: 3 for each side; a table: 1. 12 × 9 × 98 MiB = 11.1 GB.
    #[test]
    fn memory_of_stores() {
        let text = r#"{"format":"streaming-pipeline","version":1,"elements":{
            "in":{"kind":"channel","system":"kafka","proposed":{"partitions":12}},
            "j":{"kind":"job","system":"kafka_streams","proposed":{"state_backend":"rocksdb","instances":1}},
            "w":{"kind":"operator","job":"j","step":"aggregate","proposed":{"window":"tumbling","window_size":"10min","allowed_lateness":"1ms"}},
            "i":{"kind":"operator","job":"j","step":"join","proposed":{"join":"interval","join_before":"10min","join_after":"10min","allowed_lateness":"5min"}},
            "t":{"kind":"operator","job":"j","step":"join","proposed":{"join":"table"}}},
            "links":{"l1":{"from":"in","to":"i"},"l2":{"from":"i","to":"t"},"l3":{"from":"t","to":"w"}}}"#;
        let report = analyse(&codec::decode(text).unwrap(), View::ToBe);
        let job = &report.jobs[&Id::new("j").unwrap()];
        let memory = job.store_memory.as_ref().unwrap().as_ref().unwrap();
        assert!((memory.value - 12.0 * 9.0 * 98.0 * 1_048_576.0).abs() < 1.0, "{}", memory.value);
    }
}
