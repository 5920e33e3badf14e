//! One step of a job, in the order of its chain.

use super::{
    aggregate,
    hop::Examined,
    ledger::{BOTH, COPIES, ClaimKind, Found},
    running::{Running, millis},
    state::{Instance, State, put},
    transaction::stated_outage,
    verdict::{Condition, HopPart, Variable},
};
use crate::{
    analysis::explain::{Explained, Unit},
    catalog::ChannelKind,
    model::{
        Columns, Port, Step, counted,
        key::{channel, job, operator, read},
        units::{Duration, Limit, human},
        words::{Clock, Determinism, JoinKind, Marks, OnError, StateIn, TtlClock},
    },
};
use std::sync::Arc;

/// Where the state of an operator lives, by what is said of it and by its engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// With the position, restored to the same point.
    Exact,
    /// It can already hold what is read again.
    AtLeastOnce,
    /// It can already hold what is read again, and was sent apart from the output.
    Apart,
    /// In the process: a restart forgets it.
    Volatile,
    /// In a store of its own.
    External,
    /// Not known, and noted.
    Unknown,
}

/// Examines the step of an operator.
pub(super) fn examine(hop: &mut Examined<'_, '_>, state: &mut State, node: usize, step: Step, running: &Running) {
    if matches!(step, Step::Aggregate | Step::Join | Step::Rekey) {
        other_task(hop, state);
    }
    match step {
        Step::Deduplicate => deduplicate(hop, state, running),
        Step::Aggregate => aggregate::examine(hop, state, node, running),
        Step::Join => aggregate::join(hop, state, node, running),
        Step::Lookup => aggregate::unmatched(hop),
        Step::AssignId => match hop.peek(hop.place, operator::DETERMINISM) {
            Some(Determinism::Same) => hop.row.remarks.push("id made from the event"),
            _ => redraw(hop, state),
        },
        _ => {}
    }
    match hop.peek(hop.place, operator::DETERMINISM) {
        Some(Determinism::KeyVaries) if step != Step::AssignId => redraw(hop, state),
        Some(Determinism::ValueVaries) => state.varying = true,
        // What is looked up or called answers with what is there then (Apache Flink documentation, Joins: Lookup Join).
        None if matches!(step, Step::Lookup | Step::Call) || step == Step::Join && meets_the_table_of_now(hop) => {
            state.varying = true;
        }
        _ => {}
    }
    if step == Step::Filter {
        for way in &mut state.ways {
            way.narrowed = true;
        }
    }
    errors(hop, state, node, running);
}

/// By another key, records go to other tasks, whose state is saved when their own barriers are there: with checkpoints at least
/// once it can already hold what the marks of the de-duplication before it do not (Apache Flink documentation, Stateful Stream
/// Processing: Exactly Once vs. At Least Once).
fn other_task(hop: &mut Examined<'_, '_>, state: &mut State) {
    let Some(marks) = state.deduplicated else { return };
    if hop.peek(hop.place, operator::KEY) != hop.peek(marks, operator::KEY) {
        state.deduplicated = None;
    }
}

/// Does a record meet the table as it is when it comes by? So without versions (KIP-889), in a static table of Spark (Structured
/// Streaming Programming Guide, Stream-static Joins), and in a temporal join by the clock on the wall (Apache Flink
/// documentation, Joins: Processing Time Temporal Join).
fn meets_the_table_of_now(hop: &mut Examined<'_, '_>) -> bool {
    match hop.peek(hop.place, operator::JOIN) {
        Some(JoinKind::Table | JoinKind::GlobalTable) => hop.peek(hop.place, operator::HISTORY).is_none(),
        Some(JoinKind::Temporal) => hop.peek(hop.place, operator::CLOCK) == Some(Clock::ProcessingTime),
        _ => false,
    }
}

/// From here on, copies of one event have ids of their own.
fn redraw(hop: &mut Examined<'_, '_>, state: &mut State) {
    for copy in &mut state.copies {
        copy.key = false;
        copy.redrawn = copy.redrawn.or(Some(hop.place));
    }
    state.redrawn = vec![hop.place];
    hop.row.remarks.push("a new id for every copy");
}

