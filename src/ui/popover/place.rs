//! Where an open explanation stands, and the line from it to its number.

use crate::{
    canvas::{Point, Rect, beside},
    platform::{anchor, device},
};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Keeps an explanation in the window and its line at the number, frame by frame while it stands.
pub(super) fn follow(
    id: u32,
    selector: String,
    section: HtmlElement,
    corner: RwSignal<Option<(f64, f64)>>,
    line: RwSignal<String>,
    last: Option<([f64; 4], [f64; 4])>,
) {
    if !section.is_connected() {
        return;
    }
    let number = anchor::find(id, &selector);
    let at = number.as_ref().and_then(anchor::rect);
    let own = anchor::rect(&section).unwrap_or_default();
    let now = Some((at.unwrap_or_default(), own));
    if now != last {
        let (width, height) = device::size();
        let off = own[0] + own[2] > width || own[1] + own[3] > height;
        if corner.try_get_untracked().flatten().is_none() || off {
            let to = beside(rect(at.unwrap_or_default()), (own[2], own[3]), (width, height), &others(&section));
            corner.try_set(Some((to.x, to.y)));
        } else {
            let seen = number.as_ref().is_some_and(anchor::in_sight);
            line.try_set(at.filter(|_| seen).map(|at| path(rect(at), rect(own))).unwrap_or_default());
        }
    }
    request_animation_frame(move || follow(id, selector, section, corner, line, now));
}

fn rect([x, y, w, h]: [f64; 4]) -> Rect {
    Rect { x, y, w, h }
}

/// The other explanations that stand open.
fn others(section: &HtmlElement) -> Vec<Rect> {
    let Some(Ok(all)) = section.owner_document().map(|page| page.query_selector_all(".explanation-popover")) else {
        return Vec::new();
    };
    let element = |i: u32| all.get(i)?.dyn_into::<Element>().ok();
    let all = (0..all.length()).filter_map(element).filter(|one| *one != **section);
    all.filter_map(|one| anchor::rect(&one)).map(rect).collect()
}

/// The line from the edge of a number to the nearest edge of its explanation.
fn path(number: Rect, own: Rect) -> String {
    let middle = Point::new(number.x + number.w / 2.0, number.y + number.h / 2.0);
    let nearest = |to: Point, of: Rect| Point::new(to.x.clamp(of.x, of.x + of.w), to.y.clamp(of.y, of.y + of.h));
    let end = nearest(middle, own);
    let start = nearest(end, number);
    if (end.x - start.x).abs() + (end.y - start.y).abs() < 2.0 {
        return String::new();
    }
    format!("M{:.1} {:.1}L{:.1} {:.1}", start.x, start.y, end.x, end.y)
}
