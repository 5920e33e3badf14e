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
        OperatorReport,
        explain::{Derived, Explained, Formula, Inputs, MissingWhy, Underivable, Unit},
        formulas::{ratio, skew, state as form},
    },
    model::{
        Element, ElementKind, Step, key,
        units::SizeUnit,
        words::{JoinKind, StateBackend, WindowKind},
    },
};
use std::sync::Arc;

static PART: Formula = Formula {
    id: "D2.instance",
    text: "state ÷ instances, at least",
    source: "entries spread evenly over instances; the fullest one holds no less",
};

static FULLEST_INSTANCE: Formula = Formula {
    id: "D2.instance.fullest",
    text: "larger of an even part and the part of the fullest task, at least",
    source: "an instance holds at least one task, and one of them the fullest",
};
static FULLEST: Formula = Formula {
    id: "D2.task",
    text: "state × share of the fullest of so many tasks over so many equal keys",
    source: "Bernstein's inequality over hashed keys; above the simulated value in 400 of 400 distributions",
};
static TASK_SUM: Formula = Formula {
    id: "D2.task.sum",
    text: "sum over the operators, as if the fullest task were the same for all",
    source: "a task holds its part of every operator",
};
static BY_GROUPS: Formula = Formula {
    id: "D2.task.groups",
    text: "tasks ÷ (busiest task over the mean, by key groups)",
    source: "Apache Flink, KeyGroupRangeAssignment: a task gets whole key groups",
};
static TOP_OF: Formula = Formula {
    id: "D2.task.top",
    text: "largest over the channels that it reads",
    source: "records of all inputs lie with their key",
};
static AS_LARGE: Formula = Formula {
    id: "D2.task.keys",
    text: "⌊1 ÷ share of the top key⌋",
    source: "no key holds more records than the top one",
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
    text: "tasks × (1 + standby replicas) × RocksDB instances × 98 MiB, unless a RocksDBConfigSetter bounds them together",
    source: STREAMS,
};

/// Memory of one RocksDB under Kafka Streams: 50 MiB and 3 × 16 MiB.
const ROCKSDB: f64 = 98.0 * SizeUnit::Mebibyte.bytes() as f64;
/// How finely joins, sessions, sliding windows and de-duplication cut time, in seconds.
const FINEST: f64 = 0.001;

/// The part of a job's state on one instance.
pub(super) fn state(map: &Map, job: usize, state: &Derived) -> Derived {
    let at = map.sites[job].at;
    let figure = bytes("state on one instance");
    let instances = map.most(at, key::job::INSTANCES, count("instances"));
    let [state, instances] = all(figure.what, [state.clone(), instances])?;
    let value = ratio(state.value, instances.value.max(1.0));
    Ok(derive(figure, at, &PART, [state, instances], value))
}

/// What is kept of a job's state: all of it, and what its fullest task has, where that is known.
#[derive(Clone, Copy)]
pub(super) struct Kept<'s> {
    pub all: &'s Derived,
    pub task: Option<&'s Derived>,
}

/// The part of a state on the instance with most of it, as far as it is known; where nobody says how many there are, one is
/// taken to hold all of it.
pub(super) fn fullest_instance(map: &Map, job: usize, all_of_it: Derived, task: Option<&Derived>) -> Derived {
    let at = map.sites[job].at;
    let figure = bytes("state on the fullest instance");
    let instances = map.most(at, key::job::INSTANCES, count("instances")).unwrap_or_else(|_| {
        let reason = "not read: one instance is taken to hold all of the state";
        Explained::assumed("instances", Some(at.id), Unit::Count, 1.0, reason)
    });
    let several = instances.value > 1.0;
    let all_of_it = all_of_it?;
    let value = ratio(all_of_it.value, instances.value.max(1.0));
    let even = derive(bytes("state on one instance"), at, &PART, [all_of_it, instances], value);
    Ok(match task {
        Some(Ok(task)) if several && !task.unbounded() => largest(figure, at, &FULLEST_INSTANCE, [even, task.clone()]),
        _ => even,
    })
}

