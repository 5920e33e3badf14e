//! Edits that put operators into other jobs. What is there today stays as it is: copies of it, planned, go.

use super::{Rect, Scene, arrange::placed, create::clear, walk::Direction};
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    edit::{CopiedFacts, Draft, Edit},
    layout::{GAP, frame_around},
    model::{Design, Element, Id, Layout, Lifecycle},
};

/// Operators on their way into other jobs.
pub struct Rehomed {
    /// What has changed so far.
    pub draft: Draft<'static>,
    /// Copies of operators that are there today, by what they are copies of.
    pub copies: SortedMap<Id, Id>,
}

impl Rehomed {
    /// Nothing has moved.
    #[must_use]
    pub fn new(design: &Design) -> Self {
        Self { draft: Draft::without_history(design), copies: SortedMap::new() }
    }

    /// Moves operators into a job, if their links allow that.
    pub fn move_to(&mut self, job: &Id, operators: &SortedSet<Id>) -> Result<(), &'static str> {
        let design = self.draft.design();
        if operators.iter().any(|id| design.lifecycle(id) == Lifecycle::Retiring && design.job_of(id) != Some(job)) {
            return Err(
                "An operator that is to be removed stays in its job until then. Plan another one in its place.",
            );
        }
        if design.lifecycle(job) == Lifecycle::Retiring {
            return Err("This job is to be removed. Plan another one.");
        }
        // All else is sound, so that only a job can be torn; the document itself refuses that.
        let copies = self
            .draft
            .move_to_job(operators, job)
            .map_err(|_| "Operators of two jobs do not hand over directly. Put a channel between the jobs.")?;
        self.copies.extend(copies);
        Ok(())
    }

    /// Moves operators into a new job, which is answered.
    pub fn move_out(&mut self, operators: &SortedSet<Id>) -> Result<Id, &'static str> {
        let job = self.draft.add(Element::Job, "", None).map_err(|_| "The design is full.")?;
        self.move_to(&job, operators)?;
        Ok(job)
    }

    /// Gives the copies of these operators a place where nothing stands: behind what else is in their job, else below what
    /// they are copies of.
    fn stand(&self, scene: &mut Scene, operators: &SortedSet<Id>) -> SortedMap<Id, Rect> {
        let of = |old: &Id| Some((self.copies.get(old)?.clone(), *scene.get(old)?));
        let mut boxes: SortedMap<Id, Rect> = operators.iter().filter_map(of).collect();
        let Some(around) = Rect::around(boxes.values().copied()) else { return boxes };
        let design = self.draft.design();
        let job = boxes.keys().next().and_then(|copy| design.job_of(copy));
        let others = job.into_iter().flat_map(|job| design.operators_of(job)).filter_map(|(id, _)| scene.get(id));
        let wish = match Rect::around(others.copied()) {
            Some(core) => Rect { x: core.right() + GAP, y: core.y, ..around },
            None => around,
        };
        let corner = clear(scene, frame_around(wish), Direction::Down);
        let frame = frame_around(around);
        for rect in boxes.values_mut() {
            *rect = rect.plus(corner.x - frame.x, corner.y - frame.y);
        }
        scene.extend(boxes.iter().map(|(id, rect)| (id.clone(), *rect)));
        boxes
    }

    /// The edit, with the copies at these boxes; the rest of the drawing is fixed where it is.
    fn finish(mut self, scene: &Scene, boxes: &SortedMap<Id, Rect>) -> Edit {
        if !boxes.is_empty() {
            let places = placed(self.draft.design(), scene, boxes);
            _ = self.draft.apply(places);
        }
        self.draft.finish()
    }
}

/// What to select afterwards, and the change.
pub type Regrouped = (SortedSet<Id>, Edit);

/// Puts operators into one job frame: their own, where one is chosen whole, else a new one.
pub fn group(design: &Design, scene: &Scene, selection: &SortedSet<Id>) -> Result<Regrouped, &'static str> {
    let operators: SortedSet<Id> = selection.iter().filter(|id| design.job_of(id).is_some()).cloned().collect();
    if operators.is_empty() {
        return Err("Select operators to group into a job.");
    }
    // A job that would lose all its operators lends its settings to the new one by staying the job; one of today first.
    let stays = |job: &&Id| design.lifecycle(job) != Lifecycle::Retiring;
    let jobs = operators.iter().filter_map(|id| design.job_of(id)).filter(stays);
    let whole = jobs
        .filter(|job| design.operators_of(job).all(|(op, _)| operators.contains(op)))
        .reduce(|one, other| if design.lifecycle(other) > design.lifecycle(one) { other } else { one });
    let mut rehomed = Rehomed::new(design);
    let job = match whole {
        Some(job) => rehomed.move_to(job, &operators).map(|()| job.clone())?,
        None => rehomed.move_out(&operators)?,
    };
    let boxes = rehomed.stand(&mut scene.clone(), &operators);
    // Of a frame that is there today, what came into it is what is new.
    let came = whole.is_some() && !boxes.is_empty();
    let select = if came { boxes.keys().cloned().collect() } else { SortedSet::from([job]) };
    Ok((select, rehomed.finish(scene, &boxes)))
}

