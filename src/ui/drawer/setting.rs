//! The explanation of a setting: what is known, on which basis, from where, and what else was read.

use super::{
    super::{
        kit::reveal,
        marks::{self, basis},
        store::Desk,
    },
    explain::{need, source_line},
};
use crate::{
    action::entry::shown,
    analysis::explain::{Missing, MissingWhy},
    model::{Design, FactRef, Field, FieldType, Id, Known, View, capital},
};
use leptos::prelude::*;

/// Is a value of this field a number, which explains itself?
pub fn is_number(field: Field) -> bool {
    match field.row().ty {
        FieldType::Duration
        | FieldType::Size
        | FieldType::Rate
        | FieldType::ByteRate
        | FieldType::Limit
        | FieldType::SizeLimit
        | FieldType::Count
        | FieldType::Number
        | FieldType::Ratio
        | FieldType::Measured(_) => true,
        FieldType::Bool
        | FieldType::Text
        | FieldType::Date
        | FieldType::Columns
        | FieldType::Keys
        | FieldType::List
        | FieldType::Schema
        | FieldType::Shares
        | FieldType::Words(_) => false,
    }
}

/// What an explanation of a setting says; `number_id` is the id of its number on the page.
pub fn content(desk: Desk, id: &Id, field: Field, number_id: String) -> AnyView {
    let view = desk.view();
    desk.meaning.with(|design| {
        let known = design.resolve(view, id, field);
        let (title, target) = (design.title(id), id.clone());
        let rest = match &known {
            Known::Value(fact) => sources(design, id, &[&fact.source]),
            Known::Unset(source) => sources(design, id, &[source]),
            Known::Conflict(all) => sources(design, id, &all.iter().collect::<Vec<_>>()),
            Known::NotKnown(_) => {
                let missing = Missing { subject: id.clone(), field, why: MissingWhy::NotKnown };
                view! { <ul class="needs">{need(desk, &missing)}</ul> }.into_any()
            }
        };
        let other = |view| words(&design.resolve(view, id, field));
        let (as_is, to_be) = (other(View::AsIs), other(View::ToBe));
        let mark = match &known {
            Known::Value(fact) => view! { {basis(fact.basis, "")} <span class="small quiet">" " {fact.basis.word()}</span> }.into_any(),
            other => marks::known_mark(other, field.row().nature, ""),
        };
        view! {
            <div class="explanation">
                <div class="explanation-main">
                    <p class="second">{capital(&field.label())} " of " <button type="button" class="plain-name" on:click=move |_| reveal(desk, &target)>{title}</button></p>
                    <p class="explained-number" id=number_id data-figure=field.name()><span class="figure-text">{words(&known)}</span> {mark}</p>
                    <p class="explained-sentence">{field.row().meaning}</p>
                    {rest}
                </div>
                <aside class="explanation-side" aria-label="Other readings">
                    <h3 class="label">"Same setting, other readings"</h3>
                    <dl class="facts">
                        <div class="fact"><dt>"as-is"</dt><dd class="value">{as_is}</dd></div>
                        <div class="fact"><dt>"to-be"</dt><dd class="value">{to_be}</dd></div>
                    </dl>
                </aside>
            </div>
        }
        .into_any()
    })
}

/// What is known of a setting, in words.
pub fn words(known: &Known<crate::model::Value>) -> String {
    match known {
        Known::Value(fact) => shown(&fact.value),
        Known::Unset(_) => "not set".to_owned(),
        Known::Conflict(_) => "in conflict".to_owned(),
        Known::NotKnown(nature) => nature.absent().to_owned(),
    }
}

/// Where it was read; a value that a cluster gives says so.
fn sources(design: &Design, id: &Id, all: &[&FactRef]) -> AnyView {
    let line = |fact: &&FactRef| {
        let value =
            design.subject(&fact.subject).and_then(|s| Design::facts(s, &fact.slot)?.get(fact.field).map(shown));
        let value = value.filter(|_| all.len() > 1).map(|value| format!("{value}: ")).unwrap_or_default();
        let from = if fact.subject == *id { String::new() } else { format!("from {}; ", design.title(&fact.subject)) };
        let text = format!("{value}{from}{}", source_line(design, fact));
        view! { <li><p class="mono quiet source">{text}</p></li> }.into_any()
    };
    view! { <ul class="needs">{all.iter().map(line).collect::<Vec<_>>()}</ul> }.into_any()
}
