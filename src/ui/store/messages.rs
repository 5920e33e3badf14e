//! Toasts for what cannot be seen elsewhere, and announcements for screen readers.

use leptos::prelude::*;

/// How bad a message is; chooses its mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Note,
    Warning,
    Error,
    Settled,
}

/// Something that a toast offers to do.
#[derive(Clone, Copy)]
pub struct NoticeAction {
    /// What the button says.
    pub label: &'static str,
    /// What it does.
    pub run: Callback<()>,
}

/// One toast.
#[derive(Clone)]
pub struct Notice {
    /// Its number, for the list.
    pub id: u32,
    /// Which mark it wears.
    pub kind: Kind,
    /// What happened.
    pub title: String,
    /// Why, and what to do.
    pub text: String,
    /// What it offers; a toast that offers something stays until it is read.
    pub actions: Vec<NoticeAction>,
}

/// At most so many toasts stand at once; the oldest without an action goes first.
const AT_ONCE: usize = 3;

/// Messages; cheap to copy.
#[derive(Clone, Copy)]
pub struct Messages {
    /// The toasts that stand, oldest first.
    pub notices: RwSignal<Vec<Notice>>,
    /// The last announcement; screen readers say it politely.
    pub announcement: RwSignal<String>,
    next: StoredValue<u32>,
}

impl Messages {
    pub(super) fn new() -> Self {
        Self {
            notices: RwSignal::new(Vec::new()),
            announcement: RwSignal::new(String::new()),
            next: StoredValue::new(0),
        }
    }

    /// Shows a toast.
    pub fn say(&self, kind: Kind, title: &str, text: &str) {
        self.offer(kind, title, text, Vec::new());
    }

    /// Shows a toast that offers something. One with the same title is replaced.
    pub fn offer(&self, kind: Kind, title: &str, text: &str, actions: Vec<NoticeAction>) {
        let id = self.next.try_update_value(|n| {
            *n += 1;
            *n
        });
        let notice =
            Notice { id: id.unwrap_or_default(), kind, title: title.to_owned(), text: text.to_owned(), actions };
        self.notices.update(|notices| {
            notices.retain(|old| old.title != notice.title);
            notices.push(notice);
            while notices.len() > AT_ONCE {
                let oldest = notices.iter().position(|n| n.actions.is_empty()).unwrap_or(0);
                notices.remove(oldest);
            }
        });
        self.announce(&format!("{title}. {text}"));
    }

    /// Takes a toast away.
    pub fn dismiss(&self, id: u32) {
        self.notices.update(|notices| notices.retain(|notice| notice.id != id));
    }

    /// Takes away the toasts of this title, for states that ended.
    pub fn settle(&self, title: &str) {
        if self.notices.with_untracked(|notices| notices.iter().any(|n| n.title == title)) {
            self.notices.update(|notices| notices.retain(|notice| notice.title != title));
        }
    }

    /// Something was done: what was refused before it is over, but for what offers a way on.
    pub fn succeeded(&self) {
        let over = |n: &Notice| n.actions.is_empty() && matches!(n.kind, Kind::Error | Kind::Warning);
        if self.notices.with_untracked(|notices| notices.iter().any(over)) {
            self.notices.update(|notices| notices.retain(|notice| !over(notice)));
        }
    }

    /// Says something to screen readers, politely.
    pub fn announce(&self, text: &str) {
        self.announcement.set(text.to_owned());
    }
}
