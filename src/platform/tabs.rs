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
}

/// The talk between tabs.
pub struct Tabs {
    channel: BroadcastChannel,
    holding: Rc<RefCell<Option<String>>>,
}

impl Tabs {
    /// Joins the talk; `None` where the browser has none.
    #[must_use]
    pub fn join(heard: impl Fn(Heard) + 'static) -> Option<Self> {
        let channel = BroadcastChannel::new("streaming-pipeline-desk").ok()?;
        let holding: Rc<RefCell<Option<String>>> = Rc::default();
        let (mine, answer) = (holding.clone(), channel.clone());
        let listen = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let Some(message) = event.data().as_string() else { return };
            let Some((verb, key)) = message.split_once(' ') else { return };
            let same = mine.borrow().as_deref() == Some(key);
            match verb {
                "open" if same => {
                    let _ = answer.post_message(&JsValue::from_str(&format!("held {key}")));
                }
                "held" if same => heard(Heard::Held),
                "take" if same => {
                    mine.borrow_mut().take();
                    heard(Heard::Taken);
                }
                _ => {}
            }
        });
        channel.set_onmessage(Some(listen.as_ref().unchecked_ref()));
        listen.forget();
        Some(Self { channel, holding })
    }

    /// This tab opens a design and asks whether another holds it.
    pub fn open(&self, key: &str) {
        *self.holding.borrow_mut() = Some(key.to_owned());
        self.post("open", key);
    }

    /// This tab takes a design over.
    pub fn take(&self, key: &str) {
        self.post("take", key);
        *self.holding.borrow_mut() = Some(key.to_owned());
    }

    /// This tab holds nothing any more.
    pub fn release(&self) {
        self.holding.borrow_mut().take();
    }

    fn post(&self, verb: &str, key: &str) {
        // A closed channel refuses; there is nobody to tell then.
        let _ = self.channel.post_message(&JsValue::from_str(&format!("{verb} {key}")));
    }
}
