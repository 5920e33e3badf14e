//! What a log does to a reader that is away or lags: retention, compaction, an election that gives offsets again; and
//! how long after the first one a copy can come when delays add up.
//!
//! Models of their own, beside the runs of a path: there time is no step.
//!
//! Sources: Apache Kafka documentation, Topic Configs (`retention.ms`, `cleanup.policy`, `min.compaction.lag.ms`,
//! `unclean.leader.election.enable`), Consumer Configs (`auto.offset.reset`), Design: Replication, Log Compaction.

use super::search::Known;

/// How many records the log gets, versions of one key.
const RECORDS: u8 = 3;

/// What the log does with old records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleaner {
    /// Deletes the oldest.
    Deletes,
    /// Keeps the newest of each key.
    Compacts,
}

/// What a reader does whose position is no longer there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// Goes on at the first record that is left.
    Earliest,
    /// Goes on behind the last one.
    Latest,
    /// Stops.
    Stop,
}

/// What a reader can get of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Got {
    /// It can miss a record, and nothing tells it.
    pub misses: bool,
    /// It can get one twice.
    pub repeats: bool,
    /// It can stop.
    pub stops: bool,
    /// The newest version can be missing in the end.
    pub last_is_old: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    written: u8,
    /// Which records are there, a bit each.
    there: u8,
    position: u8,
    /// Which ones the reader got.
    got: u8,
    repeated: bool,
    stopped: bool,
}

const fn bit(record: u8) -> u8 {
    1 << record
}

/// Everything that a reader can get; `away`: the cleaner can come to records that it has not read.
#[must_use]
pub fn read(cleaner: Cleaner, reset: Reset, away: bool) -> Got {
    let mut known: Known<State, ()> = Known::default();
    let mut work = vec![State { written: 0, there: 0, position: 0, got: 0, repeated: false, stopped: false }];
    let mut seen = Got::default();
    while let Some(state) = work.pop() {
        if known.insert(state, ()).is_some() {
            continue;
        }
        if state.stopped {
            seen.stops = true;
            continue;
        }
        if state.written == RECORDS && state.position == RECORDS {
            seen.misses |= state.got != bit(RECORDS) - 1;
            seen.repeats |= state.repeated;
            seen.last_is_old |= state.got & bit(RECORDS - 1) == 0;
        }
        if state.written < RECORDS {
            work.push(State { written: state.written + 1, there: state.there | bit(state.written), ..state });
        }
        let oldest = (0..state.written).find(|record| state.there & bit(*record) != 0);
        let newest = state.written.checked_sub(1);
        if let Some(oldest) = oldest
            && (away || oldest < state.position)
            && !(cleaner == Cleaner::Compacts && Some(oldest) == newest)
        {
            work.push(State { there: state.there & !bit(oldest), ..state });
        }
        if state.position < state.written {
            work.push(next(cleaner, reset, state));
        }
    }
    seen
}

/// The reader asks for its next record.
fn next(cleaner: Cleaner, reset: Reset, state: State) -> State {
    let left = (state.position..state.written).find(|record| state.there & bit(*record) != 0);
    // Offsets that compaction took out are passed over; those before the start of the log are out of range.
    let gap = left != Some(state.position) && cleaner == Cleaner::Deletes;
    match (gap, reset) {
        (true, Reset::Stop) => State { stopped: true, ..state },
        (true, Reset::Latest) => State { position: state.written, ..state },
        _ => match left {
            Some(record) => State {
                position: record + 1,
                got: state.got | bit(record),
                repeated: state.repeated || state.got & bit(record) != 0,
                ..state
            },
            None => State { position: state.written, ..state },
        },
    }
}

/// How a store knows a record by its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByOffset {
    /// A row whose offset is there is left alone.
    InsertIfAbsent,
    /// It is written over.
    Overwrite,
    /// The next offset stands with the rows.
    Position,
}

/// Two acknowledged records are stored up to any point; a replica that has any part of them leads, and a third record
/// follows. Can a record that is alive in the log be missing in the store, or a stored one be replaced by another?
#[must_use]
pub fn unclean_election(how: ByOffset) -> (bool, bool) {
    let (mut ignored, mut replaced) = (false, false);
    for stored in 0..=2_usize {
        for kept in 0..=2_usize {
            let mut rows: Vec<u8> = (0..2).take(stored).collect();
            let mut log: Vec<u8> = (0..2).take(kept).collect();
            log.push(2);
            let from =
                if how == ByOffset::InsertIfAbsent || how == ByOffset::Position { stored } else { kept.min(stored) };
            for (offset, record) in log.iter().enumerate().skip(from) {
                match rows.get_mut(offset) {
                    Some(row) if how == ByOffset::Overwrite => {
                        replaced |= row != record;
                        *row = *record;
                    }
                    Some(_) => {}
                    None => rows.push(*record),
                }
            }
            ignored |= log.iter().any(|record| !rows.contains(record));
        }
    }
    (ignored, replaced)
}

/// Can a copy pass a de-duplication that keeps an id for `ttl` by the clock of its machine? Each of `delays` can hold a
/// copy back by up to so much; times in whole units.
#[must_use]
pub fn passes(ttl: u32, delays: &[u32]) -> bool {
    match delays {
        [] => ttl == 0,
        [delay, rest @ ..] => (0..=*delay).any(|held| passes(ttl.saturating_sub(held), rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_is_away_longer_than_retention() {
        let gap = |reset| read(Cleaner::Deletes, reset, true);
        let nothing = Got::default();
        assert_eq!(gap(Reset::Earliest), Got { misses: true, last_is_old: true, ..nothing });
        assert_eq!(gap(Reset::Latest), Got { misses: true, last_is_old: true, ..nothing });
        assert_eq!(gap(Reset::Stop), Got { stops: true, ..nothing });
        assert_eq!(read(Cleaner::Deletes, Reset::Earliest, false), nothing);
    }

    #[test]
    fn a_reader_that_lags_behind_a_cleaner_misses_versions_and_not_the_last() {
        assert_eq!(read(Cleaner::Compacts, Reset::Earliest, true), Got { misses: true, ..Got::default() });
        assert_eq!(read(Cleaner::Compacts, Reset::Earliest, false), Got::default());
    }

    #[test]
    fn offsets_that_are_given_again_hide_records_that_are_alive() {
        assert_eq!(unclean_election(ByOffset::InsertIfAbsent), (true, false));
        assert_eq!(unclean_election(ByOffset::Overwrite), (false, true));
        assert_eq!(unclean_election(ByOffset::Position), (true, false));
    }

    #[test]
    fn delays_add_up() {
        assert!(!passes(8, &[6]));
        assert!(passes(8, &[6, 6]));
        assert!(passes(12, &[6, 6]), "one that comes exactly then passes");
        assert!(!passes(13, &[6, 6]));
    }
}
