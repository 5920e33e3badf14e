//! Lines of facts beside a picture: figures that explain themselves, settings with their basis, what is not known with the
//! command that reads it; and a choice of one of several, by arrow keys.

use super::{
    super::{
        kit::{self, absent_word, radios},
        marks, popover,
        store::{Desk, Explains},
    },
    explain, setting,
};
use crate::{
    action::Figure,
    analysis::explain::{Derived, Explained, Missing, Origin, Underivable},
    model::{self, Field, Id, Known, units::human::unbroken},
    pictures::{Line, Value},
    platform::device,
};
use leptos::prelude::*;
use std::sync::Arc;

/// Most missing settings that are listed with their commands.
const LISTED: usize = 6;

/// What explains a number of a picture: the figure of the report that it is, the setting that it was read from, else the
/// number as it was worked out for the picture.
pub fn explains(desk: Desk, of: &Arc<Explained>) -> Explains {
    let same = |derived: &Derived| derived.as_ref().is_ok_and(|one| Arc::ptr_eq(one, of) || **one == **of);
    figure_of(desk, of.of.as_ref(), &same).unwrap_or_else(|| match &of.origin {
        Origin::Fact(fact) | Origin::FactBy(fact, _) => Explains::Setting(fact.subject.clone(), fact.field),
        _ => Explains::Printed(Arc::clone(of)),
    })
}

fn figure_of(desk: Desk, of: Option<&Id>, same: &dyn Fn(&Derived) -> bool) -> Option<Explains> {
    let id = of?;
    let review = untrack(|| desk.settled_review(desk.view()));
    desk.settled.with_untracked(|design| {
        Figure::each_of(design, &review, id)
            .find(|(_, derived)| same(derived))
            .map(|(figure, _)| Explains::Figure(figure))
    })
}

/// A number that opens its explanation, with the mark of its basis.
pub fn explained(desk: Desk, of: &Arc<Explained>) -> AnyView {
    let text = of.text();
    let number = popover::number(desk, explains(desk, of), format!("{}: {text}. Explain", of.what), text.clone());
    view! { <span class="nowrap">{number} {of.basis.map(|basis| marks::basis(basis, ""))}</span> }.into_any()
}

/// A figure; where it is not derivable, a word that opens what it would need, with the names of that.
pub fn derived(desk: Desk, of: &Derived) -> AnyView {
    match of {
        Ok(one) => explained(desk, one),
        Err(why) => {
            let word = absent_word(why);
            let label = format!("{}: {word}. Explain", why.what);
            let number = popover::number(desk, Explains::Missing(why.clone()), label, word.to_owned());
            view! { <span class="absent-figure"><span class="nowrap">{number} {marks::absent(word)}</span> <span class="small quiet block">{needs(why)}</span></span> }
                .into_any()
        }
    }
}

/// The inputs that a figure would need.
fn needs(why: &Underivable) -> String {
    let mut labels: Vec<String> = Vec::new();
    for label in why.missing.iter().map(Missing::label) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    format!("needs {}", labels.join(", "))
}

/// What is known of a setting in the view that is shown, as of the last frame.
fn known(desk: Desk, id: &Id, field: Field) -> Memo<Known<model::Value>> {
    let id = id.clone();
    Memo::new(move |_| {
        let view = desk.view();
        desk.settled.with(|design| design.resolve(view, &id, field))
    })
}

/// The mark of what is known of a setting; it follows.
pub fn mark(desk: Desk, id: &Id, field: Field) -> AnyView {
    let known = known(desk, id, field);
    let mark = Memo::new(move |_| known.with(|known| marks::Mark::known(known, field.row().nature)));
    (move || mark.get().draw("")).into_any()
}

/// A setting: its value with the mark of its basis, or how it is not known; numbers explain themselves. A picture says
/// where a setting stands and not what it is, so what stands here follows by itself.
fn setting(desk: Desk, id: &Id, field: Field) -> AnyView {
    let known = known(desk, id, field);
    let text = move || known.with(setting::words);
    let what = Explains::Setting(id.clone(), field);
    let live =
        move || popover::live(desk, what.clone(), move || format!("{}: {}. Explain", field.label(), text()), text);
    // A number explains itself whether it is known or not: its button is made once, and the keyboard may stay in it.
    let shown = if setting::is_number(field) {
        live()
    } else {
        let plain = Memo::new(move |_| known.with(Known::is_value));
        let word = move || {
            if plain.get() { view! { <span class="value">{text}</span> }.into_any() } else { live() }
        };
        word.into_any()
    };
    view! { <span class="nowrap">{shown} {mark(desk, id, field)}</span> }.into_any()
}

