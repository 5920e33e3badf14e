//! Values as people say them: `7 d`, `50 GiB`, `300 /s`. The file form is in [`super::written`].

use super::{
    Design, Section, Value,
    units::{Duration, Limit, Rate, Size, human},
};
use crate::sorted::SortedSet;

impl Value {
    /// As messages say it.
    #[must_use]
    pub fn spoken(&self) -> String {
        match self {
            Self::Duration(v) => v.spoken(),
            Self::Limit(Limit::Of(v)) => v.spoken(),
            Self::Size(v) => v.spoken(),
            Self::SizeLimit(Limit::Of(v)) => v.spoken(),
            Self::Rate(v) => v.spoken(),
            Self::ByteRate(_) => spaced(&self.to_string()),
            Self::Count(v) => human::number(*v as f64),
            Self::Number(v) => human::decimals(*v, 3),
            other => other.to_string(),
        }
    }
}

impl Duration {
    /// As messages say it: `10 min`, `7 h 27 min`.
    #[must_use]
    pub fn spoken(self) -> String {
        human::seconds(self.secs())
    }
}

impl Size {
    /// As messages say it, as configured: `50 GiB`.
    #[must_use]
    pub fn spoken(self) -> String {
        let (number, unit) = self.shortest();
        format!("{number} {}", unit.symbol())
    }
}

impl Rate {
    /// As messages say it: `300 /s`.
    #[must_use]
    pub fn spoken(self) -> String {
        spaced(&self.to_string())
    }
}

/// The first letter large. Not for a text that may begin with a name: see [`Names::capital`].
#[must_use]
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let mut all = String::with_capacity(text.len());
    all.extend(chars.next().into_iter().flat_map(char::to_uppercase));
    all + chars.as_str()
}

/// A word of the document as people say it: `at least once`, `state TTL`, `API`.
#[must_use]
pub fn in_words(word: &str) -> String {
    const ACRONYMS: [&str; 8] = ["api", "cdc", "csv", "dlq", "json", "sql", "ttl", "url"];
    let mut all = String::with_capacity(word.len());
    for (at, part) in word.split('_').enumerate() {
        if at > 0 {
            all.push(' ');
        }
        match ACRONYMS.contains(&part) {
            true => all.extend(part.chars().map(|c| c.to_ascii_uppercase())),
            false => all.push_str(part),
        }
    }
    all
}

/// A word of a closed list as people say it, where taking it apart would not do: `RocksDB`, `average`, `milliseconds`.
const SAID: &[(&str, &str)] = &[
    ("async", "asynchronous"),
    ("auto", "automatic"),
    ("avg", "average"),
    ("avro", "Avro"),
    ("by_clock", "by the clock"),
    ("by_record", "record by record"),
    ("compact_delete", "compact and delete"),
    ("crc32", "CRC-32"),
    ("datastream", "DataStream API"),
    ("dsl", "Kafka Streams DSL"),
    ("early_and_close", "early, and when it closes"),
    ("fencing", "fencing token"),
    ("in_process", "in the process itself"),
    ("java", "Java"),
    ("key_varies", "keys vary"),
    ("max", "maximum"),
    ("min", "minimum"),
    ("ms", "milliseconds"),
    ("ns", "nanoseconds"),
    ("on_close", "when it closes"),
    ("poll_sequence", "polling by sequence"),
    ("poll_table", "polling the whole table"),
    ("poll_timestamp", "polling by timestamp"),
    ("protobuf", "Protobuf"),
    ("resend_unmarked", "sends again, without marks"),
    ("resume_position", "goes on from its position"),
    ("rocksdb", "RocksDB"),
    ("s", "seconds"),
    ("top_n", "top N"),
    ("trust_greater_lsn", "trust the greater LSN"),
    ("us", "microseconds"),
    ("value_varies", "values vary"),
];

/// A word of a closed list of the document as people say it. The file form is [`Value::Word`].
#[must_use]
pub fn said(word: &str) -> String {
    SAID.iter().find(|(known, _)| *known == word).map_or_else(|| in_words(word), |(_, said)| (*said).to_owned())
}

/// A count and what is counted: `1 link`, `3 links`. For nouns with a plain plural.
#[must_use]
pub fn counted(count: impl TryInto<u64>, one: &str) -> String {
    counted_as(count, one, &format!("{one}s"))
}

/// The same with the plural said: `1 batch`, `2 batches`.
#[must_use]
pub fn counted_as(count: impl TryInto<u64>, one: &str, many: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A text of at most so many letters: where it is longer, an ellipsis stands for what is left out.
#[must_use]
pub fn shortened(text: &str, letters: usize) -> String {
    if text.chars().nth(letters).is_none() {
        return text.to_owned();
    }
    text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
}

/// A text for the inside of an XML element or attribute.
#[must_use]
pub fn xml_escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The names in a design, which stay as they are wherever they stand in a sentence.
#[derive(Clone, Debug, Default)]
pub struct Names<'d>(SortedSet<&'d str>);

