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
    model::{Design, Id, View},
    rules::Review,
};

/// Everything that is drawn of a design, but where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Elements, jobs included.
    pub cards: SortedMap<Id, Card>,
    /// Links.
    pub wires: SortedMap<Id, Wire>,
    /// Flags at weakest hops.
    pub flags: Vec<Flag>,
    /// Elements that are shown, in the order of flow.
    pub order: Vec<Id>,
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

/// The picture of a design.
#[must_use]
pub fn picture(from: Subjects<'_>) -> Picture {
    picture_along(from, &flow_order(from.design))
}

/// The picture of a design whose order of flow is known: most edits leave that as it is.
#[must_use]
pub fn picture_along(from: Subjects<'_>, flow: &[Id]) -> Picture {
    let Subjects { design, view, was, .. } = from;
    let shown = |id: &Id| was.is_some() || design.visible(view, id);
    let order: Vec<Id> = flow.iter().filter(|id| shown(id)).cloned().collect();
    let flags = wire::flags(from);
    let facts = card::Surroundings::of(from);
    let cards = order.iter().filter_map(|id| Some((id.clone(), card::card(from, &facts, id)?))).collect();
    let wires = design
        .links
        .iter()
        .filter(|(id, subject)| shown(id) && subject.as_link().is_some_and(|link| shown(&link.from) && shown(&link.to)))
        .filter_map(|(id, _)| Some((id.clone(), wire::wire(from, &facts, &flags, id)?)))
        .collect();
    Picture { cards, wires, flags, order }
}

/// Elements and links as screen readers name them. Apart from the picture: one more element changes the "3 of 17" of
/// all, and nobody hears them before the next frame.
#[must_use]
pub fn labels(from: Subjects<'_>, of: &Picture) -> SortedMap<Id, String> {
    let facts = card::Surroundings::of(from);
    let count = of.order.len();
    let elements =
        of.order.iter().enumerate().filter_map(|(at, id)| {
            Some((id.clone(), card::label(from, &facts, id, of.cards.get(id)?, (at + 1, count))))
        });
    let links = of.wires.iter().map(|(id, wire)| (id.clone(), wire::label(from, &of.flags, id, wire)));
    elements.chain(links).collect()
}

#[cfg(test)]
mod tests;
