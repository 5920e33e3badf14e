//! Records per second at every point: a link's own reading, else the channel's, else the sum of its inputs times what
//! each step passes on.
//!
//! What is *not* here: rates of late, dead-letter and side outputs, which only a reading gives.

use super::{
    map::{Map, Wire},
    need::{Figure, all_of, derive, lacks, per_second, sum},
};
use crate::{
    analysis::explain::{Derived, Explained, Formula, MissingWhy, Underivable, Unit},
    model::{
        Element, Step, key,
        words::{Emit, WindowKind},
    },
};
use std::sync::Arc;

const RATE: Figure = per_second("rate");
const IN: Figure = per_second("records in");
const OUT: Figure = per_second("records out");
const PEAK: Figure = per_second("peak rate");

static SUM: Formula = Formula {
    id: "RATE.sum",
    text: "sum of the inputs",
    source: "records are neither made nor dropped where links meet",
};
static PASSED_ON: Formula = Formula {
    id: "RATE.step",
    text: "records in × selectivity",
    source: "definition of selectivity: records out per record in",
};
static RESULTS: Formula = Formula {
    id: "RATE.window",
    text: "keys per window ÷ window step",
    source: "one result per key and window when a window closes",
};

/// Rates at all sites of a map.
pub(super) struct Rates {
    input: Vec<Derived>,
    output: Vec<Derived>,
    peak: Vec<Option<Arc<Explained>>>,
}

impl Rates {
    pub fn of(map: &Map) -> Self {
        let unknown = || Err(Underivable { what: RATE.what, missing: Vec::new().into() });
        let count = map.sites.len();
        let mut rates = Self {
            input: (0..count).map(|_| unknown()).collect(),
            output: (0..count).map(|_| unknown()).collect(),
            peak: vec![None; count],
        };
        for site in map.order {
            rates.visit(map, *site);
        }
        rates
    }

    fn visit(&mut self, map: &Map, site: usize) {
        let at = map.sites[site].at;
        match map.sites[site].element {
            Element::Source { .. } => {
                self.output[site] = map.mean(at, key::source::RATE, RATE);
                self.peak[site] = map.peak(at, key::source::RATE, PEAK);
            }
            Element::Channel { .. } => {
                let own = map.mean(at, key::channel::RATE, RATE);
                self.peak[site] = map.peak(at, key::channel::RATE, PEAK);
                self.output[site] = match own {
                    Ok(rate) => Ok(rate),
                    Err(why) if map.sites[site].ins.is_empty() => Err(why),
                    Err(_) => self.total(map, site),
                };
                if self.peak[site].is_none()
                    && self.output[site].as_ref().is_ok_and(|rate| rate.of.as_ref() != Some(at.id))
                {
                    self.peak[site] = self.total_peak(map, site);
                }
            }
            Element::Operator { step, .. } => {
                self.input[site] = self.total(map, site);
                self.peak[site] = self.total_peak(map, site);
                self.output[site] = self.passed_on(map, site, *step);
            }
            _ => {}
        }
    }

    /// The rate that enters an operator.
    pub fn into(&self, site: usize) -> Derived {
        self.input[site].clone()
    }

    /// The peak of what leaves a source or channel, where one is known, else its rate.
    pub fn most_at(&self, site: usize) -> Derived {
        self.peak[site].clone().map_or_else(|| self.output[site].clone(), Ok)
    }

    /// The rate on a wire.
    pub fn on(&self, map: &Map, wire: &Wire) -> Derived {
        let own = map.mean(wire.at, key::link::RATE, RATE);
        if own.is_ok() || wire.link.port.is_some() {
            return own;
        }
        let from = map.sites[wire.from].element;
        match from {
            Element::Channel { .. } if wire.back => map.mean(map.sites[wire.from].at, key::channel::RATE, RATE),
            Element::Source { .. } | Element::Channel { .. } => self.output[wire.from].clone(),
            Element::Operator { .. } if !wire.back => self.output[wire.from].clone(),
            _ => own,
        }
    }

    /// The peak on a wire, where one was read for it or for all that feeds it.
    pub fn peak_on(&self, map: &Map, wire: &Wire) -> Option<Arc<Explained>> {
        let own = map.get(wire.at, key::link::RATE);
        if own.is_value() || wire.link.port.is_some() {
            return map.peak(wire.at, key::link::RATE, PEAK);
        }
        match map.sites[wire.from].element {
            Element::Channel { .. } if wire.back => map.peak(map.sites[wire.from].at, key::channel::RATE, PEAK),
            _ if wire.back => None,
            _ => self.peak[wire.from].clone(),
        }
    }

    fn total(&self, map: &Map, site: usize) -> Derived {
        let at = map.sites[site].at;
        if let [only] = map.sites[site].ins
            && let Ok(rate) = self.on(map, &map.wires[*only])
        {
            return Ok(rate);
        }
        let wires = map.into(site);
        let inputs = all_of(IN.what, wires.map(|wire| self.on(map, wire)))?;
        if inputs.is_empty() {
            return Err(lacks(IN.what, at, key::link::RATE.field(), MissingWhy::NotKnown));
        }
        Ok(sum(IN, at, &SUM, inputs))
    }

    fn total_peak(&self, map: &Map, site: usize) -> Option<Arc<Explained>> {
        if let [only] = map.sites[site].ins {
            return self.peak_on(map, &map.wires[*only]);
        }
        let peaks = map.into(site).map(|wire| self.peak_on(map, wire)).collect::<Option<Vec<_>>>()?;
        (!peaks.is_empty()).then(|| sum(PEAK, map.sites[site].at, &SUM, peaks))
    }

    fn passed_on(&mut self, map: &Map, site: usize, step: Step) -> Derived {
        let at = map.sites[site].at;
        let stated = map.number(at, key::operator::SELECTIVITY, Figure { what: "selectivity", unit: Unit::Ratio });
        let one_to_one =
            matches!(step, Step::Copy | Step::Rekey | Step::AssignId | Step::Lookup | Step::Call | Step::Deduplicate);
        match stated {
            Ok(selectivity) => {
                let records = self.input[site].clone()?;
                let times = selectivity.value;
                self.peak[site] = self.peak[site].take().map(|peak| {
                    let value = peak.value * times;
                    derive(PEAK, at, &PASSED_ON, [peak, selectivity.clone()], value)
                });
                let value = records.value * times;
                Ok(derive(OUT, at, &PASSED_ON, [records, selectivity], value))
            }
            Err(_) if one_to_one => self.input[site].clone(),
            Err(why) => {
                self.peak[site] = None;
                if step == Step::Aggregate
                    && let Some(results) = results(map, site)
                {
                    return Ok(results);
                }
                self.input[site].clone().and(Err(why))
            }
        }
    }
}

/// Results of a window that emits when it closes.
fn results(map: &Map, site: usize) -> Option<Arc<Explained>> {
    let at = map.sites[site].at;
    let advance = match map.value(at, key::operator::WINDOW)? {
        WindowKind::Tumbling => key::operator::WINDOW_SIZE,
        WindowKind::Hopping => key::operator::WINDOW_STEP,
        _ => return None,
    };
    if !matches!(map.value(at, key::operator::EMIT)?, Emit::OnClose | Emit::Suppress) {
        return None;
    }
    let keys = map.number(at, key::operator::KEYS_PER_WINDOW, super::need::count("keys per window")).ok()?;
    let advance = map.number(at, advance, super::need::seconds("window step")).ok()?;
    if advance.value <= 0.0 {
        return None;
    }
    let value = keys.value / advance.value;
    Some(derive(OUT, at, &RESULTS, [keys, advance], value))
}
