//! One element: silhouette, texts, tabs, marks and ports.

use super::{rename, state::Canvas, svg};
use crate::{
    canvas::{
        Rect,
        picture::{Card, Existence, Number},
        tool::State,
        viewport::Detail,
    },
    model::{ElementKind, Id},
};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// One element by its id; its place and its card are signals of their own.
pub fn element(canvas: Canvas, id: Id) -> AnyView {
    let card = {
        let id = id.clone();
        Memo::new(move |_| canvas.picture.read().cards.get(&id).cloned())
    };
    let kind = card.with_untracked(|card| card.as_ref().map(|card| card.kind));
    let Some(kind) = kind else { return ().into_any() };
    let place = canvas.box_of(&id);
    let key = StoredValue::new(id.clone());
    let at = {
        let place = place.clone();
        move || {
            let r = place.get();
            format!("translate({}px,{}px)", r.x, r.y)
        }
    };
    let (width, height) = (size_of(&place, |r| r.w), size_of(&place, |r| r.h));
    let selected = Memo::new(move |_| key.with_value(|id| canvas.desk.selection.read().contains(id)));
    let locked = Memo::new(move |_| key.with_value(|id| canvas.desk.design.read().layout.locked.contains(id)));
    let label = move || {
        let mut label = card.read().as_ref().map(|card| card.label.clone()).unwrap_or_default();
        for (holds, word) in [(locked.get(), ", locked"), (selected.get(), ", selected")] {
            if holds {
                label.push_str(word);
            }
        }
        label
    };
    let class = move || {
        let state = card.with(|card| card.as_ref().map(|card| card.existence)).unwrap_or_default();
        let state = match state {
            Existence::There => "",
            Existence::Proposed => " proposed",
            Existence::Changed => " changed",
            Existence::ToGo => " to-go",
        };
        let target = canvas.state.with(|state| target_class(state, &key.get_value()));
        let landing = key.with_value(|id| canvas.landing.read().as_ref() == Some(id));
        let target = if landing { " target" } else { target };
        let chosen = if selected.get() { " selected" } else { "" };
        let in_job = if kind == ElementKind::Operator { " in-job" } else { "" };
        format!("cv-el cv-{}{state}{target}{chosen}{in_job}", kind.name())
    };
    let focus = move |event: web_sys::FocusEvent| {
        let seen = event
            .current_target()
            .and_then(|t| t.dyn_into::<web_sys::Element>().ok())
            .is_some_and(|el| el.matches(":focus-visible").unwrap_or(false));
        if seen && !canvas.pressing.get_value() {
            let id = key.get_value();
            canvas.reveal(&std::iter::once(id.clone()).collect());
            if !canvas.state.with_untracked(State::chooses) {
                canvas.desk.select([id]);
            }
        }
    };
    let body_size = move || (width.get(), height.get());
    view! {
        <div
            class=class
            data-element-id=id.to_string()
            tabindex="0"
            role="group"
            aria-roledescription=kind_word(kind)
            aria-label=label
            style:transform=at
            style:width=move || format!("{}px", width.get())
            style:height=move || format!("{}px", height.get())
            on:focus=focus
        >
            {(kind != ElementKind::Job)
                .then(|| {
                    view! {
                        <div class="cv-shape" inner_html=move || { let (w, h) = body_size(); svg::silhouette(kind, w, h) }></div>
                    }
                })}
            {move || {
                let renaming = canvas.renaming.with(|r| r.as_ref() == Some(&key.get_value()));
                card.get().map(|card| body(canvas, key.get_value(), &card, renaming, width.get()))
            }}
            {move || card.with(|card| card.as_ref().map(|card| tabs(card, locked.get())))}
            {ports(kind)}
        </div>
    }
    .into_any()
}

fn size_of(place: &ArcRwSignal<Rect>, of: fn(&Rect) -> f64) -> Memo<f64> {
    let place = place.clone();
    Memo::new(move |_| place.with(of))
}

fn target_class(state: &State, id: &Id) -> &'static str {
    match state {
        State::Connecting { over: Some((over, may)), .. } | State::Reconnecting { over: Some((over, may)), .. }
            if over == id =>
        {
            if may.is_ok() {
                " target"
            } else {
                " no-target"
            }
        }
        _ => "",
    }
}

/// What an element is called aloud.
const fn kind_word(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Batch => "batch path",
        ElementKind::Job => "job frame",
        kind => kind.name(),
    }
}

fn number(number: &Number) -> AnyView {
    let mark = number.mark;
    view! {
        <span class="cv-number">
            {(!number.lead.is_empty()).then(|| view! { <span class="cv-lead">{number.lead}</span> })}
            <b>{number.text.clone()}</b>
            {mark.map(|mark| view! { <span class="cv-mark" title=mark.word() inner_html=svg::basis(mark)></span> })}
            {(!number.tail.is_empty()).then(|| view! { <span class="cv-tail">{number.tail}</span> })}
        </span>
    }
    .into_any()
}

fn name(canvas: Canvas, id: Id, card: &Card, renaming: bool) -> AnyView {
    if renaming {
        return rename::field(canvas, id, &card.name);
    }
    view! { <span class="cv-name">{card.name.clone()}</span> }.into_any()
}

