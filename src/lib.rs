//! Streaming Pipeline Desk: what a consumer of a streaming pipeline will really observe.
//!
//! A [`model::Design`] holds what people and importers stated about sources, channels, jobs, sinks and consumers, each
//! fact under the evidence that says so. Everything else is computed from it, purely and always in the same way: the
//! [`analysis`] walks every path and works out loss, duplicates, replay reach, state and recovery; the [`rules`] say what
//! is wrong and what mends it; the [`documents`] write it all down.
//!
//! ```
//! use pipeline_desk::{
//!     catalog, codec, documents,
//!     import::{self, Choices, Input},
//!     model::{Date, View},
//!     rules,
//! };
//!
//! // Open a design: files, links and storage all enter through this one door.
//! let mut design = codec::decode(catalog::examples()[0].text)?;
//!
//! // Read another tool's text into a proposal, and apply it as one edit that knows its inverse.
//! let text = "Topic: refunds\tPartitionCount: 3\tReplicationFactor: 3\tConfigs: min.insync.replicas=2,retention.ms=604800000";
//! let reading = import::read(&[Input { name: None, text: text.to_owned() }]);
//! let proposal = import::propose(&reading, &design, Date::new("2026-11-30"));
//! let undo = design.apply(proposal.edit(&Choices::default()))?;
//!
//! // Work out what every consumer observes, as it is and as it shall be.
//! let (as_is, to_be) = (rules::review(&design, View::AsIs), rules::review(&design, View::ToBe));
//! for (consumer, report) in &to_be.consumers {
//!     println!("{}: {}", design.title(consumer), report.delivery.sentence);
//! }
//!
//! // Write the bundle: documents, data packet, diagrams and the design itself, as one ZIP.
//! let archive = documents::zip::write(&documents::bundle::write(&design, &as_is, &to_be, None)?);
//! assert!(archive.starts_with(b"PK"));
//!
//! design.apply(undo)?;
//! assert_eq!(codec::encode(&design), catalog::examples()[0].text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `ARCHITECTURE.md` has the map of the modules, the flow of data and the invariants.

// Panics are bugs: no input may reach one. Tests may unwrap.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod action;
pub mod analysis;
pub mod canvas;
pub mod catalog;
pub mod codec;
pub mod documents;
pub mod edit;
pub mod explore;
pub mod import;
pub mod layout;
pub mod model;
pub mod pictures;
#[cfg(target_arch = "wasm32")]
pub mod platform;
pub mod rules;
pub mod sorted;
#[cfg(test)]
#[allow(dead_code, reason = "shared with the integration tests, which use other parts")]
mod testing;
pub mod timeline;
#[cfg(target_arch = "wasm32")]
pub mod ui;

// The file of arbitrary designs serves unit and integration tests alike and names this crate as both see it.
#[cfg(test)]
extern crate self as pipeline_desk;
