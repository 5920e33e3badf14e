//! The bottom drawer: a tab each for verdict, findings, explanation, timeline, ruler, state and lag; folded, the verdict bar.

mod badge;
mod bar;
pub mod cards;
mod chart;
pub mod compare;
pub mod explain;
mod facts;
pub mod findings;
mod halt;
mod hops;
mod line;
mod proposal;
mod ruler;
pub mod setting;
mod shown;
mod state;
mod timeline;
mod uses;
mod verdict;

pub use bar::consumers;
pub use verdict::card as verdict_card;

use super::{
    kit::icon_button,
    marks::{Icon, Level, severity},
    store::{Desk, Show, Tab},
};
use crate::{action::Command, platform::device, rules::Severity};
use leptos::prelude::*;

/// The drawer.
pub fn drawer(desk: Desk) -> AnyView {
    view! {
        <section
            class="drawer"
            class:folded=move || !desk.panes.drawer.get()
            class:tall=move || desk.panes.drawer.get() && tall(desk)
            class:tallest=move || desk.panes.drawer.get() && pictures(desk.panes.tab.get())
            data-pane="drawer"
            tabindex="-1"
            aria-label="Drawer"
        >
            {move || if desk.panes.drawer.get() { open(desk) } else { bar::bar(desk) }}
        </section>
    }
    .into_any()
}

/// An explanation and the differences of two views need more room than a verdict.
fn tall(desk: Desk) -> bool {
    match desk.panes.tab.get() {
        Tab::Explain => true,
        Tab::Verdict => desk.show.get() == Show::Both,
        Tab::Findings | Tab::Timeline | Tab::Replay | Tab::State | Tab::Documents => false,
    }
}

/// Tabs that draw a picture take most of the window.
const fn pictures(tab: Tab) -> bool {
    matches!(tab, Tab::Timeline | Tab::Replay | Tab::State)
}

fn open(desk: Desk) -> AnyView {
    let tabs: Vec<AnyView> = Tab::ALL.into_iter().map(|tab| tab_button(desk, tab)).collect();
    let moved = move |event: leptos::ev::KeyboardEvent| {
        let by: isize = match event.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => -1,
            _ => return,
        };
        event.prevent_default();
        let at = Tab::ALL.iter().position(|tab| *tab == desk.panes.tab.get_untracked()).unwrap_or(0);
        let next = (at as isize + by).rem_euclid(Tab::ALL.len() as isize) as usize;
        if let Some(tab) = Tab::ALL.get(next).filter(|tab| **tab != Tab::Documents) {
            desk.panes.go(*tab);
            device::focus("[role=tab][aria-selected=true]");
        }
    };
    let last = std::cell::Cell::new(desk.panes.tab.get_untracked());
    view! {
        <div class="tabs row">
            <div class="row tab-list" role="tablist" aria-label="Drawer" on:keydown=moved>{tabs}</div>
            <span class="grow"></span>
            {icon_button(desk, Command::Drawer, "", "Fold the drawer", Icon::Down)}
        </div>
        // Laid out apart: what changes in it moves nothing around it.
        <div class="drawer-room"><div class="drawer-body" role="tabpanel" tabindex="0" aria-label=move || desk.panes.tab.get().title()>
            {move || {
                let tab = desk.panes.tab.get();
                // A panel that is drawn anew stays where it was; another one begins at its top.
                if last.replace(tab) == tab {
                    device::hold_place(".drawer-body");
                } else if let Some(body) = device::query(".drawer-body") {
                    body.set_scroll_top(0);
                }
                // Where only a later version may judge, there is nothing to show beside the reason.
                let judged = desk.newer.with(|file| file.as_ref().is_none_or(|file| file.newer.verdicts));
                let panel = match tab {
                    Tab::Verdict | Tab::Documents if judged => verdict::panel(desk),
                    Tab::Findings if judged => findings::panel(desk),
                    Tab::Explain if judged => explain::panel(desk),
                    Tab::Timeline if judged => timeline::panel(desk),
                    Tab::Replay if judged => ruler::panel(desk),
                    Tab::State if judged => state::panel(desk),
                    _ => ().into_any(),
                };
                view! { {super::reader::newer_note(desk)} {panel} }
            }}
        </div></div>
    }
    .into_any()
}

fn tab_button(desk: Desk, tab: Tab) -> AnyView {
    let selected = move || desk.panes.tab.get() == tab;
    view! {
        <button
            type="button"
            role="tab"
            class="tab"
            aria-selected=move || selected().to_string()
            tabindex=move || if selected() { "0" } else { "-1" }
            data-tab=tab.title()
            on:click=move |_| desk.panes.go(tab)
        >
            {tab.title()}
            {(tab == Tab::Findings).then(|| view! { <span class="tab-counts">{counts(desk)}</span> })}
        </button>
    }
    .into_any()
}

/// How many of each severity stand open.
pub fn counts(desk: Desk) -> AnyView {
    let shown = Memo::new(move |_| {
        let review = desk.review();
        let open = |of: Severity| review.findings.iter().filter(|f| f.accepted.is_none() && f.severity == of).count();
        [review.halts.len(), open(Severity::Error), open(Severity::Warning)]
    });
    (move || {
        let levels = [Level::Halt, Level::Error, Level::Warning].into_iter().zip(shown.get());
        levels
            .filter(|(_, count)| *count > 0)
            .map(|(level, count)| view! { <span class="row count">{severity(level)} {count}</span> }.into_any())
            .collect::<Vec<_>>()
    })
    .into_any()
}
