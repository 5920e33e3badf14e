//! Panes, drawer, dialogs, explanations beside their numbers, theme, and what is kept while panels are drawn anew.

use crate::sorted::SortedMap;
use crate::{
    action::{Command, Figure},
    analysis::explain::{Explained, Underivable},
    documents::reference::Part,
    model::{Field, Id, View},
};
use leptos::prelude::*;
use std::sync::Arc;

/// A number that explains itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Explains {
    /// A figure of the review; what is shown follows the design.
    Figure(Figure),
    /// A setting of a subject; what is shown follows the design.
    Setting(Id, Field),
    /// The badge of a consumer or link in a view; what is shown follows the design.
    Badge(Id, View),
    /// A number of a document or picture, as it is printed there.
    Printed(Arc<Explained>),
    /// What a number of a picture would need, as it is said there.
    Missing(Underivable),
}

/// An explanation that stands beside its number.
#[derive(Clone)]
pub struct Explanation {
    /// Its number, for the list and the page.
    pub id: u32,
    /// What it explains.
    pub what: ArcRwSignal<Explains>,
    /// Does it stay when another one is opened?
    pub pinned: ArcRwSignal<bool>,
    /// Where its number is found when the page was drawn anew, as a selector.
    pub anchor: String,
}

/// The tabs of the drawer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Tab {
    #[default]
    Verdict,
    Findings,
    Explain,
    Timeline,
    Replay,
    State,
    Documents,
}

impl Tab {
    /// All tabs in their order.
    pub const ALL: [Self; 7] =
        [Self::Verdict, Self::Findings, Self::Explain, Self::Timeline, Self::Replay, Self::State, Self::Documents];

    /// Its title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Verdict => "Verdict",
            Self::Findings => "Findings",
            Self::Explain => "Explain",
            Self::Timeline => "Timeline",
            Self::Replay => "Replay",
            Self::State => "State & lag",
            Self::Documents => "Documents",
        }
    }
}

/// A dialog; one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Dialog {
    Import,
    Share,
    Commands,
    Find,
    Shortcuts,
    Devices,
    OpenLink,
    Reference,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Theme {
    #[default]
    Light,
    Dark,
}

impl Theme {
    /// As the document element carries it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Light => Self::Dark,
            Self::Dark => Self::Light,
        }
    }
}

/// A tile of the palette on its way to the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried {
    /// The command that the tile stands for.
    pub command: Command,
    /// Where the pointer is, in pixels of the window.
    pub at: (i32, i32),
    /// It was let go here.
    pub let_go: bool,
}

/// Which panes stand open; cheap to copy.
#[derive(Clone, Copy)]
pub struct Panes {
    /// The left pane, else the rail.
    pub left: RwSignal<bool>,
    /// The inspector.
    pub inspector: RwSignal<bool>,
    /// The drawer, else the verdict bar.
    pub drawer: RwSignal<bool>,
    /// The tab of the drawer.
    pub tab: RwSignal<Tab>,
    /// Left pane and inspector are hidden, whatever they were.
    pub focus: RwSignal<bool>,
    /// Only the drawing and one verdict are shown, for the projector.
    pub workshop: RwSignal<bool>,
    /// What is carried from the palette.
    pub carried: RwSignal<Option<Carried>>,
    /// The documents take the whole window.
    pub documents: RwSignal<bool>,
    /// The dialog that stands open.
    pub dialog: RwSignal<Option<Dialog>>,
    /// The page of the reference that was opened last: its part and its id.
    pub reference: RwSignal<(Part, String)>,
    /// The consumer whose verdict comes first, by its place in the list.
    pub consumer: RwSignal<usize>,
    /// Light or dark.
    pub theme: RwSignal<Theme>,
    /// Do letters alone work as keys?
    pub single_keys: RwSignal<bool>,
    /// The explanations that stand beside their numbers, the last opened last.
    pub explanations: RwSignal<Vec<Explanation>>,
    kept: StoredValue<SortedMap<String, ArcRwSignal<String>>>,
}

impl Panes {
    pub(super) fn new() -> Self {
        Self {
            left: RwSignal::new(true),
            inspector: RwSignal::new(true),
            drawer: RwSignal::new(true),
            tab: RwSignal::new(Tab::default()),
            focus: RwSignal::new(false),
            workshop: RwSignal::new(false),
            carried: RwSignal::new(None),
            documents: RwSignal::new(false),
            dialog: RwSignal::new(None),
            reference: RwSignal::new((Part::default(), String::new())),
            consumer: RwSignal::new(0),
            theme: RwSignal::new(Theme::default()),
            single_keys: RwSignal::new(true),
            explanations: RwSignal::new(Vec::new()),
            kept: StoredValue::new(SortedMap::new()),
        }
    }

    /// What a person opened or typed but did not yet save, by a name of its place: a panel that is drawn anew finds it
    /// again. Begins as `start`.
    pub fn kept(&self, place: &str, start: impl FnOnce() -> String) -> ArcRwSignal<String> {
        if let Some(known) = self.kept.with_value(|kept| kept.get(place).cloned()) {
            return known;
        }
        let signal = ArcRwSignal::new(start());
        self.kept.update_value(|kept| {
            kept.insert(place.to_owned(), signal.clone());
        });
        signal
    }

    /// Forgets what is kept of the places whose names begin so: it was saved or given up.
    pub fn forget(&self, places: &str) {
        self.kept.update_value(|kept| kept.retain(|place, _| !place.starts_with(places)));
    }

    /// Opens the drawer at a tab; the documents take the whole window.
    pub fn go(&self, tab: Tab) {
        if tab == Tab::Documents {
            self.documents.set(true);
            return;
        }
        self.documents.set(false);
        self.tab.set(tab);
        self.drawer.set(true);
    }

    /// Opens a dialog; one that stands open already stays as it is.
    pub fn ask(&self, dialog: Dialog) {
        if self.dialog.get_untracked() != Some(dialog) {
            self.dialog.set(Some(dialog));
        }
    }
}
