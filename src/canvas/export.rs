//! The drawing as one picture that stands alone, for a file and for paper: light, with a title and its legend.
//!
//! Every colour and size is written where it is used: the picture has no style sheet, so that it looks the same in any
//! program and beside any other picture. Not here: the canvas on screen (`ui`), and the plain picture inside the
//! documents (`documents::diagram`).

mod legend;

use super::{
    Point, Rect, Route, Scene, badge_place, caption,
    picture::{BadgeView, Card, Cell, CellStyle, Existence, Flag, Number, Picture, Stroke, Wire},
    svg,
};
use crate::{
    model::{Design, ElementKind, Id, shortened, xml_escaped},
    sorted::SortedMap,
};
use std::fmt::Write as _;

const INK: &str = "#12171C";
const SECOND: &str = "#3F4852";
const THIRD: &str = "#5C6670";
const EDGE: &str = "#7E8894";
const GROUND: &str = "#FFFFFF";
const FRAME: &str = "#E9EDF2";
const BAD: &str = "#B3123F";
const CAUTION: (&str, &str) = ("#FDF0D2", "#B27A0A");
const ACCENT: (&str, &str) = ("#1D5BD0", "#E4EDFD");

/// Space around the drawing, and height of its title.
const MARGIN: f64 = 28.0;
const HEAD: f64 = 52.0;

/// A picture with its size in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The picture as SVG.
    pub svg: String,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// What is drawn and where it stands.
#[derive(Clone, Copy)]
pub struct Drawn<'a> {
    /// The design.
    pub design: &'a Design,
    /// What each element and link says.
    pub picture: &'a Picture,
    /// Where elements stand.
    pub scene: &'a Scene,
    /// How links run.
    pub routes: &'a SortedMap<Id, Route>,
}

/// Draws it; `title` stands above, `under` below the title.
#[must_use]
pub fn drawing(of: Drawn<'_>, title: &str, under: &str) -> Drawing {
    let around = bounds(of);
    let width = around.w.max(legend::WIDTH) + 2.0 * MARGIN;
    let (key, key_height) = legend::legend(of.picture, width - 2.0 * MARGIN);
    let height = HEAD + around.h + key_height + 3.0 * MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         role=\"img\" font-family=\"'IBM Plex Sans Variable', 'IBM Plex Sans', system-ui, sans-serif\">\n<title>{}</title>\n\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"{GROUND}\"/>\n",
        xml_escaped(title)
    );
    words(&mut out, Point::new(MARGIN, MARGIN + 14.0), (20.0, 600, INK, ""), title);
    words(&mut out, Point::new(MARGIN, MARGIN + 33.0), (12.0, 400, THIRD, ""), under);
    _ = writeln!(out, "<g transform=\"translate({:.1} {:.1})\">", MARGIN - around.x, MARGIN + HEAD - around.y);
    contents(&mut out, of);
    out.push_str("</g>\n");
    _ = writeln!(out, "<g transform=\"translate({MARGIN} {:.1})\">\n{key}</g>\n</svg>", HEAD + around.h + 2.0 * MARGIN);
    Drawing { svg: out, width, height }
}

fn contents(out: &mut String, of: Drawn<'_>) {
    let Picture { cards, wires, flags, .. } = of.picture;
    let frame = |card: &Card| card.kind == ElementKind::Job;
    for (id, card) in cards.iter().filter(|(_, card)| frame(card)) {
        of.scene.get(id).into_iter().for_each(|r| job(out, card, *r));
    }
    for (id, wire) in wires {
        of.routes.get(id).into_iter().for_each(|route| line(out, wire, route));
    }
    for (id, card) in cards.iter().filter(|(_, card)| !frame(card)) {
        of.scene.get(id).into_iter().for_each(|r| element(out, card, *r));
    }
    for (id, wire) in wires {
        of.routes.get(id).into_iter().for_each(|route| on_link(out, of, (id, wire), route));
    }
    for (at, flag) in flags.iter().enumerate() {
        let stacked = flags.iter().take(at).filter(|other| other.at == flag.at).count();
        self::flag(out, of, flag, stacked);
    }
    for note in of.design.layout.notes.values() {
        let Some((place, text)) = note.place.as_ref().zip(note.text.as_ref()) else { continue };
        let at = Point::new(f64::from(place.x), f64::from(place.y));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = caption::cut(&text, None, 26, 8).unwrap_or(text);
        for (i, row) in caption::rows(&text, 26).iter().enumerate() {
            words(out, at.plus(8.0, 18.0 + 15.0 * i as f64), (12.0, 400, SECOND, ""), row);
        }
    }
}

