//! One system: its names, its roles, what is worth asking about it, how to read it, and where that is written.

use super::capability::{Channel, Engine, Sink, Source};
pub use crate::model::Version;
use crate::model::{
    Field, Value,
    units::{Duration, Limit, Size},
};

/// What a system can stand for in a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Role {
    Source,
    Channel,
    Engine,
    Sink,
    Consumer,
    Batch,
    Cluster,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 7] =
        [Self::Source, Self::Channel, Self::Engine, Self::Sink, Self::Consumer, Self::Batch, Self::Cluster];
}

/// What systems are listed under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Family {
    Log,
    Queue,
    Engine,
    Mover,
    Database,
    Store,
    Lakehouse,
    Endpoint,
    Batch,
}

impl Family {
    /// All families, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::Log,
        Self::Queue,
        Self::Engine,
        Self::Mover,
        Self::Database,
        Self::Store,
        Self::Lakehouse,
        Self::Endpoint,
        Self::Batch,
    ];
}

/// One system of the catalogue.
#[derive(Debug)]
pub struct Entry {
    /// As written in the document: `kafka_connect`.
    pub id: &'static str,
    /// As people call it.
    pub name: &'static str,
    /// What the technology line of its box says.
    pub technology: &'static str,
    /// What it is listed under.
    pub family: Family,
    /// Which icon, by word.
    pub icon: &'static str,
    /// What it can stand for.
    pub roles: &'static [Role],
    /// Which versions differ in behaviour, so that the version is worth asking for; empty: none that matters here.
    pub versions: &'static str,
    /// As a source.
    pub source: Option<&'static Source>,
    /// As a log or queue.
    pub channel: Option<&'static Channel>,
    /// As an engine.
    pub engine: Option<&'static Engine>,
    /// As a store or outside system.
    pub sink: Option<&'static Sink>,
    /// Fields worth asking for, most telling first.
    pub ask: &'static [Field],
    /// Commands that read facts.
    pub commands: &'static [Command],
    /// What is in force where a key is not set.
    pub defaults: &'static [Default],
    /// Public references.
    pub references: &'static [&'static str],
}

impl Entry {
    /// Can it stand for this?
    #[must_use]
    pub fn has(&self, role: Role) -> bool {
        self.roles.contains(&role)
    }

    /// Is it known what it does in any of its roles? Where not, the analysis makes no claim about it.
    #[must_use]
    pub const fn has_capability(&self) -> bool {
        self.source.is_some() || self.channel.is_some() || self.engine.is_some() || self.sink.is_some()
    }

    /// As a channel: do replicas in sync and the election of leaders decide what it keeps, as in Apache Kafka?
    #[must_use]
    pub fn has_in_sync(&self) -> bool {
        self.channel.is_some_and(|channel| channel.durability == super::capability::Durability::Replicas)
    }
}

/// A command or query that reads facts. `{name}` stands for the element, `{group}` for its consumer group.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// What it reads.
    pub reads: &'static [Field],
    /// The command.
    pub text: &'static str,
}

/// What a product does where a key is not set. Only for a reading of `unset` with a known version, and then assumed.
#[derive(Debug)]
pub struct Default {
    /// Which field.
    pub field: Field,
    /// The product's own key.
    pub key: &'static str,
    /// What is in force.
    pub value: DefaultValue,
    /// From this version on.
    pub from: Version,
    /// Before this version; `None`: no end known.
    pub below: Option<Version>,
    /// Where that is written.
    pub source: &'static str,
}

impl Default {
    /// In force in every version.
    pub(super) const fn always(field: Field, key: &'static str, value: DefaultValue, source: &'static str) -> Self {
        Self { field, key, value, from: Version(0, 0), below: None, source }
    }

    /// From this version on.
    pub(super) const fn from(self, from: Version) -> Self {
        Self { from, ..self }
    }

    /// Before this version.
    pub(super) const fn below(self, below: Version) -> Self {
        Self { below: Some(below), ..self }
    }

    /// Is it in force in this version?
    #[must_use]
    pub fn in_force(&self, version: Version) -> bool {
        version >= self.from && self.below.is_none_or(|below| version < below)
    }
}

/// A default as data.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum DefaultValue {
    Word(&'static str),
    Bool(bool),
    Count(u64),
    Millis(u64),
    Bytes(u64),
    MillisLimit(u64),
    Unlimited,
    UnlimitedSize,
}

impl DefaultValue {
    /// As a value of the document.
    #[must_use]
    pub const fn value(self) -> Value {
        match self {
            Self::Word(word) => Value::Word(word),
            Self::Bool(bool) => Value::Bool(bool),
            Self::Count(n) => Value::Count(n),
            Self::Millis(ms) => Value::Duration(Duration::from_millis(ms)),
            Self::Bytes(bytes) => Value::Size(Size::from_bytes(bytes)),
            Self::MillisLimit(ms) => Value::Limit(Limit::Of(Duration::from_millis(ms))),
            Self::Unlimited => Value::Limit(Limit::Unlimited),
            Self::UnlimitedSize => Value::SizeLimit(Limit::Unlimited),
        }
    }
}

/// An entry that is known by name only; the base of all others.
pub(super) const NAMED: Entry = Entry {
    id: "",
    name: "",
    technology: "",
    family: Family::Endpoint,
    icon: "",
    roles: &[],
    versions: "",
    source: None,
    channel: None,
    engine: None,
    sink: None,
    ask: &[],
    commands: &[],
    defaults: &[],
    references: &[],
};
