//! `streaming-design.md`: the question, the topology, what is proposed, time, keys, latency, capacity.

use super::{
    blocks::{Block, Inline, Span, line},
    desk::Desk,
    diagram,
    document::Document,
    findings,
    gap::Gap,
    order, proposed, say, skew,
    writer::Writer,
};
use crate::{
    analysis::explain::{Explained, Missing},
    model::{ElementKind, Id, Nature, View, counted, key},
};
use std::sync::Arc;

const FILE: &str = "streaming-design.md";

/// Writes it.
#[must_use]
pub fn write(desk: &Desk<'_>) -> Document {
    let mut w = Writer::new(desk, FILE, "Streaming design");
    question(&mut w);
    topology(&mut w);
    proposed::section(&mut w);
    time(&mut w);
    keys(&mut w);
    latency(&mut w);
    capacity(&mut w);
    w.finish(&findings::halts_for(desk, &desk.to_be.halts, FILE))
}

fn question(w: &mut Writer<'_>) {
    w.heading(2, "The question");
    match &w.desk.design.question {
        Some(question) => w.say(&**question),
        None => {
            w.say(Inline::from(Span::Absent("The business question is not stated.".into())));
            w.gap(Gap::whole("the business question", Nature::Need.absent()));
        }
    }
    let mut rows = Vec::new();
    for id in w.desk.elements(ElementKind::Consumer) {
        let subject = w.desk.design.elements.get(id);
        let asks = match subject.and_then(|subject| subject.element()) {
            Some(crate::model::Element::Consumer { question: Some(question) }) => Inline::from(&**question),
            _ => w.absent(id, "question", "of", "not stated"),
        };
        let owner = w.owner(id);
        let needed = w.setting(id, key::consumer::LATENCY_REQUIREMENT);
        let report = w.desk.to_be.consumers.get(id);
        let open = report.is_some_and(|report| report.latency.is_ok() && !report.latency_open.is_empty());
        let delivered =
            w.figure_or(report.map(|report| &report.latency), "not derivable: nothing reaches this consumer");
        rows.push(vec![w.name(id), owner, asks, needed, if open { line!["at least ", delivered] } else { delivered }]);
    }
    if rows.is_empty() {
        w.say("Nobody reads a result of this design yet: no consumer is drawn.");
        w.gap(Gap::whole("a consumer", "not drawn"));
    }
    w.table(&["Consumer", "Owner", "Asks", "Needs a result within", "Longest until it gets it"], rows);
}

fn topology(w: &mut Writer<'_>) {
    w.heading(2, "Topology");
    let elements = w.desk.all_elements();
    if elements.is_empty() {
        w.say("Nothing is drawn yet.");
        return;
    }
    let picture = format!("Topology of {}: {}", w.desk.title(), counted(elements.len(), "element"));
    w.block(Block::Figure { file: "diagram.svg", alternative: picture, svg: diagram::svg(w.desk).into() });
    w.block(Block::Code { language: "mermaid", text: diagram::mermaid(w.desk) });
    w.say("The same as text:");
    w.block(Block::Code { language: "text", text: diagram::text(w.desk) });
    let mut rows = Vec::new();
    for id in elements {
        let subject = w.desk.design.elements.get(id);
        let cluster = subject.and_then(|subject| subject.cluster.clone());
        let job = w.desk.design.job_of(id).cloned();
        let place = match (&job, &cluster) {
            (Some(job), _) => w.name(job),
            (None, Some(cluster)) => w.name(cluster),
            (None, None) => Inline::default(),
        };
        rows.push(vec![
            w.name(id),
            w.desk.kind_words(id).into(),
            system(w, id),
            place,
            if w.desk.design.kind(id) == Some(ElementKind::Operator) { Inline::default() } else { w.owner(id) },
            w.desk.design.lifecycle(id).name().into(),
        ]);
    }
    w.table(&["Element", "Kind", "System", "Runs in", "Owner", "Life cycle"], rows);
    let retiring: Vec<&Id> =
        w.desk.design.elements.keys().filter(|id| !w.desk.design.visible(View::ToBe, id)).collect();
    if !retiring.is_empty() {
        let names = w.names(retiring);
        w.say(line!["These retire and are left out of everything below: ", names, "."]);
    }
}

/// The system of an element; a consumer need not have one.
fn system(w: &mut Writer<'_>, id: &Id) -> Inline {
    match w.desk.design.system(id) {
        Some(system) => w.desk.system_words(system).into(),
        None if w.desk.design.kind(id) == Some(ElementKind::Consumer) => Inline::default(),
        None => w.absent(id, "system", "of", "not stated"),
    }
}

