//! Which jobs, links, sources and stores the readings of an engine belong to: those that are drawn, or new ones.
//!
//! A job is the one of its name; a sink connector also the one that reads in its group. Where its operators are drawn, its
//! links are theirs; the group of a field tells on which of them it is filed. Not here: links and what is at their ends.

use super::{
    Work,
    subjects::{Channels, Index},
};
use crate::import::{
    Remark,
    found::{
        Found, FoundFact,
        jobs::{FoundEngine, FoundJob},
    },
    kafka_configs::Engine,
    proposal::{Ask, Presence, ProposedSubject, SubjectRole},
};
use crate::model::{Element, ElementKind, Field, Group, Id, Lifecycle, Link, Nature, Shape, Step, Subject, key};
use crate::sorted::SortedMap;

/// Where a job's links begin and end, with those that are drawn.
pub(super) struct Drawn<'a> {
    pub job: Id,
    pub first: Id,
    pub last: Id,
    pub links: Vec<(&'a Id, &'a Link)>,
}

impl<'a> Work<'a> {
    /// Files everything that was read of jobs and of the clusters they run in.
    pub(super) fn jobs(&mut self, found: &Found, index: &Index<'_>, channels: &Channels) {
        let clusters: SortedMap<&str, Id> =
            found.engines.iter().filter_map(|engine| Some((engine.of.system(), self.engine(engine)?))).collect();
        for job in &found.jobs {
            self.job(job, found, index, channels, clusters.get(job.of.system()));
        }
        for engine in &found.engines {
            self.all_jobs_of(engine, clusters.get(engine.of.system()));
        }
    }

    /// The cluster that workers are of: the one of its name, the only one, or a new one.
    fn engine(&mut self, engine: &FoundEngine) -> Option<Id> {
        let (design, system) = (self.design, engine.of.system());
        let mut all = design.clusters.iter().filter(|(_, cluster)| cluster.system.as_deref() == Some(system));
        let named = all.clone().find(|(id, _)| engine.name.as_deref() == Some(design.title(id).as_str()));
        let only = all.next().filter(|_| all.next().is_none());
        let own: Vec<&FoundFact> = engine.facts.iter().filter(|fact| fact.field.group() == Group::Cluster).collect();
        let (id, presence) = match named.or(only) {
            Some((id, _)) => (id.clone(), Presence::Exists(Vec::new())),
            None => {
                let name = engine.name.as_deref().unwrap_or(system);
                if let Some(reason) = self.no_room(name) {
                    self.skip(engine.at, name, reason);
                    return None;
                }
                let id = self.ids.named(name, system);
                let mut subject = Subject::new(Shape::Cluster { environment: None, trust_zone: None });
                subject.system = Some(system.into());
                subject.name = (name != id.as_str()).then(|| name.into());
                (id, Presence::New(Box::new(subject)))
            }
        };
        let title = if design.clusters.contains_key(&id) {
            design.title(&id)
        } else {
            engine.name.clone().unwrap_or_else(|| id.to_string())
        };
        self.subject(SubjectRole::Cluster, &id, title, presence, engine.at);
        for fact in own {
            self.fact(&id, design.clusters.get(&id), fact);
        }
        Some(id)
    }

    /// What the workers set for all their jobs, on those that were not filed before.
    fn all_jobs_of(&mut self, engine: &FoundEngine, cluster: Option<&Id>) {
        let design = self.design;
        let here = |id: &Id, subject: &Subject| {
            subject.kind() == Some(ElementKind::Job)
                && design.system(id).is_some_and(|system| **system == *engine.of.system())
                && (subject.cluster.is_none() || subject.cluster.as_ref() == cluster)
        };
        let facts: Vec<&FoundFact> = engine.facts.iter().filter(|fact| fact.field.group() == Group::Job).collect();
        let any = |subject: &ProposedSubject| subject.role == SubjectRole::Job;
        let drawn = design.elements.iter().any(|(id, subject)| here(id, subject));
        if let Some(fact) = facts.first().filter(|_| !drawn && !self.proposal.subjects.iter().any(any)) {
            let text =
                format!("{} is {}, for all jobs of these workers; none of them is drawn yet", fact.key, fact.value);
            self.proposal.remarks.push(Remark { at: fact.lines.first().copied().unwrap_or(engine.at), text });
        }
        for (id, subject) in design.elements.iter().filter(|(id, subject)| !facts.is_empty() && here(id, subject)) {
            if self.proposal.subjects.iter().any(|filed| filed.id == *id) {
                continue;
            }
            self.subject(SubjectRole::Job, id, design.title(id), Presence::Exists(Vec::new()), engine.at);
            for fact in &facts {
                self.fact(id, Some(subject), fact);
            }
        }
    }

