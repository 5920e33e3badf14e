//! How much an operator must have read before its output is right, by input.

use super::{
    keyed,
    map::{Map, Place, Wire},
    need::{all, derive, lacks, seconds, sum},
    windows::size_of,
};
use crate::{
    analysis::{
        explain::{Derived, Formula, MissingWhy},
        formulas::replay as form,
    },
    model::{
        Element, ElementKind, Input, Step, key,
        words::{CleanupPolicy, JoinKind, TtlFrom, WindowKind},
    },
};
const REPLAYED: &str = "results of replays compared with the full run over 4 000 simulated pipelines";

static SESSION: Formula = Formula { id: "E5.session", text: "longest session + gap", source: REPLAYED };
static WHOLE_HISTORY: Formula =
    Formula { id: "E5.whole", text: "the whole history: every result depends on the one before", source: REPLAYED };
static SPREAD: Formula = Formula {
    id: "E5.dedup.spread",
    text: "time within which the source sends copies, where it is not above the time-to-live",
    source: REPLAYED,
};
static REFRESHED: Formula =
    Formula { id: "E5.dedup.refreshed", text: "time-to-live, refreshed by every copy", source: REPLAYED };
/// What an input of an operator needs before the first right output.
pub(super) enum Lookback {
    /// Nothing.
    None,
    /// So much history.
    Of(Derived),
    /// So much history for a de-duplication to know all first copies; without it some copies pass at the start.
    Deduplication(Derived),
    /// Nothing: the values of today are looked up.
    Today,
}

const FIGURE: super::need::Figure = seconds("lookback");

fn whole(at: Place) -> Derived {
    Ok(derive(FIGURE, at, &WHOLE_HISTORY, [], f64::INFINITY))
}

/// The lookback of the operator that `wire` enters, for what comes by `wire`. `copies`: within which time the sources
/// before it may send a record again, where there are any.
pub(super) fn of(map: &Map, wire: &Wire, copies: Option<&Derived>) -> Lookback {
    let site = wire.to;
    let at = map.sites[site].at;
    let Element::Operator { step, .. } = map.sites[site].element else { return Lookback::None };
    match step {
        Step::Deduplicate => Lookback::Deduplication(deduplication(map, at, copies)),
        Step::Aggregate => aggregate(map, at),
        Step::Join => join(map, wire),
        Step::Lookup if matches!(wire.link.into, Some(Input::Lookup | Input::Table)) => Lookback::Today,
        Step::Custom if keyed::says_it_keeps(map, at) => Lookback::Of(whole(at)),
        _ => Lookback::None,
    }
}

fn deduplication(map: &Map, at: Place, copies: Option<&Derived>) -> Derived {
    let ttl = map.number(at, key::operator::STATE_TTL, seconds("time-to-live"))?;
    if map.setting(at, key::operator::TTL_FROM, FIGURE.what)? == TtlFrom::Last {
        let value = ttl.value;
        return Ok(derive(FIGURE, at, &REFRESHED, [ttl], value));
    }
    let spread = match copies {
        Some(copies) => copies.clone()?,
        None => return Err(lacks(FIGURE.what, at, key::take::RESEND_WITHIN.field(), MissingWhy::NotKnown)),
    };
    let value = form::deduplication_lookback(ttl.value, false, Some(spread.value));
    Ok(derive(FIGURE, at, &SPREAD, [spread, ttl], value))
}

fn aggregate(map: &Map, at: Place) -> Lookback {
    Lookback::Of(match map.setting(at, key::operator::WINDOW, FIGURE.what) {
        Err(why) => Err(why),
        Ok(WindowKind::Nothing | WindowKind::Global) => whole(at),
        Ok(WindowKind::Session) => session(map, at),
        Ok(WindowKind::Tumbling | WindowKind::Sliding | WindowKind::Hopping | WindowKind::Cumulating) => {
            size_of(map, at)
        }
    })
}

fn session(map: &Map, at: Place) -> Derived {
    let longest = map.number(at, key::operator::WINDOW_MAX, seconds("longest session"));
    let inputs = all(FIGURE.what, [longest, map.number(at, key::operator::WINDOW_GAP, seconds("session gap"))])?;
    Ok(sum(FIGURE, at, &SESSION, inputs))
}

fn join(map: &Map, wire: &Wire) -> Lookback {
    let at = map.sites[wire.to].at;
    let kind = match map.setting(at, key::operator::JOIN, FIGURE.what) {
        Ok(kind) => kind,
        Err(why) => return Lookback::Of(Err(why)),
    };
    let right = matches!(wire.link.into, Some(Input::Right | Input::Table));
    match kind {
        JoinKind::Window if map.get(at, key::operator::WINDOW_SIZE).is_value() => Lookback::Of(size_of(map, at)),
        JoinKind::Window | JoinKind::Interval => Lookback::Of(if right {
            map.number(at, key::operator::JOIN_BEFORE, seconds("lookback, before"))
        } else {
            map.number(at, key::operator::JOIN_AFTER, seconds("lookback, after"))
        }),
        JoinKind::Regular | JoinKind::ForeignKey => Lookback::Of(whole(at)),
        JoinKind::Table | JoinKind::GlobalTable | JoinKind::Temporal if right => table(map, wire),
        JoinKind::Table | JoinKind::GlobalTable | JoinKind::Temporal => Lookback::None,
    }
}

/// A table out of a compacted channel or a store is there as of today; out of anything else it needs all history.
fn table(map: &Map, wire: &Wire) -> Lookback {
    let from = &map.sites[wire.from];
    let compacted = || {
        let policy = map.value(from.at, key::channel::CLEANUP_POLICY);
        matches!(policy, Some(CleanupPolicy::Compact | CleanupPolicy::CompactDelete))
    };
    match from.element.kind() {
        ElementKind::Sink => Lookback::Today,
        ElementKind::Channel if compacted() => Lookback::Today,
        _ => Lookback::Of(whole(map.sites[wire.to].at)),
    }
}
