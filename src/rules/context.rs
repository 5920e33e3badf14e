//! What a rule reads: the design in one view, its report, and the few questions about the graph that rules ask.

mod along;
mod copies;

use crate::{
    analysis::{Report, graph::Graph},
    catalog::{self, Engine, Entry},
    model::{
        Design, Element, ElementKind, FieldValue, Hashed, Id, Key, Known, Lifecycle, Link, Port, Settings, Step,
        Subject, View, key,
        words::{Accumulation, AggregateFunction, Isolation, OutputCommit, ProcessingGuarantee},
    },
};
use std::{
    borrow::Cow,
    cell::OnceCell,
    collections::{HashMap, HashSet, VecDeque},
};

use along::Events;

/// A design in one view with its report. Everything that many rules ask is worked out once.
pub struct Context<'a> {
    /// The design.
    pub design: &'a Design,
    /// What the analysis says about it.
    pub report: &'a Report,
    /// The view of the report.
    pub view: View,
    subjects: Map<'a, Held<'a>>,
    shown: Vec<&'a Id>,
    kinds: Vec<Vec<(&'a Id, &'a Subject)>>,
    operators: Vec<(&'a Id, &'a Id, Step)>,
    by_job: Map<'a, Vec<&'a Id>>,
    links: Vec<(&'a Id, &'a Link)>,
    outgoing: Map<'a, Vec<usize>>,
    incoming: Map<'a, Vec<usize>>,
    order: Vec<&'a Id>,
    before_loss: Set<'a>,
    before_repeats: Set<'a>,
    before_money: Set<'a>,
    events: OnceCell<Map<'a, Events<'a>>>,
    copies: OnceCell<copies::Shown<'a>>,
    next_link: OnceCell<Id>,
}

/// A subject of any section; of what the view shows, with its settings.
struct Held<'a> {
    subject: &'a Subject,
    settings: Option<Cow<'a, Settings<'a>>>,
}

/// A map by id for look-ups; its order is never used.
pub(in crate::rules) type Map<'a, T> = HashMap<&'a Id, T, Hashed>;
/// A set of ids for look-ups; its order is never used.
pub(in crate::rules) type Set<'a> = HashSet<&'a Id, Hashed>;

/// As [`Design::visible`], for an element at hand.
fn is_visible(design: &Design, view: View, id: &Id, subject: &Subject) -> bool {
    let own =
        subject.lifecycle.or_else(|| (subject.kind() != Some(ElementKind::Operator)).then_some(Lifecycle::Planned));
    match own {
        Some(lifecycle) => lifecycle != if view == View::AsIs { Lifecycle::Planned } else { Lifecycle::Retiring },
        None => design.visible(view, id),
    }
}

impl<'a> Context<'a> {
    /// Of the graph of a design and its report.
    #[must_use]
    pub fn new(graph: &'a Graph<'a>, report: &'a Report) -> Self {
        let (design, view) = (graph.design, graph.view);
        let drawn = design.elements.iter().chain(&design.links);
        let mut subjects: Map<'a, Held<'a>> =
            drawn.map(|(id, subject)| (id, Held { subject, settings: None })).collect();
        for (id, subject, settings) in graph.shown() {
            subjects.insert(id, Held { subject, settings: Some(Cow::Borrowed(settings)) });
        }
        for (id, subject) in design.events.iter().chain(&design.clusters) {
            let shown = design.visible(view, id);
            let settings = shown.then(|| Cow::Owned(Settings::of(design, view, id, subject)));
            subjects.insert(id, Held { subject, settings });
        }
        let mut context = Self {
            design,
            report,
            view,
            subjects,
            shown: Vec::new(),
            kinds: vec![Vec::new(); ElementKind::ALL.len()],
            operators: Vec::new(),
            by_job: Map::default(),
            links: Vec::new(),
            outgoing: Map::default(),
            incoming: Map::default(),
            order: Vec::new(),
            before_loss: Set::default(),
            before_repeats: Set::default(),
            before_money: Set::default(),
            events: OnceCell::new(),
            copies: OnceCell::new(),
            next_link: OnceCell::new(),
        };
        context.index();
        context.order = context.elements_in_flow();
        let not = |id: &Id, key| context.get(id, key) != Some(true);
        let before_loss = context.before(|id| not(id, key::consumer::LOSS_TOLERATED));
        let before_repeats = context.before(|id| not(id, key::consumer::DUPLICATES_TOLERATED));
        let weighs_more = |id: &Id| context.get(id, key::consumer::CRITICALITY).is_some_and(super::weighs_more);
        let before_money = context.before(weighs_more);
        Self { before_loss, before_repeats, before_money, ..context }
    }

