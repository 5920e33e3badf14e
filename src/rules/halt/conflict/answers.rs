//! Would an answer be another one, were another reading of a setting the true one? The part of the design that hangs
//! together with the setting is worked out once by each reading, and the answers are compared.

use crate::{
    analysis::{
        self, ChannelReport, ConsumerReport, JobReport, OperatorReport, Report,
        explain::{Derived, Explained},
        graph::Graph,
    },
    edit::Edit,
    model::{Design, Element, ElementKind, Field, Id, Shape, Slot, Subject, Value, View},
    rules::{Context, context::Set, findings},
};
use std::sync::Arc;

/// Elements that one review works out again to answer this, at most; conflicts beyond that count as ones that decide.
const MOST_WORK: usize = 4_000;

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
    /// Takes every other reading out of a design that holds the subject.
    fn settle(&self, design: &mut Design, value: &Value) -> Option<()> {
        if design.subject(self.id).is_none() {
            return Some(());
        }
        for (evidence, _) in self.readings.iter().filter(|(_, other)| *other != value) {
            let slot = Slot::Observed((*evidence).clone());
            let edit = Edit::Set { subject: self.id.clone(), slot, field: self.field, value: None };
            design.apply(edit).ok()?;
        }
        Some(())
    }
}

/// See the module.
pub(super) struct Trials<'c, 'a> {
    context: &'c Context<'a>,
    all: &'c [Conflict<'a>],
    left: usize,
}

