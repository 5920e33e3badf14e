//! Designs that surprised their owners, after public reports, each with the verdict that is right.
//!
//! `tests/cases/<ID>.json` is a design as somebody would draw it, `<ID>.expect.json` beside it what is expected of it, in
//! the words of [`Expect`]. What does not hold yet stands in `not_yet` with the reason; it fails as soon as it holds, so
//! that the list only gets shorter. `tests/gold` holds four whole designs in the same form, with every number that is worked out
//! for them by hand. Not here: paths that are made up to test one mechanism (`tests/composition`).
#![allow(missing_docs, reason = "tests")]

use pipeline_desk::{
    analysis::{
        delivery::verdict::{DeliveryVerdict, Fewest, Label, Most, ValueEffect},
        explain::{Derived, Explained},
        order::{OrderKind, OrderVerdict},
    },
    codec,
    documents::document_set,
    model::{Design, Id, View},
    rules::{Review, Severity, review, rule},
};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

/// What goes wrong in a case, and the rules that say so: at least one of them must.
const FAULTS: &[(&str, &[&str])] = &[
    ("a_great_many_windows", &["STA-14"]),
    ("acknowledged_by_the_leader_alone", &["DEL-02"]),
    ("acts_again", &["SFX-01"]),
    ("alert_on_records_alone", &["LAG-L2"]),
    ("append_repeats", &["DEL-13", "CON-L3"]),
    ("backlog_is_not_worked_off", &["LAG-L6"]),
    ("batch_written_again", &["SPK-L2"]),
    ("best_effort_window", &["DUP-07"]),
    ("bytes_bind", &["RET-02"]),
    ("checkpoint_reaches_its_timeout", &["CHK-01"]),
    ("claimed_beyond_the_verdict", &["DEL-01"]),
    ("clock_stops_deletion", &["RET-07"]),
    ("commit_out_of_order", &["DEL-22"]),
    ("committed_before_the_work", &["DEL-12", "DEL-19"]),
    ("compaction_hides_history", &["RET-05"]),
    ("compaction_ignores_retention", &["RET-16"]),
    ("compaction_keeps_what_is_erased", &["PRV-02"]),
    ("compared_by_rows", &["REC-L4"]),
    ("deletion_is_missed", &["RET-09"]),
    ("erasure_against_an_endless_log", &["PRV-01"]),
    ("exactly_once_ends_at_the_copy", &["DEL-18"]),
    ("final_results_wait", &["TIM-08", "TIM-19"]),
    ("gap_is_jumped_over", &["OFF-03"]),
    ("grace_left_open", &["TIM-26"]),
    ("group_without_members", &["REB-L5"]),
    ("held_by_a_transaction", &["LAG-L4"]),
    ("hot_key", &["SKW-02"]),
    ("in_sync_above_replicas", &["DEL-05"]),
    ("kept_for_longer", &["RET-04"]),
    ("key_missing", &["CON-L3"]),
    ("key_wrong", &["DUP-04"]),
    ("late_dropped_unsaid", &["TIM-05"]),
    ("late_events_go_nowhere", &["TIM-04"]),
    ("later_than_needed", &["LAT-L1"]),
    ("markers_count_as_lag", &["LAG-L5"]),
    ("misspelt_setting", &["CFG-01"]),
    ("more_readers_than_partitions", &["CAP-L2"]),
    ("nothing_late_is_taken", &["TIM-11"]),
    ("older_than_the_retention", &["RET-08"]),
    ("order_lost_by_growth", &["ORD-L3"]),
    ("order_lost_by_retries", &["ORD-L1"]),
    ("order_lost_by_shuffle", &["ORD-L1", "ORD-L7"]),
    ("order_lost_by_workers", &["ORD-L1"]),
    ("poll_outlasts_the_interval", &["REB-L2"]),
    ("polling_misses", &["SRC-L1"]),
    ("position_expires", &["OFF-02"]),
    ("processing_time_cannot_be_replayed", &["DET-01"]),
    ("reads_uncommitted", &["DEL-15"]),
    ("rebuilt_without_a_cut_over", &["REC-L3"]),
    ("redelivered", &["DEL-13", "CON-L1", "CON-L3", "QUE-01"]),
    ("repeat_stops_the_writer", &["DUP-10"]),
    ("replay_counts_twice", &["DEL-13"]),
    ("replay_into_live_state", &["REP-L1"]),
    ("replay_without_hold", &["REP-L2"]),
    ("reset_repeats", &["OFF-02"]),
    ("reset_skips", &["OFF-01"]),
    ("retention_shorter_than_outage", &["CHK-06"]),
    ("rotation_by_clock", &["CON-L5"]),
    ("schema_history_expires", &["RET-17"]),
    ("session_without_end", &["STA-09"]),
    ("silence_holds_windows", &["TIM-08", "TIM-09"]),
    ("silence_not_known", &["TIM-25"]),
    ("size_taken_for_the_topic", &["RET-03"]),
    ("snapshot_again", &["SRC-L2"]),
    ("stale_leader", &["DEL-06"]),
    ("state_without_bound", &["STA-01"]),
    ("time_to_live_open", &["STA-03"]),
    ("transaction_above_broker_maximum", &["FLK-01"]),
    ("transaction_too_short", &["FLK-04"]),
    ("versions_that_do_not_compare", &["DUP-11"]),
];

