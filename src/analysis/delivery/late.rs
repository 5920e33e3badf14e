//! Events that come after their window has closed. What a window still takes is said by each engine in its own way.
//!
//! Kafka Streams has a grace period and no watermark (KIP-328, KIP-633); Spark only the delay of its watermark (Structured
//! Streaming Programming Guide, Handling Late Data and Watermarking); Apache Flink the watermark delay and, in windows of
//! its DataStream API, what is allowed beyond it (Windows: Allowed Lateness; Window TVF: none). In Apache Beam the watermark
//! is the runner's, and only what is allowed beyond it is set (Beam Programming Guide, Watermarks and late data).

use super::{
    aggregate::runs,
    hop::Examined,
    ledger::{ClaimKind, Found, LOSS},
    state::State,
    verdict::{Condition, HopPart, Variable},
};
use crate::{
    analysis::{
        explain::{Explained, Formula, Unit},
        graph::Place,
    },
    model::{
        Basis, Fact, Key, Known, Port, Statistic,
        key::{channel, operator, source},
        units::{Duration, Limit, human},
        words::{Api, Clock, JoinKind, WindowKind},
    },
};

/// Most places that are gone back to for a setting of the watermark or a reading.
const FAR: usize = 64;

/// What says how late an event may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A grace period against the highest time seen.
    Grace,
    /// The delay of the watermark alone.
    Delay,
    /// The delay, and what is allowed beyond it.
    Both,
    /// What is allowed beyond a watermark that the runner estimates.
    BeyondRunner,
}

/// How the engine of an operator says it; of a join, by its kind.
fn way(hop: &mut Examined<'_, '_>, node: usize, join: Option<JoinKind>) -> Way {
    if runs(hop, node, "kafka_streams") || runs(hop, node, "ksqldb") {
        return Way::Grace;
    }
    if runs(hop, node, "spark") {
        return Way::Delay;
    }
    if runs(hop, node, "dataflow") || runs(hop, node, "beam") {
        return Way::BeyondRunner;
    }
    let sql = matches!(hop.peek(hop.place, operator::API), Some(Api::TableFunction));
    if runs(hop, node, "flink") && (sql || join == Some(JoinKind::Interval)) { Way::Delay } else { Way::Both }
}

/// Does a late event make this window send its result once more? Only where results are sent before all that counts is in.
pub(super) fn fires_again(hop: &mut Examined<'_, '_>, node: usize) -> bool {
    let more = hop.peek(hop.place, operator::ALLOWED_LATENESS).is_some_and(|late| late > Duration::ZERO);
    // Legacy group windows of Flink SQL send late results only where that is switched on (table.exec.emit.late-fire).
    if hop.peek(hop.place, operator::API) == Some(Api::GroupWindow) {
        return matches!(hop.peek(hop.place, operator::LATE_FIRING), Some(Limit::Of(_)));
    }
    more && matches!(way(hop, node, None), Way::Both | Way::BeyondRunner)
}

/// Examines what happens to late events; `join`: of a join, its kind.
pub(super) fn examine(hop: &mut Examined<'_, '_>, state: &mut State, node: usize, join: Option<JoinKind>) {
    if matches!(hop.peek(hop.place, operator::CLOCK), Some(Clock::ProcessingTime | Clock::IngestionTime)) {
        return;
    }
    let aside = led_aside(hop, state, node);
    // A record goes aside only if no window took it: late for some windows of a step, it is missing there, and nothing says so
    // (Apache Flink, WindowOperator::processElement: isSkippedElement).
    let partly = aside && hop.peek(hop.place, operator::WINDOW) == Some(WindowKind::Hopping);
    if aside && !partly {
        return;
    }
    let way = way(hop, node, join);
    let (formula, parts) = match way {
        Way::Grace => (&GRACE, vec![grace(hop, state)]),
        Way::Delay => (&DELAY, vec![delay(hop, state, node)]),
        Way::Both => (&BOTH, vec![delay(hop, state, node), beyond(hop, state, node)]),
        Way::BeyondRunner => (&BEYOND, vec![beyond(hop, state, node)]),
    };
    let Some(parts) = parts.into_iter().collect::<Option<Vec<Part>>>() else { return };
    let bound = Duration::from_millis(parts.iter().map(|part| part.value.millis()).fold(0, u64::saturating_add));
    // Against the runner's own watermark, what is measured behind the highest time says nothing.
    let inside = if way == Way::BeyondRunner { None } else { lateness(hop, node, bound) };
    let text = human::seconds(bound.secs());
    let of = hop.graph.id(hop.place);
    let inputs: Vec<_> = parts.into_iter().filter_map(|part| part.figure).collect();
    let formula = if way == Way::Both && inputs.len() == 1 { &DELAY } else { formula };
    let figure = (!inputs.is_empty()).then(|| {
        let what = "lateness that still counts";
        Explained::derive(what, Some(of), Unit::Seconds, formula, inputs, bound.secs(), None)
    });
    let (late, later) = match way {
        Way::BeyondRunner => (
            format!("at most {text} behind the watermark of the runner"),
            format!("more than {text} behind the watermark of the runner"),
        ),
        _ => (format!("at most {text} late"), format!("later than {text}")),
    };
    let condition = Condition {
        text: format!("every event is {late}"),
        variable: Variable::Lateness(of.clone()),
        bound: figure,
        inside,
        hop: hop.hop(HopPart::LateEvents),
    };
    // Spark compares with the watermark of an earlier batch: what is later than the delay may still count (Structured
    // Streaming Programming Guide, semantic guarantees of aggregation with watermarking).
    let verb = if runs(hop, node, "spark") { "may be" } else { "are" };
    let cause = if partly {
        format!(
            "events {later} are missing from those of their windows that have closed, and go aside only if all have"
        )
    } else {
        format!("events {later} {verb} dropped from their window")
    };
    hop.lose(state, Found { in_values: partly, ..Found::unless(HopPart::LateEvents, condition, cause) });
}

