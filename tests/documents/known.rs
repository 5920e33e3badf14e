//! What is not known is a gap of the document that says so, and no document is complete with one.

use super::*;
use pipeline_desk::documents::{
    Status,
    blocks::{Inline, Span},
};

/// The lines of a document up to what is written about it: its findings, decisions, assumptions, questions, numbers.
fn lines(document: &Document) -> Vec<&Inline> {
    let about = ["Findings", "Decisions", "Assumptions used", "Open questions", "How the numbers were derived"];
    let mut lines = Vec::new();
    let mut at_end = false;
    for block in document.blocks.iter().skip(1) {
        match block {
            Block::Heading { level: 2, text } => at_end = about.contains(&text.plain().as_str()),
            _ if at_end => {}
            Block::Paragraph(line) | Block::Heading { text: line, .. } => lines.push(line),
            Block::Table { rows, .. } => lines.extend(rows.iter().flatten()),
            Block::List { items, .. } => lines.extend(items),
            Block::Status { .. } | Block::Code { .. } | Block::Figure { .. } => {}
        }
    }
    lines
}

fn designs() -> Vec<(String, Design)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let cases = files.iter().filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.ends_with(".json") && !name.ends_with(".expect.json")
    });
    let mut designs: Vec<(String, Design)> = cases
        .filter_map(|path| {
            Some((path.display().to_string(), codec::decode(&std::fs::read_to_string(path).unwrap()).ok()?))
        })
        .collect();
    assert!(designs.len() > 60, "{}", designs.len());
    designs.extend(catalog::examples().iter().map(|one| (one.id.to_owned(), codec::decode(one.text).unwrap())));
    designs
}

/// What is said not to be known, without what explains its own marks and what is taken for granted.
fn open(document: &Document) -> Vec<String> {
    const WORDS: [&str; 9] = [
        "not read",
        "not stated",
        "not measured",
        "not known",
        "not derivable",
        "in conflict",
        "not established",
        "not captured",
        "fact is missing",
    ];
    const EXPLAINS: [&str; 4] = [
        "Copies are the fewest and the most",
        "What neither loses, adds nor removes",
        "A partition that is not listed in a reading was not measured",
        "Taken for granted:",
    ];
    let mut open = Vec::new();
    for line in lines(document) {
        let plain = line.plain();
        if EXPLAINS.iter().any(|start| plain.starts_with(start)) {
            continue;
        }
        let says = |span: &Span| match span {
            Span::Absent(_) => true,
            Span::Text(text) => WORDS.iter().any(|word| text.contains(word)),
            _ => false,
        };
        if line.0.iter().any(says) {
            open.push(plain);
        }
    }
    open
}

#[test]
fn no_document_is_complete_that_says_what_is_not_known() {
    for (name, design) in designs() {
        for document in documents(&design) {
            let open = open(&document);
            assert!(
                open.is_empty() || document.status != Status::Complete,
                "{name}, {}: {open:#?}",
                document.file_name
            );
        }
    }
}

/// Each setting that a document prints as not read, not measured or not stated is a question of it, with the setting that
/// closes it.
#[test]
fn what_is_printed_as_not_known_is_listed() {
    for (name, design) in designs() {
        for document in documents(&design) {
            let asked = |state: &str| document.gaps.iter().filter(|gap| gap.state == state).count();
            for state in ["not read", "not measured", "not stated"] {
                let cells = lines(&document).into_iter().flat_map(|line| &line.0);
                let said = cells.filter(|span| matches!(span, Span::Absent(text) if text == state)).count();
                assert!(said == 0 || asked(state) > 0, "{name}, {}: {state}", document.file_name);
            }
        }
    }
}

/// The order that nobody needs, the model of a story and the rows of the hop table lack facts as well as a verdict does:
/// none is left out
/// because nothing else needs it.
#[test]
fn an_order_and_a_story_that_are_open_ask_for_what_they_lack() {
    let said = |settings: &str| {
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":2,
            "elements":{{"shop":{{"kind":"source","system":"application","event":"order"}},
             "orders":{{"kind":"channel","system":"kafka","proposed":{{"partitions":1,"replication_factor":3,"min_insync_replicas":2,
              "unclean_leader_election":false,"cleanup_policy":"delete","retention_time":"7d","retention_size":"unlimited"}}}},
             "loader":{{"kind":"job","system":"plain_consumer","proposed":{{"client":"java"}}}},
             "copy":{{"kind":"operator","job":"loader","step":"copy"}},
             "table":{{"kind":"sink","system":"postgres","proposed":{{"unique_keys":[]}}}},"board":{{"kind":"consumer"}}}},
            "links":{{"l1":{{"from":"shop","to":"orders","proposed":{{"capture":"in_process","after_restart":"resume_position","acks":"all","idempotence":true,"max_in_flight":5,"on_send_failure":"retry","flush_on_close":true}}}},
             "l2":{{"from":"orders","to":"copy","proposed":{{"offset_reset":"earliest","offset_commit":"after_work"{settings}}}}},
             "l3":{{"from":"copy","to":"table","proposed":{{"write_mode":"append","output_commit":"flush"}}}},
             "l4":{{"from":"table","to":"board"}}}},
            "events":{{"order":{{"proposed":{{"event_id":["id"]}}}}}}}}"#
        ))
        .unwrap();
        let set = documents(&design);
        set.into_iter().find(|one| one.file_name == "delivery-semantics.md").unwrap()
    };
    let asks = |document: &Document, subject: &str, field: &str| {
        document.gaps.iter().any(|gap| {
            gap.subject.as_ref().is_some_and(|id| id.as_str() == subject)
                && gap.field.is_some_and(|one| one.name() == field)
        })
    };
    let open = said("");
    assert!(
        spaced(&open).contains("No story is told for board: isolation of orders → copy is not known"),
        "{}",
        spaced(&open)
    );
    assert!(asks(&open, "l2", "isolation") && asks(&open, "l2", "processing"), "{:#?}", open.gaps);
    let read = said(r#","isolation":"read_committed""#);
    assert!(spaced(&read).contains("How an event comes to stand there twice"), "{}", spaced(&read));
    assert!(!asks(&read, "l2", "isolation"), "{:#?}", read.gaps);
}
