//! How much a design may hold, and which texts are legal where.
//!
//! The bounds keep every later step cheap: whatever passes the door can be laid out, analysed and linked.

use super::value::Text;

/// Most bytes of a document: 4 MiB. 2,000 elements with all that is read of them are half a MiB to one; what an edit is held
/// against (`Design::size_bound`) counts up to four times as much.
pub const MAX_BYTES: usize = 4 << 20;
/// Most elements of a design.
pub const MAX_ELEMENTS: usize = 2000;
/// Most links of a design.
pub const MAX_LINKS: usize = 6000;
/// Most evidence entries of a design.
pub const MAX_EVIDENCE: usize = 500;
/// Furthest coordinate on the canvas, both ways; also the largest width and height.
pub const MAX_COORDINATE: i32 = 1_000_000;
/// Most points of a drawn route.
pub const MAX_ROUTE_POINTS: usize = 100;
/// Most texts of a list and most columns, keys or statistics of one value.
pub const MAX_ITEMS: usize = 10_000;

/// Largest plain number of a setting, both ways: 10^15. Beyond it a factor or a sum is a slip of the pen.
pub const MAX_NUMBER: f64 = 1e15;

/// A place for text, with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// A name, a role, an owner: at most 200 characters.
    Name,
    /// A remark, a question, a command: at most 4 000 characters.
    Long,
    /// A text setting, a column name, a product key: at most 500 characters.
    Setting,
    /// A catalogue id: a small letter, then small letters, digits and `_`, at most 40 characters.
    System,
    /// An id or a path such as `orders.retention_time`: at most 120 characters, no spaces.
    Path,
}

impl TextKind {
    /// Most characters.
    #[must_use]
    pub const fn max(self) -> usize {
        match self {
            Self::Name => 200,
            Self::Long => 4000,
            Self::Setting => 500,
            Self::System => 40,
            Self::Path => 120,
        }
    }

    /// Is it a character that nobody sees, and that breaks a line or turns the direction of writing? Longer texts may have
    /// lines and tabs.
    fn strays(self, c: char) -> bool {
        let breaks = matches!(c, '\n' | '\r' | '\t') && matches!(self, Self::Long | Self::Setting);
        (c.is_control() && !breaks) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    }

    /// The text, or why it is not legal here.
    pub fn check(self, text: &str) -> Result<Text, String> {
        if text.is_empty() {
            return Err("is empty; leave it out instead".to_owned());
        }
        let length = text.chars().count();
        if length > self.max() {
            return Err(format!("is {length} characters long; at most {} are kept", self.max()));
        }
        if let Some(c) = text.chars().find(|c| self.strays(*c)) {
            return Err(format!("holds the control character U+{:04X}; take it out", u32::from(c)));
        }
        let legal = match self {
            Self::Name | Self::Long | Self::Setting => true,
            Self::System => {
                text.starts_with(|c: char| c.is_ascii_lowercase())
                    && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
            }
            Self::Path => !text.contains(char::is_whitespace),
        };
        match (legal, self) {
            (true, _) => Ok(text.into()),
            (false, Self::System) => {
                Err(format!("{text:?} is not a catalogue id: small letters, digits and _, a letter first"))
            }
            (false, _) => Err(format!("{text:?} is not an id or a path such as orders.retention_time")),
        }
    }
}

/// The candidate that a mistyped name most likely means, where one is close enough.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > 80 {
        return None;
    }
    let name = name.to_ascii_lowercase().replace(['-', '.', ' '], "_");
    let allowed = 1 + name.len() / 4;
    candidates
        .into_iter()
        .map(|candidate| (distance(&name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions and replacements between two names, by character.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (up, y) in row.iter().skip(1).zip(&b) {
            left = (diagonal + usize::from(x != *y)).min(left + 1).min(up + 1);
            diagonal = *up;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_checked_by_their_place() {
        assert!(TextKind::Name.check("").is_err());
        assert!(TextKind::Name.check(&"é".repeat(200)).is_ok());
        assert!(TextKind::Name.check(&"é".repeat(201)).is_err());
        assert!(TextKind::System.check("kafka_connect").is_ok());
        assert!(TextKind::System.check("Kafka").is_err());
        assert!(TextKind::Path.check("orders.retention time").is_err());
        for text in ["a\u{1}", "a\nb", "\u{202e}abc", "a\u{85}"] {
            assert!(TextKind::Name.check(text).unwrap_err().contains("U+"), "{text:?}");
        }
        assert!(TextKind::Long.check("two\nlines\tand a tab").is_ok());
        assert!(TextKind::Long.check("a\u{0}").is_err());
    }

    #[test]
    fn the_nearest_name_is_offered() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(nearest("retention_tme", ["retention_time", "retention_size"]), Some("retention_time"));
        assert_eq!(nearest("Retention.Time", ["retention_time", "retention_size"]), Some("retention_time"));
        assert_eq!(nearest("zebra", ["retention_time"]), None);
    }
}
