//! One setting: name, as it is, as it shall be, basis, source; opens its editor.

use super::{
    super::{
        drawer::{explain::source_line, setting},
        marks, popover,
        store::{Desk, Explains},
    },
    editor,
};
use crate::{
    action::entry::shown,
    model::{Design, Field, Id, Known, Slot, Value, View},
};
use leptos::{html::Button, prelude::*};

/// What a row shows.
#[derive(Clone, PartialEq)]
struct State {
    as_is: Known<Value>,
    to_be: Known<Value>,
    proposed: bool,
    source: String,
    conflict: Vec<(Slot, Value, String)>,
}

fn state(design: &Design, id: &Id, field: Field) -> State {
    // The inspector shows what was observed also of what is only planned.
    let observed =
        design.subject(id).map(|s| s.observed.iter().filter_map(|(e, f)| Some((e, f.get(field)?))).collect::<Vec<_>>());
    let to_be = design.resolve(View::ToBe, id, field);
    let proposed = design.subject(id).is_some_and(|s| s.proposed.get(field).is_some());
    let as_is = match (design.resolve(View::AsIs, id, field), proposed) {
        (Known::NotKnown(_), false) => to_be.clone(),
        (known, _) => known,
    };
    let source = match (&as_is, &to_be) {
        (Known::Value(fact), _) => source_line(design, &fact.source),
        (Known::Unset(source), _) | (_, Known::Unset(source)) => source_line(design, source),
        _ => String::new(),
    };
    let conflict = if matches!(as_is, Known::Conflict(_)) || matches!(to_be, Known::Conflict(_)) {
        observed
            .unwrap_or_default()
            .into_iter()
            .map(|(evidence, value)| {
                let slot = Slot::Observed(evidence.clone());
                let source = crate::model::FactRef { subject: id.clone(), field, slot: slot.clone() };
                (slot, value.clone(), source_line(design, &source))
            })
            .collect()
    } else {
        Vec::new()
    };
    State { as_is, to_be, proposed, source, conflict }
}

/// The row.
pub fn row(desk: Desk, id: &Id, field: Field) -> AnyView {
    let of = id.clone();
    let state = Memo::new(move |_| desk.meaning.with(|design| state(design, &of, field)));
    let editing = RwSignal::new(false);
    let heading = NodeRef::<Button>::new();
    let (id, name) = (id.clone(), field.name());
    view! {
        <div class="setting" class:proposed=move || state.with(|s| s.proposed) class:editing=move || editing.get() data-setting=name>
            <button
                type="button"
                class="setting-name"
                node_ref=heading
                title=field.row().meaning
                aria-expanded=move || editing.get().to_string()
                on:click=move |_| {
                    editing.update(|open| *open = !*open);
                    if editing.get_untracked() {
                        crate::platform::device::focus(&format!("[data-setting=\"{name}\"] [data-entry]"));
                        crate::platform::device::reveal_soon(&format!("[data-setting=\"{name}\"] .editor"));
                    }
                }
            >
                {field.label()}
            </button>
            {
                let id = id.clone();
                move || values(desk, &id, &state.get(), field)
            }
            {
                let id = id.clone();
                move || decide(desk, &id, field, &state.get())
            }
            {move || editing.get().then(|| editor::editor(desk, &id, field, editing, heading))}
        </div>
    }
    .into_any()
}

fn values(desk: Desk, id: &Id, state: &State, field: Field) -> AnyView {
    let nature = field.row().nature;
    let text = |known: &Known<Value>| match known {
        Known::Value(fact) => shown(&fact.value),
        Known::Unset(_) => "not set".to_owned(),
        Known::Conflict(_) => "in conflict".to_owned(),
        Known::NotKnown(nature) => nature.absent().to_owned(),
    };
    let mono = matches!(field.row().ty, crate::model::FieldType::Words(_) | crate::model::FieldType::Columns);
    let known = |value: &Known<Value>| !matches!(value, Known::NotKnown(_));
    let value = |of: &Known<Value>| match of {
        Known::Value(_) if setting::is_number(field) => {
            let (what, label) =
                (Explains::Setting(id.clone(), field), format!("{}: {}. Explain", field.label(), text(of)));
            popover::number(desk, what, label, text(of))
        }
        of => text(of).into_any(),
    };
    let as_is = view! {
        <span class="setting-value" class:mono=mono && known(&state.as_is) class:unknown=!known(&state.as_is)>{value(&state.as_is)} {marks::known_mark(&state.as_is, nature, &state.source)}</span>
    };
    let to_be = if state.proposed {
        view! {
            <span class="setting-value to-be" class:mono=mono && known(&state.to_be)><span aria-hidden="true">"→ "</span>{value(&state.to_be)} {marks::known_mark(&state.to_be, nature, "")}</span>
        }
        .into_any()
    } else if known(&state.as_is) {
        view! { <span class="quiet">"same"</span> }.into_any()
    } else {
        view! { <span class="quiet">"nothing proposed"</span> }.into_any()
    };
    view! {
        <div class="setting-values" data-as-is=text(&state.as_is) data-to-be=text(&state.to_be)>{as_is} {to_be}</div>
        {(!state.source.is_empty()).then(|| view! { <p class="small quiet source">{state.source.clone()}</p> })}
    }
    .into_any()
}

/// Two readings that disagree, stacked, with the choice between them.
fn decide(desk: Desk, id: &Id, field: Field, state: &State) -> AnyView {
    if state.conflict.is_empty() {
        return ().into_any();
    }
    let rows: Vec<AnyView> = state
        .conflict
        .iter()
        .map(|(slot, value, source)| {
            let (id, slot) = (id.clone(), slot.clone());
            view! {
                <li class="row wrap">
                    <button
                        type="button"
                        class="button"
                        aria-disabled=move || desk.reading.get().to_string()
                        on:click=move |_| {
                            desk.draft("Decide a conflict", |draft| draft.choose(&id, field, &slot));
                        }
                    >
                        {shown(value)}
                    </button>
                    <span class="small quiet">{source.clone()}</span>
                </li>
            }
            .into_any()
        })
        .collect();
    view! {
        <div class="conflict">
            <p><strong>"Decide: which one is true today?"</strong></p>
            <ul class="stack">{rows}</ul>
        </div>
    }
    .into_any()
}
