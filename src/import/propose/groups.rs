//! Which job and reading links a group belongs to: those that carry its name, or new ones.

use super::{
    Work,
    subjects::{Channels, Index},
};
use crate::import::{
    found::{FoundFact, groups::FoundGroup},
    proposal::{Presence, SubjectRole},
};
use crate::model::{Element, Id, Lifecycle, Link, Shape, Step, Subject, key};

impl Work<'_> {
    /// Files what was found of one group.
    pub(super) fn group(&mut self, group: &FoundGroup, index: &Index<'_>, channels: &Channels) {
        let known = index.readers.get(group.name.as_str()).map_or(&[][..], Vec::as_slice);
        if group.topics.is_empty() {
            self.members_only(group, known);
            return;
        }
        if let Some(reason) = self.no_room(&group.name) {
            self.skip(group.at, &group.name, reason);
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
        reader = reader
            .or_else(|| self.fresh.iter().find(|read| read.group == group.name).map(|read| read.operator.clone()));
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
            let link =
                link.or_else(|| self.unnamed_link(channel, &to)).or_else(|| self.fresh_link(&group.name, channel));
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
        let (id, presence) = match known {
            Some(id) => (id, Presence::Exists(Vec::new())),
            None => (self.ids.next('l'), Presence::New(Box::new(Subject::link(from.clone(), to.clone())))),
        };
        if !self.fresh.iter().any(|read| read.link == id) {
            self.subject(SubjectRole::Read, &id, title, presence, at);
        }
        for fact in facts.iter().chain(self.share(from, group)) {
            self.fact(&id, subject, fact);
        }
    }

    /// The settings of a share group, for a link that reads as one: in a list of all settings every group has them.
    fn share<'g>(&self, from: &Id, group: &'g FoundGroup) -> &'g [FoundFact] {
        let shared = self.design.system(from).is_some_and(|system| **system == *"kafka_share_group");
        if shared { &group.share } else { &[] }
    }

    /// A job of this name with one step, drawn before its group was read.
    fn drawn_reader(&self, name: &str, index: &Index<'_>) -> Option<Id> {
        let job = index.jobs.get(name)?;
        let mut operators = self.design.operators_of(job);
        let only = operators.next().map(|(id, _)| id.clone());
        only.filter(|_| operators.next().is_none())
    }

    /// A link that a connector of this text reads by, in this group.
    fn fresh_link(&self, group: &str, channel: &Id) -> Option<Id> {
        let read = self.fresh.iter().find(|read| read.group == group && read.channel == *channel)?;
        Some(read.link.clone())
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
        self.subject(SubjectRole::Job, id, design.title(id), presence, group.at);
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
        self.subject(SubjectRole::Job, &job, group.name.clone(), Presence::New(Box::new(subject)), group.at);
        for fact in &group.job {
            self.fact(&job, None, fact);
        }
        self.raw(&job, None, &group.raw, false);
        let operator = self.ids.named(&format!("{job}_process"), "process");
        let mut step =
            Subject::new(Shape::Element(Element::Operator { job: job.clone(), step: Step::Custom, emits: None }));
        step.name = Some("process".into());
        self.subject(SubjectRole::Operator, &operator, "process".to_owned(), Presence::New(Box::new(step)), group.at);
        operator
    }

    /// A group of which only members or a state were printed: they go to the links that it is known by.
    fn members_only(&mut self, group: &FoundGroup, known: &[(&Id, &Link)]) {
        let design = self.design;
        if !group.described && known.iter().all(|(_, link)| self.share(&link.from, group).is_empty()) {
            let reason = "only settings of a share group have a place, and no link reads as this group from a Kafka share group: draw the topic as one and give its reading link this group";
            self.skip(group.at, &group.name, reason.to_owned());
            return;
        }
        if known.is_empty() {
            let reason = "the text does not say which topics it reads, so it is not drawn; add the output with --offsets (the default)";
            self.skip(group.at, &group.name, reason.to_owned());
            return;
        }
        for (id, link) in known {
            let Some(subject) = design.links.get(*id) else { continue };
            let share = self.share(&link.from, group);
            if !group.described && share.is_empty() {
                continue;
            }
            self.subject(SubjectRole::Read, id, design.title(id), Presence::Exists(Vec::new()), group.at);
            if let Some(members) = &group.members {
                self.fact(id, Some(subject), members);
            }
            for fact in share {
                self.fact(id, Some(subject), fact);
            }
        }
    }
}
