//! What a consumer observes, path by path, and the laws that every design obeys.
#![allow(missing_docs, reason = "tests")]

mod checkout;
mod expect;
mod graphs;
mod laws;
mod path;
mod sentences;
mod vectors;
mod ways;
