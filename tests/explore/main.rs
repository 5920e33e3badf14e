//! The walk against a second opinion: an operational model of every mechanism, explored exhaustively.

mod compare;
mod design;
mod generate;
mod logs;
mod partitions;
#[path = "../composition/path.rs"]
#[allow(dead_code, reason = "shared with other tests, which use other parts")]
mod straight;
mod witnesses;

use compare::{Difference, classes, compare, compare_meetings};
use generate::{Numbers, one, sample, sample_meeting};
use pipeline_desk::explore::{
    Bounds, Explorer,
    meeting::{Meeting, Together},
    path::{Checkpoints, Client, Commit, Engine, Node, Operator, Path, Rows, Source, Write},
};

/// Compares, and writes what differs into the folder that `EXPLORE_DIFFERENCES` names.
fn agree(name: &str, paths: &[Path]) {
    let mut explorer = Explorer::new(Bounds::USUAL);
    let differences = compare(&mut explorer, paths);
    report(name, paths.len(), explorer.states(), &differences);
}

fn report(name: &str, paths: usize, states: usize, differences: &[Difference]) {
    let text = classes(differences);
    if let Some(folder) = std::env::var_os("EXPLORE_DIFFERENCES") {
        let head = format!("{paths} paths, {states} states, {} differences\n", differences.len());
        std::fs::write(std::path::Path::new(&folder).join(name), head + &text).unwrap();
    }
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        text.chars().take(4000).collect::<String>()
    );
}

#[test]
fn every_path_of_one_node() {
    agree("one", &one());
}

/// Numbers that choose paths; `EXPLORE_SEED` chooses other ones.
fn numbers(first: u64) -> Numbers {
    let seed = std::env::var("EXPLORE_SEED").ok().and_then(|seed| seed.parse().ok());
    Numbers(seed.unwrap_or(first))
}

/// Paths of so many nodes.
fn sampled(first: u64, number: usize, length: usize) -> Vec<Path> {
    let mut numbers = numbers(first);
    (0..number).map(|_| sample(&mut numbers, length)).collect()
}

#[test]
fn samples_of_two_nodes() {
    agree("two", &sampled(20_240_611, 1_300, 2));
}

#[test]
fn samples_of_three_nodes() {
    agree("three", &sampled(20_240_612, 700, 3));
}

/// What meets can be twice as long as what does not.
#[test]
fn samples_of_two_ways_that_meet() {
    let mut numbers = numbers(20_240_613);
    let meetings: Vec<_> = (0..100).map(|_| sample_meeting(&mut numbers)).collect();
    let mut explorer = Explorer::new(Bounds { surplus: 4, ..Bounds::USUAL });
    let differences = compare_meetings(&mut explorer, &meetings);
    report("meetings", meetings.len(), explorer.states(), &differences);
}

/// What one way loses, the other one brings, here after a newer event: a de-duplication behind them takes it for new, and the
/// table ends on the older version. Where neither loses, it keeps the first of both.
#[test]
fn what_one_of_two_ways_loses_comes_late() {
    let node = |engine, operator, write| Node { engine, committed: true, operators: vec![operator], write };
    let way = |commit| node(Engine::Consumer(commit), Operator::Map, Write::Log(Client::SAFE));
    let behind = node(Engine::Flink(Checkpoints::ExactlyOnce), Operator::Deduplicate, Write::Store(Rows::ByEntity));
    let mut explorer = Explorer::new(Bounds { surplus: 4, ..Bounds::USUAL });
    for (loses, stale) in [(Commit::Before, true), (Commit::After, false)] {
        let together = Together::Nodes(Source::Steady(Client::SAFE), [way(loses), way(Commit::After)]);
        let meeting = Meeting { together, store: None, nodes: vec![behind.clone()], committed: true };
        assert_eq!(explorer.observe_meeting(&meeting).stale.is_some(), stale);
        report("lossy way", 1, explorer.states(), &compare_meetings(&mut explorer, &[meeting]));
    }
}
