//! What a document lacks, with the command that closes each gap, and what it rests on that nobody read.

use super::super::{
    kit::{self, reveal},
    marks::{absent, basis},
    records,
    store::{Desk, Dialog},
};
use crate::{
    action::records::RecordKind,
    documents::{
        Assumption, Document,
        gap::{Closes, Gap, alike},
    },
};
use leptos::prelude::*;

/// What people add to the documents themselves.
const KINDS: &[RecordKind] = &[RecordKind::Question, RecordKind::Decision, RecordKind::Action];

/// The pane.
pub fn side(desk: Desk, document: &Document) -> AnyView {
    let gaps: Vec<AnyView> = alike(&document.gaps)
        .into_iter()
        .map(|one| match one.as_slice() {
            [single] => gap(desk, single),
            several => places(desk, several),
        })
        .collect();
    let assumptions: Vec<AnyView> = document.assumptions.iter().map(|one| assumption(desk, one)).collect();
    let withheld: Vec<AnyView> = document
        .withheld
        .iter()
        .map(|one| view! { <li>{one.claim.clone()} <span class="quiet">" (" {one.source.clone()} " could not be reached)"</span></li> }.into_any())
        .collect();
    view! {
        <h2 class="panel-title">"Gaps in this document"</h2>
        {if gaps.is_empty() { view! { <p class="second">"None."</p> }.into_any() } else { gaps.into_any() }}
        {(!assumptions.is_empty()).then(|| view! {
            <h2 class="panel-title">"Assumptions used"</h2>
            <ul class="assumptions">{assumptions}</ul>
        })}
        {(!withheld.is_empty()).then(|| view! {
            <h2 class="panel-title">"Claims withheld"</h2>
            <ul class="small second">{withheld}</ul>
        })}
        <div class="finding-records">{records::lists(desk, KINDS, None, "documents")}</div>
        <p class="small quiet reports-note">"Every claim names its hop and mechanism."</p>
    }
    .into_any()
}

/// What is missing at several places, each of which is shown by its name.
fn places(desk: Desk, gaps: &[&Gap]) -> AnyView {
    let Some(Gap { what, state, .. }) = gaps.first().copied().cloned() else { return ().into_any() };
    let named = |gap: &&Gap| {
        let id = gap.subject.clone()?;
        let title = desk.design.with_untracked(|design| design.title(&id));
        Some(view! { <li data-gap=""><button type="button" class="plain-link" on:click=move |_| reveal(desk, &id)>{title}</button></li> }.into_any())
    };
    let places: Vec<AnyView> = gaps.iter().filter_map(named).collect();
    view! {
        <section class="gap-card">
            <p class="row">{absent(state)} <strong class="grow">{what}</strong></p>
            <p class="small second">{format!("{state} at {} places:", gaps.len())}</p>
            <ul class="gap-places small">{places}</ul>
        </section>
    }
    .into_any()
}

fn gap(desk: Desk, gap: &Gap) -> AnyView {
    let title = gap.question.clone();
    let show = gap.subject.clone().map(|id| {
        view! { <button type="button" class="button link" on:click=move |_| reveal(desk, &id)>"Show"</button> }
    });
    let close = gap.close.clone().map(|close| {
        let command = match close {
            Closes::Command(command) => command,
            Closes::Answer(by) => {
                return view! { <p class="small second">{gap.state} ", to be answered by " {by}</p> }.into_any();
            }
        };
        let copied = command.clone();
        view! {
            <p class="small second">{gap.state} ". To close it, run and paste:"</p>
            <pre class="well">{command}</pre>
            <div class="row">
                <button type="button" class="button" on:click=move |_| kit::copy(desk, copied.clone(), "Copied".to_owned())>"Copy"</button>
                <button type="button" class="button link" on:click=move |_| desk.panes.ask(Dialog::Import)>"Paste output"</button>
            </div>
        }
        .into_any()
    });
    view! {
        <section class="gap-card" data-gap="">
            <p class="row">{absent(gap.state)} <strong class="grow">{title}</strong> {show}</p>
            {close.unwrap_or_else(|| view! { <p class="small second">{gap.state}</p> }.into_any())}
        </section>
    }
    .into_any()
}

fn assumption(desk: Desk, one: &Assumption) -> AnyView {
    let name = match &one.setting {
        Some((id, _)) => {
            let id = id.clone();
            view! { <button type="button" class="plain-link" on:click=move |_| reveal(desk, &id)>{one.what.clone()}</button> }.into_any()
        }
        None => one.what.clone().into_any(),
    };
    let used = (!one.used_in.is_empty()).then(|| format!(" Used in {}.", one.used_in.join(", ")));
    view! {
        <li class="row">
            {basis(one.basis, "")}
            <span class="small">{name} " " {one.value.clone()} ". " <span class="quiet">{one.source.clone()} {used}</span></span>
        </li>
    }
    .into_any()
}
