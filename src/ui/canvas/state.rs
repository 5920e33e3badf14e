//! What the canvas keeps for itself: viewport, tool, gesture, and signals for place, looks and state of each element and
//! link.
//!
//! An edit works out the whole picture, which is cheap, and then sets the signals of what came out otherwise: what did
//! not change is not looked at again, and its part of the page is left alone.

use crate::sorted::{SortedMap, SortedSet};
use crate::{
    canvas::{
        Point, Rect, Scene, Viewport, World, badge_place,
        caption::Obstacles,
        picture::{Before, Card, Picture, Subjects, Wire, labels, picture, picture_after},
        snap::Guide,
        tool::{Now, Pointer, State, Tool},
        viewport::{Detail, settled},
    },
    layout::{self, Route, Router, Routing, hugged, places},
    model::{Design, Hashed, Id, Port, View},
    platform::{clock, frame},
    rules::Review,
    ui::{
        canvas::seen::{CULL_FROM, in_page},
        drawer::consumers,
        each::{Each, following},
        store::{Desk, Show},
    },
};
use leptos::{html::Div, leptos_dom::helpers::TimeoutHandle, prelude::*};
use std::{collections::HashSet, sync::Arc};

/// What may follow an output, offered where a link was let go.
#[derive(Clone, Debug, PartialEq)]
pub struct Offered {
    /// From this element.
    pub from: Id,
    /// From this output.
    pub port: Option<Port>,
    /// Where, on the canvas.
    pub at: Point,
}

/// The signals of the canvas; cheap to copy.
#[derive(Clone, Copy)]
pub struct Canvas {
    /// The store.
    pub desk: Desk,
    /// What is seen.
    pub view: RwSignal<Viewport>,
    /// The view that showed the whole drawing last.
    pub fitted: StoredValue<Option<Viewport>>,
    /// The view that details are drawn for.
    pub still: Memo<Viewport>,
    /// A hand pans or zooms.
    pub gliding: Memo<bool>,
    /// The wheel turns.
    pub wheel_turns: RwSignal<bool>,
    /// Ends that.
    pub wheel_rests: StoredValue<Option<TimeoutHandle>>,
    /// Width and height of the pane.
    pub pane: RwSignal<(f64, f64)>,
    /// The tool in hand.
    pub tool: RwSignal<Tool>,
    /// The gesture under way.
    pub state: RwSignal<State>,
    /// Boxes that are drawn otherwise than the design says, during a drag.
    pub preview: RwSignal<SortedMap<Id, Rect>>,
    /// Alignment guides.
    pub guides: RwSignal<Vec<Guide>>,
    /// Space is held.
    pub space: RwSignal<bool>,
    /// What is being renamed.
    pub renaming: RwSignal<Option<Id>>,
    /// What may follow.
    pub offer: RwSignal<Option<Offered>>,
    /// Where the context menu stands open, in pixels of the window.
    pub context: RwSignal<Option<Point>>,
    /// Is the map open? Nothing: as the size of the drawing says.
    pub map: RwSignal<Option<bool>>,
    /// The pointer of a drag that is under way.
    pub dragged: StoredValue<Option<Pointer>>,
    /// The link or frame that would take what is carried from the palette.
    pub landing: Memo<Option<Id>>,
    /// A press is moving the keyboard: what is selected then is the tool's to say.
    pub pressing: StoredValue<bool>,
    /// Where the pointer was last, on the screen, while it is over the canvas.
    pub pointer: StoredValue<Option<Point>>,
    /// Touch or a low window: less detail.
    pub compact: RwSignal<bool>,
    /// The boxes of everything that is shown.
    pub scene: Memo<Arc<Scene>>,
    /// What is looked at for a place on a link.
    pub ground: Ground,
    /// The ways of all links that are shown.
    pub routes: Memo<Arc<SortedMap<Id, Route>>>,
    /// What is drawn.
    pub picture: Memo<Arc<Picture>>,
    /// The elements that are shown, in the order of flow.
    pub order: Memo<Arc<Vec<Id>>>,
    /// What a link that is being drawn would end at, or what takes what is carried, and whether it may.
    pub target: Memo<Option<(Id, bool)>>,
    /// How large it is drawn: what depends on this is left alone by panning.
    pub zoom: Memo<f64>,
    /// How much is drawn.
    pub detail: Memo<Detail>,
    /// The pane.
    pub root: NodeRef<Div>,
    boxes: Each<Rect>,
    ways: Each<Route>,
    cards: Each<Option<Arc<Card>>>,
    labels: Each<String>,
    /// What the labels say.
    named: StoredValue<Arc<SortedMap<Id, String>>>,
    wires: Each<Option<Arc<Wire>>>,
    selected: Each<bool>,
    locked: Each<bool>,
}