fn time(w: &mut Writer<'_>) {
    w.heading(2, "Which time counts");
    let windows = w.desk.windows();
    if windows.is_empty() {
        w.say("No step of this design has a window, so no step depends on a clock.");
    }
    for id in windows {
        let job = w.desk.design.job_of(id).cloned();
        let name = w.name(id);
        let of = job.as_ref().map(|job| w.name(job));
        w.heading(
            3,
            match of {
                Some(job) => line![name, " in ", job],
                None => name,
            },
        );
        let clock = w.setting(id, key::operator::CLOCK);
        w.say(line!["Clock: ", clock, "."]);
        let mut reasons = Vec::new();
        for consumer in w.desk.consumers_below(id) {
            let wanted = w.setting(consumer, key::consumer::QUESTION_CLOCK);
            reasons.push(vec![w.name(consumer), wanted]);
        }
        w.table(&["Reason: the question of", "is about"], reasons);
        let mut stamps = Vec::new();
        for event in w.desk.events_at(id) {
            stamps.push(vec![
                w.name(event),
                w.setting(event, key::event::TIMESTAMP_FIELD),
                w.setting(event, key::event::TIMESTAMP_SET_BY),
                w.setting(event, key::event::TIMESTAMP_TRUST),
                w.source_of(event, key::event::TIMESTAMP_FIELD.field()),
            ]);
        }
        if stamps.is_empty() {
            w.say("No event type reaches this step, so nobody can say who sets the timestamp.");
            w.gap_at(id, "event type", "at", "not stated");
        }
        w.table(&["Event", "Timestamp", "Set by", "Trust", "Source"], stamps);
    }
}

fn keys(w: &mut Writer<'_>) {
    w.heading(2, "Partition keys and the order they buy");
    let mut rows = Vec::new();
    for channel in w.desk.elements(ElementKind::Channel) {
        let writers = w.desk.into(channel);
        if writers.is_empty() {
            let key = w.setting(channel, key::channel::KEY);
            rows.push(key_row(w, channel, "no writer drawn".into(), key));
        }
        for (link, ends) in writers {
            let key = w.setting(link, key::write::KEY);
            let writer = w.name(&ends.from);
            rows.push(key_row(w, channel, writer, key));
        }
    }
    if rows.is_empty() {
        w.say("No channel is drawn.");
        return;
    }
    w.table(
        &["Channel", "Written by", "Key", "Order at this hop", "Share of the busiest key", "Keys", "Partitions"],
        rows,
    );
    w.say("A key buys order per key within one partition of that channel, while the number of partitions and the partitioner stay as they are. No order is claimed across keys or partitions.");
    orders(w);
    skew::section(w);
}

/// The order that is left of it at each consumer.
fn orders(w: &mut Writer<'_>) {
    let desk = w.desk;
    let mut rows = Vec::new();
    for id in desk.elements(ElementKind::Consumer) {
        let Some(consumer) = desk.to_be.consumers.get(id) else { continue };
        let needed = w.setting(id, key::consumer::ORDER_NEEDED);
        if let Some(evidence) = desk.withheld_verdict(&consumer.delivery).cloned() {
            let claim = w.withheld_claim(&evidence, format!("the order at {}", desk.said(id)));
            rows.push(vec![w.name(id), needed, claim, Inline::default(), Inline::default()]);
            continue;
        }
        let ends = consumer.order.inputs.iter().find_map(|input| input.ended_by());
        let (hop, mend) = match ends {
            Some(breaker) => (w.name(&breaker.at), breaker.mend()),
            None => (Inline::default(), ""),
        };
        let said = order::sentence(&|id| desk.said(id), &consumer.order);
        order::missing(w, id, &consumer.order);
        rows.push(vec![w.name(id), needed, said.into(), hop, mend.into()]);
    }
    w.table(&["Consumer", "Needs order by", "Order that it gets", "Ended or narrowed at", "What mends it"], rows);
}

fn key_row(w: &mut Writer<'_>, channel: &Id, writer: Inline, key: Inline) -> Vec<Inline> {
    let order = if key.0.iter().any(|span| matches!(span, Span::Value { text, .. } if text != "none")) {
        "per key within a partition, by hashing the key"
    } else {
        "none claimed"
    };
    vec![
        w.name(channel),
        writer,
        key,
        order.into(),
        w.setting(channel, key::channel::DOMINANT_KEY_SHARE),
        w.setting(channel, key::channel::KEY_CARDINALITY),
        w.setting(channel, key::channel::PARTITIONS),
    ]
}

