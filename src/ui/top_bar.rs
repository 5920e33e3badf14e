//! The top bar: menu, name, saved state, undo, as-is and to-be, commands, import, documents, share, theme.

use super::{
    kit::{command_button, refused, segmented, tooltip},
    marks::{Icon, icon},
    menu,
    run::run,
    store::{Desk, Saved, Show, Theme},
};
use crate::{action::Command, edit::Edit, platform::frame};
use leptos::{html::Input, prelude::*};

/// The views of a design.
pub const SHOWS: &[(Show, &str)] = &[(Show::AsIs, "As-is"), (Show::ToBe, "To-be"), (Show::Both, "Both")];

/// The bar.
pub fn top_bar(desk: Desk) -> AnyView {
    let reading = Memo::new(move |_| desk.saved.get() == Saved::Reading);
    view! {
        <header class="top" data-pane="top" tabindex="-1" aria-label="Design">
            <div class="row top-start">
                {menu::menu(desk)}
                {name(desk)}
                <span class="small quiet saved cut" data-saved=move || format!("{:?}", desk.saved.get())>
                    {saved_line(desk)}
                </span>
                <span class="top-rule" aria-hidden="true"></span>
                {move || (!reading.get()).then(|| view! {
                    {command_button(desk, Command::Undo, "ghost icon", icon(Icon::Undo))}
                    {command_button(desk, Command::Redo, "ghost icon", icon(Icon::Redo))}
                }.into_any())}
            </div>
            <div class="row top-middle">
                <span class="small quiet wide-only" aria-hidden="true">"Show"</span>
                {segmented("Show", SHOWS, move || desk.show.get(), move |show| desk.show.set(show))}
            </div>
            <div class="row top-end">
                <button
                    type="button"
                    class="button commands"
                    title=move || tooltip(desk, Command::Commands)
                    aria-label="Commands"
                    on:click=move |_| run(desk, Command::Commands)
                >
                    {icon(Icon::Search)}
                    <span class="wide-only second">"Commands"</span>
                    <kbd class="wide-only" data-key="Ctrl K"></kbd>
                </button>
                {move || (!reading.get()).then(|| command_button(desk, Command::Import, "", "Import".into_any()))}
                {command_button(desk, Command::GoDocuments, "", "Documents".into_any())}
                {move || (!reading.get()).then(|| command_button(
                    desk,
                    Command::Share,
                    "primary",
                    view! { {icon(Icon::Link)} "Share" }.into_any(),
                ))}
                <button
                    type="button"
                    class="button ghost icon"
                    title=move || tooltip(desk, Command::Theme)
                    aria-label="Light or dark"
                    on:click=move |_| run(desk, Command::Theme)
                >
                    {move || icon(if desk.panes.theme.get() == Theme::Dark { Icon::Sun } else { Icon::Moon })}
                </button>
            </div>
        </header>
    }
    .into_any()
}

/// The name, as a field that looks like a heading.
fn name(desk: Desk) -> AnyView {
    let shown = move || desk.design.with(|d| d.name.as_ref().map(ToString::to_string)).unwrap_or_default();
    let (why, input) = (RwSignal::new(None::<String>), NodeRef::<Input>::new());
    let rename = move |event: leptos::ev::Event| {
        let text = event_target_value(&event);
        if text.trim() != untrack(shown) {
            why.set(refused::rename(desk, &text, "Rename the design", Edit::Title).err());
        }
    };
    view! {
        <h1 class="name">
            <input
                class="name-input"
                node_ref=input
                aria-label="Name of the design"
                aria-invalid=move || why.with(Option::is_some).to_string()
                placeholder="Untitled pipeline"
                maxlength="200"
                prop:value=shown
                prop:readOnly=move || desk.reading.get()
                on:input=move |_| why.set(None)
                on:change=rename
                on:keydown=|event| {
                    if event.key() == "Enter" {
                        super::run::focus_pane("canvas");
                    }
                }
            />
        </h1>
        {refused::reason(why, input)}
    }
    .into_any()
}

/// Whether the work is safe, in words. They follow the frame of an edit: other words would have the whole page laid out.
fn saved_line(desk: Desk) -> AnyView {
    let shown = RwSignal::new(desk.saved.get_untracked());
    Effect::new(move |_| {
        desk.saved.track();
        frame::after(move || {
            let now = desk.saved.get_untracked();
            if shown.try_with_untracked(|shown| *shown != now) == Some(true) {
                shown.set(now);
            }
        });
    });
    (move || match (shown.get(), desk.newer.get()) {
        (Saved::Reading, Some(file)) if file.kept => "on this device as it came",
        (Saved::Reading, Some(file)) if file.from_file => "opened from a file",
        (saved, _) => saved_words(saved),
    })
    .into_any()
}

const fn saved_words(saved: Saved) -> &'static str {
    match saved {
        Saved::Nothing => "saved on this device, works offline",
        Saved::Pending => "saving",
        Saved::OnDevice => "saved on this device",
        Saved::Full => "not saved: this device has no room left",
        Saved::Unavailable => "in this tab only",
        Saved::Reading => "opened from a link",
        Saved::OtherTab => "edited in another tab, read only",
        Saved::Released => "read only, nobody edits it now",
    }
}
