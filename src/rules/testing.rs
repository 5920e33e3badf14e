//! Designs to test rules with: one careful design in which no rule has anything to say, and changes to it.

use super::{Finding, review};
use crate::{
    codec,
    model::{Design, View},
};
use serde_json::Value;
use std::sync::Arc;

/// Elements without settings: nothing is known.
pub(in crate::rules) const SKETCH: &str = r#"{"format":"streaming-pipeline","version":1,
 "elements":{"a":{"kind":"source","system":"mqtt"},"b":{"kind":"channel","system":"kafka"},"j":{"kind":"job","system":"flink"},
  "o":{"kind":"operator","job":"j","step":"aggregate"},"d":{"kind":"operator","job":"j","step":"deduplicate"},
  "s":{"kind":"sink"},"u":{"kind":"consumer"},"p":{"kind":"batch"}},
 "links":{"l1":{"from":"a","to":"o"},"l2":{"from":"b","to":"o"},"l3":{"from":"o","to":"d"},"l4":{"from":"d","to":"b"},
  "l5":{"from":"o","to":"s"},"l6":{"from":"s","to":"u"}}}"#;

const CAREFUL: &str = include_str!("testing.json");

/// A second event type, from a source of its own, into the channel of the orders.
pub(in crate::rules) const OTHER: [(&str, &str); 3] = [
    (
        "elements/returns",
        r#"{"kind":"source","system":"application","event":"refund","proposed":{"rate":{"mean":"1/s","max":"2/s"},"client":"java","client_version":"3.9"}}"#,
    ),
    (
        "links/l11",
        r#"{"from":"returns","to":"orders","proposed":{"capture":"in_process","acknowledge":"after_store","after_restart":"resend_unmarked","resend_within":"1d","key":["store"],"output_commit":"flush","acks":"all","idempotence":true,"max_in_flight":5,"delivery_timeout":"2min","on_send_failure":"retry","flush_on_close":true}}"#,
    ),
    (
        "events/refund",
        r#"{"proposed":{"key":["order_id"],"event_id":["order_id"],"event_id_set_by":"producer","timestamp_field":"placed_at","timestamp_set_by":"application","timestamp_trust":"high","classification":"internal","size":"400B","fields":{"order_id":"string","store":"string","amount":"decimal(12,2)","placed_at":"timestamp"}}}"#,
    ),
];

/// A complete design that keeps to every rule.
pub(in crate::rules) fn careful() -> Design {
    careful_with(&[])
}

/// The careful design with some values replaced: `elements/orders/proposed/partitions` to JSON text, `null` removes.
pub(in crate::rules) fn careful_with(changes: &[(&str, &str)]) -> Design {
    let mut document: Value = serde_json::from_str(CAREFUL).unwrap();
    for (path, text) in changes {
        let value: Value = serde_json::from_str(text).unwrap();
        let mut at = &mut document;
        let parts: Vec<&str> = path.split('/').collect();
        for part in &parts[..parts.len() - 1] {
            at = at.as_object_mut().unwrap().entry(*part).or_insert_with(|| Value::Object(serde_json::Map::new()));
        }
        let last = parts[parts.len() - 1].to_owned();
        if value.is_null() {
            at.as_object_mut().unwrap().remove(&last)
        } else {
            at.as_object_mut().unwrap().insert(last, value)
        };
    }
    codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{changes:?}: {error}"))
}

/// The one finding of a rule in the careful design with these changes.
pub(in crate::rules) fn fires(rule: &str, changes: &[(&str, &str)]) -> Finding {
    let findings = found(rule, changes);
    assert!(!findings.is_empty(), "{rule} is silent on {changes:?}");
    findings.into_iter().next().unwrap()
}

/// The rule has nothing to say about the careful design with these changes.
pub(in crate::rules) fn silent(rule: &str, changes: &[(&str, &str)]) {
    assert_eq!(found(rule, changes), vec![]);
}

/// The proposed fix can be applied, and then the rule is silent.
pub(in crate::rules) fn mends(rule: &str, changes: &[(&str, &str)]) {
    let mut design = careful_with(changes);
    let finding = fires(rule, changes);
    design.apply(finding.fix.expect("has a fix").edit).expect("the fix applies");
    let left = review(&design, View::ToBe).findings;
    assert!(left.iter().all(|other| other.rule != rule || other.about != finding.about), "{rule} is still there");
}

fn found(rule: &str, changes: &[(&str, &str)]) -> Vec<Finding> {
    let design = careful_with(changes);
    super::reviewer::tests::parts_say_what_the_whole_says(&design, &format!("{rule} with {changes:?}"));
    let review = review(&design, View::ToBe);
    review.findings.into_iter().filter(|finding| finding.rule == rule).map(Arc::unwrap_or_clone).collect()
}
