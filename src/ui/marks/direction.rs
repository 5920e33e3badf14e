//! Which way a difference goes: up for a gain, down for a cost, a question where it is not known.

use super::absent;
use crate::rules::compare::Direction;
use leptos::prelude::*;

/// The mark of a direction; the words stand beside it.
pub fn direction(of: Direction) -> AnyView {
    let (path, style) = match of {
        Direction::Better => ("M8 13V3M3.6 7.2 8 2.8l4.4 4.4", "stroke:var(--ok)"),
        Direction::Worse => ("M8 3v10M3.6 8.8 8 13.2l4.4-4.4", "stroke:var(--bad)"),
        Direction::Different => ("M2.5 5.5h11M2.5 10.5h11M10.5 2.5l-5 11", "stroke:var(--ink2)"),
        Direction::Incomparable => ("M2.5 9.5c2-4 4-4 5.5-1.5s3.5 2.5 5.5-1.5", "stroke:var(--ink2)"),
        Direction::UnknownBefore => return absent("not known today"),
        Direction::UnknownAfter => return absent("not known afterwards"),
    };
    let style = format!("{style};fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round");
    view! { <svg class="mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d=path style=style /></svg> }
        .into_any()
}
