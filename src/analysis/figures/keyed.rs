//! Entries of keyed state without windows: de-duplication, running aggregates, own operators.

use super::{
    batches,
    engine::Engine,
    map::{Map, Place},
    need::{Figure, all, count, derive, lacks, least, per_second, seconds},
    state::{Around, Kept, arriving},
    windows,
};
use crate::{
    analysis::{
        explain::{Derived, Formula, MissingWhy},
        formulas::{product, state as form},
    },
    model::{
        Element, Step, key,
        words::{AggregateFunction, WindowKind},
    },
};

const ENTRIES: Figure = count("live entries");

pub(super) static KEPT_FOR: Formula = Formula {
    id: "D2.ttl",
    text: "records in × time-to-live",
    source: "Apache Flink, StateTtlConfig: an entry a key, removed after its time-to-live; at most one new key a record",
};
pub(super) static STREAMS: Formula = Formula {
    id: "D2.dedup.streams",
    text: "records in × (retention + max(retention ÷ 2, 60 s))",
    source: "Kafka Streams, Stores.windowStore: whole segments of max(retention/2, 60 s); seen on disk with 3.9",
};
pub(super) static SPARK: Formula = Formula {
    id: "D2.dedup.spark",
    text: "records in × (2 × watermark delay + event time of a batch)",
    source: "Apache Spark, dropDuplicatesWithinWatermark: a key expires when the watermark has passed its time plus the delay",
};
static BY_KEYS: Formula = Formula {
    id: "D2.ttl.keys",
    text: "live keys + new keys × time-to-live",
    source: "an entry a key: those that are there, and those that come before the first of them is removed",
};
/// No more than a record each, and no more than there are keys; inputs: by records, by keys.
pub(super) static FEWER: Formula = Formula {
    id: "D2.ttl.least",
    text: "least of one a record and one a key",
    source: "an entry a key, written by a record: neither is exceeded",
};
static TABLE: Formula =
    Formula { id: "D2.table", text: "live keys", source: "one entry a key; none is added when no new keys come" };

static TOP: Formula = Formula {
    id: "D2.top_n",
    text: "live keys × rows kept for a key",
    source: "Apache Flink, AppendOnlyTopNFunction: the first rows of each partition key stay in state",
};

/// Entries of a de-duplication.
pub(super) fn deduplication(around: &Around) -> Kept {
    let Around { map, at, engine, .. } = *around;
    let ttl = map.number(at, key::operator::STATE_TTL, seconds("time-to-live"));
    if ttl.as_ref().is_ok_and(|ttl| ttl.unbounded()) {
        return Kept::without_bound(at, ENTRIES.what, arriving(around));
    }
    match engine {
        // Whether anything is removed at all is the first question: without event time in its keys nothing is.
        Engine::Spark => Kept::bounded(ttl.and_then(|_| spark(around))),
        Engine::Streams => Kept::bounded(all(ENTRIES.what, [arriving(around), ttl]).map(|[rate, ttl]| {
            let value = form::streams_rows(rate.value, ttl.value);
            derive(ENTRIES, at, &STREAMS, [rate, ttl], value)
        })),
        Engine::Flink | Engine::Other => Kept::bounded(kept_for(around, ttl)),
    }
}

fn kept_for(around: &Around, ttl: Derived) -> Derived {
    let Around { map, at, .. } = *around;
    let by_records = all(ENTRIES.what, [arriving(around), ttl.clone()]).map(|[rate, ttl]| {
        let value = form::kept_for(rate.value, ttl.value);
        derive(ENTRIES, at, &KEPT_FOR, [rate, ttl], value)
    });
    let live = map.number(at, key::operator::LIVE_KEYS, count("live keys"));
    let new = map.number(at, key::operator::NEW_KEYS, per_second("new keys"));
    let by_keys = all(ENTRIES.what, [live, new, ttl]).map(|[live, new, ttl]| {
        let value = live.value + form::kept_for(new.value, ttl.value);
        derive(ENTRIES, at, &BY_KEYS, [live, new, ttl], value)
    });
    match (by_records, by_keys) {
        (Ok(records), Ok(keys)) => Ok(least(ENTRIES, at, &FEWER, [records, keys])),
        (Err(_), Ok(keys)) => Ok(keys),
        (records, Err(_)) => records,
    }
}

