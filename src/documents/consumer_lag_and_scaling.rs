//! `consumer-lag-and-scaling.md`: targets, measured lag, what caps parallelism, how a group catches up.

use super::{
    blocks::{Inline, line},
    desk::Desk,
    document::Document,
    findings, pictures,
    writer::Writer,
};
use crate::{
    analysis::JobReport,
    catalog::Engine,
    model::{ElementKind, Id, Link, key},
};

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
            w.setting(id, key::read::LAG_TIME),
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
    let members = [r::MEMBERS.field()];
    let engine = w.desk.engine(&link.to);
    let needed: &[_] = if engine.is_none_or(Engine::joins_group) { &members } else { &[] };
    let optional = [
        r::MEMBERS.field(),
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
    ];
    let optional: Vec<_> = optional.into_iter().filter(|field| !needed.contains(field)).collect();
    let rows = w.setting_rows(id, needed, &optional);
    w.table(&["Setting", "Value", "Source"], rows);
    let partitions: Inline = w.setting(&link.from, key::channel::PARTITIONS);
    let beyond = if partitions.is_known() { " A member beyond that number has nothing to read." } else { "" };
    w.say(line!["Partitions to share: ", partitions, ".", beyond]);
    position(w, id);
}

/// Where it stands, and what of its lag it may read.
fn position(w: &mut Writer<'_>, id: &Id) {
    let Some(report) = w.desk.to_be.reads.get(id) else { return };
    let mut rows = vec![
        vec!["Records up to the end of the log".into(), w.figure(&report.behind)],
        vec!["The same in time".into(), w.figure(&report.behind_time)],
    ];
    let known = [
        ("Of them, records that it may read now", report.readable.as_ref()),
        ("Records behind a transaction that is still open", report.held.as_ref()),
    ];
    for (what, figure) in known {
        if let Some(figure) = figure {
            rows.push(vec![what.into(), w.explained(figure)]);
        }
    }
    if let Some(markers) = &report.markers {
        rows.push(vec!["Lag that stays when everything is read: commit markers".into(), w.figure(markers)]);
    }
    w.table(&["Position", "Value"], rows);
}

fn jobs(w: &mut Writer<'_>, reads: &[(&Id, &Link)]) {
    for id in w.desk.elements(ElementKind::Job) {
        let Some(report) = w.desk.to_be.jobs.get(id) else { continue };
        if !reads.iter().any(|(_, link)| job(w.desk, link) == Some(id)) {
            continue;
        }
        let name = w.name(id);
        w.heading(2, line!["Scaling of ", name]);
        pictures::catching_up(w, id);
        let figures = vec![
            vec!["Instances that can work at once".into(), w.figure(&report.parallelism_cap)],
            vec!["Time to catch up after the longest outage to survive".into(), w.figure(&report.catch_up)],
        ];
        let mut figures = figures;
        match &report.lost_in {
            Some(lost_in) => {
                figures.push(vec!["Until unread records are deleted, while no less arrives".into(), w.figure(lost_in)])
            }
            None => figures.push(vec![
                "Until unread records are deleted, while no less arrives".into(),
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
        at_peak(w, id, report);
        in_a_rebalance(w, id, report);
    }
}

/// What comes at peak against what is done.
fn at_peak(w: &mut Writer<'_>, id: &Id, report: &JobReport) {
    w.heading(3, "At peak");
    let load = w.figure(&report.load);
    let Ok(explained) = &report.load else {
        w.say(line!["Whether it keeps up: ", load, "."]);
        return;
    };
    let outcome = if explained.value > 1.0 {
        "More arrives than it does: it falls behind for as long as that lasts, and no time-out or poll limit changes it"
    } else if report.peak_known {
        "It does more than arrives"
    } else {
        "It does more than arrives on average; whether it does at peak is open, as the peak is not measured"
    };
    let when = if report.peak_known { "at peak" } else { "on average" };
    w.say(line![outcome, ". Arriving over capacity, ", when, ": ", load, "."]);
    if let Some(drain) = &report.drain {
        let drain = w.figure(drain);
        let name = w.name(id);
        w.say(line!["What ", name, " is behind by its readings is worked off after: ", drain, "."]);
    }
}

/// What stands still when members come and go.
fn in_a_rebalance(w: &mut Writer<'_>, id: &Id, report: &JobReport) {
    w.heading(3, "While its group rebalances");
    if matches!(w.desk.design.system(id).map(AsRef::as_ref), Some("flink" | "spark" | "beam" | "dataflow")) {
        w.say("It assigns partitions to its tasks itself, and its group has no rebalances. A change of its tasks restarts it.");
        return;
    }
    use crate::model::words::RebalanceProtocol as P;
    let protocol = w.setting(id, key::job::REBALANCE_PROTOCOL);
    let fixed = w.desk.fact(id, key::job::STATIC_MEMBERSHIP).is_some_and(|fact| fact.value);
    let what = match w.desk.fact(id, key::job::REBALANCE_PROTOCOL).map(|fact| fact.value) {
        Some(P::Nothing) => {
            "It is assigned its partitions by hand: nothing moves, and what a lost instance had stands still until it is back"
        }
        Some(P::Eager) if !fixed => "Everybody gives up all partitions and waits for the slowest member",
        Some(P::Consumer) => {
            "The broker moves single partitions; one waits for the member that gives it up and for nobody else"
        }
        Some(_) if fixed => {
            "A member that comes back under its id within the session time-out keeps its partitions; nothing moves"
        }
        Some(P::Cooperative) => "Partitions that stay are read on; those that move wait for the slowest member",
        Some(P::Eager) | None => "What stands still depends on the assignment",
    };
    w.say(line![what, ". Assignment: ", protocol, "."]);
    let figures = [
        ("One rebalance", report.rebalance.as_ref()),
        ("A rolling deploy, one partition", report.deploy_standstill.as_ref()),
        ("A crash, the partitions of the lost member", report.crash_standstill.as_ref()),
    ];
    let rows: Vec<_> =
        figures.into_iter().filter_map(|(what, figure)| Some(vec![what.into(), w.figure(figure?)])).collect();
    w.table(&["Standstill", "At most, or on average where it says so"], rows);
}
