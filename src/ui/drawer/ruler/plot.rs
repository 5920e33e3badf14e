//! The drawing: logs down, ages across on a logarithmic scale. Across in hundredths of the width, down in rem, so that it
//! follows pane and text size without being measured.

use super::{
    super::{
        super::{popover, store::Desk},
        chart::tone,
        facts,
    },
    Picture, Row,
};
use crate::{
    pictures::{
        labels::{self, Label},
        ruler::{Kind, Span},
    },
    platform::device,
};
use leptos::prelude::*;

/// Heights in rem.
const AXIS: f64 = 1.5;
const FLAG: f64 = 1.5;
const PAD: f64 = 0.5;
const BAR: f64 = 1.125;
const LINE: f64 = 1.0625;

fn rem(length: f64) -> String {
    format!("{length:.3}rem")
}

fn across(x: f64) -> String {
    format!("{x:.2}%")
}

/// A line for the name of a log in a narrow pane, where it stands over its bar.
const NAME: f64 = 1.375;

/// Height of a row with so much above its bar.
fn height(row: &Row, name: f64) -> f64 {
    let lines = labels::lines(&row.labels) as f64;
    (name + PAD + below(row) + LINE * lines + PAD + 0.125).max(2.75)
}

/// Where the words of a log begin below its upper edge: under the bar, and under what is missing.
fn below(row: &Row) -> f64 {
    match (row.spans.is_empty(), row.short.is_some()) {
        (true, _) => 0.0,
        (false, false) => BAR,
        (false, true) => BAR + LINE,
    }
}

/// The figure: logs at the left, which the keyboard steps through, the ruler at the right.
pub fn figure(desk: Desk, picture: &Picture, at: usize, log: ArcRwSignal<String>, narrow: bool) -> AnyView {
    let name = if narrow { NAME } else { 0.0 };
    let head = if picture.need.is_some() { AXIS + FLAG } else { AXIS };
    let mut tops = vec![head];
    for row in &picture.rows {
        tops.push(tops.last().copied().unwrap_or(head) + height(row, name));
    }
    let ids: Vec<String> = picture.rows.iter().map(|row| row.id.to_string()).collect();
    let buttons: Vec<AnyView> =
        picture.rows.iter().enumerate().map(|(n, row)| button(desk, row, n == at, log.clone(), name)).collect();
    let moved = move |event: leptos::ev::KeyboardEvent| {
        let Some(next) = facts::stepped(&event, at, ids.len()) else { return };
        if let Some(id) = ids.get(next) {
            take(desk, &log, id);
            device::focus(&format!("[data-log=\"{id}\"]"));
        }
    };
    let more = (picture.more > 0).then(|| view! { <p class="small quiet">{format!("and {} more", picture.more)}</p> });
    view! {
        <div class="tl-scroll" role="group" aria-label="How far back, log by log">
            <div class="rl-figure" class:narrow=narrow>
                <div class="rl-names">
                    <p class="tl-lane quiet small" style:height=rem(head)>{if narrow { "" } else { "how far back, log scale" }}</p>
                    <div role="radiogroup" aria-label="Logs and sources" on:keydown=moved>{buttons}</div>
                    {more}
                </div>
                <div class="rl-plot-box">
                    {plot(picture, &tops, at, name)}
                    {flag(desk, picture)}
                </div>
            </div>
        </div>
    }
    .into_any()
}

/// Looks at a log; what was selected on the canvas goes before it, so it is let go.
fn take(desk: Desk, log: &ArcRwSignal<String>, id: &str) {
    log.set(id.to_owned());
    if desk.selection.with_untracked(|selection| !selection.is_empty()) {
        desk.select([]);
    }
}

