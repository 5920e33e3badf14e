//! The approvals that stand: who consented to what, when, and for whom. Giving one is part of the halt it lifts.

use super::super::store::Desk;
use crate::{
    edit::{Edit, Record},
    model::{Approval, Design, Field, Id, Json},
};
use leptos::prelude::*;

/// The list, where there is any.
pub fn approvals(desk: Desk) -> AnyView {
    view! {
        {move || {
            let rows: Vec<AnyView> = desk.design.with(|d| d.records.approvals.iter().map(|(id, a)| row(desk, d, id, a)).collect());
            (!rows.is_empty()).then(|| view! {
                <section class="inspector-section" data-approvals="">
                    <h3 class="label">"Approvals"</h3>
                    <ul class="evidence-list">{rows}</ul>
                </section>
            })
        }}
    }
    .into_any()
}

fn row(desk: Desk, design: &Design, id: &Id, approval: &Approval) -> AnyView {
    let who = match &approval.of {
        Some(of) => format!("{} · {} · for {}", approval.by, approval.at.as_str(), design.title(of)),
        None => format!("{} · {}", approval.by, approval.at.as_str()),
    };
    let id = id.clone();
    let remove = move |_| {
        desk.edit(Edit::Record(Record::Approval(id.clone(), None)), "Remove an approval", None);
    };
    view! {
        <li class="row">
            <div class="grow">
                <p>{words(design, approval)}</p>
                <p class="small quiet">{who}</p>
            </div>
            <button type="button" class="button link" aria-disabled=move || desk.reading.get().to_string() on:click=remove>"Remove"</button>
        </li>
    }
    .into_any()
}

/// `sum: allowed lateness 10 min`, or the action.
fn words(design: &Design, approval: &Approval) -> String {
    let path = approval.for_.split_once('.');
    let Some((subject, name)) = path.and_then(|(id, name)| Some((Id::new(id).ok()?, name))) else {
        let action = Id::new(&approval.for_).ok().and_then(|id| design.records.actions.get(&id));
        let Some(action) = action else { return approval.for_.to_string() };
        let about: Vec<String> = action.about.iter().map(|id| design.title(id)).collect();
        return format!("{} of {}", action.kind.name().replace('_', " "), about.join(", "));
    };
    let field =
        design.subject(&subject).and_then(|found| design.groups(found).into_iter().find_map(|group| group.field(name)));
    let value = approval.value.as_ref().map(|approved| spoken(field, &Json::from_serde(&approved.0)));
    let label = field.map_or_else(|| name.to_owned(), Field::label);
    format!("{}: {label} {}", design.title(&subject), value.unwrap_or_default())
}

fn spoken(field: Option<Field>, approved: &Json) -> String {
    let read = field.and_then(|field| field.read(approved).ok());
    read.map_or_else(|| approved.as_text().map_or_else(|| approved.to_string(), str::to_owned), |value| value.spoken())
}
