//! The one table of fields: name, type, nature, theme, which rules read it, what it means.
//!
//! Codec, JSON Schema, inspector, importers and explanations are driven by this table; `key::channel::PARTITIONS` and
//! its like are the typed way to one row. A field is added by one line in the file of its group.

use super::{
    spoken::in_words,
    value::{FieldType, FieldValue, Value},
};
use std::{fmt, marker::PhantomData};

/// What a field belongs to. A subject has the fields of one group, a link those of its two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Group {
    Channel,
    Cluster,
    Source,
    Job,
    Operator,
    Sink,
    Consumer,
    Batch,
    Event,
    /// Any link.
    Link,
    /// From a source, or from a sink into an operator or batch path.
    Take,
    /// From a channel.
    Read,
    /// Into a channel or sink.
    Write,
    /// Into a channel.
    Produce,
    /// Into a sink.
    Store,
    /// From operator to operator.
    Flow,
    /// From a sink to a reader.
    Serve,
    /// From sink to sink: the comparison of two results.
    Reconcile,
}

impl Group {
    /// All groups in table order.
    pub const ALL: [Self; 18] = [
        Self::Channel,
        Self::Cluster,
        Self::Source,
        Self::Job,
        Self::Operator,
        Self::Sink,
        Self::Consumer,
        Self::Batch,
        Self::Event,
        Self::Link,
        Self::Take,
        Self::Read,
        Self::Write,
        Self::Produce,
        Self::Store,
        Self::Flow,
        Self::Serve,
        Self::Reconcile,
    ];

    /// Its name in texts that are not documents: `channel` in `channel.partitions`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Channel => "channel",
            Self::Cluster => "cluster",
            Self::Source => "source",
            Self::Job => "job",
            Self::Operator => "operator",
            Self::Sink => "sink",
            Self::Consumer => "consumer",
            Self::Batch => "batch",
            Self::Event => "event",
            Self::Link => "link",
            Self::Take => "take",
            Self::Read => "read",
            Self::Write => "write",
            Self::Produce => "produce",
            Self::Store => "store",
            Self::Flow => "flow",
            Self::Serve => "serve",
            Self::Reconcile => "reconcile",
        }
    }

    /// What has these fields, in words: `a channel`, `a link that reads a channel`.
    #[must_use]
    pub const fn with_article(self) -> &'static str {
        match self {
            Self::Channel => "a channel",
            Self::Cluster => "a cluster",
            Self::Source => "a source",
            Self::Job => "a job",
            Self::Operator => "an operator",
            Self::Sink => "a sink",
            Self::Consumer => "a consumer",
            Self::Batch => "a batch path",
            Self::Event => "an event type",
            Self::Link => "a link",
            Self::Take => "a link that takes from a source",
            Self::Read => "a link that reads a channel",
            Self::Write => "a link that writes a channel or sink",
            Self::Produce => "a link that writes a channel",
            Self::Store => "a link that writes a sink",
            Self::Flow => "a link between operators",
            Self::Serve => "a link that reads a sink",
            Self::Reconcile => "a reconciliation link",
        }
    }

    /// The rows of this group in table order.
    #[must_use]
    pub fn rows(self) -> &'static [FieldRow] {
        match self {
            Self::Channel => key::channel::TABLE,
            Self::Cluster => key::cluster::TABLE,
            Self::Source => key::source::TABLE,
            Self::Job => key::job::TABLE,
            Self::Operator => key::operator::TABLE,
            Self::Sink => key::sink::TABLE,
            Self::Consumer => key::consumer::TABLE,
            Self::Batch => key::batch::TABLE,
            Self::Event => key::event::TABLE,
            Self::Link => key::link::TABLE,
            Self::Take => key::take::TABLE,
            Self::Read => key::read::TABLE,
            Self::Write => key::write::TABLE,
            Self::Produce => key::produce::TABLE,
            Self::Store => key::store::TABLE,
            Self::Flow => key::flow::TABLE,
            Self::Serve => key::serve::TABLE,
            Self::Reconcile => key::reconcile::TABLE,
        }
    }

    /// The fields of this group in table order.
    pub fn fields(self) -> impl Iterator<Item = Field> {
        (0..self.rows().len()).map(move |row| Field { group: self, row: row as u8 })
    }

    /// The field of this name.
    #[must_use]
    pub fn field(self, name: &str) -> Option<Field> {
        let row = self.rows().iter().position(|row| row.name == name)?;
        Some(Field { group: self, row: row as u8 })
    }
}

/// What kind of fact a field holds; with the evidence it gives the basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Nature {
    /// A setting of a product: "not read" when absent.
    Configuration,
    /// A reading of monitoring or profiling: "not measured" when absent.
    Measurement,
    /// What people need: "not stated" when absent.
    Need,
}

