//! The documents window: list, one document as rendered or as Markdown, its gaps and assumptions, the bundle.

mod blocks;
mod changes;
mod list;
mod side;

pub use blocks::blocks;

use super::{
    kit::{self, segmented},
    marks::{Icon, icon},
    session,
    store::{Desk, Kind},
};
use crate::documents::{self, Document};
use leptos::prelude::*;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Read,
    Markdown,
    Changes,
}

const FORMS: &[(Form, &str)] = &[(Form::Read, "Read"), (Form::Markdown, "Markdown"), (Form::Changes, "Changes")];

/// The window.
pub fn documents(desk: Desk) -> AnyView {
    let all: Memo<Arc<Vec<Document>>> = Memo::new(move |_| {
        let (as_is, to_be) = (desk.as_is.get(), desk.to_be.get());
        Arc::new(desk.design.with(|design| documents::document_set(design, &as_is, &to_be)))
    });
    // Compared is with what stood here the last time, so that is looked up once and kept until these are closed.
    let before = Memo::new(move |_| changes::of(&desk.seen.get_untracked()));
    on_cleanup(move || session::documents_seen(desk));
    let chosen = RwSignal::new(0_usize);
    let form = RwSignal::new(Form::Read);
    let current = Memo::new(move |_| all.with(|all| all.get(chosen.get()).or_else(|| all.first()).cloned()));
    view! {
        <div class="reports cover" data-pane="canvas" tabindex="-1">
            <aside class="reports-list" aria-label="Documents">{list::list(desk, all, chosen)}</aside>
            <main class="reports-main">
                <header class="row wrap reports-bar">
                    <span class="mono grow strong">{move || current.get().map(|d| d.file_name)}</span>
                    {segmented("Form", FORMS, move || form.get(), move |chosen| form.set(chosen))}
                    <button type="button" class="button ghost" on:click=move |_| copy(desk, current.get_untracked())>{icon(Icon::Copy)} "Copy"</button>
                    <button type="button" class="button ghost" on:click=move |_| crate::platform::device::print()>{icon(Icon::Print)} "Print"</button>
                    <button type="button" class="button ghost" on:click=move |_| save(desk, current.get_untracked())>{icon(Icon::Download)} "Save"</button>
                    <button type="button" class="button" on:click=move |_| desk.panes.documents.set(false)>"Back to the canvas"</button>
                </header>
                <div class="reports-scroll" tabindex="0" role="region" aria-label="Document">
                    {move || current.get().map(|document| match form.get() {
                        Form::Changes => changes::page(&document, before.get().as_deref()),
                        form => page(desk, &document, form == Form::Markdown),
                    })}
                </div>
            </main>
            <aside class="reports-side" aria-label="Gaps">
                {move || current.get().map(|document| side::side(desk, &document))}
            </aside>
        </div>
    }
    .into_any()
}

fn page(desk: Desk, document: &Document, markdown: bool) -> AnyView {
    match markdown {
        false => {
            view! { <article class="page" data-document=document.file_name.clone()>{blocks(desk, &document.blocks)}</article> }
                .into_any()
        }
        true => view! { <pre class="page markdown">{document.markdown()}</pre> }.into_any(),
    }
}

fn copy(desk: Desk, document: Option<Document>) {
    if let Some(document) = document {
        kit::copy(desk, document.markdown(), "Copied".to_owned());
    }
}

fn save(desk: Desk, document: Option<Document>) {
    if let Some(document) = document {
        session::download(desk, &document.file_name, document.markdown().as_bytes(), "text/markdown");
    }
}

/// Downloads the bundle of the design as one ZIP.
pub fn download_bundle(desk: Desk) {
    if let Some(file) = desk.newer.get_untracked() {
        // Documents would claim things without settings that may matter, and `design.json` would lack them.
        let text =
            format!("{} unknown here would be missing in it. Save the original file instead.", file.unknown_words());
        desk.messages.say(Kind::Warning, "No bundle of a newer design", &text);
        return;
    }
    let (as_is, to_be) = (desk.as_is.get_untracked(), desk.to_be.get_untracked());
    let entries = desk.design.with_untracked(|design| documents::bundle::write(design, &as_is, &to_be, None));
    match entries {
        Ok(entries) => {
            let bytes = documents::zip::write(&entries);
            session::download(desk, &format!("{}.zip", session::file_stem(desk)), &bytes, "application/zip");
            desk.messages.announce(&format!("Bundle of {} files downloaded", entries.len()));
        }
        Err(error) => desk.messages.say(Kind::Error, "No bundle was made", &format!("{error}.")),
    }
}
