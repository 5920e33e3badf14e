//! The cluster properties of Redpanda: what `rpk cluster config export` and `edit` show, and what `get` answers.
//!
//! `export` writes YAML, one property a line under a comment; `get NAME` prints the value alone, so that only the command says
//! whose it is; `status` prints which brokers run with which version of it (Redpanda documentation, rpk cluster config). Not
//! here: what the properties mean (`kafka_keys`).

use super::{
    Format, LineState,
    command::{Command, Tool},
    connect::entry,
    kafka_configs::{ConfigReading, Entity},
    kafka_keys,
    lines::Line,
    listing::{Marks, Taken},
    tree::Node,
};

/// Reads an export, where it is one: several properties of a cluster.
pub(super) fn read(root: &Node, marks: &mut Marks<'_>) -> Vec<ConfigReading> {
    let own: Vec<&(String, Node)> =
        root.members().iter().filter(|(key, _)| kafka_keys::is_redpanda_property(key)).collect();
    if own.is_empty() {
        return Vec::new();
    }
    let mut list = ConfigReading::new(root.at, Entity::AllBrokers, true);
    for (key, value) in own {
        marks.take(key, value, &mut list.entries);
    }
    vec![list]
}

/// The value alone, behind its command; and the lines of `status`.
pub(super) fn answer(line: &Line, command: Option<&Command>) -> Option<Taken> {
    let command = command.filter(|command| command.tool == Tool::RpkConfig)?;
    let text = line.text.trim();
    if let Some((_, behind)) = command.text.split_once(" config status") {
        let restart = behind.is_empty() && text.split_whitespace().nth(2) == Some("true");
        let remark = "the broker needs a restart: it does not run with all of the configuration yet".to_owned();
        let state = LineState::NotUsed("which version of the configuration runs, which a design does not hold");
        return Some(Taken { read: None, lines: vec![(state, restart.then_some(remark))], closed: true });
    }
    let (_, names) = command.text.split_once(" config get ")?;
    let name =
        names.split(' ').find(|word| !word.starts_with('-')).filter(|name| kafka_keys::is_redpanda_property(name))?;
    if text.is_empty() || text.contains(' ') || text.contains(": ") {
        return None;
    }
    let mut list = ConfigReading::new(line.at, Entity::AllBrokers, true);
    list.entries.push(entry(name, text, line.at));
    Some(Taken { read: Some((Format::RpkConfig, vec![list])), lines: vec![(LineState::Read, None)], closed: true })
}
