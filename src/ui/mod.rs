//! The application: Leptos only.

pub mod store;

use leptos::prelude::*;

/// Mounts the application on the page.
pub fn mount() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(|| {
        provide_context(store::Desk::new());
        view! { <p>"Streaming Pipeline Desk"</p> }
    });
}
