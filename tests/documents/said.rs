//! What the documents say, and what they withhold.

use super::*;

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
            let lines = || questions.lines().filter(|line| line.starts_with("| ")).skip(2);
            assert_eq!(lines().count(), gap::alike(&document.gaps).len(), "{name} {}", document.file_name);
            for gap in document.gaps.iter().filter(|gap| !gap.what.contains('|')) {
                let what = format!("| {} |", pipeline_desk::model::capital(&gap.what));
                let row = lines().any(|line| line.starts_with(&what) && line.contains(&format!("| {} |", gap.state)));
                assert!(row || gap.state == gap::ASKED, "{name} {}: {gap:?}", document.file_name);
            }
            let rows = document.gaps.len();
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
