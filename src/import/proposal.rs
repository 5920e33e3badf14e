//! What an import would change, to be looked at before anything changes.

use super::{Choices, LineNote, LineRef, LineState, Resolution};
use crate::edit::Edit;
use crate::model::{Basis, Evidence, Field, Id, RawValue, Subject, Text, Value};
use crate::sorted::SortedSet;

/// What a proposed subject is to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SubjectRole {
    /// The Kafka cluster.
    Cluster,
    /// A topic.
    Channel,
    /// A consumer group, as the job that reads.
    Job,
    /// The one step of a job that only its group is known of.
    Operator,
    /// A group's reading of a topic.
    Read,
    /// Where events are born.
    Source,
    /// What a job writes to.
    Sink,
    /// A job's taking from a source.
    Take,
    /// A job's writing of a topic or a store.
    Write,
}

/// Is it in the design already?
#[derive(Clone, Debug, PartialEq)]
pub enum Presence {
    /// It would be added, as this.
    New(Box<Subject>),
    /// It is there. These small changes would be made to it, each with its words.
    Exists(Vec<(Edit, String)>),
}

/// One element, link or cluster that facts were read about.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedSubject {
    /// Its id in the design, existing or new.
    pub id: Id,
    /// The name that people see.
    pub title: String,
    /// What it is.
    pub role: SubjectRole,
    /// Is it there already?
    pub presence: Presence,
    /// What it cannot be without.
    pub needs: Vec<Id>,
    /// Where it is first spoken of.
    pub at: LineRef,
}

/// How a fact stands to the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactState {
    /// The design says nothing about it.
    New,
    /// The design says the same, with a weaker basis.
    StrongerBasis,
    /// It replaces an earlier reading, an assumption or an older measurement.
    Update,
    /// The design, or another input, says something else: somebody has to decide.
    Conflict,
    /// The design has it as read: nothing changes.
    Same,
    /// An earlier reading had it and this one, which is complete, has not: it is taken out.
    Gone,
}

/// A value that stands in the design, or comes from another input of the same import.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The evidence it is filed under.
    pub evidence: Id,
    /// The value.
    pub value: Value,
    /// How well it is founded.
    pub basis: Basis,
}

/// One fact that would be filed.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedFact {
    /// Whose it is.
    pub subject: Id,
    /// Which field.
    pub field: Field,
    /// The product's own word for it: `retention.ms`.
    pub key: String,
    /// What the design says now; several where it says several things.
    pub in_design: Vec<Standing>,
    /// What was read; nothing for [`FactState::Gone`].
    pub read_as: Option<Value>,
    /// The basis it would have.
    pub basis: Basis,
    /// The evidence it would be filed under; for [`FactState::Gone`] the one it is taken out of.
    pub evidence: Id,
    /// The lines that say it; of what a complete list lacks, the line that the list begins on.
    pub lines: Vec<LineRef>,
    /// How it stands to the design.
    pub state: FactState,
    /// What to add: what follows, or where the value comes from.
    pub note: Option<String>,
    /// Earlier readings that it takes the place of.
    pub(super) replaces: Vec<Id>,
}

/// Which fact it is, whatever else is read beside it: the subject, the setting and the value, nothing where it is gone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FactKey {
    pub(super) subject: Id,
    pub(super) field: Field,
    pub(super) value: Option<String>,
}

impl ProposedFact {
    /// Which fact it is; it stays the same one when more text is read.
    #[must_use]
    pub fn id(&self) -> FactKey {
        let value = self.read_as.as_ref().map(|value| value.written().to_string());
        FactKey { subject: self.subject.clone(), field: self.field, value }
    }
}

/// A product key without a field that would be kept.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ProposedRaw {
    pub subject: Id,
    pub evidence: Id,
    pub key: Text,
    pub value: Option<RawValue>,
}

/// Something worth saying about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Where.
    pub at: LineRef,
    /// In words.
    pub text: String,
}

/// Something that was not used, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Where, if it has a place.
    pub at: Option<LineRef>,
    /// What.
    pub what: String,
    /// Why, and what to do.
    pub reason: String,
}

/// A name that the text does not say; [`super::Reading::name`] takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Which section of the reading.
    pub section: usize,
    /// Where it begins.
    pub at: LineRef,
    /// The question.
    pub text: String,
}

