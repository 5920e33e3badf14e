//! Steps whose results are values of several events: aggregates and joins.

use super::{
    hop::Examined,
    ledger::{COPIES, ClaimKind, Found, LOSS},
    read::bit,
    running::Running,
    state::{Instance, State, Tainted, Way},
    step::{Kept, kept},
    verdict::{Condition, CopyClass, HopPart, Transient, Variable},
    versions,
};
use crate::{
    analysis::{
        explain::{Explained, Unit},
        graph::Place,
    },
    model::{
        Port,
        key::{channel, operator, source},
        units::{Duration, human},
        words::{Accumulation, AggregateFunction, Clock, Emit, JoinKind, WindowKind},
    },
};

/// Examines an aggregate.
pub(super) fn examine(hop: &mut Examined<'_, '_>, state: &mut State, node: usize, running: &Running) {
    let kept = kept(hop, state, running);
    let emit = hop.peek(hop.place, operator::EMIT);
    let window = hop.peek(hop.place, operator::WINDOW).filter(|window| *window != WindowKind::Nothing);
    let final_only = matches!(emit, Some(Emit::OnClose | Emit::Suppress));
    let accumulation = accumulation(hop, state);
    if let Some(accumulation) = accumulation {
        accumulate(hop, state, accumulation, kept, final_only && window.is_some());
    }
    if window.is_some() && running.checkpointed() && matches!(kept, Kept::Exact | Kept::AtLeastOnce) {
        restored(hop, state, running);
    }
    if final_only && kept == Kept::Apart {
        let cause = "the final result can be taken from its store while its output is not kept";
        hop.lose(state, Found::possible(HopPart::Gate, cause));
    }
    if final_only && kept == Kept::AtLeastOnce && reopens(hop, running) {
        let cause = "after a restart a window that was closed opens again, with only what is read again";
        let mut found = Found::possible(HopPart::Gate, cause);
        found.in_values = true;
        hop.lose(state, found);
    }
    // The last value needs no memory of those before it.
    let remembers = accumulation != Some(Accumulation::Last) || window.is_some();
    if kept == Kept::Volatile && remembers {
        let mut found = Found::possible(HopPart::VolatileState, "a restart forgets what was added up, and reads on");
        found.in_values = true;
        hop.lose(state, found);
    }
    let late_repeats = hop.peek(hop.place, operator::ALLOWED_LATENESS).is_some_and(|late| late > Duration::ZERO);
    let once = final_only && (emit == Some(Emit::Suppress) || !late_repeats);
    state.versions = !once;
    if window.is_some() && matches!(emit, Some(Emit::EveryUpdate | Emit::EarlyAndClose)) {
        state.transient |= bit(Transient::PartialWindowShown);
    }
    results(hop, state, window.is_some());
    if window.is_some() {
        late(hop, state, node);
    }
}

/// Windows that a checkpoint brings back close once more, also where the source itself sends nothing again (Apache Flink
/// documentation, Fault Tolerance: timers are part of the state).
fn restored(hop: &mut Examined<'_, '_>, state: &mut State, running: &Running) {
    if state.copies.iter().any(|copy| copy.own) {
        return;
    }
    hop.add(state, Instance { own: true, coordinates: false, ..Instance::new(CopyClass::Reemission, hop.place) });
    state.rolled_back = running.exact();
}

/// Does a window that was closed and purged open again when records from before its end are read again? Flink does not
/// restore the watermark of a window (FLINK-5601), and under `AT_LEAST_ONCE` its state can be ahead of the position.
fn reopens(hop: &Examined<'_, '_>, running: &Running) -> bool {
    runs(hop, running.job.index(), "flink")
}

/// Does this engine run a job or operator?
fn runs(hop: &Examined<'_, '_>, node: usize, engine: &str) -> bool {
    let job = hop.graph.nodes.get(node).and_then(|node| node.job).unwrap_or(node);
    hop.graph.nodes.get(job).is_some_and(|job| job.entry.is_some_and(|entry| entry.id == engine))
}

/// What comes out is a new kind of event, born here.
fn results(hop: &mut Examined<'_, '_>, state: &mut State, windowed: bool) {
    state.values = true;
    state.aggregate = Some(hop.place);
    state.kinds = vec![hop.place];
    state.ways = vec![Way { root: hop.place, ports: Vec::new(), narrowed: false }];
    state.compacted = None;
    state.late_copy = None;
    let wall_clock = matches!(hop.peek(hop.place, operator::CLOCK), Some(Clock::ProcessingTime | Clock::IngestionTime));
    // An aggregate key stands for its rows again, unless the bounds of its window come from the clock on the wall.
    state.random = windowed && wall_clock;
    state.redrawn = state.random.then_some(hop.place);
    for copy in &mut state.copies {
        // What the job writes again are results too, and the last of them can be lost.
        copy.isolated &= copy.own;
        copy.key = !state.random;
        copy.redrawn = state.redrawn;
    }
}