/// The fields of an expectation; a variant has the same, and `set`: paths into the design with the values they get.
struct Expect<'e> {
    fields: &'e Map<String, Value>,
}

impl Expect<'_> {
    const KNOWN: &'static [&'static str] = &[
        // In a sentence: what happens here.
        "what",
        // The last consumer: whose verdict is meant.
        "consumer",
        // best_effort, at_most_once, at_least_once, suppressed_within, once (effectively, or in one scope), no_claim.
        "guarantee",
        // none (perhaps under conditions), conditional, possible, unknown.
        "loss",
        // none, suppressed, shown, unknown.
        "repeats",
        // exact, over, under, stale, over_or_missing, rows.
        "value",
        // Where loss is worst, where the worst copies are made, and where they would be mended: ids.
        "weakest_loss",
        "weakest_repeats",
        "repair",
        // Order at the consumer: nothing, not_established, per_partition, arrival, per_key, newest, global; and where it
        // ends: an id.
        "order",
        "order_ends",
        // Words of a mechanism in the hop table.
        "mechanism",
        // Names of FAULTS.
        "faults",
        // No finding worse than a note, no halt.
        "quiet",
        // Words of the verdict or of a finding.
        "says",
        // Words that no sentence, finding or document may hold.
        "never_says",
        // Figures with their place in the report, perhaps a term of it, and a value to 1 %: a number, "no bound", or null
        // where it must not be derivable.
        "figures",
        // Where the report behind the case expected something else, and why not.
        "differs",
        // What the report behind the case also tells and no design can.
        "left_out",
        // Checks that do not hold yet, with the reason.
        "not_yet",
        "variants",
        "set",
    ];

    fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field).map(|value| value.as_str().unwrap())
    }

    fn texts(&self, field: &str) -> Vec<&str> {
        self.fields
            .get(field)
            .map_or(Vec::new(), |value| value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect())
    }

    fn table(&self, field: &str) -> BTreeMap<String, String> {
        let entries = self.fields.get(field).map(|value| value.as_object().unwrap());
        entries.into_iter().flatten().map(|(key, text)| (key.clone(), text.as_str().unwrap().to_owned())).collect()
    }
}

/// One check: its name, and what was found where it does not hold.
type Check = (String, Result<(), String>);

fn check(name: impl Into<String>, expected: &str, found: &str) -> Check {
    (name.into(), if expected == found { Ok(()) } else { Err(format!("expected {expected}, found {found}")) })
}

fn guarantee(label: Label) -> &'static str {
    match label {
        Label::NoClaim => "no_claim",
        Label::BestEffort => "best_effort",
        Label::AtMostOnce => "at_most_once",
        Label::AtLeastOnce => "at_least_once",
        Label::SuppressedWithin => "suppressed_within",
        Label::EffectivelyOnce | Label::ExactlyOnceScoped => "once",
    }
}