/// The part of the canvas that holds everything, with the words and flags over it.
fn bounds(of: Drawn<'_>) -> Rect {
    let shown = of.scene.iter().filter(|(id, _)| of.picture.cards.contains_key(*id)).map(|(_, r)| *r);
    let routes = of.routes.iter().filter(|(id, _)| of.picture.wires.contains_key(*id)).map(|(_, r)| r.bounds());
    let notes = of.design.layout.notes.values().filter_map(|note| note.place.as_ref());
    let notes = notes.map(|place| Rect::new(f64::from(place.x), f64::from(place.y), 180.0, 120.0));
    let flags = of
        .picture
        .flags
        .iter()
        .filter_map(|flag| foot(of, &flag.at))
        .map(|p| Rect::new(p.x - 100.0, p.y - 130.0, 200.0, 1.0));
    Rect::around(shown.chain(routes).chain(notes).chain(flags)).unwrap_or_default().grown(24.0)
}

/// `(size, weight, colour, anchor)` of words; no anchor: they begin there.
type Style = (f64, u16, &'static str, &'static str);

fn words(out: &mut String, at: Point, (size, weight, colour, anchor): Style, text: &str) {
    if text.is_empty() {
        return;
    }
    let anchor = if anchor.is_empty() { String::new() } else { format!(" text-anchor=\"{anchor}\"") };
    _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" font-weight=\"{weight}\" fill=\"{colour}\"{anchor}>{}</text>",
        at.x,
        at.y,
        xml_escaped(text)
    );
}

/// Cut to a width, by the mean width of a letter.
fn cut(text: &str, width: f64, size: f64) -> String {
    shortened(text, (width / (size * 0.53)).max(1.0) as usize)
}

/// Colour of the edge, of the ground, and its dashes.
const fn edge(existence: Existence) -> (&'static str, &'static str, &'static str) {
    match existence {
        Existence::Proposed => (ACCENT.0, ACCENT.1, " stroke-dasharray=\"6 3.5\""),
        Existence::ToGo => (SECOND, GROUND, " stroke-dasharray=\"2 4\""),
        Existence::There | Existence::Changed => (SECOND, GROUND, ""),
    }
}

fn job(out: &mut String, card: &Card, r: Rect) {
    let (stroke, _, dash) = edge(card.existence);
    let stroke = if card.existence == Existence::Proposed { stroke } else { EDGE };
    _ = writeln!(
        out,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"9\" fill=\"{FRAME}\" stroke=\"{stroke}\" stroke-width=\"1.4\"{dash}/>",
        r.x, r.y, r.w, r.h
    );
    let name = cut(&card.name, r.w * 0.6, 12.0);
    words(out, Point::new(r.x + 8.0, r.y + 16.0), (12.0, 600, INK, ""), &name);
    let recovery = card.header.as_ref().map(|header| said(&header.recovery)).unwrap_or_default();
    let room = r.w - 24.0 - name.chars().count() as f64 * 6.6;
    words(out, Point::new(r.right() - 8.0, r.y + 16.0), (11.0, 400, THIRD, "end"), &cut(&recovery, room, 11.0));
}