/// Does an output take what is late? Only where the engine has one: Kafka Streams, Spark and the windows of Flink SQL count what
/// they drop and go on, whatever is drawn behind them.
fn led_aside(hop: &mut Examined<'_, '_>, state: &mut State, node: usize) -> bool {
    let graph = hop.graph;
    let Some(edge) = graph.flows_out(node).find(|edge| graph.edges[*edge].link.port == Some(Port::Late)) else {
        return false;
    };
    let drops = ["kafka_streams", "ksqldb", "spark"].into_iter().any(|engine| runs(hop, node, engine));
    let sql = matches!(hop.peek(hop.place, operator::API), Some(Api::TableFunction | Api::GroupWindow));
    if drops || (sql && runs(hop, node, "flink")) {
        hop.row.remarks.push("none: the engine has no output for late events");
        return false;
    }
    let text = format!("late events go to {}", hop.title(graph.node_place(graph.edges[edge].to)));
    hop.claim(state, ClaimKind::Keeps, text);
    true
}

/// One term of the bound.
struct Part {
    value: Duration,
    figure: Option<std::sync::Arc<Explained>>,
}

impl Part {
    fn of(what: &'static str, fact: Fact<Duration>) -> Self {
        let figure = Explained::fact(what, Unit::Seconds, &fact, fact.value.secs());
        Self { value: fact.value, figure: Some(figure) }
    }

    /// Nothing, by the product's documentation where nobody set it.
    const NOTHING: Self = Self { value: Duration::ZERO, figure: None };
}

fn grace(hop: &mut Examined<'_, '_>, state: &mut State) -> Option<Part> {
    hop.need(state, hop.place, operator::ALLOWED_LATENESS, LOSS)?;
    hop.graph.fact(hop.place, operator::ALLOWED_LATENESS).map(|fact| Part::of("grace period", fact))
}

/// The watermark of this step, else of the nearest ones before it in its job, which pass theirs on. Of several inputs the least
/// is certain: behind each, its own delay is all that it may promise.
fn delay(hop: &mut Examined<'_, '_>, state: &mut State, node: usize) -> Option<Part> {
    let mut places = inherited(hop, node, operator::WATERMARK_DELAY);
    if places.is_empty() {
        places.push(hop.place);
    }
    let mut least: Option<Fact<Duration>> = None;
    for place in places {
        hop.need(state, place, operator::WATERMARK_DELAY, LOSS)?;
        let fact = hop.graph.fact(place, operator::WATERMARK_DELAY)?;
        if least.as_ref().is_none_or(|least| fact.value < least.value) {
            least = Some(fact);
        }
    }
    least.map(|fact| Part::of("watermark delay", fact))
}

