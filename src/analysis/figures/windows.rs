//! Entries of windowed aggregates, by engine and kind of window.

use super::{
    engine::Engine,
    keyed,
    map::{Map, Place},
    need::{Figure, all, all_of, count, derive, lacks, largest, per_second, seconds, sum},
    silence,
    state::{Around, Kept, arriving},
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, MissingWhy, Underivable, Unit},
        formulas::{
            latency::WATERMARK_INTERVAL,
            ratio,
            state::{self as form, Delay},
        },
    },
    catalog::Lateness,
    model::{
        key,
        units::Limit,
        words::{Clock, Emit, OutputMode, WindowKind},
    },
};
use std::sync::Arc;

pub(super) const ENTRIES: Figure = count("live entries");

const FLINK: &str = "Apache Flink, WindowOperator: a window's state is kept until the watermark passes its end plus the \
    allowed lateness; checked against runs of Flink 2.1";
const STREAMS: &str =
    "Kafka Streams, Stores.windowStore: whole segments of max(retention/2, 60 s); seen on disk with 3.9";
const SPARK: &str =
    "Apache Spark, StateStoreSaveExec: evicted by the watermark of the batch before; checked against runs of 4.3";

pub(super) static WINDOWS: Formula = Formula {
    id: "D2.flink.windows",
    text: "keys per window × ⌈(size + watermark delay + lateness + spread + step) ÷ advance⌉",
    source: FLINK,
};
pub(super) static ELEMENTS: Formula = Formula {
    id: "D2.flink.elements",
    text: "records in × size ÷ advance × (watermark delay + lateness + spread + (size + advance) ÷ 2)",
    source: FLINK,
};
pub(super) static SESSIONS: Formula = Formula {
    id: "D2.flink.sessions",
    text: "session starts × (length + gap + watermark delay + lateness + spread), mean",
    source: FLINK,
};
pub(super) static OVER: Formula = Formula {
    id: "D2.flink.over",
    text: "records in × (size + watermark delay + lateness + spread + step)",
    source: FLINK,
};
static STARTS: Formula =
    Formula { id: "D2.sessions.starts", text: "live keys ÷ time a key is active", source: "Little's law" };
pub(super) static STREAMS_WINDOWS: Formula = Formula {
    id: "D2.streams.windows",
    text: "keys per window × ⌈(retention + max(retention ÷ 2, 60 s)) ÷ advance⌉, retention = size + grace",
    source: STREAMS,
};
pub(super) static STREAMS_SESSIONS: Formula = Formula {
    id: "D2.streams.sessions",
    text: "session starts × (length + retention + max(retention ÷ 2, 60 s)), retention = gap + grace, mean",
    source: STREAMS,
};
pub(super) static STREAMS_SLIDING: Formula = Formula {
    id: "D2.streams.sliding",
    text: "2 × records in × (retention + max(retention ÷ 2, 60 s)), retention = 2 × size + grace",
    source: STREAMS,
};
static SUPPRESSED: Formula = Formula {
    id: "D2.streams.suppressed",
    text: "keys per window × ⌈(size + grace) ÷ advance⌉, on the heap",
    source: "Kafka Streams, Suppressed.untilWindowCloses",
};
pub(super) static STORE_AND_BUFFER: Formula =
    Formula { id: "D2.streams.total", text: "store + suppress buffer", source: STREAMS };
static RETENTION: Formula = Formula { id: "D2.streams.retention", text: "length + grace", source: STREAMS };
pub(super) static SPARK_WINDOWS: Formula = Formula {
    id: "D2.spark.windows",
    text: "keys per window × ⌈(size + watermark delay + 2 × event time of a batch) ÷ advance⌉",
    source: SPARK,
};
pub(super) static SPARK_SESSIONS: Formula = Formula {
    id: "D2.spark.sessions",
    text: "session starts × (length + gap + watermark delay + 2 × event time of a batch), mean",
    source: SPARK,
};
static SPARK_COMPLETE: Formula = Formula {
    id: "D2.spark.complete",
    text: "keys per window ÷ advance",
    source: "Apache Spark, Structured Streaming Programming Guide: complete mode keeps all groups, whatever the watermark says",
};
static STEP: Formula = Formula {
    id: "D2.step",
    text: "watermark interval + longest silence",
    source: "the watermark moves only with events, and only so often",
};

