//! What is said of late records, engine by engine: by the watermark, the grace, the output mode or the clock of the machine.

use super::*;

/// The documents on windows and on the hand-over, of one window of an engine.
fn said(engine: &str, settings: &str) -> (String, String) {
    said_of("tumbling", r#""window_size":"5min""#, engine, settings)
}

fn said_of(window: &str, size: &str, engine: &str, settings: &str) -> (String, String) {
    let design = codec::decode(&format!(
        r#"{{"format":"streaming-pipeline","version":2,
        "elements":{{"c":{{"kind":"channel","system":"kafka"}},"late":{{"kind":"channel","system":"kafka"}},
         "j":{{"kind":"job","system":"{engine}"}},
         "m":{{"kind":"operator","job":"j","step":"map","proposed":{{"watermark_delay":"20s"}}}},
         "w":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"key":["k"],"function":"sum","window":"{window}",{size}{settings}}}}},
         "t":{{"kind":"sink","system":"postgres"}},"u":{{"kind":"consumer"}}}},
        "links":{{"l1":{{"from":"c","to":"m"}},"l2":{{"from":"m","to":"w"}},"l3":{{"from":"w","to":"t"}},
         "l4":{{"from":"t","to":"u"}},"l5":{{"from":"w","to":"late","port":"late"}}}}}}"#
    ))
    .unwrap();
    let set = documents(&design);
    let of = |name: &str| spaced(set.iter().find(|one| one.file_name == name).unwrap());
    (of("windowing-and-lateness.md"), of("streaming-downstream-handoff.md"))
}

const EVENT: &str = r#","clock":"event_time","emit":"on_close""#;

#[track_caller]
fn holds(text: &str, wanted: &[&str], unwanted: &[&str]) {
    for one in wanted {
        assert!(text.contains(one), "{one}\n{text}");
    }
    for one in unwanted {
        assert!(!text.contains(one), "{one}\n{text}");
    }
}

/// A late output that the engine does not have takes nothing (rulebook LATE-3).
const NO_OUTPUT: &str = "has no output for late records: nothing comes by the one that is drawn to `late`.";

