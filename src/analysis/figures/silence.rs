//! How long the watermark stands still because one partition has nothing to say.
//!
//! A partition that is silent for longer than an idle time-out is left out of the smallest of them all (Apache Flink documentation,
//! Generating Watermarks: Dealing With Idle Sources). Where it is the only one, nothing is left that could move the watermark.

use super::{
    map::Map,
    need::{Figure, at_most, derive, seconds},
    parallelism,
    upstream::Upstream,
    windows,
};
use crate::{
    analysis::explain::{Explained, Formula},
    model::{ElementKind, key},
};
use std::sync::Arc;

static IDLE: Formula = Formula {
    id: "UP.idle",
    text: "idle time-out + silence of all partitions at once: one partition is silent for longer than its idle time-out, and is left out",
    source: "Apache Flink documentation, Generating Watermarks: Dealing With Idle Sources",
};

const HELD: Figure = at_most("silence that holds the watermark");

/// The longest time, as far as anything is known about it: the longest silence, or the idle time-out where that is shorter.
pub(super) fn longest(map: &Map, upstream: &Upstream, site: usize) -> Option<Arc<Explained>> {
    let silence = upstream.silence[site].clone();
    let idle = windows::inherited(map, site, key::operator::IDLE_TIMEOUT, seconds("idle timeout"), Err);
    let Some(idle) = idle.ok().filter(|idle| !idle.unbounded()) else { return silence };
    let Some(silence) = silence else { return Some(idle) };
    if silence.value <= idle.value || !several(map, site) {
        return Some(silence);
    }
    let reason = "not measured: while one partition is silent, others are taken to have records";
    let at_once = Explained::assumed("silence of all partitions at once", None, HELD.unit, 0.0, reason);
    let value = idle.value;
    Some(derive(HELD, map.sites[site].at, &IDLE, [idle, at_once], value))
}

/// Is it known that the job of an operator reads more than one partition?
fn several(map: &Map, site: usize) -> bool {
    let Some(job) = map.sites[site].job else { return false };
    let logs = map.reads(job).filter(|wire| map.sites[wire.from].element.kind() == ElementKind::Channel);
    let partitions = logs.filter_map(|wire| parallelism::partitions(map, wire.from).ok());
    partitions.map(|partitions| partitions.value).sum::<f64>() > 1.0
}
