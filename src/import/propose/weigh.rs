//! How a value that was read stands to what a design says of the same field.

use super::super::proposal::{FactState, Standing};
use crate::model::{Basis, Date, EvidenceBasis, Id, Nature, Records, Value};

/// The state of a fact, and the earlier readings it takes the place of.
pub(super) struct Weighed {
    pub state: FactState,
    pub replaces: Vec<Id>,
}

/// A reading replaces an earlier reading, because the running system has changed; it never replaces what people stated.
pub(super) fn weigh(
    records: &Records,
    standing: &[Standing],
    value: &Value,
    nature: Nature,
    evidence: &Id,
    at: Option<&Date>,
) -> Weighed {
    let dated = |id: &Id| records.evidence.get(id).and_then(|entry| entry.at.as_ref());
    let read = |id: &Id| records.evidence.get(id).is_some_and(|entry| entry.basis == Some(EvidenceBasis::Read));
    if standing.iter().any(|other| other.value == *value && read(&other.evidence)) {
        return Weighed { state: FactState::Same, replaces: Vec::new() };
    }
    // Of two measurements the later counts, so the earlier may stay where it is.
    let older = |id: &Id| at.is_some_and(|at| dated(id).is_none_or(|old| at > old));
    let (mut replaces, mut update, mut conflict) = (Vec::new(), false, false);
    for other in standing.iter().filter(|other| other.value != *value) {
        if other.evidence == *evidence {
            update = true;
        } else if read(&other.evidence) {
            // A reading of a later day than this one is not taken out by it.
            let newer = dated(&other.evidence).zip(at).is_some_and(|(old, at)| old > at);
            conflict |= newer;
            update |= !newer;
            if !newer {
                replaces.push(other.evidence.clone());
            }
        } else if other.basis == Basis::Assumed || (nature == Nature::Measurement && older(&other.evidence)) {
            update = true;
        } else {
            conflict = true;
        }
    }
    let state = match (conflict, update, standing.is_empty()) {
        (true, ..) => FactState::Conflict,
        (_, true, _) => FactState::Update,
        (_, _, true) => FactState::New,
        _ => FactState::StrongerBasis,
    };
    if conflict {
        replaces.clear();
    }
    Weighed { state, replaces }
}
