//! What happens in a run, one at a time.

use super::item::What;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Act {
    Send,
    Receive,
    Append,
    Replicate,
    Acknowledge,
    LoseResponse,
    LoseLeader,
    LoseMessage,
    SavePosition,
    Flag,
    Poll,
    Process,
    Work,
    Mark,
    Write,
    Commit,
    Barrier,
    Checkpoint,
    CommitTransaction,
    SaveState,
    PlanBatch,
    CommitBatch,
    Crash,
    FailAndClose,
    StandStill,
    WriteLate,
    Expire,
    CrashBeyondTimeout,
    Rewind,
}

impl Act {
    /// In words, as one line of a story.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Send => "sends",
            Self::Receive => "receives",
            Self::Append => "appends to the log",
            Self::Replicate => "the follower copies what the leader has",
            Self::Acknowledge => "is acknowledged",
            Self::LoseResponse => "the response is lost",
            Self::LoseLeader => "the leader is lost with what it alone had",
            Self::LoseMessage => "the message is lost",
            Self::SavePosition => "saves its position",
            Self::Flag => "flags as sent",
            Self::Poll => "polls",
            Self::Process => "processes",
            Self::Work => "processes and writes",
            Self::Mark => "marks as seen",
            Self::Write => "writes",
            Self::Commit => "commits its position",
            Self::Barrier => "the source notes its position for a checkpoint",
            Self::Checkpoint => "completes a checkpoint",
            Self::CommitTransaction => "commits the transaction",
            Self::SaveState => "its change of state reaches the changelog",
            Self::PlanBatch => "plans a batch",
            Self::CommitBatch => "notes the batch as done",
            Self::Crash => "crashes and starts again",
            Self::FailAndClose => "fails, closes, and starts again",
            Self::StandStill => "stands still and is replaced",
            Self::WriteLate => "the replaced owner writes",
            Self::Expire => "forgets what it saw: the time-to-live is over",
            Self::CrashBeyondTimeout => "crashes, and starts again after the transaction timeout",
            Self::Rewind => "is sent back to the start",
        }
    }
}

/// One thing that happens, and to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// What happens.
    pub act: Act,
    /// To what, where it is one record or row.
    pub to: Option<What>,
}

impl Step {
    /// Without an object.
    pub(super) const fn of(act: Act) -> Self {
        Self { act, to: None }
    }

    /// With one.
    pub(super) const fn on(act: Act, what: What) -> Self {
        Self { act, to: Some(what) }
    }

    /// As one line.
    #[must_use]
    pub fn words(self) -> String {
        match self.to {
            Some(what) => format!("{} {}", self.act.words(), what.words()),
            None => self.act.words().to_owned(),
        }
    }
}
