//! What a rule reads: the design in one view, its report, and the few questions about the graph that rules ask.

mod along;
mod beside;
mod copies;
mod holders;
mod reports;

use crate::{
    analysis::{
        Report,
        graph::{Edge, Graph, Lists},
    },
    catalog::{self, Engine, Entry},
    model::{
        Design, Element, ElementKind, FieldValue, Fields, Hashed, Id, Key, Known, Link, Port, Settings, Step, Subject,
        View, key,
        words::{Accumulation, AggregateFunction, Isolation, OutputCommit, ProcessingGuarantee},
    },
    sorted,
};
use std::{
    borrow::Cow,
    cell::{OnceCell, RefCell},
    collections::{HashMap, HashSet},
};

pub(in crate::rules) use along::Along;
use along::Events;
use beside::Beside;
use holders::Holders;

/// A design in one view with its report. Everything that many rules ask is worked out once.
pub struct Context<'a> {
    /// The design.
    pub design: &'a Design,
    /// What the analysis says about it.
    pub report: &'a Report,
    /// The view of the report.
    pub view: View,
    pub(in crate::rules) graph: &'a Graph<'a>,
    /// What anything in the design holds: most questions are for what nothing does.
    held: Fields,
    beside: Beside<'a>,
    kinds: Vec<Vec<(&'a Id, &'a Subject)>>,
    operators: Vec<(&'a Id, &'a Id, Step)>,
    by_job: Map<'a, Vec<&'a Id>>,
    /// By number of the element: which one of its kind it is.
    ranks: Vec<u32>,
    /// With comparisons, in id order.
    links: Vec<(&'a Id, &'a Link)>,
    /// The kinds of the two ends of each link.
    ends: Vec<[ElementKind; 2]>,
    links_holding: Holders,
    elements_holding: Holders,
    outgoing: Lists,
    incoming: Lists,
    before_loss: Vec<bool>,
    before_repeats: Vec<bool>,
    before_money: Vec<bool>,
    events: OnceCell<Along<'a, Events<'a>>>,
    /// See [`super::delivery::resends`].
    pub(in crate::rules) resends: OnceCell<Along<'a, super::delivery::Again<'a>>>,
    /// See [`super::time::measured`].
    pub(in crate::rules) lateness: OnceCell<Along<'a, super::time::Lateness<'a>>>,
    copies: OnceCell<copies::Shown<'a>>,
    next_link: OnceCell<Id>,
    /// Of jobs: see [`Self::writes_again`].
    pub(in crate::rules) again: RefCell<Map<'a, bool>>,
}

/// A map by id for look-ups; its order is never used.
pub(in crate::rules) type Map<'a, T> = HashMap<&'a Id, T, Hashed>;
/// A set of ids for look-ups; its order is never used.
pub(crate) type Set<'a> = HashSet<&'a Id, Hashed>;

impl<'a> Context<'a> {
    /// Of the graph of a design and its report.
    #[must_use]
    pub fn new(graph: &'a Graph<'a>, report: &'a Report) -> Self {
        let mut links: Vec<&Edge<'_>> = graph.edges.iter().chain(&graph.comparisons).collect();
        sorted::sort_by(&mut links, |a, b| a.id.cmp(b.id));
        let ends = |end: fn(&Edge<'_>) -> usize| {
            Lists::of(graph.nodes.len(), &links.iter().map(|edge| end(edge)).collect::<Vec<_>>())
        };
        let mut context = Self {
            design: graph.design,
            report,
            view: graph.view,
            graph,
            held: Fields::of(graph.design),
            beside: Beside::of(graph),
            kinds: vec![Vec::new(); ElementKind::ALL.len()],
            operators: Vec::new(),
            by_job: Map::default(),
            outgoing: ends(|edge| edge.from),
            incoming: ends(|edge| edge.to),
            ranks: Vec::with_capacity(graph.nodes.len()),
            links: links.iter().map(|edge| (edge.id, edge.link)).collect(),
            ends: links.iter().map(|edge| [edge.from, edge.to].map(|end| graph.nodes[end].kind())).collect(),
            links_holding: Holders::default(),
            elements_holding: Holders::of(
                (0..graph.nodes.len()).map(|node| Some(graph.settings(graph.node_place(node)))),
            ),
            before_loss: Vec::new(),
            before_repeats: Vec::new(),
            before_money: Vec::new(),
            events: OnceCell::new(),
            resends: OnceCell::new(),
            lateness: OnceCell::new(),
            copies: OnceCell::new(),
            next_link: OnceCell::new(),
            again: RefCell::default(),
        };
        for node in &graph.nodes {
            let list = &mut context.kinds[node.kind() as usize];
            context.ranks.push(u32::try_from(list.len()).unwrap_or(u32::MAX));
            list.push((node.id, node.subject));
            if let Element::Operator { job, step, .. } = node.element {
                context.operators.push((node.id, job, *step));
                context.by_job.entry(job).or_default().push(node.id);
            }
        }
        let of_link = |edge: &&Edge<'_>| context.settings(edge.id)?.1;
        let links_holding = Holders::of(links.iter().map(of_link));
        let not = |id: &Id, key| context.get(id, key) != Some(true);
        let before_loss = context.before(|id| not(id, key::consumer::LOSS_TOLERATED));
        let before_repeats = context.before(|id| not(id, key::consumer::DUPLICATES_TOLERATED));
        let weighs_more = |id: &Id| context.get(id, key::consumer::CRITICALITY).is_some_and(super::weighs_more);
        let before_money = context.before(weighs_more);
        Self { links_holding, before_loss, before_repeats, before_money, ..context }
    }