/// Where everything stands, for the hundreds of badges and words that look for a free place. Signals and not memos: whatever
/// reads a memo is woken to ask it again by every edit in front of it, also by those that leave all places as they are.
#[derive(Clone, Copy)]
pub struct Ground {
    /// The boxes of everything that is shown.
    pub scene: RwSignal<Arc<Scene>>,
    /// The ways of all links that are shown.
    pub routes: RwSignal<Arc<SortedMap<Id, Route>>>,
    /// What the words on links may not stand on.
    pub obstacles: RwSignal<Obstacles>,
    /// So many links that no badge looks for a place.
    pub crowded: RwSignal<bool>,
}

impl Canvas {
    /// The canvas of a store.
    pub fn new(desk: Desk) -> Self {
        // Few edits change the order of flow.
        let course = Memo::new_with_compare(
            move |_| desk.meaning.get(),
            |old, new| !old.zip(new).is_some_and(|(old, new)| layout::same_flow(old, new)),
        );
        let flow = Memo::new(move |_| Arc::new(layout::flow_order(&course.read())));
        let last = StoredValue::new(None::<(Sources, Arc<Picture>)>);
        let picture = Memo::new(move |_| {
            let (flow, sources) = (flow.get(), Sources::of(desk));
            let before = last.try_update_value(Option::take).flatten();
            let before = before.as_ref().map(|(from, picture)| from.drew(picture));
            let picture = Arc::new(picture_after(sources.subjects(), &flow, before));
            last.set_value(Some((sources, picture.clone())));
            picture
        });
        let order = Memo::new(move |_| Arc::new(picture.read().order.clone()));
        // Most edits leave places and ways as they are.
        let placed = Memo::new_with_compare(
            move |_| desk.design.get(),
            |old, new| !old.zip(new).is_some_and(|(old, new)| layout::same_ground(old, new)),
        );
        let scene = Memo::new(move |_| {
            let order = order.get();
            let shown: HashSet<&Id, Hashed> = order.iter().collect();
            let mut scene = places(&placed.read());
            scene.retain(|id, _| shown.contains(id));
            Arc::new(scene)
        });
        let obstacles = Memo::new(move |_| Obstacles::of(&desk.design.read_untracked(), &scene.read()));
        let kept = StoredValue::new(Routing::default());
        let routes = Memo::new(move |_| {
            let before = kept.try_update_value(std::mem::take).unwrap_or_default();
            let routing = Router::new(&placed.read(), &scene.read()).after(&before);
            clock::mark(&format!("routed {}", routing.searched));
            let routes = routing.routes.clone();
            kept.set_value(routing);
            routes
        });
        let ground = Ground {
            scene: following(move || scene.get()),
            routes: following(move || routes.get()),
            obstacles: following(move || obstacles.get()),
            crowded: following(move || badge_place::is_crowded(routes.read().len())),
        };
        let state = RwSignal::new(State::default());
        let view = RwSignal::new(Viewport::default());
        let compact = RwSignal::new(false);
        let pane = RwSignal::new((0.0, 0.0));
        let wheel_turns = RwSignal::new(false);
        let gliding = Memo::new(move |_| {
            wheel_turns.get() || matches!(&*state.read(), State::Panning { .. } | State::Pinching { .. })
        });
        let still = Memo::new(move |before: Option<&Viewport>| {
            let (now, gliding, pane) = (view.get(), gliding.get(), pane.get());
            let before = *before.unwrap_or(&now);
            let all = || order.with_untracked(|order| order.len() < CULL_FROM);
            settled(before, now, gliding, || all() || in_page(before, pane).holds(now.seen(pane)))
        });
        let zoom = Memo::new(move |_| still.read().zoom);
        let detail = Memo::new(move |_| Detail::at(zoom.get(), compact.get()));
        let root = NodeRef::new();
        let landing = super::carry::landing(desk, view, root, scene, routes);
        let target = Memo::new(move |_| match &*state.read() {
            State::Connecting { over: Some((over, may)), .. } | State::Reconnecting { over: Some((over, may)), .. } => {
                Some((over.clone(), may.is_ok()))
            }
            _ => landing.get().map(|id| (id, true)),
        });
        let canvas = Self {
            desk,
            landing,
            view,
            fitted: StoredValue::new(None),
            still,
            gliding,
            wheel_turns,
            wheel_rests: StoredValue::new(None),
            pane,
            tool: RwSignal::new(Tool::default()),
            state,
            preview: RwSignal::new(SortedMap::new()),
            guides: RwSignal::new(Vec::new()),
            space: RwSignal::new(false),
            renaming: RwSignal::new(None),
            offer: RwSignal::new(None),
            context: RwSignal::new(None),
            map: RwSignal::new(super::minimap::remembered()),
            dragged: StoredValue::new(None),
            pressing: StoredValue::new(false),
            pointer: StoredValue::new(None),
            compact,
            scene,
            ground,
            routes,
            picture,
            order,
            target,
            zoom,
            detail,
            root,
            boxes: Each::new(),
            ways: Each::new(),
            cards: Each::new(),
            labels: Each::new(),
            named: StoredValue::new(Arc::default()),
            wires: Each::new(),
            selected: Each::new(),
            locked: Each::new(),
        };
        canvas.keep_places();
        canvas.keep_looks();
        canvas
    }

