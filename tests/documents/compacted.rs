//! What the documents say of a compacted log: it keeps keys, and no time.

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
