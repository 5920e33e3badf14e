//! Fresh ids for many new subjects at once, without looking from the start each time.

use crate::model::{Design, Id, MAX_ID_LENGTH};
use crate::sorted::SortedMap;
use std::collections::HashSet;

/// Hands out ids that neither the design nor the caller nor this import holds.
pub(super) struct Ids<'a> {
    design: &'a Design,
    taken: &'a dyn Fn(&Id) -> bool,
    /// Only ever asked, never walked through.
    given: HashSet<Id>,
    counters: SortedMap<String, u32>,
}

impl<'a> Ids<'a> {
    pub(super) fn new(design: &'a Design, taken: &'a dyn Fn(&Id) -> bool) -> Self {
        Self { design, taken, given: HashSet::new(), counters: SortedMap::new() }
    }

    fn free(&self, id: &Id) -> bool {
        !self.design.holds(id) && !self.design.mentions(id) && !(self.taken)(id) && !self.given.contains(id)
    }

    /// The slug of a name, with a number behind it where it is in use.
    pub(super) fn named(&mut self, name: &str, fallback: &str) -> Id {
        let base = Id::slug(name, fallback);
        if self.free(&base) {
            self.given.insert(base.clone());
            return base;
        }
        let stem: String = base.as_str().chars().take(MAX_ID_LENGTH - 7).collect();
        self.numbered(&format!("{stem}-"), 2)
    }

    /// `l1`, `l2` … for links, `e1` … for evidence, `d1` … for decisions.
    pub(super) fn next(&mut self, letter: char) -> Id {
        self.numbered(&letter.to_string(), 1)
    }

    fn numbered(&mut self, stem: &str, first: u32) -> Id {
        let mut number = self.counters.get(stem).copied().unwrap_or(first);
        loop {
            let id = Id::new(&format!("{stem}{number}")).unwrap_or_else(|_| Id::slug("", "x"));
            number = number.saturating_add(1);
            if self.free(&id) || number == u32::MAX {
                self.counters.insert(stem.to_owned(), number);
                self.given.insert(id.clone());
                return id;
            }
        }
    }
}
