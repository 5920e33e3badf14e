//! The legend below a drawing: the signs that stand in it, and those of badge and basis.

use super::{BadgeView, Cell, CellStyle, INK, Picture, SECOND, Stroke, THIRD, badge, cell, stroke, words};
use crate::{canvas::Point, model::Basis};
use std::fmt::Write as _;

/// No legend is narrower.
pub(super) const WIDTH: f64 = 720.0;
/// Width of a column, height of a row.
const COLUMN: f64 = 240.0;
const ROW: f64 = 26.0;

const CELLS: [(&str, CellStyle, &str); 5] = [
    ("1", CellStyle::Solid, "holds, by a named mechanism"),
    ("1", CellStyle::Dashed, "holds while a condition holds"),
    ("0", CellStyle::Thick, "may be lost"),
    ("n", CellStyle::Thick, "repeats can show"),
    ("?", CellStyle::Hatched, "a fact is not read"),
];

const STROKES: [(Stroke, &str); 6] = [
    (Stroke::Main, "main link"),
    (Stroke::Late, "late"),
    (Stroke::DeadLetter, "dead-letter"),
    (Stroke::Side, "side output"),
    (Stroke::Batch, "batch path"),
    (Stroke::Reconciliation, "comparison of two results"),
];

/// The legend and its height, in this width.
pub(super) fn legend(picture: &Picture, width: f64) -> (String, f64) {
    let mut out = String::new();
    words(&mut out, Point::new(0.0, 10.0), (12.0, 600, INK, ""), "Legend");
    let says = "Badge: the fewest and the most copies of one event that a reader there can get.";
    words(&mut out, Point::new(52.0, 10.0), (12.0, 400, THIRD, ""), says);
    let columns = ((width / COLUMN) as usize).max(1);
    let mut at = 0;
    let mut next = || {
        let place = Point::new((at % columns) as f64 * COLUMN, 22.0 + (at / columns) as f64 * ROW);
        at += 1;
        place
    };
    for (glyph, style, means) in CELLS {
        let place = next();
        cell(&mut out, place, Cell { glyph, style, loud: false });
        words(&mut out, place.plus(30.0, 15.0), (12.0, 400, SECOND, ""), means);
    }
    if picture.cards.values().any(|card| card.badge.is_some()) {
        let place = next();
        let loud = |glyph| Cell { glyph, style: CellStyle::Thick, loud: true };
        badge(&mut out, place, &BadgeView { fewest: loud("0"), most: loud("n"), text: String::new() });
        words(&mut out, place.plus(62.0, 15.0), (12.0, 400, SECOND, ""), "filled: a consumer sees it");
    }
    for (of, means) in STROKES {
        if picture.wires.values().all(|wire| wire.stroke != of) {
            continue;
        }
        let place = next();
        let (width, dash) = stroke(of);
        let y = place.y + 11.0;
        _ = writeln!(
            out,
            "<path d=\"M{:.1} {y:.1}h44\" fill=\"none\" stroke=\"{SECOND}\" stroke-width=\"{width}\"{dash}/>",
            place.x
        );
        words(&mut out, place.plus(54.0, 15.0), (12.0, 400, SECOND, ""), means);
    }
    let rows = at.div_ceil(columns) as f64;
    let bases = [Basis::Measured, Basis::Configured, Basis::Stated, Basis::Assumed, Basis::Proposed];
    let letters: Vec<String> = bases.iter().map(|basis| format!("({}) {}", basis.letter(), basis.word())).collect();
    let says = format!("Basis of a number: {}, (?) not read, not measured or not stated", letters.join(", "));
    words(&mut out, Point::new(0.0, 22.0 + rows * ROW + 16.0), (12.0, 400, THIRD, ""), &says);
    (out, 22.0 + rows * ROW + 28.0)
}
