//! What the walk says of a path against what happens on it.

use crate::design::design;
use pipeline_desk::{
    analysis::{
        analyse,
        delivery::verdict::{DeliveryVerdict, Fewest, Most, Transient},
    },
    explore::{
        Explorer, Observed,
        path::{Node, Operator, Path, Rows, Write},
    },
    model::View,
};
use std::{collections::BTreeMap, fmt::Write as _};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// Something is missing, too low or old.
    Below,
    /// A row is there twice.
    Duplicate,
    /// A value is too high.
    Over,
    /// An old version stands.
    Stale,
    /// Repeats show, as rows or in values.
    Many,
    /// An older value is shown again for a while.
    Older,
    /// Something is read whose transaction was aborted.
    Uncommitted,
}

/// How they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// It happens, and the walk excludes it.
    Unsound,
    /// The walk calls it possible, and it does not happen.
    Loose,
}

/// One difference.
#[derive(Clone, Debug)]
pub struct Difference {
    pub field: Field,
    pub wrong: Wrong,
    pub path: Path,
    pub story: String,
}

/// What the walk says.
pub fn said(path: &Path) -> DeliveryVerdict {
    let report = analyse(&design(path), View::AsIs);
    report.consumers.values().next().expect("one consumer").delivery.clone()
}

fn fields(verdict: &DeliveryVerdict, seen: &Observed, path: &Path) -> Vec<(Field, bool, bool)> {
    let stale = verdict.taints.iter().any(|taint| taint.stale);
    let over = verdict.taints.iter().any(|taint| !taint.stale);
    let lost = verdict.badge.fewest == Fewest::Zero;
    let (seen_stale, seen_over) = (seen.stale.is_some(), seen.over.is_some());
    let seen_low = seen.loss.is_some() || seen.under.is_some();
    // A repeat that a sum has swallowed shows in the value, and is compared there.
    let (repeats, said_more) = (!verdict.duplicates.is_empty(), seen.duplicate.is_some() || !over);
    let mut fields = vec![
        (Field::Below, lost || stale, seen_low || seen_stale),
        (Field::Duplicate, repeats && (said_more || !seen_over), seen.duplicate.is_some()),
        (Field::Over, over, seen_over),
        (Field::Many, verdict.badge.most == Most::Many, seen.duplicate.is_some() || seen_over || seen_stale),
        (
            Field::Uncommitted,
            verdict.transient.contains(&Transient::UncommittedVisible),
            seen.uncommitted_shown.is_some(),
        ),
    ];
    // That the last of several rows is old is nothing wrong with any of them.
    let last = |node: &Node| matches!(node.write, Write::Store(Rows::ByEntity | Rows::ByEntityGuarded));
    if path.nodes.last().is_some_and(last) || path.nodes.iter().any(|node| node.operators.contains(&Operator::Last)) {
        fields.push((Field::Stale, stale, seen_stale));
    }
    // Of a log, a reader sees every version in any case.
    if path.nodes.last().is_some_and(|node| !node.write.into_log()) {
        let older = verdict.transient.contains(&Transient::OlderValueShownAgain);
        fields.push((Field::Older, older, seen.older_shown.is_some()));
    }
    fields
}

fn story(seen: &Observed, field: Field) -> String {
    let story = match field {
        Field::Below => seen.loss.as_ref().or(seen.under.as_ref()).or(seen.stale.as_ref()),
        Field::Duplicate => seen.duplicate.as_ref(),
        Field::Over => seen.over.as_ref(),
        Field::Stale => seen.stale.as_ref(),
        Field::Many => seen.duplicate.as_ref().or(seen.over.as_ref()).or(seen.stale.as_ref()),
        Field::Older => seen.older_shown.as_ref(),
        Field::Uncommitted => seen.uncommitted_shown.as_ref(),
    };
    let told = |story: &pipeline_desk::explore::Story| {
        let steps = story.steps.iter().map(|told| format!("{}: {}", told.hop, told.step.words()));
        steps.collect::<Vec<_>>().join("; ")
    };
    story.map(told).unwrap_or_default()
}

/// All differences of these paths.
pub fn compare(explorer: &mut Explorer, paths: &[Path]) -> Vec<Difference> {
    let mut differences = Vec::new();
    for path in paths {
        let verdict = said(path);
        assert_eq!(verdict.unknown, [], "every fact is there: {path:?}");
        let seen = explorer.observe(path);
        for (field, said, happens) in fields(&verdict, &seen, path) {
            if said != happens {
                let wrong = if happens { Wrong::Unsound } else { Wrong::Loose };
                let story = story(&seen, field);
                differences.push(Difference { field, wrong, path: path.clone(), story });
            }
        }
    }
    differences
}

/// Differences by class: field, kind, and what the nodes are; with how many and one example.
pub fn classes(differences: &[Difference]) -> String {
    let mut classes: BTreeMap<(Field, Wrong, String), Vec<&Difference>> = BTreeMap::new();
    for difference in differences {
        let nodes = difference.path.nodes.iter();
        let name: Vec<String> =
            nodes.map(|node| format!("{:?} {:?} -> {:?}", node.engine, node.operators, node.write)).collect();
        classes.entry((difference.field, difference.wrong, name.join(" | "))).or_default().push(difference);
    }
    let mut text = String::new();
    for ((field, wrong, name), all) in classes {
        let of: Vec<String> = all.iter().map(|one| format!("{:?}", one.path.source)).collect();
        let readers: Vec<String> = all[0].path.nodes.iter().map(|node| format!("{}", node.committed)).collect();
        writeln!(
            text,
            "{field:?} {wrong:?} x{}: {name}\n    committed {} / {}; sources {}\n    {}",
            all.len(),
            readers.join(","),
            all[0].path.committed,
            of.join(" "),
            all[0].story
        )
        .unwrap();
    }
    text
}
