//! Evidence, planned actions, approvals, decisions and questions.

use super::{
    Facts, Id, Json, Slot,
    fields::{Field, Nature},
    known::{Basis, Fact, FactRef, Known},
    subject::structural_words,
    value::{Date, Text, Value},
};
use crate::sorted::SortedMap;

structural_words! {
    /// What an evidence entry is.
    EvidenceBasis { Read "read", Stated "stated", Assumed "assumed" }
    /// Why an evidence entry holds nothing; absent: it is available.
    EvidenceState { NotProvided "not_provided", Unreachable "unreachable", Absent "absent" }
    /// The checklist of required evidence.
    Covers {
        Schemas "schemas", Topology "topology", Lag "lag", LatencyNeed "latency_need", Lateness "lateness",
        SinkCapability "sink_capability", State "state", BatchPath "batch_path",
    }
    /// A step that changes a running system.
    ActionKind {
        Replay "replay", ResetOffsets "reset_offsets", DeleteState "delete_state", RestoreSavepoint "restore_savepoint",
        Backfill "backfill", DeleteChannel "delete_channel", DeleteRecords "delete_records", Publish "publish",
    }
    /// What happens to state before a replay.
    StateHandling { Reset "reset", Shadow "shadow", Keep "keep" }
    /// What was decided.
    DecisionKind {
        DropLate "drop_late", AcceptFinding "accept_finding", ChooseValue "choose_value", SinglePartition "single_partition",
        RejectProposal "reject_proposal", Other "other",
    }
}

/// What was read, from where, by whom and when.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Read, stated or assumed.
    pub basis: Option<EvidenceBasis>,
    /// Command, query, file, page, note, or the reason of an assumption.
    pub from: Option<Text>,
    /// The role that read or said it.
    pub by: Option<Text>,
    /// When.
    pub at: Option<Date>,
    /// Why there is nothing, if so.
    pub state: Option<EvidenceState>,
    /// Which required evidence this is.
    pub covers: Vec<Covers>,
    /// Ids or paths (`subject.field`) that would have come from it.
    pub about: Vec<Text>,
}

/// A planned step that changes a running system.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Which kind.
    pub kind: ActionKind,
    /// Which subjects.
    pub about: Vec<Id>,
    /// Offset, time or savepoint it starts at.
    pub from: Option<Text>,
    /// Where it ends.
    pub to: Option<Text>,
    /// What happens to state before it.
    pub state_handling: Option<StateHandling>,
    /// The bounded range that is replayed first.
    pub first_range: Option<Text>,
    /// The control total captured before.
    pub control_total: Option<Text>,
    /// What is held meanwhile.
    pub holds: Vec<Id>,
    /// Why.
    pub reason: Option<Text>,
    /// When.
    pub at: Option<Date>,
    /// Step number to what was recorded when it was done.
    pub done: SortedMap<Text, Text>,
}

impl Action {
    /// The number of a step as text, or why it is none.
    pub fn step_number(text: &str) -> Result<Text, String> {
        let digits = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
        if digits && (1..=3).contains(&text.len()) {
            Ok(text.into())
        } else {
            Err(format!("{text:?} is not the number of a step, 1 to 999"))
        }
    }
}

/// A named owner's consent to one action or one proposed value.
#[derive(Clone, Debug, PartialEq)]
pub struct Approval {
    /// Role or name.
    pub by: Text,
    /// When.
    pub at: Date,
    /// Action id or path (`subject.field`).
    pub for_: Text,
    /// The approved value, in file form; another proposed value voids the approval.
    pub value: Option<ApprovedValue>,
    /// The consumer whose owner speaks.
    pub of: Option<Id>,
}

/// An approved value: the JSON text of the file form, compared as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct ApprovedValue(pub serde_json::Value);

impl ApprovedValue {
    /// From JSON, in the form that equal values share: whole numbers as integers.
    #[must_use]
    pub fn new(json: serde_json::Value) -> Self {
        Self(Json::from_serde(&json).to_serde())
    }

    /// Levels of nesting: 0 for a plain value.
    #[must_use]
    pub fn depth(&self) -> usize {
        fn of(json: &serde_json::Value) -> usize {
            match json {
                serde_json::Value::Array(items) => 1 + items.iter().map(of).max().unwrap_or(0),
                serde_json::Value::Object(members) => 1 + members.values().map(of).max().unwrap_or(0),
                _ => 0,
            }
        }
        of(&self.0)
    }

    /// From a value of a setting.
    #[must_use]
    pub fn of(value: &Value) -> Self {
        Self(value.written().to_serde())
    }
}

/// What somebody decided, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// In words.
    pub text: Text,
    /// Role or name.
    pub by: Option<Text>,
    /// When.
    pub at: Option<Date>,
    /// Ids or paths.
    pub about: Vec<Text>,
    /// Which kind.
    pub kind: Option<DecisionKind>,
    /// The rule whose finding was accepted.
    pub rule: Option<Text>,
}

