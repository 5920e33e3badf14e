//! The silhouettes of the kinds, small: for the palette, for patterns and for the outline.

use crate::model::ElementKind;
use leptos::prelude::*;

/// One silhouette in a box of 44 by 28; a note where there is no kind.
pub fn shape(kind: Option<ElementKind>) -> AnyView {
    let picture = match kind {
        Some(ElementKind::Source) => view! { <path d="M3 3h28l10 11-10 11H3z" /> }.into_any(),
        Some(ElementKind::Channel) => view! {
            <path d="M9 3h26a6 11 0 0 1 0 22H9A6 11 0 0 1 9 3z" />
            <path d="M35 3a6 11 0 0 0 0 22" />
        }
        .into_any(),
        Some(ElementKind::Operator) => view! { <rect x="3" y="3" width="38" height="22" rx="3" /> }.into_any(),
        Some(ElementKind::Job) => view! {
            <rect x="3" y="3" width="38" height="22" rx="4" />
            <path d="M3 10h38" />
        }
        .into_any(),
        Some(ElementKind::Sink) => view! { <path d="M3 3h38v22H3l9-11z" /> }.into_any(),
        Some(ElementKind::Consumer) => view! {
            <path d="M3 3h26a11 11 0 0 1 0 22H3z" />
            <path d="M7 7h22a7 7 0 0 1 0 14H7z" />
        }
        .into_any(),
        Some(ElementKind::Batch) => view! {
            <path d="M5 3h30v17H5zM35 6h3v17H8v-3M38 9h3v17H11v-3" />
        }
        .into_any(),
        None => view! {
            <path d="M13 4h18v13l-7 7H13z" />
            <path d="M31 17h-7v7" />
        }
        .into_any(),
    };
    view! { <svg class="shape" viewBox="0 0 44 28" aria-hidden="true">{picture}</svg> }.into_any()
}

/// A path as a strip of silhouettes.
pub fn strip(kinds: &[ElementKind]) -> AnyView {
    let step = 48.0;
    let shapes: Vec<AnyView> = kinds
        .iter()
        .enumerate()
        .map(|(i, kind)| {
            let x = i as f64 * step;
            let link = (i > 0).then(|| view! { <path d=format!("M{} 14h{}", x - 7.0, 10.0) /> });
            let path = match kind {
                ElementKind::Source => "M3 4h24l9 10-9 10H3z",
                ElementKind::Channel => "M8 4h24a5 10 0 0 1 0 20H8A5 10 0 0 1 8 4zM31 4a5 10 0 0 0 0 20",
                ElementKind::Sink => "M3 4h36v20H3l8-10z",
                ElementKind::Consumer => "M3 4h24a10 10 0 0 1 0 20H3z",
                ElementKind::Batch => "M3 4h33v20H3zM36 7h3v20H6v-3",
                ElementKind::Operator | ElementKind::Job => "M3 4h37v20H3z",
            };
            view! {
                {link}
                <path transform=format!("translate({x},0)") d=path />
            }
            .into_any()
        })
        .collect();
    let width = kinds.len().max(1) as f64 * step;
    view! {
        <svg class="strip" viewBox=format!("0 0 {width} 28") style=format!("aspect-ratio:{width}/28") aria-hidden="true">
            {shapes}
        </svg>
    }
    .into_any()
}