/// What is allowed beyond the watermark. Legacy group windows of Flink SQL take it only where late firing is on
/// (table.exec.emit.late-fire.enabled; off by default).
fn beyond(hop: &mut Examined<'_, '_>, state: &mut State, node: usize) -> Option<Part> {
    if hop.peek(hop.place, operator::API) == Some(Api::GroupWindow) {
        let fires = match hop.graph.known(hop.place, operator::LATE_FIRING) {
            Known::Unset(_) => {
                hop.basis = super::state::weaker(hop.basis, Some(Basis::Assumed));
                false
            }
            _ => matches!(hop.need(state, hop.place, operator::LATE_FIRING, LOSS)?, Limit::Of(_)),
        };
        if !fires {
            return Some(Part::NOTHING);
        }
    }
    let known = matches!(hop.graph.known(hop.place, operator::ALLOWED_LATENESS), Known::Unset(_));
    let nothing = runs(hop, node, "flink") || runs(hop, node, "dataflow") || runs(hop, node, "beam");
    if known && nothing {
        hop.basis = super::state::weaker(hop.basis, Some(Basis::Assumed));
        return Some(Part::NOTHING);
    }
    hop.need(state, hop.place, operator::ALLOWED_LATENESS, LOSS)?;
    hop.graph.fact(hop.place, operator::ALLOWED_LATENESS).map(|fact| Part::of("allowed lateness", fact))
}

/// Where the settings of the watermark stand that reach this step: the nearest one on each way in its job.
fn inherited(hop: &Examined<'_, '_>, node: usize, key: Key<Duration>) -> Vec<Place> {
    let graph = hop.graph;
    let (mut found, mut seen, mut next) = (Vec::new(), vec![node], 0);
    while let Some(at) = seen.get(next).copied() {
        next += 1;
        let place = graph.node_place(at);
        if !matches!(graph.known(place, key), Known::NotKnown(_)) {
            found.push(place);
            continue;
        }
        for edge in graph.flows_in(at).map(|edge| &graph.edges[edge]).filter(|edge| edge.link.port.is_none()) {
            let same = graph.nodes[edge.from].job.is_some_and(|job| graph.nodes[node].job == Some(job));
            if same && seen.len() < FAR && !seen.contains(&edge.from) {
                seen.push(edge.from);
            }
        }
    }
    found
}

static GRACE: Formula =
    Formula { id: "LATE.grace", text: "grace period", source: "Kafka Streams, TimeWindows: grace (KIP-328, KIP-633)" };
static DELAY: Formula = Formula {
    id: "LATE.delay",
    text: "watermark delay",
    source: "Apache Spark, Structured Streaming Programming Guide: withWatermark; Apache Flink documentation, Window TVF",
};
static BOTH: Formula = Formula {
    id: "LATE.bound",
    text: "watermark delay + allowed lateness",
    source: "Apache Flink documentation, Windows: Allowed Lateness",
};
static BEYOND: Formula = Formula {
    id: "LATE.beyond",
    text: "allowed lateness, beyond the watermark of the runner",
    source: "Apache Beam Programming Guide, Watermarks and late data: withAllowedLateness",
};

/// Is the lateness that was measured upstream inside the bound? Of percentiles, one that exceeds it decides; only a
/// maximum can tell that all are inside. A plain reading is a mean. All inputs have to be inside.
fn lateness(hop: &Examined<'_, '_>, node: usize, bound: Duration) -> Option<bool> {
    let graph = hop.graph;
    let (mut all, mut seen, mut next) = (true, vec![node], 0);
    while let Some(at) = seen.get(next).copied() {
        next += 1;
        let place = graph.node_place(at);
        let measured = || graph.fact(place, channel::LATENESS).or_else(|| graph.fact(place, source::LATENESS));
        if let Some(fact) = (at != node).then(measured).flatten() {
            let most = fact.value.statistics.get(&Statistic::Max).copied();
            let beyond = fact.value.percentiles().any(|(_, late)| late > bound);
            if beyond || most.or(fact.value.mean()).is_some_and(|late| late > bound) {
                return Some(false);
            }
            all &= most.is_some();
            continue;
        }
        let (before, mut ends) = (seen.len(), true);
        for edge in graph.flows_in(at).map(|edge| &graph.edges[edge]).filter(|edge| edge.link.port.is_none()) {
            ends = false;
            if before < FAR && !seen.contains(&edge.from) {
                seen.push(edge.from);
            }
        }
        all &= !ends && before < FAR;
    }
    all.then_some(true)
}

#[cfg(test)]
mod tests {
    use crate::{
        analysis::delivery::verdict::{HopPart, LossKind},
        codec,
        model::{Id, View},
        rules::review,
    };

