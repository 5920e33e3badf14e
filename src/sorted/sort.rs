//! One stable sort for everything: it orders positions, and only the last step moves values.

use std::{cmp::Ordering, mem};

/// Sorts stably; equal values keep their order.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, Ord::cmp);
}

/// Sorts stably by a key.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts stably by a number, which is asked for once of each value.
pub fn sort_by_number<T>(items: &mut [T], number: impl Fn(&T) -> u64) {
    let order = numbered(items.iter().map(number).zip(0..).collect());
    apply(order, &mut |a, b| items.swap(a, b));
}

/// As [`order`], by numbers with their positions.
#[inline(never)]
fn numbered(mut numbers: Vec<(u64, usize)>) -> Vec<usize> {
    if numbers.is_sorted() {
        return Vec::new();
    }
    numbers.sort_unstable();
    numbers.into_iter().map(|(_, at)| at).collect()
}

/// Sorts stably by a comparison.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|a, b| compare(&items[a], &items[b]));
    apply(order, &mut |a, b| items.swap(a, b));
}

/// The positions of `len` values in their order; none where they stand in order already.
#[inline(never)]
pub(super) fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    if (1..len).all(|at| compare(at - 1, at).is_le()) {
        return Vec::new();
    }
    // Equal values are told apart by where they stood, which makes the result stable.
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
    order
}

/// The swaps that bring values to their positions: every cycle of the permutation is walked once.
#[inline(never)]
pub(super) fn apply(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let next = mem::replace(&mut order[at], at);
            if next == start {
                break;
            }
            swap(at, next);
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_and_keeps_equal_values_in_place() {
        let mut words = ["bb", "a", "cc", "b", "aa", "c"];
        sort_by_key(&mut words, |word| word.len());
        assert_eq!(words, ["a", "b", "c", "bb", "cc", "aa"]);
        sort(&mut words);
        assert_eq!(words, ["a", "aa", "b", "bb", "c", "cc"]);
        sort_by(&mut words, |a, b| b.cmp(a));
        assert_eq!(words, ["cc", "c", "bb", "b", "aa", "a"]);
    }

    #[test]
    fn every_order_of_five_is_sorted() {
        for mut code in 0..3125_usize {
            let mut digits: Vec<(usize, usize)> = Vec::new();
            for at in 0..5 {
                digits.push((code % 5, at));
                code /= 5;
            }
            let mut expected = digits.clone();
            expected.sort();
            let mut numbered = digits.clone();
            sort_by_key(&mut digits, |digit| digit.0);
            assert_eq!(digits, expected);
            sort_by_number(&mut numbered, |digit| digit.0 as u64);
            assert_eq!(numbered, expected);
        }
    }
}
