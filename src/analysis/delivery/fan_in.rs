//! Several inputs of one place: events of different kinds, or the same event on two ways.

use super::{
    hop::Examined,
    ledger::Ledger,
    read::bit,
    state::{Instance, State},
    verdict::{CopyClass, Transient},
};
use crate::sorted;
use crate::{
    analysis::graph::Graph,
    model::{Element, ElementKind, Input, Step},
};

/// How an input enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// As one of the inputs that carry events.
    Main,
    /// As a table or look-up that events are matched with.
    Beside,
}

/// How a link enters its element.
pub(super) fn way(graph: &Graph<'_>, edge: usize) -> Way {
    match graph.edges[edge].link.into {
        Some(Input::Table | Input::Lookup) => Way::Beside,
        _ => Way::Main,
    }
}

/// The state of all inputs together.
pub(super) fn merge(
    hop: &mut Examined<'_, '_>,
    inputs: &mut dyn Iterator<Item = (Way, Box<State>)>,
    node: usize,
) -> Box<State> {
    let join = matches!(hop.graph.nodes[node].element, Element::Operator { step: Step::Join, .. });
    let consumer = hop.graph.nodes[node].kind() == ElementKind::Consumer;
    let mut all: Option<Box<State>> = None;
    for (way, mut state) in inputs {
        if way == Way::Beside {
            // A repeated row of a table changes nothing; an old one that comes after a newer one would.
            state.copies.clear();
            state.ways.clear();
            state.kinds.clear();
            state.transactional = false;
        }
        let Some(merged) = &mut all else {
            all = Some(state);
            continue;
        };
        let same = way == Way::Main && overlap(merged, &state);
        if consumer {
            if same {
                merged.transient |= bit(Transient::SinksDisagree);
            }
            merged.absorb(*state);
        } else if join || !same {
            merged.absorb(*state);
        } else {
            second_way(hop, merged, *state);
        }
    }
    all.unwrap_or_default()
}

/// Can both carry the same event?
fn overlap(a: &State, b: &State) -> bool {
    a.ways.iter().any(|one| {
        b.ways.iter().any(|two| {
            let disjoint =
                one.ports.iter().any(|(at, port)| two.ports.iter().any(|(other, taken)| at == other && port != taken));
            one.root == two.root && !disjoint
        })
    })
}

/// The same event on two ways: it is there twice, and it is lost only where both lose it.
fn second_way(hop: &mut Examined<'_, '_>, merged: &mut State, other: State) {
    let all_on_both = merged.ways == other.ways && !merged.ways.iter().any(|way| way.narrowed);
    let kept = all_on_both.then(|| both_lose(hop.ledger, &merged.losses, &other.losses));
    merged.absorb(other);
    if let Some(losses) = kept {
        merged.losses = losses;
    }
    let copies = Instance { isolated: true, coordinates: false, ..Instance::new(CopyClass::SecondPath, hop.place) };
    hop.add(merged, copies);
}

/// Losses of events that go two ways: those of both, and of the others those of the better way.
fn both_lose(ledger: &Ledger, a: &[u32], b: &[u32]) -> Vec<u32> {
    let shared = |number: &u32| a.binary_search(number).is_ok() && b.binary_search(number).is_ok();
    let worst = |losses: &[u32]| {
        losses.iter().filter(|number| !shared(number)).filter_map(|number| Some(ledger.loss(*number)?.severity)).min()
    };
    // A way without a loss of its own is the best: nothing of either is left.
    let (worst_a, worst_b) = (worst(a).unwrap_or(u8::MAX), worst(b).unwrap_or(u8::MAX));
    let mut kept: Vec<u32> = a.iter().copied().filter(|number| shared(number)).collect();
    if worst_a >= worst_b {
        kept.extend(a.iter().filter(|number| !shared(number)));
    }
    if worst_b >= worst_a {
        kept.extend(b.iter().filter(|number| !shared(number)));
    }
    sorted::sort(&mut kept);
    kept
}
