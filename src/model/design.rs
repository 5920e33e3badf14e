//! The whole document.

use super::{
    Element, Fact, Facts, Id, Known, Layout, Records, Shape, Slot, Subject, View,
    fields::{Field, Group, Key},
    known::{Basis, FactRef},
    subject::{ElementKind, Lifecycle},
    value::{FieldValue, Text, Value},
};
use crate::sorted::{SortedMap, SortedSet};

/// One design: everything that a person or an importer stated, nothing that is computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Design {
    /// Lowest version of the format that may compute verdicts from this document.
    pub min_reader: Option<u32>,
    /// Title.
    pub name: Option<Text>,
    /// The business question in one sentence.
    pub question: Option<Text>,
    /// Sources, channels, jobs, operators, sinks, consumers, batch paths.
    pub elements: SortedMap<Id, Subject>,
    /// Links between them.
    pub links: SortedMap<Id, Subject>,
    /// Event types.
    pub events: SortedMap<Id, Subject>,
    /// Places that things run in.
    pub clusters: SortedMap<Id, Subject>,
    /// Evidence, actions, approvals, decisions, questions.
    pub records: Records,
    /// Positions and looks; no meaning.
    pub layout: Layout,
}

/// The sections that hold subjects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Section {
    Elements,
    Links,
    Events,
    Clusters,
}

impl Section {
    /// As written in the document.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Elements => "elements",
            Self::Links => "links",
            Self::Events => "events",
            Self::Clusters => "clusters",
        }
    }
}

impl Design {
    /// The subjects of one section.
    #[must_use]
    pub const fn section(&self, section: Section) -> &SortedMap<Id, Subject> {
        match section {
            Section::Elements => &self.elements,
            Section::Links => &self.links,
            Section::Events => &self.events,
            Section::Clusters => &self.clusters,
        }
    }

    /// The subjects of one section, to change; only `edit` and `codec` do.
    pub(crate) const fn section_mut(&mut self, section: Section) -> &mut SortedMap<Id, Subject> {
        match section {
            Section::Elements => &mut self.elements,
            Section::Links => &mut self.links,
            Section::Events => &mut self.events,
            Section::Clusters => &mut self.clusters,
        }
    }

    /// The section that a subject stands in.
    #[must_use]
    pub fn section_of(&self, id: &Id) -> Option<Section> {
        [Section::Elements, Section::Links, Section::Events, Section::Clusters]
            .into_iter()
            .find(|section| self.section(*section).contains_key(id))
    }

    /// A subject of any section.
    #[must_use]
    pub fn subject(&self, id: &Id) -> Option<&Subject> {
        self.section_of(id).and_then(|section| self.section(section).get(id))
    }

    /// Is this id in use anywhere, also as a record?
    #[must_use]
    pub fn holds(&self, id: &Id) -> bool {
        self.section_of(id).is_some() || self.records.holds(id) || self.layout.notes.contains_key(id)
    }

    /// Is this id mentioned by an approval, decision, action or question, so that it must not be handed out again?
    #[must_use]
    pub fn mentions(&self, id: &Id) -> bool {
        self.records.mentions(id)
    }

    /// `base`, or `base-2`, `base-3` …: the first that is neither in use nor mentioned.
    #[must_use]
    pub fn fresh_id(&self, base: &Id) -> Id {
        self.fresh_id_besides(base, &|_| false)
    }

    /// As [`Self::fresh_id`], leaving out also what `taken` names (ids that the history or a growing edit holds).
    #[must_use]
    pub fn fresh_id_besides(&self, base: &Id, taken: &dyn Fn(&Id) -> bool) -> Id {
        let free = |id: &Id| !self.holds(id) && !self.mentions(id) && !taken(id);
        if free(base) {
            return base.clone();
        }
        let stem: String = base.as_str().chars().take(super::id::MAX_ID_LENGTH - 7).collect();
        (2u32..).filter_map(|n| Id::new(&format!("{stem}-{n}")).ok()).find(free).unwrap_or_else(|| base.clone())
    }