/// Gives each operator of a job a job of its own with what is said of the job, but the first.
pub fn ungroup(design: &Design, scene: &Scene, job: &Id) -> Result<Regrouped, &'static str> {
    let operators: Vec<SortedSet<Id>> = design.operators_of(job).map(|(id, _)| [id.clone()].into()).collect();
    if operators.len() < 2 {
        return Err("This frame holds one operator. There is nothing to part.");
    }
    let mut alone = design.part(&[job.clone()].into());
    alone.elements.retain(|id, _| id == job);
    alone.links.clear();
    alone.layout = Layout::default();
    let planned = design.lifecycle(job) == Lifecycle::Planned;
    let facts = if planned { CopiedFacts::Keep } else { CopiedFacts::AsProposal };
    let mut rehomed = Rehomed::new(design);
    let (mut taken, mut boxes) = (scene.clone(), SortedMap::new());
    let mut jobs = SortedSet::from([job.clone()]);
    for operator in operators.iter().skip(1) {
        let made = rehomed.draft.insert(&alone, (0, 0), facts);
        let fresh = made.ok().and_then(|ids| ids.first().cloned()).ok_or("The design is full.")?;
        rehomed.move_to(&fresh, operator)?;
        boxes.extend(rehomed.stand(&mut taken, operator));
        jobs.insert(fresh);
    }
    Ok((jobs, rehomed.finish(scene, &boxes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        canvas::create::reconnect,
        layout::{places, sample::*},
        model::{Subject, View, key, words::WriteMode},
    };

    /// Two jobs that are there today, with the channel between them, and a planned job.
    fn today() -> Design {
        let mut d = design(
            "channel in, job a, operator read a, channel mid, job b, operator sum b, operator late b, sink out, job c,
             operator new c",
            "in read, read mid, mid sum, sum late, late out, mid new",
        );
        for name in ["in", "a", "mid", "b", "out"] {
            d.elements.get_mut(&id(name)).unwrap().lifecycle = Some(Lifecycle::Existing);
        }
        d
    }

    /// What is there today: its ids with what they are, and all that was read of them.
    fn as_is(d: &Design) -> Vec<(Id, String)> {
        let of = |(id, s): (&Id, &Subject)| (id.clone(), format!("{:?} {:?} {:?}", s.shape, s.observed, s.name));
        d.elements.iter().chain(&d.links).filter(|(id, _)| d.visible(View::AsIs, id)).map(of).collect()
    }

    /// The links of to-be.
    fn flows(d: &Design) -> Vec<String> {
        let seen = d.links.iter().filter(|(id, _)| d.visible(View::ToBe, id));
        let mut flows: Vec<String> =
            seen.filter_map(|(_, s)| s.as_link()).map(|link| format!("{} {}", link.from, link.to)).collect();
        flows.sort();
        flows
    }

    fn after(d: &Design, edit: Edit) -> Design {
        let mut after = d.clone();
        let inverse = after.apply(edit).unwrap();
        assert_eq!(as_is(&after), as_is(d));
        let mut back = after.clone();
        back.apply(inverse).unwrap();
        assert_eq!(back, *d);
        after
    }

    #[test]
    fn grouping_what_exists_plans_a_frame_of_copies() {
        let d = today();
        let scene = places(&d);
        let both = [id("read"), id("new")].into();
        let (select, edit) = group(&d, &scene, &both).unwrap();
        // `a` lends itself: it is chosen whole. What is planned goes into it and stays planned; its own job goes.
        assert_eq!(select, [id("a")].into());
        let d2 = after(&d, edit);
        assert_eq!((d2.job_of(&id("new")), d2.lifecycle(&id("new"))), (Some(&id("a")), Lifecycle::Planned));
        assert!(!d2.elements.contains_key(&id("c")));

        let (select, edit) = group(&d, &scene, &[id("read"), id("sum"), id("late")].into()).unwrap();
        // Of two that are chosen whole it is the first; the copy of what stands in the other comes in, and that retires.
        assert_eq!(select, [id("read-2")].into());
        let d2 = after(&d, edit);
        assert_eq!(d2.lifecycle(&id("a")), Lifecycle::Retiring);
        assert_eq!(
            flows(&d2),
            ["in read-2", "late out", "mid new", "mid sum", "read-2 mid", "sum late"].map(str::to_owned)
        );

        // Of neither all: a frame of its own, below, with copies of both and the links among them and to all else.
        let mut d = today();
        d.elements.insert(id("more"), d.elements[&id("sum")].clone());
        let scene = places(&d);
        let (select, edit) = group(&d, &scene, &[id("sum"), id("late")].into()).unwrap();
        assert_eq!(select, [id("job")].into());
        let d2 = after(&d, edit);
        assert_eq!((d2.lifecycle(&id("b")), d2.lifecycle(&id("job"))), (Lifecycle::Existing, Lifecycle::Planned));
        assert_eq!(
            flows(&d2),
            ["in read", "late-2 out", "mid new", "mid sum-2", "read mid", "sum-2 late-2"].map(str::to_owned)
        );
        let stand = places(&d2);
        for copy in ["sum-2", "late-2", "job"] {
            let clear = |other: &str| !stand[&id(copy)].overlaps(stand[&id(other)]);
            assert!(["in", "read", "mid", "sum", "late", "more", "out", "new"].into_iter().all(clear), "{copy}");
        }
        assert!(scene.iter().all(|(old, rect)| stand[old] == *rect), "what is there today stays where it is");
        // One that hands over to another one of its job cannot leave it alone.
        assert!(group(&d, &scene, &[id("sum")].into()).unwrap_err().contains("two jobs"));
    }

    #[test]
    fn parting_a_job_that_exists_plans_another_one() {
        let mut d = today();
        d.links.retain(|key, _| *key != id("l4"));
        d.elements
            .get_mut(&id("b"))
            .unwrap()
            .proposed
            .set(key::job::STANDBY_REPLICAS.field(), Some(key::job::STANDBY_REPLICAS.value(1)));
        let (jobs, edit) = ungroup(&d, &places(&d), &id("b")).unwrap();
        assert_eq!(jobs, [id("b"), id("b-2")].into());
        let d2 = after(&d, edit);
        // By id `late` is the first and stays.
        assert_eq!(d2.job_of(&id("sum-2")), Some(&id("b-2")));
        assert_eq!((d2.lifecycle(&id("sum")), d2.lifecycle(&id("late"))), (Lifecycle::Retiring, Lifecycle::Existing));
        assert_eq!(d2.get(View::ToBe, &id("b-2"), key::job::STANDBY_REPLICAS).value(), Some(1));
        assert_eq!(d2.lifecycle(&id("b-2")), Lifecycle::Planned);
        assert!(ungroup(&d2, &places(&d2), &id("b")).unwrap_err().contains("to be removed"));
        // A job with a hand-over is not parted.
        assert!(ungroup(&today(), &places(&d), &id("b")).unwrap_err().contains("two jobs"));
    }

    #[test]
    fn an_end_that_exists_stays_and_a_planned_link_runs_elsewhere() {
        let mut d = today();
        let mode = key::store::WRITE_MODE;
        let evidence = id("e1");
        d.records.evidence.insert(evidence.clone(), crate::model::Evidence::default());
        let read = Some(mode.value(WriteMode::Append));
        let link = d.links.get_mut(&id("l5")).unwrap();
        link.observed.entry(evidence).or_default().set(mode.field(), read);
        let added = reconnect(&d, &id("l5"), &id("sum"), &id("out")).unwrap();
        assert_eq!(added.id, id("l7"));
        let d2 = after(&d, added.edit);
        assert_eq!((d2.lifecycle(&id("l5")), d2.lifecycle(&added.id)), (Lifecycle::Retiring, Lifecycle::Planned));
        let drawn = &d2.links[&added.id];
        assert_eq!(drawn.proposed.typed(mode), Some(WriteMode::Append));
        assert!(drawn.observed.is_empty());
        // Back again: the one that is there is in the way, and says how to keep it.
        let why = reconnect(&d2, &added.id, &id("late"), &id("out")).unwrap_err();
        assert!(why.contains("Set its life cycle to existing"), "{why}");
        assert!(reconnect(&d2, &id("l5"), &id("sum"), &id("out")).unwrap_err().contains("to be removed"));
        // A planned one moves itself, also between two that exist, where it would be taken for one of today.
        let mut d3 = d.clone();
        d3.apply(reconnect(&d, &id("l6"), &id("in"), &id("sum")).unwrap().edit).unwrap();
        assert_eq!((d3.links.len(), d3.lifecycle(&id("l6"))), (d.links.len(), Lifecycle::Planned));
    }

    #[test]
    fn what_was_drawn_into_a_link_of_today_and_is_joined_again_is_still_a_plan() {
        let d = today();
        let mut draft = Draft::without_history(&d);
        let step = draft.add(Element::Operator { job: id("b"), step: crate::model::Step::Map, emits: None }, "", None);
        let step = step.unwrap();
        draft.split_link(&id("l4"), &step).unwrap();
        let joined = draft.delete_and_join(&step).unwrap();
        let d2 = after(&d, draft.finish());
        assert_eq!(d2.lifecycle(&joined[0]), Lifecycle::Planned);
        // What joins two links of today where one element of today is deleted is there today.
        let mut draft = Draft::without_history(&d);
        let joined = draft.delete_and_join(&id("sum")).unwrap();
        assert_eq!(draft.design().lifecycle(&joined[0]), Lifecycle::Existing);
        // An operator of today that nothing is linked with is drawn into a link of today: that is a plan.
        let mut draft = Draft::without_history(&d);
        let loose = draft.add(Element::Operator { job: id("b"), step: crate::model::Step::Map, emits: None }, "", None);
        let loose = loose.unwrap();
        draft.apply(Edit::Lifecycle { subject: loose.clone(), to: None }).unwrap();
        let was = draft.design().clone();
        draft.split_link(&id("l4"), &loose).unwrap();
        assert_eq!(as_is(draft.design()), as_is(&was));
    }
}
