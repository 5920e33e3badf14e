//! The commands that the canvas carries out: what they are, and those that look, walk and select.

mod build;
mod place;

use super::state::Canvas;
use crate::sorted::SortedSet;
use crate::{
    action::Command,
    canvas::{
        GRID, Point, Rect, Viewport,
        arrange::Align,
        hit::End,
        tool::{Event, State, Tool},
        walk::{Direction, next_link, stream, walk},
    },
    layout,
    model::{ElementKind, Id},
    ui::store::Kind,
};
use leptos::prelude::*;

/// One step of the keys that move the view, in pixels.
const PAN_STEP: f64 = 80.0;

/// What a command of the palette adds: a kind, or a note; nothing for any other command.
pub fn added_kind(id: &str) -> Option<Option<ElementKind>> {
    Some(match id {
        "add-source" => Some(ElementKind::Source),
        "add-channel" => Some(ElementKind::Channel),
        "add-operator" => Some(ElementKind::Operator),
        "add-job" => Some(ElementKind::Job),
        "add-sink" => Some(ElementKind::Sink),
        "add-consumer" => Some(ElementKind::Consumer),
        "add-batch" => Some(ElementKind::Batch),
        "add-note" => None,
        _ => return None,
    })
}

impl Canvas {
    fn selection(self) -> SortedSet<Id> {
        self.desk.selection.get_untracked()
    }

    fn one(self) -> Option<Id> {
        untrack(|| self.desk.selected())
    }

    fn refuse(self, why: &str) {
        self.desk.messages.say(Kind::Note, "Not done", why);
    }

    /// Carries a command out.
    pub fn run(self, command: Command) {
        use Command as C;
        match command {
            C::SelectTool => self.tool.set(Tool::Select),
            C::HandTool => self.tool.set(Tool::Hand),
            C::AddSource
            | C::AddChannel
            | C::AddOperator
            | C::AddJob
            | C::AddSink
            | C::AddConsumer
            | C::AddBatch
            | C::AddNote => self.add(command),
            C::Duplicate | C::Delete | C::DeleteAndJoin | C::Group | C::Ungroup | C::Lock => self.rework(command),
            C::NextRight => self.add_next(Direction::Right),
            C::NextDown => self.add_next(Direction::Down),
            C::NextLeft => self.add_next(Direction::Left),
            C::NextUp => self.add_next(Direction::Up),
            C::Connect => self.begin_link(),
            C::Rename => self.rename_or_link(),
            C::WalkNext => self.walk(Direction::Right),
            C::WalkBack => self.walk(Direction::Left),
            C::WalkUp => self.walk(Direction::Up),
            C::WalkDown => self.walk(Direction::Down),
            C::SelectAll | C::SelectNone | C::SelectUpstream | C::SelectDownstream | C::SelectConnected => {
                self.pick(command);
            }
            C::MoveLeft => self.nudge(-GRID, 0.0),
            C::MoveRight => self.nudge(GRID, 0.0),
            C::MoveUp => self.nudge(0.0, -GRID),
            C::MoveDown => self.nudge(0.0, GRID),
            C::MoveFarLeft => self.nudge(-4.0 * GRID, 0.0),
            C::MoveFarRight => self.nudge(4.0 * GRID, 0.0),
            C::MoveFarUp => self.nudge(0.0, -4.0 * GRID),
            C::MoveFarDown => self.nudge(0.0, 4.0 * GRID),
            C::AlignLeft => self.align(Align::Left),
            C::AlignRight => self.align(Align::Right),
            C::AlignTop => self.align(Align::Top),
            C::AlignBottom => self.align(Align::Bottom),
            C::AlignMiddle => self.align(Align::Middle),
            C::AlignCentre => self.align(Align::Centre),
            C::DistributeAcross => self.distribute(true),
            C::DistributeDown => self.distribute(false),
            C::Tidy => self.tidy(),
            C::TidySelection => self.tidy_selection(),
            C::InsertIntoLink => self.insert_into_link(),
            C::MoveStart => self.begin_rewiring(End::From),
            C::MoveEnd => self.begin_rewiring(End::To),
            C::NextLink => self.next_link(false),
            C::PreviousLink => self.next_link(true),
            C::ContextMenu => self.open_menu(),
            C::Minimap => self.fold_map(),
            C::PanLeft => self.pan(1.0, 0.0),
            C::PanRight => self.pan(-1.0, 0.0),
            C::PanUp => self.pan(0.0, 1.0),
            C::PanDown => self.pan(0.0, -1.0),
            C::ZoomIn => self.zoom(1.25),
            C::ZoomOut => self.zoom(0.8),
            C::ZoomFull => self.zoom(1.0 / self.view.get_untracked().zoom),
            C::ZoomFit => self.fit(),
            C::ZoomSelection => self.zoom_selection(),
            // Every other command is the shell's.
            _ => {}
        }
    }

