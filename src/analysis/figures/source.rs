//! How far back the log that a source keeps itself goes: a change log, a journal, what a broker outside the design holds.
//!
//! Where a product has two limits, one alone does not tell how much is there: the other may end the log before. It tells what
//! is gone. What is *not* here: what a reader that is away for longer loses (`delivery`), results made again (`replay`).

use super::{
    map::{Map, Place},
    names,
    need::{all, at_least, bytes, bytes_per_second, derive, largest, least, seconds},
};
use crate::{
    analysis::{
        SourceReport,
        explain::{Derived, Explained, Formula},
        formulas::ratio,
    },
    catalog::{Ends, Limits},
    model::key,
};
use std::sync::Arc;

static FIRST: Formula = Formula {
    id: "SRC.log",
    text: "min(by time, size ÷ bytes per second)",
    source: "a source keeps its log by time or by size, whichever ends first",
};
static LAST: Formula = Formula {
    id: "SRC.log.last",
    text: "max(by time, size ÷ bytes per second)",
    source: "MongoDB manual, Replica Set Oplog: an entry goes when the oplog is full and the entry is older than the minimum",
};
static BY_SIZE: Formula =
    Formula { id: "SRC.size", text: "log size ÷ bytes per second", source: "a log of fixed size holds so much time" };

/// The figures of a source.
pub(super) fn source(map: &Map, site: usize) -> SourceReport {
    let at = map.sites[site].at;
    let version = map.value(at, key::source::VERSION);
    let limits =
        map.graph.nodes[site].entry.and_then(|entry| entry.source).map_or(Limits::BOTH, |source| source.limits);
    let figure = seconds(names::LOG_REACH);
    let time = map.number(at, key::source::LOG_REACH, figure);
    let size = map.number(at, key::source::LOG_REACH_SIZE, bytes("log size")).and_then(|size| by_size(map, at, size));
    let exactly = |reach: Derived| SourceReport { longest: reach.clone(), reach };
    let nothing = |limit: &Derived| limit.as_ref().is_ok_and(|limit| limit.value == 0.0);
    if size.is_err() && !limits.by_size(version.as_deref()) || limits.ends == Ends::First && nothing(&time) {
        return exactly(time);
    }
    if time.is_err() && !limits.by_time(version.as_deref()) {
        return exactly(size);
    }
    match (all(figure.what, [time.clone(), size.clone()]), limits.ends) {
        (Ok(both), Ends::First) => exactly(Ok(least(figure, at, &FIRST, both))),
        (Ok(both), Ends::Last) => exactly(Ok(largest(figure, at, &LAST, both))),
        (Err(why), Ends::First) => {
            let one = [time, size].into_iter().flatten().find(|limit| !limit.unbounded());
            SourceReport { longest: one.ok_or_else(|| why.clone()), reach: Err(why) }
        }
        // Each alone is kept at least; one that keeps nothing says nothing.
        (Err(why), Ends::Last) => {
            let (one, other) = if time.is_ok() { (time, size) } else { (size, time) };
            SourceReport { reach: if nothing(&one) { other } else { one }, longest: Err(why) }
        }
    }
}

/// How long a log of a size lasts. One without an end has none in time, and of nothing nothing is there, at any rate.
fn by_size(map: &Map, at: Place, size: Arc<Explained>) -> Derived {
    if size.unbounded() || size.value == 0.0 {
        let value = size.value;
        return Ok(derive(at_least(names::BY_SIZE), at, &BY_SIZE, [size], value));
    }
    let rate = map.most(at, key::source::LOG_RATE, bytes_per_second("bytes of log per second"))?;
    let value = ratio(size.value, rate.value);
    Ok(derive(at_least(names::BY_SIZE), at, &BY_SIZE, [size, rate], value))
}
