//! Planned actions, open questions, decisions, evidence and approvals: listed where they belong, each with its form.
//! Adding, changing and removing one is one edit.

use super::drawer::explain::stated_here;
use super::{
    kit::{disclosure, form::Control, go_to},
    marks::{self, basis},
    store::Desk,
};
use crate::{
    action::records::{Entry, Form, RecordKind, filled, read, resting},
    edit::{Edit, Record},
    model::{Basis, Design, EvidenceBasis, Field, Id, Json, Section, counted, counted_as, said},
    platform::{clock, device},
};
use leptos::prelude::*;

/// Most facts that are listed under an evidence entry.
const LISTED: usize = 40;

/// The lists of these kinds, each with its button to add; with `about`, only what mentions that subject. `place` names
/// where on the page they stand.
pub fn lists(desk: Desk, kinds: &'static [RecordKind], about: Option<&Id>, place: &str) -> AnyView {
    kinds.iter().map(|kind| list(desk, *kind, about, place)).collect::<Vec<_>>().into_any()
}

fn list(desk: Desk, kind: RecordKind, about: Option<&Id>, place: &str) -> AnyView {
    let of = about.cloned();
    let rows = Memo::new(move |_| {
        desk.meaning.with(|design| {
            let ids = kind.ids(design).into_iter();
            let ids = ids.filter(|id| of.as_ref().is_none_or(|of| mentions(design, kind, id, of)));
            ids.filter_map(|id| Some((kind.record(design, &id)?, id))).collect::<Vec<_>>()
        })
    });
    let place = format!("{place}/{}", kind.section());
    let adding = desk.panes.kept(&format!("{place}/new"), String::new);
    let (expanded, toggle, shown) = (adding.clone(), adding.clone(), adding);
    let (first, new_place) = (about.map(ToString::to_string).unwrap_or_default(), format!("{place}/new"));
    let add_place = new_place.clone();
    // Nothing of this kind may be left out on an element: the button alone would say less than its heading.
    let about_one = about.is_some();
    let none = Memo::new(move |_| !about_one && rows.with(Vec::is_empty));
    view! {
        <section class=if about_one { "records" } else { "inspector-section records" } data-records=kind.section()>
            <header class="row">
                <h3 class="label grow">{kind.heading()}</h3>
                <button
                    type="button"
                    class="button link"
                    aria-label=format!("Add {}", article(kind.title()))
                    aria-expanded=move || (!expanded.read().is_empty()).to_string()
                    aria-disabled=move || desk.reading.get().to_string()
                    data-record-add=kind.section()
                    on:click=move |_| if !desk.reading.get_untracked() {
                        toggle.set("open".to_owned());
                        device::focus(&format!("[data-record-form=\"{add_place}\"] [data-form]"));
                    }
                >
                    "Add"
                </button>
            </header>
            {move || (!shown.read().is_empty()).then(|| {
                let today = clock::today().map(|day| day.as_str().to_owned()).unwrap_or_default();
                let start: Form = [("about", first.clone()), ("at", today)].into_iter().filter(|(_, text)| !text.is_empty()).collect();
                form(desk, kind, None, &start, &new_place, shown.clone())
            })}
            {move || none.get().then(|| view! { <p class="small quiet">"none yet"</p> })}
            <ul class="evidence-list" hidden=move || none.get()>
                <For
                    each=move || rows.with(|rows| rows.iter().map(|(_, id)| id.clone()).collect::<Vec<Id>>())
                    key=Id::clone
                    children=move |id| row(desk, kind, &id, rows, &place)
                />
            </ul>
        </section>
    }
    .into_any()
}

fn article(title: &str) -> String {
    match title {
        "evidence" => title.to_owned(),
        _ if title.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {title}"),
        _ => format!("a {title}"),
    }
}

