//! The parts of a document that rules, halts and decisions write.

use super::{
    blocks::{Block, Inline, Span, join, line},
    desk::Desk,
    say,
};
use crate::sorted::SortedSet;
use crate::{
    model::{Action, ActionKind, ElementKind, Id},
    rules::{Finding, Halt, HaltClass, Severity},
};

/// The documents that a family of rules speaks in, by the letters of its ids.
const FAMILIES: [(&str, &str); 30] = [
    ("DEL", "delivery-semantics.md"),
    ("DUP", "delivery-semantics.md"),
    ("ISO", "delivery-semantics.md"),
    ("SFX", "delivery-semantics.md"),
    ("FLK", "delivery-semantics.md"),
    ("CON", "delivery-semantics.md"),
    ("SPK", "delivery-semantics.md"),
    ("OFF", "delivery-semantics.md"),
    ("DLQ", "delivery-semantics.md"),
    ("SRC", "delivery-semantics.md"),
    ("TIM", "windowing-and-lateness.md"),
    ("TIME", "windowing-and-lateness.md"),
    ("WM", "windowing-and-lateness.md"),
    ("LATE", "windowing-and-lateness.md"),
    ("STA", "state-and-checkpointing.md"),
    ("CHK", "state-and-checkpointing.md"),
    ("MEM", "state-and-checkpointing.md"),
    ("RET", "topic-retention-and-replay.md"),
    ("REP", "topic-retention-and-replay.md"),
    ("CMP", "topic-retention-and-replay.md"),
    ("PRV", "topic-retention-and-replay.md"),
    ("LAG", "consumer-lag-and-scaling.md"),
    ("CAP", "consumer-lag-and-scaling.md"),
    ("REB", "consumer-lag-and-scaling.md"),
    ("POLL", "consumer-lag-and-scaling.md"),
    ("BP", "consumer-lag-and-scaling.md"),
    ("REC", "stream-batch-reconciliation.md"),
    ("SKW", "streaming-design.md"),
    ("ORD", "streaming-design.md"),
    ("LAT", "streaming-design.md"),
];

/// The document that a rule speaks in; a family without one of its own speaks in the design.
#[must_use]
pub fn document_of(rule: &str) -> &'static str {
    let family = rule.split('-').next().unwrap_or_default();
    FAMILIES.iter().find(|(letters, _)| *letters == family).map_or("streaming-design.md", |(_, document)| document)
}

/// The halts that stop something this document describes.
#[must_use]
pub fn halts_for<'h>(desk: &Desk<'_>, halts: &'h [Halt], document: &str) -> Vec<&'h Halt> {
    halts.iter().filter(|halt| documents_of(desk, halt).contains(&document)).collect()
}

