//! A set in ascending order.

use std::{borrow::Borrow, fmt, slice, vec};

use super::sort::{apply, order};

/// A set of values in ascending order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedSet<T> {
    items: Vec<T>,
}

impl<T> SortedSet<T> {
    /// An empty set.
    pub const fn new() -> Self {
        Self { items: Vec::new() }
    }

    /// An empty set with room for so many values.
    pub fn with_capacity(values: usize) -> Self {
        Self { items: Vec::with_capacity(values) }
    }

    /// How many values there are.
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The values in order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The least value.
    pub fn first(&self) -> Option<&T> {
        self.items.first()
    }

    /// The greatest value.
    pub fn last(&self) -> Option<&T> {
        self.items.last()
    }

    /// The value at a position.
    pub fn at(&self, position: usize) -> Option<&T> {
        self.items.get(position)
    }

    /// Takes all values out.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Keeps the values that pass.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.items.retain(keep);
    }
}

impl<T: Ord> SortedSet<T> {
    /// Where a value stands, or where it would.
    #[inline(never)]
    pub(super) fn find<Q: Ord + ?Sized>(&self, value: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        self.items.binary_search_by(|item| item.borrow().cmp(value))
    }

    /// The same for a value that may well be a new last one.
    pub(super) fn place(&self, value: &T) -> Result<usize, usize> {
        if self.items.last().is_none_or(|last| last < value) { Err(self.items.len()) } else { self.find(value) }
    }

    /// Whether a value is in the set.
    pub fn contains<Q: Ord + ?Sized>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.find(value).is_ok()
    }

    /// Puts a value in; says whether it is new. A value that is there already stays.
    pub fn insert(&mut self, value: T) -> bool {
        let place = self.place(&value);
        if let Err(at) = place {
            self.items.insert(at, value);
        }
        place.is_err()
    }

    /// Takes a value out; says whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let place = self.find(value);
        if let Ok(at) = place {
            self.items.remove(at);
        }
        place.is_ok()
    }

    /// Takes the least value out.
    pub fn pop_first(&mut self) -> Option<T> {
        (!self.items.is_empty()).then(|| self.items.remove(0))
    }

    /// The values that another set lacks, in order.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> {
        self.items.iter().filter(|item| !other.contains(*item))
    }

    pub(super) fn put(&mut self, at: usize, value: T) {
        self.items.insert(at, value);
    }

    pub(super) fn take(&mut self, at: usize) -> T {
        self.items.remove(at)
    }

    /// Appends a value whatever its place: [`Self::settle`] must follow.
    pub(super) fn push(&mut self, value: T) {
        self.items.push(value);
    }

    /// Brings values in order that were pushed in any, and does the same to what stands beside them: `swap` exchanges
    /// two, and of equal values the last one stays. Gives how many remain.
    pub(super) fn settle(&mut self, swap: &mut dyn FnMut(usize, usize)) -> usize {
        let items = &mut self.items;
        if items.is_sorted_by(|a, b| a < b) {
            return items.len();
        }
        let sorted = order(items.len(), &|a, b| items[a].cmp(&items[b]));
        apply(sorted, &mut |a, b| {
            items.swap(a, b);
            swap(a, b);
        });
        let mut kept = 0;
        for at in 0..items.len() {
            if kept == 0 || items[kept - 1] != items[at] {
                kept += 1;
            }
            items.swap(kept - 1, at);
            swap(kept - 1, at);
        }
        items.truncate(kept);
        kept
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.items).finish()
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut set = Self { items: values.into_iter().collect() };
        set.settle(&mut |_, _| ());
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        for value in values {
            self.insert(value);
        }
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_once_and_in_order() {
        let mut set = SortedSet::from(["m", "a", "z", "m"]);
        assert_eq!(set.iter().copied().collect::<Vec<_>>(), ["a", "m", "z"]);
        assert!(!set.insert("m"));
        assert!(set.insert("b"));
        assert!(set.remove("a"));
        assert!(!set.remove("a"));
        assert_eq!(set.pop_first(), Some("b"));
        assert_eq!((set.first(), set.last(), set.len()), (Some(&"m"), Some(&"z"), 2));
        assert_eq!(set.difference(&SortedSet::from(["z"])).collect::<Vec<_>>(), [&"m"]);
        assert_eq!(format!("{set:?}"), r#"{"m", "z"}"#);
    }
}
