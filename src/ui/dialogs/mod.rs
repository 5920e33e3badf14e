//! Dialogs: one at a time, modal, Esc closes.

mod commands;
mod devices;
pub mod import;
mod open_link;
pub mod reference;
mod share;
mod shortcuts;

pub use devices::stored;

use super::{
    marks::{Icon, icon},
    store::{Desk, Dialog},
};
use leptos::{html, prelude::*};

/// The dialog that stands open, if any.
pub fn dialog(desk: Desk) -> AnyView {
    let Some(which) = desk.panes.dialog.get() else { return ().into_any() };
    let node = NodeRef::<html::Dialog>::new();
    let before = crate::platform::device::focused();
    Effect::new(move |_| {
        if let Some(dialog) = node.get()
            && !dialog.open()
        {
            // Refused only where it is open already.
            let _ = dialog.show_modal();
        }
    });
    on_cleanup({
        let before = send_wrapper(before);
        move || {
            if let Some(element) = before.take() {
                use wasm_bindgen::JsCast;
                if let Ok(element) = element.dyn_into::<web_sys::HtmlElement>() {
                    let _ = element.focus();
                }
            }
        }
    });
    let (class, label, content) = match which {
        Dialog::Import => ("dialog wide-dialog", "Import", import::import(desk)),
        Dialog::Share => ("dialog share-dialog", "Share as a link", share::share(desk)),
        Dialog::Commands => ("dialog palette-dialog", "Commands", commands::palette(desk, false)),
        Dialog::Find => ("dialog palette-dialog", "Find an element", commands::palette(desk, true)),
        Dialog::Shortcuts => ("dialog help-dialog", "Keys", shortcuts::sheet(desk)),
        Dialog::Devices => ("dialog list-dialog", "Designs on this device", devices::devices(desk)),
        Dialog::Reference => ("dialog wide-dialog reference-dialog", "Reference", reference::reference(desk)),
        Dialog::OpenLink => ("dialog list-dialog", "Open a link", open_link::open_link(desk)),
    };
    view! {
        <dialog
            class=class
            node_ref=node
            aria-label=label
            on:close=move |_| dismiss(desk)
            on:click=move |event| {
                // Only the backdrop reports the dialog itself as the target.
                if event.target() == event.current_target() {
                    dismiss(desk);
                }
            }
        >
            <div class="dialog-body">{content}</div>
        </dialog>
    }
    .into_any()
}

/// Closes the dialog; what waited in the import preview is given up with it.
fn dismiss(desk: Desk) {
    desk.panes.dialog.set(None);
    desk.incoming.set(Vec::new());
}

/// The head of a dialog with its close button.
pub fn dialog_head(desk: Desk, title: AnyView, under: AnyView) -> AnyView {
    view! {
        <header class="dialog-head row">
            <div class="grow"><h2 class="dialog-title">{title}</h2> <p class="second">{under}</p></div>
            <button type="button" class="button ghost icon" aria-label="Close" on:click=move |_| dismiss(desk)>
                {icon(Icon::Close)}
            </button>
        </header>
    }
    .into_any()
}

/// Holds a browser value for a clean-up on the one thread there is.
fn send_wrapper<T: 'static>(value: Option<T>) -> StoredValue<Option<T>, LocalStorage> {
    StoredValue::new_local(value)
}

trait Take<T> {
    fn take(&self) -> Option<T>;
}

impl<T: 'static> Take<T> for StoredValue<Option<T>, LocalStorage> {
    fn take(&self) -> Option<T> {
        self.try_update_value(Option::take).flatten()
    }
}
