//! The commands that add, link, rename, remove and group.

use super::added_kind;
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    action::Command,
    canvas::{
        GRID, Point, arrange, create,
        hit::End,
        insert, regroup, remove,
        tool::{State, moved_to},
        walk::Direction,
    },
    edit::Edit,
    layout,
    model::{ElementKind, Id},
    platform::device,
    ui::canvas::state::Canvas,
};
use leptos::prelude::*;

/// The element of the canvas that has the keyboard.
fn focused_element() -> Option<Id> {
    let element = device::focused()?.closest("[data-element-id]").ok().flatten()?;
    Id::new(&element.get_attribute("data-element-id")?).ok()
}

impl Canvas {
    /// Adds under the pointer, else in the middle of what is seen, where nothing stands.
    pub(super) fn add(self, command: Command) {
        let screen = self.pointer.get_value().unwrap_or_else(|| self.middle());
        let at = self.view.get_untracked().to_canvas(screen);
        match added_kind(command.row().id) {
            Some(Some(ElementKind::Operator)) if self.job_for_operator(at).is_some() => self.add_to_job(at),
            Some(Some(kind)) => {
                let corner = self.with_now(|now| create::free_spot(now.world.scene, kind, at));
                let (w, h) = layout::size(kind, false);
                self.add_at(kind, corner.plus(w / 2.0, h / 2.0));
            }
            Some(None) => self.add_note(at),
            None => return,
        }
        if let Some(id) = self.one() {
            self.reveal(&SortedSet::from([id.clone()]));
            request_animation_frame(move || self.focus(&id));
        }
    }

    /// The job that a new operator goes into: the selected frame, that of the selected operator, the one under it.
    fn job_for_operator(self, at: Point) -> Option<Id> {
        let selected = self.one();
        self.with_now(|now| {
            let design = now.world.design;
            let of = |id: &Id| {
                if design.kind(id) == Some(ElementKind::Job) { Some(id.clone()) } else { design.job_of(id).cloned() }
            };
            selected.as_ref().and_then(of).or_else(|| now.world.frame_at(at))
        })
    }

    fn add_to_job(self, at: Point) {
        let Some(job) = self.job_for_operator(at) else { return };
        let added = self.with_now(|now| insert::into_job(now.world, &job));
        self.change(added.edit, "Add", Some(SortedSet::from([added.id])));
    }

    pub(super) fn add_next(self, direction: Direction) {
        let Some(from) = self.one() else { return };
        let added = self.with_now(|now| create::next(now.world.design, now.world.scene, &from, direction));
        match added {
            Ok(added) => {
                let id = added.id.clone();
                self.change(added.edit, "Add the next element", Some(SortedSet::from([added.id])));
                self.reveal(&SortedSet::from([id.clone()]));
                let title = self.desk.design.with_untracked(|design| design.title(&id));
                self.desk.messages.announce(&format!("{title} added and linked"));
                request_animation_frame(move || self.focus(&id));
            }
            Err(why) => self.refuse(why),
        }
    }

    pub(super) fn rework(self, command: Command) {
        let selection = self.selection();
        match command {
            Command::Duplicate => {
                match self.with_now(|now| {
                    remove::duplicate(now.world.design, now.world.scene, &selection, (GRID * 2.0, GRID * 2.0))
                }) {
                    Ok((ids, edit)) => self.change(edit, "Duplicate", Some(ids)),
                    Err(why) => self.refuse(&why.reason),
                }
            }
            Command::Delete => {
                let edit = self.desk.design.with_untracked(|design| remove::delete(design, &selection));
                self.change(edit, "Delete", Some(SortedSet::new()));
            }
            Command::DeleteAndJoin => {
                let Some(id) = self.one() else { return };
                match self.desk.design.with_untracked(|design| remove::delete_and_join(design, &id)) {
                    Ok(edit) => self.change(edit, "Delete and join", Some(SortedSet::new())),
                    Err(why) => self.refuse(&why.reason),
                }
            }
            Command::Group => {
                match self.with_now(|now| regroup::group(now.world.design, now.world.scene, &selection)) {
                    Ok((select, edit)) => self.change(edit, "Group into a job", Some(select)),
                    Err(why) => self.refuse(why),
                }
            }
            Command::Ungroup => {
                let Some(job) = selection.first() else { return };
                match self.with_now(|now| regroup::ungroup(now.world.design, now.world.scene, job)) {
                    Ok((select, edit)) => self.change(edit, "Ungroup", Some(select)),
                    Err(why) => self.refuse(why),
                }
            }
            _ => self.lock(&selection),
        }
    }

