//! What readers of the results see: one that appends, one that upserts.

use super::outcome::{AppendReader, At, Change, Emission, Latest, Readers, Span};
use crate::sorted;

/// What tells rows apart: stage, key, window, joined records, the record itself.
type Identity<'a> = (u8, Option<&'a str>, Option<Span>, Option<[Option<usize>; 2]>, Option<usize>);

/// Reads what left the job before the end of the input. `by_record`: rows are passed through and have no key of their own.
pub(super) fn read(emissions: &[Emission], by_record: bool) -> Readers {
    let mut append = AppendReader::default();
    let mut rows: Vec<(Identity, &Emission)> = Vec::new();
    for emission in emissions.iter().filter(|emission| emission.leaves && emission.at != At::End) {
        let row = &emission.row;
        append.rows += 1;
        match emission.change {
            Change::Insert | Change::UpdateAfter | Change::Upsert => {
                append.adding = append.adding.saturating_add(row.count);
                append.adding_sum = append.adding_sum.saturating_add(row.sum);
                append.retracting = append.retracting.saturating_add(row.count);
            }
            Change::UpdateBefore | Change::Delete => {
                append.retracting = append.retracting.saturating_sub(row.count);
            }
            // Its value is null: who adds, adds nothing.
            Change::Tombstone => {}
        }
        if emission.change != Change::UpdateBefore {
            let event = row.events.first().copied().filter(|_| by_record);
            rows.push(((emission.stage, row.key.as_deref(), row.window, row.pair, event), emission));
        }
    }
    // A stable sort: the last of each identity is the last that was sent.
    sorted::sort_by(&mut rows, |(a, _), (b, _)| a.cmp(b));
    let last = rows.iter().enumerate().filter(|(at, (own, _))| rows.get(at + 1).is_none_or(|(next, _)| next != own));
    let there = last.filter(|(_, (_, emission))| !matches!(emission.change, Change::Delete | Change::Tombstone));
    let upsert = there.map(|(_, ((stage, key, window, pair, event), emission))| Latest {
        stage: *stage,
        key: key.map(str::to_owned),
        window: *window,
        pair: *pair,
        event: *event,
        count: emission.row.count,
        sum: emission.row.sum,
    });
    Readers { append, upsert: upsert.collect() }
}
