//! Halts and findings: what is wrong, why, the fix as a button that proposes; a finding can be put aside with a reason.

use super::super::{
    kit::{fix_button, go_to},
    marks::severity,
    store::Desk,
};
use super::halt;
use crate::{
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
        }
        .into_any();
    }
    let aside_count = put_aside.len();
    view! {
        <div class="findings">
            {halts}
            {cards}
            {(aside_count > 0).then(|| view! {
                <details class="aside">
                    <summary>{format!("{aside_count} put aside")}</summary>
                    {put_aside}
                </details>
            })}
        </div>
    }
    .into_any()
}

/// With a capital and a full stop.
pub fn sentence(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    let first: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
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
    let asking = RwSignal::new(false);
    let fix = finding.fix.as_ref().map(|fix| fix_button(desk, fix, true));
    let (rule, about) = (finding.rule, finding.about.clone());
    let accepted = finding.accepted.clone();
    let open = accepted.is_none();
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
                    {open.then(|| view! {
                        <button
                            type="button"
                            class="button ghost"
                            aria-expanded=move || asking.get().to_string()
                            on:click=move |_| asking.update(|asking| *asking = !*asking)
                        >
                            "Put aside"
                        </button>
                    })}
                    <span class="mono quiet">{rule}</span>
                    {places(desk, &about)}
                </div>
                {move || asking.get().then(|| put_aside(desk, rule, about.clone(), asking))}
            </div>
        </article>
    }
    .into_any()
}

/// Asks for the reason and the name; the decision then stands in the documents.
fn put_aside(desk: Desk, rule: &'static str, about: Vec<Id>, asking: RwSignal<bool>) -> AnyView {
    let (reason, by) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
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
        asking.set(false);
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
                <input class="input" maxlength="500" on:input=move |e| reason.set(event_target_value(&e)) />
            </label>
            <label><span class="label">"Role or name"</span>
                <input class="input" maxlength="80" on:input=move |e| by.set(event_target_value(&e)) />
            </label>
            <button type="submit" class="button primary">"Put aside"</button>
            {move || refused.get().then(|| view! { <p class="invalid" role="alert">"Both are needed: the documents list the decision with its reason and name."</p> })}
        </form>
    }
    .into_any()
}
