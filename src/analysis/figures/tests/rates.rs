//! Rates behind a window.

use super::{design, id};

/// A window without a length closes at no rate.
#[test]
fn a_window_of_no_length_gives_no_rate() {
    let read = |size: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s"}}}},"j":{{"kind":"job","system":"flink"}},
            "o":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"window":"tumbling","window_size":"{size}","emit":"on_close","keys_per_window":600}}}},
            "u":{{"kind":"channel","system":"kafka"}},"p":{{"kind":"operator","job":"j","step":"map"}}"#
        );
        let links = r#""l1":{"from":"a","to":"o"},"l2":{"from":"o","to":"u"},"l3":{"from":"u","to":"p"}"#;
        design(&elements, links).operators[&id("p")].input_rate.clone()
    };
    assert_eq!(read("5min").unwrap().value, 2.0);
    assert!(read("0s").is_err());
}
