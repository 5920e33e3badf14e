//! The numbers of ids: what an analysis looks up more often than anything else.

use super::Id;

/// A number for each id of a set. Ids bring their hash along, so a look-up is a step or two in a table at most half full.
#[derive(Debug)]
pub(crate) struct Numbers<'d> {
    /// A power of two of them. An id stands in the slot of its hash, or in the next free one behind.
    slots: Vec<Option<(&'d Id, u32)>>,
    taken: usize,
}

impl<'d> Numbers<'d> {
    /// Of no id yet, with room for so many.
    pub fn with_room(ids: usize) -> Self {
        Self { slots: vec![None; (2 * ids).next_power_of_two().max(2)], taken: 0 }
    }

    /// The slot of an id, or the free one that it would take.
    #[inline]
    fn slot(&self, id: &Id) -> usize {
        // The highest bits of the product depend on all bits of the hash.
        let spread = id.hashed().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let last = self.slots.len() - 1;
        let mut at = usize::try_from(spread).unwrap_or_default() & last;
        while self.slots[at].is_some_and(|(other, _)| other != id) {
            at = (at + 1) & last;
        }
        at
    }

    /// The number of an id, where it has one.
    #[inline]
    pub fn get(&self, id: &Id) -> Option<usize> {
        self.slots[self.slot(id)].map(|(_, number)| number as usize)
    }

    /// Gives an id a number; the last one counts.
    pub fn insert(&mut self, id: &'d Id, number: usize) {
        if 2 * (self.taken + 1) > self.slots.len() {
            let all = std::mem::take(self);
            *self = Self::with_room(2 * (all.taken + 1));
            for (id, number) in all.slots.into_iter().flatten() {
                self.put(id, number);
            }
        }
        self.put(id, u32::try_from(number).unwrap_or(u32::MAX));
    }

    fn put(&mut self, id: &'d Id, number: u32) {
        let slot = self.slot(id);
        self.taken += usize::from(self.slots[slot].replace((id, number)).is_none());
    }
}

impl Default for Numbers<'_> {
    fn default() -> Self {
        Self::with_room(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_by_what_they_say() {
        let ids: Vec<Id> = (0..300).map(|number| Id::new(&format!("l{number}")).unwrap()).collect();
        let mut numbers = Numbers::default();
        assert_eq!(numbers.get(&ids[0]), None);
        for (number, id) in ids.iter().enumerate().take(200) {
            numbers.insert(id, number);
        }
        for (number, id) in ids.iter().enumerate() {
            let other = Id::new(id.as_str()).unwrap();
            assert_eq!(numbers.get(&other), (number < 200).then_some(number), "{id}");
        }
        numbers.insert(&ids[7], 1000);
        assert_eq!((numbers.get(&ids[7]), numbers.get(&ids[8])), (Some(1000), Some(8)));
    }
}