    fn job(&mut self, job: &FoundJob, found: &Found, index: &Index<'_>, channels: &Channels, cluster: Option<&Id>) {
        let design = self.design;
        let nothing = job.facts.is_empty() && !job.drawn;
        let Some(known) = self.known(job, index) else { return };
        if nothing && known.is_none() && job.name.is_none() {
            return;
        }
        let name = job.name.clone().or_else(|| known.as_ref().map(|id| design.title(id))).unwrap_or_default();
        if let Some(reason) = known.is_none().then(|| self.no_room(&name)).flatten() {
            self.skip(job.at, &name, reason);
            return;
        }
        let workers = found.engines.iter().filter(|engine| engine.of == job.of).flat_map(|engine| &engine.facts);
        let facts = job.facts.iter().chain(workers).filter(|fact| fact.field.group() == Group::Job);
        let facts: Vec<FoundFact> = facts.cloned().collect();
        let drawn = match &known {
            Some(id) => self.drawn_job(id, job, cluster, &facts),
            None => Some(self.new_job_of(job, &name, cluster, &facts)),
        };
        let Some(drawn) = drawn else { return };
        self.steps(&drawn, job, &name);
        if !job.drawn {
            return;
        }
        let (read, written) =
            (self.topics(&job.reads, job, channels, true), self.topics(&job.writes, job, channels, false));
        self.inputs(&drawn, job, &name, &read);
        self.outputs(&drawn, job, &name, &written);
        if let Some(id) = job.dead_letter.as_ref().and_then(|topic| channels.get(topic)) {
            self.dead_letters(&drawn, job, id);
        }
        if let Some(end) = &job.source {
            self.end(&drawn, job, &name, end, true);
        }
        if let Some(end) = &job.sink {
            self.end(&drawn, job, &name, end, false);
        }
    }

    /// The job in the design; `Some(None)`: a new one; `None`: it was asked for, or there is nothing to file.
    fn known(&mut self, job: &FoundJob, index: &Index<'_>) -> Option<Option<Id>> {
        let design = self.design;
        let of_system =
            |id: &Id| design.system(id).is_none_or(|system| **system == *job.system || **system == *job.of.system());
        if let Some(name) = &job.name {
            let named = index.jobs.get(name.as_str()).copied().filter(|id| of_system(id));
            let group = job.facts.iter().find(|fact| fact.field == key::read::GROUP.field());
            let reader = || {
                let group = group.map(|fact| fact.value.to_string())?;
                let (_, link) = index.readers.get(group.as_str())?.first()?;
                design.job_of(&link.to).filter(|id| of_system(id))
            };
            return Some(named.or_else(reader).cloned());
        }
        let mut jobs = design.elements.iter().filter(|(id, subject)| {
            subject.kind() == Some(ElementKind::Job)
                && design.system(id).is_some_and(|system| **system == *job.of.system())
        });
        // Connectors are many, so that one alone in the design need not be this one.
        if let (Some((id, _)), None, true) = (jobs.next(), jobs.next(), job.of != Engine::Connect) {
            let text =
                format!("the text does not name the job: it is read as {}, the only one of its kind", design.title(id));
            self.proposal.remarks.push(Remark { at: job.at, text });
            return Some(Some(id.clone()));
        }
        let text = match job.of {
            Engine::Connect => "This configuration does not name its connector. Which connector is it?",
            Engine::Flink => "This text does not name the Flink job. Which job is it about?",
            Engine::Spark => "This text does not name the query. Which query is it about?",
        };
        self.proposal.asks.push(Ask { section: job.section, at: job.at, text: text.to_owned() });
        None
    }

