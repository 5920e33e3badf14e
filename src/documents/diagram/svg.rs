//! A plain picture: boxes and lines where the canvas has them, in the colour of the text around it.
//!
//! Not here: the canvas itself, and where things stand (`layout`).

use crate::{
    documents::{desk::Desk, markdown::clean},
    layout::{Point, Rect, Router, Scene, places},
    model::{ElementKind, Id, Link, Port, shortened, xml_escaped},
};

const MARGIN: f64 = 24.0;
/// How deep the notch of a sink is; its links end in it (`layout::route::ports`).
const NOTCH: f64 = 16.0;

/// The topology as SVG, without colours of its own.
#[must_use]
pub fn svg(desk: &Desk<'_>) -> String {
    let mut scene = places(desk.design);
    scene.retain(|id, _| desk.design.visible(crate::model::View::ToBe, id));
    let routes = Router::new(desk.design, &scene).all();
    let links: Vec<(&Id, &Link)> = desk.links().into_iter().chain(desk.reconciliations()).collect();
    let corners = links.iter().filter_map(|(id, _)| routes.get(*id)).flat_map(|route| route.points.iter());
    let view = view(&scene, corners);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.0} {:.0} {:.0} {:.0}\" role=\"img\" fill=\"none\" \
         stroke=\"currentColor\" font-family=\"sans-serif\" font-size=\"13\">\n<title>{}</title>\n<defs><marker id=\"arrow\" \
         viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\">\
         <path d=\"M0 0 8 4 0 8z\" fill=\"currentColor\" stroke=\"none\"/></marker></defs>\n",
        view.x,
        view.y,
        view.w,
        view.h,
        escape(desk.title())
    );
    for (id, rect) in &scene {
        element(&mut out, desk, id, *rect);
    }
    for (id, link) in links {
        if let Some(route) = routes.get(id) {
            let dash = if link.port.is_some() { " stroke-dasharray=\"2 3\"" } else { "" };
            let start = if link.port == Some(Port::Reconcile) { " marker-start=\"url(#arrow)\"" } else { "" };
            let path = route.path();
            out.push_str(&format!(
                "<path data-link-id=\"{id}\" d=\"{path}\"{dash}{start} marker-end=\"url(#arrow)\"/>\n"
            ));
        }
    }
    out.push_str("</svg>\n");
    out
}

/// The part of the canvas that holds everything.
fn view<'p>(scene: &Scene, corners: impl Iterator<Item = &'p Point>) -> Rect {
    let around = Rect::around(scene.values().copied().chain(corners.map(|p| Rect::new(p.x, p.y, 0.0, 0.0))));
    around.unwrap_or(Rect::new(0.0, 0.0, 1.0, 1.0)).grown(MARGIN)
}

fn element(out: &mut String, desk: &Desk<'_>, id: &Id, r: Rect) {
    let kind = desk.design.kind(id);
    let job = kind == Some(ElementKind::Job);
    let radius = if job || kind == Some(ElementKind::Operator) { 4 } else { 10 };
    let dash = if job { " stroke-dasharray=\"4 3\"" } else { "" };
    let notch = if kind == Some(ElementKind::Sink) { NOTCH } else { 0.0 };
    let shape = if notch > 0.0 {
        // A link into a sink ends in its notch, as on the canvas.
        let (tip, middle) = (r.x + notch, r.centre().y);
        format!("<path d=\"M{:.1} {:.1}h{:.1}v{:.1}h-{:.1}L{tip:.1} {middle:.1}Z\"/>", r.x, r.y, r.w, r.h, r.w)
    } else {
        format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{radius}\"{dash}/>",
            r.x, r.y, r.w, r.h
        )
    };
    out.push_str(&format!("<g data-element-id=\"{id}\">{shape}"));
    let (x, y) = (r.x + 8.0 + notch, r.y + 18.0);
    let letters = ((r.w - notch) / 7.5) as usize;
    text(out, (x, y), "", &short(&desk.name(id), letters));
    if !job {
        let system = desk.design.system(id).filter(|_| desk.design.job_of(id).is_none());
        let below = system.map_or_else(|| desk.kind_words(id).to_owned(), |system| desk.system_words(system));
        text(out, (x, y + 17.0), " font-size=\"11\" opacity=\"0.7\"", &short(&below, letters));
    }
    out.push_str("</g>\n");
}

fn text(out: &mut String, at: (f64, f64), style: &str, words: &str) {
    let (x, y) = at;
    out.push_str(&format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\"{style} fill=\"currentColor\" stroke=\"none\">{}</text>",
        escape(words)
    ));
}

fn short(name: &str, letters: usize) -> String {
    shortened(&clean(name), letters)
}

fn escape(text: &str) -> String {
    xml_escaped(&clean(text))
}
