//! The delivery badge: the fewest and the most copies of one event that a reader can get.

use crate::{
    analysis::delivery::verdict::{Badge, Fewest, Most},
    documents::badge::words,
};
use leptos::prelude::*;

/// The sign of one cell: what stands in it, and whether it holds only under a condition.
pub fn cells(badge: &Badge) -> [(&'static str, bool); 2] {
    let fewest = match badge.fewest {
        Fewest::One(_) => ("1", false),
        Fewest::OneWhile(..) => ("1", true),
        Fewest::Zero => ("0", false),
        Fewest::Unknown(_) => ("?", false),
    };
    let most = match badge.most {
        Most::One(_) => ("1", false),
        Most::OneWhile(..) => ("1", true),
        Most::Many => ("n", false),
        Most::Unknown(_) => ("?", false),
    };
    [fewest, most]
}

/// Do two badges look and read the same, whatever the conditions in them?
pub fn same_badge(one: &Badge, other: &Badge) -> bool {
    cells(one) == cells(other) && one.text() == other.text()
}

/// The badge in words: `none lost while a condition holds, repeats possible`.
pub fn badge_words(badge: &Badge) -> String {
    words(&badge.text())
}

fn cell(x: f64, (sign, dashed): (&'static str, bool), loud: bool) -> AnyView {
    let bad = matches!(sign, "0" | "n");
    let (fill, stroke, ink, width) = match (sign, loud) {
        ("?", _) => ("url(#hatch-ink)", "var(--ink3)", "var(--ink)", 1.4),
        _ if bad && loud => ("var(--bad)", "var(--bad)", "var(--onbad)", 1.6),
        _ if bad => ("var(--raised)", "var(--bad)", "var(--bad)", 2.0),
        (_, true) if dashed => ("var(--caubg)", "var(--cauline)", "var(--ink)", 2.0),
        _ => ("var(--raised)", "var(--ink2)", "var(--ink)", 1.5),
    };
    let style = format!("fill:{fill};stroke:{stroke};stroke-width:{width}");
    let ground = (sign == "?").then(|| {
        view! { <rect x=x + 6.0 y="5" width="10" height="13" rx="2" style="fill:var(--raised)" /> }
    });
    view! {
        <rect
            x=x + 1.0
            y="1"
            width="20"
            height="20"
            rx="4"
            style=style
            stroke-dasharray=if dashed { "3.2 2.2" } else { "none" }
        />
        {ground}
        <text x=x + 11.0 y="16" text-anchor="middle" style=format!("fill:{ink};font-weight:600;font-size:14px;font-family:var(--mono)")>
            {sign}
        </text>
    }
    .into_any()
}

/// The badge as a picture, `height` rem high. Loud only at the weakest hop and on the consumer.
pub fn badge(badge: &Badge, loud: bool, height: f64) -> AnyView {
    let [fewest, most] = cells(badge);
    let words = badge_words(badge);
    view! {
        <svg
            class="badge"
            role="img"
            aria-label=words
            viewBox="0 0 54 22"
            style=format!("height:{height}rem;width:{}rem", height * 54.0 / 22.0)
            data-badge=badge.text()
        >
            {cell(0.0, fewest, loud)}
            <circle cx="25" cy="11" r="1.3" style="fill:var(--ink2)" />
            <circle cx="29" cy="11" r="1.3" style="fill:var(--ink2)" />
            {cell(32.0, most, loud)}
        </svg>
    }
    .into_any()
}

/// The text form for lists: `1*..n`, in the colour of its worst side.
pub fn mini_badge(badge: &Badge) -> AnyView {
    let [fewest, most] = cells(badge);
    let bad = fewest.0 == "0" || most.0 == "n";
    let words = badge_words(badge);
    let title = words.clone();
    view! {
        <span class="mono" title=title style=if bad { "color:var(--bad)" } else { "color:var(--ink3)" }>
            <span data-key=badge.text()></span>
            <span class="hidden-text">{words}</span>
        </span>
    }
    .into_any()
}

/// Two squares for duplicates, a dashed square for loss.
pub fn weakest_glyph(loss: bool) -> AnyView {
    if loss {
        view! {
            <svg class="mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
                <rect x="2.5" y="2.5" width="11" height="11" rx="1" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="3 2" />
            </svg>
        }
        .into_any()
    } else {
        view! {
            <svg class="mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
                <rect x="2.7" y="2.7" width="8" height="8" rx="1" fill="none" stroke="currentColor" stroke-width="1.4" />
                <rect x="6" y="6" width="8" height="8" rx="1" fill="currentColor" />
            </svg>
        }
        .into_any()
    }
}
