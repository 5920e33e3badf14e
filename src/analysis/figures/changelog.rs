//! What the changelog of a store takes on disk, while the cleaner keeps up.
//!
//! Only of a changelog that is drawn, behind the one operator whose state it holds: the topics that a job makes for itself have
//! settings of their own.

use super::{
    map::{Map, Place},
    need::{Figure, all, bytes, bytes_per_second, derive, seconds},
    parallelism,
};
use crate::{
    analysis::{
        OperatorReport, Reports,
        explain::{Derived, Explained, Formula, Unit},
        figures::names,
        formulas::{
            log::{self as form, Segments},
            product, ratio,
        },
    },
    model::{ChannelRole, Element, ElementKind, key, words::CleanupPolicy},
};
use std::sync::Arc;

static COMPACTED: Formula = Formula {
    id: "CL-1",
    text: "live state ÷ (1 − dirty ratio) + partitions × (2 × min(segment.bytes, bytes per second × segment.ms) + bytes per second × (15 s + compaction lag)), one copy",
    source: "Apache Kafka, LogCleaner: only closed segments count for min.cleanable.dirty.ratio; log.cleaner.backoff.ms 15 s; checked against simulated cleanings",
};
static WINDOWED: Formula = Formula {
    id: "CL-2",
    text: "partitions × bytes per second × ((retention + time in a segment) × (1 + dirty ratio) ÷ dirty ratio + 15 s), one copy",
    source: "Apache Kafka, LogCleaner.groupSegmentsBySize: a merged segment carries the newest timestamp in it, so that each cleaning keeps it longer",
};

const ON_DISK: Figure = bytes("most on disk, one copy");

/// Most bytes on disk of one copy of a changelog; `None` where the channel is none, or nothing says how its cleaner works.
pub(super) fn on_disk(map: &Map, operators: &Reports<OperatorReport>, site: usize) -> Option<Derived> {
    let Element::Channel { role: Some(ChannelRole::JobState) } = map.sites[site].element else { return None };
    let at = map.sites[site].at;
    let dirty = Figure { what: "share of new bytes from which the cleaner starts", unit: Unit::Ratio };
    let dirty = map.number(at, key::channel::DIRTY_RATIO, dirty).ok()?;
    match map.value(at, key::channel::CLEANUP_POLICY)? {
        CleanupPolicy::Delete => None,
        CleanupPolicy::Compact => Some(compacted(map, site, live(map, operators, site)?, dirty)),
        CleanupPolicy::CompactDelete => Some(windowed(map, site, dirty)),
    }
}

/// Live bytes of the one operator that writes it.
fn live(map: &Map, operators: &Reports<OperatorReport>, site: usize) -> Option<Derived> {
    let mut writers = map.into(site).filter(|wire| map.sites[wire.from].element.kind() == ElementKind::Operator);
    let (writer, None) = (writers.next()?, writers.next()) else { return None };
    let state = operators.get(map.sites[writer.from].at.id)?.state.clone()?;
    Some(state.map(|state| {
        let live = state.made_by(&super::state::STATE).then(|| state.inputs().first().cloned()).flatten();
        live.unwrap_or(state)
    }))
}

fn rate(map: &Map, at: Place) -> Derived {
    map.fullest(at, key::channel::DISK_RATE, bytes_per_second(names::FULLEST))
}

fn compacted(map: &Map, site: usize, live: Derived, dirty: Arc<Explained>) -> Derived {
    let at = map.sites[site].at;
    let inputs = all(
        ON_DISK.what,
        [
            live,
            Ok(dirty),
            parallelism::partitions(map, site),
            map.number(at, key::channel::SEGMENT_SIZE, bytes("segment size")),
            map.number(at, key::channel::SEGMENT_TIME, seconds("segment time")),
            rate(map, at),
            map.number(at, key::channel::MIN_COMPACTION_LAG, seconds(names::COMPACTION_LAG)),
        ],
    )?;
    let [live, dirty, partitions, size, time, rate, lag] = &inputs;
    let segments = Segments { time: time.value, bytes: size.value, check: 0.0 };
    let one = form::changelog_bytes(ratio(live.value, partitions.value), dirty.value, segments, rate.value, lag.value);
    let value = product(partitions.value, one);
    Ok(derive(ON_DISK, at, &COMPACTED, inputs, value))
}

fn windowed(map: &Map, site: usize, dirty: Arc<Explained>) -> Derived {
    let at = map.sites[site].at;
    let inputs = all(
        ON_DISK.what,
        [
            parallelism::partitions(map, site),
            rate(map, at),
            map.number(at, key::channel::RETENTION_TIME, seconds(names::BY_TIME)),
            map.number(at, key::channel::SEGMENT_SIZE, bytes("segment size")),
            map.number(at, key::channel::SEGMENT_TIME, seconds("segment time")),
            Ok(dirty),
        ],
    )?;
    let [partitions, rate, kept, size, time, dirty] = &inputs;
    let span = form::span(time.value, size.value, rate.value);
    let value = product(partitions.value, form::windowed_changelog(rate.value, kept.value, span, dirty.value));
    Ok(derive(ON_DISK, at, &WINDOWED, inputs, value))
}
