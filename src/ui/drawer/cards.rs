//! Lists of cards that keep what somebody opened or half typed in them while the design changes under them.

use super::super::store::Desk;
use crate::sorted::SortedMap;
use crate::{
    model::Id,
    rules::{Finding, Halt},
};
use leptos::prelude::*;
use std::sync::Arc;

/// What a card shows; the card is the same as long as its key is.
pub trait Carded: Clone + PartialEq + Send + Sync + 'static {
    /// What tells it from other cards whatever its text says.
    fn key(&self) -> String;
}

fn key(what: &str, about: &[Id]) -> String {
    about.iter().fold(what.to_owned(), |key, id| format!("{key} {id}"))
}

impl Carded for Arc<Finding> {
    fn key(&self) -> String {
        key(self.rule, &self.about)
    }
}

impl Carded for Halt {
    fn key(&self) -> String {
        key(self.class.words(), &self.about)
    }
}

/// A list of cards, each drawn once and then told what it shows.
pub fn cards<T: Carded>(desk: Desk, all: Memo<Vec<T>>, draw: fn(Desk, Memo<Option<T>>) -> AnyView) -> AnyView {
    let keyed = Memo::new(move |_| {
        let mut known: SortedMap<String, T> = SortedMap::new();
        let mut order = Vec::new();
        all.with(|all| {
            for one in all {
                let mut key = one.key();
                // Two of the same rule about the same: told apart by their place.
                while known.contains_key(&key) {
                    key.push('+');
                }
                order.push(key.clone());
                known.insert(key, one.clone());
            }
        });
        Arc::new((order, known))
    });
    view! {
        <For
            each=move || keyed.with(|keyed| keyed.0.clone())
            key=String::clone
            children=move |key| draw(desk, Memo::new(move |_| keyed.with(|keyed| keyed.1.get(&key).cloned())))
        />
    }
    .into_any()
}
