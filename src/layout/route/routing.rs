//! The ways of all links, kept from one state of the design to the next: after an edit only those links are searched
//! again whose way it could change. What comes out is the same as when all are.

use super::{Rect, Route, ports::Anchors};
use crate::model::Id;
use crate::sorted::{SortedMap, paired};
use std::sync::Arc;

/// The ways of all links of a scene, and what each of them rests on.
#[derive(Clone, Debug, Default)]
pub struct Routing {
    /// The way of every link whose two ends stand on the canvas.
    pub routes: Arc<SortedMap<Id, Route>>,
    /// How many of them were searched, and not taken over from the state before.
    pub searched: usize,
    /// Of each route, in the same order: what it rests on, and what around it has a say.
    pub(super) kept: Vec<(Ground, Option<Influence>)>,
    /// What stands on the canvas.
    pub(super) boxes: SortedMap<Id, Standing>,
}

/// A box, and whether it is the frame of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Standing {
    pub rect: Rect,
    pub frame: bool,
}

/// What the way of one link rests on besides what stands around.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ground {
    pub ends: Anchors,
    pub from: Rect,
    pub to: Rect,
    /// The frames around the two ends, else the ends.
    pub outer: (Rect, Rect),
    /// The jobs of the two ends, whose frames are not in the way.
    pub jobs: (Option<Id>, Option<Id>),
    /// The points of a way that was drawn by hand.
    pub by_hand: Option<Vec<i32>>,
    /// How much work the search may take.
    pub allowance: usize,
}

/// How near things stand that have a say in the way of a link. A way that was drawn by hand has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Influence {
    /// Elements and frames that overlap this.
    pub boxes: Rect,
    /// Stretches of other links that overlap this.
    pub stretches: Rect,
}

/// What differs between two states of what stands around.
#[derive(Debug, Default)]
pub(super) struct Changes {
    boxes: Vec<Rect>,
    stretches: Vec<Rect>,
}

impl Changes {
    /// The boxes that came, went or moved, where they were and where they are.
    pub(super) fn between(before: &SortedMap<Id, Standing>, now: &SortedMap<Id, Standing>) -> Self {
        let mut boxes = Vec::new();
        paired(before, now, |_, before, now| {
            if before != now {
                boxes.extend(before.into_iter().chain(now).map(|standing| standing.rect));
            }
        });
        Self { boxes, stretches: Vec::new() }
    }

    /// A link came, went or runs otherwise.
    pub(super) fn rerouted(&mut self, before: Option<&Route>, now: Option<&Route>) {
        if before != now {
            let both = before.into_iter().chain(now).flat_map(Route::long_stretches);
            self.stretches.extend(both.map(|(a, b)| Rect::spanning(a, b).grown(1.0)));
        }
    }

    /// Could they change a way in which this has a say?
    pub(super) fn touch(&self, influence: Option<Influence>) -> bool {
        influence.is_some_and(|near| {
            self.boxes.iter().any(|rect| rect.overlaps(near.boxes))
                || self.stretches.iter().any(|rect| rect.overlaps(near.stretches))
        })
    }
}
