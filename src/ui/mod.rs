//! The application: Leptos only. One store in context; panels read its signals and change the design through it.
//!
//! Not here: anything that is computed (the core), and what a browser may refuse (`platform`).

mod announce;
mod app;
mod banner;
pub mod canvas;
mod clipboard;
mod cut;
mod dialogs;
mod drawer;
mod drawing;
mod drop;
mod each;
mod inspector;
mod keyboard;
mod kit;
mod left;
mod marks;
mod menu;
mod places;
mod popover;
mod reader;
mod records;
mod reports;
mod run;
mod session;
mod start;
pub mod store;
mod toasts;
mod top_bar;
mod workshop;

/// Mounts the application on the page.
pub fn mount() {
    leptos::mount::mount_to_body(app::app);
}
