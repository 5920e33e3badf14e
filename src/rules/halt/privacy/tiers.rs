//! Personal data in a tier on object storage, where a record is deleted by the retention of its segment alone: the
//! cleaner does not work there (KIP-405: compacted topics are not tiered).

use super::{Problem, personal, stopped_in};
use crate::{
    model::{ElementKind, Id, key, words::ErasureBy},
    rules::{Context, Halt},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let tiered = context.elements(ElementKind::Channel).map(|(id, _)| id);
    let tiered = tiered.filter(|id| context.get(id, key::channel::TIERED) == Some(true));
    tiered
        .flat_map(|id| {
            let place = format!("the tiered copies of {}", context.title(id));
            let one = |event: &Id| stopped_in(context, &place, id, event, beyond_reach(context, event));
            personal(context, id).filter_map(one).collect::<Vec<_>>()
        })
        .collect()
}

/// Erasing is a duty, and neither tombstones nor anything else but the end of retention reaches these copies.
fn beyond_reach(context: &Context<'_>, event: &Id) -> Option<Problem> {
    let by = context.get(event, key::event::ERASURE_BY);
    let duty = context.get(event, key::event::ERASURE_REQUIRED) == Some(true);
    (duty && by == Some(ErasureBy::Tombstone)).then(|| {
        (
            "erasure is a duty and goes by tombstones, which remove nothing from a tier".to_owned(),
            "no tier for this channel, a retention within the time that the duty allows, or encryption with keys that can \
             be destroyed",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{PERSONAL, stopped};

    #[test]
    fn tombstones_do_not_reach_a_tier() {
        let tiered = [
            PERSONAL,
            ("elements/orders/proposed/tiered", "true"),
            ("events/order/proposed/erasure_required", "true"),
            ("events/order/proposed/erasure_by", "\"tombstone\""),
        ];
        let halts = stopped(&tiered);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "keep order in the tiered copies of orders");
        let without = |at: usize, instead: (&'static str, &'static str)| {
            let mut changes = tiered;
            changes[at] = instead;
            stopped(&changes)
        };
        assert_eq!(without(1, ("elements/orders/proposed/tiered", "false")), vec![]);
        assert_eq!(without(2, ("events/order/proposed/erasure_required", "false")), vec![]);
        assert_eq!(without(3, ("events/order/proposed/erasure_by", "\"key_destruction\"")), vec![]);
        assert_eq!(without(3, ("events/order/proposed/erasure_by", "\"retention\"")), vec![]);
    }
}
