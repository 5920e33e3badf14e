//! What a subject is made of: system, cluster, owner, life cycle, job, step, event, port, remark.

use super::{
    super::{dialogs::reference, store::Desk},
    head::blur,
};
use crate::sorted;
use crate::{
    catalog::{self, Role},
    documents::reference::Part,
    edit::{Edit, Label},
    model::{
        ChannelRole, Element, ElementKind, Environment, Id, Input, Lifecycle, Link, Port, Section, Shape, Step,
        Subject, Text, TrustZone, said,
    },
};
use leptos::prelude::*;

/// The section.
pub fn structure(desk: Desk, id: &Id) -> AnyView {
    let of = id.clone();
    // Rebuilt when the shape changes, not with every setting.
    let subject = Memo::new(move |_| {
        desk.meaning.with(|design| {
            design.subject(&of).map(|s| {
                let mut bare = Subject::new(s.shape.clone());
                bare.owner = s.owner.clone();
                bare.system = s.system.clone();
                bare.cluster = s.cluster.clone();
                bare.lifecycle = s.lifecycle;
                bare.note = s.note.clone();
                let names = |section: Section| design.section(section).keys().cloned().collect::<Vec<_>>();
                (bare, names(Section::Clusters), names(Section::Events))
            })
        })
    });
    let id = id.clone();
    view! {
        <section class="inspector-section structure" aria-label="Structure">
            {move || subject.get().map(|(subject, clusters, events)| fields(desk, &id, &subject, &clusters, &events))}
        </section>
    }
    .into_any()
}

fn fields(desk: Desk, id: &Id, subject: &Subject, clusters: &[Id], events: &[Id]) -> AnyView {
    let mut parts: Vec<AnyView> = Vec::new();
    parts.extend(by_shape(desk, id, &subject.shape, events));
    if subject.shape.takes_system() {
        parts.push(system(desk, id, subject));
    }
    if subject.shape.takes_cluster() {
        parts.push(cluster(desk, id, subject.cluster.as_ref(), clusters));
    }
    if !matches!(subject.shape, Shape::Event | Shape::Cluster { .. }) {
        parts.push(lifecycle(desk, id, subject.lifecycle));
    }
    parts.push(label(desk, id, Label::Owner, "Owner", "a role or team", subject.owner.as_ref()));
    parts.push(label(desk, id, Label::Note, "Remark", "", subject.note.as_ref()));
    parts.into_any()
}

/// A labelled list of choices.
pub fn choose(
    desk: Desk,
    name: &'static str,
    title: &'static str,
    options: Vec<(String, String)>,
    value: &str,
    set: impl Fn(&str) + 'static,
) -> AnyView {
    let options: Vec<AnyView> = options
        .into_iter()
        .map(|(key, text)| {
            let selected = key == value;
            view! { <option value=key selected=selected>{text}</option> }.into_any()
        })
        .collect();
    view! {
        <label class="part"><span class="label">{title}</span>
            <select class="input" data-field=name disabled=move || desk.reading.get() on:change=move |event| set(&event_target_value(&event))>
                {options}
            </select>
        </label>
    }
    .into_any()
}

fn words<T: Copy>(absent: &str, all: &[T], name: fn(T) -> &'static str) -> Vec<(String, String)> {
    let choices = all.iter().map(|word| (name(*word).to_owned(), said(name(*word))));
    std::iter::once((String::new(), absent.to_owned())).chain(choices).collect()
}

fn reshape(desk: Desk, id: &Id, shape: Shape, label: &str) {
    let id = id.clone();
    desk.draft(label, move |draft| draft.reshape(&id, shape));
}

fn by_shape(desk: Desk, id: &Id, shape: &Shape, events: &[Id]) -> Vec<AnyView> {
    match shape {
        Shape::Element(Element::Source { event }) => {
            vec![event_choice(desk, id, "Emits", event.as_ref(), events, |event| {
                Shape::Element(Element::Source { event })
            })]
        }
        Shape::Element(Element::Channel { role }) => {
            let id = id.clone();
            let options = words("log or queue", ChannelRole::ALL, ChannelRole::name);
            vec![choose(desk, "role", "Role", options, role.map_or("", ChannelRole::name), move |word| {
                reshape(
                    desk,
                    &id,
                    Shape::Element(Element::Channel { role: ChannelRole::named(word) }),
                    "Change the role",
                );
            })]
        }
        Shape::Element(Element::Operator { job, step, emits }) => {
            operator(desk, id, job, *step, emits.as_ref(), events)
        }
        Shape::Element(Element::Consumer { question }) => {
            vec![label(desk, id, Label::Question, "Asks", "what this consumer wants to know", question.as_ref())]
        }
        Shape::Link(link) => link_parts(desk, id, link),
        Shape::Cluster { environment, trust_zone } => cluster_parts(desk, id, *environment, *trust_zone),
        _ => Vec::new(),
    }
}

