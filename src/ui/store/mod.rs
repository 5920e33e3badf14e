//! The one store. Panels and canvas read its signals and change the design through [`Desk::edit`] only; no component
//! owns a piece of the truth.
//!
//! `design` changes with every edit; `meaning` only with edits that the analysis could notice, so that moving a box never
//! runs an analysis again. `settled` follows `meaning` when the frame that shows the verdict is drawn: what nobody looks
//! at while editing (the other view, what is still missing, the outline, proposals) reads that one.

mod messages;
mod panes;
mod reviews;

pub use messages::{Kind, Messages, Notice, NoticeAction};
pub use panes::{Carried, Dialog, Explains, Explanation, Panes, Tab, Theme};

use crate::sorted::SortedSet;
use crate::{
    action::{Command, Context, Figure},
    codec::Newer,
    edit::{Draft, Edit, EditError, History, history::Done},
    import::Input,
    model::{Design, Id, View, counted, in_words},
    platform::frame,
    rules::Review,
};
use leptos::prelude::*;
use reviews::Reviews;
use std::sync::Arc;

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
    /// Shown only: the tab that edited it is gone.
    Released,
}

impl Saved {
    /// Why nothing can be changed, where what is open is only read.
    #[must_use]
    pub const fn why_reading(self) -> &'static str {
        match self {
            Self::OtherTab => "This design is edited in another tab. “Edit here” takes it over.",
            Self::Released => {
                "The tab that edited this design is closed: nobody edits it now. “Edit here” goes on with it."
            }
            _ => "You are reading. Keep a copy to change it.",
        }
    }
}

/// A file of a later version: it is read, kept and passed on as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewerFile {
    /// What this version does not know of it, and its text.
    pub newer: Newer,
    /// Does it lie on this device?
    pub kept: bool,
    /// Did it come as a file, and not in a link?
    pub from_file: bool,
}

impl NewerFile {
    /// How many of its settings this version does not know, in words.
    #[must_use]
    pub fn unknown_words(&self) -> String {
        counted(self.newer.unknown_count, "setting")
    }
}

/// The store; cheap to copy, in context at the root.
#[derive(Clone, Copy)]
pub struct Desk {
    /// The design as it stands.
    pub design: RwSignal<Arc<Design>>,
    /// The design as of the last edit that means something; positions in it may be old.
    pub meaning: RwSignal<Arc<Design>>,
    /// The design whose verdicts are drawn: `meaning` as of the last frame.
    pub settled: RwSignal<Arc<Design>>,
    /// As-is, to-be or both.
    pub show: RwSignal<Show>,
    /// Selected elements, links and notes.
    pub selection: RwSignal<SortedSet<Id>>,
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
    /// Set where what is open was written by a later version: the file as it came.
    pub newer: RwSignal<Option<Arc<NewerFile>>>,
    /// The document, as text, as it was when its documents were last looked at; empty where they never were.
    pub seen: RwSignal<Arc<str>>,
    /// Is the start page shown instead of the canvas?
    pub starting: RwSignal<bool>,
    /// Has the session begun: is what was open last brought back?
    pub ready: RwSignal<bool>,
    /// Texts that wait in the import preview.
    pub incoming: RwSignal<Vec<Input>>,
    /// Counts edits, undo and redo: whoever saves the design follows it.
    pub revision: RwSignal<u64>,
    /// Counts the designs that took the place of another: what was under way ends with the one it was of.
    pub opened: RwSignal<u64>,
    /// What the conditions of commands read.
    pub context: Memo<Context>,
    reviews: Reviews,
    history: RwSignal<History>,
    canvas: StoredValue<Option<Callback<Command>>>,
}