fn button(desk: Desk, row: &Row, chosen: bool, log: ArcRwSignal<String>, name: f64) -> AnyView {
    let id = row.id.to_string();
    let own = id.clone();
    // What is seen comes first, then what the drawing says of it.
    let spoken = format!(", {}", row.spoken);
    view! {
        <button
            type="button"
            role="radio"
            class="tl-record rl-log"
            style:height=rem(height(row, name))
            aria-checked=chosen.to_string()
            tabindex=if chosen { "0" } else { "-1" }
            data-log=id.clone()
            data-kept=format!("log {id}")
            on:click=move |_| take(desk, &log, &own)
        >
            <span class="rl-name"><b class="cut">{row.name.clone()}</b> <span class="small quiet cut">{row.under.clone()}</span></span>
            <span class="hidden-text">{spoken}</span>
        </button>
    }
    .into_any()
}

fn plot(picture: &Picture, tops: &[f64], at: usize, name: f64) -> AnyView {
    let (head, bottom) = (tops.first().copied().unwrap_or(AXIS), tops.last().copied().unwrap_or(AXIS));
    let ticks: Vec<AnyView> = picture
        .ticks
        .iter()
        .map(|tick| {
            view! {
                <line class="tl-grid" x1=across(tick.at) x2=across(tick.at) y1=rem(AXIS) y2=rem(bottom) />
                <text class="tl-tick" x=across(tick.at) y="0.9rem" text-anchor="middle">{tick.text.clone()}</text>
            }
            .into_any()
        })
        .collect();
    let rows: Vec<AnyView> = picture
        .rows
        .iter()
        .zip(tops.windows(2))
        .enumerate()
        .map(|(n, (row, tops))| one(row, tops[0], tops[1], n == at, name))
        .collect();
    // From the flag down to the first log that something is needed of.
    let first = picture.rows.iter().zip(tops).find(|(row, _)| row.needed_at.is_some()).map(|(_, top)| *top);
    let pole = picture.need.as_ref().zip(first).map(|(need, top)| {
        view! { <line class="rl-pole" x1=across(need.x) x2=across(need.x) y1=rem(head - 0.25) y2=rem(top + name + PAD) /> }
    });
    view! {
        <svg class="tl-plot rl-plot" role="img" aria-label=picture.headline.clone() style:height=rem(bottom)>
            {ticks}
            {rows}
            {pole}
            <line class="rl-now" x1=across(picture.now) x2=across(picture.now) y1=rem(AXIS) y2=rem(bottom) />
            <text class="tl-tick rl-now-word" x=across(picture.now) y="0.9rem" text-anchor="middle">"now"</text>
        </svg>
    }
    .into_any()
}

/// One log: its spans, what is needed of it, its words.
fn one(row: &Row, top: f64, bottom: f64, chosen: bool, name: f64) -> AnyView {
    let y = top + name + PAD;
    let order = [Kind::NotReached, Kind::Most, Kind::Typical, Kind::Least, Kind::Proposed, Kind::Short];
    let spans = order.into_iter().flat_map(|kind| row.spans.iter().filter(move |span| span.kind == kind));
    let spans: Vec<AnyView> = spans.map(|one| span(*one, y)).collect();
    let words: Vec<AnyView> =
        row.labels.iter().map(|one| label(one, y + below(row) + LINE * (one.line as f64 + 0.8))).collect();
    let class = match row.enough {
        Some(false) => "rl-need short",
        _ => "rl-need",
    };
    let need = row.needed_at.map(|x| {
        view! { <line class=class x1=across(x) x2=across(x) y1=rem(y - 0.25) y2=rem(y + if row.short.is_some() { BAR + LINE } else { BAR + 0.25 }) /> }
    });
    view! {
        <rect class="tl-now" class:now=chosen x="0" width="100%" y=rem(top) height=rem(bottom - top) />
        <line class="tl-grid" x1="0" x2="100%" y1=rem(top) y2=rem(top) />
        {spans}
        {need}
        {row.short.as_ref().map(|one| label(one, y + BAR + LINE * 0.8))}
        {words}
    }
    .into_any()
}

