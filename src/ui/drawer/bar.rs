//! The verdict bar: what is left of the drawer when it is folded.

use super::{
    super::{kit::icon_button, marks::Icon, popover, store::Desk},
    counts,
};
use crate::sorted;
use crate::{
    action::Command,
    analysis::{ConsumerReport, delivery::verdict::Label},
    documents::put_aside_on,
    model::{Id, counted, units::human::unbroken},
};
use leptos::prelude::*;

/// The consumers in the order of their names, worst label first.
pub fn consumers(desk: Desk) -> Vec<Id> {
    let review = desk.review();
    let label = |report: &ConsumerReport| (report.delivery.label == Label::NoClaim, report.delivery.label);
    let mut all: Vec<_> = review.consumers.iter().map(|(id, report)| (label(report), id)).collect();
    sorted::sort_by_key(&mut all, |(label, _)| *label);
    all.into_iter().map(|(_, id)| id.clone()).collect()
}

/// The bar.
pub fn bar(desk: Desk) -> AnyView {
    let all = consumers(desk);
    let at = desk.panes.consumer.get().min(all.len().saturating_sub(1));
    let step = move |by: usize, count: usize| desk.panes.consumer.set((at + by) % count.max(1));
    let count = all.len();
    let shown = all.get(at).and_then(|id| {
        let review = desk.review();
        let report = review.consumers.get(id)?.delivery.clone();
        let name = desk.meaning.with(|design| design.title(id));
        let aside: Vec<&str> = put_aside_on(&review, &report).map(|(finding, ..)| finding.rule).collect();
        let aside = if aside.is_empty() { String::new() } else { format!(" · {} put aside", aside.join(", ")) };
        Some(view! {
            {popover::badge(desk, id, review.view, &report.badge, true, 2.0)}
            <div class="grow">
                <p class="bar-sentence cut">{unbroken(&report.sentence).into_owned()}</p>
                <p class="small quiet cut">{format!("{name} · {} of {}{aside}", at + 1, counted(count, "consumer"))}</p>
            </div>
        }.into_any())
    });
    view! {
        <div class="row verdict-bar">
            {super::super::reader::newer_note(desk)}
            {shown.unwrap_or_else(|| view! {
                <p class="grow second" hidden=desk.newer.with(Option::is_some)>"No consumer is drawn yet. Draw who acts on the result, and its verdict stands here."</p>
            }.into_any())}
            <div class="row bar-counts">{counts(desk)}</div>
            {(count > 1).then(|| view! {
                <button type="button" class="button" on:click=move |_| step(1, count)>"Next consumer"</button>
            })}
            {icon_button(desk, Command::Drawer, "", "Open the drawer", Icon::Up)}
        </div>
    }
    .into_any()
}
