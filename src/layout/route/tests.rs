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

/// Chains of five, one under the other, each with a return link.
fn chains(count: usize) -> Design {
    let each = |n: usize| {
        let elements = format!("source a{n}, job j{n}, operator b{n} j{n}, operator c{n} j{n}, channel d{n}");
        (elements, format!("a{n} b{n}, b{n} c{n}, c{n} d{n}, d{n} b{n}"))
    };
    let (elements, links): (Vec<String>, Vec<String>) = (0..count).map(each).unzip();
    let mut d = design(&elements.join(", "), &links.join(", "));
    for n in 0..count {
        for (at, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
            let (x, y) = (at as i32 * 200, n as i32 * 180);
            d.layout.boxes.insert(id(&format!("{name}{n}")), crate::model::Place { x, y, size: None });
        }
    }
    d
}

#[test]
fn ways_that_are_kept_are_those_that_would_be_found() {
    let mut d = chains(12);
    let mut routing = Router::new(&d, &places(&d)).after(&Routing::default());
    assert_eq!(routing.searched, d.links.len());
    let moved = ["b3", "d3", "a0", "c7", "d11", "b3", "c6", "b0"];
    for (step, name) in moved.into_iter().enumerate() {
        let place = d.layout.boxes.get_mut(&id(name)).unwrap();
        (place.x, place.y) = (place.x + 36 * (step as i32 % 3 - 1), place.y + 52 * (step as i32 % 4) - 60);
        let scene = places(&d);
        routing = Router::new(&d, &scene).after(&routing);
        assert_eq!(*routing.routes, Router::new(&d, &scene).all(), "{name}");
        assert!(routing.searched < d.links.len(), "{name}: {}", routing.searched);
    }
    let gone = d.links.keys().nth(17).unwrap().clone();
    d.links.remove(&gone);
    d.elements.remove(&id("d5"));
    let scene = places(&d);
    routing = Router::new(&d, &scene).after(&routing);
    assert_eq!(*routing.routes, Router::new(&d, &scene).all());
    assert_eq!(Router::new(&d, &scene).after(&routing).searched, 0);
}

#[test]
fn a_step_of_one_element_searches_only_what_is_near() {
    let mut d = chains(40);
    let before = Router::new(&d, &places(&d)).after(&Routing::default());
    d.layout.boxes.get_mut(&id("a20")).unwrap().x -= 4;
    let scene = places(&d);
    let after = Router::new(&d, &scene).after(&before);
    assert_eq!(*after.routes, Router::new(&d, &scene).all());
    // Its own link, and the return links of the chains within 420 above and below: two each way, and its own.
    assert!(after.searched <= 6, "{}", after.searched);
}

#[test]
fn a_search_without_allowance_takes_the_shortest_way() {
    let (from, to) = (Rect::new(0.0, 0.0, 100.0, 80.0), Rect::new(400.0, 200.0, 100.0, 80.0));
    // On the shortest way, which leaves below and runs level to the target.
    let between = Rect::new(120.0, 210.0, 60.0, 60.0);
    let ends =
        Anchors { start: Point::new(100.0, 40.0), out: Side::Right, end: Point::new(400.0, 240.0), into: Side::Left };
    let way = |allowance| {
        let (elements, frames, used) = (vec![from, between, to], Vec::new(), Vec::new());
        let search =
            search::Search { ends, from, to, from_outer: from, to_outer: to, elements, frames, used, allowance };
        search.best().0
    };
    let through = |points: &[Point]| points.windows(2).any(|pair| between.crossed_by(pair[0], pair[1]));
    assert!(through(&way(0)), "{:?}", way(0));
    assert!(!through(&way(1000)), "{:?}", way(1000));
}