fn span(span: Span, y: f64) -> AnyView {
    let rect = |class: &'static str, top: f64, height: f64| {
        view! { <rect class=class x=across(span.from) width=across(span.to - span.from) y=rem(top) height=rem(height) /> }
            .into_any()
    };
    // What has no bound goes on beyond the edge.
    let endless = (span.from <= 0.0).then(|| {
        view! { <svg x="0" y=rem(y + BAR / 2.0) overflow="visible"><path class="rl-endless" d="M8 -5L2 0L8 5" /></svg> }
    });
    let drawn = match span.kind {
        Kind::Least => rect("rl-least", y, BAR),
        Kind::Proposed => rect("rl-proposed", y, BAR),
        Kind::Typical => rect("rl-typical", y + 0.0625, BAR - 0.125),
        Kind::NotReached => rect("rl-limit", y + 0.375, BAR - 0.75),
        Kind::Short => rect("rl-short", y + BAR + 0.3125, 0.5625),
        Kind::Most => {
            let middle = rem(y + BAR / 2.0);
            view! {
                <line class="rl-most" x1=across(span.from) x2=across(span.to) y1=middle.clone() y2=middle />
                <line class="rl-most" x1=across(span.from) x2=across(span.from) y1=rem(y + 0.25) y2=rem(y + BAR - 0.25) />
            }
            .into_any()
        }
    };
    view! { {drawn} {endless} }.into_any()
}

fn label(of: &Label, y: f64) -> AnyView {
    let (anchor, shift) = if of.left { ("end", "-0.25rem") } else { ("start", "0.25rem") };
    view! { <text class=tone(of.tone) x=across(of.x) dx=shift y=rem(y) text-anchor=anchor>{of.text.clone()}</text> }
        .into_any()
}

/// The flag of what is needed, beside its pole; it opens where that is stated.
fn flag(desk: Desk, picture: &Picture) -> Option<AnyView> {
    let need = picture.need.as_ref()?;
    let short = picture.rows.iter().any(|row| row.enough == Some(false));
    let left = need.x > 25.0;
    let class = match (short, left) {
        (true, true) => "rl-flag short",
        (true, false) => "rl-flag short right",
        (false, true) => "rl-flag",
        (false, false) => "rl-flag right",
    };
    let (from_left, from_right) =
        if left { (None, Some(across(100.0 - need.x))) } else { (Some(across(need.x)), None) };
    let flag = popover::worded(desk, facts::explains(desk, &need.figure), class, need.text.clone());
    Some(
        view! { <span class="rl-flag-place" style:top=rem(AXIS) style:left=from_left style:right=from_right>{flag}</span> }
            .into_any(),
    )
}

/// What the signs mean, as far as they are drawn.
pub fn legend(picture: &Picture) -> AnyView {
    let there = |kind: Kind| picture.rows.iter().any(|row| row.spans.iter().any(|span| span.kind == kind));
    let all = [
        (Kind::Least, "rl-least", "at least"),
        (Kind::Proposed, "rl-proposed", "at least, proposed"),
        (Kind::Typical, "rl-typical", "typical: mean partition"),
        (Kind::Most, "rl-most", "at most"),
        (Kind::NotReached, "rl-limit", "limit that is not reached"),
        (Kind::Short, "rl-short", "missing to what is needed"),
    ];
    let keys: Vec<AnyView> = all
        .into_iter()
        .filter(|(kind, ..)| there(*kind))
        .map(|(kind, class, words)| {
            let sign = match kind {
                Kind::Most => view! { <line class=class x1="2" x2="24" y1="9" y2="9" /> }.into_any(),
                Kind::NotReached => view! { <rect class=class x="2" width="22" y="6" height="6" /> }.into_any(),
                Kind::Short => view! { <rect class=class x="2" width="22" y="5" height="8" /> }.into_any(),
                _ => view! { <rect class=class x="2" width="22" y="2" height="14" /> }.into_any(),
            };
            view! { <span class="row"><svg class="tl-key" viewBox="0 0 26 18" aria-hidden="true">{sign}</svg> {words}</span> }
                .into_any()
        })
        .collect();
    view! {
        <div class="tl-legend small second">
            {keys}
            <span>"Arrow keys step through the logs; Escape leads back to the tab."</span>
        </div>
    }
    .into_any()
}
