//! Which element, link or cluster each finding belongs to: the one in the design, or a new one.

use super::{Work, topic_id};
use crate::edit::{Edit, Label};
use crate::import::{
    LineRef, Remark, Skipped,
    found::{Found, FoundFact, FoundTopic, groups::FoundGroup},
    proposal::{Presence, ProposedSubject, SubjectRole},
};
use crate::model::{
    ChannelRole, Design, Element, ElementKind, Id, Lifecycle, Link, Nature, RawValue, Shape, Step, Subject, Text,
    Value, key,
};
use crate::sorted::{self, SortedMap, SortedSet};

/// Longest name that a design holds, in characters.
const LONGEST_NAME: usize = 200;
/// Most elements and links that a design holds.
const MOST: (usize, usize) = (1000, 3000);

/// What the design has, by the names that the cluster uses.
struct Index<'a> {
    channels: SortedMap<&'a str, Vec<&'a Id>>,
    jobs: SortedMap<&'a str, &'a Id>,
    /// Reading links by their group.
    readers: SortedMap<Text, Vec<(&'a Id, &'a Link)>>,
}

impl<'a> Index<'a> {
    fn of(design: &'a Design) -> Self {
        let (mut channels, mut jobs, mut readers) =
            (SortedMap::<_, Vec<_>>::new(), SortedMap::new(), SortedMap::<_, Vec<_>>::new());
        for (id, subject) in &design.elements {
            let name = subject.name.as_deref().unwrap_or(id.as_str());
            match subject.kind() {
                Some(ElementKind::Channel) => channels.entry(name).or_default().push(id),
                Some(ElementKind::Job) => {
                    jobs.entry(name).or_insert(id);
                }
                _ => {}
            }
        }
        for (id, subject) in &design.links {
            let Some(link) = subject.as_link() else { continue };
            let slots = subject.observed.values().chain([&subject.proposed]);
            let mut groups: Vec<Text> = slots.filter_map(|facts| facts.typed(key::read::GROUP)).collect();
            sorted::sort(&mut groups);
            groups.dedup();
            for group in groups {
                readers.entry(group).or_default().push((id, link));
            }
        }
        Self { channels, jobs, readers }
    }
}

/// Where a topic went: the channel of that name.
type Channels = SortedMap<String, Id>;

