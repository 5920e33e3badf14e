//! The steps inside a node, as functions of one record and a state.
//!
//! A window that has closed is purged by Flink (`WindowOperator.clearAllState` at its cleanup time) and kept by Kafka
//! Streams until its retention is over, where only the buffer of `suppress` is emptied (KIP-328: Ability to suppress
//! updates for `KTables`). The end of the window is read like a record behind the last one.

use super::{
    budget::Bounds,
    item::{EVENTS, Item, What},
    path::Operator,
};
use std::hash::{Hash, Hasher};

/// What the operators of a node remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Memory {
    /// Ids that were seen, a bit each.
    pub seen: u32,
    /// The value.
    pub n: u8,
    /// Different contents in the window, a bit each.
    pub set: u8,
    /// Is there a result that the window has not given out?
    pub open: bool,
    /// Was a window closed and purged?
    pub closed: bool,
    /// Does it lack something that it once had?
    pub forgot: bool,
}

impl Hash for Memory {
    /// In one go: it is part of every state.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let flags = u8::from(self.open) | u8::from(self.closed) << 1 | u8::from(self.forgot) << 2;
        let rest = u32::from_le_bytes([self.n, self.set, flags, 0]);
        state.write_u64(u64::from(self.seen) << 32 | u64::from(rest));
    }
}

impl Memory {
    /// After a restart that forgets it and reads on from this position: from the start, it lacks nothing.
    pub fn forgotten(self, position: u8) -> Self {
        if position == 0 {
            return Self::default();
        }
        let held = self.n > 0 || self.set > 0 || self.open || self.closed || self.forgot;
        Self { forgot: held, ..Self::default() }
    }

    /// After the time-to-live of what it saw, where it saw something and that may happen.
    pub fn expired(self, left: Bounds) -> Option<(Self, Bounds)> {
        (self.seen != 0).then_some(Self { seen: 0, ..self }).zip(left.expiry())
    }

    /// Has this id been seen?
    pub const fn knows(self, id: u8) -> bool {
        self.seen & bit(id) != 0
    }
}

/// The bit of an id.
pub(super) const fn bit(id: u8) -> u32 {
    1_u32.wrapping_shl(id as u32)
}

/// Is there a value behind marks? By its own key it is another task than they are, or another store.
pub(super) fn apart(operators: &[Operator]) -> bool {
    let marks = operators.iter().position(|operator| *operator == Operator::Deduplicate);
    marks.is_some_and(|marks| operators.iter().skip(marks).any(|operator| operator.aggregates()))
}

/// Do these operators hold a window, so that its end is read too?
pub(super) fn windowed(operators: &[Operator]) -> bool {
    operators.iter().any(|operator| matches!(operator, Operator::CountWindow | Operator::DistinctWindow))
}

/// Runs one record, or the end of the window (`None`), through the operators; `fresh` ids were made anew
/// before. `keeps` closed windows?
pub(super) fn run(
    operators: &[Operator],
    memory: &mut Memory,
    fresh: u8,
    keeps: bool,
    (offset, item): (u8, Option<Item>),
) -> Option<Item> {
    let mut item = item;
    let closes = item.is_none();
    for operator in operators {
        item = match (operator, item) {
            // Marks belong to the consumer that keeps them.
            (Operator::Map | Operator::MarkBefore | Operator::MarkAfter | Operator::MarkWith, item) => item,
            (Operator::NewId, Some(item)) => Some(Item { id: EVENTS.saturating_add(fresh), ..item }),
            (Operator::Deduplicate, Some(item)) => {
                if memory.knows(item.id) {
                    return None;
                }
                memory.seen |= bit(item.id);
                Some(item)
            }
            (Operator::CountWindow | Operator::DistinctWindow, item) => {
                return window(*operator, memory, keeps, item, closes);
            }
            (_, Some(item)) => Some(aggregate(*operator, memory, offset, item)),
            (_, None) => None,
        };
    }
    item
}

fn result(memory: &Memory, by: u8) -> Item {
    Item { what: What::Value { n: memory.n, by, forgot: memory.forgot }, id: 0 }
}

fn aggregate(operator: Operator, memory: &mut Memory, offset: u8, item: Item) -> Item {
    let version = item.version();
    let event = version.saturating_sub(1);
    let by;
    (memory.n, by) = match operator {
        Operator::Last => (version, event),
        Operator::Max => (memory.n.max(version), event),
        Operator::MaxFalling => (memory.n.max(EVENTS + 1 - version), event),
        // A repeated event is another one for a count.
        _ => (memory.n.saturating_add(1), offset.saturating_add(EVENTS + 1)),
    };
    let mut result = result(memory, by);
    if let (Operator::Last, What::Value { forgot, .. }) = (operator, &mut result.what) {
        // The last value lacks nothing.
        *forgot = false;
    }
    result
}

fn window(operator: Operator, memory: &mut Memory, keeps: bool, item: Option<Item>, closes: bool) -> Option<Item> {
    if let Some(item) = item {
        memory.open = true;
        memory.forgot |= memory.closed;
        memory.set |= 1_u8.wrapping_shl(u32::from(item.version()));
        memory.n = match operator {
            Operator::DistinctWindow => u8::try_from(memory.set.count_ones()).unwrap_or(u8::MAX),
            _ => memory.n.saturating_add(1),
        };
        return None;
    }
    if !closes || !memory.open {
        return None;
    }
    let result = result(memory, EVENTS);
    memory.open = false;
    if !keeps {
        (memory.n, memory.set, memory.closed) = (0, 0, true);
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purged_window_opens_again_with_less() {
        let mut memory = Memory::default();
        let mut read = |keeps: bool, item: Option<Item>| {
            run(&[Operator::CountWindow], &mut memory, 0, keeps, (0, item)).map(|item| item.what)
        };
        let result = |n: u8, forgot: bool| Some(What::Value { n, by: EVENTS, forgot });
        assert_eq!(read(false, Some(Item::event(0))), None);
        assert_eq!(read(false, Some(Item::event(1))), None);
        assert_eq!(read(false, None), result(2, false));
        assert_eq!(read(false, Some(Item::event(1))), None);
        assert_eq!(read(false, None), result(1, true));
    }

    #[test]
    fn a_new_id_hides_a_copy_from_a_de_duplication_behind_it() {
        let mut memory = Memory::default();
        let operators = [Operator::NewId, Operator::Deduplicate];
        let first = run(&operators, &mut memory, 0, false, (0, Some(Item::event(0))));
        let again = run(&operators, &mut memory, 1, false, (1, Some(Item::event(0))));
        assert_eq!((first.map(|item| item.id), again.map(|item| item.id)), (Some(EVENTS), Some(EVENTS + 1)));
    }
}