/// A halt stands in the documents that describe what it stops: by its class, and by what it is about.
fn documents_of(desk: &Desk<'_>, halt: &Halt) -> Vec<&'static str> {
    let kind = |id: &Id| desk.design.kind(id);
    match halt.class {
        HaltClass::ReleaseIntegrity if halt.about.iter().any(|id| kind(id) == Some(ElementKind::Operator)) => {
            vec!["windowing-and-lateness.md"]
        }
        HaltClass::ReleaseIntegrity if halt.action.contains(" as replayable for ") => {
            vec!["topic-retention-and-replay.md"]
        }
        HaltClass::ReleaseIntegrity => vec!["delivery-semantics.md"],
        HaltClass::SourceConflict if halt.about.iter().any(|id| desk.design.links.contains_key(id)) => {
            vec!["stream-batch-reconciliation.md"]
        }
        HaltClass::SecurityOrPrivacy => match halt.about.first().and_then(kind) {
            Some(ElementKind::Operator | ElementKind::Job) => vec!["state-and-checkpointing.md"],
            _ => vec!["topic-retention-and-replay.md"],
        },
        HaltClass::MissingApproval | HaltClass::ProductionOrDestructive | HaltClass::SourceConflict => {
            if let Some(kind) = planned_step(desk, halt) {
                return vec![match kind {
                    ActionKind::DeleteState | ActionKind::RestoreSavepoint => "state-and-checkpointing.md",
                    _ => "topic-retention-and-replay.md",
                }];
            }
            match halt.about.first().and_then(|id| desk.design.kind(id)) {
                Some(ElementKind::Operator) => vec!["windowing-and-lateness.md"],
                Some(ElementKind::Channel) => vec!["topic-retention-and-replay.md"],
                Some(ElementKind::Job) => vec!["state-and-checkpointing.md"],
                _ => vec!["streaming-design.md"],
            }
        }
        HaltClass::ConnectorUnreachable => vec!["streaming-connector-diagnostic.md"],
    }
}

/// The kind of the planned step that a halt stops, where it is one and not a change of a setting.
fn planned_step(desk: &Desk<'_>, halt: &Halt) -> Option<ActionKind> {
    let stops = |action: &&Action| {
        halt.about.starts_with(&action.about) && halt.action.starts_with(&action.kind.name().replace('_', " "))
    };
    desk.design.records.actions.values().find(stops).map(|action| action.kind)
}

/// What is stopped, why, and who lifts it.
pub fn halts(desk: &Desk<'_>, halts: &[&Halt]) -> Vec<Block> {
    if halts.is_empty() {
        return Vec::new();
    }
    let row = |halt: &&Halt| {
        vec![
            halt.class.words().into(),
            halt.action.as_str().into(),
            names(desk, &halt.about),
            halt.consequence.as_str().into(),
            halt.lifted_by.as_str().into(),
        ]
    };
    vec![
        Block::Heading { level: 2, text: "Stopped".into() },
        Block::Paragraph("The action below is not taken. Everything else goes on.".into()),
        Block::Table {
            head: ["Halt", "Action that is stopped", "About", "Consequence", "Lifted by"].map(Inline::from).to_vec(),
            rows: halts.iter().map(row).collect(),
        },
    ]
}

fn names(desk: &Desk<'_>, ids: &[Id]) -> Inline {
    join(ids.iter().map(|id| Span::Subject { id: id.clone(), title: desk.name(id) }.into()), ", ")
}

/// The findings that belong to a document, worst first; those that were put aside come with their reason.
pub fn section(desk: &Desk<'_>, document: &str) -> Vec<Block> {
    let mine: Vec<&Finding> = desk
        .to_be
        .findings
        .iter()
        .map(AsRef::as_ref)
        .filter(|finding: &&Finding| document_of(finding.rule) == document && desk.withheld_finding(finding).is_none())
        .collect();
    if mine.is_empty() {
        return Vec::new();
    }
    let row = |finding: &&Finding| {
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let mut message = line![finding.message.as_str()];
        if let Some(accepted) = &finding.accepted {
            message.push(format!(" Put aside: {accepted}"));
        }
        vec![
            severity.into(),
            names(desk, &finding.about),
            message,
            finding.why.into(),
            (&*finding.remedy).into(),
            Span::Finding(finding.rule).into(),
        ]
    };
    vec![
        Block::Heading { level: 2, text: "Findings".into() },
        Block::Table {
            head: ["Severity", "Where", "What", "Why it matters", "What mends it", "Rule"].map(Inline::from).to_vec(),
            rows: mine.iter().map(row).collect(),
        },
    ]
}

/// Decisions about anything that the document touches.
pub fn decisions(desk: &Desk<'_>, touched: &SortedSet<Id>) -> Vec<Block> {
    let about = |text: &str| touched.iter().any(|id| text.split('.').next() == Some(id.as_str()));
    let rows: Vec<Vec<Inline>> = desk
        .design
        .records
        .decisions
        .values()
        .filter(|decision| decision.about.iter().any(|text| about(text)))
        .map(|decision| {
            let about: Vec<&str> = decision.about.iter().map(AsRef::as_ref).collect();
            vec![
                say::ended(&decision.text).into(),
                decision.by.as_deref().unwrap_or("not stated").into(),
                decision.at.as_ref().map_or_else(|| "not stated".to_owned(), ToString::to_string).into(),
                Span::Code(about.join(", ")).into(),
            ]
        })
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    vec![
        Block::Heading { level: 2, text: "Decisions".into() },
        Block::Table { head: ["Decision", "By", "On", "About"].map(Inline::from).to_vec(), rows },
    ]
}
