//! How long an operator holds a result back: windows that emit when they close, joins that wait for a window or for what finds
//! no match, commits that make results visible.

mod join;

use super::{
    batches,
    engine::Engine,
    latency::Wait,
    map::{Map, Place, Wire},
    need::{Figure, all, as_is, derive, lacks, seconds, sum},
    silence,
    upstream::Upstream,
    windows::{advance, interval, size_of, watermark_delay},
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, Inputs, MissingWhy, Underivable},
        formulas::latency as form,
    },
    model::{
        Element, ElementKind, Step, key,
        words::{Api, Clock, Distribution, Emit, OutputMode, ProcessingGuarantee, WindowKind},
    },
};
use std::sync::Arc;

static WINDOW: Formula = Formula {
    id: "LAT-E1.window",
    text: "window size + watermark delay + watermark interval + longest silence",
    source: "an event at the start of its window waits for the end, then for the watermark, which moves only with events",
};
static HOPPING: Formula = Formula {
    id: "LAT-E1.hopping",
    text: "advance + watermark delay + watermark interval + longest silence",
    source: "the first window that holds an event closes within one advance",
};
static SESSION: Formula = Formula {
    id: "LAT-E1.session",
    text: "longest session + gap + watermark delay + watermark interval + longest silence",
    source: "a session closes when its gap has passed",
};
static BY_CLOCK: Formula = Formula {
    id: "LAT-E1.clock",
    text: "one window at most: its size; the advance where windows overlap; longest session + gap",
    source: "a window on processing time closes by the machine's clock, and a record that comes at its start waits for all of it",
};
static STREAMS: Formula = Formula {
    id: "LAT-E1.streams.window",
    text: "window size + grace + longest silence",
    source: "Kafka Streams: a window closes when stream time has passed its end plus the grace; stream time moves only with events",
};
static SPARK: Formula = Formula {
    id: "LAT-E1.spark.window",
    text: "window size + watermark delay + time between two batches, beside the batch that reads the event",
    source: "Apache Spark: append emits in the batch after the one that moves the watermark; checked against simulated batches",
};
static STREAMS_SESSION: Formula = Formula {
    id: "LAT-E1.streams.session",
    text: "longest session + gap + grace + longest silence",
    source: "Kafka Streams: a session closes when stream time has passed its end plus gap and grace",
};
static STREAMS_SLIDING: Formula = Formula {
    id: "LAT-E1.streams.sliding",
    text: "grace + longest silence",
    source: "Kafka Streams, SlidingWindows: the first window that holds a record ends with it, and closes after the grace",
};
static SPARK_SESSION: Formula = Formula {
    id: "LAT-E1.spark.session",
    text: "longest session + gap + watermark delay + time between two batches, beside the batch that reads the event",
    source: "Apache Spark: append emits in the batch after the one that moves the watermark",
};
static WATERMARK: Formula = Formula {
    id: "LAT-E1.watermark",
    text: "watermark delay + watermark interval + longest silence",
    source: "Apache Flink, RowTimeRangeUnboundedPrecedingFunction, TemporalRowTimeJoinOperator, RowTimeDeduplicateKeepFirstRowFunction: a row comes out when the watermark has passed its time",
};
static COMMIT: Formula = Formula {
    id: "LAT-E1.streams.commit",
    text: "commit interval, once for each sub-topology in series",
    source: "Kafka Streams: exactly-once results are visible after the commit, cached ones are forwarded with it",
};

/// The wait for a window on event time, as seen from the end of its bucket.
pub(super) struct WindowWait<'t> {
    /// What passes after that end.
    pub after: &'t [Arc<Explained>],
    /// Is allowed lateness on top of it? The grace of Kafka Streams is part of the wait, and Spark drops what comes late.
    pub lateness: bool,
}

