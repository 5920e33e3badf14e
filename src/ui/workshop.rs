//! Workshop view: for the projector. The drawing, the verdict of one consumer in large letters, and nothing else.

use super::{
    canvas::legend,
    drawer::consumers,
    kit::{reveal, segmented},
    marks::{Level, severity, weakest_glyph},
    popover,
    run::run,
    store::{Desk, Tab},
    top_bar::SHOWS,
};
use crate::{
    action::Command,
    analysis::delivery::verdict::{DeliveryVerdict, Hop},
    model::{counted, units::human::unbroken},
};
use leptos::prelude::*;

/// What lies over the upper edge of the canvas: the name, the view, halts, and the way out.
pub fn head(desk: Desk) -> AnyView {
    let name = move || desk.design.with(|design| design.name.as_ref().map(ToString::to_string)).unwrap_or_default();
    let halts = Memo::new(move |_| desk.review().halts.len());
    view! {
        <header class="workshop-head row" aria-label="Workshop view">
            <h1 class="cut">{name}</h1>
            {segmented("Show", SHOWS, move || desk.show.get(), move |show| desk.show.set(show))}
            {legend(desk)}
            <span class="grow"></span>
            {move || (halts.get() > 0).then(|| view! {
                <button type="button" class="button" on:click=move |_| {
                    desk.panes.workshop.set(false);
                    desk.panes.go(Tab::Findings);
                }>
                    {severity(Level::Halt)} {counted(halts.get(), "halt")}
                </button>
            })}
            <button type="button" class="button" data-leave="" on:click=move |_| run(desk, Command::Workshop)>
                "Leave workshop view" <kbd data-key="Esc"></kbd>
            </button>
        </header>
    }
    .into_any()
}

/// The one verdict under the canvas.
pub fn verdict(desk: Desk) -> AnyView {
    let all = consumers(desk);
    let count = all.len();
    let at = desk.panes.consumer.get().min(count.saturating_sub(1));
    let review = desk.review();
    let shown = all.get(at).and_then(|id| {
        let verdict = review.consumers.get(id)?.delivery.clone();
        let (name, owner) = desk.design.with(|d| (d.title(id), d.subject(id).and_then(|s| s.owner.clone())));
        Some(view! {
            {popover::badge(desk, id, review.view, &verdict.badge, true, 4.2)}
            <div class="grow" data-workshop-consumer=id.to_string()>
                <p class="workshop-who"><strong>{name}</strong> " " <span class="quiet">{owner.map(|o| o.to_string())}</span></p>
                <p class="workshop-sentence">{unbroken(&verdict.sentence).into_owned()}</p>
                <p class="workshop-where row wrap">{hops(desk, &verdict)}</p>
            </div>
        }.into_any())
    });
    view! {
        <section class="workshop-verdict row" data-pane="workshop" aria-label="Verdict" aria-live="polite">
            {shown.unwrap_or_else(|| view! { <p class="workshop-sentence">"No consumer is drawn yet."</p> }.into_any())}
            {(count > 1).then(|| view! {
                <span class="quiet nowrap">{format!("{} of {count}", at + 1)}</span>
                <button type="button" class="button" on:click=move |_| run(desk, Command::NextConsumer)>"Next consumer"</button>
            })}
        </section>
    }
    .into_any()
}

/// Where loss and repeats come from.
fn hops(desk: Desk, verdict: &DeliveryVerdict) -> AnyView {
    let one = |hop: &Option<Hop>, loss: bool, conditional: bool| {
        let hop = hop.as_ref()?;
        let (id, title) = (hop.at.clone(), desk.design.with(|d| d.title(&hop.at)));
        Some(
            view! {
                <span class="row" class:seen=!conditional>
                    {weakest_glyph(loss)}
                    {if loss { "weakest for loss at" } else { "weakest for duplicates at" }}
                    <button type="button" class="plain-name" on:click=move |_| reveal(desk, &id)>{title}</button>
                </span>
            }
            .into_any(),
        )
    };
    let Some(weakest) = verdict.weakest_claimed() else { return ().into_any() };
    let found: Vec<AnyView> = [
        one(&weakest.duplicate_origin, false, weakest.duplicate_conditional),
        one(&weakest.loss, true, weakest.loss_conditional),
    ]
    .into_iter()
    .flatten()
    .collect();
    found.into_any()
}