fn loss(expected: &str, fewest: &Fewest) -> &'static str {
    match fewest {
        Fewest::OneWhile(..) if expected == "none" => "none",
        Fewest::One(_) => "none",
        Fewest::OneWhile(..) => "conditional",
        Fewest::Zero => "possible",
        Fewest::Unknown(_) => "unknown",
    }
}

const fn repeats(most: &Most) -> &'static str {
    match most {
        Most::One(_) => "none",
        Most::OneWhile(..) => "suppressed",
        Most::Many => "shown",
        Most::Unknown(_) => "unknown",
    }
}

const fn value(value: ValueEffect) -> &'static str {
    match value {
        ValueEffect::NotApplicable => "rows",
        ValueEffect::Exact => "exact",
        ValueEffect::Over => "over",
        ValueEffect::Under => "under",
        ValueEffect::Stale => "stale",
        ValueEffect::OverOrMissing => "over_or_missing",
    }
}

const fn order(kind: Option<OrderKind>) -> &'static str {
    match kind {
        None | Some(OrderKind::Nothing) => "nothing",
        Some(OrderKind::NotEstablished) => "not_established",
        Some(OrderKind::PerPartition) => "per_partition",
        Some(OrderKind::Arrival) => "arrival",
        Some(OrderKind::PerKey) => "per_key",
        Some(OrderKind::Newest) => "newest",
        Some(OrderKind::Global) => "global",
    }
}

fn order_checks(expect: &Expect<'_>, verdict: &OrderVerdict) -> Vec<Check> {
    let ends = verdict.inputs.iter().find_map(|input| input.ended_by());
    let found = [
        ("order", order(verdict.kind()).to_owned()),
        ("order_ends", ends.map_or("nowhere", |breaker| breaker.at.as_str()).to_owned()),
    ];
    let said = || verdict.inputs.iter().map(|input| input.sentence(&|id| id.to_string())).collect::<Vec<_>>();
    let checks = found.into_iter().filter_map(|(field, found)| Some(check(field, expect.text(field)?, &found)));
    checks.map(|(name, outcome)| (name, outcome.map_err(|found| format!("{found}: {:?}", said())))).collect()
}

fn verdict_checks(expect: &Expect<'_>, verdict: &DeliveryVerdict) -> Vec<Check> {
    let id = |id: Option<&Id>| id.map_or("nowhere", Id::as_str).to_owned();
    let weakest = &verdict.weakest;
    let found = [
        ("guarantee", guarantee(verdict.label).to_owned()),
        ("loss", loss(expect.text("loss").unwrap_or_default(), &verdict.badge.fewest).to_owned()),
        ("repeats", repeats(&verdict.badge.most).to_owned()),
        ("value", value(verdict.value).to_owned()),
        ("weakest_loss", id(weakest.loss.as_ref().map(|hop| &hop.at))),
        ("weakest_repeats", id(weakest.duplicate_origin.as_ref().map(|hop| &hop.at))),
        ("repair", id(weakest.duplicate_repair.as_ref().map(|repair| &repair.at))),
    ];
    let table: Vec<String> = verdict.hops.iter().map(|row| row.mechanism()).collect();
    let mechanism = expect.texts("mechanism").into_iter().map(|words| {
        let stands = table.iter().any(|mechanism| mechanism.contains(words));
        let found = if stands { Ok(()) } else { Err(format!("mechanisms: {table:#?}")) };
        (format!("mechanism {words}"), found)
    });
    let fields = found.into_iter().filter_map(|(field, found)| Some(check(field, expect.text(field)?, &found)));
    let mut checks: Vec<Check> = fields.chain(mechanism).collect();
    for (name, outcome) in &mut checks {
        if let Err(found) = outcome {
            *found = format!("{name}: {found}; {} {:?}", verdict.sentence, verdict.unknown);
        }
    }
    checks
}