/// Does a record mention a subject? Evidence also where a fact of the subject rests on it.
fn mentions(design: &Design, kind: RecordKind, id: &Id, of: &Id) -> bool {
    let names = |text: &str| text.split('.').next() == Some(of.as_str());
    match kind.record(design, id) {
        Some(Record::Question(_, Some(one))) => one.about.iter().any(|text| names(text)),
        Some(Record::Decision(_, Some(one))) => one.about.iter().any(|text| names(text)),
        Some(Record::Action(_, Some(one))) => one.about.contains(of) || one.holds.contains(of),
        Some(Record::Approval(_, Some(one))) => names(&one.for_) || one.of.as_ref() == Some(of),
        Some(Record::Evidence(_, Some(one))) => {
            one.about.iter().any(|text| names(text)) || design.subject(of).is_some_and(|s| s.observed.contains_key(id))
        }
        _ => false,
    }
}

/// A row is made once and says what its record says.
fn row(desk: Desk, kind: RecordKind, id: &Id, rows: Memo<Vec<(Record, Id)>>, place: &str) -> AnyView {
    let place = format!("{place}/{id}");
    let editing = desk.panes.kept(&place, String::new);
    let (open, toggle, shown) = (editing.clone(), editing.clone(), editing);
    let of = id.clone();
    let record =
        Memo::new(move |_| rows.with(|rows| rows.iter().find(|(_, id)| *id == of).map(|(record, _)| record.clone())));
    let said = Memo::new(move |_| {
        record
            .with(|record| record.as_ref().map(|record| desk.meaning.with(|design| words(design, record))))
            .unwrap_or_default()
    });
    let (what, about) = (move || said.with(|(what, _)| what.clone()), move || said.with(|(_, about)| about.clone()));
    let more = (kind == RecordKind::Evidence).then(|| evidence_of(desk, id, &place));
    let (own, target) = (id.clone(), id.clone());
    let label = move || format!("Edit {}", what());
    let edit_place = place.clone();
    let remove = remove(desk, kind, id, what, &place);
    let about_line = move || {
        let about = about();
        (!about.is_empty()).then(|| view! { <p class="small quiet">{about}</p> })
    };
    view! {
        <li data-record=id.to_string()>
            <div class="row">
                <div class="grow">
                    <p>{move || record.with(|record| record.as_ref().map(mark))} " " {what}</p>
                    {about_line}
                </div>
                <button
                    type="button"
                    class="button link"
                    aria-label=label
                    aria-expanded=move || (!open.read().is_empty()).to_string()
                    aria-disabled=move || desk.reading.get().to_string()
                    data-record-edit=target.to_string()
                    on:click=move |_| if !desk.reading.get_untracked() {
                        toggle.set("open".to_owned());
                        device::focus(&format!("[data-record-form=\"{edit_place}\"] [data-form]"));
                    }
                >
                    "Edit"
                </button>
                {remove}
            </div>
            {more}
            {move || (!shown.read().is_empty()).then(|| {
                let start = record.with_untracked(|record| record.as_ref().map(|record| filled(kind, record)));
                form(desk, kind, Some(own.clone()), &start.unwrap_or_default(), &place, shown.clone())
            })}
        </li>
    }
    .into_any()
}

/// Takes a record away; an evidence entry on which facts rest asks first, for they go with it.
fn remove(desk: Desk, kind: RecordKind, id: &Id, what: impl Fn() -> String + Send + 'static, place: &str) -> AnyView {
    let of = id.clone();
    let rests = move || match kind {
        RecordKind::Evidence => desk.design.with_untracked(|design| resting(design, &of).len()),
        _ => 0,
    };
    let sure = desk.panes.kept(&format!("{place}/sure"), String::new);
    let (ask, id, own) = (sure.clone(), id.clone(), place.to_owned());
    view! {
        <button
            type="button"
            class="button link"
            aria-label=move || format!("Remove {}", what())
            aria-disabled=move || desk.reading.get().to_string()
            data-record-remove=""
            on:click=move |_| {
                let rests = rests();
                if rests > 0 && ask.read_untracked().is_empty() {
                    ask.set(rests.to_string());
                    desk.messages.announce(&format!("{}. Press again to remove it.", counted_as(rests, "fact rests on it and goes with it", "facts rest on it and go with it")));
                    return;
                }
                let edit = desk.design.with_untracked(|design| kind.removal(design, &id));
                if desk.edit(edit, &format!("Remove {}", article(kind.title())), None) {
                    desk.panes.forget(&own);
                }
            }
        >
            {move || match sure.read().parse::<usize>() {
                Ok(rests) => format!("Remove with its {}", counted(rests, "fact")),
                Err(_) => "Remove".to_owned(),
            }}
        </button>
    }
    .into_any()
}

