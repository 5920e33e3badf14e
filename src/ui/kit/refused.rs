//! A name that cannot be taken: what was typed stays in its field, and why it is refused stands beside it.

use super::super::store::Desk;
use crate::{
    edit::Edit,
    model::{Text, limits::TextKind},
};
use leptos::{
    html::{Input, P},
    prelude::*,
};

/// Gives a name; for a text that no name may be, the reason, and nothing is changed.
pub fn rename(desk: Desk, text: &str, label: &str, edit: impl FnOnce(Option<Text>) -> Edit) -> Result<(), String> {
    let to = match text.trim() {
        "" => None,
        text => Some(TextKind::Name.check(text).map_err(|why| format!("The name {why}."))?),
    };
    desk.edit(edit(to), label, None);
    Ok(())
}

/// The reason under a field, while there is one. It lies over everything, so that no pane cuts it.
pub fn reason(why: RwSignal<Option<String>>, field: NodeRef<Input>) -> AnyView {
    let node = NodeRef::<P>::new();
    Effect::new(move |_| {
        let refused = why.with(Option::is_some);
        let (Some(node), Some(field)) = (node.get_untracked(), field.get_untracked()) else { return };
        if refused {
            let at = field.get_bounding_client_rect();
            _ = node.set_attribute("style", &format!("left:{:.0}px;top:{:.0}px", at.left(), at.bottom() + 4.0));
            _ = node.show_popover();
        } else {
            // Refused only where it is not shown.
            _ = node.hide_popover();
        }
    });
    view! { <p class="name-refused" role="alert" popover="manual" node_ref=node>{move || why.get()}</p> }.into_any()
}
