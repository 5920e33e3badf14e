//! What `kafka-configs --describe` prints for topics, brokers and groups, from 0.9 to 4.x.
//!
//! Three layouts: `Configs for topic 'x' are a=1,b=2` (over ZooKeeper), `Dynamic configs for topic x are:` with one
//! setting a line (what was set there), `All configs for …` with `--all` (every setting with the value in force and the
//! places it could come from; printed by `kafka.admin.ConfigCommand` from 2.5 on). A value that `--all` prints with
//! `DEFAULT_CONFIG` is a reading too: the broker says what is in force. Not here: what the settings mean (`kafka_keys`).

use super::{
    Verdict,
    command::{Command, Tool, is_topic},
    kafka_topics::{is_key, pieces},
    lines::LineRef,
};

/// What a list of settings belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entity {
    /// A topic; without a name where only its settings were pasted.
    Topic(Option<String>),
    /// One broker, by its number.
    Broker(String),
    /// What holds for all brokers that say nothing else.
    AllBrokers,
    /// A consumer, share or streams group, by its name (KIP-848, KIP-932).
    Group(String),
    /// A job of an engine.
    Job {
        /// Which engine runs it.
        of: Engine,
        /// Its name, where the text says one.
        name: Option<String>,
        /// Its number, by which other parts of the text may name it.
        id: Option<String>,
    },
    /// A worker of Kafka Connect, and so all of its cluster.
    ConnectWorker,
    /// A cluster of Flink.
    FlinkCluster,
}

/// What runs a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// Kafka Connect: the job is a connector.
    Connect,
    /// Apache Flink.
    Flink,
    /// Spark Structured Streaming: the job is a query.
    Spark,
}

impl Engine {
    /// The entry of the catalogue.
    #[must_use]
    pub const fn system(self) -> &'static str {
        match self {
            Self::Connect => "kafka_connect",
            Self::Flink => "flink",
            Self::Spark => "spark",
        }
    }
}

/// Where the value in force comes from, as the broker says (`org.apache.kafka.clients.admin.ConfigEntry.ConfigSource`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Set on the topic itself.
    Topic,
    /// Set on the group itself.
    Group,
    /// Set on a broker while it runs.
    DynamicBroker,
    /// In a broker's own file.
    BrokerFile,
    /// The product's default, or a broker setting of another name (`log.retention.hours` does not show).
    Default,
    /// Not printed.
    NotSaid,
}

/// One setting as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigEntry {
    /// The product's key.
    pub key: String,
    /// The value as printed; nothing where it is `null`.
    pub value: Option<String>,
    /// Where it comes from.
    pub origin: Origin,
    /// Where it stands.
    pub at: LineRef,
}

/// One list of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigReading {
    /// Where its heading stands; its first setting where there is none.
    pub at: LineRef,
    /// What it belongs to.
    pub entity: Entity,
    /// All settings in force, not only those that were set.
    pub all: bool,
    /// Is the list whole: a heading, and no sign that something was cut or filtered?
    pub complete: bool,
    /// The settings.
    pub entries: Vec<ConfigEntry>,
}

impl ConfigReading {
    /// A list without entries yet.
    pub(super) const fn new(at: LineRef, entity: Entity, complete: bool) -> Self {
        Self { at, entity, all: false, complete, entries: Vec::new() }
    }
}

/// Reads line after line; remembers whether a list is open.
#[derive(Default)]
pub(super) struct Reader {
    open: bool,
    /// A heading of an entity that has no place in a design: its lines are passed over.
    passing: bool,
}

impl Reader {
    /// Reads one line into `lists`.
    pub(super) fn line(
        &mut self,
        text: &str,
        at: LineRef,
        command: Option<&Command>,
        lists: &mut Vec<ConfigReading>,
    ) -> Verdict {
        let trimmed = text.trim();
        if let Some(verdict) = self.heading(trimmed, at, command, lists) {
            return verdict;
        }
        let (setting, rest) = match trimmed.find(" sensitive=") {
            Some(end) => (trimmed.get(..end).unwrap_or_default(), trimmed.get(end..).unwrap_or_default()),
            None => return self.without_mark(trimmed, lists),
        };
        let Some((key, value)) = setting.split_once('=').filter(|(key, _)| is_key(key)) else {
            return Verdict::NotMine;
        };
        if self.passing {
            return Verdict::Idle("settings of something that a design does not hold");
        }
        if !self.open {
            lists.push(unheaded(at, command));
            self.open = true;
        }
        let Some(list) = lists.last_mut() else { return Verdict::NotMine };
        let value = (!matches!(value, "null" | super::secrets::REMOVED)).then(|| value.to_owned());
        list.entries.push(ConfigEntry { key: key.to_owned(), value, origin: origin(rest, key), at });
        Verdict::Read
    }

