//! The ruler of a replay: how far back each log reaches, what binds it, what a consumer needs of it, what would change it.
//! Not here: what it says and where it is drawn (`pictures::ruler`).

mod details;
mod plot;
mod steps;

use super::{
    super::{kit::disclosure, store::Desk},
    facts,
};
use crate::{
    model::{Id, Subject, View, units::human::unbroken},
    pictures::ruler::{self, Picture, Row},
    platform::device,
};
use leptos::prelude::*;

/// A ruler as it is shown.
#[derive(Clone, PartialEq)]
struct Shown {
    /// The consumers, by name.
    all: Vec<(Id, String)>,
    picture: Picture,
    /// The log that is looked at.
    at: usize,
    /// How far back it is in the other view, where that differs: which, and in a sentence.
    other: Option<(View, String)>,
    /// The steps of a replay.
    steps: Option<steps::Steps>,
}

/// The panel of the tab. It reads what is settled: an edit is drawn before it.
pub fn panel(desk: Desk) -> AnyView {
    let consumer = desk.panes.kept("ruler consumer", String::new);
    let log = desk.panes.kept("ruler log", String::new);
    let narrow = narrow();
    let shown = {
        let (consumer, log) = (consumer.clone(), log.clone());
        Memo::new(move |_| shown(desk, &consumer.get(), &log.get(), narrow.get()))
    };
    let drawn = move || match shown.get() {
        None => nothing(),
        Some(shown) => content(desk, shown, consumer.clone(), log.clone(), narrow.get_untracked()),
    };
    drawn.into_any()
}

/// Below this width, in rem, names of logs stand in the drawing and not beside it; the style sheet counts in the same way.
const NARROW: f64 = 40.0;

/// Is the window narrow? It follows.
fn narrow() -> RwSignal<bool> {
    let now = || device::size().0 < NARROW * 16.0 * device::text_scale();
    let narrow = RwSignal::new(now());
    let resized = window_event_listener(leptos::ev::resize, move |_| {
        if narrow.get_untracked() != now() {
            narrow.set(now());
        }
    });
    on_cleanup(move || resized.remove());
    narrow
}

fn shown(desk: Desk, consumer: &str, log: &str, narrow: bool) -> Option<Shown> {
    let (design, view, selected) = (desk.settled.get(), desk.view(), desk.selected());
    let review = desk.settled_review(view);
    let all: Vec<(Id, String)> = ruler::consumers(&design, view).map(|id| (id.clone(), design.title(id))).collect();
    let chosen = facts::chosen(&all, selected.as_ref(), consumer).map(|(id, _)| id.clone());
    let draw = if narrow { ruler::draw_narrow } else { ruler::draw };
    let picture = draw(&design, view, &review, chosen.as_ref())?;
    // A log that is selected, or the one that a selected link reads.
    let link = selected.as_ref().and_then(|id| design.links.get(id)).and_then(Subject::as_link);
    let is = |row: &Row| selected.as_ref() == Some(&row.id) || link.is_some_and(|link| link.from == row.id);
    let at = picture.rows.iter().position(is);
    let at = at.or_else(|| picture.rows.iter().position(|row| row.id.as_str() == log)).unwrap_or(0);
    let other = if view == View::ToBe { View::AsIs } else { View::ToBe };
    let there = ruler::draw(&design, other, &desk.settled_review(other), chosen.as_ref());
    let other = there.filter(|there| there.headline != picture.headline).map(|there| (other, there.headline));
    let to_be = desk.settled_review(View::ToBe);
    let steps = steps::Steps::of(&design, &to_be, &picture);
    Some(Shown { all, picture, at, other, steps })
}

fn nothing() -> AnyView {
    view! {
        <div class="empty-panel" data-ruler="">
            <p class="drawer-headline">"Nothing is drawn that could be read again."</p>
            <p class="second">"Add a channel (T) or a source (S) and say how long it keeps its records: how far back results can be made again is shown here, log by log."</p>
        </div>
    }
    .into_any()
}

fn content(desk: Desk, shown: Shown, consumer: ArcRwSignal<String>, log: ArcRwSignal<String>, narrow: bool) -> AnyView {
    let Shown { all, picture, at, other, steps } = shown;
    let id = picture.consumer.clone();
    let title = id.as_ref().map(|id| desk.settled.with_untracked(|design| design.title(id))).unwrap_or_default();
    let chooser = id.as_ref().and_then(|id| facts::choose(desk, "Consumer", &all, id, consumer));
    let about: Vec<AnyView> =
        picture.about.iter().map(|text| view! { <span>{unbroken(text).into_owned()} " "</span> }.into_any()).collect();
    let text = format!("{title}\n{}\n{}\n\n{}\n", picture.headline, picture.about.join(" "), picture.text());
    let other = other.map(|(view, says)| {
        let name = if view == View::AsIs { "As-is: " } else { "To-be: " };
        view! { <p class="small second" data-ruler-other=""><b>{name}</b> {says}</p> }
    });
    let row = picture.rows.get(at).cloned();
    view! {
        <section class="rl" data-ruler=id.map_or_else(|| "all".to_owned(), |id| id.to_string()) on:keydown=facts::leave>
            <div class="tl">
            {chooser}
            <header class="tl-head">
                <div class="grow">
                    <h2 class="drawer-headline">{unbroken(&picture.headline).into_owned()}</h2>
                    <p class="second">{about}</p>
                    {other}
                </div>
                {facts::copy_button(desk, "ruler", text)}
            </header>
            {plot::figure(desk, &picture, at, log, narrow)}
            {plot::legend(&picture)}
            {row.map(|row| details::details(desk, &row))}
            {disclosure(desk, "ruler table", "tl-table", "All logs as a table".into_any(), details::table(desk, &picture))}
            </div>
            {steps.map(|all| steps::steps(desk, &all))}
        </section>
    }
    .into_any()
}