/// A number with the letter of its basis.
fn said(number: &Number) -> String {
    let letter = number.mark.map(|mark| format!(" ({})", mark.letter())).unwrap_or_default();
    let parts = [number.lead, &format!("{}{letter}", number.text), number.tail];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn element(out: &mut String, card: &Card, r: Rect) {
    let (stroke, fill, dash) = edge(card.existence);
    let mut body = |shift: f64| {
        _ = writeln!(
            out,
            "<path transform=\"translate({:.1} {:.1})\" d=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.7\"{dash}/>",
            r.x + shift,
            r.y + shift,
            svg::outline(card.kind, r.w, r.h)
        );
    };
    if card.kind == ElementKind::Batch {
        body(8.0);
        body(4.0);
    }
    body(0.0);
    if card.kind == ElementKind::Channel {
        let (x, m) = (r.right() - 11.0, r.h / 2.0);
        _ = writeln!(
            out,
            "<path d=\"M{x:.1} {:.1}A11 {m:.1} 0 0 0 {x:.1} {:.1}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.7\"/>",
            r.y,
            r.bottom()
        );
    }
    if card.kind == ElementKind::Consumer {
        let inner = svg::outline(card.kind, r.w - 8.0, r.h - 8.0);
        let at = format!("translate({:.1} {:.1})", r.x + 4.0, r.y + 4.0);
        _ = writeln!(
            out,
            "<path transform=\"{at}\" d=\"{inner}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.2\"/>"
        );
    }
    inside(out, card, r);
    if let Some(view) = &card.badge {
        badge(out, Point::new(r.right() - 62.0, r.y - 14.0), view);
    }
}

/// Technology, name and number, as many as fit.
fn inside(out: &mut String, card: &Card, r: Rect) {
    let (left, right) = match card.kind {
        ElementKind::Channel => (16.0, 24.0),
        ElementKind::Sink => (22.0, 8.0),
        ElementKind::Consumer => (18.0, 14.0),
        ElementKind::Source => (12.0, 20.0),
        _ => (12.0, 8.0),
    };
    let number = card.number.as_ref().map(said).unwrap_or_default();
    let mut rows: Vec<(f64, u16, &'static str, &str)> = vec![(15.0, 600, INK, card.name.as_str())];
    if r.h >= 56.0 {
        rows.insert(0, (11.0, 400, THIRD, card.technology.as_str()));
    }
    rows.push((13.0, 600, INK, number.as_str()));
    rows.retain(|row| !row.3.is_empty());
    let height: f64 = rows.iter().map(|row| row.0 + 4.0).sum();
    let mut y = r.y + (r.h - height) / 2.0;
    for (size, weight, colour, text) in rows {
        y += size + 4.0;
        words(out, Point::new(r.x + left, y - 4.0), (size, weight, colour, ""), &cut(text, r.w - left - right, size));
    }
}

fn line(out: &mut String, wire: &Wire, route: &Route) {
    let short = if wire.stroke == Stroke::Reconciliation { 0.0 } else { svg::head(wire.stroke).0 - 1.5 };
    let (path, colour) = (route.path_short_of(short), colour(wire));
    let (width, dash) = stroke(wire.stroke);
    _ = writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>");
    if wire.stroke == Stroke::Batch {
        _ = writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"{GROUND}\" stroke-width=\"2.3\"/>");
    }
    if let Some(head) = svg::arrow(route, wire.stroke) {
        let open = wire.stroke == Stroke::Side;
        let (fill, stroke) = if open { ("none", colour) } else { (colour, "none") };
        _ = writeln!(out, "<path d=\"{head}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>");
    }
}

const fn colour(wire: &Wire) -> &'static str {
    match wire.existence {
        _ if wire.hatched => BAD,
        Existence::Proposed => ACCENT.0,
        _ => SECOND,
    }
}

/// Width and dashes of a stroke.
const fn stroke(of: Stroke) -> (f64, &'static str) {
    match of {
        Stroke::Main => (2.3, ""),
        Stroke::Late => (2.0, " stroke-dasharray=\"8 5\""),
        Stroke::DeadLetter => (2.2, " stroke-dasharray=\".1 4.6\" stroke-linecap=\"round\""),
        Stroke::Side | Stroke::Reconciliation => (1.5, ""),
        Stroke::Batch => (5.5, ""),
    }
}

/// Badge, words and the result of a comparison.
fn on_link(out: &mut String, of: Drawn<'_>, (id, wire): (&Id, &Wire), route: &Route) {
    let spot = route.spot();
    if !wire.result.is_empty() {
        words(out, spot.at.plus(0.0, -6.0), (12.0, 400, INK, "middle"), &format!("≟ {}", wire.result));
        return;
    }
    if let Some(start) = route.points.first() {
        words(out, start.plus(7.0, 14.0), (11.0, 400, THIRD, ""), wire.word);
    }
    let Some(view) = &wire.badge else { return };
    let place = badge_place::free(of.design, of.scene, of.routes, (id, spot), wire.flagged);
    badge(out, place.corner, view);
    let lines = if wire.captions.len() == 1 { 3 } else { 4 };
    let around = caption::Obstacles::of(of.design, of.scene);
    let Some(room) = caption::room(&around, spot, wire.flagged || place.below, lines) else { return };
    let (shown, each) = room.shares(wire.captions.len());
    let rows = wire.captions.iter().take(shown).flat_map(|line| line.fitting(room.letters(), each));
    for (i, row) in rows.enumerate() {
        words(out, room.at.plus(0.0, 10.0 + caption::LINE * i as f64), (11.0, 400, SECOND, "middle"), &row);
    }
}

fn badge(out: &mut String, at: Point, view: &BadgeView) {
    cell(out, at, view.fewest);
    for x in [24.6, 29.4] {
        _ = writeln!(out, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"1.5\" fill=\"{SECOND}\"/>", at.x + x, at.y + 11.0);
    }
    cell(out, at.plus(32.0, 0.0), view.most);
}

