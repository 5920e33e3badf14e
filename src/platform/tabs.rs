//! Other tabs of this browser: who edits which design.
//!
//! A tab that opens a design asks whether another holds it. The one that holds it answers; the asking tab then only
//! reads until it takes over, and the first one is told. A tab that is gone without a word is noticed by the lock of the
//! browser that it held: whoever only reads waits for that.

use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, MessageEvent};

/// What another tab did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It holds the design that we opened.
    Held,
    /// It took the design over that we hold.
    Taken,
    /// It edited the design that we only read, and does so no more: it is closed, broken, or shows something else.
    Released,
}

/// What this tab has open, and whether it is the one that edits it.
#[derive(Default)]
struct Open {
    key: Option<String>,
    edits: bool,
    /// Was it heard that nobody edits it?
    free: bool,
    /// How often the lock was asked for: an answer to an earlier question says nothing.
    asked: u32,
    /// Gives the lock back.
    give_back: Option<js_sys::Function>,
}

thread_local! {
    static OPEN: RefCell<Open> = RefCell::default();
}

fn with<T>(run: impl FnOnce(&mut Open) -> T) -> T {
    OPEN.with_borrow_mut(run)
}

/// The talk between tabs.
pub struct Tabs {
    channel: BroadcastChannel,
    heard: std::rc::Rc<dyn Fn(Heard)>,
}

impl Tabs {
    /// Joins the talk; `None` where the browser has none.
    #[must_use]
    pub fn join(heard: impl Fn(Heard) + 'static) -> Option<Self> {
        let channel = BroadcastChannel::new("streaming-pipeline-desk").ok()?;
        let tabs = Self { channel, heard: std::rc::Rc::new(heard) };
        let mine = Self { channel: tabs.channel.clone(), heard: tabs.heard.clone() };
        let listen = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let Some(message) = event.data().as_string() else { return };
            let Some((verb, key)) = message.split_once(' ') else { return };
            if with(|open| open.key.as_deref() != Some(key)) {
                return;
            }
            let edits = with(|open| open.edits);
            match verb {
                "open" if edits => mine.post("held", key),
                "held" if edits => mine.reads(Heard::Held),
                "take" if edits => {
                    mine.reads(Heard::Taken);
                    // The tab that takes over waits for the lock; from then on this one waits for it.
                    give_back();
                    mine.wait(key);
                }
                // Also a tab that reads: somebody edits it again.
                "take" => mine.reads(Heard::Held),
                "free" if !edits => mine.freed(),
                _ => {}
            }
        });
        tabs.channel.set_onmessage(Some(listen.as_ref().unchecked_ref()));
        listen.forget();
        Some(tabs)
    }

    /// This tab opens a design and asks whether another holds it.
    pub fn open(&self, key: &str) {
        if with(|open| open.key.as_deref() != Some(key)) {
            self.release();
        }
        self.edit(key);
        self.post("open", key);
    }

    /// This tab takes a design over.
    pub fn take(&self, key: &str) {
        self.post("take", key);
        self.edit(key);
    }

    /// This tab holds nothing any more; those that read what it edited are told.
    pub fn release(&self) {
        let (key, edits) = with(|open| (open.key.take(), std::mem::take(&mut open.edits)));
        if let Some(key) = key.filter(|_| edits) {
            self.post("free", &key);
        }
        give_back();
    }

    fn edit(&self, key: &str) {
        let known = with(|open| {
            (open.edits, open.free) = (true, false);
            open.key.replace(key.to_owned()).as_deref() == Some(key)
        });
        if !known {
            self.wait(key);
        }
    }

    fn reads(&self, heard: Heard) {
        with(|open| (open.edits, open.free) = (false, false));
        (self.heard)(heard);
    }

    fn freed(&self) {
        if !with(|open| std::mem::replace(&mut open.free, true)) {
            (self.heard)(Heard::Released);
        }
    }

    /// Asks for the lock of a design and keeps it. A tab that reads gets it when the one that edits is gone. A browser without
    /// locks leaves it at what tabs tell each other.
    fn wait(&self, key: &str) {
        let asked = with(|open| {
            open.asked = open.asked.wrapping_add(1);
            open.asked
        });
        let mine = Self { channel: self.channel.clone(), heard: self.heard.clone() };
        let held = key.to_owned();
        let granted = Closure::once_into_js(move |_: JsValue| {
            if with(|open| open.asked != asked || open.key.as_deref() != Some(&held)) {
                return JsValue::UNDEFINED;
            }
            if !with(|open| open.edits) {
                mine.freed();
                mine.post("free", &held);
            }
            // Kept until it is given back, or this tab is gone.
            js_sys::Promise::new(&mut |resolve, _| with(|open| open.give_back = Some(resolve))).into()
        });
        let get = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &JsValue::from_str(name)).ok();
        let Some(locks) = super::window().and_then(|window| get(window.navigator().as_ref(), "locks")) else { return };
        let Some(request) = get(&locks, "request").and_then(|f| f.dyn_into::<js_sys::Function>().ok()) else { return };
        let _ = request.call2(&locks, &JsValue::from_str(&format!("streaming-pipeline-desk {key}")), &granted);
    }

    fn post(&self, verb: &str, key: &str) {
        // A closed channel refuses; there is nobody to tell then.
        let _ = self.channel.post_message(&JsValue::from_str(&format!("{verb} {key}")));
    }
}

fn give_back() {
    if let Some(give_back) = with(|open| open.give_back.take()) {
        let _ = give_back.call0(&JsValue::UNDEFINED);
    }
}

/// The program broke: this tab edits nothing any more, and does not answer for it.
pub fn broke() {
    let held = OPEN.with(|open| open.try_borrow_mut().ok().and_then(|mut open| std::mem::take(&mut *open).give_back));
    if let Some(give_back) = held {
        let _ = give_back.call0(&JsValue::UNDEFINED);
    }
}