/// A term as the wait for a window; `None` where it is none, or where the window goes by the machine's clock.
pub(super) fn for_a_window(term: &Explained) -> Option<WindowWait<'_>> {
    let by = |formulas: &[&Formula]| formulas.iter().any(|formula| term.made_by(formula));
    let lateness = by(&[&WINDOW, &HOPPING, &SESSION]);
    if !lateness && !by(&[&STREAMS, &STREAMS_SESSION, &SPARK, &SPARK_SESSION]) {
        return None;
    }
    // Each of them is a sum that begins with the bucket itself.
    let after = term.inputs().get(1..).unwrap_or_default();
    Some(WindowWait { after, lateness })
}

/// Which result of a window is waited for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Awaited {
    /// The first that is sent.
    First,
    /// The last one, which nothing changes any more.
    Final,
}

/// The wait at an operator.
pub(super) fn operator(map: &Map, upstream: &Upstream, site: usize, result: Awaited) -> Wait {
    let mut wait = Wait::default();
    let Element::Operator { step, .. } = map.sites[site].element else { return wait };
    match step {
        Step::Aggregate => aggregate(map, upstream, site, result, &mut wait),
        Step::Join => join::join(map, upstream, site, &mut wait),
        Step::Deduplicate => match keeps_the_first_row(map, site) {
            Ok(true) => by_watermark(map, upstream, site, &mut wait),
            Ok(false) => {}
            Err(why) => wait.add(Err(why)),
        },
        _ => {}
    }
    wait
}

/// Does a window of this job send results before its last one?
pub(super) fn sends_early(map: &Map, site: usize) -> bool {
    let at = map.sites[site].at;
    matches!(map.sites[site].element, Element::Operator { step: Step::Aggregate, .. })
        && !matches!(map.value(at, key::operator::WINDOW), None | Some(WindowKind::Nothing | WindowKind::Global))
        && !matches!(map.value(at, key::operator::EMIT), Some(Emit::OnClose | Emit::Suppress))
}

fn aggregate(map: &Map, upstream: &Upstream, site: usize, result: Awaited, wait: &mut Wait) {
    let at = map.sites[site].at;
    let engine = Engine::of(map, site);
    let kind = match map.setting(at, key::operator::WINDOW, "latency") {
        Ok(WindowKind::Nothing | WindowKind::Global) => return,
        // A row of an OVER aggregate comes out when the watermark has passed it, whatever is emitted elsewhere.
        Ok(WindowKind::Sliding) if engine == Engine::Flink => return by_watermark(map, upstream, site, wait),
        Ok(WindowKind::Sliding) if engine != Engine::Streams => return,
        Ok(kind) => kind,
        Err(why) => return wait.add(Err(why)),
    };
    if result == Awaited::First {
        match sent_at_its_end(map, site) {
            Ok(true) => {}
            Ok(false) => return,
            Err(why) => return wait.add(Err(why)),
        }
    }
    match engine {
        Engine::Streams => streams(map, upstream, site, kind, wait),
        Engine::Spark if in_complete_mode(map, at) => {
            let why = MissingWhy::NoForm("complete mode of Spark closes no window; append or update mode has an end");
            wait.add(Err(lacks(HELD.what, at, key::operator::OUTPUT_MODE.field(), why)));
        }
        Engine::Spark => spark(map, site, kind, wait),
        Engine::Flink | Engine::Other => window(map, upstream, site, kind, wait),
    }
}

/// Is the first result of a window sent when it closes? The output mode of Spark says so by itself.
fn sent_at_its_end(map: &Map, site: usize) -> Result<bool, Underivable> {
    let at = map.sites[site].at;
    if Engine::of(map, site) == Engine::Spark
        && let Some(mode @ (OutputMode::Append | OutputMode::Upsert | OutputMode::Complete)) =
            map.value(at, key::operator::OUTPUT_MODE)
    {
        return Ok(mode == OutputMode::Append);
    }
    Ok(matches!(map.setting(at, key::operator::EMIT, "latency")?, Emit::OnClose | Emit::Suppress))
}

