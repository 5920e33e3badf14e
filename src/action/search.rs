//! Finding commands and elements by a few letters of their names.

use crate::sorted;

/// How well a text matches, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Higher is better.
    pub score: i32,
    /// Character positions that matched, ascending.
    pub at: Vec<usize>,
}

/// Finds `query` in `text` as a subsequence, without case. A run of letters, the start of a word and the start of the
/// text count for more; an empty query matches everything alike.
#[must_use]
pub fn subsequence(query: &str, text: &str) -> Option<Hit> {
    let letters: Vec<char> = text.chars().collect();
    let folded: Vec<char> = letters.iter().map(|c| c.to_lowercase().next().unwrap_or(*c)).collect();
    let query: Vec<char> = query.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let start = |i: usize| i == 0 || letters.get(i - 1).is_some_and(|c| !c.is_alphanumeric());
    let follow = |first: usize| {
        let (mut at, mut score, mut from) = (Vec::with_capacity(query.len()), 0, first);
        for wanted in &query {
            let i = (from..folded.len()).find(|i| folded.get(*i) == Some(wanted))?;
            score += 1;
            score += if start(i) { 3 } else { 0 };
            score += if at.last().is_some_and(|last: &usize| last + 1 == i) { 4 } else { 0 };
            at.push(i);
            from = i + 1;
        }
        score += if at.first() == Some(&0) { 2 } else { 0 };
        Some(Hit { score, at })
    };
    let Some(first) = query.first() else { return Some(Hit { score: 0, at: Vec::new() }) };
    let starts = (0..folded.len()).filter(|i| folded.get(*i) == Some(first));
    starts.filter_map(follow).max_by_key(|hit| (hit.score, std::cmp::Reverse(hit.at.first().copied())))
}

/// The items whose text matches, best first; equals stay in their order.
pub fn best<T>(query: &str, items: impl IntoIterator<Item = T>, text: impl Fn(&T) -> String) -> Vec<(T, Hit)> {
    let mut hits: Vec<(T, Hit)> =
        items.into_iter().filter_map(|item| subsequence(query, &text(&item)).map(|hit| (item, hit))).collect();
    sorted::sort_by_key(&mut hits, |(_, hit)| std::cmp::Reverse(hit.score));
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_match_in_order() {
        assert_eq!(subsequence("rep", "Replay").map(|h| h.at), Some(vec![0, 1, 2]));
        assert_eq!(subsequence("gv", "Go to Verdict").map(|h| h.at), Some(vec![0, 6]));
        assert_eq!(subsequence("xyz", "Replay"), None);
        assert_eq!(subsequence("", "anything").map(|h| h.score), Some(0));
        assert!(subsequence("ÄÖ", "äö").is_some());
    }

    #[test]
    fn runs_and_word_starts_come_first() {
        let names = ["Drop the group", "Repeat", "Open replay"];
        let found = best("rep", names, |name| (*name).to_owned());
        assert_eq!(
            found.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            ["Repeat", "Open replay", "Drop the group"]
        );
    }
}
