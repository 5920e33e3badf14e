use crate::{
    analysis::delivery::verdict::Label,
    model::{Id, ElementKind, key, words::Claimed},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A consumer is promised more than the path gives.
    ///
    /// # Why
    /// A delivery guarantee is a property of the whole path. One that is written down without the mechanism becomes the
    /// figure that others build on.
    ///
    /// # Example
    /// A board is promised "exactly once"; a sink connector on its path reads uncommitted results.
    ///
    /// # What to do
    /// Mend the weakest hop that the verdict names, or promise what the verdict says.
    DEL_01 "DEL-01" Error "More is claimed than the path gives"
    why "others build on what is claimed, and the path does not hold it"
    sources ["Apache Kafka documentation, Design: Message Delivery Semantics", "Saltzer, Reed, Clark: End-to-End Arguments in System Design (1984)"]
    check check
}

/// What a label has to be for a claim to hold.
const fn needed(claimed: Claimed) -> Option<(Label, &'static str)> {
    match claimed {
        Claimed::BestEffort => None,
        Claimed::AtMostOnce => Some((Label::AtMostOnce, "at most once")),
        Claimed::AtLeastOnce => Some((Label::AtLeastOnce, "at least once")),
        Claimed::EffectivelyOnce => Some((Label::EffectivelyOnce, "effectively once")),
        Claimed::ExactlyOnce => Some((Label::ExactlyOnceScoped, "exactly once")),
    }
}

/// Does a path with this label hold what is claimed? At most once and at least once do not compare.
pub(in crate::rules) fn holds(label: Label, claimed: Claimed) -> bool {
    match claimed {
        Claimed::BestEffort => true,
        Claimed::AtMostOnce => {
            matches!(label, Label::AtMostOnce | Label::EffectivelyOnce | Label::ExactlyOnceScoped)
        }
        Claimed::AtLeastOnce => label >= Label::AtLeastOnce,
        Claimed::EffectivelyOnce => label >= Label::EffectivelyOnce,
        Claimed::ExactlyOnce => label >= Label::ExactlyOnceScoped,
    }
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let words = broken(context, id)?;
        let verdict = &context.consumer_report(id)?.delivery;
        let message = format!("{} is promised \"{words}\"; the path gives: {}", context.title(id), verdict.sentence);
        Some(rule.finding(&[id], message, "mend the weakest hop, or claim what the verdict says"))
    };
    context.elements_with(ElementKind::Consumer, key::consumer::CLAIMED).filter_map(one).collect()
}

/// What a consumer is promised and does not get.
pub(super) fn broken(context: &Context<'_>, id: &Id) -> Option<&'static str> {
    let claimed = context.get(id, key::consumer::CLAIMED)?;
    let (_, words) = needed(claimed)?;
    (!holds(context.consumer_report(id)?.delivery.label, claimed)).then_some(words)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_claim_above_the_path_is_found() {
        let lossy = ("links/l1/proposed/acks", "\"0\"");
        fires("DEL-01", &[("elements/board/proposed/claimed", "\"effectively_once\""), lossy]);
        silent("DEL-01", &[("elements/board/proposed/claimed", "\"best_effort\""), lossy]);
        silent("DEL-01", &[lossy]);
    }
}
