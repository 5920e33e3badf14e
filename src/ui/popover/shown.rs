//! What explains itself where: the name of a number on the page, and what an element or link shows of itself.

use super::open;
use crate::{
    action::Figure,
    model::{ElementKind, Id, View, key},
    platform::device,
    ui::store::{Desk, Explains},
};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// The name of a number on the page, by which it is found again when the page was drawn anew.
pub fn name_of(what: &Explains) -> String {
    let of = |id: Option<&Id>| id.map(ToString::to_string).unwrap_or_default();
    match what {
        Explains::Figure(figure) => format!("{} {:?}", figure.of, figure.kind),
        Explains::Setting(id, field) => format!("{id} {}", field.name()),
        Explains::Badge(id, view) => format!("{id} badge {view:?}"),
        Explains::Printed(one) => format!("{} {}: {}", of(one.of.as_ref()), one.what, one.text()),
        Explains::Missing(why) => {
            format!("{} {}: missing", of(why.missing.iter().next().map(|one| &one.subject)), why.what)
        }
    }
}

pub(super) fn on_canvas(id: &str) -> String {
    format!("[data-element-id=\"{id}\"] .cv-number")
}

pub(super) fn named_in(pane: &str, what: &Explains) -> String {
    format!("[data-pane=\"{pane}\"] [data-explains=\"{}\"]", name_of(what))
}

/// Which number an element shows: the figure with that text, else the setting that stands there.
fn shown_on(desk: Desk, id: &Id) -> Option<Explains> {
    let text =
        device::query(&format!("{} b", on_canvas(id.as_str()))).and_then(|b| b.text_content()).unwrap_or_default();
    let review = untrack(|| desk.review());
    desk.design.with_untracked(|design| {
        if design.links.contains_key(id) {
            return Some(Explains::Badge(id.clone(), untrack(|| desk.view())));
        }
        let figures = Figure::all_of(design, &review, id);
        let same = |derived: &crate::analysis::explain::Derived| match derived {
            Ok(explained) => text.ends_with(&explained.text()),
            Err(_) => false,
        };
        let shown = figures.iter().find(|(_, derived)| same(derived)).map(|(figure, _)| figure.clone());
        let setting = match design.kind(id)? {
            ElementKind::Source => Some(key::source::RATE.field()),
            ElementKind::Batch => Some(key::batch::CUT_OFF.field()),
            ElementKind::Sink => Some(key::sink::UNIQUE_KEYS.field()),
            _ => None,
        };
        let first = figures.into_iter().next().map(|(figure, _)| Explains::Figure(figure));
        shown.map(Explains::Figure).or(setting.map(|field| Explains::Setting(id.clone(), field))).or(first)
    })
}

/// What explains itself on an element beside its number.
fn beside_number(desk: Desk, id: &Id) -> Option<Explains> {
    match desk.design.with_untracked(|design| design.kind(id))? {
        ElementKind::Consumer => Some(Explains::Badge(id.clone(), untrack(|| desk.view()))),
        ElementKind::Channel => Some(Explains::Setting(id.clone(), key::channel::PARTITIONS.field())),
        _ => None,
    }
}

/// What explains itself at a place of the canvas: the badge of a consumer or link, or the number of an element.
pub(super) fn pressed_on(desk: Desk, at: Option<web_sys::EventTarget>) -> Option<(Id, Explains)> {
    let at = at.and_then(|target| target.dyn_into::<Element>().ok())?;
    let closest = |selector: &str| at.closest(selector).ok().flatten();
    let id = |owner: &str, name: &str| Id::new(&closest(owner)?.get_attribute(name)?).ok();
    if closest(".cv-number, .cv-figure").is_some() {
        let id = id("[data-element-id]", "data-element-id")?;
        return shown_on(desk, &id).map(|what| (id, what));
    }
    if closest(".cv-partitions").is_some() {
        let id = id("[data-element-id]", "data-element-id")?;
        let what = Explains::Setting(id.clone(), key::channel::PARTITIONS.field());
        return Some((id, what));
    }
    let sign = closest(".cv-sign, .cv-badge[data-explains]")?;
    let id = id("[data-badge-of]", "data-badge-of")?;
    let name = sign.get_attribute("data-explains")?;
    let badge = |view| Explains::Badge(id.clone(), view);
    let what = [View::AsIs, View::ToBe].into_iter().map(badge).find(|what| name_of(what) == name)?;
    Some((id, what))
}

/// Opens the explanation of what an element or link shows on the canvas; where one stands open already, that of what it
/// shows beside it: a consumer its badge behind its number, a channel its partitions.
pub fn open_on_canvas(desk: Desk, id: &Id) {
    let beside = beside_number(desk, id);
    let all: Vec<Explains> = shown_on(desk, id).into_iter().chain(beside).collect();
    let open_now: Vec<Explains> =
        desk.panes.explanations.with_untracked(|open| open.iter().map(|one| one.what.get_untracked()).collect());
    let next = all.iter().rposition(|what| open_now.contains(what)).map_or(0, |at| (at + 1) % all.len());
    if let Some(what) = all.get(next) {
        open_at(desk, id, what.clone());
    }
}

/// Opens it beside where it stands: on the canvas, else in the inspector, else at the element or link.
pub(super) fn open_at(desk: Desk, id: &Id, what: Explains) {
    let own = device::query(&named_in("canvas", &what));
    let number = own
        .or_else(|| {
            shown_on(desk, id).filter(|shown| *shown == what).and_then(|_| device::query(&on_canvas(id.as_str())))
        })
        .or_else(|| device::query(&named_in("inspector", &what)))
        .or_else(|| device::query(&format!("[data-element-id=\"{id}\"], [data-link-id=\"{id}\"]")));
    open(desk, what, number.map(Into::into));
}
