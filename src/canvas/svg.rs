//! The drawings of the canvas as SVG text: silhouettes, badge cells, basis marks, severity marks, icons.
//!
//! Only numbers and fixed words go in here, never text of a design.

use super::{
    Route,
    picture::{BadgeView, Bars, BasisMark, Cell, CellStyle, FlagKind, Mark, Stroke},
};
use crate::model::{Basis, ElementKind};
use std::fmt::Write as _;

/// Length and half width of the arrow head of a link.
#[must_use]
pub const fn head(stroke: Stroke) -> (f64, f64) {
    match stroke {
        Stroke::Batch => (13.0, 6.5),
        _ => (10.0, 4.6),
    }
}

/// The path of the arrow head of a link; the head of a side output is open. Nothing for a comparison.
#[must_use]
pub fn arrow(route: &Route, stroke: Stroke) -> Option<String> {
    let [.., before, end] = route.points.as_slice() else { return None };
    if stroke == Stroke::Reconciliation {
        return None;
    }
    let length = before.distance(*end).max(0.01);
    let (ux, uy) = ((end.x - before.x) / length, (end.y - before.y) / length);
    let (long, half) = head(stroke);
    let at = |along: f64, across: f64| (end.x - ux * along - uy * across, end.y - uy * along + ux * across);
    let ((ax, ay), (bx, by)) = (at(long, half), at(long, -half));
    Some(if stroke == Stroke::Side {
        format!("M{ax:.1} {ay:.1}L{:.1} {:.1}L{bx:.1} {by:.1}", end.x, end.y)
    } else {
        format!("M{ax:.1} {ay:.1}L{:.1} {:.1}L{bx:.1} {by:.1}Z", end.x, end.y)
    })
}

/// The outline of a kind in a box.
#[must_use]
pub fn outline(kind: ElementKind, w: f64, h: f64) -> String {
    let m = h / 2.0;
    match kind {
        ElementKind::Source => format!(
            "M4 0H{:.1}Q{:.1} 0 {:.1} 3L{:.1} {:.1}Q{w:.1} {m:.1} {:.1} {:.1}L{:.1} {:.1}Q{:.1} {h:.1} {:.1} {h:.1}H4Q0 {h:.1} 0 {:.1}V4Q0 0 4 0Z",
            w - 21.0,
            w - 18.5,
            w - 17.0,
            w - 0.8,
            m - 2.0,
            w - 0.8,
            m + 2.0,
            w - 17.0,
            h - 3.0,
            w - 18.5,
            w - 21.0,
            h - 4.0
        ),
        ElementKind::Channel => {
            format!("M11 0H{:.1}A11 {m:.1} 0 0 1 {:.1} {h:.1}H11A11 {m:.1} 0 0 1 11 0Z", w - 11.0, w - 11.0)
        }
        ElementKind::Sink => format!(
            "M1.5 0H{:.1}Q{w:.1} 0 {w:.1} 4V{:.1}Q{w:.1} {h:.1} {:.1} {h:.1}H1.5Q0 {h:.1} .6 {:.1}L16 {m:.1}L.6 1.4Q0 0 1.5 0Z",
            w - 4.0,
            h - 4.0,
            w - 4.0,
            h - 1.4
        ),
        ElementKind::Consumer => {
            let r = (h * 0.42).min(34.0);
            format!(
                "M5 0H{:.1}A{r:.1} {r:.1} 0 0 1 {w:.1} {r:.1}V{:.1}A{r:.1} {r:.1} 0 0 1 {:.1} {h:.1}H5Q0 {h:.1} 0 {:.1}V5Q0 0 5 0Z",
                w - r,
                h - r,
                w - r,
                h - 5.0
            )
        }
        ElementKind::Operator | ElementKind::Batch | ElementKind::Job => format!(
            "M4 0H{:.1}Q{w:.1} 0 {w:.1} 4V{:.1}Q{w:.1} {h:.1} {:.1} {h:.1}H4Q0 {h:.1} 0 {:.1}V4Q0 0 4 0Z",
            w - 4.0,
            h - 4.0,
            w - 4.0,
            h - 4.0
        ),
    }
}

