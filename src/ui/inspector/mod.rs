//! The inspector: everything that can be said of the selection, each setting as it is and as it shall be.

mod design;
mod editor;
mod evidence;
mod head;
mod missing;
mod people;
mod row;
mod settings;
mod structure;

pub use missing::open_field;

use super::{
    kit::{command_button, icon_button},
    marks::Icon,
    records,
    store::Desk,
};
use crate::{
    action::{Command, records::RecordKind},
    model::Id,
    platform::frame,
};
use leptos::prelude::*;

/// The pane.
pub fn inspector(desk: Desk) -> AnyView {
    let selected = Memo::new(move |_| {
        let id = desk.selected()?;
        // A note has no settings; an id that is gone has nothing to show.
        desk.design.with(|design| design.section_of(&id).map(|_| id))
    });
    let shown = followed(desk, selected);
    let many = Memo::new(move |_| desk.selection.with(crate::sorted::SortedSet::len));
    view! {
        <aside class="inspector" data-pane="inspector" tabindex="-1" aria-label="Inspector">
            {icon_button(desk, Command::Inspector, "inspector-close", "Fold the inspector", Icon::Close)}
            {move || match shown.get() {
                Some(id) => one(desk, &id),
                None if many.get() > 1 => several(desk, many),
                None => design::panel(desk),
            }}
        </aside>
    }
    .into_any()
}

/// What is inspected: the selection. One that comes with an edit is followed once the frame of the edit is drawn, as long
/// as what is inspected until then is still there.
fn followed(desk: Desk, selected: Memo<Option<Id>>) -> RwSignal<Option<Id>> {
    let shown = RwSignal::new(selected.get_untracked());
    let follow = move || {
        let now = selected.try_get_untracked().flatten();
        if shown.try_with_untracked(|shown| *shown != now) == Some(true) {
            shown.set(now);
        }
    };
    Effect::new(move |before: Option<u64>| {
        selected.track();
        let revision = desk.revision.get_untracked();
        let there = |id: &Id| desk.design.with_untracked(|design| design.section_of(id).is_some());
        let stays = shown.with_untracked(|shown| shown.as_ref().is_none_or(there));
        if stays && before.is_some_and(|before| before != revision) {
            frame::after(follow);
        } else {
            follow();
        }
        revision
    });
    shown
}

fn one(desk: Desk, id: &Id) -> AnyView {
    view! {
        <div data-inspected=id.to_string()>
            {head::head(desk, id)}
            {missing::missing(desk, id)}
            {missing::figures(desk, id)}
            {structure::structure(desk, id)}
            {settings::settings(desk, id)}
            {people::raw(desk, id)}
            {records_of(desk, id)}
        </div>
    }
    .into_any()
}

/// What was planned, asked, decided, read and approved about it.
fn records_of(desk: Desk, id: &Id) -> AnyView {
    let lists = records::lists(desk, &RecordKind::ALL, Some(id), &format!("inspector/{id}"));
    view! { <section class="inspector-section" aria-label="Records">{lists}</section> }.into_any()
}

fn several(desk: Desk, count: Memo<usize>) -> AnyView {
    let commands = [
        Command::Group,
        Command::AlignLeft,
        Command::AlignTop,
        Command::AlignMiddle,
        Command::AlignCentre,
        Command::DistributeAcross,
        Command::DistributeDown,
        Command::Tidy,
        Command::Duplicate,
        Command::Delete,
    ];
    let buttons: Vec<AnyView> =
        commands.into_iter().map(|command| command_button(desk, command, "", command.title().into_any())).collect();
    view! {
        <header class="inspector-head">
            <p class="small quiet">"Selection"</p>
            <h2 class="panel-title">{move || count.get()} " selected"</h2>
        </header>
        <div class="inspector-section stack">{buttons}</div>
    }
    .into_any()
}
