//! The hop table of one consumer: what each hop loses, adds and removes, by which mechanism.

use super::verdict::{bounds, with_bounds};
use super::{
    super::{
        kit::reveal,
        marks::{self, badge, weakest_glyph},
        popover,
        store::Desk,
    },
    shown::{Part, Shown},
};
use crate::{
    action::Figure,
    analysis::delivery::verdict::{DeliveryVerdict, Hop, HopRow},
};
use leptos::prelude::*;
use std::sync::Arc;

/// The table; the numbers that bound a condition open their explanation where they stand in it.
pub fn table(desk: Desk, from: Memo<Shown>) -> AnyView {
    let count = Memo::new(move |_| from.with(|shown| shown.report().map_or(0, |report| report.delivery.hops.len())));
    (move || {
        if count.get() == 0 {
            return ().into_any();
        }
        let rows: Vec<AnyView> = (0..count.get()).map(|at| ROW.of(desk, from, at)).collect();
        view! {
            <div class="table-scroll" tabindex="0" role="region" aria-label="Hops">
                <table class="hops">
                    <thead>
                        <tr>
                            <th>"Hop"</th><th>"Can lose"</th><th>"Adds"</th><th>"Removes"</th><th>"Mechanism"</th>
                            <th>"Leaves"</th><th>"Basis"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
        .into_any()
    })
    .into_any()
}

const ROW: Part = Part {
    same: |one, other, at| match (hop(one, at), hop(other, at)) {
        (Some((a, hop)), Some((b, new))) => {
            a.weakest == b.weakest
                && a.badge == b.badge
                && (Arc::ptr_eq(hop, new) || hop == new)
                && one.named_alike(other, std::iter::once(&hop.at))
        }
        (one, other) => one.is_none() && other.is_none(),
    },
    draw: |desk, shown, at| match hop(shown, at) {
        Some((verdict, hop)) => row(desk, shown, verdict, hop, &bounds(&shown.id, verdict)),
        None => ().into_any(),
    },
};

fn hop(shown: &Shown, at: usize) -> Option<(&DeliveryVerdict, &Arc<HopRow>)> {
    let verdict = &shown.report()?.delivery;
    Some((verdict, verdict.hops.get(at)?))
}

fn row(desk: Desk, shown: &Shown, verdict: &DeliveryVerdict, hop: &HopRow, bounds: &[(String, Figure)]) -> AnyView {
    let title = shown.design.title(&hop.at);
    let is = |weak: Option<&Hop>| weak.is_some_and(|weak| weak.at == hop.at);
    let duplicates = is(verdict.weakest.duplicate_origin.as_ref());
    let loss = is(verdict.weakest.loss.as_ref());
    let id = hop.at.clone();
    let empty = if hop.blind { "not known" } else { "nothing" };
    let said = |text: String| {
        if text.is_empty() {
            view! { <span class="quiet">{empty}</span> }.into_any()
        } else {
            with_bounds(desk, &text, bounds)
        }
    };
    let loud = duplicates || loss;
    // The badge of a link stands in the review, with what it rests on; what an element leaves is that of the next link.
    let leaves = match shown.review.links.get(&hop.at) {
        Some(link) if link.badge.text() == hop.leaves.text() => {
            popover::badge(desk, &hop.at, shown.review.view, &hop.leaves, loud, 1.15)
        }
        _ => badge(&hop.leaves, loud, 1.15),
    };
    let glyph = (duplicates || loss).then(|| weakest_glyph(!duplicates));
    view! {
        <tr
            class:weak-seen=(duplicates && !verdict.weakest.duplicate_conditional) || (loss && !verdict.weakest.loss_conditional)
            class:weak-condition=(duplicates && verdict.weakest.duplicate_conditional) || (loss && verdict.weakest.loss_conditional)
            data-hop=hop.at.to_string()
        >
            <th scope="row">
                <button type="button" class="hop-name" on:click=move |_| reveal(desk, &id)>{glyph} {title}</button>
            </th>
            <td>{said(hop.can_lose())}</td>
            <td>{said(hop.adds())}</td>
            <td>{said(hop.removes())}</td>
            <td class="second">{with_bounds(desk, &hop.mechanism(), bounds)}</td>
            <td>{leaves}</td>
            <td>{match hop.basis {
                Some(basis) => marks::basis(basis, ""),
                None if hop.blind => marks::absent("not known"),
                None => ().into_any(),
            }}</td>
        </tr>
    }
    .into_any()
}
