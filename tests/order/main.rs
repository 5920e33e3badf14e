//! Which order holds at a consumer: what each hop does to it, and the laws that it keeps.
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests say what must hold by panicking")]

mod breakers;
mod chain;
mod edges;
mod laws;
mod replaced;
mod steps;
mod systems;
