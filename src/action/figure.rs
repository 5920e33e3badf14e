//! The figures of a review by name, so that a screen can keep one open while the design changes under it.

use crate::{
    analysis::{
        delivery::verdict::{Fewest, Most},
        explain::Derived,
    },
    model::{Design, ElementKind, Id},
    rules::Review,
};

/// One figure of a review: of which subject, and which.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Figure {
    /// Element.
    pub of: Id,
    /// Which of its figures.
    pub kind: FigureKind,
}

/// Which figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum FigureKind {
    Reach,
    TypicalReach,
    LongestStay,
    Effective,
    Fullest,
    FullestRate,
    Busiest,
    UsedPartitions,
    State,
    Entries,
    Growth,
    InputRate,
    JobState,
    Checkpoint,
    Rewind,
    Recovery,
    ParallelismCap,
    CatchUp,
    OutageBound,
    BusiestInstance,
    KeyLoad,
    PartitionLoad,
    KeyGroups,
    FullIn,
    PartitionsNeeded,
    OnDisk,
    InstanceState,
    StoreMemory,
    DeployPause,
    CheckpointSize,
    LossRace,
    Fetched,
    PollTime,
    Erased,
    Load,
    Drain,
    TaskState,
    Rebalance,
    DeployStandstill,
    CrashStandstill,
    Behind,
    BehindTime,
    Markers,
    Latency,
    LagRoom,
    LogReach,
    LogReachMost,
    SafeToCompare,
    MayBeBelow,
    MayBeAbove,
    /// How long a replay of a consumer can wait, by the place of its start in the list.
    StartWithin(usize),
    /// Time until a replay of a consumer has come to the present, by the place of its start in the list.
    ReplayDuration(usize),
    /// One start of a replay of a consumer, by its place in the list.
    Replay(usize),
    /// The bound of one condition of a consumer, or of one line under a link, by its place among them.
    Bound(usize),
}

/// The figures of a comparison.
const COMPARED: &[FigureKind] = &[FigureKind::SafeToCompare, FigureKind::MayBeBelow, FigureKind::MayBeAbove];

/// The figures of a link that reads a channel.
const READ: &[FigureKind] = &[FigureKind::Behind, FigureKind::BehindTime, FigureKind::Markers];

impl FigureKind {
    /// Its name on screens.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Reach => "replay reach, worst case",
            Self::TypicalReach => "replay reach, mean partition",
            Self::LongestStay => "longest stay of a record",
            Self::Effective => "partitions that it works like",
            Self::Fullest => "fullest partition over the mean",
            Self::FullestRate => "rate of the fullest partition",
            Self::Busiest => "share of the busiest partition, 95 of 100",
            Self::UsedPartitions => "partitions that get any key",
            Self::State => "state at its bound",
            Self::Entries => "live entries",
            Self::Growth => "growth of state",
            Self::InputRate => "records that enter",
            Self::JobState => "state of all operators",
            Self::Checkpoint => "checkpoint duration",
            Self::Rewind => "work done again after a failure",
            Self::Recovery => "recovery time",
            Self::ParallelismCap => "instances that can work at once",
            Self::CatchUp => "time to catch up",
            Self::OutageBound => "longest outage without loss",
            Self::BusiestInstance => "records at the busiest instance",
            Self::KeyLoad => "load of one instance by the top key",
            Self::PartitionLoad => "load of one instance by the busiest partition",
            Self::KeyGroups => "busiest task over the mean, by key groups",
            Self::FullIn => "time until the state budget is full",
            Self::PartitionsNeeded => "partitions needed at peak",
            Self::OnDisk => "most bytes on disk, one copy",
            Self::InstanceState => "state on one instance, at least",
            Self::StoreMemory => "memory of the stores of an instance, at most",
            Self::DeployPause => "pause of a deploy",
            Self::CheckpointSize => "bytes that a checkpoint writes",
            Self::LossRace => "time until unread records are deleted",
            Self::Fetched => "fetched and not yet handed over, one instance",
            Self::PollTime => "longest time between two polls",
            Self::Erased => "longest until its bytes are gone from the disk",
            Self::Load => "load: arriving over capacity",
            Self::Drain => "time until the backlog is worked off",
            Self::TaskState => "state on the fullest task, 95 of 100",
            Self::Rebalance => "standstill in a rebalance",
            Self::DeployStandstill => "standstill of a partition while all is deployed",
            Self::CrashStandstill => "standstill when a member crashes",
            Self::Behind => "records behind the end",
            Self::BehindTime => "behind, in time",
            Self::Markers => "lag that stays when everything is read",
            Self::Latency => "latency",
            Self::LagRoom => "lag that the limit for latency leaves",
            Self::LogReach => "how far back its log goes",
            Self::LogReachMost => "how far back its log goes, at most",
            Self::SafeToCompare => "safe to compare after the end of a bucket",
            Self::MayBeBelow => "stream may be below the batch by",
            Self::MayBeAbove => "stream may be above the batch by",
            Self::StartWithin(_) => "a replay has to start within",
            Self::ReplayDuration(_) => "time until a replay has come to the present",
            Self::Replay(_) => "replay reach",
            Self::Bound(_) => "bound",
        }
    }
}

