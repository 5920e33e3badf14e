//! Evidence, actions, approvals, decisions and questions.

use super::{Id, Json, Object, Path, Problems};
use crate::model::{
    Action, ActionKind, Approval, ApprovedValue, Covers, Decision, DecisionKind, Evidence, EvidenceBasis,
    EvidenceState, Question, Records, StateHandling, Text, limits::TextKind,
};
use crate::sorted::SortedMap;

/// Reads the five sections.
pub(in crate::codec) fn read(object: &mut Object<'_, '_>, records: &mut Records) {
    records.evidence = section(object, "evidence", "an evidence entry", evidence);
    records.actions = section(object, "actions", "an action", action);
    records.approvals = section(object, "approvals", "an approval", approval);
    records.decisions = section(object, "decisions", "a decision", decision);
    records.questions = section(object, "questions", "a question", question);
}

fn section<T>(
    object: &mut Object<'_, '_>,
    name: &'static str,
    what: &str,
    read: impl Fn(&mut Object<'_, '_>) -> Option<T>,
) -> SortedMap<Id, T> {
    let mut map = SortedMap::new();
    for (key, json) in object.members(name) {
        let Some(id) = object.key_id(name, key) else { continue };
        let section = object.path.at(name);
        if let Some(record) = one(json, &section.at(key), object.problems, what, &read) {
            map.insert(id, record);
        }
    }
    map
}

/// One record, read by `read`.
pub(in crate::codec) fn one<T>(
    json: &Json,
    path: &Path<'_>,
    problems: &mut Problems,
    what: &str,
    read: &impl Fn(&mut Object<'_, '_>) -> Option<T>,
) -> Option<T> {
    let mut object = Object::new(json, path, problems)?;
    let record = read(&mut object);
    object.finish(what);
    record
}

pub(in crate::codec) fn evidence(object: &mut Object<'_, '_>) -> Option<Evidence> {
    Some(Evidence {
        basis: object.word("basis", EvidenceBasis::ALL, EvidenceBasis::name),
        from: object.text("from", TextKind::Long),
        by: object.text("by", TextKind::Name),
        at: object.date("at"),
        state: object.word("state", EvidenceState::ALL, EvidenceState::name),
        covers: object.words("covers", Covers::ALL, Covers::name),
        about: object.texts("about", TextKind::Path),
    })
}

pub(in crate::codec) fn action(object: &mut Object<'_, '_>) -> Option<Action> {
    let kind = object.word("kind", ActionKind::ALL, ActionKind::name);
    if object.take("kind").is_none() {
        let names: Vec<_> = ActionKind::ALL.iter().map(|kind| kind.name()).collect();
        object.missing("kind", &format!("an action is one of {}", names.join(", ")));
    }
    let action = |kind, object: &mut Object<'_, '_>| Action {
        kind,
        about: object.ids("about"),
        from: object.text("from", TextKind::Long),
        to: object.text("to", TextKind::Long),
        state_handling: object.word("state_handling", StateHandling::ALL, StateHandling::name),
        first_range: object.text("first_range", TextKind::Long),
        control_total: object.text("control_total", TextKind::Long),
        holds: object.ids("holds"),
        reason: object.text("reason", TextKind::Long),
        at: object.date("at"),
        done: done(object),
    };
    // The rest is read also without a kind, so that its problems are listed too.
    let read = action(kind.unwrap_or(ActionKind::Replay), object);
    kind.map(|_| read)
}

fn done(object: &mut Object<'_, '_>) -> SortedMap<Text, Text> {
    let mut done = SortedMap::new();
    for (key, json) in object.members("done") {
        let text = match json {
            Json::Text(text) => TextKind::Long.check(text),
            other => Err(format!("needs a text in quotes, not {}", other.kind())),
        };
        match text.and_then(|text| Ok((Action::step_number(key)?, text))) {
            Ok((step, text)) => {
                done.insert(step, text);
            }
            Err(reason) => object.refuse(&format!("done.{key}"), reason, None),
        }
    }
    done
}

pub(in crate::codec) fn approval(object: &mut Object<'_, '_>) -> Option<Approval> {
    let (by, at) = (object.text("by", TextKind::Name), object.date("at"));
    let for_ = object.text("for", TextKind::Path);
    for (key, what) in [
        ("by", "an approval names who gave it"),
        ("at", "an approval says when it was given"),
        ("for", "an approval names an action or a setting such as sum.allowed_lateness"),
    ] {
        if object.take(key).is_none() {
            object.missing(key, what);
        }
    }
    let value = match object.take("value") {
        Some(Json::Null) => {
            object.refuse("value", "null says nothing; leave it out instead", None);
            None
        }
        value => value.map(|json| ApprovedValue::new(json.to_serde())),
    };
    let of = object.id("of");
    let approval = Approval { by: by?, at: at?, for_: for_?, value, of };
    if let Err((path, reason)) = approval.check() {
        object.refuse(&path, reason, None);
        return None;
    }
    Some(approval)
}

pub(in crate::codec) fn decision(object: &mut Object<'_, '_>) -> Option<Decision> {
    let text = required_text(object);
    let decision = Decision {
        text: text.clone().unwrap_or_else(|| "".into()),
        by: object.text("by", TextKind::Name),
        at: object.date("at"),
        about: object.texts("about", TextKind::Path),
        kind: object.word("kind", DecisionKind::ALL, DecisionKind::name),
        rule: object.text("rule", TextKind::Name),
    };
    text.map(|_| decision)
}

pub(in crate::codec) fn question(object: &mut Object<'_, '_>) -> Option<Question> {
    let text = required_text(object);
    let about = object.texts("about", TextKind::Path);
    let owner = object.text("owner", TextKind::Name);
    Some(Question { text: text?, about, owner })
}

fn required_text(object: &mut Object<'_, '_>) -> Option<Text> {
    let text = object.text("text", TextKind::Long);
    if object.take("text").is_none() {
        object.missing("text", "say it in a sentence");
    }
    text
}
