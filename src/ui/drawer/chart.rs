//! A chart on screen: lines and areas stretch with the pane, words keep their size. Not here: what is drawn
//! (`pictures::chart`).

use super::super::marks::basis;
use crate::pictures::{
    Tick,
    chart::{Chart, Shape, Words},
    labels::Tone,
};
use leptos::prelude::*;

fn percent(x: f64) -> String {
    format!("{x:.2}%")
}

/// The height of a place, which counts from below.
fn from_above(y: f64) -> String {
    percent(100.0 - y)
}

/// What it shows aloud: the sentence, and the words that stand on it.
fn aloud(chart: &Chart) -> String {
    let words: Vec<String> = chart.words.iter().map(Words::spoken).collect();
    if words.is_empty() { chart.spoken.clone() } else { format!("{} On it: {}.", chart.spoken, words.join("; ")) }
}

/// The figure.
pub fn figure(chart: &Chart) -> AnyView {
    let up: Vec<AnyView> = chart.up.iter().map(up_tick).collect();
    let across: Vec<AnyView> = chart.across.iter().map(across_tick).collect();
    let grid: Vec<AnyView> = chart.up.iter().map(|tick| level(tick.at, "tl-grid")).collect();
    let stretched: Vec<AnyView> = chart.shapes.iter().filter_map(stretched).collect();
    let whole: Vec<AnyView> = chart.shapes.iter().filter_map(whole).collect();
    let words: Vec<AnyView> = chart.words.iter().map(word).collect();
    view! {
        <figure class="ch" role="img" aria-label=aloud(chart)>
            <p class="ch-unit small quiet" aria-hidden="true">{chart.unit.clone()}</p>
            <div class="ch-up" aria-hidden="true">{up}</div>
            <div class="ch-plot" aria-hidden="true">
                <svg class="ch-layer">{grid}</svg>
                <svg class="ch-layer" viewBox="0 0 100 100" preserveAspectRatio="none">{stretched}</svg>
                <svg class="ch-layer tl-plot">{whole}</svg>
                {words}
            </div>
            <div class="ch-across" aria-hidden="true">{across}</div>
        </figure>
    }
    .into_any()
}

fn up_tick(tick: &Tick) -> AnyView {
    view! { <span style:top=from_above(tick.at)>{tick.text.clone()}</span> }.into_any()
}

fn across_tick(tick: &Tick) -> AnyView {
    view! { <span style:left=percent(tick.at)>{tick.text.clone()}</span> }.into_any()
}

fn level(y: f64, class: &'static str) -> AnyView {
    view! { <line class=class x1="0" x2="100%" y1=from_above(y) y2=from_above(y) /> }.into_any()
}

fn points(of: &[(f64, f64)]) -> String {
    let point = |(x, y): &(f64, f64)| format!("{x:.2},{:.2}", 100.0 - y);
    of.iter().map(point).collect::<Vec<_>>().join(" ")
}

/// What stretches with the pane.
fn stretched(shape: &Shape) -> Option<AnyView> {
    match shape {
        Shape::Area(line) => {
            let (first, last) = (line.first()?.0, line.last()?.0);
            let around = format!("{first:.2},100 {} {last:.2},100", points(line));
            Some(view! { <polygon class="ch-area" points=around /> }.into_any())
        }
        Shape::Path(line, tone) => {
            let class = if *tone == Tone::Bad { "ch-line bad" } else { "ch-line" };
            Some(view! { <polyline class=class points=points(line) /> }.into_any())
        }
        _ => None,
    }
}

/// What keeps its own measure.
fn whole(shape: &Shape) -> Option<AnyView> {
    match shape {
        Shape::Upright { x, to, tone } => {
            let class = if *tone == Tone::Bad { "ch-upright bad" } else { "ch-upright" };
            Some(view! { <line class=class x1=percent(*x) x2=percent(*x) y1="100%" y2=from_above(*to) /> }.into_any())
        }
        Shape::Level(y, Tone::Bad) => Some(level(*y, "ch-level bad")),
        Shape::Level(y, _) => Some(level(*y, "ch-level")),
        Shape::Lost(y) if *y > 90.0 => {
            Some(view! { <rect class="ch-lost" x="0" width="100%" y="0" height=from_above(*y) /> }.into_any())
        }
        Shape::Lost(y) => Some(
            view! {
                <rect class="ch-lost" x="0" width="100%" y=from_above(*y) height="0.375rem" />
                {level(*y, "ch-level bad")}
            }
            .into_any(),
        ),
        _ => None,
    }
}

/// How words of a picture are set.
pub const fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Strong => "tl-strong",
        Tone::Plain => "tl-words",
        Tone::Quiet => "tl-small rl-quiet",
        Tone::Bad => "tl-strong rl-bad",
        Tone::Proposed => "tl-strong rl-prop",
    }
}

/// How words over a chart are set.
const fn worded(tone: Tone) -> &'static str {
    match tone {
        Tone::Strong => "ch-word strong",
        Tone::Plain => "ch-word",
        Tone::Quiet => "ch-word quiet",
        Tone::Bad => "ch-word strong bad",
        Tone::Proposed => "ch-word strong proposed",
    }
}

/// Words of a fixed size at a place of a chart that stretches, and the mark of what they rest on. Where the pane has no
/// room for them there, the space before them gives way.
fn word(of: &Words) -> AnyView {
    let mark = of.basis.map(|of| basis(of, ""));
    let space = if of.left { 100.0 - of.x } else { of.x };
    let side = if of.left { "ch-words left" } else { "ch-words" };
    view! {
        <div class=side style:top=from_above(of.y)>
            <span class="ch-space" style:flex-basis=percent(space)></span>
            <span class=worded(of.tone)><span class="cut">{of.text.clone()}</span> {mark}</span>
        </div>
    }
    .into_any()
}
