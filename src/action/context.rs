//! What the commands need to know of the moment: the only input of their conditions.

use crate::model::{Design, ElementKind, Id};
use crate::sorted::SortedSet;

/// The state that decides which commands can be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is an independent fact of the moment")]
pub struct Context {
    /// Elements on the canvas.
    pub elements: usize,
    /// Links on the canvas.
    pub links: usize,
    /// Consumers among the elements.
    pub consumers: usize,
    /// Selected elements.
    pub selected_elements: usize,
    /// Selected operators.
    pub selected_operators: usize,
    /// Selected job frames.
    pub selected_jobs: usize,
    /// Selected links.
    pub selected_links: usize,
    /// Selected notes.
    pub selected_notes: usize,
    /// Is there something to undo?
    pub can_undo: bool,
    /// Is there something to do again?
    pub can_redo: bool,
    /// Set where what is open is only read: why nothing can be changed.
    pub reading: Option<&'static str>,
    /// Does a consumer have a weakest hop?
    pub has_weakest: bool,
    /// Is there a figure that can be explained for the selection?
    pub has_figure: bool,
}

impl Context {
    /// Counts what is on the canvas and what of it is selected; undo, reading and figures are left as they are.
    #[must_use]
    pub fn of(design: &Design, selection: &SortedSet<Id>) -> Self {
        let kinds = || selection.iter().filter_map(|id| design.kind(id));
        Self {
            elements: design.elements.len(),
            links: design.links.len(),
            consumers: design.elements.values().filter(|s| s.kind() == Some(ElementKind::Consumer)).count(),
            selected_elements: kinds().count(),
            selected_operators: kinds().filter(|kind| *kind == ElementKind::Operator).count(),
            selected_jobs: kinds().filter(|kind| *kind == ElementKind::Job).count(),
            selected_links: selection.iter().filter(|id| design.links.contains_key(id)).count(),
            selected_notes: selection.iter().filter(|id| design.layout.notes.contains_key(id)).count(),
            ..Self::default()
        }
    }

    /// Selected things of every kind.
    #[must_use]
    pub const fn selected(&self) -> usize {
        self.selected_elements + self.selected_links + self.selected_notes
    }
}

/// Can it be used now? If not, why.
pub(super) type Condition = fn(&Context) -> Result<(), &'static str>;

/// Conditions by name, for the table.
pub(super) mod when {
    use super::Context;

    type Answer = Result<(), &'static str>;

    fn need(holds: bool, why: &'static str) -> Answer {
        if holds { Ok(()) } else { Err(why) }
    }

    pub fn always(_: &Context) -> Answer {
        Ok(())
    }

    pub fn edits(c: &Context) -> Answer {
        c.reading.map_or(Ok(()), Err)
    }

    pub fn can_undo(c: &Context) -> Answer {
        edits(c)?;
        need(c.can_undo, "Nothing was changed yet.")
    }

    pub fn can_redo(c: &Context) -> Answer {
        edits(c)?;
        need(c.can_redo, "Nothing was undone.")
    }

    pub fn any_element(c: &Context) -> Answer {
        need(c.elements > 0, "The canvas is empty.")
    }

    pub fn selected(c: &Context) -> Answer {
        need(c.selected() > 0, "Nothing is selected.")
    }

    pub fn edits_selected(c: &Context) -> Answer {
        edits(c)?;
        selected(c)
    }

    pub fn element_selected(c: &Context) -> Answer {
        need(c.selected_elements > 0, "No element is selected.")
    }

    pub fn edits_element(c: &Context) -> Answer {
        edits(c)?;
        element_selected(c)
    }

    pub fn edits_one(c: &Context) -> Answer {
        edits(c)?;
        need(c.selected() == 1, "Select one element.")
    }

    pub fn edits_one_element(c: &Context) -> Answer {
        edits(c)?;
        need(c.selected_elements == 1 && c.selected() == 1, "Select one element.")
    }

    pub fn edits_one_link(c: &Context) -> Answer {
        edits(c)?;
        need(c.selected_links == 1 && c.selected() == 1, "Select one link.")
    }

    pub fn any_link(c: &Context) -> Answer {
        need(c.links > 0, "Nothing is linked yet.")
    }

    pub fn edits_two(c: &Context) -> Answer {
        edits(c)?;
        need(c.selected_elements > 1, "Select two elements or more.")
    }

    pub fn edits_three(c: &Context) -> Answer {
        edits(c)?;
        need(c.selected_elements > 2, "Select three elements or more.")
    }

    pub fn groups(c: &Context) -> Answer {
        edits(c)?;
        need(c.selected_operators > 0, "Select the operators that deploy together.")
    }

    pub fn ungroups(c: &Context) -> Answer {
        edits(c)?;
        need(c.selected_jobs > 0, "Select a job frame.")
    }

    pub fn edits_any(c: &Context) -> Answer {
        edits(c)?;
        any_element(c)
    }

    pub fn has_consumer(c: &Context) -> Answer {
        need(c.consumers > 0, "No consumer is drawn yet.")
    }

    pub fn has_weakest(c: &Context) -> Answer {
        has_consumer(c)?;
        need(c.has_weakest, "Nothing is claimed, or no hop loses or repeats.")
    }

    pub fn has_figure(c: &Context) -> Answer {
        need(c.has_figure, "Select an element that has a figure.")
    }

    pub fn reading(c: &Context) -> Answer {
        need(c.reading.is_some(), "This design is already yours.")
    }
}
