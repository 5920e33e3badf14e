//! Choosing where an observed value comes from: an entry of the evidence list, or a new one.

use super::super::store::Desk;
use crate::{
    action::entry,
    model::{Evidence, EvidenceBasis, Id},
    platform::clock,
};
use leptos::prelude::*;
use std::cell::RefCell;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// It shall become so.
    Proposed,
    /// Somebody said so.
    Stated,
    /// Read from the running system.
    Read,
    /// Nobody said so; the reason is given.
    Assumed,
}

impl Source {
    const fn basis(self) -> Option<EvidenceBasis> {
        match self {
            Self::Proposed => None,
            Self::Stated => Some(EvidenceBasis::Stated),
            Self::Read => Some(EvidenceBasis::Read),
            Self::Assumed => Some(EvidenceBasis::Assumed),
        }
    }
}

/// The evidence that was chosen or is being written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// An entry that is there already.
    pub existing: Option<Id>,
    /// Command, file, page, note, or the reason of an assumption.
    pub from: String,
    /// The role that said or read it.
    pub by: String,
    /// When.
    pub at: String,
}

thread_local! {
    static LAST: RefCell<Vec<(Source, Choice)>> = const { RefCell::new(Vec::new()) };
}

impl Choice {
    /// What was chosen last for this source in this visit: many values in a row come from one place.
    pub fn last(source: Source) -> Self {
        let known =
            LAST.with_borrow(|last| last.iter().find(|(of, _)| *of == source).map(|(_, choice)| choice.clone()));
        known.unwrap_or_else(|| Self {
            at: clock::today().map(|day| day.as_str().to_owned()).unwrap_or_default(),
            ..Self::default()
        })
    }

    /// Keeps the choice for the next value.
    pub fn remember(&self, source: Source) {
        LAST.with_borrow_mut(|last| {
            last.retain(|(of, _)| *of != source);
            last.push((source, self.clone()));
        });
    }

    /// The evidence entry; the error says what is wrong with it.
    pub fn entry(&self, source: Source) -> Result<Evidence, String> {
        let text = |text: &str| (!text.trim().is_empty()).then(|| text.trim().into());
        if source == Source::Assumed && self.existing.is_none() && self.from.trim().is_empty() {
            return Err("An assumption needs its reason.".to_owned());
        }
        Ok(Evidence {
            basis: source.basis(),
            from: text(&self.from),
            by: text(&self.by),
            at: entry::date(&self.at)?,
            ..Evidence::default()
        })
    }
}

/// The fields of the evidence.
pub fn chooser(desk: Desk, source: Source, choice: RwSignal<Choice>) -> AnyView {
    let fitting: Vec<(Id, String)> = desk.design.with_untracked(|design| {
        design
            .records
            .evidence
            .iter()
            .filter(|(_, e)| e.basis == source.basis() && e.state.is_none())
            .map(|(id, e)| {
                let parts = [e.from.clone(), e.by.clone(), e.at.as_ref().map(|at| at.as_str().into())];
                let said: Vec<String> = parts.into_iter().flatten().map(|p| p.to_string()).collect();
                (id.clone(), if said.is_empty() { id.to_string() } else { said.join(" · ") })
            })
            .collect()
    });
    let options: Vec<AnyView> = fitting
        .iter()
        .map(|(id, text)| {
            let chosen = choice.with_untracked(|c| c.existing.as_ref() == Some(id));
            view! { <option value=id.to_string() selected=chosen>{text.clone()}</option> }.into_any()
        })
        .collect();
    let pick = (!options.is_empty()).then(|| {
        view! {
            <label><span class="label">"Source"</span>
                <select class="input" on:change=move |event| {
                    let id = Id::new(&event_target_value(&event)).ok();
                    choice.update(|c| c.existing = id);
                }>
                    <option value="">"a new one"</option>
                    {options}
                </select>
            </label>
        }
    });
    let (from_label, from_example) = match source {
        Source::Read => ("Command, file or page", "kafka-configs --describe --topic orders"),
        Source::Assumed => ("Reason", "why it is assumed"),
        _ => ("Said where", "design note, meeting"),
    };
    view! {
        <div class="evidence">
            {pick}
            {move || choice.with(|c| c.existing.is_none()).then(|| view! {
                {field("from", from_label, from_example, choice, |c| &mut c.from)}
                <div class="row">
                    {field("by", "Role or name", "job owner", choice, |c| &mut c.by)}
                    {field("at", "When", "2026-11-30", choice, |c| &mut c.at)}
                </div>
            })}
        </div>
    }
    .into_any()
}

fn field(
    name: &'static str,
    label: &'static str,
    example: &'static str,
    choice: RwSignal<Choice>,
    part: fn(&mut Choice) -> &mut String,
) -> AnyView {
    let start = choice.with_untracked(|c| part(&mut c.clone()).clone());
    view! {
        <label class="grow"><span class="label">{label}</span>
            <input
                class="input"
                data-evidence=name
                placeholder=example
                prop:value=start
                on:input=move |event| choice.update(|c| *part(c) = event_target_value(&event))
            />
        </label>
    }
    .into_any()
}