fn fault_checks(expect: &Expect<'_>, review: &Review) -> Vec<Check> {
    let fired: Vec<&str> = review.findings.iter().map(|finding| finding.rule).collect();
    let mut checks: Vec<Check> = expect
        .texts("faults")
        .into_iter()
        .map(|fault| {
            let (_, rules) = FAULTS.iter().find(|(name, _)| *name == fault).unwrap_or_else(|| panic!("{fault}"));
            let found = if rules.iter().any(|rule| fired.contains(rule)) { Ok(()) } else { Err(format!("{fired:?}")) };
            (format!("fault {fault}"), found)
        })
        .collect();
    if expect.fields.get("quiet") == Some(&Value::Bool(true)) {
        let loud: Vec<String> = review
            .findings
            .iter()
            .filter(|finding| finding.severity > Severity::Note)
            .map(|finding| format!("{} {}", finding.rule, finding.message))
            .chain(review.halts.iter().map(|halt| halt.consequence.clone()))
            .collect();
        checks.push(("quiet".to_owned(), if loud.is_empty() { Ok(()) } else { Err(loud.join("\n")) }));
    }
    checks
}

/// Everything that is said about a design to its consumers, its makers and the readers of its documents.
fn said(design: &Design, review_: &Review) -> Vec<String> {
    let mut texts = Vec::new();
    for consumer in review_.report.consumers.values() {
        let verdict = &consumer.delivery;
        texts.extend([verdict.sentence.clone(), verdict.consumer_must.clone(), verdict.scope.clone()]);
        texts.extend(verdict.why.iter().cloned());
        texts.extend(consumer.order.inputs.iter().map(|input| input.sentence(&|id| id.to_string())));
        texts.extend(verdict.hops.iter().flat_map(|row| [row.can_lose(), row.adds(), row.removes(), row.mechanism()]));
    }
    texts.extend(review_.report.links.values().flat_map(|link| link.captions.lines()));
    for finding in &review_.findings {
        texts.extend([finding.message.clone(), finding.why.to_owned(), finding.remedy.to_string()]);
        texts.extend(finding.fix.iter().map(|fix| fix.label.clone()));
    }
    for halt in &review_.halts {
        texts.extend([halt.action.clone(), halt.consequence.clone(), halt.lifted_by.clone()]);
    }
    let as_is = review(design, View::AsIs);
    texts.extend(document_set(design, &as_is, review_).iter().map(|document| document.markdown()));
    texts
}

fn word_checks(expect: &Expect<'_>, design: &Design, review: &Review) -> Vec<Check> {
    let texts: Vec<String> = said(design, review).iter().map(|text| text.to_lowercase()).collect();
    let says = expect.texts("says").into_iter().map(|words| {
        let stands = texts.iter().any(|text| text.contains(&words.to_lowercase()));
        (format!("says {words}"), if stands { Ok(()) } else { Err("nothing says so".to_owned()) })
    });
    let never = expect.texts("never_says").into_iter().map(|words| {
        let words = words.to_lowercase();
        let line = texts.iter().flat_map(|text| text.lines()).find(|line| line.contains(&words));
        (format!("never says {words}"), line.map_or(Ok(()), |line| Err(line.to_owned())))
    });
    says.chain(never).collect()
}

