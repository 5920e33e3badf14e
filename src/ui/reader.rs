//! What a reviewer sees who opened a link: a banner, and beside the canvas the design in short.

use super::{
    drawer::verdict_card,
    kit::go_to,
    marks::{Level, basis, severity},
    run::run,
    store::{Desk, NewerFile, Saved},
};
use crate::{
    action::{Command, entry::shown},
    model::{Basis, Design, Id, Known, Section, View, units::human::unbroken},
    rules::Severity,
};
use leptos::prelude::*;

/// The banner: nothing is stored until a copy is kept.
pub fn banner(desk: Desk) -> AnyView {
    if let Some(file) = desk.newer.get() {
        return newer_banner(desk, &file);
    }
    match desk.saved.get() {
        Saved::Reading => view! {
            <section class="reader-banner row" role="status" aria-label="Reading">
                <strong>"Reading."</strong>
                <span class="grow">"Nothing is stored or sent until you keep a copy."</span>
                <button type="button" class="button primary" data-keep="" on:click=move |_| run(desk, Command::Keep)>"Keep a copy and edit"</button>
            </section>
        }
        .into_any(),
        Saved::OtherTab => view! {
            <section class="reader-banner row" role="status" aria-label="Open in another tab">
                <strong>"Open in another tab."</strong>
                <span class="grow">"It is edited there, so it only reads here."</span>
                <button type="button" class="button primary" on:click=move |_| super::session::take_over(desk)>"Edit here"</button>
            </section>
        }
        .into_any(),
        Saved::Released => view! {
            <section class="reader-banner row" role="status" aria-label="Nobody edits it now">
                <strong>"Nobody edits it now."</strong>
                <span class="grow">"The tab that edited it is closed. Every edit made there is stored."</span>
                <button type="button" class="button primary" on:click=move |_| super::session::take_over(desk)>"Edit here"</button>
            </section>
        }
        .into_any(),
        _ => ().into_any(),
    }
}

/// The banner over a document of a later version: what it means, and that every byte of it stays.
fn newer_banner(desk: Desk, file: &NewerFile) -> AnyView {
    let words = match file.newer.unknown_count {
        0 => "It opens to read, and stays as it came.".to_owned(),
        _ => format!("It opens to read. {} unknown here stay in the file as they came.", file.unknown_words()),
    };
    let kept = if file.kept {
        view! { <span class="second">"On this device as it came."</span> }.into_any()
    } else {
        view! { <button type="button" class="button" data-keep="" on:click=move |_| run(desk, Command::Keep)>"Keep a copy"</button> }.into_any()
    };
    view! {
        <section class="reader-banner row" role="status" aria-label="Made with a newer version" data-newer=file.newer.version.to_string()>
            <strong>{format!("Made with version {} of the format.", file.newer.version)}</strong>
            <span class="grow">{words}</span>
            {kept}
            <button type="button" class="button primary" data-original="" on:click=move |_| run(desk, Command::SaveFile)>"Save the original file"</button>
        </section>
    }
    .into_any()
}

/// What a verdict of a document of a later version rests on, or why there is none. Nothing for any other design.
pub fn newer_note(desk: Desk) -> AnyView {
    let Some(file) = desk.newer.get() else { return ().into_any() };
    let version = file.newer.version;
    let text = if file.newer.verdicts && file.newer.unknown_count == 0 {
        format!("Version {version} may judge otherwise.")
    } else if file.newer.verdicts {
        format!(
            "Without {} that this version does not know: version {version} may judge otherwise.",
            file.unknown_words()
        )
    } else {
        format!(
            "No verdict and no finding stands here: the file says that only version {version} or a later one may judge it."
        )
    };
    view! { <p class="newer-note second" data-newer-note="">{severity(Level::Warning)} " " {text}</p> }.into_any()
}

/// In short, for the reviewer.
pub fn summary(desk: Desk) -> AnyView {
    view! {
        <aside class="inspector reader" data-pane="inspector" tabindex="-1" aria-label="In short, for the reviewer">
            {move || {
                let review = desk.review();
                let cards: Vec<AnyView> = review.consumers.keys().map(|id| verdict_card(desk, id)).collect();
                view! {
                    <section class="inspector-section">
                        <h2 class="label">"In short, for the reviewer"</h2>
                        {newer_note(desk)}
                        {cards}
                    </section>
                    {needs(desk)}
                    {changes(desk)}
                    {known(desk)}
                }
            }}
        </aside>
    }
    .into_any()
}

