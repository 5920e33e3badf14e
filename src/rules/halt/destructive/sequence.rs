//! Replays whose steps are on record in another order than the one that is safe, or without what they need: confirmed
//! reach, consent, readers and sinks stopped, state reset or shadowed, a bounded range compared with the control total, then
//! the whole. A go does not lift it: what was skipped has to be done.

use crate::{
    model::{Action, Id},
    rules::{Context, Halt, HaltClass, Lift, procedure::Procedure},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let design = context.design;
    design.records.actions.iter().filter_map(|(id, action)| halt(context, id, action)).collect()
}

fn halt<'a>(context: &Context<'a>, id: &Id, action: &'a Action) -> Option<Halt> {
    let procedure = Procedure::of(context, id, action)?;
    let (step, before, needs) = procedure.out_of_turn().next()?;
    let number = step.number();
    let kind = action.kind.name().replace('_', " ");
    let (consequence, remedy) = match before {
        Some(before) => {
            let before = before.number();
            (
                format!(
                    "step {number} of this {kind} is on record and step {before} is not, and the order of steps is what makes it safe"
                ),
                format!("step {before} done and on record"),
            )
        }
        None => {
            let needs: Vec<&str> = needs.iter().take(3).map(|need| need.what.as_str()).collect();
            (
                format!("step {number} of this {kind} is on record without what it needs: {}", needs.join("; ")),
                "what it needs, as read or decided".to_owned(),
            )
        }
    };
    let about: Vec<_> = action.about.iter().map(|id| context.title(id)).collect();
    Some(Halt {
        class: HaltClass::ProductionOrDestructive,
        about: action.about.clone(),
        action: if about.is_empty() { kind } else { format!("{kind} of {}", super::and(&about)) },
        consequence,
        lifted_by: format!("{remedy}, or step {number} taken back"),
        lift: Lift::Change,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::stopped;

    const READ: [(&str, &str); 3] = [
        ("evidence/e1", r#"{"basis":"read","from":"kafka-get-offsets"}"#),
        ("elements/orders/lifecycle", "\"existing\""),
        ("elements/orders/observed", r#"{"e1":{"oldest_record_age":"6d"}}"#),
    ];

    fn with(kind: &str, done: &str, more: &[(&str, &str)]) -> Vec<crate::rules::Halt> {
        let action = format!(r#"{{"r1":{{"kind":"{kind}","about":["orders"],"from":"1d","done":{done}}}}}"#);
        let go = r#"{"a1":{"by":"Shop","at":"2026-11-30","for":"r1"}}"#;
        let all = stopped(&[&[("actions", action.as_str()), ("approvals", go)], more].concat());
        all.into_iter().filter(|halt| halt.consequence.contains(" of this ")).collect()
    }

    #[test]
    fn a_skipped_step_stops_a_replay_that_has_its_go() {
        let halts = with("replay", r#"{"1":"start offset 4711 is there","3":"stopped"}"#, &READ);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert!(halts[0].consequence.starts_with("step 3 of this replay is on record and step 2 is not"), "{halts:?}");
        assert_eq!(with("replay", r#"{"1":"yes"}"#, &READ), vec![]);
        assert_eq!(with("replay", "{}", &[]), vec![]);
    }

    /// No log start is read: that it is there is a word.
    #[test]
    fn steps_without_what_they_need_stop_it_too() {
        for kind in ["replay", "reset_offsets"] {
            let halts = with(kind, r#"{"1":"it is there","2":"Shop agreed","3":"stopped"}"#, &[]);
            assert_eq!(halts.len(), 1, "{halts:?}");
            let kind = kind.replace('_', " ");
            let why =
                format!("step 1 of this {kind} is on record without what it needs: the log start of orders, as read");
            assert_eq!(halts[0].consequence, why);
        }
    }
}
