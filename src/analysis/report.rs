//! What the analysis answers: one report per view. Screens and documents read it inside a `rules::Review`, which adds
//! the findings and halts.

use super::{
    delivery::verdict::{Badge, Captions, DeliveryVerdict},
    explain::{Derived, Explained, Missing},
    formulas::skew,
    order::OrderVerdict,
    reports::Reports,
};
use crate::model::{Id, View};
use std::{borrow::Cow, sync::Arc};

/// Everything that is worked out about a design in one view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Which view.
    pub view: View,
    /// What each consumer observes.
    pub consumers: Reports<ConsumerReport>,
    /// The delivery badge of each link: the copies of one event that a reader at its end can get.
    pub links: Reports<LinkReport>,
    /// Figures of channels.
    pub channels: Reports<ChannelReport>,
    /// Figures of operators.
    pub operators: Reports<OperatorReport>,
    /// Figures of jobs.
    pub jobs: Reports<JobReport>,
    /// Figures of sinks.
    pub sinks: Reports<SinkReport>,
    /// Figures of sources.
    pub sources: Reports<SourceReport>,
    /// Comparisons of a stream with a batch path, by link.
    pub comparisons: Reports<ComparisonReport>,
    /// Where readers of channels stand, by link: those of which anything was read.
    pub reads: Reports<ReadReport>,
}

/// Where the reader of a channel stands.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadReport {
    /// Records up to the end of the log, as read or by the offsets.
    pub behind: Derived,
    /// The same in time.
    pub behind_time: Derived,
    /// Of those, the records that a reader of committed records may read now; `None` where that was not read.
    pub readable: Option<Arc<Explained>>,
    /// Records that wait for an open transaction to end.
    pub held: Option<Arc<Explained>>,
    /// Lag that a channel written in transactions shows when everything is read: its commit markers; `None`: none.
    pub markers: Option<Derived>,
}

/// A comparison of what a stream and a batch path say of the same events, before it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonReport {
    /// Earliest time after the end of a bucket at which the stream's figure for it is complete ("at least", where a wait has
    /// no figure).
    pub safe: Derived,
    /// What would close the waits without a figure.
    pub open: Vec<Missing>,
    /// Share by which the stream may be below the batch by the measured causes; `None` where none is measured.
    pub below: Option<Arc<Explained>>,
    /// Share by which it may be above.
    pub above: Option<Arc<Explained>>,
    /// Rows by which the two stores differ, where both were counted.
    pub rows_apart: Option<Arc<Explained>>,
    /// Distinct keys by which they differ: what repeats do not explain.
    pub keys_apart: Option<Arc<Explained>>,
}

/// What one consumer observes.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsumerReport {
    /// Loss, duplicates, weakest hops, hop table, sentence.
    pub delivery: DeliveryVerdict,
    /// In which order events come, by which key, and what ends it.
    pub order: OrderVerdict,
    /// Latency of the worst event under normal running, term by term, up to this consumer ("at least", where a hop has
    /// no figure).
    pub latency: Derived,
    /// What would close the hops without a figure on the slowest way; where it is empty, `latency` is a bound.
    pub latency_open: Vec<Missing>,
    /// Lag in time that its limit for latency leaves, where it has one: what is left of it after all other known waits.
    pub lag_room: Option<Derived>,
    /// How long after the end of a window its result is complete for this reader: no more can come, and it can be read
    /// ("at least", where something is named as open beside it); `None`: no window on its way.
    pub complete: Option<(Derived, Vec<Missing>)>,
    /// How far back the results that it reads can be recomputed or refilled: one entry per place a replay can start,
    /// farthest first.
    pub replay: Vec<ReplayStart>,
}

