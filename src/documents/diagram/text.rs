//! The topology as plain text that survives any viewer: each element with what it hands on.

use crate::documents::{desk::Desk, markdown::clean};
use crate::model::{ElementKind, Id, Link};

/// How the signs in brackets are read.
const LEGEND: &str =
    "\n[fewest..most copies of one event: 0 may be lost, n may be repeated, ? not known, * only under a condition]\n";

/// The topology as lines of text.
#[must_use]
pub fn text(desk: &Desk<'_>) -> String {
    let mut out = String::new();
    for id in desk.all_elements() {
        match desk.design.kind(id) {
            Some(ElementKind::Job) => {
                out.push_str(&format!("job {}{}\n", clean(&desk.design.title(id)), system(desk, id)));
                for operator in desk.operators(id) {
                    element(&mut out, desk, operator, "  ");
                }
            }
            Some(ElementKind::Operator) => {}
            _ => element(&mut out, desk, id, ""),
        }
    }
    if out.contains("..") {
        out.push_str(LEGEND);
    }
    out
}

fn element(out: &mut String, desk: &Desk<'_>, id: &Id, indent: &str) {
    let system = if indent.is_empty() { system(desk, id) } else { String::new() };
    out.push_str(&format!("{indent}{} {}{system}\n", desk.kind_words(id), clean(&desk.design.title(id))));
    for (link, ends) in desk.out_of(id) {
        out.push_str(&format!("{indent}  {} {}{}\n", arrow(ends), clean(&desk.name(&ends.to)), badge(desk, link)));
    }
    for (_, ends) in desk.reconciliations() {
        if ends.from == *id {
            out.push_str(&format!("{indent}  <-> {} (reconcile)\n", clean(&desk.name(&ends.to))));
        }
    }
}

fn arrow(link: &Link) -> String {
    link.port.map_or_else(|| "->".to_owned(), |port| format!("-{}->", port.name().replace('_', " ")))
}

fn badge(desk: &Desk<'_>, link: &Id) -> String {
    let badge = desk.to_be.links.get(link).map(|report| &report.badge);
    let badge = badge.filter(|badge| desk.withheld_badge(badge).is_none());
    badge.map(|badge| format!("  [{}]", badge.text())).unwrap_or_default()
}

fn system(desk: &Desk<'_>, id: &Id) -> String {
    desk.design.system(id).map(|system| format!(" ({})", clean(&desk.system_words(system)))).unwrap_or_default()
}
