//! What makes a design broken: references that lead nowhere, illegal links, values that no file could hold.
//!
//! A half-drawn design is valid; only what is listed here is refused, by the decoder and by edits alike.

use super::{
    Design, Element, Field, Id, Shape, Subject,
    design::Section,
    json::Json,
    legal,
    limits::{MAX_ELEMENTS, MAX_EVIDENCE, MAX_LINKS, TextKind},
    subject::{ElementKind, Facts, Link, RawValue},
};
use crate::sorted::SortedSet;

/// One thing that is wrong with a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where inside the subject: `event`, `observed.e1.partitions`.
    pub path: String,
    /// What is wrong and what to do.
    pub reason: String,
    /// The part without which the subject would be whole.
    pub part: Part,
}

/// A part of a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The subject itself.
    Whole,
    /// The event type that a source or operator names.
    Event,
    /// The cluster.
    Cluster,
    /// What is observed under this evidence.
    Observed(Id),
    /// What is kept raw under this evidence.
    Raw(Id),
    /// A text, a setting or another part that stands alone.
    Other,
}

impl Fault {
    fn new(path: impl Into<String>, reason: impl Into<String>, part: Part) -> Self {
        Self { path: path.into(), reason: reason.into(), part }
    }
}

impl Design {
    /// References of a subject that lead nowhere or to the wrong kind of thing, and links that cannot be.
    #[must_use]
    pub fn broken_references(&self, subject: &Subject) -> Vec<Fault> {
        let mut faults = Vec::new();
        match &subject.shape {
            Shape::Element(Element::Source { event: Some(event) }) if !self.events.contains_key(event) => {
                faults.push(Fault::new("event", format!("there is no event type {event}"), Part::Event));
            }
            Shape::Element(Element::Operator { job, emits, .. }) => {
                match self.kind(job) {
                    Some(ElementKind::Job) => {}
                    Some(kind) => {
                        let reason =
                            format!("{job} is {}, not a job; an operator stands in a job", kind.with_article());
                        faults.push(Fault::new("job", reason, Part::Whole));
                    }
                    None => {
                        let reason = format!("there is no job {job}; an operator stands in a job");
                        faults.push(Fault::new("job", reason, Part::Whole));
                    }
                }
                if let Some(event) = emits.as_ref().filter(|event| !self.events.contains_key(*event)) {
                    faults.push(Fault::new("emits", format!("there is no event type {event}"), Part::Event));
                }
            }
            Shape::Link(link) => faults.extend(self.broken_link(link)),
            _ => {}
        }
        if let Some(cluster) = subject.cluster.as_ref().filter(|cluster| !self.clusters.contains_key(*cluster)) {
            faults.push(Fault::new("cluster", format!("there is no cluster {cluster}"), Part::Cluster));
        }
        let unknown = |id: &Id| !self.records.evidence.contains_key(id);
        for evidence in subject.observed.keys().filter(|id| unknown(id)) {
            let path = format!("observed.{evidence}");
            faults.push(Fault::new(path, no_evidence(evidence), Part::Observed(evidence.clone())));
        }
        for evidence in subject.raw.keys().filter(|id| unknown(id)) {
            faults.push(Fault::new(format!("raw.{evidence}"), no_evidence(evidence), Part::Raw(evidence.clone())));
        }
        faults
    }

    fn broken_link(&self, link: &Link) -> Option<Fault> {
        let end = |name: &str, id: &Id| match self.kind(id) {
            Some(kind) => Ok(kind),
            None => Err(Fault::new(name, format!("there is no element {id}"), Part::Whole)),
        };
        let (from, to) = match (end("from", &link.from), end("to", &link.to)) {
            (Ok(from), Ok(to)) => (from, to),
            (Err(fault), _) | (_, Err(fault)) => return Some(fault),
        };
        self.refuse_link(link, from, to).map(|reason| Fault::new("to", reason, Part::Whole))
    }