    /// The next id of a counted kind: `l1`, `l2` … for links, `e1` … for evidence.
    #[must_use]
    pub fn next_id(&self, letter: char, taken: &dyn Fn(&Id) -> bool) -> Id {
        // Ids of a kind count up as a rule: the numbers that are taken are told by their text, and not made into ids.
        let drawn = [&self.elements, &self.links, &self.events, &self.clusters];
        let number =
            |id: &Id| id.as_str().strip_prefix(letter).filter(|text| !text.starts_with('0'))?.parse::<u32>().ok();
        let taken_numbers: SortedSet<u32> = drawn.into_iter().flat_map(SortedMap::keys).filter_map(number).collect();
        let mut free = taken_numbers.iter();
        let mut next_taken = free.next();
        let next = (1u32..)
            .filter(|n| {
                while next_taken.is_some_and(|taken| taken < n) {
                    next_taken = free.next();
                }
                next_taken != Some(n)
            })
            .filter_map(|n| Id::new(&format!("{letter}{n}")).ok())
            .find(|id| !taken(id) && !self.holds(id) && !self.mentions(id));
        next.unwrap_or_else(|| Id::slug("", "x"))
    }

    /// The name that people see: the subject's name, else its id; of a link, its two ends.
    #[must_use]
    pub fn title(&self, id: &Id) -> String {
        let subject = self.subject(id);
        match subject.and_then(Subject::as_link) {
            Some(link) => format!("{} → {}", self.title(&link.from), self.title(&link.to)),
            None => subject.and_then(|subject| subject.name.as_deref()).unwrap_or_else(|| id.as_str()).to_owned(),
        }
    }

