//! Tools as state machines: what pointer events mean, given the scene, the tool in hand and the selection.

mod connect;
mod drag;
#[cfg(test)]
mod tests;

pub use connect::moved_to;

use super::{
    DRAG_THRESHOLD, LINK_SLOP, Point, Rect, Viewport,
    hit::{End, Target, World},
    insert,
    snap::Guide,
};
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    edit::Edit,
    model::{ElementKind, Id, Port},
};

/// The tool in hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Picks, moves, connects.
    #[default]
    Select,
    /// Moves the canvas.
    Hand,
    /// The next press puts an element of this kind.
    Add(ElementKind),
    /// The next press puts a note.
    Note,
}

/// Keys held during a pointer event; `ctrl` stands for Ctrl or ⌘.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Modifiers {
    pub shift: bool,
    pub ctrl: bool,
    pub alt: bool,
}

/// Which button went down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Button {
    #[default]
    Primary,
    Middle,
    Secondary,
}

/// One event of one pointer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pointer {
    /// Which pointer, where several touch at once.
    pub id: i32,
    /// Where, in pixels of the canvas pane.
    pub at: Point,
    /// A finger, not a mouse or pen.
    pub touch: bool,
    /// Which button.
    pub button: Button,
    /// Keys held.
    pub keys: Modifiers,
    /// What is under it.
    pub over: Target,
}

/// What happens.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Event {
    Down(Pointer),
    Move(Pointer),
    Up(Pointer),
    /// Escape, a lost pointer, another window.
    Cancel,
}

/// What the tool is in the middle of.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum State {
    /// Nothing.
    #[default]
    Idle,
    /// A button is down and has not moved far yet.
    Pressed(Pointer),
    /// Elements follow the pointer.
    Moving {
        /// What moves.
        moving: SortedSet<Id>,
        /// Where it was taken, on the canvas.
        from: Point,
        /// How far it is moved now, snapped.
        by: (f64, f64),
        /// A copy is made of it.
        copy: bool,
    },
    /// A marquee is drawn.
    Marquee {
        /// Its first corner, on the canvas.
        from: Point,
        /// Its corner under the pointer.
        to: Point,
        /// What was selected before, kept with Shift.
        before: SortedSet<Id>,
        /// Only what is wholly inside.
        whole: bool,
    },
    /// The canvas follows the pointer.
    Panning {
        /// Which pointer.
        pointer: i32,
        /// Where it was last, on the screen.
        last: Point,
    },
    /// Two fingers move and zoom the canvas.
    Pinching {
        /// One finger: pointer and place on the screen.
        one: (i32, Point),
        /// The other.
        other: (i32, Point),
    },
    /// A link is drawn from a port.
    Connecting {
        /// From this element.
        from: Id,
        /// From this output.
        port: Option<Port>,
        /// To here, on the canvas.
        to: Point,
        /// The element under the pointer and whether a link to it is legal.
        over: Option<(Id, Result<(), &'static str>)>,
    },
    /// An end of a link is moved.
    Reconnecting {
        /// Which link.
        link: Id,
        /// Which end.
        end: End,
        /// To here, on the canvas.
        to: Point,
        /// The element under the pointer and whether the link may end there.
        over: Option<(Id, Result<(), &'static str>)>,
    },
    /// The next pressed element becomes the target of a link.
    Choosing {
        /// From this element.
        from: Id,
    },
    /// The next pressed element becomes an end of a link.
    Rewiring {
        /// Which link.
        link: Id,
        /// Which end.
        end: End,
    },
}

impl State {
    /// Is an element being chosen, so that walking to one does not select it?
    #[must_use]
    pub const fn chooses(&self) -> bool {
        matches!(self, Self::Choosing { .. } | Self::Rewiring { .. })
    }

    /// Does something follow the pointer that may have to go further than the pane shows?
    #[must_use]
    pub const fn drags(&self) -> bool {
        matches!(self, Self::Moving { .. } | Self::Marquee { .. } | Self::Connecting { .. } | Self::Reconnecting { .. })
    }
}

/// What to do about an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Show this part of the canvas.
    View(Viewport),
    /// Select exactly these.
    Select(SortedSet<Id>),
    /// Draw these boxes, and these guides, without changing the design; none: as the design says.
    Preview(SortedMap<Id, Rect>, Vec<Guide>),
    /// Change the design.
    Edit {
        /// The change.
        edit: Edit,
        /// What the history calls it.
        label: &'static str,
        /// What to select afterwards; nothing: as it is.
        select: Option<SortedSet<Id>>,
    },
    /// Say why something cannot be done.
    Refuse(&'static str),
    /// Offer what may follow this output, at a canvas point, in a job where it was dropped on one.
    Offer {
        /// From this element.
        from: Id,
        /// From this output.
        port: Option<Port>,
        /// Where.
        at: Point,
    },
    /// Put a note here.
    Note(Point),
    /// Take this tool in hand.
    Tool(Tool),
}

/// What a step reads.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    /// Design, boxes, ways.
    pub world: World<'a>,
    /// The tool in hand.
    pub tool: Tool,
    /// What is seen.
    pub view: Viewport,
    /// What is selected.
    pub selection: &'a SortedSet<Id>,
    /// Space is held: the hand, whatever the tool.
    pub space: bool,
    /// Nothing can be changed.
    pub reading: bool,
}

