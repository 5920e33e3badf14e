//! The table of differences: what it is about, as-is at the left, to-be at the right, and the change that brings it.

use super::{
    super::super::{
        dialogs::reference,
        kit::{self, go_to},
        marks::{self, direction},
        popover,
        store::{Desk, Explains},
    },
    Compared,
    trace::Tracing,
};
use crate::{
    action::{Figure, FigureKind},
    model::Id,
    rules::compare::{Change, Direction, Entry, ForConsumer, Presence, Side, Standing, What},
};
use leptos::prelude::*;
use std::sync::Arc;

/// The table with what is said above it.
pub fn table(desk: Desk, all: &Compared, of: &Arc<ForConsumer>, trace: Tracing) -> AnyView {
    let rows: Vec<AnyView> = Direction::ALL
        .into_iter()
        .flat_map(|way| of.entries.iter().enumerate().filter(move |(_, entry)| entry.direction == way))
        .map(|(at, entry)| row(desk, all, at, entry, trace))
        .collect();
    let same: Vec<AnyView> = if of.presence == Presence::Both { unchanged(desk, all, of) } else { Vec::new() };
    let head = view! {
        <div class="row wrap gains-head">
            <p class="strong grow">{of.summary.clone()}</p>
            {move || trace.offers().then(|| view! {
                <button type="button" class="button" data-trace="" title="Takes each change back in turn and looks at what then stays away" on:click=move |_| trace.search(desk)>
                    "Find what each change brings"
                </button>
            })}
        </div>
        {proposed(desk, all, of)}
    };
    if rows.is_empty() && same.is_empty() {
        return head.into_any();
    }
    view! {
        {head}
        <div class="table-scroll" tabindex="0" role="group" aria-label="Differences">
            <table class="differences">
                <thead><tr>
                    <th scope="col">"What"</th>
                    <th scope="col" class="as-is-cell">"As-is"</th>
                    <th scope="col">"To-be"</th>
                    <th scope="col">"Comes from"</th>
                </tr></thead>
                <tbody>{rows}{same}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// What is proposed on the way to this consumer.
fn proposed(desk: Desk, all: &Compared, of: &ForConsumer) -> AnyView {
    let changes: Vec<&Change> = of.changes.iter().filter_map(|at| all.changes.get(*at)).collect();
    if changes.is_empty() {
        return ().into_any();
    }
    let items: Vec<AnyView> = changes
        .iter()
        .map(|change| view! { <li>{go_to(desk, change.subject().clone(), change.words(&all.design))}</li> }.into_any())
        .collect();
    let summary = format!("{} on the way to it", crate::model::counted(changes.len(), "proposed change"));
    let content = view! { <ul>{items}</ul> }.into_any();
    kit::disclosure(desk, &format!("proposed/{}", all.id), "verdict-more", summary.into_any(), content)
}

fn row(desk: Desk, all: &Compared, at: usize, entry: &Entry, trace: Tracing) -> AnyView {
    let word = entry.direction.word();
    let kind = format!("{:?}", entry.what.topic()).to_lowercase();
    let from = move || match trace.from(at) {
        Some(words) if words.is_empty() => view! { <span class="quiet">"no single change"</span> }.into_any(),
        Some(words) => words.join("; ").into_any(),
        None => view! { <span class="quiet">"–"</span> }.into_any(),
    };
    view! {
        <tr data-difference=kind data-direction=word>
            <th scope="row">
                <span class="row difference-what">{direction(entry.direction)} <span>{what(desk, all, &entry.what)} <span class="small quiet block">{word}</span></span></span>
            </th>
            <td class="as-is-cell">{side(desk, &entry.before, None)}</td>
            <td class="to-be-cell">{side(desk, &entry.after, live(all, &entry.what))}</td>
            <td class="small second">{from}</td>
        </tr>
    }
    .into_any()
}

/// What it is about, with the way to its place and to the rule.
fn what(desk: Desk, all: &Compared, what: &What) -> AnyView {
    let place = what.at().filter(|_| !matches!(what, What::Removal(_))).map(|id| place(desk, all, id));
    let words = match what {
        What::Finding(rule, ..) => reference::rule(desk, rule),
        other => crate::model::capital(&other.words()).into_any(),
    };
    view! { {words} {place.map(|place| view! { <span class="block">{place}</span> })} }.into_any()
}

fn place(desk: Desk, all: &Compared, id: &Id) -> AnyView {
    go_to(desk, id.clone(), all.design.title(id))
}

/// The figure of what shall be, which follows the design.
fn live(all: &Compared, what: &What) -> Option<Figure> {
    let (id, kind) = match what {
        What::Latency => (&all.id, FigureKind::Latency),
        What::Replay(from, recompute) => {
            let starts = &all.to_be.consumers.get(&all.id)?.replay;
            let at = starts.iter().position(|start| start.from == *from && start.recompute == *recompute)?;
            (&all.id, FigureKind::Replay(at))
        }
        What::State(id) => (id, FigureKind::State),
        What::Growth(id) => (id, FigureKind::Growth),
        What::Checkpoint(id) => (id, FigureKind::Checkpoint),
        What::Recovery(id) => (id, FigureKind::Recovery),
        What::CatchUp(id) => (id, FigureKind::CatchUp),
        What::Outage(id) => (id, FigureKind::OutageBound),
        _ => return None,
    };
    let figure = Figure::new(id.clone(), kind);
    figure.resolve(&all.to_be).map(|_| figure)
}

/// One side; a number opens its explanation.
fn side(desk: Desk, side: &Side, live: Option<Figure>) -> AnyView {
    if side.standing == Standing::Unknown {
        let mark = marks::absent("not known");
        return match live {
            Some(figure) => {
                let label = format!("{}: {}. Explain", figure.kind.title(), side.text);
                view! { <span class="second">{popover::number(desk, Explains::Figure(figure), label, side.text.clone())} {mark}</span> }
                    .into_any()
            }
            None => view! { <span class="second">{side.text.clone()} {mark}</span> }.into_any(),
        };
    }
    let Some(figure) = &side.figure else { return side.text.clone().into_any() };
    let number = figure.text();
    let explains = live.map_or_else(|| Explains::Printed(figure.clone()), Explains::Figure);
    let label = format!("{}: {}. Explain", figure.what, side.text);
    let mark = figure.basis.map(|of| marks::basis(of, ""));
    match side.text.strip_suffix(&number) {
        Some(before) => {
            let before = before.to_owned();
            view! { {before} <span class="nowrap">{popover::number(desk, explains, label, number)} {mark}</span> }
                .into_any()
        }
        None => view! { {popover::number(desk, explains, label, side.text.clone())} {mark} }.into_any(),
    }
}

/// Latency and replay reach where they are the same in both, so that what stays is said too.
fn unchanged(desk: Desk, all: &Compared, of: &ForConsumer) -> Vec<AnyView> {
    let Some(report) = all.to_be.consumers.get(&all.id) else { return Vec::new() };
    let differs = |what: &What| of.entries.iter().any(|entry| entry.what == *what);
    let mut rows = Vec::new();
    let mut same = |words: String, figure: Figure| {
        let derived = figure.resolve(&all.to_be);
        rows.extend(derived.map(|derived| {
            view! {
                <tr data-difference="same">
                    <th scope="row">{words}</th>
                    <td class="as-is-cell quiet">"the same"</td>
                    <td>{kit::figure(desk, figure.clone(), &derived)}</td>
                    <td></td>
                </tr>
            }
            .into_any()
        }));
    };
    if !differs(&What::Latency) {
        let words = if report.latency_open.is_empty() { "Latency, at most" } else { "Latency, at least" };
        same(words.to_owned(), Figure::new(all.id.clone(), FigureKind::Latency));
    }
    for (at, start) in report.replay.iter().enumerate() {
        let what = What::Replay(start.from.clone(), start.recompute);
        if !differs(&what) {
            let words = crate::model::capital(&what.title(&all.design));
            same(words, Figure::new(all.id.clone(), FigureKind::Replay(at)));
        }
    }
    rows
}
