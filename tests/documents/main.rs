//! The bundle as a whole: what it holds, how it reads, that nothing a design holds can break it.
//!
//! Not here: how the documents read (`tests/golden.rs`).

mod kept;
mod known;
mod late;
#[path = "../random_design/mod.rs"]
mod random_design;
mod said;
mod sound;

use pipeline_desk::sorted::SortedMap;
use pipeline_desk::{
    action::{Figure, FigureKind},
    catalog, codec,
    documents::{Document, blocks::Block, bundle, document_set, gap, words, zip},
    model::{Design, Id, Subject, View},
    rules::review,
};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};
use sha2::{Digest, Sha256};
use std::io::Read;

fn checkout() -> Design {
    let example = catalog::examples().iter().find(|example| example.id == "checkout_revenue").unwrap();
    codec::decode(example.text).unwrap()
}

fn signup() -> Design {
    codec::decode(include_str!("signup_mail.json")).unwrap()
}

/// Its Markdown with plain spaces.
fn spaced(document: &Document) -> String {
    document.markdown().replace('\u{a0}', " ")
}

fn documents(design: &Design) -> Vec<Document> {
    document_set(design, &review(design, View::AsIs), &review(design, View::ToBe))
}

fn files(design: &Design, incoming: Option<&str>) -> Vec<zip::Entry> {
    bundle::write(design, &review(design, View::AsIs), &review(design, View::ToBe), incoming).unwrap()
}

fn file(files: &[zip::Entry], name: &str) -> String {
    let entry = files.iter().find(|entry| entry.name == name).unwrap_or_else(|| panic!("{name} is missing"));
    String::from_utf8(entry.bytes.clone()).unwrap()
}

