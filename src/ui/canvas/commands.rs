//! The commands that the canvas carries out.

use super::state::Canvas;
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    action::Command,
    canvas::{
        GRID, Point, Rect, Viewport,
        arrange::{self, Align},
        create,
        hit::End,
        insert, remove,
        tool::{Event, State, Tool, moved_to},
        walk::{Direction, next_link, stream, walk},
    },
    edit::Edit,
    layout,
    model::{ElementKind, Id},
    platform::device,
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

/// The element of the canvas that has the keyboard.
fn focused_element() -> Option<Id> {
    let element = device::focused()?.closest("[data-element-id]").ok().flatten()?;
    Id::new(&element.get_attribute("data-element-id")?).ok()
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
            self.view.set(Viewport::fit(rect.grown(40.0), self.pane.get_untracked(), 1.0));
        }
    }

    /// Adds under the pointer, else in the middle of what is seen, where nothing stands.
    fn add(self, command: Command) {
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
        let added = self.with_now(|now| {
            let operators = now.world.design.operators_of(&job).filter_map(|(id, _)| now.world.scene.get(id)).copied();
            let frame = now.world.scene.get(&job).copied().unwrap_or_default();
            let corner = Rect::around(operators).map_or(Point::new(frame.x + 8.0, frame.y + 32.0), |core| {
                Point::new(core.right() + layout::GAP, core.y)
            });
            create::element(now.world.design, ElementKind::Operator, corner, Some(&job))
        });
        self.change(added.edit, "Add", Some(SortedSet::from([added.id])));
    }

    fn add_next(self, direction: Direction) {
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

    fn rework(self, command: Command) {
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
            Command::Group => match self.desk.design.with_untracked(|design| {
                let (job, edit) = remove::group(design, &selection)?;
                remove::keeps_jobs_whole(design, &edit)?;
                Ok::<_, &'static str>((job, edit))
            }) {
                Ok((job, edit)) => self.change(edit, "Group into a job", Some(SortedSet::from([job]))),
                Err(why) => self.refuse(why),
            },
            Command::Ungroup => {
                let Some(job) = selection.first() else { return };
                match self.desk.design.with_untracked(|design| remove::ungroup(design, job)) {
                    Ok(edit) => self.change(edit, "Ungroup", None),
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

    fn begin_link(self) {
        if let Some(from) = self.one() {
            self.desk.messages.announce("Choose the target and press Enter, or Escape");
            self.state.set(State::Choosing { from });
        }
    }

    fn begin_rewiring(self, end: End) {
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

    fn insert_into_link(self) {
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

    fn next_link(self, back: bool) {
        let from = self.one();
        let order = self.picture.with_untracked(|picture| picture.order.clone());
        let next = self.desk.design.with_untracked(|design| next_link(design, &order, from.as_ref(), back));
        if let Some(next) = next {
            self.desk.select([next.clone()]);
            self.reveal(&SortedSet::from([next.clone()]));
            let label = self.picture.with_untracked(|picture| picture.wires.get(&next).map(|wire| wire.label.clone()));
            self.desk.messages.announce(&label.unwrap_or_default());
        }
    }

    /// Enter ends a link that was begun at the element that has the keyboard, else renames.
    fn rename_or_link(self) {
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

    fn place(self, boxes: &SortedMap<Id, Rect>, label: &'static str, coalesce: Option<&str>) {
        if boxes.is_empty() {
            return;
        }
        let edit = arrange::placed(&self.desk.design.get_untracked(), &self.scene.get_untracked(), boxes);
        self.desk.edit(edit, label, coalesce);
    }

    fn nudge(self, dx: f64, dy: f64) {
        let selection = self.selection();
        let boxes = self.with_now(|now| arrange::nudged(now.world.design, now.world.scene, &selection, dx, dy));
        let burst = format!("nudge {}", selection.iter().map(Id::as_str).collect::<Vec<_>>().join(" "));
        self.place(&boxes, "Move", Some(&burst));
        self.reveal(&selection);
    }

    fn align(self, to: Align) {
        let selection = self.selection();
        let boxes = self.with_now(|now| arrange::aligned(now.world.design, now.world.scene, &selection, to));
        self.place(&boxes, "Align", None);
    }

    fn distribute(self, across: bool) {
        let selection = self.selection();
        let boxes = self.with_now(|now| arrange::distributed(now.world.design, now.world.scene, &selection, across));
        self.place(&boxes, "Distribute", None);
    }

    /// Tidies everything; one undo step.
    fn tidy(self) {
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
    fn tidy_selection(self) {
        let selection = self.selection();
        let boxes = self.with_now(|now| arrange::tidied(now.world.design, now.world.scene, &selection));
        self.place(&boxes, "Tidy the selection", None);
    }
}