/// A figure by its place in the report.
fn figure(review: &Review, place: &str) -> Result<Arc<Explained>, String> {
    let [section, id, field] = place.split('.').collect::<Vec<_>>()[..] else { panic!("{place}") };
    let id = Id::new(id).unwrap();
    let report = &review.report;
    let some = |derived: &Option<Derived>| derived.clone().unwrap_or_else(|| panic!("{place} is not there"));
    let derived = match (section, field) {
        ("channels", "reach") => report.channels[&id].reach.clone(),
        ("channels", "longest") => report.channels[&id].longest.clone(),
        ("channels", "erased") => report.channels[&id].erased.clone(),
        ("channels", "typical") => report.channels[&id].typical.clone(),
        ("channels", "hot_rate") => report.channels[&id].skew.hot_rate.clone(),
        ("channels", "effective") => report.channels[&id].skew.effective.clone(),
        ("channels", "on_disk") => some(&report.channels[&id].on_disk),
        ("channels", "busiest") => report.channels[&id].busiest.clone(),
        ("jobs", "parallelism_cap") => report.jobs[&id].parallelism_cap.clone(),
        ("jobs", "poll") => some(&report.jobs[&id].poll),
        ("jobs", "load") => report.jobs[&id].load.clone(),
        ("jobs", "drain") => some(&report.jobs[&id].drain),
        ("jobs", "outage_bound") => some(&report.jobs[&id].outage_bound),
        ("jobs", "recovery") => report.jobs[&id].recovery.clone(),
        ("jobs", "rewind") => some(&report.jobs[&id].rewind),
        ("jobs", "checkpoint") => some(&report.jobs[&id].checkpoint),
        ("jobs", "required_timeout") => some(&report.jobs[&id].required_timeout),
        ("operators", "state") => some(&report.operators[&id].state),
        ("operators", "entries") => some(&report.operators[&id].entries),
        ("operators", "growth") => some(&report.operators[&id].growth),
        ("consumers", "latency") => report.consumers[&id].latency.clone(),
        ("reads", "behind") => report.reads[&id].behind.clone(),
        ("reads", "readable") => Ok(report.reads[&id].readable.clone().unwrap()),
        ("reads", "held") => Ok(report.reads[&id].held.clone().unwrap()),
        ("reads", "markers") => some(&report.reads[&id].markers),
        ("comparisons", "safe") => report.comparisons[&id].safe.clone(),
        ("comparisons", "rows_apart") => Ok(report.comparisons[&id].rows_apart.clone().unwrap()),
        ("comparisons", "keys_apart") => Ok(report.comparisons[&id].keys_apart.clone().unwrap()),
        // Of a consumer: how far back its results can be made again from there, at once, and with ids filled first.
        ("replay" | "filled", from) => {
            let start = report.consumers[&id].replay.iter().find(|start| start.from.as_str() == from);
            let start = start.unwrap_or_else(|| panic!("{place} is no start"));
            if section == "replay" { start.reach.clone() } else { some(&start.after_deduplication) }
        }
        _ => panic!("{place}"),
    };
    derived.map_err(|open| format!("{open:?}"))
}

fn term(explained: &Arc<Explained>, what: &str) -> Option<Arc<Explained>> {
    if explained.what == what {
        return Some(Arc::clone(explained));
    }
    explained.inputs().iter().find_map(|input| term(input, what))
}

/// How far a figure may be from what is expected: as the entry says, where its hand-worked value is rounded.
fn within(entry: &Value, expected: f64) -> f64 {
    entry["within"].as_f64().unwrap_or_else(|| (expected * 1e-6).min(1e6))
}

fn figure_checks(expect: &Expect<'_>, review: &Review) -> Vec<Check> {
    let figures = expect.fields.get("figures").map(|value| value.as_array().unwrap());
    let one = |entry: &Value| {
        let (at, of) = (entry["at"].as_str().unwrap(), entry["term"].as_str());
        let name = of.map_or_else(|| format!("figure {at}"), |of| format!("figure {at} {of}"));
        let found = figure(review, at).and_then(|whole| match of {
            Some(of) => term(&whole, of).ok_or_else(|| format!("no such term in {whole:#?}")),
            None => Ok(whole),
        });
        let expected = if entry["value"] == "no bound" { Some(f64::INFINITY) } else { entry["value"].as_f64() };
        let outcome = match (expected, found) {
            (Some(expected), Ok(found))
                if found.value == expected || (found.value - expected).abs() <= within(entry, expected) =>
            {
                Ok(())
            }
            (None, Err(_)) => Ok(()),
            (expected, found) => Err(format!("expected {expected:?}, found {:?}", found.map(|found| found.value))),
        };
        (name, outcome)
    };
    figures.into_iter().flatten().map(one).collect()
}