impl Desk {
    /// A store with an empty design.
    #[must_use]
    pub fn new() -> Self {
        let meaning = RwSignal::new(Arc::new(Design::default()));
        let newer = RwSignal::new(None::<Arc<NewerFile>>);
        let reviews = Reviews::new(newer);
        let review = move |view| Memo::new(move |_| reviews.of(&meaning.get(), view));
        let (as_is, to_be) = (review(View::AsIs), review(View::ToBe));
        let (design, selection) = (RwSignal::new(Arc::new(Design::default())), RwSignal::new(SortedSet::new()));
        let (show, reading) = (RwSignal::new(Show::default()), RwSignal::new(false));
        let saved = RwSignal::new(Saved::default());
        let history = RwSignal::new(History::default());
        let context = Memo::new(move |_| {
            let review = if show.get().view() == View::AsIs { as_is.get() } else { to_be.get() };
            let history = history.read();
            Context {
                can_undo: history.undo_label().is_some(),
                can_redo: history.redo_label().is_some(),
                reading: reading.get().then(|| saved.get().why_reading()),
                ..moment(&design.read(), &review, &selection.read())
            }
        });
        Self {
            design,
            meaning,
            settled: RwSignal::new(meaning.get_untracked()),
            show,
            selection,
            as_is,
            to_be,
            panes: Panes::new(),
            messages: Messages::new(),
            explained: RwSignal::new(None),
            saved,
            reading,
            newer,
            seen: RwSignal::new(Arc::from("")),
            starting: RwSignal::new(true),
            ready: RwSignal::new(false),
            incoming: RwSignal::new(Vec::new()),
            revision: RwSignal::new(0),
            opened: RwSignal::new(0),
            context,
            reviews,
            history,
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

    /// A review as of the last frame, for what may come a frame later. Tracks.
    #[must_use]
    pub fn settled_review(&self, view: View) -> Arc<Review> {
        self.reviews.of(&self.settled.get(), view)
    }

    /// The review of a design that differs a little from the one that is open: what a proposal would bring.
    #[must_use]
    pub fn what_if(&self, design: &Arc<Design>, view: View) -> Review {
        self.reviews.what_if(design, view)
    }

    /// Changes the design; one history entry, which `label` names. Entries in a row with the same `coalesce` become one.
    /// Answers whether it was applied; a refusal is shown with its reason.
    pub fn edit(&self, edit: Edit, label: &str, coalesce: Option<&str>) -> bool {
        if self.reading.get_untracked() {
            self.tell_reading();
            return false;
        }
        let means = edit.touches_meaning();
        let mut design = self.design.get_untracked();
        let applied =
            self.history.try_update(|history| history.apply(Arc::make_mut(&mut design), edit, label, coalesce));
        match applied {
            Some(Ok(())) => {
                self.put(design, means);
                true
            }
            Some(Err(refusal)) => {
                self.refuse(&refusal);
                false
            }
            None => false,
        }
    }

    /// Says why nothing can be changed here.
    pub fn tell_reading(&self) {
        self.messages.say(Kind::Note, "Nothing was changed", self.saved.get_untracked().why_reading());
    }

    /// Builds a compound edit step by step and applies it as one entry; answers what `build` answered.
    pub fn draft<T>(&self, label: &str, build: impl FnOnce(&mut Draft<'_>) -> Result<T, EditError>) -> Option<T> {
        let design = self.design.get_untracked();
        let built = self.history.with_untracked(|history| {
            let mut draft = Draft::new(&design, history);
            build(&mut draft).map(|answer| (answer, draft.finish()))
        });
        match built {
            Ok((answer, edit)) => self.edit(edit, label, None).then_some(answer),
            Err(refusal) => {
                self.refuse(&refusal);
                None
            }
        }
    }

    /// Ends a gesture, so that the next edit is an entry of its own whatever its `coalesce`.
    pub fn seal(&self) {
        self.history.update_untracked(History::seal);
    }

    fn refuse(&self, refusal: &EditError) {
        // A reason that is no sentence speaks of the part that its path names.
        let sentence = refusal.reason.starts_with(char::is_uppercase);
        let text = if sentence {
            refusal.reason.clone()
        } else {
            let part = self.design.with_untracked(|design| part_in_words(design, &refusal.path));
            format!("{part} {}. Nothing was changed.", refusal.reason)
        };
        self.messages.say(Kind::Warning, "This cannot be done", &text);
    }

    /// Takes the last entry back.
    pub fn undo(&self) {
        self.step(History::undo, "Undone");
    }

    /// Does the last undone entry again.
    pub fn redo(&self) {
        self.step(History::redo, "Done again");
    }

    fn step(&self, step: impl FnOnce(&mut History, &mut Design) -> Result<Option<Done>, EditError>, said: &str) {
        if self.reading.get_untracked() {
            return;
        }
        let mut design = self.design.get_untracked();
        match self.history.try_update(|history| step(history, Arc::make_mut(&mut design))) {
            Some(Ok(Some(done))) => {
                self.put(design, done.meaning);
                self.messages.announce(&format!("{said}: {}", done.label));
            }
            Some(Err(refusal)) => self.refuse(&refusal),
            _ => {}
        }
    }

    /// The history as text, to be stored beside the design.
    #[must_use]
    pub fn history_text(&self) -> String {
        self.history.with_untracked(History::to_json)
    }

    /// Brings back what can be undone, as it was stored; answers how many steps. A text that does not fit is left out.
    pub fn restore_history(&self, text: &str) -> usize {
        let history = History::from_json(text).unwrap_or_default();
        let steps = history.len();
        self.history.set(history);
        steps
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
            if self.starting.get_untracked() {
                self.starting.set(false);
            }
            self.revision.update(|n| *n += 1);
            self.messages.succeeded();
        });
        if means {
            self.settle();
        }
    }

    /// Lets what may come later follow, once the frame is drawn.
    fn settle(&self) {
        let desk = *self;
        frame::after(move || {
            let meaning = desk.meaning.get_untracked();
            if !desk.settled.with_untracked(|settled| Arc::ptr_eq(settled, &meaning)) {
                desk.settled.set(meaning);
            }
        });
    }

    /// Reads the history: ids that it mentions must not be handed out again.
    pub fn with_history<T>(&self, read: impl FnOnce(&History) -> T) -> T {
        self.history.with_untracked(read)
    }

    /// What undo would take back, if anything. Tracks.
    #[must_use]
    pub fn undo_label(&self) -> Option<String> {
        self.history.with(|history| history.undo_label().map(str::to_owned))
    }

    /// What redo would do again, if anything. Tracks.
    #[must_use]
    pub fn redo_label(&self) -> Option<String> {
        self.history.with(|history| history.redo_label().map(str::to_owned))
    }

    /// Selects exactly these. Opening the inspector by selecting is decided by the panes.
    pub fn select(&self, ids: impl IntoIterator<Item = Id>) {
        let ids: SortedSet<Id> = ids.into_iter().collect();
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

    /// Opens a document of a later version to be looked at. Where only a later version may judge it, nothing is analysed.
    pub fn open_newer(&self, design: Design, file: NewerFile) {
        self.bring(design, Some(Arc::new(file)));
    }

    /// Opens another design: nothing is selected, the history is empty.
    pub fn open(&self, design: Design) {
        self.bring(design, None);
    }

    fn bring(&self, design: Design, newer: Option<Arc<NewerFile>>) {
        let design = Arc::new(design);
        batch(|| {
            self.opened.update(|n| *n += 1);
            self.newer.set(newer);
            self.seen.set(Arc::from(""));
            self.history.set(History::default());
            self.selection.set(SortedSet::new());
            self.explained.set(None);
            self.panes.explanations.set(Vec::new());
            self.panes.forget("");
            self.meaning.set(design.clone());
            self.settled.set(design.clone());
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

/// The part of a design that a path names, as people say it: “The owner of orders” for `elements.orders.owner`.
fn part_in_words(design: &Design, path: &str) -> String {
    let parts: Vec<&str> = path.split('.').collect();
    let title = |part: &&str| Id::new(part).ok().filter(|id| design.holds(id)).map(|id| design.title(&id));
    let named = parts.iter().enumerate().find_map(|(at, part)| Some((at, title(part)?)));
    match (named, parts.last()) {
        (Some((at, title)), Some(last)) if at + 1 < parts.len() => format!("The {} of {title}", in_words(last)),
        (Some((_, title)), _) => title,
        (None, _) => path.to_owned(),
    }
}

/// What of the context follows from design, review and selection.
fn moment(design: &Design, review: &Review, selection: &SortedSet<Id>) -> Context {
    let weakest = |c: &crate::analysis::ConsumerReport| {
        c.delivery.weakest_claimed().is_some_and(|of| of.loss.is_some() || of.duplicate_origin.is_some())
    };
    Context {
        has_weakest: review.consumers.values().any(weakest),
        has_figure: selection
            .iter()
            .any(|id| review.links.contains_key(id) || Figure::each_of(design, review, id).next().is_some()),
        ..Context::of(design, selection)
    }
}

impl Default for Desk {
    fn default() -> Self {
        Self::new()
    }
}
