//! What readers of the results see: one that appends, one that upserts.

use super::outcome::{Change, Emission, Latest, Readers, Span};
use super::{AppendReader, At};
use crate::sorted::SortedMap;

type Identity = (u8, Option<String>, Option<Span>, Option<[Option<usize>; 2]>, Option<usize>);

/// Reads what left the job before the end of the input. `by_record`: rows are passed through and have no key of their own.
pub(super) fn read(emissions: &[Emission], by_record: bool) -> Readers {
    let mut append = AppendReader::default();
    let mut latest: SortedMap<Identity, (i64, i64)> = SortedMap::new();
    for emission in emissions.iter().filter(|emission| emission.leaves && emission.at != At::End) {
        let row = &emission.row;
        append.rows += 1;
        let event = row.events.first().copied().filter(|_| by_record);
        let identity = (emission.stage, row.key.clone(), row.window, row.pair, event);
        match emission.change {
            Change::Insert | Change::UpdateAfter | Change::Upsert => {
                append.adding = append.adding.saturating_add(row.count);
                append.adding_sum = append.adding_sum.saturating_add(row.sum);
                append.retracting = append.retracting.saturating_add(row.count);
                latest.insert(identity, (row.count, row.sum));
            }
            Change::UpdateBefore => append.retracting = append.retracting.saturating_sub(row.count),
            Change::Delete => {
                append.retracting = append.retracting.saturating_sub(row.count);
                latest.remove(&identity);
            }
            // Its value is null: who adds, adds nothing.
            Change::Tombstone => {
                latest.remove(&identity);
            }
        }
    }
    let upsert = latest.into_iter().map(|((stage, key, window, pair, event), (count, sum))| Latest {
        stage,
        key,
        window,
        pair,
        event,
        count,
        sum,
    });
    Readers { append, upsert: upsert.collect() }
}
