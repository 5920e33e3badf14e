//! What goes along the flow: values from element to element, event types, and the consumers at its end.

use super::{Context, Set};
use crate::{
    analysis::graph::{Edge, Graph},
    model::{Element, ElementKind, Id, Link, Port},
    sorted,
};
use std::rc::Rc;

/// The event types of an element: on its main output, and on its input (which late and dead letters carry).
#[derive(Default)]
pub(super) struct Events<'a> {
    main: Kinds<'a>,
    input: Kinds<'a>,
}

/// Event types in id order, shared by all elements that the same ones reach; `None`: no event type is known.
type Kinds<'a> = Option<Rc<[&'a Id]>>;

fn with<'a>(kinds: &Kinds<'a>, more: &Kinds<'a>) -> Kinds<'a> {
    let (Some(own), Some(others)) = (kinds, more) else { return kinds.as_ref().or(more.as_ref()).map(Rc::clone) };
    if others.iter().all(|kind| own.contains(kind)) {
        return Some(Rc::clone(own));
    }
    let mut all: Vec<&Id> = own.iter().chain(others.iter()).copied().collect();
    sorted::sort(&mut all);
    all.dedup();
    Some(all.into())
}

/// One value for each of some elements, found by id.
pub(in crate::rules) struct Along<'a, T> {
    graph: &'a Graph<'a>,
    /// By number of the element.
    values: Vec<Option<T>>,
}

impl<'a, T> Along<'a, T> {
    /// The value of an element, where it has one.
    pub fn get(&self, id: &Id) -> Option<&T> {
        self.values[self.graph.find(id)?].as_ref()
    }

    /// What is made of each value, where anything is.
    pub fn and_then<U>(self, of: impl Fn(T) -> Option<U>) -> Along<'a, U> {
        Along { graph: self.graph, values: self.values.into_iter().map(|value| of(value?)).collect() }
    }
}

impl<'a> Context<'a> {
    /// The consumers behind an element, in id order. Walks the design: for places that ask seldom.
    #[must_use]
    pub fn consumers_behind(&self, id: &'a Id) -> Vec<&'a Id> {
        let (mut seen, mut stack, mut found): (Set<'a>, _, _) = (Set::default(), vec![id], Vec::new());
        while let Some(at) = stack.pop() {
            if !seen.insert(at) {
                continue;
            }
            match self.kind(at) {
                Some(ElementKind::Consumer) => found.push(at),
                Some(ElementKind::Job) => stack.extend(self.operators_of(at)),
                _ => {}
            }
            let on = self.from(at).filter(|(_, link)| link.port != Some(Port::Reconcile));
            stack.extend(on.map(|(_, link)| &link.to));
        }
        sorted::sort(&mut found);
        found
    }

    /// One value for every element from those of the elements in front of it, in flow order. Where a cycle closes, what
    /// comes round counts as nothing.
    pub(in crate::rules) fn forward<T>(
        &self,
        of: impl Fn(&'a Id, &[(&'a Id, &'a Link, &T)]) -> Option<T>,
    ) -> Along<'a, T> {
        self.pass(self.graph.order.iter().copied(), Graph::ins, |edge| edge.from, of)
    }

    /// One value for every element from those of the elements behind it.
    pub(in crate::rules) fn backward<T>(
        &self,
        of: impl Fn(&'a Id, &[(&'a Id, &'a Link, &T)]) -> Option<T>,
    ) -> Along<'a, T> {
        self.pass(self.graph.order.iter().rev().copied(), Graph::outs, |edge| edge.to, of)
    }

    fn pass<T>(
        &self,
        order: impl Iterator<Item = usize>,
        edges: fn(&'a Graph<'a>, usize) -> &'a [usize],
        end: fn(&Edge<'a>) -> usize,
        of: impl Fn(&'a Id, &[(&'a Id, &'a Link, &T)]) -> Option<T>,
    ) -> Along<'a, T> {
        let graph = self.graph;
        let mut values: Vec<Option<T>> = Vec::new();
        values.resize_with(graph.nodes.len(), || None);
        for number in order {
            let node = &graph.nodes[number];
            let near = edges(graph, number).iter().map(|edge| &graph.edges[*edge]);
            let mut inputs = near.filter_map(|edge| Some((edge.id, edge.link, values[end(edge)].as_ref()?)));
            // Most elements have one neighbour or none, which takes no list.
            values[number] = match (inputs.next(), inputs.next()) {
                (None, _) => of(node.id, &[]),
                (Some(only), None) => of(node.id, &[only]),
                (Some(first), Some(second)) => {
                    let all: Vec<_> = [first, second].into_iter().chain(inputs).collect();
                    of(node.id, &all)
                }
            };
        }
        Along { graph, values }
    }

    /// The event types that reach an element, in id order: what the nearest operators emit, else what the sources emit.
    /// Late and dead-letter outputs carry what came in, not what the operator makes of it.
    #[must_use]
    pub fn events_at(&self, id: &Id) -> &[&'a Id] {
        let events = self.events.get_or_init(|| {
            self.forward(|id, inputs: &[(&Id, &Link, &Events<'a>)]| {
                let mut events = Events::default();
                for (_, link, from) in inputs {
                    let rest = matches!(link.port, Some(Port::Late | Port::DeadLetter));
                    events.input = with(&events.input, if rest { &from.input } else { &from.main });
                }
                events.main = match self.subject(id)?.element()? {
                    Element::Source { event: Some(event) } | Element::Operator { emits: Some(event), .. } => {
                        Some(Rc::new([event]))
                    }
                    _ => events.input.clone(),
                };
                Some(events)
            })
        });
        let Some(events) = events.get(id) else { return &[] };
        let source = self.kind(id) == Some(ElementKind::Source);
        if source { &events.main } else { &events.input }.as_deref().unwrap_or_default()
    }
}
