//! The outline: the canvas as a tree for the keyboard and for screen readers. It edits the same document.

use super::{
    super::{
        each::Each,
        kit::reveal,
        marks::{self, Icon, Level, icon, severity},
        run::run,
        store::{Desk, Show},
    },
    tree::{TreeRow, rows},
};
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    action::Command,
    analysis::delivery::verdict::Badge,
    model::{Design, ElementKind, Id, View},
    platform::{device, frame},
    rules::Review,
};
use leptos::prelude::*;
use std::sync::Arc;

#[derive(Clone, PartialEq)]
struct Shown {
    row: TreeRow,
    name: String,
    kind: Option<ElementKind>,
    level: Option<Level>,
    badge: Option<Badge>,
    planned: bool,
}

/// The tree.
pub fn outline(desk: Desk) -> AnyView {
    let folded = RwSignal::new(SortedSet::<Id>::new());
    let shown = Memo::new(move |_| {
        // Nobody waits for the outline: it follows once the verdict is drawn.
        let (design, review) = (desk.settled.get(), desk.settled_review(desk.view()));
        let facts = Facts::of(&design, &review);
        let folded = folded.get();
        let mut hidden_below: Option<usize> = None;
        let mut all = Vec::new();
        // What the canvas shows: one view, or both.
        let show = desk.show.get();
        for row in rows(&design, |id| show == Show::Both || design.visible(show.view(), id)) {
            if hidden_below.is_some_and(|level| row.level > level) {
                continue;
            }
            hidden_below = folded.contains(&row.id).then_some(row.level);
            all.push(describe(&design, &review, &facts, row));
        }
        all
    });
    let active = Memo::new(move |_| {
        let selected = desk.selection.with(|s| s.first().cloned());
        shown.with(|rows| {
            let known = |id: &Id| rows.iter().any(|s| s.row.id == *id);
            selected.filter(known).or_else(|| rows.first().map(|s| s.row.id.clone()))
        })
    });
    let marks = Marks::follow(desk, active);
    // A row is made once; what it says follows, so that the keyboard stays in it.
    let each = Each::<Option<Arc<Shown>>>::new();
    Effect::new(move |before: Option<SortedMap<Id, Arc<Shown>>>| {
        let now: SortedMap<Id, Arc<Shown>> =
            shown.with(|rows| rows.iter().map(|one| (one.row.id.clone(), Arc::new(one.clone()))).collect());
        each.follow(before.as_ref(), &now);
        now
    });
    view! {
        <section class="outline" aria-label="Outline">
            <header class="row pane-head">
                <h2 class="label grow" id="outline-title">"Outline"</h2>
                <kbd>"F6"</kbd>
            </header>
            <div role="tree" class="tree" aria-labelledby="outline-title" aria-multiselectable="true">
                <For
                    each=move || shown.get()
                    key=|one| one.row.id.clone()
                    children=move |one| item(desk, one, shown, each, marks, folded)
                />
            </div>
            {move || shown.with(Vec::is_empty).then(|| view! {
                <p class="small quiet tree-empty">"Nothing is drawn yet."</p>
            })}
        </section>
    }
    .into_any()
}

/// Which rows are selected, and which one the keyboard comes to; a signal for each row, so that a selection touches the
/// rows that it is about.
#[derive(Clone, Copy)]
struct Marks {
    chosen: Each<bool>,
    active: Each<bool>,
    now: Memo<Option<Id>>,
}

impl Marks {
    /// They follow once the frame is drawn.
    fn follow(desk: Desk, now: Memo<Option<Id>>) -> Self {
        let marks = Self { chosen: Each::new(), active: Each::new(), now };
        Effect::new(move |before: Option<SortedSet<Id>>| {
            let selection = desk.selection.get();
            let after = selection.clone();
            frame::after(move || marks.chosen.follow(&before.unwrap_or_default(), &after));
            selection
        });
        Effect::new(move |before: Option<SortedSet<Id>>| {
            let active: SortedSet<Id> = now.get().into_iter().collect();
            marks.active.follow(&before.unwrap_or_default(), &active);
            active
        });
        marks
    }

    fn of(self, desk: Desk, id: &Id) -> (ArcRwSignal<bool>, ArcRwSignal<bool>) {
        let chosen = self.chosen.of(id, || desk.selection.with_untracked(|selection| selection.contains(id)));
        (chosen, self.active.of(id, || self.now.with_untracked(|now| now.as_ref() == Some(id))))
    }
}

/// What is looked up once for all rows.
struct Facts<'a> {
    levels: SortedMap<&'a Id, Level>,
    /// The first main link that leaves an element.
    leaving: SortedMap<&'a Id, &'a Id>,
    /// Something exists today, so that what is planned stands out.
    live: bool,
}

impl<'a> Facts<'a> {
    fn of(design: &'a Design, review: &'a Review) -> Self {
        let mut levels: SortedMap<&Id, Level> = SortedMap::new();
        let open = review.findings.iter().filter(|finding| finding.accepted.is_none());
        let found = open.map(|finding| (finding.about.first(), Level::from(finding.severity)));
        let halted = review.halts.iter().map(|halt| (halt.about.first(), Level::Halt));
        for (about, level) in found.chain(halted) {
            if let Some(id) = about {
                levels.entry(id).and_modify(|worst| *worst = level.min(*worst)).or_insert(level);
            }
        }
        let mut leaving = SortedMap::new();
        for (id, link) in design.links.iter().filter_map(|(id, subject)| Some((id, subject.as_link()?))) {
            if link.port.is_none() {
                leaving.entry(&link.from).or_insert(id);
            }
        }
        Self { levels, leaving, live: design.elements.keys().any(|id| design.visible(View::AsIs, id)) }
    }
}