    /// Brings the signals of elements and links to what the design, or a drag, says.
    fn keep_places(self) {
        type Places = (Arc<Scene>, Arc<SortedMap<Id, Route>>);
        // What was set last; none where a drag drew something else.
        Effect::new(move |before: Option<Option<Places>>| {
            let scene = self.scene.get();
            let preview = self.preview.read();
            if preview.is_empty() {
                let (before, routes) = (before.flatten(), self.routes.get());
                self.boxes.changed(before.as_ref().map(|(scene, _)| &**scene), &scene);
                self.ways.changed(before.as_ref().map(|(_, routes)| &**routes), &routes);
                return Some((scene, routes));
            }
            let design = self.desk.design.read_untracked();
            let mut moved: Scene = (*scene).clone();
            moved.extend(preview.iter().filter(|(id, _)| scene.contains_key(*id)).map(|(id, r)| (id.clone(), *r)));
            let moved = hugged(&design, moved);
            moved.iter().for_each(|(id, rect)| self.boxes.set(id, rect));
            let router = Router::new(&design, &moved);
            for (id, subject) in &design.links {
                let Some(link) = subject.as_link() else { continue };
                if (preview.contains_key(&link.from) || preview.contains_key(&link.to))
                    && let Some(route) = router.one(id)
                {
                    self.ways.set(id, &route);
                }
            }
            None
        });
    }

    /// Brings the signals of elements and links to what the picture and the selection say.
    fn keep_looks(self) {
        Effect::new(move |before: Option<Arc<Picture>>| {
            let picture = self.picture.get();
            let before = before.as_deref();
            self.cards.follow(before.map(|before| &before.cards), &picture.cards);
            self.wires.follow(before.map(|before| &before.wires), &picture.wires);
            frame::after(move || self.name());
            picture
        });
        Effect::new(move |before: Option<SortedSet<Id>>| {
            let selection = self.desk.selection.get();
            self.selected.follow(&before.unwrap_or_default(), &selection);
            selection
        });
        let locked = Memo::new(move |_| self.desk.design.read().layout.locked.clone());
        Effect::new(move |before: Option<SortedSet<Id>>| {
            let locked = locked.get();
            self.locked.follow(&before.unwrap_or_default(), &locked);
            locked
        });
    }

