//! Files dropped anywhere on the page.

use super::{session, store::Desk};
use crate::platform::files;
use leptos::prelude::*;

/// Listens to the whole page.
pub fn listen(desk: Desk) {
    let over = window_event_listener(leptos::ev::dragover, |event| {
        if files::carries_files(&event) {
            event.prevent_default();
        }
    });
    let dropped = window_event_listener(leptos::ev::drop, move |event| {
        if !files::carries_files(&event) {
            return;
        }
        event.prevent_default();
        let chosen = files::dropped(&event);
        if !chosen.is_empty() {
            session::read_files(desk, chosen);
        }
    });
    on_cleanup(move || {
        over.remove();
        dropped.remove();
    });
}
