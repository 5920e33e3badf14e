//! How much may go wrong in one run.

use std::hash::{Hash, Hasher};

/// What may go wrong, each at most so often, along the whole path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bounds {
    /// A process dies at once, or fails and closes.
    pub crashes: u8,
    /// A broker that leads a partition is lost with what it alone has.
    pub leaders: u8,
    /// A response does not arrive although the work was done.
    pub responses: u8,
    /// A de-duplication forgets what it saw: its time-to-live is over.
    pub expiries: u8,
    /// A crash lasts longer than the transaction timeout.
    pub outages: u8,
    /// An operator sends a reader back to the start.
    pub rewinds: u8,
    /// Copies that an intermediate log may hold beyond its two records; longer ones are not followed further.
    pub surplus: u8,
}

impl Bounds {
    /// Two crashes, one lost leader, one lost response.
    pub const USUAL: Self =
        Self { crashes: 2, leaders: 1, responses: 1, expiries: 0, outages: 0, rewinds: 0, surplus: 2 };

    /// Is nothing left here that `other` does not have left as well?
    #[must_use]
    pub const fn within(self, other: Self) -> bool {
        self.crashes <= other.crashes
            && self.leaders <= other.leaders
            && self.responses <= other.responses
            && self.expiries <= other.expiries
            && self.outages <= other.outages
            && self.rewinds <= other.rewinds
    }

    /// How many things may still go wrong.
    #[must_use]
    pub const fn left(self) -> u32 {
        self.crashes as u32
            + self.leaders as u32
            + self.responses as u32
            + self.expiries as u32
            + self.outages as u32
            + self.rewinds as u32
    }

    /// Nothing may go wrong.
    pub(super) const NONE: Self =
        Self { crashes: 0, leaders: 0, responses: 0, expiries: 0, outages: 0, rewinds: 0, surplus: 0 };

    /// What may go wrong at brokers, and the rest.
    pub(super) const fn brokers_and_rest(self) -> (Self, Self) {
        let brokers = Self { leaders: self.leaders, responses: self.responses, ..Self::NONE };
        (brokers, Self { leaders: 0, responses: 0, ..self })
    }

    /// Both together.
    pub(super) const fn and(self, other: Self) -> Self {
        Self {
            crashes: self.crashes + other.crashes,
            leaders: self.leaders + other.leaders,
            responses: self.responses + other.responses,
            expiries: self.expiries + other.expiries,
            outages: self.outages + other.outages,
            rewinds: self.rewinds + other.rewinds,
            surplus: self.surplus + other.surplus,
        }
    }

    /// What remains of this without the other, if it holds all of that; the surplus is no part of what goes wrong.
    pub(super) fn without(self, other: Self) -> Option<Self> {
        Some(Self {
            crashes: self.crashes.checked_sub(other.crashes)?,
            leaders: self.leaders.checked_sub(other.leaders)?,
            responses: self.responses.checked_sub(other.responses)?,
            expiries: self.expiries.checked_sub(other.expiries)?,
            outages: self.outages.checked_sub(other.outages)?,
            rewinds: self.rewinds.checked_sub(other.rewinds)?,
            surplus: self.surplus,
        })
    }

    /// After one more crash, if there may be one.
    pub(super) fn crash(self) -> Option<Self> {
        Some(Self { crashes: self.crashes.checked_sub(1)?, ..self })
    }

    /// After one more lost leader.
    pub(super) fn leader(self) -> Option<Self> {
        Some(Self { leaders: self.leaders.checked_sub(1)?, ..self })
    }

    /// After one more lost response.
    pub(super) fn response(self) -> Option<Self> {
        Some(Self { responses: self.responses.checked_sub(1)?, ..self })
    }

    /// After one more expiry.
    pub(super) fn expiry(self) -> Option<Self> {
        Some(Self { expiries: self.expiries.checked_sub(1)?, ..self })
    }

    /// After one more crash that lasts too long.
    pub(super) fn outage(self) -> Option<Self> {
        Some(Self { outages: self.outages.checked_sub(1)?, ..self.crash()? })
    }

    /// After one more rewind.
    pub(super) fn rewind(self) -> Option<Self> {
        Some(Self { rewinds: self.rewinds.checked_sub(1)?, ..self })
    }
}

impl Hash for Bounds {
    /// In one go: it is part of every state.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { crashes, leaders, responses, expiries, outages, rewinds, surplus } = *self;
        state.write_u64(u64::from_le_bytes([crashes, leaders, responses, expiries, outages, rewinds, surplus, 0]));
    }
}