/// The next state and what to do.
#[must_use]
pub fn step(state: State, now: Now<'_>, event: Event) -> (State, Vec<Outcome>) {
    match (state, event) {
        (state, Event::Cancel) => (State::Idle, settled(&state)),
        (State::Panning { pointer, last }, Event::Down(p)) if p.touch && p.id != pointer => pinch(pointer, last, &p),
        (State::Pressed(first), Event::Down(p)) if p.touch && p.id != first.id => pinch(first.id, first.at, &p),
        (State::Choosing { from }, Event::Down(p)) => connect::chosen(now, &from, &p),
        (State::Rewiring { link, end }, Event::Down(p)) => (State::Idle, connect::replugged(now, &link, end, &p)),
        (state @ (State::Idle | State::Pressed(_)), Event::Down(p)) => {
            _ = state;
            pressed(now, p)
        }
        (state, Event::Down(_)) => (state, Vec::new()),
        (State::Pressed(first), Event::Move(p)) => drag::begun(now, first, &p),
        (State::Panning { pointer, last }, Event::Move(p)) if p.id == pointer => {
            let view = now.view.panned(p.at.x - last.x, p.at.y - last.y);
            (State::Panning { pointer, last: p.at }, vec![Outcome::View(view)])
        }
        (State::Pinching { one, other }, Event::Move(p)) => pinched(now, one, other, &p),
        (State::Moving { moving, from, copy, .. }, Event::Move(p)) => drag::moved(now, moving, from, copy, &p),
        (State::Marquee { from, before, whole, .. }, Event::Move(p)) => drag::marquee(now, from, before, whole, &p),
        (State::Connecting { from, port, .. }, Event::Move(p)) => (connect::towards(now, from, port, &p), Vec::new()),
        (State::Reconnecting { link, end, .. }, Event::Move(p)) => (connect::pulled(now, link, end, &p), Vec::new()),
        (state, Event::Move(_)) => (state, Vec::new()),
        (State::Pressed(first), Event::Up(p)) => clicked(now, &first, &p),
        (State::Moving { moving, by, copy, .. }, Event::Up(_)) => (State::Idle, drag::dropped(now, &moving, by, copy)),
        (State::Connecting { from, port, .. }, Event::Up(p)) => (State::Idle, connect::dropped(now, &from, port, &p)),
        (State::Reconnecting { link, end, .. }, Event::Up(p)) => (State::Idle, connect::replugged(now, &link, end, &p)),
        (State::Pinching { one, other }, Event::Up(p)) => {
            let (id, at) = if p.id == one.0 { other } else { one };
            (State::Panning { pointer: id, last: at }, Vec::new())
        }
        (state @ (State::Choosing { .. } | State::Rewiring { .. }), Event::Up(_)) => (state, Vec::new()),
        (_, Event::Up(_)) => (State::Idle, Vec::new()),
    }
}

