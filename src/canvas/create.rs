//! Edits that add: elements, links, what may follow.

use super::{Point, Rect, Scene, walk::Direction};
use crate::{
    edit::{Draft, Edit},
    layout::{GAP, Sizes, size, snapped},
    model::{Design, Element, ElementKind, Id, Lifecycle, Link, Place, Port, Section, Shape, Step, Subject, legal},
};

/// Something added: the ids to select and the edit that adds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// What to select afterwards.
    pub id: Id,
    /// The change.
    pub edit: Edit,
}

/// The word that a new element of a kind is called by, until it gets a name.
#[must_use]
pub const fn kind_word(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Source => "source",
        ElementKind::Channel => "channel",
        ElementKind::Job => "job",
        ElementKind::Operator => "operator",
        ElementKind::Sink => "sink",
        ElementKind::Consumer => "consumer",
        ElementKind::Batch => "batch",
    }
}

fn put(section: Section, id: &Id, subject: Subject) -> Edit {
    Edit::Subject { section, id: id.clone(), to: Some(Box::new(subject)) }
}

/// Adds an element with its upper left corner at `at`. An operator goes into `job`; without one it brings a job of its
/// own.
#[must_use]
pub fn element(design: &Design, kind: ElementKind, at: Point, job: Option<&Id>) -> Added {
    let id = design.fresh_id(&Id::slug("", kind_word(kind)));
    let mut edits = Vec::new();
    let element = match kind {
        ElementKind::Source => Element::Source { event: None },
        ElementKind::Channel => Element::Channel { role: None },
        ElementKind::Job => Element::Job,
        ElementKind::Sink => Element::Sink,
        ElementKind::Consumer => Element::Consumer { question: None },
        ElementKind::Batch => Element::Batch,
        ElementKind::Operator => {
            let job = job.cloned().unwrap_or_else(|| {
                let job = design.fresh_id(&Id::slug("", "job"));
                edits.push(put(Section::Elements, &job, Subject::new(Shape::Element(Element::Job))));
                job
            });
            Element::Operator { job, step: Step::Map, emits: None }
        }
    };
    let mut subject = Subject::new(Shape::Element(element));
    design.keep_planned(&mut subject);
    edits.push(put(Section::Elements, &id, subject));
    let sized = (kind == ElementKind::Job).then(|| size(kind, false)).map(|(w, h)| (w as i32, h as i32));
    let place = Place { x: snapped(at.x) as i32, y: snapped(at.y) as i32, size: sized };
    edits.push(Edit::Place { element: id.clone(), to: Some(place) });
    Added { id, edit: Edit::All(edits) }
}

/// The upper left corner of an element of this kind whose centre is at `at`.
#[must_use]
pub fn corner(kind: ElementKind, at: Point) -> Point {
    let (w, h) = size(kind, false);
    at.plus(-w / 2.0, -h / 2.0)
}

/// Why these two cannot be linked, with what to do instead; a link that is already there is refused too.
pub fn may_link(design: &Design, from: &Id, to: &Id, port: Option<Port>) -> Result<(), &'static str> {
    let (Some(a), Some(b)) = (design.kind(from), design.kind(to)) else { return Err("Links join elements.") };
    if from == to {
        return Err("A link needs two ends. Feed records back through a channel.");
    }
    let same_job = design.job_of(from).is_some() && design.job_of(from) == design.job_of(to);
    if let Some(why) = legal::refuse_link(a, b, port, same_job) {
        return Err(why);
    }
    let between = |s: &&Subject| s.as_link().is_some_and(|l| l.from == *from && l.to == *to && l.port == port);
    match design.links.values().find(between) {
        None => Ok(()),
        Some(link) if design.lifecycle_of(link) == Lifecycle::Retiring => {
            Err("A link that is to be removed joins these two. Set its life cycle to existing to keep it.")
        }
        Some(_) => Err("These two are linked already."),
    }
}

/// Adds a link.
pub fn link(design: &Design, from: &Id, to: &Id, port: Option<Port>) -> Result<Added, &'static str> {
    may_link(design, from, to, port)?;
    let id = design.next_id('l', &|_| false);
    let mut subject = Subject::new(Shape::Link(Link { from: from.clone(), to: to.clone(), port, into: None }));
    design.keep_planned(&mut subject);
    let edit = put(Section::Links, &id, subject);
    Ok(Added { id, edit })
}

