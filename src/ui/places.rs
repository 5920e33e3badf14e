//! From a subject to the pictures that show it, and to the field that would state something.

use super::{inspector, kit::reveal, run::run, store::Desk};
use crate::{
    action::Command,
    model::{ElementKind, Field, Id, Subject},
    platform::frame,
    timeline,
};
use leptos::prelude::*;

/// A picture that shows a subject: the command that opens it, and what its button says.
pub type Place = (Command, &'static str);

/// The pictures that show a subject, as of the last frame. Tracks.
pub fn of(desk: Desk, id: &Id) -> Vec<Place> {
    let (view, review) = (desk.view(), desk.settled_review(desk.view()));
    desk.settled.with(|design| {
        let mut places = Vec::new();
        if timeline::has_window(design, view, id) {
            places.push((Command::GoTimeline, "Timeline of its window"));
        }
        match design.kind(id) {
            Some(ElementKind::Channel | ElementKind::Consumer) => {
                places.push((Command::GoReplay, "Replay, on a ruler"))
            }
            Some(ElementKind::Job) => places.push((Command::GoState, "State and lag")),
            Some(ElementKind::Operator) if review.operators.get(id).is_some_and(|report| report.state.is_some()) => {
                places.push((Command::GoState, "State and lag"));
            }
            _ => {}
        }
        places
    })
}

/// Opens a picture at a subject.
pub fn open(desk: Desk, id: &Id, command: Command) {
    desk.select([id.clone()]);
    run(desk, command);
}

/// Buttons to the pictures that show a subject.
pub fn buttons(desk: Desk, id: &Id, class: &'static str, all: Vec<Place>) -> AnyView {
    let button = |(command, words): Place| {
        let id = id.clone();
        view! { <button type="button" class=class data-to=command.row().id on:click=move |_| open(desk, &id, command)>{words}</button> }
            .into_any()
    };
    all.into_iter().map(button).collect::<Vec<_>>().into_any()
}

/// Opens the editor of the field that would state something about an operator: at itself, its job, what comes into it.
pub fn state(desk: Desk, operator: &Id, field: Field) {
    let at = desk.settled.with_untracked(|design| {
        let legal =
            |id: &&Id| design.subject(id).is_some_and(|subject| design.groups(subject).contains(&field.group()));
        let into = design.links.iter().filter_map(|(id, subject)| Some((id, Subject::as_link(subject)?)));
        let into = into.filter(|(_, link)| link.to == *operator).flat_map(|(id, link)| [id, &link.from]);
        std::iter::once(operator).chain(design.job_of(operator)).chain(into).find(legal).cloned()
    });
    let Some(at) = at else { return };
    reveal(desk, &at);
    let name = field.name();
    frame::after(move || inspector::open_field(name));
}
