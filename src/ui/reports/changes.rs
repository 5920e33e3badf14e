//! What differs in a document since the documents were last looked at.

use crate::{
    codec,
    documents::{self, Document},
    model::{View, counted_as},
    rules::review,
};
use leptos::prelude::*;
use std::sync::Arc;

/// The documents of a design as it was, from its text; none where there is no such text.
pub fn of(text: &str) -> Option<Arc<Vec<Document>>> {
    let design = codec::decode(text).ok()?;
    let (as_is, to_be) = (review(&design, View::AsIs), review(&design, View::ToBe));
    Some(Arc::new(documents::document_set(&design, &as_is, &to_be)))
}

/// The changes of one document, each said to be gone or new, under the heading that it stands below.
pub fn page(document: &Document, before: Option<&Vec<Document>>) -> AnyView {
    let Some(before) = before else {
        return view! {
            <article class="page" data-changes="">
                <h1>"Changes"</h1>
                <p class="second">"The documents of this design were not open here before, so there is nothing to compare with."</p>
            </article>
        }
        .into_any();
    };
    let old = before.iter().find(|old| old.file_name == document.file_name).map(Document::markdown).unwrap_or_default();
    let all = documents::changes(&old, &document.markdown());
    let count = match all.len() {
        0 => "Nothing has changed".to_owned(),
        n => counted_as(n, "line has changed", "lines have changed"),
    };
    let mut under = String::new();
    let rows: Vec<AnyView> = all
        .into_iter()
        .map(|change| {
            let heading = (change.under != under).then(|| view! { <h2>{change.under.clone()}</h2> });
            under.clone_from(&change.under);
            let line = if change.added {
                view! { <ins class="change"><span class="change-sign">"new"</span> " " {change.line}</ins> }.into_any()
            } else {
                view! { <del class="change"><span class="change-sign">"gone"</span> " " {change.line}</del> }.into_any()
            };
            view! { {heading} <p>{line}</p> }.into_any()
        })
        .collect();
    view! {
        <article class="page" data-changes="">
            <h1>"Changes"</h1>
            <p class="second">{count} " since the documents were last open here."</p>
            {rows}
        </article>
    }
    .into_any()
}
