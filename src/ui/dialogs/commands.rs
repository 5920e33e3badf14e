//! The command palette: go to, for the selection, everywhere; every command with its key, found by a few letters.

use super::{
    super::{
        kit::reveal,
        run::run,
        store::{Desk, Tab},
    },
    reference,
};
use crate::{
    action::{Command, Figure, Scope, grouped, spoken},
    documents::reference::{Part, list as pages},
    edit::Edit,
    model::Id,
};
use leptos::prelude::*;

#[derive(Clone)]
enum Does {
    Run(Command),
    Go(Id),
    Fix(Edit, String),
    About(Part, &'static str),
    Explain(Figure),
}

#[derive(Clone)]
struct Entry {
    section: String,
    title: String,
    detail: String,
    key: String,
    at: Vec<usize>,
    /// Can it be done now? `detail` says why not.
    enabled: bool,
    does: Does,
}

/// Most elements that are listed for a query; every command is.
const LISTED: usize = 60;
/// So many without one, so that the elements of a large design do not push the commands out of sight.
const LISTED_AT_FIRST: usize = 5;

/// The palette, or only the elements.
pub fn palette(desk: Desk, only_elements: bool) -> AnyView {
    let query = RwSignal::new(String::new());
    let found = Memo::new_with_compare(move |_| found(desk, &query.get(), only_elements), |_, _| true);
    // Enter does what can be done first.
    let first = move || found.with_untracked(|all| all.iter().position(|entry| entry.enabled).unwrap_or(0));
    let at = RwSignal::new(first());
    // What cannot be done now says why where it stands, and the palette stays.
    let choose = move |index: usize| {
        if let Some(entry) = found.with_untracked(|all| all.get(index).filter(|entry| entry.enabled).cloned()) {
            desk.panes.dialog.set(None);
            perform(desk, entry.does);
        }
    };
    let keys = move |event: leptos::ev::KeyboardEvent| {
        let count = found.with_untracked(Vec::len).max(1);
        match event.key().as_str() {
            "ArrowDown" => at.update(|at| *at = (*at + 1) % count),
            "ArrowUp" => at.update(|at| *at = (*at + count - 1) % count),
            "Enter" => choose(at.get_untracked()),
            _ => return,
        }
        event.prevent_default();
        // The mark has moved once the page follows.
        crate::platform::device::reveal_soon(".palette-entry[aria-selected=true]");
    };
    view! {
        <div class="row palette-search">
            {super::super::marks::icon(super::super::marks::Icon::Search)}
            <input
                class="palette-input"
                role="combobox"
                aria-expanded="true"
                aria-controls="palette-list"
                aria-activedescendant=move || format!("palette-{}", at.get())
                aria-label=if only_elements { "Find an element" } else { "Find a command or an element" }
                placeholder=if only_elements { "name of an element" } else { "what to do, or where to go" }
                autofocus=true
                autocomplete="off"
                spellcheck="false"
                on:input=move |event| {
                    query.set(event_target_value(&event));
                    at.set(first());
                }
                on:keydown=keys
            />
            <kbd>"Esc"</kbd>
        </div>
        <div class="palette-list" id="palette-list" role="listbox" aria-label="Commands">
            {move || list(&found.get(), at, choose)}
        </div>
        <footer class="row small quiet palette-foot">
            <span class="grow">"every command, with its key"</span>
            <span>"↑ ↓ choose"</span> <span>"⏎ run"</span>
        </footer>
    }
    .into_any()
}

fn list(found: &[Entry], at: RwSignal<usize>, choose: impl Fn(usize) + Copy + 'static) -> AnyView {
    if found.is_empty() {
        return view! { <p class="second palette-none">"Nothing matches."</p> }.into_any();
    }
    let mut rows: Vec<AnyView> = Vec::new();
    let mut section = "";
    for (i, entry) in found.iter().enumerate() {
        if entry.section != section {
            section = &entry.section;
            rows.push(
                view! { <p class="label palette-section" role="presentation">{entry.section.clone()}</p> }.into_any(),
            );
        }
        rows.push(
            view! {
                <div
                    role="option"
                    class="palette-entry row"
                    id=format!("palette-{i}")
                    aria-selected=move || (at.get() == i).to_string()
                    aria-disabled=(!entry.enabled).then_some("true")
                    // The keyboard stays in the field.
                    on:mousedown=|event| event.prevent_default()
                    on:click=move |_| choose(i)
                    on:pointermove=move |_| if at.get_untracked() != i { at.set(i) }
                >
                    <span class="grow cut">{marked(&entry.title, &entry.at)} <span class="quiet">" " {entry.detail.clone()}</span></span>
                    {(!entry.key.is_empty()).then(|| view! { <kbd>{entry.key.clone()}</kbd> })}
                </div>
            }
            .into_any(),
        );
    }
    rows.into_any()
}

/// The title with the matching letters underlined.
fn marked(title: &str, at: &[usize]) -> AnyView {
    title
        .chars()
        .enumerate()
        .map(|(i, c)| {
            if at.contains(&i) { view! { <u><b>{c.to_string()}</b></u> }.into_any() } else { c.to_string().into_any() }
        })
        .collect::<Vec<_>>()
        .into_any()
}

fn perform(desk: Desk, does: Does) {
    match does {
        Does::Run(command) => run(desk, command),
        Does::Go(id) => {
            desk.starting.set(false);
            reveal(desk, &id);
        }
        Does::About(part, id) => reference::open(desk, part, id),
        Does::Explain(figure) => {
            desk.starting.set(false);
            desk.explained.set(Some(figure));
            desk.panes.go(Tab::Explain);
        }
        Does::Fix(edit, label) => {
            desk.edit(edit, &label, None);
        }
    }
}

fn found(desk: Desk, query: &str, only_elements: bool) -> Vec<Entry> {
    let mut all = elements(desk);
    if !only_elements {
        all.extend(for_selection(desk));
        all.extend(commands(desk));
        if !query.trim().is_empty() {
            all.extend(figures(desk));
            all.extend(reference_pages());
        }
    }
    let hits = grouped(query, all, |entry| entry.title.clone(), |entry| &entry.section, |entry| entry.enabled);
    let mut listed: Vec<Entry> = hits.into_iter().map(|(entry, hit)| Entry { at: hit.at, ..entry }).collect();
    let most = if query.is_empty() && !only_elements { LISTED_AT_FIRST } else { LISTED };
    let mut shown = 0;
    listed.retain(|entry| {
        let element = matches!(entry.does, Does::Go(_));
        shown += usize::from(element);
        !element || shown <= most
    });
    listed
}

fn elements(desk: Desk) -> Vec<Entry> {
    desk.design.with_untracked(|design| {
        let go = |(id, subject): (&Id, &crate::model::Subject)| Entry {
            section: "Go to".to_owned(),
            title: design.title(id),
            detail: subject.kind().map_or("", crate::model::ElementKind::name).to_owned(),
            key: String::new(),
            at: Vec::new(),
            enabled: true,
            does: Does::Go(id.clone()),
        };
        design.elements.iter().map(go).collect()
    })
}

fn commands(desk: Desk) -> Vec<Entry> {
    let context = desk.context.get_untracked();
    let selected = untrack(|| desk.selected()).map(|id| desk.design.with_untracked(|d| d.title(&id)));
    let entry = |command: Command| {
        let row = command.row();
        let why = command.enabled(&context).err();
        Entry {
            section: match row.scope {
                Scope::GoTo => "Go to".to_owned(),
                Scope::Selection => {
                    selected.as_ref().map_or_else(|| "For the selection".to_owned(), |s| format!("For {s}"))
                }
                Scope::Everywhere => "Everywhere".to_owned(),
            },
            title: command.full_title(),
            detail: why.unwrap_or_default().to_owned(),
            key: row.keys.first().map(|key| spoken(key)).unwrap_or_default(),
            at: Vec::new(),
            enabled: why.is_none(),
            does: Does::Run(command),
        }
    };
    let of = |scope: Scope| Command::all().filter(move |command| command.row().scope == scope);
    let listed = of(Scope::GoTo).chain(of(Scope::Selection)).chain(of(Scope::Everywhere));
    listed.map(entry).collect()
}

/// The pages of the reference.
fn reference_pages() -> Vec<Entry> {
    let of = |part: Part| pages(part, "").into_iter().flat_map(|group| group.pages).map(move |page| (part, page));
    let entry = |(part, page): (Part, crate::documents::reference::Listed)| Entry {
        section: "Reference".to_owned(),
        title: if part == Part::Rules { format!("{} {}", page.id, page.title) } else { page.title.to_owned() },
        detail: if part == Part::Rules { "rule" } else { "what it can do" }.to_owned(),
        key: String::new(),
        at: Vec::new(),
        enabled: true,
        does: Does::About(part, page.id),
    };
    of(Part::Systems).chain(of(Part::Rules)).map(entry).collect()
}

/// The figures of the selection: each opens its explanation.
fn figures(desk: Desk) -> Vec<Entry> {
    let Some(id) = untrack(|| desk.selected()) else { return Vec::new() };
    let review = untrack(|| desk.review());
    desk.design.with_untracked(|design| {
        let entry = |(figure, derived): (Figure, crate::analysis::explain::Derived)| Entry {
            section: format!("For {}", design.title(&id)),
            title: format!("Explain {}", figure.kind.title()),
            detail: derived.map_or_else(|_| "not derivable".to_owned(), |explained| explained.text()),
            key: String::new(),
            at: Vec::new(),
            enabled: true,
            does: Does::Explain(figure),
        };
        Figure::each_of(design, &review, &id).map(entry).collect()
    })
}

/// Fixes of the findings about the selection.
fn for_selection(desk: Desk) -> Vec<Entry> {
    let Some(id) = untrack(|| desk.selected()) else { return Vec::new() };
    let title = desk.design.with_untracked(|d| d.title(&id));
    let review = untrack(|| desk.review());
    let fixes = review.findings.iter().filter(|f| f.accepted.is_none() && f.about.contains(&id));
    fixes
        .filter_map(|finding| {
            let fix = finding.fix.as_ref()?;
            Some(Entry {
                section: format!("For {title}"),
                title: fix.label.clone(),
                detail: format!("clears {}", finding.rule),
                key: String::new(),
                at: Vec::new(),
                enabled: true,
                does: Does::Fix(fix.edit.clone(), fix.label.clone()),
            })
        })
        .collect()
}
