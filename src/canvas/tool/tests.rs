use super::*;
use crate::{
    layout::{Route, Router, Scene, places, sample::*},
    model::{Design, Lifecycle},
};

struct Bench {
    design: Design,
    scene: Scene,
    routes: SortedMap<Id, Route>,
    selection: SortedSet<Id>,
    tool: Tool,
    view: Viewport,
    state: State,
}

impl Bench {
    fn new(design: Design) -> Self {
        let scene = places(&design);
        let routes = Router::new(&design, &scene).all();
        let view = Viewport { x: 50.0, y: 20.0, zoom: 0.5 };
        Self { design, scene, routes, selection: SortedSet::new(), tool: Tool::Select, view, state: State::Idle }
    }

    fn pointer(&self, canvas: Point) -> Pointer {
        let world = World { design: &self.design, scene: &self.scene, routes: &self.routes };
        Pointer { at: self.view.to_screen(canvas), over: world.at(canvas, 10.0), ..Pointer::default() }
    }

    fn send(&mut self, event: Event) -> Vec<Outcome> {
        let world = World { design: &self.design, scene: &self.scene, routes: &self.routes };
        let now =
            Now { world, tool: self.tool, view: self.view, selection: &self.selection, space: false, reading: false };
        let (state, outcomes) = step(self.state.clone(), now, event);
        self.state = state;
        for outcome in &outcomes {
            match outcome {
                Outcome::Select(ids) => self.selection = ids.clone(),
                Outcome::View(view) => self.view = *view,
                Outcome::Tool(tool) => self.tool = *tool,
                _ => {}
            }
        }
        outcomes
    }

    fn drag(&mut self, from: Point, to: Point, over: Option<Target>) -> Vec<Outcome> {
        let mut down = self.pointer(from);
        if let Some(over) = over {
            down.over = over;
        }
        self.send(Event::Down(down));
        self.send(Event::Move(self.pointer(Point::new((from.x + to.x) / 2.0, (from.y + to.y) / 2.0))));
        self.send(Event::Move(self.pointer(to)));
        self.send(Event::Up(self.pointer(to)))
    }

    fn centre(&self, name: &str) -> Point {
        self.scene[&id(name)].centre()
    }
}

fn edit(outcomes: &[Outcome]) -> Option<(&Edit, &'static str)> {
    outcomes.iter().find_map(|o| if let Outcome::Edit { edit, label, .. } = o { Some((edit, *label)) } else { None })
}

#[test]
fn a_click_selects_and_shift_adds() {
    let mut b = Bench::new(checkout());
    let (orders, sum) = (b.pointer(b.centre("orders")), b.pointer(b.centre("sum")));
    b.send(Event::Down(orders.clone()));
    b.send(Event::Up(orders));
    assert_eq!(b.selection, SortedSet::from([id("orders")]));
    let sum = Pointer { keys: Modifiers { shift: true, ..Modifiers::default() }, ..sum };
    b.send(Event::Down(sum.clone()));
    b.send(Event::Up(sum.clone()));
    assert_eq!(b.selection, SortedSet::from([id("orders"), id("sum")]));
    b.send(Event::Down(sum.clone()));
    b.send(Event::Up(sum));
    assert_eq!(b.selection, SortedSet::from([id("orders")]));
}

#[test]
fn a_drag_moves_with_a_preview_and_ends_in_one_edit() {
    let mut b = Bench::new(checkout());
    let from = b.centre("checkout_db");
    let outcomes = b.drag(from, from.plus(0.0, 400.0), None);
    let (change, label) = edit(&outcomes).unwrap();
    assert_eq!(label, "Move");
    let Edit::All(edits) = change else { panic!() };
    assert!(edits.len() == b.design.elements.len(), "the first move fixes all places");
    assert_eq!(b.state, State::Idle);
}

#[test]
fn a_frame_moves_with_its_operators() {
    let mut b = Bench::new(checkout());
    let frame = b.scene[&id("revenue")];
    let grip = Point::new(frame.x + 40.0, frame.y + 10.0);
    b.send(Event::Down(b.pointer(grip)));
    b.send(Event::Move(b.pointer(grip.plus(40.0, 0.0))));
    let State::Moving { moving, .. } = &b.state else { panic!("{:?}", b.state) };
    assert_eq!(*moving, SortedSet::from([id("dedup"), id("revenue"), id("sum")]));
    let outcomes = b.send(Event::Cancel);
    assert_eq!(outcomes, [Outcome::Preview(SortedMap::new(), Vec::new())]);
}

