//! The drawing: windows, records one a row, watermarks. Across in hundredths of the width, down in rem, so that it follows
//! pane and text size without being measured.

use super::{
    super::super::{
        popover,
        store::{Desk, Explains},
    },
    stepped,
};
use crate::timeline::picture::{Bar, Follows, Mark, Picture, Record};
use leptos::prelude::*;

/// Heights in rem.
const AXIS: f64 = 1.5;
const BAR: f64 = 1.875;
const GAP: f64 = 0.5;
const LINE: f64 = 1.0;
const PAD: f64 = 0.75;

/// Where everything stands, from above.
struct Places {
    /// Top of each row of a record, and the bottom of the last.
    rows: Vec<f64>,
    /// Top of the lane of lateness.
    measured: f64,
    height: f64,
}

impl Places {
    fn of(picture: &Picture) -> Self {
        let mut y = AXIS + BAR * picture.bars.len() as f64 + GAP;
        let mut rows = vec![y];
        for record in &picture.records {
            y += row_height(record);
            rows.push(y);
        }
        let measured = y + GAP + 2.25 * picture.verticals.len() as f64 + GAP;
        let lanes = picture.measured.as_ref().map_or(1, |measured| measured.marks.len().max(1));
        Self { rows, measured, height: measured + 1.125 * lanes as f64 + GAP }
    }

    fn bottom(&self) -> f64 {
        self.rows.last().copied().unwrap_or(AXIS)
    }
}

fn row_height(record: &Record) -> f64 {
    PAD + LINE * (1 + record.then.len()) as f64
}

fn rem(length: f64) -> String {
    format!("{length:.3}rem")
}

fn across(x: f64) -> String {
    format!("{x:.2}%")
}

/// The figure: records at the left, which the keyboard steps through, the plot, what follows at the right.
pub fn figure(desk: Desk, picture: &Picture) -> AnyView {
    let places = Places::of(picture);
    let count = picture.records.len();
    let at = RwSignal::new(count.saturating_sub(1));
    let left: Vec<AnyView> = picture.records.iter().enumerate().map(|(n, record)| button(at, n, record)).collect();
    let right: Vec<AnyView> = picture.records.iter().enumerate().map(|(n, record)| follows(at, n, record)).collect();
    let bars = BAR * picture.bars.len() as f64 + GAP;
    let windows = if picture.bars.len() + picture.more == 1 { "Window" } else { "Windows" };
    let more = (picture.more > 0).then(|| format!("and {} more", picture.more));
    let measured = match &picture.measured {
        Some(measured) => {
            let what = Explains::Setting(measured.at.clone(), measured.field);
            popover::number(desk, what, "How late records are, measured. Explain".to_owned(), "measured".to_owned())
        }
        None => view! { <span class="quiet">"not measured"</span> }.into_any(),
    };
    let closing = places.measured - places.bottom();
    view! {
        <div class="tl-scroll" role="group" aria-label="Timeline, record by record">
            <div class="tl-figure">
                <div>
                    <p class="tl-lane quiet small" style:height=rem(AXIS)>"event time"</p>
                    <p class="tl-lane" style:height=rem(bars)><b>{windows}</b> <span class="small quiet">{more}</span></p>
                    <div role="radiogroup" aria-label="Records in the order in which they come" on:keydown=stepped(at, count)>{left}</div>
                    <p class="tl-lane" style:height=rem(closing)><b>"The clock reaches"</b></p>
                    <p class="tl-lane"><b>"How late they are"</b> <span class="block small">{measured}</span></p>
                </div>
                {plot(picture, &places, at)}
                <div class="tl-follows" aria-hidden="true">
                    <p class="tl-lane quiet small" style:height=rem(AXIS + bars)>"what follows"</p>
                    {right}
                </div>
            </div>
        </div>
    }
    .into_any()
}

fn button(at: RwSignal<usize>, n: usize, record: &Record) -> AnyView {
    let then: Vec<&str> = record.then.iter().map(|(_, words)| words.as_str()).collect();
    // What is seen comes first, then what becomes of it.
    let rest = format!(
        ": {}. {}",
        record.fate,
        if then.is_empty() { "Nothing is sent.".to_owned() } else { format!("{}.", then.join(". ")) },
    );
    view! {
        <button
            type="button"
            role="radio"
            class="tl-record"
            class:after=move || at.get() < n
            style:height=rem(row_height(record))
            aria-checked=move || (at.get() == n).to_string()
            tabindex=move || if at.get() == n { "0" } else { "-1" }
            data-record=(n + 1).to_string()
            on:click=move |_| at.set(n)
        >
            <span class="hidden-text">"Record "</span>
            <span class="quiet">{n + 1}</span> <span class="mono">{record.time.clone()}</span>
            {record.partition.map(|partition| view! { " " <span class="small quiet">{format!("p{partition}")}</span> })}
            <span class="hidden-text">{rest}</span>
        </button>
    }
    .into_any()
}

