//! Writing into a store or calling an outside system: what a repeated write does to the row.

use super::{
    aggregate::history,
    hop::Examined,
    lake,
    ledger::{COPIES, ClaimKind, Found},
    read::bit,
    running::Running,
    state::{Instance, State, Tainted},
    step::columns,
    verdict::{Condition, CopyClass, HopPart, Transient, Variable},
    versions,
    write::{self, reused_offsets},
};
use crate::{
    analysis::{
        explain::{Explained, Unit},
        graph::Place,
    },
    catalog,
    model::{
        Columns, Element, Keys, Known, Step,
        key::{channel, event, operator, sink, store, write as written},
        units::{Limit, human},
        words::{Collapse, OutputCommit, Rotation, WriteMode},
    },
};

/// What the key of a write stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Identity {
    /// One event: rows never change.
    Event,
    /// An entity or a result: later rows replace earlier ones.
    Entity,
    /// The place of a record in the log.
    Coordinates,
    /// A new one for every write.
    Random,
}

/// Examines the write into the sink at the end of this link; `running` is `None` where a source writes itself.
pub(super) fn examine(hop: &mut Examined<'_, '_>, state: &mut State, to: usize, running: Option<&Running>) {
    if let Some(running) = running {
        write::into_store(hop, state, to, running);
    }
    if state.values && state.versions && state.copies.iter().any(|copy| !copy.level) && !guarded(hop) {
        state.transient |= bit(Transient::OlderValueShownAgain);
    }
    match hop.need(state, hop.place, store::WRITE_MODE, COPIES) {
        Some(WriteMode::Append) => {
            client_repeats(hop, state, to);
            history(hop, state);
            hop.row.remarks.push("none: every write is a row");
        }
        Some(WriteMode::FileCommit) => files(hop, state),
        Some(mode @ (WriteMode::Upsert | WriteMode::Patch | WriteMode::InsertIfAbsent)) => keyed(hop, state, to, mode),
        Some(WriteMode::Increment) => {
            client_repeats(hop, state, to);
            increment(hop, state);
        }
        Some(WriteMode::ReplaceRange) => {
            let gone = |_: &Instance| true;
            hop.remove(state, ClaimKind::Removes, |_| "the range is replaced as a whole".to_owned(), gone);
            hop.claim(state, ClaimKind::Prevents, "the range is replaced as a whole");
        }
        Some(WriteMode::Call) => call(hop, state, to),
        None => {}
    }
    if hop.graph.nodes[to].entry.is_some_and(|entry| entry.id == "dashboard") {
        let cause = "pushed to who is connected: nothing is kept for others";
        hop.lose(state, Found::possible(HopPart::Writer, cause));
    }
    for copy in &mut state.copies {
        copy.own = false;
        copy.coordinates = false;
    }
    state.last_write = Some(hop.place);
    state.transactional = false;
    state.leave_job();
    state.leave_log();
}

/// A client that tries a write again whose answer was lost writes it twice, unless a transaction of the job covers it or the
/// store recognises it (ClickHouse documentation, Deduplicating inserts on retries).
fn client_repeats(hop: &mut Examined<'_, '_>, state: &mut State, to: usize) {
    let covered = matches!(
        hop.peek(hop.place, written::OUTPUT_COMMIT),
        Some(OutputCommit::TwoPhase | OutputCommit::WithPosition | OutputCommit::BatchId)
    );
    let recognised =
        matches!(hop.peek(hop.graph.node_place(to), sink::DEDUP_WINDOW), Some(Limit::Of(_) | Limit::Unlimited));
    if !covered && !recognised && hop.peek(hop.place, store::CLIENT_RETRIES).is_some_and(|retries| retries > 0) {
        let copies = Instance { coordinates: false, level: true, ..Instance::new(CopyClass::ProducerRetry, hop.place) };
        hop.add(state, copies);
        hop.row.remarks.push("its client tries again what may have been written");
    }
}

fn guarded(hop: &Examined<'_, '_>) -> bool {
    hop.graph.fact(hop.place, store::VERSION_GUARD).is_some_and(|fact| !fact.value.0.is_empty())
}