/// Something that an earlier reading of the same command had and this one has not. It stays in the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vanished {
    /// Its id.
    pub id: Id,
    /// The name that people see.
    pub title: String,
    /// In words, with what to do.
    pub text: String,
}

/// How many facts there are of each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All that were found.
    pub found: usize,
    /// New ones.
    pub new: usize,
    /// The same value with a stronger basis.
    pub stronger: usize,
    /// Later readings of known facts, and facts taken out.
    pub updates: usize,
    /// To be decided.
    pub conflicts: usize,
    /// Known already.
    pub same: usize,
    /// Lines not understood.
    pub not_understood: usize,
    /// Lines with a secret removed.
    pub secrets: usize,
}

/// What an import would change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposal {
    /// Every line with its state; conflicts are marked.
    pub lines: Vec<LineNote>,
    /// What facts were read about: the cluster, then topics, then groups, in the order of the text.
    pub subjects: Vec<ProposedSubject>,
    /// All facts, by subject in the order of [`Self::subjects`].
    pub facts: Vec<ProposedFact>,
    /// The evidence entries that they are filed under.
    pub evidence: Vec<(Id, Evidence)>,
    /// Names that are missing.
    pub asks: Vec<Ask>,
    /// What else is worth saying.
    pub remarks: Vec<Remark>,
    /// What was not used.
    pub skipped: Vec<Skipped>,
    /// What an earlier reading had and this one has not.
    pub vanished: Vec<Vanished>,
    pub(super) raw: Vec<ProposedRaw>,
    /// Evidence entries that are in the design already, as they are there.
    pub(super) known_evidence: SortedSet<Id>,
    /// Evidence entries whose date or extent the import brings up to date.
    pub(super) refreshed: SortedSet<Id>,
    pub(super) next_decision: Vec<Id>,
    pub(super) at: Option<crate::model::Date>,
}

impl Proposal {
    /// The edit that files what `choices` accept: one step of undo. Empty where nothing would change.
    #[must_use]
    pub fn edit(&self, choices: &Choices) -> Edit {
        super::accept::edit(self, choices)
    }

    /// Is there anything to show of a subject: that it is new, a change to it, a fact, or a product key that would be kept
    /// or taken out?
    #[must_use]
    pub fn tells_of(&self, subject: &ProposedSubject) -> bool {
        match &subject.presence {
            Presence::New(_) => true,
            Presence::Exists(changes) => {
                !changes.is_empty()
                    || self.facts.iter().any(|fact| fact.subject == subject.id)
                    || self.raw.iter().any(|raw| raw.subject == subject.id)
            }
        }
    }

    /// Product keys without a field that would change on a subject: the key, and whether it would be kept or taken out.
    pub fn kept_of<'a>(&'a self, id: &'a Id) -> impl Iterator<Item = (&'a str, bool)> {
        self.raw.iter().filter(move |raw| raw.subject == *id).map(|raw| (&*raw.key, raw.value.is_some()))
    }

    /// How many facts there are of each state.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let facts = |state| self.facts.iter().filter(|fact| fact.state == state).count();
        let lines = |test: &dyn Fn(&LineState) -> bool| self.lines.iter().filter(|line| test(&line.state)).count();
        Summary {
            found: self.facts.iter().filter(|fact| fact.state != FactState::Gone).count(),
            new: facts(FactState::New),
            stronger: facts(FactState::StrongerBasis),
            updates: facts(FactState::Update) + facts(FactState::Gone),
            conflicts: facts(FactState::Conflict),
            same: facts(FactState::Same),
            not_understood: lines(&|state| matches!(state, LineState::NotUnderstood(_))),
            secrets: lines(&|state| *state == LineState::SecretRemoved),
        }
    }

    /// Conflicts that `choices` leave open.
    #[must_use]
    pub fn open_conflicts(&self, choices: &Choices) -> usize {
        let open = |fact: &&ProposedFact| {
            fact.state == FactState::Conflict && choices.resolution(fact).is_none() && !choices.without(fact)
        };
        self.facts.iter().filter(open).count()
    }

    /// Would accepting change nothing?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let everything = Choices {
            conflicts: self.facts.iter().map(|fact| (fact.id(), Resolution::AsRead)).collect(),
            ..Choices::default()
        };
        self.edit(&everything) == Edit::All(Vec::new())
    }
}
