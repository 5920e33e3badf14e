//! What one frequent key does to a partition. Not measured means not known: keys are never taken to be even by default.

use super::{
    map::{Map, Place},
    need::{Figure, all, count, derive},
};
use crate::{
    analysis::{
        explain::{Derived, Formula, Unit},
        formulas::capacity,
    },
    model::key,
};

static BUSIEST: Formula = Formula {
    id: "SKEW-1.busiest",
    text: "top + (1 − top) ÷ partitions + spread of the hashing; all keys but the top one taken as equal",
    source: "Bernstein's inequality over hashed keys; above the simulated value in 400 of 400 distributions",
};

const SHARE: Figure = Figure { what: "share of the busiest partition", unit: Unit::Ratio };

/// Share of the busiest partition of a channel.
pub(super) fn busiest(map: &Map, at: Place) -> Derived {
    let inputs = [
        map.number(at, key::channel::DOMINANT_KEY_SHARE, Figure { what: "share of the top key", unit: Unit::Ratio }),
        map.number(at, key::channel::KEY_CARDINALITY, count("keys")),
        map.number(at, key::channel::PARTITIONS, count("partitions")),
    ];
    let inputs = all(SHARE.what, inputs)?;
    let [top, keys, partitions] = &inputs;
    let rest = (keys.value - 1.0).max(1.0);
    let other = (1.0 - top.value).max(0.0) / rest;
    let value = capacity::hot_share_95(top.value, other * other * rest, other, partitions.value);
    Ok(derive(SHARE, at, &BUSIEST, inputs.into(), value))
}