#[test]
fn flink_goes_by_the_watermark_and_what_is_allowed_beyond_it() {
    let (windows, handoff) = said("flink", &format!(r#"{EVENT},"allowed_lateness":"1min""#));
    holds(
        &windows,
        &[
            "Watermark delay (of m) | 20 s",
            "Allowed lateness | 60 s",
            "go to `late`, by the late output",
            "Each late record within the allowed lateness sends the total",
            "No idle timeout is stated.",
        ],
        &[NO_OUTPUT],
    );
    holds(
        &handoff,
        &[
            "20 s (proposed) (of m) | 60 s (proposed) | late |",
            "slowest partition has passed its end and the allowed lateness",
        ],
        &[],
    );
    // Nothing beyond the watermark: one result, and no total that is sent again.
    let (windows, _) = said("flink", &format!(r#"{EVENT},"allowed_lateness":"0s""#));
    holds(
        &windows,
        &["A record that comes later changes nothing that was sent."],
        &["sends the total of its window again"],
    );
    let (windows, _) = said("flink", EVENT);
    holds(&windows, &["Allowed lateness is not read, so it is not said"], &["sends the total of its window again"]);
    // SQL has none, and no output for late records.
    let (windows, handoff) = said("flink", &format!(r#"{EVENT},"api":"table_function""#));
    holds(&windows, &["Nothing is taken beyond the watermark", NO_OUTPUT], &["Allowed lateness | not read"]);
    holds(&handoff, &["| has none | nowhere: dropped |", "slowest partition has passed its end |"], &[]);
}

/// `allow-lateness` without late firing does nothing (seen with Flink 2.1).
#[test]
fn a_group_window_sends_again_only_with_late_results() {
    let of = |settings: &str| {
        said("flink", &format!(r#"{EVENT},"api":"group_window","allowed_lateness":"1min"{settings}"#)).0
    };
    holds(
        &of(r#","late_firing":"none""#),
        &["changes nothing that was sent"],
        &["sends the total of its window again"],
    );
    holds(&of(r#","late_firing":"10s""#), &["sends the total of its window again"], &[]);
    holds(&of(""), &["Late firing is not read, so it is not said"], &["sends the total of its window again"]);
}

/// A late record that joins two sessions re-emits the longer one, and nothing withdraws the two (seen with Flink 2.1: an
/// upsert reader counts 9 for 5 records).
#[test]
fn overwriting_is_not_enough_for_sessions() {
    let session = EVENT.to_owned() + r#","allowed_lateness":"1min""#;
    let (windows, _) = said("flink", &session);
    holds(&windows, &[], &["joins two sessions"]);
    let (windows, handoff) = said_of("session", r#""window_gap":"30s""#, "flink", &session);
    holds(&windows, &["joins two sessions", "nothing takes the two back"], &[]);
    holds(&handoff, &["| gap 30 s (proposed) |"], &[]);
}

/// Stream time and grace; no watermark, no idle timeout, no late output (rulebook C2, C3, LATE-3).
#[test]
fn kafka_streams_goes_by_its_grace() {
    let (windows, handoff) = said("kafka_streams", &format!(r#"{EVENT},"allowed_lateness":"1min""#));
    holds(
        &windows,
        &["This engine has no watermark.", "is the grace period of the window", NO_OUTPUT, "after the grace period"],
        &["Watermark delay", "No idle timeout", "sends the total of its window again"],
    );
    holds(&handoff, &["| has none | 60 s (proposed) | nowhere: dropped |", "and the grace, in every partition"], &[]);
    let (windows, _) = said("kafka_streams", r#","clock":"event_time","emit":"every_update""#);
    holds(&windows, &["A window sends several totals"], &[]);
}

/// Append: one row when the watermark has passed. Update: many, and late ones are dropped all the same. Complete, and update
/// without a watermark, never drop (seen with Spark 4.3).
#[test]
fn spark_goes_by_its_output_mode() {
    let of = |settings: &str| said("spark", &format!(r#","clock":"event_time"{settings}"#));
    let (windows, handoff) = of(r#","output_mode":"append""#);
    holds(
        &windows,
        &[
            "Watermark delay (of m) | 20 s",
            "the highest event time of all partitions",
            "Nothing is taken beyond the watermark",
            NO_OUTPUT,
            "A record that comes later changes nothing that was sent.",
        ],
        &["No idle timeout", "Allowed lateness | not read", "Emit | not read"],
    );
    holds(
        &handoff,
        &["| has none | nowhere: dropped | `append` (proposed) |", "over all partitions, has passed its end |"],
        &[],
    );
    let (windows, _) = of(r#","output_mode":"upsert""#);
    holds(&windows, &["A window sends several totals", NO_OUTPUT], &["No record is late"]);
    for kept in [r#","output_mode":"complete""#, r#","output_mode":"upsert","watermark_delay":"unset""#] {
        let (windows, handoff) = of(kept);
        holds(
            &windows,
            &["No record is late for one.", "### When results are sent", "A window sends several totals"],
            &["### Watermark", "Lateness is not measured", "Not decided", "A worked timeline"],
        );
        holds(&handoff, &["| no record is late |", "never: every window is kept"], &[]);
    }
    let (windows, _) = of("");
    holds(&windows, &["How results are sent is not read"], &["No record is late"]);
}

#[test]
fn nothing_is_late_by_the_clock_of_the_machine() {
    for engine in ["flink", "kafka_streams", "spark"] {
        let (windows, handoff) = said(engine, r#","clock":"processing_time","emit":"on_close""#);
        holds(
            &windows,
            &["no record is late for it", "One result is sent per key and window when the window ends."],
            &["### Watermark", "Not decided", "Lateness is not measured", "after the grace"],
        );
        holds(&handoff, &["| no record is late |", "the clock of the machine has passed its end"], &[]);
    }
}

/// Panes of Beam accumulate or are discarded.
#[test]
fn beam_goes_by_the_watermark_of_its_runner() {
    let (windows, handoff) = said("dataflow", &format!(r#"{EVENT},"allowed_lateness":"1min""#));
    holds(
        &windows,
        &["The runner estimates the watermark", "where panes accumulate", NO_OUTPUT],
        &["Watermark delay", "a new total, not a difference"],
    );
    holds(&handoff, &["| has none | 60 s (proposed) | nowhere: dropped |", "the watermark of the runner"], &[]);
}

/// A join by time has no window, and drops what comes too late to be matched, whatever windows there are beside it.
#[test]
fn a_join_by_time_is_named() {
    let design = |window: &str| {
        let text = format!(
            r#"{{"format":"streaming-pipeline","version":2,
            "elements":{{"c":{{"kind":"channel"}},"j":{{"kind":"job","system":"flink"}},
             "pair":{{"kind":"operator","job":"j","step":"join","proposed":{{"join":"interval"}}}},
             "w":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"window":"{window}"}}}}}},
            "links":{{"l1":{{"from":"c","to":"pair"}},"l2":{{"from":"pair","to":"w"}}}}}}"#
        );
        let set = documents(&codec::decode(&text).unwrap());
        spaced(set.iter().find(|one| one.file_name == "windowing-and-lateness.md").unwrap())
    };
    holds(&design("none"), &["No step of this design has a window.", "too late to be matched: `pair`"], &[]);
    holds(&design("tumbling"), &["too late to be matched: `pair`"], &["No step of this design has a window."]);
    let (windows, _) = said("flink", EVENT);
    holds(&windows, &[], &["Joins by time"]);
}
