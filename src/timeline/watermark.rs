//! Flink's watermark: one a partition, the lowest counts, idle partitions do not.
//!
//! Written after `StatusWatermarkValve` (partitions of one input) and `CombinedWatermarkStatus` (the two inputs of a
//! join). A partition that was idle and resumes behind the watermark is left out until it has caught up.

use super::{
    arrival::Side,
    outcome::PartitionMark,
    setup::{MarkForm, Watermark},
};

/// Nothing yet.
pub(super) const NEVER: i64 = i64::MIN;

/// What a watermark does, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advance {
    /// A partition sends its watermark down its channel.
    Channel { side: Side, channel: usize, mark: i64 },
    /// The operator's watermark rises.
    Merged(i64),
}

#[derive(Clone, Debug)]
struct Channel {
    highest: Option<i64>,
    sent: i64,
    unsent_since: Option<i64>,
    last: i64,
    idle: bool,
    aligned: bool,
}

#[derive(Clone, Debug)]
struct Valve {
    channels: Vec<Channel>,
    out: i64,
}

impl Valve {
    fn new(channels: usize) -> Self {
        let channel = Channel { highest: None, sent: NEVER, unsent_since: None, last: 0, idle: false, aligned: true };
        Self { channels: vec![channel; channels], out: NEVER }
    }

    fn idle(&self) -> bool {
        self.channels.iter().all(|channel| channel.idle)
    }

    fn raise(&mut self, to: Option<i64>) {
        self.out = to.unwrap_or(NEVER).max(self.out);
    }

    fn lowest_aligned(&self) -> Option<i64> {
        self.channels.iter().filter(|channel| channel.aligned).map(|channel| channel.sent).min()
    }

    fn mark(&mut self, at: usize, mark: i64) {
        let out = self.out;
        let channel = &mut self.channels[at];
        channel.sent = mark;
        channel.aligned |= mark >= out;
        self.raise(self.lowest_aligned());
    }

    fn fall_idle(&mut self, at: usize) {
        let channel = &mut self.channels[at];
        (channel.idle, channel.aligned) = (true, false);
        if channel.sent != self.out {
            return;
        }
        let to = match self.idle() {
            true => self.channels.iter().map(|channel| channel.sent).max(),
            false => self.lowest_aligned(),
        };
        self.raise(to);
    }

    fn wake(&mut self, at: usize) {
        let out = self.out;
        let channel = &mut self.channels[at];
        channel.idle = false;
        channel.aligned = channel.sent >= out;
    }
}

/// The watermarks of one operator.
pub(super) struct Marks {
    rule: Watermark,
    valves: Vec<Valve>,
    merged: i64,
}

impl Marks {
    pub(super) fn new(rule: Watermark, inputs: usize) -> Self {
        let channels = if rule.after_merge { 1 } else { rule.partitions.max(1) as usize };
        Self { rule, valves: vec![Valve::new(channels); inputs], merged: NEVER }
    }

    pub(super) fn merged(&self) -> i64 {
        self.merged
    }

    pub(super) fn channels(&self) -> usize {
        self.valves[0].channels.len()
    }

    pub(super) fn channel(&self, partition: u32) -> usize {
        if self.rule.after_merge { 0 } else { partition as usize }
    }

    pub(super) fn snapshot(&self) -> Vec<PartitionMark> {
        let sides = self.valves.iter().zip([Side::Left, Side::Right]);
        let mark = |sent: i64| Some(sent).filter(|sent| *sent != NEVER);
        let partitions = sides.flat_map(|(valve, side)| {
            (0..).zip(&valve.channels).map(move |(partition, channel)| PartitionMark {
                side,
                partition,
                mark: mark(channel.sent),
                idle: channel.idle,
            })
        });
        partitions.collect()
    }