/// Where an operator keeps its state.
pub(super) fn kept(hop: &mut Examined<'_, '_>, state: &mut State, running: &Running) -> Kept {
    match hop.peek(hop.place, operator::STATE_IN) {
        Some(StateIn::Memory) => Kept::Volatile,
        Some(StateIn::External) => Kept::External,
        // Only an outside store has marks of its own.
        None if hop.peek(hop.place, operator::MARKS).is_some() => Kept::External,
        // Of an engine that keeps state, an operator's is there unless it is said otherwise.
        Some(StateIn::Engine) | None => match running.mode {
            _ if running.plain => {
                let _ = hop.need(state, hop.place, operator::STATE_IN, BOTH);
                Kept::Volatile
            }
            Some(_) if running.exact() => Kept::Exact,
            Some(mode) if mode.gate_loses => Kept::Apart,
            Some(_) if running.at_least_once() => Kept::AtLeastOnce,
            Some(_) => Kept::Volatile,
            None => Kept::Unknown,
        },
    }
}

fn errors(hop: &mut Examined<'_, '_>, state: &mut State, node: usize, running: &Running) {
    let on_error = hop.peek(hop.place, operator::ON_ERROR).or_else(|| hop.peek(running.job, job::ON_ERROR));
    if on_error == Some(OnError::Skip) {
        hop.lose(state, Found::possible(HopPart::Whole, "records that fail are skipped"));
    }
    if !matches!(on_error, Some(OnError::Skip | OnError::DeadLetter)) {
        discarded(hop, state, node, running);
    }
    let of_failed = |edge: &usize| hop.graph.edges[*edge].link.port == Some(Port::DeadLetter);
    let aside: Vec<usize> = hop.graph.flows_out(node).filter(of_failed).collect();
    if aside.is_empty() && on_error == Some(OnError::DeadLetter) {
        let cause = "records that fail are set aside, and nothing is drawn that takes them";
        hop.lose(state, Found::possible(HopPart::Whole, cause));
    }
    for edge in aside {
        let place = hop.graph.node_place(hop.graph.edges[edge].to);
        let rate = hop.graph.fact(place, channel::RATE).and_then(|fact| fact.value.mean_or_max());
        let title = hop.title(place);
        let condition = Condition {
            text: format!("{title} stays empty"),
            variable: Variable::Other(hop.graph.id(place).clone()),
            bound: None,
            inside: rate.filter(|rate| rate.secs() <= 0.0).map(|_| true),
            hop: hop.hop(HopPart::Whole),
        };
        let cause = format!("what fails goes to {title} and is missing here");
        hop.lose(state, Found::unless(HopPart::Whole, condition, cause));
    }
}

/// What Lambda tries no longer: records of a stream or of Kafka that are older than the most it is told, whether they failed
/// or were not reached before, and those that failed so often (AWS Lambda API Reference, CreateEventSourceMapping:
/// MaximumRecordAgeInSeconds, MaximumRetryAttempts; a queue goes by its own redrive policy).
fn discarded(hop: &mut Examined<'_, '_>, state: &mut State, node: usize, running: &Running) {
    let graph = hop.graph;
    if graph.nodes[running.job.index()].entry.is_none_or(|entry| entry.id != "lambda") {
        return;
    }
    let of_log = |edge: &usize| {
        let from = graph.nodes[graph.edges[*edge].from].entry.and_then(|entry| entry.channel);
        from.is_some_and(|channel| channel.kind == ChannelKind::Log)
    };
    let reads: Vec<usize> = graph.flows_in(node).filter(of_log).collect();
    if reads.is_empty() {
        return;
    }
    let unless = |hop: &Examined<'_, '_>, text: String, bound: Option<Arc<Explained>>, inside| Condition {
        text,
        variable: Variable::Other(graph.id(running.job).clone()),
        bound,
        inside,
        hop: hop.hop(HopPart::Whole),
    };
    match hop.peek(running.job, job::ERROR_RETRY_TIME) {
        Some(Limit::Of(age)) => {
            let fact = graph.fact(running.job, job::ERROR_RETRY_TIME);
            let bound =
                fact.map(|fact| Explained::fact("oldest record that is tried", Unit::Seconds, &fact, age.secs()));
            // What waited through an outage for longer is not tried at all; a shorter one says nothing about failures.
            let outlasts = stated_outage(graph, running.job).filter(|outage| outage.value >= age.secs());
            let text = format!("each record succeeds within {}", human::bound(age.secs()));
            let condition = unless(hop, text, bound, outlasts.map(|_| false));
            hop.lose(state, Found::unless(HopPart::Whole, condition, "what does not succeed in time is discarded"));
        }
        Some(Limit::None) => {
            hop.lose(state, Found::possible(HopPart::Whole, "what fails is discarded at once"));
        }
        Some(Limit::Unlimited) | None => {}
    }
    for edge in reads {
        let Some(most) = hop.peek(graph.edge_place(edge), read::MAX_DELIVERIES) else { continue };
        let text = format!("every record is handled within {}", counted(most, "attempt"));
        let condition = unless(hop, text, None, None);
        hop.lose(state, Found::unless(HopPart::Whole, condition, "discarded after the last attempt"));
    }
}

