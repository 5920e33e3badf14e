//! What is widely repeated about streaming pipelines and wrong: the product never says it, and says what is right.
//!
//! One test for each saying, named by it. Each builds designs in which the saying would make a difference, reads verdict,
//! figures, findings and all documents, and checks that its consequence is not claimed and the right statement stands.
#![allow(missing_docs, reason = "tests")]

#[path = "../composition/path.rs"]
#[allow(dead_code, reason = "shared with other tests, which use other parts")]
mod path;

mod delivery;
mod figures;
mod said;
mod settings;
