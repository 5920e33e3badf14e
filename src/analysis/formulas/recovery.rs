//! From a failure back to normal.

use super::{UNBOUNDED, product, ratio};

/// Time until the job reads again: noticing, scheduling, and the slowest task's restore.
#[must_use]
pub fn down(detect: f64, reschedule: f64, restore: f64) -> f64 {
    detect + reschedule + restore
}

/// Time to work off `backlog` seconds of input that arrives at `arriving` while `capacity` is read: never where no more
/// is read than arrives.
#[must_use]
pub fn catch_up(backlog: f64, arriving: f64, capacity: f64) -> f64 {
    if backlog <= 0.0 || arriving <= 0.0 { 0.0 } else { product(backlog, ratio(arriving, capacity - arriving)) }
}

/// Time to work off `records` that a reader is behind, while `arriving` per second come and `capacity` are read.
#[must_use]
pub fn drain(records: f64, arriving: f64, capacity: f64) -> f64 {
    if records <= 0.0 {
        0.0
    } else if capacity <= arriving {
        UNBOUNDED
    } else {
        ratio(records, capacity - arriving)
    }
}

/// Time from a failure until the job has caught up. `behind`: how far it was behind before the failure.
#[must_use]
pub fn recovery(down: f64, behind: f64, rewind: f64, arriving: f64, capacity: f64) -> f64 {
    down + catch_up(behind + rewind + down, arriving, capacity)
}

/// How long a group with eager assignment stands still while `members` are replaced one after the other, where the slowest
/// takes `poll` to its next poll: each leaving and each joining member stops all. A member that is back (`restart`) before
/// the others have polled makes one stop of two.
#[must_use]
pub fn rolling_eager(members: f64, poll: f64, restart: Option<f64>) -> f64 {
    let again = restart.map_or(poll, |restart| restart.min(poll));
    product(members, poll + again)
}

/// How long one partition stands still, on average, while the members of a cooperative group are replaced one after the
/// other: it moves when its member leaves and when one comes back, and waits each time until all have polled.
#[must_use]
pub fn rolling_cooperative(poll: f64) -> f64 {
    2.0 * poll
}

/// The same where the broker hands partitions on (KIP-848): one waits for nobody but the member that gives it up, and for
/// `heartbeat` until its new member hears of it.
#[must_use]
pub fn rolling_by_broker(poll: f64, heartbeat: f64) -> f64 {
    poll + 2.0 * heartbeat
}

/// The same where a member keeps its partitions over a restart (static membership), unless it is away for longer than
/// `session`: then they are handed on after that, as from a member that crashed, and back, which takes `moved`.
#[must_use]
pub fn rolling_static(restart: f64, session: f64, moved: f64) -> f64 {
    if restart <= session { restart } else { session + moved }
}

/// How old what a reader needs first is when it comes back: as far as it was behind, as it reads again, and as it was down.
#[must_use]
pub fn needs_back(behind: f64, rewind: f64, down: f64) -> f64 {
    behind + rewind + down
}

/// Is that deleted by then? `kept` counts from the append. What is just as old as is kept is there for no time at all, and
/// coming back takes some.
#[must_use]
pub fn loses_on_restart(needs_back: f64, kept: f64) -> bool {
    needs_back >= kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 40 000 /s against 60 000 /s. 50 s + 20 s + 100 GB at 2 GB/s = 120 s down; rewind 200 s: (200 + 120) · 2 = 640 s;
    /// rewind 63 s: 366 s.
    #[test]
    fn the_backlog_grows_while_the_job_is_down() {
        let down = down(50.0, 20.0, 100e9 / 2e9);
        assert_eq!(down, 120.0);
        assert_eq!(recovery(down, 0.0, 200.0, 40_000.0, 60_000.0), 760.0);
        assert_eq!(recovery(down, 0.0, 63.0, 40_000.0, 60_000.0), 486.0);
    }

    /// 8 000 /s against 12 000 /s: 10 s + 15 s + 4 s down, rewind 65 s: 29 + 94 · 2 = 217 s.
    #[test]
    fn a_small_job() {
        assert_eq!(recovery(down(10.0, 15.0, 2e9 / 0.5e9), 0.0, 65.0, 8000.0, 12_000.0), 217.0);
    }

    /// 900 /s against 1 000 /s, 300 s behind, 10 s down, no rewind: 310 · 9 = 2 790 s and 10 s.
    #[test]
    fn what_was_behind_before_counts() {
        assert!((recovery(10.0, 300.0, 0.0, 900.0, 1000.0) - 2800.0).abs() < 1e-9);
    }

    #[test]
    fn it_never_catches_up_when_no_more_is_read_than_arrives() {
        assert_eq!(catch_up(1.0, 10_000.0, 9000.0), UNBOUNDED);
        assert_eq!(catch_up(1.0, 10.0, 10.0), UNBOUNDED);
        assert_eq!(catch_up(0.0, 10.0, 10.0), 0.0);
        assert_eq!(catch_up(UNBOUNDED, 0.0, 0.0), 0.0);
    }

    #[test]
    fn an_eager_group_stops_twice_a_member() {
        assert_eq!(rolling_eager(10.0, 8.0, None), 160.0);
    }

    /// 30 min at 8 000 against 12 000: 60 min; 2 h at 5 000 against 6 000: 10 h.
    #[test]
    fn after_an_outage() {
        assert_eq!(catch_up(1800.0, 8000.0, 12_000.0), 3600.0);
        assert_eq!(catch_up(7200.0, 5000.0, 6000.0), 36_000.0);
    }

    #[test]
    fn a_restart_loses_when_the_log_is_shorter_than_everything_together() {
        assert!(loses_on_restart(needs_back(300.0, 200.0, 3200.0), 3600.0));
        assert!(!loses_on_restart(needs_back(300.0, 200.0, 3000.0), 3600.0));
        assert!(loses_on_restart(needs_back(300.0, 200.0, 3100.0), 3600.0), "just as old as is kept");
    }
}
