//! What every element and link says on the canvas: texts, marks and states, worked out from design and review.
//!
//! Pure: the screen draws what stands here. Not here: positions (`layout`) and what the figures mean (`analysis`).

mod badge;
mod card;
mod number;
mod speak;
mod technology;
mod wire;

pub use badge::{BadgeView, Cell, CellStyle};
pub use card::{Bars, Card, Existence, HeaderView, Mark};
pub use number::{BasisMark, Number};
pub use wire::{Caption, Flag, FlagKind, Stroke, Wire};

use crate::sorted::SortedMap;
use crate::{
    layout::flow_order,
    model::{Design, Hashed, Id, Lifecycle, Subject, View},
    rules::Review,
};
use std::{collections::HashSet, sync::Arc};

/// Everything that is drawn of a design, but where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Elements, jobs included.
    pub cards: SortedMap<Id, Arc<Card>>,
    /// Links.
    pub wires: SortedMap<Id, Arc<Wire>>,
    /// Flags at weakest hops.
    pub flags: Vec<Flag>,
    /// Elements that are shown, in the order of flow.
    pub order: Vec<Id>,
    /// Something exists already, so that what is planned stands out.
    live: bool,
}

/// What a picture is made from.
#[derive(Clone, Copy)]
pub struct Subjects<'a> {
    /// The design.
    pub design: &'a Design,
    /// The view that is shown.
    pub view: View,
    /// Its review.
    pub review: &'a Review,
    /// The review of the other view, where both are shown.
    pub was: Option<&'a Review>,
    /// The consumer whose weakest hops are flagged.
    pub consumer: Option<&'a Id>,
}

/// A picture that was drawn before, and what it was made from.
#[derive(Clone, Copy)]
pub struct Before<'a> {
    /// The picture.
    pub picture: &'a Picture,
    /// The review of the view that it shows.
    pub review: &'a Review,
    /// The review of the other view, where it shows both.
    pub was: Option<&'a Review>,
}

/// The picture of a design.
#[must_use]
pub fn picture(from: Subjects<'_>) -> Picture {
    picture_after(from, &flow_order(from.design), None)
}

/// The picture of a design whose order of flow is known: most edits leave that as it is. What the analysis says nothing new
/// about is taken over from the picture before; the outcome is the same.
#[must_use]
pub fn picture_after(from: Subjects<'_>, flow: &[Id], before: Option<Before<'_>>) -> Picture {
    let Subjects { design, view, was, .. } = from;
    let shown = |id: &Id| was.is_some() || design.visible(view, id);
    let live = design.elements.values().any(|element| design.lifecycle_of(element) != Lifecycle::Planned);
    let flags = wire::flags(from);
    let kept = before.filter(|before| before.picture.live == live).and_then(|before| Kept::of(from, before, &flags));
    let drawn = |id: &Id| kept.as_ref().is_none_or(|kept| kept.is_drawn(id));
    let marks = card::Marks::of(from);
    let facts = card::Surroundings::of(from, live, drawn);
    let card = |id: &Id| match kept.as_ref().filter(|kept| !kept.is_drawn(id)) {
        Some(kept) => kept.card(design, &marks, id),
        None => card::card(from, &facts, &marks, id).map(Arc::new),
    };
    let there = |element: &Subject| was.is_some() || view.holds(design.lifecycle_of(element));
    let hidden: Set<'_> = design.elements.iter().filter(|(_, element)| !there(element)).map(|(id, _)| id).collect();
    let order: Vec<Id> = flow.iter().filter(|id| hidden.is_empty() || !hidden.contains(id)).cloned().collect();
    // In the order of ids, in which the map keeps them.
    let cards = design.elements.keys().filter(|id| !hidden.contains(id));
    let cards = cards.filter_map(|id| Some((id.clone(), card(id)?))).collect();
    let wire = |(id, subject): (&Id, &Subject)| {
        if let Some(kept) = kept.as_ref().filter(|kept| !kept.is_drawn(id)) {
            return Some((id.clone(), Arc::clone(kept.before.wires.get(id)?)));
        }
        let there = shown(id) && subject.as_link().is_some_and(|link| shown(&link.from) && shown(&link.to));
        let wire = there.then(|| wire::wire(from, &facts, &flags, id)).flatten()?;
        Some((id.clone(), Arc::new(wire)))
    };
    let wires = design.links.iter().filter_map(wire).collect();
    Picture { cards, wires, flags, order, live }
}

/// What is taken over from the picture before.
struct Kept<'a> {
    before: &'a Picture,
    /// Elements and links that are drawn anew.
    changed: [Set<'a>; 2],
    /// Links with a flag, now or before: where the flags are others.
    flagged: Vec<Id>,
}

/// Ids for look-ups.
type Set<'a> = HashSet<&'a Id, Hashed>;

impl<'a> Kept<'a> {
    fn of(from: Subjects<'a>, before: Before<'a>, flags: &[Flag]) -> Option<Self> {
        let now = from.review.changed_since(before.review)?;
        let was = match (from.was, before.was) {
            (Some(now), Some(before)) => now.changed_since(before)?,
            (None, None) => Set::default(),
            _ => return None,
        };
        let other = before.picture.flags != flags;
        let flagged = before.picture.flags.iter().chain(flags).filter(|_| other).map(|flag| flag.at.clone()).collect();
        Some(Self { before: before.picture, changed: [now, was], flagged })
    }

    fn is_drawn(&self, id: &Id) -> bool {
        self.changed.iter().any(|changed| changed.contains(id)) || self.flagged.contains(id)
    }

    /// The card as it was, but for what rules and layout say of it.
    fn card(&self, design: &Design, marks: &card::Marks<'_>, id: &Id) -> Option<Arc<Card>> {
        let card = self.before.cards.get(id)?;
        let (mark, locked) = (marks.worst(id), design.layout.locked.contains(id));
        if card.mark == mark && card.locked == locked {
            return Some(Arc::clone(card));
        }
        Some(Arc::new(Card { mark, locked, ..Card::clone(card) }))
    }
}

/// Elements and links as screen readers name them. Apart from the picture: one more element changes the "3 of 17" of
/// all, and nobody hears them before the next frame.
#[must_use]
pub fn labels(from: Subjects<'_>, of: &Picture) -> SortedMap<Id, String> {
    let marks = card::Marks::of(from);
    let count = of.order.len();
    let elements =
        of.order.iter().enumerate().filter_map(|(at, id)| {
            Some((id.clone(), card::label(from, &marks, id, of.cards.get(id)?, (at + 1, count))))
        });
    let links = of.wires.iter().map(|(id, wire)| (id.clone(), wire::label(from, &of.flags, id, wire)));
    elements.chain(links).collect()
}

#[cfg(test)]
mod tests;
