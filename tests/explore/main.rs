//! The walk against a second opinion: an operational model of every mechanism, explored exhaustively.

mod compare;
mod design;
mod generate;
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

/// `EXPLORE_SEED` chooses other samples.
#[test]
fn samples_of_two_and_three_nodes() {
    let seed = std::env::var("EXPLORE_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut numbers = Numbers(seed.unwrap_or(20_240_611));
    let mut paths = Vec::new();
    paths.extend((0..600).map(|_| sample(&mut numbers, 2)));
    paths.extend((0..400).map(|_| sample(&mut numbers, 3)));
    agree("more", &paths);
}
