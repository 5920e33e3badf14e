//! Writing each edit to this browser.

use super::super::store::{Desk, Kind, NewerFile, NoticeAction, Saved};
use crate::{
    action::Command,
    codec,
    model::counted_as,
    platform::{
        clock, crash, frame, preferences,
        storage::{self, Storage, StorageError, Stored},
        tabs::{Heard, Tabs},
    },
};
use leptos::{prelude::*, task::spawn_local};
use std::{cell::RefCell, rc::Rc, sync::Arc};
use wasm_bindgen::JsCast;

const FULL: &str = "This device has no room left";
const UNAVAILABLE: &str = "This browser keeps nothing here";

#[derive(Default)]
struct Session {
    storage: Option<Rc<Storage>>,
    tabs: Option<Tabs>,
    key: Option<String>,
    /// An edit waits for its frame before it is written.
    booked: bool,
    writing: bool,
    waiting: bool,
    unsaved: u64,
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

fn with<T>(run: impl FnOnce(&mut Session) -> T) -> T {
    SESSION.with(|session| run(&mut session.borrow_mut()))
}

/// The storage of this browser, once it is open.
pub fn storage_handle() -> Option<Rc<Storage>> {
    with(|session| session.storage.clone())
}

/// Opens storage and listens to other tabs.
pub async fn prepare(desk: Desk) {
    with(|session| session.tabs = Tabs::join(move |heard| hear(desk, heard)));
    match Storage::open().await {
        Ok(storage) => with(|session| session.storage = Some(Rc::new(storage))),
        Err(error) => failed(desk, &error),
    }
}

/// From now on each edit is written, and leaving is questioned while something is unsaved.
pub fn follow(desk: Desk) {
    Effect::new(move |before: Option<u64>| {
        let revision = desk.revision.get();
        if before.is_some_and(|before| before != revision) {
            book(desk);
        }
        revision
    });
    let Some(window) = web_sys::window() else { return };
    crate::platform::listen(&window, "beforeunload", move |event| {
        if with(|session| session.unsaved) > 0 && !desk.reading.get_untracked() {
            event.prevent_default();
        }
    });
    crate::platform::listen(&window, "pagehide", move |_| {
        flush(desk);
        with(|session| session.tabs.iter().for_each(Tabs::release));
    });
    // A page that comes back from where the browser kept it asks again.
    crate::platform::listen(&window, "pageshow", move |event| {
        let kept = event.dyn_ref::<web_sys::PageTransitionEvent>().is_some_and(web_sys::PageTransitionEvent::persisted);
        with(|session| {
            if let Some((tabs, key)) = session.tabs.as_ref().zip(session.key.as_ref()).filter(|_| kept) {
                tabs.open(key);
            }
        });
    });
    if let Some(document) = window.document() {
        crate::platform::listen(&document, "visibilitychange", move |_| flush(desk));
    }
}

/// Writes an edit once its frame is drawn: several edits of one frame are one write.
fn book(desk: Desk) {
    let (stored, booked) = with(|session| {
        session.unsaved += 1;
        (session.storage.is_some(), std::mem::replace(&mut session.booked, true))
    });
    if stored && !desk.reading.get_untracked() && desk.saved.get_untracked() != Saved::Pending {
        desk.saved.set(Saved::Pending);
    }
    if !booked {
        frame::after(move || flush(desk));
    }
}

/// Writes now what waits for its frame: the page may be gone before that.
fn flush(desk: Desk) {
    if with(|session| std::mem::take(&mut session.booked)) {
        write(desk);
    }
}

/// Another design takes the place of the open one: what is not yet written of that is written under its own key.
pub fn leave(desk: Desk) {
    let unwritten = with(|session| std::mem::take(&mut session.booked) | std::mem::take(&mut session.waiting));
    if let Some(storage) = storage_handle().filter(|_| unwritten && !desk.reading.get_untracked()) {
        let (stored, _) = snapshot(desk);
        spawn_local(async move {
            if let Err(error) = storage.put(&stored).await {
                failed(desk, &error);
            }
        });
    }
}

/// The design that is open lies under this key from now on.
pub fn hold(desk: Desk, key: Option<String>) {
    match &key {
        Some(key) => {
            preferences::set("open", key);
            with(|session| session.tabs.iter().for_each(|tabs| tabs.open(key)));
        }
        None => {
            preferences::clear("open");
            with(|session| session.tabs.iter().for_each(Tabs::release));
        }
    }
    with(|session| {
        session.key = key;
        session.unsaved = 0;
    });
    remember(desk);
}

/// What is open lies nowhere: a link that is read. The design that was open before comes back at the next start.
pub fn hold_nothing() {
    with(|session| {
        session.tabs.iter().for_each(Tabs::release);
        session.key = None;
        session.unsaved = 0;
    });
}

/// Writes the design now, also without an edit: for one that was just brought in.
pub fn write(desk: Desk) {
    remember(desk);
    let Some(storage) = storage_handle() else {
        desk.saved.set(Saved::Unavailable);
        return;
    };
    if desk.reading.get_untracked() {
        return;
    }
    let busy = with(|session| {
        session.waiting = session.writing;
        std::mem::replace(&mut session.writing, true)
    });
    if busy {
        return;
    }
    desk.saved.set(Saved::Pending);
    let (stored, written) = snapshot(desk);
    spawn_local(async move {
        let result = storage.put(&stored).await;
        let (again, whole) = with(|session| {
            session.writing = false;
            if result.is_ok() {
                session.unsaved -= written.min(session.unsaved);
            }
            let again = std::mem::take(&mut session.waiting);
            (again, !again && !session.booked)
        });
        match result {
            Ok(()) if whole => {
                desk.saved.set(Saved::OnDevice);
                desk.messages.settle(FULL);
                desk.messages.settle(UNAVAILABLE);
            }
            Ok(()) => {}
            Err(error) => failed(desk, &error),
        }
        if again {
            write(desk);
        }
    });
}

/// Writes a document of a later version as it came. It is only read, so this is the one time that it is written.
pub fn keep_newer(desk: Desk, file: &Arc<NewerFile>) {
    let Some(storage) = storage_handle() else {
        failed(desk, &StorageError::Unavailable(String::new()));
        return;
    };
    let (key, name) = (storage::fresh_key(), super::open::name_of(desk));
    let design = file.newer.original.clone();
    let stored = Stored {
        key,
        name,
        edited: clock::now(),
        design,
        history: String::new(),
        seen: String::new(),
        badge: String::new(),
    };
    let kept = Arc::new(NewerFile { kept: true, ..(**file).clone() });
    spawn_local(async move {
        match storage.put(&stored).await {
            Ok(()) => {
                hold(desk, Some(stored.key));
                desk.newer.set(Some(kept));
                crate::platform::address::clear_fragment();
                let text = "Every byte of the file lies on this device; it is edited by the version that wrote it.";
                desk.messages.say(Kind::Settled, "Kept as it came", text);
            }
            Err(error) => failed(desk, &error),
        }
    });
}

/// What is to be written, and how many unsaved edits it holds.
fn snapshot(desk: Desk) -> (Stored, u64) {
    let (key, unsaved) = with(|session| {
        let key = session.key.get_or_insert_with(storage::fresh_key).clone();
        (key, session.unsaved)
    });
    preferences::set("open", &key);
    let design = desk.design.get_untracked();
    let review = desk.to_be.get_untracked();
    let worst = review.consumers.values().max_by_key(|c| std::cmp::Reverse(c.delivery.label));
    let stored = Stored {
        key,
        name: super::open::name_of(desk),
        edited: clock::now(),
        design: codec::encode_compact(&design),
        history: desk.history_text(),
        seen: desk.seen.get_untracked().to_string(),
        badge: worst.map(|c| c.delivery.badge.text()).unwrap_or_default(),
    };
    (stored, unsaved)
}

/// Keeps the design at hand for the page that a crash shows; a document of a later version as it came.
fn remember(desk: Desk) {
    let original = desk.newer.with_untracked(|file| file.as_ref().map(|file| file.newer.original.clone()));
    crash::remember(desk.design.get_untracked(), original);
}

fn failed(desk: Desk, error: &StorageError) {
    let action =
        |label, command| NoticeAction { label, run: Callback::new(move |()| super::super::run::run(desk, command)) };
    let offers = vec![action("Save a file", Command::SaveFile), action("Make a link", Command::Share)];
    let unsaved = with(|session| session.unsaved);
    match error {
        StorageError::Full => {
            desk.saved.set(Saved::Full);
            let edits = counted_as(unsaved, "edit is", "edits are");
            let text = format!("Your last {edits} in this tab only, and closing it loses that work.");
            desk.messages.offer(Kind::Error, FULL, &text, offers);
        }
        StorageError::Unavailable(_) => {
            desk.saved.set(Saved::Unavailable);
            let text = "A private window or a blocked site does that. The work is in this tab only; save a file or copy a link before closing it.";
            desk.messages.offer(Kind::Warning, UNAVAILABLE, text, offers);
        }
    }
}

fn hear(desk: Desk, heard: Heard) {
    desk.reading.set(true);
    let (saved, text) = match heard {
        Heard::Held => (Saved::OtherTab, "This design is being edited in another tab, so it opens to read."),
        Heard::Taken => (Saved::OtherTab, "Another tab has taken this design over. Every edit made here is stored."),
        Heard::Released => (Saved::Released, "The tab that edited this design is gone. Nobody edits it now."),
    };
    desk.saved.set(saved);
    desk.messages.announce(text);
}

/// This tab edits the design from now on; the other one is told. What the other one stored last is read first.
pub fn take_over(desk: Desk) {
    let Some(key) = preferences::get("open").or_else(|| with(|session| session.key.clone())) else { return };
    with(|session| {
        session.key = Some(key.clone());
        session.tabs.iter().for_each(|tabs| tabs.take(&key));
    });
    desk.reading.set(false);
    super::open::open_stored(desk, key);
}

/// All designs on this device.
pub async fn list() -> Vec<Stored> {
    match storage_handle() {
        Some(storage) => storage.all().await.unwrap_or_default(),
        None => Vec::new(),
    }
}

/// Removes a design from this device.
pub async fn forget(key: &str) -> Result<(), StorageError> {
    if with(|session| session.key.as_deref() == Some(key)) {
        with(|session| session.key = None);
        preferences::clear("open");
    }
    match storage_handle() {
        Some(storage) => storage.remove(key).await,
        None => Ok(()),
    }
}
