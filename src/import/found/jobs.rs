//! Jobs of engines out of all that was read of them: connectors, Flink jobs, queries, with what they read and write.
//!
//! Readings of one name are one job; a number alone is the job of that number in the same text. Not here: which job of the
//! design it is.

use super::{
    FoundFact, FoundRaw, Remark, Skipped,
    settings::{self, Map, Setting, Settings, Spoken},
};
use crate::import::{
    connect,
    connect_ends::{self, End, Topics},
    connect_keys, connect_kinds, flink_keys,
    kafka_configs::{ConfigReading, Engine, Entity},
    keys::Mapped,
    lines::LineRef,
    spark,
};
use crate::model::{FieldValue, RawValue, Text, Value, key};
use crate::sorted::{self, SortedMap};

/// One job.
#[derive(Clone, Debug)]
pub(in crate::import) struct FoundJob {
    pub of: Engine,
    /// The entry of the catalogue.
    pub system: &'static str,
    /// Nothing where the text does not say it.
    pub name: Option<String>,
    pub at: LineRef,
    /// The section that it was last read in.
    pub section: usize,
    /// Facts of the job, of its links and of what is at their ends: the group of the field tells.
    pub facts: Vec<FoundFact>,
    pub raw: Vec<FoundRaw>,
    /// Sections that printed all of its settings, with the line that they begin on.
    pub complete: Vec<(usize, LineRef)>,
    pub reads: Vec<String>,
    pub writes: Vec<String>,
    pub dead_letter: Option<String>,
    pub source: Option<End>,
    pub sink: Option<End>,
    /// The clusters that a mirror reads from and writes to.
    pub mirrors: Option<(Option<String>, Option<String>)>,
    /// Its ends are known, so that it can be drawn.
    pub drawn: bool,
}

struct JobState {
    of: Engine,
    name: Option<String>,
    at: LineRef,
    section: usize,
    settings: Settings,
    complete: Vec<(usize, LineRef)>,
}

/// Jobs while the readings are walked through.
#[derive(Default)]
pub(in crate::import) struct Jobs {
    all: Vec<JobState>,
    /// Which job it is, by its name or by its number.
    index: SortedMap<(Engine, bool, String), usize>,
    /// Settings of Connect's workers, and of Flink's cluster.
    workers: Settings,
    flink: Settings,
    at: [Option<LineRef>; 2],
}

impl Jobs {
    /// One list of settings or readings.
    pub(super) fn configure(&mut self, list: &ConfigReading, section: usize) {
        let settings = match &list.entity {
            Entity::Job { of, name, id } => {
                let Some(state) = self.state(*of, name.as_deref(), id.as_deref(), list.at) else { return };
                state.section = section;
                if list.complete {
                    // What an earlier list of the same text said and this whole one does not has been taken back.
                    // What the server says beside the configuration is no part of it.
                    let beside = |key: &str| matches!(key, connect::TYPE | connect::VERSION);
                    state.settings.retain(|key, setting| setting.slot.at.input != list.at.input || beside(key));
                    state.complete.push((section, list.at));
                }
                &mut state.settings
            }
            Entity::ConnectWorker => {
                self.at[0].get_or_insert(list.at);
                &mut self.workers
            }
            Entity::FlinkCluster => {
                self.at[1].get_or_insert(list.at);
                &mut self.flink
            }
            _ => return,
        };
        for entry in &list.entries {
            if let Some(value) = &entry.value {
                settings::put(settings, &entry.key, value, entry.origin, entry.at, section);
            }
        }
    }

    /// The job of this name, or of this number; all that say neither are one.
    fn state(&mut self, of: Engine, name: Option<&str>, id: Option<&str>, at: LineRef) -> Option<&mut JobState> {
        let key = |said: Option<&str>, is_name| said.map(|said| (of, is_name, said.to_owned()));
        let (by_name, by_id) = (key(name, true), key(id.or(name.is_none().then_some("")), false));
        let found = |key: &Option<_>| key.as_ref().and_then(|key| self.index.get(key)).copied();
        // A number that another name has is not of this one.
        let free = |index: &usize| name.is_none() || self.all.get(*index).is_some_and(|state| state.name.is_none());
        let index = found(&by_name).or_else(|| found(&by_id).filter(free)).unwrap_or(self.all.len());
        for key in [by_name, by_id].into_iter().flatten() {
            self.index.entry(key).or_insert(index);
        }
        if index == self.all.len() {
            let (settings, complete) = (Settings::new(), Vec::new());
            self.all.push(JobState { of, name: None, at, section: 0, settings, complete });
        }
        let state = self.all.get_mut(index)?;
        state.name = state.name.take().or_else(|| name.map(str::to_owned));
        Some(state)
    }

    /// All jobs in the order of the text, and the facts of the clusters they run in.
    pub(super) fn finish(
        self,
        remarks: &mut Vec<Remark>,
        skipped: &mut Vec<Skipped>,
    ) -> (Vec<FoundJob>, Vec<FoundEngine>) {
        let mut engines = Vec::new();
        let clusters: [(Engine, &Settings, Map); 2] = [
            (Engine::Connect, &self.workers, connect_keys::worker),
            (Engine::Flink, &self.flink, flink_keys::of_cluster),
        ];
        for ((of, settings, map), at) in clusters.into_iter().zip(self.at) {
            let spoken = Spoken { whose: "", on: "the workers", unfit: "not used" };
            let facts = settings::facts(settings, map, &spoken, remarks).0;
            let name = settings.get("group.id").map(|group| group.slot.value.clone());
            if let Some(at) = at.filter(|_| !facts.is_empty()) {
                engines.push(FoundEngine { of, name, at, facts });
            }
        }
        let jobs = self.all.into_iter().filter_map(|state| state.finish(remarks, skipped)).collect();
        (jobs, engines)
    }
}