    /// Brings the names of elements and links to what the picture says.
    fn name(self) {
        let Some(picture) = self.picture.try_get_untracked() else { return };
        let sources = untrack(|| Sources::of(self.desk));
        let (before, now) = (self.named.get_value(), Arc::new(labels(sources.subjects(), &picture)));
        self.labels.changed(Some(&before), &now);
        self.named.set_value(now);
    }

    /// What stands on an element; none where it is not shown.
    pub fn card_of(self, id: &Id) -> RwSignal<Option<Arc<Card>>> {
        self.cards.of(id, || self.picture.with_untracked(|picture| picture.cards.get(id).cloned())).into()
    }

    /// An element or link as screen readers name it; follows once the frame is drawn. Until then a new element has its
    /// name alone.
    pub fn label_of(self, id: &Id) -> RwSignal<String> {
        let plain = || self.picture.with_untracked(|picture| picture.cards.get(id).map(|card| card.name.clone()));
        let known = || self.named.with_value(|named| named.get(id).cloned());
        self.labels.of(id, || known().or_else(plain).unwrap_or_default()).into()
    }

    /// What stands on a link; none where it is not shown.
    pub fn wire_of(self, id: &Id) -> RwSignal<Option<Arc<Wire>>> {
        self.wires.of(id, || self.picture.with_untracked(|picture| picture.wires.get(id).cloned())).into()
    }

    /// Is this element or link selected?
    pub fn is_selected(self, id: &Id) -> RwSignal<bool> {
        self.selected.of(id, || self.desk.selection.with_untracked(|selection| selection.contains(id))).into()
    }

    /// Does tidy leave this element where it is?
    pub fn is_locked(self, id: &Id) -> RwSignal<bool> {
        self.locked.of(id, || self.desk.design.with_untracked(|design| design.layout.locked.contains(id))).into()
    }

    /// The signal of an element's box.
    pub fn box_of(self, id: &Id) -> ArcRwSignal<Rect> {
        self.boxes.of(id, || self.scene.with_untracked(|scene| scene.get(id).copied()).unwrap_or_default())
    }

    /// The signal of a link's way.
    pub fn way_of(self, id: &Id) -> ArcRwSignal<Route> {
        self.ways.of(id, || self.routes.with_untracked(|routes| routes.get(id).cloned()).unwrap_or_default())
    }

    /// Runs `f` with what a gesture reads; tracks nothing.
    pub fn with_now<T>(self, f: impl FnOnce(Now<'_>) -> T) -> T {
        let design = self.desk.design.get_untracked();
        let (scene, routes) = (self.scene.get_untracked(), self.routes.get_untracked());
        let selection = self.desk.selection.get_untracked();
        f(Now {
            world: World { design: &design, scene: &scene, routes: &routes },
            tool: self.tool.get_untracked(),
            view: self.view.get_untracked(),
            selection: &selection,
            space: self.space.get_untracked(),
            reading: self.desk.reading.get_untracked(),
        })
    }
}

/// The picture of what the store shows. Tracks meaning, not positions.
pub fn drawn(desk: Desk) -> Picture {
    picture(Sources::of(desk).subjects())
}

/// What the store shows, as the picture is made from it.
struct Sources {
    design: Arc<Design>,
    view: View,
    review: Arc<Review>,
    was: Option<Arc<Review>>,
    consumer: Option<Id>,
}

impl Sources {
    /// Tracks meaning, not positions.
    fn of(desk: Desk) -> Self {
        Self {
            design: desk.meaning.get(),
            view: desk.view(),
            review: desk.review(),
            was: (desk.show.get() == Show::Both).then(|| desk.as_is.get()),
            consumer: consumers(desk).into_iter().nth(desk.panes.consumer.get()),
        }
    }

    fn subjects(&self) -> Subjects<'_> {
        let Self { design, view, review, was, consumer } = self;
        Subjects { design, view: *view, review, was: was.as_deref(), consumer: consumer.as_ref() }
    }

    /// With the picture that was made from it.
    fn drew<'a>(&'a self, picture: &'a Picture) -> Before<'a> {
        Before { picture, review: &self.review, was: self.was.as_deref() }
    }
}
