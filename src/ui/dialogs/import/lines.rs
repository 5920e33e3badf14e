//! The text as pasted, with a mark a line.

use super::super::super::{
    marks::{Icon, Level, icon, severity},
    store::Desk,
};
use crate::import::{LineNote, LineState, Proposal};
use leptos::prelude::*;

/// Most lines that are drawn; a large paste would make the page slow. What was not read comes first beyond them.
const DRAWN: usize = 400;

/// The list.
pub fn lines(desk: Desk, proposal: &Proposal) -> AnyView {
    let all = &proposal.lines;
    let rows: Vec<AnyView> = all.iter().take(DRAWN).map(line).collect();
    let beyond = all.len().saturating_sub(DRAWN);
    let odd: Vec<AnyView> = all
        .iter()
        .skip(DRAWN)
        .filter(|l| matches!(l.state, LineState::NotUnderstood(_) | LineState::SecretRemoved | LineState::Conflict))
        .take(DRAWN)
        .map(line)
        .collect();
    view! {
        <header class="row import-lines-head">
            <h3 class="grow">"What was pasted " <span class="small quiet">{format!("{} lines", all.len())}</span></h3>
            <button type="button" class="button link" on:click=move |_| super::super::super::session::choose_files(desk)>"Add more"</button>
            <button type="button" class="button link" on:click=move |_| desk.incoming.set(Vec::new())>"Start over"</button>
        </header>
        <ol class="import-line-list mono" tabindex="0" aria-label="Lines">
            {rows}
            {(beyond > 0).then(|| view! { <li class="small quiet dialog-pad">{format!("{beyond} more lines were read and are not drawn; what was not understood among them follows.")}</li> })}
            {odd}
        </ol>
        {remarks(proposal)}
    }
    .into_any()
}

fn line(note: &LineNote) -> AnyView {
    let (mark, words, class) = match &note.state {
        LineState::Read => (severity(Level::Settled), String::new(), ""),
        LineState::Conflict => (severity(Level::Warning), "says something else than the design".to_owned(), "conflict"),
        LineState::NotUnderstood(why) => ("?".into_any(), format!("not understood: {why}"), "odd"),
        LineState::NotUsed(why) => ("".into_any(), (*why).to_owned(), "idle"),
        LineState::SecretRemoved => {
            (icon(Icon::Lock), "looked like a secret, so it was removed before anything was read".to_owned(), "idle")
        }
        LineState::Command => ("".into_any(), String::new(), "idle"),
        LineState::Noise | LineState::Blank => ("".into_any(), String::new(), "idle"),
    };
    let said: Vec<String> =
        [words, note.remark.clone().unwrap_or_default()].into_iter().filter(|t| !t.is_empty()).collect();
    view! {
        <li class=format!("import-line {class}") title=said.join("; ") data-line-state=class>
            <span class="line-number" aria-hidden="true">{note.at.number.to_string()}</span>
            <span class="line-mark">{mark}</span>
            <span class="line-text">{note.text.clone()}</span>
            {(!said.is_empty()).then(|| view! { <span class="hidden-text">{said.join("; ")}</span> })}
        </li>
    }
    .into_any()
}

/// What is worth saying about lines, and what was left out with the reason.
fn remarks(proposal: &Proposal) -> AnyView {
    let at = |line: usize| format!("Line {line}: ");
    let odd = proposal.lines.iter().filter_map(|l| match &l.state {
        LineState::NotUnderstood(why) => Some(format!("{}{why}.", at(l.at.number))),
        LineState::SecretRemoved => {
            Some(format!("Line {} looked like a secret, so it was removed before anything was read.", l.at.number))
        }
        _ => None,
    });
    let remarks =
        proposal.remarks.iter().map(|remark| format!("{}{}.", at(remark.at.number), remark.text.trim_end_matches('.')));
    let skipped = proposal.skipped.iter().map(|s| format!("{}: {}.", s.what, s.reason.trim_end_matches('.')));
    let all: Vec<AnyView> =
        odd.chain(remarks).chain(skipped).take(30).map(|text| view! { <li>{text}</li> }.into_any()).collect();
    if all.is_empty() {
        ().into_any()
    } else {
        view! { <ul class="import-remarks small second" tabindex="0" aria-label="Remarks">{all}</ul> }.into_any()
    }
}
