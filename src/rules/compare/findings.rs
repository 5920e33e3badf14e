//! Findings that vanish and arise, and halts that are raised and lifted.

use super::{
    entry::{Direction, Entry, Side, What},
    scope::{Scope, Ways},
};
use crate::rules::{Finding, Halt, Review, Severity};

/// What is said where a rule finds nothing.
const SILENT: &str = "not found";
/// What is said where nothing is stopped.
const FREE: &str = "not stopped";

/// Appends what differs in the findings that concern a consumer.
pub(super) fn of_consumer(before: &Review, after: &Review, scope: &Scope<'_>, into: &mut Vec<Entry>) {
    let old = before.findings.iter().filter(|finding| scope.before(&finding.about)).map(AsRef::as_ref).collect();
    let new = after.findings.iter().filter(|finding| scope.after(&finding.about)).map(AsRef::as_ref).collect();
    let blind = (scope.blinder(before, after), scope.blinder(after, before));
    findings(old, new, blind, into);
}

/// Appends what differs in the halts that concern a consumer.
pub(super) fn stopped(before: &Review, after: &Review, scope: &Scope<'_>, into: &mut Vec<Entry>) {
    let old = before.halts.iter().filter(|halt| scope.before(&halt.about)).collect();
    let new = after.halts.iter().filter(|halt| scope.after(&halt.about)).collect();
    halts(old, new, into);
}

/// What differs in the findings and halts that concern no consumer.
pub(super) fn elsewhere(before: &Review, after: &Review, ways: &Ways<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let outside = |about: &[crate::model::Id]| !about.iter().any(|id| ways.concerns_anybody(id));
    let [old, new] = [before, after].map(|review| {
        review.findings.iter().map(AsRef::as_ref).filter(|finding: &&Finding| outside(&finding.about)).collect()
    });
    findings(old, new, (false, false), &mut entries);
    let old = before.halts.iter().filter(|halt| outside(&halt.about)).collect();
    let new = after.halts.iter().filter(|halt| outside(&halt.about)).collect();
    halts(old, new, &mut entries);
    entries
}

/// Findings of one rule at one place are the same, whatever their numbers. `blind`: does that side lack facts that the
/// other has? Then its silence says nothing.
fn findings(old: Vec<&Finding>, mut new: Vec<&Finding>, blind: (bool, bool), into: &mut Vec<Entry>) {
    let mut gone = Vec::new();
    for finding in old {
        match new.iter().position(|other| other.rule == finding.rule && other.about == finding.about) {
            Some(at) => weighed(finding, new.remove(at), into),
            None => gone.push(finding),
        }
    }
    for finding in gone {
        match new.iter().position(|other| other.rule == finding.rule && other.about.first() == finding.about.first()) {
            Some(at) => weighed(finding, new.remove(at), into),
            None => into.push(Entry::new(what(finding), said(finding), silent(blind.1), Direction::Better)),
        }
    }
    for finding in new {
        into.push(Entry::new(what(finding), silent(blind.0), said(finding), Direction::Worse));
    }
}

fn weighed(before: &Finding, after: &Finding, into: &mut Vec<Entry>) {
    if before.severity != after.severity {
        let judged = Direction::by(after.severity.cmp(&before.severity));
        let side = |finding: &Finding| Side::known(format!("{}: {}", severity(finding.severity), finding.message));
        let worse = if before.severity < after.severity { after } else { before };
        into.push(Entry::new(what(worse), side(before), side(after), judged));
    }
}

fn what(finding: &Finding) -> What {
    What::Finding(finding.rule, finding.severity, finding.about.clone())
}

fn said(finding: &Finding) -> Side {
    match &finding.accepted {
        Some(reason) => Side::known(format!("{} Put aside: {reason}", crate::model::ended(&finding.message))),
        None => Side::known(&*finding.message),
    }
}

fn silent(blind: bool) -> Side {
    if blind { Side::unknown("not examined, a fact is missing") } else { Side::absent(SILENT) }
}

/// A severity in a word.
const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn halts(old: Vec<&Halt>, mut new: Vec<&Halt>, into: &mut Vec<Entry>) {
    let entry = |halt: &Halt, before: Side, after: Side, direction| {
        Entry::new(What::Halt(halt.class, halt.about.clone()), before, after, direction)
    };
    let said =
        |halt: &Halt| Side::known(format!("{}: {}; lifted by {}", halt.action, halt.consequence, halt.lifted_by));
    for halt in old {
        match new.iter().position(|other| other.class == halt.class && other.action == halt.action) {
            Some(at) => {
                new.remove(at);
            }
            None => into.push(entry(halt, said(halt), Side::absent(FREE), Direction::Better)),
        }
    }
    for halt in new {
        into.push(entry(halt, Side::absent(FREE), said(halt), Direction::Worse));
    }
}