    /// A record of a partition has been processed.
    pub(super) fn record(&mut self, side: Side, partition: u32, time: i64, clock: i64) -> Vec<Advance> {
        let (side_at, at) = (side.index(), self.channel(partition));
        let channel = &mut self.valves[side_at].channels[at];
        channel.highest = Some(channel.highest.map_or(time, |highest| highest.max(time)));
        channel.last = clock;
        if channel.idle {
            self.valves[side_at].wake(at);
        }
        if self.rule.interval.is_some() {
            self.valves[side_at].channels[at].unsent_since.get_or_insert(clock);
            return Vec::new();
        }
        self.send(side, at)
    }

    /// The source marks a partition as idle.
    pub(super) fn idle(&mut self, side: Side, partition: u32) -> Vec<Advance> {
        let at = self.channel(partition);
        if !self.rule.heeds_idle || self.valves[side.index()].channels[at].idle {
            return Vec::new();
        }
        self.valves[side.index()].fall_idle(at);
        self.merge().into_iter().collect()
    }

    /// The clock runs up to, but not including, `clock`: periodic watermarks and idleness.
    pub(super) fn until(&mut self, clock: i64) -> Vec<Advance> {
        let mut advances = Vec::new();
        while let Some((_, side, at, falls_idle)) = self.next_moment().filter(|(when, ..)| *when < clock) {
            if falls_idle {
                self.valves[side.index()].fall_idle(at);
                advances.extend(self.merge());
            } else {
                self.valves[side.index()].channels[at].unsent_since = None;
                advances.extend(self.send(side, at));
            }
        }
        advances
    }

    /// The next thing the clock does: `(when, side, channel, falls idle)`.
    fn next_moment(&self) -> Option<(i64, Side, usize, bool)> {
        let mut next: Option<(i64, Side, usize, bool)> = None;
        for (valve, side) in self.valves.iter().zip([Side::Left, Side::Right]) {
            for (at, channel) in valve.channels.iter().enumerate() {
                let tick = self.rule.interval.zip(channel.unsent_since);
                let tick = tick.map(|(every, since)| (since.div_euclid(every) + 1).saturating_mul(every));
                let idle = self.rule.idle_after.filter(|_| !channel.idle);
                let idle = idle.map(|after| channel.last.saturating_add(after).saturating_add(1));
                for (when, falls_idle) in [(tick, false), (idle, true)] {
                    if let Some(when) = when.filter(|when| next.is_none_or(|(other, ..)| *when < other)) {
                        next = Some((when, side, at, falls_idle));
                    }
                }
            }
        }
        next
    }

    /// The last watermark of a bounded source, on all partitions.
    pub(super) fn end(&mut self) -> Vec<Advance> {
        let mut advances = Vec::new();
        for (valve, side) in self.valves.iter_mut().zip([Side::Left, Side::Right]) {
            for (at, channel) in valve.channels.iter_mut().enumerate() {
                (channel.sent, channel.idle, channel.aligned) = (i64::MAX, false, true);
                advances.push(Advance::Channel { side, channel: at, mark: i64::MAX });
            }
            valve.out = i64::MAX;
        }
        advances.extend(self.merge());
        advances
    }

    fn send(&mut self, side: Side, at: usize) -> Vec<Advance> {
        let valve = &mut self.valves[side.index()];
        let bound = self.rule.delay.unwrap_or(0) + i64::from(self.rule.form == MarkForm::OneBehind);
        let Some(mark) = valve.channels[at].highest.map(|highest| highest - bound) else { return Vec::new() };
        if mark <= valve.channels[at].sent {
            return Vec::new();
        }
        valve.mark(at, mark);
        let mut advances = vec![Advance::Channel { side, channel: at, mark }];
        advances.extend(self.merge());
        advances
    }

    fn merge(&mut self) -> Option<Advance> {
        let merged = self.valves.iter().filter(|valve| self.valves.len() == 1 || !valve.idle()).map(|valve| valve.out);
        let merged = merged.min().filter(|merged| *merged > self.merged)?;
        self.merged = merged;
        Some(Advance::Merged(merged))
    }
}
