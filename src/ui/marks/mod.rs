//! The signs of the design language: delivery badge, basis, severity, silhouettes, icons. Colour only repeats what fill,
//! stroke and glyph say.

mod badge;
mod basis;
mod direction;
mod icon;
mod severity;
mod shape;

pub use badge::{badge, badge_words, mini_badge, same_badge, weakest_glyph};
pub use basis::{Mark, absent, basis, known_mark};
pub use direction::direction;
pub use icon::{Icon, icon};
pub use severity::{Level, severity};
pub use shape::{shape, strip};

use leptos::prelude::*;

/// Hatches that marks and the canvas fill with; once on the page.
pub fn patterns() -> AnyView {
    view! {
        <svg width="0" height="0" style="position:absolute" aria-hidden="true">
            <defs>
                <pattern id="hatch-ink" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <rect width="4" height="4" style="fill:var(--raised)" />
                    <rect width="1.4" height="4" style="fill:var(--line2)" />
                </pattern>
                <pattern id="hatch-bad" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <rect width="3" height="6" style="fill:var(--bad)" />
                </pattern>
            </defs>
        </svg>
    }
    .into_any()
}
