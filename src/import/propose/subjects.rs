//! Which element, link or cluster each finding belongs to: the one in the design, or a new one.

use super::{Work, topic_id};
use crate::edit::{Edit, Label};
use crate::import::{
    LineRef, Remark, Skipped,
    found::{Found, FoundFact, FoundTopic},
    proposal::{Presence, ProposedSubject, SubjectRole},
};
use crate::model::{
    ChannelRole, Design, Element, ElementKind, Id, Lifecycle, Link, Nature, RawValue, Shape, Subject, Text, Value, key,
    limits::{MAX_ELEMENTS, MAX_LINKS, TextKind},
};
use crate::sorted::{self, SortedMap};

/// What the design has, by the names that the cluster uses.
pub(super) struct Index<'a> {
    channels: SortedMap<&'a str, Vec<&'a Id>>,
    pub(super) jobs: SortedMap<&'a str, &'a Id>,
    /// Reading links by their group.
    pub(super) readers: SortedMap<Text, Vec<(&'a Id, &'a Link)>>,
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
pub(super) type Channels = SortedMap<String, Id>;

impl Work<'_> {
    /// Files everything that was found.
    pub(super) fn subjects(&mut self, found: &Found) {
        let design = self.design;
        let index = Index::of(design);
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
        self.jobs(found, &index, &channels);
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
                let system = if found.redpanda { "redpanda" } else { "kafka" };
                subject.system = Some(system.into());
                (self.ids.named(system, system), Presence::New(Box::new(subject)))
            }
        };
        self.subject(SubjectRole::Cluster, &id, design.title(&id), presence, at);
        id
    }

    pub(super) fn subject(&mut self, role: SubjectRole, id: &Id, title: String, presence: Presence, at: LineRef) {
        let mut needs = Vec::new();
        if let Presence::New(subject) = &presence {
            let link = matches!(subject.shape, Shape::Link(_));
            *if link { &mut self.new.1 } else { &mut self.new.0 } += 1;
            match &subject.shape {
                Shape::Link(link) => needs.extend([link.from.clone(), link.to.clone()]),
                Shape::Element(Element::Operator { job, .. }) => needs.push(job.clone()),
                _ => {}
            }
        }
        self.proposal.subjects.push(ProposedSubject { id: id.clone(), title, role, presence, needs, at });
    }

    pub(super) fn skip(&mut self, at: LineRef, what: &str, reason: String) {
        self.proposal.skipped.push(Skipped { at: Some(at), what: what.to_owned(), reason });
    }

    /// Why the document cannot hold one more element or link of this name; nothing where it can.
    pub(super) fn no_room(&self, name: &str) -> Option<String> {
        let elements = self.design.elements.len() + self.new.0 + 3;
        if elements > MAX_ELEMENTS || self.design.links.len() + self.new.1 >= MAX_LINKS {
            return Some(format!("a design holds at most {MAX_ELEMENTS} elements and {MAX_LINKS} links"));
        }
        TextKind::Name.check(name).err().map(|reason| format!("its name {reason}"))
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
            self.subject(SubjectRole::Channel, id, topic.name.clone(), presence, topic.at);
            self.channel_facts(id, Some(subject), topic);
            return;
        }
        if let Some(reason) = internal(&topic.name) {
            self.skip(topic.at, &topic.name, reason.to_owned());
            return;
        }
        if let Some(reason) = self.no_room(&topic.name) {
            self.skip(topic.at, &topic.name, reason);
            return;
        }
        let id = self.ids.named(&topic.name, "channel");
        let mut subject = Subject::new(Shape::Element(Element::Channel { role: role(topic, found) }));
        subject.name = (topic.name != id.as_str()).then(|| topic.name.as_str().into());
        subject.cluster = cluster.cloned();
        subject.lifecycle = Some(Lifecycle::Existing);
        channels.insert(topic.name.clone(), id.clone());
        self.subject(SubjectRole::Channel, &id, topic.name.clone(), Presence::New(Box::new(subject)), topic.at);
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
        for (evidence, at) in self.whole(&topic.complete) {
            self.gone(id, subject, (&evidence, at), &topic.facts, &configuration);
        }
    }

    /// What is read runs, so what was planned exists; a channel without a cluster is in this one.
    pub(super) fn settle(&self, id: &Id, subject: &Subject, cluster: Option<&Id>) -> Vec<(Edit, String)> {
        let kafka = subject.system.as_deref().is_none_or(is_kafka);
        self.settle_in(id, subject, cluster.filter(|_| kafka))
    }

    /// As [`Self::settle`], in the cluster of any system.
    pub(super) fn settle_in(&self, id: &Id, subject: &Subject, cluster: Option<&Id>) -> Vec<(Edit, String)> {
        let mut changes = Vec::new();
        if self.design.lifecycle(id) == Lifecycle::Planned {
            let edit = Edit::Lifecycle { subject: id.clone(), to: Some(Lifecycle::Existing) };
            changes.push((edit, "planned → existing".to_owned()));
        }
        if let Some(cluster) = cluster.filter(|_| subject.cluster.is_none()) {
            let to = Some(Text::from(cluster.as_str()));
            let edit = Edit::Label { subject: id.clone(), label: Label::Cluster, to };
            changes.push((edit, format!("in the cluster {}", self.design.title(cluster))));
        }
        changes
    }
}

/// Systems that Kafka's own commands talk to.
pub(super) fn is_kafka(system: &str) -> bool {
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
    Some(
        FoundFact::on_line(key::channel::RECREATED.field(), "TopicId", Value::Bool(true), topic.id_at?, new.section)
            .noted(Some("another topic id than before: offsets started again under this name".to_owned())),
    )
}
