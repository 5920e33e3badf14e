//! Halts and findings: what is wrong, why, the fix as a button that proposes; a finding can be put aside with a reason.

use super::super::{
    dialogs::reference,
    kit::{self, fix_button, go_to_named},
    marks::{Level, severity},
    records,
    store::Desk,
};
use super::{cards::cards, halt};
use crate::{
    action::records::RecordKind,
    edit::{Edit, Record},
    model::{Decision, DecisionKind, Id, units::human::unbroken},
    platform::clock,
    rules::Finding,
};
use leptos::prelude::*;
use std::sync::Arc;

/// The panel of the tab.
pub fn panel(desk: Desk) -> AnyView {
    let halts = Memo::new(move |_| desk.review().halts.clone());
    let of = move |aside: bool| {
        Memo::new(move |_| {
            let review = desk.review();
            review.findings.iter().filter(|f| f.accepted.is_some() == aside).cloned().collect::<Vec<Arc<Finding>>>()
        })
    };
    let (open, aside) = (of(false), of(true));
    let aside_count = Memo::new(move |_| aside.with(Vec::len));
    let empty = Memo::new(move |_| halts.with(Vec::is_empty) && open.with(Vec::is_empty) && aside_count.get() == 0);
    let none = move || {
        empty.get().then(|| {
            view! {
                <div class="empty-panel">
                    <p class="drawer-headline">"No rule has anything to say."</p>
                    <p class="second">"Rules read what is known. What nobody read, measured or stated is listed with each verdict."</p>
                </div>
            }
        })
    };
    let put_aside = move || {
        (aside_count.get() > 0).then(|| {
            let summary = (move || format!("{} put aside", aside_count.get())).into_any();
            kit::disclosure(desk, "findings/aside", "aside", summary, cards(desk, aside, card))
        })
    };
    view! {
        {none}
        <div class="findings">
            {cards(desk, halts, halt::card)} {cards(desk, open, card)} {put_aside} {asked_and_planned(desk)}
        </div>
    }
    .into_any()
}

/// What people asked, planned and decided, beside what the rules say.
fn asked_and_planned(desk: Desk) -> AnyView {
    const KINDS: &[RecordKind] = &[RecordKind::Question, RecordKind::Action, RecordKind::Decision];
    view! { <div class="finding-records">{records::lists(desk, KINDS, None, "findings")}</div> }.into_any()
}

/// The ways to what it is about.
pub fn places(desk: Desk, about: &[Id]) -> AnyView {
    let links: Vec<AnyView> = about.iter().take(4).map(|id| go_to_named(desk, id.clone())).collect();
    view! { <p class="row wrap places">{links}</p> }.into_any()
}

/// The card of one finding. What is open and half typed in it stays whatever the finding comes to say.
pub fn card(desk: Desk, finding: Memo<Option<Arc<Finding>>>) -> AnyView {
    let Some((rule, about)) = finding.with_untracked(|f| f.as_ref().map(|f| (f.rule, f.about.clone()))) else {
        return ().into_any();
    };
    let place = format!("finding/{rule}/{}", about.first().map(ToString::to_string).unwrap_or_default());
    let asking = desk.panes.kept(&place, String::new);
    let (shown, own) = (asking.clone(), place.clone());
    let level = Memo::new(move |_| finding.with(|f| f.as_ref().map(|f| Level::from(f.severity))));
    let words = move |of: fn(&Finding) -> &str| finding.with(|f| f.as_ref().map(|f| unbroken(of(f)).into_owned()));
    // What can be done with it stays as long as that is the same, whatever its words come to say.
    let tail = Memo::new_with_compare(
        move |_| finding.get(),
        |old, new| !old.zip(new).is_some_and(|(old, new)| same_tail(old.as_deref(), new.as_deref())),
    );
    view! {
        <article class="finding" data-rule=rule>
            {move || level.get().map(severity)}
            <div class="grow">
                <p><strong>{move || words(|f| &f.message)}</strong></p>
                <p class="second">{move || words(|f| f.why)}</p>
                <p class="second small">{move || words(|f| &f.remedy)}</p>
                {move || tail.with(|f| f.as_ref().map(|f| said(desk, f, &asking, &place)))}
                {move || (!shown.read().is_empty()).then(|| put_aside(desk, rule, about.clone(), &own))}
            </div>
        </article>
    }
    .into_any()
}