/// Entries of an aggregate.
pub(super) fn aggregate(around: &Around) -> Kept {
    let kind = match around.map.setting(around.at, key::operator::WINDOW, ENTRIES.what) {
        Ok(kind) => kind,
        Err(why) => return Kept::bounded(Err(why)),
    };
    match (kind, around.engine) {
        (WindowKind::Nothing | WindowKind::Global, _) => keyed::running(around),
        (WindowKind::Session, Engine::Flink) => Kept::bounded(flink_sessions(around)),
        (WindowKind::Sliding, Engine::Flink) => Kept::bounded(flink_over(around)),
        (_, Engine::Flink) => Kept::bounded(flink(around, kind)),
        (WindowKind::Session, Engine::Streams) => Kept::bounded(streams_sessions(around)),
        (WindowKind::Sliding, Engine::Streams) => Kept::bounded(streams_sliding(around)),
        (_, Engine::Streams) => Kept::bounded(streams(around, kind)),
        (_, Engine::Spark) if around.map.value(around.at, key::operator::OUTPUT_MODE) == Some(OutputMode::Complete) => {
            spark_complete(around, kind)
        }
        (WindowKind::Session, Engine::Spark) => Kept::bounded(spark_sessions(around)),
        (_, Engine::Spark) => Kept::bounded(spark(around, kind)),
        (_, Engine::Other) => keyed::no_form(around),
    }
}

pub(super) fn size_of(map: &Map, at: Place) -> Derived {
    map.number(at, key::operator::WINDOW_SIZE, seconds("window size"))
}

/// How far apart two windows start.
pub(super) fn advance(map: &Map, at: Place, kind: WindowKind) -> Derived {
    let figure = seconds("advance");
    let of = if kind == WindowKind::Tumbling { key::operator::WINDOW_SIZE } else { key::operator::WINDOW_STEP };
    let advance = map.number(at, of, figure)?;
    let why = MissingWhy::NoForm("windows that are 0 long have no end; state a length above 0");
    if advance.value > 0.0 { Ok(advance) } else { Err(lacks(figure.what, at, of.field(), why)) }
}

fn keys(around: &Around) -> Derived {
    around.map.number(around.at, key::operator::KEYS_PER_WINDOW, count("keys per window"))
}

static INHERITED: Formula = Formula {
    id: "UP.inherited",
    text: "largest over the inputs",
    source: "the watermark of several inputs is the least of theirs",
};

/// A setting of the operator, else of the nearest ones before it in its job: an operator without a clock of its own takes its
/// upstream operators'. Of several the largest, which holds most back; `open` is what stands for one that is not known.
pub(super) fn inherited<T: super::need::Numeric>(
    map: &Map,
    site: usize,
    key: crate::model::Key<T>,
    figure: Figure,
    open: impl Fn(Underivable) -> Derived,
) -> Derived {
    let one = |site: usize| map.number(map.sites[site].at, key, figure).or_else(&open);
    let nearest = map.graph.nearest(site, key);
    if let [only] = *nearest {
        return one(only);
    }
    let of_all = all_of(figure.what, nearest.into_iter().map(one))?;
    Ok(largest(figure, map.sites[site].at, &INHERITED, of_all))
}

/// How far the watermark stands behind the newest event.
pub(super) fn watermark_delay(map: &Map, site: usize) -> Derived {
    inherited(map, site, key::operator::WATERMARK_DELAY, seconds("watermark delay"), Err)
}

/// The parts of an event-time delay, and their explanation; nothing where the clock is the machine's.
pub(super) struct Waiting {
    pub delay: Delay,
    pub inputs: Vec<Arc<Explained>>,
}

pub(super) fn waiting(around: &Around) -> Result<Waiting, Underivable> {
    waiting_and(around, || beyond(around.map, around.site))
}

/// What a window takes beyond the watermark. Where its API has no such setting, or one without effect, nothing.
pub(super) fn beyond(map: &Map, site: usize) -> Derived {
    let (at, figure) = (map.sites[site].at, seconds("allowed lateness"));
    let nothing = |source| Ok(Explained::constant(figure.what, figure.unit, 0.0, source));
    match Lateness::of(map.system(site).unwrap_or_default(), map.value(at, key::operator::API), None) {
        Lateness::Delay => nothing("this engine takes nothing beyond its watermark"),
        Lateness::DelayAndLateResults if map.setting(at, key::operator::LATE_FIRING, figure.what)? == Limit::None => {
            nothing("without late results a group window takes nothing beyond its watermark")
        }
        _ => map.number(at, key::operator::ALLOWED_LATENESS, figure),
    }
}

