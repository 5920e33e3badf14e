//! Which copies show at the end of the flow.

use super::{Context, Map};
use crate::{
    analysis::delivery::verdict::CopyClass,
    model::{self, ElementKind, Id, key},
};

/// The classes of copies that a place makes and that show, a bit each.
pub(super) type Shown<'a> = Map<'a, u16>;

const fn bit(class: CopyClass) -> u16 {
    1 << class as u16
}

impl<'a> Context<'a> {
    /// Do copies of this class that this link or element makes show at a consumer that has not said that repeats are
    /// fine, as rows or in values?
    #[must_use]
    pub fn copies_show(&self, class: CopyClass, at: &Id) -> bool {
        self.copies.get_or_init(|| self.shown_copies()).get(at).is_some_and(|classes| classes & bit(class) != 0)
    }

    fn shown_copies(&self) -> Shown<'a> {
        let mut shown = Shown::default();
        for (id, _) in self.elements(ElementKind::Consumer) {
            if self.get(id, key::consumer::DUPLICATES_TOLERATED) == Some(true) {
                continue;
            }
            let Some(report) = self.consumer_report(id) else { continue };
            let verdict = &report.delivery;
            for copies in verdict.duplicates.iter().chain(verdict.taints.iter().flat_map(|taint| &taint.by)) {
                *shown.entry(&copies.origin.at).or_default() |= bit(copies.class);
            }
        }
        shown
    }

    /// Does this event type hold personal, health or cardholder data, by its class or by its fields?
    #[must_use]
    pub fn personal(&self, event: &Id) -> bool {
        let class = self.get(event, key::event::CLASSIFICATION);
        let fields = self.get(event, key::event::PERSONAL_FIELDS);
        model::personal(class, fields.as_ref()) == Some(true)
    }
}
