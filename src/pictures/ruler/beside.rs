//! Beside the reach: how long a replay takes and what it races with, how long positions, tiers and checkpoints stay.

use super::{
    super::{Line, lag::loss},
    rows::{From, Place},
};
use crate::model::{Design, Id, Link, Subject, View, key, words::OffsetReset};

/// The links that read a log.
fn reads<'a>(design: &'a Design, view: View, log: &Id) -> impl Iterator<Item = (&'a Id, &'a Link)> {
    let links = design.links.iter().filter_map(|(id, subject)| Some((id, subject.as_link()?)));
    links.filter(move |(id, link)| link.from == *log && design.visible(view, id))
}

/// The jobs that read a log, each once.
pub(super) fn readers<'a>(design: &'a Design, view: View, log: &Id) -> Vec<&'a Id> {
    let mut jobs: Vec<&Id> = Vec::new();
    for (_, link) in reads(design, view, log) {
        if let Some(job) = design.job_of(&link.to).filter(|job| !jobs.contains(job)) {
            jobs.push(job);
        }
    }
    jobs
}

/// Positions, tiers, checkpoints.
pub(super) fn lines(from: &From<'_>, place: &Place<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    if place.channel.is_some() {
        tiers(from, place.id, &mut lines);
        positions(from, place.id, &mut lines);
        checkpoints(from, place.id, &mut lines);
    }
    lines
}

/// The log start moves on with the clock: a replay has to begin in time and to read faster than records arrive.
pub(super) fn race(from: &From<'_>, place: &Place<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(within) = place.start.and_then(|start| start.start_within.as_ref()) {
        let (what, how) = if within.as_ref().is_ok_and(|within| within.value <= 0.0) {
            ("Time left to start a replay of what is needed", "")
        } else {
            let how = "approval and preparation included: the log start moves on with the clock";
            ("A replay of what is needed has to start within", how)
        };
        lines.push(Line::figure(what, within.clone(), how));
    }
    if let Some(duration) = place.start.and_then(|start| start.duration.as_ref()) {
        let how = match duration {
            Ok(duration) if duration.unbounded() => {
                "it reads no faster than records arrive on average: it does not come to the present"
            }
            Ok(_) => "until it has come to the present; it reads faster than records arrive on average",
            Err(_) => "until it has come to the present",
        };
        lines.push(Line::figure("It takes", duration.clone(), how));
    }
    for job in readers(from.design, from.view, place.id) {
        if let Some(lost_in) = from.report.jobs.get(job).and_then(|report| report.lost_in.as_ref()) {
            let what = format!("Unread records of {} are deleted in", from.design.title(job));
            lines.push(Line::figure(what, lost_in.clone(), loss(lost_in)));
        }
    }
    lines
}

fn tiers(from: &From<'_>, id: &Id, lines: &mut Vec<Line>) {
    use key::channel as c;
    let known = |field| from.design.resolve(from.view, id, field);
    if !matches!(known(c::TIERED.field()), crate::model::Known::NotKnown(_)) {
        lines.push(Line::setting("Older segments in a remote tier", id, c::TIERED.field(), ""));
    }
    if from.design.get(from.view, id, c::TIERED).value() == Some(true) {
        let how = "reads from before it come from the remote tier";
        lines.push(Line::setting("On the brokers for", id, c::LOCAL_RETENTION_TIME.field(), how));
        lines.push(Line::setting("On the brokers up to", id, c::LOCAL_RETENTION_SIZE.field(), "per partition"));
    }
}

/// A group that is empty for longer begins anew, where its reset says.
fn positions(from: &From<'_>, id: &Id, lines: &mut Vec<Line>) {
    let design = from.design;
    for (link, ends) in reads(design, from.view, id) {
        let group = design.get(from.view, link, key::read::GROUP).value();
        let name =
            group.map_or_else(|| design.title(design.job_of(&ends.to).unwrap_or(&ends.to)), |group| group.to_string());
        let reset = design.get(from.view, link, key::read::OFFSET_RESET).value();
        let reset = match reset {
            Some(OffsetReset::Earliest) => ", then it begins at the oldest record",
            Some(OffsetReset::Latest) => ", then it begins at the end and skips what came before",
            Some(OffsetReset::Nothing) => ", then it stops with an error",
            None => "",
        };
        let how = format!("from when the group is empty{reset}");
        let own = design.get(from.view, link, key::read::OFFSETS_RETENTION).is_value();
        let cluster = design.elements.get(id).and_then(|channel: &Subject| channel.cluster.as_ref());
        let (at, field) = match cluster.filter(|_| !own) {
            Some(cluster) => (cluster, key::cluster::OFFSETS_RETENTION.field()),
            None => (link, key::read::OFFSETS_RETENTION.field()),
        };
        lines.push(Line::setting(format!("Position of {name} is kept for"), at, field, how));
    }
}

fn checkpoints(from: &From<'_>, id: &Id, lines: &mut Vec<Line>) {
    for job in readers(from.design, from.view, id) {
        let stateful = |report: &crate::analysis::JobReport| report.state.is_some() && report.checkpoint.is_some();
        if !from.report.jobs.get(job).is_some_and(stateful) {
            continue;
        }
        let name = from.design.title(job);
        let what = format!("Checkpoints of {name} kept");
        lines.push(Line::setting(what, job, key::job::CHECKPOINTS_RETAINED.field(), "a replay can begin at one"));
        let what = format!("Savepoints of {name} kept for");
        lines.push(Line::setting(what, job, key::job::SAVEPOINT_RETENTION.field(), ""));
    }
}