impl<'c, 'a> Trials<'c, 'a> {
    /// For all conflicts of a design.
    pub fn new(context: &'c Context<'a>, all: &'c [Conflict<'a>]) -> Self {
        Self { context, all, left: MOST_WORK }
    }

    /// Does an answer hang on which reading is true?
    pub fn decides(&mut self, conflict: &Conflict<'a>) -> bool {
        let mut values: Vec<&Value> = Vec::new();
        for (_, value) in &conflict.readings {
            if !values.contains(value) {
                values.push(value);
            }
        }
        let elements = self.hangs_together(conflict);
        let work = elements.len() * values.len();
        if work > self.left {
            return true;
        }
        self.left -= work;
        let mut answers = values.into_iter().map(|value| self.by(conflict, &elements, value));
        match answers.next() {
            Some(Some(first)) => !answers.all(|other| other.as_ref() == Some(&first)),
            _ => true,
        }
    }

    /// All elements that are joined with the setting by links and jobs.
    fn hangs_together(&self, conflict: &Conflict<'a>) -> Set<'a> {
        let context = self.context;
        let mut stack: Vec<&'a Id> = match &conflict.subject.shape {
            Shape::Element(_) => vec![conflict.id],
            Shape::Link(link) => vec![&link.from, &link.to],
            Shape::Event | Shape::Cluster { .. } => {
                let all = ElementKind::ALL.into_iter().flat_map(|kind| context.elements(kind));
                all.filter(|(_, subject)| mentions(subject, conflict.id)).map(|(id, _)| id).collect()
            }
        };
        let mut seen: Set<'a> = Set::default();
        while let Some(at) = stack.pop() {
            if seen.insert(at) {
                stack.extend(context.from(at).map(|(_, link)| &link.to));
                stack.extend(context.into(at).map(|(_, link)| &link.from));
                stack.extend(context.job_of(at).into_iter().chain(context.operators_of(at)));
            }
        }
        seen
    }

    /// The answers about these elements when `value` is the true one; of every other conflict, the first reading is.
    fn by(&self, conflict: &Conflict<'a>, elements: &Set<'a>, value: &Value) -> Option<Vec<String>> {
        let whole = self.context.design;
        let copy = |(id, subject): (&Id, &Subject)| (id.clone(), subject.clone());
        let drawn = |subject: &Subject| {
            subject.as_link().is_some_and(|link| elements.contains(&link.from) && elements.contains(&link.to))
        };
        let mut design = Design {
            elements: whole.elements.iter().filter(|(id, _)| elements.contains(id)).map(copy).collect(),
            links: whole.links.iter().filter(|(_, subject)| drawn(subject)).map(copy).collect(),
            events: whole.events.clone(),
            clusters: whole.clusters.clone(),
            records: whole.records.clone(),
            ..Design::default()
        };
        for other in self.all {
            let same = other.id == conflict.id && other.field == conflict.field;
            let (_, first) = other.readings.first()?;
            other.settle(&mut design, if same { value } else { first })?;
        }
        Some(answers(&design, self.context.view))
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

/// Everything that a review says, without where its figures come from.
fn answers(design: &Design, view: View) -> Vec<String> {
    let graph = Graph::new(design, view);
    let report = analysis::report(&graph);
    let Report { consumers, links, channels, operators, jobs, sinks, comparisons, reads, .. } = &report;
    let mut said: Vec<String> = consumers.values().map(consumer).collect();
    said.extend(links.values().map(|link| link.captions.lines().fold(link.badge.text(), |all, line| all + &line)));
    for channel in channels.values() {
        let ChannelReport { reach, typical, longest, erased, busiest, skew, needed, on_disk } = channel;
        said.extend(
            [reach, typical, longest, erased, busiest, &skew.hot_rate, &skew.over_mean, &skew.used].map(figure),
        );
        said.extend([needed, on_disk].map(|derived| any(derived.as_ref())));
    }
    said.extend(operators.values().flat_map(operator).chain(jobs.values().flat_map(job)));
    let sides = |side: &Option<Arc<Explained>>| side.as_ref().map_or(0.0, |side| side.value);
    said.extend(
        comparisons
            .values()
            .map(|one| format!("{} {:?} {:?}", figure(&one.safe), sides(&one.below), sides(&one.above))),
    );
    said.extend(sinks.values().map(|sink| sink.write.clone()));
    said.extend(reads.values().map(|read| figure(&read.behind) + &figure(&read.behind_time)));
    let found = findings(&Context::new(&graph, &report));
    said.extend(found.iter().map(|finding| format!("{} {:?} {:?}", finding.rule, finding.severity, finding.about)));
    said
}

fn consumer(report: &ConsumerReport) -> String {
    let delivery = &report.delivery;
    let inputs = report.order.inputs.iter();
    let order: Vec<_> = inputs.map(|input| (input.kind, &input.key, &input.breakers, &input.missing)).collect();
    let replay =
        report.replay.iter().map(|start| figure(&start.reach) + &any(start.duration.as_ref())).collect::<Vec<_>>();
    format!(
        "{} {} {:?} {:?} {:?} {:?} {} {} {replay:?}",
        delivery.badge.text(),
        delivery.sentence,
        delivery.why,
        delivery.weakest,
        delivery.value,
        order,
        figure(&report.latency),
        any(report.lag_room.as_ref()),
    )
}

fn operator(report: &OperatorReport) -> [String; 5] {
    let OperatorReport { state, entries, growth, full_in, input_rate } = report;
    [state.as_ref(), entries.as_ref(), growth.as_ref(), full_in.as_ref(), Some(input_rate)].map(any)
}

fn job(report: &JobReport) -> Vec<String> {
    let JobReport {
        state,
        checkpoint,
        rewind,
        recovery,
        parallelism_cap,
        catch_up,
        outage_bound,
        required_timeout,
        input_rate,
        state_of_instance,
        store_memory,
        deploy_pause,
        checkpoint_size,
        ..
    } = report;
    let always =
        [recovery, parallelism_cap, catch_up, &report.load, &report.key_load, &report.partition_load, input_rate];
    let some = [state, checkpoint, rewind, outage_bound, required_timeout, &report.key_groups];
    let more = [
        state_of_instance,
        store_memory,
        deploy_pause,
        checkpoint_size,
        &report.lost_in,
        &report.drain,
        &report.state_of_task,
        &report.rebalance,
        &report.deploy_standstill,
        &report.crash_standstill,
        &report.fetched,
        &report.poll,
    ];
    always.into_iter().map(figure).chain(some.into_iter().chain(more).map(|derived| any(derived.as_ref()))).collect()
}

fn any(derived: Option<&Derived>) -> String {
    derived.map_or_else(String::new, figure)
}

fn figure(derived: &Derived) -> String {
    match derived {
        Ok(figure) => format!("{:?}", figure.value),
        Err(why) => format!("{:?}", why.missing),
    }
}