/// File names that come from the records: the same file again.
fn files(hop: &mut Examined<'_, '_>, state: &mut State) {
    let key = hop.peek(hop.place, written::KEY);
    let named = key.is_some_and(|key| key.0.iter().any(|column| &**column == "@coordinates"));
    let by_clock = hop.peek(hop.place, store::ROTATION) == Some(Rotation::ByClock);
    if named && !by_clock {
        let gone = |copy: &Instance| copy.coordinates;
        hop.remove(state, ClaimKind::Removes, |_| "the same file name for the same records".to_owned(), gone);
        reused_offsets(hop, state);
    }
}

/// The key of this write, with a record key followed to the write that set it.
fn key(hop: &mut Examined<'_, '_>, state: &mut State) -> Option<Columns> {
    let key = hop.need(state, hop.place, written::KEY, COPIES)?;
    if !key.0.iter().any(|column| &**column == "@record_key") {
        return Some(key);
    }
    match (state.keyed_by, state.log) {
        (Some(from), _) => hop.need(state, from, written::KEY, COPIES),
        // Who writes the log is not drawn.
        (None, Some(log)) => hop.need(state, log, channel::KEY, COPIES),
        (None, None) => Some(key),
    }
}

fn identity(hop: &mut Examined<'_, '_>, state: &State, key: &Columns) -> Identity {
    let named = |token: &str| key.0.iter().any(|column| &**column == token);
    if named("@random") || named("@arrival") {
        return Identity::Random;
    }
    if named("@coordinates") {
        return Identity::Coordinates;
    }
    if state.aggregate.is_some() {
        return Identity::Entity;
    }
    let by_event = |kind: &Place| {
        let id = event_of(hop, *kind)?;
        let subject = hop.graph.design.events.get(id)?;
        let fact = hop.graph.design.read(hop.graph.view, id, subject, event::EVENT_ID).fact()?;
        Some(!fact.value.0.is_empty() && fact.value.0.iter().all(|column| key.0.contains(column)))
    };
    let events = !state.kinds.is_empty() && state.kinds.iter().all(|kind| by_event(kind) == Some(true));
    if events { Identity::Event } else { Identity::Entity }
}

/// The event type that is born at a place.
fn event_of<'d>(hop: &Examined<'_, 'd>, place: Place) -> Option<&'d crate::model::Id> {
    match hop.graph.nodes.get(place.index())?.element {
        Element::Source { event, .. } => event.as_ref(),
        Element::Operator { emits, .. } => emits.as_ref(),
        _ => None,
    }
}

fn keyed(hop: &mut Examined<'_, '_>, state: &mut State, to: usize, mode: WriteMode) {
    let Some(written) = hop.peek(hop.place, written::KEY).or_else(|| hop.need(state, hop.place, written::KEY, COPIES))
    else {
        return;
    };
    let Some(key) = key(hop, state) else { return };
    let by = columns(&key);
    match identity(hop, state, &key) {
        Identity::Random => {
            hop.row.remarks.push("none: a new key for every write");
            return;
        }
        Identity::Coordinates => {
            if enforced(hop, state, to, &key) == Some(true) {
                let gone = |copy: &Instance| copy.coordinates;
                hop.remove(state, ClaimKind::Removes, |_| "one row per topic, partition and offset".to_owned(), gone);
                reused_offsets(hop, state);
            }
            return;
        }
        Identity::Event => {}
        Identity::Entity if mode == WriteMode::InsertIfAbsent => same_entity(hop, state, &key),
        Identity::Entity => {
            versions::by_offset(hop, state, &written);
            same_entity(hop, state, &key);
            stale(hop, state);
            state.values |= state.aggregate.is_none();
        }
    }
    match enforced(hop, state, to, &key) {
        Some(true) if lake::writes(hop, to) => lake::upsert(hop, state, to, &key),
        Some(true) => collapse(hop, state, to, &by, mode),
        Some(false) => hop.row.remarks.push("none: the store does not enforce this key"),
        None => {}
    }
}

/// An id that was made anew says nothing of a key that it is no part of: copies still meet the same row.
fn same_entity(hop: &Examined<'_, '_>, state: &mut State, key: &Columns) {
    let apart = |at: Place| {
        let assigns = matches!(
            hop.graph.nodes.get(at.index()).map(|node| node.element),
            Some(Element::Operator { step: Step::AssignId, .. })
        );
        let assigned = hop.graph.fact(at, operator::KEY).filter(|_| assigns);
        assigned.is_some_and(|fact| !fact.value.0.iter().any(|column| key.0.contains(column)))
    };
    for copy in state.copies.iter_mut().filter(|copy| !copy.key && copy.redrawn.is_some_and(apart)) {
        (copy.key, copy.redrawn) = (true, None);
    }
}

