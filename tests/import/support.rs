//! What the tests of the import share.

use pipeline_desk::import::{self, Choices, FactState, Input, LineState, Proposal, Reading};
use pipeline_desk::model::{Date, Design};
use std::{fs, path::Path};

/// A fixture as it would be dropped on the desk.
pub fn file(name: &str) -> Input {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import").join(name);
    Input { name: Some(name.to_owned()), text: fs::read_to_string(path).unwrap() }
}

/// A text as it would be pasted.
pub fn pasted(text: &str) -> Input {
    Input { name: None, text: text.to_owned() }
}

/// The names of all fixtures.
pub const FIXTURES: [&str; 15] = [
    "topics-4x-tabs.txt",
    "topics-0x-broken-crlf.txt",
    "configs-all.txt",
    "configs-brokers.txt",
    "groups-3x.txt",
    "groups-old.txt",
    "prose.txt",
    "rpk-topics-groups.txt",
    "connect-sinks.txt",
    "connect-sources.txt",
    "connect-files.properties",
    "flink-rest.txt",
    "flink-conf.yaml",
    "spark-progress.txt",
    "rpk-config.txt",
];

pub fn read(name: &str) -> Reading {
    import::read(&[file(name)])
}

/// `number state`, without blank lines.
pub fn states(reading: &Reading) -> Vec<String> {
    let word = |state: &LineState| match state {
        LineState::Read => "read".to_owned(),
        LineState::Conflict => "conflict".to_owned(),
        LineState::NotUnderstood(reason) => format!("? {reason}"),
        LineState::NotUsed(reason) => format!("not used: {reason}"),
        LineState::SecretRemoved => "secret".to_owned(),
        LineState::Command => "command".to_owned(),
        LineState::Noise => "noise".to_owned(),
        LineState::Blank => String::new(),
    };
    let lines = reading.lines.iter().filter(|line| line.state != LineState::Blank);
    lines.map(|line| format!("{} {}", line.at.number, word(&line.state))).collect()
}

/// `title field = value (line) [state]`
pub fn facts(proposal: &Proposal) -> Vec<String> {
    let title = |id| proposal.subjects.iter().find(|s| s.id == id).map_or_else(String::new, |s| s.title.clone());
    proposal
        .facts
        .iter()
        .map(|fact| {
            let value = fact.read_as.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
            let line = fact.lines.first().map_or(0, |line| line.number);
            let state = match fact.state {
                FactState::New => "",
                FactState::StrongerBasis => " [stronger]",
                FactState::Update => " [update]",
                FactState::Conflict => " [conflict]",
                FactState::Same => " [same]",
                FactState::Gone => " [gone]",
            };
            format!("{} {} = {value} ({line}){state}", title(fact.subject.clone()), fact.field.name())
        })
        .collect()
}

pub fn day(text: &str) -> Option<Date> {
    Some(Date::new(text).unwrap())
}

/// Reads and accepts everything that is no conflict.
pub fn accept(design: &mut Design, inputs: &[Input], at: &str) -> Proposal {
    let proposal = import::propose(&import::read(inputs), design, day(at));
    design.apply(proposal.edit(&Choices::default())).unwrap();
    proposal
}
