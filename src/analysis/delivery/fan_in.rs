//! Several inputs of one place: events of different kinds, or the same event on two ways.

use super::{
    hop::Examined,
    ledger::Ledger,
    read::bit,
    state::{Instance, State, unite},
    verdict::{CopyClass, Transient},
};
use crate::sorted;
use crate::{
    analysis::graph::{Graph, Place},
    model::{Element, ElementKind, Input, Step, key::write},
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

/// The state of all inputs together, whatever order they come in.
pub(super) fn merge(
    hop: &mut Examined<'_, '_>,
    inputs: &mut dyn Iterator<Item = (Way, Box<State>)>,
    node: usize,
) -> Box<State> {
    let mut inputs = inputs.map(|(way, mut state)| {
        if way == Way::Beside {
            // A repeated row of a table changes nothing; an old one that comes after a newer one would.
            state.copies.clear();
            state.ways.clear();
            state.kinds.clear();
            state.transactional = false;
        }
        state
    });
    let Some(mut merged) = inputs.next() else { return Box::default() };
    let Some(second) = inputs.next() else { return merged };
    let mut others = vec![second];
    others.extend(inputs);
    let join = matches!(hop.graph.nodes[node].element, Element::Operator { step: Step::Join, .. });
    let consumer = hop.graph.nodes[node].kind() == ElementKind::Consumer;
    let before = |at: usize| std::iter::once(&merged).chain(&others[..at]);
    let same = (0..others.len()).any(|at| before(at).any(|state| overlap(state, &others[at])));
    let ways = same && !consumer && !join;
    let lost =
        ways.then(|| lost(hop.ledger, &std::iter::once(&merged).chain(&others).map(AsRef::as_ref).collect::<Vec<_>>()));
    // What a store makes of the same event on two ways, each of its writes says.
    let stored = hop.graph.nodes[node].kind() == ElementKind::Sink;
    let second = (ways && !stored).then(|| second_way(hop.place, &merged, &others));
    let keyed_by = same_key(hop.graph, &merged, &others);
    for other in others {
        merged.absorb(*other);
    }
    merged.keyed_by = keyed_by;
    if let Some(lost) = lost {
        merged.losses = lost;
    }
    if let Some(second) = second {
        hop.add(&mut merged, second);
    }
    if same && consumer {
        merged.transient |= bit(Transient::SinksDisagree);
    }
    merged
}

/// A link that names the columns of the record key of all inputs, where that is the same key.
fn same_key(graph: &Graph<'_>, one: &State, others: &[Box<State>]) -> Option<Place> {
    let first = one.keyed_by?;
    let key = |other: &State| Some(graph.fact(other.keyed_by?, write::KEY)?.value);
    let columns = key(one);
    let same = |other: &State| other.keyed_by == Some(first) || (columns.is_some() && key(other) == columns);
    others.iter().all(|other| same(other)).then_some(first)
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

/// Copies of what one input carries that come in over the others.
pub(super) fn second_way(at: Place, one: &State, others: &[Box<State>]) -> Instance {
    let same = || others.iter().map(AsRef::as_ref).filter(|other: &&State| overlap(one, other));
    // Ids that were made anew on one of the ways are those of no other.
    let apart = |other: &&State| other.redrawn != one.redrawn;
    let redrawn = same().find(apart).and_then(|other| one.redrawn.or(other.redrawn));
    Instance {
        isolated: true,
        coordinates: false,
        key: redrawn.is_none(),
        redrawn,
        ..Instance::new(CopyClass::SecondPath, at)
    }
}

/// Gives each write of one store the copies that come in over its other writes.
pub(super) fn beside(at: Place, writes: &mut [(usize, Box<State>)]) {
    let repeated: Vec<Option<Instance>> = (0..writes.len())
        .map(|number| {
            let (_, one) = writes.get(number)?;
            let others = writes.iter().enumerate().filter(|(other, _)| *other != number);
            let same: Vec<Box<State>> =
                others.filter(|(_, (_, other))| overlap(one, other)).map(|(_, (_, other))| other.clone()).collect();
            let first = same.first()?;
            // Read from the same log, they have the same place in it.
            let coordinates = first.log.is_some() && same.iter().all(|other| other.log == one.log);
            Some(Instance { coordinates, ..second_way(at, one, &same) })
        })
        .collect();
    for ((_, state), copies) in writes.iter_mut().zip(repeated) {
        copies.into_iter().for_each(|copies| state.add(copies));
    }
}

/// What can be lost of events that come in on several ways: those of one kind only where every input that carries all of
/// them loses them.
fn lost(ledger: &Ledger, inputs: &[&State]) -> Vec<u32> {
    let mut kept = Vec::new();
    // Each kind with the input that carries it, by kind.
    let mut kinds: Vec<(&super::state::Way, usize)> = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        let whole = input.ways.iter().filter(|way| !way.narrowed).map(|way| (way, number));
        let before = kinds.len();
        kinds.extend(whole);
        // Also of what is only some of them, or nobody says which.
        if kinds.len() - before < input.ways.len() || input.ways.is_empty() {
            unite(&mut kept, &input.losses);
        }
    }
    sorted::sort(&mut kinds);
    let (mut carriers, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for (at, (kind, input)) in kinds.iter().enumerate() {
        carriers.push(*input);
        if kinds.get(at + 1).is_some_and(|(next, _)| next == kind) {
            continue;
        }
        if carriers != last {
            let losses: Vec<&[u32]> = carriers.iter().map(|input| &*inputs[*input].losses).collect();
            unite(&mut kept, &all_lose(ledger, &losses));
        }
        last = std::mem::take(&mut carriers);
    }
    kept
}

/// Losses of events that go several ways: those of all, and of the others those of the best way.
fn all_lose(ledger: &Ledger, ways: &[&[u32]]) -> Vec<u32> {
    let [first, ref rest @ ..] = *ways else { return Vec::new() };
    let shared =
        |number: &u32| first.binary_search(number).is_ok() && rest.iter().all(|way| way.binary_search(number).is_ok());
    // A way without a loss of its own is the best: nothing of the others is left.
    let worst = |way: &[u32]| {
        let own = way.iter().filter(|number| !shared(number));
        own.filter_map(|number| Some(ledger.loss(*number)?.severity)).min().unwrap_or(u8::MAX)
    };
    let worst: Vec<u8> = ways.iter().map(|way| worst(way)).collect();
    let best = worst.iter().max();
    let mut kept: Vec<u32> = first.iter().copied().filter(|number| shared(number)).collect();
    for (way, _) in ways.iter().zip(&worst).filter(|(_, worst)| Some(*worst) == best) {
        let own: Vec<u32> = way.iter().copied().filter(|number| !shared(number)).collect();
        unite(&mut kept, &own);
    }
    kept
}
