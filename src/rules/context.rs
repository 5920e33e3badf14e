//! What a rule reads: the design in one view, its report, and the few questions about the graph that rules ask.

use crate::{
    analysis::Report,
    catalog::{self, Engine, Entry},
    model::{
        Design, Element, ElementKind, FieldValue, Id, Key, Known, Link, Port, Shape, Step, Subject, View, key,
        words::{Accumulation, AggregateFunction, Isolation, OutputCommit, ProcessingGuarantee},
    },
};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// A design in one view with its report.
pub struct Context<'a> {
    /// The design.
    pub design: &'a Design,
    /// What the analysis says about it.
    pub report: &'a Report,
    /// The view of the report.
    pub view: View,
    links: Vec<(&'a Id, &'a Link)>,
    outgoing: HashMap<&'a Id, Vec<usize>>,
    incoming: HashMap<&'a Id, Vec<usize>>,
    before_loss: HashSet<&'a Id>,
    before_repeats: HashSet<&'a Id>,
    before_money: HashSet<&'a Id>,
}

impl<'a> Context<'a> {
    /// Of a design and its report.
    #[must_use]
    pub fn new(design: &'a Design, report: &'a Report) -> Self {
        let view = report.view;
        let seen = |id: &Id| design.elements.contains_key(id) && design.visible(view, id);
        let links: Vec<(&Id, &Link)> = design
            .links
            .iter()
            .filter_map(|(id, subject)| Some((id, subject.as_link()?)))
            .filter(|(id, link)| design.visible(view, id) && seen(&link.from) && seen(&link.to))
            .collect();
        let (mut outgoing, mut incoming) = (HashMap::new(), HashMap::new());
        for (at, (_, link)) in links.iter().enumerate() {
            outgoing.entry(&link.from).or_insert_with(Vec::new).push(at);
            incoming.entry(&link.to).or_insert_with(Vec::new).push(at);
        }
        let none = HashSet::new;
        let (before_loss, before_repeats, before_money) = (none(), none(), none());
        let context =
            Self { design, report, view, links, outgoing, incoming, before_loss, before_repeats, before_money };
        let not = |id: &Id, key| context.get(id, key) != Some(true);
        let before_loss = context.before(|id| not(id, key::consumer::LOSS_TOLERATED));
        let before_repeats = context.before(|id| not(id, key::consumer::DUPLICATES_TOLERATED));
        let weighs_more = |id: &Id| context.get(id, key::consumer::CRITICALITY).is_some_and(super::weighs_more);
        let before_money = context.before(weighs_more);
        Self { before_loss, before_repeats, before_money, ..context }
    }

