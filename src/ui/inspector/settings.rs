//! The settings of a subject by theme: those with a value or still needed first, all others one step away.

use super::{super::store::Desk, missing::missing_of, row};
use crate::sorted::SortedSet;
use crate::{
    model::{Field, Id, Known, View},
    platform::frame,
};
use leptos::prelude::*;

/// All settings.
pub fn settings(desk: Desk, id: &Id) -> AnyView {
    let of = id.clone();
    let fields = Memo::new(move |_| {
        desk.meaning.with(|design| {
            let Some(subject) = design.subject(&of) else { return Vec::new() };
            design.groups(subject).into_iter().flat_map(crate::model::Group::fields).collect::<Vec<Field>>()
        })
    });
    let id = id.clone();
    view! {
        <section class="inspector-section settings" aria-label="Settings">
            <div class="setting-heads" aria-hidden="true"><span class="label">"As-is"</span><span class="label">"To-be"</span></div>
            {move || themes(desk, &id, &fields.get())}
        </section>
    }
    .into_any()
}

fn rows(desk: Desk, id: &Id, fields: &[Field]) -> Vec<AnyView> {
    fields.iter().map(|field| row::row(desk, id, *field)).collect()
}

fn themes(desk: Desk, id: &Id, fields: &[Field]) -> AnyView {
    let mut titles: Vec<&'static str> = Vec::new();
    for field in fields {
        if !titles.contains(&field.row().theme) {
            titles.push(field.row().theme);
        }
    }
    // Which rows stand open at first is decided when the subject is selected, so that no row jumps while one types.
    let wanted: SortedSet<Field> = untrack(|| missing_of(desk, id)).into_iter().map(|m| m.field).collect();
    let filled = |field: &Field| {
        wanted.contains(field)
            || desk.design.with_untracked(|d| {
                let known = |view| !matches!(d.resolve(view, id, *field), Known::NotKnown(_));
                known(View::AsIs) || known(View::ToBe)
            })
    };
    // What is folded is not seen: it is put on the page once the rest is drawn.
    let drawn = RwSignal::new(false);
    frame::after(move || _ = drawn.try_set(true));
    titles
        .into_iter()
        .map(|title| {
            let of_theme = fields.iter().copied().filter(|field| field.row().theme == title);
            let (first, rest): (Vec<Field>, Vec<Field>) = of_theme.partition(&filled);
            let (count, of) = (rest.len(), id.clone());
            let more = (count > 0).then(|| {
                view! {
                    <details class="more-settings">
                        <summary>{if first.is_empty() { format!("{title}, {count} not read") } else { format!("{count} more of {title}") }}</summary>
                        {move || drawn.get().then(|| rows(desk, &of, &rest))}
                    </details>
                }
            });
            let shown = rows(desk, id, &first);
            let heading = (!first.is_empty()).then(|| view! { <h3 class="label theme">{title}</h3> });
            view! { <div class="theme-block">{heading} {shown} {more}</div> }.into_any()
        })
        .collect::<Vec<_>>()
        .into_any()
}