/// The part of a job's state on its fullest task: keys fall on tasks by their hash, and never evenly.
pub(super) fn task(map: &Map, known: &super::Known<'_>, job: usize) -> Option<Derived> {
    let at = map.sites[job].at;
    let tasks = match Engine::of(map, job) {
        Engine::Flink => groups(map, job),
        Engine::Streams => partitions(map, job),
        _ => return None,
    };
    let parts: Vec<Derived> = map.sites[job]
        .operators
        .iter()
        .filter_map(|site| Some((site, known.operators.get(map.sites[*site].at.id)?)))
        .filter_map(|(site, report)| fullest(map, *site, report, &tasks))
        .collect();
    if parts.is_empty() {
        return None;
    }
    Some(
        all_of(TASK.what, parts)
            .map(|mut parts| if parts.len() == 1 { parts.swap_remove(0) } else { sum(TASK, at, &TASK_SUM, parts) }),
    )
}

/// So many keys are as good as without end: their hashing no longer shows.
const MOST_KEYS: f64 = 1e15;
const TASK: Figure = bytes("state on the fullest task");

/// How many tasks would carry the key groups evenly at the load of the one with the most.
fn groups(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    let figure = count("tasks, by key groups");
    let imbalance = super::skew::key_groups(map, job);
    let tasks = map.number(at, key::job::PARALLELISM, count("tasks"));
    let Some(imbalance) = imbalance else { return tasks };
    let inputs = all(figure.what, [tasks, imbalance])?;
    let value = ratio(inputs[0].value, inputs[1].value.max(1.0)).max(1.0);
    Ok(derive(figure, at, &BY_GROUPS, inputs, value))
}

/// The state of one operator on the fullest task.
fn fullest(map: &Map, site: usize, report: &OperatorReport, tasks: &Derived) -> Option<Derived> {
    let at = map.sites[site].at;
    let state = report.state.clone()?;
    let keys = keys(map, site, report);
    Some(all(TASK.what, [state, keys, tasks.clone()]).map(|inputs| {
        let [state, keys, tasks] = &inputs;
        let many = keys.value.clamp(1.0, MOST_KEYS);
        let share = skew::hot_share_of(1.0 / many, many, tasks.value);
        let value = crate::analysis::formulas::product(state.value, share);
        derive(TASK, at, &FULLEST, inputs, value)
    }))
}

/// Over how many keys the state of an operator spreads, where none holds more than another. Records of a join or of a window
/// that keeps them lie with their key, so that the share of the top key would have to be known for them: by it, the
/// state counts as that of so many equal keys as the top key is large.
fn keys(map: &Map, site: usize, report: &OperatorReport) -> Derived {
    let at = map.sites[site].at;
    let Element::Operator { step, .. } = map.sites[site].element else {
        return Err(lacks(TASK.what, at, key::operator::LIVE_KEYS.field(), MissingWhy::NotKnown));
    };
    let by_record = *step == Step::Join || map.value(at, key::operator::BUFFERS_RECORDS) == Some(true);
    if by_record {
        // What another step hands on may lie by another key, whose shares no setting gives.
        let why = MissingWhy::NoForm("no setting says how records of another step lie by it; measure the fullest task");
        let no_form = || Err(lacks(TASK.what, at, key::operator::KEY.field(), why));
        let inputs = map.into(site).filter(|wire| !wire.back).map(|wire| wire.from);
        let tops = inputs.map(|from| match map.sites[from].element.kind() {
            ElementKind::Channel => super::skew::top(map, from),
            _ => no_form(),
        });
        let tops = all_of(TASK.what, tops)?;
        if tops.is_empty() {
            return no_form();
        }
        let top = largest(Figure { what: "share of the top key", unit: Unit::Ratio }, at, &TOP_OF, tops);
        let value = ratio(1.0, top.value).floor().max(1.0);
        return Ok(derive(count("keys as large as the top one"), at, &AS_LARGE, [top], value));
    }
    if *step == Step::Deduplicate {
        return report
            .entries
            .clone()
            .unwrap_or_else(|| Err(lacks(TASK.what, at, key::operator::LIVE_KEYS.field(), MissingWhy::NotKnown)));
    }
    map.number(at, key::operator::KEYS_PER_WINDOW, count("keys"))
        .or_else(|_| map.number(at, key::operator::LIVE_KEYS, count("keys")))
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
    let standby = map.number(at, key::job::STANDBY_REPLICAS, count("standby replicas")).unwrap_or_else(|_| {
        let reason = "num.standby.replicas is not read: the documented default of none is taken";
        Explained::assumed("standby replicas", Some(at.id), Unit::Count, 0.0, reason)
    });
    Some(all(figure.what, [tasks(map, job), stores]).map(|[tasks, stores]| {
        let size = Explained::constant("one RocksDB", Unit::Bytes, ROCKSDB, STREAMS);
        let value = tasks.value * (1.0 + standby.value) * stores.value * size.value;
        derive(figure, at, &MEMORY, [tasks, standby, stores, size], value)
    }))
}