fn follows(at: RwSignal<usize>, n: usize, record: &Record) -> AnyView {
    let then: Vec<AnyView> = record
        .then
        .iter()
        .map(|(kind, words)| {
            let (class, sign) = match kind {
                Follows::Sent => ("tl-then sent", "▸ "),
                Follows::SentAgain => ("tl-then sent", "↻ "),
                Follows::TakenBack => ("tl-then", "↩ "),
                Follows::Dropped => ("tl-then quiet", "▪ "),
            };
            view! { <span class=class title=words.clone()>{sign} {words.clone()}</span> }.into_any()
        })
        .collect();
    view! {
        <div class="tl-row" class:now=move || at.get() == n class:after=move || at.get() < n style:height=rem(row_height(record))>
            <span class="tl-then" title=record.fate.clone()>{record.fate.clone()}</span>
            {then}
        </div>
    }
    .into_any()
}

fn line(x: f64, from: f64, to: f64, class: &'static str) -> AnyView {
    view! { <line class=class x1=across(x) x2=across(x) y1=rem(from) y2=rem(to) /> }.into_any()
}

/// Words beside a place; to the left of it in the right half, where they would not fit.
fn words(x: f64, y: f64, class: &'static str, text: String) -> AnyView {
    beside(x, y, class, text, x > 55.0)
}

fn beside(x: f64, y: f64, class: &'static str, text: String, left: bool) -> AnyView {
    let (anchor, shift) = if left { ("end", "-0.375rem") } else { ("start", "0.375rem") };
    view! { <text class=class x=across(x) dx=shift y=rem(y) text-anchor=anchor>{text}</text> }.into_any()
}

fn plot(picture: &Picture, places: &Places, at: RwSignal<usize>) -> AnyView {
    let ticks: Vec<AnyView> = picture
        .ticks
        .iter()
        .map(|tick| {
            let grid = line(tick.x, AXIS, places.height, "tl-grid");
            let text = view! { <text class="tl-tick" x=across(tick.x) y="0.9rem" text-anchor="middle">{tick.text.clone()}</text> };
            view! { {grid} {text} }.into_any()
        })
        .collect();
    let bars: Vec<AnyView> = picture.bars.iter().enumerate().map(|(n, of)| bar(of, AXIS + BAR * n as f64)).collect();
    let bottom = places.bottom();
    let verticals: Vec<AnyView> = picture
        .verticals
        .iter()
        .enumerate()
        .map(|(n, vertical)| {
            let y = bottom + GAP + 2.25 * n as f64;
            view! {
                {line(vertical.x, AXIS, y + 1.9, "tl-moment")}
                {words(vertical.x, y + 0.8, "tl-strong", vertical.text.clone())}
                {words(vertical.x, y + 1.8, "tl-small", vertical.how.clone())}
            }
            .into_any()
        })
        .collect();
    let rows: Vec<AnyView> = (0..picture.records.len()).map(|n| row(picture, places, n, at)).collect();
    let label = format!("{} {}", picture.headline, picture.about);
    view! {
        <svg class="tl-plot" role="img" aria-label=label style:height=rem(places.height)>
            {ticks} {bars} {rows} {verticals} {measured(picture, places)}
        </svg>
    }
    .into_any()
}

fn bar(of: &Bar, y: f64) -> AnyView {
    let rect = |from: f64, to: f64, class: &'static str| {
        view! { <rect class=class x=across(from) y=rem(y) width=across((to - from).max(0.0)) height="1.5rem" /> }
            .into_any()
    };
    let middle = |from: f64, to: f64, class: &'static str, text: String| {
        view! { <text class=class x=across((from + to) / 2.0) y=rem(y + 1.0) text-anchor="middle">{text}</text> }
            .into_any()
    };
    let first = of.first.unwrap_or(of.to);
    let until = of.until.unwrap_or(100.0);
    let open = if of.to - of.from > 20.0 { format!("{} open, {}", of.name, of.length) } else { of.length.clone() };
    let roomy = until - first > 30.0 && !of.lateness.is_empty();
    view! {
        {rect(of.from, of.to, "tl-open")}
        {(first > of.to).then(|| rect(of.to, first, "tl-waits"))}
        {(!of.lateness.is_empty()).then(|| rect(first, until, "tl-late"))}
        {middle(of.from, of.to, "tl-strong", open)}
        {roomy.then(|| middle(first, until, "tl-words", of.lateness.clone()))}
        {of.until.map(|until| line(until, y, y + 1.5, "tl-end"))}
    }
    .into_any()
}

