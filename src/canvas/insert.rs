//! Letting something go where something already is: into a link, or between the operators of a job. What comes after
//! makes room; on the bare canvas it stands where it was let go.

use super::{
    Point, Rect, Scene, World,
    arrange::placed,
    create::{self, Added},
    hit::Target,
};
use crate::sorted::{self, SortedMap, SortedSet};
use crate::{
    edit::Draft,
    layout::{GAP, size, snapped},
    model::{Design, ElementKind, Id, Port, Subject, legal},
};

/// Adds an element of this kind that is let go with its centre at `at`; a link within `slop` takes it in, where that is
/// legal. An operator goes into the frame under it, in order where the place is taken.
#[must_use]
pub fn dropped(world: World<'_>, kind: ElementKind, at: Point, slop: f64) -> Added {
    let corner = create::corner(kind, at);
    let (w, h) = size(kind, false);
    let wish = Rect::new(corner.x, corner.y, w, h);
    let job = (kind == ElementKind::Operator).then(|| world.frame_at(at)).flatten();
    let link = match world.at(at, slop) {
        Target::Link(link) => Some(link),
        _ => job.as_ref().and_then(|job| taken(world, job, wish, None)).and_then(|row| row.link(world.design)),
    };
    if let Some(added) = link.and_then(|link| into_link(world, kind, &link, at)) {
        return added;
    }
    if let Some(row) = job.as_ref().and_then(|job| taken(world, job, wish, None)) {
        let (spot, mut boxes) = row.room(world, wish);
        let added = create::element(world.design, kind, Point::new(spot.x, spot.y), job.as_ref());
        return with_room(world, added, spot, &mut boxes);
    }
    let free = |id: &Id, rect: &Rect| world.design.kind(id) == Some(ElementKind::Job) || !rect.overlaps(wish);
    let corner = if kind == ElementKind::Job || world.scene.iter().all(|(id, rect)| free(id, rect)) {
        corner
    } else {
        create::clear(world.scene, wish, super::walk::Direction::Down)
    };
    create::element(world.design, kind, corner, job.as_ref())
}

/// Adds an operator to a job, behind those that it has: what stands there makes room.
#[must_use]
pub fn into_job(world: World<'_>, job: &Id) -> Added {
    let operators = world.design.operators_of(job).filter_map(|(id, _)| world.scene.get(id)).copied();
    let (w, h) = size(ElementKind::Operator, false);
    let Some(core) = Rect::around(operators) else {
        let frame = world.scene.get(job).copied().unwrap_or_default();
        let corner = Point::new(frame.x + 8.0, frame.y + 32.0);
        return create::element(world.design, ElementKind::Operator, corner, Some(job));
    };
    let spot = Rect::new(snapped(core.right() + GAP), snapped(core.y), w, h);
    let added = create::element(world.design, ElementKind::Operator, Point::new(spot.x, spot.y), Some(job));
    with_room(world, added, spot, &mut pushed(world, spot, core.right()))
}

/// The link or the frame that would take an element of this kind let go here.
#[must_use]
pub fn landing(world: World<'_>, kind: ElementKind, at: Point, slop: f64) -> Option<Id> {
    let job = (kind == ElementKind::Operator).then(|| world.frame_at(at)).flatten();
    if let Target::Link(link) = world.at(at, slop) {
        let old = world.design.links.get(&link)?.as_link()?;
        let inside = world.design.job_of(&old.from).or(world.design.job_of(&old.to));
        if may_split(world.design, &link, kind, inside.filter(|_| kind == ElementKind::Operator)) {
            return Some(link);
        }
    }
    job
}

/// Adds an element of this kind into a link; nothing, where one of the two halves would be illegal.
#[must_use]
pub fn into_link(world: World<'_>, kind: ElementKind, link: &Id, at: Point) -> Option<Added> {
    let old = world.design.links.get(link)?.as_link()?;
    let (start, end) = (world.design.job_of(&old.from), world.design.job_of(&old.to));
    let job = start.or(end).filter(|_| kind == ElementKind::Operator);
    if !may_split(world.design, link, kind, job) {
        return None;
    }
    let (spot, mut boxes) = between(world, &old.from, &old.to, size(kind, false), at)?;
    let added = create::element(world.design, kind, Point::new(spot.x, spot.y), job);
    let mut draft = Draft::without_history(world.design);
    draft.apply(added.edit.clone()).ok()?;
    draft.split_link(link, &added.id).ok()?;
    let woven = Added { id: added.id, edit: draft.finish() };
    Some(with_room(world, woven, spot, &mut boxes))
}

