//! What is known further up about the stream that passes a site: how far its partitions are apart in time, and how long
//! one of them may be silent.

use super::{
    map::{Map, Wire},
    need::{Figure, largest, seconds},
};
use crate::{
    analysis::explain::{Explained, Formula},
    model::{Element, Step, key},
};
use std::sync::Arc;

static LARGEST: Formula = Formula {
    id: "UP.largest",
    text: "largest over the inputs",
    source: "the watermark of several inputs is the least of theirs",
};

const SPREAD: Figure = seconds("event time between the furthest and the slowest partition");
const SILENCE: Figure = seconds("longest silence of one partition");

/// Readings that reach each site along main links.
pub(super) struct Upstream {
    /// Event-time spread over the partitions of the channels that a job reads.
    pub spread: Vec<Option<Arc<Explained>>>,
    /// Longest pause between two records of the slowest partition.
    pub silence: Vec<Option<Arc<Explained>>>,
}

impl Upstream {
    pub fn of(map: &Map) -> Self {
        let count = map.sites.len();
        let mut up = Self { spread: vec![None; count], silence: vec![None; count] };
        for site in map.order {
            let (site, at) = (*site, map.sites[*site].at);
            match map.sites[site].element {
                Element::Source { .. } => {
                    up.silence[site] = map.most(at, key::source::LONGEST_SILENCE, SILENCE).ok();
                }
                Element::Channel { .. } => {
                    up.spread[site] = map.number(at, key::channel::PARTITION_TIME_SPREAD, SPREAD).ok();
                    up.silence[site] = map.most(at, key::channel::LONGEST_SILENCE, SILENCE).ok();
                    if up.silence[site].is_none() {
                        up.silence[site] = inherit(map, site, SILENCE, &up.silence);
                    }
                }
                Element::Operator { .. } => {
                    up.spread[site] = inherit(map, site, SPREAD, &up.spread);
                    up.silence[site] = inherit(map, site, SILENCE, &up.silence);
                }
                _ => {}
            }
        }
        up
    }
}

/// The largest of the inputs; none where one of them has none, or where a job before changes how often records come.
/// Inside a job the watermark of its sources counts, whatever the steps drop.
fn inherit(map: &Map, site: usize, figure: Figure, from: &[Option<Arc<Explained>>]) -> Option<Arc<Explained>> {
    let written = matches!(map.sites[site].element, Element::Channel { .. });
    let passed = |wire: &Wire| {
        let thinned = || written && map.sites[wire.from].job.is_some_and(|job| thins(map, job));
        if wire.link.port.is_some() || wire.back || thinned() { None } else { from[wire.from].clone() }
    };
    if let [only] = map.sites[site].ins {
        return passed(&map.wires[*only]);
    }
    let found: Vec<_> = map.into(site).map(passed).collect::<Option<_>>()?;
    (!found.is_empty()).then(|| largest(figure, map.sites[site].at, &LARGEST, found))
}

/// Does a step of this job drop or gather records?
fn thins(map: &Map, job: usize) -> bool {
    map.sites[job].operators.iter().any(|operator| match map.sites[*operator].element {
        Element::Operator { step, .. } => {
            !matches!(step, Step::Map | Step::Copy | Step::Rekey | Step::AssignId | Step::Lookup | Step::Call)
        }
        _ => true,
    })
}
