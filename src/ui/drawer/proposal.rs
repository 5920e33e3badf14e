//! What a fix would give: the first one that gives a consumer another badge. Each try is an analysis of the whole
//! design, so few are tried, one a task, once the hands are quiet.

use super::{
    super::{kit::fix_button, marks::badge, store::Desk},
    shown::Shown,
};
use crate::{
    analysis::delivery::verdict::Badge,
    model::{Id, View},
    platform::{clock, frame},
    rules::{Finding, Fix},
};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*};
use std::{sync::Arc, time::Duration};

/// Nothing is tried while edits follow each other faster than this.
const QUIET: Duration = Duration::from_millis(250);
/// So many fixes are tried.
const TRIES: usize = 4;

/// A fix and what it would give.
#[derive(Clone, PartialEq)]
pub struct Proposal {
    gives: Badge,
    label: String,
    because: String,
    edit: crate::edit::Edit,
}

/// What a fix would give the consumer; found some time after an edit.
pub fn proposal(desk: Desk, from: Memo<Shown>) -> RwSignal<Option<Proposal>> {
    let found = RwSignal::new(None);
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    let stop = move || {
        if let Some(handle) = waiting.try_update_value(Option::take).flatten() {
            handle.clear();
        }
    };
    Effect::new(move |_| {
        let shown = from.get();
        stop();
        // A fix changes what shall be; where that is not what is shown, there is nothing to compare.
        let to_be = untrack(|| desk.settled_review(View::ToBe));
        let same = to_be.consumers.get(&shown.id).map(|c| &c.delivery) == shown.report().map(|c| &c.delivery);
        let tries = if same { candidates(&shown) } else { Vec::new() };
        if tries.is_empty() {
            found.set(None);
            return;
        }
        waiting.set_value(set_timeout_with_handle(move || attempt(desk, shown, tries, found), QUIET).ok());
    });
    on_cleanup(stop);
    found
}

/// The fixes on the way to this consumer, the one to try first last.
fn candidates(shown: &Shown) -> Vec<Proposal> {
    let Some(verdict) = shown.report().map(|report| &report.delivery) else { return Vec::new() };
    let weakest = verdict.weakest.duplicate_origin.iter().chain(&verdict.weakest.loss).map(|hop| &hop.at);
    let places: Vec<&Id> = weakest.chain(verdict.hops.iter().map(|row| &row.at)).collect();
    let on_path =
        |finding: &&Arc<Finding>| finding.accepted.is_none() && finding.about.iter().any(|id| places.contains(&id));
    let fixes = shown.review.findings.iter().filter(on_path).filter_map(|finding| {
        let fix = finding.fix.as_ref()?;
        let (label, because) = (fix.label.clone(), finding.message.clone());
        Some(Proposal { gives: verdict.badge.clone(), label, because, edit: fix.edit.clone() })
    });
    let mut tries: Vec<Proposal> = fixes.take(TRIES).collect();
    tries.reverse();
    tries
}

/// Tries the next one, as long as nothing else was edited and somebody looks.
fn attempt(desk: Desk, shown: Shown, mut tries: Vec<Proposal>, found: RwSignal<Option<Proposal>>) {
    let current = desk.settled.with_untracked(|settled| Arc::ptr_eq(settled, &shown.design));
    if !current || found.is_disposed() {
        return;
    }
    let Some(next) = tries.pop() else { return found.set(None) };
    match gives(desk, &shown, &next) {
        Some(gives) => found.set(Some(Proposal { gives, ..next })),
        None => frame::after(move || attempt(desk, shown, tries, found)),
    }
}

/// The badge after the fix, where it is another one.
fn gives(desk: Desk, shown: &Shown, proposal: &Proposal) -> Option<Badge> {
    let mut design = (*shown.design).clone();
    design.apply(proposal.edit.clone()).ok()?;
    clock::mark("try");
    let after = desk.what_if(&Arc::new(design), View::ToBe);
    let badge = &after.consumers.get(&shown.id)?.delivery.badge;
    (badge.text() != proposal.gives.text()).then(|| badge.clone())
}

/// Its card.
pub fn card(desk: Desk, proposal: &Proposal) -> AnyView {
    let fix = Fix { label: "Propose".to_owned(), edit: proposal.edit.clone() };
    view! {
        <div class="weak-card">
            {badge(&proposal.gives, false, 1.4)}
            <p class="grow" title=proposal.because.clone()>
                <strong>{proposal.label.clone()}</strong>
                <span class="small quiet block cut">{proposal.because.clone()}</span>
            </p>
            {fix_button(desk, &fix, false)}
        </div>
    }
    .into_any()
}