/// A finding that is put aside is a decision by somebody; what follows from it is said all the same.
#[test]
fn what_is_put_aside_keeps_its_consequence_and_names_who_decided() {
    let with = |by: &str| {
        let text = catalog::examples()[0].text;
        let decision = format!(
            r#"{{"d1":{{"text":"the table is overwritten anyway"{by},"kind":"accept_finding","rule":"DEL-15","about":["l8"]}}}}"#
        );
        let end = text.rfind('}').unwrap();
        let text = format!("{}, \"decisions\": {decision}}}", &text[..end]);
        let design = codec::decode(&text).unwrap();
        let review = review(&design, View::ToBe);
        let found = review.findings.iter().find(|found| found.rule == "DEL-15" && found.about[0].as_str() == "l8");
        let accepted = found.unwrap().accepted.clone();
        let verdict = review.consumers[&Id::new("board").unwrap()].delivery.clone();
        (design, accepted, verdict)
    };
    let (design, accepted, verdict) = with(r#","by":"Finance Ops""#);
    assert_eq!(accepted.as_deref(), Some("the table is overwritten anyway (Finance Ops)"));
    let open = review(&checkout(), View::ToBe).consumers[&Id::new("board").unwrap()].delivery.clone();
    assert_eq!(verdict, open, "deciding changes nothing about what happens");
    let documents = documents(&design);
    let text = documents.iter().find(|document| document.file_name == "delivery-semantics.md").unwrap().markdown();
    assert!(text.contains(&verdict.sentence), "{text}");
    assert!(text.contains("Put aside by a decision; what follows from it is part of the verdict above"), "{text}");
    assert!(text.contains("the table is overwritten anyway (Finance Ops)"), "{text}");
    assert_eq!(with("").1, None, "nobody took it");
}

#[test]
fn the_bundle_holds_every_file() {
    let names: Vec<String> = files(&checkout(), None).into_iter().map(|entry| entry.name).collect();
    assert_eq!(
        names,
        [
            "consumer-lag-and-scaling.md",
            "data_packet.json",
            "delivery-semantics.md",
            "design.json",
            "diagram.mmd",
            "diagram.svg",
            "diagram.txt",
            "state-and-checkpointing.md",
            "stream-batch-reconciliation.md",
            "streaming-design.md",
            "streaming-downstream-handoff.md",
            "topic-retention-and-replay.md",
            "windowing-and-lateness.md",
        ]
    );
    assert_eq!(codec::decode(&file(&files(&checkout(), None), "design.json")).unwrap(), checkout());
}

/// Another program's reader finds the same names and bytes, with the checksums it computes itself.
#[test]
fn the_archive_opens_elsewhere() {
    let entries = files(&checkout(), None);
    let bytes = zip::write(&entries);
    let mut archive = ::zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    assert_eq!(archive.len(), entries.len());
    for (i, entry) in entries.iter().enumerate() {
        let mut file = archive.by_index(i).unwrap();
        let mut text = Vec::new();
        file.read_to_end(&mut text).unwrap();
        assert_eq!((file.name().unwrap().as_ref(), &text), (entry.name.as_str(), &entry.bytes));
        let time = file.last_modified().unwrap();
        assert_eq!((time.year(), time.month(), time.day(), time.hour()), (1980, 1, 1, 0));
    }
}

#[test]
fn an_archive_keeps_odd_files() {
    let entries = [
        zip::Entry::new("b/ünï.txt", "x".repeat(100_000)),
        zip::Entry::new("a", Vec::new()),
        zip::Entry::new("noise", (0..4096u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<_>>()),
    ];
    let mut archive = ::zip::ZipArchive::new(std::io::Cursor::new(zip::write(&entries))).unwrap();
    assert_eq!(archive.file_names().map(Result::unwrap).collect::<Vec<_>>(), ["a", "b/ünï.txt", "noise"]);
    for entry in &entries {
        let mut bytes = Vec::new();
        archive.by_name(&entry.name).unwrap().read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, entry.bytes);
    }
    assert_eq!(::zip::ZipArchive::new(std::io::Cursor::new(zip::write(&[]))).unwrap().len(), 0);
}

#[test]
fn the_same_design_is_the_same_bytes() {
    let again = codec::decode(&codec::encode(&checkout())).unwrap();
    assert_eq!(zip::write(&files(&checkout(), None)), zip::write(&files(&again, None)));
}

fn schema() -> jsonschema::Validator {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../public/schema/data_packet.schema.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn packet_problems(packet: &str) -> Vec<String> {
    let packet: serde_json::Value = serde_json::from_str(packet).unwrap();
    schema().iter_errors(&packet).map(|error| format!("{}: {error}", error.instance_path())).take(3).collect()
}

#[test]
fn packets_follow_the_schema() {
    for design in [checkout(), signup(), Design::default()] {
        assert_eq!(packet_problems(&file(&files(&design, None), "data_packet.json")), Vec::<String>::new());
    }
}

/// The designs of the handed cases, and those with many figures.
fn cases() -> Vec<(String, Design)> {
    let folders = ["tests/cases", "tests/gold"].into_iter();
    let files = folders.flat_map(|at| std::fs::read_dir(at).unwrap()).map(|entry| entry.unwrap().path());
    let designs = files.filter(|path| path.to_string_lossy().ends_with(".json"));
    designs
        .filter(|path| !path.to_string_lossy().ends_with(".expect.json"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path.display().to_string(), codec::decode(&text).unwrap())
        })
        .collect()
}

/// What opens by name in the desk is handed on: every figure with its value and words, that a condition holds in excepted.
#[test]
fn no_figure_is_kept_from_the_packet() {
    let mut compared = 0;
    for (name, design) in cases() {
        let review = review(&design, View::ToBe);
        let packet = file(&files(&design, None), "data_packet.json");
        assert_eq!(packet_problems(&packet), Vec::<String>::new(), "{name}");
        for id in design.elements.keys().chain(design.links.keys()) {
            let known = Figure::all_of(&design, &review, id).into_iter().filter_map(|(figure, derived)| {
                let derived = derived.ok()?;
                (!matches!(figure.kind, FigureKind::Bound(_)) && !derived.unbounded()).then_some((figure, derived))
            });
            for (figure, derived) in known {
                let value = serde_json::to_string(&derived.text()).unwrap();
                assert!(packet.contains(&format!("\"text\":{value}")), "{name}: {figure:?} is {value}");
                compared += 1;
            }
        }
    }
    assert!(compared > 250, "{compared}");
}

#[test]
fn the_packet_says_whether_results_take_the_place_of_old_ones() {
    let text = catalog::examples().iter().find(|example| example.id == "checkout_revenue").unwrap().text;
    let says = |rebuild: &str| {
        let design = codec::decode(&text.replace(r#""rebuild": "overwrite","#, rebuild)).unwrap();
        let packet = file(&files(&design, None), "data_packet.json");
        assert_eq!(packet_problems(&packet), Vec::<String>::new(), "{rebuild}");
        let start = packet.find(r#""takes_the_place_of_old_results":"#).unwrap();
        packet[start..].split_inclusive('}').next().unwrap().to_owned()
    };
    let stays = r#""takes_the_place_of_old_results":{"state":"no","why":"revenue_5m (sink) can be neither written over nor shadowed"}"#;
    assert_eq!(says(r#""rebuild": "append_only","#), stays);
    let open = r#""takes_the_place_of_old_results":{"state":"not known","why":"revenue_5m (sink): rebuild: not read"}"#;
    assert_eq!(says(""), open);
    assert_eq!(says(r#""rebuild": "overwrite","#), r#""takes_the_place_of_old_results":{"state":"yes","why":null}"#);
}

#[test]
fn the_schema_refuses_what_is_not_ours_to_say() {
    let packet = file(&files(&checkout(), None), "data_packet.json");
    for (from, to) in [
        ("\"result\":\"not reconciled\"", "\"result\":\"fine\""),
        ("\"kind\":\"streaming\"", "\"kind\":\"batch\""),
        ("\"basis\":\"configured\",\"source\"", "\"source\""),
        ("\"ready_to_continue\"", "\"ready\""),
    ] {
        assert!(packet.contains(from), "{from}");
        assert_ne!(packet_problems(&packet.replace(from, to)), Vec::<String>::new(), "{from}");
    }
}

#[test]
fn an_incoming_packet_keeps_what_others_wrote() {
    let theirs = "{\n  \"contracts\": [{\"id\":  \"c1\", \"size\": 1.500}],\n  \"source_facts\": [{\"desk\": \"data-contract-desk\", \"path\": \"x.y\"}],\n  \"pipelines\": [{\"kind\": \"batch\", \"name\": \"nightly\"}, {\"kind\": \"streaming\", \"name\": \"old\"}]\n}";
    let packet = file(&files(&checkout(), Some(theirs)), "data_packet.json");
    assert!(packet.contains("[{\"id\":  \"c1\", \"size\": 1.500}]"), "kept to the byte");
    assert!(packet.contains("{\"desk\": \"data-contract-desk\", \"path\": \"x.y\"}"));
    assert!(packet.contains("{\"kind\": \"batch\", \"name\": \"nightly\"}"));
    assert!(!packet.contains("\"name\": \"old\""));
    assert_eq!(packet_problems(&packet), Vec::<String>::new());
    // What this desk hands on, it reads again without change.
    assert_eq!(file(&files(&checkout(), Some(&packet)), "data_packet.json"), packet);
}

#[test]
fn artifacts_carry_the_checksums_of_the_files() {
    let entries = files(&checkout(), None);
    let packet: serde_json::Value = serde_json::from_str(&file(&entries, "data_packet.json")).unwrap();
    let artifacts = packet["artifacts"].as_array().unwrap();
    assert_eq!(artifacts.len(), entries.len() - 1);
    for artifact in artifacts {
        let bytes = file(&entries, artifact["name"].as_str().unwrap());
        let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(artifact["sha256"], digest);
    }
}