/// Lets one end of a link go to another element; what was set on the link and is legal there stays. A link that is there
/// today retires, and a planned one runs there.
pub fn reconnect(design: &Design, link: &Id, from: &Id, to: &Id) -> Result<Added, &'static str> {
    const GONE: &str = "This link is gone.";
    let old = design.links.get(link).and_then(Subject::as_link).ok_or(GONE)?;
    if design.lifecycle(link) == Lifecycle::Retiring {
        return Err("This link is to be removed and stays where it is until then. Draw a new one.");
    }
    may_link(design, from, to, old.port)?;
    let mut draft = Draft::without_history(design);
    let id = draft.replug(link, from, to).map_err(|_| GONE)?;
    Ok(Added { id, edit: draft.finish() })
}

/// The kinds that may follow an output, the likeliest first; a channel or sink is followed by an operator of a new job.
#[must_use]
pub fn followers(kind: ElementKind, port: Option<Port>) -> Vec<ElementKind> {
    use ElementKind as E;
    let order: &[E] = match kind {
        _ if matches!(port, Some(Port::Late | Port::DeadLetter)) => &[E::Channel, E::Sink],
        E::Source => &[E::Operator, E::Channel, E::Batch, E::Sink],
        E::Channel => &[E::Operator, E::Consumer, E::Batch],
        E::Operator => &[E::Channel, E::Operator, E::Sink],
        E::Sink => &[E::Consumer, E::Operator, E::Batch],
        E::Batch => &[E::Sink, E::Channel],
        E::Job | E::Consumer => &[],
    };
    order.iter().copied().filter(|to| legal::refuse_link(kind, *to, port, true).is_none()).collect()
}

/// Adds an element of this kind at `at` (its centre) and links it behind `from`.
pub fn follow(
    design: &Design,
    from: &Id,
    port: Option<Port>,
    kind: ElementKind,
    at: Point,
) -> Result<Added, &'static str> {
    let job = (design.kind(from) == Some(ElementKind::Operator)).then(|| design.job_of(from)).flatten();
    joined(design, kind, corner(kind, at), job, |added| (from.clone(), added.clone()), port)
}

fn joined(
    design: &Design,
    kind: ElementKind,
    corner: Point,
    job: Option<&Id>,
    ends: impl Fn(&Id) -> (Id, Id),
    port: Option<Port>,
) -> Result<Added, &'static str> {
    let added = element(design, kind, corner, job);
    // The link is judged against the design as it will be.
    let mut with = design.clone();
    if with.apply(added.edit.clone()).is_err() {
        return Err("Nothing can be added here.");
    }
    let (from, to) = ends(&added.id);
    let link = link(&with, &from, &to, port)?;
    Ok(Added { id: added.id, edit: Edit::All(vec![added.edit, link.edit]) })
}

/// Adds the next legal element in a direction, linked: behind to the right, below and above, before to the left. Below an
/// operator it is a dead-letter channel.
pub fn next(design: &Design, scene: &Scene, from: &Id, direction: Direction) -> Result<Added, &'static str> {
    use ElementKind as E;
    let (Some(kind), Some(rect)) = (design.kind(from), scene.get(from).copied()) else {
        return Err("Select one element.");
    };
    if kind == E::Job {
        // What comes after a frame comes after its last operator; into an empty one comes the first.
        return match end_of(design, scene, from, direction) {
            Some(operator) => next(design, scene, operator, direction),
            None => Ok(element(design, E::Operator, Point::new(rect.x + 8.0, rect.y + 32.0), Some(from))),
        };
    }
    if direction == Direction::Left {
        let before = match kind {
            E::Source => return Err("A source is where events are born. Nothing comes before it."),
            E::Channel => E::Source,
            E::Sink => E::Operator,
            E::Consumer => E::Sink,
            E::Operator | E::Batch | E::Job => E::Channel,
        };
        let (w, h) = size(before, false);
        let corner = clear(scene, Rect::new(rect.x - GAP - 16.0 - w, rect.centre().y - h / 2.0, w, h), Direction::Down);
        return joined(design, before, corner, None, |added| (added.clone(), from.clone()), None);
    }
    let port = (kind == E::Operator && direction == Direction::Down).then_some(Port::DeadLetter);
    let next = match followers(kind, port).first().copied() {
        // What captured into a channel has a job behind that channel; what reads a channel comes to a result.
        Some(E::Channel) if port.is_none() && reads_channel(design, from) && !writes_topics(design, from) => E::Sink,
        Some(next) => next,
        None => return Err("A consumer is where a path ends. Draw a source for what it sends on."),
    };
    let (w, h) = size(next, port.is_some());
    let spot = match direction {
        Direction::Right => Rect::new(rect.right() + GAP + 16.0, rect.centre().y - h / 2.0, w, h),
        Direction::Down => Rect::new(rect.x, rect.bottom() + 52.0, w, h),
        Direction::Up | Direction::Left => Rect::new(rect.x, rect.y - 84.0 - h, w, h),
    };
    let away = if direction == Direction::Up { Direction::Up } else { Direction::Down };
    let job = (kind == E::Operator).then(|| design.job_of(from)).flatten();
    joined(design, next, clear(scene, spot, away), job, |added| (from.clone(), added.clone()), port)
}

