//! Product keys that map to no field: shown as read, never analysed.

use super::super::{kit::disclosure, store::Desk};
use crate::model::{Id, RawValue, counted};
use leptos::prelude::*;

/// The list, where there is anything.
pub fn raw(desk: Desk, id: &Id) -> AnyView {
    let id = id.clone();
    view! {
        {move || {
            let rows: Vec<AnyView> = desk.meaning.with(|design| {
                let Some(subject) = design.subject(&id) else { return Vec::new() };
                let all = subject.raw.iter().flat_map(|(evidence, keys)| keys.iter().map(move |(key, value)| (evidence, key, value)));
                all.map(|(evidence, key, value)| row(&evidence.to_string(), key, value)).collect()
            });
            let count = rows.len();
            (count > 0).then(|| {
                let summary = format!("{} as read, not analysed", counted(count, "product setting")).into_any();
                let table = view! { <table class="raw"><tbody>{rows}</tbody></table> }.into_any();
                disclosure(desk, &format!("raw/{id}"), "inspector-section", summary, table)
            })
        }}
    }
    .into_any()
}

fn row(evidence: &str, key: &str, value: &RawValue) -> AnyView {
    let text = match value {
        RawValue::Text(text) => text.to_string(),
        RawValue::Number(number) => number.to_string(),
        RawValue::Bool(yes) => yes.to_string(),
    };
    view! { <tr><th scope="row" class="mono">{key.to_owned()}</th><td class="mono">{text}</td><td class="small quiet">{evidence.to_owned()}</td></tr> }.into_any()
}
