//! `streaming-connector-diagnostic.md`: only where a source of evidence exists and could not be read. What it would have
//! said, and which claims of the other documents are therefore not made.

use super::{
    blocks::{Inline, Span, line},
    desk::Desk,
    document::Document,
    findings, say,
    writer::Writer,
};
use crate::{analysis::unreachable::Unreachable, model::Covers};

const FILE: &str = "streaming-connector-diagnostic.md";

/// Writes it from what the other documents withheld.
#[must_use]
pub fn write(desk: &Desk<'_>, others: &[Document]) -> Option<Document> {
    if desk.unreachable().is_empty() {
        return None;
    }
    let mut w = Writer::new(desk, FILE, "Connector diagnostic");
    w.say("These sources exist and could not be read. No claim in the other documents rests on them.");
    for source in desk.unreachable() {
        one(&mut w, source, others);
    }
    Some(w.finish(&findings::halts_for(desk, &desk.to_be.halts, FILE)))
}

fn one(w: &mut Writer<'_>, source: &Unreachable, others: &[Document]) {
    w.heading(2, w.desk.source_name(&source.evidence));
    if let Some(entry) = w.desk.design.records.evidence.get(&source.evidence) {
        let said = say::evidence(source.evidence.as_str(), entry);
        w.say(line!["Source: ", said, ", entry ", Span::Code(source.evidence.to_string()), " of the evidence."]);
    }
    let covers: Vec<&str> = source.covers.iter().map(|covers| covers_words(*covers)).collect();
    if !covers.is_empty() {
        w.say(format!("It would have told: {}.", covers.join(", ")));
    }
    let about: Vec<&str> = source.about.iter().map(String::as_str).collect();
    if !about.is_empty() {
        w.say(line!["It is about ", Span::Code(about.join(", ")), "."]);
    }
    let mut rows: Vec<Vec<Inline>> = Vec::new();
    for document in others {
        for withheld in document.withheld.iter().filter(|withheld| withheld.evidence == source.evidence) {
            rows.push(vec![
                Span::Code(document.file_name.clone()).into(),
                w.desk.names.capital(&withheld.claim).into(),
            ]);
        }
    }
    if rows.is_empty() {
        w.say("No claim of the other documents depends on it by what the design says.");
    } else {
        w.say("Claims that depend on it and are withheld:");
    }
    w.table(&["Document", "Claim"], rows);
    w.gap(super::gap::Gap::unreachable(w.desk, &source.evidence));
}

const fn covers_words(covers: Covers) -> &'static str {
    match covers {
        Covers::Schemas => "event schemas",
        Covers::Topology => "topics, partitions, retention, groups",
        Covers::Lag => "consumer lag",
        Covers::LatencyNeed => "the latency that is needed",
        Covers::Lateness => "how late events are",
        Covers::SinkCapability => "what the sink can do",
        Covers::State => "state and checkpoints",
        Covers::BatchPath => "the batch path",
    }
}