/// As [`waiting`], for operators that do not wait for late records.
pub(super) fn waiting_without_lateness(around: &Around) -> Result<Waiting, Underivable> {
    let source = "such a join has no allowed lateness";
    waiting_and(around, || Ok(Explained::constant("allowed lateness", Unit::Seconds, 0.0, source)))
}

fn waiting_and(around: &Around, lateness: impl FnOnce() -> Derived) -> Result<Waiting, Underivable> {
    let Around { map, at, upstream, site, .. } = *around;
    let clock = map.value(at, key::operator::CLOCK);
    if matches!(clock, Some(Clock::ProcessingTime)) {
        return Ok(Waiting { delay: Delay::default(), inputs: Vec::new() });
    }
    let watermark = watermark_delay(map, site);
    let [watermark, lateness, step] = all(ENTRIES.what, [watermark, lateness(), step(around)])?;
    let drift = upstream.spread[site].clone().unwrap_or_else(|| {
        let reason = "not measured: one partition is taken to keep pace with the next";
        Explained::assumed("spread of event time over partitions", None, Unit::Seconds, 0.0, reason)
    });
    let delay = Delay { watermark: watermark.value, lateness: lateness.value, drift: drift.value, step: step.value };
    Ok(Waiting { delay, inputs: vec![watermark, lateness, drift, step] })
}

/// Watermark interval and longest silence together.
fn step(around: &Around) -> Derived {
    let interval = interval(around.map, around.site)?;
    let silence = silence::longest(around.map, around.upstream, around.site).unwrap_or_else(|| {
        let reason = "not measured: every partition is taken to have records all the time";
        Explained::assumed("longest silence of one partition", None, Unit::Seconds, 0.0, reason)
    });
    Ok(sum(seconds("watermark step"), around.at, &STEP, [interval, silence]))
}

/// How often watermarks are emitted.
pub(super) fn interval(map: &Map, site: usize) -> Derived {
    let figure = seconds("watermark interval");
    inherited(map, site, key::operator::WATERMARK_INTERVAL, figure, |why| {
        if Engine::of(map, site) != Engine::Flink {
            return Err(why);
        }
        let reason = "pipeline.auto-watermark-interval is not read: the documented 200 ms of Apache Flink are taken";
        Ok(Explained::assumed(figure.what, Some(map.sites[site].at.id), figure.unit, WATERMARK_INTERVAL, reason))
    })
}

fn flink(around: &Around, kind: WindowKind) -> Derived {
    let Around { map, at, .. } = *around;
    let buffers = map.value(at, key::operator::BUFFERS_RECORDS) == Some(true);
    let many = if buffers { arriving(around) } else { keys(around) };
    let needed = all(ENTRIES.what, [many, size_of(map, at), advance(map, at, kind)]);
    let ([many, size, advance], waiting) = both(needed, waiting(around))?;
    let (formula, value) = if buffers {
        (&ELEMENTS, form::flink_elements(many.value, size.value, advance.value, waiting.delay))
    } else {
        (&WINDOWS, form::flink_windows(many.value, size.value, advance.value, waiting.delay))
    };
    let mut inputs = vec![many, size, advance];
    inputs.extend(waiting.inputs);
    Ok(derive(ENTRIES, at, formula, inputs, value))
}

/// Two results, or what is missing for either.
fn both<A, B>(a: Result<A, Underivable>, b: Result<B, Underivable>) -> Result<(A, B), Underivable> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(a), Err(b)) => Err(Underivable { what: a.what, missing: a.missing.and(&b.missing) }),
        (Err(why), Ok(_)) | (Ok(_), Err(why)) => Err(why),
    }
}

fn flink_over(around: &Around) -> Derived {
    let needed = all(ENTRIES.what, [arriving(around), size_of(around.map, around.at)]);
    let ([rate, size], waiting) = both(needed, waiting(around))?;
    let Delay { watermark, lateness, drift, step } = waiting.delay;
    let value = form::kept_for(rate.value, size.value + watermark + lateness + drift + step);
    let mut inputs = vec![rate, size];
    inputs.extend(waiting.inputs);
    Ok(derive(ENTRIES, around.at, &OVER, inputs, value))
}

/// Sessions that start per second, and their mean length.
fn sessions(around: &Around) -> Result<[Arc<Explained>; 3], Underivable> {
    let Around { map, at, .. } = *around;
    let [live, length, gap] = all(
        ENTRIES.what,
        [
            map.number(at, key::operator::LIVE_KEYS, count("live keys")),
            map.number(at, key::operator::KEY_LIFETIME, seconds("time a key is active")),
            map.number(at, key::operator::WINDOW_GAP, seconds("session gap")),
        ],
    )?;
    let value = ratio(live.value, length.value);
    Ok([derive(per_second("session starts"), at, &STARTS, [live, length.clone()], value), length, gap])
}

