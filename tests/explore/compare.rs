//! What the walk says of a path against what happens on it.

use crate::design::{self, design};
use pipeline_desk::{
    analysis::{
        analyse,
        delivery::verdict::{DeliveryVerdict, Fewest, Most, Transient},
    },
    explore::{
        Explorer, Observed,
        meeting::{Meeting, Together},
        path::{Checkpoints, Engine, Node, Operator, Path, Rows, Source, Write},
    },
    model::{Design, View},
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
    told(&design(path))
}

fn told(design: &Design) -> DeliveryVerdict {
    let report = analyse(design, View::AsIs);
    report.consumers.values().next().expect("one consumer").delivery.clone()
}

/// What the walk says and what happens, field by field.
fn fields(verdict: &DeliveryVerdict, seen: &Observed, path: &Path) -> Vec<(Field, bool, bool)> {
    let stale = verdict.taints.iter().any(|taint| taint.stale);
    let over = verdict.taints.iter().any(|taint| !taint.stale);
    let lost = verdict.badge.fewest == Fewest::Zero;
    let last = path.nodes.last();
    let keyed = last.is_some_and(|last| matches!(last.write, Write::Store(Rows::ByEntity | Rows::ByEntityGuarded)));
    // That the last of several rows is old is nothing wrong with any of them, unless the last one was asked for.
    let counts = keyed || stale || last.is_some_and(|last| last.operators.contains(&Operator::Last));
    let (seen_stale, seen_over) = (counts && seen.stale.is_some(), seen.over.is_some());
    let seen_low = seen.loss.is_some() || seen.under.is_some();
    // A repeat that a sum has swallowed shows in the value, and is compared there.
    let repeats = !verdict.duplicates.is_empty() && (seen.duplicate.is_some() || !(over && seen_over));
    let many = seen.duplicate.is_some() || seen_over || seen_stale;
    let uncommitted = verdict.transient.contains(&Transient::UncommittedVisible);
    let mut fields = vec![
        (Field::Below, lost || stale, seen_low || seen_stale),
        (Field::Duplicate, repeats, seen.duplicate.is_some()),
        (Field::Over, over, seen_over),
        (Field::Stale, stale, seen_stale),
        (Field::Many, verdict.badge.most == Most::Many, many),
        (Field::Uncommitted, uncommitted, seen.uncommitted_shown.is_some()),
    ];
    // Of a log, a reader sees every version in any case.
    if last.is_some_and(|last| !last.write.into_log()) {
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

fn any(path: &Path, of: impl Fn(&Operator) -> bool) -> bool {
    path.nodes.iter().any(|node| node.operators.iter().any(&of))
}

/// Where the model or the comparison ends, and why: the one list of differences that are no faults. Beside these, the
/// model cuts runs with more than two surplus copies in a log, and its own documentation names what it leaves out.
fn limit(field: Field, wrong: Wrong, path: &Path) -> Option<&'static str> {
    let grows = |operator: &Operator| matches!(operator, Operator::Count | Operator::Max);
    let behind = |node: &Node| {
        node.engine == Engine::Flink(Checkpoints::AtLeastOnce)
            && matches!(node.write, Write::StoreTwoPhase | Write::LogTransaction)
            && node.operators.iter().any(grows)
    };
    match (field, wrong) {
        (Field::Stale | Field::Many, Wrong::Loose)
            if path.source == Source::Webhook { before: true }
                && any(path, |operator| *operator == Operator::Deduplicate) =>
        {
            Some(
                "what was answered and never stored comes again after newer events: order without copies is not modelled",
            )
        }
        (Field::Older, Wrong::Loose) if path.nodes.iter().any(behind) => {
            Some("state that is ahead of the position only grows, so that what is written again is never older")
        }
        (Field::Duplicate | Field::Many, Wrong::Loose)
            if any(path, |operator| *operator == Operator::NewId)
                && any(path, |operator| *operator == Operator::DistinctWindow) =>
        {
            Some("the model counts different contents; the walk allows that the ids that were made anew are counted")
        }
        _ => None,
    }
}

/// The same where two ways meet.
fn limit_where_ways_meet(field: Field, wrong: Wrong, meeting: &Meeting) -> Option<&'static str> {
    let Together::Nodes(_, both) = &meeting.together else { return None };
    let last = meeting.nodes.last().unwrap_or(&both[1]);
    let newest = last.write == Write::Store(Rows::ByEntity) || last.operators.contains(&Operator::Last);
    match (field, wrong) {
        (Field::Below | Field::Stale | Field::Many, Wrong::Loose) if newest => Some(
            "a log of the model has one partition, so that each of two ways that lose nothing ends on the newest version",
        ),
        _ => None,
    }
}

/// All differences of these paths.
pub fn compare(explorer: &mut Explorer, paths: &[Path]) -> Vec<Difference> {
    let each = |path: &Path| differ(path, &said(path), &explorer.observe(path), limit);
    paths.iter().flat_map(each).collect()
}

/// All differences of these paths on which two ways meet.
pub fn compare_meetings(explorer: &mut Explorer, meetings: &[Meeting]) -> Vec<Difference> {
    let each = |meeting: &Meeting| {
        let seen = explorer.observe_meeting(meeting);
        let limit =
            |field, wrong, path: &Path| limit_where_ways_meet(field, wrong, meeting).or(limit(field, wrong, path));
        differ(&as_path(meeting), &told(&design::meeting(meeting)), &seen, limit)
    };
    meetings.iter().flat_map(each).collect()
}

/// All that stands on it, one behind the other.
fn as_path(meeting: &Meeting) -> Path {
    let (source, before) = match &meeting.together {
        Together::Sources([source, _]) => (*source, &[][..]),
        Together::Nodes(source, nodes) => (*source, &nodes[..]),
    };
    Path { source, nodes: [before, &meeting.nodes].concat(), committed: meeting.committed }
}

fn differ(
    path: &Path,
    verdict: &DeliveryVerdict,
    seen: &Observed,
    limit: impl Fn(Field, Wrong, &Path) -> Option<&'static str>,
) -> Vec<Difference> {
    assert_eq!(verdict.unknown, [], "every fact is there: {path:?}");
    let mut differences = Vec::new();
    for (field, said, happens) in fields(verdict, seen, path) {
        let wrong = if happens { Wrong::Unsound } else { Wrong::Loose };
        if said != happens && limit(field, wrong, path).is_none() {
            let story = story(seen, field);
            differences.push(Difference { field, wrong, path: path.clone(), story });
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
