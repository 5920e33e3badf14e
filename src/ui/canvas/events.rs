//! Events of the browser as events of the tools, and what the tools answer carried out.

use super::state::{Canvas, Offered};
use crate::sorted::SortedSet;
use crate::{
    action::Command,
    canvas::{
        LINK_SLOP, LINK_SLOP_TOUCH, Point, Target, create,
        hit::End,
        insert,
        tool::{Button, Event, Modifiers, Outcome, Pointer, State, step},
    },
    edit::Edit,
    model::{ElementKind, Id, Note, Place, Port, View},
    ui::store::{Kind, Show},
};
use leptos::{ev::KeyboardEvent, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{PointerEvent, WheelEvent};

/// The wheel rests when it has not turned for so long.
const WHEEL_RESTS: std::time::Duration = std::time::Duration::from_millis(140);

impl Canvas {
    /// A place of the page in pixels of the pane.
    pub fn local(self, x: i32, y: i32) -> Point {
        let corner = self.root.get_untracked().map(|root| root.get_bounding_client_rect());
        let (left, top) = corner.map_or((0.0, 0.0), |rect| (rect.left(), rect.top()));
        Point::new(f64::from(x) - left, f64::from(y) - top)
    }

    fn pointer_of(self, event: &PointerEvent) -> Pointer {
        let at = self.local(event.client_x(), event.client_y());
        let touch = event.pointer_type() == "touch";
        let over = self.over(event.target(), at, touch);
        Pointer {
            id: event.pointer_id(),
            at,
            touch,
            button: match event.button() {
                1 => Button::Middle,
                2 => Button::Secondary,
                _ => Button::Primary,
            },
            keys: Modifiers {
                shift: event.shift_key(),
                ctrl: event.ctrl_key() || event.meta_key(),
                alt: event.alt_key(),
            },
            over,
        }
    }

    /// What is under a point: ports and handles as drawn, all else by the boxes.
    pub fn over(self, target: Option<web_sys::EventTarget>, at: Point, touch: bool) -> Target {
        let element = target.and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let closest = |selector: &str| element.as_ref().and_then(|el| el.closest(selector).ok().flatten());
        let id = |el: &web_sys::Element, name: &str| Id::new(&el.get_attribute(name)?).ok();
        if let Some(port) = closest("[data-port]")
            && let Some(owner) = closest("[data-element-id]").and_then(|el| id(&el, "data-element-id"))
        {
            let name = port.get_attribute("data-port").unwrap_or_default();
            return Target::Port(owner, Port::named(&name));
        }
        if let Some(handle) = closest("[data-handle]")
            && let Some(link) = id(&handle, "data-of")
        {
            let from = handle.get_attribute("data-handle").as_deref() == Some("from");
            return Target::Handle(link, if from { End::From } else { End::To });
        }
        let badge = closest("[data-badge-of]");
        let of = badge.as_ref().and_then(|badge| id(badge, "data-badge-of"));
        let hit = self.with_now(|now| {
            let slop = if touch { LINK_SLOP_TOUCH } else { LINK_SLOP };
            now.world.at(now.view.to_canvas(at), slop / now.view.zoom)
        });
        let words = badge.is_some_and(|badge| badge.matches(".cv-caption").unwrap_or(false));
        match of {
            // Words are seen through: a link that runs under them is meant before the one they are about.
            Some(_) if words && matches!(hit, Target::Link(_)) => hit,
            Some(of) if self.desk.design.with_untracked(|design| design.links.contains_key(&of)) => Target::Link(of),
            Some(of) => Target::Element(of),
            None => hit,
        }
    }

    /// Sends an event to the tool in hand.
    pub fn send(self, event: Event) {
        let state = self.state.get_untracked();
        let (next, outcomes) = self.with_now(|now| step(state.clone(), now, event));
        batch(|| {
            if next != state {
                self.state.set(next);
            }
            for outcome in outcomes {
                self.carry_out(outcome);
            }
        });
    }

    /// Does what a tool answered.
    pub fn carry_out(self, outcome: Outcome) {
        match outcome {
            Outcome::View(view) => self.view.set(view),
            Outcome::Select(ids) => self.desk.select(ids),
            Outcome::Preview(boxes, guides) => {
                self.preview.set(boxes);
                self.guides.set(guides);
            }
            Outcome::Edit { edit, label, select } => self.change(edit, label, select),
            Outcome::Refuse(why) => self.desk.messages.say(Kind::Note, "Not done", why),
            Outcome::Offer { from, port, at } => self.offer_or_add(from, port, at),
            Outcome::Note(at) => self.add_note(at),
            Outcome::Tool(tool) => self.tool.set(tool),
        }
    }

    /// Changes the design and selects what came of it.
    pub fn change(self, edit: Edit, label: &'static str, select: Option<SortedSet<Id>>) {
        if self.desk.edit(edit, label, None)
            && let Some(ids) = select
        {
            // What is drawn into what exists is planned: as it is today, nobody would see it.
            let unseen = self.desk.design.with_untracked(|design| {
                ids.iter().any(|id| design.subject(id).is_some() && !design.visible(View::AsIs, id))
            });
            if unseen && self.desk.show.get_untracked() == Show::AsIs {
                self.desk.show.set(Show::ToBe);
            }
            self.desk.select(ids);
        }
    }

    /// Offers what may follow; where only one kind may, it is added at once.
    fn offer_or_add(self, from: Id, port: Option<Port>, at: Point) {
        let kinds = self.kinds_after(&from, port);
        match kinds.as_slice() {
            [] => self.desk.messages.say(Kind::Note, "Not done", "Nothing can follow here."),
            [only] => self.follow(&from, port, *only, at),
            _ => self.offer.set(Some(Offered { from, port, at })),
        }
    }

    /// The kinds that may follow an output.
    pub fn kinds_after(self, from: &Id, port: Option<Port>) -> Vec<ElementKind> {
        let kind = self.desk.design.with_untracked(|design| design.kind(from));
        if port == Some(Port::Reconcile) {
            return Vec::new();
        }
        kind.map_or_else(Vec::new, |kind| create::followers(kind, port))
    }

    /// Adds an element behind another one, linked.
    pub fn follow(self, from: &Id, port: Option<Port>, kind: ElementKind, at: Point) {
        let added = self.desk.design.with_untracked(|design| create::follow(design, from, port, kind, at));
        self.offer.set(None);
        match added {
            Ok(added) => self.change(added.edit, "Add and link", Some(SortedSet::from([added.id]))),
            Err(why) => self.desk.messages.say(Kind::Note, "Not done", why),
        }
    }

    /// Puts an empty note and opens it for writing.
    pub fn add_note(self, at: Point) {
        let id = self.desk.design.with_untracked(|design| design.fresh_id(&Id::slug("", "note")));
        let place = Place { x: at.x.round() as i32, y: at.y.round() as i32, size: None };
        let note = Note { text: None, place: Some(place) };
        self.change(Edit::Note { id: id.clone(), to: Some(note) }, "Add a note", Some(SortedSet::from([id.clone()])));
        self.renaming.set(Some(id));
    }

    /// A button went down.
    pub fn down(self, event: &PointerEvent) {
        if self.renaming.get_untracked().is_some() {
            // The field keeps its text when it loses the focus.
            self.renaming.set(None);
        }
        self.offer.set(None);
        if let Some(root) = self.root.get_untracked()
            && root.set_pointer_capture(event.pointer_id()).is_ok()
        {
            let owner = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
            // The keyboard follows the pointer, but for a port: a ring around its element would look like a selection.
            let of = if owner.as_ref().is_some_and(|el| el.has_attribute("data-port")) { None } else { owner };
            let inside = of.and_then(|el| el.closest("[data-element-id]").ok().flatten());
            self.pressing.set_value(true);
            if let Some(el) = inside.and_then(|el| el.dyn_into::<web_sys::HtmlElement>().ok()) {
                _ = el.focus();
            } else {
                _ = root.focus();
            }
            self.pressing.set_value(false);
        }
        if event.button() == 1 {
            event.prevent_default();
        }
        self.send(Event::Down(self.pointer_of(event)));
        self.await_long_press(event);
    }

    /// A pointer moved.
    pub fn moved(self, event: &PointerEvent) {
        let at = self.local(event.client_x(), event.client_y());
        if self.context.with_untracked(Option::is_none) {
            self.pointer.set_value(Some(at));
        }
        if self.state.with_untracked(|state| *state != State::Idle && !state.chooses()) {
            let pointer = self.pointer_of(event);
            self.send(Event::Move(pointer.clone()));
            if self.state.with_untracked(State::drags) {
                self.follow_edge(&pointer);
            }
        }
    }

    /// A button went up.
    pub fn up(self, event: &PointerEvent) {
        self.send(Event::Up(self.pointer_of(event)));
    }

    /// The wheel: pans; with Ctrl, and as a pinch on a trackpad, it zooms to the pointer.
    pub fn wheel(self, event: &WheelEvent) {
        event.prevent_default();
        let at = self.local(event.client_x(), event.client_y());
        let unit = if event.delta_mode() == 1 { 16.0 } else { 1.0 };
        let (dx, dy) = (event.delta_x() * unit, event.delta_y() * unit);
        self.turn_wheel();
        self.view.update(|view| {
            *view = match (event.ctrl_key() || event.meta_key(), event.shift_key()) {
                (true, _) => view.wheeled(dy, at),
                (false, true) if dx == 0.0 => view.panned(-dy, 0.0),
                (false, _) => view.panned(-dx, -dy),
            };
        });
    }

    /// The wheel turns until it has not turned for a while.
    fn turn_wheel(self) {
        if let Some(waiting) = self.wheel_rests.get_value() {
            waiting.clear();
        }
        if !self.wheel_turns.get_untracked() {
            self.wheel_turns.set(true);
        }
        let rest = move || _ = self.wheel_turns.try_set(false);
        self.wheel_rests.set_value(set_timeout_with_handle(rest, WHEEL_RESTS).ok());
    }

    /// A double click names what is under it.
    pub fn double(self, x: i32, y: i32) {
        let target = self.over(None, self.local(x, y), false);
        if let Some(id) = target.id().filter(|_| !matches!(target, Target::Link(_)))
            && !self.desk.reading.get_untracked()
        {
            self.renaming.set(Some(id.clone()));
        }
    }

    /// Adds an element that is let go here: into the link or the frame under it, or on the bare canvas.
    pub fn add_at(self, kind: ElementKind, at: Point) {
        let added = self.with_now(|now| insert::dropped(now.world, kind, at, LINK_SLOP / now.view.zoom));
        self.change(added.edit, "Add", Some(SortedSet::from([added.id])));
    }

    /// Enter and Space select what has the focus and is not selected: after Escape, or the element that a tool left.
    pub fn choose_by_key(self, event: &KeyboardEvent) {
        let plain = !event.ctrl_key() && !event.meta_key() && !event.alt_key() && !event.shift_key();
        let at = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let id = at.and_then(|at| Id::new(&at.get_attribute("data-element-id")?).ok());
        let chooses = self.state.with_untracked(State::chooses);
        if let Some(id) = id
            && selects(&event.key(), plain && !chooses, self.desk.selection.with_untracked(|s| s.contains(&id)))
        {
            event.prevent_default();
            self.desk.select([id]);
        }
    }

    /// Plain arrows move the view while nothing is selected.
    pub fn pan_by_key(self, event: &KeyboardEvent) {
        let plain = !event.ctrl_key() && !event.meta_key() && !event.alt_key() && !event.shift_key();
        let inside = event.target() != event.current_target();
        let workshop = self.desk.panes.workshop.get_untracked();
        if !plain || inside || workshop || self.desk.selection.with_untracked(|selection| !selection.is_empty()) {
            return;
        }
        let command = match event.key().as_str() {
            "ArrowLeft" => Command::PanLeft,
            "ArrowRight" => Command::PanRight,
            "ArrowUp" => Command::PanUp,
            "ArrowDown" => Command::PanDown,
            _ => return,
        };
        event.prevent_default();
        self.run(command);
    }

    /// Moves the keyboard to an element.
    pub fn focus(self, id: &Id) {
        // The frame that was waited for may come after the canvas is gone.
        let Some(root) = self.root.try_get_untracked().flatten() else { return };
        let found = root.query_selector(&format!("[data-element-id=\"{id}\"]")).ok().flatten();
        if let Some(element) = found.and_then(|el| el.dyn_into::<web_sys::HtmlElement>().ok()) {
            _ = element.focus();
        }
    }
}

/// Does the key select the element that has the focus? One that is selected has its own use of Enter and Space.
fn selects(key: &str, plain: bool, selected: bool) -> bool {
    plain && !selected && matches!(key, "Enter" | " ")
}