/// The silhouette of a kind, with rings for focus and selection that show when the element says so.
#[must_use]
pub fn silhouette(kind: ElementKind, w: f64, h: f64) -> String {
    let path = outline(kind, w, h);
    let mut svg = format!(r#"<svg width="{w}" height="{h}" aria-hidden="true">"#);
    _ = write!(svg, r#"<path class="cv-ring cv-ring-out" d="{path}"/><path class="cv-ring cv-ring-gap" d="{path}"/>"#);
    if kind == ElementKind::Batch {
        for by in [8.0, 4.0] {
            _ = write!(svg, r#"<path class="cv-body" transform="translate({by} {by})" d="{path}"/>"#);
        }
    }
    _ = write!(svg, r#"<path class="cv-body cv-main" d="{path}"/>"#);
    match kind {
        ElementKind::Channel => {
            _ = write!(
                svg,
                r#"<path class="cv-line" d="M{0:.1} 0A11 {1:.1} 0 0 0 {0:.1} {h:.1}"/>"#,
                w - 11.0,
                h / 2.0
            );
        }
        ElementKind::Consumer => {
            let inner = outline(kind, w - 8.0, h - 8.0);
            _ = write!(svg, r#"<path class="cv-line cv-thin" transform="translate(4 4)" d="{inner}"/>"#);
        }
        _ => {}
    }
    svg.push_str("</svg>");
    svg
}

fn cell(svg: &mut String, x: f64, cell: Cell) {
    let style = match cell.style {
        CellStyle::Solid => "solid",
        CellStyle::Dashed => "dashed",
        CellStyle::Thick => "thick",
        CellStyle::Hatched => "hatched",
    };
    let loud = if cell.loud { " cv-loud" } else { "" };
    _ = write!(svg, r#"<g class="cv-cell cv-{style}{loud}" transform="translate({x} 0)">"#);
    svg.push_str(r#"<rect x="1" y="1" width="20" height="20" rx="4.5"/>"#);
    if cell.style == CellStyle::Hatched {
        svg.push_str(r#"<rect class="cv-ground" x="5.5" y="3.5" width="11" height="15" rx="3"/>"#);
    }
    _ = write!(svg, r#"<text x="11" y="16">{}</text></g>"#, cell.glyph);
}

/// The delivery badge, 54 by 22.
#[must_use]
pub fn badge(badge: &BadgeView) -> String {
    let mut svg = String::from(r#"<svg width="54" height="22" aria-hidden="true">"#);
    cell(&mut svg, 0.0, badge.fewest);
    svg.push_str(
        r#"<circle class="cv-dot" cx="24.6" cy="11" r="1.5"/><circle class="cv-dot" cx="29.4" cy="11" r="1.5"/>"#,
    );
    cell(&mut svg, 32.0, badge.most);
    svg.push_str("</svg>");
    svg
}

/// The mark of a basis, 14 by 14.
#[must_use]
pub fn basis(mark: BasisMark) -> String {
    let (class, shape) = match mark {
        BasisMark::Known(Basis::Measured) => ("measured", r#"<circle cx="7" cy="7" r="6.6"/>"#),
        BasisMark::Known(Basis::Configured) => {
            ("configured", r#"<rect x=".6" y=".6" width="12.8" height="12.8" rx="2.4"/>"#)
        }
        BasisMark::Known(Basis::Proposed) => {
            ("proposed", r#"<rect x="1.1" y="1.1" width="11.8" height="11.8" rx="2.2"/>"#)
        }
        BasisMark::Known(Basis::Stated) => ("stated", r#"<circle cx="7" cy="7" r="6.1"/>"#),
        BasisMark::Known(Basis::Assumed) => ("assumed", r#"<circle cx="7" cy="7" r="6.1"/>"#),
        BasisMark::Absent(_) | BasisMark::Conflict => (
            "absent",
            r#"<rect x="1.1" y="1.1" width="11.8" height="11.8" rx="2.2"/><rect class="cv-ground" x="3.8" y="2.4" width="6.4" height="9.2" rx="2"/>"#,
        ),
    };
    format!(
        r#"<svg class="cv-basis cv-{class}" width="14" height="14" aria-hidden="true">{shape}<text x="7" y="10.4">{}</text></svg>"#,
        mark.letter()
    )
}

/// The mark of a severity, 18 by 18.
#[must_use]
pub const fn severity(mark: Mark) -> &'static str {
    match mark {
        Mark::Halt => {
            r#"<svg class="cv-sev cv-halt" width="18" height="18" aria-hidden="true"><path d="M5.6.8h6.8l4.8 4.8v6.8l-4.8 4.8H5.6L.8 12.4V5.6z"/><rect x="4.2" y="7.5" width="9.6" height="3" rx=".6"/></svg>"#
        }
        Mark::Error => {
            r#"<svg class="cv-sev cv-error" width="18" height="18" aria-hidden="true"><path d="M9 .4 17.6 9 9 17.6.4 9z"/><path class="cv-bang" d="M9 4.8v4.8M9 12.4v.4"/></svg>"#
        }
        Mark::Warning => {
            r#"<svg class="cv-sev cv-warning" width="18" height="18" aria-hidden="true"><path d="M9 1.6 17 16H1z"/><path class="cv-bang" d="M9 6.6v4.2M9 13.2v.4"/></svg>"#
        }
        Mark::Note => {
            r#"<svg class="cv-sev cv-note-mark" width="18" height="18" aria-hidden="true"><circle cx="9" cy="9" r="7.2"/><path class="cv-bang" d="M9 8.4v4M9 5.6V5.8"/></svg>"#
        }
    }
}

/// Partition bars: 12 high.
#[must_use]
pub fn bars(bars: &Bars) -> String {
    let width = bars.heights.len() as f64 * 6.0;
    let largest = bars.heights.iter().copied().fold(0.0, f64::max);
    let mut svg = format!(r#"<svg class="cv-bars" width="{width}" height="12" aria-hidden="true">"#);
    for (at, height) in bars.heights.iter().enumerate() {
        let (x, h) = (at as f64 * 6.0, (height * 12.0).max(1.5));
        let class = if *height >= largest { r#" class="cv-largest""# } else { "" };
        _ = write!(svg, r#"<rect{class} x="{x}" y="{:.1}" width="4.6" height="{h:.1}"/>"#, 12.0 - h);
    }
    svg.push_str("</svg>");
    svg
}

/// A swallow-tail flag of this width, 23 high, the tail on the right or left.
#[must_use]
pub fn flag(width: f64, tail_right: bool) -> String {
    let (w, notch) = (width, 9.0);
    let path = if tail_right {
        format!("M0 0H{w}L{:.1} 11.5L{w} 23H0Z", w - notch)
    } else {
        format!("M0 0H{w}V23H0L{notch} 11.5Z")
    };
    format!(r#"<svg class="cv-cloth" width="{w}" height="23" aria-hidden="true"><path d="{path}"/></svg>"#)
}

/// Two squares for duplicates, a dashed square for loss; 15 by 15.
#[must_use]
pub const fn flag_glyph(kind: FlagKind) -> &'static str {
    match kind {
        FlagKind::Duplicates => {
            r#"<svg width="15" height="15" aria-hidden="true"><rect x="1" y="1" width="9" height="9" rx="1.2" fill="currentColor"/><rect class="cv-second" x="4.8" y="4.8" width="9" height="9" rx="1.2" stroke="currentColor" stroke-width="1.5"/></svg>"#
        }
        FlagKind::Loss => {
            r#"<svg width="15" height="15" aria-hidden="true"><rect x="2" y="2" width="11" height="11" rx="2" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="3.1 2.2"/></svg>"#
        }
    }
}

/// The icon of a technology or step, 14 by 14; nothing where there is none.
#[must_use]
pub fn icon(name: &str) -> String {
    let path = match name {
        "database" => {
            "M2.5 3.6C2.5 1 11.5 1 11.5 3.6v6.8c0 2.6-9 2.6-9 0zM2.5 3.6c0 2.6 9 2.6 9 0M2.5 7c0 2.6 9 2.6 9 0"
        }
        "warehouse" | "table" => "M2 2.5h10v9H2zM2 5.5h10M5.4 5.5v6",
        "batch" => "M11.6 8.6A5 5 0 0 1 5.4 2.4a5 5 0 1 0 6.2 6.2z",
        "screen" => "M1.8 2.5h10.4v7H1.8zM5 12h4M3.8 7l2-2 1.6 1.4L10 4.2",
        "connector" | "copy" => "M1 7h2.6M10.4 7H13M3.6 3.8h3.6a3.2 3.2 0 0 1 0 6.4H3.6zM9.8 5.4h.8M9.8 8.6h.8",
        "topic" | "queue" => "M1.5 4h11M1.5 7h11M1.5 10h11",
        "engine" => {
            "M7 4.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8zM7 1.2v2M7 10.8v2M1.2 7h2M10.8 7h2M2.9 2.9l1.4 1.4M9.7 9.7l1.4 1.4M2.9 11.1l1.4-1.4M9.7 4.3l1.4-1.4"
        }
        "device" => "M4 1.5h6v11H4zM6.2 10.6h1.6",
        "service" => "M2 2.2h10v4H2zM2 7.8h10v4H2zM4 4.2h.5M4 9.8h.5",
        "file" | "document" => "M3.2 1.5h5l2.6 2.6v8.4H3.2zM5.2 6.5h3.6M5.2 9h3.6",
        "call" => "M1.8 7h8.4M7 3.6 10.4 7 7 10.4M12.4 3v8",
        "search" => "M6 2.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6zM8.8 8.8 12 12",
        "person" => "M7 1.8a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8zM2.4 12.4c0-5 9.2-5 9.2 0",
        "filter" => "M1.6 2.2h10.8L8.4 7v4.6L5.6 10V7z",
        "deduplicate" => "M1.8 1.8h7v7h-7zM5.2 8.8v3.4h7v-7H8.8",
        "aggregate" => "M1.8 2v10h10.6M4.6 9.4V7M7.2 9.4V4.4M9.8 9.4V6",
        "join" => "M1.6 3h3.2l3 4h4.6M1.6 11h3.2l3-4M10.4 5l2 2-2 2",
        "map" | "custom" => "M2.4 3h4v4h-4zM7.6 7h4v4h-4zM6.4 5h3.2v2",
        "rekey" => "M4.4 5.2a2.4 2.4 0 1 0 0 3.6 2.4 2.4 0 0 0 0-3.6zM5.4 7h7M10 7v2M12.2 7v2.4",
        "assign_id" => "M4.6 2 3.4 12M10.6 2 9.4 12M2 5h10.4M1.6 9H12",
        "lookup" => "M2 2.2h6M2 5h4M2 7.8h3M9 6a2.6 2.6 0 1 0 0 5.2A2.6 2.6 0 0 0 9 6zM11 10.6l1.6 1.6",
        _ => return String::new(),
    };
    format!(r#"<svg class="cv-icon" viewBox="0 0 14 14" aria-hidden="true"><path d="{path}"/></svg>"#)
}
