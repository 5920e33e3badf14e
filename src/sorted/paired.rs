//! Two maps side by side.

use super::SortedMap;
use std::cmp::Ordering;

/// Walks two maps in the order of their keys: each key with what stands under it in the one and in the other.
pub fn paired<'a, K: Ord, V>(
    one: &'a SortedMap<K, V>,
    other: &'a SortedMap<K, V>,
    mut each: impl FnMut(&'a K, Option<&'a V>, Option<&'a V>),
) {
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            // Equal keys are the rule, and told apart more quickly than their order is.
            (Some((a, _)), Some((b, _))) if a == b => Ordering::Equal,
            (Some((a, _)), Some((b, _))) => a.cmp(b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => break,
        };
        let first = if order.is_le() { left.next() } else { None };
        let second = if order.is_ge() { right.next() } else { None };
        if let Some((key, _)) = first.or(second) {
            each(key, first.map(|(_, value)| value), second.map(|(_, value)| value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_of_either_map_comes_once_with_both_values() {
        let one = SortedMap::from([(1, 'a'), (2, 'b'), (5, 'e')]);
        let other = SortedMap::from([(2, 'B'), (3, 'C')]);
        let mut seen = Vec::new();
        paired(&one, &other, |key, a, b| seen.push((*key, a.copied(), b.copied())));
        let expected = [(1, Some('a'), None), (2, Some('b'), Some('B')), (3, None, Some('C')), (5, Some('e'), None)];
        assert_eq!(seen, expected);
    }
}
