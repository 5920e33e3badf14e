//! What happens: results, watermarks, lives of windows, fates of records, and what readers see.

use super::arrival::Side;

/// A window, `[start, end)`; `[start, end]` for session and sliding windows of Kafka Streams. Event time in ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Start.
    pub start: i64,
    /// End.
    pub end: i64,
}

/// When something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    /// While this step is the last that arrived (0: before the first).
    Step(u32),
    /// At the end of a bounded input.
    End,
}

/// What a result does to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// One more row (`+I`).
    Insert,
    /// Takes an earlier row back (`-U`).
    UpdateBefore,
    /// What stands in its place (`+U`).
    UpdateAfter,
    /// Takes a row back for good (`-D`).
    Delete,
    /// The new value of its key and window.
    Upsert,
    /// Its key and window are void (null value).
    Tombstone,
}

/// A result row.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Row {
    /// The key it is grouped by.
    pub key: Option<String>,
    /// Its window.
    pub window: Option<Span>,
    /// How many it counts: records, or rows of the stage before.
    pub count: i64,
    /// Sum of their values.
    pub sum: i64,
    /// The records in it, by position among the arrivals.
    pub events: Vec<usize>,
    /// The rows of the stage before in it, by position among the emissions.
    pub rows: Vec<usize>,
    /// The joined records; none where there was no partner.
    pub pair: Option<[Option<usize>; 2]>,
    /// Timestamp of the row, where the engine gives it one that is not the end of its window.
    pub time: Option<i64>,
    /// What a comparison with the current watermark says: late.
    pub late: Option<bool>,
}

/// A micro-batch that sent a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch {
    /// Its number, from 0.
    pub number: u32,
    /// It ran only because the watermark had moved.
    pub no_data: bool,
}

/// A result, as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emission {
    /// When.
    pub at: At,
    /// Spark: in which micro-batch.
    pub epoch: Option<Epoch>,
    /// 1, or 2 for the window over the results.
    pub stage: u8,
    /// It leaves the job; a first stage of SQL and Spark only feeds the second.
    pub leaves: bool,
    /// What it does.
    pub change: Change,
    /// The row.
    pub row: Row,
    /// The operator's watermark or stream time at that moment.
    pub watermark: Option<i64>,
}

/// Where a late record goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateTo {
    /// Dropped, and counted in this metric.
    Dropped(&'static str),
    /// Dropped, and counted nowhere.
    DroppedSilently,
    /// Side output.
    SideOutput,
    /// Side output of late records of the left input.
    SideOutputLeft,
    /// Side output of late records of the right input.
    SideOutputRight,
}

/// What can be late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A record, by position among the arrivals.
    Event(usize),
    /// A result of the first stage, by position among the emissions.
    Row(usize),
}

/// Something that came too late for all of its windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late {
    /// What.
    pub subject: Subject,
    /// For which stage.
    pub stage: u8,
    /// Where it went.
    pub to: LateTo,
}

/// Why a record that was not late is in no result and will be in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It lies between two windows (advance longer than size).
    NoWindow,
    /// Its row left the buffer after its window had fired (FLINK-36664, FLINK-38075).
    FlushedTooLate,
    /// The store no longer showed its window when it closed: `EmitStrategy.onWindowClose` after a jump of stream time.
    HiddenByRetention,
    /// Another row of its key is kept.
    Duplicate,
    /// No partner, and none can come.
    Unmatched,
}

/// How a record ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// In a result; in time for all its windows.
    Counted,
    /// In a result, but too late for some of its windows.
    PartlyCounted,
    /// In state; no result yet.
    Waiting,
    /// Too late for everything.
    Late(LateTo),
    /// Not late, and gone without a trace.
    Gone(Why),
}

/// What became of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// Which, by position among the arrivals.
    pub event: usize,
    /// It was behind the watermark (Kafka Streams: the stream time) when it came.
    pub behind: bool,
    /// The windows that took it in; sessions as they were then.
    pub windows: Vec<Span>,
    /// The windows it was too late for.
    pub missed: Vec<Span>,
    /// The end.
    pub verdict: Verdict,
}

/// The life of a window of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowLife {
    /// 1, or 2 for the window over the results.
    pub stage: u8,
    /// Its key.
    pub key: String,
    /// The window.
    pub span: Span,
    /// First record.
    pub opened: At,
    /// First result.
    pub first_result: Option<At>,
    /// Last result so far.
    pub last_result: Option<At>,
    /// Results sent, without those that take back.
    pub results: u32,
    /// No record can change it any more, and its state is dropped; a session: merged into a longer one.
    pub purged: Option<At>,
}

/// The watermark of one partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionMark {
    /// Input.
    pub side: Side,
    /// Partition.
    pub partition: u32,
    /// Its watermark; none before its first record.
    pub mark: Option<i64>,
    /// It is idle and not waited for.
    pub idle: bool,
}

/// The watermark after a step and all that followed from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which.
    pub at: At,
    /// The operator's watermark; Kafka Streams: stream time.
    pub watermark: Option<i64>,
    /// Flink: that of each partition.
    pub partitions: Vec<PartitionMark>,
}

/// A micro-batch of Spark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MicroBatch {
    /// Number and kind.
    pub epoch: Epoch,
    /// After which step.
    pub at: At,
    /// Rows it took in.
    pub rows: u32,
    /// Its watermark, which evicts state.
    pub watermark: i64,
    /// The watermark of the batch before, which late rows are held against.
    pub late_below: i64,
    /// What it added to the drop counter.
    pub dropped: u64,
}

/// A drop counter, as the engine counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// Its value: records, record-window pairs, or pre-aggregated rows, depending on the engine.
    pub value: u64,
}

/// What a reader that only appends makes of the results. Rows at the end of a bounded input are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct AppendReader {
    /// Rows it gets, those that take back included.
    pub rows: u64,
    /// Total count if it adds every row and knows no retraction.
    pub adding: i64,
    /// Total count if it subtracts what is taken back.
    pub retracting: i64,
    /// As `adding`, of the sums.
    pub adding_sum: i64,
}

/// The last row of one identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latest {
    /// 1 or 2.
    pub stage: u8,
    /// Key.
    pub key: Option<String>,
    /// Window.
    pub window: Option<Span>,
    /// Joined records.
    pub pair: Option<[Option<usize>; 2]>,
    /// The record itself, where nothing else tells rows apart.
    pub event: Option<usize>,
    /// Its count.
    pub count: i64,
    /// Its sum.
    pub sum: i64,
}

/// What the two kinds of reader see.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Readers {
    /// One that appends.
    pub append: AppendReader,
    /// One that keeps the last row of each key and window, in order of these.
    pub upsert: Vec<Latest>,
}

/// Everything that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The watermark, step by step; Spark: batch by batch.
    pub steps: Vec<Step>,
    /// Spark: the micro-batches.
    pub batches: Vec<MicroBatch>,
    /// The windows, by stage, key and span.
    pub windows: Vec<WindowLife>,
    /// The results in the order they are sent; within one moment of no meaning.
    pub emissions: Vec<Emission>,
    /// What became of each record, in the order they came.
    pub fates: Vec<Fate>,
    /// What was too late for everything.
    pub late: Vec<Late>,
    /// The drop counters the operator has.
    pub dropped: Vec<Metric>,
    /// What readers of the results see.
    pub readers: Readers,
}