fn mark(record: &Record) -> Option<AnyView> {
    let Record::Evidence(_, Some(entry)) = record else { return None };
    Some(match (entry.state, entry.basis) {
        (Some(state), _) => marks::absent(state.name()),
        (None, Some(EvidenceBasis::Read)) => basis(Basis::Measured, "read"),
        (None, Some(EvidenceBasis::Stated)) => basis(Basis::Stated, ""),
        (None, Some(EvidenceBasis::Assumed) | None) => basis(Basis::Assumed, ""),
    })
}

/// What a record says in one line, and by whom, when, about what.
fn words(design: &Design, record: &Record) -> (String, String) {
    let titles = |ids: &[Id]| ids.iter().map(|id| design.title(id)).collect::<Vec<_>>().join(", ");
    let join = |parts: Vec<Option<String>>| {
        parts.into_iter().flatten().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" · ")
    };
    let text = |text: &Option<crate::model::Text>| text.as_ref().map(ToString::to_string);
    let day = |at: &Option<crate::model::Date>| at.as_ref().map(|at| at.as_str().to_owned());
    match record {
        Record::Question(_, Some(one)) => {
            let owner = one.owner.as_ref().map(|owner| format!("to be answered by {owner}"));
            (one.text.to_string(), join(vec![owner, Some(one.about.join(", "))]))
        }
        Record::Decision(_, Some(one)) => {
            let kind = one.kind.map(|kind| said(kind.name()));
            (one.text.to_string(), join(vec![text(&one.by), day(&one.at), kind, text(&one.rule)]))
        }
        Record::Action(_, Some(one)) => {
            let range = match (&one.from, &one.to) {
                (Some(from), Some(to)) => Some(format!("from {from} to {to}")),
                (Some(from), None) => Some(format!("from {from} on")),
                (None, Some(to)) => Some(format!("up to {to}")),
                (None, None) => None,
            };
            let done = (!one.done.is_empty()).then(|| format!("{} of 6 steps recorded", one.done.len()));
            (
                format!("{} of {}", said(one.kind.name()), titles(&one.about)),
                join(vec![range, text(&one.reason), day(&one.at), done]),
            )
        }
        Record::Evidence(id, Some(one)) => {
            let state = one.state.map(|state| said(state.name()));
            let from = one.from.as_ref().map(ToString::to_string);
            let what = from.or_else(|| stated_here(one).map(str::to_owned)).unwrap_or_else(|| id.to_string());
            (what, join(vec![state, text(&one.by), day(&one.at)]))
        }
        Record::Approval(_, Some(one)) => {
            let of = one.of.as_ref().map(|of| format!("for {}", design.title(of)));
            (approved(design, one), join(vec![Some(one.by.to_string()), Some(one.at.as_str().to_owned()), of]))
        }
        _ => (String::new(), String::new()),
    }
}

/// `sum: allowed lateness 10 min`, or the action.
fn approved(design: &Design, approval: &crate::model::Approval) -> String {
    let path = approval.for_.split_once('.');
    let Some((subject, name)) = path.and_then(|(id, name)| Some((Id::new(id).ok()?, name))) else {
        let action = Id::new(&approval.for_).ok().and_then(|id| RecordKind::Action.record(design, &id));
        return action.map_or_else(|| approval.for_.to_string(), |action| words(design, &action).0);
    };
    let field = design.subject(&subject).and_then(|found| design.field(found, name));
    let value = approval.value.as_ref().map(|value| {
        let json = Json::from_serde(&value.0);
        let read = field.and_then(|field| field.read(&json).ok());
        read.map_or_else(|| json.as_text().map_or_else(|| json.to_string(), str::to_owned), |value| value.spoken())
    });
    let label = field.map_or_else(|| name.to_owned(), Field::label);
    format!("{}: {label} {}", design.title(&subject), value.unwrap_or_default())
}

