//! Drags: of elements, of a marquee, of the canvas.

use super::{Button, Now, Outcome, Pointer, State, Target, Tool, connect, far};
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    canvas::{
        LINK_SLOP, Point, Rect,
        arrange::{carried, moved as boxes_of, placed},
        insert,
        regroup::Rehomed,
        remove::duplicate,
        snap::snap,
    },
    edit::Edit,
    layout::frame_around,
    model::{ElementKind, Id, Subject},
};

/// The pointer has moved since it went down.
pub(super) fn begun(now: Now<'_>, first: Pointer, p: &Pointer) -> (State, Vec<Outcome>) {
    if p.id != first.id || !far(&first, p) {
        return (State::Pressed(first), Vec::new());
    }
    let pan = State::Panning { pointer: p.id, last: p.at };
    let view = || Outcome::View(now.view.panned(p.at.x - first.at.x, p.at.y - first.at.y));
    if first.button != Button::Primary || !matches!(now.tool, Tool::Select) {
        return (State::Pressed(first), Vec::new());
    }
    let from = now.view.to_canvas(first.at);
    match first.over.clone() {
        Target::Empty if first.touch => (pan, vec![view()]),
        Target::Empty => {
            let before = if first.keys.shift || first.keys.ctrl { now.selection.clone() } else { SortedSet::new() };
            marquee(now, from, before, first.keys.alt, p)
        }
        _ if now.reading => (pan, vec![view()]),
        Target::Port(id, port) => (connect::towards(now, id, port, p), Vec::new()),
        Target::Handle(link, end) => (connect::pulled(now, link, end, p), Vec::new()),
        Target::Link(_) => (State::Pressed(first), Vec::new()),
        Target::Element(id) | Target::Frame(id) | Target::Note(id) => {
            let selection = if now.selection.contains(&id) { now.selection.clone() } else { SortedSet::from([id]) };
            let (state, mut outcomes) = moved(now, carried(now.world.design, &selection), from, first.keys.alt, p);
            if selection != *now.selection {
                outcomes.insert(0, Outcome::Select(selection));
            }
            (state, outcomes)
        }
    }
}

/// Elements follow the pointer, snapped; Ctrl switches snapping off.
pub(super) fn moved(
    now: Now<'_>,
    moving: SortedSet<Id>,
    from: Point,
    copy: bool,
    p: &Pointer,
) -> (State, Vec<Outcome>) {
    let at = now.view.to_canvas(p.at);
    let (dx, dy) = (at.x - from.x, at.y - from.y);
    let (design, scene) = (now.world.design, now.world.scene);
    let start = boxes_of(design, scene, &moving, 0.0, 0.0);
    // Elements lead, not their frames, so that rows line up.
    let is_frame = |id: &Id| design.kind(id) == Some(ElementKind::Job);
    let lead: Vec<Rect> = start.iter().filter(|(id, _)| !is_frame(id)).map(|(_, r)| *r).collect();
    let around = Rect::around(if lead.is_empty() { start.values().copied().collect() } else { lead });
    let others: Vec<Rect> =
        scene.iter().filter(|(id, _)| !moving.contains(*id) && !is_frame(id)).map(|(_, r)| *r).collect();
    let (dx, dy, guides) = match around {
        Some(around) if !p.keys.ctrl => snap(around, dx, dy, &others),
        _ => (dx, dy, Vec::new()),
    };
    let boxes = boxes_of(design, scene, &moving, dx, dy);
    (State::Moving { moving, from, by: (dx, dy), copy }, vec![Outcome::Preview(boxes, guides)])
}

/// A marquee selects as it grows.
pub(super) fn marquee(
    now: Now<'_>,
    from: Point,
    before: SortedSet<Id>,
    whole: bool,
    p: &Pointer,
) -> (State, Vec<Outcome>) {
    let to = now.view.to_canvas(p.at);
    let mut selection = before.clone();
    selection.extend(now.world.within(Rect::spanning(from, to), whole));
    (State::Marquee { from, to, before, whole }, vec![Outcome::Select(selection)])
}

/// Elements are let go.
pub(super) fn dropped(now: Now<'_>, moving: &SortedSet<Id>, by: (f64, f64), copy: bool) -> Vec<Outcome> {
    let (design, scene) = (now.world.design, now.world.scene);
    let mut outcomes = vec![Outcome::Preview(SortedMap::new(), Vec::new())];
    if by.0.abs() < 0.5 && by.1.abs() < 0.5 {
        return outcomes;
    }
    if copy {
        if let Ok((select, edit)) = duplicate(design, scene, moving, by) {
            outcomes.push(Outcome::Edit { edit, label: "Duplicate", select: Some(select) });
        }
        return outcomes;
    }
    let mut boxes = boxes_of(design, scene, moving, by.0, by.1);
    if let Some(outcome) = in_order(now, &mut boxes) {
        outcomes.push(outcome);
        return outcomes;
    }
    match new_homes(now, moving, &boxes) {
        Err(why) => outcomes.push(Outcome::Refuse(why)),
        Ok(None) => {
            let edit = placed(design, scene, &boxes);
            outcomes.push(Outcome::Edit { edit, label: "Move", select: None });
        }
        Ok(Some(Rehomed { mut draft, copies })) => {
            // What is there today stays where it is; its copy stands where it was let go.
            for (old, new) in &copies {
                if let Some(rect) = boxes.remove(old) {
                    boxes.insert(new.clone(), rect);
                }
            }
            let place = placed(draft.design(), scene, &boxes);
            _ = draft.apply(place);
            let select = (!copies.is_empty()).then(|| boxes.keys().cloned().collect());
            outcomes.push(Outcome::Edit { edit: draft.finish(), label: "Move into another job", select });
        }
    }
    outcomes
}

