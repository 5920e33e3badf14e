//! Lag that the limit of a consumer for latency leaves.

use super::LAG;
use crate::{
    analysis::{
        explain::{Derived, Formula, Inputs},
        figures::{
            map::Map,
            need::{at_least, derive, seconds, sum},
        },
        formulas::less,
    },
    model::key,
};

static ROOM: Formula = Formula {
    id: "LAG-4",
    text: "limit for latency − all other known waits; zero where they use it up",
    source: "what is left of the limit is what a reader may be behind",
};
static WAITS: Formula =
    Formula { id: "LAG-4.waits", text: "sum of the waits without lag", source: "maxima add to a bound" };

/// `None` where the consumer has no limit. Zero where the other waits use it up.
pub(in crate::analysis::figures) fn lag_room(map: &Map, site: usize, latency: &Derived) -> Option<Derived> {
    let at = map.sites[site].at;
    let limit = map.number(at, key::consumer::LATENCY_REQUIREMENT, seconds("limit for latency")).ok()?;
    let figure = at_least("lag that the limit leaves");
    Some(latency.clone().map(|latency| {
        let waits: Inputs = latency.inputs().iter().filter(|term| term.what != LAG.what).cloned().collect();
        let waits = sum(seconds("other waits"), at, &WAITS, waits);
        let value = less(limit.value, waits.value);
        derive(figure, at, &ROOM, [limit, waits], value)
    }))
}