    /// By number: the elements from which a consumer of this kind can be reached.
    fn before(&self, of: impl Fn(&Id) -> bool) -> Vec<bool> {
        let nodes = &self.graph.nodes;
        let wanted = |node: &usize| nodes[*node].kind() == ElementKind::Consumer && of(nodes[*node].id);
        let mut stack: Vec<usize> = (0..nodes.len()).filter(wanted).collect();
        let mut seen = vec![false; nodes.len()];
        for consumer in &stack {
            seen[*consumer] = true;
        }
        while let Some(at) = stack.pop() {
            for edge in self.graph.ins(at) {
                let from = self.graph.edges[*edge].from;
                for near in [Some(from), nodes[from].job].into_iter().flatten() {
                    if !seen[near] {
                        seen[near] = true;
                        stack.push(near);
                    }
                }
            }
        }
        seen
    }

    /// Where an element stands, or what a link leads to.
    fn stands_before(&self, consumers: &[bool], id: &Id) -> bool {
        if let Some(place) = self.graph.place(id) {
            return consumers[self.graph.end(place)];
        }
        match self.subject(id).and_then(Subject::as_link) {
            Some(link) => self.graph.find(&link.to).is_some_and(|node| consumers[node]),
            // A job that the view hides, by its operators.
            None => self.operators_of(id).any(|id| self.stands_before(consumers, id)),
        }
    }

    /// Visible elements of a kind, in id order.
    pub fn elements(&self, kind: ElementKind) -> impl Iterator<Item = (&'a Id, &'a Subject)> {
        self.kinds.get(kind as usize).into_iter().flatten().copied()
    }

    /// Visible elements of a kind that hold a setting, in id order.
    pub fn elements_with<T>(&self, kind: ElementKind, key: Key<T>) -> impl Iterator<Item = (&'a Id, &'a Subject)> {
        let holders = self.elements_holding.of_field(key.field()).map(|node| &self.graph.nodes[node]);
        holders.filter(move |node| node.kind() == kind).map(|node| (node.id, node.subject))
    }