#[test]
fn a_drag_on_the_canvas_is_a_marquee_and_with_a_finger_a_pan() {
    let mut b = Bench::new(checkout());
    let corner = Point::new(-40.0, -40.0);
    b.drag(corner, b.centre("capture"), None);
    assert!(b.selection.contains(&id("checkout_db")) && b.selection.contains(&id("capture")));
    let before = b.view;
    let finger = Pointer { touch: true, over: Target::Empty, ..b.pointer(corner) };
    b.send(Event::Down(finger.clone()));
    b.send(Event::Move(Pointer { at: finger.at.plus(30.0, 0.0), ..finger.clone() }));
    assert_eq!(b.view.x, before.x + 30.0);
    b.send(Event::Up(finger));
}

#[test]
fn two_fingers_zoom_about_their_middle() {
    let mut b = Bench::new(checkout());
    let one = Pointer { id: 1, at: Point::new(100.0, 100.0), touch: true, ..Pointer::default() };
    let two = Pointer { id: 2, at: Point::new(200.0, 100.0), touch: true, ..Pointer::default() };
    b.send(Event::Down(one));
    b.send(Event::Down(two.clone()));
    let middle = b.view.to_canvas(Point::new(150.0, 100.0));
    b.send(Event::Move(Pointer { at: Point::new(300.0, 100.0), ..two }));
    assert_eq!(b.view.zoom, 1.0);
    assert!(b.view.to_canvas(Point::new(200.0, 100.0)).distance(middle) < 1e-9);
}

#[test]
fn a_link_ends_on_an_element_or_is_refused_with_the_reason() {
    let mut b = Bench::new(checkout());
    let (orders, upsert, table) = (b.centre("orders"), b.centre("upsert_rows"), b.centre("revenue_table"));
    let port = Some(Target::Port(id("orders"), None));
    assert_eq!(edit(&b.drag(orders, upsert, port.clone())).unwrap().1, "Link");
    let outcomes = b.drag(orders, table, port.clone());
    assert!(matches!(outcomes[..], [Outcome::Refuse(why)] if why.contains("Put a job or a connector")), "{outcomes:?}");
    let outcomes = b.drag(orders, Point::new(-900.0, -900.0), port);
    assert!(matches!(&outcomes[..], [Outcome::Offer { from, .. }] if *from == id("orders")), "{outcomes:?}");
}

#[test]
fn an_end_of_a_link_can_be_moved() {
    let mut b = Bench::new(checkout());
    let (table, capture) = (b.centre("revenue_table"), b.centre("capture"));
    let handle = Some(Target::Handle(id("l13"), End::From));
    let outcomes = b.drag(b.centre("fct_revenue"), table, handle);
    assert_eq!(edit(&outcomes).unwrap().1, "Reconnect");
    let outcomes = b.drag(table, capture, Some(Target::Handle(id("l10"), End::From)));
    assert!(matches!(outcomes[..], [Outcome::Refuse(_)]), "{outcomes:?}");
}

#[test]
fn an_operator_that_hands_over_cannot_leave_its_job_for_another() {
    let mut b = Bench::new(checkout());
    let frame = b.scene[&id("outbox")];
    let outcomes = b.drag(b.centre("sum"), frame.centre(), None);
    assert!(outcomes.iter().any(|o| matches!(o, Outcome::Refuse(why) if why.contains("two jobs"))), "{outcomes:?}");
}

#[test]
fn an_unlinked_operator_can_be_dropped_into_another_frame() {
    let mut design = checkout();
    design.links.retain(|key, _| *key != id("l8") && *key != id("l9"));
    let mut b = Bench::new(design);
    let outcomes = b.drag(b.centre("upsert_rows"), b.scene[&id("outbox")].centre(), None);
    assert_eq!(edit(&outcomes).unwrap().1, "Move into another job");
}

/// It stays where it is until it is removed; what was let go is a planned copy.
#[test]
fn an_operator_of_today_that_is_dropped_into_another_frame_stays_in_its_own() {
    let mut design = checkout();
    design.links.retain(|key, _| *key != id("l8"));
    for name in ["rev_jdbc", "revenue_table"] {
        design.elements.get_mut(&id(name)).unwrap().lifecycle = Some(Lifecycle::Existing);
    }
    let mut b = Bench::new(design);
    let was = b.scene[&id("upsert_rows")];
    let outcomes = b.drag(b.centre("upsert_rows"), b.scene[&id("outbox")].centre(), None);
    let (edit, label) = edit(&outcomes).unwrap();
    assert_eq!(label, "Move into another job");
    b.design.apply(edit.clone()).unwrap();
    let new = id("upsert_rows-2");
    assert!(
        outcomes.iter().any(|o| matches!(o, Outcome::Edit { select: Some(ids), .. } if *ids == [new.clone()].into()))
    );
    let scene = places(&b.design);
    assert_eq!((b.design.job_of(&id("upsert_rows")), scene[&id("upsert_rows")]), (Some(&id("rev_jdbc")), was));
    assert_eq!(b.design.job_of(&new), Some(&id("outbox")));
    let lives = [&id("upsert_rows"), &id("rev_jdbc"), &new, &id("l9"), &id("l15")].map(|id| b.design.lifecycle(id));
    use Lifecycle::{Planned, Retiring};
    assert_eq!(lives, [Retiring, Retiring, Planned, Retiring, Planned]);
    assert!(scene[&id("outbox")].contains(scene[&new].centre()));
}

