//! The marks of severity.

use crate::rules::Severity;
use leptos::prelude::*;

/// A severity, a halt, or done; sorts from the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Level {
    Halt,
    Error,
    Warning,
    Note,
    Settled,
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Note => Self::Note,
        }
    }
}

impl Level {
    /// In words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Halt => "halt",
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
            Self::Settled => "settled",
        }
    }
}

/// The mark of a level.
pub fn severity(level: Level) -> AnyView {
    let bang = |ink: &'static str| {
        view! { <path d="M8 4.4v4.2M8 11.2v.4" style=format!("stroke:{ink};stroke-width:1.9;stroke-linecap:round") /> }
    };
    let picture = match level {
        Level::Halt => view! {
            <path d="M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2z" style="fill:var(--halt)" />
            <rect x="4" y="6.8" width="8" height="2.6" style="fill:var(--onhalt)" />
        }
        .into_any(),
        Level::Error => view! {
            <path d="M8 .6 15.4 8 8 15.4.6 8z" style="fill:var(--bad)" />
            {bang("var(--onbad)")}
        }
        .into_any(),
        Level::Warning => view! {
            <path d="M8 1.8 15 14.2H1z" style="fill:var(--caubg);stroke:var(--cauline);stroke-width:1.5;stroke-linejoin:round" />
            <path d="M8 6.4v3.6M8 12.1v.3" style="stroke:var(--ink);stroke-width:1.7;stroke-linecap:round" />
        }
        .into_any(),
        Level::Note => view! {
            <circle cx="8" cy="8" r="6.6" style="fill:none;stroke:var(--ink2);stroke-width:1.4" />
            <path d="M8 7.4v3.8M8 4.7v.3" style="stroke:var(--ink2);stroke-width:1.7;stroke-linecap:round" />
        }
        .into_any(),
        Level::Settled => view! {
            <path d="m3 8.4 3.4 3.4L13.2 4.8" style="fill:none;stroke:var(--ok);stroke-width:2;stroke-linecap:round;stroke-linejoin:round" />
        }
        .into_any(),
    };
    view! { <svg class="mark severity" viewBox="0 0 16 16" role="img" aria-label=level.word()>{picture}</svg> }
        .into_any()
}
