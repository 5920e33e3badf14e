//! What a card says of a design before it is opened: its path, its worst consumer, and what stands open in it.

use crate::{
    analysis::{
        delivery::verdict::{Badge, Fewest, Label, LossKind, Most},
        explain::Missing,
    },
    model::{Design, ElementKind, Id, View, counted},
    rules::{self, Review},
    sorted::SortedSet,
};

/// What a card says of a design.
#[derive(Clone, PartialEq)]
pub struct Glance {
    /// The kinds along the main path.
    pub kinds: Vec<ElementKind>,
    /// The badge of its worst consumer.
    pub badge: Option<Badge>,
    /// The sentence of that consumer.
    pub sentence: Option<String>,
    /// What stands open, as its review says right after it is opened: `1 halt, 9 findings, 6 open`.
    pub open: String,
}

/// Looks at a design.
#[must_use]
pub fn glance(design: &Design) -> Glance {
    let review = rules::review(design, View::ToBe);
    // The worst of those that something can be said about; of all, where nothing can.
    let worst = review.consumers.iter().min_by_key(|(_, c)| (c.delivery.label == Label::NoClaim, c.delivery.label));
    Glance {
        kinds: worst.map_or_else(Vec::new, |(id, _)| path_to(design, id)),
        badge: worst.map(|(_, c)| c.delivery.badge.clone()),
        sentence: worst.map(|(_, c)| c.delivery.sentence.clone()),
        open: words(&review),
    }
}

fn words(review: &Review) -> String {
    let findings = review.findings.iter().filter(|finding| finding.accepted.is_none()).count();
    let open = open(review).len();
    let parts = [
        (review.halts.len(), counted(review.halts.len(), "halt")),
        (findings, counted(findings, "finding")),
        (open, format!("{open} open")),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    if parts.is_empty() { "nothing open".to_owned() } else { parts.join(", ") }
}

/// What a verdict or a badge would have to know, and each condition that nobody has judged: a claim that holds while
/// something is so is no answer as long as nobody said whether it is. Each once.
fn open(review: &Review) -> SortedSet<String> {
    let mut open = SortedSet::new();
    let verdicts = || review.consumers.values().map(|consumer| &consumer.delivery);
    let badges = verdicts().map(|verdict| &verdict.badge).chain(review.links.values().map(|link| &*link.badge));
    let fact = |missing: &Missing| format!("{} {}", missing.subject, missing.field.name());
    for Badge { fewest, most } in badges {
        if let Fewest::Unknown(missing) = fewest {
            open.extend(missing.iter().map(fact));
        }
        match most {
            Most::Unknown(missing) => open.extend(missing.iter().map(fact)),
            Most::OneWhile(_, conditions) => {
                open.extend(conditions.iter().filter(|one| one.inside.is_none()).map(|one| one.text.clone()));
            }
            Most::One(_) | Most::Many => {}
        }
    }
    for verdict in verdicts() {
        open.extend(verdict.unknown.iter().map(fact));
        open.extend(verdict.lossy_hops.iter().filter_map(|loss| match &loss.kind {
            LossKind::Conditional(condition) if condition.inside.is_none() => Some(condition.text.clone()),
            _ => None,
        }));
    }
    open
}

/// The kinds from a source to an element, along main links upstream.
fn path_to(design: &Design, end: &Id) -> Vec<ElementKind> {
    let mut path = Vec::new();
    let mut seen = SortedSet::new();
    let mut at = Some(end.clone());
    while let Some(id) = at.take().filter(|id| seen.insert(id.clone())) {
        path.extend(design.kind(&id));
        let before = design.links.values().filter_map(|s| s.as_link()).find(|l| l.to == id && l.port.is_none());
        at = before.map(|link| link.from.clone());
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalog, codec};

    fn cards() -> Vec<(&'static str, Design)> {
        let texts = catalog::patterns().iter().map(|one| (one.id, one.text));
        let texts = texts.chain(catalog::examples().iter().map(|one| (one.id, one.text)));
        texts.map(|(id, text)| (id, codec::decode(text).unwrap())).collect()
    }

    /// What each built-in design leaves open, read off the design: facts that nobody stated, and conditions under which a
    /// claim holds that nobody has judged. Findings and halts are those that its review shows once it is open.
    #[test]
    fn every_card_says_what_its_design_opens_with() {
        let left = [
            // Offset mismatch, watermark delay, allowed lateness; position kept, outage, repeats within 24 h, dead letters.
            ("change_capture", 7),
            // Watermark delay, allowed lateness, checkpoint duration; outage, repeats within 24 h, reader in time.
            ("windowed_metric", 6),
            // Allowed lateness, client retries; session and queue, outages of both jobs behind channels.
            ("device_alerts", 5),
            // What the application does after a restart on its way to the batch; outage of the connector.
            ("batch_twin", 2),
            // Outage of the job.
            ("lakehouse", 1),
            // Outage of the consumer; dead letters stay empty.
            ("webhook_intake", 2),
            // The full copy's capture, acks and commit of two side outputs; six conditions, of which nobody stated the other side.
            ("checkout_revenue", 10),
        ];
        let cards = cards();
        assert_eq!(cards.len(), left.len());
        for ((id, design), (expected, open)) in cards.iter().zip(left) {
            let review = rules::review(design, View::ToBe);
            let found = match (review.halts.len(), review.findings.len()) {
                (0, 0) => String::new(),
                (0, 1) => "1 finding, ".to_owned(),
                (0, findings) => format!("{findings} findings, "),
                (halts, findings) => format!("{halts} halt, {findings} findings, "),
            };
            assert_eq!((*id, glance(design).open), (expected, format!("{found}{open} open")));
        }
        // Its dead letters have neither an owner nor a way back.
        assert!(glance(&cards[5].1).open.starts_with("1 finding, "));
    }

    #[test]
    fn nothing_is_open_only_where_no_finding_no_unknown_and_no_unjudged_condition_is_left() {
        for (id, design) in cards() {
            let review = rules::review(&design, View::ToBe);
            let consumers = review.consumers.values().map(|c| c.delivery.badge.text());
            let unknown = consumers.chain(review.links.values().map(|l| l.badge.text())).any(|text| text.contains('?'));
            let quiet = glance(&design).open == "nothing open";
            assert!(!quiet || (review.findings.is_empty() && review.halts.is_empty() && !unknown), "{id}");
        }
        assert_eq!(glance(&Design::default()).open, "nothing open");
    }

    /// `orders_dlq` was read as empty, and the stated outage is inside what the transaction timeout covers: both are answers.
    #[test]
    fn a_condition_that_is_judged_is_not_open() {
        let (_, design) = cards().into_iter().find(|(id, _)| *id == "checkout_revenue").unwrap();
        let open = open(&rules::review(&design, View::ToBe));
        assert!(!open.iter().any(|one| one.contains("stays empty") || one.contains("537 s")), "{open:?}");
    }
}
