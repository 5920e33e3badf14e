//! What copies and losses do to values, what is wrong for a while, in words; and where a condition stands.

use super::{Transient, ValueEffect, Variable};
use crate::model::Id;

impl Transient {
    /// As part of a sentence.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::OlderValueShownAgain => "an older value shows again until the newer one is written again",
            Self::UncommittedVisible => "results that are rolled back later are visible until then",
            Self::PartialWindowShown => "a part of a window shows before the window is complete",
            Self::SinksDisagree => "two sinks of one job disagree until both have caught up",
        }
    }
}

impl ValueEffect {
    /// As part of a sentence; empty where no value is computed.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotApplicable => "",
            Self::Exact => "computed values end as they would without any failure",
            Self::Over => "computed values can end too high: copies are added into them",
            Self::Under => "computed values can end too low: lost events are missing from them",
            Self::Stale => "an older version of a value can be left standing",
            Self::OverOrMissing => "computed values can end too high, or miss events",
        }
    }
}

impl Variable {
    /// The element or link that varies.
    #[must_use]
    pub const fn at(&self) -> &Id {
        match self {
            Self::Outage(id)
            | Self::ReaderDowntime(id)
            | Self::PositionKept(id)
            | Self::BrokerLosses(id)
            | Self::CompactionLag(id)
            | Self::CopyHorizon(id)
            | Self::Lateness(id)
            | Self::BatchGuard(id)
            | Self::Other(id) => id,
        }
    }
}
