//! Mermaid text: nodes are numbered, so that no id or name can be taken for a word of the language.

use crate::documents::{desk::Desk, markdown::clean};
use crate::model::{ElementKind, Id, Port};
use crate::sorted::SortedMap;

/// The topology as a Mermaid flow chart.
#[must_use]
pub fn mermaid(desk: &Desk<'_>) -> String {
    let elements = desk.all_elements();
    let numbers: SortedMap<&Id, usize> = elements.iter().enumerate().map(|(i, id)| (*id, i + 1)).collect();
    let mut out = String::from("flowchart LR\n");
    let node = |id: &Id| node(desk, id, numbers.get(id).copied().unwrap_or_default());
    for id in elements {
        match desk.design.kind(id) {
            Some(ElementKind::Job) => {
                let number = numbers.get(id).copied().unwrap_or_default();
                out.push_str(&format!("  subgraph n{number}[\"{}\"]\n", label(&desk.name(id))));
                for operator in desk.operators(id) {
                    out.push_str(&format!("    {}\n", node(operator)));
                }
                out.push_str("  end\n");
            }
            Some(ElementKind::Operator) if desk.design.job_of(id).is_some_and(|job| numbers.contains_key(job)) => {}
            _ => out.push_str(&format!("  {}\n", node(id))),
        }
    }
    for (_, link) in desk.links() {
        let arrow =
            link.port.map_or_else(|| "-->".to_owned(), |port| format!("-. {} .->", port.name().replace('_', " ")));
        edge(&mut out, &numbers, (&link.from, &link.to), &arrow);
    }
    for (_, link) in desk.reconciliations() {
        edge(&mut out, &numbers, (&link.from, &link.to), &format!("<-. {} .->", Port::Reconcile.name()));
    }
    out
}

fn edge(out: &mut String, numbers: &SortedMap<&Id, usize>, ends: (&Id, &Id), arrow: &str) {
    if let (Some(from), Some(to)) = (numbers.get(ends.0), numbers.get(ends.1)) {
        out.push_str(&format!("  n{from} {arrow} n{to}\n"));
    }
}

fn node(desk: &Desk<'_>, id: &Id, number: usize) -> String {
    let label = label(&desk.name(id));
    match desk.design.kind(id) {
        Some(ElementKind::Source) => format!("n{number}([\"{label}\"])"),
        Some(ElementKind::Channel) => format!("n{number}[[\"{label}\"]]"),
        Some(ElementKind::Sink) => format!("n{number}[(\"{label}\")]"),
        Some(ElementKind::Consumer) => format!("n{number}>\"{label}\"]"),
        Some(ElementKind::Batch) => format!("n{number}{{{{\"{label}\"}}}}"),
        _ => format!("n{number}[\"{label}\"]"),
    }
}

/// A quoted label: everything that is not a letter, digit or plain mark is written as its code point.
fn label(name: &str) -> String {
    let mut out = String::new();
    for c in clean(name).chars() {
        if c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | ',' | '(' | ')' | '/' | ':' | '→') {
            out.push(c);
        } else {
            out.push_str(&format!("#{};", u32::from(c)));
        }
    }
    if out.trim().is_empty() { "#32;".to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cannot_leave_their_quotes() {
        assert_eq!(label("a\"] --> b<script>"), "a#34;#93; --#62; b#60;script#62;");
        assert_eq!(label("\n"), "#32;");
    }
}
