//! What stands on a link: stroke, badge, captions, and the flags at weakest hops.

use super::{
    super::caption,
    BadgeView, Existence, Subjects,
    card::{Surroundings, existence},
};
use crate::{
    analysis::delivery::verdict::{Captions, Condition, Weakest},
    model::{Design, ElementKind, Id, Port, View, key, units::human::unbroken, words::ReconciliationResult},
};
use std::sync::Arc;

/// How a link is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Stroke {
    Main,
    Late,
    DeadLetter,
    Side,
    Batch,
    Reconciliation,
}

impl Stroke {
    /// As a class name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Late => "late",
            Self::DeadLetter => "dead-letter",
            Self::Side => "side",
            Self::Batch => "batch",
            Self::Reconciliation => "reconciliation",
        }
    }
}

/// What a flag warns of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum FlagKind {
    Duplicates,
    Loss,
}

/// A flag at a weakest hop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Element or link.
    pub at: Id,
    /// Of what.
    pub kind: FlagKind,
    /// Dashed: it only happens outside a condition.
    pub dashed: bool,
    /// It holds of the design as it is, and not as it shall be.
    pub as_is: bool,
}

impl Flag {
    /// What it says.
    #[must_use]
    pub fn words(&self) -> String {
        let kind = match self.kind {
            FlagKind::Duplicates => "weakest for duplicates",
            FlagKind::Loss => "weakest for loss",
        };
        if self.as_is { format!("as-is, {kind}") } else { kind.to_owned() }
    }
}

/// A line under a badge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// What it says, in the few characters that a gap has.
    pub text: String,
    /// The number in it that explains itself; nothing where there is none.
    pub bound: Option<String>,
}

/// What stands on a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// Where it comes from.
    pub from: Id,
    /// Where it goes.
    pub to: Id,
    /// How it is drawn.
    pub stroke: Stroke,
    /// The word at its port.
    pub word: &'static str,
    /// The result of a comparison, on the link.
    pub result: &'static str,
    /// Copies of one event.
    pub badge: Option<BadgeView>,
    /// The badge as it is today, where both are shown and it differs.
    pub was: Option<BadgeView>,
    /// At most two lines under it.
    pub captions: Vec<Caption>,
    /// Hatched along its length: under a solid flag.
    pub hatched: bool,
    /// Does a flag stand here?
    pub flagged: bool,
    /// The badge equals the one before it.
    pub repeats: bool,
    /// Is it there?
    pub existence: Existence,
}

/// The flags of the consumer whose verdict comes first; where both views are shown, also those that only hold as-is.
pub(super) fn flags(from: Subjects<'_>) -> Vec<Flag> {
    let weak = |review: &crate::rules::Review| -> Option<Weakest> {
        let chosen = from.consumer.and_then(|id| review.consumers.get(id));
        let any = || {
            review.consumers.values().find(|c| c.delivery.weakest_claimed().is_some_and(|of| *of != Weakest::default()))
        };
        chosen.or_else(any)?.delivery.weakest_claimed().cloned()
    };
    let of = |weakest: &Weakest, as_is: bool| -> Vec<Flag> {
        let loss = weakest.loss.as_ref().map(|hop| (hop, FlagKind::Loss, weakest.loss_conditional));
        let duplicates =
            weakest.duplicate_origin.as_ref().map(|hop| (hop, FlagKind::Duplicates, weakest.duplicate_conditional));
        let both = duplicates.into_iter().chain(loss);
        both.map(|(hop, kind, dashed)| Flag { at: hop.at.clone(), kind, dashed, as_is }).collect()
    };
    let mut flags = weak(from.review).map_or_else(Vec::new, |weakest| of(&weakest, false));
    if let Some(weakest) = from.was.and_then(weak) {
        let today = of(&weakest, true);
        let known = |f: &Flag| flags.iter().any(|o| o.at == f.at && o.kind == f.kind && o.dashed == f.dashed);
        let only: Vec<Flag> = today.into_iter().filter(|flag| !known(flag)).collect();
        flags.extend(only);
    }
    flags
}

