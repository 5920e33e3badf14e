//! The import preview: what was pasted, what was understood line by line, what it would change; nothing changes before
//! it is accepted, and accepting is one undoable step.

mod facts;
mod lines;

use super::{
    super::{
        marks::{Icon, badge, icon},
        session,
        store::{Desk, Kind},
    },
    dialog_head, dismiss,
};
use crate::{
    canvas::arrange,
    edit::Edit,
    import::{self, Choices, Input, Proposal, Summary},
    model::{Design, View, counted, counted_as},
    platform::{clock, device, files::TextFile, frame},
};
use leptos::prelude::*;
use std::sync::Arc;

/// Puts pasted text before the preview.
pub fn add_text(desk: Desk, text: &str) {
    desk.incoming.update(|inputs| inputs.push(Input { name: None, text: text.to_owned() }));
}

/// Takes what was pasted: a design opens, everything else goes to the preview.
fn take(desk: Desk, text: &str) {
    if crate::codec::is_design(text) {
        dismiss(desk);
        session::open_text(desk, "The pasted design", text);
    } else if !text.trim().is_empty() {
        add_text(desk, text);
    }
}

/// Puts files before the preview.
pub fn add_files(desk: Desk, files: Vec<TextFile>) {
    desk.incoming.update(|inputs| {
        inputs.extend(files.into_iter().map(|file| Input { name: Some(file.name), text: file.text }));
    });
}

/// The dialog.
pub fn import(desk: Desk) -> AnyView {
    let names = RwSignal::new(Vec::<(usize, String)>::new());
    let choices = RwSignal::new(Choices::default());
    let proposal = Memo::new(move |_| {
        let inputs = desk.incoming.get();
        if inputs.is_empty() {
            return None;
        }
        let mut reading = import::read(&inputs);
        for (section, name) in names.get() {
            reading.name(section, &name);
        }
        let design = desk.design.get();
        Some(Arc::new(desk.with_history(|history| {
            import::propose_besides(&reading, &design, clock::today(), &|id| history.mentions(id))
        })))
    });
    // A long text takes a while to read: that it is being read is on the page before that.
    let read = RwSignal::new(false);
    Effect::new(move |_| {
        desk.incoming.track();
        read.set(false);
        frame::after(move || _ = read.try_set(true));
    });
    let waits = Memo::new(move |_| !read.get() && desk.incoming.with(|inputs| !inputs.is_empty()));
    view! {
        {move || match waits.get() {
            true => reading(desk),
            false => match proposal.get() {
                None => empty(desk),
                Some(proposal) => preview(desk, &proposal, choices, names),
            },
        }}
    }
    .into_any()
}

/// What stands there until it is read.
fn reading(desk: Desk) -> AnyView {
    view! {
        {dialog_head(desk, "Import".into_any(), "Nothing has changed yet. Everything stays on this device.".into_any())}
        <p class="dialog-pad second" role="status" data-import-reading="">"Reading what was pasted…"</p>
    }
    .into_any()
}

/// Nothing is there yet: paste, choose or drop.
fn empty(desk: Desk) -> AnyView {
    let text = RwSignal::new(String::new());
    view! {
        {dialog_head(desk, "Import".into_any(), "Paste what a command line printed, or drop its files anywhere on the page. Everything stays on this device.".into_any())}
        <div class="dialog-scroll dialog-pad stack">
            <label class="stack"><span class="label">"Output of the commands of Kafka, Redpanda, Kafka Connect, Flink and Spark, or their files"</span>
                <textarea class="input mono import-text" data-import-text="" rows="14" spellcheck="false" autofocus=true on:input=move |event| text.set(event_target_value(&event))></textarea>
            </label>
            <div class="row wrap">
                <button
                    type="button"
                    class="button primary"
                    aria-disabled=move || text.with(|t| t.trim().is_empty()).to_string()
                    on:click=move |_| take(desk, &text.get_untracked())
                >
                    "Read it"
                </button>
                <button type="button" class="button" on:click=move |_| session::choose_files(desk)>"Choose files"</button>
            </div>
            <h3 class="label">"Commands that print what is read here"</h3>
            <pre class="well">
                "kafka-topics.sh --bootstrap-server HOST:9092 --describe\n"
                "kafka-configs.sh --bootstrap-server HOST:9092 --describe --all --entity-type topics\n"
                "kafka-consumer-groups.sh --bootstrap-server HOST:9092 --describe --all-groups\n"
                "kafka-get-offsets.sh --bootstrap-server HOST:9092 --time earliest\n"
                "kafka-log-dirs.sh --bootstrap-server HOST:9092 --describe\n"
                "kafka-broker-api-versions.sh --bootstrap-server HOST:9092\n"
                "kafka-features.sh --bootstrap-server HOST:9092 describe\n"
                "rpk topic describe -r '.*' --print-all\n"
                "rpk group describe -r '.*'\n"
                "rpk cluster config export --filename /dev/stdout\n"
                "curl 'http://CONNECT:8083/connectors?expand=info&expand=status'\n"
                "curl http://JOBMANAGER:8081/jobs/overview\n"
                "curl http://JOBMANAGER:8081/jobs/JOB  (and /checkpoints, /checkpoints/config)\n"
                "query.lastProgress  (of a Spark query)"
            </pre>
            <p class="small second">"Files: connector and worker properties, connectors as JSON, config.yaml or flink-conf.yaml, spark-defaults.conf."</p>
        </div>
    }
    .into_any()
}