/// An operator that is let go alone on a taken place of a frame comes in order: the others make room. One that nothing
/// is linked with is woven into the link there.
fn in_order(now: Now<'_>, boxes: &mut SortedMap<Id, Rect>) -> Option<Outcome> {
    let (design, scene) = (now.world.design, now.world.scene);
    let (operator, rect) = boxes.iter().next().filter(|_| boxes.len() == 1).map(|(id, rect)| (id.clone(), *rect))?;
    let own = design.job_of(&operator)?;
    let stays = |job: &Id| {
        let others = design.operators_of(job).filter(|(op, _)| **op != operator).filter_map(|(op, _)| scene.get(op));
        Rect::around(others.copied()).map(frame_around)
    };
    let jobs = design.elements.iter().filter(|(_, s)| s.kind() == Some(ElementKind::Job)).map(|(id, _)| id);
    let job = jobs.clone().find(|job| stays(job).is_some_and(|frame| frame.contains(rect.centre())))?.clone();
    let woven = insert::woven(now.world, &operator, &job, rect, LINK_SLOP);
    if woven.is_none() && job != *own {
        return None;
    }
    let made = insert::reordered(now.world, &operator, &job, rect);
    if woven.is_none() && made.is_none() {
        return None;
    }
    boxes.extend(made.unwrap_or_default());
    let (stands, woven) = woven.map_or((operator.clone(), None), |added| (added.id, Some(added.edit)));
    if let Some(rect) = boxes.remove(&operator) {
        boxes.insert(stands.clone(), rect);
    }
    let place = placed(design, scene, boxes);
    let label = if job == *own { "Move in order" } else { "Move into another job" };
    let select = (stands != operator).then(|| SortedSet::from([stands]));
    Some(Outcome::Edit { edit: Edit::All(woven.into_iter().chain([place]).collect()), label, select })
}

/// What changes when operators are let go in another frame, or outside every frame; nothing, where all stay.
fn new_homes(
    now: Now<'_>,
    moving: &SortedSet<Id>,
    boxes: &SortedMap<Id, Rect>,
) -> Result<Option<Rehomed>, &'static str> {
    let (design, scene) = (now.world.design, now.world.scene);
    let alone = moving.iter().filter_map(|id| Some((id, design.job_of(id)?))).filter(|(_, job)| !moving.contains(*job));
    let mut homes: SortedMap<Option<&Id>, SortedSet<Id>> = SortedMap::new();
    for (operator, job) in alone {
        let Some(at) = boxes.get(operator).map(|rect| rect.centre()) else { continue };
        let frame = |of: &Id| {
            let stays = design.operators_of(of).filter(|(op, _)| !moving.contains(*op));
            let core = Rect::around(stays.filter_map(|(op, _)| scene.get(op)).copied());
            core.map(frame_around).or_else(|| (of != job).then(|| scene.get(of).copied()).flatten())
        };
        let jobs = design.elements.iter().filter(|(_, s)| s.kind() == Some(ElementKind::Job)).map(|(id, _)| id);
        let target = jobs.filter(|id| *id != job).find(|id| frame(id).is_some_and(|f| f.contains(at)));
        let leaves = || frame(job).is_some_and(|f| !f.grown(80.0).contains(at)) && !hands_over(now, operator, job);
        if target.is_some() || leaves() {
            homes.entry(target).or_default().insert(operator.clone());
        }
    }
    if homes.is_empty() {
        return Ok(None);
    }
    let mut rehomed = Rehomed::new(design);
    for (target, operators) in homes {
        match target {
            Some(job) => rehomed.move_to(job, &operators)?,
            None => _ = rehomed.move_out(&operators)?,
        }
    }
    Ok(Some(rehomed))
}

/// Is the operator linked with another one of its job? Then it stays, however far it is moved.
fn hands_over(now: Now<'_>, operator: &Id, job: &Id) -> bool {
    let design = now.world.design;
    design.links.values().filter_map(Subject::as_link).any(|link| {
        (link.from == *operator && design.job_of(&link.to) == Some(job))
            || (link.to == *operator && design.job_of(&link.from) == Some(job))
    })
}