/// The wire of one link.
pub(super) fn wire(from: Subjects<'_>, facts: &Surroundings<'_>, flags: &[Flag], id: &Id) -> Option<Wire> {
    let Subjects { design, view, review, was, .. } = from;
    let link = design.links.get(id)?.as_link()?;
    let batch = [&link.from, &link.to].into_iter().any(|end| design.kind(end) == Some(ElementKind::Batch))
        || fed_by_batch_only(from, facts, &link.from);
    let (stroke, word) = match link.port {
        Some(Port::Late) => (Stroke::Late, "late"),
        Some(Port::DeadLetter) => (Stroke::DeadLetter, "dead-letter"),
        Some(Port::Side) => (Stroke::Side, "side"),
        Some(Port::Reconcile) => (Stroke::Reconciliation, ""),
        None if batch => (Stroke::Batch, ""),
        None => (Stroke::Main, ""),
    };
    // Serving a sink's rows changes nothing in transit, and side outputs carry no results: no badge.
    let badged = link.port.is_none() && design.kind(&link.to) != Some(ElementKind::Consumer);
    let here = |kind: FlagKind, as_is: bool| flags.iter().any(|f| f.at == *id && f.kind == kind && f.as_is == as_is);
    let dress = |review: &crate::rules::Review, as_is: bool| {
        let report = review.links.get(id).filter(|_| badged)?;
        let old = was.is_some() && as_is;
        let (loss, duplicates) = (here(FlagKind::Loss, old), here(FlagKind::Duplicates, old));
        Some(BadgeView::quiet(&report.badge).loud(loss, duplicates))
    };
    let badge = dress(review, false);
    let earlier = was.filter(|_| design.visible(View::AsIs, id)).and_then(|was| dress(was, true));
    let before = facts
        .entering(&link.from)
        .iter()
        .find(|(_, link)| link.port.is_none())
        .and_then(|(id, _)| review.links.get(id))
        .map(|report| report.badge.text());
    Some(Wire {
        from: link.from.clone(),
        to: link.to.clone(),
        stroke,
        word,
        result: if link.port == Some(Port::Reconcile) { result(from, id) } else { "" },
        was: earlier.filter(|old| Some(&old.text) != badge.as_ref().map(|b| &b.text)),
        repeats: before.is_some() && before.as_ref() == badge.as_ref().map(|b| &b.text),
        captions: review
            .links
            .get(id)
            .filter(|_| badged)
            .map_or_else(Vec::new, |report| captions(design, &report.captions)),
        badge,
        hatched: flags.iter().any(|f| f.at == *id && !f.dashed),
        flagged: flags.iter().any(|f| f.at == *id),
        existence: existence(design, view, facts.live, id),
    })
}

impl Caption {
    /// What of it is written in so many rows.
    #[must_use]
    pub fn fitting(&self, letters: usize, rows: usize) -> Vec<String> {
        let cut = caption::cut(&self.text, self.bound.as_deref(), letters, rows);
        caption::rows(cut.as_deref().unwrap_or(&self.text), letters)
    }
}

fn captions(design: &Design, of: &Captions) -> Vec<Caption> {
    let line = |(line, condition): (String, Option<&Arc<Condition>>)| {
        let (text, bound) = (short(&line), condition.and_then(|condition| condition.bound_text()));
        let bound = bound.filter(|bound| text.contains(bound.as_str()));
        let (text, bound) = match bound {
            None => (text, None),
            // A number stays whole, and with what compares it.
            Some(bound) => {
                let joined = bound.replace(' ', "\u{a0}");
                let text = text.replace(bound.as_str(), &joined);
                let compared = ["<", "≥"].map(|sign| format!("{sign}\u{a0}{joined}"));
                let compared = compared.into_iter().find(|compared| text.contains(compared.as_str()));
                (text, Some(compared.unwrap_or(joined)))
            }
        };
        Caption { text: unbroken(&text).into_owned(), bound }
    };
    of.lines(&|id| design.title(id)).zip(of.conditions()).map(line).collect()
}

/// A caption in the few characters that a gap has; the words in full are in the label and in the panels.
fn short(caption: &str) -> String {
    caption
        .replace(" is down less than ", " down <\u{a0}")
        .replace(" is behind by less than ", " behind <\u{a0}")
        .replace("less than ", "<\u{a0}")
        .replace("at least ", "≥\u{a0}")
}

/// Does only a batch path write this sink? Then what it serves is part of that path.
fn fed_by_batch_only(from: Subjects<'_>, facts: &Surroundings<'_>, id: &Id) -> bool {
    let writers = facts.entering(id).iter().filter(|(_, link)| link.port.is_none());
    let mut kinds = writers.map(|(_, link)| from.design.kind(&link.from));
    from.design.kind(id) == Some(ElementKind::Sink)
        && kinds.next() == Some(Some(ElementKind::Batch))
        && kinds.all(|kind| kind == Some(ElementKind::Batch))
}

fn result(from: Subjects<'_>, id: &Id) -> &'static str {
    match from.design.get(from.view, id, key::reconcile::RESULT).value() {
        Some(ReconciliationResult::Within) => "within tolerance",
        Some(ReconciliationResult::Outside) => "outside tolerance",
        Some(ReconciliationResult::Blocked) => "comparison blocked",
        Some(ReconciliationResult::NotReconciled) | None => "not reconciled",
    }
}

/// The name of a link for screen readers.
pub(super) fn label(from: Subjects<'_>, flags: &[Flag], id: &Id, wire: &Wire) -> String {
    let title = |id: &Id| from.design.title(id);
    let mut parts = vec![format!("Link from {} to {}", title(&wire.from), title(&wire.to))];
    if !wire.word.is_empty() {
        parts.push(format!("{} output", wire.word));
    }
    if !wire.result.is_empty() {
        parts.push(wire.result.to_owned());
    }
    parts.extend(wire.badge.as_ref().map(BadgeView::spoken));
    parts.extend(
        from.review
            .links
            .get(id)
            .filter(|_| !wire.captions.is_empty())
            .into_iter()
            .flat_map(|report| report.captions.lines(&title)),
    );
    parts.extend(flags.iter().filter(|flag| flag.at == *id).map(Flag::words));
    match wire.existence {
        Existence::Proposed => parts.push("proposed".to_owned()),
        Existence::Changed => parts.push("changed".to_owned()),
        Existence::ToGo => parts.push("to be removed".to_owned()),
        Existence::There => {}
    }
    parts.join(", ")
}
