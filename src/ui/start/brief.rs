//! The short brief: eight answers, all of which may stay open, with the design that they give.

use super::{
    super::{marks, session, store::Desk},
    example::verdict,
};
use crate::sorted;
use crate::{
    action::glance,
    catalog::{
        Role,
        brief::{Brief, draw},
        entries,
    },
    model::{
        Basis,
        units::{Duration, Rate},
    },
};
use leptos::prelude::*;

/// The form.
pub fn brief(desk: Desk) -> AnyView {
    let answers = RwSignal::new(Brief::default());
    let refused = RwSignal::new(None::<String>);
    let preview = Memo::new(move |_| {
        let design = draw(&answers.get());
        let seen = glance(&design);
        (seen.kinds.clone(), seen)
    });
    let draw_it = move |_| session::start_design(desk, draw(&answers.get_untracked()));
    view! {
        <section class="brief" aria-label="A short brief">
            <header class="row wrap"><h3 class="panel-title grow">"Or a short brief"</h3><span class="small quiet">"8 answers, all may stay open"</span></header>
            <div class="brief-fields">
                {text("event", "Event", "order placed", move |text| answers.update(|a| a.event = said(text)))}
                {system("source", "Source", Role::Source, move |id| answers.update(|a| a.source = id))}
                {system("destination", "Destination", Role::Sink, move |id| answers.update(|a| a.destination = id))}
                {quantity("rate", "Events per second", "300/s", refused, move |v: Option<Rate>| answers.update(|a| a.rate = v))}
                {quantity("latency", "Result needed within", "10min", refused, move |v: Option<Duration>| answers.update(|a| a.latency = v))}
                {quantity("window", "Window, tumbling", "5min", refused, move |v: Option<Duration>| answers.update(|a| a.window = v))}
                {quantity("lateness", "Latest event that still counts", "30s", refused, move |v: Option<Duration>| answers.update(|a| a.lateness = v))}
                {quantity("lag", "Alert when lag exceeds", "1min", refused, move |v: Option<Duration>| answers.update(|a| a.lag_alert = v))}
            </div>
            <p class="invalid" role="alert">{move || refused.get()}</p>
            <div class="brief-preview">
                <p class="label">"You would get"</p>
                {move || marks::strip(&preview.get().0)}
                {move || {
                    let seen = preview.get().1;
                    let sentence = seen.sentence.clone().unwrap_or_default();
                    verdict(&seen, &sentence)
                }}
                <div class="row wrap">
                    <button type="button" class="button primary" data-draw="" on:click=draw_it>"Draw it"</button>
                    <span class="small second">"your answers are kept as stated" {marks::basis(Basis::Stated, "")}</span>
                </div>
            </div>
        </section>
    }
    .into_any()
}

fn said(text: String) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn text(name: &'static str, label: &'static str, example: &'static str, set: impl Fn(String) + 'static) -> AnyView {
    view! {
        <label><span class="label">{label}</span>
            <input class="input" data-brief=name placeholder=example maxlength="80" on:input=move |event| set(event_target_value(&event)) />
        </label>
    }
    .into_any()
}

fn system(name: &'static str, label: &'static str, role: Role, set: impl Fn(Option<String>) + 'static) -> AnyView {
    let mut known: Vec<_> = entries(role).filter(|entry| entry.has_capability()).collect();
    sorted::sort_by_key(&mut known, |entry| entry.name.to_lowercase());
    let options: Vec<AnyView> =
        known.into_iter().map(|entry| view! { <option value=entry.id>{entry.name}</option> }.into_any()).collect();
    view! {
        <label><span class="label">{label}</span>
            <select class="input" data-brief=name on:change=move |event| set(said(event_target_value(&event)))>
                <option value="">"not stated"</option>
                {options}
            </select>
        </label>
    }
    .into_any()
}

/// A quantity; `300` alone counts per second, a time needs its unit.
fn quantity<T: std::str::FromStr + 'static>(
    name: &'static str,
    label: &'static str,
    example: &'static str,
    refused: RwSignal<Option<String>>,
    set: impl Fn(Option<T>) + 'static,
) -> AnyView {
    let typed = move |event: leptos::ev::Event| {
        let text: String = event_target_value(&event).chars().filter(|c| !c.is_whitespace()).collect();
        if text.is_empty() {
            refused.set(None);
            set(None);
            return;
        }
        match text.parse::<T>().or_else(|_| format!("{text}/s").parse()) {
            Ok(value) => {
                refused.set(None);
                set(Some(value));
            }
            Err(_) => refused.set(Some(format!("{label}: write it like {example}."))),
        }
    };
    view! {
        <label><span class="label">{label}</span>
            <input class="input" data-brief=name placeholder=example autocomplete="off" on:input=typed />
        </label>
    }
    .into_any()
}
