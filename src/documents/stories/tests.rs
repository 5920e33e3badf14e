//! Stories of small paths, worked out by hand.

use crate::{
    codec,
    documents::{delivery_semantics, desk::Desk},
    model::View,
    rules::review,
};

const LOG: &str = r#""partitions":1,"replication_factor":3,"min_insync_replicas":2,"unclean_leader_election":false,"cleanup_policy":"delete","retention_time":"7d","retention_size":"unlimited""#;

/// The story section about a service that reads a log and inserts rows.
fn section(reads: &str, more_elements: &str, more_links: &str) -> String {
    let design = codec::decode(&format!(
        r#"{{"format":"streaming-pipeline","version":2,
        "elements":{{"shop":{{"kind":"source","system":"application","event":"order"}},
         "orders":{{"kind":"channel","system":"kafka","proposed":{{{LOG}}}}},
         "loader":{{"kind":"job","system":"plain_consumer","proposed":{{"client":"java"}}}},
         "copy":{{"kind":"operator","job":"loader","step":"copy"}},
         "table":{{"kind":"sink","system":"postgres","proposed":{{"unique_keys":[]}}}},"board":{{"kind":"consumer"}}{more_elements}}},
        "links":{{"l1":{{"from":"shop","to":"orders","proposed":{{"capture":"in_process","after_restart":"resume_position","acks":"all","idempotence":true,"max_in_flight":5,"on_send_failure":"retry","flush_on_close":true}}}},
         "l2":{{"from":"orders","to":"copy","proposed":{{"isolation":"read_committed","offset_reset":"earliest"{reads}}}}},
         "l3":{{"from":"copy","to":"table","proposed":{{"write_mode":"append","output_commit":"flush"}}}},
         "l4":{{"from":"table","to":"board"}}{more_links}}},
        "events":{{"order":{{"proposed":{{"event_id":["id"]}}}}}}}}"#
    ))
    .unwrap_or_else(|error| panic!("{error}"));
    let (as_is, to_be) = (review(&design, View::AsIs), review(&design, View::ToBe));
    let text = delivery_semantics::write(&Desk::new(&design, &as_is, &to_be)).markdown();
    let (_, rest) = text.split_once("### Shortest failure story").unwrap_or_else(|| panic!("{text}"));
    rest.split("\n## ").next().unwrap().to_owned()
}

/// The position is committed after the row is written: between the two stands the crash.
#[test]
fn a_crash_between_the_write_and_the_commit_writes_again() {
    let text = section(r#","offset_commit":"after_work""#, "", "");
    assert!(text.contains("How an event comes to stand there twice, in which one thing goes wrong"), "{text}");
    assert!(text.to_lowercase().contains("in the end one of the two is there twice"), "{text}");
    assert!(text.contains("crashes and starts again"), "{text}");
}

/// Committed before the work: the same crash loses what was not written.
#[test]
fn a_crash_behind_an_early_commit_loses() {
    let text = section(r#","offset_commit":"before_work""#, "", "");
    assert!(text.contains("How an event is lost, in which one thing goes wrong"), "{text}");
    let commits = text.find("`loader`: polls, and commits its position").unwrap_or_else(|| panic!("{text}"));
    let crashes = text.find("`loader`: crashes and starts again").unwrap_or_else(|| panic!("{text}"));
    assert!(commits < crashes, "{text}");
}

/// What is said where two or three things have to go wrong, and where no run of the model ends so.
#[test]
fn how_much_goes_wrong_is_counted() {
    assert_eq!(super::in_letters(1, "thing goes", "things go"), "one thing goes");
    assert_eq!(super::in_letters(2, "thing goes", "things go"), "two things go");
    assert_eq!(super::in_letters(4, "thing goes", "things go"), "4 things go");
    let none = super::none("is lost");
    assert!(
        none.contains(
            "at most 2 crashes, 1 lost leader, 1 lost response, 2 copies too many in a log between, ends with something \
             that is lost"
        ),
        "{none}"
    );
}

#[test]
fn a_path_that_the_model_does_not_hold_says_why() {
    let second = r#","more":{"kind":"source","system":"application","event":"order"}"#;
    let link = r#","l5":{"from":"more","to":"orders","proposed":{"capture":"in_process","after_restart":"resume_position","acks":"all","idempotence":true}}"#;
    let meets = section(r#","offset_commit":"after_work""#, second, link);
    assert!(meets.contains("No story is told for board: several ways meet at orders"), "{meets}");
    let bulk = section(r#","offset_commit":"per_record""#, "", "");
    assert!(bulk.contains("No story is told for board: how"), "{bulk}");
}
