//! What concerns a consumer: all that stands on a way to it, in each of the two views.

use super::Presence;
use crate::{
    model::{Design, Element, ElementKind, Id, Link, Port, Shape, View},
    rules::{
        Review,
        context::{Map, Set},
    },
};

/// The links of a design in two views.
pub(super) struct Ways<'d> {
    design: &'d Design,
    before: Entering<'d>,
    after: Entering<'d>,
    all: Set<'d>,
}

/// Links by the element that they enter and leave.
struct Entering<'d> {
    links: Vec<(&'d Id, &'d Link)>,
    into: Map<'d, Vec<usize>>,
    from: Map<'d, Vec<usize>>,
}

/// What concerns one consumer.
pub(super) struct Scope<'d> {
    before: Set<'d>,
    after: Set<'d>,
    ids: Vec<&'d Id>,
}

impl<'d> Ways<'d> {
    /// Of the views of two reviews.
    pub fn between(design: &'d Design, before: &Review, after: &Review) -> Self {
        let (before, after) = (Entering::of(design, before.view), Entering::of(design, after.view));
        let mut ways = Self { design, before, after, all: Set::default() };
        let consumers: Vec<&Id> = design
            .elements
            .iter()
            .filter(|(_, of)| of.kind() == Some(ElementKind::Consumer))
            .map(|(id, _)| id)
            .collect();
        let mut all = ways.before.reaching(design, consumers.clone());
        all.extend(ways.after.reaching(design, consumers));
        ways.all = all;
        ways
    }

    /// What concerns a consumer; of one that exists on one side only, what concerns it there.
    pub fn of(&self, id: &Id, presence: Presence) -> Scope<'d> {
        let Some((id, _)) = self.design.elements.get_key_value(id) else {
            return Scope { before: Set::default(), after: Set::default(), ids: Vec::new() };
        };
        let (mut before, mut after) =
            (self.before.reaching(self.design, vec![id]), self.after.reaching(self.design, vec![id]));
        match presence {
            Presence::Both => {}
            Presence::Added => before.clone_from(&after),
            Presence::Removed => after.clone_from(&before),
        }
        let held = |id: &&Id| before.contains(*id) || after.contains(*id);
        let ids = self.design.elements.keys().filter(held).collect();
        Scope { before, after, ids }
    }

    /// Does any consumer depend on this?
    pub fn concerns_anybody(&self, id: &Id) -> bool {
        self.all.contains(id)
    }
}

impl<'d> Entering<'d> {
    fn of(design: &'d Design, view: View) -> Self {
        let (mut into, mut from): (Map<'d, Vec<usize>>, Map<'d, Vec<usize>>) = Default::default();
        let mut links = Vec::new();
        for (id, subject) in &design.links {
            let Some(link) = subject.as_link().filter(|link| link.port != Some(Port::Reconcile)) else { continue };
            if [id, &link.from, &link.to].into_iter().all(|id| design.visible(view, id)) {
                into.entry(&link.to).or_default().push(links.len());
                from.entry(&link.from).or_default().push(links.len());
                links.push((id, link));
            }
        }
        Self { links, into, from }
    }

    /// Elements from which one of these can be reached, what takes the records that they set aside, the links between
    /// them, their jobs, clusters and events.
    fn reaching(&self, design: &'d Design, from: Vec<&'d Id>) -> Set<'d> {
        let mut seen: Set<'d> = from.iter().copied().collect();
        let mut stack = from;
        while let Some(at) = stack.pop() {
            for (id, link) in self.of_list(&self.into, at) {
                seen.insert(id);
                if seen.insert(&link.from) {
                    stack.push(&link.from);
                }
            }
        }
        let elements: Vec<&'d Id> = seen.iter().copied().collect();
        for id in elements {
            for (link_id, link) in self.of_list(&self.from, id).filter(|(_, link)| link.port.is_some()) {
                seen.insert(link_id);
                seen.insert(&link.to);
                seen.extend(around(design, &link.to));
            }
            seen.extend(around(design, id));
        }
        seen
    }

    fn of_list<'s>(
        &'s self,
        of: &'s Map<'d, Vec<usize>>,
        id: &Id,
    ) -> impl Iterator<Item = (&'d Id, &'d Link)> + use<'s, 'd> {
        of.get(id).into_iter().flatten().filter_map(|at| self.links.get(*at)).copied()
    }
}

/// The job, the clusters and the event of an element.
fn around<'d>(design: &'d Design, id: &Id) -> Vec<&'d Id> {
    let Some(subject) = design.elements.get(id) else { return Vec::new() };
    let mut all: Vec<&'d Id> = subject.cluster.iter().collect();
    match &subject.shape {
        Shape::Element(Element::Source { event }) => all.extend(event),
        Shape::Element(Element::Operator { job, emits, .. }) => {
            all.push(job);
            all.extend(emits);
            all.extend(design.elements.get(job).and_then(|job| job.cluster.as_ref()));
        }
        _ => {}
    }
    all
}

impl<'d> Scope<'d> {
    /// The elements, in id order.
    pub fn ids(&self) -> impl Iterator<Item = &'d Id> {
        self.ids.iter().copied()
    }

    /// Does it hold this, before or after?
    pub fn holds(&self, id: &Id) -> bool {
        self.before.contains(id) || self.after.contains(id)
    }

    /// Did one of these concern the consumer before?
    pub fn before(&self, about: &[Id]) -> bool {
        about.iter().any(|id| self.before.contains(id))
    }

    /// Does one of these concern the consumer afterwards?
    pub fn after(&self, about: &[Id]) -> bool {
        about.iter().any(|id| self.after.contains(id))
    }

    /// Do claims wait for a fact in the one review that they do not wait for in the other?
    pub fn blinder(&self, one: &Review, other: &Review) -> bool {
        self.ids.iter().any(|id| {
            let unknown = |review: &Review| review.consumers.get(id).map(|of| of.delivery.unknown.clone());
            let (Some(one), Some(other)) = (unknown(one), unknown(other)) else { return false };
            one.iter().any(|missing| !other.contains(missing))
        })
    }
}
