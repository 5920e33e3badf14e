//! How long a reader may stand still before the log drops what it has not read.

use super::{
    hop::Examined,
    ledger::{Found, LOSS},
    state::{State, put},
    transaction::stated_outage,
    verdict::{Condition, HopPart, Variable},
};
use crate::{
    analysis::{
        explain::{Explained, Formula, Unit},
        formulas::{less, recovery},
        graph::Place,
    },
    catalog::{self, ChannelKind},
    model::{
        Basis, ElementKind, Fact, FieldValue, Known, counted,
        key::{channel, read, store},
        units::{Duration, Limit, human},
        words::{CleanupPolicy, Deletes},
    },
};
use std::sync::Arc;

static LEFT: Formula = Formula {
    id: "DUR-7",
    text: "kept − behind before − done again",
    source: "what a job has to read first when it comes back lies so much further back than where it stopped; checked against simulated outages",
};

/// Examines what the channel drops before a reader that stands still comes back; `job` is `None` for a consumer that
/// reads itself.
pub(super) fn examine(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, job: Option<Place>) {
    let place = hop.graph.node_place(from);
    let Some(log) = hop.graph.nodes[from].entry.and_then(|entry| entry.channel) else {
        hop.miss(
            state,
            place,
            channel::VERSION.field(),
            crate::analysis::explain::MissingWhy::System,
            super::ledger::BOTH,
        );
        return;
    };
    if log.kind != ChannelKind::Log {
        backlog(hop, state, from, job);
        if log.ends_unread && by_size(hop, from) {
            stands_still(hop, state, from, job, None);
        }
        return;
    }
    if log.compaction {
        let entry = hop.graph.nodes[from].entry.map(|entry| entry.id);
        let version = hop.graph.fact(place, channel::VERSION).map(|fact| fact.value);
        let product = entry.map(|id| (id, version.as_deref()));
        match hop.need_default(state, place, channel::CLEANUP_POLICY, product, LOSS) {
            Some(policy @ (CleanupPolicy::Compact | CleanupPolicy::CompactDelete)) => {
                put(&mut state.compacted, place);
                deletions(hop, state, from, job, product);
                if policy == CleanupPolicy::Compact {
                    return;
                }
            }
            Some(CleanupPolicy::Delete) | None => {}
        }
    }
    let timed = log.kept_for.is_some()
        || matches!(hop.need(state, place, channel::RETENTION_TIME, LOSS), Some(Limit::Of(_) | Limit::None));
    // A size that binds at an unknown time may bind before the retention time does.
    if by_size(hop, from) || timed {
        let report = hop.figures.and_then(|figures| figures.channels.get(hop.graph.id(place)));
        let kept = report.and_then(|report| report.deletion.as_ref().ok()).filter(|kept| !kept.unbounded());
        stands_still(hop, state, from, job, kept.cloned());
    }
}

/// A compacted log keeps the newest record of each key, and that one is deleted for so long only: a reader that is further
/// behind can miss it (Apache Kafka documentation, Design: Log Compaction, What guarantees does log compaction provide).
fn deletions(
    hop: &mut Examined<'_, '_>,
    state: &mut State,
    from: usize,
    job: Option<Place>,
    product: Option<(&str, Option<&str>)>,
) {
    const WHAT: &str = "how long deletions are kept";
    let Some(job) = job.filter(|_| deletes(hop)) else { return };
    let place = hop.graph.node_place(from);
    let default = |(system, version)| match hop.graph.known(place, channel::TOMBSTONE_RETENTION) {
        Known::Unset(_) => catalog::default_of(channel::TOMBSTONE_RETENTION.field(), system, version),
        _ => None,
    };
    let kept = match hop.graph.fact(place, channel::TOMBSTONE_RETENTION) {
        Some(fact) => Some(Explained::fact(WHAT, Unit::Seconds, &fact, fact.value.secs())),
        None => {
            product.and_then(default).and_then(|default| Duration::from_value(&default.value.value())).map(|kept| {
                let why = "delete.retention.ms is not set: its documented default";
                Explained::assumed(WHAT, Some(hop.graph.id(place)), Unit::Seconds, kept.secs(), why)
            })
        }
    };
    let channel = hop.title(place);
    let condition = unread(hop, job, kept, &format!("{channel} keeps deletions"));
    let cause = format!("deletions that {channel} drops before they are read: what was deleted stays");
    hop.lose(state, Found::unless(HopPart::Whole, condition, cause));
}

