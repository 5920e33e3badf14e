//! The keyboard stays where it is while the page changes under it: a browser takes it away from an element that is moved
//! in the page, or that is out of reach for a moment, although it still stands there afterwards.
//!
//! What somebody puts it to is remembered until they let it go: by a press, or because the element is left on purpose
//! ([`let_go`]). Not here: which element is drawn again at all (`ui`).

use super::{device, window};
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

thread_local! {
    static HELD: RefCell<Option<HtmlElement>> = const { RefCell::new(None) };
}

/// Remembers what has the keyboard, as long as the page lives.
pub fn listen() {
    let Some(page) = window() else { return };
    super::listen(&page, "focusin", |event| {
        let element = event.target().and_then(|target| target.dyn_into().ok());
        HELD.set(element);
    });
    // A press puts the keyboard elsewhere, or nowhere.
    let options = web_sys::AddEventListenerOptions::new();
    options.set_capture(true);
    let pressed = wasm_bindgen::closure::Closure::<dyn FnMut()>::new(let_go);
    let _ = page.add_event_listener_with_callback_and_add_event_listener_options(
        "pointerdown",
        pressed.as_ref().unchecked_ref(),
        &options,
    );
    pressed.forget();
}

/// What has the keyboard is about to be left on purpose.
pub fn let_go() {
    HELD.set(None);
}

/// Gives the keyboard back to what had it, where the page took it away and the element still stands there.
pub fn restore() {
    if device::focused().is_some() {
        return;
    }
    let held = HELD.with_borrow(Clone::clone);
    if let Some(element) = held.filter(|element| element.is_connected()) {
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(true);
        let _ = element.focus_with_options(&options);
    }
}
