//! Design and reviews to documents: a small block tree each, rendered as Markdown here and on screen by the shell.
//!
//! Every file is a pure function of the design: no clock, no randomness, no date that the design does not hold. Each
//! document opens with how far it is and ends with what it rests on, what is open, and how its numbers were derived.
//! Not here: any computation of a verdict or figure (`analysis`) or of a finding (`rules`).

mod appendix;
mod assumed;
pub mod badge;
pub mod blocks;
pub mod bundle;
mod changes;
mod connector_diagnostic;
mod consumer_lag_and_scaling;
mod delivery_semantics;
mod desk;
mod diagram;
mod document;
mod downstream_handoff;
mod findings;
pub mod gap;
mod lateness;
pub mod markdown;
mod numbers;
mod order;
pub mod packet;
mod pictures;
mod procedure;
mod proposed;
pub mod reference;
mod say;
mod skew;
mod state_and_checkpointing;
mod stories;
mod stream_batch_reconciliation;
mod streaming_design;
mod topic_retention_and_replay;
mod windowing_and_lateness;
mod withheld;
pub mod words;
mod writer;
pub mod zip;

pub use changes::{Change, changes};
pub use delivery_semantics::{PUT_ASIDE, put_aside_on};
pub use document::{Assumption, Document, Status, Withheld};

use crate::{model::Design, rules::Review};
use desk::Desk;

/// All documents of a design in the order of the bundle: the eight, and the diagnostic where a source of evidence could
/// not be reached.
#[must_use]
pub fn document_set(design: &Design, as_is: &Review, to_be: &Review) -> Vec<Document> {
    let desk = Desk::new(design, as_is, to_be);
    let mut documents = vec![
        streaming_design::write(&desk),
        windowing_and_lateness::write(&desk),
        delivery_semantics::write(&desk),
        state_and_checkpointing::write(&desk),
        topic_retention_and_replay::write(&desk),
        consumer_lag_and_scaling::write(&desk),
        stream_batch_reconciliation::write(&desk),
        downstream_handoff::write(&desk),
    ];
    documents.extend(connector_diagnostic::write(&desk, &documents));
    documents
}
