//! Streaming Pipeline Desk.

// Panics are bugs: no input may reach one. Tests may unwrap.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod action;
pub mod analysis;
pub mod canvas;
pub mod catalog;
pub mod codec;
pub mod documents;
pub mod edit;
pub mod import;
pub mod layout;
pub mod model;
#[cfg(target_arch = "wasm32")]
pub mod platform;
pub mod rules;
#[cfg(test)]
#[allow(dead_code, reason = "shared with the integration tests, which use other parts")]
mod testing;
#[cfg(target_arch = "wasm32")]
pub mod ui;

// The file of arbitrary designs serves unit and integration tests alike and names this crate as both see it.
#[cfg(test)]
extern crate self as pipeline_desk;