/// Spark keeps every window in complete mode, and takes every late event (seen with 4.3).
fn in_complete_mode(map: &Map, at: Place) -> bool {
    map.value(at, key::operator::OUTPUT_MODE) == Some(OutputMode::Complete)
}

/// Flink sorts what a first-row de-duplication of SQL takes by the watermark; own code lets the first copy pass at once. An
/// error names what the answer hangs on.
fn keeps_the_first_row(map: &Map, site: usize) -> Result<bool, Underivable> {
    let at = map.sites[site].at;
    let by_event_time = map.value(at, key::operator::CLOCK) == Some(Clock::EventTime);
    if Engine::of(map, site) != Engine::Flink || !by_event_time {
        return Ok(false);
    }
    Ok(map.setting(at, key::operator::API, PASSED.what)? != Api::Datastream)
}

/// Until the watermark has passed a record.
fn by_watermark(map: &Map, upstream: &Upstream, site: usize, wait: &mut Wait) {
    let at = map.sites[site].at;
    if map.value(at, key::operator::CLOCK) == Some(Clock::ProcessingTime) {
        return;
    }
    let delay = watermark_delay(map, site);
    let term = all(PASSED.what, [delay, interval(map, site)]).map(|inputs| {
        let gap = longest_silence(map, upstream, site, wait);
        let [delay, step] = &inputs;
        let value = form::window(0.0, delay.value, step.value, gap.as_ref().map_or(0.0, |gap| gap.value));
        let inputs: Inputs = inputs.into_iter().chain(gap).collect();
        derive(PASSED, at, &WATERMARK, inputs, value)
    });
    wait.add(term);
}

const PASSED: Figure = seconds("until the watermark passes");
const HELD: Figure = seconds("until the window closes");

/// The longest silence, or a term that is open.
fn longest_silence(map: &Map, upstream: &Upstream, site: usize, wait: &mut Wait) -> Option<Arc<Explained>> {
    // Only the watermark has an idle time-out; stream time has none.
    let known = match Engine::of(map, site) {
        Engine::Streams => upstream.silence[site].clone(),
        _ => silence::longest(map, upstream, site),
    };
    if known.is_some() {
        return known;
    }
    let channel = map.sites[site].job.and_then(|job| {
        let channels = map.reads(job).map(|wire| wire.from);
        let mut channels = channels.filter(|from| map.sites[*from].element.kind() == ElementKind::Channel);
        channels.find(|from| !map.get(map.sites[*from].at, key::channel::LONGEST_SILENCE).is_value())
    });
    if let Some(channel) = channel {
        let field = key::channel::LONGEST_SILENCE.field();
        wait.add(Err(lacks(HELD.what, map.sites[channel].at, field, MissingWhy::NotKnown)));
    }
    None
}

fn window(map: &Map, upstream: &Upstream, site: usize, kind: WindowKind, wait: &mut Wait) {
    let at = map.sites[site].at;
    let (length, formula) = match kind {
        WindowKind::Session => (session(map, at), &SESSION),
        WindowKind::Hopping | WindowKind::Cumulating => (advance(map, at, kind), &HOPPING),
        _ => (size_of(map, at), &WINDOW),
    };
    if map.value(at, key::operator::CLOCK) == Some(Clock::ProcessingTime) {
        wait.add(length.map(|length| as_is(HELD, at, &BY_CLOCK, length)));
        return;
    }
    let delay = watermark_delay(map, site);
    let term = all(HELD.what, [length, delay, interval(map, site)]).map(|inputs| {
        let gap = longest_silence(map, upstream, site, wait);
        let [length, delay, step] = &inputs;
        let value = form::window(length.value, delay.value, step.value, gap.as_ref().map_or(0.0, |gap| gap.value));
        let inputs: Inputs = inputs.into_iter().chain(gap).collect();
        derive(HELD, at, formula, inputs, value)
    });
    wait.add(term);
}

