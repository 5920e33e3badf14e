//! Replays whose steps are on record in another order than the one that is safe: confirmed reach, consent, readers and
//! sinks stopped, state reset or shadowed, a bounded range compared with the control total, then the whole. A go does not
//! lift it: what was skipped has to be done.

use crate::{
    model::{Action, ActionKind, Id},
    rules::{Context, Halt, HaltClass, Lift},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let actions = context.design.records.actions.iter();
    actions.filter_map(|(id, action)| halt(context, id, action)).collect()
}

fn halt(context: &Context<'_>, id: &Id, action: &Action) -> Option<Halt> {
    if !matches!(action.kind, ActionKind::Replay | ActionKind::Backfill) {
        return None;
    }
    let mut done: Vec<u32> = action.done.keys().filter_map(|step| step.parse().ok()).collect();
    crate::sorted::sort(&mut done);
    let skipped = (1..).zip(&done).find(|(expected, step)| expected < *step).map(|(expected, _)| expected)?;
    let last = done.last()?;
    let about: Vec<_> = action.about.iter().map(|id| context.title(id)).collect();
    Some(Halt {
        class: HaltClass::ProductionOrDestructive,
        about: action.about.clone(),
        action: format!("{} of {}", action.kind.name().replace('_', " "), super::and(&about)),
        consequence: format!(
            "step {last} of {id} is on record and step {skipped} is not, and the order of steps is what makes it safe"
        ),
        lifted_by: format!("step {skipped} done and on record, or step {last} taken back"),
        lift: Lift::Change,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::stopped;

    #[test]
    fn a_skipped_step_stops_a_replay_that_has_its_go() {
        let with = |done: &str| {
            let replay = format!(r#"{{"r1":{{"kind":"replay","about":["orders"],"done":{done}}}}}"#);
            let go = r#"{"a1":{"by":"Shop","at":"2026-11-30","for":"r1"}}"#;
            stopped(&[("actions", &replay), ("approvals", go)])
        };
        let halts = with(r#"{"1":"start offset 4711 is there","3":"stopped"}"#);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert!(halts[0].consequence.starts_with("step 3 of r1 is on record and step 2 is not"), "{halts:?}");
        assert_eq!(with(r#"{"1":"yes","2":"Shop agreed","3":"stopped"}"#), vec![]);
        assert_eq!(with("{}"), vec![]);
    }
}
