//! What an order that ended does to rows that replace each other: the delivery verdict, which goes by copies, says it too.

use super::verdict::OrderVerdict;
use crate::{
    analysis::{
        delivery::verdict::{DeliveryVerdict, Label, ValueEffect},
        graph::Graph,
    },
    model::Id,
};

/// What is said of a value that is old for a while only: it need not be written again.
const AGAIN: &str = ", and an older value can show again for a while";

/// Adds to the verdict that an old version can stand, where no copy makes it so already.
pub(in crate::analysis) fn say(graph: &Graph<'_>, order: &OrderVerdict, delivery: &mut DeliveryVerdict) {
    let Some(old) = order.inputs.iter().find_map(|input| input.old_rows.as_ref()) else { return };
    if delivery.label == Label::NoClaim || delivery.taints.iter().any(|taint| taint.stale) {
        return;
    }
    if matches!(delivery.value, ValueEffect::NotApplicable | ValueEffect::Exact | ValueEffect::Under) {
        delivery.value = ValueEffect::Stale;
    }
    let title = |id: &Id| graph.design.title(id);
    let said = delivery.sentence.replacen(AGAIN, "", 1);
    let (at, after) = (title(&old.at), title(&old.after.at));
    delivery.sentence =
        format!("{}; an old version can stand at {at}: {after} {}.", said.trim_end_matches('.'), old.after.words());
}