impl<'d> Names<'d> {
    /// Names and ids of everything in a design.
    #[must_use]
    pub fn of(design: &'d Design) -> Self {
        let sections = [Section::Elements, Section::Links, Section::Events, Section::Clusters];
        let subjects = sections.into_iter().flat_map(|section| design.section(section));
        Self(subjects.flat_map(|(id, subject)| subject.name.as_deref().into_iter().chain([id.as_str()])).collect())
    }

    /// Does a text begin with a name?
    #[must_use]
    pub fn begin(&self, text: &str) -> bool {
        let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let ends = text.char_indices().filter(|(_, c)| !inside(*c)).map(|(at, _)| at).chain([text.len()]);
        // Names have at most 200 characters, so nothing behind the first few words can end one.
        ends.take_while(|at| *at <= 800).any(|at| text.get(..at).is_some_and(|start| self.0.contains(start)))
    }

    /// The first letter large, except that of a name.
    #[must_use]
    pub fn capital(&self, text: &str) -> String {
        if self.begin(text) { text.to_owned() } else { capital(text) }
    }

    /// A sentence: large first letter, except that of a name, and a full stop.
    #[must_use]
    pub fn sentence(&self, text: &str) -> String {
        ended(&self.capital(text.trim()))
    }
}

/// With a full stop where it has no end; for what a person wrote, which is not altered otherwise.
#[must_use]
pub fn ended(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '?', '!']) { text.to_owned() } else { format!("{text}.") }
}

/// A space between the number and its unit.
fn spaced(text: &str) -> String {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    if number.is_empty() || unit.is_empty() { text.to_owned() } else { format!("{number} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FieldType, Group};

    #[test]
    fn a_name_at_the_start_of_a_sentence_stays_as_it_is() {
        let names = Names(["orders_0", "checkout db", "a"].into());
        for (text, said) in [
            ("orders_0: partitions not read", "orders_0: partitions not read."),
            ("checkout db keeps its position", "checkout db keeps its position."),
            ("checkout of rows is not read", "Checkout of rows is not read."),
            ("a, b and c", "a, b and c."),
            ("at least once", "At least once."),
            ("orders_01 is another word.", "Orders_01 is another word."),
            ("", ""),
        ] {
            assert_eq!(names.sentence(text), said);
        }
    }

    #[test]
    fn a_word_of_the_document_is_said_with_its_acronyms_large() {
        for (word, said) in [
            ("api", "API"),
            ("state_ttl", "state TTL"),
            ("ttl_from", "TTL from"),
            ("retention_time", "retention time"),
            ("capital", "capital"),
        ] {
            assert_eq!(in_words(word), said);
        }
    }

    /// Every choice of every field is said as an architect says it: no underscore, no cut word, no two alike.
    #[test]
    fn every_word_of_every_list_is_said() {
        // Short words and names that are what people say.
        const PLAIN: [&str; 12] = ["0", "1", "all", "no", "yes", "set", "sum", "low", "raw", "job", "lz4", "SQL"];
        let mut every: Vec<&str> = Vec::new();
        for field in Group::ALL.iter().flat_map(|group| group.fields()) {
            let FieldType::Words(words) = field.row().ty else { continue };
            let choices: Vec<String> = words.iter().map(|word| said(word)).collect();
            for (i, choice) in choices.iter().enumerate() {
                assert!(!choice.contains('_') && !choice.trim().is_empty(), "{}: {choice}", field.name());
                assert!(choice.len() > 3 || PLAIN.contains(&choice.as_str()), "{}: {choice} is no word", field.name());
                assert!(!choices[..i].contains(choice), "{}: {choice} stands twice", field.name());
            }
            every.extend(words);
        }
        assert!(every.len() > 200);
        let idle: Vec<_> = SAID.iter().filter(|(word, _)| !every.contains(word)).collect();
        assert!(idle.is_empty(), "nobody says {idle:?}");
        assert_eq!([said("rocksdb"), said("at_least_once"), said("avg")], ["RocksDB", "at least once", "average"]);
    }

    #[test]
    fn what_is_left_out_of_a_text_is_seen() {
        for (letters, short) in [(8, "Bücher 1"), (7, "Bücher…"), (1, "…"), (0, "…")] {
            assert_eq!(shortened("Bücher 1", letters), short);
        }
        assert_eq!(shortened("", 0), "");
    }

    #[test]
    fn one_is_one() {
        assert_eq!(counted_as(1, "batch", "batches"), "1 batch");
        assert_eq!(counted(2, "link"), "2 links");
        for (n, text) in [(1.0, "1 record"), (0.0, "0 records"), (1840.0, "1\u{2009}840 records"), (0.5, "0.5 records")]
        {
            assert_eq!(human::records(n), text);
        }
    }

    #[test]
    fn values_are_said_with_their_units() {
        for (value, text) in [
            (Value::Duration(Duration::from_secs(600)), "10 min"),
            (Value::Limit(Limit::Of(Duration::from_secs(604_800))), "7 d"),
            (Value::Limit(Limit::Unlimited), "unlimited"),
            (Value::SizeLimit(Limit::Of(Size::from_bytes(50 << 30))), "50 GiB"),
            (Value::Count(12), "12"),
            (Value::Word("delete"), "delete"),
        ] {
            assert_eq!(value.spoken(), text);
        }
    }
}