    /// Visible operators that hold a setting, with their job and step.
    pub fn operators_with<T>(&self, key: Key<T>) -> impl Iterator<Item = (&'a Id, &'a Id, Step)> {
        self.elements_holding.of_field(key.field()).filter_map(|node| {
            let node = &self.graph.nodes[node];
            if let Element::Operator { job, step, .. } = node.element { Some((node.id, job, *step)) } else { None }
        })
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

    /// Visible links that hold a setting, in id order.
    pub fn links_with<T>(&self, key: Key<T>) -> impl Iterator<Item = (&'a Id, &'a Link)> {
        self.links_holding.of_field(key.field()).map(|link| self.links[link])
    }

    /// Visible links into elements of a kind, in id order.
    pub fn links_into(&self, kind: ElementKind) -> impl Iterator<Item = (&'a Id, &'a Link)> {
        self.links.iter().zip(&self.ends).filter(move |(_, [_, to])| *to == kind).map(|(link, _)| *link)
    }

    /// Visible links out of elements of a kind, in id order.
    pub fn links_from(&self, kind: ElementKind) -> impl Iterator<Item = (&'a Id, &'a Link)> {
        self.links.iter().zip(&self.ends).filter(move |(_, [from, _])| *from == kind).map(|(link, _)| *link)
    }

    /// Links that leave an element.
    pub fn from(&self, id: &Id) -> impl Iterator<Item = (&'a Id, &'a Link)> {
        self.near(&self.outgoing, id)
    }

    /// Links that enter an element.
    pub fn into(&self, id: &Id) -> impl Iterator<Item = (&'a Id, &'a Link)> {
        self.near(&self.incoming, id)
    }

    /// An element, and all that its events come from.
    pub(in crate::rules) fn with_origins(&self, id: &'a Id) -> Set<'a> {
        let (mut reached, mut next) = (Set::from_iter([id]), vec![id]);
        while let Some(at) = next.pop() {
            let flows = self.into(at).filter(|(_, link)| link.port != Some(Port::Reconcile));
            next.extend(flows.map(|(_, link)| &link.from).filter(|from| reached.insert(*from)));
        }
        reached
    }

    fn near<'s>(&'s self, lists: &'s Lists, id: &Id) -> impl Iterator<Item = (&'a Id, &'a Link)> + 's {
        let numbers = self.graph.find(id).map_or(&[][..], |node| lists.at(node));
        numbers.iter().map(|at| self.links[*at])
    }

    /// The value of a setting, where there is one.
    #[must_use]
    pub fn get<T: FieldValue>(&self, id: &Id, key: Key<T>) -> Option<T> {
        if !self.held.contains(key.field()) {
            return None;
        }
        if let Some(place) = self.graph.place(id) {
            let held = self.graph.may_hold(place, key.field());
            return if held { self.graph.settings(place).value(key).map(|(value, _)| value) } else { None };
        }
        match self.settings(id)? {
            (_, Some(settings)) => settings.value(key).map(|(value, _)| value),
            (subject, None) => self.resolve(id, subject, key).value(),
        }
    }

    /// What is known of a setting.
    #[must_use]
    pub fn known<T: FieldValue>(&self, id: &Id, key: Key<T>) -> Known<T> {
        match self.settings(id) {
            Some((_, Some(settings))) => settings.get(key),
            Some((subject, None)) => self.resolve(id, subject, key),
            None => Known::NotKnown(key.field().row().nature),
        }
    }

    /// A subject; of what the view shows, with its settings.
    fn settings(&self, id: &Id) -> Option<(&'a Subject, Option<Settings<'_>>)> {
        if let Some(place) = self.graph.place(id) {
            return Some((self.graph.subject(place), Some(self.graph.settings(place))));
        }
        let (subject, number) = self.beside.subjects.get(id)?;
        Some((subject, number.map(|number| self.beside.settings.at(number))))
    }

    /// Of what the view hides.
    fn resolve<T: FieldValue>(&self, id: &Id, subject: &Subject, key: Key<T>) -> Known<T> {
        if self.view == View::ToBe {
            return self.design.read(self.view, id, subject, key);
        }
        self.design.get(self.view, id, key)
    }

    /// The kind of an element.
    #[must_use]
    pub fn kind(&self, id: &Id) -> Option<ElementKind> {
        match self.graph.find(id) {
            Some(node) => Some(self.graph.nodes[node].kind()),
            None => self.subject(id)?.kind(),
        }
    }

    /// As people see it.
    #[must_use]
    pub fn title<'i>(&self, id: &'i Id) -> Cow<'i, str>
    where
        'a: 'i,
    {
        let subject = self.subject(id);
        match subject.and_then(Subject::as_link) {
            Some(link) => [self.title(&link.from), self.title(&link.to)].join(" → ").into(),
            None => subject.and_then(|subject| subject.name.as_deref()).unwrap_or_else(|| id.as_str()).into(),
        }
    }

    /// A subject of any section.
    #[must_use]
    pub fn subject(&self, id: &Id) -> Option<&'a Subject> {
        match self.graph.place(id) {
            Some(place) => Some(self.graph.subject(place)),
            None => self.beside.subjects.get(id).map(|(subject, _)| *subject),
        }
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
        let known = self.graph.find(id).and_then(|node| self.graph.nodes[node].entry);
        known.or_else(|| catalog::entry(self.system(id)?))
    }

    /// Is this the system of an element?
    #[must_use]
    pub fn runs(&self, id: &Id, system: &str) -> bool {
        let known = self.graph.find(id).and_then(|node| self.graph.nodes[node].entry);
        known.map_or_else(|| self.system(id) == Some(system), |entry| entry.id == system)
    }

    /// Do replicas in sync and the election of leaders decide what this channel keeps? So too where its system is not stated.
    #[must_use]
    pub fn has_in_sync(&self, id: &Id) -> bool {
        self.entry(id).is_none_or(Entry::has_in_sync)
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
        let links = |node: &usize| self.outgoing.at(*node).iter().map(|at| self.links[*at].0);
        self.graph.order.iter().flat_map(move |node| std::iter::once(self.graph.nodes[*node].id).chain(links(node)))
    }

    /// An id for one more link; every fix is applied alone, so that all of them may use it.
    pub(in crate::rules) fn next_link(&self) -> Id {
        let next = || self.design.next_id('l', &|_| false);
        self.next_link.get_or_init(next).clone()
    }
}
