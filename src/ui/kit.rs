//! Small pieces that every pane uses: command buttons with tooltip and key, segmented controls, explained numbers.

pub mod form;
pub mod refused;

use super::{
    marks::{self, Icon, Mark, icon},
    popover,
    run::run,
    store::{Desk, Explains, Kind},
};
use crate::{
    action::{Command, Figure, FigureKind, spoken},
    analysis::explain::{Derived, MissingWhy, Underivable},
    model::Id,
    platform::clipboard,
};
use leptos::prelude::*;

/// The tooltip of a command: what it does, its key, and why it cannot be used now.
pub fn tooltip(desk: Desk, command: Command) -> String {
    let row = command.row();
    let key = row.keys.first().map(|key| format!(" ({})", spoken(key))).unwrap_or_default();
    match desk.context.with(|context| command.enabled(context)) {
        Ok(()) => format!("{}{key}", row.help.trim_end_matches('.')),
        Err(why) => format!("{}: {why}", row.title),
    }
}

/// A button of a command. Where it cannot be used it stays reachable and says why.
pub fn command_button(desk: Desk, command: Command, class: &'static str, content: AnyView) -> AnyView {
    let label = command.title();
    view! {
        <button
            type="button"
            class=format!("button {class}")
            aria-label=label
            title=move || tooltip(desk, command)
            aria-disabled=move || desk.context.with(|c| command.enabled(c).is_err()).to_string()
            data-command=command.row().id
            on:click=move |_| run(desk, command)
        >
            {content}
        </button>
    }
    .into_any()
}

/// A button of a command that folds or opens something: an icon, with its own label.
pub fn icon_button(desk: Desk, command: Command, class: &'static str, label: &'static str, of: Icon) -> AnyView {
    view! {
        <button
            type="button"
            class=format!("button ghost icon {class}")
            aria-label=label
            title=move || tooltip(desk, command)
            on:click=move |_| run(desk, command)
        >
            {icon(of)}
        </button>
    }
    .into_any()
}

/// One of two to four; arrow keys move.
pub fn segmented<T: Copy + PartialEq + Send + Sync + 'static>(
    label: &'static str,
    options: &'static [(T, &'static str)],
    value: impl Fn() -> T + Copy + Send + Sync + 'static,
    choose: impl Fn(T) + Copy + Send + Sync + 'static,
) -> AnyView {
    let at = Signal::derive(move || options.iter().position(|(option, _)| *option == value()));
    let take = Callback::new(move |at: usize| {
        if let Some((option, _)) = options.get(at) {
            choose(*option);
        }
    });
    let titles = options.iter().map(|(_, title)| (None, (*title).to_owned())).collect();
    radios(label, "segmented", titles, at, take)
}

/// One of several in a row of buttons; arrow keys move, and begin again at the other end. Each has a title, and a key where
/// the row is drawn anew by its own choice: the keyboard comes back to it.
pub fn radios(
    label: &'static str,
    class: &'static str,
    options: Vec<(Option<String>, String)>,
    at: Signal<Option<usize>>,
    take: Callback<usize>,
) -> AnyView {
    let count = options.len();
    let button = |(n, (key, title)): (usize, (Option<String>, String))| {
        let kept = key.as_ref().map(|key| format!("{label} {key}"));
        view! {
            <button
                type="button"
                role="radio"
                aria-checked=move || (at.get() == Some(n)).to_string()
                tabindex=move || if at.get().unwrap_or(0) == n { "0" } else { "-1" }
                data-kept=kept
                data-choice=key
                on:click=move |_| take.run(n)
            >
                {title}
            </button>
        }
        .into_any()
    };
    let buttons: Vec<AnyView> = options.into_iter().enumerate().map(button).collect();
    let moved = move |event: leptos::ev::KeyboardEvent| {
        let now = at.get_untracked().unwrap_or(0);
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => now + 1,
            "ArrowLeft" | "ArrowUp" => now + count.saturating_sub(1),
            "Home" => 0,
            "End" => count.saturating_sub(1),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        take.run(next % count.max(1));
        focus_checked(label, &event);
    };
    view! { <div class=class role="radiogroup" aria-label=label on:keydown=moved>{buttons}</div> }.into_any()
}

/// Moves the keyboard to what is chosen of a group, also where the group was drawn anew.
fn focus_checked(label: &'static str, event: &leptos::ev::KeyboardEvent) {
    use wasm_bindgen::JsCast;
    let group = event.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    wasm_bindgen_futures::spawn_local(async move {
        gloo::timers::future::TimeoutFuture::new(0).await;
        let own = group.filter(|group| group.is_connected());
        let checked = own.and_then(|g| g.query_selector("[aria-checked=true]").ok().flatten());
        match checked.and_then(|b| b.dyn_into::<web_sys::HtmlElement>().ok()) {
            Some(button) => _ = button.focus(),
            None => {
                crate::platform::device::focus_now(&format!(
                    "[role=radiogroup][aria-label=\"{label}\"] [aria-checked=true]"
                ));
            }
        }
    });
}

/// A number with its basis that opens its explanation, or what it is missing.
pub fn figure(desk: Desk, figure: Figure, derived: &Derived) -> AnyView {
    let title = called(desk, &figure);
    let what = Explains::Figure(figure);
    match derived {
        Ok(explained) => {
            let mark = explained.basis.map(|basis| marks::basis(basis, ""));
            let label = format!("{title}: {}. Explain", explained.text());
            view! { <span class="nowrap">{popover::number(desk, what, label, explained.text())} {mark}</span> }
                .into_any()
        }
        Err(underivable) => {
            let word = absent_word(underivable);
            let label = format!("{title}: {word}. Explain");
            view! { <span class="nowrap second">{popover::number(desk, what, label, word.to_owned())} {marks::absent(word)}</span> }
                .into_any()
        }
    }
}

