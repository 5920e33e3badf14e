//! What a checkpoint writes, and what is done again after a failure.

use super::{design, id, operator};
use crate::model::Basis;

/// 100 records a second for an hour at 100 B: 36 MB, all of it where checkpoints are not incremental.
#[test]
fn a_full_checkpoint_writes_all_of_the_state() {
    let size = |settings: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s"}}}},
            "j":{{"kind":"job","system":"flink","proposed":{{"space_amplification":1,{settings}}}}},
            "o":{{"kind":"operator","job":"j","step":"deduplicate","proposed":{{"state_ttl":"1h","entry_size":"100B"}}}}"#
        );
        let figures = design(&elements, r#""l1":{"from":"a","to":"o"}"#);
        figures.jobs[&id("j")].checkpoint_size.clone().unwrap().map(|size| size.value)
    };
    assert_eq!(size(r#""checkpoint_incremental":false"#).unwrap(), 36e6);
    assert_eq!(size(r#""checkpoint_incremental":true,"checkpoint_size":"2MB""#).unwrap(), 2e6);
    assert!(size(r#""checkpoint_incremental":true"#).is_err());
}

/// 40 GB over four instances, each of which reads 50 MB/s: 200 s. Where nobody says how many there are, one is taken to read all of
/// it, 800 s, as an assumption. The pause of a deploy is that, and nothing else here.
#[test]
fn instances_read_their_state_back_side_by_side() {
    let restore = |instances: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"flink","proposed":{{"processing_guarantee":"exactly_once",
              "checkpoint_duration":"0s","reschedule_time":"0s","state_size":"40GB","restore_rate":"50MB/s"{instances}}}}},
            "o":{{"kind":"operator","job":"j","step":"deduplicate"}}"#
        );
        design(&elements, r#""l1":{"from":"a","to":"o"}"#).jobs[&id("j")].deploy_pause.clone().unwrap().unwrap()
    };
    assert_eq!(restore(r#","instances":4"#).value, 200.0);
    let one = restore("");
    assert_eq!((one.value, one.basis), (800.0, Some(Basis::Assumed)));
}

/// A trigger of 0 s starts a batch when the last one is done: what it does again no setting gives.
#[test]
fn a_batch_without_a_trigger_has_no_figure() {
    let rewind = |trigger: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"spark","proposed":{{"trigger_interval":"{trigger}"}}}},
            "o":{{"kind":"operator","job":"j","step":"map"}}"#
        );
        design(&elements, r#""l1":{"from":"a","to":"o"}"#).jobs[&id("j")].rewind.clone().unwrap()
    };
    assert_eq!(rewind("1min").unwrap().value, 60.0);
    assert!(rewind("0s").is_err());
    let dedup = r#"{"watermark_delay":"10s","state_ttl":"1min"}"#;
    let report = operator("spark", r#"{"trigger_interval":"0s"}"#, "deduplicate", dedup);
    assert!(report.entries.unwrap().is_err());
}
