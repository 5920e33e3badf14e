//! Small choices of the person at this browser: theme, keys, which design was open. Losing them harms nothing.

use super::window;

const PREFIX: &str = "streaming-pipeline-desk.";

fn store() -> Option<web_sys::Storage> {
    window()?.local_storage().ok()?
}

/// A choice made before.
#[must_use]
pub fn get(name: &str) -> Option<String> {
    store()?.get_item(&format!("{PREFIX}{name}")).ok()?
}

/// Keeps a choice, if the browser lets us.
pub fn set(name: &str, value: &str) {
    if let Some(store) = store() {
        let _ = store.set_item(&format!("{PREFIX}{name}"), value);
    }
}

/// Forgets a choice.
pub fn clear(name: &str) {
    if let Some(store) = store() {
        let _ = store.remove_item(&format!("{PREFIX}{name}"));
    }
}

/// Does the system prefer dark?
#[must_use]
pub fn system_is_dark() -> bool {
    window().and_then(|w| w.match_media("(prefers-color-scheme: dark)").ok()?).is_some_and(|query| query.matches())
}

/// Calls back when the system turns dark or light.
pub fn on_system_theme(changed: impl Fn(bool) + 'static) {
    let query = window().and_then(|w| w.match_media("(prefers-color-scheme: dark)").ok()?);
    if let Some(query) = query {
        super::listen(&query, "change", move |_| changed(system_is_dark()));
    }
}

/// Puts the theme on the page.
pub fn show_theme(name: &str) {
    if let Some(root) = window().and_then(|w| w.document()).and_then(|d| d.document_element()) {
        let _ = root.set_attribute("data-theme", name);
    }
}