/// What stands on a line.
pub fn value(desk: Desk, of: &Value) -> AnyView {
    match of {
        Value::Figure(one) => derived(desk, one),
        Value::Setting(id, field) => setting(desk, id, *field),
    }
}

/// Lines, one below the other.
pub fn lines(desk: Desk, all: &[Line]) -> AnyView {
    let row = |line: &Line| {
        let how = (!line.how.is_empty())
            .then(|| view! { <span class="block small quiet">{unbroken(&line.how).into_owned()}</span> });
        view! {
            <div class="fact">
                <dt>{unbroken(&line.what).into_owned()} {how}</dt>
                <dd>{value(desk, &line.value)}</dd>
            </div>
        }
        .into_any()
    };
    let rows: Vec<AnyView> = all.iter().map(row).collect();
    view! { <dl class="facts">{rows}</dl> }.into_any()
}

/// A card of lines, where there are any.
pub fn card(desk: Desk, title: &'static str, all: &[Line]) -> Option<AnyView> {
    (!all.is_empty()).then(|| {
        view! { <section class="tl-card" aria-label=title><h3 class="label">{title}</h3> {lines(desk, all)}</section> }
            .into_any()
    })
}

/// What is not known, each with the command that reads it.
pub fn unknown(desk: Desk, main: &[Missing], all: &[&[Line]]) -> Option<AnyView> {
    let mut missing: Vec<Missing> = main.to_vec();
    let figures = all.iter().flat_map(|lines| lines.iter()).filter_map(|line| match &line.value {
        Value::Figure(Err(why)) => Some(why),
        _ => None,
    });
    for one in figures.flat_map(|why| why.missing.iter()) {
        if !missing.contains(one) {
            missing.push(one.clone());
        }
    }
    if missing.is_empty() {
        return None;
    }
    let (first, rest) = missing.split_at(missing.len().min(LISTED));
    let rows: Vec<AnyView> = first.iter().map(|one| explain::need(desk, one)).collect();
    let more = kit::rest(desk, "needs", rest, explain::need);
    Some(
        view! {
            <section class="tl-card needs-card" aria-label="Not known" data-unknown="">
                <h3 class="label">"Not known, and what reads it"</h3>
                <ul class="needs">{rows}</ul>
                {more}
            </section>
        }
        .into_any(),
    )
}

/// One of several by arrow keys, where there are several; `kept` keeps the choice, and a selection on the canvas goes
/// before it.
pub fn choose(
    desk: Desk,
    label: &'static str,
    options: &[(Id, String)],
    now: &Id,
    kept: ArcRwSignal<String>,
) -> Option<AnyView> {
    if options.len() < 2 {
        return None;
    }
    let at = options.iter().position(|(id, _)| id == now);
    let ids: Vec<Id> = options.iter().map(|(id, _)| id.clone()).collect();
    let take = Callback::new(move |at: usize| {
        if let Some(id) = ids.get(at) {
            kept.set(id.to_string());
            desk.select([]);
        }
    });
    let options = options.iter().map(|(id, title)| (Some(id.to_string()), title.clone())).collect();
    Some(radios(label, "segmented choice", options, Signal::stored(at), take))
}

/// Where an arrow key, Home or End leads from a place among so many.
pub fn stepped(event: &leptos::ev::KeyboardEvent, at: usize, count: usize) -> Option<usize> {
    let last = count.saturating_sub(1);
    let next = match event.key().as_str() {
        "ArrowRight" | "ArrowDown" => (at + 1).min(last),
        "ArrowLeft" | "ArrowUp" => at.saturating_sub(1),
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    event.prevent_default();
    event.stop_propagation();
    Some(next)
}

/// Escape leads from inside a picture to its tab.
pub fn leave(event: leptos::ev::KeyboardEvent) {
    if event.key() == "Escape" && !event.default_prevented() {
        event.prevent_default();
        device::focus("[role=tab][aria-selected=true]");
    }
}

/// Copies a picture in letters.
pub fn copy_button(desk: Desk, what: &'static str, text: String) -> AnyView {
    let copy = move |_| kit::copy(desk, text.clone(), format!("The {what} is on the clipboard, as text."));
    view! { <button type="button" class="button" data-copy="" on:click=copy>"Copy as text"</button> }.into_any()
}

/// The kept choice where it is still there, else what is selected, else the first.
pub fn chosen<'a>(options: &'a [(Id, String)], selected: Option<&Id>, kept: &str) -> Option<&'a (Id, String)> {
    let of_canvas = selected.and_then(|id| options.iter().find(|(of, _)| of == id));
    of_canvas.or_else(|| options.iter().find(|(of, _)| of.as_str() == kept)).or_else(|| options.first())
}
