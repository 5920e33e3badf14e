//! What the documents say of how long a log keeps: in one figure wherever it stands, and of a compacted log no time.

use super::*;

#[test]
fn a_compacted_log_keeps_the_newest_of_each_key_and_no_time() {
    let said = |policy: &str| {
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":2,
            "elements":{{"customers":{{"kind":"channel","system":"kafka","proposed":{{"cleanup_policy":"{policy}","min_compaction_lag":"0s",
             "retention_time":"7d","retention_size":"unlimited","tombstone_retention":"24h"}}}},
             "j":{{"kind":"job","system":"plain_consumer"}},"copy":{{"kind":"operator","job":"j","step":"copy"}},
             "t":{{"kind":"sink","system":"postgres"}}}},
            "links":{{"l1":{{"from":"customers","to":"copy"}},"l2":{{"from":"copy","to":"t"}}}}}}"#
        ))
        .unwrap();
        let set = documents(&design);
        spaced(set.iter().find(|one| one.file_name == "topic-retention-and-replay.md").unwrap())
    };
    let kept = said("delete");
    assert!(kept.contains("`customers` reaches back 7 d"), "{kept}");
    for policy in ["compact", "compact_delete"] {
        let text = said(policy);
        for wanted in [
            "`customers` keeps the newest record of each key, every version for at least 0 s",
            "and deletions for 24 h (proposed)",
            "every version: 0 s",
            "the newest record of each key |",
            "`customers` keeps a deletion for 24 h (proposed)",
        ] {
            assert!(text.contains(wanted), "{policy}: {wanted}\n{text}");
        }
        assert!(!text.contains("reaches back"), "{text}");
    }
}

/// Three days less the half minute that records are old when they come: less than three days wherever it is printed, and the
/// setting as it stands.
#[test]
fn one_figure_is_printed_in_one_way() {
    let design = codec::decode(
        r#"{"format":"streaming-pipeline","version":2,
        "elements":{"in":{"kind":"channel","system":"kafka","proposed":{"cleanup_policy":"delete","retention_time":"3d",
         "retention_size":"unlimited","timestamp_type":"create_time","append_delay":{"max":"30s"},"segment_time":"4319min"}},
         "j":{"kind":"job","system":"plain_consumer"},"copy":{"kind":"operator","job":"j","step":"copy"},
         "t":{"kind":"sink","system":"postgres"}},
        "links":{"l1":{"from":"in","to":"copy"},"l2":{"from":"copy","to":"t"}}}"#,
    )
    .unwrap();
    let set = documents(&design);
    let text = spaced(set.iter().find(|one| one.file_name == "topic-retention-and-replay.md").unwrap());
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("rom the append on")).collect();
    assert!(lines.len() > 1, "in the table and among the numbers\n{text}");
    for line in lines {
        assert!(line.contains("2 d 23 h"), "{line}");
    }
    assert!(text.contains("| Segment time | 2 d 23 h 59 min (proposed) |"), "{text}");
}