impl Figure {
    /// A figure of a subject.
    #[must_use]
    pub const fn new(of: Id, kind: FigureKind) -> Self {
        Self { of, kind }
    }

    /// Its name among the figures of its element: a replay has one for each place that it can start from.
    #[must_use]
    pub fn name(&self, design: &Design, review: &Review) -> String {
        let title = self.kind.title();
        let (FigureKind::Replay(n) | FigureKind::ReplayDuration(n) | FigureKind::StartWithin(n)) = self.kind else {
            return title.to_owned();
        };
        let starts = review.consumers.get(&self.of).map(|consumer| &consumer.replay);
        let Some(start) = starts.and_then(|starts| starts.get(n)) else { return title.to_owned() };
        let how = if start.recompute { "recomputed" } else { "refilled" };
        let over = matches!(&start.start_within, Some(Ok(within)) if within.value <= 0.0);
        let title = match self.kind {
            FigureKind::StartWithin(_) if over => "a replay of what is needed cannot be done any more",
            _ => title,
        };
        format!("{title}, {how} from {}", design.title(&start.from))
    }

    /// The figure as it stands in a review; `None` where the subject has no such figure.
    #[must_use]
    pub fn resolve(&self, review: &Review) -> Option<Derived> {
        use FigureKind as K;
        let channel = || review.channels.get(&self.of);
        let operator = || review.operators.get(&self.of);
        let job = || review.jobs.get(&self.of);
        let consumer = || review.consumers.get(&self.of);
        let source = || review.sources.get(&self.of);
        // Skew is no figure of most elements, and memory or a pause is asked of few: they show where they are known.
        let known = |derived: &Derived| derived.is_ok().then(|| derived.clone());
        match self.kind {
            K::Reach => channel().map(|c| c.reach.clone()),
            K::TypicalReach => channel().map(|c| c.typical.clone()),
            K::LongestStay => channel().map(|c| c.longest.clone()),
            K::Effective => known(&channel()?.skew.effective),
            K::Fullest => known(&channel()?.skew.over_mean),
            K::FullestRate => known(&channel()?.skew.hot_rate),
            K::Busiest => known(&channel()?.busiest),
            K::UsedPartitions => known(&channel()?.skew.used),
            K::State => operator()?.state.clone(),
            K::Entries => operator()?.entries.clone(),
            K::Growth => operator()?.growth.clone(),
            K::InputRate => operator().map(|o| o.input_rate.clone()),
            K::JobState => job()?.state.clone(),
            K::Checkpoint => job()?.checkpoint.clone(),
            K::Rewind => job()?.rewind.clone(),
            K::Recovery => job().map(|j| j.recovery.clone()),
            K::ParallelismCap => job().map(|j| j.parallelism_cap.clone()),
            K::CatchUp => job().map(|j| j.catch_up.clone()),
            K::OutageBound => job()?.outage_bound.clone(),
            K::BusiestInstance => known(&job()?.busiest_instance),
            K::KeyLoad => known(&job()?.key_load),
            K::PartitionLoad => known(&job()?.partition_load),
            K::KeyGroups => known(job()?.key_groups.as_ref()?),
            K::FullIn => operator()?.full_in.clone(),
            K::PartitionsNeeded => channel()?.needed.clone(),
            K::OnDisk => known(channel()?.on_disk.as_ref()?),
            K::InstanceState => known(job()?.state_of_instance.as_ref()?),
            K::StoreMemory => known(job()?.store_memory.as_ref()?),
            K::DeployPause => known(job()?.deploy_pause.as_ref()?),
            K::CheckpointSize => known(job()?.checkpoint_size.as_ref()?),
            K::LossRace => job()?.lost_in.clone(),
            K::Fetched => job()?.fetched.clone(),
            K::PollTime => job()?.poll.clone(),
            K::Erased => known(&channel()?.erased),
            K::Load => known(&job()?.load),
            K::Drain => job()?.drain.clone(),
            K::TaskState => known(job()?.state_of_task.as_ref()?),
            K::Rebalance => known(job()?.rebalance.as_ref()?),
            K::DeployStandstill => known(job()?.deploy_standstill.as_ref()?),
            K::CrashStandstill => known(job()?.crash_standstill.as_ref()?),
            K::Behind => Some(review.reads.get(&self.of)?.behind.clone()),
            K::BehindTime => Some(review.reads.get(&self.of)?.behind_time.clone()),
            K::Markers => review.reads.get(&self.of)?.markers.clone(),
            K::StartWithin(n) => consumer()?.replay.get(n)?.start_within.clone(),
            K::LagRoom => consumer()?.lag_room.clone(),
            K::LogReach => known(&source()?.reach),
            // Where it is known what the log keeps, that is the most as well.
            K::LogReachMost => {
                source().filter(|source| source.reach.is_err()).and_then(|source| known(&source.longest))
            }
            K::SafeToCompare => Some(review.comparisons.get(&self.of)?.safe.clone()),
            K::MayBeBelow => review.comparisons.get(&self.of)?.below.clone().map(Ok),
            K::MayBeAbove => review.comparisons.get(&self.of)?.above.clone().map(Ok),
            K::ReplayDuration(n) => consumer()?.replay.get(n)?.duration.clone(),
            K::Latency => consumer().map(|c| c.latency.clone()),
            K::Replay(n) => consumer()?.replay.get(n).map(|start| start.reach.clone()),
            K::Bound(n) if review.links.contains_key(&self.of) => {
                let captions = &review.links.get(&self.of)?.captions;
                captions.conditions().nth(n)??.bound.clone().map(Ok)
            }
            K::Bound(n) => {
                let badge = &consumer()?.delivery.badge;
                let fewest =
                    if let Fewest::OneWhile(_, conditions) = &badge.fewest { conditions.as_slice() } else { &[] };
                let most = if let Most::OneWhile(_, conditions) = &badge.most { conditions.as_slice() } else { &[] };
                fewest.iter().chain(most).nth(n)?.bound.clone().map(Ok)
            }
        }
    }