/// A cluster of Connect or Flink: its own facts, and those that hold for all its jobs.
#[derive(Clone, Debug)]
pub(in crate::import) struct FoundEngine {
    pub of: Engine,
    pub name: Option<String>,
    pub at: LineRef,
    pub facts: Vec<FoundFact>,
}

impl JobState {
    fn finish(self, remarks: &mut Vec<Remark>, skipped: &mut Vec<Skipped>) -> Option<FoundJob> {
        let map: Map = match self.of {
            Engine::Connect => connect_keys::connector,
            Engine::Flink => flink_keys::of_job,
            Engine::Spark => spark::of_query,
        };
        let whose = self.name.as_ref().map_or(String::new(), |name| format!("{name}: "));
        let spoken = Spoken { whose: &whose, on: "the job", unfit: "not used" };
        let (facts, mapped) = settings::facts(&self.settings, map, &spoken, remarks);
        let mut job = FoundJob {
            of: self.of,
            system: self.of.system(),
            name: self.name.clone(),
            at: self.at,
            section: self.section,
            facts,
            raw: Vec::new(),
            complete: self.complete.clone(),
            reads: Vec::new(),
            writes: Vec::new(),
            dead_letter: None,
            source: None,
            sink: None,
            mirrors: None,
            drawn: false,
        };
        let values = settings::texts(&self.settings);
        match self.of {
            Engine::Connect if connect_ends::moves_nothing(&values) => {
                let what = self.name.unwrap_or_else(|| "a connector".to_owned());
                let reason = "it moves no records of a pipeline: heartbeats and positions of a mirror".to_owned();
                skipped.push(Skipped { at: Some(self.at), what, reason });
                return None;
            }
            Engine::Connect => self.connector(&values, &mapped, &mut job, remarks),
            Engine::Spark => {
                let mut topics: Vec<String> = values
                    .get(spark::TOPICS)
                    .map(|topics| topics.split(',').map(|topic| topic.trim().to_owned()).collect())
                    .unwrap_or_default();
                sorted::sort(&mut topics);
                (job.drawn, job.reads) = (!topics.is_empty(), topics);
            }
            Engine::Flink => {}
        }
        Some(job)
    }

    /// What a connector reads and writes, and what a whole configuration does not set.
    fn connector(
        &self,
        values: &SortedMap<&str, &str>,
        mapped: &Mapped,
        job: &mut FoundJob,
        remarks: &mut Vec<Remark>,
    ) {
        let Some(class) = self.settings.get("connector.class") else { return };
        job.drawn = true;
        let section = class.slot.section;
        let raw = |key: &str, text: &str| FoundRaw { key: key.to_owned(), value: RawValue::Text(text.into()), section };
        job.raw.push(raw("connector.class", &class.slot.value));
        for (key, setting) in &self.settings {
            if key.starts_with("transforms.") && key.ends_with(".type") {
                job.raw.push(FoundRaw { section: setting.slot.section, ..raw(key, &setting.slot.value) });
            }
        }
        if let Some((section, at)) = job.complete.last().copied() {
            let note = || Some("not in the whole configuration".to_owned());
            job.facts.extend(
                connect_keys::unset(values, mapped)
                    .map(|(field, key)| FoundFact::on_line(field, key, Value::Unset, at, section).noted(note())),
            );
        }
        job.dead_letter = connect_keys::dead_letter(values).map(str::to_owned);
        let mut told = |reason: &str| {
            let text = format!("{}: {reason}", self.name.as_deref().unwrap_or("the connector"));
            remarks.push(Remark { at: class.slot.at, text });
        };
        if let Some(mirror) = connect_ends::mirror(values) {
            job.system = "mirror_maker";
            match mirror.topics {
                Ok(pairs) => (job.reads, job.writes) = pairs.into_iter().unzip(),
                Err(reason) => told(reason),
            }
            job.mirrors = Some((mirror.from, mirror.to));
            return;
        }
        let topics = match connect_ends::topics(values) {
            Topics::Named(topics) => topics,
            Topics::NotSaid(reason) => {
                told(reason);
                Vec::new()
            }
        };
        let end = Some(connect_ends::end(values));
        if connect_kinds::is_sink(values) {
            (job.reads, job.sink) = (topics, end);
            self.group(job, class);
        } else {
            (job.writes, job.source) = (topics, end);
        }
    }

    /// Sinks read in a group that Connect names after them (`org.apache.kafka.connect.util.SinkUtils`).
    fn group(&self, job: &mut FoundJob, class: &Setting) {
        let field = key::read::GROUP.field();
        let (false, Some(name)) = (job.facts.iter().any(|fact| fact.field == field), &self.name) else { return };
        let value = Text::from(format!("connect-{name}")).into_value();
        let slot = &self.settings.get("name").unwrap_or(class).slot;
        let note = Some("the group that Connect names after the connector".to_owned());
        job.facts.push(FoundFact::on_line(field, "name", value, slot.at, slot.section).noted(note));
    }
}
