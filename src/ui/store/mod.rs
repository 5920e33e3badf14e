//! The one store. Panels and canvas read its signals and change the design through [`Desk::edit`] only; no component
//! owns a piece of the truth.
//!
//! `design` changes with every edit; `meaning` only with edits that the analysis could notice, so that moving a box never
//! runs an analysis again.

mod history;
mod messages;
mod panes;

pub use history::touches_meaning;
pub use messages::{Kind, Messages, Notice, NoticeAction};
pub use panes::{Dialog, Panes, Tab, Theme};

use crate::{
    action::{Command, Context, Figure},
    edit::Edit,
    model::{Design, Id, View},
    rules::{self, Review},
};
use history::History;
use leptos::prelude::*;
use std::{collections::BTreeSet, sync::Arc};

/// What the canvas and the panels show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// What is there today.
    AsIs,
    /// With everything that is proposed.
    #[default]
    ToBe,
    /// Both; what differs is doubled.
    Both,
}

impl Show {
    /// The view whose verdicts come first.
    #[must_use]
    pub const fn view(self) -> View {
        match self {
            Self::AsIs => View::AsIs,
            Self::ToBe | Self::Both => View::ToBe,
        }
    }
}

/// Is the work safe, and where?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Saved {
    /// Nothing to save yet.
    #[default]
    Nothing,
    /// Being written.
    Pending,
    /// In this browser.
    OnDevice,
    /// In this tab only: the device has no room left.
    Full,
    /// In this tab only: the browser offers no storage.
    Unavailable,
    /// Shown only: opened from a link and not kept.
    Reading,
    /// Shown only: another tab edits this design.
    OtherTab,
}

/// The store; cheap to copy, in context at the root.
#[derive(Clone, Copy)]
pub struct Desk {
    /// The design as it stands.
    pub design: RwSignal<Arc<Design>>,
    /// The design as of the last edit that means something; positions in it may be old.
    pub meaning: RwSignal<Arc<Design>>,
    /// As-is, to-be or both.
    pub show: RwSignal<Show>,
    /// Selected elements, links and notes.
    pub selection: RwSignal<BTreeSet<Id>>,
    /// What is known of the design as it is; worked out when somebody reads it.
    pub as_is: Memo<Arc<Review>>,
    /// What is known of the design as it shall be.
    pub to_be: Memo<Arc<Review>>,
    /// Panes, dialogs, theme.
    pub panes: Panes,
    /// Toasts and announcements.
    pub messages: Messages,
    /// The figure that is explained.
    pub explained: RwSignal<Option<Figure>>,
    /// Is the work safe?
    pub saved: RwSignal<Saved>,
    /// Shown only; see [`Saved::Reading`] and [`Saved::OtherTab`].
    pub reading: RwSignal<bool>,
    /// Is the start page shown instead of the canvas?
    pub starting: RwSignal<bool>,
    history: RwSignal<History>,
    canvas: StoredValue<Option<Callback<Command>>>,
}

impl Desk {
    /// A store with an empty design.
    #[must_use]
    pub fn new() -> Self {
        let meaning = RwSignal::new(Arc::new(Design::default()));
        let review = move |view| Memo::new(move |_| Arc::new(rules::review(&meaning.read(), view)));
        Self {
            design: RwSignal::new(Arc::new(Design::default())),
            meaning,
            show: RwSignal::new(Show::default()),
            selection: RwSignal::new(BTreeSet::new()),
            as_is: review(View::AsIs),
            to_be: review(View::ToBe),
            panes: Panes::new(),
            messages: Messages::new(),
            explained: RwSignal::new(None),
            saved: RwSignal::new(Saved::default()),
            reading: RwSignal::new(false),
            starting: RwSignal::new(true),
            history: RwSignal::new(History::default()),
            canvas: StoredValue::new(None),
        }
    }

    /// The store of this application; only inside it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// The view whose verdicts come first. Tracks.
    #[must_use]
    pub fn view(&self) -> View {
        self.show.get().view()
    }

    /// The review of the view whose verdicts come first. Tracks.
    #[must_use]
    pub fn review(&self) -> Arc<Review> {
        match self.view() {
            View::AsIs => self.as_is.get(),
            View::ToBe => self.to_be.get(),
        }
    }

