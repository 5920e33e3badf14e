//! Which commands a context menu offers, by what it was opened on.

use super::{Command, Context};
use Command as C;

/// What a context menu was opened on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Menu {
    Element,
    Frame,
    Link,
    Note,
    /// Several things.
    Selection,
    /// Nothing: the bare canvas.
    Canvas,
}

impl Menu {
    /// The menu of what is selected.
    #[must_use]
    pub const fn of(context: &Context) -> Self {
        match context.selected() {
            0 => Self::Canvas,
            1 if context.selected_jobs == 1 => Self::Frame,
            1 if context.selected_links == 1 => Self::Link,
            1 if context.selected_notes == 1 => Self::Note,
            1 => Self::Element,
            _ => Self::Selection,
        }
    }

    /// Its name, for screen readers.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Element => "Element",
            Self::Frame => "Job frame",
            Self::Link => "Link",
            Self::Note => "Note",
            Self::Selection => "Selection",
            Self::Canvas => "Canvas",
        }
    }

    /// Its commands in groups, the likeliest first. Those that cannot be used now stay and say why.
    #[must_use]
    pub const fn groups(self) -> &'static [&'static [Command]] {
        match self {
            Self::Element => &[
                &[C::Rename, C::Connect, C::NextRight, C::ExplainFigure],
                &[C::Cut, C::Copy, C::Duplicate, C::Delete, C::DeleteAndJoin],
                &[C::SelectUpstream, C::SelectDownstream, C::SelectConnected, C::NextLink],
                &[C::Group, C::Lock, C::ZoomSelection],
            ],
            Self::Frame => &[
                &[C::Rename, C::AddOperator, C::Ungroup, C::ExplainFigure],
                &[C::Cut, C::Copy, C::Duplicate, C::Delete],
                &[C::Lock, C::ZoomSelection],
            ],
            Self::Link => &[
                &[C::InsertIntoLink, C::MoveStart, C::MoveEnd],
                &[C::Delete],
                &[C::WalkBack, C::WalkNext, C::WeakestHop, C::ZoomSelection],
            ],
            Self::Note => &[&[C::Rename], &[C::Cut, C::Copy, C::Delete], &[C::ZoomSelection]],
            Self::Selection => &[
                &[C::Cut, C::Copy, C::Duplicate, C::Delete],
                &[C::Group, C::TidySelection, C::Lock, C::ZoomSelection],
                &[C::AlignLeft, C::AlignCentre, C::AlignRight, C::AlignTop, C::AlignMiddle, C::AlignBottom],
                &[C::DistributeAcross, C::DistributeDown],
                &[C::SelectUpstream, C::SelectDownstream, C::SelectConnected],
            ],
            Self::Canvas => &[
                &[C::Paste, C::SelectAll],
                &[
                    C::AddSource,
                    C::AddChannel,
                    C::AddOperator,
                    C::AddJob,
                    C::AddSink,
                    C::AddConsumer,
                    C::AddBatch,
                    C::AddNote,
                ],
                &[C::Tidy, C::ZoomFit, C::ZoomFull, C::Minimap],
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selection_decides_the_menu() {
        let of = |elements, jobs, links, notes| {
            Menu::of(&Context {
                selected_elements: elements,
                selected_jobs: jobs,
                selected_links: links,
                selected_notes: notes,
                ..Context::default()
            })
        };
        assert_eq!(of(0, 0, 0, 0), Menu::Canvas);
        assert_eq!(of(1, 0, 0, 0), Menu::Element);
        assert_eq!(of(1, 1, 0, 0), Menu::Frame);
        assert_eq!(of(0, 0, 1, 0), Menu::Link);
        assert_eq!(of(0, 0, 0, 1), Menu::Note);
        assert_eq!(of(1, 0, 1, 0), Menu::Selection);
    }

    #[test]
    fn no_menu_lists_a_command_twice() {
        for menu in [Menu::Element, Menu::Frame, Menu::Link, Menu::Note, Menu::Selection, Menu::Canvas] {
            let mut seen = crate::sorted::SortedSet::new();
            for command in menu.groups().iter().copied().flatten() {
                assert!(seen.insert(*command), "{menu:?} {command:?}");
            }
        }
    }
}
