//! The list of documents with their status, and what else is in the bundle.

use super::{
    super::{
        marks::{Icon, Level, icon, severity},
        store::Desk,
    },
    download_bundle,
};
use crate::documents::{self, Document, Status};
use leptos::prelude::*;
use std::sync::Arc;

/// The list.
pub fn list(desk: Desk, all: Memo<Arc<Vec<Document>>>, chosen: RwSignal<usize>) -> AnyView {
    let names =
        Memo::new(move |_| all.with(|all| all.iter().map(|d| (d.file_name.clone(), d.status)).collect::<Vec<_>>()));
    let bundle = Memo::new(move |_| {
        let (as_is, to_be) = (desk.as_is.get(), desk.to_be.get());
        let entries = desk.design.with(|design| documents::bundle::write(design, &as_is, &to_be, None));
        entries.map(|all| all.into_iter().map(|entry| entry.name).collect::<Vec<String>>()).unwrap_or_default()
    });
    view! {
        <header class="row reports-head">
            <h2 class="panel-title grow">"Documents"</h2>
            <span class="small quiet">"follow every edit"</span>
        </header>
        <nav class="reports-names" aria-label="Documents">
            {move || names.get().into_iter().enumerate().map(|(i, (name, status))| entry(i, name, status, chosen)).collect::<Vec<_>>()}
        </nav>
        <section class="reports-also">
            <h3 class="label">"Also in the bundle"</h3>
            <ul>
                {move || bundle.get().into_iter().filter(|name| !name.ends_with(".md")).map(|name| view! { <li class="mono">{name}</li> }).collect::<Vec<_>>()}
            </ul>
        </section>
        <footer class="reports-foot">
            <button type="button" class="button primary" data-bundle="" on:click=move |_| download_bundle(desk)>
                {icon(Icon::Download)} {move || format!("Download bundle, {} files", bundle.with(Vec::len))}
            </button>
            <p class="small quiet">"same design, same bytes"</p>
        </footer>
    }
    .into_any()
}

fn entry(i: usize, name: String, status: Status, chosen: RwSignal<usize>) -> AnyView {
    let mark = match status {
        Status::Complete => severity(Level::Settled),
        Status::Halted(_) => severity(Level::Halt),
        Status::Unfinished { .. } => icon(Icon::Half),
    };
    let report = name.clone();
    view! {
        <button
            type="button"
            class="report-name"
            aria-current=move || (chosen.get() == i).to_string()
            data-report=report
            data-status=status.word()
            on:click=move |_| chosen.set(i)
        >
            {mark}
            <span><span class="block">{name}</span><span class="block small quiet">{status.text()}</span></span>
        </button>
    }
    .into_any()
}
