//! What differs between two states of a document, line by line of its Markdown: a paragraph, a row of a table, an item of
//! a list is one line each.

/// Beyond so many pairs of lines the middle is taken as a whole: removed, then added.
const MOST_PAIRS: usize = 4_000_000;

/// One difference, under the heading that it stands below; empty before the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The heading.
    pub under: String,
    /// Does the line stand in the later state only, or in the earlier one only?
    pub added: bool,
    /// The line.
    pub line: String,
}

/// The differences in the order of the later state; at one place, what is gone comes before what is new.
#[must_use]
pub fn changes(before: &str, after: &str) -> Vec<Change> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let old_middle = old_rest.get(..old_rest.len() - tail).unwrap_or_default();
    let new_middle = new_rest.get(..new_rest.len() - tail).unwrap_or_default();
    let mut under = new.iter().take(head).rev().find(|line| line.starts_with('#')).copied().unwrap_or_default();
    let mut all = Vec::new();
    for (line, stands) in steps(old_middle, new_middle) {
        if stands != Stands::Before && line.starts_with('#') {
            under = line;
        }
        if stands != Stands::Both && !line.trim().is_empty() {
            let under = under.trim_start_matches('#').trim().to_owned();
            all.push(Change { under, added: stands == Stands::After, line: line.to_owned() });
        }
    }
    all
}

/// In which state a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    Before,
    After,
    Both,
}

/// The lines of both in order, by a longest common subsequence.
fn steps<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(&'a str, Stands)> {
    let gone = old.iter().map(|line| (*line, Stands::Before));
    let come = new.iter().map(|line| (*line, Stands::After));
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        return gone.chain(come).collect();
    }
    let width = new.len() + 1;
    // How many lines the two have in common from here on.
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i * width + j] = if old[i] == new[j] {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut all) = (0, 0, Vec::with_capacity(old.len() + new.len()));
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            all.push((old[i], Stands::Both));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[(i + 1) * width + j] >= common[i * width + j + 1]) {
            all.push((old[i], Stands::Before));
            i += 1;
        } else {
            all.push((new[j], Stands::After));
            j += 1;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_changed_row_is_gone_and_new_under_its_heading() {
        let before = "# Design\n\n## Keys\n\n| orders | 12 |\n| late | 3 |\n\n## Rest\n\nSame.\n";
        let after = "# Design\n\n## Keys\n\n| orders | 24 |\n| late | 3 |\n\n## Rest\n\nSame.\nMore.\n";
        let change = |under: &str, added, line: &str| Change { under: under.into(), added, line: line.into() };
        assert_eq!(
            changes(before, after),
            [
                change("Keys", false, "| orders | 12 |"),
                change("Keys", true, "| orders | 24 |"),
                change("Rest", true, "More.")
            ]
        );
        assert_eq!(changes(after, after), []);
        assert_eq!(changes("", "New.\n"), [change("", true, "New.")]);
    }

    proptest! {
        #[test]
        fn what_is_new_and_what_stayed_is_the_later_state(old in prop::collection::vec("[ab]{1,2}", 0..12), new in prop::collection::vec("[ab]{1,2}", 0..12)) {
            let (old, new): (Vec<&str>, Vec<&str>) = (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
            let all = steps(&old, &new);
            let side = |without| all.iter().filter(|(_, s)| *s != without).map(|(line, _)| *line).collect::<Vec<_>>();
            prop_assert_eq!(side(Stands::Before), new);
            prop_assert_eq!(side(Stands::After), old);
        }
    }
}
