//! One partition of a log as the broker keeps it: records go into the open segment, a segment is rolled when it would grow
//! too large or a record is too much younger than its first, and every so often whole segments are deleted from the
//! oldest on: while what remains is still at least the size that is set, then by the largest timestamp in them.

use crate::{Dice, at_most};
use pipeline_desk::analysis::formulas::log::{self, Longest, Retention, Segments};
use proptest::prelude::*;

#[derive(Clone, Copy)]
struct Record {
    appended: f64,
    stamp: f64,
    bytes: f64,
}

struct Segment(Vec<Record>);

impl Segment {
    fn bytes(&self) -> f64 {
        self.0.iter().map(|record| record.bytes).sum()
    }

    fn largest(&self) -> f64 {
        self.0.iter().map(|record| record.stamp).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// What happened: ages of records when they were deleted, and ages at which records were still there.
#[derive(Default)]
struct Seen {
    youngest_deleted_by_stamp: Option<f64>,
    youngest_deleted_by_append: Option<f64>,
    oldest_there: f64,
}

fn least(at: &mut Option<f64>, value: f64) {
    *at = Some(at.map_or(value, |least| least.min(value)));
}

fn run(records: &[Record], retention: Retention, segments: Segments) -> Seen {
    let (mut log, mut seen): (Vec<Segment>, Seen) = (vec![Segment(Vec::new())], Seen::default());
    let mut check = segments.check;
    for record in records {
        while check < record.appended {
            delete(&mut log, check, retention, &mut seen);
            check += segments.check;
        }
        let open = log.last_mut().expect("there is always an open segment");
        let first = open.0.first().map(|first| first.stamp);
        let too_young = first.is_some_and(|first| record.stamp - first > segments.time);
        if too_young || (first.is_some() && open.bytes() + record.bytes > segments.bytes) {
            log.push(Segment(vec![*record]));
        } else {
            open.0.push(*record);
        }
    }
    seen
}

fn delete(log: &mut Vec<Segment>, now: f64, retention: Retention, seen: &mut Seen) {
    let oldest = log.iter().flat_map(|segment| &segment.0).map(|record| now - record.appended).fold(0.0, f64::max);
    seen.oldest_there = seen.oldest_there.max(oldest);
    let mut gone: Vec<Record> = Vec::new();
    let mut spare = log.iter().map(Segment::bytes).sum::<f64>() - retention.bytes;
    while log.len() > 1 && spare - log[0].bytes() >= 0.0 {
        spare -= log[0].bytes();
        gone.extend(log.remove(0).0);
    }
    while log.first().is_some_and(|first| !first.0.is_empty() && now - first.largest() > retention.time) {
        gone.extend(log.remove(0).0);
        if log.is_empty() {
            log.push(Segment(Vec::new()));
        }
    }
    for record in gone {
        least(&mut seen.youngest_deleted_by_stamp, now - record.stamp);
        least(&mut seen.youngest_deleted_by_append, now - record.appended);
    }
}

/// Shortest time in which so many bytes were written, from one record to the end of them.
fn shortest(records: &[Record], bytes: f64) -> f64 {
    let mut least = f64::INFINITY;
    for from in 0..records.len() {
        let mut sum = 0.0;
        for to in from + 1..records.len() {
            sum += records[to].bytes;
            if sum >= bytes {
                least = least.min(records[to].appended - records[from].appended);
                break;
            }
        }
    }
    least
}

/// Longest time in which fewer bytes were written.
fn slowest(records: &[Record], bytes: f64) -> f64 {
    let mut most = 0.0f64;
    for from in 0..records.len() {
        let mut sum = 0.0;
        for to in from + 1..records.len() {
            most = most.max(records[to].appended - records[from].appended);
            sum += records[to].bytes;
            if sum >= bytes {
                break;
            }
        }
    }
    most
}

/// Most bytes within a time.
fn most_within(records: &[Record], time: f64) -> f64 {
    let sum = |from: usize| -> f64 {
        let within = records[from..].iter().take_while(|record| record.appended - records[from].appended <= time);
        within.map(|record| record.bytes).sum()
    };
    (0..records.len()).map(sum).fold(0.0, f64::max)
}

/// Records in calm and busy times, with timestamps up to `delay` before and `ahead` after they are appended.
fn traffic(dice: &mut Dice, delay: f64, ahead: f64) -> Vec<Record> {
    let (mut now, mut records) = (0.0, Vec::new());
    let (calm, busy) = (dice.between(5.0, 120.0), dice.between(0.5, 20.0));
    let mut pace = calm;
    for _ in 0..400 {
        if dice.roll(40) == 0 {
            pace = if dice.roll(2) == 0 { calm } else { busy };
        }
        now += dice.between(0.1, 2.0) * pace;
        let stamp = now - dice.between(0.0, delay.max(1e-9)) + if ahead > 0.0 { dice.between(0.0, ahead) } else { 0.0 };
        records.push(Record { appended: now, stamp, bytes: dice.pick(&[20.0, 100.0, 400.0]) });
    }
    records
}

fn settings(dice: &mut Dice) -> (Retention, Segments) {
    let retention = Retention {
        time: dice.pick(&[300.0, 1200.0, 3600.0, f64::INFINITY]),
        bytes: dice.pick(&[1000.0, 10_000.0, f64::INFINITY]),
    };
    let segments = Segments {
        time: dice.pick(&[60.0, 600.0, 4000.0]),
        bytes: dice.pick(&[500.0, 5000.0, 1e6]),
        check: dice.pick(&[10.0, 300.0]),
    };
    (retention, segments)
}

/// The rates that the forms ask for, of one run.
fn rates(records: &[Record], retention: Retention, segments: Segments) -> (f64, f64, f64) {
    let peak_of_size =
        if retention.bytes.is_finite() { retention.bytes / shortest(records, retention.bytes) } else { 0.0 };
    let peak_of_segment = most_within(records, segments.time) / segments.time;
    let fill = segments.bytes.min(peak_of_segment * segments.time);
    let mut calm = segments.bytes / slowest(records, segments.bytes);
    if retention.bytes.is_finite() {
        calm = calm.min((retention.bytes + fill) / slowest(records, retention.bytes + fill));
    }
    (peak_of_size, peak_of_segment, calm)
}

fn longest_gap(records: &[Record]) -> f64 {
    records.windows(2).map(|pair| pair[1].appended - pair[0].appended).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// Nothing younger than the guarantee is ever deleted, and nothing older than the bound is still there.
    #[test]
    fn a_log_keeps_at_least_and_at_most(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let (retention, segments) = settings(&mut dice);
        let records = traffic(&mut dice, 0.0, 0.0);
        let seen = run(&records, retention, segments);
        let (peak, fullest, calm) = rates(&records, retention, segments);
        if let Some(age) = seen.youngest_deleted_by_stamp {
            at_most(log::guaranteed(retention, peak), age, "guaranteed");
        }
        let by = Longest { slowest: calm, peak: fullest, future: 0.0, gap: longest_gap(&records) };
        at_most(seen.oldest_there, log::longest(retention, segments, by), "longest");
    }

    /// By the age since it was appended a record may go earlier: by as much as it was old then.
    #[test]
    fn records_that_come_late_are_kept_for_less(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let (retention, segments) = settings(&mut dice);
        let delay = dice.pick(&[60.0, 900.0, 7200.0]);
        let records = traffic(&mut dice, delay, 0.0);
        let seen = run(&records, retention, segments);
        let (peak, ..) = rates(&records, retention, segments);
        if let Some(age) = seen.youngest_deleted_by_append {
            at_most(log::guaranteed_since_append(retention, peak, delay), age, "guaranteed since append");
        }
    }

    /// Timestamps from the future hold a segment, and all behind it, for as much longer.
    #[test]
    fn records_from_the_future_stay_for_longer(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let (retention, segments) = settings(&mut dice);
        let ahead = dice.pick(&[60.0, 900.0, 7200.0]);
        let records = traffic(&mut dice, 0.0, ahead);
        let seen = run(&records, Retention { bytes: f64::INFINITY, ..retention }, segments);
        let by = Longest { slowest: 0.0, peak: f64::INFINITY, future: ahead, gap: longest_gap(&records) };
        let bound = log::longest(Retention { bytes: f64::INFINITY, ..retention }, segments, by);
        at_most(seen.oldest_there, bound, "longest, with timestamps in the future");
    }
}