/// One place from which a consumer's results can be made again.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayStart {
    /// The channel or source that is read again.
    pub from: Id,
    /// Through which job state the results are recomputed, or a refill of rows that are already results.
    pub recompute: bool,
    /// How far back, by the end of the result, and from the append on where it is known how late records come into the log:
    /// what was made then can be made again. Where a de-duplication stands on the way, it starts empty, and copies of
    /// records from before the start can pass.
    pub reach: Derived,
    /// Where a de-duplication stands on the way: how far back when it must have seen all first copies; zero: not at all.
    pub after_deduplication: Option<Derived>,
    /// Where the consumer says how far back it needs: time until a replay from there has come to the present.
    pub duration: Option<Derived>,
    /// The same: how long it can wait (approvals, holds) before the log has deleted where it starts; nothing where a job
    /// that reads it does less than arrives, so that the log start overtakes it.
    pub start_within: Option<Derived>,
    /// Do the results that are made again take the place of the old ones?
    pub usable: Usable,
    /// What this start costs or leaves out, in words; empty where nothing.
    pub remarks: Vec<Cow<'static, str>>,
}

/// Do results that are made again take the place of those that were there?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Usable {
    /// They do.
    Yes,
    /// Their keys differ on a second run, by this step: the old ones stay beside them.
    KeysVary(Id),
    /// This store can be neither written over nor shadowed.
    Stays(Id),
    /// What a store on the way lets be done is not known.
    NotKnown(Missing),
}

impl Usable {
    /// Why they do not, as the end of a sentence about results; `None`: they do, or it is not known.
    #[must_use]
    pub fn why_not<'i>(&'i self, title: impl Fn(&'i Id) -> Cow<'i, str>) -> Option<String> {
        match self {
            Self::Yes | Self::NotKnown(_) => None,
            Self::KeysVary(step) => Some(format!("their keys differ on a second run at {}", title(step))),
            Self::Stays(store) => Some(format!("{} can be neither written over nor shadowed", title(store))),
        }
    }

    /// Is it known that they do not?
    #[must_use]
    pub const fn barred(&self) -> bool {
        matches!(self, Self::KeysVary(_) | Self::Stays(_))
    }
}

/// A link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkReport {
    /// Copies of one event: fewest and most.
    pub badge: Arc<Badge>,
    /// At most two lines under it: the mechanism or the condition.
    pub captions: Captions,
}

/// A channel.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelReport {
    /// Replay reach, guaranteed: what a reader can count on, by the timestamp of a record.
    pub reach: Derived,
    /// How long a record that is still to come is certainly kept, every version of it, from its append on: what a reader that
    /// stands still can count on. A young log is no shorter, and a record that was old when it was appended goes earlier.
    pub since_append: Derived,
    /// The same by time and size alone, where the log deletes; whether it compacts besides is left out. Of one that only
    /// compacts the newest record of each key stays: no end.
    pub deletion: Derived,
    /// Replay reach, typical: mean partition.
    pub typical: Derived,
    /// Longest time that a record can still be there.
    pub longest: Derived,
    /// Longest time until its bytes are gone from the disk.
    pub erased: Derived,
    /// Share of all records that the busiest partition gets, in 95 of 100 assignments of keys.
    pub busiest: Derived,
    /// What its keys do to its partitions.
    pub skew: SkewReport,
    /// Partitions that it needs at peak, where it was measured what one does.
    pub needed: Option<Derived>,
    /// Most bytes on disk of one copy of it, where a size limits it.
    pub on_disk: Option<Derived>,
}

/// What the keys of a channel do to its partitions. Where the share of the top key is not measured, none of this is
/// derivable but by supposing one: [`SkewReport::effective_at`].
#[derive(Clone, Debug, PartialEq)]
pub struct SkewReport {
    /// Partitions.
    pub partitions: Derived,
    /// Records per second, at peak where one is known, of the partition that holds the top key, as expected.
    pub hot_rate: Derived,
    /// Of every other partition.
    pub other_rate: Derived,
    /// Effective parallelism: partitions that would carry the load evenly at the pace of that one.
    pub effective: Derived,
    /// Load of that partition over the mean of all.
    pub over_mean: Derived,
    /// Partitions that get any key at all.
    pub used: Derived,
}

impl SkewReport {
    /// Effective parallelism if the top key had this share; `None`: the partitions are not known.
    #[must_use]
    pub fn effective_at(&self, share: f64) -> Option<f64> {
        Some(skew::effective(share, self.partitions.as_ref().ok()?.value))
    }
}

