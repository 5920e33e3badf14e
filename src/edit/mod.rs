//! The only way to change a design: one [`Edit`] value, applied by one function that returns its inverse.
//!
//! [`crate::model::Design::apply`] applies an edit whole or not at all and keeps the design valid; [`history::History`] keeps the
//! inverses for undo and redo; [`draft::Draft`] builds compound edits for gestures such as deleting or duplicating.
//! Not here: the text form of designs and of the history (`codec`), and what a change means (`analysis`).

mod apply;
mod check;
pub mod draft;
pub mod history;

pub use draft::{CopiedFacts, Draft};
pub use history::History;

use crate::model::{
    Action, Approval, Decision, Evidence, Field, Id, Lifecycle, Note, Place, Question, RawValue, Section, Slot,
    Subject, Text, Value,
};

/// One change. Every change has an inverse, so that undo restores the document to the byte.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Several changes as one; applied in order, all or none.
    All(Vec<Edit>),
    /// Puts a whole subject, or removes it. Removing an element removes its links and what the layout says of it; its
    /// operators, where it is a job, have to go in the same edit.
    Subject {
        /// Where it stands.
        section: Section,
        /// Its id.
        id: Id,
        /// The subject, or nothing.
        to: Option<Box<Subject>>,
    },
    /// Sets or clears one setting.
    Set {
        /// Element, link, event or cluster.
        subject: Id,
        /// Which slot.
        slot: Slot,
        /// Which field; it must be legal on the subject.
        field: Field,
        /// The value, or nothing.
        value: Option<Value>,
    },
    /// Sets or clears a product key that maps to no field.
    Raw {
        /// Element, link, event or cluster.
        subject: Id,
        /// The evidence it was read under.
        evidence: Id,
        /// The product's key.
        key: Text,
        /// The value, or nothing.
        value: Option<RawValue>,
    },
    /// Sets or clears a text of a subject.
    Label {
        /// Element, link, event or cluster.
        subject: Id,
        /// Which text.
        label: Label,
        /// The text, or nothing.
        to: Option<Text>,
    },
    /// Sets or clears the life cycle word of a subject.
    Lifecycle {
        /// Any subject.
        subject: Id,
        /// The word, or nothing.
        to: Option<Lifecycle>,
    },
    /// Sets or clears the title of the design.
    Title(Option<Text>),
    /// Sets or clears the business question of the design.
    Question(Option<Text>),
    /// Puts or removes a record.
    Record(Record),
    /// Moves or sizes a box; nothing: tidy places it.
    Place {
        /// The element.
        element: Id,
        /// Where.
        to: Option<Place>,
    },
    /// The points that a link goes through.
    Route {
        /// The link.
        link: Id,
        /// x, y, x, y …; nothing: routed.
        to: Option<Vec<i32>>,
    },
    /// A colour of an element.
    Colour {
        /// The element.
        element: Id,
        /// Colour name.
        to: Option<Text>,
    },
    /// Whether tidy leaves an element where it is.
    Lock {
        /// The element.
        element: Id,
        /// Locked or not.
        to: bool,
    },
    /// Puts or removes a free note.
    Note {
        /// Its id.
        id: Id,
        /// The note, or nothing.
        to: Option<Note>,
    },
}

/// A text of a subject, or a reference that is written like one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Label {
    Name,
    Note,
    Owner,
    /// Catalogue id.
    System,
    /// Id of a cluster.
    Cluster,
    /// What a consumer asks.
    Question,
}

/// A record with its id, or its removal.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Record {
    Evidence(Id, Option<Evidence>),
    Action(Id, Option<Action>),
    Approval(Id, Option<Approval>),
    Decision(Id, Option<Decision>),
    Question(Id, Option<Question>),
}

/// Why an edit was refused; the design is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct EditError {
    /// Where: `links.l3.to`.
    pub path: String,
    /// What is wrong and what to do.
    pub reason: String,
}
