//! The halt banner over the canvas. It cannot be closed, only lifted or withdrawn.

use super::{
    marks::{Level, severity},
    store::{Desk, Tab},
};
use crate::{
    model::{counted, units::human::unbroken},
    platform::device,
    rules::Halt,
};
use leptos::prelude::*;

/// The banner, where something is halted.
pub fn halts(desk: Desk, halts: &[Halt]) -> AnyView {
    let Some(first) = halts.first() else { return ().into_any() };
    let count = halts.len();
    let words = counted(count, "halt");
    view! {
        <section class="halt-banner" role="status" aria-label="Halts" data-halts=count.to_string()>
            {severity(Level::Halt)}
            <strong class="nowrap">{words}</strong>
            <span class="second">
                {unbroken(&first.action).into_owned()} ". " <strong>"Lifted by: "</strong> {first.lifted_by.clone()} "."
            </span>
            <button type="button" class="button link" data-review="" on:click=move |_| {
                desk.panes.go(Tab::Findings);
                device::focus(".finding.halt button");
                // What lifts it comes before what it is about.
                device::focus(".finding.halt input, .finding.halt [data-decide]");
                device::reveal_soon(".finding.halt");
            }>"Review"</button>
        </section>
    }
    .into_any()
}
