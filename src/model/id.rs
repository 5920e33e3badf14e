//! Identifiers: one namespace for everything a design holds.

use std::{
    cmp::Ordering,
    fmt,
    hash::{BuildHasherDefault, Hash, Hasher},
    sync::Arc,
};

/// Longest legal id, in characters.
pub const MAX_ID_LENGTH: usize = 40;

/// The name of one thing in a design: `[a-z][a-z0-9_-]{0,39}`. It never changes and is never reused.
///
/// Ids sort as people read them: `l2` stands before `l10`.
#[derive(Clone)]
pub struct Id(Arc<Parts>);

/// What an id is made of, behind one pointer: a report holds ids by the ten thousand, in every fact and figure.
struct Parts {
    text: Box<str>,
    /// The beginning of the id in a form that sorts by its bytes; see [`prefix`].
    prefix: (u64, u64),
    hash: u64,
}

/// A text that is not a legal id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an id: it needs a small letter first, then small letters, digits, _ or -, at most 40 in all")]
pub struct IdError(pub String);

impl Id {
    /// Reads an id; refuses anything that is not `[a-z][a-z0-9_-]{0,39}`.
    pub fn new(text: &str) -> Result<Self, IdError> {
        let mut bytes = text.bytes();
        let head = bytes.next().is_some_and(|b| b.is_ascii_lowercase());
        let tail = bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-');
        if head && tail && text.len() <= MAX_ID_LENGTH { Ok(Self::of(text)) } else { Err(IdError(text.to_owned())) }
    }

    /// The id that a name suggests: its letters and digits in small, joined by `_`; `fallback` where none is left.
    /// Not yet made unique: see [`crate::model::Design::fresh_id`].
    #[must_use]
    pub fn slug(name: &str, fallback: &str) -> Self {
        let mut slug = String::new();
        for c in name.chars() {
            let c = c.to_ascii_lowercase();
            if c.is_ascii_lowercase() || (c.is_ascii_digit() && !slug.is_empty()) {
                slug.push(c);
            } else if !slug.is_empty() && !slug.ends_with('_') {
                slug.push('_');
            }
        }
        slug.truncate(MAX_ID_LENGTH - 8);
        let slug = slug.trim_end_matches('_');
        Self::of(if slug.is_empty() { fallback } else { slug })
    }

    fn of(text: &str) -> Self {
        let mut hasher = Fnv::default();
        hasher.write(text.as_bytes());
        Self(Arc::new(Parts { text: text.into(), prefix: prefix(text), hash: hasher.finish() }))
    }

    /// What its text hashes to.
    #[inline]
    pub(super) fn hashed(&self) -> u64 {
        self.0.hash
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0.text
    }
}

/// The first 16 bytes of an id with each number written as its length, then its digits, so that they sort as [`natural`]
/// does. Ids are compared all the time: where these bytes differ, they decide.
fn prefix(text: &str) -> (u64, u64) {
    let mut bytes = Vec::with_capacity(2 * MAX_ID_LENGTH);
    let mut rest = text.as_bytes();
    while let Some(first) = rest.first() {
        let run = rest.iter().take_while(|c| c.is_ascii_digit()).count();
        if run == 0 {
            bytes.push(*first);
            rest = &rest[1..];
            continue;
        }
        let (digits, after) = rest.split_at(run);
        let zeros = digits.iter().take_while(|c| **c == b'0').count();
        // A length sorts among other characters as a digit does: there is none of them between `0` and `_`.
        bytes.push(b'0' + u8::try_from(run - zeros).unwrap_or(u8::MAX).min(b'_' - b'0' - 1));
        bytes.extend_from_slice(&digits[zeros..]);
        rest = after;
    }
    bytes.resize(16, 0);
    let half = |at: usize| bytes[at..at + 8].iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
    (half(0), half(8))
}

/// How maps by id hash that are only looked up in.
pub(crate) type Hashed = BuildHasherDefault<Fnv>;

/// FNV-1a: ids are short, and no input of one design can make it worse than slow for that design.
#[derive(Clone, Debug)]
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = (self.0 ^ hash).wrapping_mul(0x0100_0000_01b3);
    }
}

