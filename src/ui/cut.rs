//! Text that is cut by an ellipsis is said whole in a tooltip, wherever the pointer comes upon it.

use crate::{model::shortened, platform};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, MouseEvent};

/// Most letters of a tooltip.
const MOST: usize = 400;
/// How far up from what the pointer is on a cut text is looked for.
const UP: usize = 3;

/// Listens to the pointer.
pub fn listen() {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else { return };
    platform::listen(&document, "pointerover", |event| {
        // What is dragged is no text that somebody reads.
        let free = event.dyn_ref::<MouseEvent>().is_none_or(|event| event.buttons() == 0);
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let mut at = target.filter(|_| free);
        for _ in 0..UP {
            let Some(element) = at else { return };
            if let Some(element) = element.dyn_ref::<HtmlElement>().filter(|element| is_cut_off(element)) {
                return say_whole(element);
            }
            at = element.parent_element();
        }
    });
}

/// Does an ellipsis end it? Only then does the page have to be laid out to know whether one is there.
fn is_cut_off(element: &HtmlElement) -> bool {
    let style = web_sys::window().and_then(|window| window.get_computed_style(element).ok().flatten());
    style.and_then(|style| style.get_property_value("text-overflow").ok()).as_deref() == Some("ellipsis")
}

fn say_whole(element: &HtmlElement) {
    const OURS: &str = "data-whole";
    let ours = element.has_attribute(OURS);
    if !ours && element.has_attribute("title") {
        return;
    }
    if element.scroll_width() <= element.client_width() {
        if ours {
            let _ = element.remove_attribute("title");
            let _ = element.remove_attribute(OURS);
        }
        return;
    }
    let text = match element.dyn_ref::<HtmlInputElement>() {
        Some(input) => input.value(),
        None => element.text_content().unwrap_or_default(),
    };
    element.set_title(&shortened(text.trim(), MOST));
    let _ = element.set_attribute(OURS, "");
}