/// Does the job that reads over this link pass deletions on, into a store or another compacted log?
fn deletes(hop: &Examined<'_, '_>) -> bool {
    let graph = hop.graph;
    let Some(edge) = hop.place.index().checked_sub(graph.nodes.len()).and_then(|edge| graph.edges.get(edge)) else {
        return false;
    };
    let (mut next, mut seen) = (vec![edge.to], vec![edge.to]);
    while let Some(node) = next.pop() {
        for edge in graph.flows_out(node) {
            let to = graph.edges[edge].to;
            let found = match graph.nodes[to].kind() {
                ElementKind::Sink => graph
                    .fact(graph.edge_place(edge), store::DELETES)
                    .is_some_and(|fact| fact.value == Deletes::Applied),
                ElementKind::Channel => graph
                    .fact(graph.node_place(to), channel::CLEANUP_POLICY)
                    .is_some_and(|fact| fact.value != CleanupPolicy::Delete),
                ElementKind::Operator if !seen.contains(&to) => {
                    seen.push(to);
                    next.push(to);
                    false
                }
                _ => false,
            };
            if found {
                return true;
            }
        }
    }
    false
}

fn of(fact: Fact<Limit<Duration>>) -> Option<Arc<Explained>> {
    let seconds = fact.value.bound()?.secs();
    Some(Explained::fact("retention time", Unit::Seconds, &fact, seconds))
}

/// Does its size bound it, or may it?
fn by_size(hop: &mut Examined<'_, '_>, from: usize) -> bool {
    let place = hop.graph.node_place(from);
    match hop.graph.known(place, channel::RETENTION_SIZE) {
        Known::Value(_) => matches!(hop.peek(place, channel::RETENTION_SIZE), Some(Limit::Of(_))),
        // A limit that the product has and that nobody read may bind.
        Known::Unset(_) | Known::NotKnown(_) | Known::Conflict(_) => {
            let version = hop.graph.fact(place, channel::VERSION).map(|fact| fact.value);
            let log = hop.graph.nodes[from].entry.and_then(|entry| entry.channel);
            log.is_some_and(|log| log.limits.by_size(version.as_deref()))
        }
    }
}

fn stands_still(
    hop: &mut Examined<'_, '_>,
    state: &mut State,
    from: usize,
    job: Option<Place>,
    kept: Option<Arc<Explained>>,
) {
    let channel = hop.title(hop.graph.node_place(from));
    let condition = match job {
        Some(job) => unread(hop, job, kept, &format!("{channel} keeps records")),
        None => reader(hop, from, kept),
    };
    hop.lose(state, Found::unless(HopPart::Whole, condition, format!("what {channel} drops before it is read")));
}

/// The condition that what a job has not read when it stops is still there when it comes back: what it was behind before,
/// and what it reads again from its last position, lie back beside the outage. It is met only where all of that is known,
/// and not by what is assumed.
pub(super) fn unread(hop: &Examined<'_, '_>, job: Place, kept: Option<Arc<Explained>>, otherwise: &str) -> Condition {
    let Some(kept) = kept else { return super::source::down_less(hop, job, None, otherwise) };
    let (behind, again) = (behind(hop), again(hop, job));
    let known = behind.is_some() && again.is_some();
    let back: Vec<Arc<Explained>> = behind.into_iter().chain(again).collect();
    let lies = back.iter().map(|one| one.value).sum::<f64>();
    let value = less(kept.value, lies);
    let stated = stated_outage(hop.graph, job);
    let needs_back = recovery::needs_back(lies, 0.0, stated.as_ref().map_or(0.0, |stated| stated.value));
    let lost = recovery::loses_on_restart(needs_back, kept.value);
    let bound = match back.is_empty() {
        true => kept,
        false => {
            let inputs: Vec<Arc<Explained>> = std::iter::once(kept).chain(back).collect();
            let of = hop.graph.id(job);
            Explained::derive("left for an outage", Some(of), Unit::Seconds, &LEFT, inputs, value, None)
        }
    };
    let met = known && stated.is_some() && bound.basis != Some(Basis::Assumed);
    let (name, most) = (hop.title(job), human::bound(value));
    Condition {
        text: if known {
            format!("{name} is down less than {most}")
        } else {
            format!("{name} is behind by less than {most}")
        },
        variable: Variable::Outage(hop.graph.id(job).clone()),
        bound: Some(bound),
        inside: if lost { Some(false) } else { met.then_some(true) },
        hop: hop.hop(HopPart::Whole),
    }
}

