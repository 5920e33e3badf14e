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
    let Some(first) = inputs.next() else { return Box::default() };
    let Some(second) = inputs.next() else { return first };
    let mut all = vec![first, second];
    all.extend(inputs);
    let join = matches!(hop.graph.nodes[node].element, Element::Operator { step: Step::Join, .. });
    let kind = hop.graph.nodes[node].kind();
    let same = (1..all.len()).any(|at| all[..at].iter().any(|before| overlap(before, &all[at])));
    let ways = same && !join && kind != ElementKind::Consumer;
    let lost = ways.then(|| lost(hop.ledger, &all));
    let apart = ways.then(|| apart(hop.ledger, &all));
    let keyed_by = same_key(hop.graph, &all);
    let mut all = all.into_iter();
    let mut merged = all.next().unwrap_or_default();
    for other in all {
        merged.absorb(*other);
    }
    merged.keyed_by = keyed_by;
    if let Some(lost) = lost {
        merged.losses = lost;
    }
    if let Some(Apart { redrawn, loses }) = apart {
        // What a store makes of the same event on two ways, each of its writes says.
        if kind != ElementKind::Sink {
            second_way(hop.place, &redrawn).into_iter().for_each(|copies| hop.add(&mut merged, copies));
        }
        if loses {
            comes_late(hop.ledger, &mut merged);
        }
    }
    if same && kind == ElementKind::Consumer {
        merged.transient |= bit(Transient::SinksDisagree);
    }
    merged
}

/// Can this loss take rows, whatever holds?
fn certain(ledger: &Ledger, number: u32) -> bool {
    ledger.loss(number).is_some_and(|loss| loss.severity == 0 && !loss.hop.in_values)
}

/// What one way loses, another brings, and after newer events: that is the first one then, and all that is missing is what no
/// way brings.
fn comes_late(ledger: &Ledger, state: &mut State) {
    let missing = state.losses.iter().any(|number| certain(ledger, *number));
    for copy in &mut state.copies {
        copy.bereft = copy.class == CopyClass::SecondPath || copy.bereft && missing;
    }
}

/// A link that names the columns of the record key of all inputs, where that is the same key.
fn same_key(graph: &Graph<'_>, inputs: &[Box<State>]) -> Option<Place> {
    let first = inputs.first()?.keyed_by?;
    let key = |by: Place| Some(graph.fact(by, write::KEY)?.value);
    let columns = key(first);
    let same = |by: Place| by == first || (columns.is_some() && key(by) == columns);
    inputs.iter().all(|input| input.keyed_by.is_some_and(same)).then_some(first)
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

/// Copies that come in on another way than the first one; ids that are made anew at these places are those of no other way.
fn second_way(at: Place, redrawn: &[Place]) -> Vec<Instance> {
    let copies = Instance { isolated: true, coordinates: false, ..Instance::new(CopyClass::SecondPath, at) };
    copies.with_ids_of(redrawn)
}

/// What ways of the same event have apart.
#[derive(Default)]
struct Apart {
    /// Where ids were made anew on one of two ways and not on the other.
    redrawn: Vec<Place>,
    /// Can one of two lose rows that the other does not?
    loses: bool,
}

fn apart(ledger: &Ledger, inputs: &[Box<State>]) -> Apart {
    let mut apart = Apart::default();
    let alone = |one: &State, other: &State| {
        one.losses.iter().any(|number| certain(ledger, *number) && other.losses.binary_search(number).is_err())
    };
    for (at, one) in inputs.iter().enumerate() {
        let differing = inputs[..at].iter().filter(|other| other.redrawn != one.redrawn || other.losses != one.losses);
        for other in differing.filter(|other| overlap(one, other)) {
            if other.redrawn != one.redrawn {
                unite(&mut apart.redrawn, &one.redrawn);
                unite(&mut apart.redrawn, &other.redrawn);
            }
            apart.loses |= alone(one, other) || alone(other, one);
        }
    }
    apart
}

/// Gives each write of one store the copies that come in over its other writes.
pub(super) fn beside(at: Place, writes: &mut [(usize, Box<State>)]) {
    let repeated = |number: usize| {
        let one = &writes[number].1;
        let others = writes.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, (_, other))| other);
        let same: Vec<&State> = others.map(AsRef::as_ref).filter(|other| overlap(one, other)).collect();
        if same.is_empty() {
            return Vec::new();
        }
        let mut redrawn = Vec::new();
        for other in same.iter().filter(|other| other.redrawn != one.redrawn) {
            unite(&mut redrawn, &one.redrawn);
            unite(&mut redrawn, &other.redrawn);
        }
        // Read from the same log, they have the same place in it.
        let coordinates = one.log.is_some() && same.iter().all(|other| other.log == one.log);
        second_way(at, &redrawn).into_iter().map(|copies| Instance { coordinates, ..copies }).collect()
    };
    let repeated: Vec<Vec<Instance>> = (0..writes.len()).map(repeated).collect();
    for ((_, state), copies) in writes.iter_mut().zip(repeated) {
        copies.into_iter().for_each(|copies| state.add(copies));
    }
}

/// What can be lost of events that come in on several ways: those of one kind only where every input that carries all of
/// them loses them.
fn lost(ledger: &Ledger, inputs: &[Box<State>]) -> Vec<u32> {
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
