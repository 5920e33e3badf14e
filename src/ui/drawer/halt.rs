//! A halt: what is stopped, for which consequence, who lifts it, and the record that does.

use super::super::{
    kit::{go_to_named, reveal},
    marks::{Level, severity},
    store::Desk,
};
use super::findings::places;
use crate::{
    action::entry,
    edit::{Edit, Record},
    model::{Field, Id, Names, units::human::unbroken},
    platform::{clock, device},
    rules::{Consent, Halt, Lift},
};
use leptos::prelude::*;

/// The card of one halt. A form in it stays as long as it asks for the same consent.
pub fn card(desk: Desk, halt: Memo<Option<Halt>>) -> AnyView {
    let Some(class) = halt.with_untracked(|halt| halt.as_ref().map(|halt| halt.class.words())) else {
        return ().into_any();
    };
    let lift = Memo::new(move |_| halt.with(|halt| halt.as_ref().map(|halt| halt.lift.clone())));
    let words = move || {
        halt.get().map(|halt| {
            let consequence = desk.meaning.with(|design| Names::of(design).sentence(&halt.consequence));
            view! {
                <p><strong>"Halt, " {class} ": "</strong>{unbroken(&halt.action).into_owned()}</p>
                <p class="second">{unbroken(&consequence).into_owned()} " Lifted by: " {halt.lifted_by} "."</p>
                {places(desk, &halt.about)}
            }
        })
    };
    let lifted = move || match lift.get() {
        Some(Lift::Consent(consents)) => consents.iter().map(|one| asked(desk, one)).collect::<Vec<_>>().into_any(),
        Some(Lift::Reading(id, field)) => decide(desk, id, field),
        Some(Lift::Change) | None => ().into_any(),
    };
    view! {
        <article class="finding halt" data-halt=class>
            {severity(Level::Halt)} <div class="grow">{words} {lifted}</div>
        </article>
    }
    .into_any()
}

/// The way to the setting whose readings disagree.
fn decide(desk: Desk, id: Id, field: Field) -> AnyView {
    let go = move |_| {
        reveal(desk, &id);
        let row = format!("[data-setting=\"{}\"]", field.name());
        device::reveal_soon(&row);
        device::focus(&format!("{row} .conflict button"));
    };
    view! {
        <div class="row wrap">
            <button type="button" class="button" data-decide=field.name() on:click=go>{format!("Decide {}", field.label())}</button>
        </div>
    }
    .into_any()
}

/// Asks who consented and when. The record is bound to the value: another proposal voids it.
fn asked(desk: Desk, consent: &Consent) -> AnyView {
    let today = clock::today().map(|day| day.as_str().to_owned()).unwrap_or_default();
    let place =
        format!("approve/{}/{}", consent.for_, consent.of.as_ref().map(ToString::to_string).unwrap_or_default());
    let by = desk.panes.kept(&format!("{place}/by"), String::new);
    let at = desk.panes.kept(&format!("{place}/at"), || today);
    let (by_shown, by_typed, at_shown, at_typed) = (by.clone(), by.clone(), at.clone(), at.clone());
    let (by_name, at_name) = (format!("{place}/by"), format!("{place}/at"));
    let refusal = RwSignal::new(None::<String>);
    let of = consent.of.clone();
    let owner = consent.owner.as_ref().map_or_else(|| "who consented".to_owned(), ToString::to_string);
    let (what, path) = (consent.what.clone(), consent.for_.to_string());
    let consent = consent.clone();
    let record = move || match approval(&consent, &by.get_untracked(), &at.get_untracked()) {
        Ok(approval) => {
            let done = desk.draft("Record an approval", |draft| {
                let id = draft.next_id('a');
                draft.apply(Edit::Record(Record::Approval(id, Some(approval))))
            });
            if done.is_some() {
                desk.panes.forget(&place);
                device::focus(".drawer-body");
                desk.messages.announce(&format!("Approval of {} recorded", consent.what));
            }
        }
        Err(reason) => refusal.set(Some(reason)),
    };
    view! {
        <form class="put-aside" data-approve=path on:submit=move |event| {
            event.prevent_default();
            record();
        }>
            <p class="consent">
                "Consent to " <strong>{what}</strong>
                {of.map(|id| view! { ", for " {go_to_named(desk, id)} })}
            </p>
            <label class="grow"><span class="label">"Given by, role or name"</span>
                <input class="input" name="by" maxlength="80" placeholder=owner data-kept=by_name prop:value=move || by_shown.get() on:input=move |e| by_typed.set(event_target_value(&e)) />
            </label>
            <label><span class="label">"On"</span>
                <input class="input" name="at" type="date" data-kept=at_name prop:value=move || at_shown.get() on:input=move |e| at_typed.set(event_target_value(&e)) />
            </label>
            <button
                type="submit"
                class="button primary"
                title="Another proposed value voids the approval"
                aria-disabled=move || desk.reading.get().to_string()
            >
                "Record approval"
            </button>
            {move || refusal.get().map(|reason| view! { <p class="invalid" role="alert">{reason}</p> })}
        </form>
    }
    .into_any()
}

fn approval(consent: &Consent, by: &str, at: &str) -> Result<crate::model::Approval, String> {
    if by.trim().is_empty() {
        return Err("An approval names who gave it.".to_owned());
    }
    let at = entry::date(at)?.ok_or_else(|| "An approval says when it was given.".to_owned())?;
    Ok(consent.given(by.trim().into(), at))
}
