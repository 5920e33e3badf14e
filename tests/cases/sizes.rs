//! Amounts of bytes in words: what was worked out is printed in powers of 1000, at most three digits; powers of 1024 are only
//! what somebody wrote so, or what is proposed to be written so.

use super::{cases, titles};
use pipeline_desk::{
    catalog, codec,
    model::{Design, Section, Value},
    sorted::SortedSet,
};

const DECIMAL: [&str; 4] = ["kB", "MB", "GB", "TB"];
const BINARY: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];

/// The amounts of a text, number and unit: `2.02 GB`. A number is parted by thin spaces.
fn amounts(text: &str) -> Vec<(String, &str)> {
    let text = text.trim_matches('|');
    let words: Vec<&str> = text.split([' ', '\u{a0}']).collect();
    let mut found = Vec::new();
    for pair in words.windows(2) {
        let unit = pair[1].trim_end_matches(|c: char| !c.is_alphanumeric());
        let unit = unit.split_once('/').map_or(unit, |(unit, _)| unit);
        let number = pair[0].trim_start_matches(|c: char| !c.is_ascii_digit());
        let digits = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '\u{2009}'));
        if digits && (DECIMAL.contains(&unit) || BINARY.contains(&unit)) {
            found.push((number.to_owned(), unit));
        }
    }
    found
}

/// The amounts that stand in a design, as written.
fn written(design: &Design) -> SortedSet<String> {
    fn add(value: &Value, into: &mut SortedSet<String>) {
        match value {
            Value::Statistics(all) => all.values().for_each(|value| add(value, into)),
            Value::Size(_) | Value::SizeLimit(_) | Value::ByteRate(_) => {
                into.extend(amounts(&value.spoken()).into_iter().map(|(number, unit)| format!("{number} {unit}")));
            }
            _ => {}
        }
    }
    let mut all = SortedSet::new();
    for section in [Section::Elements, Section::Links, Section::Events, Section::Clusters] {
        for (_, subject) in design.section(section) {
            for facts in subject.observed.values().chain([&subject.proposed]) {
                facts.iter().for_each(|(_, value)| add(value, &mut all));
            }
        }
    }
    all
}

#[test]
fn amounts_are_found() {
    let text = "| at most 50 GiB, of 1\u{2009}000 kB (2.02 GB/day); 5 MBean |";
    let expected = [("50".to_owned(), "GiB"), ("1\u{2009}000".to_owned(), "kB"), ("2.02".to_owned(), "GB")];
    assert_eq!(amounts(text), expected);
}

#[test]
fn sizes_are_printed_by_one_convention() {
    let (mut seen, mut wrong) = (0, Vec::new());
    let handed = cases("cases").into_iter().chain(cases("gold")).map(|(case, design, _)| (case, design.to_string()));
    let examples = catalog::examples().iter().map(|example| (example.id.to_owned(), example.text.to_owned()));
    for (case, text) in handed.chain(examples) {
        let design = codec::decode(&text).unwrap_or_else(|error| panic!("{case}: {error}"));
        let written = written(&design);
        for text in titles::texts(&design) {
            for (number, unit) in amounts(&text) {
                seen += 1;
                let proposed = text.contains("per partition");
                let digits = number.chars().filter(char::is_ascii_digit).count();
                let plain = DECIMAL.contains(&unit) && digits <= 3 && !number.contains('\u{2009}');
                if !plain && !proposed && !written.contains(&format!("{number} {unit}")) {
                    wrong.push(format!("{case}: {number} {unit} in: {text}"));
                }
            }
        }
    }
    assert!(seen > 150, "{seen}");
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
