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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Figure {
    /// Element.
    pub of: Id,
    /// Which of its figures.
    pub kind: FigureKind,
}

/// Which figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    Latency,
    /// One start of a replay of a consumer, by its place in the list.
    Replay(usize),
    /// The bound of one condition of a consumer, or of one line under a link, by its place among them.
    Bound(usize),
}

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
            Self::Latency => "latency",
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

    /// The figure as it stands in a review; `None` where the subject has no such figure.
    #[must_use]
    pub fn resolve(&self, review: &Review) -> Option<Derived> {
        use FigureKind as K;
        let channel = || review.channels.get(&self.of);
        let operator = || review.operators.get(&self.of);
        let job = || review.jobs.get(&self.of);
        let consumer = || review.consumers.get(&self.of);
        // Skew is no figure of most elements: it shows where it was measured.
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
            ],
            ElementKind::Operator => &[K::State, K::Entries, K::Growth, K::InputRate],
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
            ],
            ElementKind::Consumer => &[K::Latency],
            ElementKind::Source | ElementKind::Sink | ElementKind::Batch => &[],
        }
    }

    /// The figures of an element that the review holds, the one that matters most first, each resolved when it is asked
    /// for.
    pub fn each_of<'a>(
        design: &Design,
        review: &'a Review,
        id: &'a Id,
    ) -> impl Iterator<Item = (Self, Derived)> + use<'a> {
        let kinds = design.kind(id).map_or(&[][..], Self::kinds);
        let replays =
            design.kind(id).and_then(|_| review.consumers.get(id)).map_or(0, |consumer| consumer.replay.len());
        let kinds = kinds.iter().copied().chain((0..replays).map(FigureKind::Replay));
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
