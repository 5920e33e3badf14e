//! The clipboard, as text.

use super::{refusal, window};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

fn clipboard() -> Option<web_sys::Clipboard> {
    let navigator = window()?.navigator();
    // Outside secure pages the property is missing although the binding says it is there.
    let there = js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard")).is_ok_and(|c| !c.is_undefined());
    there.then(|| navigator.clipboard())
}

/// Puts a text on the clipboard; the error says why the browser refused.
pub async fn write(text: &str) -> Result<(), String> {
    let clipboard = clipboard().ok_or("this page may not use the clipboard")?;
    JsFuture::from(clipboard.write_text(text)).await.map(|_| ()).map_err(|error| refusal(&error))
}

/// The text on the clipboard; the browser may ask the person first.
pub async fn read() -> Result<String, String> {
    let clipboard = clipboard().ok_or("this page may not use the clipboard")?;
    let text = JsFuture::from(clipboard.read_text()).await.map_err(|error| refusal(&error))?;
    text.as_string().ok_or_else(|| "the clipboard holds no text".to_owned())
}

/// The text of a paste event.
#[must_use]
pub fn pasted(event: &web_sys::ClipboardEvent) -> Option<String> {
    event.clipboard_data()?.get_data("text/plain").ok().filter(|text| !text.is_empty())
}

/// Answers a copy event with a text.
pub fn copied(event: &web_sys::ClipboardEvent, text: &str) {
    if let Some(data) = event.clipboard_data()
        && data.set_data("text/plain", text).is_ok()
    {
        event.prevent_default();
    }
}