fn cell(out: &mut String, at: Point, cell: Cell) {
    let (fill, stroke, width, text) = match (cell.style, cell.loud) {
        (CellStyle::Thick, true) => (BAD, BAD, 2.0, GROUND),
        (CellStyle::Thick, false) => (GROUND, BAD, 2.0, BAD),
        (CellStyle::Dashed, true) => (CAUTION.0, CAUTION.1, 2.0, INK),
        (CellStyle::Hatched, _) => (FRAME, THIRD, 1.5, INK),
        _ => (GROUND, SECOND, 1.5, INK),
    };
    let dash = if cell.style == CellStyle::Dashed { " stroke-dasharray=\"3.3 2.3\"" } else { "" };
    _ = writeln!(
        out,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"20\" height=\"20\" rx=\"4.5\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{width}\"{dash}/>",
        at.x + 1.0,
        at.y + 1.0
    );
    words(out, at.plus(11.0, 16.0), (14.5, 600, text, "middle"), cell.glyph);
}

fn foot(of: Drawn<'_>, at: &Id) -> Option<Point> {
    let on_link = of.routes.get(at).map(|route| route.spot().at);
    on_link.or_else(|| of.scene.get(at).map(|r| Point::new(r.x + 14.0, r.y)))
}

fn flag(out: &mut String, of: Drawn<'_>, flag: &Flag, stacked: usize) {
    let Some(foot) = foot(of, &flag.at) else { return };
    let said = flag.words();
    let width = 16.0 + said.chars().count() as f64 * 6.7;
    let top = foot.y - 98.0 - 26.0 * stacked as f64;
    let (fill, edge, ink) = if flag.dashed { (CAUTION.0, CAUTION.1, INK) } else { (BAD, BAD, GROUND) };
    _ = writeln!(
        out,
        "<path d=\"M{0:.1} {1:.1}V{2:.1}\" stroke=\"{edge}\" stroke-width=\"2\"/>\n\
         <path transform=\"translate({0:.1} {2:.1})\" d=\"M0 0H{width:.1}L{3:.1} 11.5L{width:.1} 23H0Z\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1.4\"/>",
        foot.x,
        foot.y,
        top,
        width - 9.0
    );
    words(out, Point::new(foot.x + 7.0, top + 16.0), (12.0, 600, ink, ""), &said);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        canvas::picture::{Subjects, picture},
        catalog::examples,
        layout::{Router, places},
        model::View,
        rules::review,
    };

    fn drawn(design: &Design) -> Drawing {
        let now = review(design, View::ToBe);
        let picture = picture(Subjects { design, view: View::ToBe, review: &now, was: None, consumer: None });
        let scene = places(design);
        let routes = Router::new(design, &scene).all();
        let title = design.name.as_deref().unwrap_or("Untitled");
        drawing(Drawn { design, picture: &picture, scene: &scene, routes: &routes }, title, "to-be")
    }

    #[test]
    fn the_drawing_of_the_example_names_everything_and_explains_its_signs() {
        let design = crate::codec::decode(examples()[0].text).unwrap();
        let Drawing { svg, width, height } = drawn(&design);
        for name in ["checkout db", "orders", "revenue_5m", "Revenue board", "Checkout revenue"] {
            assert!(svg.contains(name), "{name}");
        }
        for sign in ["may be lost", "holds while a condition holds", "dead-letter", "measured"] {
            assert!(svg.contains(sign), "{sign}");
        }
        assert!(width > 800.0 && height > 400.0);
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        assert_eq!(svg.matches("<text ").count(), svg.matches("</text>").count());
        assert!(!svg.contains("class=") && !svg.contains("var(--"), "it stands without a style sheet");
    }

    #[test]
    fn names_stay_text() {
        let mut design = crate::layout::sample::design("source a, channel b", "a b");
        let name = "<script>&\"";
        for subject in design.elements.values_mut() {
            subject.name = Some(name.into());
        }
        design.name = Some(name.into());
        let svg = drawn(&design).svg;
        assert!(svg.contains("&lt;script&gt;&amp;") && !svg.contains("<script"));
    }

    #[test]
    fn an_empty_design_is_a_title_and_a_legend() {
        let drawing = drawn(&Design::default());
        assert!(drawing.svg.ends_with("</svg>\n") && drawing.width.is_finite() && drawing.height.is_finite());
    }
}
