//! While something is dragged near the edge of the pane, the view follows.

use super::state::Canvas;
use crate::{
    canvas::{tool::Event, tool::Pointer, viewport::edge_pan},
    platform::clock,
};
use leptos::prelude::*;

/// A drag waits so long at the edge before the view moves, in milliseconds.
const DELAY: f64 = 150.0;
/// Longest step that is made up for after a frame that came late, in milliseconds.
const LONGEST: f64 = 50.0;

impl Canvas {
    /// Notes where the pointer of a drag is, and starts to follow it where it is near an edge.
    pub fn follow_edge(self, pointer: &Pointer) {
        let running = self.dragged.with_value(Option::is_some);
        self.dragged.set_value(Some(pointer.clone()));
        if !running {
            let now = clock::now();
            self.next_edge_step(now, now);
        }
    }

    fn next_edge_step(self, entered: f64, last: f64) {
        request_animation_frame(move || {
            // The canvas may be gone by now.
            let Some(Some(pointer)) = self.dragged.try_get_value() else { return };
            if !self.state.with_untracked(crate::canvas::tool::State::drags) {
                self.dragged.set_value(None);
                return;
            }
            let now = clock::now();
            let speed = edge_pan(pointer.at, self.pane.get_untracked());
            let still = speed == (0.0, 0.0);
            if !still && now - entered >= DELAY {
                let seconds = (now - last).clamp(0.0, LONGEST) / 1000.0;
                batch(|| {
                    self.view.update(|view| *view = view.panned(speed.0 * seconds, speed.1 * seconds));
                    self.send(Event::Move(pointer));
                });
            }
            self.next_edge_step(if still { now } else { entered }, now);
        });
    }
}