/// How far the reader was behind before, as read, else by its records; what is taken for partitions that were not read does
/// not count.
fn behind(hop: &Examined<'_, '_>) -> Option<Arc<Explained>> {
    if let Some(fact) = hop.graph.fact(hop.place, read::LAG_TIME) {
        let most = fact.value.max()?;
        return Some(Explained::fact("lag", Unit::Seconds, &fact, most.secs()));
    }
    let behind = hop.figures?.reads.get(hop.graph.id(hop.place))?.behind_time.as_ref().ok()?;
    (behind.basis != Some(Basis::Assumed)).then(|| Arc::clone(behind))
}

/// What the job reads again.
fn again(hop: &Examined<'_, '_>, job: Place) -> Option<Arc<Explained>> {
    let again = hop.figures?.jobs.get(hop.graph.id(job))?.rewind.as_ref()?.as_ref().ok()?;
    (!again.unbounded()).then(|| Arc::clone(again))
}

fn reader(hop: &Examined<'_, '_>, from: usize, bound: Option<Arc<Explained>>) -> Condition {
    let channel = hop.title(hop.graph.node_place(from));
    let text = match &bound {
        Some(bound) => format!("it reads {channel} at least every {}", bound.text()),
        None => format!("it reads {channel} before records are dropped"),
    };
    let variable = Variable::ReaderDowntime(hop.graph.id(hop.place).clone());
    Condition { text, variable, bound, inside: None, hop: hop.hop(HopPart::Whole) }
}

