//! What the figures and verdicts of this element still need, each with the command that reads it; then its figures.

use super::super::{
    kit::{self, live_figure},
    marks,
    store::Desk,
};
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    action::Figure,
    analysis::explain::Missing,
    catalog,
    model::{Design, Id, units::human::unbroken},
    platform::{device, frame},
    rules::Review,
};
use leptos::prelude::*;

/// Every missing setting by the subject it would stand on, each once.
pub fn all_missing(design: &Design, review: &Review) -> SortedMap<Id, SortedSet<Missing>> {
    let mut all: SortedMap<Id, SortedSet<Missing>> = SortedMap::new();
    let mut add = |missing: Missing| _ = all.entry(missing.subject.clone()).or_default().insert(missing);
    for consumer in review.consumers.values() {
        consumer.delivery.unknown.iter().chain(&consumer.latency_open).cloned().for_each(&mut add);
    }
    for comparison in review.comparisons.values() {
        comparison.open.iter().cloned().for_each(&mut add);
    }
    for other in design.elements.keys().chain(design.links.keys()) {
        for (_, derived) in Figure::each_of(design, review, other) {
            if let Err(underivable) = derived {
                underivable.missing.iter().cloned().for_each(&mut add);
            }
        }
    }
    all
}

/// Every missing setting of this subject, as of the last frame. Tracks.
pub fn missing_of(desk: Desk, id: &Id) -> Vec<Missing> {
    let review = desk.settled_review(desk.view());
    desk.settled.with(|design| all_missing(design, &review).remove(id)).into_iter().flatten().collect()
}

/// The list; it follows once the verdict is drawn.
pub fn missing(desk: Desk, id: &Id) -> AnyView {
    let id = id.clone();
    let open = Memo::new(move |_| missing_of(desk, &id));
    let any = Memo::new(move |_| open.with(|all| !all.is_empty()));
    // A question that stays keeps its place in the document, and with it the keyboard.
    let list = move || {
        view! {
            <section class="inspector-section asks" aria-label="Still needed">
                <h3 class="label">"Still needed"</h3>
                <ul>
                    <For each=move || open.get() key=Missing::clone children=move |one| ask(desk, &one) />
                </ul>
            </section>
        }
    };
    view! { {move || any.get().then(list)} }.into_any()
}

fn ask(desk: Desk, missing: &Missing) -> AnyView {
    // A command says names, which may become others.
    let (of, field) = (missing.subject.clone(), missing.field);
    let command = Memo::new(move |_| desk.settled.with(|design| catalog::command(design, &of, field)));
    let field = field.name();
    let words = unbroken(&missing.words()).into_owned();
    view! {
        <li data-missing=field>
            <button type="button" class="ask" on:click=move |_| open_field(field)>
                {marks::absent(missing.nature().absent())} <span>{words}</span>
            </button>
            {move || command.get().map(|command| command_line(desk, command))}
        </li>
    }
    .into_any()
}

/// Opens the editor of a field of the inspected subject and puts the keyboard into it.
pub fn open_field(field: &'static str) {
    if !open_row(field) {
        // What is folded is put on the page once the rest is drawn.
        frame::after(move || _ = open_row(field));
    }
}

/// Opens the row of a field, where it is on the page.
fn open_row(field: &str) -> bool {
    let selector = format!("[data-setting=\"{field}\"] .setting-name");
    let Some(button) = device::query(&selector) else { return false };
    if let Some(details) = button.closest("details").ok().flatten() {
        let _ = details.set_attribute("open", "");
    }
    device::reveal(&selector);
    button.click();
    true
}

fn command_line(desk: Desk, command: String) -> AnyView {
    let copied = command.clone();
    view! {
        <div class="command-line">
            <pre class="well grow">{command}</pre>
            <button
                type="button"
                class="button"
                aria-label="Copy the command"
                on:click=move |_| kit::copy(desk, copied.clone(), "Copied".to_owned())
            >
                "Copy"
            </button>
        </div>
    }
    .into_any()
}

/// The figures of this element.
pub fn figures(desk: Desk, id: &Id) -> AnyView {
    let id = id.clone();
    let all = Memo::new(move |_| {
        let review = desk.review();
        desk.meaning.with(|design| Figure::all_of(design, &review, &id))
    });
    let which = Memo::new(move |_| all.with(|all| all.iter().map(|(one, _)| one.clone()).collect::<Vec<Figure>>()));
    let any = Memo::new(move |_| which.with(|which| !which.is_empty()));
    let fact = move |one: Figure| {
        let named = one.clone();
        // Names follow once the frame is drawn.
        let title =
            Memo::new(move |_| desk.settled.with(|design| named.name(design, &desk.settled_review(desk.view()))));
        let of = one.clone();
        let own = Memo::new(move |_| {
            all.with(|all| all.iter().find(|(other, _)| *other == of).map(|(_, derived)| derived.clone()))
        });
        view! { <div class="fact"><dt>{move || title.get()}</dt><dd>{live_figure(desk, one, own)}</dd></div> }
            .into_any()
    };
    view! {
        {move || any.get().then(|| view! {
            <section class="inspector-section" aria-label="Figures">
                <h3 class="label">"Figures"</h3>
                <dl class="facts"><For each=move || which.get() key=Figure::clone children=fact /></dl>
            </section>
        })}
    }
    .into_any()
}