fn flink_sessions(around: &Around) -> Derived {
    let ([starts, length, gap], waiting) = both(sessions(around), waiting(around))?;
    let value = form::flink_sessions(starts.value, length.value, gap.value, waiting.delay);
    let mut inputs = vec![starts, length, gap];
    inputs.extend(waiting.inputs);
    Ok(derive(ENTRIES, around.at, &SESSIONS, inputs, value))
}

fn grace(around: &Around) -> Derived {
    around.map.number(around.at, key::operator::ALLOWED_LATENESS, seconds("grace"))
}

/// Store retention: a length and the grace.
pub(super) fn retention(at: Place, length: Arc<Explained>, grace: Arc<Explained>) -> Arc<Explained> {
    sum(seconds("store retention"), at, &RETENTION, [length, grace])
}

fn streams(around: &Around, kind: WindowKind) -> Derived {
    let Around { map, at, .. } = *around;
    let inputs = [keys(around), size_of(map, at), grace(around), advance(map, at, kind)];
    let [keys, size, grace, advance] = all(ENTRIES.what, inputs)?;
    let kept = retention(at, size.clone(), grace.clone());
    let value = form::streams_windows(keys.value, kept.value, advance.value);
    let store = derive(ENTRIES, at, &STREAMS_WINDOWS, [keys.clone(), kept, advance.clone()], value);
    if map.value(at, key::operator::EMIT) != Some(Emit::Suppress) {
        return Ok(store);
    }
    let value = form::streams_suppressed(keys.value, size.value, grace.value, advance.value);
    let buffer = derive(count("suppress buffer"), at, &SUPPRESSED, [keys, size, grace, advance], value);
    Ok(sum(ENTRIES, at, &STORE_AND_BUFFER, [store, buffer]))
}

fn streams_sliding(around: &Around) -> Derived {
    let at = around.at;
    let [rate, size, grace] = all(ENTRIES.what, [arriving(around), size_of(around.map, at), grace(around)])?;
    let value = 2.0 * form::streams_rows(rate.value, 2.0 * size.value + grace.value);
    Ok(derive(ENTRIES, at, &STREAMS_SLIDING, [rate, size, grace], value))
}

fn streams_sessions(around: &Around) -> Derived {
    let ([starts, length, gap], grace) = both(sessions(around), grace(around))?;
    let kept = retention(around.at, gap, grace);
    let value = form::streams_sessions(starts.value, length.value, kept.value);
    Ok(derive(ENTRIES, around.at, &STREAMS_SESSIONS, [starts, length, kept], value))
}

fn spark_delay(around: &Around) -> Derived {
    watermark_delay(around.map, around.site)
}

fn spark(around: &Around, kind: WindowKind) -> Derived {
    let Around { map, at, .. } = *around;
    let inputs = [keys(around), size_of(map, at), advance(map, at, kind), spark_delay(around), keyed::batch(around)];
    let inputs = all(ENTRIES.what, inputs)?;
    let [keys, size, advance, delay, batch] = &inputs;
    let value = form::spark_windows(keys.value, size.value, advance.value, delay.value, batch.value);
    Ok(derive(ENTRIES, at, &SPARK_WINDOWS, inputs, value))
}

fn spark_sessions(around: &Around) -> Derived {
    let [starts, length, gap] = sessions(around)?;
    let [delay, batch] = all(ENTRIES.what, [spark_delay(around), keyed::batch(around)])?;
    let kept = Delay { watermark: delay.value + 2.0 * batch.value, ..Delay::default() };
    let value = form::flink_sessions(starts.value, length.value, gap.value, kept);
    Ok(derive(ENTRIES, around.at, &SPARK_SESSIONS, [starts, length, gap, delay, batch], value))
}

/// In complete mode no window ever leaves state.
fn spark_complete(around: &Around, kind: WindowKind) -> Kept {
    let Around { map, at, .. } = *around;
    let new = match kind {
        WindowKind::Session => sessions(around).map(|[starts, ..]| starts),
        _ => all("new entries", [keys(around), advance(map, at, kind)]).map(|[keys, advance]| {
            let value = ratio(keys.value, advance.value);
            derive(per_second("new entries"), at, &SPARK_COMPLETE, [keys, advance], value)
        }),
    };
    Kept::without_bound(at, ENTRIES.what, new)
}