/// The operator of a job that no other one of it follows (to the left: precedes), the outermost of several.
fn end_of<'d>(design: &'d Design, scene: &Scene, job: &'d Id, direction: Direction) -> Option<&'d Id> {
    let left = direction == Direction::Left;
    let inner = |id: &Id| {
        design.links.values().filter_map(Subject::as_link).any(|link| {
            let (own, other) = if left { (&link.to, &link.from) } else { (&link.from, &link.to) };
            own == id && link.port.is_none() && design.job_of(other) == Some(job)
        })
    };
    let at = |id: &Id| scene.get(id).map_or(0.0, |rect| if left { rect.x } else { -rect.x });
    design.operators_of(job).map(|(id, _)| id).min_by(|a, b| inner(a).cmp(&inner(b)).then(at(a).total_cmp(&at(b))))
}

/// Does the engine of this operator write to topics alone? Kafka Streams and ksqlDB do; what moves their results into a
/// store is a job of its own (Apache Kafka, Kafka Streams DSL: writing streams back to Kafka).
fn writes_topics(design: &Design, operator: &Id) -> bool {
    design.system(operator).is_some_and(|system| matches!(&**system, "kafka_streams" | "ksqldb"))
}

/// Does any operator of this operator's job read a channel?
fn reads_channel(design: &Design, operator: &Id) -> bool {
    let job = design.job_of(operator);
    design.links.values().filter_map(Subject::as_link).any(|link| {
        job.is_some() && design.job_of(&link.to) == job && design.kind(&link.from) == Some(ElementKind::Channel)
    })
}

/// The nearest corner up or down from a wished box where nothing stands.
#[must_use]
pub fn clear(scene: &Scene, wish: Rect, away: Direction) -> Point {
    let mut spot = wish;
    // Each step passes at least one box, so there are at most as many steps as boxes.
    for _ in 0..=scene.len() {
        let Some(hit) = scene.values().find(|rect| rect.grown(12.0).overlaps(spot)) else { break };
        spot.y = if away == Direction::Up { hit.y - 36.0 - spot.h } else { hit.bottom() + 36.0 };
    }
    Point::new(snapped(spot.x), snapped(spot.y))
}

/// The boxes of elements to add beside each other: where a new element of this kind goes when it is added by key.
#[must_use]
pub fn free_spot(scene: &Scene, kind: ElementKind, wish: Point) -> Point {
    let (w, h) = size(kind, false);
    clear(scene, Rect::new(wish.x - w / 2.0, wish.y - h / 2.0, w, h), Direction::Down)
}