/// An old copy after a newer row: without a version in the condition of the write it stays.
fn stale(hop: &mut Examined<'_, '_>, state: &mut State) {
    // A window gives one result: there is no older one.
    if state.aggregate.is_some() && !state.versions {
        return;
    }
    let exposed =
        !state.late_copies.is_empty() || state.copies.iter().any(|copy| copy.isolated && copy.hidden.is_none());
    let guard = match hop.graph.known(hop.place, store::VERSION_GUARD) {
        Known::Value(fact) => !hop.take(fact).0.is_empty(),
        _ if exposed => {
            let _ = hop.need(state, hop.place, store::VERSION_GUARD, COPIES);
            return;
        }
        _ => false,
    };
    if guard {
        return;
    }
    versions::overtaken(hop, state);
    versions::late_copies(hop, state);
    if state.aggregate.is_none() && state.copies.iter().any(|copy| !copy.level) {
        state.transient |= bit(Transient::OlderValueShownAgain);
    }
    let isolated: Vec<Instance> = state.copies.iter().filter(|copy| copy.isolated && copy.key).copied().collect();
    for copy in isolated {
        state.taint(Tainted {
            at: hop.place,
            class: copy.class,
            origin: copy.origin,
            stale: true,
            own: copy.own,
            hidden: copy.hidden,
        });
    }
    versions::replaced(hop, state, |_| true);
}

/// Does the store enforce this key, and no other that a row could meet? `None`: not known, and noted.
fn enforced(hop: &mut Examined<'_, '_>, state: &mut State, to: usize, key: &Columns) -> Option<bool> {
    let place = hop.graph.node_place(to);
    let keys = match hop.graph.known(place, sink::UNIQUE_KEYS) {
        Known::Value(fact) => hop.take(fact),
        _ if by_nature(hop, to) => return Some(true),
        _ if by_writer(hop, to) && !state.shuffled.is_empty() => return Some(false),
        _ if by_writer(hop, to) => return hop.need(state, place, sink::OTHER_WRITERS, COPIES).map(|others| !others),
        _ => hop.need(state, place, sink::UNIQUE_KEYS, COPIES)?,
    };
    let same = |one: &Columns| one.0.len() == key.0.len() && one.0.iter().all(|column| key.0.contains(column));
    let own = keys.0.iter().any(same);
    if own
        && other_keys(&keys, same)
        && hop.graph.nodes[to].entry.is_some_and(|entry| matches!(entry.id, "mysql" | "mariadb"))
    {
        let cause = "the table enforces other keys too: a row that meets one of them replaces another row";
        let mut found = Found::possible(HopPart::Writer, cause);
        found.in_values = true;
        hop.lose(state, found);
    }
    Some(own)
}

fn other_keys(keys: &Keys, same: impl Fn(&Columns) -> bool) -> bool {
    keys.0.iter().any(|key| !same(key))
}

/// Stores where the key of a write is the identity of the row: documents, cells, objects.
fn by_nature(hop: &Examined<'_, '_>, to: usize) -> bool {
    hop.graph.nodes[to].entry.is_some_and(|entry| {
        let keys = entry.sink.map(|sink| sink.keys);
        keys == Some(catalog::Keys::Enforced)
            && matches!(
                entry.id,
                "elasticsearch" | "opensearch" | "mongodb" | "cassandra" | "dynamodb" | "redis" | "s3" | "gcs" | "hdfs"
            )
    })
}

/// Stores where an upsert deletes the row of its key as it writes, for its own writer only: Apache Iceberg (equality
/// deletes), Delta Lake (merge), Apache Hudi (upsert on the record key).
fn by_writer(hop: &Examined<'_, '_>, to: usize) -> bool {
    let sink = hop.graph.nodes[to].entry.and_then(|entry| entry.sink);
    sink.is_some_and(|sink| sink.keys == catalog::Keys::ByWriter)
}