    /// A job that is in the design: its facts, and its operators.
    fn drawn_job(&mut self, id: &Id, job: &FoundJob, cluster: Option<&Id>, facts: &[FoundFact]) -> Option<Drawn<'a>> {
        let design = self.design;
        let subject = design.elements.get(id)?;
        let cluster = cluster.filter(|_| design.system(id).is_none_or(|system| **system == *job.system));
        let presence = Presence::Exists(self.settle_in(id, subject, cluster));
        self.subject(SubjectRole::Job, id, design.title(id), presence, job.at);
        self.file(id, Some(subject), facts, job);
        self.raw(id, Some(subject), &job.raw, !job.complete.is_empty());
        let own = |end: &Id| design.job_of(end) == Some(id);
        let links: Vec<(&Id, &Link)> = design
            .links
            .iter()
            .filter_map(|(id, link)| Some((id, link.as_link()?)))
            .filter(|(_, link)| own(&link.from) || own(&link.to))
            .collect();
        let inner = |link: &&(&Id, &Link)| own(&link.1.from) && own(&link.1.to);
        let entered: Vec<&Id> = links.iter().filter(inner).map(|link| &link.1.to).collect();
        let left: Vec<&Id> = links.iter().filter(inner).map(|link| &link.1.from).collect();
        let operators: Vec<&Id> = design.operators_of(id).map(|(id, _)| id).collect();
        let first = operators.iter().find(|id| !entered.contains(id));
        let last = operators.iter().find(|id| !left.contains(id));
        let (first, last) = match (first, last, operators.first()) {
            (Some(first), Some(last), _) => ((*first).clone(), (*last).clone()),
            (_, _, Some(any)) => ((*any).clone(), (*any).clone()),
            // A frame without a step gets one where there is something to link.
            (_, _, None) if job.drawn => {
                let step = self.new_step(id, job);
                (step.clone(), step)
            }
            (_, _, None) => return None,
        };
        Some(Drawn { job: id.clone(), first, last, links })
    }

    /// A job that is not in the design yet, with one step.
    fn new_job_of(&mut self, job: &FoundJob, name: &str, cluster: Option<&Id>, facts: &[FoundFact]) -> Drawn<'a> {
        let id = self.ids.named(name, "job");
        let mut subject = Subject::new(Shape::Element(Element::Job));
        subject.name = (name != id.as_str()).then(|| name.into());
        subject.system = Some(job.system.into());
        subject.lifecycle = Some(Lifecycle::Existing);
        subject.cluster = cluster.cloned();
        self.subject(SubjectRole::Job, &id, name.to_owned(), Presence::New(Box::new(subject)), job.at);
        self.file(&id, None, facts, job);
        self.raw(&id, None, &job.raw, false);
        let step = self.new_step(&id, job);
        Drawn { job: id, first: step.clone(), last: step, links: Vec::new() }
    }

    /// A connector copies; what another job does is not said.
    fn new_step(&mut self, of: &Id, job: &FoundJob) -> Id {
        let (step, name) = if job.of == Engine::Connect { (Step::Copy, "copy") } else { (Step::Custom, "process") };
        let id = self.ids.named(&format!("{of}_{name}"), name);
        let mut subject = Subject::new(Shape::Element(Element::Operator { job: of.clone(), step, emits: None }));
        subject.name = Some(name.into());
        self.subject(SubjectRole::Operator, &id, name.to_owned(), Presence::New(Box::new(subject)), job.at);
        id
    }

    /// What a configuration sets for all steps of a job: filed where only one keeps state, else said.
    fn steps(&mut self, drawn: &Drawn<'_>, job: &FoundJob, name: &str) {
        let design = self.design;
        let mut facts = job.facts.iter().filter(|fact| fact.field.group() == Group::Operator).peekable();
        if facts.peek().is_none() {
            return;
        }
        let keeps = |subject: &Subject| {
            matches!(
                subject.element(),
                Some(Element::Operator { step: Step::Aggregate | Step::Join | Step::Deduplicate, .. })
            )
        };
        let mut stateful = design.operators_of(&drawn.job).filter(|(_, subject)| keeps(subject));
        if let (Some((id, subject)), None) = (stateful.next(), stateful.next()) {
            self.there(SubjectRole::Operator, id, job);
            facts.for_each(|fact| self.fact(id, Some(subject), fact));
            return;
        }
        for fact in facts {
            let text = format!(
                "{name}: {} is {}; which of its steps it holds for is not said, so set {} on them",
                fact.key,
                fact.value,
                fact.field.label()
            );
            self.proposal.remarks.push(Remark { at: fact.lines.first().copied().unwrap_or(job.at), text });
        }
    }

    /// A subject of the design, once.
    pub(super) fn there(&mut self, role: SubjectRole, id: &Id, job: &FoundJob) {
        if !self.proposal.subjects.iter().any(|filed| filed.id == *id) {
            self.subject(role, id, self.design.title(id), Presence::Exists(Vec::new()), job.at);
        }
    }

    /// Files facts, and takes out what an earlier whole reading of the same command had.
    pub(super) fn file(&mut self, id: &Id, subject: Option<&Subject>, facts: &[FoundFact], job: &FoundJob) {
        for fact in facts {
            self.fact(id, subject, fact);
        }
        let Some(subject) = subject else { return };
        let configuration = |field: Field| field.row().nature == Nature::Configuration;
        for (evidence, at) in self.whole(&job.complete) {
            self.gone(id, subject, (&evidence, at), facts, &configuration);
        }
    }
}