    /// Every element from which a consumer of this kind can be reached.
    fn before(&self, of: impl Fn(&Id) -> bool) -> HashSet<&'a Id> {
        let mut stack: Vec<&Id> = self.elements(ElementKind::Consumer).map(|(id, _)| id).filter(|id| of(id)).collect();
        let mut seen: HashSet<&Id> = stack.iter().copied().collect();
        while let Some(at) = stack.pop() {
            for (_, link) in self.into(at) {
                if link.port != Some(Port::Reconcile) && seen.insert(&link.from) {
                    stack.push(&link.from);
                    stack.extend(self.design.job_of(&link.from).filter(|job| seen.insert(job)));
                }
            }
        }
        seen
    }

    fn stands_before(&self, consumers: &HashSet<&'a Id>, id: &Id) -> bool {
        match self.design.links.get(id).and_then(Subject::as_link) {
            Some(link) => consumers.contains(&link.to),
            None => consumers.contains(id),
        }
    }

    /// Visible elements of a kind, in id order.
    pub fn elements(&self, kind: ElementKind) -> impl Iterator<Item = (&'a Id, &'a Subject)> {
        let (design, view) = (self.design, self.view);
        design.elements.iter().filter(move |(id, subject)| subject.kind() == Some(kind) && design.visible(view, id))
    }

    /// Visible operators with their job and step.
    pub fn operators(&self) -> impl Iterator<Item = (&'a Id, &'a Id, Step)> {
        self.elements(ElementKind::Operator).filter_map(|(id, subject)| match subject.element()? {
            Element::Operator { job, step, .. } => Some((id, job, *step)),
            _ => None,
        })
    }

    /// All visible links whose ends are visible.
    pub fn links(&self) -> impl Iterator<Item = (&'a Id, &'a Link)> {
        self.links.iter().copied()
    }

    /// Links that leave an element.
    pub fn from(&self, id: &Id) -> impl Iterator<Item = (&'a Id, &'a Link)> {
        self.outgoing.get(id).into_iter().flatten().filter_map(|at| self.links.get(*at)).copied()
    }

    /// Links that enter an element.
    pub fn into(&self, id: &Id) -> impl Iterator<Item = (&'a Id, &'a Link)> {
        self.incoming.get(id).into_iter().flatten().filter_map(|at| self.links.get(*at)).copied()
    }

    /// The value of a setting, where there is one.
    #[must_use]
    pub fn get<T: FieldValue>(&self, id: &Id, key: Key<T>) -> Option<T> {
        self.design.get(self.view, id, key).value()
    }

    /// The kind of an element.
    #[must_use]
    pub fn kind(&self, id: &Id) -> Option<ElementKind> {
        self.design.kind(id)
    }

    /// As people see it.
    #[must_use]
    pub fn title(&self, id: &Id) -> String {
        self.design.title(id)
    }

    /// The catalogue entry of an element's system.
    #[must_use]
    pub fn entry(&self, id: &Id) -> Option<&'static Entry> {
        catalog::entry(self.design.system(id)?)
    }

    /// Is this the system of an element?
    #[must_use]
    pub fn runs(&self, id: &Id, system: &str) -> bool {
        self.design.system(id).is_some_and(|s| &**s == system)
    }

    /// The engine of a job or operator.
    #[must_use]
    pub fn engine(&self, id: &Id) -> Option<&'static Engine> {
        self.entry(id)?.engine
    }

    /// The elements that can be reached along links, comparisons apart; the start among them.
    #[must_use]
    pub fn downstream(&self, start: &'a Id) -> Vec<&'a Id> {
        self.reach(start, |id| self.from(id).collect(), |link| &link.to)
    }

    /// The elements from which this one can be reached; the start among them.
    #[must_use]
    pub fn upstream(&self, start: &'a Id) -> Vec<&'a Id> {
        self.reach(start, |id| self.into(id).collect(), |link| &link.from)
    }

    fn reach(
        &self,
        start: &'a Id,
        step: impl Fn(&Id) -> Vec<(&'a Id, &'a Link)>,
        end: impl Fn(&'a Link) -> &'a Id,
    ) -> Vec<&'a Id> {
        let (mut seen, mut order, mut queue) = (BTreeSet::from([start]), vec![start], VecDeque::from([start]));
        while let Some(at) = queue.pop_front() {
            for (_, link) in step(at) {
                let next = end(link);
                if link.port != Some(Port::Reconcile) && seen.insert(next) {
                    order.push(next);
                    queue.push_back(next);
                }
            }
        }
        order
    }

    /// The consumers behind an element, link or job.
    #[must_use]
    pub fn consumers_behind(&self, id: &'a Id) -> Vec<&'a Id> {
        let starts: Vec<&Id> = match self.design.subject(id).map(|subject| &subject.shape) {
            Some(Shape::Link(link)) => vec![&link.to],
            Some(Shape::Element(Element::Job)) => self.design.operators_of(id).map(|(operator, _)| operator).collect(),
            _ => vec![id],
        };
        let mut found: Vec<&Id> = starts
            .into_iter()
            .flat_map(|start| self.downstream(start))
            .filter(|at| self.kind(at) == Some(ElementKind::Consumer) && self.design.visible(self.view, at))
            .collect();
        found.sort();
        found.dedup();
        found
    }

    /// Is there a consumer behind this element or link that has not said that loss is fine?
    #[must_use]
    pub fn loss_matters(&self, id: &Id) -> bool {
        self.stands_before(&self.before_loss, id)
    }

    /// Is there a consumer behind this element or link that has not said that repeats are fine?
    #[must_use]
    pub fn repeats_matter(&self, id: &Id) -> bool {
        self.stands_before(&self.before_repeats, id)
    }

    /// Does a financial or regulatory consumer stand behind it?
    #[must_use]
    pub fn about_money(&self, id: Option<&Id>) -> bool {
        id.is_some_and(|id| self.stands_before(&self.before_money, id))
    }

    /// Sums, counts and lists: what a repeat changes.
    #[must_use]
    pub fn additive(&self, operator: &Id) -> bool {
        match self.get(operator, key::operator::FUNCTION) {
            Some(
                AggregateFunction::Count | AggregateFunction::Sum | AggregateFunction::Avg | AggregateFunction::List,
            ) => true,
            Some(AggregateFunction::Custom) => {
                self.get(operator, key::operator::ACCUMULATION) == Some(Accumulation::Additive)
            }
            _ => false,
        }
    }

    /// Is what this writer puts into a log only valid once its transaction commits?
    #[must_use]
    pub fn writes_transactions(&self, link: &Id, from: &Id) -> bool {
        let own = self.get(link, key::write::OUTPUT_COMMIT);
        if matches!(own, Some(OutputCommit::TwoPhase | OutputCommit::WithPosition)) {
            return true;
        }
        let job = self.design.job_of(from).unwrap_or(from);
        let guarantee = self.get(job, key::job::PROCESSING_GUARANTEE);
        let engine = self.engine(from).and_then(|engine| engine.mode(guarantee)).and_then(|mode| mode.output);
        own.is_none()
            && guarantee == Some(ProcessingGuarantee::ExactlyOnce)
            && engine == Some(OutputCommit::WithPosition)
    }

    /// The isolation a reader works with: as set, else (read as not set) the documented default of its engine.
    #[must_use]
    pub fn isolation(&self, link: &Id, reader: &Id) -> Option<Isolation> {
        match self.design.get(self.view, link, key::read::ISOLATION) {
            Known::Value(fact) => Some(fact.value),
            Known::Unset(_) => self.engine(reader).and_then(|engine| engine.default_isolation),
            _ => None,
        }
    }

    /// All visible elements, sources first, each after what it reads; links stand right behind their from-end. Where a
    /// cycle leaves no first, the first by id goes on.
    #[must_use]
    pub fn flow_order(&self) -> Vec<&'a Id> {
        let all: Vec<&Id> = self.design.elements.keys().filter(|id| self.design.visible(self.view, id)).collect();
        let main = |link: &Link| link.port != Some(Port::Reconcile);
        let mut waits: HashMap<&Id, usize> =
            all.iter().map(|id| (*id, self.into(id).filter(|(_, link)| main(link)).count())).collect();
        let free = all.iter().filter(|id| waits.get(*id) == Some(&0)).copied().collect::<Vec<_>>();
        let (mut order, mut seen) = (Vec::new(), HashSet::new());
        for start in free.into_iter().chain(all) {
            let mut stack = vec![start];
            while let Some(at) = stack.pop() {
                if !seen.insert(at) {
                    continue;
                }
                order.push(at);
                for (id, link) in self.from(at) {
                    order.push(id);
                    let Some(count) = waits.get_mut(&link.to).filter(|_| main(link)) else { continue };
                    *count = count.saturating_sub(1);
                    if *count == 0 {
                        stack.push(&link.to);
                    }
                }
            }
        }
        order
    }
}
