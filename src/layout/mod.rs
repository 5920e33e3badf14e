//! Where things stand when nobody placed them, and how links run: tidy layout and link routing.
//!
//! Everything is pure and deterministic: the same design gives the same picture. Coordinates are canvas units, pixels at
//! 100 %. Not here: what a pointer does (`canvas`), how it is drawn (`ui`), and changes of the document (`edit`).

mod block;
mod flow;
mod geometry;
mod places;
mod route;
mod rows;
mod size;
mod tidy;
mod tracks;

pub use flow::flow_order;
pub use geometry::{Point, Rect, snapped};
pub use places::{Scene, frame_around, hugged, note_box, places, same_flow, same_ground};
pub use route::{Anchors, Route, Router, Routing, Side, Spot, anchors};
pub use size::{Sizes, size};
pub use tidy::{DEFAULT_WIDTH, tidy};

/// Positions snap to this grid.
pub const SNAP: f64 = 4.0;
/// Space between two elements of a row: room for a badge (62) and its caption.
pub const GAP: f64 = 64.0;
/// A job frame stands this far around its operators.
pub const FRAME_PADDING: f64 = 8.0;
/// Height of the header line of a job frame.
pub const FRAME_HEADER: f64 = 24.0;
/// A return link keeps at least this distance from any element.
pub const CLEARANCE: f64 = 28.0;

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;
