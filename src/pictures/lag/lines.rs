//! Lag and scaling, line by line.

use super::{
    super::{Line, read, read::compacts},
    made::{Of, rates},
};
use crate::{
    analysis::{
        explain::{Derived, Explained},
        made_by,
    },
    model::{Id, Known, key},
};
use std::sync::Arc;

/// Lag, targets, catching up, what it races with.
pub(super) fn lag(of: &Of<'_>) -> Vec<Line> {
    use key::job as j;
    let mut lines = Vec::new();
    for (link, ends) in &of.reads {
        let channel = of.design.title(&ends.from);
        lines.push(Line::setting(format!("Lag on {channel}"), link, key::read::LAG.field(), "records, by partition"));
        let what = format!("The same in time, {channel}");
        let read = of.design.get(of.view, link, key::read::LAG_TIME).is_value();
        lines.push(match of.report.reads.get(link).filter(|_| !read) {
            Some(reads) => Line::figure(
                what,
                reads.behind_time.clone(),
                "worked out: its records over the rate at which they arrive now",
            ),
            None => Line::setting(what, link, key::read::LAG_TIME.field(), ""),
        });
        let markers = of.report.reads.get(link).and_then(|reads| reads.markers.clone());
        lines.extend(markers.map(|one| Line::figure(format!("Lag that stays, {channel}"), one, "commit markers")));
    }
    for (_, ends) in &of.reads {
        lines.extend(kept(of, &ends.from));
    }
    lines.push(Line::setting("Time-lag target", of.job, j::LAG_TARGET.field(), ""));
    lines.push(Line::figure("Arriving, mean", of.figures.input_rate.clone(), ""));
    if let Some([arriving, _]) = rates(of).filter(|_| of.figures.peak_known) {
        lines.push(Line::figure("Arriving at peak", Ok(Arc::clone(arriving)), ""));
    }
    lines.push(Line::setting("Read when behind", of.job, j::CAPACITY.field(), "all instances"));
    let how = match of.figures.peak_known {
        true => "arriving at peak over capacity: above one it falls behind",
        false => "arriving on average over capacity: above one it falls behind",
    };
    lines.push(Line::figure("Load", of.figures.load.clone(), how));
    let drain = of.figures.drain.clone();
    lines.extend(drain.map(|drain| Line::figure("Until what is behind now is read", drain, "")));
    lines.push(Line::setting("Longest outage to survive", of.job, j::LONGEST_OUTAGE.field(), ""));
    let how = if of.example { format!("{} down, as an example", of.outage.text()) } else { String::new() };
    lines.push(Line::figure("To catch up after it", of.catch_up.clone(), how));
    // Where it is not known what the job reads when behind, nothing is worked out: the load names what is missing.
    let lost_in = of.figures.lost_in.as_ref().unwrap_or(&of.figures.load);
    lines.push(Line::figure("Until unread records are deleted", lost_in.clone(), loss(lost_in)));
    if let Some(bound) = &of.figures.outage_bound {
        let how = "after a longer one the broker aborts results that were not committed";
        lines.push(Line::figure("Longest outage that the transaction timeout covers", bound.clone(), how));
    }
    lines
}

/// How long a log keeps what a reader is behind by; a compacted one, what of it.
fn kept(of: &Of<'_>, channel: &Id) -> Vec<Line> {
    let (Some(report), title) = (of.report.channels.get(channel), of.design.title(channel)) else { return Vec::new() };
    let kept =
        Line::figure(format!("Kept on {title}, at least"), report.deletion.clone(), "what is behind by more is gone");
    if !compacts(of.design, of.view, channel) {
        return vec![kept];
    }
    let how = "the newest record of each key stays; older ones can be gone after it";
    let every = Line::figure(format!("Every version kept on {title}, at least"), report.since_append.clone(), how);
    let how = "a reader that is behind by more can miss them";
    let deletions =
        Line::setting(format!("Deletions kept on {title}"), channel, key::channel::TOMBSTONE_RETENTION.field(), how);
    let deletes = !report.deletion.as_ref().is_ok_and(|deletion| deletion.unbounded());
    std::iter::once(every).chain(deletes.then_some(kept)).chain([deletions]).collect()
}

/// What the time until unread records are deleted rests on.
pub(in crate::pictures) fn loss(lost_in: &Derived) -> &'static str {
    let ends = |race: &Explained| {
        race.made_by(&made_by::LOST_IN) && race.inputs().first().is_some_and(|reach| !reach.unbounded())
    };
    match lost_in {
        Ok(lost_in) if !lost_in.unbounded() => "while no less arrives",
        Ok(lost_in) if read::input(lost_in, &ends).is_some() => "it reads all that arrives",
        Ok(lost_in) if read::input(lost_in, &|one| one.made_by(&made_by::KEYS_STAY)).is_some() => {
            "compaction keeps the newest record of each key"
        }
        Ok(_) => "the log deletes nothing by time or size",
        Err(_) => "",
    }
}

/// Partitions, instances, polls.
pub(super) fn scaling(of: &Of<'_>) -> Vec<Line> {
    use key::job as j;
    let mut lines = vec![Line::figure("Instances that can work at once", of.figures.parallelism_cap.clone(), "")];
    for (_, ends) in &of.reads {
        let channel = of.design.title(&ends.from);
        lines.push(Line::setting(format!("Partitions of {channel}"), &ends.from, key::channel::PARTITIONS.field(), ""));
        match of.report.channels.get(&ends.from).and_then(|report| report.needed.as_ref()) {
            Some(needed) => {
                lines.push(Line::figure(format!("Partitions needed at peak, {channel}"), needed.clone(), ""));
            }
            None => {
                let how = "partitions needed follow from it";
                let field = key::channel::PARTITION_READ_CAPACITY.field();
                lines.push(Line::setting(format!("What one partition of {channel} delivers"), &ends.from, field, how));
            }
        }
    }
    for (what, field) in [("Instances", j::INSTANCES.field()), ("Parallelism", j::PARALLELISM.field())] {
        if !matches!(of.design.resolve(of.view, of.job, field), Known::NotKnown(_)) {
            lines.push(Line::setting(what, of.job, field, ""));
        }
    }
    let known = |figure: Option<&Derived>| figure.filter(|figure| figure.is_ok()).cloned();
    let busiest = known(Some(&of.figures.busiest_instance));
    let more = [
        ("Records at the busiest instance", busiest),
        ("Between two polls, at most", of.figures.poll.clone()),
        ("A rebalance stops partitions for", known(of.figures.rebalance.as_ref())),
        ("A deploy of every member stops a partition for", known(of.figures.deploy_standstill.as_ref())),
        ("A crash of a member stops its partitions for", known(of.figures.crash_standstill.as_ref())),
        ("Fetched and not yet handed over, one instance", of.figures.fetched.clone()),
    ];
    lines.extend(more.into_iter().filter_map(|(what, figure)| Some(Line::figure(what, figure?, ""))));
    lines
}
