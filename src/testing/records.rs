//! Arbitrary records: evidence, actions, approvals, decisions, questions.

use super::{Entropy, value};
use pipeline_desk::model::{
    Action, ActionKind, Approval, ApprovedValue, Covers, Decision, DecisionKind, Design, Evidence, EvidenceBasis,
    EvidenceState, FieldType, Id, Question, StateHandling, Text,
};

pub(super) fn evidence(e: &mut Entropy, design: &Design) -> Evidence {
    let first = e.below(Covers::ALL.len());
    Evidence {
        basis: e.maybe(EvidenceBasis::ALL),
        from: e.some(2, Entropy::text),
        by: e.some(3, Entropy::text),
        at: e.some(2, Entropy::date),
        state: e.maybe(EvidenceState::ALL),
        covers: Covers::ALL[first..(first + e.below(3)).min(Covers::ALL.len())].to_vec(),
        about: e.few(2, |e| e.path(design)),
    }
}

pub(super) fn action(e: &mut Entropy, design: &Design) -> Action {
    Action {
        kind: e.pick(ActionKind::ALL),
        about: e.few(2, |e| e.id(design)),
        from: e.some(3, Entropy::text),
        to: e.some(3, Entropy::text),
        state_handling: e.maybe(StateHandling::ALL),
        first_range: e.some(5, Entropy::text),
        control_total: e.some(5, Entropy::text),
        holds: e.few(2, |e| e.id(design)),
        reason: e.some(3, Entropy::text),
        at: e.some(3, Entropy::date),
        done: e.few(3, |e| (Text::from((1 + e.below(20)).to_string()), e.text())).into_iter().collect(),
    }
}

pub(super) fn approval(e: &mut Entropy, design: &Design) -> Approval {
    let ty = e.pick(&[FieldType::Duration, FieldType::Count, FieldType::Keys, FieldType::Schema, FieldType::Number]);
    Approval {
        by: e.text(),
        at: e.date(),
        for_: e.path(design),
        value: e.some(2, |e| ApprovedValue::of(&value(e, ty))),
        of: e.some(3, |e| e.id(design)),
    }
}

pub(super) fn decision(e: &mut Entropy, design: &Design) -> Decision {
    Decision {
        text: e.text(),
        by: e.some(3, Entropy::text),
        at: e.some(3, Entropy::date),
        about: e.few(2, |e| e.path(design)),
        kind: e.maybe(DecisionKind::ALL),
        rule: e.some(3, Entropy::text),
    }
}

pub(super) fn question(e: &mut Entropy, design: &Design) -> Question {
    Question { text: e.text(), about: e.few(2, |e| e.path(design)), owner: e.some(3, Entropy::text) }
}

/// A few records of each kind but evidence, which facts are filed under.
pub(super) fn all(e: &mut Entropy, design: &mut Design) {
    let id = |letter: char, n: usize| Id::new(&format!("{letter}{n}")).unwrap();
    for n in 0..e.below(3) {
        let action = action(e, design);
        design.records.actions.insert(id('a', n), action);
        let approval = approval(e, design);
        design.records.approvals.insert(id('p', n), approval);
        let decision = decision(e, design);
        design.records.decisions.insert(id('d', n), decision);
        let question = question(e, design);
        design.records.questions.insert(id('q', n), question);
    }
}