    /// Locks all, or unlocks them where all are locked.
    fn lock(self, selection: &SortedSet<Id>) {
        let (design, scene) = (self.desk.design.get_untracked(), self.scene.get_untracked());
        let elements: Vec<&Id> = selection.iter().filter(|id| design.elements.contains_key(*id)).collect();
        let to = !elements.iter().all(|id| design.layout.locked.contains(*id));
        let mut edits = vec![arrange::placed(&design, &scene, &SortedMap::new())];
        edits.extend(elements.into_iter().map(|id| Edit::Lock { element: id.clone(), to }));
        self.change(Edit::All(edits), if to { "Lock" } else { "Unlock" }, None);
    }

    pub(super) fn begin_link(self) {
        if let Some(from) = self.one() {
            self.desk.messages.announce("Choose the target and press Enter, or Escape");
            self.state.set(State::Choosing { from });
        }
    }

    pub(super) fn begin_rewiring(self, end: End) {
        if let Some(link) = self.one() {
            self.desk.messages.announce("Choose an element and press Enter, or Escape");
            let design = self.desk.design.get_untracked();
            let ends = design.links.get(&link).and_then(crate::model::Subject::as_link);
            self.state.set(State::Rewiring { link, end });
            if let Some(ends) = ends {
                self.focus(if end == End::From { &ends.from } else { &ends.to });
            }
        }
    }

    pub(super) fn insert_into_link(self) {
        let Some(link) = self.one() else { return };
        let added = self.with_now(|now| {
            let at = now.world.routes.get(&link).map(|route| route.spot().at).unwrap_or_default();
            insert::into_link(now.world, ElementKind::Operator, &link, at)
        });
        match added {
            Some(added) => {
                let id = added.id.clone();
                self.change(added.edit, "Insert an operator", Some(SortedSet::from([added.id])));
                self.reveal(&SortedSet::from([id.clone()]));
                request_animation_frame(move || self.focus(&id));
            }
            None => self.refuse("No operator can stand in this link."),
        }
    }

    /// Enter ends a link that was begun at the element that has the keyboard, else renames.
    pub(super) fn rename_or_link(self) {
        let state = self.state.get_untracked();
        if let State::Rewiring { link, end } = &state {
            let Some(id) = focused_element() else { return };
            self.state.set(State::Idle);
            for outcome in self.with_now(|now| moved_to(now, link, *end, id)) {
                self.carry_out(outcome);
            }
            return;
        }
        let State::Choosing { from } = state else {
            let Some(id) = self.one() else { return };
            let nameable =
                self.desk.design.with_untracked(|d| d.elements.contains_key(&id) || d.layout.notes.contains_key(&id));
            if nameable {
                self.renaming.set(Some(id));
            }
            return;
        };
        // While a target is chosen the focus walks alone; the selection stays at the start of the link.
        let Some(id) = focused_element().or_else(|| self.one()) else { return };
        if from == id {
            return;
        }
        self.state.set(State::Idle);
        match self.desk.design.with_untracked(|design| create::link(design, &from, &id, None)) {
            Ok(added) => self.change(added.edit, "Link", Some(SortedSet::from([added.id]))),
            Err(why) => self.refuse(why),
        }
    }
}
