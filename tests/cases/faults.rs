//! What goes wrong in a case has a name, and rules that find it.

use crate::expect::{Check, Expect};
use pipeline_desk::rules::{Review, Severity, rule};
use serde_json::Value;

/// What goes wrong in a case, and the rules that say so: at least one of them must.
const FAULTS: &[(&str, &[&str])] = &[
    ("a_great_many_windows", &["STA-14"]),
    ("acknowledged_by_the_leader_alone", &["DEL-02"]),
    ("acts_again", &["SFX-01"]),
    ("alert_on_records_alone", &["LAG-L2"]),
    ("append_repeats", &["DEL-13", "CON-L3"]),
    ("backlog_is_not_worked_off", &["LAG-L6"]),
    ("batch_written_again", &["SPK-L2"]),
    ("batches_behind_their_trigger", &["LAT-L5"]),
    ("best_effort_window", &["DUP-07"]),
    ("bytes_bind", &["RET-02"]),
    ("checkpoint_reaches_its_timeout", &["CHK-01"]),
    ("claimed_beyond_the_verdict", &["DEL-01"]),
    ("clock_stops_deletion", &["RET-07"]),
    ("commit_out_of_order", &["DEL-22"]),
    ("committed_before_the_work", &["DEL-12", "DEL-19"]),
    ("compaction_hides_history", &["RET-05"]),
    ("compaction_ignores_retention", &["RET-16"]),
    ("compaction_keeps_what_is_erased", &["PRV-02"]),
    ("compared_by_rows", &["REC-L4"]),
    ("deletion_is_missed", &["RET-09"]),
    ("erasure_against_an_endless_log", &["PRV-01"]),
    ("exactly_once_ends_at_the_copy", &["DEL-18"]),
    ("final_results_wait", &["TIM-08", "TIM-19"]),
    ("gap_is_jumped_over", &["OFF-03"]),
    ("grace_left_open", &["TIM-26"]),
    ("group_without_members", &["REB-L5"]),
    ("held_by_a_transaction", &["LAG-L4"]),
    ("hot_key", &["SKW-02"]),
    ("in_sync_above_replicas", &["DEL-05"]),
    ("kept_for_longer", &["RET-04"]),
    ("key_missing", &["CON-L3"]),
    ("key_wrong", &["DUP-04"]),
    ("late_dropped_unsaid", &["TIM-05"]),
    ("late_events_go_nowhere", &["TIM-04"]),
    ("later_than_needed", &["LAT-L1"]),
    ("markers_count_as_lag", &["LAG-L5"]),
    ("misspelt_setting", &["CFG-01"]),
    ("more_readers_than_partitions", &["CAP-L2"]),
    ("nothing_late_is_taken", &["TIM-11"]),
    ("older_than_the_retention", &["RET-08"]),
    ("order_lost_by_growth", &["ORD-L3"]),
    ("order_lost_by_retries", &["ORD-L1"]),
    ("order_lost_by_shuffle", &["ORD-L1", "ORD-L7"]),
    ("order_lost_by_workers", &["ORD-L1"]),
    ("poll_outlasts_the_interval", &["REB-L2"]),
    ("polling_misses", &["SRC-L1"]),
    ("position_expires", &["OFF-02"]),
    ("processing_time_cannot_be_replayed", &["DET-01"]),
    ("reads_uncommitted", &["DEL-15"]),
    ("rebuilt_without_a_cut_over", &["REC-L3"]),
    ("redelivered", &["DEL-13", "DEL-18", "CON-L1", "CON-L3", "QUE-01"]),
    ("repeat_stops_the_writer", &["DUP-10"]),
    ("replay_counts_twice", &["DEL-13"]),
    ("replay_into_live_state", &["REP-L1"]),
    ("replay_without_hold", &["REP-L2"]),
    ("reset_repeats", &["OFF-02"]),
    ("reset_skips", &["OFF-01"]),
    ("retention_shorter_than_outage", &["CHK-06"]),
    ("rotation_by_clock", &["CON-L5"]),
    ("schema_history_expires", &["RET-17"]),
    ("session_without_end", &["STA-09"]),
    ("silence_holds_windows", &["TIM-08", "TIM-09"]),
    ("silence_not_known", &["TIM-25"]),
    ("size_taken_for_the_topic", &["RET-03"]),
    ("snapshot_again", &["SRC-L2"]),
    ("stale_leader", &["DEL-06"]),
    ("state_without_bound", &["STA-01"]),
    ("time_to_live_open", &["STA-03"]),
    ("transaction_above_broker_maximum", &["FLK-01"]),
    ("transaction_too_short", &["FLK-04"]),
    ("versions_that_do_not_compare", &["DUP-11"]),
];

/// The rules that a case expects, and where it expects none, that none is louder than a note.
pub fn fault_checks(expect: &Expect<'_>, review: &Review) -> Vec<Check> {
    let fired: Vec<&str> = review.findings.iter().map(|finding| finding.rule).collect();
    let mut checks: Vec<Check> = expect
        .texts("faults")
        .into_iter()
        .map(|fault| {
            let (_, rules) = FAULTS.iter().find(|(name, _)| *name == fault).unwrap_or_else(|| panic!("{fault}"));
            let found = if rules.iter().any(|rule| fired.contains(rule)) { Ok(()) } else { Err(format!("{fired:?}")) };
            (format!("fault {fault}"), found)
        })
        .collect();
    if expect.fields.get("quiet") == Some(&Value::Bool(true)) {
        let loud: Vec<String> = review
            .findings
            .iter()
            .filter(|finding| finding.severity > Severity::Note)
            .map(|finding| format!("{} {}", finding.rule, finding.message))
            .chain(review.halts.iter().map(|halt| halt.consequence.clone()))
            .collect();
        checks.push(("quiet".to_owned(), if loud.is_empty() { Ok(()) } else { Err(loud.join("\n")) }));
    }
    checks
}

#[test]
fn every_fault_has_a_rule() {
    for (fault, rules) in FAULTS {
        assert!(rules.iter().all(|id| rule(id).is_some()), "{fault}: {rules:?}");
    }
}