fn event_choice(
    desk: Desk,
    id: &Id,
    title: &'static str,
    value: Option<&Id>,
    events: &[Id],
    shape: impl Fn(Option<Id>) -> Shape + Clone + 'static,
) -> AnyView {
    let mut options = vec![(String::new(), "not stated".to_owned())];
    options.extend(events.iter().map(|event| (event.to_string(), desk.design.with_untracked(|d| d.title(event)))));
    options.push(("+".to_owned(), "a new event type".to_owned()));
    let (id, current) = (id.clone(), value.map(ToString::to_string).unwrap_or_default());
    choose(desk, "event", title, options, &current, move |chosen| {
        let (id, shape) = (id.clone(), shape.clone());
        if chosen == "+" {
            desk.draft("Add an event type", |draft| {
                let event = draft.fresh_id("event", "event");
                draft.put(Section::Events, &event, Subject::new(Shape::Event))?;
                draft.reshape(&id, shape(Some(event)))
            });
        } else {
            let shape = shape(Id::new(chosen).ok());
            reshape(desk, &id, shape, "Change the event type");
        }
    })
}

fn operator(desk: Desk, id: &Id, job: &Id, step: Step, emits: Option<&Id>, events: &[Id]) -> Vec<AnyView> {
    let steps: Vec<(String, String)> =
        Step::ALL.iter().map(|step| (step.name().to_owned(), said(step.name()))).collect();
    let jobs: Vec<(String, String)> = desk.design.with_untracked(|design| {
        let jobs = design.elements.iter().filter(|(_, s)| s.kind() == Some(ElementKind::Job));
        jobs.map(|(id, _)| (id.to_string(), design.title(id))).collect()
    });
    let (of_step, of_job) = (id.clone(), id.clone());
    let (job_then, emits_then) = (job.clone(), emits.cloned());
    let emits_of_job = emits.cloned();
    vec![
        choose(desk, "step", "Does", steps, step.name(), move |word| {
            if let Some(step) = Step::named(word) {
                let shape = Element::Operator { job: job_then.clone(), step, emits: emits_then.clone() };
                reshape(desk, &of_step, Shape::Element(shape), "Change the step");
            }
        }),
        choose(desk, "job", "In job", jobs, job.as_str(), move |chosen| {
            if let Ok(job) = Id::new(chosen) {
                let shape = Element::Operator { job, step, emits: emits_of_job.clone() };
                reshape(desk, &of_job, Shape::Element(shape), "Move to another job");
            }
        }),
        {
            let job = job.clone();
            event_choice(desk, id, "Makes a new event", emits, events, move |emits| {
                Shape::Element(Element::Operator { job: job.clone(), step, emits })
            })
        },
    ]
}

fn link_parts(desk: Desk, id: &Id, link: &Link) -> Vec<AnyView> {
    let (of_port, of_input) = (id.clone(), id.clone());
    let (for_port, for_input) = (link.clone(), link.clone());
    let from = desk.design.with_untracked(|d| d.kind(&link.from));
    let mut parts = Vec::new();
    if matches!(from, Some(ElementKind::Operator | ElementKind::Batch | ElementKind::Sink)) {
        let options = words("main", Port::ALL, Port::name);
        parts.push(choose(desk, "port", "Leaves by", options, link.port.map_or("", Port::name), move |word| {
            let link = Link { port: Port::named(word), ..for_port.clone() };
            reshape(desk, &of_port, Shape::Link(link), "Change the output");
        }));
    }
    if desk.design.with_untracked(|d| d.kind(&link.to)) == Some(ElementKind::Operator) {
        let options = words("main", Input::ALL, Input::name);
        parts.push(choose(desk, "into", "Enters by", options, link.into.map_or("", Input::name), move |word| {
            let link = Link { into: Input::named(word), ..for_input.clone() };
            reshape(desk, &of_input, Shape::Link(link), "Change the input");
        }));
    }
    parts
}

fn cluster_parts(desk: Desk, id: &Id, environment: Option<Environment>, trust_zone: Option<TrustZone>) -> Vec<AnyView> {
    let (a, b) = (id.clone(), id.clone());
    vec![
        choose(
            desk,
            "environment",
            "Environment",
            words("not stated, treated as production", Environment::ALL, Environment::name),
            environment.map_or("", Environment::name),
            move |word| {
                let shape = Shape::Cluster { environment: Environment::named(word), trust_zone };
                reshape(desk, &a, shape, "Change the environment");
            },
        ),
        choose(
            desk,
            "trust_zone",
            "Trust zone",
            words("not stated", TrustZone::ALL, TrustZone::name),
            trust_zone.map_or("", TrustZone::name),
            move |word| {
                let shape = Shape::Cluster { environment, trust_zone: TrustZone::named(word) };
                reshape(desk, &b, shape, "Change the trust zone");
            },
        ),
    ]
}

