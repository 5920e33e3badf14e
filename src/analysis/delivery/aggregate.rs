//! Steps whose results are values of several events: aggregates and joins.

use super::{
    hop::Examined,
    late,
    ledger::{BOTH, COPIES, ClaimKind, Found},
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
        key::{channel, operator},
        units::{Duration, human},
        words::{Accumulation, AggregateFunction, Clock, Emit, JoinKind, JoinType, WindowKind},
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
    let once = final_only && (emit == Some(Emit::Suppress) || !late::fires_again(hop, node));
    state.versions = !once;
    if window.is_some() && matches!(emit, Some(Emit::EveryUpdate | Emit::EarlyAndClose)) {
        state.transient |= bit(Transient::PartialWindowShown);
    }
    results(hop, state, window.is_some());
    if window.is_some() {
        late::examine(hop, state, node, None);
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
pub(super) fn runs(hop: &Examined<'_, '_>, node: usize, engine: &str) -> bool {
    let job = hop.graph.nodes.get(node).and_then(|node| node.job).unwrap_or(node);
    hop.graph.nodes.get(job).is_some_and(|job| job.entry.is_some_and(|entry| entry.id == engine))
}

/// What comes out is a new kind of event, born here.
fn results(hop: &mut Examined<'_, '_>, state: &mut State, windowed: bool) {
    state.values = true;
    state.aggregate = Some(hop.place);
    state.kinds = vec![hop.place];
    state.ways = vec![Way { root: hop.place, ports: Vec::new(), narrowed: false }];
    state.compacted.clear();
    state.late_copies.clear();
    // By event time what comes late is lost; by the clock on the wall a re-run makes other windows.
    let clock = if windowed { hop.need(state, hop.place, operator::CLOCK, BOTH) } else { None };
    let wall_clock = matches!(clock, Some(Clock::ProcessingTime | Clock::IngestionTime));
    // An aggregate key stands for its rows again, unless the bounds of its window come from the clock on the wall.
    let redrawn = (windowed && wall_clock).then_some(hop.place);
    state.redrawn = Vec::from_iter(redrawn);
    for copy in &mut state.copies {
        // What the job writes again are results too, and the last of them can be lost.
        copy.isolated &= copy.own;
        copy.zombie &= copy.own;
        (copy.key, copy.redrawn) = (redrawn.is_none(), redrawn);
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
            versions::late_copies(hop, state);
            versions::replaced(hop, state, |copy| !copy.own);
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
            // Marks and sum are one snapshot in one task; two stores of Kafka Streams are two changelogs, and an outside sum
            // does not go back with the marks.
            let protected = kept == Kept::AtLeastOnce && state.deduplicated.is_some();
            if matches!(kept, Kept::AtLeastOnce | Kept::Apart | Kept::External) && !protected {
                stain(hop, state, &copy, false);
            }
            // An outside sum has grown when the record is read again: what comes out is another value.
            if kept != Kept::External {
                state.copies.push(copy);
            }
        } else if copy.anew {
            state.transient |= bit(Transient::OlderValueShownAgain);
        } else if !(shared_fate && copy.key) {
            stain(hop, state, &copy, false);
        }
    }
    history(hop, state);
}

/// Counting the versions of a compacted log: superseded ones vanish before a reader that lags.
pub(super) fn history(hop: &mut Examined<'_, '_>, state: &mut State) {
    for log in hop.graph.in_flow(&state.compacted) {
        superseded(hop, state, log);
    }
}

fn superseded(hop: &mut Examined<'_, '_>, state: &mut State, log: Place) {
    let lag = hop.peek(log, channel::MIN_COMPACTION_LAG);
    let title = hop.title(log);
    let cause = format!("{title} is compacted: superseded versions can vanish before they are read");
    let mut found = match lag {
        Some(lag) if lag > Duration::ZERO => {
            let condition = Condition {
                text: format!("the reader of {title} lags less than {}", human::at_least(lag.secs())),
                variable: Variable::CompactionLag(hop.graph.id(log).clone()),
                bound: hop
                    .graph
                    .fact(log, channel::MIN_COMPACTION_LAG)
                    .map(|fact| Explained::fact("min compaction lag", Unit::Seconds, &fact, fact.value.secs())),
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

/// What an inner join does with what finds no match.
pub(super) const INNER: &str = "inner: what finds no match gives no result, by design";
/// What a left join does with it.
pub(super) const LEFT: &str = "left: on the right side, what finds no match gives no result, by design";

/// What finds no match is left out as the join or look-up is told to, which is no loss of the hop; the reader is told of it.
pub(super) fn unmatched(hop: &mut Examined<'_, '_>) {
    match hop.peek(hop.place, operator::JOIN_TYPE) {
        Some(JoinType::Inner) => hop.row.remarks.push(INNER),
        Some(JoinType::Left) => hop.row.remarks.push(LEFT),
        Some(JoinType::Outer) => hop.row.remarks.push("outer: what finds no match comes with nulls"),
        None => {}
    }
}

/// Examines a join; its inputs were united before.
pub(super) fn join(hop: &mut Examined<'_, '_>, state: &mut State, node: usize, running: &Running) {
    if kept(hop, state, running) == Kept::Volatile {
        hop.lose(state, Found::possible(HopPart::VolatileState, "a restart forgets what waits for its match"));
    }
    state.kinds = vec![hop.place];
    state.ways = vec![Way { root: hop.place, ports: Vec::new(), narrowed: false }];
    unmatched(hop);
    let kind = hop.peek(hop.place, operator::JOIN);
    if matches!(kind, Some(JoinKind::Window | JoinKind::Interval)) {
        late::examine(hop, state, node, kind);
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        codec,
        model::{Id, View},
        rules::review,
    };

    /// What the row of a join or look-up says, how many hops lose, and the sentence of its reader.
    fn joined(step: &str, facts: &str) -> (String, usize, String) {
        let log = r#""kind":"channel","system":"kafka","proposed":{"cleanup_policy":"delete","retention_time":"7d","retention_size":"unlimited","replication_factor":3,"min_insync_replicas":2,"unclean_leader_election":false}"#;
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":2,
            "elements":{{"a":{{{log}}},"b":{{{log}}},"t":{{{log}}},
             "j":{{"kind":"job","system":"flink","proposed":{{"processing_guarantee":"at_least_once","checkpoint_interval":"1min","on_error":"fail"}}}},
             "o":{{"kind":"operator","name":"Enrich","job":"j","step":"{step}","proposed":{{"key":["id"]{facts}}}}},
             "u":{{"kind":"consumer"}}}},
            "links":{{"l1":{{"from":"a","to":"o","proposed":{{"offset_reset":"earliest"}}}},"l2":{{"from":"b","to":"o","proposed":{{"offset_reset":"earliest"}}}},
             "l3":{{"from":"o","to":"t","proposed":{{"key":["id"],"acks":"all","on_send_failure":"retry","output_commit":"flush"}}}},
             "l4":{{"from":"t","to":"u","proposed":{{"offset_reset":"earliest"}}}}}}}}"#
        ))
        .unwrap_or_else(|error| panic!("{error}"));
        let verdict = review(&design, View::ToBe).report.consumers[&Id::new("u").unwrap()].delivery.clone();
        let row = verdict.hops.iter().find(|row| row.at.as_str() == "o").unwrap();
        (row.mechanism(), verdict.lossy_hops.len(), verdict.sentence)
    }

    /// Apache Flink documentation, Joins: an inner join gives rows that match, an outer one pads the others with nulls. What is
    /// left out so is no loss.
    #[test]
    fn what_finds_no_match_is_said_and_is_no_loss() {
        for step in ["join", "lookup"] {
            let (plain, lost, sentence) = joined(step, r#","join":"regular""#);
            let sentence = sentence.strip_suffix('.').unwrap();
            let of = |kind: &str| joined(step, &format!(r#","join":"regular","join_type":"{kind}""#));
            for (kind, words, end) in [
                ("inner", "gives no result, by design", "; what finds no match at Enrich is left out by design."),
                (
                    "left",
                    "on the right side",
                    "; what finds no match on the right side of Enrich is left out by design.",
                ),
                ("outer", "with nulls", "."),
            ] {
                let (said, losses, whole) = of(kind);
                assert_eq!(whole, format!("{sentence}{end}"));
                assert!(said.contains(words) && said.contains(kind), "{step}: {said}");
                assert_eq!(losses, lost);
                assert!(!plain.contains(words), "{plain}");
            }
        }
    }
}