    /// The operators of a job, in id order.
    pub fn operators_of<'a>(&'a self, job: &'a Id) -> impl Iterator<Item = (&'a Id, &'a Subject)> {
        self.elements
            .iter()
            .filter(move |(_, subject)| matches!(&subject.shape, Shape::Element(Element::Operator { job: of, .. }) if of == job))
    }

    /// The job that an operator belongs to.
    #[must_use]
    pub fn job_of(&self, operator: &Id) -> Option<&Id> {
        match &self.elements.get(operator)?.shape {
            Shape::Element(Element::Operator { job, .. }) => Some(job),
            _ => None,
        }
    }

    /// The kind of an element.
    #[must_use]
    pub fn kind(&self, id: &Id) -> Option<ElementKind> {
        self.elements.get(id)?.kind()
    }

    /// The catalogue id of the system: the subject's own, an operator's job's, else its cluster's.
    #[must_use]
    pub fn system(&self, id: &Id) -> Option<&Text> {
        let subject = self.subject(id)?;
        if let Shape::Element(Element::Operator { job, .. }) = &subject.shape {
            return self.system(job);
        }
        subject.system.as_ref().or_else(|| self.clusters.get(subject.cluster.as_ref()?)?.system.as_ref())
    }

    /// Planned, existing or retiring, with the inheritance of the format: an operator takes its job's, a link the least
    /// of its ends' (planned, then retiring, then existing), all else is planned.
    #[must_use]
    pub fn lifecycle(&self, id: &Id) -> Lifecycle {
        self.subject(id).map_or(Lifecycle::Planned, |subject| self.lifecycle_of(subject))
    }

    /// As [`Self::lifecycle`], for a subject at hand.
    #[must_use]
    pub fn lifecycle_of(&self, subject: &Subject) -> Lifecycle {
        if let Some(own) = subject.lifecycle {
            return own;
        }
        match &subject.shape {
            Shape::Element(Element::Operator { job, .. }) => {
                self.elements.get(job).and_then(|job| job.lifecycle).unwrap_or(Lifecycle::Planned)
            }
            Shape::Link(link) => self.lifecycle(&link.from).min(self.lifecycle(&link.to)),
            Shape::Event | Shape::Cluster { .. } => Lifecycle::Existing,
            Shape::Element(_) => Lifecycle::Planned,
        }
    }

    /// What somebody draws is a proposal: where it would count as more by what it belongs to (an operator by its job, a
    /// link by its ends), it says itself that it is planned.
    pub fn keep_planned(&self, drawn: &mut Subject) {
        if self.lifecycle_of(drawn) != Lifecycle::Planned {
            drawn.lifecycle = Some(Lifecycle::Planned);
        }
    }

    /// What was planned stays so, whatever it is changed to belong to.
    pub fn stay_planned(&self, before: &Subject, changed: &mut Subject) {
        if self.lifecycle_of(before) == Lifecycle::Planned {
            self.keep_planned(changed);
        }
    }

    /// Does this subject exist in this view? As-is holds existing and retiring, to-be planned and existing ones.
    #[must_use]
    pub fn visible(&self, view: View, id: &Id) -> bool {
        view.holds(self.lifecycle(id))
    }

    /// The groups whose fields are legal on this subject, in table order.
    #[must_use]
    pub fn groups(&self, subject: &Subject) -> Vec<Group> {
        match &subject.shape {
            Shape::Event => vec![Group::Event],
            Shape::Cluster { .. } => vec![Group::Cluster],
            Shape::Element(element) => vec![element.kind().group()],
            Shape::Link(link) => {
                let kinds = (self.kind(&link.from), self.kind(&link.to));
                super::legal::link_groups(kinds, link.port)
            }
        }
    }

    /// The field of this name on this subject, where it is legal.
    #[must_use]
    pub fn field(&self, subject: &Subject, name: &str) -> Option<Field> {
        self.groups(subject).into_iter().find_map(|group| group.field(name))
    }

    /// The value of a setting in a view, typed, with its basis and source.
    #[must_use]
    pub fn get<T: FieldValue>(&self, view: View, id: &Id, key: Key<T>) -> Known<T> {
        typed(self.resolve(view, id, key.field()), key)
    }

    /// As [`Self::get`], for a subject at hand that is visible in `view`: spares the analysis the look-ups by id.
    #[must_use]
    pub(crate) fn read<T: FieldValue>(&self, view: View, id: &Id, subject: &Subject, key: Key<T>) -> Known<T> {
        typed(self.resolve_visible(view, id, subject, key.field()), key)
    }

    /// The value of a setting in a view, untyped. Channels fall back field by field on their cluster: own proposed, own
    /// observed, cluster proposed, cluster observed.
    #[must_use]
    pub fn resolve(&self, view: View, id: &Id, field: Field) -> Known<Value> {
        let nature = field.row().nature;
        let Some(subject) = self.subject(id) else { return Known::NotKnown(nature) };
        if view == View::AsIs && self.lifecycle(id) == Lifecycle::Planned {
            return self.default_of_cluster(view, subject, field).unwrap_or(Known::NotKnown(nature));
        }
        self.resolve_visible(view, id, subject, field)
    }

    fn resolve_visible(&self, view: View, id: &Id, subject: &Subject, field: Field) -> Known<Value> {
        let own = self.resolve_own(view, id, subject, field);
        if !matches!(own, Known::NotKnown(_)) {
            return own;
        }
        self.default_of_cluster(view, subject, field).unwrap_or(own)
    }

    fn default_of_cluster(&self, view: View, channel: &Subject, field: Field) -> Option<Known<Value>> {
        if field.group() != Group::Channel {
            return None;
        }
        let id = channel.cluster.as_ref()?;
        let cluster = self.clusters.get(id)?;
        if cluster.lifecycle == Some(Lifecycle::Planned) && view == View::AsIs {
            return None;
        }
        Some(self.resolve_own(view, id, cluster, Group::Cluster.field(field.name())?))
    }

    fn resolve_own(&self, view: View, id: &Id, subject: &Subject, field: Field) -> Known<Value> {
        if view == View::ToBe
            && let Some(value) = subject.proposed.get(field)
        {
            let source = FactRef { subject: id.clone(), field, slot: Slot::Proposed };
            return match value {
                Value::Unset => Known::Unset(source),
                value => Known::Value(Fact { value: value.clone(), basis: Basis::Proposed, source }),
            };
        }
        self.records.weigh(id, field, &subject.observed)
    }

    /// All slots that hold this field on this subject, for inspectors and conflicts: `(slot, value)`.
    pub fn slots<'a>(&self, subject: &'a Subject, field: Field) -> Vec<(Slot, &'a Value)> {
        let observed =
            subject.observed.iter().filter_map(|(e, facts)| Some((Slot::Observed(e.clone()), facts.get(field)?)));
        observed.chain(subject.proposed.get(field).map(|value| (Slot::Proposed, value))).collect()
    }

    /// The facts of a slot.
    #[must_use]
    pub fn facts<'a>(subject: &'a Subject, slot: &Slot) -> Option<&'a Facts> {
        match slot {
            Slot::Observed(evidence) => subject.observed.get(evidence),
            Slot::Proposed => Some(&subject.proposed),
        }
    }
}

/// An untyped value by its key.
pub(super) fn typed<T: FieldValue>(known: Known<Value>, key: Key<T>) -> Known<T> {
    match known {
        Known::Value(fact) => match T::from_value(&fact.value) {
            Some(value) => Known::Value(Fact { value, basis: fact.basis, source: fact.source }),
            None => Known::NotKnown(key.field().row().nature),
        },
        Known::Unset(source) => Known::Unset(source),
        Known::Conflict(sources) => Known::Conflict(sources),
        Known::NotKnown(nature) => Known::NotKnown(nature),
    }
}
