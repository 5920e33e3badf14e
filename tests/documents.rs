//! The bundle as a whole: what it holds, how it reads, that nothing a design holds can break it.
//!
//! Not here: how the documents read (`tests/golden.rs`).

mod random_design;

use pipeline_desk::sorted::SortedMap;
use pipeline_desk::{
    action::{Figure, FigureKind},
    catalog, codec,
    documents::{Document, blocks::Block, bundle, document_set, words, zip},
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
    codec::decode(include_str!("documents/signup_mail.json")).unwrap()
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
        serde_json::from_str(include_str!("../public/schema/data_packet.schema.json")).unwrap();
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

#[test]
fn no_promise_stands_without_its_mechanism() {
    for design in [checkout(), signup(), Design::default()] {
        for document in documents(&design) {
            assert_eq!(words::unfounded(&document.blocks), Vec::<String>::new(), "{}", document.file_name);
        }
    }
}

#[test]
fn every_document_opens_with_its_status_and_ends_with_what_it_rests_on() {
    for document in documents(&checkout()) {
        assert!(matches!(document.blocks.first(), Some(Block::Status { .. })), "{}", document.file_name);
        let headings: Vec<String> = document
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Heading { level: 2, text } => Some(text.plain()),
                _ => None,
            })
            .collect();
        for wanted in ["Assumptions used", "Open questions"] {
            assert!(headings.iter().any(|heading| heading == wanted), "{}: {wanted}", document.file_name);
        }
    }
}

/// A source that could not be reached: its claims are withheld everywhere, and the diagnostic lists them.
#[test]
fn unreachable_evidence_withholds_its_claims() {
    let text = codec::encode(&checkout()).replace("\"state\": \"not_provided\"", "\"state\": \"unreachable\"");
    let text = text.replace("\"about\": [\"orders_full\", \"fct_revenue\"]", "\"about\": [\"orders.retention_size\"]");
    let design = codec::decode(&text.replace("\"covers\": [\"batch_path\"]", "\"covers\": [\"topology\"]")).unwrap();
    let set = documents(&design);
    let diagnostic = set.last().unwrap();
    assert_eq!(diagnostic.file_name, "streaming-connector-diagnostic.md");
    let text = diagnostic.markdown();
    assert!(text.contains("Retention size of orders") && text.contains("`topic-retention-and-replay.md`"), "{text}");
    let retention =
        set.iter().find(|document| document.file_name == "topic-retention-and-replay.md").unwrap().markdown();
    assert!(!retention.contains("7 h 27 min") && !retention.contains("50 GiB"), "{retention}");
    for document in &set {
        let text = document.markdown();
        for leak in ["7 h 27 min", "7 h 22 min"] {
            assert!(!text.contains(leak), "{}: {leak}\n{text}", document.file_name);
        }
    }
    let packet = file(&files(&design, None), "data_packet.json");
    assert!(packet.contains("withheld"));
    assert_eq!(packet_problems(&packet), Vec::<String>::new());
}

/// What a way to reach further costs on disk, 12 × 3 × (50 + 1) GiB or × (162 + 1) GiB, takes the replicas; where their
/// source could not be reached, neither stands there.
#[test]
fn what_a_change_costs_is_withheld_with_its_source() {
    let retention = |text: &str| {
        let set = documents(&codec::decode(text).unwrap());
        set.iter().find(|document| document.file_name == "topic-retention-and-replay.md").unwrap().markdown()
    };
    let text = codec::encode(&checkout());
    let whole = retention(&text);
    assert!(whole.contains("1.97") && whole.contains("6.3"), "{whole}");
    let text = text.replace("\"state\": \"not_provided\"", "\"state\": \"unreachable\"");
    let text =
        text.replace("\"about\": [\"orders_full\", \"fct_revenue\"]", "\"about\": [\"orders.replication_factor\"]");
    let without = retention(&text);
    assert!(without.contains("What would change the reach of"), "{without}");
    assert!(!without.contains("1.97") && !without.contains("6.3\u{a0}TB") && !without.contains("6.3 TB"), "{without}");
    assert!(without.contains("withheld: nightly load: completeness mark could not be reached"), "{without}");
}

