//! Opening a pasted link.

use super::{
    super::{session, store::Desk},
    dialog_head,
};
use leptos::prelude::*;

/// The dialog.
pub fn open_link(desk: Desk) -> AnyView {
    let text = RwSignal::new(String::new());
    let refused = RwSignal::new(None::<String>);
    let open = move || match session::open_link(desk, &text.get_untracked()) {
        Ok(()) => desk.panes.dialog.set(None),
        Err(why) => refused.set(Some(why)),
    };
    view! {
        {dialog_head(desk, "Open a link".into_any(), "The link holds the whole design. It opens to read; nothing is stored until you keep a copy.".into_any())}
        <form class="dialog-pad stack" on:submit=move |event| {
            event.prevent_default();
            open();
        }>
            <label><span class="label">"Link, or what stands behind its #"</span>
                <textarea class="input mono" rows="4" autofocus=true on:input=move |event| {
                    text.set(event_target_value(&event));
                    refused.set(None);
                }></textarea>
            </label>
            <p class="invalid" role="alert">{move || refused.get()}</p>
            <div class="row"><button type="submit" class="button primary">"Open"</button></div>
        </form>
    }
    .into_any()
}
