//! One element: silhouette, texts, tabs, marks and ports.

use super::{rename, state::Canvas};
use crate::{
    canvas::{
        Rect,
        picture::{BasisMark, Card, Existence, Mark, Number},
        svg,
        tool::State,
        viewport::Detail,
    },
    model::{ElementKind, Id, counted, key},
    ui::{popover, store::Explains},
};
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast;

/// One element by its id; its place and its card are signals of their own.
pub fn element(canvas: Canvas, id: Id) -> AnyView {
    let (card, spoken) = (canvas.card_of(&id), canvas.label_of(&id));
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
    let (selected, locked) = (canvas.is_selected(&id), canvas.is_locked(&id));
    let renaming = Memo::new(move |_| canvas.renaming.with(|r| key.with_value(|id| r.as_ref() == Some(id))));
    let label = move || {
        let mut label = spoken.get();
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
        let target = canvas.target.with(|target| match target {
            Some((over, may)) if key.with_value(|id| id == over) => {
                if *may {
                    " target"
                } else {
                    " no-target"
                }
            }
            _ => "",
        });
        let chosen = if selected.get() { " selected" } else { "" };
        let in_job = if kind == ElementKind::Operator { " in-job" } else { "" };
        let found = match card.with(|card| card.as_ref().and_then(|card| card.mark)) {
            Some(Mark::Halt | Mark::Error) => " cv-found-error",
            Some(Mark::Warning) => " cv-found-warning",
            Some(Mark::Note) | None => "",
        };
        format!("cv-el cv-{}{state}{target}{chosen}{in_job}{found}", kind.name())
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
            {if kind == ElementKind::Job { job(canvas, key, card, renaming, width) } else { body(canvas, key, card, renaming, width) }}
            {
                let tabbed = part(card, |a, b| a.existence == b.existence && a.mark == b.mark && a.ends_here == b.ends_here);
                move || tabbed.with(|card| card.as_ref().map(|card| tabs(card, locked.get())))
            }
            {ports(kind)}
        </div>
    }
    .into_any()
}

fn size_of(place: &ArcRwSignal<Rect>, of: fn(&Rect) -> f64) -> Memo<f64> {
    let place = place.clone();
    Memo::new(move |_| place.with(of))
}

/// What an element is called aloud.
const fn kind_word(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Batch => "batch path",
        ElementKind::Job => "job frame",
        kind => kind.name(),
    }
}

/// A number that can be asked about; while only its value changes, only that is written.
fn number(now: impl Fn() -> Option<Number> + Copy + Send + Sync + 'static) -> AnyView {
    let around = Memo::new(move |_| {
        now().map(|number| {
            // The name is what is seen, with the word of the mark after it: who speaks to the page finds it by what is seen.
            let word = number.mark.map(BasisMark::word).filter(|word| *word != number.text);
            (number.lead, number.mark, number.tail, word)
        })
    });
    let text = move || now().map(|number| number.text);
    let drawn = move || {
        let (lead, mark, tail, word) = around.get()?;
        let rest = word.map_or_else(|| ". Explain".to_owned(), |word| format!(", {word}. Explain"));
        Some(view! {
            <span class="cv-number" role="button" aria-haspopup="dialog">
                {(!lead.is_empty()).then(|| view! { <span class="cv-lead">{lead}</span> })}
                <b>{text}</b>
                {mark.map(|mark| {
                    view! { <span class="cv-mark" aria-hidden="true" title=mark.word() inner_html=svg::basis(mark)></span> }
                })}
                {(!tail.is_empty()).then(|| view! { <span class="cv-tail">{tail}</span> })}
                <span class="hidden-text">{rest}</span>
            </span>
        })
    };
    drawn.into_any()
}

/// A card as long as it says the same of what `same` looks at: what is drawn from it is left alone by other changes.
fn part(card: RwSignal<Option<Arc<Card>>>, same: fn(&Card, &Card) -> bool) -> Memo<Option<Arc<Card>>> {
    Memo::new_owning(move |before: Option<Option<Arc<Card>>>| {
        let now = card.get();
        let changed = before.is_none_or(|before| match (&before, &now) {
            (Some(before), Some(now)) => !same(before, now),
            (before, now) => before.is_some() || now.is_some(),
        });
        (now, changed)
    })
}

/// The name, or the field where it is being written.
fn name(canvas: Canvas, id: StoredValue<Id>, words: Memo<Option<Arc<Card>>>, renaming: Memo<bool>) -> AnyView {
    let text = move || words.with(|card| card.as_ref().map(|card| card.name.clone())).unwrap_or_default();
    (move || {
        if renaming.get() {
            return rename::field(canvas, id.get_value(), &untrack(text));
        }
        view! { <span class="cv-name">{text}</span> }.into_any()
    })
    .into_any()
}

fn technology(words: Memo<Option<Arc<Card>>>) -> String {
    words.with(|card| card.as_ref().map(|card| card.technology.clone())).unwrap_or_default()
}

