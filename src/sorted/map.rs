//! A map in ascending order of its keys.

use std::{borrow::Borrow, fmt, iter::Zip, mem, ops::Index, slice, vec};

use super::SortedSet;

/// A map in ascending order of its keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedMap<K, V> {
    keys: SortedSet<K>,
    // As many as keys, in their order.
    values: Vec<V>,
}

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self { keys: SortedSet::new(), values: Vec::new() }
    }

    /// An empty map with room for so many entries.
    pub fn with_capacity(entries: usize) -> Self {
        Self { keys: SortedSet::with_capacity(entries), values: Vec::with_capacity(entries) }
    }

    /// How many entries there are.
    pub const fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The entries in order of their keys.
    pub fn iter(&self) -> Zip<slice::Iter<'_, K>, slice::Iter<'_, V>> {
        self.keys.iter().zip(&self.values)
    }

    /// The entries in order of their keys, with values to change.
    pub fn iter_mut(&mut self) -> Zip<slice::Iter<'_, K>, slice::IterMut<'_, V>> {
        self.keys.iter().zip(&mut self.values)
    }

    /// The keys in order.
    pub fn keys(&self) -> slice::Iter<'_, K> {
        self.keys.iter()
    }

    /// The values in order of their keys.
    pub fn values(&self) -> slice::Iter<'_, V> {
        self.values.iter()
    }

    /// The value at a place in that order.
    pub fn at(&self, place: usize) -> Option<&V> {
        self.values.get(place)
    }

    /// The values in order of their keys, to change.
    pub fn values_mut(&mut self) -> slice::IterMut<'_, V> {
        self.values.iter_mut()
    }

    /// The values in order of their keys, taken out.
    pub fn into_values(self) -> vec::IntoIter<V> {
        self.values.into_iter()
    }

    /// Takes all entries out.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.values.clear();
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.values.get(self.keys.find(key).ok()?)
    }

    /// The value of a key, to change.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.values.get_mut(self.keys.find(key).ok()?)
    }

    /// The key as it stands in the map, and its value.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let at = self.keys.find(key).ok()?;
        Some((self.keys.at(at)?, self.values.get(at)?))
    }

    /// Whether a key is in the map.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.keys.contains(key)
    }

    /// Puts an entry in; gives the value that stood there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.keys.place(&key) {
            Ok(at) => Some(mem::replace(&mut self.values[at], value)),
            Err(at) => {
                self.keys.put(at, key);
                self.values.insert(at, value);
                None
            }
        }
    }

    /// Takes an entry out; gives its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = self.keys.find(key).ok()?;
        self.keys.take(at);
        Some(self.values.remove(at))
    }

    /// The place of a key, to fill or to change.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { place: self.keys.place(&key), key, map: self }
    }

    /// Keeps the entries that pass.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let kept: Vec<bool> = self.iter_mut().map(|(key, value)| keep(key, value)).collect();
        let (mut of_keys, mut of_values) = (kept.iter(), kept.iter());
        self.keys.retain(|_| of_keys.next() == Some(&true));
        self.values.retain(|_| of_values.next() == Some(&true));
    }
}

/// The place of a key in a map.
pub struct Entry<'a, K, V> {
    map: &'a mut SortedMap<K, V>,
    key: K,
    place: Result<usize, usize>,
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    /// The value, made where there is none.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        let at = match self.place {
            Ok(at) => at,
            Err(at) => {
                self.map.values.insert(at, make());
                self.map.keys.put(at, self.key);
                at
            }
        };
        &mut self.map.values[at]
    }

    /// The value, or this one where there is none.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value, or the default where there is none.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value where there is one.
    #[must_use]
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Ok(at) = self.place {
            change(&mut self.map.values[at]);
        }
        self
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

/// Panics where there is no such key, as the maps of the standard library do: for tests.
impl<K: Ord + Borrow<Q>, V, Q: Ord + ?Sized> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        &self.values[self.keys.find(key).unwrap_or(usize::MAX)]
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    /// Of equal keys the last one counts.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries = entries.into_iter();
        let mut map = Self::with_capacity(entries.size_hint().0);
        for (key, value) in entries {
            map.keys.push(key);
            map.values.push(value);
        }
        let values = &mut map.values;
        let kept = map.keys.settle(&mut |a, b| values.swap(a, b));
        values.truncate(kept);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = Zip<vec::IntoIter<K>, vec::IntoIter<V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.into_iter().zip(self.values)
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Zip<slice::Iter<'a, K>, slice::Iter<'a, V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(map: &SortedMap<u8, char>) -> Vec<(u8, char)> {
        map.iter().map(|(key, value)| (*key, *value)).collect()
    }

    #[test]
    fn entries_stand_in_order_of_their_keys_and_the_last_of_equal_ones_counts() {
        let map = SortedMap::from([(3, 'c'), (1, 'a'), (3, 'd'), (2, 'b'), (1, 'e')]);
        assert_eq!(pairs(&map), [(1, 'e'), (2, 'b'), (3, 'd')]);
        assert_eq!(map.into_iter().collect::<Vec<_>>(), [(1, 'e'), (2, 'b'), (3, 'd')]);
    }

    #[test]
    fn entries_are_put_in_found_and_taken_out() {
        let mut map = SortedMap::new();
        for (key, value) in [(5, 'e'), (2, 'b'), (9, 'i')] {
            assert_eq!(map.insert(key, value), None);
        }
        assert_eq!(map.insert(2, 'B'), Some('b'));
        assert_eq!((map.get(&2), map.get(&3), map.get_key_value(&9)), (Some(&'B'), None, Some((&9, &'i'))));
        *map.entry(3).or_insert('c') = 'C';
        *map.entry(5).and_modify(|value| *value = 'E').or_default() = 'x';
        assert_eq!(pairs(&map), [(2, 'B'), (3, 'C'), (5, 'x'), (9, 'i')]);
        assert_eq!((map.remove(&2), map.remove(&2)), (Some('B'), None));
        map.retain(|key, value| *key < 9 && *value != 'x');
        assert_eq!(pairs(&map), [(3, 'C')]);
        assert_eq!(format!("{map:?}"), "{3: 'C'}");
    }
}