/// The size that an element is drawn with.
#[must_use]
pub fn drawn_size(design: &Design, id: &Id) -> (f64, f64) {
    Sizes::new(design).of(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        layout::{places, sample::*},
        model::View,
    };

    #[test]
    fn an_operator_brings_a_job_and_goes_into_a_given_one() {
        let d = checkout();
        let Edit::All(edits) = element(&d, ElementKind::Operator, Point::new(1.0, 2.0), None).edit else { panic!() };
        assert_eq!(edits.len(), 3);
        let Edit::All(edits) = element(&d, ElementKind::Operator, Point::new(1.0, 2.0), Some(&id("revenue"))).edit
        else {
            panic!()
        };
        assert_eq!(edits.len(), 2);
    }

    /// The whole job is there today; what is drawn into it is not.
    #[test]
    fn what_is_drawn_into_what_exists_is_planned() {
        let mut d = crate::codec::decode(crate::catalog::examples()[0].text).unwrap();
        let as_is = |d: &Design, id: &Id| d.visible(View::AsIs, id);
        let today = d.links.keys().filter(|id| as_is(&d, id)).count();
        let added = element(&d, ElementKind::Operator, Point::new(1.0, 2.0), Some(&id("revenue")));
        d.apply(added.edit).unwrap();
        assert!(as_is(&d, &id("dedup")) && !as_is(&d, &added.id) && d.visible(View::ToBe, &added.id));
        let between = link(&d, &id("sum"), &id("orders_dlq"), Some(Port::Side)).unwrap();
        d.apply(between.edit).unwrap();
        assert!(as_is(&d, &id("sum")) && as_is(&d, &id("orders_dlq")) && !as_is(&d, &between.id));
        // What belongs to nothing that exists needs to say nothing.
        let alone = element(&d, ElementKind::Operator, Point::new(1.0, 2.0), None);
        d.apply(alone.edit).unwrap();
        assert_eq!(d.subject(&alone.id).unwrap().lifecycle, None);
        // Moved into the job, it is still a plan.
        let mut draft = Draft::without_history(&d);
        assert!(draft.move_to_job(&[alone.id.clone()].into(), &id("revenue")).unwrap().is_empty());
        d.apply(draft.finish()).unwrap();
        assert!(!as_is(&d, &alone.id));
        let chosen = [id("dedup"), id("sum")].into();
        let (copies, edit) = super::super::remove::duplicate(&d, &places(&d), &chosen, (0.0, 200.0)).unwrap();
        let links = d.links.len();
        d.apply(edit).unwrap();
        assert!(copies.len() == 2 && !copies.iter().any(|id| as_is(&d, id)));
        // The hand-over between them was doubled with them.
        assert_eq!(d.links.len(), links + 1);
        assert_eq!(d.links.keys().filter(|id| as_is(&d, id)).count(), today);
    }

    #[test]
    fn illegal_links_say_what_to_do() {
        let d = checkout();
        let why = may_link(&d, &id("orders"), &id("revenue_5m"), None).unwrap_err();
        assert_eq!(why, "A channel cannot follow a channel. Put a job or a bridge between them.");
        assert!(may_link(&d, &id("orders"), &id("dedup"), None).unwrap_err().contains("already"));
        assert!(may_link(&d, &id("capture"), &id("sum"), None).unwrap_err().contains("two jobs"));
        assert_eq!(link(&d, &id("orders"), &id("upsert_rows"), None).unwrap().id, id("l15"));
    }

    #[test]
    fn every_offer_is_legal() {
        for kind in ElementKind::ALL {
            for next in followers(kind, None) {
                assert_eq!(legal::refuse_link(kind, next, None, true), None, "{kind:?} {next:?}");
            }
        }
        assert_eq!(followers(ElementKind::Operator, Some(Port::Late))[0], ElementKind::Channel);
        assert!(followers(ElementKind::Consumer, None).is_empty());
    }

    #[test]
    fn a_step_at_a_time_leads_from_a_source_to_a_consumer() {
        let mut d = Design::default();
        let first = element(&d, ElementKind::Source, Point::new(0.0, 0.0), None);
        d.apply(first.edit).unwrap();
        let (mut at, mut way) = (first.id, Vec::new());
        while let Ok(added) = next(&d, &places(&d), &at, Direction::Right) {
            d.apply(added.edit).unwrap();
            way.push(d.kind(&added.id).unwrap());
            at = added.id;
        }
        use ElementKind as E;
        assert_eq!(way, [E::Operator, E::Channel, E::Operator, E::Sink, E::Consumer]);
    }

    /// A frame with the keyboard goes on from its last operator; Kafka Streams writes to a topic, and so goes on by one.
    #[test]
    fn a_frame_goes_on_from_its_last_operator() {
        let mut d = design("channel in, job j, operator a j, operator b j", "in a, a b");
        d.elements.get_mut(&id("j")).unwrap().system = Some("kafka_streams".into());
        let after = next(&d, &places(&d), &id("j"), Direction::Right).unwrap();
        let mut with = d.clone();
        with.apply(after.edit).unwrap();
        assert_eq!(with.kind(&after.id), Some(ElementKind::Channel));
        let behind = |d: &Design, end: &Id| {
            let mut links = d.links.values().filter_map(Subject::as_link);
            links.find(|link| link.to == *end).map(|link| link.from.clone())
        };
        assert_eq!(behind(&with, &after.id), Some(id("b")));
        // An engine that writes anywhere comes to a result; an empty frame gets its first operator.
        d.elements.get_mut(&id("j")).unwrap().system = Some("flink".into());
        let after = next(&d, &places(&d), &id("j"), Direction::Right).unwrap();
        d.apply(after.edit).unwrap();
        assert_eq!(d.kind(&after.id), Some(ElementKind::Sink));
        let mut empty = design("job j", "");
        let first = next(&empty, &places(&empty), &id("j"), Direction::Right).unwrap();
        empty.apply(first.edit).unwrap();
        assert_eq!(empty.job_of(&first.id), Some(&id("j")));
    }

    #[test]
    fn the_next_element_lands_on_nothing() {
        let d = checkout();
        let scene = places(&d);
        let wish = scene[&id("dedup")];
        let corner = clear(&scene, wish, Direction::Down);
        let (w, h) = (wish.w, wish.h);
        let spot = Rect::new(corner.x, corner.y, w, h);
        assert!(scene.values().all(|rect| !rect.overlaps(spot)));
    }
}
