//! The commands that move, align, distribute and tidy.

use crate::sorted::SortedMap;
use crate::{
    canvas::{Rect, arrange, arrange::Align},
    edit::Edit,
    layout,
    model::Id,
    ui::canvas::state::Canvas,
};
use leptos::prelude::*;

impl Canvas {
    fn place(self, boxes: &SortedMap<Id, Rect>, label: &'static str, coalesce: Option<&str>) {
        if boxes.is_empty() {
            return;
        }
        let edit = arrange::placed(&self.desk.design.get_untracked(), &self.scene.get_untracked(), boxes);
        self.desk.edit(edit, label, coalesce);
    }

    pub(super) fn nudge(self, dx: f64, dy: f64) {
        let selection = self.selection();
        let boxes = self.with_now(|now| arrange::nudged(now.world.design, now.world.scene, &selection, dx, dy));
        let burst = format!("nudge {}", selection.iter().map(Id::as_str).collect::<Vec<_>>().join(" "));
        self.place(&boxes, "Move", Some(&burst));
        self.reveal(&selection);
    }

    pub(super) fn align(self, to: Align) {
        let selection = self.selection();
        let boxes = self.with_now(|now| arrange::aligned(now.world.design, now.world.scene, &selection, to));
        self.place(&boxes, "Align", None);
    }

    pub(super) fn distribute(self, across: bool) {
        let selection = self.selection();
        let boxes = self.with_now(|now| arrange::distributed(now.world.design, now.world.scene, &selection, across));
        self.place(&boxes, "Distribute", None);
    }

    /// Tidies everything; one undo step.
    pub(super) fn tidy(self) {
        let design = self.desk.design.get_untracked();
        let width = (self.pane.get_untracked().0 - 32.0).max(640.0);
        let places = layout::tidy(&design, width);
        let changed = places.into_iter().filter(|(id, place)| design.layout.boxes.get(id) != Some(place));
        let mut edits: Vec<Edit> = changed.map(|(id, place)| Edit::Place { element: id, to: Some(place) }).collect();
        edits.extend(design.layout.routes.keys().map(|link| Edit::Route { link: link.clone(), to: None }));
        if !edits.is_empty() {
            self.change(Edit::All(edits), "Tidy", None);
        }
        self.fit();
    }

    /// Tidies what is selected, where it is; all else stays.
    pub(super) fn tidy_selection(self) {
        let selection = self.selection();
        let boxes = self.with_now(|now| arrange::tidied(now.world.design, now.world.scene, &selection));
        self.place(&boxes, "Tidy the selection", None);
    }
}