impl Nature {
    /// How an absent value is spoken of.
    #[must_use]
    pub const fn absent(self) -> &'static str {
        match self {
            Self::Configuration => "not read",
            Self::Measurement => "not measured",
            Self::Need => "not stated",
        }
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct FieldRow {
    /// As written in the document.
    pub name: &'static str,
    /// What it can hold.
    pub ty: FieldType,
    /// What of that can be.
    pub bounds: Bounds,
    /// Configuration, measurement or need.
    pub nature: Nature,
    /// The heading it stands under in an inspector.
    pub theme: &'static str,
    /// Ids of the rules and formulas that read it; `documents` where it is only printed, `recorded` where it is only kept.
    pub rules: &'static str,
    /// One line of meaning.
    pub meaning: &'static str,
}

/// One field: a row of one group. Sorts in table order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field {
    group: Group,
    row: u8,
}

impl Field {
    /// A number that sorts as fields do.
    pub(crate) const fn number(self) -> u16 {
        (self.group as u16) << 8 | self.row as u16
    }

    /// The group it belongs to.
    #[must_use]
    pub const fn group(self) -> Group {
        self.group
    }

    /// Its row.
    #[must_use]
    pub fn row(self) -> &'static FieldRow {
        &self.group.rows()[self.row as usize]
    }

    /// Its name as written in the document.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Its name with its group: `channel.partitions`.
    #[must_use]
    pub fn qualified(self) -> String {
        format!("{}.{}", self.group.name(), self.name())
    }

    /// The field of a name with its group.
    #[must_use]
    pub fn of_qualified(name: &str) -> Option<Self> {
        let (group, name) = name.split_once('.')?;
        Group::ALL.into_iter().find(|g| g.name() == group)?.field(name)
    }

    /// Its name as words: `retention time`, `state TTL`.
    #[must_use]
    pub fn label(self) -> String {
        match self.name() {
            // Two limits of one reach: a question about one has to say which.
            "log_reach" => "log reach by time".to_owned(),
            "log_reach_size" => "log reach by size".to_owned(),
            name => in_words(name),
        }
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}.{}", self.group, self.name())
    }
}

/// A field with the Rust type of its values.
pub struct Key<T> {
    field: Field,
    of: PhantomData<fn() -> T>,
}

impl<T> Key<T> {
    const fn new(group: Group, row: u8) -> Self {
        Self { field: Field { group, row }, of: PhantomData }
    }

    /// The field.
    #[must_use]
    pub const fn field(&self) -> Field {
        self.field
    }
}

impl<T: FieldValue> Key<T> {
    /// A value of this field, as stored.
    pub fn value(&self, value: T) -> Value {
        value.into_value()
    }
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Key<T> {}

macro_rules! bounds_of {
    () => {
        Bounds::Type
    };
    ($bounds:expr) => {
        $bounds
    };
}

macro_rules! fields {
    ($module:ident $group:ident {
        $($constant:ident $name:literal: $ty:ty, $nature:ident, $theme:literal, $rules:literal, $meaning:literal
            $(=> $bounds:expr)?;)*
    }) => {
        #[doc = concat!("Fields of the group `", stringify!($group), "`.")]
        pub mod $module {
            #[allow(unused_imports)]
            use super::super::{super::{units::*, value::*, words::*}, Bounds::*};
            use super::super::{Bounds, FieldRow, Group, Key, Nature};

            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Row { $($constant),* }

            $(#[doc = concat!("`", $name, "`: ", $meaning, ". Read by ", $rules, ".")]
            pub const $constant: Key<$ty> = Key::new(Group::$group, Row::$constant as u8);)*

            pub(in super::super) const TABLE: &[FieldRow] = &[$(FieldRow {
                name: $name,
                ty: <$ty as FieldValue>::TYPE,
                bounds: bounds_of!($($bounds)?),
                nature: Nature::$nature,
                theme: $theme,
                rules: $rules,
                meaning: $meaning,
            }),*];
        }
    };
}

mod bounds;
mod channel;
mod event;
mod job;
mod link;
mod operator;
mod source;
mod store;

pub use bounds::Bounds;

/// Typed keys, one module a group: `key::channel::PARTITIONS`.
pub mod key {
    pub use super::channel::{channel, cluster};
    pub use super::event::event;
    pub use super::job::job;
    pub use super::link::{flow, link, produce, read, reconcile, serve, store, take, write};
    pub use super::operator::operator;
    pub use super::source::source;
    pub use super::store::{batch, consumer, sink};
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sorted::SortedSet;

    #[test]
    fn names_are_unique_within_a_group_and_typed_keys_point_at_their_row() {
        for group in Group::ALL {
            let names: SortedSet<_> = group.rows().iter().map(|row| row.name).collect();
            assert_eq!(names.len(), group.rows().len(), "{group:?}");
            assert!(group.fields().all(|field| group.field(field.name()) == Some(field)));
        }
        assert_eq!(key::cluster::BROKERS.field().name(), "brokers");
        assert_eq!(key::read::ISOLATION.field().name(), "isolation");
    }

    /// What a channel falls back on from its cluster is the same field there.
    #[test]
    fn cluster_defaults_have_the_type_of_the_channel_field() {
        for row in Group::Cluster.rows() {
            if let Some(field) = Group::Channel.field(row.name) {
                assert_eq!(field.row().ty, row.ty, "{}", row.name);
            }
        }
    }
}