/// What a listing of topics would have told: by its name, in sentences of their own, without the source of another reading,
/// and of topics that are there.
#[test]
fn what_is_withheld_reads_as_a_sentence_and_names_its_source() {
    let text = codec::encode(&checkout());
    let entry =
        r#""evidence": {"e1": {"state": "unreachable", "from": "topics of the cluster", "covers": ["topology"]},"#;
    let design = codec::decode(&text.replacen("\"evidence\": {", entry, 1)).unwrap();
    let set = documents(&design);
    let of = |name: &str| spaced(set.iter().find(|one| one.file_name == name).unwrap());
    let all = set.iter().map(Document::markdown).collect::<String>();
    let withheld = "withheld: topics of the cluster could not be reached";
    assert!(all.contains(withheld) && !all.contains("e1 could not be reached"), "{all}");
    let lag = of("consumer-lag-and-scaling.md");
    assert!(lag.contains(&format!("Partitions to share: {withheld}.\n")), "{lag}");
    assert!(!lag.contains("A member beyond that number"), "{lag}");
    let windows = of("windowing-and-lateness.md");
    assert!(windows.contains(&format!("Measured at `orders`: {withheld}.\n")), "{windows}");
    let topics = of("topic-retention-and-replay.md");
    assert!(topics.contains(&format!("| Retention time | {withheld} |  |\n")), "{topics}");
    // orders_late is not there yet: nobody could have read it.
    let late = topics.split("### orders_late").nth(1).unwrap();
    let late = late.split("\n### ").next().unwrap();
    assert!(late.contains("14 d (proposed") && !late.contains("withheld"), "{late}");
    let diagnostic = of("streaming-connector-diagnostic.md");
    assert!(
        diagnostic.contains("## topics of the cluster\n") && !diagnostic.contains("of orders_late"),
        "{diagnostic}"
    );
    let packet = file(&files(&design, None), "data_packet.json");
    assert!(packet.contains(withheld) && !packet.contains("withheld: a source"), "{packet}");
    assert_eq!(packet_problems(&packet), Vec::<String>::new());
}

