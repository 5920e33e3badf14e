//! With nothing selected: the design as a whole, its question, event types, clusters and evidence.

use super::super::{kit::command_button, records, store::Desk};
use crate::{
    action::{Command, records::RecordKind},
    edit::Edit,
    model::{Id, Section, Shape, Subject, counted},
};
use leptos::prelude::*;

/// The panel.
pub fn panel(desk: Desk) -> AnyView {
    view! {
        <header class="inspector-head">
            <p class="small quiet">"Nothing is selected"</p>
            <h2 class="panel-title">"The design"</h2>
            <p class="small second">{move || count(desk)}</p>
        </header>
        <section class="inspector-section">
            <label class="part"><span class="label">"Business question"</span>
                <textarea
                    class="input"
                    data-field="question"
                    rows="2"
                    maxlength="500"
                    placeholder="what somebody decides with the result"
                    prop:value=move || desk.design.with(|d| d.question.as_ref().map(ToString::to_string)).unwrap_or_default()
                    prop:readOnly=move || desk.reading.get()
                    on:change=move |event| {
                        let text = event_target_value(&event);
                        let to = (!text.trim().is_empty()).then(|| text.trim().into());
                        desk.edit(Edit::Question(to), "Change the question", None);
                    }
                ></textarea>
            </label>
        </section>
        {subjects(desk, Section::Events, "Event types", "event")}
        {subjects(desk, Section::Clusters, "Clusters", "cluster")}
        {records::lists(desk, &RecordKind::ALL, None, "design")}
        <div class="inspector-section">{command_button(desk, Command::Import, "", "Import command output".into_any())}</div>
    }
    .into_any()
}

fn count(desk: Desk) -> String {
    desk.meaning.with(|design| {
        format!(
            "{}, {}, {} of evidence",
            counted(design.elements.len(), "element"),
            counted(design.links.len(), "link"),
            design.records.evidence.len()
        )
    })
}

fn subjects(desk: Desk, section: Section, title: &'static str, stem: &'static str) -> AnyView {
    let ids = Memo::new(move |_| desk.meaning.with(|d| d.section(section).keys().cloned().collect::<Vec<Id>>()));
    let none = Memo::new(move |_| ids.with(Vec::is_empty));
    let add = move |_| {
        let added = desk.draft(&format!("Add {stem}"), |draft| {
            let id = draft.fresh_id(stem, stem);
            let shape = match section {
                Section::Events => Shape::Event,
                _ => Shape::Cluster { environment: None, trust_zone: None },
            };
            draft.put(section, &id, Subject::new(shape))?;
            Ok(id)
        });
        if let Some(id) = added {
            desk.select([id]);
        }
    };
    view! {
        <section class="inspector-section">
            <header class="row"><h3 class="label grow">{title}</h3>
                <button type="button" class="button link" aria-disabled=move || desk.reading.get().to_string() on:click=add>"Add"</button>
            </header>
            {move || none.get().then(|| view! { <p class="small quiet">"none yet"</p> })}
            <For each=move || ids.get() key=Id::clone children=move |id| subject(desk, id) />
        </section>
    }
    .into_any()
}

fn subject(desk: Desk, id: Id) -> AnyView {
    let (of, place) = (id.clone(), id.to_string());
    let name = Memo::new(move |_| desk.meaning.with(|design| design.title(&of)));
    view! { <button type="button" class="list-row" data-subject=place on:click=move |_| desk.select([id.clone()])>{move || name.get()}</button> }
        .into_any()
}
