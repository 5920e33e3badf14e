//! The door for documents: what it accepts, how it prints, what it refuses and with which words.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests say what must hold by panicking")]

use pipeline_desk::{
    codec::{self, decode, encode, encode_compact},
    model::{Known, View, key},
};

const CHECKOUT: &str = include_str!("../src/catalog/examples/checkout_revenue.json");
const SIGNUP: &str = include_str!("documents/signup_mail.json");
const UPSERT: &str = include_str!("documents/upsert_key.json");

/// A program that sorts keys puts `format` behind the elements; a packet of a desk is no design.
#[test]
fn a_design_is_known_by_its_format_wherever_it_stands() {
    let elements = format!("\"elements\": {{{}}}", " ".repeat(5000));
    assert!(codec::is_design(&format!(
        "\u{feff}\n{{{elements}, \"format\" : \"streaming-pipeline\", \"version\": 1}}"
    )));
    for other in [
        "",
        "[]",
        "{\"format\": \"data_packet\", \"by\": \"streaming-pipeline-desk\"}",
        "{\"format\"",
        "# {\"format\": \"streaming-pipeline\"}",
    ] {
        assert!(!codec::is_design(other), "{other}");
    }
}

#[test]
fn sample_documents_open_and_print_canonically() {
    for text in [CHECKOUT, SIGNUP, UPSERT] {
        let design = decode(text).unwrap();
        assert_eq!(encode(&design), text, "the sample is not in canonical form");
        assert_eq!(decode(&encode_compact(&design)).unwrap(), design);
    }
}

#[test]
fn the_checkout_design_is_read_whole() {
    let design = decode(CHECKOUT).unwrap();
    assert_eq!((design.elements.len(), design.links.len(), design.events.len(), design.clusters.len()), (17, 14, 2, 3));
    assert_eq!((design.records.evidence.len(), design.records.questions.len(), design.layout.boxes.len()), (18, 1, 17));
    let orders = pipeline_desk::model::Id::new("orders").unwrap();
    let Known::Value(fact) = design.get(View::AsIs, &orders, key::channel::PARTITIONS) else { panic!() };
    assert_eq!(fact.value, 12);
}