    fn middle(self) -> Point {
        let (w, h) = self.pane.get_untracked();
        Point::new(w / 2.0, h / 2.0)
    }

    fn pan(self, across: f64, down: f64) {
        self.view.update(|view| *view = view.panned(across * PAN_STEP, down * PAN_STEP));
    }

    fn zoom(self, by: f64) {
        let at = self.middle();
        self.view.update(|view| *view = view.zoomed(by, at));
    }

    fn zoom_selection(self) {
        let ids = self.selection();
        let around = self.with_now(|now| {
            let routes = ids.iter().filter_map(|id| now.world.routes.get(id)).map(layout::Route::bounds);
            Rect::around(ids.iter().filter_map(|id| now.world.scene.get(id)).copied().chain(routes))
        });
        if let Some(rect) = around {
            let ((left, right), (w, h)) = (self.covered(), self.pane.get_untracked());
            self.view.set(Viewport::fit(rect.grown(40.0), (w - left - right, h), 1.0).panned(left, 0.0));
        }
    }

    fn next_link(self, back: bool) {
        let from = self.one();
        let order = self.picture.with_untracked(|picture| picture.order.clone());
        let next = self.desk.design.with_untracked(|design| next_link(design, &order, from.as_ref(), back));
        if let Some(next) = next {
            self.desk.select([next.clone()]);
            self.reveal(&SortedSet::from([next.clone()]));
            self.desk.messages.announce(&self.label_of(&next).get_untracked());
        }
    }

    fn walk(self, direction: Direction) {
        let (design, scene) = (self.desk.design.get_untracked(), self.scene.get_untracked());
        let from = self.one().filter(|id| scene.contains_key(id) || design.links.contains_key(id));
        let next = match from {
            Some(from) => walk(&design, &scene, &from, direction),
            None => self.picture.with_untracked(|picture| picture.order.first().cloned()),
        };
        if let Some(next) = next {
            self.desk.select([next.clone()]);
            self.reveal(&SortedSet::from([next.clone()]));
            self.focus(&next);
        }
    }

    fn pick(self, command: Command) {
        let design = self.desk.design.get_untracked();
        let selection = self.selection();
        match command {
            Command::SelectAll => {
                let shown =
                    self.picture.with_untracked(|p| p.order.iter().chain(p.wires.keys()).cloned().collect::<Vec<_>>());
                self.desk.select(shown.into_iter().chain(design.layout.notes.keys().cloned()));
            }
            Command::SelectNone => {
                let busy = self.state.with_untracked(|state| *state != State::Idle)
                    || self.offer.with_untracked(Option::is_some);
                self.offer.set(None);
                self.send(Event::Cancel);
                self.tool.set(Tool::Select);
                if !busy {
                    self.desk.select([]);
                }
            }
            Command::SelectUpstream => self.desk.select(stream(&design, &selection, true)),
            Command::SelectDownstream => self.desk.select(stream(&design, &selection, false)),
            _ => {
                let mut all = stream(&design, &selection, true);
                all.extend(stream(&design, &selection, false));
                self.desk.select(all);
            }
        }
    }
}