/// A queue or subscription: what is not acknowledged expires, and gives up after so many attempts.
fn backlog(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, job: Option<Place>) {
    let place = hop.graph.node_place(from);
    let log = hop.graph.nodes[from].entry.and_then(|entry| entry.channel);
    // Where the limits of the channel end its backlog, a reader has none of its own (NATS documentation, JetStream Model Deep
    // Dive: MaxAge is an upper bound under each retention policy; Apache Kafka, `SharePartition`: records in front of the log
    // start offset are archived for the group).
    let own = !log.is_some_and(|log| log.ends_unread) || hop.peek(hop.place, read::RETENTION_TIME).is_some();
    let kept = if own {
        hop.need(state, hop.place, read::RETENTION_TIME, LOSS)
    } else {
        hop.need(state, place, channel::RETENTION_TIME, LOSS)
    };
    match kept {
        Some(Limit::Of(_)) => {
            let fact = match own {
                true => hop.graph.fact(hop.place, read::RETENTION_TIME),
                false => hop.graph.fact(place, channel::RETENTION_TIME),
            };
            let bound = fact.and_then(of);
            let condition = match job {
                Some(job) => unread(hop, job, bound, "the backlog is kept"),
                None => Condition {
                    text: "it reads before the backlog expires".to_owned(),
                    variable: Variable::ReaderDowntime(hop.graph.id(hop.place).clone()),
                    bound,
                    inside: None,
                    hop: hop.hop(HopPart::Whole),
                },
            };
            hop.lose(state, Found::unless(HopPart::Whole, condition, "what expires in the backlog"));
        }
        Some(Limit::None) => {
            hop.lose(state, Found::possible(HopPart::Whole, "nothing is kept for a reader that is away"));
        }
        Some(Limit::Unlimited) | None => {}
    }
    if let Some(most) = hop.peek(hop.place, read::MAX_DELIVERIES) {
        let condition = Condition {
            text: format!("every message is handled within {}", counted(most, "attempt")),
            variable: Variable::Other(hop.graph.id(place).clone()),
            bound: None,
            inside: None,
            hop: hop.hop(HopPart::Whole),
        };
        hop.lose(state, Found::unless(HopPart::Whole, condition, "set aside or dropped after the last attempt"));
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        analysis::delivery::verdict::LossKind,
        codec,
        model::{Id, View},
        rules::review,
    };

    /// What a job is found to lose at a log: by no condition, or by one and whether it is met.
    fn lost(log: &str, job: &str, read: &str) -> Option<(String, Option<bool>)> {
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":2,
            "elements":{{"c":{{"kind":"channel","system":"kafka","proposed":{{"cleanup_policy":"delete","retention_time":"1h",
              "retention_size":"unlimited","timestamp_type":"create_time"{log}}}}},
             "j":{{"kind":"job","system":"flink","proposed":{{"processing_guarantee":"exactly_once","checkpoint_interval":"150s",
              "checkpoint_min_pause":"0s"{job}}}}},
             "o":{{"kind":"operator","job":"j","step":"map"}},"t":{{"kind":"sink","system":"postgres"}},"u":{{"kind":"consumer"}}}},
            "links":{{"l1":{{"from":"c","to":"o","proposed":{{"isolation":"read_committed"{read}}}}},"l2":{{"from":"o","to":"t"}},
             "l3":{{"from":"t","to":"u"}}}}}}"#
        ))
        .unwrap_or_else(|error| panic!("{error}"));
        let verdict = review(&design, View::ToBe).consumers[&Id::new("u").unwrap()].delivery.clone();
        let loss = verdict.lossy_hops.into_iter().find(|loss| loss.hop.at.as_str() == "l1")?;
        Some(match &loss.kind {
            LossKind::Conditional(condition) => (condition.text.clone(), condition.inside),
            LossKind::Possible => (loss.cause.to_string(), Some(false)),
        })
    }

    const GONE: &str = "what c drops before it is read";

    /// 3 600 s are kept; 150 + 50 = 200 s are read again and 300 s were behind: 3 100 s are left for the outage.
    #[test]
    fn an_outage_comes_on_top_of_what_is_read_again_and_what_was_behind() {
        let behind = r#","lag_time":"300s""#;
        let down = |outage: &str| format!(r#","checkpoint_duration":"50s","longest_outage":"{outage}""#);
        assert_eq!(lost("", &down("3200s"), behind), Some((GONE.to_owned(), Some(false))));
        let fits = Some(("j is down less than 51 min 40 s".to_owned(), Some(true)));
        assert_eq!(lost("", &down("3000s"), behind), fits);
        // Not known, it makes no condition met.
        let open = Some(("j is behind by less than 56 min 40 s".to_owned(), None));
        assert_eq!(lost("", &down("3000s"), ""), open, "how far it is behind is not read");
        let open = Some(("j is behind by less than 55 min".to_owned(), None));
        assert_eq!(lost("", r#","longest_outage":"3000s""#, behind), open, "how long a checkpoint takes is not read");
        assert_eq!(lost("", r#","longest_outage":"3600s""#, ""), Some((GONE.to_owned(), Some(false))), "by itself");
    }

    /// A record that was 10 min old when it was appended is deleted 10 min earlier: 3 000 s of 3 600.
    #[test]
    fn what_came_late_is_deleted_early() {
        let job = r#","checkpoint_duration":"50s","longest_outage":"2600s""#;
        let behind = r#","lag_time":"300s""#;
        assert_eq!(lost("", job, behind).and_then(|(_, inside)| inside), Some(true), "3 100 s of 3 600");
        assert_eq!(lost(r#","append_delay":{"max":"10min"}"#, job, behind), Some((GONE.to_owned(), Some(false))));
    }
}
