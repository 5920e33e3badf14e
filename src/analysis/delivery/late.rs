//! Events that come after their window has closed. What a window still takes is said by each engine in its own way
//! ([`catalog::Lateness`]).

use super::{
    hop::Examined,
    ledger::{Found, LOSS},
    state::State,
    takes::{self, Ask, Part, engine},
    verdict::{Condition, HopPart, Variable},
};
use crate::{
    analysis::{
        explain::{Explained, Formula, Unit},
        graph::Place,
    },
    catalog::{self, Lateness},
    model::{
        Basis, Fact, FieldValue, Key, Port, Statistic,
        key::{channel, operator, source},
        units::{Duration, human},
        words::{Clock, JoinKind, WindowKind},
    },
};

/// Most links that are gone back over for a reading of the lateness.
const FAR: usize = 64;

/// Does a late event make this window send its result once more? Only where results are sent before all that counts is in.
pub(super) fn fires_again(hop: &mut Examined<'_, '_>, node: usize) -> bool {
    let takes = Lateness::of(engine(hop.graph, node), hop.peek(hop.place, operator::API), None);
    let allowed = hop.peek(hop.place, operator::ALLOWED_LATENESS);
    let late_results = match takes {
        Lateness::DelayAndLateResults => hop.peek(hop.place, operator::LATE_FIRING),
        _ => None,
    };
    takes.sends_again(allowed, late_results)
}

/// Examines what happens to late events; `join`: of a join, its kind. What is led aside is missing here as well: nothing
/// that the analysis knows brings it back.
pub(super) fn examine(hop: &mut Examined<'_, '_>, state: &mut State, node: usize, join: Option<JoinKind>) {
    if matches!(hop.peek(hop.place, operator::CLOCK), Some(Clock::ProcessingTime | Clock::IngestionTime)) {
        return;
    }
    if takes::everything(hop.graph, node) {
        return;
    }
    let takes = Lateness::of(engine(hop.graph, node), hop.peek(hop.place, operator::API), join);
    let formula = match takes {
        Lateness::Grace => &GRACE,
        Lateness::Delay => &DELAY,
        Lateness::DelayAndAllowed | Lateness::DelayAndLateResults => &BOTH,
        Lateness::BeyondRunner => &BEYOND,
    };
    let graph = hop.graph;
    let Some(found) = takes::bound(graph, node, takes, &mut Needed { hop: &mut *hop, state: &mut *state }) else {
        return;
    };
    let bound = found.time();
    let runner = takes == Lateness::BeyondRunner;
    // Against the runner's own watermark, what is measured behind the highest time says nothing.
    let inside = if runner { None } else { lateness(hop, node, bound) };
    let text = human::at_least(bound.secs());
    let of = hop.graph.id(hop.place);
    let figure = |part: Part| {
        let fact = part.fact?;
        Some(Explained::fact(part.what, Unit::Seconds, &fact, fact.value.secs()))
    };
    let inputs: Vec<_> = found.parts.into_iter().filter_map(figure).collect();
    let formula = if std::ptr::eq(formula, &BOTH) && inputs.len() == 1 { &DELAY } else { formula };
    let figure = (!inputs.is_empty()).then(|| {
        let what = "lateness that still counts";
        Explained::derive(what, Some(of), Unit::Seconds, formula, inputs, bound.secs(), None)
    });
    let (late, later) = if runner {
        (
            format!("at most {text} behind the watermark of the runner"),
            format!("more than {text} behind the watermark of the runner"),
        )
    } else {
        (format!("at most {text} late"), format!("later than {text}"))
    };
    let condition = Condition {
        text: format!("every event is {late}"),
        variable: Variable::Lateness(of.clone()),
        bound: figure,
        inside,
        hop: hop.hop(HopPart::LateEvents),
    };
    let (cause, in_values) = fate(hop, node, &later);
    hop.lose(state, Found { in_values, ..Found::unless(HopPart::LateEvents, condition, cause) });
}

/// What becomes of events that come `later`, and whether rows are there with too low values.
fn fate(hop: &mut Examined<'_, '_>, node: usize, later: &str) -> (String, bool) {
    let graph = hop.graph;
    let outs = graph.flows_out(node).map(|edge| &graph.edges[edge]).filter(|edge| edge.link.port == Some(Port::Late));
    let aside: Vec<_> = outs.map(|edge| hop.title(graph.node_place(edge.to))).collect();
    let engine = engine(hop.graph, node);
    // Spark compares with the watermark of an earlier batch: what is later than the delay may still count (Structured
    // Streaming Programming Guide, semantic guarantees of aggregation with watermarking).
    let dropped =
        format!("events {later} {} dropped from their window", if engine == "spark" { "may be" } else { "are" });
    if aside.is_empty() {
        return (dropped, false);
    }
    let (window, join) = (hop.peek(hop.place, operator::WINDOW), hop.peek(hop.place, operator::JOIN));
    if catalog::drops_late(engine, hop.peek(hop.place, operator::API), window, join).is_some() {
        hop.row.remarks.push("none: the engine has no output for late events");
        return (dropped, false);
    }
    let aside = aside.join(" and ");
    // A record goes aside only if no window took it: late for some windows of a step, it is missing there, and nothing says
    // so (Apache Flink, WindowOperator::processElement: isSkippedElement).
    if hop.peek(hop.place, operator::WINDOW) == Some(WindowKind::Hopping) {
        let missing = "are missing from those of their windows that have closed";
        return (format!("events {later} {missing}, and go to {aside} only if all have"), true);
    }
    (format!("events {later} go to {aside} and are missing here"), false)
}

