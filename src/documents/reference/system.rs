//! The page of a system: what it can lose, what copies it makes, what removes them, order, replay, versions, settings.

use super::{bullets, heading, references, say};
use crate::{
    catalog::{Channel, Default, Engine, Entry, Mode, Role, Sink, Source, StateCommit, client_defaults},
    documents::{
        blocks::{Block, Inline, Span, line},
        say as said,
    },
    model::{
        Field, capital,
        words::{OutputCommit, ProcessingGuarantee},
    },
};

/// The page.
pub(super) fn page(entry: &'static Entry) -> Vec<Block> {
    let roles: Vec<&str> = entry.roles.iter().map(|role| role.word()).collect();
    let mut blocks = vec![
        heading(1, entry.name),
        say(line![capital(&roles.join(", ")), ". In a design file: ", Span::Code(entry.id.to_owned()), "."]),
    ];
    if !entry.has_capability() {
        blocks.push(say(
            "Known by name: nothing is said here of what it loses, repeats or keeps, so no claim rests on it.",
        ));
    }
    if !entry.versions.is_empty() {
        blocks.push(say(line![Span::Strong("Versions that matter: ".to_owned()), entry.versions, "."]));
    }
    if let Some(source) = entry.source {
        as_source(source, &mut blocks);
    }
    if let Some(channel) = entry.channel {
        as_channel(channel, &mut blocks);
    }
    if let Some(engine) = entry.engine {
        as_engine(engine, &mut blocks);
    }
    if let Some(sink) = entry.sink {
        as_sink(sink, &mut blocks);
    }
    settings(entry, &mut blocks);
    if entry.has(Role::Channel) && entry.id == "kafka" {
        for (library, defaults) in client_defaults() {
            blocks.push(heading(3, format!("Clients: {library}")));
            blocks.push(default_table(defaults.iter()));
        }
    }
    if !entry.commands.is_empty() {
        blocks.push(heading(2, "How it is read"));
        for command in entry.commands {
            blocks.push(say(line!["Reads ", labels(command.reads), "."]));
            blocks.push(Block::Code { language: "sh", text: command.text.to_owned() });
        }
    }
    references(entry.references, &mut blocks);
    blocks
}

fn labels(fields: &[Field]) -> String {
    let labels: Vec<String> = fields.iter().map(|field| field.label()).collect();
    labels.join(", ")
}

fn table(head: &[&str], rows: Vec<Vec<Inline>>) -> Block {
    Block::Table { head: head.iter().map(|text| Inline::from(*text)).collect(), rows }
}

/// Rows of a name and what is said of it; what nothing is said of is left out.
fn facts(rows: Vec<(&str, String)>) -> Block {
    let rows = rows.into_iter().filter(|(_, text)| !text.is_empty());
    table(&["What", "How"], rows.map(|(what, text)| vec![what.into(), begun(&text).into()]).collect())
}

/// With a large first letter, where it begins with a word and not with the key of a product.
fn begun(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    if first.contains(['.', '_', '@']) { text.to_owned() } else { capital(text) }
}

fn code(word: &str) -> Inline {
    Span::Code(word.to_owned()).into()
}

fn as_source(source: &Source, blocks: &mut Vec<Block>) {
    blocks.push(heading(2, "As a source"));
    let replay = [
        (source.keeps_log, "its log of changes can be read again from a position"),
        (source.snapshots, "its current state can be delivered again as a whole"),
    ];
    let mut again: Vec<&str> = replay.into_iter().filter(|(can, _)| *can).map(|(_, text)| text).collect();
    if again.is_empty() {
        again.push("what was taken is gone");
    }
    blocks.push(facts(vec![("Replay", again.join("; ")), ("Replay reach", source.reach.to_owned())]));
    let rows = source.takings.iter().map(|taking| {
        let lost = if taking.blind_to.is_empty() { "nothing by its nature" } else { taking.blind_to };
        let survives = taking.after_restart.map_or_else(|| Inline::from("as set"), |word| code(word.as_str()));
        vec![
            code(taking.capture.as_str()),
            lost.into(),
            taking.resend.words().into(),
            survives,
            if taking.sees_deletes { "seen" } else { "not seen" }.into(),
            taking.source.into(),
        ]
    });
    let head = ["Taken by", "Can miss", "Copies and their order", "After a restart", "Deletes", "Source"];
    blocks.push(table(&head, rows.collect()));
}

fn as_channel(channel: &Channel, blocks: &mut Vec<Block>) {
    blocks.push(heading(2, "As a channel"));
    let mut removes = Vec::new();
    if channel.coordinates {
        removes.push("a record keeps its coordinates, so that a second read of it can be told");
    }
    if channel.transactions {
        removes.push("producers can write in transactions, and readers can wait for the commit");
    }
    let removes = if removes.is_empty() { "nothing of its own".to_owned() } else { removes.join("; ") };
    let reach = if channel.compaction {
        format!("{}; compaction by key is offered too", channel.reach)
    } else {
        channel.reach.to_owned()
    };
    blocks.push(facts(vec![
        ("Kind", channel.kind.words().to_owned()),
        ("Can lose", channel.durability.words().to_owned()),
        ("Copies it makes", channel.redelivery.words().to_owned()),
        ("What removes them", removes),
        ("Order", channel.order.words().to_owned()),
        ("Replay reach", reach),
    ]));
}

