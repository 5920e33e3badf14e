//! The size of each kind at 100 %.

use crate::model::{Design, ElementKind, Id, Port, Subject};
use crate::sorted::{SortedMap, SortedSet};

/// Width and height of a kind; a side channel is smaller; of a job: of an empty one.
#[must_use]
pub const fn size(kind: ElementKind, side_channel: bool) -> (f64, f64) {
    match kind {
        ElementKind::Source => (128.0, 78.0),
        ElementKind::Channel if side_channel => (136.0, 62.0),
        ElementKind::Channel => (148.0, 86.0),
        ElementKind::Job => (134.0, 118.0),
        ElementKind::Operator => (118.0, 78.0),
        ElementKind::Sink => (130.0, 78.0),
        ElementKind::Consumer => (152.0, 88.0),
        ElementKind::Batch => (132.0, 70.0),
    }
}

/// The sizes of one design's elements.
pub struct Sizes<'a> {
    design: &'a Design,
    side: SortedSet<&'a Id>,
}

impl<'a> Sizes<'a> {
    /// Of this design.
    #[must_use]
    pub fn new(design: &'a Design) -> Self {
        let mut written: SortedMap<&Id, bool> = SortedMap::new();
        for link in design.links.values().filter_map(Subject::as_link) {
            let side = matches!(link.port, Some(Port::Late | Port::DeadLetter | Port::Side));
            *written.entry(&link.to).or_insert(true) &= side;
        }
        let channel = |id: &Id| design.kind(id) == Some(ElementKind::Channel);
        let side = written.into_iter().filter(|(id, side)| *side && channel(id)).map(|(id, _)| id).collect();
        Self { design, side }
    }

    /// Width and height of an element without a frame around it.
    #[must_use]
    pub fn of(&self, id: &Id) -> (f64, f64) {
        size(self.design.kind(id).unwrap_or(ElementKind::Operator), self.is_side_channel(id))
    }

    /// Is this a channel that only late, dead-letter and side outputs write?
    #[must_use]
    pub fn is_side_channel(&self, id: &Id) -> bool {
        self.side.contains(id)
    }

    /// All channels that only late, dead-letter and side outputs write.
    pub fn side_channels(&self) -> impl Iterator<Item = &'a Id> + '_ {
        self.side.iter().copied()
    }
}
