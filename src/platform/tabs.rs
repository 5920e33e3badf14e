//! Other tabs of this browser: who edits which design.
//!
//! A tab that opens a design asks whether another holds it. The one that holds it answers; the asking tab then only
//! reads until it takes over, and the first one is told.

use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, MessageEvent};

/// What another tab did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It holds the design that we opened.
    Held,
    /// It took the design over that we hold.
    Taken,
    /// It edited the design that we only read, and does so no more: it is closed, or shows something else.
    Released,
}

/// What this tab has open, and whether it is the one that edits it.
#[derive(Default)]
struct Open {
    key: Option<String>,
    edits: bool,
}

/// The talk between tabs.
pub struct Tabs {
    channel: BroadcastChannel,
    open: Rc<RefCell<Open>>,
}

impl Tabs {
    /// Joins the talk; `None` where the browser has none.
    #[must_use]
    pub fn join(heard: impl Fn(Heard) + 'static) -> Option<Self> {
        let channel = BroadcastChannel::new("streaming-pipeline-desk").ok()?;
        let open: Rc<RefCell<Open>> = Rc::default();
        let (mine, answer) = (open.clone(), channel.clone());
        let listen = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let Some(message) = event.data().as_string() else { return };
            let Some((verb, key)) = message.split_once(' ') else { return };
            if mine.borrow().key.as_deref() != Some(key) {
                return;
            }
            let edits = mine.borrow().edits;
            match verb {
                "open" if edits => {
                    let _ = answer.post_message(&JsValue::from_str(&format!("held {key}")));
                }
                "held" if edits => {
                    mine.borrow_mut().edits = false;
                    heard(Heard::Held);
                }
                "take" if edits => {
                    mine.borrow_mut().edits = false;
                    heard(Heard::Taken);
                }
                // Also a tab that reads: somebody edits it again.
                "take" => heard(Heard::Held),
                "free" if !edits => heard(Heard::Released),
                _ => {}
            }
        });
        channel.set_onmessage(Some(listen.as_ref().unchecked_ref()));
        listen.forget();
        Some(Self { channel, open })
    }

    /// This tab opens a design and asks whether another holds it.
    pub fn open(&self, key: &str) {
        if self.open.borrow().key.as_deref() != Some(key) {
            self.release();
        }
        *self.open.borrow_mut() = Open { key: Some(key.to_owned()), edits: true };
        self.post("open", key);
    }

    /// This tab takes a design over.
    pub fn take(&self, key: &str) {
        self.post("take", key);
        *self.open.borrow_mut() = Open { key: Some(key.to_owned()), edits: true };
    }

    /// This tab holds nothing any more; those that read what it edited are told.
    pub fn release(&self) {
        let Open { key, edits } = self.open.take();
        if let Some(key) = key.filter(|_| edits) {
            self.post("free", &key);
        }
    }

    fn post(&self, verb: &str, key: &str) {
        // A closed channel refuses; there is nobody to tell then.
        let _ = self.channel.post_message(&JsValue::from_str(&format!("{verb} {key}")));
    }
}
