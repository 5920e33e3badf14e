//! The hop table of one consumer: what each hop loses, adds and removes, by which mechanism.

use super::{
    super::{
        each::following,
        kit::reveal,
        marks::{self, badge, weakest_glyph},
        popover,
        store::Desk,
    },
    line::{Line, follow},
    shown::{Part, Shown},
};
use crate::{
    analysis::delivery::verdict::{DeliveryVerdict, Hop, HopRow},
    model::Id,
};
use leptos::prelude::*;
use std::sync::Arc;

/// The table; the numbers that bound a condition open their explanation where they stand in it.
pub fn table(desk: Desk, from: Memo<Shown>) -> AnyView {
    // A way may come to a place twice: which time it is tells its rows apart.
    let places = Memo::new(move |_| {
        from.with(|shown| {
            let mut places: Vec<(Id, usize)> = Vec::new();
            for hop in shown.report().into_iter().flat_map(|report| &report.delivery.hops) {
                let before = places.iter().filter(|(at, _)| *at == hop.at).count();
                places.push((hop.at.clone(), before));
            }
            places
        })
    });
    let any = Memo::new(move |_| places.with(|places| !places.is_empty()));
    (move || {
        if !any.get() {
            return ().into_any();
        }
        view! {
            <div class="table-scroll" tabindex="0" role="region" aria-label="Hops">
                <table class="hops">
                    <thead>
                        <tr>
                            <th>"Hop"</th><th>"Can lose"</th><th>"Adds"</th><th>"Removes"</th><th>"Mechanism"</th>
                            <th>"Leaves"</th><th>"Basis"</th>
                        </tr>
                    </thead>
                    <tbody><For each=move || places.get() key=Clone::clone children=move |place| row(desk, from, places, place) /></tbody>
                </table>
            </div>
        }
        .into_any()
    })
    .into_any()
}

fn hop(shown: &Shown, at: usize) -> Option<(&DeliveryVerdict, &Arc<HopRow>)> {
    let verdict = &shown.report()?.delivery;
    Some((verdict, verdict.hops.get(at)?))
}

/// Is the hop the weakest for duplicates, for loss?
fn weakest(verdict: &DeliveryVerdict, hop: &HopRow) -> (bool, bool) {
    let is = |weak: Option<&Hop>| weak.is_some_and(|weak| weak.at == hop.at);
    let named = verdict.weakest_claimed();
    named.map_or((false, false), |of| (is(of.duplicate_origin.as_ref()), is(of.loss.as_ref())))
}

/// A row, each cell of which is drawn again only where it says something else.
fn row(desk: Desk, from: Memo<Shown>, all: Memo<Vec<(Id, usize)>>, place: (Id, usize)) -> AnyView {
    let name = place.0.to_string();
    let at = following(move || all.with(|all| all.iter().position(|other| *other == place)).unwrap_or(usize::MAX));
    let class = move || from.with(|shown| hop(shown, at.get()).map_or("", |(verdict, hop)| tone(verdict, hop)));
    view! {
        <tr class=class data-hop=name>
            <th scope="row">{NAME.following(desk, from, move || at.get())}</th>
            <td>{words(desk, from, at, HopRow::can_lose, true)}</td>
            <td>{words(desk, from, at, HopRow::adds, true)}</td>
            <td>{words(desk, from, at, HopRow::removes, true)}</td>
            <td class="second">{words(desk, from, at, HopRow::mechanism, false)}</td>
            <td>{LEAVES.following(desk, from, move || at.get())}</td>
            <td>{BASIS.following(desk, from, move || at.get())}</td>
        </tr>
    }
    .into_any()
}

/// How a weakest hop is coloured: seen, or only under a condition.
fn tone(verdict: &DeliveryVerdict, hop: &HopRow) -> &'static str {
    let (duplicates, loss) = weakest(verdict, hop);
    let conditional = (verdict.weakest.duplicate_conditional, verdict.weakest.loss_conditional);
    let seen = (duplicates && !conditional.0) || (loss && !conditional.1);
    match (seen, (duplicates && conditional.0) || (loss && conditional.1)) {
        (true, true) => "weak-seen weak-condition",
        (true, false) => "weak-seen",
        (false, true) => "weak-condition",
        (false, false) => "",
    }
}

