//! The technology line of an element: a few words on what it is made of.

use super::card::Surroundings;
use crate::{
    catalog::{Entry, entry},
    model::{
        Design, Element, ElementKind, Id, Known, Shape, Step, View, key,
        units::{Limit, human},
        words::{CleanupPolicy, WindowKind},
    },
};

/// `50GiB` as `50 GiB`.
pub(super) fn spaced(text: &str) -> String {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    if number.is_empty() || unit.is_empty() { text.to_owned() } else { format!("{number} {unit}") }
}

/// The catalogue entry of an element.
pub(super) fn of(design: &Design, id: &Id) -> Option<&'static Entry> {
    entry(design.system(id)?)
}

fn system_word(design: &Design, id: &Id) -> Option<String> {
    let system = design.system(id)?;
    Some(
        entry(system).map(|e| e.technology).filter(|t| !t.is_empty()).map_or_else(|| system.to_string(), str::to_owned),
    )
}

/// The technology line. Empty where there is nothing to say.
pub(super) fn line(design: &Design, view: View, facts: &Surroundings<'_>, id: &Id) -> String {
    let Some(subject) = design.elements.get(id) else { return String::new() };
    let Shape::Element(element) = &subject.shape else { return String::new() };
    let system = || system_word(design, id);
    match element {
        Element::Channel { .. } => channel(design, view, id, &system().unwrap_or_else(|| "channel".to_owned())),
        Element::Operator { step, .. } => operator(design, view, facts, id, *step),
        Element::Consumer { .. } => {
            subject.owner.as_ref().map_or_else(|| "owner not stated".to_owned(), ToString::to_string)
        }
        Element::Batch => {
            let schedule = design.get(view, id, key::batch::SCHEDULE).value();
            join(&[
                system().unwrap_or_else(|| "batch".to_owned()),
                schedule.map_or_else(String::new, |s| s.to_string()),
            ])
        }
        Element::Source { .. } | Element::Sink => system().unwrap_or_else(|| "system not stated".to_owned()),
        Element::Job => {
            let every = design.get(view, id, key::job::CHECKPOINT_INTERVAL).value();
            let every = every.map_or_else(String::new, |d| format!("checkpoint {}", human::seconds(d.secs())));
            join(&[system().unwrap_or_else(|| "engine not stated".to_owned()), every])
        }
    }
}

fn join(parts: &[String]) -> String {
    parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(", ")
}

fn channel(design: &Design, view: View, id: &Id, word: &str) -> String {
    let time = match design.get(view, id, key::channel::RETENTION_TIME) {
        Known::Value(fact) => match fact.value {
            Limit::Of(time) => human::seconds(time.secs()),
            Limit::Unlimited => "kept by time without end".to_owned(),
            Limit::None => "nothing kept".to_owned(),
        },
        _ => String::new(),
    };
    let size = match design.get(view, id, key::channel::RETENTION_SIZE).value() {
        Some(Limit::Of(size)) => spaced(&size.to_string()),
        _ => String::new(),
    };
    let kept = match (time.is_empty(), size.is_empty()) {
        (false, false) => format!("{time} or {size}"),
        _ => format!("{time}{size}"),
    };
    // Without `delete` neither time nor size takes a record away: the newest of each key stays.
    let policy = design.get(view, id, key::channel::CLEANUP_POLICY).value();
    let compacted = matches!(policy, Some(CleanupPolicy::Compact | CleanupPolicy::CompactDelete));
    let kept = if policy == Some(CleanupPolicy::Compact) { String::new() } else { kept };
    join(&[word.to_owned(), if compacted { "compacted".to_owned() } else { String::new() }, kept])
}

fn operator(design: &Design, view: View, facts: &Surroundings<'_>, id: &Id, step: Step) -> String {
    let span = |key| design.get(view, id, key).value().map(|d: crate::model::units::Duration| human::seconds(d.secs()));
    let what = match step {
        Step::Map => "map",
        Step::Filter => "filter",
        Step::Copy => return copy(design, facts, id),
        Step::Rekey => "re-key",
        Step::AssignId => "assign id",
        Step::Deduplicate => {
            let ttl = design.get(view, id, key::operator::STATE_TTL).value();
            let within = match ttl {
                Some(Limit::Of(ttl)) => human::seconds(ttl.secs()),
                _ => String::new(),
            };
            return join(&["dedup".to_owned(), within]);
        }
        Step::Aggregate => {
            let window = design.get(view, id, key::operator::WINDOW).value();
            let (word, size) = match window {
                Some(WindowKind::Session) => ("session", span(key::operator::WINDOW_GAP)),
                Some(WindowKind::Nothing) | None => ("aggregate", None),
                Some(kind) => (kind.as_str(), span(key::operator::WINDOW_SIZE)),
            };
            return join(&[word.to_owned(), size.unwrap_or_default()]);
        }
        Step::Join => "join",
        Step::Lookup => "look-up",
        Step::Call => "call",
        Step::Custom => "custom",
    };
    what.to_owned()
}

/// A copy is named by what it takes from or writes to.
fn copy(design: &Design, facts: &Surroundings<'_>, id: &Id) -> String {
    let (into, out) =
        (facts.entering(id).iter().map(|(_, link)| &link.from), facts.leaving(id).iter().map(|link| &link.to));
    let store = into.chain(out).find(|end| matches!(design.kind(end), Some(ElementKind::Source | ElementKind::Sink)));
    match store.and_then(|end| Some((design.kind(end)?, system_word(design, end)?))) {
        Some((ElementKind::Source, system)) => format!("from {system}"),
        Some((_, system)) => format!("to {system}"),
        None => "copy".to_owned(),
    }
}
