//! The screen: its width, focus, printing.

use super::window;
use wasm_bindgen::JsCast;

/// Width and height of the window in CSS pixels.
#[must_use]
pub fn size() -> (f64, f64) {
    let number = |value: Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue>| value.ok().and_then(|v| v.as_f64());
    window().map_or((1280.0, 800.0), |w| {
        (number(w.inner_width()).unwrap_or(1280.0), number(w.inner_height()).unwrap_or(800.0))
    })
}

/// How much larger than usual the text is that the person chose in the browser: 2.0 at 200 %.
#[must_use]
pub fn text_scale() -> f64 {
    let style = window().and_then(|w| {
        let root = w.document()?.document_element()?;
        w.get_computed_style(&root).ok().flatten()
    });
    let size = style.and_then(|style| style.get_property_value("font-size").ok());
    size.and_then(|size| size.trim_end_matches("px").parse::<f64>().ok()).map_or(1.0, |px| (px / 16.0).max(0.5))
}

/// Moves the keyboard to the first element that matches, after the page has been drawn.
pub fn focus(selector: &str) {
    let selector = selector.to_owned();
    wasm_bindgen_futures::spawn_local(async move {
        gloo::timers::future::TimeoutFuture::new(0).await;
        if let Some(element) = query(&selector) {
            let _ = element.focus();
        }
    });
}

/// Moves the keyboard to the first element that matches, at once.
pub fn focus_now(selector: &str) {
    if let Some(element) = query(selector) {
        let _ = element.focus();
    }
}

/// Brings the first element that matches into view.
pub fn reveal(selector: &str) {
    if let Some(element) = query(selector) {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// As [`reveal`], after the page has been drawn.
pub fn reveal_soon(selector: &str) {
    let selector = selector.to_owned();
    wasm_bindgen_futures::spawn_local(async move {
        gloo::timers::future::TimeoutFuture::new(30).await;
        reveal(&selector);
    });
}

/// Is the first element that matches wholly outside of the first that matches `frame`? No, where one is missing.
#[must_use]
pub fn is_outside(selector: &str, frame: &str) -> bool {
    let (Some(element), Some(frame)) = (query(selector), query(frame)) else { return false };
    let (inner, outer) = (element.get_bounding_client_rect(), frame.get_bounding_client_rect());
    inner.right() < outer.left()
        || inner.left() > outer.right()
        || inner.bottom() < outer.top()
        || inner.top() > outer.bottom()
}

/// Takes the keyboard away from what has it.
pub fn release() {
    super::held::let_go();
    if let Some(Ok(element)) = focused().map(JsCast::dyn_into::<web_sys::HtmlElement>) {
        let _ = element.blur();
    }
}

/// Where a pane stands is kept while it is drawn anew in this turn: how far it and its tables are scrolled, and which
/// control with a `data-kept` name has the keyboard, at which place of its text.
pub fn hold_place(selector: &str) {
    let Some(pane) = query(selector) else { return };
    let scrolled = scrolls(&pane).iter().map(|one| (one.scroll_left(), one.scroll_top())).collect::<Vec<_>>();
    let held = focused().filter(|element| pane.contains(Some(element)));
    let name = held.as_ref().and_then(|element| element.get_attribute("data-kept"));
    let caret = held.and_then(|e| e.dyn_into::<web_sys::HtmlInputElement>().ok()?.selection_start().ok().flatten());
    wasm_bindgen_futures::spawn_local(async move {
        for (one, (left, top)) in scrolls(&pane).iter().zip(scrolled) {
            one.set_scroll_left(left);
            one.set_scroll_top(top);
        }
        let Some(element) = name.and_then(|name| query(&format!("[data-kept=\"{name}\"]"))) else { return };
        if focused().is_some() {
            return;
        }
        let _ = element.focus();
        if let (Ok(input), Some(at)) = (element.dyn_into::<web_sys::HtmlInputElement>(), caret) {
            // Refused by inputs that hold no text.
            let _ = input.set_selection_range(at, at);
        }
    });
}

/// A pane and the tables in it that scroll by themselves.
fn scrolls(pane: &web_sys::HtmlElement) -> Vec<web_sys::Element> {
    let inner = pane.query_selector_all(".table-scroll").ok();
    let element = |all: &web_sys::NodeList, i| all.get(i)?.dyn_into().ok();
    let inner = inner.map(|all| (0..all.length()).filter_map(|i| element(&all, i)).collect::<Vec<_>>());
    std::iter::once(pane.clone().into()).chain(inner.unwrap_or_default()).collect()
}

/// Is a part of the page called so? Then a fragment of that name leads there and is no link to a design.
#[must_use]
pub fn is_place(fragment: &str) -> bool {
    let document = window().and_then(|page| page.document());
    document.and_then(|document| document.get_element_by_id(fragment)).is_some()
}

/// The first element that matches.
#[must_use]
pub fn query(selector: &str) -> Option<web_sys::HtmlElement> {
    window()?.document()?.query_selector(selector).ok()??.dyn_into().ok()
}

/// Where letters are typed, or choose: text fields and lists. Check boxes, radio buttons and sliders take no letters.
const TAKES_TEXT: &str = "textarea, select, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=range], [type=color], [type=file], [type=button], [type=submit], [type=reset])";

/// Do keys that are typed here mean letters to the element?
#[must_use]
pub fn takes_text(element: &web_sys::Element) -> bool {
    element.closest(TAKES_TEXT).ok().flatten().is_some()
}

/// The element that has the keyboard, if it is not the page itself.
#[must_use]
pub fn focused() -> Option<web_sys::Element> {
    window()?.document()?.active_element().filter(|element| element.tag_name() != "BODY")
}

/// Puts a picture on paper alone whenever the page is printed and `picture` has one.
pub fn on_print(picture: impl Fn() -> Option<String> + 'static) {
    let Some(window) = window() else { return };
    let gone = || {
        while let Ok(Some(old)) = document_query(".print-picture") {
            old.remove();
        }
    };
    super::listen(&window, "beforeprint", move |_| {
        gone();
        let Some(svg) = picture() else { return };
        let document = super::window().and_then(|w| w.document());
        let page =
            document.as_ref().and_then(|d| d.create_element("div").ok()).zip(document.as_ref().and_then(|d| d.body()));
        if let Some((element, body)) = page {
            element.set_class_name("print-picture");
            element.set_inner_html(&svg);
            let _ = body.append_child(&element);
        }
    });
    super::listen(&window, "afterprint", move |_| gone());
}

fn document_query(selector: &str) -> Result<Option<web_sys::Element>, wasm_bindgen::JsValue> {
    match window().and_then(|w| w.document()) {
        Some(document) => document.query_selector(selector),
        None => Ok(None),
    }
}

/// Opens the browser's print dialog.
pub fn print() {
    if let Some(window) = window() {
        let _ = window.print();
    }
}

/// Puts the name of the design into the title of the tab.
pub fn set_title(name: &str) {
    if let Some(document) = window().and_then(|w| w.document()) {
        document.set_title(&format!("{name} · Streaming Pipeline Desk"));
    }
}
