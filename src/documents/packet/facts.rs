//! Facts in the packet: every one with value, basis, source and date.

use super::{member, signed, text_or_null};
use crate::{
    analysis::explain::{Derived, Unit},
    documents::{desk::Desk, say},
    model::{Basis, Design, FactRef, Field, Id, Json, Known, Section, Slot, Value, View},
};

const SECTIONS: [Section; 4] = [Section::Elements, Section::Links, Section::Events, Section::Clusters];

/// Every fact of the design, observed and proposed.
pub fn source_facts(design: &Design) -> Vec<Json> {
    let mut facts = Vec::new();
    for section in SECTIONS {
        for (id, subject) in design.section(section) {
            for (evidence, slot) in &subject.observed {
                for (field, value) in slot.iter() {
                    let basis = design.records.basis(evidence, field.row().nature, value);
                    facts.push(fact(design, id, field, value, basis, &Slot::Observed(evidence.clone())));
                }
            }
            for (field, value) in subject.proposed.iter() {
                facts.push(fact(design, id, field, value, Basis::Proposed, &Slot::Proposed));
            }
        }
    }
    facts
}

fn fact(design: &Design, id: &Id, field: Field, value: &Value, basis: Basis, slot: &Slot) -> Json {
    let source = FactRef { subject: id.clone(), field, slot: slot.clone() };
    let mut members = vec![
        member("path", format!("{id}.{}", field.name())),
        member("of", design.title(id)),
        member("value", value.written()),
    ];
    members.extend(origin(design, basis, &source));
    signed(members)
}

fn origin(design: &Design, basis: Basis, source: &FactRef) -> Vec<(String, Json)> {
    let evidence = match &source.slot {
        Slot::Observed(id) => design.records.evidence.get(id),
        Slot::Proposed => None,
    };
    let date = evidence.and_then(|evidence| evidence.at.as_ref()).map(|at| at.as_str());
    vec![
        member("basis", basis.word()),
        member("source", say::source(design, source)),
        member("date", text_or_null(date)),
    ]
}

/// A setting in the to-be view: its value with basis, or how it is not known.
pub fn setting(desk: &Desk<'_>, id: &Id, field: Field) -> Json {
    let absent = |state: &str| Json::Object(vec![member("value", Json::Null), member("state", state)]);
    if let Some(evidence) = desk.withheld(id, field) {
        return absent(&desk.withheld_words(evidence));
    }
    match desk.design.resolve(View::ToBe, id, field) {
        Known::Value(fact) => {
            let mut members = vec![member("value", fact.value.written())];
            members.extend(origin(desk.design, fact.basis, &fact.source));
            Json::Object(members)
        }
        Known::Unset(_) => absent("not set, product default in force"),
        Known::Conflict(_) => absent("in conflict"),
        Known::NotKnown(nature) => absent(nature.absent()),
    }
}

const fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Seconds | Unit::Timeout | Unit::AtLeast | Unit::AtMost => "seconds",
        Unit::Bytes => "bytes",
        Unit::Records => "records",
        Unit::RecordsPerSecond => "records per second",
        Unit::BytesPerSecond => "bytes per second",
        Unit::BytesPerDay => "bytes per day",
        Unit::Ratio => "ratio",
        Unit::Count => "count",
    }
}

/// A computed figure in seconds, bytes or counts, with its words; or what is missing for it.
pub fn figure(desk: &Desk<'_>, derived: &Derived) -> Json {
    if let Some(evidence) = desk.withheld_figure(derived) {
        return Json::Object(vec![member("value", Json::Null), member("state", desk.withheld_words(evidence))]);
    }
    match derived {
        Ok(explained) => {
            let value = if explained.unbounded() { Json::Null } else { Json::Number(explained.value) };
            Json::Object(vec![
                member("value", value),
                member("unit", unit(explained.unit)),
                member("text", explained.text()),
                member("basis", explained.basis.map_or("constant", Basis::word)),
            ])
        }
        Err(underivable) => {
            let missing = underivable
                .missing
                .iter()
                .map(|missing| Json::text(format!("{}.{}", missing.subject, missing.field.name())));
            Json::Object(vec![
                member("value", Json::Null),
                member("state", "not derivable"),
                member("missing", missing.collect::<Vec<_>>()),
            ])
        }
    }
}

/// A figure, or null where the subject has none.
pub fn figure_or_null(desk: &Desk<'_>, of: Option<&Derived>) -> Json {
    of.map_or(Json::Null, |derived| figure(desk, derived))
}
