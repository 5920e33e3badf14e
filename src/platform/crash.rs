//! The last line: when the program itself breaks, the page offers the last saved design for download.

use super::{files, preferences, tabs, window};
use crate::{codec, model::Design};
use std::{cell::RefCell, sync::Arc};

thread_local! {
    static LAST: RefCell<Option<(Arc<Design>, Option<String>)>> = const { RefCell::new(None) };
}

/// Remembers the design as it was last, for the page that a crash shows: written only then, or in the form in which it
/// came.
pub fn remember(design: Arc<Design>, original: Option<String>) {
    LAST.with(|last| *last.borrow_mut() = Some((design, original)));
}

/// From now on a panic shows a page with the last design, and the next start says that there was one.
pub fn watch() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        preferences::set("crashed", "yes");
        tabs::broke();
        show();
    }));
}

/// Was the last visit ended by a crash? Asked once.
#[must_use]
pub fn take_flag() -> bool {
    let crashed = preferences::get("crashed").is_some();
    preferences::clear("crashed");
    crashed
}

fn show() {
    let Some(document) = window().and_then(|w| w.document()) else { return };
    let Some(body) = document.body() else { return };
    let Ok(page) = document.create_element("div") else { return };
    let _ = page.set_attribute("class", "crash");
    let _ = page.set_attribute("role", "alertdialog");
    let _ = page.set_attribute("aria-label", "The desk stopped");
    page.set_inner_html(
        "<div class=\"crash-card\"><h1>The desk stopped</h1>\
         <p>This is a fault of the program, not of your design. Every edit up to now is kept on this device; \
         loading the page again brings it back, undo included.</p>\
         <p class=\"row wrap\"><button class=\"button primary\" onclick=\"location.reload()\">Load again</button></p></div>",
    );
    let _ = body.append_child(&page);
    // The page stands by now, whatever becomes of the rest.
    let last = LAST.with(|last| last.try_borrow().ok().and_then(|last| last.clone()));
    let Some((design, original)) = last else { return };
    let name = design.name.as_deref().unwrap_or("pipeline");
    if let Ok(url) =
        files::object_url(original.unwrap_or_else(|| codec::encode(&design)).as_bytes(), "application/json")
        && let Ok(Some(row)) = page.query_selector(".row")
        && let Ok(link) = document.create_element("a")
    {
        let _ = link.set_attribute("class", "button");
        let _ = link.set_attribute("href", &url);
        let _ = link.set_attribute("download", &format!("{name}.design.json"));
        link.set_text_content(Some("Save the last design as a file"));
        let _ = row.append_child(&link);
    }
}