static LONGEST_SESSION: Formula = Formula {
    id: "LAT-E1.session.length",
    text: "longest session + gap",
    source: "a session ends one gap after its last event",
};

fn session(map: &Map, at: Place) -> Derived {
    let inputs = [
        map.number(at, key::operator::WINDOW_MAX, seconds("longest session")),
        map.number(at, key::operator::WINDOW_GAP, seconds("session gap")),
    ];
    let inputs = all(HELD.what, inputs)?;
    Ok(sum(seconds("session and gap"), at, &LONGEST_SESSION, inputs))
}

fn streams(map: &Map, upstream: &Upstream, site: usize, kind: WindowKind, wait: &mut Wait) {
    let at = map.sites[site].at;
    let grace = map.number(at, key::operator::ALLOWED_LATENESS, seconds("grace"));
    let (held, formula) = match kind {
        WindowKind::Session => (all(HELD.what, [session(map, at), grace]).map(Vec::from), &STREAMS_SESSION),
        // The first window of a record ends with it.
        WindowKind::Sliding => (grace.map(|grace| vec![grace]), &STREAMS_SLIDING),
        _ => (all(HELD.what, [size_of(map, at), grace]).map(Vec::from), &STREAMS),
    };
    let term = held.map(|mut inputs| {
        inputs.extend(longest_silence(map, upstream, site, wait));
        sum(if kind == WindowKind::Sliding { PASSED } else { HELD }, at, formula, inputs)
    });
    wait.add(term);
}

fn spark(map: &Map, site: usize, kind: WindowKind, wait: &mut Wait) {
    let at = map.sites[site].at;
    let job = map.sites[map.sites[site].job.unwrap_or(site)].at;
    let (length, formula) = match kind {
        WindowKind::Session => (session(map, at), &SPARK_SESSION),
        _ => (size_of(map, at), &SPARK),
    };
    let inputs = [length, watermark_delay(map, site), batches::between(map, job, seconds("between two batches"))];
    wait.add(all(HELD.what, inputs).map(|[size, delay, between]| {
        let value = form::micro_batch_window(size.value, delay.value, between.value, 0.0);
        derive(HELD, at, formula, [size, delay, between], value)
    }));
}

/// Kafka Streams: what a repartition topic takes is read by the next sub-topology only after a commit, as a result is.
pub(super) fn repartitioned(map: &Map, wire: &Wire, wait: &mut Wait) {
    let Some(job) = map.sites[wire.from].job else { return };
    let hashed = || map.value(wire.at, key::flow::DISTRIBUTION) == Some(Distribution::Hash);
    if Engine::of(map, job) == Engine::Streams && hashed() {
        wait.add(streams_commit(map, job));
    }
}

/// Kafka Streams: results come with a commit where it is exactly-once or caches them.
pub(super) fn streams_commit(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    if map.value(at, key::job::PROCESSING_GUARANTEE) == Some(ProcessingGuarantee::ExactlyOnce) {
        return commit(map, job);
    }
    streams_cache(map, job)
}

/// Kafka Streams: what its cache holds is forwarded with a commit, whoever reads it.
pub(super) fn streams_cache(map: &Map, job: usize) -> Derived {
    let cache = map.number(map.sites[job].at, key::job::OUTPUT_CACHE, super::need::bytes("output cache"))?;
    if cache.value == 0.0 {
        return Ok(Explained::constant(COMMITTED.what, COMMITTED.unit, 0.0, "results are not cached"));
    }
    commit(map, job)
}

const COMMITTED: Figure = seconds("until the commit");

fn commit(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    let interval = map.number(at, key::job::COMMIT_INTERVAL, seconds("commit interval"))?;
    // What a commit itself takes is far below its interval, and no setting of a design.
    let value = form::commit(interval.value, 0.0);
    Ok(derive(COMMITTED, at, &COMMIT, [interval], value))
}