/// What rests on an evidence entry.
fn evidence_of(desk: Desk, id: &Id, place: &str) -> AnyView {
    let id = id.clone();
    // Nobody waits for it: it follows once the frame of an edit is drawn.
    let rests = Memo::new(move |_| {
        desk.settled.with(|design| {
            let all = resting(design, &id).into_iter();
            all.map(|(of, label, value)| (design.title(&of), of, label, value)).collect::<Vec<_>>()
        })
    });
    let count = Memo::new(move |_| rests.with(Vec::len));
    let any = Memo::new(move |_| count.get() > 0);
    let line = move |(title, of, label, value): (String, Id, String, String)| {
        view! { <li class="row"><span class="grow">{label} " " <strong>{value}</strong></span> {go_to(desk, of, title)}</li> }
    };
    let most = RwSignal::new(LISTED);
    let more = move || {
        let more = count.get().saturating_sub(most.get());
        let all = move |_| most.set(usize::MAX);
        (more > 0).then(
            || view! { <button type="button" class="button link" on:click=all>{format!("and {more} more")}</button> },
        )
    };
    let place = format!("{place}/rests");
    let list = move || {
        let summary = move || counted_as(count.get(), "fact rests on it", "facts rest on it");
        let rows =
            view! { <For each=move || rests.get().into_iter().take(most.get()) key=Clone::clone children=line /> };
        let content = view! { <ul class="small">{rows}</ul> {more} }.into_any();
        disclosure(desk, &place, "rests", summary.into_any(), content)
    };
    let shown = move || match any.get() {
        true => list(),
        false => view! { <p class="small quiet">"No fact rests on it."</p> }.into_any(),
    };
    shown.into_any()
}

