//! Text that other tools printed, read into a proposal: facts with their lines, and what was left out with the reason.
//!
//! [`read`] takes pasted text and dropped files apart: secrets are removed first, then lines are cleaned of what copying
//! added, outputs of several commands are told apart, and each line gets a state. [`propose`] compares what was found
//! with a design; [`Proposal::edit`] turns what the user accepts into one edit. Nothing is changed before that.
//!
//! One file a format: [`kafka_topics`], [`kafka_configs`], [`consumer_groups`], [`get_offsets`], [`kafka_features`],
//! [`kafka_api_versions`], [`kafka_log_dirs`], of Redpanda [`rpk_topics`], [`rpk_groups`] and `rpk_config`, of engines
//! `connect`, `flink` and `spark`. Reading never fails as a whole: a line that cannot be read is reported and the others are
//! used. Not here: job code, which is a statement and not a reading, and applying an edit.

mod accept;
pub mod command;
mod connect;
mod connect_ends;
mod connect_keys;
mod connect_kinds;
pub mod consumer_groups;
mod detect;
mod flink;
mod flink_keys;
mod found;
pub mod get_offsets;
pub mod kafka_api_versions;
pub mod kafka_configs;
pub mod kafka_features;
mod kafka_keys;
pub mod kafka_log_dirs;
pub mod kafka_topics;
mod keys;
mod lines;
mod listing;
mod proposal;
mod propose;
mod rpk_config;
pub mod rpk_groups;
pub mod rpk_topics;
mod secrets;
mod spark;
mod tree;

pub use accept::{Choices, Resolution};
pub use consumer_groups::{GroupReading, OffsetRow};
pub use get_offsets::{OffsetReading, Which};
pub use kafka_api_versions::BrokerReading;
pub use kafka_configs::{ConfigEntry, ConfigReading, Engine, Entity, Origin};
pub use kafka_features::FeatureReading;
pub use kafka_log_dirs::SizeReading;
pub use kafka_topics::{PartitionRow, Setting, TopicReading};
pub use lines::{LineRef, MAX_LINE, MAX_TEXT};
pub use proposal::{
    Ask, FactKey, FactState, Presence, Proposal, ProposedFact, ProposedSubject, Remark, Skipped, Standing, SubjectRole,
    Summary, Vanished,
};
pub use rpk_topics::{RpkPartition, RpkTopic};
pub use secrets::REMOVED;

use crate::model::{Date, Design, Id};

/// One pasted text or dropped file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The file's name; nothing for pasted text.
    pub name: Option<String>,
    /// What it holds.
    pub text: String,
}

/// What became of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineState {
    /// Its facts were read.
    Read,
    /// It says something else than the design, or than another input; only in [`Proposal::lines`].
    Conflict,
    /// It stands in an output that is read here and could not be read, with the reason.
    NotUnderstood(String),
    /// It was understood and holds nothing that a design takes, with the reason.
    NotUsed(&'static str),
    /// It held a secret, which is gone; the rest of it was read if it is of a format known here.
    SecretRemoved,
    /// A command.
    Command,
    /// Text around the outputs.
    Noise,
    /// Nothing.
    Blank,
}

/// One line as it can be shown: cleaned, without secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineNote {
    /// Where it stands.
    pub at: LineRef,
    /// Its text.
    pub text: String,
    /// What became of it.
    pub state: LineState,
    /// What else to say about it.
    pub remark: Option<String>,
}

/// The format of one part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// `kafka-topics --describe`
    Topics,
    /// `kafka-configs --describe`
    Configs,
    /// `kafka-consumer-groups --describe`
    Groups,
    /// `kafka-get-offsets`
    Offsets,
    /// `kafka-features describe`
    Features,
    /// `kafka-broker-api-versions`
    Brokers,
    /// `kafka-log-dirs --describe`
    LogDirs,
    /// `rpk topic describe` and `rpk topic list`
    RpkTopics,
    /// `rpk group describe`
    RpkGroups,
    /// What Kafka Connect prints of its connectors, and its properties.
    Connect,
    /// What Flink prints of its jobs, and its configuration.
    Flink,
    /// What Spark says of a query, and its properties.
    Spark,
    /// `rpk cluster config`
    RpkConfig,
}

impl Format {
    /// The formats that are known by a line alone, in the order in which one is held against them.
    pub const BY_LINE: [Self; 9] = [
        Self::Topics,
        Self::Configs,
        Self::Groups,
        Self::Offsets,
        Self::Features,
        Self::Brokers,
        Self::LogDirs,
        Self::RpkTopics,
        Self::RpkGroups,
    ];

    /// The command that prints it.
    #[must_use]
    pub const fn command(self) -> &'static str {
        match self {
            Self::Topics => "kafka-topics --describe",
            Self::Configs => "kafka-configs --describe",
            Self::Groups => "kafka-consumer-groups --describe",
            Self::Offsets => "kafka-get-offsets",
            Self::Features => "kafka-features describe",
            Self::Brokers => "kafka-broker-api-versions",
            Self::LogDirs => "kafka-log-dirs --describe",
            Self::RpkTopics => "rpk topic describe",
            Self::RpkGroups => "rpk group describe",
            Self::Connect => "Kafka Connect",
            Self::Flink => "Flink",
            Self::Spark => "Spark",
            Self::RpkConfig => "rpk cluster config",
        }
    }
}

/// The output of one command: what becomes one evidence entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Which input.
    pub input: usize,
    /// Its first line, from 1.
    pub first: usize,
    /// Its last line.
    pub last: usize,
    /// What it is.
    pub format: Format,
    /// The command above it, as pasted and without its prompt.
    pub command: Option<command::Command>,
    /// What was read, in the order of the text.
    pub content: Content,
}

