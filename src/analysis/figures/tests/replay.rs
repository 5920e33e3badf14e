//! From where, how far and how fast results can be made again.

use super::{checkout, design, id};
use crate::{analysis::explain::Derived, model::View};

/// Through the job: 26 843.5456 s − 300 s = 26 543.5456 s = 7 h 22 min; when the de-duplication must be filled first it
/// takes how long copies can come, and nobody stated that. From revenue_5m the table is refilled, not recomputed.
#[test]
fn where_the_board_can_be_made_again_from() {
    let figures = checkout(View::AsIs);
    let starts = &figures.consumers[&id("board")].replay;
    let orders = starts.iter().find(|start| start.from == id("orders")).unwrap();
    let reach = orders.reach.as_ref().unwrap();
    assert!((reach.value - 26_543.545_6).abs() < 1e-6);
    assert_eq!(reach.text(), "7 h 22 min");
    assert!(orders.recompute);
    let filled = orders.after_deduplication.as_ref().unwrap().as_ref().unwrap_err();
    assert_eq!(filled.missing[0].field.name(), "resend_within");
    let table = starts.iter().find(|start| start.from == id("revenue_5m")).unwrap();
    assert!(!table.recompute && table.after_deduplication.is_none());
    let source = starts.iter().find(|start| start.from == id("checkout_db")).unwrap();
    assert!(source.reach.is_err());
}