/// What else changes when this operator is let go at `rect` over an operator of `job`: the boxes of those that make room,
/// its own included. Nothing, where the place is free.
#[must_use]
pub fn reordered(world: World<'_>, operator: &Id, job: &Id, rect: Rect) -> Option<SortedMap<Id, Rect>> {
    let (spot, mut boxes) = taken(world, job, rect, Some(operator))?.room(world, rect);
    boxes.insert(operator.clone(), spot);
    Some(boxes)
}

/// Would both halves of the link be legal with an element of this kind (in this job) between its ends?
fn may_split(design: &Design, link: &Id, kind: ElementKind, job: Option<&Id>) -> bool {
    let Some(old) = design.links.get(link).and_then(Subject::as_link) else { return false };
    let (Some(a), Some(b)) = (design.kind(&old.from), design.kind(&old.to)) else { return false };
    let same = |id: &Id| job.is_some() && design.job_of(id) == job;
    old.port != Some(Port::Reconcile)
        && legal::refuse_link(a, kind, old.port, same(&old.from)).is_none()
        && legal::refuse_link(kind, b, None, same(&old.to)).is_none()
}

/// The edit with everything that has to make room moved; the rest of the drawing is fixed where it is.
fn with_room(world: World<'_>, added: Added, spot: Rect, boxes: &mut SortedMap<Id, Rect>) -> Added {
    let mut draft = Draft::without_history(world.design);
    if draft.apply(added.edit.clone()).is_err() {
        return added;
    }
    boxes.insert(added.id.clone(), spot);
    let places = placed(draft.design(), world.scene, boxes);
    if draft.apply(places).is_err() {
        return added;
    }
    Added { id: added.id, edit: draft.finish() }
}

/// Neighbours of a place in a row of operators.
struct Row {
    before: Option<Id>,
    after: Option<Id>,
}

/// The row of a job's operators that a box lies in, where it lies on one of them.
fn taken(world: World<'_>, job: &Id, wish: Rect, besides: Option<&Id>) -> Option<Row> {
    let operators = world.design.operators_of(job).map(|(id, _)| id).filter(|id| besides != Some(*id));
    let mut row: Vec<(&Id, Rect)> = operators
        .filter_map(|id| Some((id, *world.scene.get(id)?)))
        .filter(|(_, r)| r.y < wish.bottom() && wish.y < r.bottom())
        .collect();
    if !row.iter().any(|(_, rect)| rect.overlaps(wish)) {
        return None;
    }
    sorted::sort_by(&mut row, |a, b| a.1.x.total_cmp(&b.1.x).then_with(|| a.0.cmp(b.0)));
    let at = row.partition_point(|(_, rect)| rect.centre().x <= wish.centre().x);
    let of = |at: usize| row.get(at).map(|(id, _)| (*id).clone());
    Some(Row { before: at.checked_sub(1).and_then(of), after: of(at) })
}

impl Row {
    /// The one link that runs through this place.
    fn link(&self, design: &Design) -> Option<Id> {
        let mut through = design.links.iter().filter(|(_, subject)| {
            subject.as_link().is_some_and(|link| {
                link.port.is_none()
                    && self.before.as_ref().is_none_or(|id| link.from == *id)
                    && self.after.as_ref().is_none_or(|id| link.to == *id)
            })
        });
        let (first, another) = (through.next(), through.next());
        first.filter(|_| another.is_none()).map(|(id, _)| id.clone())
    }

    /// The box of what comes between these two, and the boxes of what makes room.
    fn room(&self, world: World<'_>, wish: Rect) -> (Rect, SortedMap<Id, Rect>) {
        let rect = |id: &Option<Id>| id.as_ref().and_then(|id| world.scene.get(id)).copied();
        let (before, after) = (rect(&self.before), rect(&self.after));
        let x = before.map(|r| r.right() + GAP).or_else(|| after.map(|r| r.x)).unwrap_or(wish.x);
        let y = before.or(after).map_or(wish.y, |r| r.centre().y - wish.h / 2.0);
        let spot = Rect { x: snapped(x), y: snapped(y), ..wish };
        let cut = after.map_or(spot.x, |r| r.x);
        (spot, pushed(world, spot, cut))
    }
}