/// Compares as people read: runs of digits by their number, everything else by character.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    // What both begin with says nothing, except for a run of digits that goes on.
    let mut same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    while same > 0 && a[same - 1].is_ascii_digit() {
        same -= 1;
    }
    (a, b) = (&a[same..], &b[same..]);
    while let Some(at) = a.iter().zip(b).position(|(x, y)| x != y) {
        // The runs of digits that hold the first difference start where the digits before it do.
        let head = a[..at].iter().rev().take_while(|c| c.is_ascii_digit()).count();
        let (x, y) = (&a[at - head..], &b[at - head..]);
        let run = |s: &[u8]| s.iter().take_while(|c| c.is_ascii_digit()).count();
        let (n, m) = (run(x), run(y));
        if n == 0 || m == 0 || (n == head && m == head) {
            return a[at].cmp(&b[at]);
        }
        let strip = |s: &[u8]| s.iter().position(|c| *c != b'0').unwrap_or(s.len());
        let (p, q) = (&x[strip(&x[..n])..n], &y[strip(&y[..m])..m]);
        match p.len().cmp(&q.len()).then_with(|| p.cmp(q)) {
            Ordering::Equal => (a, b) = (&x[n..], &y[m..]),
            other => return other,
        }
    }
    a.len().cmp(&b.len())
}

impl Ord for Id {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (&*self.0, &*other.0);
        if a.prefix != b.prefix {
            return a.prefix.cmp(&b.prefix);
        }
        if Arc::ptr_eq(&self.0, &other.0) || a.text == b.text {
            return Ordering::Equal;
        }
        natural(&a.text, &b.text).then_with(|| a.text.cmp(&b.text))
    }
}

impl PartialEq for Id {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.hash == other.0.hash && self.0.text == other.0.text)
    }
}

impl Eq for Id {}

impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Id {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_the_numbers_in_them() {
        let mut ids: Vec<Id> = ["l10", "l2", "l1", "e1", "l02"].iter().map(|t| Id::new(t).unwrap()).collect();
        ids.sort();
        assert_eq!(ids.iter().map(Id::as_str).collect::<Vec<_>>(), ["e1", "l1", "l02", "l2", "l10"]);
    }

    /// The order walks by runs, as the plain definition of it does.
    #[test]
    fn the_order_is_that_of_runs() {
        fn runs(text: &str) -> Vec<(bool, u128, String)> {
            let mut runs: Vec<(bool, u128, String)> = Vec::new();
            for c in text.chars() {
                match runs.last_mut() {
                    Some((true, n, _)) if c.is_ascii_digit() => *n = *n * 10 + u128::from(c as u8 - b'0'),
                    _ if c.is_ascii_digit() => runs.push((true, u128::from(c as u8 - b'0'), String::new())),
                    _ => runs.push((false, 0, c.to_string())),
                }
            }
            runs
        }
        let texts = [
            "a",
            "a0",
            "a00",
            "a01",
            "a1",
            "a1b",
            "a1b2",
            "a1b10",
            "a10",
            "a2",
            "a-1",
            "a_1",
            "ab",
            "b1c01",
            "b1c1",
            "b01c2",
            "a_name_of_some_length_1",
            "a_name_of_some_length_02",
            "a_name_of_some_length_2",
            "a1234567890123456789012345678901",
            "a1234567890123456789012345678900",
            "a9-1",
            "a9_1",
            "a99-1",
        ];
        for a in texts {
            for b in texts {
                let (x, y) = (runs(a), runs(b));
                let mut plain = Ordering::Equal;
                for (p, q) in x.iter().zip(&y) {
                    plain = plain.then_with(|| match (p.0, q.0) {
                        (true, true) => p.1.cmp(&q.1),
                        (false, false) => p.2.cmp(&q.2),
                        (true, false) => "0".cmp(q.2.as_str()),
                        (false, true) => p.2.as_str().cmp("0"),
                    });
                }
                plain = plain.then_with(|| x.len().cmp(&y.len()));
                if plain != Ordering::Equal {
                    assert_eq!(natural(a, b), plain, "{a} {b}");
                }
                let whole = natural(a, b).then_with(|| a.cmp(b));
                assert_eq!(Id::of(a).cmp(&Id::of(b)), whole, "{a} {b}");
            }
        }
    }

    #[test]
    fn illegal_ids_are_refused() {
        for text in ["", "1a", "A", "a b", "ä", &"a".repeat(41)] {
            assert!(Id::new(text).is_err(), "{text:?}");
        }
        assert!(Id::new(&"a".repeat(40)).is_ok());
    }

    #[test]
    fn a_name_becomes_a_slug() {
        assert_eq!(Id::slug("Revenue board (EU)", "x").as_str(), "revenue_board_eu");
        assert_eq!(Id::slug("2024 ÄÖ", "consumer").as_str(), "consumer");
    }
}
