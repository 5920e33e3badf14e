//! Copies beside the main path (dead letters, late events, retries, kept state, a tier) of an event with personal fields
//! that has no class for them: nothing says who may open them and how long they stay.

use super::super::and;
use crate::{
    model::Id,
    rules::{
        Context, Halt, HaltClass, Lift,
        governance::{aside, unclassed},
    },
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let events: Vec<&Id> = context.design.events.keys().filter(|event| unclassed(context, event).is_some()).collect();
    if events.is_empty() {
        return Vec::new();
    }
    let places = aside(context);
    events.into_iter().filter_map(|event| halt(context, event, &places)).collect()
}

fn halt(context: &Context<'_>, event: &Id, places: &[&Id]) -> Option<Halt> {
    let mine: Vec<&Id> = places.iter().copied().filter(|id| context.events_at(id).contains(&event)).collect();
    let first = *mine.first()?;
    let names: Vec<_> = mine.iter().map(|id| context.title(id)).collect();
    let owner = context.design.events.get(event).and_then(|event| event.owner.as_ref());
    let owner =
        owner.map_or_else(|| format!("the owner of {} (not stated)", context.title(event)), ToString::to_string);
    Some(Halt {
        class: HaltClass::SecurityOrPrivacy,
        about: std::iter::once(first).chain([event]).chain(mine.iter().skip(1).copied()).cloned().collect(),
        action: format!("keep copies of {} in {}", context.title(event), and(&names)),
        consequence:
            "it has personal fields and no class that says so, so its copies are kept and opened like any other \
                      record"
                .to_owned(),
        lifted_by: format!("a class for it, which its copies go by; {owner} decides"),
        lift: Lift::Change,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::stopped;

    const FIELDS: (&str, &str) = ("events/order/proposed/personal_fields", "[\"address\"]");

    #[test]
    fn copies_of_personal_events_without_a_class_are_stopped() {
        let halts = stopped(&[FIELDS]);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "keep copies of order in dlq, late and dedup");
        let tiered = stopped(&[FIELDS, ("elements/orders/proposed/tiered", "true")]);
        assert_eq!(tiered[0].action, "keep copies of order in dlq, late, orders and dedup");
    }

    #[test]
    fn a_class_lifts_it() {
        assert_eq!(stopped(&[FIELDS, ("events/order/proposed/classification", "\"personal\"")]), vec![]);
    }
}
