//! Signals that touch what a change is about and nothing else: one for each id, and one that follows what is worked out.

use crate::model::{Hashed, Id};
use crate::sorted::{SortedMap, SortedSet, paired};
use leptos::prelude::*;
use std::{collections::HashMap, sync::Arc};

/// The signals of one kind of thing by id; cheap to copy. A signal is made when it is first asked for. What follows once a
/// frame is drawn may come after the pane is gone: then nobody is left to be told.
pub struct Each<T: 'static>(StoredValue<HashMap<Id, ArcRwSignal<T>, Hashed>>);

impl<T> Clone for Each<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Each<T> {}

impl<T: Clone + PartialEq + Send + Sync + 'static> Each<T> {
    pub fn new() -> Self {
        Self(StoredValue::new(HashMap::default()))
    }

    /// The signal of an id; `first` is what it says until it is set.
    pub fn of(self, id: &Id, first: impl FnOnce() -> T) -> ArcRwSignal<T> {
        let known = self.0.try_with_value(|known| known.get(id).cloned()).flatten();
        known.unwrap_or_else(|| {
            let signal = ArcRwSignal::new(first());
            self.0.try_update_value(|known| _ = known.insert(id.clone(), signal.clone()));
            signal
        })
    }

    /// Sets the signal of an id, where somebody asked for it and it says something else.
    pub fn set(self, id: &Id, value: &T) {
        let known = self.0.try_with_value(|known| known.get(id).cloned()).flatten();
        if let Some(signal) = known.filter(|signal| signal.with_untracked(|old| old != value)) {
            signal.set(value.clone());
        }
    }

    /// Sets the signals of what differs from the state before; of all where there is none.
    pub fn changed(self, before: Option<&SortedMap<Id, T>>, now: &SortedMap<Id, T>) {
        paired(before.unwrap_or(&SortedMap::new()), now, |id, before, now| {
            if let Some(now) = now.filter(|now| before != Some(now)) {
                self.set(id, now);
            }
        });
    }

    /// Forgets the signals of what is gone.
    pub fn keep(self, still: impl Fn(&Id) -> bool) {
        self.0.try_update_value(|known| known.retain(|id, _| still(id)));
    }
}

impl<T: PartialEq + Send + Sync + 'static> Each<Option<Arc<T>>> {
    /// Brings the signals from one state to the next. What both share is not looked at.
    pub fn follow(self, before: Option<&SortedMap<Id, Arc<T>>>, now: &SortedMap<Id, Arc<T>>) {
        let mut gone = false;
        paired(before.unwrap_or(&SortedMap::new()), now, |id, before, now| {
            gone |= now.is_none();
            let shared = before.zip(now).is_some_and(|(before, now)| Arc::ptr_eq(before, now));
            if now.is_some() && !shared {
                self.set(id, &now.cloned());
            }
        });
        if gone {
            self.keep(|id| now.contains_key(id));
        }
    }
}

impl Each<bool> {
    /// Brings the signals from one set to the next: true of what is in it.
    pub fn follow(self, before: &SortedSet<Id>, now: &SortedSet<Id>) {
        before.difference(now).for_each(|id| self.set(id, &false));
        now.difference(before).for_each(|id| self.set(id, &true));
    }
}

/// A signal that follows what is worked out, where that says something else. Of a memo all that reads it would be woken by
/// each change in front of it, to ask whether it is another.
pub fn following<T: PartialEq + Send + Sync + 'static>(work_out: impl Fn() -> T + 'static) -> RwSignal<T> {
    let signal = RwSignal::new(untrack(&work_out));
    Effect::new(move || {
        let now = work_out();
        if signal.with_untracked(|old| *old != now) {
            signal.set(now);
        }
    });
    signal
}
