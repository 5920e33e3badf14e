//! The text as pasted, with a mark a line.

use super::super::super::{
    marks::{Icon, Level, icon, severity},
    store::Desk,
};
use crate::{
    import::{LineNote, LineRef, LineState, Proposal},
    model::counted,
};
use leptos::prelude::*;

/// Most lines that are drawn; a large paste would make the page slow. What was not read comes first beyond them.
const DRAWN: usize = 400;

/// The input of a line by its name; nothing where there is only one.
fn input_name(desk: Desk, input: usize) -> Option<String> {
    desk.incoming.with_untracked(|all| {
        let unnamed = || all.iter().take(input + 1).filter(|one| one.name.is_none()).count();
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| format!("pasted text {}", unnamed()));
        all.get(input).filter(|_| all.len() > 1).map(|one| name(&one.name))
    })
}

/// Where a line stands: `topics.txt, line 2`, or `line 2` where there is one input.
pub fn place(desk: Desk, at: LineRef) -> String {
    match input_name(desk, at.input) {
        Some(name) => format!("{name}, line {}", at.number),
        None => format!("line {}", at.number),
    }
}

/// The list.
pub fn lines(desk: Desk, proposal: &Proposal) -> AnyView {
    let all = &proposal.lines;
    let rows: Vec<AnyView> = all
        .iter()
        .take(DRAWN)
        .map(|note| {
            let head = (note.at.number == 1).then(|| input_name(desk, note.at.input)).flatten();
            let head = head.map(|name| view! { <li class="small quiet dialog-pad">{name}</li> });
            view! { {head} {line(note)} }.into_any()
        })
        .collect();
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
            <h3 class="grow">"What was pasted " <span class="small quiet">{counted(all.len(), "line")}</span></h3>
            <button type="button" class="button link" on:click=move |_| super::super::super::session::choose_files(desk)>"Add more"</button>
            <button type="button" class="button link" on:click=move |_| desk.incoming.set(Vec::new())>"Start over"</button>
        </header>
        <ol class="import-line-list mono" tabindex="0" aria-label="Lines">
            {rows}
            {(beyond > 0).then(|| view! { <li class="small quiet dialog-pad">{format!("{beyond} more lines were read and are not drawn; what was not understood among them follows.")}</li> })}
            {odd}
        </ol>
        {remarks(desk, proposal)}
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
fn remarks(desk: Desk, proposal: &Proposal) -> AnyView {
    let at = |line: LineRef| {
        let place = place(desk, line);
        if place.starts_with("line ") { place.replacen('l', "L", 1) } else { place }
    };
    let odd = proposal.lines.iter().filter_map(|l| match &l.state {
        LineState::NotUnderstood(why) => Some(format!("{}: {why}.", at(l.at))),
        LineState::SecretRemoved => {
            Some(format!("{} looked like a secret, so it was removed before anything was read.", at(l.at)))
        }
        _ => None,
    });
    let remarks =
        proposal.remarks.iter().map(|remark| format!("{}: {}.", at(remark.at), remark.text.trim_end_matches('.')));
    let skipped = proposal.skipped.iter().map(|s| format!("{}: {}.", s.what, s.reason.trim_end_matches('.')));
    let all: Vec<AnyView> =
        odd.chain(remarks).chain(skipped).take(30).map(|text| view! { <li>{text}</li> }.into_any()).collect();
    if all.is_empty() {
        ().into_any()
    } else {
        view! { <ul class="import-remarks small second" tabindex="0" aria-label="Remarks">{all}</ul> }.into_any()
    }
}