/// How an aggregate takes the same event twice.
fn accumulation(hop: &mut Examined<'_, '_>, state: &mut State) -> Option<Accumulation> {
    let function = hop.need(state, hop.place, operator::FUNCTION, COPIES)?;
    Some(match function {
        AggregateFunction::Count
        | AggregateFunction::Sum
        | AggregateFunction::Avg
        | AggregateFunction::List
        | AggregateFunction::TopN
        | AggregateFunction::Pattern => Accumulation::Additive,
        AggregateFunction::Min
        | AggregateFunction::Max
        | AggregateFunction::First
        | AggregateFunction::Set
        | AggregateFunction::Distinct => Accumulation::Idempotent,
        AggregateFunction::Last => Accumulation::Last,
        AggregateFunction::Custom => return hop.need(state, hop.place, operator::ACCUMULATION, COPIES),
    })
}

fn accumulate(hop: &mut Examined<'_, '_>, state: &mut State, how: Accumulation, kept: Kept, single: bool) {
    match how {
        Accumulation::Additive => additive(hop, state, kept),
        Accumulation::Idempotent if single => {
            let gone = |copy: &Instance| copy.key && !copy.own;
            hop.remove(
                state,
                ClaimKind::Removes,
                |_| "each event counts once in the one result of a window".to_owned(),
                gone,
            );
        }
        Accumulation::Idempotent => {
            for copy in state.copies.iter_mut().filter(|copy| !copy.own) {
                copy.level = true;
            }
            hop.row.remarks.push("repeats change nothing");
        }
        Accumulation::Last => {
            let isolated: Vec<_> = state.copies.iter().filter(|copy| copy.isolated).copied().collect();
            for copy in isolated {
                stain(hop, state, &copy, true);
            }
            versions::late_copy(hop, state);
        }
    }
}

fn stain(hop: &Examined<'_, '_>, state: &mut State, copy: &Instance, stale: bool) {
    state.taint(Tainted {
        at: hop.place,
        class: copy.class,
        origin: copy.origin,
        stale,
        own: copy.own,
        hidden: copy.hidden,
    });
}

/// Sums and counts: copies become part of the value, and are no copies any more.
fn additive(hop: &mut Examined<'_, '_>, state: &mut State, kept: Kept) {
    // Marks that are forgotten together with the sum protect it.
    let shared_fate = state.forgetful && kept == Kept::Volatile;
    let copies = std::mem::take(&mut state.copies);
    for copy in copies {
        if copy.own {
            if matches!(kept, Kept::AtLeastOnce | Kept::Apart | Kept::External) && !state.deduplicated {
                stain(hop, state, &copy, false);
            }
            // An outside sum has grown when the record is read again: what comes out is another value.
            if kept != Kept::External {
                state.copies.push(copy);
            }
        } else if state.wiped && copy.class == CopyClass::Replay {
            state.transient |= bit(Transient::OlderValueShownAgain);
        } else if !(shared_fate && copy.key) {
            stain(hop, state, &copy, false);
        }
    }
    history(hop, state);
}

/// Counting the versions of a compacted log: superseded ones vanish before a reader that lags.
pub(super) fn history(hop: &mut Examined<'_, '_>, state: &mut State) {
    let Some(log) = state.compacted else { return };
    let lag = hop.peek(log, channel::MIN_COMPACTION_LAG);
    let title = hop.title(log);
    let bound = hop
        .graph
        .fact(log, channel::MIN_COMPACTION_LAG)
        .filter(|fact| fact.value > Duration::ZERO)
        .map(|fact| Explained::fact("min compaction lag", Unit::Seconds, &fact, fact.value.secs()));
    let cause = format!("{title} is compacted: superseded versions can vanish before they are read");
    let mut found = match lag {
        Some(lag) if lag > Duration::ZERO => {
            let condition = Condition {
                text: format!("the reader of {title} lags less than {}", human::seconds(lag.secs())),
                variable: Variable::CompactionLag(hop.graph.id(log).clone()),
                bound,
                inside: None,
                hop: hop.hop(HopPart::Whole),
            };
            Found::unless(HopPart::Whole, condition, cause)
        }
        _ => Found::possible(HopPart::Whole, cause),
    };
    found.in_values = true;
    hop.lose(state, found);
}