#[test]
fn the_add_tool_puts_an_element_where_it_is_clicked() {
    let mut b = Bench::new(checkout());
    b.tool = Tool::Add(ElementKind::Sink);
    let at = b.pointer(Point::new(400.0, -200.0));
    b.send(Event::Down(at.clone()));
    let outcomes = b.send(Event::Up(at));
    let (Edit::All(edits), _) = edit(&outcomes).unwrap() else { panic!() };
    let Some(Edit::Place { to: Some(place), .. }) = edits.last() else { panic!() };
    assert_eq!((place.x, place.y), (336, -240));
    assert_eq!(b.tool, Tool::Select);
}

#[test]
fn space_and_the_middle_button_pan() {
    let mut b = Bench::new(checkout());
    let p = Pointer { button: Button::Middle, ..b.pointer(b.centre("orders")) };
    b.send(Event::Down(p.clone()));
    let outcomes = b.send(Event::Move(Pointer { at: p.at.plus(5.0, 6.0), ..p }));
    assert!(matches!(outcomes[..], [Outcome::View(_)]));
    assert!(b.selection.is_empty());
}

#[test]
fn a_loose_operator_let_go_on_another_one_is_woven_in() {
    let mut design = checkout();
    design.elements.insert(
        id("extra"),
        crate::model::Subject::new(crate::model::Shape::Element(crate::model::Element::Operator {
            job: id("revenue"),
            step: crate::model::Step::Map,
            emits: None,
        })),
    );
    let mut b = Bench::new(design);
    let outcomes = b.drag(b.centre("extra"), b.centre("sum").plus(-24.0, 4.0), None);
    let (change, label) = edit(&outcomes).unwrap();
    assert_eq!(label, "Move in order");
    b.design.apply(change.clone()).unwrap();
    let linked = |from: &str, to: &str| {
        let mut links = b.design.links.values().filter_map(crate::model::Subject::as_link);
        links.any(|link| link.from == id(from) && link.to == id(to))
    };
    assert!(linked("dedup", "extra") && linked("extra", "sum") && !linked("dedup", "sum"));
    let scene = places(&b.design);
    assert!(!scene[&id("extra")].overlaps(scene[&id("sum")]) && !scene[&id("extra")].overlaps(scene[&id("dedup")]));
}

#[test]
fn the_end_of_a_link_can_be_chosen_by_a_press() {
    let mut b = Bench::new(checkout());
    b.state = State::Rewiring { link: id("l13"), end: End::From };
    let table = b.pointer(b.centre("revenue_table"));
    let outcomes = b.send(Event::Down(table));
    assert_eq!(edit(&outcomes).unwrap().1, "Reconnect");
    assert_eq!(b.state, State::Idle);
}

#[test]
fn a_finger_selects_when_it_is_lifted_and_not_as_one_of_two() {
    let mut b = Bench::new(checkout());
    let touch = |b: &Bench, name: &str, id: i32| Pointer { touch: true, id, ..b.pointer(b.centre(name)) };
    let one = touch(&b, "orders", 1);
    b.send(Event::Down(one.clone()));
    assert!(b.selection.is_empty());
    b.send(Event::Up(one.clone()));
    assert_eq!(b.selection, SortedSet::from([id("orders")]));
    b.selection.clear();
    b.send(Event::Down(one));
    let other = touch(&b, "sum", 2);
    b.send(Event::Down(other.clone()));
    b.send(Event::Move(Pointer { at: other.at.plus(40.0, 0.0), ..other }));
    assert!(b.selection.is_empty() && matches!(b.state, State::Pinching { .. }));
    b.state = State::Idle;
    let (from, to) = (b.centre("orders"), b.centre("orders").plus(0.0, 200.0));
    b.send(Event::Down(Pointer { touch: true, ..b.pointer(from) }));
    b.send(Event::Move(Pointer { touch: true, ..b.pointer(to) }));
    assert_eq!(b.selection, SortedSet::from([id("orders")]));
}