/// acks=1 can lose, and what the job behind it does is not known: no hop is the weakest of what is not claimed.
#[test]
fn where_nothing_is_claimed_no_hop_is_the_weakest() {
    let design = codec::decode(
        r#"{"format": "streaming-pipeline", "version": 2, "elements": {
          "app": {"kind": "source", "system": "application"}, "events": {"kind": "channel", "system": "kafka"},
          "work": {"kind": "job"}, "step": {"kind": "operator", "job": "work", "step": "copy"},
          "table": {"kind": "sink", "system": "postgres"}, "reader": {"kind": "consumer"}},
         "links": {"l1": {"from": "app", "to": "events", "proposed": {"acks": "1"}}, "l2": {"from": "events", "to": "step"},
          "l3": {"from": "step", "to": "table"}, "l4": {"from": "table", "to": "reader"}}}"#,
    )
    .unwrap();
    let review = review(&design, View::ToBe);
    let verdict = &review.consumers[&Id::new("reader").unwrap()].delivery;
    assert!(verdict.sentence.starts_with("No claim."), "{}", verdict.sentence);
    assert!(verdict.weakest.loss.is_some(), "{:?}", verdict.weakest);
    let set = documents(&design);
    let text = set.iter().find(|one| one.file_name == "delivery-semantics.md").unwrap().markdown();
    assert!(text.contains("No hop is named: nothing is claimed while a fact is missing."), "{text}");
    assert!(!text.contains("| Weakest for |") && !text.contains("would be removed at"), "{text}");
    assert!(text.contains("| app → events |") || text.contains("| `app → events` |"), "the losses stand there: {text}");
    let packet = file(&files(&design, None), "data_packet.json");
    assert!(packet.contains(r#""weakest_for_loss":null"#), "{packet}");
}

/// 3 min to come back are less than 537 s, and 0 a minute is empty: what a condition was compared with stands beside it.
#[test]
fn a_condition_says_what_it_was_compared_with() {
    let set = documents(&checkout());
    let text = spaced(set.iter().find(|one| one.file_name == "delivery-semantics.md").unwrap());
    assert!(text.contains(", which the restart time of revenue, 3 min (stated), meets"), "{text}");
    assert!(text.contains("orders_dlq stays empty, which the rate of orders_dlq, 0 /min (measured), meets"), "{text}");
    assert!(!text.contains("the stated value"), "{text}");
    let used = text.split("## Assumptions used").nth(1).unwrap();
    assert!(used.contains("| Restart time of revenue | 3 min | stated |"), "{used}");
    // The range is replaced as a whole: so it was said, and so the row of that hop is marked.
    assert!(used.contains("| Write mode of orders_full → fct_revenue | replace_range | stated |"), "{used}");
}

/// The status counts what stands under open questions, and what is withheld.
#[test]
fn the_status_counts_what_is_listed() {
    let unreachable = codec::encode(&checkout()).replace("\"state\": \"not_provided\"", "\"state\": \"unreachable\"");
    let own = [("checkout", checkout()), ("signup", signup()), ("withheld", codec::decode(&unreachable).unwrap())];
    let all = own.map(|(name, design)| (name.to_owned(), design)).into_iter().chain(cases());
    let (mut counted, mut asked, mut withheld) = (0, 0, 0);
    for (name, design) in all {
        for document in documents(&design) {
            let text = document.markdown();
            let questions = text.split("## Open questions\n").nth(1).unwrap().split("\n## ").next().unwrap();
            let rows = questions.lines().filter(|line| line.starts_with("| ")).count().saturating_sub(2);
            assert_eq!(rows, document.gaps.len(), "{name} {}", document.file_name);
            asked += questions.matches("| asked |").count();
            let status = document.status.text();
            let Some(says) = status.strip_prefix("unfinished: ") else { continue };
            let mut parts: Vec<String> = Vec::new();
            match rows {
                0 => {}
                1 => parts.push("1 gap".to_owned()),
                more => parts.push(format!("{more} gaps")),
            }
            match document.withheld.len() {
                0 => {}
                1 => parts.push("1 claim withheld".to_owned()),
                more => parts.push(format!("{more} claims withheld")),
            }
            assert_eq!(says, parts.join(", "), "{name} {}", document.file_name);
            (counted, withheld) = (counted + rows, withheld + document.withheld.len());
        }
    }
    assert!(counted > 100 && asked > 0 && withheld > 0, "{counted} {asked} {withheld}");
}

/// A document that marks anything as stated or assumed does not say that it rests on nothing of that sort.
#[test]
fn nothing_that_is_stated_or_assumed_is_denied() {
    let all = [("checkout".to_owned(), checkout()), ("signup".to_owned(), signup())].into_iter().chain(cases());
    let mut marked = 0;
    for (name, design) in all {
        for document in documents(&design) {
            let text = document.markdown();
            let (above, used) = text.split_once("## Assumptions used").unwrap();
            let marks = [
                "(stated",
                "(assumed",
                "| stated |",
                "| assumed |",
                "rests on: stated",
                "rests on: assumed",
                "Taken for granted",
            ];
            if let Some(mark) = marks.into_iter().find(|mark| above.contains(mark)) {
                assert!(!used.contains("None: nothing above rests"), "{name} {}: {mark}", document.file_name);
                marked += 1;
            }
        }
    }
    assert!(marked > 50, "{marked}");
}

/// The time to a result and whether it meets the need: where the source of either could not be reached, that is not said.
#[test]
fn what_follows_from_a_withheld_figure_is_withheld_with_it() {
    let text = codec::encode(&checkout()).replace("\"state\": \"not_provided\"", "\"state\": \"unreachable\"");
    let about = |about: &str| {
        let text = text.replace("\"about\": [\"orders_full\", \"fct_revenue\"]", &format!("\"about\": [\"{about}\"]"));
        let all = documents(&codec::decode(&text).unwrap());
        all.iter().map(Document::markdown).collect::<String>().replace('\u{a0}', " ")
    };
    let met = ["which meets the need", "which does not meet the need", "which leaves open whether the need is met"];
    let whole = documents(&checkout()).iter().map(Document::markdown).collect::<String>().replace('\u{a0}', " ");
    assert!(met.iter().any(|met| whole.contains(met)), "{whole}");
    let without = about("sum.window_size");
    assert!(whole.contains("5 min 30 s") && !without.contains("5 min 30 s"), "{without}");
    let without = about("board.latency_requirement");
    assert!(!met.iter().any(|met| without.contains(met)) && without.contains("which is not compared"), "{without}");
}

/// Headings, cells and items as a reader of the Markdown finds them.
fn parsed(markdown: &str) -> (usize, usize, usize) {
    let (mut headings, mut cells, mut items) = (0, 0, 0);
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::Heading { .. }) => headings += 1,
            Event::Start(Tag::TableCell) => cells += 1,
            Event::Start(Tag::Item) => items += 1,
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::Rule
            | Event::Start(Tag::Link { .. } | Tag::BlockQuote(_)) => {
                panic!("markup from a name:\n{markdown}")
            }
            _ => {}
        }
    }
    (headings, cells, items)
}