impl Work<'_> {
    /// Files everything that was found.
    pub(super) fn subjects(&mut self, found: &Found) {
        let design = self.design;
        let index = Index::of(design);
        if found.topics.is_empty() && found.groups.is_empty() && found.cluster_at.is_none() {
            return;
        }
        let at = found.cluster_at.or_else(|| found.topics.first().map(|topic| topic.at)).unwrap_or_default();
        let cluster = (!found.topics.is_empty() || found.cluster_at.is_some()).then(|| self.cluster(found, &index, at));
        if let Some(cluster) = &cluster {
            let subject = design.clusters.get(cluster);
            for fact in &found.cluster {
                self.fact(cluster, subject, fact);
            }
            self.raw(cluster, subject, &found.cluster_raw, false);
        }
        let mut channels = Channels::new();
        for topic in &found.topics {
            self.topic(topic, found, &index, cluster.as_ref(), &mut channels);
        }
        for group in &found.groups {
            self.group(group, &index, &channels);
        }
    }

    /// The Kafka cluster: the one that most of the topics are in already, the only one, or a new one.
    fn cluster(&mut self, found: &Found, index: &Index<'_>, at: LineRef) -> Id {
        let design = self.design;
        let kafka = |id: &Id| design.clusters.get(id).is_some_and(|c| c.system.as_deref().is_some_and(is_kafka));
        let mut votes: SortedMap<&Id, usize> = SortedMap::new();
        for topic in &found.topics {
            for channel in index.channels.get(topic.name.as_str()).into_iter().flatten() {
                if let Some(cluster) =
                    design.elements.get(*channel).and_then(|c| c.cluster.as_ref()).filter(|id| kafka(id))
                {
                    *votes.entry(cluster).or_default() += 1;
                }
            }
        }
        let voted = votes.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0))).map(|(id, _)| (*id).clone());
        let all: Vec<&Id> = design.clusters.keys().filter(|id| kafka(id)).collect();
        let (id, presence) = match (voted, all.as_slice()) {
            (Some(id), _) => (id, Presence::Exists(Vec::new())),
            (None, [only]) => ((*only).clone(), Presence::Exists(Vec::new())),
            (None, several) => {
                if !several.is_empty() {
                    let text = "The design has several Kafka clusters and none of these topics: they are filed under a new one".to_owned();
                    self.proposal.remarks.push(Remark { at, text });
                }
                let mut subject = Subject::new(Shape::Cluster { environment: None, trust_zone: None });
                subject.system = Some("kafka".into());
                (self.ids.named("kafka", "kafka"), Presence::New(Box::new(subject)))
            }
        };
        let title = design.title(&id);
        self.subject(ProposedSubject {
            id: id.clone(),
            title,
            role: SubjectRole::Cluster,
            presence,
            needs: Vec::new(),
            at,
        });
        id
    }

    fn subject(&mut self, subject: ProposedSubject) {
        if super::is_new(&subject.presence) {
            let count = if subject.role == SubjectRole::Read { &mut self.new.1 } else { &mut self.new.0 };
            *count += 1;
        }
        self.proposal.subjects.push(subject);
    }

    fn skip(&mut self, at: LineRef, what: &str, reason: String) {
        self.proposal.skipped.push(Skipped { at: Some(at), what: what.to_owned(), reason });
    }

    /// Would one more element or link still fit into the document?
    fn fits(&self) -> bool {
        self.design.elements.len() + self.new.0 + 3 <= MOST.0 && self.design.links.len() + self.new.1 < MOST.1
    }

    fn topic(
        &mut self,
        topic: &FoundTopic,
        found: &Found,
        index: &Index<'_>,
        cluster: Option<&Id>,
        channels: &mut Channels,
    ) {
        let design = self.design;
        let here =
            |id: &&&Id| design.elements.get(**id).is_some_and(|c| c.cluster.is_none() || c.cluster.as_ref() == cluster);
        let known = index.channels.get(topic.name.as_str()).and_then(|ids| ids.iter().find(here)).copied();
        if let Some(id) = known {
            let Some(subject) = design.elements.get(id) else { return };
            channels.insert(topic.name.clone(), id.clone());
            let presence = Presence::Exists(self.settle(id, subject, cluster));
            let (title, needs) = (topic.name.clone(), Vec::new());
            self.subject(ProposedSubject {
                id: id.clone(),
                title,
                role: SubjectRole::Channel,
                presence,
                needs,
                at: topic.at,
            });
            self.channel_facts(id, Some(subject), topic);
            return;
        }
        if let Some(reason) = internal(&topic.name) {
            self.skip(topic.at, &topic.name, reason.to_owned());
            return;
        }
        if topic.name.chars().count() > LONGEST_NAME || !self.fits() {
            let reason = if self.fits() {
                "its name is longer than 200 characters"
            } else {
                "a design holds at most 1000 elements and 3000 links"
            };
            self.skip(topic.at, &topic.name, reason.to_owned());
            return;
        }
        let id = self.ids.named(&topic.name, "channel");
        let mut subject = Subject::new(Shape::Element(Element::Channel { role: role(topic, found) }));
        subject.name = (topic.name != id.as_str()).then(|| topic.name.as_str().into());
        subject.cluster = cluster.cloned();
        subject.lifecycle = Some(Lifecycle::Existing);
        channels.insert(topic.name.clone(), id.clone());
        self.subject(ProposedSubject {
            id: id.clone(),
            title: topic.name.clone(),
            role: SubjectRole::Channel,
            presence: Presence::New(Box::new(subject)),
            needs: Vec::new(),
            at: topic.at,
        });
        self.channel_facts(&id, None, topic);
    }

    fn channel_facts(&mut self, id: &Id, subject: Option<&Subject>, topic: &FoundTopic) {
        for fact in &topic.facts {
            self.fact(id, subject, fact);
        }
        if let Some(fact) = subject.and_then(|subject| recreated(subject, topic)) {
            self.fact(id, subject, &fact);
        }
        self.raw(id, subject, &topic.raw, !topic.complete.is_empty());
        let Some(subject) = subject else { return };
        let configuration = |field: crate::model::Field| field.row().nature == Nature::Configuration;
        let evidence: SortedSet<Id> = topic.complete.iter().filter_map(|i| self.sections.get(*i)).cloned().collect();
        for evidence in evidence {
            self.gone(id, subject, &evidence, &topic.facts, &configuration);
        }
    }

    /// What is read runs, so what was planned exists; a channel without a cluster is in this one.
    fn settle(&self, id: &Id, subject: &Subject, cluster: Option<&Id>) -> Vec<(Edit, String)> {
        let mut changes = Vec::new();
        if self.design.lifecycle(id) == Lifecycle::Planned {
            let edit = Edit::Lifecycle { subject: id.clone(), to: Some(Lifecycle::Existing) };
            changes.push((edit, "planned → existing".to_owned()));
        }
        let kafka = subject.system.as_deref().is_none_or(is_kafka);
        if let Some(cluster) = cluster.filter(|_| subject.cluster.is_none() && kafka) {
            let to = Some(Text::from(cluster.as_str()));
            let edit = Edit::Label { subject: id.clone(), label: Label::Cluster, to };
            changes.push((edit, format!("in the cluster {}", self.design.title(cluster))));
        }
        changes
    }

    fn group(&mut self, group: &FoundGroup, index: &Index<'_>, channels: &Channels) {
        let known = index.readers.get(group.name.as_str()).map_or(&[][..], Vec::as_slice);
        if group.topics.is_empty() {
            self.members_only(group, known);
            return;
        }
        if group.name.chars().count() > LONGEST_NAME || !self.fits() {
            self.skip(group.at, &group.name, "its name is too long, or the design holds no more elements".to_owned());
            return;
        }
        let drawn: Vec<&(String, Vec<FoundFact>)> =
            group.topics.iter().filter(|(topic, _)| channels.contains_key(topic)).collect();
        for (topic, _) in group.topics.iter().filter(|(topic, _)| !channels.contains_key(topic)) {
            self.skip(group.at, &group.name, format!("it reads {topic}, which is not drawn"));
        }
        if drawn.is_empty() {
            return;
        }
        let mut reader =
            known.first().map(|(_, link)| link.to.clone()).or_else(|| self.drawn_reader(&group.name, index));
        if let Some(job) = reader.as_ref().and_then(|to| self.design.job_of(to)).cloned() {
            self.known_job(&job, group);
        }
        for (topic, facts) in drawn {
            let Some(channel) = channels.get(topic) else { continue };
            let to = match &reader {
                Some(to) => to.clone(),
                None => {
                    let to = self.new_job(group);
                    reader = Some(to.clone());
                    to
                }
            };
            let link = known.iter().find(|(_, link)| link.from == *channel).map(|(id, _)| (*id).clone());
            let link = link.or_else(|| self.unnamed_link(channel, &to));
            self.link(link, channel, &to, (topic, facts), group);
        }
    }

    /// The reading of one topic: the link that is there, or a new one.
    fn link(
        &mut self,
        known: Option<Id>,
        from: &Id,
        to: &Id,
        (topic, facts): (&str, &[FoundFact]),
        group: &FoundGroup,
    ) {
        let design = self.design;
        let subject = known.as_ref().and_then(|id| design.links.get(id));
        let at = facts.first().and_then(|fact| fact.lines.first()).copied().unwrap_or(group.at);
        let title = format!("{topic} → {}", group.name);
        let (id, presence, needs) = match known {
            Some(id) => (id, Presence::Exists(Vec::new()), Vec::new()),
            None => {
                let link = Subject::link(from.clone(), to.clone());
                (self.ids.next('l'), Presence::New(Box::new(link)), vec![from.clone(), to.clone()])
            }
        };
        self.subject(ProposedSubject { id: id.clone(), title, role: SubjectRole::Read, presence, needs, at });
        for fact in facts {
            self.fact(&id, subject, fact);
        }
    }

    /// A job of this name with one step, drawn before its group was read.
    fn drawn_reader(&self, name: &str, index: &Index<'_>) -> Option<Id> {
        let job = index.jobs.get(name)?;
        let mut operators = self.design.operators_of(job);
        let only = operators.next().map(|(id, _)| id.clone());
        only.filter(|_| operators.next().is_none())
    }

    /// A link between the two that carries no group yet.
    fn unnamed_link(&self, from: &Id, to: &Id) -> Option<Id> {
        let free = |subject: &Subject| {
            let slots = subject.observed.values().chain([&subject.proposed]);
            slots.into_iter().all(|facts| facts.get(key::read::GROUP.field()).is_none())
        };
        let between = |subject: &Subject| subject.as_link().is_some_and(|link| link.from == *from && link.to == *to);
        self.design.links.iter().find(|(_, subject)| between(subject) && free(subject)).map(|(id, _)| id.clone())
    }

    fn known_job(&mut self, id: &Id, group: &FoundGroup) {
        let design = self.design;
        let Some(subject) = design.elements.get(id) else { return };
        let presence = Presence::Exists(self.settle(id, subject, None));
        let title = design.title(id);
        self.subject(ProposedSubject {
            id: id.clone(),
            title,
            role: SubjectRole::Job,
            presence,
            needs: Vec::new(),
            at: group.at,
        });
        for fact in &group.job {
            self.fact(id, Some(subject), fact);
        }
        self.raw(id, Some(subject), &group.raw, false);
    }

    /// A job named after its group, with one step of which nothing more is known; the step's id is returned.
    fn new_job(&mut self, group: &FoundGroup) -> Id {
        let job = self.ids.named(&group.name, "job");
        let mut subject = Subject::new(Shape::Element(Element::Job));
        subject.name = (group.name != job.as_str()).then(|| group.name.as_str().into());
        subject.lifecycle = Some(Lifecycle::Existing);
        // Client ids of the form `…-StreamThread-…` are made by `org.apache.kafka.streams.processor.internals.StreamThread`.
        subject.system = group.streams.then(|| "kafka_streams".into());
        let (title, presence) = (group.name.clone(), Presence::New(Box::new(subject)));
        self.subject(ProposedSubject {
            id: job.clone(),
            title,
            role: SubjectRole::Job,
            presence,
            needs: Vec::new(),
            at: group.at,
        });
        for fact in &group.job {
            self.fact(&job, None, fact);
        }
        self.raw(&job, None, &group.raw, false);
        let operator = self.ids.named(&format!("{job}_process"), "process");
        let mut step =
            Subject::new(Shape::Element(Element::Operator { job: job.clone(), step: Step::Custom, emits: None }));
        step.name = Some("process".into());
        self.subject(ProposedSubject {
            id: operator.clone(),
            title: "process".to_owned(),
            role: SubjectRole::Operator,
            presence: Presence::New(Box::new(step)),
            needs: vec![job],
            at: group.at,
        });
        operator
    }

    /// A group of which only members or a state were printed: they go to the links that it is known by.
    fn members_only(&mut self, group: &FoundGroup, known: &[(&Id, &Link)]) {
        let design = self.design;
        if known.is_empty() {
            let reason = "the text does not say which topics it reads, so it is not drawn; add the output with --offsets (the default)";
            self.skip(group.at, &group.name, reason.to_owned());
            return;
        }
        for (id, _) in known {
            let Some(subject) = design.links.get(*id) else { continue };
            let title = design.title(id);
            let presence = Presence::Exists(Vec::new());
            self.subject(ProposedSubject {
                id: (*id).clone(),
                title,
                role: SubjectRole::Read,
                presence,
                needs: Vec::new(),
                at: group.at,
            });
            if let Some(members) = &group.members {
                self.fact(id, Some(subject), members);
            }
        }
    }
}

