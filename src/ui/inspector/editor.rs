//! The editor of one setting: a typed value, and what it is: proposed, stated, read or assumed, from where, when.

use super::{
    super::{kit::segmented, store::Desk},
    evidence::{self, Choice, Source},
};
use crate::{
    action::entry,
    edit::{Edit, draft::set},
    model::{Field, FieldType, Id, Nature, Slot, Value, said, units::human::unbroken},
    platform::device,
};
use leptos::{
    html::{Button, Form},
    prelude::*,
};

const SOURCES: &[(Source, &str)] =
    &[(Source::Proposed, "Proposed"), (Source::Stated, "Stated"), (Source::Read, "Read"), (Source::Assumed, "Assumed")];

/// The editor; when it closes, the keyboard goes back to the heading of its row.
pub fn editor(desk: Desk, id: &Id, field: Field, editing: RwSignal<bool>, heading: NodeRef<Button>) -> AnyView {
    let (start, source) = beginning(desk, id, field);
    let text = RwSignal::new(start);
    let source = RwSignal::new(source);
    let choice = RwSignal::new(Choice::last(source.get_untracked()));
    let refused = RwSignal::new(None::<String>);
    let closing = StoredValue::new(false);
    let form = NodeRef::<Form>::new();
    let done = move || {
        if closing.get_value() {
            return;
        }
        closing.set_value(true);
        // The frame of the edit shows the verdict. A form that goes, and a heading that gets the keyboard, make the browser
        // lay out the page and put its layers together anew: that is for the frame after it.
        request_animation_frame(move || {
            request_animation_frame(move || {
                let form = form.try_get_untracked().flatten();
                let held =
                    form.is_some_and(|form| device::focused().is_some_and(|element| form.contains(Some(&element))));
                if let Some(heading) = heading.try_get_untracked().flatten().filter(|_| held) {
                    _ = heading.focus();
                }
                _ = editing.try_set(false);
            })
        });
    };
    let save = {
        let id = id.clone();
        move |value: Option<Value>| {
            if closing.get_value() {
                return;
            }
            let answer = commit(desk, &id, field, source.get_untracked(), &choice.get_untracked(), value);
            match answer {
                Ok(()) => done(),
                Err(why) => refused.set(Some(why)),
            }
        }
    };
    let submit = {
        let save = save.clone();
        move || match entry::read(field, &text.get_untracked()) {
            Ok(value) => save(Some(value)),
            Err(why) => refused.set(Some(why)),
        }
    };
    let unset = {
        let save = save.clone();
        let can = move || {
            field.row().nature == Nature::Configuration
                && source.get() != Source::Proposed
                && source.get() != Source::Assumed
        };
        move || {
            let save = save.clone();
            can().then(|| view! {
                <button type="button" class="button ghost" title="The whole configuration was read and the key is not in it" on:click=move |_| save(Some(Value::Unset))>
                    "Read: not set"
                </button>
            })
        }
    };
    view! {
        <form
            class="editor"
            node_ref=form
            on:submit=move |event| {
                event.prevent_default();
                submit();
            }
            on:keydown=move |event| if event.key() == "Escape" {
                event.prevent_default();
                event.stop_propagation();
                done();
            }
        >
            {input(field, text, refused)}
            <p class="invalid" role="alert">{move || refused.get()}</p>
            {segmented("What this value is", SOURCES, move || source.get(), move |chosen| {
                source.set(chosen);
                choice.set(Choice::last(chosen));
            })}
            {move || (source.get() != Source::Proposed).then(|| evidence::chooser(desk, source.get(), choice))}
            <div class="row wrap">
                <button type="submit" class="button primary" aria-disabled=move || desk.reading.get().to_string()>
                    {move || match source.get() {
                        Source::Proposed => "Propose",
                        Source::Stated => "Record as stated",
                        Source::Read => "Record as read",
                        Source::Assumed => "Record as assumed",
                    }}
                </button>
                {unset}
                <button type="button" class="button ghost" on:click=move |_| done()>"Cancel"</button>
            </div>
            {standing(desk, id, field)}
        </form>
    }
    .into_any()
}

/// What the editor starts with: the value that counts, and the source that fits this design.
fn beginning(desk: Desk, id: &Id, field: Field) -> (String, Source) {
    desk.design.with_untracked(|design| {
        let known = design.resolve(crate::model::View::ToBe, id, field);
        let planned = !design.visible(crate::model::View::AsIs, id);
        let source = match (field.row().nature, planned) {
            (Nature::Configuration, true) => Source::Proposed,
            (Nature::Configuration, false) if known.is_value() => Source::Proposed,
            _ => Source::Stated,
        };
        let unset = matches!(known, crate::model::Known::Unset(_)).then(|| entry::print(&Value::Unset));
        (known.value().map(|value| entry::print(&value)).or(unset).unwrap_or_default(), source)
    })
}