/// A second, slow reader of a topic holds up nobody else's replay: 1 h × 50 ÷ (100 − 50) = 1 h.
#[test]
fn another_reader_does_not_hold_a_replay_up() {
    let elements = r#""a":{"kind":"channel","system":"kafka","proposed":{"rate":"50/s","partitions":1,"cleanup_policy":"delete",
          "retention_time":"2h","retention_size":"unlimited","timestamp_type":"append_time"}},
        "j":{"kind":"job","system":"plain_consumer","proposed":{"capacity":"100/s"}},"o":{"kind":"operator","job":"j","step":"map"},
        "k":{"kind":"job","system":"plain_consumer","proposed":{"capacity":"10/s"}},"p":{"kind":"operator","job":"k","step":"map"},
        "s":{"kind":"sink","system":"postgres"},"t":{"kind":"sink","system":"postgres"},
        "u":{"kind":"consumer","proposed":{"replay_needed":"1h"}},"v":{"kind":"consumer","proposed":{"replay_needed":"1h"}}"#;
    let links = r#""l1":{"from":"a","to":"o"},"l2":{"from":"o","to":"s"},"l3":{"from":"s","to":"u"},
        "m1":{"from":"a","to":"p"},"m2":{"from":"p","to":"t"},"m3":{"from":"t","to":"v"}"#;
    let figures = design(elements, links);
    let start = |consumer: &str| {
        let start = figures.consumers[&id(consumer)].replay.iter().find(|start| start.from == id("a")).unwrap();
        let value = |figure: &Option<Derived>| figure.clone().unwrap().unwrap().value;
        (value(&start.duration), value(&start.start_within))
    };
    assert_eq!(start("u"), (3_600.0, 3_600.0));
    assert_eq!(start("v"), (f64::INFINITY, 0.0));
    let by = |capacity: &str, consumer: &str, needed: &str| {
        let elements = elements.replace(r#""replay_needed":"1h""#, &format!(r#""replay_needed":"{needed}""#));
        let elements = elements.replace(r#""capacity":"100/s""#, &format!(r#""capacity":"{capacity}""#));
        let figures = design(&elements, links);
        let start = figures.consumers[&id(consumer)].replay.iter().find(|start| start.from == id("a")).unwrap().clone();
        start.start_within.unwrap().unwrap().text()
    };
    let left = |consumer: &str, needed: &str| by("100/s", consumer, needed);
    assert_eq!(left("u", "1h"), "1 h");
    assert_eq!(left("v", "1h"), "none: a job reads less than arrives, so that the log start overtakes it");
    assert_eq!(left("u", "3h"), "none: part of what it needs is not kept", "2 h are");
    assert_eq!(left("u", "2h"), "none to spare: it needs all that is kept");
    // What reads as much as arrives is never overtaken.
    assert_eq!(by("50/s", "u", "2h"), "none to spare: it needs all that is kept");
    assert_eq!(by("50/s", "u", "1h"), "1 h");
}

/// An own step with entries keeps state, and its results hang on all that it has read.
#[test]
fn an_own_step_that_keeps_entries_needs_its_history() {
    let reach = |facts: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"cleanup_policy":"delete","retention_time":"2h","retention_size":"unlimited"}}}},
            "j":{{"kind":"job","system":"flink"}},"o":{{"kind":"operator","job":"j","step":"custom","proposed":{facts}}},
            "s":{{"kind":"sink","system":"postgres"}},"u":{{"kind":"consumer"}}"#
        );
        let figures =
            design(&elements, r#""l1":{"from":"a","to":"o"},"l2":{"from":"o","to":"s"},"l3":{"from":"s","to":"u"}"#);
        let starts = &figures.consumers[&id("u")].replay;
        starts.iter().find(|start| start.from == id("a")).unwrap().reach.clone().unwrap().value
    };
    assert_eq!(reach("{}"), 7_200.0);
    assert_eq!(reach(r#"{"entry_size":"100B"}"#), 0.0);
}

/// A table out of a compacted log or a store is there as of today when results are made again; one out of a log that deletes
/// would have to be built from all of its history.
#[test]
fn a_table_is_there_as_of_today_where_something_keeps_it() {
    let starts = |table: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"cleanup_policy":"delete","retention_time":"2h","retention_size":"unlimited","timestamp_type":"append_time"}}}},
            "b":{{{table}}},"j":{{"kind":"job","system":"flink"}},
            "o":{{"kind":"operator","job":"j","step":"join","proposed":{{"join":"table"}}}},
            "s":{{"kind":"sink","system":"postgres"}},"u":{{"kind":"consumer"}}"#
        );
        let links = r#""l1":{"from":"a","to":"o"},"l2":{"from":"b","to":"o","into":"table"},"l3":{"from":"o","to":"s"},
            "l4":{"from":"s","to":"u"}"#;
        let found = design(&elements, links).consumers[&id("u")].replay.clone();
        let start = found.iter().find(|start| start.from == id("a")).unwrap();
        (
            start.remarks.iter().any(|remark| remark == "Looked-up values are those of today."),
            found.iter().any(|start| start.from == id("b")),
        )
    };
    let log = |policy: &str| format!(r#""kind":"channel","system":"kafka","proposed":{{"cleanup_policy":"{policy}"}}"#);
    assert_eq!(starts(&log("compact")), (true, false));
    assert_eq!(starts(&log("compact_delete")), (true, false));
    assert_eq!(starts(r#""kind":"sink","system":"postgres""#), (true, false));
    assert!(!starts(&log("delete")).0);
}

/// 1 TB at 20 MB/s are 50 000 s, a day 86 400 s: what one limit alone says of a log that ends by the first of two, and that it
/// says nothing of one that ends by the last.
#[test]
fn one_limit_tells_what_is_gone_where_the_first_ends_the_log() {
    let longest = |system: &str, facts: &str| {
        let elements = format!(r#""db":{{"kind":"source","system":"{system}","proposed":{{{facts}}}}}"#);
        let longest = design(&elements, "").sources[&id("db")].longest.clone();
        longest.map(|longest| longest.value).map_err(|why| why.missing[0].field.name().to_owned())
    };
    let lacks = |field: &str| Err(field.to_owned());
    let size = r#""log_reach_size":"1TB","log_rate":"20MB/s""#;
    assert_eq!(longest("postgres", size), Ok(50_000.0));
    assert_eq!(longest("postgres", r#""log_reach":"1d""#), Ok(86_400.0));
    assert_eq!(longest("postgres", &format!(r#"{size},"log_reach":"1d""#)), Ok(50_000.0));
    assert_eq!(longest("postgres", ""), lacks("log_reach"));
    assert_eq!(longest("mongodb", size), lacks("log_reach"));
    assert_eq!(longest("mongodb", r#""log_reach":"1d""#), lacks("log_reach_size"));
    assert_eq!(longest("mongodb", &format!(r#"{size},"log_reach":"1d""#)), Ok(86_400.0));
}

/// How far back a reader of a source can be served again: seconds, else what is missing for it.
fn reach_of(system: &str, facts: &str) -> Result<f64, String> {
    let elements = format!(
        r#""db":{{"kind":"source"{system},"proposed":{{{facts}}}}},"j":{{"kind":"job","system":"kafka_connect"}},
        "o":{{"kind":"operator","job":"j","step":"copy"}},"s":{{"kind":"sink","system":"postgres"}},"u":{{"kind":"consumer"}}"#
    );
    let links = r#""l1":{"from":"db","to":"o"},"l2":{"from":"o","to":"s"},"l3":{"from":"s","to":"u"}"#;
    let figures = design(&elements, links);
    let start = figures.consumers[&id("u")].replay.iter().find(|start| start.from == id("db")).unwrap().clone();
    start.reach.map(|reach| reach.value).map_err(|why| why.missing[0].field.name().to_owned())
}

/// 1 TB at 20 MB/s are 50 000 s, a day 86 400 s. What PostgreSQL holds for a slot ends by size and, from 18 on, by time
/// (`idle_replication_slot_timeout`): one alone does not tell.
#[test]
fn a_limit_that_was_not_read_is_none_that_is_not_there() {
    let pg = |facts: &str| reach_of(r#","system":"postgres""#, facts);
    let lacks = |field: &str| Err(field.to_owned());
    let size = r#""log_reach_size":"1TB","log_rate":"20MB/s""#;
    assert_eq!(pg(size), lacks("log_reach"));
    assert_eq!(pg(&format!(r#"{size},"version":"17.2""#)), Ok(50_000.0), "no limit by time before 18");
    assert_eq!(pg(&format!(r#"{size},"version":"18""#)), lacks("log_reach"));
    assert_eq!(pg(&format!(r#"{size},"log_reach":"unlimited""#)), Ok(50_000.0));
    assert_eq!(pg(&format!(r#"{size},"log_reach":"1h""#)), Ok(3600.0));
    assert_eq!(pg(r#""log_reach":"1d""#), lacks("log_reach_size"));
    assert_eq!(pg(r#""log_reach":"1d","log_reach_size":"1TB""#), lacks("log_rate"));
    assert_eq!(pg(r#""log_reach":"none""#), Ok(0.0), "nothing is nothing, whatever the size is");
    assert_eq!(
        reach_of("", r#""log_reach":"1d""#),
        lacks("log_reach_size"),
        "a product that nobody named may have both"
    );
    // binlog_expire_logs_seconds is all that MySQL has; MariaDB from 11.4 has max_binlog_total_size as well.
    assert_eq!(reach_of(r#","system":"mysql""#, r#""log_reach":"1d""#), Ok(86_400.0));
    let maria = |version: &str| reach_of(r#","system":"mariadb""#, &format!(r#""log_reach":"1d"{version}"#));
    assert_eq!((maria(""), maria(r#","version":"10.11""#)), (lacks("log_reach_size"), Ok(86_400.0)));
}

/// An oplog keeps what its size holds and, whatever that is, the hours it must keep (MongoDB manual, Minimum Oplog Retention Period).
#[test]
fn an_oplog_is_kept_by_the_longer_of_two_limits() {
    let mongo = |facts: &str| reach_of(r#","system":"mongodb""#, facts);
    let size = r#""log_reach_size":"1TB","log_rate":"20MB/s""#;
    assert_eq!(mongo(&format!(r#"{size},"log_reach":"1d""#)), Ok(86_400.0));
    assert_eq!(mongo(&format!(r#"{size},"log_reach":"1h""#)), Ok(50_000.0));
    assert_eq!(mongo(size), Ok(50_000.0));
    assert_eq!(mongo(r#""log_reach":"1d""#), Ok(86_400.0));
    assert_eq!(mongo(r#""log_reach":"none""#), Err("log_reach_size".to_owned()));
}