fn tasks(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    let figure: Figure = count("tasks of an instance");
    let [partitions, instances] =
        all(figure.what, [partitions(map, job), map.most(at, key::job::INSTANCES, count("instances"))])?;
    let value = ratio(partitions.value, instances.value.max(1.0)).ceil();
    Ok(derive(figure, at, &TASKS, [partitions, instances], value))
}

/// Partitions of what a job reads, of the channel with the most.
fn partitions(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    let figure = count("partitions");
    let channels = map.reads(job).filter(|wire| map.sites[wire.from].element.kind() == ElementKind::Channel);
    let channels =
        channels.map(|wire| map.number(map.sites[wire.from].at, key::channel::PARTITIONS, count("partitions")));
    all_of(figure.what, channels).and_then(|channels| match channels.len() {
        0 => Err(lacks(figure.what, at, key::job::PARALLELISM.field(), MissingWhy::NotKnown)),
        _ => Ok(largest(figure, at, &MOST, channels)),
    })
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
    derive(FIGURE, at, &SEGMENTS, std::iter::once(retention).chain(of).collect::<Inputs>(), value)
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
    let kept = sum(seconds("store retention"), at, &AROUND, all(FIGURE.what, inputs)?);
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
        // A standby of each store is as large.
        let with = text.replace(r#""instances":1"#, r#""instances":1,"standby_replicas":1"#);
        let report = analyse(&codec::decode(&with).unwrap(), View::ToBe);
        let twice = report.jobs[&Id::new("j").unwrap()].store_memory.clone().unwrap().unwrap();
        assert!((twice.value - 24.0 * 9.0 * 98.0 * 1_048_576.0).abs() < 1.0, "{}", twice.value);
    }

    /// 12 tasks over 128 key groups: 11 of them at the busiest, as if there were 11.64 tasks. A million keys of 100 B:
    /// 1 ÷ 11.64 + 3.301 × √(10⁻⁶ ÷ 11.64 × 0.914) + 2.8 × 10⁻⁶ = 8.687 %, 8.687 MB; evenly it would be 8.33 MB.
    #[test]
    fn the_fullest_task() {
        let text = r#"{"format":"streaming-pipeline","version":1,"elements":{
            "in":{"kind":"channel","system":"kafka","proposed":{"partitions":12,"dominant_key_share":0.4}},
            "j":{"kind":"job","system":"flink","proposed":{"parallelism":12,"max_parallelism":128,"instances":12,"space_amplification":1,
              "processing_guarantee":"exactly_once","checkpoint_duration":"0s","reschedule_time":"0s","restore_rate":"1MB/s"}},
            "w":{"kind":"operator","job":"j","step":"aggregate","proposed":{"window":"tumbling","window_size":"1d","watermark_delay":"0s","watermark_interval":"0s","allowed_lateness":"0s","keys_per_window":1000000,"entry_size":"100B"}}},
            "links":{"l1":{"from":"in","to":"w"}}}"#;
        let of = |text: &str| analyse(&codec::decode(text).unwrap(), View::ToBe).jobs[&Id::new("j").unwrap()].clone();
        let job = of(text);
        let (even, fullest) = (job.state_of_instance.unwrap().unwrap(), job.state_of_task.unwrap().unwrap());
        assert!((even.value - 1e8 / 12.0).abs() < 1.0, "{}", even.value);
        assert!((fullest.value - 8.686_6e6).abs() < 1e3, "{}", fullest.value);
        // At 1 MB/s it is the last to have read its part back.
        let pause = job.deploy_pause.unwrap().unwrap().value;
        assert!((pause - 8.686_6).abs() < 1e-3, "{pause}");
        let why = of(&text.replace(r#""max_parallelism":128,"#, "")).state_of_task.unwrap().unwrap_err();
        assert_eq!(why.missing[0].field.name(), "max_parallelism");
    }
}
