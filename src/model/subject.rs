//! Elements, links, events and clusters: one shape for everything that has settings.

use super::{
    Id,
    fields::{Field, Group, Key},
    value::{FieldValue, Text, Value},
};
use crate::sorted::SortedMap;
use std::{
    fmt,
    ops::{Deref, DerefMut},
    sync::Arc,
};

/// Settings of one slot, in table order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts(SortedMap<Field, Value>);

impl Facts {
    /// The value of a field.
    #[must_use]
    pub fn get(&self, field: Field) -> Option<&Value> {
        self.0.get(&field)
    }

    /// The typed value of a field.
    #[must_use]
    pub fn typed<T: FieldValue>(&self, key: Key<T>) -> Option<T> {
        T::from_value(self.get(key.field())?)
    }

    /// Puts or removes a value and returns what stood there.
    pub fn set(&mut self, field: Field, value: Option<Value>) -> Option<Value> {
        match value {
            Some(value) => self.0.insert(field, value),
            None => self.0.remove(&field),
        }
    }

    /// Puts a typed value; for building designs in code.
    #[must_use]
    pub fn with<T: FieldValue>(mut self, key: Key<T>, value: T) -> Self {
        self.0.insert(key.field(), value.into_value());
        self
    }

    /// All settings in table order.
    pub fn iter(&self) -> impl Iterator<Item = (Field, &Value)> {
        self.0.iter().map(|(field, value)| (*field, value))
    }

    /// Is nothing set?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A value of a product key that maps to no field: shown and exported again, never analysed.
#[derive(Clone, Debug, PartialEq)]
pub enum RawValue {
    /// Text as read.
    Text(Text),
    /// A number as read.
    Number(f64),
    /// Yes or no.
    Bool(bool),
}

/// Is it there, shall it come, shall it go? Sorts from the least to the most settled, as links inherit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Lifecycle {
    Planned,
    Retiring,
    Existing,
}

/// What an element stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum ElementKind {
    Source,
    Channel,
    Job,
    Operator,
    Sink,
    Consumer,
    Batch,
}

impl ElementKind {
    /// All kinds, in the order of the format.
    pub const ALL: [Self; 7] =
        [Self::Source, Self::Channel, Self::Job, Self::Operator, Self::Sink, Self::Consumer, Self::Batch];

    /// As written in the document.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Channel => "channel",
            Self::Job => "job",
            Self::Operator => "operator",
            Self::Sink => "sink",
            Self::Consumer => "consumer",
            Self::Batch => "batch",
        }
    }

    /// The group of its fields.
    #[must_use]
    pub const fn group(self) -> Group {
        match self {
            Self::Source => Group::Source,
            Self::Channel => Group::Channel,
            Self::Job => Group::Job,
            Self::Operator => Group::Operator,
            Self::Sink => Group::Sink,
            Self::Consumer => Group::Consumer,
            Self::Batch => Group::Batch,
        }
    }
}

macro_rules! structural_words {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),* }

        impl $name {
            /// All words.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// As written in the document.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }

            /// The variant of a written word.
            #[must_use]
            pub fn named(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.name() == text)
            }
        }
    )*};
}
pub(crate) use structural_words;

structural_words! {
    /// What a channel is besides a log or queue.
    ChannelRole { Retry "retry", JobState "job_state" }
    /// What one operator does.
    Step {
        Map "map", Filter "filter", Copy "copy", Rekey "rekey", AssignId "assign_id", Deduplicate "deduplicate",
        Aggregate "aggregate", Join "join", Lookup "lookup", Call "call", Custom "custom",
    }
    /// Which output of an operator a link leaves; absent means main.
    Port { Late "late", DeadLetter "dead_letter", Side "side", Reconcile "reconcile" }
    /// Which input of a join or look-up a link enters; absent means main.
    Input { Left "left", Right "right", Table "table", Lookup "lookup" }
    /// Where a cluster stands.
    Environment { Production "production", Staging "staging", Development "development" }
    /// How far a place is trusted; restricted > internal > partner > public.
    TrustZone { Public "public", Partner "partner", Internal "internal", Restricted "restricted" }
}

