//! Which windows a record falls in.

use super::{outcome::Span, setup::Window};

/// The greatest `offset + n × step` that is not after `time`.
pub(super) fn floor(time: i64, offset: i64, step: i64) -> i64 {
    time - (time - offset).rem_euclid(step)
}

/// The windows of fixed length that hold `time`, by start. For a session, the window of the record alone.
///
/// Flink's `TimeWindow.getWindowStartWithOffset` and Spark's `window` function align alike; times before 1970 are
/// floored.
pub(super) fn spans(window: Window, time: i64) -> Vec<Span> {
    match window {
        Window::Tumbling { size, offset } => {
            let start = floor(time, offset, size);
            vec![Span { start, end: start + size }]
        }
        Window::Hopping { size, advance, offset } => {
            let last = floor(time, offset, advance);
            let starts = (0..).map(|n| last - n * advance).take_while(|start| *start > time - size);
            let mut spans: Vec<Span> = starts.map(|start| Span { start, end: start + size }).collect();
            spans.reverse();
            spans
        }
        Window::Cumulating { max, step, offset } => {
            let start = floor(time, offset, max);
            let first = floor(time, offset, step) + step;
            let ends = (0..).map(|n| first + n * step).take_while(|end| *end <= start + max);
            ends.map(|end| Span { start, end }).collect()
        }
        Window::Session { gap } => vec![Span { start: time, end: time + gap }],
        Window::Sliding { difference } => vec![Span { start: time - difference, end: time }],
    }
}

/// Whether two sessions become one: sessions that touch do.
pub(super) fn touches(a: Span, b: Span) -> bool {
    a.start <= b.end && a.end >= b.start
}

/// The window around both.
pub(super) fn cover(a: Span, b: Span) -> Span {
    Span { start: a.start.min(b.start), end: a.end.max(b.end) }
}