/// What a figure is called aloud: each replay of a consumer by its start.
fn called(desk: Desk, figure: &Figure) -> String {
    use FigureKind::{Replay, ReplayDuration, StartWithin};
    if !matches!(figure.kind, Replay(_) | ReplayDuration(_) | StartWithin(_)) {
        return figure.kind.title().to_owned();
    }
    untrack(|| {
        let review = desk.settled_review(desk.view());
        desk.settled.with_untracked(|design| figure.name(design, &review))
    })
}

/// The same where the number follows: an edit writes its words, and draws its mark anew only where that is another.
pub fn live_figure(desk: Desk, figure: Figure, derived: Memo<Option<Derived>>) -> AnyView {
    let title = called(desk, &figure);
    let said = Memo::new(move |_| {
        derived.with(|derived| match derived {
            Some(Ok(explained)) => (explained.text(), explained.basis.map(Mark::Of), false),
            Some(Err(underivable)) => {
                let word = absent_word(underivable);
                (word.to_owned(), Some(Mark::Absent(word)), true)
            }
            None => Default::default(),
        })
    });
    let look = Memo::new(move |_| said.with(|(_, mark, second)| (*mark, *second)));
    let text = move || said.with(|(text, ..)| text.clone());
    let number = popover::live(desk, Explains::Figure(figure), move || format!("{title}: {}. Explain", text()), text);
    let mark = move || look.get().0.map(|mark| mark.draw(""));
    view! { <span class=move || if look.get().1 { "nowrap second" } else { "nowrap" }>{number} {mark}</span> }
        .into_any()
}

/// Why a number is not there, in a word or two.
pub fn absent_word(underivable: &Underivable) -> &'static str {
    match underivable.missing.first() {
        Some(missing) if missing.why == MissingWhy::NotKnown => missing.nature().absent(),
        Some(missing) if missing.why == MissingWhy::Conflict => "in conflict",
        _ => "not derivable",
    }
}

/// A button that selects something and shows it.
pub fn go_to(desk: Desk, id: Id, text: String) -> AnyView {
    way(desk, id, text.into_any())
}

/// The same by its name, which follows once the frame is drawn.
pub fn go_to_named(desk: Desk, id: Id) -> AnyView {
    let of = id.clone();
    let title = Memo::new(move |_| desk.settled.with(|design| design.title(&of)));
    way(desk, id, (move || title.get()).into_any())
}

fn way(desk: Desk, id: Id, text: AnyView) -> AnyView {
    view! {
        <button type="button" class="button link small" on:click=move |_| reveal(desk, &id)>
            {text}
        </button>
    }
    .into_any()
}

/// Selects something; where it is out of sight, the canvas goes there.
pub fn reveal(desk: Desk, id: &Id) {
    desk.panes.documents.set(false);
    desk.select([id.clone()]);
    desk.panes.inspector.set(true);
    let shown = format!("[data-element-id=\"{id}\"], [data-link-id=\"{id}\"]");
    if crate::platform::device::is_outside(&shown, "[data-pane=canvas]") {
        desk.to_canvas(Command::ZoomSelection);
    }
}

/// A fix as a button that proposes.
pub fn fix_button(desk: Desk, fix: &crate::rules::Fix, primary: bool) -> AnyView {
    let (label, edit) = (fix.label.clone(), fix.edit.clone());
    let said = label.clone();
    view! {
        <button
            type="button"
            class=if primary { "button primary" } else { "button" }
            title="Proposes the change; what was observed stays as it is"
            aria-disabled=move || desk.reading.get().to_string()
            on:click=move |_| {
                desk.edit(edit.clone(), &label, None);
            }
        >
            {said}
        </button>
    }
    .into_any()
}

/// A disclosure that stays open when its panel is drawn anew; `place` names it.
pub fn disclosure(desk: Desk, place: &str, class: &'static str, summary: AnyView, content: AnyView) -> AnyView {
    use wasm_bindgen::JsCast;
    let kept = desk.panes.kept(place, String::new);
    let open = kept.with_untracked(|kept| !kept.is_empty());
    let toggled = move |event: leptos::ev::Event| {
        let details = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        let open = details.is_some_and(|details| details.has_attribute("open"));
        kept.set(if open { "open".to_owned() } else { String::new() });
    };
    view! { <details class=class open=open data-kept=place.to_owned() on:toggle=toggled><summary>{summary}</summary>{content}</details> }
        .into_any()
}

/// The rest of a list that begins in short, one step away; its rows are made once it is opened.
pub fn rest<T: Clone + Send + Sync + 'static>(
    desk: Desk,
    place: &str,
    rest: &[T],
    row: fn(Desk, &T) -> AnyView,
) -> Option<AnyView> {
    let (summary, all) = (format!("and {} more", rest.len()), rest.to_vec());
    let kept = desk.panes.kept(place, String::new);
    let rows = move || {
        kept.with(|kept| !kept.is_empty()).then(|| {
            let rows: Vec<AnyView> = all.iter().map(|one| row(desk, one)).collect();
            view! { <ul class="needs">{rows}</ul> }
        })
    };
    (!rest.is_empty()).then(|| disclosure(desk, place, "verdict-more", summary.into_any(), view! { {rows} }.into_any()))
}

/// Puts a text on the clipboard and says so; a refusal says why.
pub fn copy(desk: Desk, text: String, done: String) {
    wasm_bindgen_futures::spawn_local(async move {
        match clipboard::write(&text).await {
            Ok(()) => desk.messages.announce(&done),
            Err(why) => desk.messages.say(Kind::Warning, "Not copied", &format!("{why}.")),
        }
    });
}
