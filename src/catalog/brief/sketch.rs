//! Putting a design together in code.

use crate::model::{
    Columns, Design, Element, Evidence, EvidenceBasis, Facts, Id, Link, Measured, Port, Shape, Step, Subject,
};
use crate::sorted::SortedMap;

/// A design that grows, with one evidence entry for what the person said.
pub(super) struct Sketch {
    /// The design so far.
    pub design: Design,
    said: Id,
}

/// An id that is written here; every one of them is legal.
pub(super) fn id(text: &str) -> Id {
    Id::new(text).unwrap_or_else(|_| Id::slug(text, "x"))
}

/// Column names.
pub(super) fn columns(names: &[&str]) -> Columns {
    Columns(names.iter().map(|name| (*name).into()).collect())
}

/// One plain value of a measurement.
pub(super) const fn plain<T>(value: T) -> Measured<T> {
    Measured { plain: Some(value), statistics: SortedMap::new() }
}

/// A cluster of which only the system is known.
pub(super) fn cluster(system: &str) -> Subject {
    let mut subject = Subject::new(Shape::Cluster { environment: None, trust_zone: None });
    subject.system = Some(system.into());
    subject
}

impl Sketch {
    pub(super) fn new(name: &str) -> Self {
        let said = id("e1");
        let mut design = Design { name: Some(name.into()), ..Design::default() };
        let evidence =
            Evidence { basis: Some(EvidenceBasis::Stated), from: Some("short brief".into()), ..Evidence::default() };
        design.records.evidence.insert(said.clone(), evidence);
        Self { design, said }
    }

    fn add(&mut self, base: &Id, name: &str, element: Element) -> Id {
        let at = self.design.fresh_id(base);
        let mut subject = Subject::new(Shape::Element(element));
        subject.name = (name != at.as_str()).then(|| name.into());
        self.design.elements.insert(at.clone(), subject);
        at
    }

    fn system(&mut self, at: &Id, system: Option<&str>) {
        if let Some(subject) = self.design.elements.get_mut(at) {
            subject.system = system.map(Into::into);
        }
    }

    fn cluster_of(&mut self, at: &Id, name: &str, system: &str) {
        let place = id(name);
        self.design.clusters.entry(place.clone()).or_insert_with(|| cluster(system));
        if let Some(subject) = self.design.elements.get_mut(at) {
            subject.cluster = Some(place);
        }
    }

    pub(super) fn event(&mut self, name: &str) -> Id {
        let at = self.design.fresh_id(&Id::slug(name, "event"));
        let mut subject = Subject::new(Shape::Event);
        subject.name = (name != at.as_str()).then(|| name.into());
        self.design.events.insert(at.clone(), subject);
        at
    }

    pub(super) fn source(&mut self, system: Option<&str>, event: &Id) -> Id {
        let at = self.add(&id("source"), "source", Element::Source { event: Some(event.clone()) });
        self.system(&at, system);
        at
    }

    pub(super) fn channel(&mut self, base: &str, name: &str) -> Id {
        let at = self.add(&id(base), name, Element::Channel { role: None });
        self.cluster_of(&at, "kafka", "kafka");
        at
    }

    pub(super) fn job(&mut self, name: &str, system: &str) -> Id {
        let at = self.add(&id(name), name, Element::Job);
        self.system(&at, Some(system));
        at
    }

    pub(super) fn operator(&mut self, name: &str, job: &Id, step: Step) -> Id {
        let words = name.replace('_', " ");
        self.add(&id(name), &words, Element::Operator { job: job.clone(), step, emits: None })
    }

    /// A connector: a job on the Connect cluster with one copying step.
    pub(super) fn connector(&mut self, name: &str) -> (Id, Id) {
        let job = self.job(name, "kafka_connect");
        self.cluster_of(&job, "connect", "kafka_connect");
        let copy = self.operator(&format!("{name}_rows"), &job, Step::Copy);
        (job, copy)
    }

    /// A consumer service with one step.
    pub(super) fn service(&mut self, name: &str, step: Step) -> (Id, Id) {
        let job = self.job(name, "plain_consumer");
        let operator = self.operator(&format!("{name}_each"), &job, step);
        (job, operator)
    }

    pub(super) fn sink(&mut self, system: Option<&str>) -> Id {
        let at = self.add(&id("destination"), "destination", Element::Sink);
        self.system(&at, system);
        at
    }

    pub(super) fn consumer(&mut self, name: &str) -> Id {
        self.add(&id(name), name, Element::Consumer { question: None })
    }

    pub(super) fn link(&mut self, from: &Id, to: &Id, port: Option<Port>) -> Id {
        let at = self.design.next_id('l', &|_| false);
        let ends = Link { from: from.clone(), to: to.clone(), port, into: None };
        self.design.links.insert(at.clone(), Subject::new(Shape::Link(ends)));
        at
    }

    /// What the drawing decides about an element.
    pub(super) fn proposed(&mut self, at: &Id, facts: impl FnOnce(Facts) -> Facts) {
        propose(self.design.elements.get_mut(at), facts);
    }

    /// What the drawing decides about a link.
    pub(super) fn link_proposed(&mut self, at: &Id, facts: impl FnOnce(Facts) -> Facts) {
        propose(self.design.links.get_mut(at), facts);
    }

    /// What the drawing decides about the event type.
    pub(super) fn event_proposed(&mut self, at: &Id, facts: impl FnOnce(Facts) -> Facts) {
        propose(self.design.events.get_mut(at), facts);
    }

    /// What the drawing decides about a cluster.
    pub(super) fn cluster_proposed(&mut self, name: &str, facts: impl FnOnce(Facts) -> Facts) {
        propose(self.design.clusters.get_mut(&id(name)), facts);
    }

    /// What the person said about an element.
    pub(super) fn stated(&mut self, at: &Id, facts: impl FnOnce(Facts) -> Facts) {
        let said = self.said.clone();
        if let Some(subject) = self.design.elements.get_mut(at) {
            let slot = subject.observed.entry(said).or_default();
            *slot = facts(std::mem::take(slot));
        }
    }
}

fn propose(subject: Option<&mut Subject>, facts: impl FnOnce(Facts) -> Facts) {
    if let Some(subject) = subject {
        subject.proposed = facts(std::mem::take(&mut subject.proposed));
    }
}