/// Where an element of this size stands between two linked ones, and the boxes of what makes room.
fn between(world: World<'_>, from: &Id, to: &Id, (w, h): (f64, f64), at: Point) -> Option<(Rect, SortedMap<Id, Rect>)> {
    let (a, b) = (*world.scene.get(from)?, *world.scene.get(to)?);
    let level = (a.centre().y - b.centre().y).abs() <= a.h.max(b.h) / 2.0;
    let y = snapped(if level { a.centre().y } else { at.y } - h / 2.0);
    if level && b.x >= a.right() {
        let (first, last) = (a.right() + GAP, b.x - GAP - w);
        let x = if last > first { (at.x - w / 2.0).clamp(first, last) } else { first };
        let spot = Rect::new(snapped(x), y, w, h);
        return Some((spot, pushed(world, spot, b.x)));
    }
    let wish = Rect::new(snapped(at.x - w / 2.0), y, w, h);
    let frame = |id: &Id| world.design.kind(id) == Some(ElementKind::Job);
    if world.scene.iter().all(|(id, rect)| frame(id) || !rect.grown(12.0).overlaps(wish)) {
        return Some((wish, SortedMap::new()));
    }
    let spot = Rect::new(snapped(a.right() + GAP), snapped(a.centre().y - h / 2.0), w, h);
    Some((spot, pushed(world, spot, a.right())))
}

/// The boxes of everything from `cut` on, beside `spot`, moved to the right so that a gap is left behind it.
fn pushed(world: World<'_>, spot: Rect, cut: f64) -> SortedMap<Id, Rect> {
    let World { design, scene, .. } = world;
    let element = |id: &Id| design.kind(id) != Some(ElementKind::Job);
    let beside = |r: &Rect, band: Rect| r.x >= cut - 1.0 && r.y < band.bottom() && band.y < r.bottom();
    let first = scene.iter().filter(|(id, r)| element(id) && beside(r, spot)).map(|(_, r)| r.x).reduce(f64::min);
    let by = first.map_or(0.0, |x| spot.right() + GAP - x);
    if by <= 0.0 {
        return SortedMap::new();
    }
    let mut pushed: SortedSet<&Id> = SortedSet::new();
    let mut band = spot;
    // The frames of what moves may reach higher and lower, and then move what stands beside them.
    loop {
        let before = pushed.len();
        pushed.extend(scene.iter().filter(|(id, r)| element(id) && beside(r, band)).map(|(id, _)| id));
        let frames = pushed.iter().filter_map(|id| scene.get(design.job_of(id)?));
        band = frames.fold(band, |band, frame| Rect { x: band.x, w: band.w, ..band.union(*frame) });
        if pushed.len() == before {
            break;
        }
    }
    let hung: Vec<&Id> = hung_under(design, scene, &pushed, cut);
    pushed.extend(hung);
    let moved = |id: &Id| scene.get(id).map(|rect| (id.clone(), rect.plus(snapped(by + 1.5), 0.0)));
    pushed.into_iter().filter_map(moved).collect()
}

/// Side channels that hang under what moves.
fn hung_under<'a>(design: &'a Design, scene: &Scene, moving: &SortedSet<&Id>, cut: f64) -> Vec<&'a Id> {
    let side = design.links.values().filter_map(Subject::as_link).filter(|link| link.port.is_some());
    side.filter(|link| link.port != Some(Port::Reconcile) && moving.contains(&link.from))
        .map(|link| &link.to)
        .filter(|to| scene.get(*to).is_some_and(|rect| rect.right() > cut))
        .collect()
}

