//! Owners who consented to different values of one setting: one of them does not know what the other agreed to.

use super::super::and;
use crate::{
    model::{Approval, ApprovedValue, Field, Id, Json, Value, View},
    rules::{Context, Halt, HaltClass, Lift},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let approvals = &context.design.records.approvals;
    if context.view == View::AsIs || approvals.len() < 2 {
        return Vec::new();
    }
    let mut paths: Vec<&str> = approvals.values().map(|approval| &*approval.for_).collect();
    crate::sorted::sort(&mut paths);
    paths.dedup();
    paths.into_iter().filter_map(|path| halt(context, path)).collect()
}

/// What each owner consented to last.
fn last<'a>(context: &Context<'a>, path: &str) -> Vec<(&'a Approval, &'a ApprovedValue)> {
    let mut last: Vec<(&'a Approval, &'a ApprovedValue)> = Vec::new();
    for approval in context.design.records.approvals.values().filter(|approval| &*approval.for_ == path) {
        let Some(value) = &approval.value else { continue };
        match last.iter_mut().find(|(other, _)| (&other.by, &other.of) == (&approval.by, &approval.of)) {
            Some(other) if other.0.at <= approval.at => *other = (approval, value),
            Some(_) => {}
            None => last.push((approval, value)),
        }
    }
    last
}

fn halt(context: &Context<'_>, path: &str) -> Option<Halt> {
    let (id, field) = path.split_once('.')?;
    let id = Id::new(id).ok()?;
    let design = context.design;
    let subject = design.subject(&id)?;
    let field: Field = design.groups(subject).into_iter().find_map(|group| group.field(field))?;
    // What is no longer proposed needs nobody's consent.
    subject.proposed.get(field)?;
    let all = last(context, path);
    let read = |value: &ApprovedValue| field.read(&Json::from_serde(&value.0)).ok();
    let values: Vec<(&Approval, Value)> =
        all.into_iter().filter_map(|(approval, value)| Some((approval, read(value)?))).collect();
    let (_, first) = values.first()?;
    if values.iter().all(|(_, value)| value == first) {
        return None;
    }
    let said = |(approval, value): &(&Approval, Value)| format!("{} agreed to {}", approval.by, value.spoken());
    let said: Vec<String> = values.iter().map(said).collect();
    let names: Vec<String> = values.iter().map(|(approval, _)| approval.by.to_string()).collect();
    Some(Halt {
        class: HaltClass::SourceConflict,
        about: vec![id.clone()],
        action: format!("change {} of {}", field.label(), context.title(&id)),
        consequence: format!("{}: whichever is done, somebody did not agree to it", and(&said)),
        lifted_by: format!("{}, by agreeing to one value", and(&names)),
        lift: Lift::Change,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::conflicts;

    const LIVE: [(&str, &str); 4] = [
        ("evidence/e1", r#"{"basis":"read","from":"job graph"}"#),
        ("elements/revenue/lifecycle", "\"existing\""),
        ("elements/sum/observed/e1/allowed_lateness", "\"0s\""),
        ("elements/sum/proposed", r#"{"allowed_lateness":"10min"}"#),
    ];

    fn with(second: &str) -> usize {
        let approvals = format!(
            r#"{{"a1":{{"by":"Sales","at":"2026-11-29","for":"sum.allowed_lateness","value":"10min","of":"board"}},"a2":{second}}}"#
        );
        conflicts(&[&LIVE[..], &[("approvals", &approvals)]].concat()).len()
    }

    #[test]
    fn owners_who_agreed_to_different_values_are_brought_together() {
        assert_eq!(with(r#"{"by":"Finance","at":"2026-11-30","for":"sum.allowed_lateness","value":"5min"}"#), 1);
        assert_eq!(with(r#"{"by":"Finance","at":"2026-11-30","for":"sum.allowed_lateness","value":"600s"}"#), 0);
    }

    #[test]
    fn one_who_changes_their_mind_does_not_contradict_themselves() {
        let again = r#"{"by":"Sales","at":"2026-11-30","for":"sum.allowed_lateness","value":"5min","of":"board"}"#;
        assert_eq!(with(again), 0);
    }
}
