//! The links at each element.

use crate::sorted;
use std::cmp::Ordering;

/// Numbers of links by number of an element.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    ends: Vec<usize>,
    links: Vec<usize>,
}

impl Lists {
    /// Of `count` elements, from the element of each link; at an element, in the order of the links.
    pub(crate) fn of(count: usize, elements: &[usize]) -> Self {
        let mut ends = vec![0; count + 1];
        for element in elements {
            ends[*element + 1] += 1;
        }
        for at in 0..count {
            ends[at + 1] += ends[at];
        }
        let (mut next, mut links) = (ends.clone(), vec![0; elements.len()]);
        for (link, element) in elements.iter().enumerate() {
            links[next[*element]] = link;
            next[*element] += 1;
        }
        Self { ends, links }
    }

    /// Puts those at each element into another order; equal ones keep theirs.
    pub(crate) fn arrange(&mut self, compare: impl Fn(usize, usize) -> Ordering) {
        for ends in self.ends.windows(2) {
            if ends[1] - ends[0] > 1 {
                sorted::sort_by(&mut self.links[ends[0]..ends[1]], |a, b| compare(*a, *b));
            }
        }
    }

    /// Those at an element.
    #[inline]
    pub(crate) fn at(&self, element: usize) -> &[usize] {
        &self.links[self.ends[element]..self.ends[element + 1]]
    }
}
