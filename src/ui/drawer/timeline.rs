//! The timeline of a window: what becomes of each record of a short run, when results are sent, who sees what. Not here:
//! what happens and where it is drawn (`timeline::picture`).

mod cards;
mod plot;

use super::{
    super::{
        kit::reveal,
        popover,
        store::{Desk, Explains},
    },
    explain, facts,
};
use crate::{
    analysis::explain::{Missing, MissingWhy},
    model::{Id, View},
    platform::device,
    timeline::{
        self,
        picture::{Lacks, Picture, draw},
    },
};
use leptos::prelude::*;

/// A window as it is shown.
#[derive(Clone, PartialEq)]
struct Shown {
    id: Id,
    title: String,
    /// All windows of the design, by name.
    all: Vec<(Id, String)>,
    picture: Result<Picture, Lacks>,
    /// The other view, where it says something else: which, and what.
    other: Option<(View, String)>,
}

/// The panel of the tab. It reads what is settled: an edit is drawn before it.
pub fn panel(desk: Desk) -> AnyView {
    let chosen = desk.panes.kept("timeline window", String::new);
    let silent = desk.panes.kept("timeline silent", String::new);
    let shown = {
        let (chosen, silent) = (chosen.clone(), silent.clone());
        Memo::new(move |_| shown(desk, &chosen.get(), !silent.get().is_empty()))
    };
    let drawn = move || match shown.get() {
        None => nothing(),
        Some(Shown { id, title, picture: Err(lacks), all, .. }) => {
            let chooser = chooser(desk, &id, &all, chosen.clone());
            view! { {chooser} {lacking(desk, &title, &lacks)} }.into_any()
        }
        Some(Shown { id, title, picture: Ok(picture), all, other }) => {
            let chooser = chooser(desk, &id, &all, chosen.clone());
            let toggle = picture.may_fall_silent.then(|| silent_toggle(silent.clone()));
            let text = format!("{title}\n{}\n{}\n\n{}\n", picture.headline, picture.about, picture.text());
            let target = id.clone();
            view! {
                <section class="tl" data-timeline=id.to_string()>
                    {chooser}
                    <header class="tl-head">
                        <div class="grow">
                            <h2 class="drawer-headline">{picture.headline.clone()}</h2>
                            <p class="second">
                                <button type="button" class="plain-name" on:click=move |_| reveal(desk, &target)>{title}</button>
                                ". " {picture.about.clone()}
                            </p>
                        </div>
                        {toggle}
                        {facts::copy_button(desk, "timeline", text)}
                    </header>
                    {plot::figure(desk, &picture)}
                    {cards::cards(desk, &id, &picture, other)}
                </section>
            }
            .into_any()
        }
    };
    drawn.into_any()
}

/// The window that is selected, else the one that was looked at, else the first.
fn shown(desk: Desk, chosen: &str, silent: bool) -> Option<Shown> {
    let (design, view) = (desk.settled.get(), desk.view());
    let all: Vec<(Id, String)> = timeline::windows(&design, view).map(|id| (id.clone(), design.title(id))).collect();
    let selected = desk.selected().and_then(|id| all.iter().find(|(of, _)| *of == id));
    let last = || all.iter().find(|(of, _)| of.as_str() == chosen);
    let (id, title) = selected.or_else(last).or_else(|| all.first())?.clone();
    let picture = draw(&design, view, &id, silent);
    let other = if view == View::ToBe { View::AsIs } else { View::ToBe };
    let there = design.visible(other, &id).then(|| draw(&design, other, &id, false).ok()).flatten();
    let says = |picture: &Picture| {
        let moments: Vec<&str> = picture.verticals.iter().map(|vertical| vertical.text.as_str()).collect();
        moments.join(", ")
    };
    let differs = |there: &Picture| picture.as_ref().is_ok_and(|here| says(here) != says(there));
    let other = there.filter(differs).map(|there| (other, says(&there)));
    Some(Shown { id, title, all, picture, other })
}

fn nothing() -> AnyView {
    view! {
        <div class="empty-panel" data-timeline="">
            <p class="drawer-headline">"No step has a window."</p>
            <p class="second">"Give an operator a window by event time, and what becomes of late records is shown here, record by record."</p>
        </div>
    }
    .into_any()
}

/// Which window, where there are several.
fn chooser(desk: Desk, id: &Id, all: &[(Id, String)], chosen: ArcRwSignal<String>) -> Option<AnyView> {
    (all.len() > 1).then(|| {
        let options: Vec<AnyView> = all
            .iter()
            .map(|(of, title)| {
                view! { <option value=of.to_string() selected=of == id>{title.clone()}</option> }.into_any()
            })
            .collect();
        let change = move |event: leptos::ev::Event| {
            chosen.set(event_target_value(&event));
            desk.select([]);
        };
        view! {
            <label class="row tl-choose"><span class="label">"Window of"</span> <select class="input" on:change=change>{options}</select></label>
        }
        .into_any()
    })
}

fn silent_toggle(silent: ArcRwSignal<String>) -> AnyView {
    let (checked, change) = (silent.clone(), silent);
    view! {
        <label class="row tl-silent">
            <input
                type="checkbox"
                prop:checked=move || !checked.get().is_empty()
                on:change=move |event| change.set(if event_target_checked(&event) { "silent".to_owned() } else { String::new() })
            />
            "One partition falls silent"
        </label>
    }
    .into_any()
}

fn lacking(desk: Desk, title: &str, lacks: &Lacks) -> AnyView {
    let rows: Vec<AnyView> = lacks
        .missing
        .iter()
        .map(|missing| match missing.field {
            Some(field) if missing.why == timeline::NOT_STATED => {
                explain::need(desk, &Missing { subject: missing.id.clone(), field, why: MissingWhy::NotKnown })
            }
            Some(field) => {
                let what = Explains::Setting(missing.id.clone(), field);
                let number = popover::number(desk, what, format!("{}. Explain", field.label()), field.label());
                view! { <li>{number} ": " {missing.why}</li> }.into_any()
            }
            None => view! { <li>{crate::model::capital(missing.why)} "."</li> }.into_any(),
        })
        .collect();
    view! {
        <div class="empty-panel" data-timeline="">
            <p class="drawer-headline">{format!("What becomes of late records of {title} cannot be said yet.")}</p>
            {lacks.refused.clone().map(|text| view! { <p class="second">"The engine would refuse it: " {text}</p> })}
            {(!rows.is_empty()).then(|| view! { <p class="second">"It would need:"</p><ul class="needs">{rows}</ul> })}
        </div>
    }
    .into_any()
}

/// Steps through the records by key; the keyboard follows.
fn stepped(at: RwSignal<usize>, count: usize) -> impl Fn(leptos::ev::KeyboardEvent) + Copy {
    move |event: leptos::ev::KeyboardEvent| {
        let Some(next) = facts::stepped(&event, at.get_untracked(), count) else { return };
        at.set(next);
        device::focus(&format!("[data-record=\"{}\"]", next + 1));
    }
}
