//! What lies over the drawing while something is done: marquee, guides, the link in the making, offers.

use super::state::Canvas;
use crate::{
    canvas::{
        Point, Rect,
        hit::End,
        tool::{Event, State},
    },
    model::{ElementKind, Id, Port},
};
use leptos::{ev::KeyboardEvent, prelude::*};

/// Marquee, guides and the link in the making, in canvas units.
pub fn gestures(canvas: Canvas) -> AnyView {
    end_with_design(canvas);
    view! {
        {move || match canvas.state.get() {
            State::Marquee { from, to, .. } => {
                let r = Rect::spanning(from, to);
                Some(view! { <rect class="cv-marquee" x=r.x y=r.y width=r.w height=r.h /> }.into_any())
            }
            State::Connecting { from, port, to, over } => start_of(canvas, &from, port).map(|start| {
                let refused = over.is_some_and(|(_, may)| may.is_err());
                thread(start, to, refused)
            }),
            State::Reconnecting { link, end, to, over } => {
                let route = canvas.way_of(&link).get_untracked();
                let fixed = if end == End::From { route.points.last() } else { route.points.first() };
                let refused = over.is_some_and(|(_, may)| may.is_err());
                fixed.map(|fixed| if end == End::From { thread(to, *fixed, refused) } else { thread(*fixed, to, refused) })
            }
            State::Choosing { from } => start_of(canvas, &from, None).map(|start| {
                view! { <circle class="cv-choosing" cx=start.x cy=start.y r="7" /> }.into_any()
            }),
            _ => None,
        }}
        {move || {
            canvas.guides.get().into_iter().map(|guide| {
                view! { <line class="cv-guide" x1=guide.from.x y1=guide.from.y x2=guide.to.x y2=guide.to.y /> }
            }).collect_view()
        }}
    }
    .into_any()
}

/// A gesture, an offer or a name being written ends when another design takes the place of the one it was of.
fn end_with_design(canvas: Canvas) {
    Effect::new(move |before: Option<u64>| {
        let opened = canvas.desk.opened.get();
        if before.is_some_and(|before| before != opened) {
            canvas.renaming.set(None);
            canvas.offer.set(None);
            canvas.send(Event::Cancel);
        }
        opened
    });
}

fn start_of(canvas: Canvas, from: &Id, port: Option<Port>) -> Option<Point> {
    let r = canvas.scene.with_untracked(|scene| scene.get(from).copied())?;
    Some(match port {
        None => Point::new(r.right(), r.centre().y),
        Some(Port::Reconcile) => Point::new(r.centre().x, r.bottom()),
        Some(Port::DeadLetter) => Point::new(r.x + r.w * 0.25, r.bottom()),
        Some(Port::Side) => Point::new(r.centre().x, r.bottom()),
        Some(Port::Late) => Point::new(r.x + r.w * 0.75, r.bottom()),
    })
}

fn thread(from: Point, to: Point, refused: bool) -> AnyView {
    let middle = (from.x + to.x) / 2.0;
    let path = format!("M{} {}L{middle} {}L{middle} {}L{} {}", from.x, from.y, from.y, to.y, to.x, to.y);
    let class = if refused { "cv-thread refused" } else { "cv-thread" };
    view! {
        <path class=class d=path />
        <circle class=class cx=to.x cy=to.y r="4" />
    }
    .into_any()
}

/// Why a link cannot end under the pointer, beside it.
pub fn refusal(canvas: Canvas) -> AnyView {
    view! {
        {move || {
            let state = canvas.state.get();
            let (State::Connecting { over: Some((_, Err(why))), to, .. }
                | State::Reconnecting { over: Some((_, Err(why))), to, .. }) = state else { return None };
            let at = canvas.view.get().to_screen(to);
            Some(view! {
                <div class="cv-refusal" role="status" style:transform=format!("translate({}px,{}px)", at.x + 16.0, at.y + 16.0)>
                    {why}
                </div>
            })
        }}
    }
    .into_any()
}

/// The list of what may follow, where a link was let go.
pub fn offer(canvas: Canvas) -> AnyView {
    view! {
        {move || {
            let offered = canvas.offer.get()?;
            let at = canvas.view.get_untracked().to_screen(offered.at);
            let (w, h) = canvas.pane.get_untracked();
            let kinds = canvas.kinds_after(&offered.from, offered.port);
            let from_kind = canvas.desk.design.with_untracked(|d| d.kind(&offered.from));
            let (x, y) = (at.x.min(w - 230.0).max(8.0), at.y.min(h - 40.0 - 36.0 * kinds.len() as f64).max(8.0));
            let title = canvas.desk.design.with_untracked(|d| d.title(&offered.from));
            let items = kinds
                .into_iter()
                .enumerate()
                .map(|(at, kind)| {
                    let offered = offered.clone();
                    view! {
                        <button
                            type="button"
                            role="menuitem"
                            autofocus=at == 0
                            on:click=move |_| canvas.follow(&offered.from, offered.port, kind, offered.at)
                        >
                            {words(kind, from_kind)}
                        </button>
                    }
                })
                .collect_view();
            let menu: NodeRef<leptos::html::Div> = NodeRef::new();
            Effect::new(move |_| {
                if let Some(first) = menu.get().and_then(|menu| menu.query_selector("button").ok().flatten()) {
                    use wasm_bindgen::JsCast as _;
                    if let Ok(first) = first.dyn_into::<web_sys::HtmlElement>() {
                        _ = first.focus();
                    }
                }
            });
            Some(view! {
                <div
                    class="cv-offer"
                    role="menu"
                    node_ref=menu
                    aria-label=format!("What follows {title}")
                    style:transform=format!("translate({x}px,{y}px)")
                    on:pointerdown=|event| event.stop_propagation()
                    on:keydown=move |event| step(canvas, &event)
                >
                    <div class="cv-offer-title">{format!("After {title}")}</div>
                    {items}
                </div>
            })
        }}
    }
    .into_any()
}

/// Arrow keys move within the list, Escape closes it.
fn step(canvas: Canvas, event: &KeyboardEvent) {
    use wasm_bindgen::JsCast as _;
    let forward = match event.key().as_str() {
        "Escape" => {
            event.prevent_default();
            event.stop_propagation();
            canvas.offer.set(None);
            return;
        }
        "ArrowDown" => true,
        "ArrowUp" => false,
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    let here = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    let next = here.and_then(|el| if forward { el.next_element_sibling() } else { el.previous_element_sibling() });
    if let Some(next) = next.and_then(|el| el.dyn_into::<web_sys::HtmlElement>().ok()) {
        _ = next.focus();
    }
}

fn words(kind: ElementKind, from: Option<ElementKind>) -> &'static str {
    match kind {
        ElementKind::Channel => "Channel",
        ElementKind::Operator if from == Some(ElementKind::Operator) => "Operator of the same job",
        ElementKind::Operator => "Operator in a new job",
        ElementKind::Sink => "Sink",
        ElementKind::Consumer => "Consumer",
        ElementKind::Batch => "Batch path",
        ElementKind::Source => "Source",
        ElementKind::Job => "Job frame",
    }
}
