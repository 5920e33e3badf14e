//! Links: drawn from a port, moved at an end, chosen by a second click.

use super::{Now, Outcome, Pointer, State};
use crate::sorted::SortedSet;
use crate::{
    canvas::{
        create::{Added, link, may_link, reconnect},
        hit::End,
    },
    model::{Id, Port, Subject},
};

fn linked(added: Added) -> Outcome {
    Outcome::Edit { edit: added.edit, label: "Link", select: Some(SortedSet::from([added.id])) }
}

/// A link follows the pointer.
pub(super) fn towards(now: Now<'_>, from: Id, port: Option<Port>, p: &Pointer) -> State {
    let to = now.view.to_canvas(p.at);
    let over = now.world.element_at(to).filter(|id| *id != from);
    let over = over.map(|id| {
        let may = may_link(now.world.design, &from, &id, port);
        (id, may)
    });
    State::Connecting { from, port, to, over }
}

/// A link is let go: on an element, or on the canvas where what may follow is offered.
pub(super) fn dropped(now: Now<'_>, from: &Id, port: Option<Port>, p: &Pointer) -> Vec<Outcome> {
    let at = now.view.to_canvas(p.at);
    match now.world.element_at(at) {
        Some(id) if id == *from => Vec::new(),
        Some(id) => vec![link(now.world.design, from, &id, port).map_or_else(Outcome::Refuse, linked)],
        None => vec![Outcome::Offer { from: from.clone(), port, at }],
    }
}

fn ends(now: Now<'_>, link: &Id, end: End, to: Id) -> Option<(Id, Id)> {
    let old = now.world.design.links.get(link).and_then(Subject::as_link)?;
    Some(if end == End::From { (to, old.to.clone()) } else { (old.from.clone(), to) })
}

/// The end of a link follows the pointer.
pub(super) fn pulled(now: Now<'_>, link: Id, end: End, p: &Pointer) -> State {
    let to = now.view.to_canvas(p.at);
    let over = now.world.element_at(to).and_then(|id| {
        let port = now.world.design.links.get(&link).and_then(Subject::as_link)?.port;
        let (a, b) = ends(now, &link, end, id.clone())?;
        Some((id, may_link(now.world.design, &a, &b, port)))
    });
    State::Reconnecting { link, end, to, over }
}

/// The end of a link is let go.
pub(super) fn replugged(now: Now<'_>, link: &Id, end: End, p: &Pointer) -> Vec<Outcome> {
    match now.world.element_at(now.view.to_canvas(p.at)) {
        Some(id) => moved_to(now, link, end, id),
        None => vec![Outcome::Refuse("A link needs two ends. Let it go on an element.")],
    }
}

/// The end of a link goes to an element.
#[must_use]
pub fn moved_to(now: Now<'_>, link: &Id, end: End, id: Id) -> Vec<Outcome> {
    let design = now.world.design;
    let Some((from, to)) = ends(now, link, end, id) else { return Vec::new() };
    let same = design.links.get(link).and_then(Subject::as_link).is_some_and(|old| old.from == from && old.to == to);
    if same {
        return Vec::new();
    }
    match reconnect(design, link, &from, &to) {
        Ok(Added { id, edit }) => {
            let select = (id != *link).then(|| SortedSet::from([id]));
            vec![Outcome::Edit { edit, label: "Reconnect", select }]
        }
        Err(why) => vec![Outcome::Refuse(why)],
    }
}

/// The target of a link is chosen by a press.
pub(super) fn chosen(now: Now<'_>, from: &Id, p: &Pointer) -> (State, Vec<Outcome>) {
    let outcomes = match now.world.element_at(now.view.to_canvas(p.at)) {
        Some(id) => vec![link(now.world.design, from, &id, None).map_or_else(Outcome::Refuse, linked)],
        None => Vec::new(),
    };
    (State::Idle, outcomes)
}
