//! After the frame: what nobody waits for is done once the browser has drawn what somebody does.

use gloo::timers::callback::Timeout;
use std::{cell::RefCell, collections::VecDeque};
use wasm_bindgen::{JsCast, closure::Closure};

/// A frame that does not come is waited for so long, in milliseconds: a page in the background draws none.
const NO_FRAME: u32 = 150;

#[derive(Default)]
struct Waiting {
    works: VecDeque<Box<dyn FnOnce()>>,
    /// Counts the frames that were asked for: of frame and timer only the first begins the work.
    asked: u32,
    booked: bool,
}

thread_local! {
    static WAITING: RefCell<Waiting> = RefCell::default();
}

fn with<T>(run: impl FnOnce(&mut Waiting) -> T) -> T {
    WAITING.with(|waiting| run(&mut waiting.borrow_mut()))
}

/// Runs `work` when the next frame is drawn. Each work is a task of its own, in the order of the calls, so that input
/// comes in between.
pub fn after(work: impl FnOnce() + 'static) {
    let ask = with(|waiting| {
        waiting.works.push_back(Box::new(work));
        (!std::mem::replace(&mut waiting.booked, true)).then(|| {
            waiting.asked = waiting.asked.wrapping_add(1);
            waiting.asked
        })
    });
    let Some(asked) = ask else { return };
    // Called before the frame is drawn, so that its timer comes right after that.
    let drawn = Closure::once_into_js(move || Timeout::new(0, move || begin(asked)).forget());
    // Where the page may draw no more, the timer is what is left.
    let _ = super::window().map(|window| window.request_animation_frame(drawn.unchecked_ref()));
    Timeout::new(NO_FRAME, move || begin(asked)).forget();
}

fn begin(asked: u32) {
    let first = with(|waiting| {
        let first = waiting.asked == asked;
        waiting.asked = waiting.asked.wrapping_add(u32::from(first));
        first
    });
    if first {
        step();
    }
}

fn step() {
    if let Some(work) = with(|waiting| waiting.works.pop_front()) {
        work();
    }
    let more = with(|waiting| {
        waiting.booked = !waiting.works.is_empty();
        waiting.booked
    });
    if more {
        Timeout::new(0, step).forget();
    }
}
