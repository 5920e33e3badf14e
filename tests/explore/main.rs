//! The walk against a second opinion: an operational model of every mechanism, explored exhaustively.

mod compare;
mod design;
mod generate;
mod logs;
#[path = "../composition/path.rs"]
#[allow(dead_code, reason = "shared with other tests, which use other parts")]
mod straight;
mod witnesses;

use compare::{classes, compare};
use generate::{Numbers, one, sample};
use pipeline_desk::explore::{Bounds, Explorer, path::Path};

/// Compares, and writes what differs into the folder that `EXPLORE_DIFFERENCES` names.
fn agree(name: &str, paths: &[Path]) {
    let mut explorer = Explorer::new(Bounds::USUAL);
    let differences = compare(&mut explorer, paths);
    let text = classes(&differences);
    if let Some(folder) = std::env::var_os("EXPLORE_DIFFERENCES") {
        let head = format!("{} paths, {} states, {} differences\n", paths.len(), explorer.states(), differences.len());
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

/// Paths of so many nodes; `EXPLORE_SEED` chooses other ones.
fn sampled(first: u64, number: usize, length: usize) -> Vec<Path> {
    let seed = std::env::var("EXPLORE_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut numbers = Numbers(seed.unwrap_or(first));
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
