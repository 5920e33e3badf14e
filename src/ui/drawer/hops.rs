//! The hop table of one consumer: what each hop loses, adds and removes, by which mechanism.

use super::super::{
    kit::reveal,
    marks::{self, badge, weakest_glyph},
    store::Desk,
};
use super::verdict::with_bounds;
use crate::{
    action::Figure,
    analysis::delivery::verdict::{DeliveryVerdict, HopRow},
};
use leptos::prelude::*;

/// The table; the numbers of `bounds` open their explanation where they stand in it.
pub fn table(desk: Desk, verdict: &DeliveryVerdict, bounds: &[(String, Figure)]) -> AnyView {
    if verdict.hops.is_empty() {
        return ().into_any();
    }
    let rows: Vec<AnyView> = verdict.hops.iter().map(|hop| row(desk, verdict, hop, bounds)).collect();
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
}

fn row(desk: Desk, verdict: &DeliveryVerdict, hop: &HopRow, bounds: &[(String, Figure)]) -> AnyView {
    let is = |weak: Option<&crate::analysis::delivery::verdict::Hop>| weak.is_some_and(|weak| weak.at == hop.at);
    let duplicates = is(verdict.weakest.duplicate_origin.as_ref());
    let loss = is(verdict.weakest.loss.as_ref());
    let title = desk.design.with(|d| d.title(&hop.at));
    let id = hop.at.clone();
    let said = |text: &str| {
        if text.is_empty() {
            view! { <span class="quiet">"nothing"</span> }.into_any()
        } else {
            with_bounds(desk, text, bounds)
        }
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
            <td>{said(&hop.can_lose)}</td>
            <td>{said(&hop.adds)}</td>
            <td>{said(&hop.removes)}</td>
            <td class="second">{with_bounds(desk, &hop.mechanism, bounds)}</td>
            <td>{badge(&hop.leaves, duplicates || loss, 1.15)}</td>
            <td>{match hop.basis {
                Some(basis) => marks::basis(basis, ""),
                None => marks::absent("not known"),
            }}</td>
        </tr>
    }
    .into_any()
}