    /// Why a link between these two elements cannot be, with what to do instead.
    fn refuse_link(&self, link: &Link, from: ElementKind, to: ElementKind) -> Option<&'static str> {
        if link.from == link.to {
            return Some("An element cannot follow itself.");
        }
        let same_job = self.job_of(&link.from).is_some() && self.job_of(&link.from) == self.job_of(&link.to);
        legal::refuse_link(from, to, link.port, same_job).or_else(|| {
            (link.into.is_some() && to != ElementKind::Operator)
                .then_some("Only an operator has a left, right, table or look-up input.")
        })
    }

    /// Texts and settings of a subject that are not legal on it or that no file could hold.
    #[must_use]
    pub fn illegal_contents(&self, subject: &Subject) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut text = |path: &str, text: Option<&super::Text>, kind: TextKind, legal: bool| {
            let Some(text) = text else { return };
            let refused = if legal { kind.check(text).err() } else { Some("is not a part of this subject".to_owned()) };
            faults.extend(refused.map(|reason| Fault::new(path, reason, Part::Other)));
        };
        text("name", subject.name.as_ref(), TextKind::Name, true);
        text("owner", subject.owner.as_ref(), TextKind::Name, true);
        text("note", subject.note.as_ref(), TextKind::Long, true);
        text("system", subject.system.as_ref(), TextKind::System, subject.shape.takes_system());
        if let Shape::Element(Element::Consumer { question }) = &subject.shape {
            text("question", question.as_ref(), TextKind::Long, true);
        }
        if subject.cluster.is_some() && !subject.shape.takes_cluster() {
            faults.push(Fault::new("cluster", "is not a part of this subject", Part::Other));
        }
        for (evidence, facts) in &subject.observed {
            self.illegal_facts(subject, facts, &format!("observed.{evidence}"), &mut faults);
        }
        self.illegal_facts(subject, &subject.proposed, "proposed", &mut faults);
        for (evidence, values) in &subject.raw {
            for (key, value) in values {
                let refused = TextKind::Setting.check(key).err().or_else(|| value.check().err());
                faults.extend(refused.map(|r| Fault::new(format!("raw.{evidence}.{key}"), r, Part::Other)));
            }
        }
        faults
    }

    fn illegal_facts(&self, subject: &Subject, facts: &Facts, path: &str, faults: &mut Vec<Fault>) {
        let groups = self.groups(subject);
        for (field, value) in facts.iter() {
            let reason = if groups.contains(&field.group()) {
                field.check(value).err().map(|refusal| refusal.reason)
            } else {
                Some(self.not_legal(subject, field))
            };
            faults.extend(reason.map(|reason| Fault::new(format!("{path}.{}", field.name()), reason, Part::Other)));
        }
    }

    fn not_legal(&self, subject: &Subject, field: Field) -> String {
        format!("{} has no setting {}", self.what(subject), field.label())
    }

    /// What a subject is, in words: `a channel`, `a link from a channel to an operator`.
    #[must_use]
    pub fn what(&self, subject: &Subject) -> String {
        let kind = |id: &Id| self.kind(id).map_or("nothing", ElementKind::with_article);
        match &subject.shape {
            Shape::Element(element) => element.kind().with_article().to_owned(),
            Shape::Link(link) => format!("a link from {} to {}", kind(&link.from), kind(&link.to)),
            Shape::Event => "an event type".to_owned(),
            Shape::Cluster { .. } => "a cluster".to_owned(),
        }
    }

    /// Which bound the design exceeds, with the path of the section, if one.
    #[must_use]
    pub fn too_large(&self) -> Option<(&'static str, String)> {
        [
            (Section::Elements.name(), self.elements.len(), MAX_ELEMENTS),
            (Section::Links.name(), self.links.len(), MAX_LINKS),
            ("evidence", self.records.evidence.len(), MAX_EVIDENCE),
        ]
        .into_iter()
        .find(|(_, count, max)| count > max)
        .map(|(section, count, max)| (section, format!("holds {count} entries; a design holds at most {max}")))
    }

    /// Subjects that refer to one of these ids: operators to their job and event type, links to their ends, anything to
    /// its cluster and evidence.
    pub fn users_of<'a>(&'a self, ids: &'a SortedSet<Id>) -> impl Iterator<Item = (Section, &'a Id, &'a Subject)> {
        let sections = [Section::Elements, Section::Links, Section::Events, Section::Clusters];
        let all = sections.into_iter().flat_map(|s| self.section(s).iter().map(move |(id, subject)| (s, id, subject)));
        all.filter(|(_, _, subject)| subject.references().any(|id| ids.contains(id)))
    }
}