    /// `All configs for topic orders are:` and its older forms.
    fn heading(
        &mut self,
        text: &str,
        at: LineRef,
        command: Option<&Command>,
        lists: &mut Vec<ConfigReading>,
    ) -> Option<Verdict> {
        let words = text.split(' ').take(3).any(|word| matches!(word, "configs" | "config" | "Configs" | "Config"));
        let (head, rest) = text.split_once("onfigs for ").or_else(|| text.split_once("onfig for "))?;
        let (what, list) = rest.split_once(" are:").or_else(|| rest.split_once(" are"))?;
        if !words || head.len() > 24 || what.len() > 300 {
            return None;
        }
        let (list, note) = list.split_once("<<").unwrap_or((list, ""));
        self.open = true;
        self.passing = false;
        let Some(entity) = entity(what) else {
            (self.open, self.passing) = (false, true);
            return Some(Verdict::Idle("settings of something that a design does not hold"));
        };
        let filtered = command.is_some_and(|command| command.tool == Tool::Configs && command.filtered());
        let mut reading =
            ConfigReading { at, entity, all: head.starts_with("All "), complete: !filtered, entries: Vec::new() };
        let mut odd = None;
        for piece in pieces(list.trim()).into_iter().filter(|piece| !piece.is_empty()) {
            match piece.split_once('=').filter(|(key, _)| is_key(key)) {
                Some((key, value)) => reading.entries.push(ConfigEntry {
                    key: key.to_owned(),
                    value: (value != "null").then(|| value.to_owned()),
                    origin: match reading.entity {
                        Entity::Topic(_) => Origin::Topic,
                        Entity::Group(_) => Origin::Group,
                        Entity::Broker(_) | Entity::AllBrokers => Origin::DynamicBroker,
                        _ => Origin::NotSaid,
                    },
                    at,
                }),
                None => {
                    reading.complete = false;
                    odd = Some(format!("{piece:?} is cut or not a setting and was left out"));
                }
            }
        }
        lists.push(reading);
        if !note.trim().is_empty() {
            odd = odd.or_else(|| Some(format!("{:?} is a note of the writer, not a setting", note.trim())));
        }
        Some(odd.map_or(Verdict::Read, Verdict::ReadBut))
    }

    /// A line without `sensitive=`: the rest of a broken line, or a setting that is cut.
    fn without_mark(&self, text: &str, lists: &mut [ConfigReading]) -> Verdict {
        let Some(list) = lists.last_mut().filter(|_| self.open) else { return Verdict::NotMine };
        if text.starts_with("synonyms={") || text.starts_with("sensitive=") {
            let Some(entry) = list.entries.last_mut() else { return Verdict::NotMine };
            entry.origin = origin(text, &entry.key);
            return Verdict::Read;
        }
        if text.split_once('=').is_some_and(|(key, _)| is_key(key) && key.contains('.')) {
            list.complete = false;
            return Verdict::Odd("cut: the value may not be whole, so it was left out".to_owned());
        }
        Verdict::NotMine
    }

    /// Something was left out of the open list.
    pub(super) fn elided(&self, lists: &mut [ConfigReading]) -> bool {
        if let Some(list) = lists.last_mut().filter(|_| self.open) {
            list.complete = false;
            return true;
        }
        false
    }

    /// Another command or another output begins.
    pub(super) const fn close(&mut self) {
        self.open = false;
        self.passing = false;
    }
}

/// Settings without a heading: the command says whose they are, or nothing does.
fn unheaded(at: LineRef, command: Option<&Command>) -> ConfigReading {
    let command = command.filter(|command| command.tool == Tool::Configs);
    let broker = command.and_then(|command| match command.option("entity-type") {
        Some("brokers") => command.option("entity-name"),
        _ => command.option("broker"),
    });
    let group = command.and_then(|command| match command.option("entity-type") {
        Some("groups") => command.option("entity-name"),
        _ => command.option("group"),
    });
    let entity = match (broker, group) {
        (Some(id), _) => Entity::Broker(id.to_owned()),
        (None, Some(group)) => Entity::Group(group.to_owned()),
        (None, None) => Entity::Topic(command.and_then(Command::topic).map(str::to_owned)),
    };
    ConfigReading {
        at,
        entity,
        all: command.is_some_and(|command| command.has("all")),
        complete: false,
        entries: Vec::new(),
    }
}

/// `topic orders`, `topic 'orders'`, `topic:orders`, `broker 0`, `brokers in the cluster`.
fn entity(what: &str) -> Option<Entity> {
    let end = what.find([' ', ':']).unwrap_or(what.len());
    let kind = what.get(..end)?;
    let name = what.get(end..)?.trim_matches([' ', ':', '\'', '"', '`']);
    match kind {
        "topic" | "topics" if is_topic(name) => Some(Entity::Topic(Some(name.to_owned()))),
        "broker" | "brokers" if name.contains("in the cluster") || name.contains("default") => Some(Entity::AllBrokers),
        "broker" | "brokers" if name.bytes().all(|b| b.is_ascii_digit()) && !name.is_empty() => {
            Some(Entity::Broker(name.to_owned()))
        }
        "group" | "groups" if !name.is_empty() && name.len() <= 255 => Some(Entity::Group(name.to_owned())),
        _ => None,
    }
}

/// The first synonym is the one in force.
fn origin(rest: &str, key: &str) -> Origin {
    let Some((_, synonyms)) = rest.split_once("synonyms={") else { return Origin::NotSaid };
    // No synonym at all: the default, or `log.retention.hours` and `log.roll.hours`, which are not listed.
    if synonyms.starts_with('}') && !key.is_empty() {
        return Origin::Default;
    }
    source(synonyms.split(':').next().unwrap_or_default())
}

/// The source of a value by the name that the protocol gives it.
pub(super) fn source(name: &str) -> Origin {
    match name {
        "DYNAMIC_TOPIC_CONFIG" => Origin::Topic,
        "DYNAMIC_GROUP_CONFIG" => Origin::Group,
        "DYNAMIC_BROKER_CONFIG" | "DYNAMIC_DEFAULT_BROKER_CONFIG" => Origin::DynamicBroker,
        "STATIC_BROKER_CONFIG" => Origin::BrokerFile,
        "DEFAULT_CONFIG" => Origin::Default,
        _ => Origin::NotSaid,
    }
}