    /// The figures that an element of this kind can have, the one that matters most first.
    #[must_use]
    pub const fn kinds(kind: ElementKind) -> &'static [FigureKind] {
        use FigureKind as K;
        match kind {
            ElementKind::Channel => &[
                K::Reach,
                K::TypicalReach,
                K::LongestStay,
                K::Effective,
                K::Fullest,
                K::FullestRate,
                K::Busiest,
                K::UsedPartitions,
                K::PartitionsNeeded,
                K::OnDisk,
                K::Erased,
            ],
            ElementKind::Operator => &[K::State, K::Entries, K::Growth, K::FullIn, K::InputRate],
            ElementKind::Job => &[
                K::Recovery,
                K::OutageBound,
                K::JobState,
                K::Checkpoint,
                K::Rewind,
                K::CatchUp,
                K::ParallelismCap,
                K::BusiestInstance,
                K::KeyLoad,
                K::PartitionLoad,
                K::KeyGroups,
                K::InstanceState,
                K::StoreMemory,
                K::CheckpointSize,
                K::DeployPause,
                K::LossRace,
                K::Fetched,
                K::PollTime,
                K::Load,
                K::Drain,
                K::TaskState,
                K::Rebalance,
                K::DeployStandstill,
                K::CrashStandstill,
            ],
            ElementKind::Consumer => &[K::Latency, K::LagRoom],
            ElementKind::Source => &[K::LogReach, K::LogReachMost],
            ElementKind::Sink | ElementKind::Batch => &[],
        }
    }

    /// The figures of an element that the review holds, the one that matters most first, each resolved when it is asked
    /// for.
    pub fn each_of<'a>(
        design: &Design,
        review: &'a Review,
        id: &'a Id,
    ) -> impl Iterator<Item = (Self, Derived)> + use<'a> {
        let kinds = match design.kind(id) {
            Some(kind) => Self::kinds(kind),
            None if review.comparisons.contains_key(id) => COMPARED,
            None if review.reads.contains_key(id) => READ,
            None => &[],
        };
        let replays =
            design.kind(id).and_then(|_| review.consumers.get(id)).map_or(0, |consumer| consumer.replay.len());
        let replays = (0..replays)
            .flat_map(|n| [FigureKind::Replay(n), FigureKind::ReplayDuration(n), FigureKind::StartWithin(n)]);
        let kinds = kinds.iter().copied().chain(replays);
        kinds.filter_map(move |kind| {
            let figure = Self::new(id.clone(), kind);
            figure.resolve(review).map(|derived| (figure, derived))
        })
    }

    /// The figures of an element that the review holds, the one that matters most first.
    #[must_use]
    pub fn all_of(design: &Design, review: &Review, id: &Id) -> Vec<(Self, Derived)> {
        Self::each_of(design, review, id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{codec, model::View, rules::review};

    /// The figures of a subject by name, as printed.
    fn of(text: &str, id: &str) -> Vec<(&'static str, String)> {
        let design = codec::decode(text).unwrap();
        let (review, id) = (review(&design, View::ToBe), Id::new(id).unwrap());
        let text = |derived: Derived| derived.map_or_else(|_| "not derivable".to_owned(), |figure| figure.text());
        Figure::all_of(&design, &review, &id).into_iter().map(|(one, it)| (one.kind.title(), text(it))).collect()
    }

    fn named(all: &[(&'static str, String)], kind: FigureKind) -> Option<String> {
        all.iter().find(|(title, _)| *title == kind.title()).map(|(_, text)| text.clone())
    }

    /// 12 partitions of 50 GiB, a segment of 1 GiB, and 2 MB/s for 300 s until the next check: 612 GiB + 7.2 GB, 664.3 GB.
    #[test]
    fn figures_of_an_element_and_of_a_comparison_are_found_by_name() {
        let text = crate::catalog::examples()[0].text;
        assert_eq!(named(&of(text, "orders"), FigureKind::OnDisk).as_deref(), Some("664 GB"));
        assert_eq!(named(&of(text, "orders"), FigureKind::PartitionsNeeded), None, "nobody measured a partition");
        // The job of the example takes in 300 /s, its capacity is 1 500 /s: it is never behind for good.
        assert_eq!(named(&of(text, "revenue"), FigureKind::LossRace).as_deref(), Some("no bound"));
        // 50 s of detection do not count: checkpoint 3 s, rescheduling 20 s, 2.02 GB at 500 MB/s.
        assert_eq!(named(&of(text, "revenue"), FigureKind::DeployPause).as_deref(), Some("27 s"));
        // One day back, and 300 of 1 500 /s arrive meanwhile: 24 h × 300 ÷ 1 200.
        assert_eq!(named(&of(text, "board"), FigureKind::ReplayDuration(0)).as_deref(), Some("6 h"));
        assert!(named(&of(text, "l14"), FigureKind::SafeToCompare).is_some());
    }

    #[test]
    fn the_replays_of_a_consumer_are_told_apart_by_their_start() {
        let design = crate::codec::decode(crate::catalog::examples()[0].text).unwrap();
        let review = crate::rules::review(&design, View::ToBe);
        let id = Id::new("board").unwrap();
        let mut names: Vec<String> =
            Figure::all_of(&design, &review, &id).into_iter().map(|(one, _)| one.name(&design, &review)).collect();
        // Orders are counted again by the job, rows of five minutes are written again as they are.
        for name in ["replay reach, recomputed from orders", "replay reach, refilled from revenue_5m"] {
            assert!(names.iter().any(|one| one == name), "{names:?}");
        }
        let all = names.len();
        crate::sorted::sort(&mut names);
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn every_figure_that_an_element_can_have_has_a_name_of_its_own() {
        for kind in ElementKind::ALL {
            let mut titles: Vec<&str> = Figure::kinds(kind).iter().map(|kind| kind.title()).collect();
            let all = titles.len();
            crate::sorted::sort(&mut titles);
            titles.dedup();
            assert_eq!(titles.len(), all, "{}", kind.name());
        }
    }
}
