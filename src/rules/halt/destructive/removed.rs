//! A channel, or a job with state, that runs and is proposed to go: its records or its state go with it.

use super::super::change::{consented, owner};
use super::in_production;
use crate::{
    model::{ApprovedValue, Element, FieldValue, Id, Lifecycle, Step, Subject, Text, View},
    rules::{Consent, Context, Halt, HaltClass, Lift},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    if context.view == View::AsIs {
        return Vec::new();
    }
    let gone = context.design.elements.iter().filter(|(_, subject)| subject.lifecycle == Some(Lifecycle::Retiring));
    gone.filter_map(|(id, subject)| halt(context, id, subject)).collect()
}

/// The value that consent to a removal names.
fn removed() -> ApprovedValue {
    ApprovedValue::of(&Text::from("removed").into_value())
}

fn halt(context: &Context<'_>, id: &Id, subject: &Subject) -> Option<Halt> {
    let consequence = match subject.element()? {
        Element::Channel { .. } => "its records, and with them what could be made again from them, do not come back",
        Element::Job if keeps_state(context, id) => "its state does not come back without a replay",
        _ => return None,
    };
    if !in_production(context, id) || consented(context.design, id.as_str(), &removed()) {
        return None;
    }
    let name = context.title(id);
    let owner = owner(context.design, id);
    let who = owner.as_ref().map_or_else(|| format!("the owner of {name} (not stated)"), ToString::to_string);
    let go = Consent {
        for_: id.as_str().into(),
        value: Some(removed()),
        what: format!("removal of {name}"),
        of: None,
        owner,
    };
    Some(Halt {
        class: HaltClass::ProductionOrDestructive,
        about: vec![id.clone()],
        action: format!("remove {name}"),
        consequence: consequence.to_owned(),
        lifted_by: format!("{who}, by name and date"),
        lift: Lift::Consent(vec![go]),
    })
}

fn keeps_state(context: &Context<'_>, job: &Id) -> bool {
    context.design.elements.values().any(|subject| {
        matches!(subject.element(), Some(Element::Operator { job: own, step, .. })
            if own == job && matches!(step, Step::Aggregate | Step::Deduplicate | Step::Join))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::stopped;

    const GOING: (&str, &str) = ("elements/late/lifecycle", "\"retiring\"");

    #[test]
    fn a_running_channel_is_not_removed_on_the_quiet() {
        let halts = stopped(&[GOING]);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!((halts[0].action.as_str(), halts[0].lifted_by.as_str()), ("remove late", "Sales, by name and date"));
        let go = r#"{"a1":{"by":"Sales","at":"2026-11-30","for":"late","value":"removed"}}"#;
        assert_eq!(stopped(&[GOING, ("approvals", go)]), vec![], "agreed");
        assert_eq!(stopped(&[GOING, ("clusters/kafka/environment", "\"development\"")]), vec![]);
        let stays = stopped(&[("elements/late/lifecycle", "\"existing\"")]);
        assert!(stays.iter().all(|halt| !halt.action.starts_with("remove")), "{stays:?}");
    }

    #[test]
    fn a_job_with_state_is_not_removed_on_the_quiet() {
        assert_eq!(stopped(&[("elements/revenue/lifecycle", "\"retiring\"")])[0].action, "remove revenue");
        assert_eq!(stopped(&[("elements/loader/lifecycle", "\"retiring\"")]), vec![], "a copy keeps no state");
    }
}
