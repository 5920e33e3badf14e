//! The reference: every system of the catalogue and every rule, found by a few letters, each with its page.
//!
//! Not here: what a page says (`documents::reference`).

use super::{
    super::{
        kit::segmented,
        marks::{Icon, icon},
        reports,
        store::{Desk, Dialog},
    },
    dialog_head,
};
use crate::documents::reference::{Group, Part, list, page};
use leptos::prelude::*;

const PARTS: &[(Part, &str)] = &[(Part::Systems, "Systems"), (Part::Rules, "Rules")];

/// Opens the reference at a page; at the list where no page is named.
pub fn open(desk: Desk, part: Part, id: &str) {
    desk.panes.reference.set((part, id.to_owned()));
    desk.panes.ask(Dialog::Reference);
}

/// A button that opens the manual page of a rule.
pub fn rule(desk: Desk, rule: &'static str) -> AnyView {
    view! {
        <button
            type="button"
            class="button link mono rule-id"
            aria-haspopup="dialog"
            title="Opens the manual page of this rule"
            data-rule-page=rule
            on:click=move |_| open(desk, Part::Rules, rule)
        >
            {rule}
        </button>
    }
    .into_any()
}

/// The dialog.
pub fn reference(desk: Desk) -> AnyView {
    let at = desk.panes.reference;
    let query = RwSignal::new(String::new());
    let part = Memo::new(move |_| at.with(|at| at.0));
    let found = Memo::new(move |_| query.with(|query| list(part.get(), query)));
    let count = move || found.with(|groups| groups.iter().map(|group| group.pages.len()).sum::<usize>());
    // It opens with the first page of the list.
    let now = Memo::new(move |_| at.with(|(part, id)| (*part, if id.is_empty() { first(*part) } else { id.clone() })));
    let under = "What each system can lose, repeat and keep, and what each rule looks for, with the public source.";
    view! {
        {dialog_head(desk, "Reference".into_any(), under.into_any())}
        <div class="reference">
            <div class="reference-list">
                <div class="reference-find">
                    {segmented("Part", PARTS, move || part.get(), move |part| at.set((part, String::new())))}
                    <label class="row reference-query">
                        {icon(Icon::Search)}
                        <input
                            class="input"
                            type="search"
                            aria-label="Find a system or a rule"
                            placeholder="name, role or key"
                            autocomplete="off"
                            spellcheck="false"
                            autofocus=true
                            on:input=move |event| query.set(event_target_value(&event))
                            on:keydown=move |event| if event.key() == "ArrowDown" {
                                event.prevent_default();
                                crate::platform::device::focus(".reference-pages button");
                            }
                        />
                    </label>
                    <p class="small quiet" role="status">{move || crate::model::counted(count(), "page")}</p>
                </div>
                <nav class="reference-pages" aria-label="Pages" on:keydown=step>
                    {move || found.with(|groups| groups.iter().map(|one| group(desk, part.get_untracked(), now, one)).collect::<Vec<_>>())}
                </nav>
            </div>
            <div class="reference-page" tabindex="0" role="region" aria-label="Page">
                {move || now.with(|(part, id)| shown(desk, *part, id))}
            </div>
        </div>
    }
    .into_any()
}

/// The first page of a part.
fn first(part: Part) -> String {
    let all = list(part, "");
    all.iter().find_map(|group| group.pages.first()).map_or_else(String::new, |page| page.id.to_owned())
}

fn group(desk: Desk, part: Part, now: Memo<(Part, String)>, group: &Group) -> AnyView {
    let at = desk.panes.reference;
    let pages: Vec<AnyView> = group
        .pages
        .iter()
        .map(|one| {
            let id = one.id;
            let mono = (part == Part::Rules).then(|| view! { <span class="mono quiet">{id} " "</span> });
            view! {
                <li>
                    <button
                        type="button"
                        class="report-name"
                        data-page=id
                        aria-current=move || now.with(|(_, now)| now == id).to_string()
                        on:click=move |_| at.set((part, id.to_owned()))
                    >
                        <span>{mono} {one.title}</span>
                    </button>
                </li>
            }
            .into_any()
        })
        .collect();
    view! { <section><h3 class="label">{group.title}</h3> <ul>{pages}</ul></section> }.into_any()
}

/// The arrow keys go from page to page of the list.
fn step(event: leptos::ev::KeyboardEvent) {
    use wasm_bindgen::JsCast;
    let by: isize = match event.key().as_str() {
        "ArrowDown" => 1,
        "ArrowUp" => -1,
        _ => return,
    };
    let Some(list) = event.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) else { return };
    let Ok(all) = list.query_selector_all("button") else { return };
    let now = crate::platform::device::focused();
    let at = |i: u32| all.get(i)?.dyn_into::<web_sys::HtmlElement>().ok();
    let held = (0..all.length()).find(|i| at(*i).as_deref().is_some_and(|one| now.as_deref() == Some(one)));
    let next = held.and_then(|held| held.checked_add_signed(i32::try_from(by).ok()?)).and_then(at);
    if let Some(next) = next {
        event.prevent_default();
        let _ = next.focus();
    }
}

fn shown(desk: Desk, part: Part, id: &str) -> AnyView {
    match page(part, id) {
        Some(blocks) => {
            view! { <article class="page" data-reference=id.to_owned()>{reports::blocks(desk, &blocks)}</article> }
                .into_any()
        }
        None => ().into_any(),
    }
}
