//! Whatever is pasted: no panic, no fact out of prose, the same answer each time, and every edit can be applied and undone.

use super::support::{FIXTURES, facts, file, pasted};
use pipeline_desk::codec;
use pipeline_desk::import::{self, Choices, Input, Resolution};
use pipeline_desk::model::Design;
use proptest::prelude::*;

/// Reads, accepts with every kind of answer, undoes.
fn round(inputs: &[Input]) {
    let reading = import::read(inputs);
    assert_eq!(reading, import::read(inputs));
    let mut design = Design::default();
    let before = codec::encode(&design);
    let proposal = import::propose(&reading, &design, None);
    let resolutions = [Resolution::AsRead, Resolution::Keep, Resolution::KeepBoth];
    let conflicts = proposal.facts.iter().enumerate().map(|(i, fact)| (fact.id(), resolutions[i % 3])).collect();
    let edit = proposal.edit(&Choices { conflicts, ..Choices::default() });
    let undo = design.apply(edit).unwrap_or_else(|error| panic!("{error}"));
    let text = codec::encode(&design);
    assert_eq!(codec::decode(&text).unwrap_or_else(|error| panic!("{error}\n{text}")), design);
    design.apply(undo).unwrap();
    assert_eq!(codec::encode(&design), before);
}

/// A fixture with some of its characters, lines and blanks changed.
fn mutated() -> impl Strategy<Value = String> {
    let change = (0usize..4, any::<prop::sample::Index>(), any::<prop::sample::Index>(), ".{0,3}");
    (0..FIXTURES.len(), prop::collection::vec(change, 1..8)).prop_map(|(fixture, changes)| {
        let mut chars: Vec<char> = file(FIXTURES[fixture]).text.chars().collect();
        for (kind, from, to, text) in changes {
            let (a, b) = (from.index(chars.len()), to.index(chars.len()));
            let (a, b) = (a.min(b), a.max(b));
            match kind {
                0 => drop(chars.splice(a..a, text.chars())),
                1 => drop(chars.drain(a..(a + 3).min(chars.len()))),
                2 => chars.swap(a, b),
                _ => {
                    let copy: Vec<char> = chars[a..b.min(a + 400)].to_vec();
                    drop(chars.splice(a..a, copy));
                }
            }
            if chars.is_empty() {
                chars.push('x');
            }
        }
        chars.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>(), more in "[ -~\\n\\t]{0,400}") {
        round(&[pasted(&text), pasted(&more)]);
    }

    #[test]
    fn changed_outputs_are_read_without_a_panic(text in mutated(), other in mutated()) {
        round(&[pasted(&text), Input { name: Some("b".into()), text: other }]);
    }

    /// Words, numbers and signs of a letter, the tools' words among them.
    #[test]
    fn prose_yields_no_fact(words in prop::collection::vec("[a-z]{1,9}|[0-9]{1,4}|Topic|Partition|Leader|LAG|topic:|config|=|group|kafka|,|\\.", 0..120)) {
        let text: String = words.iter().enumerate().map(|(i, w)| if i % 9 == 8 { format!("{w}\n") } else { format!("{w} ") }).collect();
        let proposal = import::propose(&import::read(&[pasted(&text)]), &Design::default(), None);
        prop_assert!(proposal.facts.is_empty(), "{:?}", facts(&proposal));
        prop_assert!(proposal.subjects.is_empty());
    }

    /// Tabs become blanks, line ends change, mail quotes and prompts are added: the facts stay.
    #[test]
    fn how_it_was_copied_does_not_matter(fixture in 0..FIXTURES.len(), crlf in any::<bool>(), quotes in 0usize..3, blanks in any::<bool>()) {
        let mut input = file(FIXTURES[fixture]);
        let plain = facts(&import::propose(&import::read(&[input.clone()]), &Design::default(), None));
        let (end, quote) = (if crlf { "\r\n" } else { "\n" }, "> ".repeat(quotes));
        input.text = input.text.lines().map(|line| format!("{quote}{}{end}", line.trim_end_matches('\r'))).collect();
        if blanks {
            input.text = input.text.replace('\t', "      ");
        }
        let copied = facts(&import::propose(&import::read(&[input]), &Design::default(), None));
        prop_assert_eq!(plain, copied);
    }
}

/// A number that no design holds is left out with its line; the rest of the import is applied.
#[test]
fn what_a_design_cannot_hold_does_not_hold_up_the_rest() {
    let text = "Topic: a\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: retention.ms=1000\n\n\
         GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n\
         g a 0 5 7 2 c /h c\n\
         g a 1 9223372036854775807 9223372036854775807 9223372036854775807 c /h c\n\n\
         kafka-get-offsets.sh --topic a\na:0:9223372036854775807\na:1:12\n";
    let proposal = import::propose(&import::read(&[pasted(text)]), &Design::default(), None);
    assert_eq!(proposal.summary().not_understood, 2, "{:?}", proposal.lines);
    let mut design = Design::default();
    design.apply(proposal.edit(&Choices::default())).unwrap();
    assert!(facts(&proposal).iter().any(|fact| fact.starts_with("a retention_time = 1s")), "{:?}", facts(&proposal));
}

#[test]
fn an_input_without_text_is_said_to_hold_none() {
    for text in ["", " \n\n\t"] {
        let skipped = import::read(&[Input { name: Some("empty.txt".to_owned()), text: text.to_owned() }]).skipped;
        assert_eq!(skipped.len(), 1);
        assert!(skipped[0].what == "empty.txt" && skipped[0].reason.starts_with("it holds no text"), "{skipped:?}");
    }
    assert!(import::read(&[]).skipped.is_empty());
}

/// Text that is made to cost work or to mislead: it ends, yields nothing, and what is said of it fits.
#[test]
fn hostile_texts_yield_nothing() {
    for unit in [
        "{\"a\":",
        "{\"a\":\n",
        "[{\"",
        "[\n",
        "{\n",
        "x y: {\n",
        "\"",
        "${",
        "${a:",
        "--:--:-- {\"a\":1}",
        "a=b\n",
        "a: b\n",
        "a:\n",
        " - a\n",
        "spark.x y\n",
        "{\"a\":1},",
        "{}\n",
        "\0",
        "\u{202e}a",
        "://a:b@",
        "curl -u a:b http://x ",
        "\\",
        "{'a': '",
        "connector.class=",
        "{\"connector.class\":",
    ] {
        let text = unit.repeat(20_000 / unit.len());
        round(&[pasted(&text)]);
        let proposal = import::propose(&import::read(&[pasted(&text)]), &Design::default(), None);
        assert!(proposal.facts.is_empty() && proposal.subjects.is_empty(), "{unit:?}: {:?}", facts(&proposal));
    }
    // A packed file, as a browser reads it; and UTF-16 without its mark, whose letters are there.
    let packed = import::read(&[pasted("PK\u{3}\u{4}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\n\u{fffd}")]);
    assert!(packed.skipped[0].reason.starts_with("This is no text in UTF-8"), "{:?}", packed.skipped);
    let text = "$ kafka-get-offsets.sh --topic orders\r\norders:0:7\r\n";
    let wide: String = text.chars().flat_map(|c| [c, '\0']).collect();
    let proposal = import::propose(&import::read(&[pasted(&wide)]), &Design::default(), None);
    assert_eq!(facts(&proposal), ["orders end_offset = 0 7 (2)"]);
}
