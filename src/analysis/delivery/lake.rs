//! Upserts into table formats: which repeats a commit of files leaves as one row, and for whom.
//!
//! A write of a row deletes the older one of its key inside its partition (Apache Iceberg documentation, Flink Writes:
//! upsert mode, partition columns among the equality fields; Apache Hudi documentation, Indexing: non-global indexes
//! enforce keys within a partition). A merge matches against the table, not within its own batch (Delta Lake
//! documentation, Data deduplication when writing into Delta tables). Who reads the changes instead of the rows gets
//! each write (Hudi: incremental queries and read-optimized queries; Delta: change data feed).

use super::{hop::Examined, ledger::COPIES, state::State};
use crate::model::{Columns, key::sink};

/// Is it a table format, of which nobody stated otherwise when equal keys become one row?
pub(super) fn writes(hop: &mut Examined<'_, '_>, to: usize) -> bool {
    let entry = hop.graph.nodes[to].entry;
    let table = entry.is_some_and(|entry| matches!(entry.id, "iceberg" | "delta" | "hudi"));
    table && hop.peek(hop.graph.node_place(to), sink::COLLAPSE).is_none()
}

/// An upsert by its only writer, by a key that is stable.
pub(super) fn upsert(hop: &mut Examined<'_, '_>, state: &mut State, to: usize, key: &Columns) {
    if !state.copies.iter().any(|copy| copy.key) {
        return;
    }
    let merge = hop.graph.nodes[to].entry.is_some_and(|entry| entry.id == "delta");
    if !merge {
        let place = hop.graph.node_place(to);
        let Some(within) = hop.need(state, place, sink::COLLAPSE_WITHIN, COPIES) else { return };
        if within.0.iter().any(|column| !key.0.contains(column)) {
            hop.row
                .remarks
                .push("none: equal keys become one row only inside one partition, which the key does not name");
            return;
        }
    }
    // A batch that is run again meets its own rows; a single copy can come in the batch of the first one.
    let mut apart = false;
    for copy in state.copies.iter_mut().filter(|copy| copy.key) {
        if !merge || copy.own && !copy.isolated {
            copy.uncollapsed = true;
        } else {
            apart = true;
        }
    }
    hop.row.remarks.push("equal keys are one row to who reads the table, not to who reads its changes");
    if apart {
        hop.row.remarks.push("two in one batch are both inserted");
    }
}
