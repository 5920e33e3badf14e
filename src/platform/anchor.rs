//! What a popover hangs on: the element of the page beside which it stands, also after the page was drawn anew.

use super::window;
use web_sys::Element;

const NAME: &str = "data-anchor";

/// Marks the element that the popover of this number hangs on.
pub fn mark(element: &Element, id: u32) {
    // An attribute with a legal name is never refused.
    let _ = element.set_attribute(NAME, &id.to_string());
}

/// Takes the mark away.
pub fn unmark(id: u32) {
    if let Some(element) = marked(id) {
        let _ = element.remove_attribute(NAME);
    }
}

fn marked(id: u32) -> Option<Element> {
    window()?.document()?.query_selector(&format!("[{NAME}=\"{id}\"]")).ok()?
}

/// The element that the popover hangs on; where it was drawn anew, the first that `selector` finds, which is marked.
#[must_use]
pub fn find(id: u32, selector: &str) -> Option<Element> {
    if let Some(element) = marked(id) {
        return Some(element);
    }
    let element = window()?.document()?.query_selector(selector).ok()??;
    mark(&element, id);
    Some(element)
}

/// Left, top, width and height of an element in the window; `None` where it is not drawn.
#[must_use]
pub fn rect(element: &Element) -> Option<[f64; 4]> {
    let rect = element.get_bounding_client_rect();
    (rect.width() > 0.0 && rect.height() > 0.0).then(|| [rect.left(), rect.top(), rect.width(), rect.height()])
}

/// Is the middle of an element in sight: inside the window and not under another pane?
#[must_use]
pub fn in_sight(element: &Element) -> bool {
    let Some([x, y, w, h]) = rect(element) else { return false };
    let at = window().and_then(|w| w.document());
    let top = at.and_then(|page| page.element_from_point((x + w / 2.0) as f32, (y + h / 2.0) as f32));
    let pane = |element: &Element| element.closest("[data-pane], .popover").ok().flatten();
    top.is_some_and(|top| pane(&top) == pane(element))
}
