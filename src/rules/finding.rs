//! What a rule says, and what stops a run.

use std::borrow::Cow;

use crate::{
    edit::Edit,
    model::{Approval, ApprovedValue, Date, Decision, DecisionKind, Design, Field, Id, Text},
};

/// How bad a finding is. Sorts from the least to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// A risk or a missing bound.
    Warning,
    /// A consumer, a rebuild or a target is affected.
    Error,
}

impl Severity {
    /// One step worse, where there is one.
    #[must_use]
    pub const fn raised(self) -> Self {
        match self {
            Self::Note => Self::Warning,
            Self::Warning | Self::Error => Self::Error,
        }
    }
}

/// What a rule says about one place of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Stable id of the rule: `DEL-15`.
    pub rule: &'static str,
    /// How bad.
    pub severity: Severity,
    /// Elements or links it is about; the first is where it is shown.
    pub about: Vec<Id>,
    /// What is wrong, in one line with the facts.
    pub message: String,
    /// Why it matters, in one line.
    pub why: &'static str,
    /// What mends it, in one line.
    pub remedy: Cow<'static, str>,
    /// A safe change that proposes the remedy, where there is one: label and edit.
    pub fix: Option<Fix>,
    /// The reason and name of a decision that put it aside, where there is one.
    pub accepted: Option<String>,
}

/// A change that proposes a remedy.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// What the button says: `Propose read_committed`.
    pub label: String,
    /// The change; it only ever proposes.
    pub edit: Edit,
}

/// The classes of halts; nothing else stops a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum HaltClass {
    MissingApproval,
    ProductionOrDestructive,
    SecurityOrPrivacy,
    SourceConflict,
    ReleaseIntegrity,
    ConnectorUnreachable,
}

impl HaltClass {
    /// All classes, in the order in which they are shown.
    pub const ALL: [Self; 6] = [
        Self::SecurityOrPrivacy,
        Self::ProductionOrDestructive,
        Self::MissingApproval,
        Self::SourceConflict,
        Self::ReleaseIntegrity,
        Self::ConnectorUnreachable,
    ];

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::MissingApproval => "missing approval",
            Self::ProductionOrDestructive => "production or destructive action",
            Self::SecurityOrPrivacy => "security or privacy exposure",
            Self::SourceConflict => "genuine source conflict",
            Self::ReleaseIntegrity => "release integrity",
            Self::ConnectorUnreachable => "connector unreachable",
        }
    }
}

/// An action that is stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Halt {
    /// Which class.
    pub class: HaltClass,
    /// What it is about.
    pub about: Vec<Id>,
    /// The action that is stopped.
    pub action: String,
    /// The consequence that justifies it.
    pub consequence: String,
    /// Who or what lifts it.
    pub lifted_by: String,
    /// How that is recorded.
    pub lift: Lift,
}

/// How the lifting of a halt is recorded in the design.
#[derive(Clone, Debug, PartialEq)]
pub enum Lift {
    /// By consent; every one of these is needed.
    Consent(Vec<Consent>),
    /// By deciding which reading of this setting is true.
    Reading(Id, Field),
    /// By no record: what is drawn, set or read has to become another.
    Change,
}

/// Consent that is missing, bound to one path and one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Consent {
    /// Action id or path (`subject.field`).
    pub for_: Text,
    /// The proposed value in file form; none for an action.
    pub value: Option<ApprovedValue>,
    /// What is consented to, as people read it: `allowed lateness 0 s → 10 min`.
    pub what: String,
    /// The consumer whose owner is asked; none: whoever owns what changes.
    pub of: Option<Id>,
    /// The owner who is asked, where one is stated.
    pub owner: Option<Text>,
}

impl Consent {
    /// The record of this consent.
    #[must_use]
    pub fn given(&self, by: Text, at: Date) -> Approval {
        Approval { by, at, for_: self.for_.clone(), value: self.value.clone(), of: self.of.clone() }
    }
}
impl Finding {
    /// The decision that puts it aside, where there is one: it has a reason and the name of who takes it.
    #[must_use]
    pub fn put_aside_by<'d>(&self, design: &'d Design) -> Option<&'d Id> {
        let names = |text: &str| self.about.iter().any(|id| text.split('.').next() == Some(id.as_str()));
        let accepts = |decision: &Decision| {
            decision.kind == Some(DecisionKind::AcceptFinding)
                && decision.by.is_some()
                && decision.rule.as_deref() == Some(self.rule)
                && decision.about.iter().any(|text| names(text))
        };
        design.records.decisions.iter().find(|(_, decision)| accepts(decision)).map(|(id, _)| id)
    }
}