fn counted(blocks: &[Block]) -> (usize, usize, usize) {
    let (mut headings, mut cells, mut items) = (0, 0, 0);
    for block in blocks {
        match block {
            Block::Heading { .. } => headings += 1,
            Block::Table { head, rows } => cells += head.len() * (rows.len() + 1),
            Block::List { items: list, .. } => items += list.len(),
            _ => {}
        }
    }
    (headings, cells, items)
}

/// Everything that must hold for any design at all.
fn sound(design: &Design) {
    for document in documents(design) {
        let markdown = document.markdown();
        assert_eq!(parsed(&markdown), counted(&document.blocks), "{}\n{markdown}", document.file_name);
        for block in &document.blocks {
            if let Block::Table { head, rows } = block {
                assert!(rows.iter().all(|row| row.len() == head.len()), "{}: ragged table", document.file_name);
            }
        }
    }
    let entries = files(design, None);
    assert_eq!(packet_problems(&file(&entries, "data_packet.json")), Vec::<String>::new());
    let svg = file(&entries, "diagram.svg");
    assert!(balanced(&svg), "{svg}");
    let mermaid = file(&entries, "diagram.mmd");
    assert!(
        mermaid.lines().skip(1).all(|line| line == "  end" || line.trim_start().starts_with(['n', 's'])),
        "{mermaid}"
    );
    assert_eq!(zip::write(&entries), zip::write(&files(design, None)));
}

/// Every tag of the picture is opened and closed, and no text opens one.
fn balanced(svg: &str) -> bool {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let Some((tag, text)) = tag.split_once('>') else { return false };
        let name = |tag: &str| tag.split_whitespace().next().unwrap_or_default().to_owned();
        if text.contains('>') || tag.matches('"').count() % 2 != 0 {
            return false;
        }
        if let Some(closed) = tag.strip_prefix('/') {
            if open.pop() != Some(name(closed)) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(name(tag));
        }
    }
    open.is_empty()
}

const NASTY: [&str; 18] = [
    "a | b",
    "`code`",
    "<script>alert(1)</script>",
    "# head",
    "- item\n- item",
    "*x* _y_",
    "[a](http://b)",
    "\"], x --> y",
    "=cmd()|'/c calc'!A1",
    "{\"a\":1}",
    "\\",
    "]]>",
    "&lt;&amp;",
    "end",
    "subgraph",
    "```\ncode\n```",
    "| --- | --- |",
    "\u{202e}x",
];

#[test]
fn no_name_breaks_any_file() {
    for (i, name) in NASTY.into_iter().enumerate() {
        let mut design = checkout();
        rename(&mut design, name, i);
        sound(&design);
    }
}

fn rename(design: &mut Design, name: &str, salt: usize) {
    let change = |subjects: &mut SortedMap<Id, Subject>| {
        for (n, subject) in subjects.values_mut().enumerate() {
            subject.name = Some(format!("{name}{}", if (n + salt).is_multiple_of(3) { "" } else { " x" }).into());
            subject.owner = Some(name.into());
        }
    };
    change(&mut design.elements);
    change(&mut design.events);
    change(&mut design.clusters);
    design.name = Some(name.into());
    design.question = Some(name.into());
    for evidence in design.records.evidence.values_mut() {
        evidence.from = Some(name.into());
    }
    for question in design.records.questions.values_mut() {
        question.text = name.into();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_design_gives_sound_files(design in random_design::any_design()) {
        sound(&design);
    }

    /// Whatever stands in a sentence, also at its start, a name is written as its owner wrote it.
    #[test]
    fn no_sentence_alters_a_name(design in random_design::any_design()) {
        let mut design = design;
        for (n, subject) in design.elements.values_mut().enumerate() {
            subject.name = Some(format!("zq{n} of record").into());
        }
        for view in [View::AsIs, View::ToBe] {
            let review = review(&design, view);
            let verdicts = review.consumers.values().map(|consumer| &consumer.delivery);
            let said = verdicts.flat_map(|d| d.why.iter().chain([&d.sentence, &d.scope, &d.consumer_must])).map(String::as_str);
            let found = review.findings.iter().flat_map(|f| [f.message.as_str(), f.why, &f.remedy]);
            let altered = said.chain(found).find(|text| text.contains("Zq"));
            prop_assert!(altered.is_none(), "{altered:?}");
        }
        for document in documents(&design) {
            let text = document.markdown();
            let altered = text.lines().find(|line| line.contains("Zq"));
            prop_assert!(altered.is_none(), "{}: {altered:?}", document.file_name);
        }
    }
}
