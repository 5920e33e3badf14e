//! Halts and findings: what is wrong, why, the fix as a button that proposes; a finding can be put aside with a reason.

use super::super::{
    kit::{self, fix_button, go_to},
    marks::severity,
    records,
    store::Desk,
};
use super::halt;
use crate::{
    action::records::RecordKind,
    edit::{Edit, Record},
    model::{Decision, DecisionKind, Id},
    platform::clock,
    rules::Finding,
};
use leptos::prelude::*;

/// The panel of the tab.
pub fn panel(desk: Desk) -> AnyView {
    let review = desk.review();
    let halts: Vec<AnyView> = review.halts.iter().map(|halt| halt::card(desk, halt)).collect();
    let (aside, open): (Vec<_>, Vec<_>) = review.findings.iter().partition(|finding| finding.accepted.is_some());
    let cards: Vec<AnyView> = open.iter().map(|finding| card(desk, finding)).collect();
    let put_aside: Vec<AnyView> = aside.iter().map(|finding| card(desk, finding)).collect();
    if halts.is_empty() && cards.is_empty() && put_aside.is_empty() {
        return view! {
            <div class="empty-panel">
                <p class="drawer-headline">"No rule has anything to say."</p>
                <p class="second">"Rules read what is known. What nobody read, measured or stated is listed with each verdict."</p>
            </div>
            <div class="findings">{asked_and_planned(desk)}</div>
        }
        .into_any();
    }
    let aside_count = put_aside.len();
    let aside = (aside_count > 0).then(|| {
        let summary = format!("{aside_count} put aside").into_any();
        kit::disclosure(desk, "findings/aside", "aside", summary, put_aside.into_any())
    });
    view! { <div class="findings">{halts} {cards} {aside} {asked_and_planned(desk)}</div> }.into_any()
}

/// What people asked, planned and decided, beside what the rules say.
fn asked_and_planned(desk: Desk) -> AnyView {
    const KINDS: &[RecordKind] = &[RecordKind::Question, RecordKind::Action, RecordKind::Decision];
    view! { <div class="finding-records">{records::lists(desk, KINDS, None, "findings")}</div> }.into_any()
}

/// The ways to what it is about.
pub fn places(desk: Desk, about: &[Id]) -> AnyView {
    let links: Vec<AnyView> = about
        .iter()
        .take(4)
        .map(|id| {
            let title = desk.design.with_untracked(|d| d.title(id));
            go_to(desk, id.clone(), title)
        })
        .collect();
    view! { <p class="row wrap places">{links}</p> }.into_any()
}

/// The card of one finding.
pub fn card(desk: Desk, finding: &Finding) -> AnyView {
    let place =
        format!("finding/{}/{}", finding.rule, finding.about.first().map(ToString::to_string).unwrap_or_default());
    let asking = desk.panes.kept(&place, String::new);
    let (toggle, shown, expanded) = (asking.clone(), asking.clone(), asking);
    let fix = finding.fix.as_ref().map(|fix| fix_button(desk, fix, true));
    let (rule, about) = (finding.rule, finding.about.clone());
    let accepted = finding.accepted.clone();
    let open = accepted.is_none();
    let own = place.clone();
    let back = (!open).then(|| take_back(desk, finding));
    view! {
        <article class="finding" data-rule=rule>
            {severity(finding.severity.into())}
            <div class="grow">
                <p><strong>{finding.message.clone()}</strong></p>
                <p class="second">{finding.why.clone()}</p>
                <p class="second small">{finding.remedy.clone()}</p>
                {accepted.map(|reason| view! { <p class="small quiet">"Put aside: " {reason}</p> })}
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
                    <span class="mono quiet">{rule}</span>
                    {places(desk, &about)}
                </div>
                {move || (!shown.read().is_empty()).then(|| put_aside(desk, rule, about.clone(), &own))}
            </div>
        </article>
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