fn body(canvas: Canvas, id: Id, card: &Card, renaming: bool, width: f64) -> AnyView {
    if card.kind == ElementKind::Job {
        return view! {
            <div class="cv-head">
                {name(canvas, id, card, renaming)}
                <span class="cv-tech">{card.technology.clone()}</span>
                {card.header.as_ref().filter(|_| width > 240.0).map(|header| number(&header.recovery))}
            </div>
        }
        .into_any();
    }
    let icon = svg::icon(match (card.kind, card.icon) {
        (ElementKind::Consumer, "") => "screen",
        (ElementKind::Batch, "") => "batch",
        (ElementKind::Channel, _) => "",
        (_, icon) => icon,
    });
    let glyph = svg::icon(match (card.kind, card.icon) {
        (ElementKind::Channel, _) => "topic",
        (ElementKind::Consumer, "") => "screen",
        (ElementKind::Source, "") => "service",
        (ElementKind::Sink, "") => "table",
        (ElementKind::Batch, "") => "batch",
        (_, icon) => icon,
    });
    let name_text = card.name.clone();
    let number_fits = {
        // Names and numbers never fall under 11 px of screen; what does not fit drops the number first.
        let chars = card.number.as_ref().map_or(0, |n| n.text.chars().count());
        move |zoom: f64| {
            let size = (11.0 / zoom).max(13.0);
            chars as f64 * size * 0.52 < width - 22.0
        }
    };
    let shown_number = card.number.clone();
    let was = card.was.clone();
    let bars = card.bars.clone();
    view! {
        <div class="cv-text">
            <span class="cv-tech">
                {(!icon.is_empty()).then(|| view! { <span class="cv-icon-box" inner_html=icon.clone()></span> })}
                <span class="cv-tech-word">{card.technology.clone()}</span>
            </span>
            {name(canvas, id, card, renaming)}
            {move || {
                let fits = canvas.detail.get() == Detail::Near || number_fits(canvas.view.read().zoom);
                shown_number
                    .as_ref()
                    .filter(|_| fits)
                    .map(|n| {
                        view! {
                            <span class="cv-figure">
                                {was.clone().map(|was| view! { <span class="cv-was">{was}" →"</span> })}
                                {number(n)}
                            </span>
                        }
                    })
            }}
            {bars
                .map(|bars| {
                    view! {
                        <span class="cv-partitions">
                            <span>{format!("{} p", bars.partitions)}</span>
                            {(!bars.heights.is_empty()).then(|| view! { <span inner_html=svg::bars(&bars)></span> })}
                            {(bars.more > 0).then(|| format!("+ {}", bars.more))}
                        </span>
                    }
                })}
        </div>
        <div class="cv-glyph" inner_html=glyph></div>
        <div class="cv-under">{name_text}</div>
    }
    .into_any()
}

fn tabs(card: &Card, locked: bool) -> AnyView {
    let tab = match card.existence {
        Existence::There => None,
        Existence::Proposed => Some(("+", "proposed")),
        Existence::Changed => Some(("Δ", "changed")),
        Existence::ToGo => Some(("×", "to be removed")),
    };
    view! {
        {tab.map(|(sign, word)| view! { <span class="cv-tab" title=word aria-hidden="true">{sign}</span> })}
        {card.mark.map(|mark| view! { <span class="cv-severity" title=mark.word() inner_html=svg::severity(mark)></span> })}
        {locked
            .then(|| {
                view! {
                    <span
                        class="cv-lock"
                        title="locked"
                        inner_html=r#"<svg viewBox="0 0 14 14" class="cv-icon" aria-hidden="true"><path d="M3 6.5h8v5.5H3zM4.6 6.5V4.4a2.4 2.4 0 0 1 4.8 0v2.1"/></svg>"#
                    ></span>
                }
            })}
        {card.ends_here.then(|| view! { <span class="cv-ends" title="ends here" aria-hidden="true"></span> })}
    }
    .into_any()
}

/// The outputs of a kind: by name as the document writes them, by what to say of them.
fn ports(kind: ElementKind) -> AnyView {
    let outputs: &[(&str, &str)] = match kind {
        ElementKind::Operator => &[
            ("main", "Drag to link"),
            ("dead_letter", "Dead-letter output: drag to a channel"),
            ("side", "Side output: drag to a channel"),
            ("late", "Late output: drag to a channel"),
        ],
        ElementKind::Batch => &[("main", "Drag to link"), ("dead_letter", "Dead-letter output: drag to a channel")],
        ElementKind::Sink => &[("main", "Drag to link"), ("reconcile", "Compare: drag to another sink")],
        ElementKind::Source | ElementKind::Channel => &[("main", "Drag to link")],
        ElementKind::Job | ElementKind::Consumer => &[],
    };
    let below = outputs.len().saturating_sub(1);
    outputs
        .iter()
        .enumerate()
        .map(|(at, (port, title))| {
            let left =
                if at == 0 { String::new() } else { format!("left:{}%", 100.0 * at as f64 / (below + 1) as f64) };
            view! { <span class=format!("cv-port cv-port-{port}") data-port=*port title=*title style=left></span> }
        })
        .collect_view()
        .into_any()
}
