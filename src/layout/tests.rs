use super::{sample::*, *};
use crate::model::{Design, ElementKind, Id, Place, Port};
use crate::sorted::SortedMap;
use proptest::prelude::*;

fn boxes(design: &Design, width: f64) -> SortedMap<Id, Rect> {
    let sizes = Sizes::new(design);
    let tidied = tidy(design, width);
    let rect = |(id, p): (&Id, &Place)| {
        let (w, h) = p.size.map_or_else(|| sizes.of(id), |(w, h)| (f64::from(w), f64::from(h)));
        (id.clone(), Rect::new(f64::from(p.x), f64::from(p.y), w, h))
    };
    tidied.iter().map(rect).collect()
}

/// Pairs that overlap: elements among each other, frames among each other, elements with foreign frames.
fn overlaps(design: &Design, boxes: &SortedMap<Id, Rect>) -> Vec<(Id, Id)> {
    let mut found = Vec::new();
    for (a, r) in boxes {
        for (b, s) in boxes.iter().filter(|(b, _)| *b > a) {
            let holds = design.job_of(a) == Some(b) || design.job_of(b) == Some(a);
            if !holds && r.overlaps(*s) {
                found.push((a.clone(), b.clone()));
            }
        }
    }
    found
}

#[test]
fn the_example_lies_like_a_paragraph() {
    let d = checkout();
    let b = boxes(&d, 940.0);
    let at = |name: &str| b[&id(name)];
    assert_eq!(overlaps(&d, &b), []);
    let axis = |name: &str| at(name).centre().y;
    for name in ["capture", "orders", "dedup", "sum"] {
        assert_eq!(axis(name), axis("checkout_db"), "{name}");
    }
    for name in ["upsert_rows", "revenue_table", "board"] {
        assert_eq!(axis(name), axis("revenue_5m"), "{name}");
    }
    assert!(at("revenue_5m").y > at("orders_late").bottom() + 56.0, "gutter");
    assert!(at("revenue_5m").x > at("checkout_db").right(), "indent");
    assert_eq!(at("orders_dlq").x, at("dedup").x);
    assert_eq!(at("orders_late").x, at("sum").x);
    assert!(at("orders_full").y > at("board").bottom(), "the batch path has its own row");
    assert_eq!(at("fct_revenue").x, at("revenue_table").x, "what is compared stands under each other");
    let (frame, op) = (at("outbox"), at("capture"));
    assert_eq!((op.x - frame.x, op.y - frame.y, frame.bottom() - op.bottom()), (8.0, 32.0, 8.0));
    assert!(b.values().all(|r| r.right() <= 40.0 + 940.0 + 16.0), "{b:?}");
}

#[test]
fn gaps_have_room_for_a_badge() {
    let d = checkout();
    let b = boxes(&d, 940.0);
    for link in d.links.values().filter_map(|s| s.as_link()).filter(|l| l.port != Some(Port::Reconcile)) {
        let (from, to) = (b[&link.from], b[&link.to]);
        if from.centre().y == to.centre().y {
            assert!(to.x - from.right() >= 62.0, "{} {}", link.from, link.to);
        }
    }
}

#[test]
fn locked_elements_stay_and_nothing_is_put_on_them() {
    let mut d = checkout();
    d.layout.boxes.insert(id("orders"), Place { x: 333, y: 77, size: None });
    d.layout.boxes.insert(id("sum"), Place { x: 60, y: 200, size: None });
    d.layout.locked.extend([id("orders"), id("sum")]);
    let b = boxes(&d, 940.0);
    assert_eq!((b[&id("orders")].x, b[&id("orders")].y), (333.0, 77.0));
    assert_eq!((b[&id("sum")].x, b[&id("sum")].y), (60.0, 200.0));
    assert_eq!(overlaps(&d, &b), []);
}

#[test]
fn many_loose_elements_fill_shelves() {
    let names: Vec<String> = (0..30).map(|n| format!("channel t{n}")).collect();
    let d = design(&names.join(","), "");
    let b = boxes(&d, 940.0);
    assert_eq!(overlaps(&d, &b), []);
    let rows: crate::sorted::SortedSet<i64> = b.values().map(|r| r.y as i64).collect();
    assert_eq!(rows.len(), 8, "four or five a row");
}

