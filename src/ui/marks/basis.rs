//! The mark of a basis: circle for the running world, square for configuration; filled where it was read.

use crate::model::{Basis, Known, Nature, Value};
use leptos::prelude::*;

/// The mark right after a number; `title` says the word, the source and the date.
pub fn basis(of: Basis, title: &str) -> AnyView {
    let said = if title.is_empty() { of.word().to_owned() } else { title.to_owned() };
    let (round, style, ink) = match of {
        Basis::Measured => (true, "fill:var(--ink2)", "var(--panel)"),
        Basis::Configured => (false, "fill:var(--ink2)", "var(--panel)"),
        Basis::Proposed => (false, "fill:none;stroke:var(--acc);stroke-width:1.5", "var(--acc)"),
        Basis::Stated => (true, "fill:none;stroke:var(--ink2);stroke-width:1.4", "var(--ink2)"),
        Basis::Assumed => {
            (true, "fill:none;stroke:var(--ink2);stroke-width:1.4;stroke-dasharray:2.4 1.8", "var(--ink2)")
        }
    };
    let outline = if round {
        view! { <circle cx="8" cy="8" r="6.8" style=style /> }.into_any()
    } else {
        view! { <rect x="1.4" y="1.4" width="13.2" height="13.2" rx="2.4" style=style /> }.into_any()
    };
    view! {
        <svg class="mark basis" viewBox="0 0 16 16" role="img" aria-label=of.word()>
            <title>{said}</title>
            {outline}
            <text x="8" y="11.6" text-anchor="middle" style=format!("fill:{ink};font:600 9.6px var(--sans)")>
                {of.letter().to_string()}
            </text>
        </svg>
    }
    .into_any()
}

/// The hatched mark of what nobody read, measured or stated.
pub fn absent(word: &'static str) -> AnyView {
    view! {
        <svg class="mark basis" viewBox="0 0 16 16" role="img" aria-label=word>
            <title>{word}</title>
            <rect x="1.4" y="1.4" width="13.2" height="13.2" rx="2.4" style="fill:url(#hatch-ink);stroke:var(--ink3);stroke-width:1.3" />
            <rect x="4.6" y="3.4" width="6.8" height="9.4" style="fill:var(--raised)" />
            <text x="8" y="11.8" text-anchor="middle" style="fill:var(--ink);font:600 10px var(--sans)">"?"</text>
        </svg>
    }
    .into_any()
}

/// Which mark stands behind something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// That of a basis.
    Of(Basis),
    /// That of what is not there, in a word.
    Absent(&'static str),
}

impl Mark {
    /// The mark of what is known of a setting.
    pub const fn known(known: &Known<Value>, nature: Nature) -> Self {
        match known {
            Known::Value(fact) => Self::Of(fact.basis),
            Known::Unset(_) => Self::Of(Basis::Configured),
            Known::Conflict(_) => Self::Absent("in conflict"),
            Known::NotKnown(_) => Self::Absent(nature.absent()),
        }
    }

    /// As it stands on the page; `title` says the word, the source and the date.
    pub fn draw(self, title: &str) -> AnyView {
        match self {
            Self::Of(of) => basis(of, title),
            Self::Absent(word) => absent(word),
        }
    }
}

/// The mark of what is known of a setting.
pub fn known_mark(known: &Known<Value>, nature: Nature, title: &str) -> AnyView {
    Mark::known(known, nature).draw(title)
}
