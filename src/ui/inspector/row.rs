//! One setting: name, as it is, as it shall be, basis, source; opens its editor.

use super::{
    super::{
        drawer::{explain::source_line, setting},
        each::following,
        marks, popover,
        store::{Desk, Explains},
    },
    editor,
};
use crate::{
    action::entry::shown,
    model::{Design, Field, Id, Known, Slot, Value, View, units::human::unbroken},
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
    let state = following(move || desk.meaning.with(|design| state(design, &of, field)));
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
            {values(desk, &id, state, field)}
            {
                let id = id.clone();
                let conflict = Memo::new(move |_| state.with(|state| state.conflict.clone()));
                move || decide(desk, &id, field, &conflict.get())
            }
            {move || editing.get().then(|| editor::editor(desk, &id, field, editing, heading))}
        </div>
    }
    .into_any()
}

/// What stands in the second column.
#[derive(Clone, Copy, PartialEq)]
enum Second {
    Proposed,
    Same,
    Nothing,
}

/// As it is and as it shall be; an edit writes into what stands there.
fn values(desk: Desk, id: &Id, state: RwSignal<State>, field: Field) -> AnyView {
    let known = |value: &Known<Value>| !matches!(value, Known::NotKnown(_));
    let second = Memo::new(move |_| {
        state.with(|state| match (state.proposed, known(&state.as_is)) {
            (true, _) => Second::Proposed,
            (false, true) => Second::Same,
            (false, false) => Second::Nothing,
        })
    });
    let source = Memo::new(move |_| state.with(|state| state.source.clone()));
    let to_be = {
        let id = id.clone();
        move || match second.get() {
            Second::Proposed => value(desk, &id, state, field, false),
            Second::Same => view! { <span class="quiet">"same"</span> }.into_any(),
            Second::Nothing => view! { <span class="quiet">"nothing proposed"</span> }.into_any(),
        }
    };
    let said = move |of: fn(&State) -> &Known<Value>| state.with(|state| setting::words(of(state)));
    view! {
        <div class="setting-values" data-as-is=move || said(|state| &state.as_is) data-to-be=move || said(|state| &state.to_be)>
            {value(desk, id, state, field, true)} {to_be}
        </div>
        {move || source.with(|source| (!source.is_empty()).then(|| view! { <p class="small quiet source">{unbroken(source).into_owned()}</p> }))}
    }
    .into_any()
}

/// One of the two values with its mark.
fn value(desk: Desk, id: &Id, state: RwSignal<State>, field: Field, as_is: bool) -> AnyView {
    let of = move |state: &State| if as_is { state.as_is.clone() } else { state.to_be.clone() };
    let own = Memo::new(move |_| state.with(of));
    let known = Memo::new(move |_| own.with(|own| !matches!(own, Known::NotKnown(_))));
    let number = Memo::new(move |_| own.with(|own| matches!(own, Known::Value(_)) && setting::is_number(field)));
    let mark = Memo::new(move |_| {
        let title = if as_is { state.with(|state| state.source.clone()) } else { String::new() };
        (own.with(|own| marks::Mark::known(own, field.row().nature)), title)
    });
    let text = move || own.with(setting::words);
    let what = Explains::Setting(id.clone(), field);
    let shown = move || {
        if number.get() {
            popover::live(desk, what.clone(), move || format!("{}: {}. Explain", field.label(), text()), text)
        } else {
            (move || unbroken(&text()).into_owned()).into_any()
        }
    };
    let mono = matches!(field.row().ty, crate::model::FieldType::Words(_) | crate::model::FieldType::Columns);
    view! {
        <span
            class="setting-value"
            class:to-be=!as_is
            class:mono=move || mono && known.get()
            class:unknown=move || as_is && !known.get()
        >
            {(!as_is).then(|| view! { <span aria-hidden="true">"→ "</span> })}
            {shown} {move || mark.with(|(mark, title)| mark.draw(title))}
        </span>
    }
    .into_any()
}

/// Two readings that disagree, stacked, with the choice between them.
fn decide(desk: Desk, id: &Id, field: Field, conflict: &[(Slot, Value, String)]) -> AnyView {
    if conflict.is_empty() {
        return ().into_any();
    }
    let rows: Vec<AnyView> = conflict
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
                        {unbroken(&shown(value)).into_owned()}
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
