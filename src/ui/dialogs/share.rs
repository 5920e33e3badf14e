//! Sharing: the link is the design. Its length and what goes in are said before it is copied.

use super::{
    super::{
        kit::{command_button, segmented},
        marks::{Icon, Level, icon, severity},
        session,
        store::{Desk, Kind},
    },
    dialog_head,
};
use crate::{
    action::Command,
    codec::link::{Band, Flavour, QR_MOST, TO_EDIT, names, qr},
    model::{counted, units::human},
    platform::{address, clipboard},
};
use leptos::{prelude::*, task::spawn_local};

const OPENS: &[(bool, &str)] = &[(false, "to read first"), (true, "ready to edit")];
const FLAVOURS: &[(Flavour, &str)] = &[(Flavour::Full, "everything"), (Flavour::View, "to look at")];

/// The bands with their bounds.
const BANDS: [(Band, usize, &str, &str); 4] = [
    (Band::Anywhere, 2_000, "fits anywhere", "up to 2\u{2009}000"),
    (Band::ChatAndMail, 8_000, "fits chat and mail", "up to 8\u{2009}000"),
    (Band::BrowserOnly, 32_000, "browser only", "up to 32\u{2009}000"),
    (Band::File, usize::MAX, "send the file", "above"),
];

/// The dialog.
pub fn share(desk: Desk) -> AnyView {
    let flavour = RwSignal::new(Flavour::Full);
    let with_names = RwSignal::new(true);
    let to_edit = RwSignal::new(false);
    let made = Memo::new(move |_| session::make_link(desk, flavour.get(), with_names.get()));
    let address = move || {
        let behind = if to_edit.get() { TO_EDIT } else { "" };
        format!("{}#{}{behind}", address::base(), made.get())
    };
    let copy = move |_| {
        let text = untrack(address);
        spawn_local(async move {
            match clipboard::write(&text).await {
                Ok(()) => desk.messages.say(Kind::Settled, "Link copied", "Whoever has it can read all of the design."),
                Err(why) => desk.messages.say(
                    Kind::Warning,
                    "Not copied",
                    &format!("{why}. Select the link and copy it by hand."),
                ),
            }
        });
    };
    let length = move || address().chars().count();
    view! {
        {dialog_head(desk, "Share as a link".into_any(), "The link is the design. Nothing is uploaded, and whoever has the link can read all of it.".into_any())}
        <div class="dialog-scroll dialog-pad stack share">
            <div class="row">
                <input class="input mono grow" readonly=true aria-label="Link" data-share-link="" prop:value=address on:focus=|event| {
                    use wasm_bindgen::JsCast;
                    if let Some(input) = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlInputElement>().ok()) {
                        input.select();
                    }
                } />
                <button type="button" class="button primary" on:click=copy>"Copy link"</button>
            </div>
            {move || bands(length(), &contents(desk))}
            <div class="share-parts">
            <div class="stack">
            <h3 class="panel-title">"What goes in"</h3>
            <div class="row wrap">
                {segmented("What goes in", FLAVOURS, move || flavour.get(), move |chosen| flavour.set(chosen))}
                <span class="small second grow">
                    {move || match flavour.get() {
                        Flavour::Full => "Design, facts, sources, approvals, notes and open questions. The edit history stays here.",
                        Flavour::View => "Design, facts and positions; notes and the text of evidence stay here.",
                    }}
                </span>
            </div>
            {move || people(desk, with_names)}
            <div class="row wrap">
                <span class="label">"Opens"</span>
                {segmented("Opens", OPENS, move || to_edit.get(), move |chosen| to_edit.set(chosen))}
                <span class="small second grow">
                    {move || if to_edit.get() {
                        "A copy is kept on the device of whoever opens it, and can be changed at once."
                    } else {
                        "Nothing is stored; who wants to change it keeps a copy."
                    }}
                </span>
            </div>
            </div>
            {move || code(&address())}
            </div>
        </div>
        <footer class="dialog-foot row wrap">
            <button type="button" class="button" on:click=move |_| session::save_file(desk)>{icon(Icon::Download)} "design.json"</button>
            {command_button(desk, Command::SavePng, "", "PNG".into_any())}
            {command_button(desk, Command::SaveSvg, "", "SVG".into_any())}
            {command_button(desk, Command::Print, "", view! { {icon(Icon::Print)} "Print" }.into_any())}
            <span class="grow"></span>
            <span class="small quiet">"design.json opens in any later version"</span>
        </footer>
    }
    .into_any()
}