fn latency(w: &mut Writer<'_>) {
    w.heading(2, "Latency against the need");
    for id in w.desk.elements(ElementKind::Consumer) {
        let Some(consumer) = w.desk.to_be.consumers.get(id) else { continue };
        let name = w.name(id);
        w.heading(3, name);
        let figure = w.figure(&consumer.latency);
        let Ok(total) = &consumer.latency else {
            w.say(line!["Time to a result: ", figure, "."]);
            continue;
        };
        let need = w.desk.fact(id, key::consumer::LATENCY_REQUIREMENT);
        // A sum with hops left out is a lower bound: it can miss a need, not meet it.
        let open = !consumer.latency_open.is_empty();
        let outcome = match &need {
            Some(need) if total.value > need.value.secs() => "which does not meet the need",
            Some(_) if open => "which leaves open whether the need is met",
            Some(_) => "which meets the need",
            None if w.desk.withheld(id, key::consumer::LATENCY_REQUIREMENT.field()).is_some() => {
                "which is not compared"
            }
            None => "with no need to compare it with",
        };
        let wanted = w.setting(id, key::consumer::LATENCY_REQUIREMENT);
        let bound = if open { "A result takes at least " } else { "A result takes at most " };
        w.say(line![bound, figure, ", ", outcome, ": ", wanted, "."]);
        let largest = total.inputs().iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let rows = total.inputs().iter().map(|term| term_row(w, term, largest)).collect();
        w.table(&["Term", "Where", "At most", ""], rows);
        open_terms(w, &consumer.latency_open);
    }
    if !w.desk.elements(ElementKind::Consumer).iter().any(|id| w.desk.to_be.consumers.contains_key(id)) {
        w.say("No consumer is reached, so there is no latency to state.");
    }
}

/// What is not in a sum, each with the command that reads it.
fn open_terms(w: &mut Writer<'_>, open: &[Missing]) {
    if open.is_empty() {
        return;
    }
    w.say("Not in the sum, which is at least this much without them:");
    let items = open.iter().map(|missing| {
        w.gap(Gap::missing(w.desk, missing));
        let command = crate::catalog::command(w.desk.design, &missing.subject, missing.field);
        let command = command.map_or_else(Inline::default, |command| line![", read by ", Span::Code(command)]);
        line![format!("{} of {}: {}", missing.label(), w.desk.said(&missing.subject), missing.state()), command]
    });
    let items = items.collect();
    w.list(items);
}

fn term_row(w: &mut Writer<'_>, term: &Arc<Explained>, largest: Option<&Arc<Explained>>) -> Vec<Inline> {
    let place = term.of.as_ref().map_or_else(Inline::default, |id| w.name(id));
    let mark = if largest.is_some_and(|largest| Arc::ptr_eq(largest, term)) { "largest term" } else { "" };
    vec![say::capital(term.what).into(), place, w.explained(term), mark.into()]
}

fn capacity(w: &mut Writer<'_>) {
    w.heading(2, "Capacity");
    let mut rows = Vec::new();
    for channel in w.desk.elements(ElementKind::Channel) {
        let needed = w.desk.to_be.channels.get(channel).and_then(|report| report.needed.as_ref());
        rows.push(vec![
            w.name(channel),
            w.setting(channel, key::channel::PARTITIONS),
            w.figure_or(needed, ""),
            rate(w, channel),
            w.setting(channel, key::channel::PARTITION_WRITE_CAPACITY),
            w.setting(channel, key::channel::PARTITION_READ_CAPACITY),
            w.setting(channel, key::channel::GROWTH_HEADROOM),
        ]);
    }
    w.table(
        &["Channel", "Partitions", "Needed at peak", "Rate", "Writes per partition", "Reads per partition", "Headroom"],
        rows,
    );
    let jobs = w
        .desk
        .elements(ElementKind::Job)
        .into_iter()
        .map(|job| {
            let cap = w.desk.to_be.jobs.get(job).map(|report| &report.parallelism_cap);
            vec![
                w.name(job),
                w.setting(job, key::job::PARALLELISM),
                w.setting(job, key::job::INSTANCES),
                w.figure_or(cap, "not derivable"),
                w.setting(job, key::job::CAPACITY),
            ]
        })
        .collect();
    w.table(&["Job", "Parallelism", "Instances", "Can work at once", "Highest sustained rate"], jobs);
}

/// The rate of a channel: its own reading, else what its readers are given, where that follows from a reading.
fn rate(w: &mut Writer<'_>, channel: &Id) -> Inline {
    let measured = w.desk.fact(channel, key::channel::RATE).is_some();
    let derived = w.desk.out_of(channel).into_iter().find_map(|(_, link)| w.desk.to_be.operators.get(&link.to));
    match derived {
        Some(reader) if !measured && reader.input_rate.is_ok() => w.figure(&reader.input_rate),
        _ => w.setting(channel, key::channel::RATE),
    }
}
