//! The links of a job and what is at their ends: topics, a source, a store. Those that are drawn, or new ones.
//!
//! Not here: which job it is.

use super::{
    Work,
    jobs::Drawn,
    subjects::{Channels, is_kafka},
};
use crate::import::{
    connect_ends::End,
    found::{FoundFact, jobs::FoundJob},
    proposal::{Presence, SubjectRole},
};
use crate::model::{Element, ElementKind, Group, Id, Lifecycle, Link, Nature, Port, Shape, Subject, key};

/// A reading link that this import proposes, by the group that it reads in.
pub(super) struct FreshRead {
    pub group: String,
    pub channel: Id,
    pub operator: Id,
    pub link: Id,
}

impl Work<'_> {
    /// The channels of topics that are drawn, or will be.
    pub(super) fn topics(
        &mut self,
        topics: &[String],
        job: &FoundJob,
        channels: &Channels,
        reads: bool,
    ) -> Vec<(String, Id)> {
        let mut of = Vec::new();
        for topic in topics {
            let id = match &job.mirrors {
                Some((from, to)) => self.mirrored(topic, if reads { from } else { to }.as_deref(), job),
                None => channels.get(topic).cloned(),
            };
            of.extend(id.map(|id| (topic.clone(), id)));
        }
        of
    }

    /// A topic on one side of a mirror: the channel of that name in the cluster of that name.
    fn mirrored(&mut self, topic: &str, alias: Option<&str>, job: &FoundJob) -> Option<Id> {
        let design = self.design;
        if let Some(reason) = self.no_room(topic) {
            self.skip(job.at, topic, reason);
            return None;
        }
        let cluster = alias.map(|alias| self.cluster_named(alias, job));
        let here = |subject: &Subject| {
            subject.kind() == Some(ElementKind::Channel) && (cluster.is_none() || subject.cluster == cluster)
        };
        let known = design.elements.iter().find(|(id, subject)| here(subject) && design.title(id) == topic);
        if let Some((id, _)) = known {
            return Some(id.clone());
        }
        let proposed = self.proposal.subjects.iter().find(|filed| match &filed.presence {
            Presence::New(new) => here(new) && filed.title == topic,
            Presence::Exists(_) => false,
        });
        if let Some(filed) = proposed {
            return Some(filed.id.clone());
        }
        let id = self.ids.named(topic, "channel");
        let mut subject = Subject::new(Shape::Element(Element::Channel { role: None }));
        subject.name = (topic != id.as_str()).then(|| topic.into());
        subject.cluster = cluster;
        subject.lifecycle = Some(Lifecycle::Existing);
        self.subject(SubjectRole::Channel, &id, topic.to_owned(), Presence::New(Box::new(subject)), job.at);
        Some(id)
    }

    /// The Kafka cluster of this name, drawn, proposed or new.
    fn cluster_named(&mut self, name: &str, job: &FoundJob) -> Id {
        let design = self.design;
        let kafka = |subject: &Subject| subject.system.as_deref().is_some_and(is_kafka);
        let known = design.clusters.iter().find(|(id, subject)| kafka(subject) && design.title(id) == name);
        if let Some((id, _)) = known {
            return id.clone();
        }
        let proposed =
            self.proposal.subjects.iter().find(|filed| filed.role == SubjectRole::Cluster && filed.title == name);
        if let Some(filed) = proposed {
            return filed.id.clone();
        }
        let id = self.ids.named(name, "kafka");
        let mut subject = Subject::new(Shape::Cluster { environment: None, trust_zone: None });
        subject.system = Some("kafka".into());
        subject.name = (name != id.as_str()).then(|| name.into());
        self.subject(SubjectRole::Cluster, &id, name.to_owned(), Presence::New(Box::new(subject)), job.at);
        id
    }

    /// The reading of topics: of those that the text names, else of those that are drawn.
    pub(super) fn inputs(&mut self, drawn: &Drawn<'_>, job: &FoundJob, name: &str, topics: &[(String, Id)]) {
        let of = |group| matches!(group, Group::Read | Group::Link);
        let facts = picked(job, &of);
        let reads = |(_, link): &&(&Id, &Link)| self.design.kind(&link.from) == Some(ElementKind::Channel);
        let known: Vec<(&Id, &Link)> = drawn.links.iter().filter(reads).copied().collect();
        if topics.is_empty() && !facts.is_empty() {
            for (id, _) in known {
                self.known_link(SubjectRole::Read, id, &facts, job);
            }
            return;
        }
        let group =
            job.facts.iter().find(|fact| fact.field == key::read::GROUP.field()).map(|fact| fact.value.to_string());
        // What was measured of all that it reads is no measurement of one of several links.
        let one = topics.len() == 1;
        let facts: Vec<FoundFact> =
            facts.into_iter().filter(|fact| one || fact.field.row().nature != Nature::Measurement).collect();
        for (topic, channel) in topics {
            if let Some((id, _)) = known.iter().find(|(_, link)| link.from == *channel) {
                self.known_link(SubjectRole::Read, id, &facts, job);
                continue;
            }
            let link = self.new_link(
                SubjectRole::Read,
                (channel, &drawn.first),
                None,
                format!("{topic} → {name}"),
                &facts,
                job,
            );
            if let (Some(group), Some(link)) = (group.clone(), link) {
                self.fresh.push(FreshRead { group, channel: channel.clone(), operator: drawn.first.clone(), link });
            }
        }
    }

    /// The writing of topics.
    pub(super) fn outputs(&mut self, drawn: &Drawn<'_>, job: &FoundJob, name: &str, topics: &[(String, Id)]) {
        if job.sink.is_some() {
            return;
        }
        let facts = picked(job, &|group| matches!(group, Group::Write | Group::Produce));
        let writes =
            |(_, link): &&(&Id, &Link)| link.port.is_none() && self.design.kind(&link.to) == Some(ElementKind::Channel);
        let known: Vec<(&Id, &Link)> = drawn.links.iter().filter(writes).copied().collect();
        if topics.is_empty() && !facts.is_empty() {
            for (id, _) in &known {
                self.known_link(SubjectRole::Write, id, &facts, job);
            }
        }
        for (topic, channel) in topics {
            match known.iter().find(|(_, link)| link.to == *channel) {
                Some((id, _)) => self.known_link(SubjectRole::Write, id, &facts, job),
                None => {
                    let ends = (&drawn.last, channel);
                    self.new_link(SubjectRole::Write, ends, None, format!("{name} → {topic}"), &facts, job);
                }
            }
        }
    }

    pub(super) fn dead_letters(&mut self, drawn: &Drawn<'_>, job: &FoundJob, channel: &Id) {
        let there = drawn.links.iter().any(|(_, link)| link.to == *channel && link.port == Some(Port::DeadLetter));
        if !there {
            let title = format!(
                "{} → {}",
                job.name.as_deref().unwrap_or("connector"),
                job.dead_letter.as_deref().unwrap_or_default()
            );
            self.new_link(SubjectRole::Write, (&drawn.last, channel), Some(Port::DeadLetter), title, &[], job);
        }
    }

    /// The system at the other end: the one that is linked, one of this name, or a new one.
    pub(super) fn end(&mut self, drawn: &Drawn<'_>, job: &FoundJob, name: &str, end: &End, source: bool) {
        let design = self.design;
        let (kind, role, groups): (ElementKind, SubjectRole, [Group; 2]) = if source {
            (ElementKind::Source, SubjectRole::Source, [Group::Take, Group::Take])
        } else {
            (ElementKind::Sink, SubjectRole::Sink, [Group::Write, Group::Store])
        };
        let on_link = picked(job, &|group| groups.contains(&group));
        let on_element = picked(job, &|group| group == kind.group());
        let other = |link: &'_ Link| if source { link.from.clone() } else { link.to.clone() };
        let linked: Vec<(&Id, &Link)> = drawn
            .links
            .iter()
            .filter(|(_, link)| link.port.is_none() && design.kind(&other(link)) == Some(kind))
            .copied()
            .collect();
        for (id, link) in &linked {
            let at = other(link);
            if let Some(subject) = design.elements.get(&at).filter(|_| !on_element.is_empty()) {
                self.there(role, &at, job);
                self.file(&at, Some(subject), &on_element, job);
            }
            self.known_link(if source { SubjectRole::Take } else { SubjectRole::Write }, id, &on_link, job);
        }
        if !linked.is_empty() {
            return;
        }
        let title = end
            .name
            .clone()
            .unwrap_or_else(|| end.system.map_or_else(|| name.to_owned(), |system| format!("{name} {system}")));
        let Some(element) = self.other_end(&title, kind, role, end, &on_element, job) else { return };
        let (ends, role, title) = if source {
            ((&element, &drawn.first), SubjectRole::Take, format!("{title} → {name}"))
        } else {
            ((&drawn.last, &element), SubjectRole::Write, format!("{name} → {title}"))
        };
        self.new_link(role, ends, None, title, &on_link, job);
    }

    fn other_end(
        &mut self,
        title: &str,
        kind: ElementKind,
        role: SubjectRole,
        end: &End,
        facts: &[FoundFact],
        job: &FoundJob,
    ) -> Option<Id> {
        let design = self.design;
        let system = |subject: &Subject| subject.system.as_deref() == end.system;
        let known = design
            .elements
            .iter()
            .find(|(id, subject)| subject.kind() == Some(kind) && system(subject) && design.title(id) == title);
        if let Some((id, subject)) = known {
            self.there(role, id, job);
            self.file(id, Some(subject), facts, job);
            return Some(id.clone());
        }
        let proposed = self.proposal.subjects.iter().find(|filed| match &filed.presence {
            Presence::New(new) => filed.title == title && new.kind() == Some(kind) && system(new),
            Presence::Exists(_) => false,
        });
        if let Some(filed) = proposed {
            return Some(filed.id.clone());
        }
        if let Some(reason) = self.no_room(title) {
            self.skip(job.at, title, reason);
            return None;
        }
        let id = self.ids.named(title, kind.name());
        let element = if kind == ElementKind::Source { Element::Source { event: None } } else { Element::Sink };
        let mut subject = Subject::new(Shape::Element(element));
        subject.name = (title != id.as_str()).then(|| title.into());
        subject.system = end.system.map(Into::into);
        subject.lifecycle = Some(Lifecycle::Existing);
        self.subject(role, &id, title.to_owned(), Presence::New(Box::new(subject)), job.at);
        self.file(&id, None, facts, job);
        Some(id)
    }

    fn known_link(&mut self, role: SubjectRole, id: &Id, facts: &[FoundFact], job: &FoundJob) {
        self.there(role, id, job);
        self.file(id, self.design.links.get(id), facts, job);
    }

    fn new_link(
        &mut self,
        role: SubjectRole,
        (from, to): (&Id, &Id),
        port: Option<Port>,
        title: String,
        facts: &[FoundFact],
        job: &FoundJob,
    ) -> Option<Id> {
        if let Some(reason) = self.no_room(&title.chars().take(80).collect::<String>()) {
            self.skip(job.at, &title, reason);
            return None;
        }
        let id = self.ids.next('l');
        let link = Link { from: from.clone(), to: to.clone(), port, into: None };
        self.subject(role, &id, title, Presence::New(Box::new(Subject::new(Shape::Link(link)))), job.at);
        self.file(&id, None, facts, job);
        Some(id)
    }
}

/// The facts of a job that belong to these groups.
fn picked(job: &FoundJob, of: &dyn Fn(Group) -> bool) -> Vec<FoundFact> {
    job.facts.iter().filter(|fact| of(fact.field.group())).cloned().collect()
}
