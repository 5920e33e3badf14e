//! What a document lacks, and what closes it.

use super::desk::Desk;
use crate::{
    analysis::explain::{Missing, MissingWhy},
    catalog,
    model::{Field, Id, Question},
};

/// The state of a question that somebody wrote down.
pub const ASKED: &str = "asked";

/// What closes a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closes {
    /// What this command prints.
    Command(String),
    /// The answer of this person or team.
    Answer(String),
}

/// Something that a document lacks: what nobody read, measured, stated or decided, and the questions that people asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What is missing, without its place: `retention time`; a question in its own words.
    pub what: String,
    /// What is missing and where: `retention time of orders`; a question in its own words.
    pub question: String,
    /// Which subject, where it is about one.
    pub subject: Option<Id>,
    /// Which setting, where it is one.
    pub field: Option<Field>,
    /// `not read`, `not measured`, `not stated`, `in conflict`, `not decided`, `asked`.
    pub state: &'static str,
    /// What closes it, where that is known.
    pub close: Option<Closes>,
    /// Whether a figure or a claim waits for it.
    pub bars: bool,
}

impl Gap {
    /// Something that is missing of the design as a whole.
    #[must_use]
    pub fn whole(what: &str, state: &'static str) -> Self {
        Self {
            what: what.to_owned(),
            question: what.to_owned(),
            subject: None,
            field: None,
            state,
            close: None,
            bars: false,
        }
    }

    /// Something that is no setting and that is missing at one subject; `joined` stands between the two: `of`, `to`, `at`.
    #[must_use]
    pub fn at(desk: &Desk<'_>, subject: &Id, what: &str, joined: &str, state: &'static str) -> Self {
        let question = format!("{what} {joined} {}", desk.said(subject));
        Self { question, subject: Some(subject.clone()), ..Self::whole(what, state) }
    }

    /// A source of evidence that could not be reached.
    #[must_use]
    pub fn unreachable(desk: &Desk<'_>, evidence: &Id) -> Self {
        Self { subject: Some(evidence.clone()), ..Self::whole(&desk.source_name(evidence), "not reachable") }
    }

    /// A setting that is not known.
    #[must_use]
    pub fn of(desk: &Desk<'_>, id: &Id, field: Field, state: &'static str) -> Self {
        Self {
            question: desk.setting_of(id, field),
            subject: Some(id.clone()),
            field: Some(field),
            close: catalog::command(desk.design, id, field).map(Closes::Command),
            ..Self::whole(&field.label(), state)
        }
    }

    /// A question that somebody wrote down.
    #[must_use]
    pub fn asked(desk: &Desk<'_>, question: &Question) -> Self {
        let about = question.about.iter().find_map(|text| Id::new(text.split('.').next()?).ok());
        Self {
            subject: about.filter(|id| desk.design.subject(id).is_some()),
            close: question.owner.as_ref().map(|owner| Closes::Answer(owner.to_string())),
            ..Self::whole(&question.text, ASKED)
        }
    }

    /// What a figure or verdict waits for.
    #[must_use]
    pub fn missing(desk: &Desk<'_>, missing: &Missing) -> Self {
        let gap = match missing.why {
            MissingWhy::System => Self::at(desk, &missing.subject, "system", "of", missing.state()),
            _ => Self::of(desk, &missing.subject, missing.field, missing.state()),
        };
        Self { bars: true, ..gap }
    }

    /// What makes it this gap and no other.
    #[must_use]
    pub fn identity(&self) -> (Option<Id>, Option<Field>, String) {
        (self.subject.clone(), self.field, self.what.clone())
    }

    /// What is missing and how: `partitions of orders: not read`, `asked: Who owns orders?`.
    #[must_use]
    pub fn words(&self) -> String {
        if self.state == ASKED {
            format!("{}: {}", self.state, self.question)
        } else {
            format!("{}: {}", self.question, self.state)
        }
    }
}

/// The gaps by what is missing: what lacks alike at several places, and is closed by no command of one place, is one row
/// at the place of the first.
#[must_use]
pub fn alike(gaps: &[Gap]) -> Vec<Vec<&Gap>> {
    let mut rows: Vec<Vec<&Gap>> = Vec::new();
    for gap in gaps {
        let plain = |gap: &Gap| gap.close.is_none() && gap.subject.is_some() && gap.state != ASKED;
        let like = |row: &&mut Vec<&Gap>| {
            let alike = |first: &&&Gap| plain(first) && (&first.what, first.state) == (&gap.what, gap.state);
            row.first().filter(alike).is_some()
        };
        match rows.iter_mut().find(like).filter(|_| plain(gap)) {
            Some(row) => row.push(gap),
            None => rows.push(vec![gap]),
        }
    }
    rows
}
