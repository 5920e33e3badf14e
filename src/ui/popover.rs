//! The explanation beside its number: anchored by a line, until Escape; pinned, it stays when another one is opened, and
//! two stand side by side. Not here: what an explanation says (`drawer::explain`).

use super::{
    drawer::explain::{self, Where},
    marks::{self, Icon, icon},
    places,
    store::{Desk, Explains, Explanation, Tab},
};
use crate::{
    action::Figure,
    analysis::delivery::verdict::Badge,
    canvas::{Point, Rect, beside},
    model::{ElementKind, Id, View, key},
    platform::{anchor, device},
};
use leptos::{html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The name of a number on the page, by which it is found again when the page was drawn anew.
pub fn name_of(what: &Explains) -> String {
    match what {
        Explains::Figure(figure) => format!("{} {:?}", figure.of, figure.kind),
        Explains::Setting(id, field) => format!("{id} {}", field.name()),
        Explains::Badge(id, view) => format!("{id} badge {view:?}"),
        Explains::Printed(_) => String::new(),
    }
}

/// A number that opens its explanation. `label` says it aloud.
pub fn number(desk: Desk, what: Explains, label: String, text: String) -> AnyView {
    sign(desk, what, Some(label), "explained", text.into_any())
}

/// The same where words and label follow: an edit writes what changed, and the button stays.
pub fn live(
    desk: Desk,
    what: Explains,
    label: impl Fn() -> String + Send + 'static,
    text: impl Fn() -> String + Send + 'static,
) -> AnyView {
    let name = name_of(&what);
    view! {
        <button
            type="button"
            class="explained"
            aria-label=label
            aria-haspopup="dialog"
            title=OPENS
            data-explains=name
            on:click=move |event| press(desk, &what, &event)
        >
            {text}
        </button>
    }
    .into_any()
}

/// The badge of a consumer or link, which opens what it rests on; `height` in rem.
pub fn badge(desk: Desk, id: &Id, view: View, badge: &Badge, loud: bool, height: f64) -> AnyView {
    let content = view! { {marks::badge(badge, loud, height)} <span class="hidden-text">". Explain"</span> };
    sign(desk, Explains::Badge(id.clone(), view), None, "explained sign", content.into_any())
}

const OPENS: &str = "Opens what it rests on";

fn press(desk: Desk, what: &Explains, event: &leptos::ev::MouseEvent) {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    open(desk, what.clone(), target.and_then(|e| e.closest(".explained").ok().flatten()));
}

/// A button that opens an explanation; without a label its content says it.
fn sign(desk: Desk, what: Explains, label: Option<String>, class: &'static str, content: AnyView) -> AnyView {
    let name = name_of(&what);
    view! {
        <button
            type="button"
            class=class
            aria-label=label
            aria-haspopup="dialog"
            title=OPENS
            data-explains=name
            on:click=move |event| press(desk, &what, &event)
        >
            {content}
        </button>
    }
    .into_any()
}

/// Opens the explanation of a number beside it; one that stands open already gets the keyboard. Without a number on the
/// page the drawer explains it.
pub fn open(desk: Desk, what: Explains, number: Option<Element>) {
    let all = desk.panes.explanations;
    let standing = all.with_untracked(|all| all.iter().find(|one| one.what.read_untracked() == what).map(|one| one.id));
    if let Some(id) = standing {
        device::focus(&format!("#explanation-{id}"));
        return;
    }
    let Some(number) = number else {
        to_drawer(desk, &what);
        return;
    };
    let closest = |selector: &str, name: &str| {
        number.closest(selector).ok().flatten().and_then(|element| element.get_attribute(name)).unwrap_or_default()
    };
    let of_element = closest("[data-element-id]", "data-element-id");
    let anchor = if of_element.is_empty() || number.has_attribute("data-explains") {
        named_in(&closest("[data-pane]", "data-pane"), &what)
    } else {
        on_canvas(&of_element)
    };
    let id = all.with_untracked(|all| all.iter().map(|one| one.id).max().unwrap_or(0) + 1);
    let mut left: Vec<Explanation> = all.get_untracked();
    left.retain(|one| {
        let stays = one.pinned.get_untracked();
        if !stays {
            anchor::unmark(one.id);
        }
        stays
    });
    // Two stand side by side; a third takes the place of the first.
    if left.len() > 1 {
        anchor::unmark(left.remove(0).id);
    }
    anchor::mark(&number, id);
    left.push(Explanation { id, what: ArcRwSignal::new(what), pinned: ArcRwSignal::new(false), anchor });
    all.set(left);
    device::focus(&format!("#explanation-{id}"));
}

/// Opens the explanation of what an element or link shows on the canvas; where one stands open already, that of what it
/// shows beside it: a consumer its badge behind its number, a channel its partitions.
pub fn open_on_canvas(desk: Desk, id: &Id) {
    let beside = beside_number(desk, id);
    let all: Vec<Explains> = shown_on(desk, id).into_iter().chain(beside).collect();
    let open_now: Vec<Explains> =
        desk.panes.explanations.with_untracked(|open| open.iter().map(|one| one.what.get_untracked()).collect());
    let next = all.iter().rposition(|what| open_now.contains(what)).map_or(0, |at| (at + 1) % all.len());
    if let Some(what) = all.get(next) {
        open_at(desk, id, what.clone());
    }
}

/// Opens it beside where it stands: on the canvas, else in the inspector, else at the element or link.
fn open_at(desk: Desk, id: &Id, what: Explains) {
    let own = device::query(&named_in("canvas", &what));
    let number = own
        .or_else(|| {
            shown_on(desk, id).filter(|shown| *shown == what).and_then(|_| device::query(&on_canvas(id.as_str())))
        })
        .or_else(|| device::query(&named_in("inspector", &what)))
        .or_else(|| device::query(&format!("[data-element-id=\"{id}\"], [data-link-id=\"{id}\"]")));
    open(desk, what, number.map(Into::into));
}

/// What explains itself on an element beside its number.
fn beside_number(desk: Desk, id: &Id) -> Option<Explains> {
    match desk.design.with_untracked(|design| design.kind(id))? {
        ElementKind::Consumer => Some(Explains::Badge(id.clone(), untrack(|| desk.view()))),
        ElementKind::Channel => Some(Explains::Setting(id.clone(), key::channel::PARTITIONS.field())),
        _ => None,
    }
}

fn on_canvas(id: &str) -> String {
    format!("[data-element-id=\"{id}\"] .cv-number")
}

fn named_in(pane: &str, what: &Explains) -> String {
    format!("[data-pane=\"{pane}\"] [data-explains=\"{}\"]", name_of(what))
}

/// Which number an element shows: the figure with that text, else the setting that stands there.
fn shown_on(desk: Desk, id: &Id) -> Option<Explains> {
    let text =
        device::query(&format!("{} b", on_canvas(id.as_str()))).and_then(|b| b.text_content()).unwrap_or_default();
    let review = untrack(|| desk.review());
    desk.design.with_untracked(|design| {
        if design.links.contains_key(id) {
            return Some(Explains::Badge(id.clone(), untrack(|| desk.view())));
        }
        let figures = Figure::all_of(design, &review, id);
        let same = |derived: &crate::analysis::explain::Derived| match derived {
            Ok(explained) => text.ends_with(&explained.text()),
            Err(_) => false,
        };
        let shown = figures.iter().find(|(_, derived)| same(derived)).map(|(figure, _)| figure.clone());
        let setting = match design.kind(id)? {
            ElementKind::Source => Some(key::source::RATE.field()),
            ElementKind::Batch => Some(key::batch::CUT_OFF.field()),
            ElementKind::Sink => Some(key::sink::UNIQUE_KEYS.field()),
            _ => None,
        };
        let first = figures.into_iter().next().map(|(figure, _)| Explains::Figure(figure));
        shown.map(Explains::Figure).or(setting.map(|field| Explains::Setting(id.clone(), field))).or(first)
    })
}

/// Shows it in the drawer instead, where there is room for everything.
fn to_drawer(desk: Desk, what: &Explains) {
    if let Explains::Figure(figure) = what {
        desk.explained.set(Some(figure.clone()));
        desk.panes.go(Tab::Explain);
    }
}

/// Closes an explanation; the keyboard goes back to its number.
fn close(desk: Desk, id: u32) {
    let all = desk.panes.explanations;
    let Some(one) = all.with_untracked(|all| all.iter().find(|one| one.id == id).cloned()) else { return };
    let number = anchor::find(id, &one.anchor);
    anchor::unmark(id);
    all.update(|all| all.retain(|one| one.id != id));
    // A badge on the canvas stands beside what it belongs to, not in it.
    let owner =
        number.as_ref().and_then(|n| n.closest("[data-badge-of]").ok().flatten()?.get_attribute("data-badge-of"));
    let owner = owner.and_then(|id| device::query(&format!("[data-element-id=\"{id}\"]"))).map(Element::from);
    let target = owner.or_else(|| number.and_then(|n| n.closest("button, [tabindex]").ok().flatten()));
    if let Some(element) = target.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// What explains itself at a place of the canvas: the badge of a consumer or link, or the number of an element.
fn pressed_on(desk: Desk, at: Option<web_sys::EventTarget>) -> Option<(Id, Explains)> {
    let at = at.and_then(|target| target.dyn_into::<Element>().ok())?;
    let closest = |selector: &str| at.closest(selector).ok().flatten();
    let id = |owner: &str, name: &str| Id::new(&closest(owner)?.get_attribute(name)?).ok();
    if closest(".cv-number, .cv-figure").is_some() {
        let id = id("[data-element-id]", "data-element-id")?;
        return shown_on(desk, &id).map(|what| (id, what));
    }
    if closest(".cv-partitions").is_some() {
        let id = id("[data-element-id]", "data-element-id")?;
        let what = Explains::Setting(id.clone(), key::channel::PARTITIONS.field());
        return Some((id, what));
    }
    let sign = closest(".cv-sign, .cv-badge[data-explains]")?;
    let id = id("[data-badge-of]", "data-badge-of")?;
    let name = sign.get_attribute("data-explains")?;
    let badge = |view| Explains::Badge(id.clone(), view);
    let what = [View::AsIs, View::ToBe].into_iter().map(badge).find(|what| name_of(what) == name)?;
    Some((id, what))
}

/// Listens for Escape, and for a press on a number or badge of the canvas: one that moves is a drag and opens nothing.
pub fn listen(desk: Desk) {
    let escape = window_event_listener(leptos::ev::keydown, move |event| {
        let last = desk.panes.explanations.with_untracked(|all| all.last().map(|one| one.id));
        let modal = desk.panes.dialog.with_untracked(Option::is_some);
        if let Some(id) = last.filter(|_| event.key() == "Escape" && !event.default_prevented() && !modal) {
            event.prevent_default();
            close(desk, id);
        }
    });
    let pressed = StoredValue::new(None::<(Id, Explains, i32, i32)>);
    let down = window_event_listener(leptos::ev::pointerdown, move |event| {
        let plain =
            event.button() == 0 && !event.shift_key() && !event.ctrl_key() && !event.meta_key() && !event.alt_key();
        let on = if plain { pressed_on(desk, event.target()) } else { None };
        pressed.set_value(on.map(|(id, what)| (id, what, event.client_x(), event.client_y())));
    });
    let up = window_event_listener(leptos::ev::pointerup, move |event| {
        let Some((id, what, x, y)) = pressed.try_update_value(Option::take).flatten() else { return };
        // A press that rested opened the context menu instead.
        let rested = crate::platform::device::query(".context-menu").is_some();
        if !rested && (event.client_x() - x).abs() < 4 && (event.client_y() - y).abs() < 4 {
            open_at(desk, &id, what);
        }
    });
    // A screen reader presses without a pointer.
    let aloud = window_event_listener(leptos::ev::click, move |event| {
        if let Some((id, what)) = (event.detail() == 0).then(|| pressed_on(desk, event.target())).flatten() {
            open_at(desk, &id, what);
        }
    });
    // A number of a document is as it was when it was printed: another design prints another one.
    Effect::new(move |_| {
        desk.meaning.track();
        desk.panes.documents.track();
        let stale = |one: &Explanation| matches!(&*one.what.read_untracked(), Explains::Printed(_));
        if desk.panes.explanations.with_untracked(|all| all.iter().any(stale)) {
            desk.panes.explanations.update(|all| all.retain(|one| !stale(one)));
        }
    });
    on_cleanup(move || {
        escape.remove();
        down.remove();
        up.remove();
        aloud.remove();
    });
}

/// All that stand open.
pub fn popovers(desk: Desk) -> AnyView {
    view! {
        <For each=move || desk.panes.explanations.get() key=|one| one.id children=move |one| popover(desk, one) />
    }
    .into_any()
}

fn popover(desk: Desk, one: Explanation) -> AnyView {
    let id = one.id;
    let node = NodeRef::<html::Section>::new();
    let (corner, line) = (RwSignal::new(None::<(f64, f64)>), RwSignal::new(String::new()));
    let (selector, what, pinned) = (one.anchor, one.what, one.pinned);
    Effect::new(move |_| {
        if let Some(section) = node.get() {
            follow(id, selector.clone(), section, corner, line, None);
        }
    });
    let for_drawer = what.clone();
    let for_places = what.clone();
    let in_drawer = {
        let what = what.clone();
        move || matches!(&*what.read(), Explains::Figure(_))
    };
    let (pin, is_pinned) = (pinned.clone(), pinned.clone());
    view! {
        <svg class="popover-line" aria-hidden="true"><path d=move || line.get() /></svg>
        <section
            id=format!("explanation-{id}")
            class="popover explanation-popover"
            class:pinned=move || is_pinned.get()
            role="dialog"
            tabindex="-1"
            aria-label="Explanation"
            aria-describedby=format!("explanation-{id}-number")
            node_ref=node
            style:left=move || corner.get().map(|(x, _)| format!("{x}px"))
            style:top=move || corner.get().map(|(_, y)| format!("{y}px"))
            style:visibility=move || if corner.get().is_some() { "visible" } else { "hidden" }
            on:keydown=move |event| if event.key() == "Escape" {
                event.prevent_default();
                event.stop_propagation();
                close(desk, id);
            }
        >
            <div class="row popover-tools">
                <button
                    type="button"
                    class="button ghost"
                    aria-pressed=move || pin.get().to_string()
                    title="A pinned explanation stays when another one is opened"
                    on:click=move |_| pinned.update(|on| *on = !*on)
                >
                    "Pin"
                </button>
                {move || {
                    let what = for_drawer.clone();
                    in_drawer().then(|| view! {
                        <button type="button" class="button ghost" data-to-drawer="" on:click=move |_| {
                            to_drawer(desk, &what.get_untracked());
                            close(desk, id);
                            device::focus("[role=tab][aria-selected=true]");
                        }>"Show in the drawer"</button>
                    })
                }}
                <button type="button" class="button ghost icon" aria-label="Close the explanation" title="Close (Esc)" on:click=move |_| close(desk, id)>
                    {icon(Icon::Close)}
                </button>
            </div>
            <div class="popover-scroll" tabindex="0" role="group" aria-label="Formula, inputs and other readings">
                {move || explain::content(desk, &what.get(), Where::Popover(id))}
            </div>
            <div class="row popover-places">
                {move || {
                    let of = of_what(&for_places.get())?;
                    let all = places::of(desk, &of);
                    let close = move |_| close(desk, id);
                    (!all.is_empty()).then(|| view! { <span class="row" on:click=close>{places::buttons(desk, &of, "button ghost small", all)}</span> })
                }}
            </div>
        </section>
    }
    .into_any()
}

/// The subject that an explanation is about, where a picture may show it.
fn of_what(what: &Explains) -> Option<Id> {
    match what {
        Explains::Figure(figure) => Some(figure.of.clone()),
        Explains::Setting(id, _) => Some(id.clone()),
        Explains::Badge(..) | Explains::Printed(_) => None,
    }
}

/// Puts another number into an explanation that stands open.
pub fn turn(desk: Desk, id: u32, to: Explains) {
    let what =
        desk.panes.explanations.with_untracked(|all| all.iter().find(|one| one.id == id).map(|one| one.what.clone()));
    if let Some(what) = what {
        what.set(to);
    }
}

/// Keeps an explanation in the window and its line at the number, frame by frame while it stands.
fn follow(
    id: u32,
    selector: String,
    section: HtmlElement,
    corner: RwSignal<Option<(f64, f64)>>,
    line: RwSignal<String>,
    last: Option<([f64; 4], [f64; 4])>,
) {
    if !section.is_connected() {
        return;
    }
    let number = anchor::find(id, &selector);
    let at = number.as_ref().and_then(anchor::rect);
    let own = anchor::rect(&section).unwrap_or_default();
    let now = Some((at.unwrap_or_default(), own));
    if now != last {
        let (width, height) = device::size();
        let off = own[0] + own[2] > width || own[1] + own[3] > height;
        if corner.try_get_untracked().flatten().is_none() || off {
            let to = beside(rect(at.unwrap_or_default()), (own[2], own[3]), (width, height), &others(&section));
            corner.try_set(Some((to.x, to.y)));
        } else {
            let seen = number.as_ref().is_some_and(anchor::in_sight);
            line.try_set(at.filter(|_| seen).map(|at| path(rect(at), rect(own))).unwrap_or_default());
        }
    }
    request_animation_frame(move || follow(id, selector, section, corner, line, now));
}

fn rect([x, y, w, h]: [f64; 4]) -> Rect {
    Rect { x, y, w, h }
}

/// The other explanations that stand open.
fn others(section: &HtmlElement) -> Vec<Rect> {
    let Some(Ok(all)) = section.owner_document().map(|page| page.query_selector_all(".explanation-popover")) else {
        return Vec::new();
    };
    let element = |i: u32| all.get(i)?.dyn_into::<Element>().ok();
    let all = (0..all.length()).filter_map(element).filter(|one| *one != **section);
    all.filter_map(|one| anchor::rect(&one)).map(rect).collect()
}

/// The line from the edge of a number to the nearest edge of its explanation.
fn path(number: Rect, own: Rect) -> String {
    let middle = Point::new(number.x + number.w / 2.0, number.y + number.h / 2.0);
    let nearest = |to: Point, of: Rect| Point::new(to.x.clamp(of.x, of.x + of.w), to.y.clamp(of.y, of.y + of.h));
    let end = nearest(middle, own);
    let start = nearest(end, number);
    if (end.x - start.x).abs() + (end.y - start.y).abs() < 2.0 {
        return String::new();
    }
    format!("M{:.1} {:.1}L{:.1} {:.1}", start.x, start.y, end.x, end.y)
}