/// The form of one record; `open` is emptied when it is done with.
fn form(desk: Desk, kind: RecordKind, id: Option<Id>, start: &Form, place: &str, open: ArcRwSignal<String>) -> AnyView {
    let wrong = RwSignal::new(None::<(String, String)>);
    let value_of = |name: &str| {
        let start = start.get(name).cloned().unwrap_or_default();
        desk.panes.kept(&format!("{place}/{name}"), || start)
    };
    let values: Vec<(&'static str, ArcRwSignal<String>)> =
        kind.fields().iter().map(|field| (field.name, value_of(field.name))).collect();
    let controls: Vec<(bool, AnyView)> = kind
        .fields()
        .iter()
        .zip(&values)
        .map(|(field, (_, value))| {
            let control =
                Control { name: field.name, label: field.label, example: field.example, value: value.clone(), wrong };
            let view = match field.entry {
                Entry::Line => control.line("text"),
                Entry::Date => control.line("date"),
                Entry::Text => control.text(),
                Entry::Word(words) => control.word(&words()),
                Entry::Words(words) => control.words(&words()),
                Entry::Subjects | Entry::Places => control.entries(known(desk, kind, field.name), true),
                Entry::Place => control.entries(known(desk, kind, field.name), false),
            };
            (field.name.starts_with("done."), view)
        })
        .collect();
    let (steps, first): (Vec<_>, Vec<_>) = controls.into_iter().partition(|(step, _)| *step);
    let views = |all: Vec<(bool, AnyView)>| all.into_iter().map(|(_, view)| view).collect::<Vec<_>>();
    let steps = (!steps.is_empty()).then(|| {
        let content = views(steps).into_any();
        disclosure(desk, &format!("{place}/steps"), "", "What was recorded when a step was done".into_any(), content)
    });
    let (own, back) = (place.to_owned(), id.clone());
    let close = move || {
        desk.panes.forget(&format!("{own}/"));
        open.set(String::new());
        device::focus(&match &back {
            Some(id) => format!("[data-record-edit=\"{id}\"]"),
            None => format!("[data-record-add={}]", kind.section()),
        });
    };
    let done = close.clone();
    let save = move || {
        let form: Form = values.iter().map(|(name, value)| (*name, value.get_untracked())).collect();
        match record_of(desk, kind, id.clone(), &form) {
            Ok(edit) => {
                let verb = if id.is_some() { "Change" } else { "Add" };
                if desk.edit(edit, &format!("{verb} {}", article(kind.title())), None) {
                    done();
                }
            }
            Err(refused) => wrong.set(Some(refused)),
        }
    };
    let of_none = move || {
        wrong.with(|w| {
            w.as_ref().filter(|(at, _)| kind.fields().iter().all(|f| f.name != at)).map(|(_, why)| why.clone())
        })
    };
    let escape = close.clone();
    view! {
        <form
            class="editor record-form"
            aria-label=kind.title()
            data-record-form=place.to_owned()
            on:submit=move |event| {
                event.prevent_default();
                save();
            }
            on:keydown=move |event| if event.key() == "Escape" {
                event.prevent_default();
                event.stop_propagation();
                escape();
            }
        >
            {views(first)}
            {steps}
            {move || of_none().map(|why| view! { <p class="invalid" role="alert">{why}</p> })}
            <div class="row wrap">
                <button type="submit" class="button primary" aria-disabled=move || desk.reading.get().to_string()>"Save"</button>
                <button type="button" class="button ghost" on:click=move |_| close()>"Cancel"</button>
            </div>
        </form>
    }
    .into_any()
}

/// The edit that a form says, tried on the design as it stands; the error names the field.
fn record_of(desk: Desk, kind: RecordKind, id: Option<Id>, form: &Form) -> Result<Edit, (String, String)> {
    let design = desk.design.get_untracked();
    let id =
        id.unwrap_or_else(|| desk.with_history(|history| design.next_id(kind.letter(), &|id| history.mentions(id))));
    let edit = Edit::Record(read(kind, &id, form, &design)?);
    let mut tried = (*design).clone();
    match tried.apply(edit.clone()) {
        Ok(_) => Ok(edit),
        Err(refused) => {
            let at = refused.path.rsplit_once(&format!("{id}.")).map_or(String::new(), |(_, field)| field.to_owned());
            Err((
                at.split('.').next().unwrap_or_default().to_owned(),
                format!("{}.", refused.reason.trim_end_matches('.')),
            ))
        }
    }
}

/// What a field of entries offers: elements and links; for approvals what can be approved.
fn known(desk: Desk, kind: RecordKind, field: &str) -> Vec<(String, String)> {
    desk.design.with_untracked(|design| {
        let subjects = [Section::Elements, Section::Links].into_iter().flat_map(|s| design.section(s));
        match (kind, field) {
            (RecordKind::Approval, "for") => {
                let actions = RecordKind::Action.ids(design).into_iter();
                let actions = actions
                    .filter_map(|id| Some((id.to_string(), words(design, &RecordKind::Action.record(design, &id)?).0)));
                let values = subjects.flat_map(|(id, subject)| {
                    let title = design.title(id);
                    subject.proposed.iter().map(move |(field, _)| {
                        (format!("{id}.{}", field.name()), format!("{title}: {}", field.label()))
                    })
                });
                actions.chain(values).collect()
            }
            (RecordKind::Approval, _) => {
                let consumers = subjects.filter(|(id, _)| design.kind(id) == Some(crate::model::ElementKind::Consumer));
                consumers.map(|(id, _)| (id.to_string(), design.title(id))).collect()
            }
            _ => subjects.map(|(id, _)| (id.to_string(), design.title(id))).collect(),
        }
    })
}