/// What ends with a state that is broken off.
fn settled(state: &State) -> Vec<Outcome> {
    if matches!(state, State::Moving { .. }) {
        vec![Outcome::Preview(SortedMap::new(), Vec::new())]
    } else {
        Vec::new()
    }
}

fn pressed(now: Now<'_>, p: Pointer) -> (State, Vec<Outcome>) {
    if p.button == Button::Middle || now.space || (now.tool == Tool::Hand && p.button == Button::Primary) {
        return (State::Panning { pointer: p.id, last: p.at }, Vec::new());
    }
    let mut outcomes = Vec::new();
    let adds = p.keys.shift || p.keys.ctrl;
    if now.tool == Tool::Select
        && let Some(id) = p.over.id()
        && !adds
        // A finger may be the first of two: it selects when it is lifted, or when it drags.
        && !p.touch
        && !now.selection.contains(id)
        && !matches!(p.over, Target::Port(..))
    {
        outcomes.push(Outcome::Select(SortedSet::from([id.clone()])));
    }
    if p.button == Button::Secondary {
        return (State::Idle, outcomes);
    }
    (State::Pressed(p), outcomes)
}

fn clicked(now: Now<'_>, first: &Pointer, p: &Pointer) -> (State, Vec<Outcome>) {
    let at = now.view.to_canvas(p.at);
    match now.tool {
        Tool::Add(_) | Tool::Note if now.reading => (State::Idle, vec![Outcome::Tool(Tool::Select)]),
        Tool::Add(kind) => {
            let added = insert::dropped(now.world, kind, at, LINK_SLOP / now.view.zoom);
            let select = Some(SortedSet::from([added.id]));
            (State::Idle, vec![Outcome::Edit { edit: added.edit, label: "Add", select }, Outcome::Tool(Tool::Select)])
        }
        Tool::Note => (State::Idle, vec![Outcome::Note(at), Outcome::Tool(Tool::Select)]),
        Tool::Select | Tool::Hand => {
            let adds = first.keys.shift || first.keys.ctrl;
            let selection = match first.over.id() {
                None if adds => return (State::Idle, Vec::new()),
                None => SortedSet::new(),
                Some(id) if adds => {
                    let mut selection = now.selection.clone();
                    if !selection.remove(id) {
                        selection.insert(id.clone());
                    }
                    selection
                }
                Some(id) => SortedSet::from([id.clone()]),
            };
            // A click on a port begins a link that a second click ends.
            let next = match &first.over {
                Target::Port(id, None) if !now.reading => State::Choosing { from: id.clone() },
                _ => State::Idle,
            };
            (next, vec![Outcome::Select(selection)])
        }
    }
}

fn pinch(first: i32, at: Point, p: &Pointer) -> (State, Vec<Outcome>) {
    (State::Pinching { one: (first, at), other: (p.id, p.at) }, Vec::new())
}

/// Two fingers: what was between them stays between them.
fn pinched(now: Now<'_>, one: (i32, Point), other: (i32, Point), p: &Pointer) -> (State, Vec<Outcome>) {
    let moved = |finger: (i32, Point)| if finger.0 == p.id { (finger.0, p.at) } else { finger };
    let (new_one, new_other) = (moved(one), moved(other));
    let middle = |a: Point, b: Point| Point::new((a.x + b.x) / 2.0, (a.y + b.y) / 2.0);
    let (before, after) = (middle(one.1, other.1), middle(new_one.1, new_other.1));
    let spread = one.1.distance(other.1).max(1.0);
    let view = now.view.panned(after.x - before.x, after.y - before.y);
    let view = view.zoomed(new_one.1.distance(new_other.1).max(1.0) / spread, after);
    (State::Pinching { one: new_one, other: new_other }, vec![Outcome::View(view)])
}

/// Has the pointer left the spot where it went down?
fn far(first: &Pointer, p: &Pointer) -> bool {
    let threshold = if first.touch { DRAG_THRESHOLD.1 } else { DRAG_THRESHOLD.0 };
    first.at.distance(p.at) >= threshold
}