fn deduplicate(hop: &mut Examined<'_, '_>, state: &mut State, running: &Running) {
    let kept = kept(hop, state, running);
    let marks = if kept == Kept::External { hop.need(state, hop.place, operator::MARKS, BOTH) } else { None };
    drop_known(hop, state, running, kept, marks);
    // What it loses itself it has marked before, so that no copy of it passes here. It is lost whatever the key.
    if marks == Some(Marks::BeforeWrite) {
        let cause = "marked as seen before it is written: a crash in between drops it for good";
        hop.lose(state, Found::possible(HopPart::ExternalDeduplication, cause));
    }
    if kept == Kept::Apart {
        let cause = "the mark can be kept while the output is not: the retry is then dropped as seen";
        hop.lose(state, Found::possible(HopPart::Deduplication, cause));
    }
}

/// Removes what a de-duplication recognises.
fn drop_known(hop: &mut Examined<'_, '_>, state: &mut State, running: &Running, kept: Kept, marks: Option<Marks>) {
    let Some(key) = hop.need(state, hop.place, operator::KEY, COPIES) else { return };
    let named = |token: &str| key.0.iter().any(|column| &**column == token);
    if named("@random") || named("@arrival") {
        hop.row.remarks.push("none: its key is new for every copy");
        return;
    }
    let by = columns(&key);
    if named("@coordinates") || named("@offset") {
        hop.remove(state, ClaimKind::Removes, |_| format!("one per {by}"), |copy| copy.coordinates && !copy.own);
        return;
    }
    match kept {
        Kept::External => by_marks(hop, state, running, marks, &by),
        Kept::Volatile => {
            state.forgetful = true;
            // After a restart it drops those of a suffix that it has seen since, and lets the older ones pass.
            for copy in state.copies.iter_mut().filter(|copy| copy.key && !copy.own && !copy.level) {
                copy.isolated = true;
            }
        }
        Kept::Unknown => {}
        Kept::Exact | Kept::AtLeastOnce | Kept::Apart => {
            state.deduplicated = Some(hop.place);
            within(hop, state, running, &by, |copy| copy.key && !copy.own);
        }
    }
}

/// Columns as people read them.
pub(super) fn columns(key: &Columns) -> String {
    let names: Vec<&str> = key.0.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [one] => (*one).to_owned(),
        many => format!("({})", many.join(", ")),
    }
}

/// What marks in an outside store remove: with the write or before it, also what the job reads again itself. Marks that
/// expire or are cleaned up let through what comes later.
fn by_marks(hop: &mut Examined<'_, '_>, state: &mut State, running: &Running, marks: Option<Marks>, by: &str) {
    let (word, own) = match marks {
        Some(Marks::BeforeWrite) => ("before the write", true),
        Some(Marks::WithWrite) => ("together with the write", true),
        Some(Marks::AfterWrite) => ("after the write", false),
        None => return,
    };
    // What was written and not marked before a crash is marked when it is read again; if it is not, a copy passes.
    let again = own || state.copies.iter().any(|copy| copy.own);
    if !own {
        // Only what was written last can be without its mark: it comes right behind the first one.
        for copy in state.copies.iter_mut().filter(|copy| copy.own && copy.key) {
            (copy.level, copy.isolated) = (true, false);
        }
    }
    let gone = |copy: &Instance| copy.key && again && (own || !copy.own);
    overtaken(hop, state, gone);
    let mechanism = format!("a mark for each {by}, set {word}");
    match hop.peek(hop.place, operator::STATE_TTL) {
        Some(Limit::Unlimited) => {
            hop.remove(state, ClaimKind::Removes, |_| mechanism, gone);
        }
        Some(Limit::Of(ttl)) => forgets(hop, state, running, ttl, &mechanism, gone),
        Some(Limit::None) => hop.row.remarks.push("none: its marks expire at once"),
        None => while_kept(hop, state, mechanism, gone),
    }
}

/// Nobody says how long the marks are kept.
fn while_kept(hop: &mut Examined<'_, '_>, state: &mut State, mechanism: String, gone: impl Fn(&Instance) -> bool) {
    let condition = Condition {
        text: format!("{} keeps its marks for as long as repeats can come", hop.title(hop.place)),
        variable: Variable::CopyHorizon(hop.graph.id(hop.place).clone()),
        bound: None,
        inside: None,
        hop: hop.hop(HopPart::ExternalDeduplication),
    };
    let number = hop.ledger.condition(condition);
    let before = hop.row.removes.len();
    for copy in state.copies.iter_mut().filter(|copy| gone(copy) && copy.hidden.is_none()) {
        copy.hidden = Some(number);
        hop.row.removes.push(copy.class);
    }
    if hop.row.removes.len() > before {
        hop.claim(state, ClaimKind::Suppresses, mechanism);
    }
}