/// What was read in one section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Topics and their partitions.
    Topics(Vec<TopicReading>),
    /// Lists of settings.
    Configs(Vec<ConfigReading>),
    /// Consumer groups.
    Groups(Vec<GroupReading>),
    /// Starts and ends of logs.
    Offsets(Vec<OffsetReading>),
    /// Levels of features.
    Features(Vec<FeatureReading>),
    /// Brokers that are up.
    Brokers(Vec<BrokerReading>),
    /// Sizes of copies of partitions.
    LogDirs(Vec<SizeReading>),
    /// Topics as `rpk` prints them: counts, settings, partitions.
    RpkTopics(Vec<RpkTopic>),
}

/// Everything that was found in the text, before any design is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The names of the inputs.
    pub inputs: Vec<Option<String>>,
    /// Every line with its state.
    pub lines: Vec<LineNote>,
    /// The parts of it that are of a format known here.
    pub sections: Vec<Section>,
    /// Inputs without any such part, and text beyond the bounds.
    pub skipped: Vec<Skipped>,
}

impl Reading {
    /// All topics read, in the order of the text; of several readings of one topic all.
    pub fn topics(&self) -> impl Iterator<Item = &TopicReading> {
        self.sections.iter().flat_map(|section| match &section.content {
            Content::Topics(topics) => topics.as_slice(),
            _ => &[],
        })
    }

    /// All lists of settings read, in the order of the text.
    pub fn configs(&self) -> impl Iterator<Item = &ConfigReading> {
        self.sections.iter().flat_map(|section| match &section.content {
            Content::Configs(lists) => lists.as_slice(),
            _ => &[],
        })
    }

    /// All topics that `rpk` printed, in the order of the text.
    pub fn rpk_topics(&self) -> impl Iterator<Item = &RpkTopic> {
        self.sections.iter().flat_map(|section| match &section.content {
            Content::RpkTopics(topics) => topics.as_slice(),
            _ => &[],
        })
    }

    /// All consumer groups read, in the order of the text.
    pub fn groups(&self) -> impl Iterator<Item = &GroupReading> {
        self.sections.iter().flat_map(|section| match &section.content {
            Content::Groups(groups) => groups.as_slice(),
            _ => &[],
        })
    }

    /// All log starts and ends read, in the order of the text.
    pub fn offsets(&self) -> impl Iterator<Item = &OffsetReading> {
        self.sections.iter().flat_map(|section| match &section.content {
            Content::Offsets(offsets) => offsets.as_slice(),
            _ => &[],
        })
    }

    /// Names what a section does not name itself: the group of a table without a GROUP column, the topic of settings
    /// without a heading. [`Proposal::asks`] lists the sections that need it. Returns whether something was named.
    pub fn name(&mut self, section: usize, name: &str) -> bool {
        let name = name.trim();
        let mut named = false;
        match self.sections.get_mut(section).map(|section| &mut section.content) {
            Some(Content::Groups(groups)) if !name.is_empty() && name.len() <= 255 => {
                for group in groups.iter_mut().filter(|group| group.name.is_none()) {
                    (group.name, named) = (Some(name.to_owned()), true);
                }
            }
            Some(Content::Configs(lists)) if command::is_topic(name) => {
                for list in lists.iter_mut().filter(|list| list.entity == Entity::Topic(None)) {
                    (list.entity, named) = (Entity::Topic(Some(name.to_owned())), true);
                }
                named |= name_jobs(lists, name);
            }
            Some(Content::Configs(lists)) if !name.is_empty() && name.len() <= 249 => named = name_jobs(lists, name),
            Some(Content::RpkTopics(topics)) if command::is_topic(name) => {
                for topic in topics.iter_mut().filter(|topic| topic.name.is_none()) {
                    (topic.name, named) = (Some(name.to_owned()), true);
                }
            }
            _ => {}
        }
        named
    }

    /// Lines of formats known here that could not be read.
    pub fn not_understood(&self) -> impl Iterator<Item = &LineNote> {
        self.lines.iter().filter(|line| matches!(line.state, LineState::NotUnderstood(_)))
    }

    /// Lines that held a secret.
    pub fn secrets(&self) -> impl Iterator<Item = &LineNote> {
        self.lines.iter().filter(|line| line.state == LineState::SecretRemoved)
    }
}

/// Names the jobs of lists that do not say whose they are.
fn name_jobs(lists: &mut [ConfigReading], name: &str) -> bool {
    let mut named = false;
    for list in lists {
        if let Entity::Job { name: missing @ None, .. } = &mut list.entity {
            (*missing, named) = (Some(name.to_owned()), true);
        }
    }
    named
}

/// What one format says of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Not of this format.
    NotMine,
    /// Read.
    Read,
    /// Read, with something to say.
    ReadBut(String),
    /// Of this format, but it cannot be read.
    Odd(String),
    /// Of this format, and nothing a design takes.
    Idle(&'static str),
}

/// Reads pasted text and dropped files. Never fails: what cannot be read is in the lines and in `skipped`.
#[must_use]
pub fn read(inputs: &[Input]) -> Reading {
    detect::read(inputs)
}

/// Compares what was read with a design. `at` is the day of the reading, where it is known.
#[must_use]
pub fn propose(reading: &Reading, design: &Design, at: Option<Date>) -> Proposal {
    propose::propose(reading, design, at, &|_| false)
}

/// As [`propose`], leaving out also the ids that `taken` names (those that the undo history still holds).
#[must_use]
pub fn propose_besides(reading: &Reading, design: &Design, at: Option<Date>, taken: &dyn Fn(&Id) -> bool) -> Proposal {
    propose::propose(reading, design, at, taken)
}