/// A change to the text of a sample, and the refusal that it leads to: `path: words of the reason`.
fn refused(from: &str, to: &str) -> String {
    assert!(SIGNUP.contains(from), "{from}");
    decode(&SIGNUP.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn refusals_name_the_path_the_reason_and_the_nearest_name() {
    for (from, to, expected) in [
        (
            "\"retention_time\"",
            "\"retention_tme\"",
            "elements.signups.observed.e1.retention_tme: a channel has no setting of this name. Did you mean retention_time?",
        ),
        ("\"partitions\": 6", "\"partitions\": \"6\"", "elements.signups.observed.e1.partitions: needs a whole number"),
        (
            "\"retention_time\": \"7d\"",
            "\"retention_time\": 604800000",
            "elements.signups.observed.e1.retention_time: needs a duration, \"unlimited\" or \"none\": a bare 604800000 has no unit",
        ),
        ("\"cleanup_policy\": \"delete\"", "\"cleanup_policy\": \"deleted\"", "Did you mean delete?"),
        (
            "\"kind\": \"sink\"",
            "\"kind\": \"sinc\"",
            "elements.mail_api.kind: \"sinc\" is not one of source, channel, job, operator, sink, consumer, batch. Did you mean sink?",
        ),
        ("\"job\": \"mailer\"", "\"job\": \"nobody\"", "elements.send.job: there is no job nobody"),
        ("\"job\": \"mailer\"", "\"job\": \"shop\"", "elements.send.job: shop is a source, not a job"),
        ("\"job\": \"mailer\", ", "", "elements.send.job: is missing"),
        ("\"event\": \"signup\"", "\"event\": \"signin\"", "elements.shop.event: there is no event type signin"),
        ("\"to\": \"signups\"", "\"to\": \"nowhere\"", "links.l1.to: there is no element nowhere"),
        ("\"to\": \"mail_api\"", "\"to\": \"shop\"", "links.l3.to: A source is where events are born"),
        (
            "\"acks\": \"all\"",
            "\"isolation\": \"read_committed\"",
            "links.l1.observed.e3.isolation: a link from a source to a channel has no such setting; it belongs to a link that reads a channel",
        ),
        ("\"observed\": {\"e3\"", "\"observed\": {\"e9\"", "links.l1.observed.e9: there is no evidence e9"),
        ("\"events\"", "\"evants\"", "evants: a design has no part of this name. Did you mean events?"),
        ("\"name\": \"Signup mail\"", "\"name\": \"\"", "name: is empty"),
        ("\"name\": \"Signup mail\"", "\"name\": null", "name: needs a text in quotes, not null"),
        ("\"at\": \"2026-11-28\"", "\"at\": \"2026-11-31\"", "evidence.e2.at: needs a date"),
        ("\"version\": 3", "\"version\": 4", "version: this design is written in version 4"),
        ("\"version\": 3", "\"version\": 0", "version: needs a whole number from 1 on"),
        ("\"version\": 3", "\"version\": 3, \"min_reader\": 4", "min_reader: is above the version of the document"),
        ("\"version\": 3, ", "", "version: is missing"),
        ("\"streaming-pipeline\"", "\"other\"", "format: not a design"),
        ("\"shop\":", "\"Shop\":", "elements.Shop: \"Shop\" is not an id"),
        ("\"events\": {\"signup\"", "\"events\": {\"shop\"", "events.shop: this id stands elsewhere too"),
    ] {
        let message = refused(from, to);
        assert!(message.contains(expected), "{from} -> {to}\n  gave {message}\n  not  {expected}");
    }
}

#[test]
fn all_problems_are_listed_and_the_rest_can_be_kept() {
    let text = SIGNUP
        .replace("\"partitions\": 6", "\"partitions\": -6")
        .replace("\"client\": \"java\", \"rate\"", "\"client\": \"jawa\", \"rate\"")
        .replace("\"job\": \"mailer\"", "\"job\": \"nobody\"");
    let error = decode(&text).unwrap_err();
    let paths: Vec<_> = error.problems().into_iter().map(|problem| problem.path).collect();
    assert_eq!(
        paths,
        [
            "elements.shop.observed.e2.client",
            "elements.signups.observed.e1.partitions",
            "elements.send.job",
            "links.l2.to",
            "links.l3.from",
        ]
    );
    let (rest, problems) = codec::salvage(&text).unwrap();
    assert_eq!(problems.len(), 5);
    assert_eq!((rest.elements.len(), rest.links.len()), (5, 2));
    assert_eq!(decode(&encode(&rest)).unwrap(), rest);
}

#[test]
fn a_newer_document_opens_to_be_looked_at() {
    let text = SIGNUP
        .replace("\"version\": 3", "\"version\": 7, \"min_reader\": 1")
        .replace("\"partitions\": 6", "\"partitions\": 6, \"leaders\": 3")
        .replace("\"events\": {", "\"agents\": {}, \"events\": {");
    let opened = codec::open(&text).unwrap();
    let newer = opened.newer.unwrap();
    assert_eq!((newer.version, newer.verdicts, newer.unknown_count), (7, true, 2));
    assert_eq!(newer.original, text);
    let paths: Vec<_> = newer.unknown.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["elements.signups.observed.e1.leaders", "agents"]);
    assert_eq!(opened.design.elements.len(), 6);
    let withheld = codec::open(&text.replace("\"min_reader\": 1", "\"min_reader\": 6")).unwrap();
    assert!(!withheld.newer.unwrap().verdicts);
}

#[test]
fn equal_designs_are_equal_bytes_however_they_were_written() {
    let free = SIGNUP.replace("\"7d\"", "\"168h\"").replace("\"1min\"", "\"60s\"").replace("\"1d\"", "\"24h\"");
    let reordered = free.replace(
        "\"format\": \"streaming-pipeline\", \"version\": 3, \"name\": \"Signup mail\"",
        "\"name\": \"Signup mail\", \"version\": 3, \"format\": \"streaming-pipeline\"",
    );
    assert_ne!(reordered, SIGNUP);
    assert_eq!(encode(&decode(&reordered).unwrap()), SIGNUP);
    let named = SIGNUP.replace(
        "\"mailer\": {\"kind\": \"job\"",
        "\"mailer\": {\"kind\": \"job\", \"name\": \"mailer\", \"observed\": {}",
    );
    assert_eq!(encode(&decode(&named).unwrap()), SIGNUP);
}
