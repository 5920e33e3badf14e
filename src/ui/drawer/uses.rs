//! What rests on a figure, and which proposals would change it.

use super::{
    super::{kit::fix_button, store::Desk},
    explain::Where,
};
use crate::{
    action::Figure,
    analysis::explain::{Derived, Explained},
    model::View,
    rules::{Fix, Review},
};
use leptos::prelude::*;
use std::sync::Arc;

/// Most figures and proposals that are listed.
const LISTED: usize = 6;
/// Each proposal that is tried costs an analysis of the whole design.
const TRIED: usize = 3;

/// Is this figure an input of another one, at any depth?
fn rests_on(explained: &Explained, on: &Explained) -> bool {
    explained
        .inputs()
        .iter()
        .any(|input| (input.what == on.what && input.of == on.of && input.value == on.value) || rests_on(input, on))
}

/// The figures that are computed from this one.
pub fn used_by(
    desk: Desk,
    of: &Review,
    figure: &Figure,
    ours: Option<&std::sync::Arc<Explained>>,
    at: Where,
) -> AnyView {
    let Some(ours) = ours else { return ().into_any() };
    let users: Vec<(String, Figure)> = desk.meaning.with(|design| {
        let all = design.elements.keys().flat_map(|id| Figure::all_of(design, of, id));
        let users = all.filter(|(other, derived)| other != figure && derived.as_ref().is_ok_and(|e| rests_on(e, ours)));
        users
            .take(LISTED)
            .map(|(other, _)| (format!("{} of {}", other.kind.title(), design.title(&other.of)), other))
            .collect()
    });
    if users.is_empty() {
        return ().into_any();
    }
    let rows: Vec<AnyView> = users
        .into_iter()
        .map(|(text, target)| {
            view! { <li><button type="button" class="plain-link" on:click=move |_| at.open(desk, target.clone())>{text}</button></li> }
                .into_any()
        })
        .collect();
    view! { <h3 class="label">"Used by"</h3> <ul class="used-by">{rows}</ul> }.into_any()
}

/// The proposals of findings that would give this figure another value, each with that value.
pub fn would_change(desk: Desk, of: &Review, figure: &Figure, now: &Derived) -> AnyView {
    let text = |derived: &Derived| derived.as_ref().map_or_else(|_| "not derivable".to_owned(), |e| e.text());
    let before = text(now);
    let fixes = of.findings.iter().filter(|finding| finding.accepted.is_none() && finding.about.contains(&figure.of));
    let tried = fixes.filter_map(|finding| finding.fix.as_ref()).take(TRIED).filter_map(|fix| {
        let mut design = (*desk.meaning.get_untracked()).clone();
        design.apply(fix.edit.clone()).ok()?;
        let after = text(&figure.resolve(&desk.what_if(&Arc::new(design), View::ToBe))?);
        (after != before).then_some((fix, after))
    });
    let rows: Vec<AnyView> = tried
        .map(|(fix, after)| {
            let button = fix_button(desk, &Fix { label: fix.label.clone(), edit: fix.edit.clone() }, false);
            view! { <div>{button} <p class="small second">"It would be " <strong>{after}</strong> "."</p></div> }
                .into_any()
        })
        .collect();
    if rows.is_empty() {
        return ().into_any();
    }
    view! { <h3 class="label">"What would change it"</h3> <div class="would-change">{rows}</div> }.into_any()
}