fn describe(design: &Design, review: &Review, facts: &Facts<'_>, row: TreeRow) -> Shown {
    let id = &row.id;
    let badge = match review.consumers.get(id) {
        Some(consumer) => Some(consumer.delivery.badge.clone()),
        None => {
            facts.leaving.get(id).and_then(|link| review.links.get(link)).map(|report| report.badge.as_ref().clone())
        }
    };
    let kind = design.kind(id);
    Shown {
        name: design.title(id),
        kind,
        level: facts.levels.get(id).copied(),
        badge: badge.filter(|_| kind != Some(ElementKind::Job)),
        planned: facts.live && !design.visible(View::AsIs, id),
        row,
    }
}

impl Shown {
    /// What a row says aloud.
    fn label(&self) -> String {
        format!(
            "{} {}{}{}",
            self.kind.map_or("", ElementKind::name),
            self.name,
            self.badge.as_ref().map(|badge| format!(", {}", marks::badge_words(badge))).unwrap_or_default(),
            self.level.map(|level| format!(", {}", level.word())).unwrap_or_default(),
        )
    }

    /// What stands in a row.
    fn content(&self) -> AnyView {
        let kind = if self.kind == Some(ElementKind::Job) { " (job)" } else { "" };
        view! {
            {self.row.holds.then(|| icon(Icon::Down))}
            <span class="cut grow">{self.name.clone()} <span class="second">{kind}</span></span>
            {self.planned.then(|| view! { <span class="planned" title="planned">"+"</span> })}
            {self.level.map(severity)}
            {self.badge.as_ref().map(marks::mini_badge)}
        }
        .into_any()
    }
}

fn item(
    desk: Desk,
    one: Shown,
    all: Memo<Vec<Shown>>,
    each: Each<Option<Arc<Shown>>>,
    marks: Marks,
    folded: RwSignal<SortedSet<Id>>,
) -> AnyView {
    let id = one.row.id.clone();
    let (for_open, for_click, for_keys) = (id.clone(), id.clone(), id.clone());
    let (chosen, active) = marks.of(desk, &id);
    let own: RwSignal<Option<Arc<Shown>>> = each.of(&id, || Some(Arc::new(one))).into();
    let job = Memo::new(move |_| own.with(|own| own.as_ref().is_some_and(|own| own.kind == Some(ElementKind::Job))));
    let level = Memo::new(move |_| own.with(|own| own.as_ref().map_or(1, |own| own.row.level)));
    let holds = Memo::new(move |_| own.with(|own| own.as_ref().is_some_and(|own| own.row.holds)));
    let is_open = move || (!folded.with(|f| f.contains(&for_open))).to_string();
    view! {
        <div
            role="treeitem"
            class="tree-item"
            class:job=move || job.get()
            style=move || format!("padding-left:{}px", 14 + (level.get() - 1) * 12)
            prop:ariaLevel=move || level.get().to_string()
            aria-expanded=move || holds.get().then(&is_open)
            aria-selected=move || chosen.get().to_string()
            aria-label=move || own.with(|own| own.as_deref().map(Shown::label))
            tabindex=move || if active.get() { "0" } else { "-1" }
            data-outline-id=id.to_string()
            on:click=move |event| {
                if event.ctrl_key() || event.meta_key() || event.shift_key() {
                    desk.selection.update(|s| if !s.remove(&for_click) { s.insert(for_click.clone()); });
                } else {
                    reveal(desk, &for_click);
                }
            }
            on:dblclick=move |_| run(desk, Command::Rename)
            on:keydown=move |event| keys(desk, &event, &for_keys, all, folded)
        >
            {move || own.with(|own| own.as_deref().map(Shown::content))}
        </div>
    }
    .into_any()
}

/// The standard keys of a tree.
fn keys(
    desk: Desk,
    event: &leptos::ev::KeyboardEvent,
    id: &Id,
    all: Memo<Vec<Shown>>,
    folded: RwSignal<SortedSet<Id>>,
) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let rows = all.get_untracked();
    let Some(at) = rows.iter().position(|shown| shown.row.id == *id) else { return };
    let level = |i: usize| rows.get(i).map(|shown| shown.row.level);
    let closed = folded.with_untracked(|f| f.contains(id));
    let holds = rows.get(at).is_some_and(|shown| shown.row.holds);
    let target = match event.key().as_str() {
        "ArrowDown" => Some(at + 1),
        "ArrowUp" => at.checked_sub(1),
        "Home" => Some(0),
        "End" => rows.len().checked_sub(1),
        "ArrowRight" if holds && closed => {
            folded.update(|f| {
                f.remove(id);
            });
            None
        }
        "ArrowRight" if holds => Some(at + 1),
        "ArrowLeft" if holds && !closed => {
            folded.update(|f| {
                f.insert(id.clone());
            });
            None
        }
        "ArrowLeft" => (0..at).rev().find(|i| level(*i) < level(at)),
        "Enter" | " " => Some(at),
        _ => return,
    };
    event.prevent_default();
    if let Some(row) = target.and_then(|i| rows.get(i)) {
        reveal(desk, &row.row.id);
        device::focus(&format!("[data-outline-id=\"{}\"]", row.row.id));
    }
}
