//! The walk against the models of logs that forget, are compacted or give offsets again, and of delays that add up.

use crate::straight::{self, CLEAN, Engine, From, Job, SHORT, Step, Times, Write};
use pipeline_desk::{
    analysis::{
        analyse,
        delivery::verdict::{DeliveryVerdict, Fewest, HopPart, LossKind, Most},
    },
    codec,
    explore::log::{ByOffset, Cleaner, Reset, passes, read, unclean_election},
    model::View,
};
use serde_json::{Value, json};

const fn job(engine: Engine, steps: &'static [Step], write: Write) -> Job {
    Job { engine, committed: true, steps, write }
}

/// What the walk says of a straight path with other facts: section, subject, facts that are put in.
fn said(from: From, jobs: &[Job], times: &Times, facts: &[(&str, &str, Value)]) -> DeliveryVerdict {
    let mut document: Value = serde_json::from_str(&straight::document(from, jobs, times).0).unwrap();
    for (section, id, more) in facts {
        let subject = document[*section][*id].as_object_mut().unwrap();
        let all = subject.entry("observed").or_insert(json!({ "e1": {} }));
        all["e1"].as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    }
    let design = codec::decode(&document.to_string()).unwrap();
    analyse(&design, View::AsIs).consumers.values().next().unwrap().delivery.clone()
}

/// F-26: a day is kept; the reader is away for two, or for an hour.
#[test]
fn a_reader_that_is_away_longer_than_retention() {
    let jobs = [job(Engine::AfterWork, &[Step::Map], Write::UpsertById)];
    let words = [(Reset::Earliest, "earliest"), (Reset::Latest, "latest"), (Reset::Stop, "none")];
    for (reset, word) in words {
        for (outage, away) in [("48h", true), ("1h", false)] {
            let kept = ("elements", "t1", json!({ "retention_time": "24h" }));
            let verdict = said(
                CLEAN,
                &jobs,
                &Times { outage, ..SHORT },
                &[kept, ("links", "l2", json!({ "offset_reset": word }))],
            );
            let got = read(Cleaner::Deletes, reset, away);
            // A reader that stops is told, and what is gone is gone all the same.
            let lost = got.misses || got.stops;
            assert_eq!(verdict.badge.fewest == Fewest::Zero, lost, "{word} {outage}: {}", verdict.sentence);
            assert!(!got.repeats && verdict.duplicates.is_empty(), "{word} {outage}: {}", verdict.sentence);
        }
    }
}

/// F-25: versions of one key in a compacted log, counted, or the last of them taken.
#[test]
fn versions_in_a_compacted_log() {
    let compact = |lag: &str| ("elements", "t1", json!({ "cleanup_policy": "compact", "min_compaction_lag": lag }));
    let of = |steps, lag: &str| {
        said(CLEAN, &[job(Engine::Streams("exactly_once"), steps, Write::LogTransaction)], &SHORT, &[compact(lag)])
    };
    let got = read(Cleaner::Compacts, Reset::Earliest, true);
    assert_eq!((got.misses, got.last_is_old), (true, false));
    let lost = |verdict: &DeliveryVerdict| {
        verdict.lossy_hops.iter().any(|loss| loss.in_values && loss.kind == LossKind::Possible)
    };
    let (counted, last) = (of(&[Step::Count], "0s"), of(&[Step::Last], "0s"));
    assert_eq!(lost(&counted), got.misses, "{}", counted.sentence);
    assert_eq!(lost(&last), got.last_is_old, "{}", last.sentence);
    let kept = read(Cleaner::Compacts, Reset::Earliest, false);
    assert_eq!(lost(&of(&[Step::Count], "24h")), kept.misses, "a condition on the lag remains");
}

/// F-23: rows that an offset names, behind a log whose stale replica may lead.
#[test]
fn offsets_that_are_given_again() {
    let writes = [
        (ByOffset::Overwrite, job(Engine::AfterWork, &[Step::Map], Write::ByCoordinates)),
        (ByOffset::Position, job(Engine::WithRows, &[Step::Map], Write::Insert)),
    ];
    for (how, write) in writes {
        let (ignored, replaced) = unclean_election(how);
        assert!(ignored || replaced, "{how:?}");
        let at_the_store = |unclean: bool| {
            let stale = ("elements", "t1", json!({ "unclean_leader_election": unclean }));
            let verdict = said(CLEAN, &[write], &SHORT, &[stale]);
            verdict.lossy_hops.iter().any(|loss| loss.hop.part == HopPart::Writer)
        };
        assert!(at_the_store(true) && !at_the_store(false), "{how:?}");
    }
}

/// F-18: a source that sends again, a relay that reads again, a de-duplication that is down itself: hours that add up.
#[test]
fn delays_add_up_against_a_time_to_live() {
    let jobs = [
        job(Engine::AfterWork, &[Step::Map], Write::Log),
        job(Engine::Flink("exactly_once"), &[Step::Deduplicate("8h")], Write::LogTransaction),
    ];
    for (source, relay, down) in
        [(1, 1, 1), (6, 1, 0), (1, 6, 0), (6, 6, 0), (3, 3, 1), (3, 3, 2), (2, 2, 5), (7, 0, 0)]
    {
        let hours = |n: u32| format!("{n}h");
        let facts = [
            ("links", "l1", json!({ "resend_within": hours(source) })),
            ("elements", "n1_job", json!({ "commit_interval": "0s", "longest_outage": hours(relay) })),
            ("elements", "n2_job", json!({ "longest_outage": hours(down) })),
            ("links", "l5", json!({ "transaction_timeout": "100h" })),
        ];
        let verdict = said(CLEAN, &jobs, &SHORT, &facts);
        let leaks = passes(8, &[source, relay, down]);
        let shown = !matches!(&verdict.badge.most, Most::OneWhile(_, conditions) if conditions.iter().all(|condition| condition.inside == Some(true)));
        assert_eq!(shown, leaks, "{source} {relay} {down}: {} {:?}", verdict.sentence, verdict.badge.most);
    }
}
