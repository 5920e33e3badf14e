//! What a design is made of: elements, links, events, clusters, their settings and the evidence behind them.
//!
//! Everything that has settings is a [`Subject`]; every setting is a [`fields::Field`] of the one table and stands in a
//! slot: observed (under the evidence that says so) or proposed. [`Design::get`] gives the value that counts in a
//! [`View`], with its basis and source. Not here: how a design changes (`edit`), how it is stored (`codec`), and
//! anything computed from it (`analysis`).

mod check;
mod check_records;
mod design;
mod events;
pub mod fields;
mod id;
mod json;
mod known;
mod layout;
pub mod legal;
pub mod limits;
mod numbers;
mod records;
mod settings;
mod size;
mod spoken;
mod subject;
pub mod units;
mod value;
mod version;
pub mod words;
pub mod written;
pub mod zone;

pub use check::{Fault, Part};
pub use design::{Design, Section};
pub use events::{EventsAt, personal};
pub use fields::{Bounds, Field, FieldRow, Group, Key, Nature, key};
pub(crate) use id::Hashed;
pub use id::{Id, IdError, MAX_ID_LENGTH};
pub use json::{Json, MAX_COUNT};
pub use known::{Basis, Fact, FactRef, Known, Slot, View};
pub use layout::{Layout, Note, Place};
pub(crate) use numbers::Numbers;
pub use records::{
    Action, ActionKind, Approval, ApprovedValue, Covers, Decision, DecisionKind, Evidence, EvidenceBasis,
    EvidenceState, Question, Records, StateHandling,
};
pub(crate) use settings::{AllSettings, Fields, Settings};
pub use spoken::{Names, capital, counted, counted_as, ended, in_words, said, shortened, xml_escaped};
pub use subject::{
    ChannelRole, Element, ElementKind, Environment, Facts, Input, Lifecycle, Link, Parts, Port, RawValue, Shape, Step,
    Subject, TrustZone,
};
pub use value::{
    Columns, Date, FieldType, FieldValue, Keys, List, Measured, Ratio, Schema, Shares, Statistic, Text, Value,
};
pub use version::Version;