fn no_evidence(evidence: &Id) -> String {
    format!("there is no evidence {evidence}; an observed value needs an entry that says where it was read")
}

impl Subject {
    /// The ids that this subject refers to.
    pub fn references(&self) -> impl Iterator<Item = &Id> {
        let by_shape: [Option<&Id>; 2] = match &self.shape {
            Shape::Element(Element::Source { event }) => [event.as_ref(), None],
            Shape::Element(Element::Operator { job, emits, .. }) => [Some(job), emits.as_ref()],
            Shape::Link(link) => [Some(&link.from), Some(&link.to)],
            _ => [None, None],
        };
        by_shape.into_iter().flatten().chain(&self.cluster).chain(self.observed.keys()).chain(self.raw.keys())
    }

    /// Brings a subject into the one form that equal subjects share: no name that equals the id, no empty slots.
    pub(crate) fn normalise(&mut self, id: &Id) {
        if self.name.as_deref() == Some(id.as_str()) {
            self.name = None;
        }
        self.observed.retain(|_, facts| !facts.is_empty());
        self.raw.retain(|_, values| !values.is_empty());
    }
}

impl Shape {
    /// May this subject name a system of the catalogue?
    #[must_use]
    pub const fn takes_system(&self) -> bool {
        match self {
            Self::Element(element) => !matches!(element, Element::Operator { .. }),
            Self::Cluster { .. } => true,
            Self::Link(_) | Self::Event => false,
        }
    }

    /// May this subject run in a cluster?
    #[must_use]
    pub const fn takes_cluster(&self) -> bool {
        match self {
            Self::Element(element) => !matches!(element, Element::Operator { .. }),
            Self::Link(_) | Self::Event | Self::Cluster { .. } => false,
        }
    }
}

impl ElementKind {
    /// `a channel`, `an operator`, `a batch path`.
    #[must_use]
    pub const fn with_article(self) -> &'static str {
        match self {
            Self::Source => "a source",
            Self::Channel => "a channel",
            Self::Job => "a job",
            Self::Operator => "an operator",
            Self::Sink => "a sink",
            Self::Consumer => "a consumer",
            Self::Batch => "a batch path",
        }
    }
}

impl RawValue {
    /// The file form.
    #[must_use]
    pub fn written(&self) -> Json {
        match self {
            Self::Text(text) => Json::text(&**text),
            Self::Number(n) => Json::Number(*n),
            Self::Bool(b) => Json::Bool(*b),
        }
    }

    /// Reads the file form.
    pub fn read(json: &Json) -> Result<Self, String> {
        let value = match json {
            Json::Text(text) => Self::Text(text.as_str().into()),
            Json::Number(n) => Self::Number(*n + 0.0),
            Json::Bool(b) => Self::Bool(*b),
            other => return Err(format!("needs a text, a number, true or false, not {}", other.kind())),
        };
        value.check().map(|()| value)
    }

    /// Could a file hold this?
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Text(text) => TextKind::Long.check(text).map(drop),
            Self::Number(n) if !n.is_finite() => Err("needs a finite number".to_owned()),
            _ => Ok(()),
        }
    }
}
