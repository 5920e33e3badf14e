//! The application: Leptos only.

use leptos::prelude::*;

/// Mounts the application on the page.
pub fn mount() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(|| view! { <p>"Streaming Pipeline Desk"</p> });
}