fn roles(subject: &Subject) -> &'static [Role] {
    match subject.kind() {
        Some(ElementKind::Source) => &[Role::Source],
        Some(ElementKind::Channel) => &[Role::Channel],
        Some(ElementKind::Job) => &[Role::Engine],
        Some(ElementKind::Sink) => &[Role::Sink],
        Some(ElementKind::Consumer) => &[Role::Consumer],
        Some(ElementKind::Batch) => &[Role::Batch],
        _ => &[Role::Channel, Role::Engine, Role::Sink, Role::Source],
    }
}

fn system(desk: Desk, id: &Id, subject: &Subject) -> AnyView {
    let value = subject.system.as_ref().map(ToString::to_string).unwrap_or_default();
    let inherited = subject.cluster.as_ref().and_then(|cluster| {
        desk.design.with_untracked(|d| d.clusters.get(cluster).and_then(|c| c.system.as_ref().map(ToString::to_string)))
    });
    let absent = inherited.map_or_else(|| "not stated".to_owned(), |system| format!("as the cluster: {system}"));
    let mut options = vec![(String::new(), absent)];
    let mut known: Vec<(String, String)> = Vec::new();
    for role in roles(subject) {
        for entry in catalog::entries(*role) {
            if !known.iter().any(|(id, _)| id == entry.id) {
                known.push((entry.id.to_owned(), entry.name.to_owned()));
            }
        }
    }
    sorted::sort_by_key(&mut known, |known| known.1.to_lowercase());
    if !value.is_empty() && !known.iter().any(|(id, _)| *id == value) {
        known.push((value.clone(), format!("{value}, not in the catalogue")));
    }
    options.extend(known);
    let id = id.clone();
    let known = desk.design.with_untracked(|d| d.system(&id).and_then(|system| catalog::entry(system)));
    let about = known.map(|entry| {
        let label = format!("What {} can do", entry.name);
        view! {
            <button type="button" class="button link small system-page" aria-haspopup="dialog" data-system-page=entry.id
                on:click=move |_| reference::open(desk, Part::Systems, entry.id)>{label}</button>
        }
    });
    let choice = choose(desk, "system", "System", options, &value, move |chosen| {
        let to: Option<Text> = (!chosen.is_empty()).then(|| chosen.into());
        desk.edit(Edit::Label { subject: id.clone(), label: Label::System, to }, "Change the system", None);
    });
    view! { {choice} {about} }.into_any()
}

fn cluster(desk: Desk, id: &Id, value: Option<&Id>, clusters: &[Id]) -> AnyView {
    let mut options = vec![(String::new(), "not stated".to_owned())];
    options.extend(clusters.iter().map(|c| (c.to_string(), desk.design.with_untracked(|d| d.title(c)))));
    options.push(("+".to_owned(), "a new cluster".to_owned()));
    let id = id.clone();
    choose(desk, "cluster", "Cluster", options, value.map_or("", Id::as_str), move |chosen| {
        let label = |to: Option<Text>| Edit::Label { subject: id.clone(), label: Label::Cluster, to };
        if chosen == "+" {
            desk.draft("Add a cluster", |draft| {
                let cluster = draft.fresh_id("cluster", "cluster");
                let shape = Shape::Cluster { environment: None, trust_zone: None };
                draft.put(Section::Clusters, &cluster, Subject::new(shape))?;
                draft.apply(label(Some(cluster.as_str().into())))
            });
        } else {
            desk.edit(label((!chosen.is_empty()).then(|| chosen.into())), "Change the cluster", None);
        }
    })
}

fn lifecycle(desk: Desk, id: &Id, value: Option<Lifecycle>) -> AnyView {
    let inherited = desk.design.with_untracked(|d| d.lifecycle(id));
    let absent = format!("not stated: {}", inherited.name());
    let all = [Lifecycle::Planned, Lifecycle::Existing, Lifecycle::Retiring];
    let id = id.clone();
    choose(
        desk,
        "lifecycle",
        "Life cycle",
        words(&absent, &all, Lifecycle::name),
        value.map_or("", Lifecycle::name),
        move |word| {
            desk.edit(
                Edit::Lifecycle { subject: id.clone(), to: Lifecycle::named(word) },
                "Change the life cycle",
                None,
            );
        },
    )
}

fn label(
    desk: Desk,
    id: &Id,
    label: Label,
    title: &'static str,
    example: &'static str,
    value: Option<&Text>,
) -> AnyView {
    let (id, value) = (id.clone(), value.map(ToString::to_string).unwrap_or_default());
    view! {
        <label class="part"><span class="label">{title}</span>
            <input
                class="input"
                data-field=title.to_ascii_lowercase()
                placeholder=example
                prop:value=value
                prop:readOnly=move || desk.reading.get()
                on:keydown=|event| if event.key() == "Enter" { blur(&event) }
                on:change=move |event| {
                    let text = event_target_value(&event);
                    let to = (!text.trim().is_empty()).then(|| text.trim().into());
                    desk.edit(Edit::Label { subject: id.clone(), label, to }, &format!("Change {}", title.to_lowercase()), None);
                }
            />
        </label>
    }
    .into_any()
}