fn title(summary: &Summary) -> String {
    let mut parts = vec![format!("Import: {} found", counted(summary.found, "fact"))];
    if summary.conflicts > 0 {
        parts.push(counted_as(summary.conflicts, "needs a decision", "need a decision"));
    }
    if summary.not_understood > 0 {
        parts.push(counted_as(summary.not_understood, "line not understood", "lines not understood"));
    }
    if summary.secrets > 0 {
        parts.push(counted_as(summary.secrets, "secret removed", "secrets removed"));
    }
    parts.join(", ")
}

fn preview(
    desk: Desk,
    proposal: &Arc<Proposal>,
    choices: RwSignal<Choices>,
    names: RwSignal<Vec<(usize, String)>>,
) -> AnyView {
    let summary = proposal.summary();
    let (for_apply, for_after, for_label) = (proposal.clone(), proposal.clone(), proposal.clone());
    let for_nothing = proposal.clone();
    let nothing = Memo::new(move |_| choices.with(|choices| for_nothing.edit(choices)) == Edit::All(Vec::new()));
    let apply = move |_| {
        let edit = choices.with_untracked(|choices| for_apply.edit(choices));
        let fresh = desk.design.with_untracked(|d| d.elements.is_empty());
        if fresh && desk.starting.get_untracked() {
            session::start_design(desk, Design::default());
        }
        let before = desk.design.with_untracked(|design| design.elements.len());
        let edit = desk.design.with_untracked(|design| arrange::settled(design, edit, room()));
        if desk.edit(edit, "Import", None) {
            dismiss(desk);
            if desk.design.with_untracked(|design| design.elements.len()) > before {
                session::show_whole(desk);
            }
            desk.messages.say(Kind::Settled, "Imported", "One step: undo takes all of it back.");
        }
    };
    view! {
        {dialog_head(desk, title(&summary).into_any(), "Nothing has changed yet. Everything stays on this device.".into_any())}
        <div class="import">
            <section class="import-lines" aria-label="What was pasted">
                {lines::lines(desk, proposal)}
            </section>
            <section class="import-facts" aria-label="What it would change">
                {facts::facts(desk, proposal, choices, names)}
            </section>
        </div>
        <footer class="dialog-foot row wrap">
            <div class="grow import-after">{move || after(desk, &for_after, &choices.get())}</div>
            <button type="button" class="button" on:click=move |_| dismiss(desk)>"Cancel"</button>
            <button
                type="button"
                class="button primary"
                data-import-apply=""
                disabled=move || nothing.get()
                title=move || if nothing.get() { "There is nothing to apply" } else { "" }
                on:click=apply
            >
                {move || apply_label(&for_label, &choices.get())}
            </button>
        </footer>
    }
    .into_any()
}

fn apply_label(proposal: &Proposal, choices: &Choices) -> String {
    let summary = proposal.summary();
    let open = proposal.open_conflicts(choices);
    let count = (summary.found - summary.same)
        .saturating_sub(open)
        .saturating_sub(proposal.facts.iter().filter(|fact| choices.without(fact)).count());
    let left = match open {
        0 => String::new(),
        1 => ", leave the conflict open".to_owned(),
        n => format!(", leave {n} conflicts open"),
    };
    format!("Apply {count}{left}")
}

/// How wide a first drawing may be: what the canvas shows at 100 %.
fn room() -> f64 {
    let pane = device::query("[data-pane=canvas]").map_or(0, |pane| pane.client_width());
    f64::from(pane) - 32.0
}

/// The verdict of each consumer before and after.
fn after(desk: Desk, proposal: &Proposal, choices: &Choices) -> AnyView {
    let before = desk.to_be.get();
    let mut design = (*desk.design.get()).clone();
    if design.apply(proposal.edit(choices)).is_err() {
        return ().into_any();
    }
    let review = crate::analysis::analyse(&design, View::ToBe);
    let rows: Vec<AnyView> = review
        .consumers
        .iter()
        .take(2)
        .map(|(id, report)| {
            let then = before.consumers.get(id).map(|c| badge(&c.delivery.badge, false, 1.2));
            view! {
                <p class="row">
                    <strong>{design.title(id)}</strong>
                    {then.unwrap_or_else(|| view! { <span class="quiet">"new"</span> }.into_any())}
                    {icon(Icon::Arrow)}
                    {badge(&report.delivery.badge, true, 1.2)}
                    <span class="cut">{report.delivery.sentence.clone()}</span>
                </p>
            }
            .into_any()
        })
        .collect();
    if rows.is_empty() {
        return view! { <p class="small second">{format!("Read about {}. A verdict stands here once a consumer is drawn.", counted_as(proposal.subjects.len(), "part of the design", "parts of the design"))}</p> }.into_any();
    }
    view! { <p class="label">"Verdict after import"</p> {rows} }.into_any()
}