fn same_tail(one: Option<&Finding>, other: Option<&Finding>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.about == other.about && one.accepted == other.accepted && one.fix == other.fix,
        (one, other) => one.is_none() && other.is_none(),
    }
}

fn said(desk: Desk, finding: &Finding, asking: &ArcRwSignal<String>, place: &str) -> AnyView {
    let (toggle, expanded) = (asking.clone(), asking.clone());
    let fix = finding.fix.as_ref().map(|fix| fix_button(desk, fix, true));
    let accepted = finding.accepted.clone();
    let open = accepted.is_none();
    let back = (!open).then(|| take_back(desk, finding));
    view! {
        {accepted.map(|reason| view! { <p class="small quiet">"Put aside: " {unbroken(&reason).into_owned()}</p> })}
        <div class="row wrap">
            {fix}
            {back}
            {open.then(|| view! {
                <button
                    type="button"
                    class="button ghost"
                    aria-expanded=move || (!expanded.read().is_empty()).to_string()
                    data-kept=format!("{place}/button")
                    on:click=move |_| toggle.update(|open| *open = if open.is_empty() { "open".to_owned() } else { String::new() })
                >
                    "Put aside"
                </button>
            })}
            {reference::rule(desk, finding.rule)}
            {places(desk, &finding.about)}
        </div>
    }
    .into_any()
}

/// Takes the decision back that put a finding aside.
fn take_back(desk: Desk, finding: &Finding) -> AnyView {
    let decision = desk.design.with_untracked(|design| finding.put_aside_by(design).cloned());
    let Some(id) = decision else { return ().into_any() };
    let back = move |_| {
        desk.edit(Edit::Record(Record::Decision(id.clone(), None)), "Take a decision back", None);
    };
    view! {
        <button
            type="button"
            class="button"
            title="Removes the decision; the finding stands open again"
            aria-disabled=move || desk.reading.get().to_string()
            on:click=back
        >
            "Take back"
        </button>
    }
    .into_any()
}

/// Asks for the reason and the name; the decision then stands in the documents.
fn put_aside(desk: Desk, rule: &'static str, about: Vec<Id>, place: &str) -> AnyView {
    let typed = |name: &str| desk.panes.kept(&format!("{place}/{name}"), String::new);
    let (reason, by) = (typed("reason"), typed("by"));
    let (reason_shown, by_shown) = (reason.clone(), by.clone());
    let (reason_typed, by_typed) = (reason.clone(), by.clone());
    let (reason_name, by_name, place) = (format!("{place}/reason"), format!("{place}/by"), place.to_owned());
    let refused = RwSignal::new(false);
    let save = move || {
        let (text, who) = (reason.get_untracked(), by.get_untracked());
        if text.trim().is_empty() || who.trim().is_empty() {
            refused.set(true);
            return;
        }
        let decision = Decision {
            text: text.trim().into(),
            by: Some(who.trim().into()),
            at: clock::today(),
            about: about.iter().take(1).map(|id| id.as_str().into()).collect(),
            kind: Some(DecisionKind::AcceptFinding),
            rule: Some(rule.into()),
        };
        desk.panes.forget(&place);
        desk.draft("Put a finding aside", |draft| {
            let id = draft.next_id('d');
            draft.apply(Edit::Record(Record::Decision(id, Some(decision))))
        });
    };
    view! {
        <form class="put-aside" on:submit=move |event| {
            event.prevent_default();
            save();
        }>
            <label class="grow"><span class="label">"Reason"</span>
                <input class="input" maxlength="500" data-kept=reason_name prop:value=move || reason_shown.get() on:input=move |e| reason_typed.set(event_target_value(&e)) />
            </label>
            <label><span class="label">"Role or name"</span>
                <input class="input" maxlength="80" data-kept=by_name prop:value=move || by_shown.get() on:input=move |e| by_typed.set(event_target_value(&e)) />
            </label>
            <button type="submit" class="button primary">"Put aside"</button>
            {move || refused.get().then(|| view! { <p class="invalid" role="alert">"Both are needed: the documents list the decision with its reason and name."</p> })}
        </form>
    }
    .into_any()
}
