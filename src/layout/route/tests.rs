use super::super::{places, sample::*, tidy};
use super::*;

fn routed(design: &Design) -> (Scene, SortedMap<Id, Route>) {
    let scene = places(design);
    let routes = Router::new(design, &scene).all();
    (scene, routes)
}

/// How many elements a route passes through, its own ends aside.
fn crossings(design: &Design, scene: &Scene, link: &Id, route: &Route) -> usize {
    let own = design.links[link].as_link().unwrap();
    let elements =
        scene.iter().filter(|(id, _)| design.kind(id) != Some(ElementKind::Job) && **id != own.from && **id != own.to);
    elements.filter(|(_, r)| route.stretches().any(|(a, b)| r.grown(-1.0).crossed_by(a, b))).count()
}

#[test]
fn links_of_the_example_cross_nothing() {
    let d = checkout();
    let (scene, routes) = routed(&d);
    assert_eq!(routes.len(), d.links.len());
    for (id, route) in &routes {
        assert_eq!(crossings(&d, &scene, id, route), 0, "{} {route:?} {scene:?}", d.title(id));
        assert!(route.points.windows(2).all(|p| p[0].x == p[1].x || p[0].y == p[1].y), "{route:?}");
    }
}

#[test]
fn the_return_link_runs_in_the_gutter_clear_of_every_element() {
    let d = checkout();
    let (scene, routes) = routed(&d);
    let fold = routes.iter().find(|(id, _)| d.title(id) == "sum → revenue_5m").unwrap().1;
    assert_eq!(fold.points.len(), 6);
    let y = fold.points[2].y;
    for (id, r) in scene.iter().filter(|(id, _)| d.kind(id) != Some(ElementKind::Job)) {
        assert!(r.y - y >= 28.0 || y - r.bottom() >= 28.0, "{id} {r:?} {y}");
    }
}

#[test]
fn side_outputs_leave_below_and_neighbours_are_straight() {
    let d = checkout();
    let (_, routes) = routed(&d);
    let of = |title: &str| &routes.iter().find(|(id, _)| d.title(id) == title).unwrap().1.points;
    assert_eq!(of("capture → orders").len(), 2);
    let late = of("sum → orders_late");
    assert_eq!(late.len(), 2);
    assert!(late[0].x == late[1].x && late[0].y < late[1].y);
}

#[test]
fn corners_are_round_and_points_that_add_nothing_go() {
    let route =
        Route::new(vec![Point::new(0.0, 0.0), Point::new(50.0, 0.0), Point::new(100.0, 0.0), Point::new(100.0, 40.0)]);
    assert_eq!(route.points.len(), 3);
    assert_eq!(route.path(), "M0.0 0.0L90.0 0.0Q100.0 0.0 100.0 10.0L100.0 40.0");
    assert_eq!(route.distance(Point::new(50.0, 10.0)), 10.0);
    assert_eq!(route.spot().at, Point::new(50.0, 0.0));
}

#[test]
fn a_link_back_goes_around() {
    let d = design("channel a, job j, operator o j, channel retry", "a o, o side retry, retry o");
    let (scene, routes) = routed(&d);
    for (id, route) in &routes {
        assert_eq!(crossings(&d, &scene, id, route), 0, "{}: {route:?} {scene:?}", d.title(id));
    }
    assert_eq!(tidy(&d, 900.0).len(), 4);
}
