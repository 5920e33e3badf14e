//! One signal for each id, so that a change touches what it is about and nothing else.

use crate::model::Id;
use crate::sorted::{SortedMap, SortedSet};
use leptos::prelude::*;
use std::{collections::HashMap, hash::RandomState};

/// The signals of one kind of thing by id; cheap to copy. A signal is made when it is first asked for.
pub struct Each<T: 'static>(StoredValue<HashMap<Id, ArcRwSignal<T>, RandomState>>);

impl<T> Clone for Each<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Each<T> {}

impl<T: Clone + PartialEq + Send + Sync + 'static> Each<T> {
    pub(super) fn new() -> Self {
        Self(StoredValue::new(HashMap::default()))
    }

    /// The signal of an id; `first` is what it says until it is set.
    pub(super) fn of(self, id: &Id, first: impl FnOnce() -> T) -> ArcRwSignal<T> {
        let known = self.0.with_value(|known| known.get(id).cloned());
        known.unwrap_or_else(|| {
            let signal = ArcRwSignal::new(first());
            self.0.update_value(|known| _ = known.insert(id.clone(), signal.clone()));
            signal
        })
    }

    /// Sets the signal of an id, where somebody asked for it and it says something else.
    pub(super) fn set(self, id: &Id, value: &T) {
        let known = self.0.with_value(|known| known.get(id).cloned());
        if let Some(signal) = known.filter(|signal| signal.with_untracked(|old| old != value)) {
            signal.set(value.clone());
        }
    }

    /// Forgets the signals of what is gone.
    pub(super) fn keep(self, still: impl Fn(&Id) -> bool) {
        self.0.update_value(|known| known.retain(|id, _| still(id)));
    }
}

impl<T: Clone + PartialEq + Send + Sync + 'static> Each<Option<T>> {
    /// Brings the signals from one state to the next.
    pub(super) fn follow(self, before: Option<&SortedMap<Id, T>>, now: &SortedMap<Id, T>) {
        for (id, value) in now {
            if before.and_then(|before| before.get(id)) != Some(value) {
                self.set(id, &Some(value.clone()));
            }
        }
        let gone = before.into_iter().flatten().any(|(id, _)| !now.contains_key(id));
        if gone {
            self.keep(|id| now.contains_key(id));
        }
    }
}

impl Each<bool> {
    /// Brings the signals from one set to the next: true of what is in it.
    pub(super) fn follow(self, before: &SortedSet<Id>, now: &SortedSet<Id>) {
        before.difference(now).for_each(|id| self.set(id, &false));
        now.difference(before).for_each(|id| self.set(id, &true));
    }
}