impl Lifecycle {
    /// As written in the document.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Retiring => "retiring",
            Self::Existing => "existing",
        }
    }

    /// The variant of a written word.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        [Self::Planned, Self::Retiring, Self::Existing].into_iter().find(|word| word.name() == text)
    }
}

/// The structural fields of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// Where events are born.
    Source {
        /// The event type it emits.
        event: Option<Id>,
    },
    /// A log or queue between steps.
    Channel {
        /// Retry topic or a job's own state, if so.
        role: Option<ChannelRole>,
    },
    /// What deploys, commits and fails together.
    Job,
    /// One step of a job.
    Operator {
        /// The job it belongs to.
        job: Id,
        /// What it does.
        step: Step,
        /// The event type it emits, where it makes a new one.
        emits: Option<Id>,
    },
    /// A store or outside system that receives.
    Sink,
    /// Who acts on the result.
    Consumer {
        /// What this consumer asks.
        question: Option<Text>,
    },
    /// A batch job over the same events.
    Batch,
}

impl Element {
    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> ElementKind {
        match self {
            Self::Source { .. } => ElementKind::Source,
            Self::Channel { .. } => ElementKind::Channel,
            Self::Job => ElementKind::Job,
            Self::Operator { .. } => ElementKind::Operator,
            Self::Sink => ElementKind::Sink,
            Self::Consumer { .. } => ElementKind::Consumer,
            Self::Batch => ElementKind::Batch,
        }
    }
}

/// The structural fields of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it comes from.
    pub from: Id,
    /// Where it goes.
    pub to: Id,
    /// Which output it leaves; absent: main.
    pub port: Option<Port>,
    /// Which input it enters; absent: main.
    pub into: Option<Input>,
}

/// What a subject is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A box on the canvas.
    Element(Element),
    /// A link between two.
    Link(Link),
    /// An event type.
    Event,
    /// A place that things run in.
    Cluster {
        /// Absent: treated as production.
        environment: Option<Environment>,
        /// Absent: unknown.
        trust_zone: Option<TrustZone>,
    },
}

/// Anything that has settings. Copies are cheap: states of a design share every subject that is the same in both, and
/// the one that changes is copied when it does.
#[derive(Clone)]
pub struct Subject(Arc<Parts>);

/// What a [`Subject`] is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// What it is.
    pub shape: Shape,
    /// Shown name; absent where it equals the id.
    pub name: Option<Text>,
    /// Remarks.
    pub note: Option<Text>,
    /// A role or team.
    pub owner: Option<Text>,
    /// Catalogue id; absent: the cluster's.
    pub system: Option<Text>,
    /// The cluster it runs in.
    pub cluster: Option<Id>,
    /// Absent: inherited, see [`crate::model::Design::lifecycle`].
    pub lifecycle: Option<Lifecycle>,
    /// What is so today, by evidence.
    pub observed: SortedMap<Id, Facts>,
    /// What shall be so.
    pub proposed: Facts,
    /// Product keys that map to no field, by evidence.
    pub raw: SortedMap<Id, SortedMap<Text, RawValue>>,
}

impl Deref for Subject {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl DerefMut for Subject {
    fn deref_mut(&mut self) -> &mut Parts {
        Arc::make_mut(&mut self.0)
    }
}

impl PartialEq for Subject {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Subject {
    /// A subject of this shape with nothing said about it yet.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self(Arc::new(Parts {
            shape,
            name: None,
            note: None,
            owner: None,
            system: None,
            cluster: None,
            lifecycle: None,
            observed: SortedMap::new(),
            proposed: Facts::default(),
            raw: SortedMap::new(),
        }))
    }

    /// A link between two elements.
    #[must_use]
    pub fn link(from: Id, to: Id) -> Self {
        Self::new(Shape::Link(Link { from, to, port: None, into: None }))
    }

    /// The kind, where it is an element.
    #[must_use]
    pub fn kind(&self) -> Option<ElementKind> {
        match &self.shape {
            Shape::Element(element) => Some(element.kind()),
            _ => None,
        }
    }

    /// The element, where it is one.
    #[must_use]
    pub fn element(&self) -> Option<&Element> {
        match &self.shape {
            Shape::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The link, where it is one.
    #[must_use]
    pub fn as_link(&self) -> Option<&Link> {
        match &self.shape {
            Shape::Link(link) => Some(link),
            _ => None,
        }
    }
}
