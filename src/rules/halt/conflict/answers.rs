//! Would an answer be another one, were another reading of a setting the true one? The part of the design that hangs
//! together with the setting is worked out once by each reading, and the answers are compared.

use super::said;
use crate::{
    analysis::{self, graph::Graph},
    model::{Design, Element, ElementKind, Field, Id, Shape, Subject, Value},
    rules::{
        Context,
        context::{Map, Set},
    },
    sorted::SortedMap,
};

/// What one review works out again to answer this, at most, in subjects and records; conflicts beyond that count as ones that
/// decide.
const MOST_WORK: usize = 10_000;

/// What working out a design takes that holds nothing, in subjects.
const NOTHING: usize = 10;

/// Readings of one setting that disagree.
pub(super) struct Conflict<'a> {
    /// Of which subject.
    pub id: &'a Id,
    /// The subject.
    pub subject: &'a Subject,
    /// Which setting.
    pub field: Field,
    /// What each evidence says.
    pub readings: Vec<(&'a Id, &'a Value)>,
}

impl Conflict<'_> {
    /// Takes every other reading out of its subject.
    fn settle(&self, subject: &mut Subject, value: &Value) {
        for (evidence, _) in self.readings.iter().filter(|(_, other)| *other != value) {
            if let Some(facts) = subject.observed.get_mut(*evidence) {
                facts.set(self.field, None);
            }
        }
    }
}

/// See the module.
pub(super) struct Trials<'c, 'a> {
    context: &'c Context<'a>,
    /// Of each subject those that it has.
    of: Map<'a, Vec<&'c Conflict<'a>>>,
    left: usize,
}

impl<'c, 'a> Trials<'c, 'a> {
    /// For all conflicts of a design.
    pub fn new(context: &'c Context<'a>, all: &'c [Conflict<'a>]) -> Self {
        let mut of: Map<'a, Vec<&'c Conflict<'a>>> = Map::default();
        for conflict in all {
            of.entry(conflict.id).or_default().push(conflict);
        }
        Self { context, of, left: MOST_WORK }
    }

    /// Does an answer hang on which reading is true?
    pub fn decides(&mut self, conflict: &Conflict<'a>) -> bool {
        let mut values: Vec<&Value> = Vec::new();
        for (_, value) in &conflict.readings {
            if !values.contains(value) {
                values.push(value);
            }
        }
        let design = self.context.design;
        let records = &design.records;
        let beside = [design.events.len(), design.clusters.len(), records.evidence.len(), records.actions.len()];
        let beside =
            beside.into_iter().chain([records.approvals.len(), records.decisions.len(), records.questions.len()]);
        let each = NOTHING + beside.sum::<usize>();
        let room = (self.left / values.len().max(1)).saturating_sub(each);
        let Some((elements, links)) = self.hangs_together(conflict, room) else { return true };
        let work = (each + elements.len() + links.len()) * values.len();
        self.left = self.left.saturating_sub(work);
        let mut answers = values.into_iter().map(|value| self.by(conflict, &elements, &links, value));
        match answers.next() {
            Some(first) => !answers.all(|other| other == first),
            None => true,
        }
    }

    /// All elements that are joined with the setting by links and jobs, and those links; `None`: they are more than there is
    /// room for. What was gone through in vain is taken off what is left, so that nothing is gone through for ever.
    fn hangs_together(&mut self, conflict: &Conflict<'a>, room: usize) -> Option<(Set<'a>, Set<'a>)> {
        let context = self.context;
        let mut stack: Vec<&'a Id> = match &conflict.subject.shape {
            Shape::Element(_) => vec![conflict.id],
            Shape::Link(link) => vec![&link.from, &link.to],
            Shape::Event | Shape::Cluster { .. } => {
                let every = context.design.elements.len();
                self.left = self.left.saturating_sub(every);
                if every > room {
                    return None;
                }
                let all = ElementKind::ALL.into_iter().flat_map(|kind| context.elements(kind));
                all.filter(|(_, subject)| mentions(subject, conflict.id)).map(|(id, _)| id).collect()
            }
        };
        let (mut elements, mut links): (Set<'a>, Set<'a>) = Default::default();
        while let Some(at) = stack.pop() {
            if !elements.insert(at) {
                continue;
            }
            for (id, link) in context.from(at).chain(context.into(at)) {
                if links.insert(id) {
                    stack.extend([&link.from, &link.to]);
                }
            }
            stack.extend(context.job_of(at).into_iter().chain(context.operators_of(at)));
            if elements.len() + links.len() > room {
                self.left = self.left.saturating_sub(elements.len() + links.len());
                return None;
            }
        }
        Some((elements, links))
    }

    /// The answers about this part when `value` is the true one; of every other conflict, the first reading is.
    fn by(&self, conflict: &Conflict<'a>, elements: &Set<'a>, links: &Set<'a>, value: &Value) -> Vec<String> {
        let whole = self.context.design;
        let settled = |id: &Id, subject: &Subject| {
            let mut subject = subject.clone();
            for other in self.of.get(id).into_iter().flatten() {
                let same = id == conflict.id && other.field == conflict.field;
                match other.readings.first() {
                    Some(_) if same => other.settle(&mut subject, value),
                    Some((_, first)) => other.settle(&mut subject, first),
                    None => {}
                }
            }
            (id.clone(), subject)
        };
        let part = |of: &SortedMap<Id, Subject>, ids: &Set<'a>| {
            ids.iter().filter_map(|id| Some(settled(id, of.get(*id)?))).collect()
        };
        let all = |of: &SortedMap<Id, Subject>| of.iter().map(|(id, subject)| settled(id, subject)).collect();
        let design = Design {
            elements: part(&whole.elements, elements),
            links: part(&whole.links, links),
            events: all(&whole.events),
            clusters: all(&whole.clusters),
            records: whole.records.clone(),
            ..Design::default()
        };
        let graph = Graph::new(&design, self.context.view);
        let report = analysis::report(&graph);
        said::by(&Context::new(&graph, &report))
    }
}

/// Does this element stand in that cluster, or carry that event?
fn mentions(subject: &Subject, id: &Id) -> bool {
    let event = match subject.element() {
        Some(Element::Source { event, .. }) => event.as_ref(),
        Some(Element::Operator { emits, .. }) => emits.as_ref(),
        _ => None,
    };
    subject.cluster.as_ref() == Some(id) || event == Some(id)
}
