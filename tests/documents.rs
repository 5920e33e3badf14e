//! The bundle as a whole: what it holds, how it reads, that it cannot be broken by what a design holds.
//!
//! The expected texts stand in `tests/golden`. After a change that is meant, look at what differs and take it over with
//! `INSTA_UPDATE=always cargo test --test documents` (or `cargo insta review`).

use pipeline_desk::{
    catalog, codec,
    documents::{Status, bundle, document_set, zip},
    model::{Design, View},
    rules::review,
};
use std::io::Read;

fn checkout() -> Design {
    let example = catalog::examples().iter().find(|example| example.id == "checkout_revenue").unwrap();
    codec::decode(example.text).unwrap()
}

fn files(design: &Design) -> Vec<zip::Entry> {
    let (as_is, to_be) = (review(design, View::AsIs), review(design, View::ToBe));
    bundle::write(design, &as_is, &to_be, None).unwrap()
}

#[test]
fn dump() {
    if let Ok(folder) = std::env::var("DUMP") {
        for entry in files(&checkout()) {
            std::fs::write(format!("{folder}/{}", entry.name), entry.bytes).unwrap();
        }
    }
}