/// Examines a join; its inputs were united before.
pub(super) fn join(hop: &mut Examined<'_, '_>, state: &mut State, node: usize, running: &Running) {
    if kept(hop, state, running) == Kept::Volatile {
        hop.lose(state, Found::possible(HopPart::VolatileState, "a restart forgets what waits for its match"));
    }
    state.kinds = vec![hop.place];
    state.ways = vec![Way { root: hop.place, ports: Vec::new(), narrowed: false }];
    let kind = hop.peek(hop.place, operator::JOIN);
    if matches!(kind, Some(JoinKind::Window | JoinKind::Interval)) {
        late(hop, state, node);
    }
}

/// Events that come after their window has closed.
fn late(hop: &mut Examined<'_, '_>, state: &mut State, node: usize) {
    if matches!(hop.peek(hop.place, operator::CLOCK), Some(Clock::ProcessingTime | Clock::IngestionTime)) {
        return;
    }
    let taken = hop.graph.flows_out(node).find(|edge| hop.graph.edges[*edge].link.port == Some(Port::Late));
    if let Some(edge) = taken {
        let place = hop.graph.node_place(hop.graph.edges[edge].to);
        let text = format!("late events go to {}", hop.title(place));
        hop.claim(state, ClaimKind::Keeps, text);
        return;
    }
    let delay = hop.need(state, hop.place, operator::WATERMARK_DELAY, LOSS);
    let allowed = hop.need(state, hop.place, operator::ALLOWED_LATENESS, LOSS);
    let (Some(delay), Some(allowed)) = (delay, allowed) else { return };
    let bound = Duration::from_millis(delay.millis().saturating_add(allowed.millis()));
    let inside = lateness(hop, node, bound);
    let text = human::seconds(bound.secs());
    let figure = || {
        let fact = |what, key: crate::model::Key<Duration>| {
            hop.graph.fact(hop.place, key).map(|fact| Explained::fact(what, Unit::Seconds, &fact, fact.value.secs()))
        };
        let inputs = vec![
            fact("watermark delay", operator::WATERMARK_DELAY)?,
            fact("allowed lateness", operator::ALLOWED_LATENESS)?,
        ];
        let of = hop.graph.id(hop.place);
        Some(Explained::derive(
            "lateness that still counts",
            Some(of),
            Unit::Seconds,
            &LATE,
            inputs,
            bound.secs(),
            None,
        ))
    };
    let condition = Condition {
        text: format!("every event is at most {text} late"),
        variable: Variable::Lateness(hop.graph.id(hop.place).clone()),
        bound: figure(),
        inside,
        hop: hop.hop(HopPart::LateEvents),
    };
    // Spark compares with the watermark of an earlier batch: what is later than the delay may still count (Structured
    // Streaming Programming Guide, semantic guarantees of aggregation with watermarking).
    let verb = if runs(hop, node, "spark") { "may be" } else { "are" };
    let cause = format!("events later than {text} {verb} dropped from their window");
    hop.lose(state, Found::unless(HopPart::LateEvents, condition, cause));
}

static LATE: crate::analysis::explain::Formula = crate::analysis::explain::Formula {
    id: "LATE.bound",
    text: "watermark delay + allowed lateness",
    source: "Apache Flink documentation, Windows: Allowed Lateness; Apache Kafka Streams, TimeWindows grace",
};

/// Is the lateness that was measured upstream inside the bound? Of percentiles, one that exceeds it decides; only a
/// maximum can tell that all are inside.
fn lateness(hop: &Examined<'_, '_>, node: usize, bound: Duration) -> Option<bool> {
    let graph = hop.graph;
    let mut at = node;
    for _ in 0..graph.nodes.len() {
        let edge = graph.flows_in(at).find(|edge| graph.edges[*edge].link.port.is_none())?;
        at = graph.edges[edge].from;
        let place: Place = graph.node_place(at);
        let measured = graph.fact(place, channel::LATENESS).or_else(|| graph.fact(place, source::LATENESS));
        if let Some(fact) = measured {
            let beyond = fact.value.percentiles().any(|(_, late)| late > bound);
            let maximum = fact.value.statistics.get(&crate::model::Statistic::Max).copied().or(fact.value.plain);
            return match maximum {
                Some(most) => Some(most <= bound),
                None if beyond => Some(false),
                None => None,
            };
        }
    }
    None
}
