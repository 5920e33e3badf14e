//! The browser: storage, files, clipboard, address bar, other tabs, preferences, the clock, frames.
//!
//! Thin wrappers that turn what a browser may refuse into values. Not here: what a design is or how it is written
//! (`codec`), and anything that is seen (`ui`).

pub mod address;
pub mod anchor;
pub mod clipboard;
pub mod clock;
pub mod crash;
pub mod device;
pub mod files;
pub mod frame;
pub mod held;
pub mod preferences;
pub mod raster;
pub mod storage;
pub mod tabs;

use wasm_bindgen::{JsCast, JsValue, closure::Closure};

/// The window; only a browser has one.
fn window() -> Option<web_sys::Window> {
    web_sys::window()
}

/// Listens for a browser event as long as the page lives.
pub fn listen(target: &web_sys::EventTarget, event: &str, run: impl FnMut(web_sys::Event) + 'static) {
    let run = Closure::<dyn FnMut(web_sys::Event)>::new(run);
    // Refusing a listener leaves the page without this event; there is nothing better to do.
    let _ = target.add_event_listener_with_callback(event, run.as_ref().unchecked_ref());
    run.forget();
}

/// What a browser said when it refused, as text.
fn refusal(value: &JsValue) -> String {
    let message = js_sys::Reflect::get(value, &JsValue::from_str("message")).ok().and_then(|m| m.as_string());
    message.or_else(|| value.as_string()).unwrap_or_else(|| "the browser refused".to_owned())
}