fn commit(
    desk: Desk,
    id: &Id,
    field: Field,
    source: Source,
    choice: &Choice,
    value: Option<Value>,
) -> Result<(), String> {
    let label = format!("Set {}", field.label());
    if source == Source::Proposed {
        desk.edit(set(id, Slot::Proposed, field, value), &label, None);
        return Ok(());
    }
    let evidence = choice.entry(source)?;
    desk.draft(&label, |draft| {
        let id_of = match &choice.existing {
            Some(existing) => existing.clone(),
            None => draft.evidence(evidence)?,
        };
        draft.apply(set(id, Slot::Observed(id_of), field, value))
    });
    choice.remember(source);
    Ok(())
}

fn input(field: Field, text: RwSignal<String>, refused: RwSignal<Option<String>>) -> AnyView {
    let row = field.row();
    let label = field.label();
    let typed = move |event: leptos::ev::Event| {
        text.set(event_target_value(&event));
        refused.set(None);
    };
    let invalid = move || refused.get().is_some().to_string();
    let words: Option<Vec<&'static str>> = match row.ty {
        FieldType::Words(words) => Some(words.to_vec()),
        FieldType::Bool => Some(vec!["yes", "no"]),
        _ => None,
    };
    let control = match (words, row.ty) {
        (Some(words), _) => {
            let options: Vec<AnyView> = words
                .into_iter()
                .map(|word| {
                    view! { <option value=word selected=text.get_untracked() == word>{said(word)}</option> }.into_any()
                })
                .collect();
            view! {
                <select class="input" data-entry="" aria-label=label aria-invalid=invalid on:change=typed>
                    <option value="" disabled=true selected=text.get_untracked().is_empty()>"choose"</option>
                    {options}
                </select>
            }
            .into_any()
        }
        (None, FieldType::Schema | FieldType::Shares) => view! {
            <textarea
                class="input"
                data-entry=""
                rows="4"
                aria-label=label
                aria-invalid=invalid
                placeholder=entry::example(row.ty)
                prop:value=text.get_untracked()
                on:input=typed
            ></textarea>
        }
        .into_any(),
        _ => view! {
            <input
                class="input"
                data-entry=""
                aria-label=label
                aria-invalid=invalid
                autocomplete="off"
                spellcheck="false"
                placeholder=entry::example(row.ty)
                prop:value=text.get_untracked()
                on:input=typed
            />
        }
        .into_any(),
    };
    view! {
        {control}
        <p class="small quiet">{unbroken(row.meaning).into_owned()}</p>
    }
    .into_any()
}

/// The values that stand, each with a way to clear it.
fn standing(desk: Desk, id: &Id, field: Field) -> AnyView {
    let id = id.clone();
    view! {
        {move || {
            // The edit that changes it closes the editor: what stands in one that stays open follows the frame.
            let slots: Vec<(Slot, Value)> = desk.settled.with(|design| {
                design
                    .subject(&id)
                    .map(|s| design.slots(s, field).into_iter().map(|(slot, value)| (slot, value.clone())).collect())
                    .unwrap_or_default()
            });
            let rows: Vec<AnyView> = slots.into_iter().map(|(slot, value)| stands(desk, &id, field, slot, &value)).collect();
            (!rows.is_empty()).then(|| view! { <ul class="standing" aria-label="Values that stand">{rows}</ul> })
        }}
    }
    .into_any()
}

fn stands(desk: Desk, id: &Id, field: Field, slot: Slot, value: &Value) -> AnyView {
    let source = crate::model::FactRef { subject: id.clone(), field, slot: slot.clone() };
    let line = desk.design.with_untracked(|d| super::super::drawer::explain::source_line(d, &source));
    let clear: Edit = set(id, slot, field, None);
    view! {
        <li class="row">
            <span class="grow small">{unbroken(&entry::shown(value)).into_owned()} <span class="quiet">" · " {line}</span></span>
            <button
                type="button"
                class="button ghost"
                aria-disabled=move || desk.reading.get().to_string()
                on:click=move |_| {
                    desk.edit(clear.clone(), &format!("Clear {}", field.label()), None);
                }
            >
                "Clear"
            </button>
        </li>
    }
    .into_any()
}