    fn index(&mut self) {
        let (design, view) = (self.design, self.view);
        let mut seen = Set::default();
        for (id, subject) in &design.elements {
            let Some(element) = subject.element().filter(|_| is_visible(design, view, id, subject)) else { continue };
            seen.insert(id);
            self.shown.push(id);
            if let Some(list) = self.kinds.get_mut(element.kind() as usize) {
                list.push((id, subject));
            }
            if let Element::Operator { job, step, .. } = element {
                self.operators.push((id, job, *step));
                self.by_job.entry(job).or_default().push(id);
            }
        }
        for (id, subject) in &design.links {
            let Some(link) = subject.as_link() else { continue };
            // A link without a word of its own is as visible as its ends.
            let hidden = subject.lifecycle.is_some() && !design.visible(view, id);
            if hidden || !seen.contains(&link.from) || !seen.contains(&link.to) {
                continue;
            }
            self.outgoing.entry(&link.from).or_default().push(self.links.len());
            self.incoming.entry(&link.to).or_default().push(self.links.len());
            self.links.push((id, link));
        }
    }

    /// Every element from which a consumer of this kind can be reached.
    fn before(&self, of: impl Fn(&Id) -> bool) -> Set<'a> {
        let mut stack: Vec<&Id> = self.elements(ElementKind::Consumer).map(|(id, _)| id).filter(|id| of(id)).collect();
        let mut seen: Set<'a> = stack.iter().copied().collect();
        while let Some(at) = stack.pop() {
            for (_, link) in self.into(at) {
                if link.port != Some(Port::Reconcile) && seen.insert(&link.from) {
                    stack.push(&link.from);
                    stack.extend(self.job_of(&link.from).filter(|job| seen.insert(job)));
                }
            }
        }
        seen
    }

    fn stands_before(&self, consumers: &Set<'a>, id: &Id) -> bool {
        match self.subject(id).and_then(Subject::as_link) {
            Some(link) => consumers.contains(&link.to),
            None => consumers.contains(id),
        }
    }

    /// Visible elements of a kind, in id order.
    pub fn elements(&self, kind: ElementKind) -> impl Iterator<Item = (&'a Id, &'a Subject)> {
        self.kinds.get(kind as usize).into_iter().flatten().copied()
    }

    /// Visible operators with their job and step.
    pub fn operators(&self) -> impl Iterator<Item = (&'a Id, &'a Id, Step)> {
        self.operators.iter().copied()
    }

    /// The visible operators of a job.
    pub fn operators_of(&self, job: &Id) -> impl Iterator<Item = &'a Id> {
        self.by_job.get(job).into_iter().flatten().copied()
    }

    /// What an operator does.
    #[must_use]
    pub fn step(&self, operator: &Id) -> Option<Step> {
        match self.subject(operator)?.element()? {
            Element::Operator { step, .. } => Some(*step),
            _ => None,
        }
    }

    /// The job of an operator.
    #[must_use]
    pub fn job_of(&self, operator: &Id) -> Option<&'a Id> {
        match self.subject(operator)?.element()? {
            Element::Operator { job, .. } => Some(job),
            _ => None,
        }
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
        match self.subjects.get(id)? {
            Held { settings: Some(settings), .. } => settings.value(key).map(|(value, _)| value),
            held => self.resolve(id, held, key).value(),
        }
    }

    /// What is known of a setting.
    #[must_use]
    pub fn known<T: FieldValue>(&self, id: &Id, key: Key<T>) -> Known<T> {
        match self.subjects.get(id) {
            Some(Held { settings: Some(settings), .. }) => settings.get(key),
            Some(held) => self.resolve(id, held, key),
            None => Known::NotKnown(key.field().row().nature),
        }
    }

    /// Of comparisons, and of what the view hides.
    fn resolve<T: FieldValue>(&self, id: &Id, held: &Held<'a>, key: Key<T>) -> Known<T> {
        if self.view == View::ToBe {
            return self.design.read(self.view, id, held.subject, key);
        }
        self.design.get(self.view, id, key)
    }

    /// The kind of an element.
    #[must_use]
    pub fn kind(&self, id: &Id) -> Option<ElementKind> {
        self.subject(id)?.kind()
    }

    /// As people see it.
    #[must_use]
    pub fn title(&self, id: &Id) -> String {
        let subject = self.subject(id);
        match subject.and_then(Subject::as_link) {
            Some(link) => format!("{} → {}", self.title(&link.from), self.title(&link.to)),
            None => subject.and_then(|subject| subject.name.as_deref()).unwrap_or_else(|| id.as_str()).to_owned(),
        }
    }

    /// A subject of any section.
    #[must_use]
    pub fn subject(&self, id: &Id) -> Option<&'a Subject> {
        Some(self.subjects.get(id)?.subject)
    }

    /// The catalogue id of the system: of an operator its job's, else its own, else its cluster's.
    #[must_use]
    pub fn system(&self, id: &Id) -> Option<&'a str> {
        let subject = self.subject(self.job_of(id).unwrap_or(id))?;
        let of_cluster = || self.subject(subject.cluster.as_ref()?)?.system.as_deref();
        subject.system.as_deref().or_else(of_cluster)
    }

    /// The catalogue entry of an element's system.
    #[must_use]
    pub fn entry(&self, id: &Id) -> Option<&'static Entry> {
        catalog::entry(self.system(id)?)
    }

    /// Is this the system of an element?
    #[must_use]
    pub fn runs(&self, id: &Id, system: &str) -> bool {
        self.system(id) == Some(system)
    }

    /// The engine of a job or operator.
    #[must_use]
    pub fn engine(&self, id: &Id) -> Option<&'static Engine> {
        self.entry(id)?.engine
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
        let job = self.job_of(from).unwrap_or(from);
        let guarantee = self.get(job, key::job::PROCESSING_GUARANTEE);
        let engine = self.engine(from).and_then(|engine| engine.mode(guarantee)).and_then(|mode| mode.output);
        own.is_none()
            && guarantee == Some(ProcessingGuarantee::ExactlyOnce)
            && engine == Some(OutputCommit::WithPosition)
    }

    /// The isolation a reader works with: as set, else (read as not set) the documented default of its engine.
    #[must_use]
    pub fn isolation(&self, link: &Id, reader: &Id) -> Option<Isolation> {
        match self.known(link, key::read::ISOLATION) {
            Known::Value(fact) => Some(fact.value),
            Known::Unset(_) => self.engine(reader).and_then(|engine| engine.default_isolation),
            _ => None,
        }
    }

    /// All visible elements and links in flow order: a link stands right behind its from-end.
    pub fn flow_order(&self) -> impl Iterator<Item = &'a Id> {
        self.order.iter().flat_map(|id| std::iter::once(*id).chain(self.from(id).map(|(link, _)| link)))
    }

    /// All visible elements, sources first, each after what it reads. Where a cycle leaves no first, the element that was
    /// reached first goes on.
    fn elements_in_flow(&self) -> Vec<&'a Id> {
        let all: Vec<&Id> = self.shown.clone();
        let main = |link: &Link| link.port != Some(Port::Reconcile);
        let mut waits: Map<'a, usize> =
            all.iter().map(|id| (*id, self.into(id).filter(|(_, link)| main(link)).count())).collect();
        let mut stack: Vec<&Id> = all.iter().rev().filter(|id| waits.get(*id) == Some(&0)).copied().collect();
        let (mut order, mut seen, mut reached) = (Vec::new(), Set::default(), VecDeque::new());
        let mut rest = all.iter();
        while let Some(at) = stack.pop().or_else(|| reached.pop_front()).or_else(|| rest.next().copied()) {
            if !seen.insert(at) {
                continue;
            }
            order.push(at);
            for (_, link) in self.from(at).filter(|(_, link)| main(link)) {
                let Some(count) = waits.get_mut(&link.to) else { continue };
                *count = count.saturating_sub(1);
                if *count == 0 { stack.push(&link.to) } else { reached.push_back(&link.to) }
            }
        }
        order
    }

    /// An id for one more link; every fix is applied alone, so that all of them may use it.
    pub(in crate::rules) fn next_link(&self) -> Id {
        let next = || self.design.next_id('l', &|id| self.subjects.contains_key(id));
        self.next_link.get_or_init(next).clone()
    }
}
