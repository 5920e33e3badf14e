//! The figures of one document in the order in which they were printed first.

use crate::sorted::SortedMap;
use crate::{analysis::explain::Explained, model::Id};
use std::sync::Arc;

/// Figures, each once, found again without looking at all of them.
#[derive(Default)]
pub struct Numbers {
    list: Vec<Arc<Explained>>,
    index: SortedMap<(&'static str, Option<Id>, u64), Vec<usize>>,
}

impl Numbers {
    fn key(explained: &Explained) -> (&'static str, Option<Id>, u64) {
        (explained.what, explained.of.clone(), explained.value.to_bits())
    }

    /// The number of a figure that was printed, from 1 on.
    #[must_use]
    pub fn find(&self, explained: &Arc<Explained>) -> Option<usize> {
        let same =
            |at: &&usize| self.list.get(**at).is_some_and(|known| Arc::ptr_eq(known, explained) || known == explained);
        self.index.get(&Self::key(explained))?.iter().find(same).map(|at| at + 1)
    }

    /// Adds a figure that is not there yet and gives its number.
    pub fn add(&mut self, explained: &Arc<Explained>) -> usize {
        self.index.entry(Self::key(explained)).or_default().push(self.list.len());
        self.list.push(Arc::clone(explained));
        self.list.len()
    }

    /// All figures in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Explained>> {
        self.list.iter()
    }
}