/// Do two states say the same of a hop, where both have it?
fn alike(one: &Shown, other: &Shown, at: usize, same: fn(&HopRow, &HopRow) -> bool) -> bool {
    match (hop(one, at), hop(other, at)) {
        (Some((_, one)), Some((_, other))) => Arc::ptr_eq(one, other) || same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Is the hop of the two states equally weak?
fn as_weak(one: &Shown, other: &Shown, at: usize) -> bool {
    let weak = |shown| hop(shown, at).map(|(verdict, hop)| weakest(verdict, hop));
    weak(one) == weak(other)
}

const NAME: Part = Part {
    same: |one, other, at| {
        let named = |shown: &Shown| hop(shown, at).map(|(_, hop)| hop.at.clone());
        as_weak(one, other, at)
            && alike(one, other, at, |a, b| a.at == b.at)
            && one.named_alike(other, named(one).iter())
    },
    draw: |desk, shown, at| {
        let Some((verdict, hop)) = hop(shown, at) else { return ().into_any() };
        let (duplicates, loss) = weakest(verdict, hop);
        let glyph = (duplicates || loss).then(|| weakest_glyph(!duplicates));
        let (id, title) = (hop.at.clone(), shown.design.title(&hop.at));
        view! { <button type="button" class="hop-name" on:click=move |_| reveal(desk, &id)>{glyph} {title}</button> }
            .into_any()
    },
};

/// What a cell says, or what stands where it says nothing.
#[derive(Clone, Default, PartialEq)]
struct Cell {
    line: Line,
    blind: bool,
}

/// A cell of words; `absent` says what stands where there are none.
fn words(desk: Desk, from: Memo<Shown>, at: RwSignal<usize>, text: fn(&HopRow) -> String, absent: bool) -> AnyView {
    let cell = following(move || {
        from.with(|shown| {
            let found = hop(shown, at.get());
            found.map(|(verdict, hop)| Cell { line: Line::new(text(hop), &shown.id, verdict), blind: hop.blind })
        })
        .unwrap_or_default()
    });
    let line = Memo::new(move |_| cell.with(|cell| cell.line.clone()));
    let nothing = Memo::new(move |_| cell.with(|cell| cell.line.is_empty().then_some(cell.blind)));
    (move || match nothing.get() {
        Some(blind) if absent => {
            view! { <span class="quiet">{if blind { "not known" } else { "nothing" }}</span> }.into_any()
        }
        Some(_) => ().into_any(),
        None => follow(desk, line),
    })
    .into_any()
}

/// Of a link the badge that stands in the review, with what it rests on; what an element leaves is that of the next link.
const LEAVES: Part = Part {
    same: |one, other, at| {
        as_weak(one, other, at)
            && alike(one, other, at, |a, b| a.at == b.at && marks::same_badge(&a.leaves, &b.leaves))
            && stands_on_link(one, at) == stands_on_link(other, at)
            && one.review.view == other.review.view
    },
    draw: |desk, shown, at| match hop(shown, at) {
        Some((verdict, hop)) => {
            let (duplicates, loss) = weakest(verdict, hop);
            if stands_on_link(shown, at) {
                popover::badge(desk, &hop.at, shown.review.view, &hop.leaves, duplicates || loss, 1.15)
            } else {
                badge(&hop.leaves, duplicates || loss, 1.15)
            }
        }
        None => ().into_any(),
    },
};

/// Is what the hop leaves the badge of a link of the review?
fn stands_on_link(shown: &Shown, at: usize) -> bool {
    hop(shown, at).is_some_and(|(_, hop)| {
        shown.review.links.get(&hop.at).is_some_and(|link| link.badge.text() == hop.leaves.text())
    })
}

const BASIS: Part = Part {
    same: |one, other, at| alike(one, other, at, |a, b| a.basis == b.basis && a.blind == b.blind),
    draw: |_, shown, at| match hop(shown, at).map(|(_, hop)| (hop.basis, hop.blind)) {
        Some((Some(basis), _)) => marks::basis(basis, ""),
        Some((None, true)) => marks::absent("not known"),
        _ => ().into_any(),
    },
};
