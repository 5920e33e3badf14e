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

/// What a run from the start of a word counts beside letters that are strewn about: no sum of theirs comes to it.
const WORD: i32 = 10_000;

/// Finds `query` in `text` as a subsequence, without case. What is typed in one run from the start of a word comes
/// before all else, whole words and the start of the text first; then a run of letters and the starts of words count
/// for more. An empty query matches everything alike.
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
        let last = at.last().map_or(first, |last| last + 1);
        let run = folded.get(first..last).is_some_and(|all| all.iter().filter(|c| !c.is_whitespace()).eq(query.iter()));
        if run && start(first) {
            let whole = folded.get(last).is_none_or(|c| !c.is_alphanumeric());
            score += WORD * (1 + 2 * i32::from(whole) + i32::from(first == 0));
        }
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

/// What is found for `query` under headings. What can be done comes before what cannot, under a heading and of the
/// headings themselves; then the better hit. Without a query all stays in its order.
pub fn grouped<T>(
    query: &str,
    items: impl IntoIterator<Item = T>,
    text: impl Fn(&T) -> String,
    group: impl Fn(&T) -> &str,
    enabled: impl Fn(&T) -> bool,
) -> Vec<(T, Hit)> {
    let mut hits = best(query, items, text);
    if !query.trim().is_empty() {
        sorted::sort_by_key(&mut hits, |(item, _)| !enabled(item));
    }
    // The place of a heading is that of its first entry.
    let mut headings: Vec<&str> = Vec::new();
    let places: Vec<usize> = hits
        .iter()
        .map(|(item, _)| {
            let of = group(item);
            headings.iter().position(|heading| *heading == of).unwrap_or_else(|| {
                headings.push(of);
                headings.len() - 1
            })
        })
        .collect();
    let mut placed: Vec<(usize, (T, Hit))> = places.into_iter().zip(hits).collect();
    sorted::sort_by_key(&mut placed, |(place, _)| *place);
    placed.into_iter().map(|(_, hit)| hit).collect()
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

    #[test]
    fn a_word_that_is_typed_comes_before_letters_that_are_strewn_about() {
        let names = ["Add the next element below", "Renew a lease", "Newest first", "A new start", "New design"];
        let found = best("new", names, |name| (*name).to_owned());
        assert_eq!(
            found.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            ["New design", "A new start", "Newest first", "Renew a lease", "Add the next element below"]
        );
        let found = best("new de", names, |name| (*name).to_owned());
        assert_eq!(found.first().map(|(name, _)| *name), Some("New design"));
    }

    #[test]
    fn what_cannot_be_done_comes_last_and_takes_its_heading_along() {
        let items = [
            ("For orders", "Next", false),
            ("Everywhere", "Renew", true),
            ("Everywhere", "New", false),
            ("Go to", "Newest", true),
        ];
        let names = |query: &str| {
            let found = grouped(query, items, |i| i.1.to_owned(), |i| i.0, |i| i.2);
            found.into_iter().map(|(item, _)| item.1).collect::<Vec<_>>()
        };
        assert_eq!(names("ne"), ["Newest", "Renew", "New", "Next"]);
        assert_eq!(names(" "), ["Next", "Renew", "New", "Newest"]);
    }
}
