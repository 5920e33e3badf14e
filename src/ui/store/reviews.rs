//! Each design is analysed once in each view, whoever asks.

use super::NewerFile;
use crate::{
    model::{Design, View},
    platform::{clock, frame},
    rules::{self, Review, Reviewer},
};
use leptos::prelude::*;
use std::sync::Arc;

/// The design of this frame and that of the last one, in two views.
const KEPT: usize = 4;

/// The reviews that were worked out last; cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Reviews {
    newer: RwSignal<Option<Arc<NewerFile>>>,
    kept: StoredValue<Vec<(Arc<Design>, Arc<Review>)>>,
    reviewer: StoredValue<Reviewer>,
}

impl Reviews {
    pub(super) fn new(newer: RwSignal<Option<Arc<NewerFile>>>) -> Self {
        Self { newer, kept: StoredValue::new(Vec::new()), reviewer: StoredValue::new(Reviewer::default()) }
    }

    /// What is known of a design; the same one is told by where it lies, not by what it holds. Nothing is known of one
    /// that only a later version may judge. Tracks.
    pub(super) fn of(self, design: &Arc<Design>, view: View) -> Arc<Review> {
        if self.newer.with(|file| file.as_ref().is_some_and(|file| !file.newer.verdicts)) {
            return Arc::new(rules::review(&Design::default(), view));
        }
        let known = self.kept.with_value(|kept| {
            let same = |(of, review): &&(Arc<Design>, Arc<Review>)| Arc::ptr_eq(of, design) && review.view == view;
            kept.iter().find(same).map(|(_, review)| review.clone())
        });
        known.unwrap_or_else(|| {
            clock::mark("review");
            let review = self.reviewer.try_update_value(|reviewer| reviewer.review(design, view));
            let review = Arc::new(review.unwrap_or_else(|| rules::review(design, view)));
            let gone = self.kept.try_update_value(|kept| {
                kept.insert(0, (design.clone(), review.clone()));
                kept.split_off(KEPT.min(kept.len()))
            });
            // To let one go costs a tenth of making one: that can wait.
            frame::after(move || drop(gone));
            review
        })
    }

    /// The review of a design that nobody put up. It rests on what is known of the one that stands, and is not kept.
    pub(super) fn what_if(self, design: &Arc<Design>, view: View) -> Review {
        self.reviewer.with_value(Reviewer::clone).review(design, view)
    }
}
