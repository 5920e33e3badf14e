//! How long a join holds a result back: until its window closes, until it is certain that nothing matches, until a table is as
//! new as the record. A pair of an inner join on an interval comes out with the later of the two, and waits for nothing else.

use super::{HELD, PASSED, by_watermark, longest_silence, window};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, Inputs},
        figures::{
            batches,
            engine::Engine,
            joins,
            latency::Wait,
            map::Map,
            need::{all, derive, seconds, sum},
            upstream::Upstream,
            windows::{interval, watermark_delay},
        },
        formulas::latency as form,
    },
    model::{
        key,
        words::{Clock, JoinKind, JoinType, WindowKind},
    },
};
use std::sync::Arc;

static UNMATCHED: Formula = Formula {
    id: "LAT-E1.unmatched",
    text: "longest time to a partner + watermark delay + watermark interval + longest silence, and the cleaning step where there is one",
    source: "Apache Flink, RowTimeIntervalJoin: a row without a partner comes out, with nulls, when the watermark rules one out; seen with 2.1",
};
static UNMATCHED_STREAMS: Formula = Formula {
    id: "LAT-E1.streams.unmatched",
    text: "longest time to a partner + grace + longest silence",
    source: "KIP-633, KAFKA-10847: a left or outer join of Kafka Streams sends a record without a partner after its window has closed",
};
static UNMATCHED_SPARK: Formula = Formula {
    id: "LAT-E1.spark.unmatched",
    text: "longest time to a partner + watermark delay + time between two batches, beside the batch that reads the event",
    source: "Apache Spark, Structured Streaming Programming Guide: Outer Joins with Watermarking; seen with 4.3",
};
static VERSIONED: Formula = Formula {
    id: "LAT-E1.streams.versioned",
    text: "grace + longest silence",
    source: "KIP-923: a record waits in a buffer until stream time has passed it by the grace",
};
static LONGER: Formula = Formula {
    id: "LAT-E1.partner",
    text: "largest over the sides of which a row without a partner comes out",
    source: "definition of left and outer joins",
};

/// The wait at a join.
pub(super) fn join(map: &Map, upstream: &Upstream, site: usize, wait: &mut Wait) {
    let at = map.sites[site].at;
    let kind = match map.setting(at, key::operator::JOIN, "latency") {
        Ok(kind) => kind,
        Err(why) => return wait.add(Err(why)),
    };
    let engine = Engine::of(map, site);
    match (kind, engine) {
        (JoinKind::Window, Engine::Flink) => {
            let kind = map.value(at, key::operator::WINDOW).unwrap_or(WindowKind::Tumbling);
            window(map, upstream, site, kind, wait);
        }
        (JoinKind::Temporal, Engine::Flink) => by_watermark(map, upstream, site, wait),
        (JoinKind::Temporal, Engine::Streams) => {
            let grace = map.number(at, key::operator::ALLOWED_LATENESS, seconds("grace"));
            let term = grace.map(|grace| {
                let gap = if grace.value > 0.0 { longest_silence(map, upstream, site, wait) } else { None };
                let inputs: Inputs = std::iter::once(grace).chain(gap).collect();
                sum(PASSED, at, &VERSIONED, inputs)
            });
            wait.add(term);
        }
        (JoinKind::Interval, Engine::Flink | Engine::Spark)
        | (JoinKind::Interval | JoinKind::Window, Engine::Streams) => {
            if let Some(partner) = to_a_partner(map, site) {
                unmatched(map, upstream, site, partner, wait);
            }
        }
        _ => {}
    }
}

/// How long a row waits for a partner before it comes out without one; `None` where it never does.
fn to_a_partner(map: &Map, site: usize) -> Option<Derived> {
    let at = map.sites[site].at;
    let figure = seconds("longest time to a partner");
    let kind = match map.setting(at, key::operator::JOIN_TYPE, figure.what) {
        Ok(JoinType::Inner) => return None,
        Ok(kind) => kind,
        Err(why) => return Some(Err(why)),
    };
    let after = map.number(at, key::operator::JOIN_AFTER, seconds("after"));
    if kind == JoinType::Left {
        return Some(after);
    }
    let sides = all(figure.what, [after, map.number(at, key::operator::JOIN_BEFORE, seconds("before"))]);
    Some(sides.map(|sides| super::super::need::largest(figure, at, &LONGER, sides)))
}

fn unmatched(map: &Map, upstream: &Upstream, site: usize, partner: Derived, wait: &mut Wait) {
    let at = map.sites[site].at;
    let of = |inputs: Vec<Arc<Explained>>, gap: Option<Arc<Explained>>, formula: &'static Formula| {
        let inputs: Inputs = inputs.into_iter().chain(gap).collect();
        sum(HELD, at, formula, inputs)
    };
    let term = match Engine::of(map, site) {
        Engine::Streams => {
            let grace = map.number(at, key::operator::ALLOWED_LATENESS, seconds("grace"));
            all(HELD.what, [partner, grace]).map(|inputs| {
                let gap = longest_silence(map, upstream, site, wait);
                of(inputs.into(), gap, &UNMATCHED_STREAMS)
            })
        }
        Engine::Spark => {
            let job = map.sites[map.sites[site].job.unwrap_or(site)].at;
            let between = batches::between(map, job, seconds("between two batches"));
            all(HELD.what, [partner, watermark_delay(map, site), between]).map(|inputs| {
                let [partner, delay, between] = &inputs;
                let value = form::micro_batch_window(partner.value, delay.value, between.value, 0.0);
                derive(HELD, at, &UNMATCHED_SPARK, inputs, value)
            })
        }
        _ if map.value(at, key::operator::CLOCK) == Some(Clock::ProcessingTime) => partner,
        _ => all(HELD.what, [partner, watermark_delay(map, site), interval(map, site)]).and_then(|inputs| {
            let mut inputs = Vec::from(inputs);
            inputs.extend(joins::cleaning(map, site)?);
            let gap = longest_silence(map, upstream, site, wait);
            Ok(of(inputs, gap, &UNMATCHED))
        }),
    };
    wait.add(term);
}