/// Where the first one can be lost on its way here, its copy is the first that is seen: it passes, after newer events.
/// Not known whether it can be lost is no better.
fn overtaken(hop: &Examined<'_, '_>, state: &mut State, gone: impl Fn(&Instance) -> bool) {
    let mut unknown = state.unknown.iter().filter_map(|number| hop.ledger.unknown.get(*number as usize));
    let unsure = unknown.any(|unknown| unknown.axes.loss);
    let passes = |copy: &&Instance| gone(copy) && !copy.own && !copy.level && (unsure || copy.bereft);
    for copy in state.copies.iter().filter(passes) {
        put(&mut state.late_copies, (copy.class, copy.origin));
    }
}

/// Removes copies that come within the time-to-live: for good without one, under a condition with one.
fn within(
    hop: &mut Examined<'_, '_>,
    state: &mut State,
    running: &Running,
    by: &str,
    gone: impl Fn(&Instance) -> bool + Copy,
) {
    overtaken(hop, state, gone);
    let ttl = match hop.need(state, hop.place, operator::STATE_TTL, COPIES) {
        Some(Limit::Of(ttl)) => ttl,
        Some(Limit::Unlimited) => {
            hop.remove(state, ClaimKind::Removes, |_| format!("one per {by}, for ever"), gone);
            return;
        }
        Some(Limit::None) | None => return,
    };
    forgets(hop, state, running, ttl, &format!("one per {by}"), gone);
}

/// Removes copies that come before what would recognise them is forgotten.
fn forgets(
    hop: &mut Examined<'_, '_>,
    state: &mut State,
    running: &Running,
    ttl: Duration,
    mechanism: &str,
    gone: impl Fn(&Instance) -> bool + Copy,
) {
    // A clock of the machine runs on while the job is down; one of the events or offsets does not.
    let runs_on = !matches!(hop.peek(hop.place, operator::TTL_CLOCK), Some(TtlClock::EventTime | TtlClock::Offsets));
    let down = if runs_on { stated_outage(hop.graph, running.job).map(|outage| millis(outage.value)) } else { Some(0) };
    let covered = coverage(state, ttl.millis(), down, gone);
    let mut number = [None, None];
    let mut removed = Vec::new();
    let text = human::at_least(ttl.secs());
    let mut copies = std::mem::take(&mut state.copies);
    for copy in copies.iter_mut().filter(|copy| gone(copy) && copy.hidden.is_none()) {
        let covered = covered(copy.horizon);
        if covered == Some(false) {
            continue;
        }
        let slot = &mut number[usize::from(covered.is_some())];
        let condition = *slot.get_or_insert_with(|| {
            let bound = hop
                .graph
                .fact(hop.place, operator::STATE_TTL)
                .map(|fact| Explained::fact("time-to-live of the de-duplication", Unit::Seconds, &fact, ttl.secs()));
            let variable = Variable::CopyHorizon(hop.graph.id(hop.place).clone());
            let text = format!("repeats come within {text}");
            hop.ledger.condition(Condition {
                text,
                variable,
                bound,
                inside: covered,
                hop: hop.hop(HopPart::Deduplication),
            })
        });
        copy.hidden = Some(condition);
        removed.push(copy.class);
    }
    state.copies = copies;
    if !removed.is_empty() {
        hop.row.removes.extend(removed);
        hop.claim(state, ClaimKind::Suppresses, format!("{mechanism} within {text}"));
    }
}

/// Do copies with this horizon come within the time-to-live? Horizons add up along the way: a source can send again what
/// a relay then writes again. A copy that alone can be too late is live, and bounds none of the others.
fn coverage<G: Fn(&Instance) -> bool>(
    state: &State,
    ttl: u64,
    down: Option<u64>,
    gone: G,
) -> impl Fn(Option<u64>) -> Option<bool> + use<G> {
    let late = move |horizon: Option<u64>| horizon.is_some_and(|horizon| horizon >= ttl);
    let others = state.copies.iter().filter(|copy| gone(copy) && !late(copy.horizon));
    let sum = others.fold(down, |sum, copy| Some(sum?.saturating_add(copy.horizon?)));
    move |horizon| if late(horizon) { Some(false) } else { Some(sum? < ttl) }
}