fn spark(around: &Around) -> Derived {
    let delay = windows::watermark_delay(around.map, around.site);
    let [rate, delay, batch] = all(ENTRIES.what, [arriving(around), delay, batch(around)])?;
    let value = form::spark_deduplication_within(rate.value, delay.value, batch.value);
    Ok(derive(ENTRIES, around.at, &SPARK, [rate, delay, batch], value))
}

/// Event time of one batch of the job of an operator.
pub(super) fn batch(around: &Around) -> Derived {
    let job = around.map.sites[around.site].job.map_or(around.at, |job| around.map.sites[job].at);
    batches::event_time(around.map, job)
}

/// Entries of an aggregate that no window bounds.
pub(super) fn running(around: &Around) -> Kept {
    let Around { map, at, .. } = *around;
    if map.value(at, key::operator::FUNCTION) == Some(AggregateFunction::Pattern) {
        // How many partial matches branch off is nobody's input.
        let why = MissingWhy::NoForm("how many partial matches of a pattern branch off follows no formula; measure it");
        let growth = lacks("state growth", at, key::operator::STATE_SIZE.field(), why);
        return Kept::without_bound(at, ENTRIES.what, Err(growth));
    }
    match map.number(at, key::operator::STATE_TTL, seconds("time-to-live")) {
        Ok(ttl) if ttl.unbounded() && map.value(at, key::operator::FUNCTION) == Some(AggregateFunction::TopN) => {
            first_rows(around)
        }
        Ok(ttl) if ttl.unbounded() => keys_for_ever(around),
        Err(_) if never_expires(around) => keys_for_ever(around),
        ttl => Kept::bounded(kept_for(around, ttl)),
    }
}

/// Is it known that nothing expires here? A key-value store of Kafka Streams and an aggregate of Spark have no time-to-live, nor
/// has a global window, which only a trigger of its own ends.
fn never_expires(around: &Around) -> bool {
    let aggregate = matches!(around.map.sites[around.site].element, Element::Operator { step: Step::Aggregate, .. });
    let global = || around.map.value(around.at, key::operator::WINDOW) == Some(WindowKind::Global);
    around.engine == Engine::Streams || aggregate && (around.engine == Engine::Spark || global())
}

/// A top-N keeps its first rows for each key; where rows it has shown can be taken back, it keeps all of them, which no
/// setting bounds.
fn first_rows(around: &Around) -> Kept {
    let Around { map, at, .. } = *around;
    let keys = keys_for_ever(around);
    let rows = map.number(at, key::operator::TOP, count("rows kept for a key"));
    if keys.growth.is_some() {
        return keys;
    }
    Kept::bounded(all(ENTRIES.what, [keys.entries, rows]).map(|[keys, rows]| {
        let value = product(keys.value, rows.value);
        derive(ENTRIES, at, &TOP, [keys, rows], value)
    }))
}

/// One entry a key, and no key ever leaves: as many as there are where no new ones come.
pub(super) fn keys_for_ever(around: &Around) -> Kept {
    let Around { map, at, .. } = *around;
    let new = map.number(at, key::operator::NEW_KEYS, per_second("new keys"));
    if new.as_ref().is_ok_and(|new| new.value == 0.0) {
        let entries = all(ENTRIES.what, [map.number(at, key::operator::LIVE_KEYS, count("live keys")), new]);
        return Kept::bounded(entries.map(|[keys, new]| {
            let value = keys.value;
            derive(ENTRIES, at, &TABLE, [keys, new], value)
        }));
    }
    Kept::without_bound(at, ENTRIES.what, new)
}

/// Entries of an own operator, where anything at all is said about what it keeps.
pub(super) fn custom(around: &Around) -> Option<Kept> {
    says_it_keeps(around.map, around.at).then(|| running(around))
}

/// Is anything said about the state of an own operator?
pub(super) fn says_it_keeps(map: &Map, at: Place) -> bool {
    map.get(at, key::operator::STATE_TTL).is_value()
        || map.get(at, key::operator::ENTRY_SIZE).is_value()
        || map.get(at, key::operator::LIVE_KEYS).is_value()
}

/// There is no form for this engine: only a reading tells.
pub(super) fn no_form(around: &Around) -> Kept {
    let field = key::operator::STATE_SIZE.field();
    Kept::bounded(Err(lacks(ENTRIES.what, around.at, field, MissingWhy::NotKnown)))
}