fn needs(desk: Desk) -> AnyView {
    let review = desk.review();
    let owner = |about: &[Id]| {
        let of = about.first().and_then(|id| desk.design.with(|d| d.subject(id).and_then(|s| s.owner.clone())));
        of.map_or_else(|| "owner not stated".to_owned(), |o| o.to_string())
    };
    let halts = review
        .halts
        .iter()
        .map(|halt| row(Level::Halt, halt.action.clone(), halt.lifted_by.clone(), desk, halt.about.first()));
    let errors = review
        .findings
        .iter()
        .filter(|f| f.severity == Severity::Error && f.accepted.is_none())
        .map(|f| row(Level::Error, f.message.clone(), owner(&f.about), desk, f.about.first()));
    let rows: Vec<AnyView> = halts.chain(errors).collect();
    if rows.is_empty() {
        return ().into_any();
    }
    view! { <section class="inspector-section"><h3 class="label">"Needs somebody"</h3> {rows}</section> }.into_any()
}

fn row(level: Level, text: String, who: String, desk: Desk, about: Option<&Id>) -> AnyView {
    let link = about.map(|id| go_to(desk, id.clone(), "Show".to_owned()));
    view! {
        <div class="row need-row">
            {severity(level)}
            <p class="grow"><strong>{unbroken(&text).into_owned()}</strong><span class="block small quiet">{who}</span></p>
            {link}
        </div>
    }
    .into_any()
}

fn changes(desk: Desk) -> AnyView {
    let all: Vec<(String, String, String, String)> = desk.design.with(|design| {
        let sections = [Section::Elements, Section::Links, Section::Clusters, Section::Events];
        let mut all = Vec::new();
        for (id, subject) in sections.into_iter().flat_map(|s| design.section(s)) {
            for (field, value) in subject.proposed.iter() {
                let before = match design.resolve(View::AsIs, id, field) {
                    Known::Value(fact) => shown(&fact.value),
                    _ => String::new(),
                };
                all.push((design.title(id), field.label(), before, shown(value)));
            }
        }
        all
    });
    if all.is_empty() {
        return ().into_any();
    }
    let count = all.len();
    let rows: Vec<AnyView> = all
        .into_iter()
        .take(40)
        .map(|(title, label, before, after)| {
            view! {
                <div class="row change-row">
                    <span class="grow"><strong>{title}</strong> " " <span class="second">{label}</span></span>
                    <span class="nowrap"><span class="second">{before}</span> " → " <strong>{after}</strong> {basis(Basis::Proposed, "")}</span>
                </div>
            }
            .into_any()
        })
        .collect();
    view! { <section class="inspector-section"><h3 class="label">{format!("Proposed changes, {count}")}</h3> {rows}</section> }.into_any()
}

/// How many settings of each basis there are.
fn known(desk: Desk) -> AnyView {
    let counts = desk.design.with(|design| count(design));
    let total: usize = counts.iter().map(|(_, n)| n).sum();
    if total == 0 {
        return ().into_any();
    }
    let parts: Vec<AnyView> = counts
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(of, n)| {
            view! {
                <span class=format!("known-part {}", of.word()) style=format!("flex-grow:{n}") title=format!("{n} {}", of.word())>{of.letter().to_string()}</span>
            }
            .into_any()
        })
        .collect();
    let words: Vec<String> =
        counts.iter().filter(|(_, n)| *n > 0).map(|(of, n)| format!("{n} {}", of.word())).collect();
    view! {
        <section class="inspector-section">
            <h3 class="label">"How well it is known"</h3>
            <div class="known-bar" role="img" aria-label=words.join(", ")>{parts}</div>
            <p class="small second">{words.join(", ")}</p>
        </section>
    }
    .into_any()
}

fn count(design: &Design) -> [(Basis, usize); 5] {
    let mut counts =
        [(Basis::Measured, 0), (Basis::Configured, 0), (Basis::Proposed, 0), (Basis::Stated, 0), (Basis::Assumed, 0)];
    let sections = [Section::Elements, Section::Links, Section::Clusters, Section::Events];
    for (id, subject) in sections.into_iter().flat_map(|s| design.section(s)) {
        for field in design.groups(subject).into_iter().flat_map(crate::model::Group::fields) {
            if let Known::Value(fact) = design.resolve(View::ToBe, id, field)
                && fact.source.subject == *id
                && let Some(entry) = counts.iter_mut().find(|(of, _)| *of == fact.basis)
            {
                entry.1 += 1;
            }
        }
    }
    counts
}
