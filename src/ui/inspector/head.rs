//! The head: what is selected, its name, its badge, and what the rules say about it.

use super::super::{
    drawer::{cards::cards, findings},
    kit::{fix_button, refused},
    marks::{Level, badge_words, severity},
    places, popover,
    store::Desk,
};
use crate::{
    analysis::delivery::verdict::Badge,
    edit::{Edit, Label},
    model::{Design, ElementKind, Id, Port, Section, Shape, units::human::unbroken},
    platform::device,
    rules::{Finding, Halt, Review},
};
use leptos::{html::Input, prelude::*};
use std::sync::Arc;

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
    let for_role = id.clone();
    let title = if is_link {
        let id = id.clone();
        view! { <h2 class="panel-title">{move || desk.meaning.with(|d| d.title(&id))}</h2> }.into_any()
    } else {
        name(desk, id)
    };
    view! {
        <header class="inspector-head">
            <p class="small quiet">{move || desk.meaning.with(|d| role(d, &for_role))}</p>
            {title}
            {badge_line(desk, id)}
            {to_pictures(desk, id)}
        </header>
        {about(desk, id)}
    }
    .into_any()
}

/// To the pictures that show it: what becomes of its late records, how far back it reaches, what it keeps.
fn to_pictures(desk: Desk, id: &Id) -> AnyView {
    let (id, of) = (id.clone(), id.clone());
    let all = Memo::new(move |_| places::of(desk, &of));
    (move || places::buttons(desk, &id, "button link small", all.get())).into_any()
}

fn name(desk: Desk, id: &Id) -> AnyView {
    let (for_shown, for_edit) = (id.clone(), id.clone());
    let shown = move || desk.meaning.with(|d| d.title(&for_shown));
    let (why, input) = (RwSignal::new(None::<String>), NodeRef::<Input>::new());
    view! {
        <h2 class="panel-title">
            <input
                class="name-input"
                node_ref=input
                aria-label="Name"
                aria-invalid=move || why.with(Option::is_some).to_string()
                maxlength="120"
                data-field="name"
                prop:value=shown
                prop:readOnly=move || desk.reading.get()
                on:keydown=|event| if event.key() == "Enter" { blur(&event) }
                on:input=move |_| _ = why.try_set(None)
                on:change=move |event| {
                    let edit = |to| Edit::Label { subject: for_edit.clone(), label: Label::Name, to };
                    _ = why.try_set(refused::rename(desk, &event_target_value(&event), "Rename", edit).err());
                }
            />
        </h2>
        {refused::reason(why, input)}
    }
    .into_any()
}

/// Ends typing in a field, which commits it.
pub fn blur(_: &leptos::ev::KeyboardEvent) {
    device::release();
}

/// The badge of a consumer or link, whether it is loud, and what stands under it.
fn badge_of(design: &Design, review: &Review, id: &Id) -> Option<(Badge, bool, String)> {
    let link = review.links.get(id);
    let (shown, loud) = match (review.consumers.get(id), link) {
        (Some(consumer), _) => (consumer.delivery.badge.clone(), true),
        (None, Some(link)) => (link.badge.as_ref().clone(), false),
        _ => return None,
    };
    let loud = loud
        || review.consumers.values().any(|c| {
            let weakest = c.delivery.weakest_claimed();
            weakest.is_some_and(|of| of.duplicate_origin.iter().chain(&of.loss).any(|hop| hop.at == *id))
        });
    let title = |id: &Id| design.title(id);
    let captions: Vec<String> = link.iter().flat_map(|link| link.captions.lines(&title)).collect();
    Some((shown, loud, captions.join(", ")))
}

fn badge_line(desk: Desk, id: &Id) -> AnyView {
    let (id, of_id) = (id.clone(), id.clone());
    let of = Memo::new(move |_| desk.meaning.with(|design| badge_of(design, &desk.review(), &of_id)));
    let line = move || {
        of.get().map(|(shown, loud, captions)| {
            let view = desk.view();
            let captions = (!captions.is_empty())
                .then(|| view! { <span class="block quiet">{unbroken(&captions).into_owned()}</span> });
            view! {
                <div class="row inspector-badge">
                    {popover::badge(desk, &id, view, &shown, loud, 1.5)}
                    <p class="small second">{badge_words(&shown)} {captions}</p>
                </div>
            }
        })
    };
    line.into_any()
}

/// What the rules say about it: halts, then findings that are not put aside.
fn about(desk: Desk, id: &Id) -> AnyView {
    let (of_halts, of_findings) = (id.clone(), id.clone());
    let halts = Memo::new(move |_| {
        let review = desk.review();
        review.halts.iter().filter(|halt| halt.about.contains(&of_halts)).cloned().collect::<Vec<Halt>>()
    });
    let findings = Memo::new(move |_| {
        let review = desk.review();
        let open = review.findings.iter().filter(|f| f.accepted.is_none() && f.about.contains(&of_findings));
        open.cloned().collect::<Vec<Arc<Finding>>>()
    });
    let any = Memo::new(move |_| !halts.with(Vec::is_empty) || !findings.with(Vec::is_empty));
    let shown = move || {
        any.get().then(|| {
            view! { <div class="inspector-findings">{cards(desk, halts, short_halt)} {cards(desk, findings, short_card)}</div> }
        })
    };
    shown.into_any()
}

fn short_halt(_: Desk, halt: Memo<Option<Halt>>) -> AnyView {
    let words = move || {
        halt.get().map(|halt| {
            let action = unbroken(&halt.action).into_owned();
            view! { <p><strong>{action}</strong></p><p class="second small">"Lifted by: " {halt.lifted_by} "."</p> }
        })
    };
    view! { <article class="short-finding">{severity(Level::Halt)} <div>{words}</div></article> }.into_any()
}

fn short_card(desk: Desk, finding: Memo<Option<Arc<Finding>>>) -> AnyView {
    let open = RwSignal::new(false);
    let Some(rule) = finding.with_untracked(|finding| finding.as_ref().map(|finding| finding.rule)) else {
        return ().into_any();
    };
    let level =
        Memo::new(move |_| finding.with(|finding| finding.as_ref().map(|finding| Level::from(finding.severity))));
    let mark = move || level.get().map(severity);
    let said = move |of: fn(&Finding) -> &str| {
        finding.with(|finding| finding.as_ref().map(|finding| unbroken(of(finding)).into_owned()))
    };
    let fix = Memo::new(move |_| finding.with(|finding| finding.as_ref().and_then(|finding| finding.fix.clone())));
    view! {
        <article class="short-finding" data-rule=rule>
            {mark}
            <div class="grow">
                <p><strong>{move || said(|finding| &finding.message)}</strong></p>
                <p class="second small">{move || said(|finding| finding.why)}</p>
                <div class="row wrap">
                    {move || fix.get().map(|fix| fix_button(desk, &fix, true))}
                    <button type="button" class="button link mono" aria-expanded=move || open.get().to_string() on:click=move |_| open.update(|o| *o = !*o)>{rule}</button>
                </div>
                {move || open.get().then(|| findings::card(desk, finding))}
            </div>
        </article>
    }
    .into_any()
}