fn job(
    canvas: Canvas,
    id: StoredValue<Id>,
    card: RwSignal<Option<Arc<Card>>>,
    renaming: Memo<bool>,
    width: Memo<f64>,
) -> AnyView {
    let words = part(card, |a, b| a.technology == b.technology && a.name == b.name);
    let header = part(card, |a, b| a.header == b.header);
    let wide = Memo::new(move |_| width.get() > 240.0);
    let recovery = number(move || {
        header.with(|card| card.as_ref()?.header.as_ref().filter(|_| wide.get()).map(|header| header.recovery.clone()))
    });
    view! {
        <div class="cv-head">
            {name(canvas, id, words, renaming)}
            <span class="cv-tech">{move || technology(words)}</span>
            {recovery}
        </div>
    }
    .into_any()
}

/// The small icon before the technology, and the large one that stands for the element far out.
fn icons(card: &Card) -> (&'static str, &'static str) {
    match (card.kind, card.icon) {
        (ElementKind::Channel, _) => ("", "topic"),
        (ElementKind::Consumer, "") => ("screen", "screen"),
        (ElementKind::Batch, "") => ("batch", "batch"),
        (ElementKind::Source, "") => ("", "service"),
        (ElementKind::Sink, "") => ("", "table"),
        (_, icon) => (icon, icon),
    }
}

fn body(
    canvas: Canvas,
    id: StoredValue<Id>,
    card: RwSignal<Option<Arc<Card>>>,
    renaming: Memo<bool>,
    width: Memo<f64>,
) -> AnyView {
    let words = part(card, |a, b| a.technology == b.technology && a.name == b.name && a.icon == b.icon);
    let icon = Memo::new(move |_| words.with(|card| card.as_deref().map(icons)).unwrap_or_default());
    let small = move || {
        let icon = svg::icon(icon.get().0);
        (!icon.is_empty()).then(|| view! { <span class="cv-icon-box" inner_html=icon></span> })
    };
    view! {
        <div class="cv-text">
            <span class="cv-tech">
                {small}
                <span class="cv-tech-word">{move || technology(words)}</span>
            </span>
            {name(canvas, id, words, renaming)}
            {figure(canvas, card, width)}
            {partitions(id, card)}
        </div>
        <div class="cv-glyph" inner_html=move || svg::icon(icon.get().1)></div>
        <div class="cv-under">{move || words.with(|card| card.as_ref().map(|card| card.name.clone()))}</div>
    }
    .into_any()
}

/// The one number, and behind it what it is today where both views are shown. Names and numbers never fall under 11 px of
/// screen: the number of today makes way first, then the other one.
fn figure(canvas: Canvas, card: RwSignal<Option<Arc<Card>>>, width: Memo<f64>) -> AnyView {
    let shown = part(card, |a, b| a.number == b.number && a.was == b.was);
    let fits = Memo::new(move |_| {
        let near = canvas.detail.get() == Detail::Near;
        let size = if near { 12.5 } else { (11.0 / canvas.zoom.get()).max(13.5) };
        let wide = |chars: usize| chars as f64 * size * 0.52;
        let room = width.get() - 22.0;
        shown.with(|card| {
            let chars = |text: Option<&String>| text.map_or(0, |text| text.chars().count());
            let now = chars(card.as_ref().and_then(|card| card.number.as_ref()).map(|number| &number.text));
            let was = chars(card.as_ref().and_then(|card| card.was.as_ref())) + 2;
            (near || wide(now) < room, wide(now + was) < room)
        })
    });
    // The number before what is worked out from it: a reader that asked `fits` first would bring the number up to date on
    // its way and never be told that it changed.
    let now = move || shown.with(|card| card.as_ref()?.number.clone().filter(|_| fits.get().0));
    let was = move || {
        let was = shown.with(|card| card.as_ref()?.was.clone().filter(|_| fits.get().1));
        was.map(|was| view! { <span class="cv-was">{was} " →"</span> })
    };
    let any = Memo::new(move |_| now().is_some());
    (move || any.get().then(|| view! { <span class="cv-figure">{was} {number(now)}</span> })).into_any()
}

fn partitions(id: StoredValue<Id>, card: RwSignal<Option<Arc<Card>>>) -> AnyView {
    let shown = part(card, |a, b| a.bars == b.bars);
    let drawn = move || {
        shown.with(|card| {
            let bars = card.as_ref()?.bars.as_ref()?;
            Some(view! {
                <span
                    class="cv-partitions"
                    data-explains=popover::name_of(&Explains::Setting(id.get_value(), key::channel::PARTITIONS.field()))
                    role="button"
                    aria-haspopup="dialog"
                >
                    <span>{format!("{} p", bars.partitions)}</span>
                    {(!bars.heights.is_empty()).then(|| view! { <span inner_html=svg::bars(bars)></span> })}
                    {(bars.more > 0).then(|| format!("+ {}", bars.more))}
                    <span class="hidden-text">{format!(", {}. Explain", counted(bars.partitions, "partition"))}</span>
                </span>
            })
        })
    };
    drawn.into_any()
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