fn any_design() -> impl Strategy<Value = Design> {
    let kinds = ["source", "channel", "job", "operator", "sink", "consumer", "batch"];
    let elements = prop::collection::vec(0..kinds.len(), 1..24);
    let links = prop::collection::vec((0..24_usize, 0..24_usize, 0..6_usize), 0..40);
    (elements, links).prop_map(move |(elements, links)| {
        let jobs: Vec<usize> =
            elements.iter().enumerate().filter(|(_, k)| kinds[**k] == "job").map(|(n, _)| n).collect();
        let line = |(n, k): (usize, &usize)| match (kinds[*k], jobs.get(n % jobs.len().max(1))) {
            ("operator", Some(job)) => format!("operator n{n} n{job}"),
            ("operator", None) => format!("sink n{n}"),
            (kind, _) => format!("{kind} n{n}"),
        };
        let elements: Vec<String> = elements.iter().enumerate().map(line).collect();
        let count = elements.len();
        let links = links.into_iter().map(|(a, b, port)| {
            let port = ["", "", "", "late", "dead_letter", "reconcile"][port];
            format!("n{} {port} n{}", a % count, b % count)
        });
        design(&elements.join(","), &links.collect::<Vec<_>>().join(","))
    })
}

proptest! {
    /// Whatever is linked to whatever: every element gets a place, none overlap, and a second run gives the same.
    #[test]
    fn tidy_never_overlaps(d in any_design(), width in 500.0..1600.0_f64) {
        let b = boxes(&d, width);
        prop_assert_eq!(b.len(), d.elements.len());
        prop_assert_eq!(overlaps(&d, &b), vec![]);
        prop_assert_eq!(boxes(&d, width), b);
    }

    /// Locked elements keep their place; only what was locked onto each other may overlap.
    #[test]
    fn locked_elements_hold(mut d in any_design(), picks in prop::collection::vec((0..24_usize, -50..50_i32, -50..50_i32), 0..4)) {
        let ids: Vec<Id> = d.elements.keys().filter(|id| d.kind(id) != Some(ElementKind::Job)).cloned().collect();
        prop_assume!(!ids.is_empty());
        for (n, x, y) in picks {
            let id = ids[n % ids.len()].clone();
            d.layout.boxes.insert(id.clone(), Place { x: x * 16, y: y * 16, size: None });
            d.layout.locked.insert(id);
        }
        let b = boxes(&d, 940.0);
        for id in &d.layout.locked {
            prop_assert_eq!((b[id].x as i32, b[id].y as i32), (d.layout.boxes[id].x, d.layout.boxes[id].y));
        }
        let held = |id: &Id| d.layout.locked.contains(id) || d.operators_of(id).any(|(op, _)| d.layout.locked.contains(op))
            || d.job_of(id).is_some_and(|job| d.operators_of(job).any(|(op, _)| d.layout.locked.contains(op)));
        for (a, c) in overlaps(&d, &b) {
            prop_assert!(held(&a) && held(&c), "{a} {c} {:?}", b);
        }
    }

    /// Routing answers for every link with both ends, in level and upright stretches.
    #[test]
    fn every_link_has_a_way(d in any_design()) {
        let scene = places(&d);
        let routes = Router::new(&d, &scene).all();
        prop_assert_eq!(routes.len(), d.links.len());
        for route in routes.values() {
            prop_assert!(route.points.windows(2).all(|p| (p[0].x - p[1].x).abs() < 0.01 || (p[0].y - p[1].y).abs() < 0.01));
        }
    }
}

#[test]
fn a_thousand_elements_are_all_placed_and_routed() {
    let mut elements = vec!["source s".to_owned()];
    let mut links = Vec::new();
    for n in 0..200 {
        elements.extend([
            format!("channel c{n}"),
            format!("job j{n}"),
            format!("operator o{n} j{n}"),
            format!("operator p{n} j{n}"),
            format!("channel d{n}"),
        ]);
        links.extend([format!("o{n} p{n}"), format!("c{n} o{n}"), format!("p{n} dead_letter d{n}")]);
        links.push(if n % 20 == 0 { format!("s c{n}") } else { format!("p{} c{n}", n - 1) });
    }
    let d = design(&elements.join(","), &links.join(","));
    let b = boxes(&d, 1200.0);
    let scene = places(&d);
    let routes = Router::new(&d, &scene).all();
    assert_eq!((b.len(), routes.len()), (1001, 800));
}
