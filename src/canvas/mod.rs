//! The mathematics of interaction, without a browser: viewport, hits, snapping, tools, and the edits that gestures make.
//!
//! A tool is a state machine: [`tool::step`] takes a state, the scene and an event and answers with the next state and
//! what to do about it. Not here: where elements stand and links run by themselves (`layout`), and drawing (`ui`).

pub mod arrange;
pub mod badge_place;
mod beside;
pub mod caption;
pub mod create;
pub mod export;
pub mod hit;
pub mod insert;
pub mod minimap;
pub mod picture;
pub mod regroup;
pub mod remove;
pub mod snap;
pub mod svg;
pub mod tool;
pub mod viewport;
pub mod walk;

pub use crate::layout::{Point, Rect, Route, Scene};
pub use beside::beside;
pub use hit::{Target, World};
pub use viewport::Viewport;

/// Pixels a pointer may move before a press becomes a drag: mouse, then touch.
pub const DRAG_THRESHOLD: (f64, f64) = (4.0, 6.0);
/// Pixels beside a link that still hit it with mouse or pen.
pub const LINK_SLOP: f64 = 10.0;
/// The same for a finger.
pub const LINK_SLOP_TOUCH: f64 = 14.0;
/// One step of the arrow keys: the grid of dots.
pub const GRID: f64 = 20.0;