    /// What is said of late events of a window of this engine, and what is missing for it.
    fn said(engine: &str, step: &str) -> (Vec<String>, Vec<String>) {
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":2,
            "elements":{{"c":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"{engine}"}},
             "m":{{"kind":"operator","job":"j","step":"map","proposed":{{"watermark_delay":"20s"}}}},
             "w":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"key":["k"],"function":"max","clock":"event_time",
              "window":"tumbling","window_size":"5min","emit":"on_close"{step}}}}},
             "t":{{"kind":"sink","system":"postgres"}},"u":{{"kind":"consumer"}}}},
            "links":{{"l1":{{"from":"c","to":"m"}},"l2":{{"from":"m","to":"w"}},"l3":{{"from":"w","to":"t"}},
             "l4":{{"from":"t","to":"u"}}}}}}"#
        ))
        .unwrap();
        let review = review(&design, View::ToBe);
        let verdict = &review.consumers[&Id::new("u").unwrap()].delivery;
        let late = verdict.lossy_hops.iter().filter(|loss| loss.hop.part == HopPart::LateEvents);
        let said = late.map(|loss| match &loss.kind {
            LossKind::Conditional(condition) => condition.text.clone(),
            LossKind::Possible => loss.cause.to_string(),
        });
        let about = ["watermark_delay", "allowed_lateness"];
        let missing = verdict.unknown.iter().map(|missing| missing.field.name()).filter(|name| about.contains(name));
        (said.collect(), missing.map(str::to_owned).collect())
    }

    fn late(text: &str) -> (Vec<String>, Vec<String>) {
        (vec![text.to_owned()], Vec::new())
    }

    fn open(field: &str) -> (Vec<String>, Vec<String>) {
        (Vec::new(), vec![field.to_owned()])
    }

    #[test]
    fn kafka_streams_is_asked_for_its_grace_alone() {
        assert_eq!(said("kafka_streams", r#","allowed_lateness":"1min""#), late("every event is at most 60 s late"));
        assert_eq!(said("ksqldb", ""), open("allowed_lateness"));
        // Nothing is the default of the older API, a day: a grace that is not set is not none.
        assert_eq!(said("kafka_streams", r#","allowed_lateness":"unset""#), open("allowed_lateness"));
    }

    /// The delay stands at the step before, which is in the same job.
    #[test]
    fn spark_is_asked_for_its_watermark_alone() {
        assert_eq!(said("spark", ""), late("every event is at most 20 s late"));
        assert_eq!(
            said("spark", r#","watermark_delay":"30s","allowed_lateness":"1min""#),
            late("every event is at most 30 s late")
        );
        assert_eq!(said("spark", r#","watermark_delay":"unset""#), open("watermark_delay"));
    }

    #[test]
    fn flink_is_asked_for_both_where_it_has_both() {
        assert_eq!(said("flink", r#","allowed_lateness":"10s""#), late("every event is at most 30 s late"));
        assert_eq!(said("flink", ""), open("allowed_lateness"));
        assert_eq!(said("flink", r#","allowed_lateness":"unset""#), late("every event is at most 20 s late"));
        assert_eq!(said("flink", r#","api":"table_function""#), late("every event is at most 20 s late"));
    }

    #[test]
    fn beam_allows_lateness_beyond_a_watermark_of_the_runner() {
        let text = "every event is at most 10 s behind the watermark of the runner";
        assert_eq!(said("dataflow", r#","allowed_lateness":"10s""#), late(text));
        assert_eq!(said("dataflow", ""), open("allowed_lateness"));
    }

    /// `allow-lateness` alone changes nothing (Apache Flink, table.exec.emit.late-fire.enabled): 20 s of the watermark.
    #[test]
    fn legacy_windows_take_late_events_only_where_that_is_switched_on() {
        let of = |facts: &str| said("flink", &format!(r#","api":"group_window","allowed_lateness":"1min"{facts}"#));
        assert_eq!(of(r#","late_firing":"none""#), late("every event is at most 20 s late"));
        assert_eq!(of(r#","late_firing":"unset""#), late("every event is at most 20 s late"));
        assert_eq!(of(r#","late_firing":"0s""#), late("every event is at most 80 s late"));
        assert_eq!(of(""), (Vec::new(), Vec::new()), "asked for late firing");
    }

    /// What a window says of late events, with a late output drawn behind it.
    fn aside(engine: &str, step: &str) -> usize {
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":2,
            "elements":{{"c":{{"kind":"channel","system":"kafka"}},"late":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"{engine}"}},
             "w":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"key":["k"],"function":"max","clock":"event_time",
              "window_size":"5min","emit":"on_close","watermark_delay":"20s","allowed_lateness":"1min"{step}}}}},
             "t":{{"kind":"sink","system":"postgres"}},"u":{{"kind":"consumer"}}}},
            "links":{{"l1":{{"from":"c","to":"w"}},"l2":{{"from":"w","to":"late","port":"late"}},"l3":{{"from":"w","to":"t"}},
             "l4":{{"from":"t","to":"u"}}}}}}"#
        ))
        .unwrap();
        let review = review(&design, View::ToBe);
        let lossy = &review.consumers[&Id::new("u").unwrap()].delivery.lossy_hops;
        lossy.iter().filter(|loss| loss.hop.part == HopPart::LateEvents).count()
    }

    #[test]
    fn a_late_output_counts_only_where_the_engine_has_one() {
        let tumbling = r#","window":"tumbling""#;
        assert_eq!(aside("flink", tumbling), 0);
        assert_eq!(aside("dataflow", tumbling), 0);
        assert_eq!(aside("kafka_streams", tumbling), 1);
        assert_eq!(aside("spark", tumbling), 1);
        assert_eq!(aside("flink", r#","window":"tumbling","api":"table_function""#), 1);
        // Late for one of its two windows, a record is in the other and in no output.
        assert_eq!(aside("flink", r#","window":"hopping","window_step":"150s""#), 1);
    }

    /// Two logs into one window that takes what is at most 20 s late: what is said of the condition.
    fn inside(one: &str, other: &str) -> Option<LossKind> {
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":2,
            "elements":{{"a":{{"kind":"channel","system":"kafka","proposed":{{{one}}}}},"b":{{"kind":"channel","system":"kafka","proposed":{{{other}}}}},
             "j":{{"kind":"job","system":"spark"}},
             "w":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"key":["k"],"function":"max","clock":"event_time",
              "window":"tumbling","window_size":"5min","emit":"on_close","watermark_delay":"20s"}}}},
             "t":{{"kind":"sink","system":"postgres"}},"u":{{"kind":"consumer"}}}},
            "links":{{"l1":{{"from":"a","to":"w"}},"l2":{{"from":"b","to":"w"}},"l3":{{"from":"w","to":"t"}},"l4":{{"from":"t","to":"u"}}}}}}"#
        ))
        .unwrap();
        let review = review(&design, View::ToBe);
        let lossy = &review.consumers[&Id::new("u").unwrap()].delivery.lossy_hops;
        lossy.iter().find(|loss| loss.hop.part == HopPart::LateEvents).map(|loss| loss.kind.clone())
    }

    #[test]
    fn all_inputs_have_to_be_in_time() {
        let of = |one: &str, other: &str| match inside(one, other) {
            Some(LossKind::Conditional(condition)) => condition.inside,
            _ => Some(false),
        };
        let (in_time, late) = (r#""lateness":{"max":"5s"}"#, r#""lateness":{"max":"30s"}"#);
        assert_eq!(of(in_time, in_time), Some(true));
        assert_eq!(of(in_time, ""), None, "nobody measured the other");
        assert_eq!(of("", late), Some(false));
        assert_eq!(of(in_time, r#""lateness":"10s""#), None, "a plain reading is a mean");
        assert_eq!(of(in_time, r#""lateness":"30s""#), Some(false));
    }

    /// A sum for each window, sent when it closes: whether its consumer sees it again for a late event.
    #[test]
    fn legacy_windows_send_late_results_only_where_that_is_switched_on() {
        let versions = |facts: &str| {
            let design = codec::decode(&format!(
                r#"{{"format":"streaming-pipeline","version":2,
                "elements":{{"c":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"flink","proposed":{{"processing_guarantee":"exactly_once"}}}},
                 "w":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"key":["k"],"function":"max","clock":"event_time","window":"tumbling",
                  "window_size":"5min","emit":"on_close","watermark_delay":"20s","allowed_lateness":"1min"{facts}}}}},
                 "t":{{"kind":"sink","system":"postgres","proposed":{{"unique_keys":[["k"]]}}}},"u":{{"kind":"consumer"}}}},
                "links":{{"l1":{{"from":"c","to":"w"}},"l2":{{"from":"w","to":"t","proposed":{{"key":["k"],"write_mode":"upsert","output_commit":"flush","version_guard":[]}}}},
                 "l3":{{"from":"t","to":"u"}}}}}}"#
            ))
            .unwrap_or_else(|error| panic!("{error}"));
            let graph = crate::analysis::graph::Graph::new(&design, View::ToBe);
            let node = graph.find(&Id::new("w").unwrap()).unwrap();
            let mut ledger = crate::analysis::delivery::ledger::Ledger::default();
            let mut hop = super::Examined::new(&graph, &mut ledger, graph.node_place(node));
            super::fires_again(&mut hop, node)
        };
        assert!(versions(r#","api":"datastream""#));
        assert!(!versions(r#","api":"group_window""#));
        assert!(!versions(r#","api":"group_window","late_firing":"none""#));
        assert!(versions(r#","api":"group_window","late_firing":"0s""#));
    }
}
