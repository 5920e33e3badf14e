//! The parts of a design that no way joins: what is worked out of one says nothing of another.

use crate::{
    analysis::{self, Report, graph::Graph},
    model::{Design, Element, Evidence, Id, Numbers, Records, Shape, Subject, View},
    sorted::SortedSet,
};

use super::{Context, Found, Scope, found};

/// What a part is made of, in id order.
#[derive(Default)]
pub(super) struct Members<'d> {
    elements: Vec<(&'d Id, &'d Subject)>,
    links: Vec<(&'d Id, &'d Subject)>,
}

/// The parts of a design, by their first elements: links join their ends, and a job joins its operators, whatever a view
/// shows of them.
pub(super) fn of(design: &Design) -> Vec<Members<'_>> {
    let mut numbers = Numbers::with_room(design.elements.len());
    for (number, id) in design.elements.keys().enumerate() {
        numbers.insert(id, number);
    }
    let mut joined = Joined((0..design.elements.len()).collect());
    for (number, subject) in design.elements.values().enumerate() {
        if let Shape::Element(Element::Operator { job, .. }) = &subject.shape
            && let Some(job) = numbers.get(job)
        {
            joined.join(number, job);
        }
    }
    let end = |subject: &Subject| {
        let link = subject.as_link()?;
        Some((numbers.get(&link.from)?, numbers.get(&link.to)?))
    };
    let ends: Vec<_> = design.links.values().map(end).collect();
    for (from, to) in ends.iter().flatten() {
        joined.join(*from, *to);
    }
    let mut parts: Vec<Members<'_>> = Vec::new();
    let mut part_of = vec![0; design.elements.len()];
    for (number, member) in design.elements.iter().enumerate() {
        // The first element of a part stands for it.
        let first = joined.first(number);
        if first == number {
            part_of[number] = parts.len();
            parts.push(Members::default());
        }
        parts[part_of[first]].elements.push(member);
    }
    for (member, ends) in design.links.iter().zip(ends) {
        if let Some((from, _)) = ends {
            parts[part_of[joined.first(from)]].links.push(member);
        }
    }
    parts
}

/// Sets that grow together; the lowest number of each stands for it.
struct Joined(Vec<usize>);

impl Joined {
    fn first(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// A part with what was worked out of it.
pub(super) struct Part {
    design: Design,
    /// Figures and verdicts.
    pub(super) report: Report,
    /// What rules that look at one part only find in it.
    pub(super) found: Vec<Found>,
}

impl Part {
    /// Works a part of a design out.
    pub(super) fn of(whole: &Design, members: &Members<'_>, view: View) -> Self {
        let design = members.alone(whole);
        let graph = Graph::new(&design, view);
        let report = analysis::report(&graph);
        let found = found(&Context::new(&graph, &report), Scope::Part);
        Self { design, report, found }
    }

    /// The first element.
    pub(super) fn first(&self) -> Option<&Id> {
        self.design.elements.keys().next()
    }

    /// Its elements and links.
    pub(super) fn ids(&self) -> impl Iterator<Item = &Id> {
        self.design.elements.keys().chain(self.design.links.keys())
    }

    /// Is it made of these?
    pub(super) fn is(&self, members: &Members<'_>) -> bool {
        let same = |own: &crate::sorted::SortedMap<Id, Subject>, others: &[(&Id, &Subject)]| {
            own.len() == others.len()
                && own.iter().zip(others).all(|((id, own), (other, subject))| id == *other && own == *subject)
        };
        same(&self.design.elements, &members.elements) && same(&self.design.links, &members.links)
    }
}

impl Members<'_> {
    /// The first element.
    pub(super) fn first(&self) -> Option<&Id> {
        self.elements.first().map(|(id, _)| *id)
    }

    /// A design of this part alone, with all that stands beside the parts and can say something of it.
    fn alone(&self, whole: &Design) -> Design {
        let all = |members: &[(&Id, &Subject)]| {
            members.iter().map(|(id, subject)| ((*id).clone(), (*subject).clone())).collect()
        };
        let mut design = Design {
            elements: all(&self.elements),
            links: all(&self.links),
            events: whole.events.clone(),
            clusters: whole.clusters.clone(),
            ..Design::default()
        };
        design.records = records(&design, &whole.records);
        design
    }
}

/// The records that the analysis of a part may ask for.
fn records(part: &Design, whole: &Records) -> Records {
    let subjects = [&part.elements, &part.links, &part.events, &part.clusters].into_iter().flat_map(|all| all.values());
    let used: SortedSet<&Id> = subjects.flat_map(|subject| subject.observed.keys()).collect();
    // What evidence is about counts only where it could not be had, and an import is about a great deal.
    let copy = |evidence: &Evidence| match evidence.state {
        Some(_) => evidence.clone(),
        None => {
            let Evidence { basis, from, by, at, state, covers, about: _ } = evidence;
            let (basis, from, by, at, covers) = (*basis, from.clone(), by.clone(), at.clone(), covers.clone());
            Evidence { basis, from, by, at, state: *state, covers, about: Vec::new() }
        }
    };
    let needed = |id: &Id, evidence: &Evidence| evidence.state.is_some() || used.contains(&id);
    let evidence = whole.evidence.iter().filter(|(id, evidence)| needed(id, evidence));
    let evidence = evidence.map(|(id, evidence)| (id.clone(), copy(evidence)));
    Records {
        evidence: evidence.collect(),
        actions: whole.actions.clone(),
        decisions: whole.decisions.clone(),
        ..Records::default()
    }
}
