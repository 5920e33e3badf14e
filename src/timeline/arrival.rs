//! What arrives at the operator, in the order in which it does.

/// Which input of the operator: the only one of most, the two of a join or a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Side {
    /// The only input, or the left one.
    #[default]
    Left,
    /// The right input of a join, the second stream of a union.
    Right,
}

impl Side {
    pub(super) fn index(self) -> usize {
        usize::from(self == Self::Right)
    }
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name in the picture.
    pub id: String,
    /// Event time in ms since 1970-01-01 UTC.
    pub time: i64,
    /// What the operator groups or joins by.
    pub key: String,
    /// What is summed.
    pub value: i64,
}

/// What an arrival is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A record.
    Event(Event),
    /// The source says by itself that its partition is idle (Flink's `WatermarkStatus.IDLE`).
    Idle,
    /// A checkpoint of Flink goes through the job.
    Checkpoint,
}

/// One step of the sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Number of the step, not falling.
    pub step: u32,
    /// The machine's clock in ms from the start of the sequence, not falling: for idleness, periodic watermarks and
    /// state that expires by processing time.
    pub clock: i64,
    /// The micro-batch that takes it in, not falling. Spark only.
    pub batch: u32,
    /// The input it comes from.
    pub side: Side,
    /// The partition of that input.
    pub partition: u32,
    /// The record, or what else happens.
    pub what: What,
}

impl Arrival {
    /// The record, if it is one.
    #[must_use]
    pub fn event(&self) -> Option<&Event> {
        match &self.what {
            What::Event(event) => Some(event),
            What::Idle | What::Checkpoint => None,
        }
    }
}