/// An operator.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorReport {
    /// Bytes of state at its bound; infinite where nothing bounds it; `None` where it keeps none.
    pub state: Option<Derived>,
    /// Live entries at the bound.
    pub entries: Option<Derived>,
    /// Growth per day where there is no bound.
    pub growth: Option<Derived>,
    /// Where there is no bound: time until the state budget is full, in seconds of full days.
    pub full_in: Option<Derived>,
    /// Records per second that enter.
    pub input_rate: Derived,
}

/// A job.
#[derive(Clone, Debug, PartialEq)]
pub struct JobReport {
    /// State of all operators.
    pub state: Option<Derived>,
    /// Checkpoint duration, measured or derived.
    pub checkpoint: Option<Derived>,
    /// Work that is done again after a failure, worst case.
    pub rewind: Option<Derived>,
    /// Time from failure until the job has caught up.
    pub recovery: Derived,
    /// Instances that can work at once: partitions against consumers.
    pub parallelism_cap: Derived,
    /// Time to catch up after the longest outage that the design must survive.
    pub catch_up: Derived,
    /// Longest outage that the transaction timeout covers, where the job writes in two-phase transactions.
    pub outage_bound: Option<Derived>,
    /// Shortest transaction timeout that covers a restart, where the job writes in two-phase transactions.
    pub required_timeout: Option<Derived>,
    /// Of what one instance does, the part that the top key of a channel that it reads takes alone, with headroom: what
    /// no number of partitions mends.
    pub key_load: Derived,
    /// The part that the busiest partition takes.
    pub partition_load: Derived,
    /// Records per second of the busiest instance, as expected.
    pub busiest_instance: Derived,
    /// Load of the busiest task over the mean by key groups, of a job of Flink.
    pub key_groups: Option<Derived>,
    /// Time until a log that it reads deletes what it has not read, as things go now; infinite where it keeps up; `None`
    /// where its capacity is not known.
    pub lost_in: Option<Derived>,
    /// Bytes that one instance can hold fetched and not yet handed over, where the limits of a fetch are known.
    pub fetched: Option<Derived>,
    /// Longest time between two polls, where the time of a record is known.
    pub poll: Option<Derived>,
    /// Records per second that it reads, on average.
    pub input_rate: Derived,
    /// What arrives, at peak where one is known, over what it does: above one it falls behind. Its inputs are what arrives
    /// and what it does, as catching up is worked out from them too.
    pub load: Derived,
    /// Is a peak known of everything that it reads? Then load, recovery and catching up are those at peak.
    pub peak_known: bool,
    /// Time to work off the records that it is behind; `None` where that was not read.
    pub drain: Option<Derived>,
    /// Bytes of its state on one instance, at least; `None`: keeps none.
    pub state_of_instance: Option<Derived>,
    /// Bytes of its state on the fullest task, in 95 of 100 assignments of keys; `None`: keeps none, or has no tasks of
    /// a known kind.
    pub state_of_task: Option<Derived>,
    /// Bytes of memory outside the heap that its stores may take on an instance; `None`: no such stores.
    pub store_memory: Option<Derived>,
    /// How long a deploy stops it; `None`: never all of it, or not by a known mechanism.
    pub deploy_pause: Option<Derived>,
    /// How long partitions stand still in one rebalance of its group: all of them, or those that move.
    pub rebalance: Option<Derived>,
    /// How long one partition stands still while every member is deployed anew.
    pub deploy_standstill: Option<Derived>,
    /// How long the partitions of a member stand still when it crashes.
    pub crash_standstill: Option<Derived>,
    /// Bytes that a checkpoint writes; `None`: keeps no state, or takes no checkpoints.
    pub checkpoint_size: Option<Derived>,
}

/// A sink.
#[derive(Clone, Debug, PartialEq)]
pub struct SinkReport {
    /// How it takes repeats, in a few words: `upsert on (store, window_start)`.
    pub write: String,
}

/// A source.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceReport {
    /// How far back the log that it keeps itself goes, at least: what a reader that was away can count on.
    pub reach: Derived,
    /// The same at most: what lies further back is gone. Where one of two limits is not known, the other may still end the
    /// log, so that this is derivable where `reach` is not.
    pub longest: Derived,
}