/// Systems that Kafka's own commands talk to.
fn is_kafka(system: &str) -> bool {
    matches!(system, "kafka" | "redpanda")
}

/// Topics in which brokers and registries keep their own books: no part of a pipeline.
fn internal(name: &str) -> Option<&'static str> {
    if name.starts_with("__") {
        Some("an internal topic of the brokers, not a channel of a pipeline")
    } else if name == "_schemas" || name.starts_with("_confluent") {
        Some("an internal topic of a registry or console, not a channel of a pipeline")
    } else {
        None
    }
}

/// A changelog or repartition topic of Kafka Streams, or a topic in which Connect keeps its own state.
///
/// Streams names them `<application.id>-<name>-changelog` and `-repartition`
/// (`org.apache.kafka.streams.processor.internals.InternalTopicManager`); a name alone is not enough: the settings must
/// be those that Streams gives, or the application must be a group read here.
fn role(topic: &FoundTopic, found: &Found) -> Option<ChannelRole> {
    let name = topic.name.as_str();
    let of_group =
        || found.groups.iter().any(|group| name.strip_prefix(&group.name).is_some_and(|rest| rest.starts_with('-')));
    let connect = ["connect-offsets", "connect-configs", "connect-status"].iter().any(|own| name.ends_with(own));
    let own = (name.ends_with("-changelog") && (topic.compacted || of_group()))
        || (name.ends_with("-repartition") && (topic.repartition || of_group()))
        || (connect && topic.compacted);
    own.then_some(ChannelRole::JobState)
}

/// The topic has another id than when it was last read: it was deleted and made again, and its offsets started again.
fn recreated(subject: &Subject, topic: &FoundTopic) -> Option<FoundFact> {
    let old = topic_id(subject)?;
    let new = topic.raw.iter().find(|raw| raw.key == "TopicId")?;
    if !matches!(&new.value, RawValue::Text(id) if id != old) {
        return None;
    }
    Some(FoundFact {
        field: key::channel::RECREATED.field(),
        key: "TopicId".to_owned(),
        value: Value::Bool(true),
        lines: vec![topic.at],
        section: new.section,
        note: Some("another topic id than before: offsets started again under this name".to_owned()),
    })
}