/// The link for a room: as a QR code where it fits, else why not.
fn code(address: &str) -> AnyView {
    let Some(code) = qr(address) else {
        return view! {
            <p class="well second share-code" data-qr="none">
                "Too long for a QR code, which holds "{human::decimals(QR_MOST as f64, 0)}" characters. “To look at” makes the link shorter; else send it, or the file."
            </p>
        }
        .into_any();
    };
    view! {
        <figure class="share-code" data-qr=code.side.to_string()>
            <svg viewBox=format!("0 0 {0} {0}", code.side) role="img" aria-label="QR code of the link" shape-rendering="crispEdges">
                <rect width=code.side height=code.side fill="#fff" />
                <path d=code.path fill="#000" />
            </svg>
            <figcaption class="small quiet">"for the room: scan from the projector"</figcaption>
        </figure>
    }
    .into_any()
}

fn contents(desk: Desk) -> String {
    desk.design.with(|d| format!("{}, {}", counted(d.elements.len(), "element"), counted(d.links.len(), "link")))
}

fn bands(length: usize, contents: &str) -> AnyView {
    let band = Band::of(length);
    let mut lower = 0_usize;
    let cells: Vec<AnyView> = BANDS
        .iter()
        .enumerate()
        .map(|(i, (of, below, words, limit))| {
            let (here, passed) = (*of == band, *of < band);
            let span = (*below).min(lower.saturating_mul(4).max(2_000)).saturating_sub(lower).max(1);
            let share = (length.saturating_sub(lower) as f64 / span as f64).clamp(0.03, 1.0) * 100.0;
            lower = *below;
            let width = if passed {
                100.0
            } else if here {
                share
            } else {
                0.0
            };
            view! {
                <div class="band" class:reached=here class:passed=passed>
                    <div class=format!("band-bar band-{i}")><span style=format!("width:{width}%")></span></div>
                    <p class="small" class:strong=here>{*words}</p>
                    <p class="small quiet">{*limit}</p>
                </div>
            }
            .into_any()
        })
        .collect();
    view! {
        <div class="row wrap">
            <strong data-link-length=length.to_string()>{human::decimals(length as f64, 0)} " characters"</strong>
            <span class="pill">{(band == Band::Anywhere).then(|| severity(Level::Settled))} {band.words()}</span>
            <span class="grow"></span>
            <span class="small quiet">{contents.to_owned()}</span>
        </div>
        <div class="bands" role="img" aria-label=format!("{length} characters: {}", band.words())>{cells}</div>
    }
    .into_any()
}

/// Owners may be personal names: said before anything is copied, with a switch.
fn people(desk: Desk, with_names: RwSignal<bool>) -> AnyView {
    let listed: Vec<String> = desk.design.with(|design| names(design)).into_iter().collect();
    if listed.is_empty() {
        return ().into_any();
    }
    view! {
        <label class="row share-names">
            <input
                type="checkbox"
                data-share-names=""
                prop:checked=move || with_names.get()
                on:change=move |event| with_names.set(event_target_checked(&event))
            />
            <span class="grow">
                "Names of owners " {severity(Level::Warning)} <span class="small second">" these may be people: " {listed.join(", ")}</span>
            </span>
        </label>
    }
    .into_any()
}