/// Equal keys become one row: at once, or only for readers that ask for it.
fn collapse(hop: &mut Examined<'_, '_>, state: &mut State, to: usize, by: &str, mode: WriteMode) {
    let place = hop.graph.node_place(to);
    let fixed = hop.graph.nodes[to].entry.and_then(|entry| entry.sink).and_then(|sink| sink.collapse);
    match hop.peek(place, sink::COLLAPSE).or(fixed) {
        Some(Collapse::AtMerge | Collapse::AtRead) => {
            for copy in state.copies.iter_mut().filter(|copy| copy.key) {
                copy.uncollapsed = true;
            }
            hop.row.remarks.push("equal keys become one row later");
        }
        Some(Collapse::Never) => hop.row.remarks.push("none: equal keys stay apart"),
        Some(Collapse::AtWrite) | None => {
            // Rolled-back results go with the key only where the retry computes the same.
            let varying = state.varying;
            let word = if mode == WriteMode::InsertIfAbsent { "insert if absent" } else { "upsert" };
            let text = format!("{word}, key {by} enforced");
            let gone = |copy: &Instance| copy.key && !(varying && copy.class == CopyClass::Aborted);
            hop.remove(state, ClaimKind::Removes, |_| text, gone);
        }
    }
}

/// `x = x + 1`: a copy is added again.
fn increment(hop: &mut Examined<'_, '_>, state: &mut State) {
    let copies = std::mem::take(&mut state.copies);
    for copy in copies {
        state.taint(Tainted {
            at: hop.place,
            class: copy.class,
            origin: copy.origin,
            stale: false,
            own: copy.own,
            hidden: copy.hidden,
        });
    }
    state.values = true;
    history(hop, state);
    hop.row.remarks.push("none: every write adds");
}

/// A call: nothing of it can be taken back.
fn call(hop: &mut Examined<'_, '_>, state: &mut State, to: usize) {
    let place = hop.graph.node_place(to);
    if hop.need(state, hop.place, store::CLIENT_RETRIES, COPIES).is_some_and(|retries| retries > 0) {
        let copies = Instance { isolated: true, ..Instance::new(CopyClass::ProducerRetry, hop.place) };
        hop.add(state, copies);
    }
    let window = match hop.peek(place, sink::IDEMPOTENCY_WINDOW) {
        Some(window @ (Limit::Of(_) | Limit::Unlimited)) => window,
        Some(Limit::None) | None => {
            hop.row.remarks.push("none: the callee is called again");
            return;
        }
    };
    let Some(key) = hop.need(state, hop.place, written::KEY, COPIES) else { return };
    if identity(hop, state, &key) == Identity::Random {
        hop.row.remarks.push("none: a new key for every call");
        return;
    }
    let by = columns(&key);
    let Limit::Of(within) = window else {
        hop.remove(state, ClaimKind::Removes, |_| format!("the callee knows {by}"), |copy| copy.key);
        return;
    };
    let text = human::at_least(within.secs());
    let condition = Condition {
        text: format!("repeats come within {text}"),
        variable: Variable::CopyHorizon(hop.graph.id(place).clone()),
        bound: hop
            .graph
            .fact(place, sink::IDEMPOTENCY_WINDOW)
            .map(|fact| Explained::fact("how long the callee knows a key", Unit::Seconds, &fact, within.secs())),
        inside: None,
        hop: hop.hop(HopPart::Writer),
    };
    let number = hop.ledger.condition(condition);
    let mut any = false;
    for copy in state.copies.iter_mut().filter(|copy| copy.key && copy.hidden.is_none()) {
        if copy.horizon.is_none_or(|horizon| horizon < within.millis()) {
            copy.hidden = Some(number);
            hop.row.removes.push(copy.class);
            any = true;
        }
    }
    if any {
        hop.claim(state, ClaimKind::Suppresses, format!("the callee knows {by} for {text}"));
    }
}

/// A consumer reads the store: rows with equal keys may still stand apart.
pub(super) fn serve(hop: &mut Examined<'_, '_>, state: &mut State) {
    use crate::model::{key::serve, words::ReadMode};
    if !state.copies.iter().any(|copy| copy.uncollapsed) {
        return;
    }
    match hop.need(state, hop.place, serve::READ_MODE, COPIES) {
        Some(ReadMode::Collapsed) => {
            let gone = |copy: &Instance| copy.uncollapsed;
            hop.remove(state, ClaimKind::Removes, |_| "read collapsed to one row per key".to_owned(), gone);
        }
        Some(ReadMode::Raw) => hop.row.remarks.push("none: rows are read before they are merged"),
        None => {}
    }
}