    /// Changes the design; one history entry, which `label` names. Entries in a row with the same `coalesce` become one.
    /// Answers whether it was applied; a refusal is shown with its reason.
    pub fn edit(&self, edit: Edit, label: &str, coalesce: Option<&str>) -> bool {
        if self.reading.get_untracked() {
            self.messages.say(Kind::Note, "You are reading", "Keep a copy to change it.");
            return false;
        }
        let means = touches_meaning(&edit);
        let mut design = self.design.get_untracked();
        match Arc::make_mut(&mut design).apply(edit) {
            Ok(inverse) => {
                self.history.update(|history| history.record(label, inverse, coalesce));
                self.put(design, means);
                true
            }
            Err(refusal) => {
                self.messages.say(Kind::Warning, "This cannot be done", &refusal.to_string());
                false
            }
        }
    }

    /// Takes the last entry back.
    pub fn undo(&self) {
        self.step(History::undo, "Undone");
    }

    /// Does the last undone entry again.
    pub fn redo(&self) {
        self.step(History::redo, "Done again");
    }

    fn step(&self, step: impl FnOnce(&mut History, &mut Design) -> Option<(String, bool)>, said: &str) {
        if self.reading.get_untracked() {
            return;
        }
        let mut design = self.design.get_untracked();
        let done = self.history.try_update(|history| step(history, Arc::make_mut(&mut design))).flatten();
        if let Some((label, means)) = done {
            self.put(design, means);
            self.messages.announce(&format!("{said}: {label}"));
        }
    }

    fn put(&self, design: Arc<Design>, means: bool) {
        let gone: Vec<Id> =
            self.selection.with_untracked(|s| s.iter().filter(|id| !design.holds(id)).cloned().collect());
        batch(|| {
            if means {
                self.meaning.set(design.clone());
            }
            self.design.set(design);
            if !gone.is_empty() {
                self.selection.update(|selection| selection.retain(|id| !gone.contains(id)));
            }
            self.starting.set(false);
        });
    }

    /// What undo would take back, if anything. Tracks.
    #[must_use]
    pub fn undo_label(&self) -> Option<String> {
        self.history.with(History::undo_label)
    }

    /// What redo would do again, if anything. Tracks.
    #[must_use]
    pub fn redo_label(&self) -> Option<String> {
        self.history.with(History::redo_label)
    }

    /// Selects exactly these. Opening the inspector by selecting is decided by the panes.
    pub fn select(&self, ids: impl IntoIterator<Item = Id>) {
        let ids: BTreeSet<Id> = ids.into_iter().collect();
        if self.selection.with_untracked(|selection| *selection != ids) {
            self.selection.set(ids);
        }
    }

    /// The one selected thing, if exactly one is. Tracks.
    #[must_use]
    pub fn selected(&self) -> Option<Id> {
        self.selection.with(|selection| match selection.len() {
            1 => selection.first().cloned(),
            _ => None,
        })
    }

    /// What the conditions of commands read. Tracks.
    #[must_use]
    pub fn context(&self) -> Context {
        let design = self.design.read();
        let selection = self.selection.read();
        let review = self.review();
        let (can_undo, can_redo) = self.history.with(|h| (h.undo_label().is_some(), h.redo_label().is_some()));
        let weakest = |c: &crate::analysis::ConsumerReport| {
            c.delivery.weakest.loss.is_some() || c.delivery.weakest.duplicate_origin.is_some()
        };
        let figure = |id: &Id| !Figure::all_of(&design, &review, id).is_empty();
        Context {
            can_undo,
            can_redo,
            reading: self.reading.get(),
            has_weakest: review.consumers.values().any(weakest),
            has_figure: selection.iter().any(figure),
            ..Context::of(&design, &selection)
        }
    }

    /// Opens another design: nothing is selected, the history is empty.
    pub fn open(&self, design: Design) {
        let design = Arc::new(design);
        batch(|| {
            self.history.set(History::default());
            self.selection.set(BTreeSet::new());
            self.explained.set(None);
            self.meaning.set(design.clone());
            self.design.set(design);
        });
    }

    /// The canvas says here what carries out its commands.
    pub fn on_canvas_command(&self, run: impl Fn(Command) + Send + Sync + 'static) {
        self.canvas.set_value(Some(Callback::new(run)));
    }

    /// Hands a command to the canvas; without one nothing happens.
    pub fn to_canvas(&self, command: Command) {
        if let Some(run) = self.canvas.get_value() {
            run.run(command);
        }
    }
}

impl Default for Desk {
    fn default() -> Self {
        Self::new()
    }
}
