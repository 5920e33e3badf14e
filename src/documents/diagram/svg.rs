//! A plain picture: boxes where the canvas has them, lines between them, in the colour of the text around it.
//!
//! Not here: the canvas itself. Elements without a place stand in columns by the order of the flow.

use crate::documents::{desk::Desk, markdown::clean};
use crate::model::{ElementKind, Id, Link, Port};
use std::collections::BTreeMap;

const WIDTH: i32 = 150;
const HEIGHT: i32 = 48;
const MARGIN: i32 = 24;

#[derive(Clone, Copy)]
struct Rect {
    x: i32,
    y: i32,
    w: i32,
    h: i32,
}

/// The topology as SVG, without colours of its own.
#[must_use]
pub fn svg(desk: &Desk<'_>) -> String {
    let places = places(desk);
    let left = places.values().map(|r| r.x).min().unwrap_or(0).saturating_sub(MARGIN);
    let top = places.values().map(|r| r.y).min().unwrap_or(0).saturating_sub(MARGIN);
    let right = places.values().map(|r| r.x.saturating_add(r.w)).max().unwrap_or(0).saturating_add(MARGIN);
    let bottom = places.values().map(|r| r.y.saturating_add(r.h)).max().unwrap_or(0).saturating_add(MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {} {}\" role=\"img\" fill=\"none\" stroke=\"currentColor\" font-family=\"sans-serif\" font-size=\"13\">\n<title>{}</title>\n<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\"><path d=\"M0 0 8 4 0 8z\" fill=\"currentColor\" stroke=\"none\"/></marker></defs>\n",
        right.saturating_sub(left),
        bottom.saturating_sub(top),
        escape(desk.title())
    );
    for (id, rect) in &places {
        element(&mut out, desk, id, *rect);
    }
    for (id, link) in desk.links() {
        line(&mut out, &places, id, link);
    }
    for (id, link) in desk.reconciliations() {
        line(&mut out, &places, id, link);
    }
    out.push_str("</svg>\n");
    out
}

fn element(out: &mut String, desk: &Desk<'_>, id: &Id, r: Rect) {
    let job = desk.design.kind(id) == Some(ElementKind::Job);
    let radius = if job || desk.design.kind(id) == Some(ElementKind::Operator) { 4 } else { 10 };
    let dash = if job { " stroke-dasharray=\"4 3\"" } else { "" };
    out.push_str(&format!(
        "<g data-element-id=\"{id}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{radius}\"{dash}/>",
        r.x, r.y, r.w, r.h
    ));
    let (x, y) = if job {
        (r.x.saturating_add(8), r.y.saturating_add(16))
    } else {
        (r.x.saturating_add(10), r.y.saturating_add(20))
    };
    out.push_str(&format!(
        "<text x=\"{x}\" y=\"{y}\" fill=\"currentColor\" stroke=\"none\">{}</text>",
        escape(&short(&desk.name(id)))
    ));
    if !job {
        let system = desk.design.system(id).filter(|_| desk.design.job_of(id).is_none());
        let below = system.map_or_else(|| desk.kind_words(id).to_owned(), |system| system.replace('_', " "));
        out.push_str(&format!(
            "<text x=\"{x}\" y=\"{}\" font-size=\"11\" opacity=\"0.7\" fill=\"currentColor\" stroke=\"none\">{}</text>",
            y.saturating_add(17),
            escape(&short(&below))
        ));
    }
    out.push_str("</g>\n");
}

/// A line from the right of one box to the left of the next, or back around where the next stands to the left.
fn line(out: &mut String, places: &BTreeMap<&Id, Rect>, id: &Id, link: &Link) {
    let (Some(a), Some(b)) = (places.get(&link.from), places.get(&link.to)) else { return };
    let (ax, ay) = (a.x.saturating_add(a.w), a.y.saturating_add(a.h / 2));
    let (bx, by) = (b.x, b.y.saturating_add(b.h / 2));
    let bend = (bx.saturating_sub(ax)).saturating_abs().saturating_div(2).clamp(24, 120);
    let dash = if link.port.is_some() { " stroke-dasharray=\"2 3\"" } else { "" };
    let start = if link.port == Some(Port::Reconcile) { " marker-start=\"url(#arrow)\"" } else { "" };
    out.push_str(&format!(
        "<path data-link-id=\"{id}\" d=\"M{ax} {ay}C{} {ay} {} {by} {bx} {by}\"{dash}{start} marker-end=\"url(#arrow)\"/>\n",
        ax.saturating_add(bend),
        bx.saturating_sub(bend)
    ));
}

fn places<'a>(desk: &Desk<'a>) -> BTreeMap<&'a Id, Rect> {
    let mut places = BTreeMap::new();
    let mut column = 0;
    for id in desk.all_elements() {
        if desk.design.kind(id) == Some(ElementKind::Job) {
            continue;
        }
        let rect = match desk.design.layout.boxes.get(id) {
            Some(place) => {
                let (w, h) = place.size.unwrap_or((WIDTH, HEIGHT));
                Rect { x: place.x, y: place.y, w, h }
            }
            None => {
                column += 1;
                Rect { x: (column - 1) % 6 * (WIDTH + 60), y: (column - 1) / 6 * (HEIGHT + 60), w: WIDTH, h: HEIGHT }
            }
        };
        places.insert(id, rect);
    }
    // A frame goes around its operators, wherever they stand.
    for id in desk.elements(ElementKind::Job) {
        let inside: Vec<Rect> = desk.operators(id).into_iter().filter_map(|o| places.get(o).copied()).collect();
        let Some(first) = inside.first().copied() else {
            if let Some(place) = desk.design.layout.boxes.get(id) {
                let (w, h) = place.size.unwrap_or((WIDTH, HEIGHT));
                places.insert(id, Rect { x: place.x, y: place.y, w, h });
            }
            continue;
        };
        let (mut x, mut y, mut right, mut bottom) = (first.x, first.y, i32::MIN, i32::MIN);
        for r in inside {
            x = x.min(r.x);
            y = y.min(r.y);
            right = right.max(r.x.saturating_add(r.w));
            bottom = bottom.max(r.y.saturating_add(r.h));
        }
        let (x, y) = (x.saturating_sub(12), y.saturating_sub(26));
        places.insert(
            id,
            Rect {
                x,
                y,
                w: right.saturating_sub(x).saturating_add(12),
                h: bottom.saturating_sub(y).saturating_add(12),
            },
        );
    }
    places
}

fn short(name: &str) -> String {
    let name = clean(name);
    if name.chars().count() > 22 { name.chars().take(21).chain(['…']).collect() } else { name }
}

fn escape(text: &str) -> String {
    clean(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