/// Weaves an operator that nothing is linked with into the link under `rect`, or through the place that it takes in `job`.
/// Answers what stands there then, and the edit; nothing, where there is no such link.
#[must_use]
pub fn woven(world: World<'_>, operator: &Id, job: &Id, rect: Rect, slop: f64) -> Option<Added> {
    let ends = |s: &Subject| s.as_link().is_some_and(|l| l.from == *operator || l.to == *operator);
    if world.design.links.values().any(ends) {
        return None;
    }
    let near = world.routes.iter().map(|(id, route)| (route.distance(rect.centre()), id));
    let under = near.filter(|(d, _)| *d <= slop).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id.clone());
    let link = under.or_else(|| taken(world, job, rect, Some(operator))?.link(world.design))?;
    if !may_split(world.design, &link, ElementKind::Operator, Some(job)) {
        return None;
    }
    let mut draft = Draft::without_history(world.design);
    let copies = draft.move_to_job(&SortedSet::from([operator.clone()]), job).ok()?;
    let id = copies.get(operator).unwrap_or(operator).clone();
    draft.split_link(&link, &id).ok()?;
    Some(Added { id, edit: draft.finish() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        layout::{Route, Router, places, sample::*},
        model::View,
    };

    /// Lets a kind go and answers the design after it, its boxes, and the new id.
    fn let_go(design: &Design, kind: ElementKind, at: Point) -> (Design, Scene, Id) {
        let scene = places(design);
        let routes = Router::new(design, &scene).all();
        let added = dropped(World { design, scene: &scene, routes: &routes }, kind, at, 10.0);
        let mut after = design.clone();
        after.apply(added.edit).unwrap();
        let scene = places(&after);
        (after, scene, added.id)
    }

    fn flows(design: &Design) -> Vec<String> {
        let links = design.links.values().filter_map(Subject::as_link);
        links.map(|link| format!("{} {}", link.from, link.to)).collect()
    }

    fn nothing_overlaps(design: &Design, scene: &Scene) {
        let boxes: Vec<(&Id, &Rect)> =
            scene.iter().filter(|(id, _)| design.kind(id) != Some(ElementKind::Job)).collect();
        for (i, (a, r)) in boxes.iter().enumerate() {
            for (b, s) in &boxes[i + 1..] {
                assert!(!r.overlaps(**s), "{a} {b}");
            }
        }
    }

    #[test]
    fn an_operator_let_go_on_another_comes_in_order_and_into_the_link() {
        let d = checkout();
        let scene = places(&d);
        // On the left half of `sum`, which `dedup` feeds.
        let at = scene[&id("sum")].centre().plus(-20.0, 4.0);
        let (after, boxes, new) = let_go(&d, ElementKind::Operator, at);
        assert_eq!(after.job_of(&new), Some(&id("revenue")));
        let flows = flows(&after);
        assert!(flows.contains(&format!("dedup {new}")) && flows.contains(&format!("{new} sum")), "{flows:?}");
        assert!(!flows.contains(&"dedup sum".to_owned()));
        nothing_overlaps(&after, &boxes);
        // 746 and a gap of 64, on the grid of 4.
        assert_eq!(boxes[&id("dedup")].right(), 746.0);
        assert_eq!(boxes[&new].x, 812.0);
        assert!(boxes[&id("sum")].x >= boxes[&new].right() + GAP);
        // The side channel under `sum` came along.
        let under = |boxes: &Scene| boxes[&id("orders_late")].x - boxes[&id("sum")].x;
        assert_eq!(under(&boxes), under(&scene));
        assert_eq!(boxes[&id("orders")], scene[&id("orders")]);
    }

    #[test]
    fn what_is_let_go_on_a_link_is_linked_on_both_sides() {
        let d = checkout();
        let scene = places(&d);
        let (a, b) = (scene[&id("capture")], scene[&id("orders")]);
        let at = Point::new((a.right() + b.x) / 2.0, a.centre().y);
        let (after, boxes, new) = let_go(&d, ElementKind::Operator, at);
        // Behind the operator of a job it is one of that job.
        assert_eq!(after.job_of(&new), Some(&id("outbox")));
        assert!(flows(&after).contains(&format!("{new} orders")));
        nothing_overlaps(&after, &boxes);
    }

    #[test]
    fn what_cannot_stand_in_a_link_stands_beside_it() {
        let d = checkout();
        let scene = places(&d);
        let (a, b) = (scene[&id("capture")], scene[&id("orders")]);
        let at = Point::new((a.right() + b.x) / 2.0, a.centre().y);
        let (after, boxes, _) = let_go(&d, ElementKind::Consumer, at);
        assert_eq!(after.links, d.links);
        nothing_overlaps(&after, &boxes);
    }

    #[test]
    fn both_halves_keep_what_is_legal_on_them() {
        use crate::model::key;
        let mut d = checkout();
        let link = id("l9"); // upsert_rows writes revenue_table
        let mut draft = Draft::without_history(&d);
        draft.propose(&link, key::store::CLIENT_RETRIES, 3).unwrap();
        let edit = draft.finish();
        d.apply(edit).unwrap();
        let scene = places(&d);
        let routes = Router::new(&d, &scene).all();
        let world = World { design: &d, scene: &scene, routes: &routes };
        let added = into_link(world, ElementKind::Operator, &link, Point::default()).unwrap();
        d.apply(added.edit).unwrap();
        let set = |from: &Id| {
            let of = d.links.values().find(|s| s.as_link().is_some_and(|l| l.from == *from && l.port.is_none()));
            of.is_some_and(|s| s.proposed.get(key::store::CLIENT_RETRIES.field()).is_some())
        };
        assert!(set(&added.id) && !set(&id("upsert_rows")));
    }

    /// Behind each job of the example stands something; three operators more come to stand on nothing of it.
    #[test]
    fn an_operator_that_is_added_to_a_job_makes_room() {
        for job in ["outbox", "revenue", "rev_jdbc"] {
            let mut d = checkout();
            for _ in 0..3 {
                let scene = places(&d);
                let routes = Router::new(&d, &scene).all();
                let added = into_job(World { design: &d, scene: &scene, routes: &routes }, &id(job));
                d.apply(added.edit).unwrap();
                let after = places(&d);
                assert_eq!(d.job_of(&added.id), Some(&id(job)));
                nothing_overlaps(&d, &after);
                let frame = after[&id(job)];
                let inside = |other: &Id| *other == id(job) || d.job_of(other) == Some(&id(job));
                let on = after.iter().find(|(other, rect)| !inside(other) && rect.overlaps(frame));
                assert_eq!(on, None, "{job}");
            }
        }
    }

    /// Whatever is let go on a link that is there today: what is there today stays what it is, and what shall be runs through
    /// what was drawn.
    #[test]
    fn what_is_drawn_into_a_link_leaves_what_is_there_as_it_is() {
        let d = crate::codec::decode(crate::catalog::examples()[0].text).unwrap();
        let seen = |d: &Design, view: View| {
            let review = crate::rules::review(d, view);
            review.report.consumers.values().map(|consumer| consumer.delivery.clone()).collect::<Vec<_>>()
        };
        let (scene, today) = (places(&d), seen(&d, View::AsIs));
        let routes = Router::new(&d, &scene).all();
        let mut woven = 0;
        for (link, kind) in d.links.keys().flat_map(|link| ElementKind::ALL.map(|kind| (link, kind))) {
            let world = World { design: &d, scene: &scene, routes: &routes };
            let Some(added) = into_link(world, kind, link, routes[link].spot().at) else { continue };
            let mut after = d.clone();
            after.apply(added.edit).unwrap();
            if d.visible(View::AsIs, link) {
                woven += 1;
                assert_eq!(seen(&after, View::AsIs), today, "{kind:?} in {link}");
                assert!(
                    !after.visible(View::ToBe, link) && !after.visible(View::AsIs, &added.id),
                    "{kind:?} in {link}"
                );
            }
            let through =
                after.links.iter().filter(|(_, s)| s.as_link().is_some_and(|l| l.from == added.id || l.to == added.id));
            assert_eq!(through.filter(|(id, _)| after.visible(View::ToBe, id)).count(), 2, "{kind:?} in {link}");
        }
        assert!(woven > 3);
    }

    /// What leaves a job runs around an operator behind its last one that nothing is linked with yet, and likewise what
    /// comes into it.
    #[test]
    fn a_link_runs_around_a_loose_operator_at_the_edge_of_its_frame() {
        let d = design("channel in, job j, operator a j, sink out", "in a, a out");
        let scene = places(&d);
        let routes = Router::new(&d, &scene).all();
        let added = into_job(World { design: &d, scene: &scene, routes: &routes }, &id("j"));
        let mut after = d.clone();
        after.apply(added.edit).unwrap();
        let crossed = |scene: &Scene| {
            let routes = Router::new(&after, scene).all();
            let through = |(link, route): (&Id, &Route)| {
                let mut stretches = route.stretches();
                stretches.any(|(a, b)| scene[&added.id].crossed_by(a, b)).then(|| link.clone())
            };
            routes.iter().filter_map(through).collect::<Vec<_>>()
        };
        let mut scene = places(&after);
        assert_eq!(crossed(&scene), []);
        // The two change places.
        let (last, loose) = (scene[&id("a")], scene[&added.id]);
        scene.insert(id("a"), loose);
        scene.insert(added.id.clone(), last);
        assert_eq!(crossed(&scene), []);
    }
}
