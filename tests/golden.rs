//! How the documents read: a built-in design, an empty one and a half-drawn one, word for word.
//!
//! The expected texts stand in `tests/golden`. After a change that is meant, take the new texts over with
//! `INSTA_UPDATE=always cargo test --test golden` and read what `git diff tests/golden` shows.

use pipeline_desk::{
    catalog, codec,
    documents::{bundle, document_set},
    model::{Design, View},
    rules::review,
};

fn golden(design: &Design, name: &str) {
    let (as_is, to_be) = (review(design, View::AsIs), review(design, View::ToBe));
    let files = bundle::write(design, &as_is, &to_be, None).unwrap();
    insta::with_settings!({snapshot_path => "golden", prepend_module_to_snapshot => false, omit_expression => true}, {
        for document in document_set(design, &as_is, &to_be) {
            insta::assert_snapshot!(format!("{name}-{}", document.file_name), document.markdown());
        }
        for diagram in ["diagram.mmd", "diagram.txt"] {
            let file = files.iter().find(|file| file.name == diagram).unwrap();
            insta::assert_snapshot!(format!("{name}-{diagram}"), std::str::from_utf8(&file.bytes).unwrap());
        }
        let packet = files.iter().find(|file| file.name == "data_packet.json").unwrap();
        let parts = packet_parts(std::str::from_utf8(&packet.bytes).unwrap(), &["streams", "pipelines", "reconciliations"]);
        insta::assert_snapshot!(format!("{name}-packet"), parts);
    });
}

/// Parts of a packet, one member a line.
fn packet_parts(packet: &str, parts: &[&str]) -> String {
    let packet: serde_json::Value = serde_json::from_str(packet).unwrap();
    let part = |name: &&str| format!("{name}: {}\n", serde_json::to_string_pretty(&packet[*name]).unwrap());
    parts.iter().map(part).collect()
}

#[test]
fn checkout_revenue() {
    let example = catalog::examples().iter().find(|example| example.id == "checkout_revenue").unwrap();
    golden(&codec::decode(example.text).unwrap(), "checkout");
}

#[test]
fn an_empty_design() {
    golden(&Design::default(), "empty");
}

#[test]
fn a_half_drawn_design() {
    golden(&codec::decode(include_str!("documents/signup_mail.json")).unwrap(), "half_drawn");
}
