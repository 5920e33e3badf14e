//! What a consumer observes, path by path, and the laws that every design obeys.
#![allow(missing_docs, reason = "tests")]

mod expect;
mod path;
mod vectors;
