//! Pipelines that are run again from what their logs still hold, against the run that saw everything.
//!
//! A pipeline is drawn at random and given to the desk as a design. What the desk says of how far back its results can be
//! made again is then tried: every result from there on must come out as in the full run.

use crate::Dice;
use pipeline_desk::{
    analysis::analyse,
    codec,
    model::{Id, View},
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A step of a pipeline, with what it reads.
enum Step {
    Log(usize),
    /// One for each id within a time that every copy starts anew.
    Deduplicate(Box<Step>, f64),
    /// One result for each window, at its end.
    Window(Box<Step>, f64),
    /// Pairs: the right one at most `before` earlier and `after` later.
    Join(Box<Step>, Box<Step>, f64, f64),
    Union(Box<Step>, Box<Step>),
}

/// When, and what.
type Event = (i64, u64);

fn mix(a: u64, b: u64) -> u64 {
    (a ^ b.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31)
}

fn pipeline(dice: &mut Dice, depth: usize, logs: usize) -> Step {
    let inner = |dice: &mut Dice| Box::new(pipeline(dice, depth - 1, logs));
    match if depth == 0 { 0 } else { dice.roll(5) } {
        1 => {
            let inner = inner(dice);
            Step::Deduplicate(inner, dice.pick(&[50.0, 200.0, 400.0]))
        }
        2 => {
            let inner = inner(dice);
            Step::Window(inner, dice.pick(&[60.0, 200.0, 300.0]))
        }
        3 => {
            let (left, right) = (inner(dice), inner(dice));
            Step::Join(left, right, dice.pick(&[0.0, 100.0]), dice.pick(&[0.0, 40.0, 200.0]))
        }
        4 => {
            let left = inner(dice);
            Step::Union(left, inner(dice))
        }
        _ => Step::Log(dice.roll(logs)),
    }
}

/// Runs a step over what its logs hold, up to now.
fn run(step: &Step, logs: &[Vec<Event>], now: i64) -> Vec<Event> {
    let mut out = match step {
        Step::Log(log) => logs[*log].clone(),
        Step::Deduplicate(inner, kept) => {
            let mut seen: BTreeMap<u64, i64> = BTreeMap::new();
            let events = run(inner, logs, now).into_iter();
            let kept = *kept as i64;
            events.filter(|(time, id)| seen.insert(*id, *time).is_none_or(|last| time - last > kept)).collect()
        }
        Step::Window(inner, size) => {
            let size = *size as i64;
            let mut windows: BTreeMap<i64, u64> = BTreeMap::new();
            for (time, id) in run(inner, logs, now) {
                let end = (time.div_euclid(size) + 1) * size;
                let sum = windows.entry(end).or_insert(1);
                *sum = sum.wrapping_add(mix(id, 3));
            }
            windows.into_iter().filter(|(end, _)| *end <= now).collect()
        }
        Step::Join(left, right, before, after) => {
            let (left, right) = (run(left, logs, now), run(right, logs, now));
            let (before, after) = (*before as i64, *after as i64);
            let mut pairs = Vec::new();
            for (time, id) in left {
                let near = right.iter().filter(|(other, _)| (time - before..=time + after).contains(other));
                pairs.extend(near.map(|(other, with)| (time.max(*other), mix(id, *with))));
            }
            pairs
        }
        Step::Union(left, right) => {
            let mut both = run(left, logs, now);
            both.extend(run(right, logs, now));
            both
        }
    };
    out.sort_unstable();
    out
}

/// The same pipeline as a document: every step an operator of one job.
#[derive(Default)]
struct Document {
    elements: Map<String, Value>,
    links: Map<String, Value>,
}

impl Document {
    fn link(&mut self, from: &str, to: &str, side: Option<&str>) {
        let mut link = json!({ "from": from, "to": to });
        if let Some(side) = side {
            link["into"] = json!(side);
        }
        self.links.insert(format!("l{}", self.links.len()), link);
    }

    fn operator(&mut self, step: &str, settings: Value) -> String {
        let id = format!("o{}", self.elements.len());
        let operator = json!({ "kind": "operator", "job": "job", "step": step, "proposed": settings });
        self.elements.insert(id.clone(), operator);
        id
    }

    fn draw(&mut self, step: &Step) -> String {
        let seconds = |seconds: &f64| json!(format!("{seconds}s"));
        match step {
            Step::Log(log) => format!("log{log}"),
            Step::Deduplicate(inner, kept) => {
                let from = self.draw(inner);
                let id = self.operator("deduplicate", json!({ "state_ttl": seconds(kept), "ttl_from": "last" }));
                self.link(&from, &id, None);
                id
            }
            Step::Window(inner, size) => {
                let from = self.draw(inner);
                let id = self.operator("aggregate", json!({ "window": "tumbling", "window_size": seconds(size) }));
                self.link(&from, &id, None);
                id
            }
            Step::Join(left, right, before, after) => {
                let (left, right) = (self.draw(left), self.draw(right));
                let range = json!({ "join": "interval", "join_before": seconds(before), "join_after": seconds(after) });
                let id = self.operator("join", range);
                self.link(&left, &id, Some("left"));
                self.link(&right, &id, Some("right"));
                id
            }
            Step::Union(left, right) => {
                let (left, right) = (self.draw(left), self.draw(right));
                let id = self.operator("map", json!({}));
                self.link(&left, &id, None);
                self.link(&right, &id, None);
                id
            }
        }
    }
}

/// How far back the desk says the results can be made again, with ids filled first.
fn said(step: &Step, kept: &[f64]) -> f64 {
    let mut document = Document::default();
    document.elements.insert("job".into(), json!({ "kind": "job", "system": "flink" }));
    for (log, kept) in kept.iter().enumerate() {
        let settings =
            json!({ "cleanup_policy": "delete", "retention_time": format!("{kept}s"), "retention_size": "unlimited" });
        document
            .elements
            .insert(format!("log{log}"), json!({ "kind": "channel", "system": "kafka", "proposed": settings }));
    }
    let last = document.draw(step);
    let write = document.operator("map", json!({}));
    document.link(&last, &write, None);
    document.elements.insert("store".into(), json!({ "kind": "sink", "system": "postgres" }));
    document.elements.insert("user".into(), json!({ "kind": "consumer" }));
    document.link(&write, "store", None);
    document.link("store", "user", None);
    let text =
        json!({ "format": "streaming-pipeline", "version": 1, "elements": document.elements, "links": document.links });
    let design = codec::decode(&text.to_string()).unwrap_or_else(|error| panic!("{error}: {text}"));
    let report = analyse(&design, View::ToBe);
    let starts = &report.consumers[&Id::new("user").unwrap()].replay;
    let reach = |start: &pipeline_desk::analysis::ReplayStart| {
        let filled = start.after_deduplication.as_ref().unwrap_or(&start.reach);
        filled.as_ref().unwrap_or_else(|why| panic!("{why:?}")).value
    };
    starts.iter().map(reach).fold(0.0, f64::max)
}

/// Which logs a pipeline reads.
fn logs_of(step: &Step, found: &mut BTreeSet<usize>) {
    match step {
        Step::Log(log) => drop(found.insert(*log)),
        Step::Deduplicate(inner, _) | Step::Window(inner, _) => logs_of(inner, found),
        Step::Join(left, right, ..) | Step::Union(left, right) => {
            logs_of(left, found);
            logs_of(right, found);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn results_from_there_on_are_right(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let (now, count) = (6000i64, 1 + dice.roll(3));
        let kept: Vec<f64> = (0..count).map(|_| dice.between(600.0, 5500.0).floor()).collect();
        // Events of few ids, so that ids come again before and after they are forgotten.
        let all: Vec<Vec<Event>> = (0..count)
            .map(|log| {
                let mut time = 0i64;
                let mut events = Vec::new();
                while time < now {
                    time += 1 + dice.roll(60) as i64;
                    events.push((time, mix(dice.roll(12) as u64, log as u64 + 7)));
                }
                events.retain(|(time, _)| *time <= now);
                events
            })
            .collect();
        let step = pipeline(&mut dice, 3, count);
        let left: Vec<Vec<Event>> = all
            .iter()
            .zip(&kept)
            .map(|(log, kept)| log.iter().copied().filter(|(time, _)| now - time <= *kept as i64).collect())
            .collect();
        let reach = said(&step, &kept);
        let mut read = BTreeSet::new();
        logs_of(&step, &mut read);
        let least = read.iter().map(|log| kept[*log]).fold(f64::INFINITY, f64::min);
        prop_assert!(reach <= least, "{reach} of logs that keep {least}");
        let from = now - reach as i64;
        let since = |events: Vec<Event>| events.into_iter().filter(|(time, _)| *time > from).collect::<Vec<_>>();
        prop_assert_eq!(since(run(&step, &left, now)), since(run(&step, &all, now)), "from {} on", from);
    }
}
