//! The head: what is selected, its name, its badge, and what the rules say about it.

use super::super::{
    drawer::findings,
    kit::fix_button,
    marks::{badge, badge_words, severity},
    store::Desk,
};
use crate::{
    edit::{Edit, Label},
    model::{Design, ElementKind, Id, Port, Section, Shape},
    rules::Finding,
};
use leptos::prelude::*;

/// What this subject is, in a line: `Link · read of a channel`.
pub fn role(design: &Design, id: &Id) -> String {
    let Some(subject) = design.subject(id) else { return String::new() };
    match &subject.shape {
        Shape::Element(element) => {
            let system = design.system(id).and_then(|s| crate::catalog::entry(s)).map(|entry| entry.name);
            let kind = kind_title(element.kind());
            match (design.job_of(id), system) {
                (Some(job), _) => format!("{kind} in {}", design.title(job)),
                (None, Some(system)) => format!("{kind} · {system}"),
                (None, None) => kind.to_owned(),
            }
        }
        Shape::Link(link) => {
            let port = match link.port {
                Some(Port::Late) => "late records",
                Some(Port::DeadLetter) => "dead letters",
                Some(Port::Side) => "side output",
                Some(Port::Reconcile) => "comparison of two results",
                None => match (design.kind(&link.from), design.kind(&link.to)) {
                    (Some(ElementKind::Channel), _) => "read of a channel",
                    (_, Some(ElementKind::Channel)) => "write to a channel",
                    (_, Some(ElementKind::Sink)) => "write to a sink",
                    (Some(ElementKind::Sink), _) => "read of a sink",
                    (Some(ElementKind::Source), _) => "hand-over of a source",
                    _ => "hand-over within a job",
                },
            };
            format!("Link · {port}")
        }
        Shape::Event => "Event type".to_owned(),
        Shape::Cluster { .. } => "Cluster".to_owned(),
    }
}

/// A kind as a heading.
pub const fn kind_title(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Source => "Source",
        ElementKind::Channel => "Channel",
        ElementKind::Job => "Job",
        ElementKind::Operator => "Operator",
        ElementKind::Sink => "Sink",
        ElementKind::Consumer => "Consumer",
        ElementKind::Batch => "Batch path",
    }
}

/// The head.
pub fn head(desk: Desk, id: &Id) -> AnyView {
    let is_link = desk.design.with_untracked(|d| d.section_of(id) == Some(Section::Links));
    let (for_role, for_badge, for_findings) = (id.clone(), id.clone(), id.clone());
    let title = if is_link {
        let id = id.clone();
        view! { <h2 class="panel-title">{move || desk.design.with(|d| d.title(&id))}</h2> }.into_any()
    } else {
        name(desk, id)
    };
    view! {
        <header class="inspector-head">
            <p class="small quiet">{move || desk.design.with(|d| role(d, &for_role))}</p>
            {title}
            {move || badge_line(desk, &for_badge)}
        </header>
        {move || about(desk, &for_findings)}
    }
    .into_any()
}

fn name(desk: Desk, id: &Id) -> AnyView {
    let (for_shown, for_edit) = (id.clone(), id.clone());
    let shown = move || desk.design.with(|d| d.title(&for_shown));
    view! {
        <h2 class="panel-title">
            <input
                class="name-input"
                aria-label="Name"
                maxlength="120"
                data-field="name"
                prop:value=shown
                prop:readOnly=move || desk.reading.get()
                on:keydown=|event| if event.key() == "Enter" { blur(&event) }
                on:change=move |event| {
                    let text = event_target_value(&event);
                    let to = (!text.trim().is_empty()).then(|| text.trim().into());
                    desk.edit(Edit::Label { subject: for_edit.clone(), label: Label::Name, to }, "Rename", None);
                }
            />
        </h2>
    }
    .into_any()
}

/// Ends typing in a field, which commits it.
pub fn blur(event: &leptos::ev::KeyboardEvent) {
    use wasm_bindgen::JsCast;
    if let Some(input) = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = input.blur();
    }
}

fn badge_line(desk: Desk, id: &Id) -> AnyView {
    let review = desk.review();
    let (shown, loud) = match (review.consumers.get(id), review.links.get(id)) {
        (Some(consumer), _) => (consumer.delivery.badge.clone(), true),
        (None, Some(link)) => (link.badge.clone(), false),
        _ => return ().into_any(),
    };
    let captions = review.links.get(id).map(|link| link.captions.join(", ")).filter(|text| !text.is_empty());
    let loud = loud
        || review.consumers.values().any(|c| {
            let weakest = &c.delivery.weakest;
            weakest.duplicate_origin.iter().chain(&weakest.loss).any(|hop| hop.at == *id)
        });
    view! {
        <div class="row inspector-badge">
            {badge(&shown, loud, 1.5)}
            <p class="small second">{badge_words(&shown)} {captions.map(|text| view! { <span class="block quiet">{text}</span> })}</p>
        </div>
    }
    .into_any()
}

fn about(desk: Desk, id: &Id) -> AnyView {
    let review = desk.review();
    let cards: Vec<AnyView> = review
        .findings
        .iter()
        .filter(|f| f.accepted.is_none() && f.about.contains(id))
        .map(|finding| short_card(desk, finding))
        .collect();
    let halts: Vec<AnyView> = review
        .halts
        .iter()
        .filter(|halt| halt.about.contains(id))
        .map(|halt| {
            view! {
                <article class="short-finding">
                    {severity(super::super::marks::Level::Halt)}
                    <div><p><strong>{halt.action.clone()}</strong></p><p class="second small">"Lifted by: " {halt.lifted_by.clone()} "."</p></div>
                </article>
            }
            .into_any()
        })
        .collect();
    if cards.is_empty() && halts.is_empty() {
        return ().into_any();
    }
    view! { <div class="inspector-findings">{halts} {cards}</div> }.into_any()
}

fn short_card(desk: Desk, finding: &Finding) -> AnyView {
    let open = RwSignal::new(false);
    let fix = finding.fix.as_ref().map(|fix| fix_button(desk, fix, true));
    let whole = finding.clone();
    view! {
        <article class="short-finding" data-rule=finding.rule>
            {severity(finding.severity.into())}
            <div class="grow">
                <p><strong>{finding.message.clone()}</strong></p>
                <p class="second small">{finding.why.clone()}</p>
                <div class="row wrap">
                    {fix}
                    <button type="button" class="button link mono" aria-expanded=move || open.get().to_string() on:click=move |_| open.update(|o| *o = !*o)>{finding.rule}</button>
                </div>
                {move || open.get().then(|| findings::card(desk, &whole))}
            </div>
        </article>
    }
    .into_any()
}