fn as_engine(engine: &'static Engine, blocks: &mut Vec<Block>) {
    blocks.push(heading(2, "As a processor"));
    let head = ["Guarantee", "Can lose", "Copies after a restart", "Position", "Output is tied by"];
    blocks.push(table(&head, engine.modes.iter().map(mode).collect()));
    let ties: Vec<Inline> = engine.output_commits.iter().map(|how| line![code(how.as_str()), tie(*how)]).collect();
    if !ties.is_empty() {
        blocks.push(say("What removes copies: its writers can tie output to the position by"));
        blocks.push(bullets(ties));
    }
    let mut more = Vec::new();
    if let Some(isolation) = engine.default_isolation {
        more.push(("Its Kafka reader, where nobody sets the isolation", isolation.as_str().to_owned()));
    }
    if let Some(on) = engine.default_idempotence {
        let word = if on { "idempotent" } else { "not idempotent" };
        more.push(("Its Kafka producer, where nobody sets it", word.to_owned()));
    }
    more.push(("Windows and keyed state", if engine.stateful { "yes" } else { "no" }.to_owned()));
    more.push(("Takes a capture position over a restart", if engine.captures { "yes" } else { "no" }.to_owned()));
    blocks.push(facts(more));
}

fn mode(mode: &Mode) -> Vec<Inline> {
    let lost = match (mode.state, mode.gate_loses) {
        (StateCommit::Volatile, _) => "what its state held",
        (_, true) => "a result that de-duplication or suppression holds back when it crashes",
        _ => "nothing by its state",
    };
    let output = mode.output.map_or_else(|| Inline::from("as the writing link says"), |how| code(how.as_str()));
    vec![
        mode.guarantee.map_or_else(|| Inline::from("no such setting"), |word: ProcessingGuarantee| code(word.as_str())),
        lost.into(),
        mode.state.words().into(),
        mode.position.words().into(),
        output,
    ]
}

const fn tie(how: OutputCommit) -> &'static str {
    match how {
        OutputCommit::Nothing => ": it is not tied",
        OutputCommit::Flush => ": written out before the position moves, so that a restart writes again",
        OutputCommit::TwoPhase => {
            ": committed with the checkpoint, so that what was written before it does not come twice to readers that wait for the commit"
        }
        OutputCommit::WithPosition => ": in one transaction with the position",
        OutputCommit::BatchId => ": by the number of the batch, which a repeated batch keeps",
    }
}

fn as_sink(sink: &Sink, blocks: &mut Vec<Block>) {
    blocks.push(heading(2, "As a sink"));
    let words = |all: Vec<&str>| all.join(", ").replace('_', " ");
    let position =
        if sink.holds_position { "can be held in the same commit as the rows" } else { "cannot be held in it" };
    blocks.push(facts(vec![
        ("What removes copies", sink.keys.words().to_owned()),
        ("Equal keys become one row", sink.collapse.map(|how| how.as_str().replace('_', " ")).unwrap_or_default()),
        ("Ways to write", words(sink.write_modes.iter().map(|mode| mode.as_str()).collect())),
        ("Transactions", sink.transactions.as_str().replace('_', " ")),
        ("A reader's position", position.to_owned()),
        ("A write is seen", sink.visibility.words().to_owned()),
        ("Can be built again by", words(sink.rebuilds.iter().map(|how| how.as_str()).collect())),
    ]));
}

/// Settings that matter: what is worth asking, and what is in force where nobody set it.
fn settings(entry: &'static Entry, blocks: &mut Vec<Block>) {
    if entry.ask.is_empty() && entry.defaults.is_empty() {
        return;
    }
    blocks.push(heading(2, "Settings that matter"));
    let rows = entry.ask.iter().map(|field| {
        let key = entry.defaults.iter().find(|default| default.field == *field).map_or("", |default| default.key);
        let key = if key.is_empty() { Inline::default() } else { code(key) };
        vec![capital(&field.label()).into(), key, field.row().meaning.into()]
    });
    blocks.push(table(&["Setting", "Key", "What it means"], rows.collect()));
    if !entry.defaults.is_empty() {
        blocks.push(heading(3, "In force where nothing is set"));
        blocks.push(say("Named so that a reading of “not set” can be understood. The analysis never takes one as if it had been read."));
        blocks.push(default_table(entry.defaults.iter()));
    }
}

fn default_table(defaults: impl Iterator<Item = &'static Default>) -> Block {
    let rows = defaults.map(|default| {
        let (value, is_code) = said::value(&default.value.value());
        vec![
            code(default.key),
            if is_code { code(&value) } else { value.into() },
            default.versions().into(),
            default.source.into(),
        ]
    });
    table(&["Key", "Value", "Versions", "Source"], rows.collect())
}