/// Asks as a mechanism does: what is missing is noted.
struct Needed<'h, 'w, 'd> {
    hop: &'h mut Examined<'w, 'd>,
    state: &'h mut State,
}

impl Ask for Needed<'_, '_, '_> {
    fn ask<T: FieldValue>(&mut self, at: Place, key: Key<T>) -> Option<Fact<T>> {
        self.hop.need(self.state, at, key, LOSS)?;
        self.hop.graph.fact(at, key)
    }

    fn assume(&mut self) {
        self.hop.basis = super::state::weaker(self.hop.basis, Some(Basis::Assumed));
    }
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

/// Is the lateness that was measured upstream inside the bound, on all ways? Of percentiles and means, one that exceeds it
/// decides; only a maximum can tell that all are inside. A plain reading is a mean.
fn lateness(hop: &Examined<'_, '_>, node: usize, bound: Duration) -> Option<bool> {
    let graph = hop.graph;
    let (mut inside, mut beyond, mut gone) = (graph.flows_in(node).next().is_some(), false, 0);
    graph.upstream(node, |edge| {
        let from = graph.edges[edge].from;
        let place = graph.node_place(from);
        gone += 1;
        if graph.edges[edge].link.port.is_some() || gone > FAR {
            inside = false;
            return false;
        }
        let measured = graph.fact(place, channel::LATENESS).or_else(|| graph.fact(place, source::LATENESS));
        let Some(late) = measured.map(|fact| fact.value) else {
            inside &= graph.flows_in(from).next().is_some();
            return true;
        };
        let most = late.statistics.get(&Statistic::Max).copied();
        beyond |=
            late.percentiles().any(|(_, late)| late > bound) || most.or(late.mean()).is_some_and(|late| late > bound);
        inside &= most.is_some();
        false
    });
    if beyond { Some(false) } else { inside.then_some(true) }
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

    /// What is lost of late events at a window with a late output drawn behind it, and whether in values.
    fn aside(engine: &str, step: &str) -> Option<(String, bool)> {
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
        let late = lossy.iter().find(|loss| loss.hop.part == HopPart::LateEvents);
        late.map(|loss| (loss.cause.to_string(), loss.in_values))
    }

    /// What goes aside is missing here like what is dropped; the engine says which of the two it is.
    #[test]
    fn a_late_output_takes_what_is_missing_here() {
        let fate = |text: &str, values: bool| Some((text.to_owned(), values));
        let tumbling = r#","window":"tumbling""#;
        let gone = fate("events later than 80 s go to late and are missing here", false);
        assert_eq!(aside("flink", tumbling), gone);
        let beam = "events more than 60 s behind the watermark of the runner are dropped from their window";
        assert_eq!(aside("dataflow", tumbling), fate(beam, false));
        // Spark keeps every window in complete mode, and has nothing to be late against in update mode without a watermark.
        assert_eq!(aside("spark", r#","window":"tumbling","output_mode":"complete""#), None);
        let streams = fate("events later than 60 s are dropped from their window", false);
        assert_eq!(aside("kafka_streams", tumbling), streams);
        assert_eq!(aside("spark", tumbling), fate("events later than 20 s may be dropped from their window", false));
        let sql = aside("flink", r#","window":"tumbling","api":"table_function""#);
        assert_eq!(sql, fate("events later than 20 s are dropped from their window", false));
        // Late for one of its two windows, a record is in the other and in no output.
        let hopping = aside("flink", r#","window":"hopping","window_step":"150s""#);
        let some = "events later than 80 s are missing from those of their windows that have closed, and go to late only if all have";
        assert_eq!(hopping, fate(some, true));
    }

    /// Of two ways into a window the one without a watermark of its own leaves the bound open.
    #[test]
    fn a_way_without_a_watermark_is_asked_for_one() {
        let missing = |second: &str| {
            let design = codec::decode(&format!(
                r#"{{"format":"streaming-pipeline","version":2,
                "elements":{{"a":{{"kind":"channel","system":"kafka"}},"b":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"flink"}},
                 "m":{{"kind":"operator","job":"j","step":"map","proposed":{{"watermark_delay":"1h"}}}},
                 "n":{{"kind":"operator","job":"j","step":"map","proposed":{{{second}}}}},
                 "w":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"key":["k"],"function":"max","clock":"event_time",
                  "window":"tumbling","window_size":"5min","allowed_lateness":"0s","emit":"on_close"}}}},
                 "t":{{"kind":"sink","system":"postgres"}},"u":{{"kind":"consumer"}}}},
                "links":{{"l1":{{"from":"a","to":"m"}},"l2":{{"from":"m","to":"w"}},"l3":{{"from":"b","to":"n"}},"l4":{{"from":"n","to":"w"}},
                 "l5":{{"from":"w","to":"t"}},"l6":{{"from":"t","to":"u"}}}}}}"#
            ))
            .unwrap();
            let review = review(&design, View::ToBe);
            let verdict = &review.consumers[&Id::new("u").unwrap()].delivery;
            let asked = verdict.unknown.iter().any(|missing| missing.field.name() == "watermark_delay");
            let late = verdict.lossy_hops.iter().find(|loss| loss.hop.part == HopPart::LateEvents);
            (asked, late.map(|loss| loss.cause.to_string()))
        };
        assert_eq!(missing(""), (true, None));
        let least = "events later than 20 s are dropped from their window".to_owned();
        assert_eq!(missing(r#""watermark_delay":"20s""#), (false, Some(least)));
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
