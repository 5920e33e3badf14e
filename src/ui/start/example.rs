//! A card that opens a design: its path, its verdict, what is still open.

use super::super::{marks, session, store::Desk};
use crate::{
    action::{Glance, glance},
    codec,
};
use leptos::prelude::*;

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

/// Badge, caption, and what stands open.
pub fn verdict(glance: &Glance, caption: &str) -> AnyView {
    view! {
        <span class="row card-line">
            {glance.badge.as_ref().map(|badge| marks::badge(badge, false, 1.2))}
            <span class="grow">
                <span class="second block">{caption.to_owned()}</span>
                <span class="small quiet block">{glance.open.clone()}</span>
            </span>
        </span>
    }
    .into_any()
}
