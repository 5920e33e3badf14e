//! A card that opens a design: its path, its verdict, what is still open.

use super::super::{marks, session, store::Desk};
use crate::sorted::SortedSet;
use crate::{
    analysis::{
        self,
        delivery::verdict::{Badge, Label},
    },
    codec,
    model::{Design, ElementKind, Id, View},
};
use leptos::prelude::*;

/// What a card says of a design.
#[derive(Clone, PartialEq)]
pub struct Glance {
    /// The kinds along the main path.
    pub kinds: Vec<ElementKind>,
    /// The badge of its worst consumer.
    pub badge: Option<Badge>,
    /// The sentence of that consumer.
    pub sentence: Option<String>,
    /// How many facts its verdicts still need.
    pub open: usize,
}

/// Looks at a design.
pub fn glance(design: &Design) -> Glance {
    let report = analysis::analyse(design, View::ToBe);
    // The worst of those that something can be said about; of all, where nothing can.
    let worst = report.consumers.iter().min_by_key(|(_, c)| (c.delivery.label == Label::NoClaim, c.delivery.label));
    let open: SortedSet<_> = report.consumers.values().flat_map(|c| c.delivery.unknown.iter()).collect();
    Glance {
        kinds: worst.map_or_else(Vec::new, |(id, _)| path_to(design, id)),
        badge: worst.map(|(_, c)| c.delivery.badge.clone()),
        sentence: worst.map(|(_, c)| c.delivery.sentence.clone()),
        open: open.len(),
    }
}

/// The kinds from a source to an element, along main links upstream.
fn path_to(design: &Design, end: &Id) -> Vec<ElementKind> {
    let mut path = Vec::new();
    let mut seen = SortedSet::new();
    let mut at = Some(end.clone());
    while let Some(id) = at.take().filter(|id| seen.insert(id.clone())) {
        path.extend(design.kind(&id));
        let before = design.links.values().filter_map(|s| s.as_link()).find(|l| l.to == id && l.port.is_none());
        at = before.map(|link| link.from.clone());
    }
    path.reverse();
    path
}

/// The card of a built-in design.
pub fn card(desk: Desk, id: &'static str, title: &'static str, caption: &'static str, text: &'static str) -> AnyView {
    let seen = codec::decode(text).ok().map(|design| glance(&design));
    let (strip, line) = match &seen {
        Some(glance) => (marks::strip(&glance.kinds), verdict(glance, caption)),
        None => (().into_any(), ().into_any()),
    };
    view! {
        <button type="button" class="card" data-example=id on:click=move |_| session::open_built_in(desk, text)>
            {strip}
            <strong class="card-title">{title}</strong>
            {line}
        </button>
    }
    .into_any()
}

/// Badge, caption, open count.
pub fn verdict(glance: &Glance, caption: &str) -> AnyView {
    let open = match glance.open {
        0 => "nothing open".to_owned(),
        n => format!("{n} open"),
    };
    view! {
        <span class="row card-line">
            {glance.badge.as_ref().map(|badge| marks::badge(badge, false, 1.2))}
            <span class="grow second">{caption.to_owned()}</span>
            <span class="small quiet nowrap">{open}</span>
        </span>
    }
    .into_any()
}
