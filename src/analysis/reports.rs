//! Reports by id.

use crate::{
    model::Id,
    sorted::{self, SortedMap},
};
use std::{
    iter::{FromIterator, Map, Zip},
    ops::Index,
    slice,
    sync::Arc,
};

/// Reports of one kind by id, in id order. Reports are shared: what did not change between two designs is not copied.
#[derive(Clone, Debug)]
pub struct Reports<T>(SortedMap<Id, Arc<T>>);

/// Reports that both share are equal without a look at them.
impl<T: PartialEq> PartialEq for Reports<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&Arc<T>, &Arc<T>)| Arc::ptr_eq(one, other) || one == other;
        self.keys().eq(other.keys()) && self.0.values().zip(other.0.values()).all(same)
    }
}

/// Each id with its report.
pub type Each<'r, T> = Zip<slice::Iter<'r, Id>, Values<'r, T>>;
/// The reports.
pub type Values<'r, T> = Map<slice::Iter<'r, Arc<T>>, fn(&'r Arc<T>) -> &'r T>;

impl<T> Reports<T> {
    /// Each id with its report.
    pub fn iter(&self) -> Each<'_, T> {
        self.keys().zip(self.values())
    }

    /// The ids.
    pub fn keys(&self) -> slice::Iter<'_, Id> {
        self.0.keys()
    }

    /// The reports, in the order of their ids.
    pub fn values(&self) -> Values<'_, T> {
        self.0.values().map(|report| &**report)
    }

    /// The report in a place of the id order.
    #[must_use]
    pub fn at(&self, place: usize) -> Option<&T> {
        self.0.at(place).map(|report| &**report)
    }

    /// The report of an id.
    #[must_use]
    pub fn get(&self, id: &Id) -> Option<&T> {
        self.0.get(id).map(|report| &**report)
    }

    /// The report of an id, and the id as it is held.
    #[must_use]
    pub fn get_key_value(&self, id: &Id) -> Option<(&Id, &T)> {
        self.0.get_key_value(id).map(|(id, report)| (id, &**report))
    }

    /// Is there a report of this id?
    #[must_use]
    pub fn contains_key(&self, id: &Id) -> bool {
        self.0.contains_key(id)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All reports of several; no id may be in two of them.
    pub(crate) fn of_all<'r>(parts: impl Iterator<Item = &'r Self>) -> Self
    where
        T: 'r,
    {
        let mut all: Vec<(&Id, &Arc<T>)> = parts.flat_map(|part| part.0.iter()).collect();
        sorted::sort_by(&mut all, |(a, _), (b, _)| a.cmp(b));
        Self(all.into_iter().map(|(id, report)| (id.clone(), Arc::clone(report))).collect())
    }
}

impl<T> Default for Reports<T> {
    fn default() -> Self {
        Self(SortedMap::new())
    }
}

impl<T> FromIterator<(Id, T)> for Reports<T> {
    fn from_iter<I: IntoIterator<Item = (Id, T)>>(reports: I) -> Self {
        Self(reports.into_iter().map(|(id, report)| (id, Arc::new(report))).collect())
    }
}

impl<T> Index<&Id> for Reports<T> {
    type Output = T;

    fn index(&self, id: &Id) -> &T {
        &self.0[id]
    }
}

impl<'r, T> IntoIterator for &'r Reports<T> {
    type Item = (&'r Id, &'r T);
    type IntoIter = Each<'r, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
