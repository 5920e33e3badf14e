//! What a consumer observes, path by path, and the laws that every design obeys.
#![allow(missing_docs, reason = "tests")]

mod beside;
mod checkout;
mod clients;
mod edges;
mod expect;
mod graphs;
mod laws;
mod logs;
mod loops;
mod meeting;
mod meeting_laws;
mod path;
mod renaming;
mod replaced;
mod sentences;
mod small;
mod steps;
mod stores;
mod taking;
mod vectors;
mod ways;
mod windows;