/// A question that a person wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// In words.
    pub text: Text,
    /// Ids or paths.
    pub about: Vec<Text>,
    /// Who is to answer.
    pub owner: Option<Text>,
}

/// Everything that is not a subject and not layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// What was read, from whom, when.
    pub evidence: SortedMap<Id, Evidence>,
    /// Planned steps.
    pub actions: SortedMap<Id, Action>,
    /// Consents.
    pub approvals: SortedMap<Id, Approval>,
    /// Decisions.
    pub decisions: SortedMap<Id, Decision>,
    /// Questions people wrote.
    pub questions: SortedMap<Id, Question>,
}

impl Records {
    /// Is this the id of a record?
    #[must_use]
    pub fn holds(&self, id: &Id) -> bool {
        self.evidence.contains_key(id)
            || self.actions.contains_key(id)
            || self.approvals.contains_key(id)
            || self.decisions.contains_key(id)
            || self.questions.contains_key(id)
    }

    /// Does a record mention this id, alone or as the subject of a path?
    #[must_use]
    pub fn mentions(&self, id: &Id) -> bool {
        let names = |text: &str| text.split('.').next() == Some(id.as_str());
        let any = |texts: &[Text]| texts.iter().any(|text| names(text));
        self.evidence.values().any(|e| any(&e.about))
            || self.actions.values().any(|a| a.about.contains(id) || a.holds.contains(id))
            || self.approvals.values().any(|a| names(&a.for_) || a.of.as_ref() == Some(id))
            || self.decisions.values().any(|d| any(&d.about))
            || self.questions.values().any(|q| any(&q.about))
    }

    /// The basis of a value of this nature under this evidence: read gives configured or measured, else its own word.
    #[must_use]
    pub fn basis(&self, evidence: &Id, nature: Nature, value: &Value) -> Basis {
        basis_of(self.evidence.get(evidence).and_then(|e| e.basis), nature, value)
    }

    /// The observed value that counts: equal values take their strongest basis, an assumption yields to anything else,
    /// of two readings of a measurement the later counts, every other disagreement is a conflict.
    pub(super) fn weigh(&self, subject: &Id, field: Field, observed: &SortedMap<Id, Facts>) -> Known<Value> {
        let nature = field.row().nature;
        let mut read = observed.iter().filter_map(|(evidence, facts)| Some((evidence, facts.get(field)?)));
        let Some((evidence, value)) = read.next() else { return Known::NotKnown(nature) };
        if read.next().is_none() {
            // One reading has nothing to weigh against: by far the most common case.
            let source = FactRef { subject: subject.clone(), field, slot: Slot::Observed(evidence.clone()) };
            return match value {
                Value::Unset => Known::Unset(source),
                value => {
                    Known::Value(Fact { value: value.clone(), basis: self.basis(evidence, nature, value), source })
                }
            };
        }
        let mut readings: Vec<(&Id, &Value, Basis)> = observed
            .iter()
            .filter_map(|(evidence, facts)| {
                let value = facts.get(field)?;
                Some((evidence, value, self.basis(evidence, nature, value)))
            })
            .collect();
        if readings.iter().any(|reading| reading.2 != Basis::Assumed) {
            readings.retain(|reading| reading.2 != Basis::Assumed);
        }
        if nature == Nature::Measurement && readings.len() > 1 {
            let at = |evidence: &Id| self.evidence.get(evidence).and_then(|e| e.at.clone());
            let latest = readings.iter().map(|reading| at(reading.0)).max().flatten();
            if latest.is_some() {
                readings.retain(|reading| at(reading.0) == latest);
            }
        }
        let source =
            |evidence: &Id| FactRef { subject: subject.clone(), field, slot: Slot::Observed(evidence.clone()) };
        let Some(best) = readings.iter().max_by_key(|reading| reading.2.strength()) else {
            return Known::NotKnown(nature);
        };
        if readings.iter().any(|reading| reading.1 != best.1) {
            return Known::Conflict(readings.iter().map(|reading| source(reading.0)).collect());
        }
        match best.1 {
            Value::Unset => Known::Unset(source(best.0)),
            value => Known::Value(Fact { value: value.clone(), basis: best.2, source: source(best.0) }),
        }
    }
}

/// The basis of a value of this nature under evidence of this kind.
pub(super) fn basis_of(evidence: Option<EvidenceBasis>, nature: Nature, value: &Value) -> Basis {
    match evidence {
        Some(EvidenceBasis::Assumed) | None => Basis::Assumed,
        Some(EvidenceBasis::Stated) => Basis::Stated,
        Some(EvidenceBasis::Read) if *value == Value::Unset => Basis::Configured,
        Some(EvidenceBasis::Read) => match nature {
            Nature::Configuration => Basis::Configured,
            Nature::Measurement => Basis::Measured,
            Nature::Need => Basis::Stated,
        },
    }
}