/// Checks one design, and says what is wrong: what does not hold, and what holds although it is said not to.
fn examine(name: &str, design: &Value, expect: &Expect<'_>) -> Vec<String> {
    for field in expect.fields.keys() {
        assert!(Expect::KNOWN.contains(&field.as_str()), "{name}: {field}");
    }
    let design = match codec::decode(&design.to_string()) {
        Ok(design) => design,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let review = review(&design, View::ToBe);
    let mut checks = Vec::new();
    if let Some(consumer) = expect.text("consumer") {
        let report = review.report.consumers.get(&Id::new(consumer).unwrap());
        let report = report.unwrap_or_else(|| panic!("{name}: {consumer}"));
        checks.extend(verdict_checks(expect, &report.delivery));
        checks.extend(order_checks(expect, &report.order));
    }
    checks.extend(fault_checks(expect, &review));
    checks.extend(word_checks(expect, &design, &review));
    checks.extend(figure_checks(expect, &review));
    let not_yet = expect.table("not_yet");
    let names: Vec<&String> = checks.iter().map(|(name, _)| name).collect();
    let mut wrong: Vec<String> = not_yet
        .keys()
        .filter(|open| !names.contains(open))
        .map(|open| format!("{name}: not_yet names {open}, which is not checked"))
        .collect();
    wrong.extend(checks.into_iter().filter_map(|(check, outcome)| match outcome {
        Ok(()) if not_yet.contains_key(&check) => Some(format!("{name}: {check} holds: take it out of not_yet")),
        Err(found) if !not_yet.contains_key(&check) => Some(format!("{name}: {check}: {found}")),
        _ => None,
    }));
    wrong
}

/// The design with what a variant sets: `elements/orders/proposed/partitions` to a value, `null` removes.
fn changed(design: &Value, set: &Map<String, Value>) -> Value {
    let mut design = design.clone();
    for (path, value) in set {
        let parts: Vec<&str> = path.split('/').collect();
        let (last, parents) = parts.split_last().unwrap();
        let mut at = &mut design;
        for part in parents {
            at = at.as_object_mut().unwrap().entry(*part).or_insert_with(|| Value::Object(Map::new()));
        }
        let at = at.as_object_mut().unwrap();
        if value.is_null() {
            assert!(at.remove(*last).is_some(), "{path}")
        } else {
            drop(at.insert((*last).to_owned(), value.clone()))
        }
    }
    design
}

fn cases(folder: &str) -> Vec<(String, Value, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut ids: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| Some(name.strip_suffix(".json")?.to_owned()))
        .filter(|name| !name.ends_with(".expect"))
        .collect();
    ids.sort();
    let read = |name: String| {
        let text = fs::read_to_string(folder.join(&name)).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    ids.into_iter().map(|id| (id.clone(), read(format!("{id}.json")), read(format!("{id}.expect.json")))).collect()
}

#[test]
fn every_fault_has_a_rule() {
    for (fault, rules) in FAULTS {
        assert!(rules.iter().all(|id| rule(id).is_some()), "{fault}: {rules:?}");
    }
}

#[test]
fn every_case_has_its_verdict() {
    let cases = cases("cases");
    assert!(cases.len() >= 62, "{}", cases.len());
    all_as_expected(&cases);
}

/// Paths of every delivery family from end to end, with each number on their way.
#[test]
fn the_reference_designs_have_their_numbers() {
    let designs = cases("gold");
    assert_eq!(designs.len(), 4);
    all_as_expected(&designs);
}

fn all_as_expected(cases: &[(String, Value, Value)]) {
    let mut wrong = Vec::new();
    for (id, design, expect) in cases {
        let fields = expect.as_object().unwrap();
        wrong.extend(examine(id, design, &Expect { fields }));
        for (name, variant) in fields.get("variants").and_then(Value::as_object).into_iter().flatten() {
            let fields = variant.as_object().unwrap();
            let design = changed(design, fields["set"].as_object().unwrap());
            wrong.extend(examine(&format!("{id} ({name})"), &design, &Expect { fields }));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A condition stands behind "while" and behind "unless", where a "no" of its own would turn what is said around.
#[test]
fn no_condition_denies() {
    let mut seen = 0;
    for (id, design, _) in cases("cases") {
        let design = codec::decode(&design.to_string()).unwrap();
        for view in [View::AsIs, View::ToBe] {
            let review = review(&design, view);
            let rows = review.consumers.values().flat_map(|report| &report.delivery.hops);
            for said in rows.map(|hop| hop.can_lose()) {
                let conditions: Vec<&str> = said.split(", unless ").skip(1).collect();
                seen += conditions.len();
                for condition in conditions {
                    let words = condition.split(';').next().unwrap_or_default().split_whitespace();
                    let denies =
                        words.filter(|word| matches!(*word, "no" | "not" | "never" | "nothing" | "nobody")).count();
                    assert_eq!(denies, 0, "{id}: unless {condition}");
                }
            }
        }
    }
    assert!(seen > 20, "{seen}");
}
