//! The address bar: the fragment that a link carries.

use super::window;
use wasm_bindgen::JsValue;

/// What stands behind the `#`, if anything.
#[must_use]
pub fn fragment() -> Option<String> {
    let hash = window()?.location().hash().ok()?;
    hash.strip_prefix('#').filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The address of the application without a fragment.
#[must_use]
pub fn base() -> String {
    let address = window().and_then(|w| w.location().href().ok()).unwrap_or_default();
    address.split('#').next().unwrap_or_default().to_owned()
}

/// Takes the fragment away without leaving a step in the browser's history.
pub fn clear_fragment() {
    if let Some(window) = window()
        && let Ok(history) = window.history()
    {
        // Some browsers refuse after many calls; the fragment then stays, which harms nobody.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&base()));
    }
}

/// Calls back when somebody puts another fragment into the address bar.
pub fn on_fragment(mut run: impl FnMut(String) + 'static) {
    if let Some(window) = window() {
        super::listen(&window, "hashchange", move |_| {
            if let Some(text) = fragment() {
                run(text);
            }
        });
    }
}
