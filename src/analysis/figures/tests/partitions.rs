//! Partitions that a channel needs.

use super::{formula, id, with_others};
use crate::analysis::explain::Derived;

/// What a channel needs that one source of 100 records of 1 kB a second writes, with these settings.
fn needed(channel: &str) -> Derived {
    written(channel, r#""e":{"proposed":{"size":"1kB"}}"#, &["e"])
}

/// The same, written by sources of these events.
fn written(channel: &str, events: &str, sources: &[&str]) -> Derived {
    let source = |(n, event): (usize, &&str)| format!(r#""s{n}":{{"kind":"source","event":"{event}"}},"#);
    let link = |n: usize| format!(r#""l{n}":{{"from":"s{n}","to":"k"}}"#);
    let elements = format!(
        r#"{}"k":{{"kind":"channel","system":"kafka","proposed":{{"rate":{{"mean":"100/s","max":"100/s"}}{channel}}}}}"#,
        sources.iter().enumerate().map(source).collect::<String>()
    );
    let links: Vec<String> = (0..sources.len()).map(link).collect();
    let figures = with_others(&elements, &links.join(","), &format!(r#""events":{{{events}}}"#));
    figures.channels[&id("k")].needed.clone().unwrap()
}

/// 100 kB/s and as much again of growth: 200 kB/s are one partition of 400 kB/s to write and four of 50 kB/s to read.
#[test]
fn the_slower_side_decides() {
    let growth = r#","growth_headroom":2,"partition_write_capacity":"400kB/s""#;
    let one = needed(growth).unwrap();
    assert_eq!((one.value, formula(&one)), (1.0, "CAP-1"));
    let both = needed(&format!(r#"{growth},"partition_read_capacity":"50kB/s""#)).unwrap();
    assert_eq!((both.value, formula(&both)), (4.0, "CAP-1.most"));
}

/// Everything has one key, so that one partition gets all 200 kB/s: it is enough where it does just that, and else no number is.
#[test]
fn one_key_for_all_needs_one_partition_that_does_it_alone() {
    let of = |capacity: &str| {
        let channel = format!(
            r#","growth_headroom":2,"partition_write_capacity":"{capacity}","key":["k"],"dominant_key_share":1,"key_cardinality":1000"#
        );
        needed(&channel).unwrap()
    };
    assert_eq!((of("200kB/s").value, formula(&of("200kB/s"))), (1.0, "CAP-1.keys"));
    assert!(of("150kB/s").value.is_infinite());
}

/// Records of one kind have its size; of two kinds nothing says which share each has.
#[test]
fn two_kinds_of_events_have_no_one_size() {
    let events = r#""e":{"proposed":{"size":"1kB"}},"f":{"proposed":{"size":"3kB"}}"#;
    let of = |sources: &[&str]| written(r#","partition_write_capacity":"50kB/s""#, events, sources);
    assert_eq!(of(&["e", "e"]).unwrap().value, 2.0);
    assert_eq!(of(&["f", "f"]).unwrap().value, 6.0);
    assert!(of(&["e", "f"]).is_err());
}
