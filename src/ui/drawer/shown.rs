//! What the parts of a verdict read, and parts that are drawn again only where what they read is another.

use super::super::store::Desk;
use crate::{
    analysis::ConsumerReport,
    model::{Design, Id, View},
    rules::Review,
};
use leptos::prelude::*;
use std::sync::Arc;

/// A consumer in one state of the design and one view.
#[derive(Clone)]
pub struct Shown {
    /// The design.
    pub design: Arc<Design>,
    /// Its review.
    pub review: Arc<Review>,
    /// The consumer.
    pub id: Id,
}

impl Shown {
    /// What is known of the consumer; none where it does not exist in this view.
    pub fn report(&self) -> Option<&ConsumerReport> {
        self.review.consumers.get(&self.id)
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.design, &other.design) && Arc::ptr_eq(&self.review, &other.review) && self.id == other.id
    }

    /// Do two states say the same of what `same` looks at?
    pub fn alike(&self, other: &Self, same: fn(&ConsumerReport, &ConsumerReport) -> bool) -> bool {
        match (self.report(), other.report()) {
            (Some(one), Some(other)) => same(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// Are these called the same in two states?
    pub fn named_alike<'a>(&self, other: &Self, mut ids: impl Iterator<Item = &'a Id>) -> bool {
        ids.all(|id| self.design.title(id) == other.design.title(id))
    }
}

/// When a consumer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// With the edit, in the view that is shown.
    Now,
    /// With the edit, in this view.
    In(View),
    /// Once the frame of the edit is drawn, in the view that is shown.
    Later,
}

/// A consumer as it is known.
pub fn shown(desk: Desk, id: &Id, when: When) -> Memo<Shown> {
    let id = id.clone();
    Memo::new_with_compare(
        move |_| {
            let (design, review) = match when {
                When::Now => (desk.meaning.get(), desk.review()),
                When::In(View::AsIs) => (desk.meaning.get(), desk.as_is.get()),
                When::In(View::ToBe) => (desk.meaning.get(), desk.to_be.get()),
                When::Later => (desk.settled.get(), desk.settled_review(desk.view())),
            };
            Shown { design, review, id: id.clone() }
        },
        |old, new| !old.zip(new).is_some_and(|(old, new)| old.is(new)),
    )
}

/// A part: whether two states look the same in it, and how it looks. Both get the place in a list where it has one.
/// Drawing reads what it is given and no signal.
#[derive(Clone, Copy)]
pub struct Part {
    /// Does it look the same in two states?
    pub same: fn(&Shown, &Shown, usize) -> bool,
    /// How it looks.
    pub draw: fn(Desk, &Shown, usize) -> AnyView,
}

impl Part {
    /// Puts it on the page.
    pub fn of(self, desk: Desk, from: Memo<Shown>, at: usize) -> AnyView {
        self.following(desk, from, move || at)
    }

    /// The same for a row whose place in its list may change.
    pub fn following(self, desk: Desk, from: Memo<Shown>, at: impl Fn() -> usize + Send + Sync + 'static) -> AnyView {
        let own = Memo::new_owning(move |before: Option<(Shown, usize)>| {
            let (now, at) = (from.get(), at());
            let changed = before.is_none_or(|(before, was)| was != at || !(self.same)(&before, &now, at));
            ((now, at), changed)
        });
        (move || own.with(|(shown, at)| (self.draw)(desk, shown, *at))).into_any()
    }
}
