//! The explanation beside its number: anchored by a line, until Escape; pinned, it stays when another one is opened, and
//! two stand side by side. Not here: what an explanation says (`drawer::explain`).

mod place;
mod shown;
mod sign;

pub use shown::{name_of, open_on_canvas};
pub use sign::{badge, live, number, worded};

use super::{
    drawer::explain::{self, Where},
    marks::{Icon, icon},
    places,
    store::{Desk, Explains, Explanation, Tab},
};
use crate::{
    model::Id,
    platform::{anchor, device},
};
use leptos::{html, prelude::*};
use shown::{named_in, on_canvas, open_at, pressed_on};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

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
        let rested = device::query(".context-menu").is_some();
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
    // A number of a document or picture is as it was when it was printed: another design or view prints another one.
    Effect::new(move |_| {
        desk.meaning.track();
        desk.show.track();
        desk.panes.documents.track();
        let stale =
            |one: &Explanation| matches!(&*one.what.read_untracked(), Explains::Printed(_) | Explains::Missing(_));
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
            place::follow(id, selector.clone(), section, corner, line, None);
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
        Explains::Badge(..) | Explains::Printed(_) | Explains::Missing(_) => None,
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