/// A row: the record, and the watermarks once it has come.
fn row(picture: &Picture, places: &Places, n: usize, at: RwSignal<usize>) -> AnyView {
    let (Some(record), Some(top), Some(bottom)) =
        (picture.records.get(n), places.rows.get(n).copied(), places.rows.get(n + 1).copied())
    else {
        return ().into_any();
    };
    let before = n.checked_sub(1).and_then(|before| picture.records.get(before));
    let own = |record: &Record| record.watermark.as_ref().map(|(x, _)| *x);
    let merged = staircase(before.and_then(own), own(record), top, bottom, "tl-mark");
    let partitions: Vec<AnyView> = record
        .partitions
        .iter()
        .enumerate()
        .filter(|(_, of)| !of.idle)
        .map(|(which, of)| {
            let last = before.and_then(|before| before.partitions.get(which)?.x);
            let class = if which == 0 { "tl-partition first" } else { "tl-partition" };
            staircase(last, of.x, top, bottom, class)
        })
        .collect();
    let y = (top + bottom) / 2.0;
    view! {
        <rect class="tl-now" class:now=move || at.get() == n x="0" width="100%" y=rem(top) height=rem(bottom - top) />
        <line class="tl-grid" x1="0" x2="100%" y1=rem(top) y2=rem(top) />
        <g class="tl-step" class:after=move || at.get() < n>
            {partitions} {merged}
            <svg x=across(record.x) y=rem(y) overflow="visible">{glyph(record.mark)}</svg>
        </g>
    }
    .into_any()
}

fn staircase(before: Option<f64>, x: Option<f64>, top: f64, bottom: f64, class: &'static str) -> AnyView {
    let Some(x) = x else { return ().into_any() };
    let step = before.filter(|before| *before != x).map(|before| {
        view! { <line class=class x1=across(before) x2=across(x) y1=rem(top) y2=rem(top) /> }
    });
    view! { {step} {line(x, top, bottom, class)} }.into_any()
}

/// The sign of a record.
pub fn glyph(mark: Mark) -> AnyView {
    match mark {
        Mark::InTime => view! { <circle class="tl-in" r="6" /> }.into_any(),
        Mark::OutOfOrder => {
            view! { <circle class="tl-in" r="6" /><path class="tl-tail" d="M9 0H16M12 -3L9 0L12 3" /> }.into_any()
        }
        Mark::LateCounted => view! { <circle class="tl-ring" r="6" /> }.into_any(),
        Mark::SideOutput => view! { <path class="tl-side" d="M0 -7.5L7.5 0L0 7.5L-7.5 0Z" /> }.into_any(),
        Mark::Dropped => view! { <path class="tl-dropped" d="M0 -7.5L7.5 0L0 7.5L-7.5 0Z" /> }.into_any(),
        Mark::Gone => view! { <path class="tl-gone" d="M-6 -6L6 6M-6 6L6 -6" /> }.into_any(),
    }
}

/// How late records are, from the end of the first window on.
fn measured(picture: &Picture, places: &Places) -> AnyView {
    let end = picture.bars.first().map_or(0.0, |bar| bar.to);
    let marks = picture.measured.iter().flat_map(|measured| measured.marks.iter().enumerate());
    let marks: Vec<AnyView> = marks
        .map(|(n, mark)| {
            let y = places.measured + 1.125 * n as f64;
            let beyond = if mark.x >= 100.0 { " →" } else { "" };
            view! {
                <line class="tl-measured" x1=across(end) x2=across(mark.x) y1=rem(y + 0.5) y2=rem(y + 0.5) />
                {line(mark.x, y + 0.1, y + 0.9, "tl-measured")}
                {beside(mark.x, y + 0.85, "tl-words", format!("{}{beyond}", mark.text), mark.x > 80.0)}
            }
            .into_any()
        })
        .collect();
    marks.into_any()
}
