//! `consumer-lag-and-scaling.md`: targets, measured lag, what caps parallelism, how a group catches up.

use super::{
    blocks::{Inline, line},
    desk::Desk,
    document::Document,
    findings,
    writer::Writer,
};
use crate::model::{ElementKind, Id, Link, key};

const FILE: &str = "consumer-lag-and-scaling.md";

/// Writes it.
#[must_use]
pub fn write(desk: &Desk<'_>) -> Document {
    let mut w = Writer::new(desk, FILE, "Consumer lag and scaling");
    let reads: Vec<(&Id, &Link)> = desk
        .links()
        .into_iter()
        .filter(|(_, link)| desk.design.kind(&link.from) == Some(ElementKind::Channel))
        .collect();
    if reads.is_empty() {
        w.heading(2, "Readers");
        w.say("Nobody reads a channel in this design.");
    } else {
        overview(&mut w, &reads);
    }
    for (id, link) in &reads {
        reader(&mut w, id, link);
    }
    jobs(&mut w, &reads);
    w.finish(&findings::halts_for(desk, &desk.to_be.halts, FILE))
}

/// What has the targets of a reader: the job of the operator.
fn job<'a>(desk: &Desk<'a>, link: &'a Link) -> Option<&'a Id> {
    desk.design.job_of(&link.to)
}

fn overview(w: &mut Writer<'_>, reads: &[(&Id, &Link)]) {
    w.heading(2, "Lag of each reader");
    let mut rows = Vec::new();
    for (id, link) in reads {
        let owner = job(w.desk, link).unwrap_or(&link.to);
        let target = match job(w.desk, link) {
            Some(job) => w.setting(job, key::job::LAG_TARGET),
            None => "not a job".into(),
        };
        rows.push(vec![
            w.name(owner),
            w.name(&link.from),
            w.setting(id, key::read::GROUP),
            target,
            w.setting(id, key::read::LAG),
            w.optional(id, key::read::LAG_TIME),
            w.source_of(id, key::read::LAG.field()),
        ]);
    }
    w.table(&["Reader", "Channel", "Group", "Target", "Lag in records", "Lag in time", "Source of the reading"], rows);
    w.say("A partition that is not listed in a reading was not measured. An alert on lag goes by the worst partition, not by the sum. A lag of 0 says that everything that stands in the channel was read. It does not show what was lost, dropped or set aside, nor what a reset skipped.");
}

fn reader(w: &mut Writer<'_>, id: &Id, link: &Link) {
    let (from, to) = (w.name(&link.from), w.name(&link.to));
    w.heading(2, line![to, " reads ", from]);
    use key::read as r;
    let rows = w.setting_rows(
        id,
        &[r::MEMBERS.field()],
        &[
            r::ISOLATION.field(),
            r::OFFSET_COMMIT.field(),
            r::OFFSET_RESET.field(),
            r::COMMITTED_OFFSET.field(),
            r::MAX_POLL_RECORDS.field(),
            r::MAX_POLL_INTERVAL.field(),
            r::TIME_PER_RECORD.field(),
            r::FETCH_MIN.field(),
            r::FETCH_WAIT.field(),
            r::FETCH_MAX.field(),
            r::FETCH_MAX_PARTITION.field(),
            r::PREFETCH.field(),
            r::REDELIVERY_AFTER.field(),
            r::MAX_DELIVERIES.field(),
            r::DELAY.field(),
        ],
    );
    w.table(&["Setting", "Value", "Source"], rows);
    let partitions: Inline = w.setting(&link.from, key::channel::PARTITIONS);
    w.say(line!["Partitions to share: ", partitions, ". A member beyond that number has nothing to read."]);
}

fn jobs(w: &mut Writer<'_>, reads: &[(&Id, &Link)]) {
    for id in w.desk.elements(ElementKind::Job) {
        let Some(report) = w.desk.to_be.jobs.get(id) else { continue };
        if !reads.iter().any(|(_, link)| job(w.desk, link) == Some(id)) {
            continue;
        }
        let name = w.name(id);
        w.heading(2, line!["Scaling of ", name]);
        let figures = vec![
            vec!["Instances that can work at once".into(), w.figure(&report.parallelism_cap)],
            vec!["Time to catch up after the longest outage to survive".into(), w.figure(&report.catch_up)],
        ];
        let mut figures = figures;
        match &report.lost_in {
            Some(lost_in) => {
                figures.push(vec!["Until unread records are deleted, as things go now".into(), w.figure(lost_in)])
            }
            None => figures.push(vec![
                "Until unread records are deleted, as things go now".into(),
                w.setting(id, key::job::CAPACITY),
            ]),
        }
        let clients = [
            ("Fetched and not yet handed over, one instance at most", report.fetched.as_ref()),
            ("Between two polls, at most", report.poll.as_ref()),
        ];
        for (what, figure) in clients {
            if let Some(figure) = figure {
                figures.push(vec![what.into(), w.figure(figure)]);
            }
        }
        let skewed = [
            ("Records at the busiest instance", Some(&report.busiest_instance)),
            ("Of what one instance does, the top key takes", Some(&report.key_load)),
            ("Of what one instance does, the busiest partition takes", Some(&report.partition_load)),
            ("Busiest task over the mean, by key groups", report.key_groups.as_ref()),
        ];
        let known =
            skewed.into_iter().filter_map(|(what, figure)| Some((what, figure.filter(|figure| figure.is_ok())?)));
        let more: Vec<_> = known.map(|(what, figure)| vec![what.into(), w.figure(figure)]).collect();
        w.table(&["Figure", "Value"], figures.into_iter().chain(more).collect());
        use key::job as j;
        let rows = w.setting_rows(
            id,
            &[j::CAPACITY.field()],
            &[
                j::LONGEST_OUTAGE.field(),
                j::PARALLELISM.field(),
                j::INSTANCES.field(),
                j::THREADS.field(),
                j::INSTANCE_CAPACITY.field(),
                j::REBALANCE_PROTOCOL.field(),
                j::STATIC_MEMBERSHIP.field(),
                j::SESSION_TIMEOUT.field(),
                j::LAG_ALERT.field(),
                j::LAG_ALERT_RECORDS.field(),
            ],
        );
        w.table(&["Setting", "Value", "Source"], rows);
        w.not_analysed(&format!("what {} does at peak and while its group rebalances", w.desk.said(id)));
    }
}
