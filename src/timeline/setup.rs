//! What is predicted: an operator of one of four engines, and how its watermark comes about.

/// The four engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Apache Flink, DataStream API.
    FlinkDataStream,
    /// Apache Flink SQL and Table API.
    FlinkSql,
    /// Kafka Streams.
    KafkaStreams,
    /// Spark Structured Streaming, micro-batches.
    Spark,
}

/// A window, all lengths in ms. `[start, end)` except where it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Fixed windows one after another, aligned to the epoch plus an offset.
    Tumbling {
        /// Length.
        size: i64,
        /// Shift of the alignment.
        offset: i64,
    },
    /// Fixed windows that start every `advance` and overlap (Flink's sliding windows, Spark's `slideDuration`).
    Hopping {
        /// Length.
        size: i64,
        /// From one start to the next.
        advance: i64,
        /// Shift of the alignment.
        offset: i64,
    },
    /// Flink SQL's CUMULATE: windows of one start that grow by `step` up to `max`.
    Cumulating {
        /// The longest.
        max: i64,
        /// From one end to the next.
        step: i64,
        /// Shift of the alignment.
        offset: i64,
    },
    /// Sessions that end after a gap without records. In Kafka Streams `[first, last]`, both inclusive.
    Session {
        /// The gap.
        gap: i64,
    },
    /// Kafka Streams' `SlidingWindows`: a window per record, `[t - difference, t]`, both inclusive.
    Sliding {
        /// Largest distance of two records of one window.
        difference: i64,
    },
}

/// How a bound turns into a watermark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MarkForm {
    /// `WatermarkStrategy.forBoundedOutOfOrderness`: highest event time − bound − 1 ms.
    #[default]
    OneBehind,
    /// `WATERMARK FOR rt AS rt - INTERVAL …` of Flink SQL: highest event time − bound.
    AtBound,
}

/// Which of two streams' watermarks Spark takes (`spark.sql.streaming.multipleWatermarkPolicy`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MergePolicy {
    /// The slower one.
    #[default]
    Min,
    /// The faster one.
    Max,
}

/// How the watermark comes about. Kafka Streams has none: its stream time is the highest event time of the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watermark {
    /// Out-of-orderness bound (Flink) or delay (Spark) in ms; none: no watermark, which only Spark runs with.
    pub delay: Option<i64>,
    /// Flink: how the bound is subtracted.
    pub form: MarkForm,
    /// Flink: emitted every so many ms of the machine's clock; none: after each record.
    pub interval: Option<i64>,
    /// Flink: partitions of each input, each with a watermark of its own, of which the lowest counts. One source
    /// subtask a partition.
    pub partitions: u32,
    /// Flink: the strategy stands behind a shuffle or merge, so that there is one watermark over all partitions.
    pub after_merge: bool,
    /// Flink: `withIdleness`, in ms of the machine's clock; none: a silent partition holds the watermark for ever.
    pub idle_after: Option<i64>,
    /// Flink: idle status of the source counts. `assignTimestampsAndWatermarks` swallows it.
    pub heeds_idle: bool,
    /// Spark: two streams.
    pub policy: MergePolicy,
}

impl Default for Watermark {
    fn default() -> Self {
        Self {
            delay: Some(0),
            form: MarkForm::OneBehind,
            interval: None,
            partitions: 1,
            after_merge: false,
            idle_after: None,
            heeds_idle: false,
            policy: MergePolicy::Min,
        }
    }
}

/// A second window over the results of the first, of all keys together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Then {
    /// Its windows.
    pub window: Window,
    /// Its allowed lateness in ms (DataStream only).
    pub lateness: i64,
}

/// Operators of Flink's DataStream API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataStream {
    /// `keyBy().window().aggregate()`.
    Window {
        /// Its windows.
        window: Window,
        /// `allowedLateness`, ms.
        lateness: i64,
        /// `sideOutputLateData`.
        late_output: bool,
        /// `PurgingTrigger.of(EventTimeTrigger)`: each result holds only what came since the last.
        purging: bool,
        /// A window over the results.
        then: Option<Then>,
    },
    /// `intervalJoin().between(lower, upper)`: right time within left time + bounds, both inclusive.
    IntervalJoin {
        /// Lower bound, ms.
        lower: i64,
        /// Upper bound, ms.
        upper: i64,
        /// `sideOutputLeftLateData` and `sideOutputRightLateData`.
        late_output: bool,
    },
    /// `join().where().equalTo().window()`.
    WindowJoin {
        /// Its windows.
        window: Window,
    },
}

/// The zone a local time attribute is shown in; `offset` as it is while the events happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Zone {
    /// Local time − UTC, ms.
    pub offset: i64,
    /// The zone has daylight saving time: Flink then aligns its buffer flushes to local time.
    pub daylight_saving: bool,
}

/// `SELECT … FROM TABLE(TUMBLE | HOP | CUMULATE | SESSION (…)) GROUP BY key, window_start, window_end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowFunction {
    /// Its windows.
    pub window: Window,
    /// `table.optimizer.agg-phase-strategy` is not ONE_PHASE: rows are added up before the shuffle.
    pub two_phase: bool,
    /// Session time zone, where the time attribute is TIMESTAMP_LTZ; else UTC.
    pub zone: Zone,
    /// Flushes heed the window's offset: Flink 2.3 and later (FLINK-36664).
    pub flush_heeds_offset: bool,
    /// `table.exec.emit.late-fire.enabled`, which window functions refuse.
    pub late_fire: bool,
    /// A tumbling window over the results of all keys.
    pub then: Option<Window>,
}

impl WindowFunction {
    /// Buffered rows may leave their buffer only after their window has fired, and are then lost, unless a checkpoint came
    /// between: boundaries of flushes are aligned to UTC (FLINK-38075) and without the offset (FLINK-36664).
    #[must_use]
    pub fn may_flush_too_late(&self) -> bool {
        let (step, offset) = match self.window {
            Window::Tumbling { size, offset } => (size, offset),
            Window::Hopping { advance: step, offset, .. } | Window::Cumulating { step, offset, .. } => (step, offset),
            Window::Session { .. } | Window::Sliding { .. } => return false,
        };
        let shift = |by: i64| by.checked_rem(step).is_some_and(|rest| rest != 0);
        !self.flush_heeds_offset && shift(offset) || !self.zone.daylight_saving && shift(self.zone.offset)
    }
}

/// Which row of a key a deduplication keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// `ROW_NUMBER() … ORDER BY rowtime ASC = 1`.
    FirstByTime,
    /// `… ORDER BY rowtime DESC = 1`.
    LastByTime,
    /// `… ORDER BY proctime ASC = 1`.
    FirstToArrive,
    /// `… ORDER BY proctime DESC = 1`.
    LastToArrive,
}

/// Queries of Flink SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sql {
    /// Aggregate over a window table function.
    WindowFunction(WindowFunction),
    /// Legacy group window: `GROUP BY key, TUMBLE(rowtime, …)`.
    GroupWindow {
        /// Its windows.
        window: Window,
        /// `allow-lateness` in ms where late-fire is enabled with delay 0; none: late rows are dropped.
        late_fire: Option<i64>,
        /// As for [`WindowFunction::zone`].
        zone: Zone,
    },
    /// Deduplication by ROW_NUMBER.
    Deduplicate(Keep),
    /// `GROUP BY key` without window.
    GroupBy {
        /// `table.exec.state.ttl`, ms of the machine's clock.
        ttl: Option<i64>,
    },
    /// `rt <= CURRENT_WATERMARK(rt)` as own late mark.
    CurrentWatermark,
    /// Join with `right.rt BETWEEN left.rt + lower AND left.rt + upper`.
    IntervalJoin {
        /// Lower bound, ms.
        lower: i64,
        /// Upper bound, ms.
        upper: i64,
        /// LEFT JOIN.
        left: bool,
    },
    /// Join of two window table functions on key and window.
    WindowJoin {
        /// Their windows.
        window: Window,
    },
    /// Join on the key alone.
    Join {
        /// LEFT JOIN.
        left: bool,
    },
}

/// When Kafka Streams sends results on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamsEmit {
    /// On each update (record cache off).
    EveryUpdate,
    /// `EmitStrategy.onWindowClose`.
    OnWindowClose,
    /// `suppress(untilWindowCloses)`.
    Suppress,
}

/// Operators of Kafka Streams. One task; caches off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// `groupByKey().windowedBy().aggregate()`.
    Window {
        /// Tumbling, hopping, session or sliding windows.
        window: Window,
        /// Grace period, ms.
        grace: i64,
        /// When results are sent on.
        emit: StreamsEmit,
    },
    /// `KStream.join` and `leftJoin` with `JoinWindows`.
    Join {
        /// How much older the right record may be, ms.
        before: i64,
        /// How much newer, ms.
        after: i64,
        /// Grace period, ms.
        grace: i64,
        /// `leftJoin`.
        left: bool,
    },
}

/// Output mode of Spark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputMode {
    /// `append`.
    Append,
    /// `update`.
    Update,
    /// `complete`.
    Complete,
}

/// Stateful queries of Spark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// `groupBy(key, window(…))`, or `session_window`.
    Window {
        /// Its windows.
        window: Window,
        /// A window over the results of all keys.
        then: Option<Window>,
    },
    /// `groupBy(key)`.
    GroupBy,
    /// `dropDuplicatesWithinWatermark(key)`.
    DropDuplicatesWithinWatermark,
    /// Stream-stream join with right time within left time + bounds, both inclusive.
    Join {
        /// Lower bound, ms.
        lower: i64,
        /// Upper bound, ms.
        upper: i64,
        /// Left outer join.
        left: bool,
    },
}

/// A streaming query of Spark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spark {
    /// What it computes.
    pub query: Query,
    /// Output mode.
    pub mode: OutputMode,
    /// `spark.sql.streaming.noDataMicroBatches.enabled`.
    pub no_data_batches: bool,
    /// All input is there from the start and taken in batch by batch: a batch without data runs only after the last.
    pub backlog: bool,
}

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Of Flink's DataStream API.
    DataStream(DataStream),
    /// Of Flink SQL.
    Sql(Sql),
    /// Of Kafka Streams.
    Streams(Streams),
    /// Of Spark Structured Streaming.
    Spark(Spark),
}

/// All that is predicted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The operator.
    pub operator: Operator,
    /// Its watermark.
    pub watermark: Watermark,
    /// The input ends: the last watermark of a bounded source closes every window of Flink. Never with a Kafka topic.
    pub ends: bool,
    /// How long the clock is watched after the last arrival, ms.
    pub rest: i64,
}

impl Setup {
    /// The operator behind a watermark, its input without end.
    #[must_use]
    pub fn new(operator: Operator, watermark: Watermark) -> Self {
        Self { operator, watermark, ends: false, rest: 0 }
    }

    /// Whose operator it is.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match self.operator {
            Operator::DataStream(_) => Engine::FlinkDataStream,
            Operator::Sql(_) => Engine::FlinkSql,
            Operator::Streams(_) => Engine::KafkaStreams,
            Operator::Spark(_) => Engine::Spark,
        }
    }

    /// The windows of the operator, if it has any.
    #[must_use]
    pub fn window(&self) -> Option<Window> {
        match self.operator {
            Operator::DataStream(DataStream::Window { window, .. } | DataStream::WindowJoin { window })
            | Operator::Sql(Sql::GroupWindow { window, .. } | Sql::WindowJoin { window })
            | Operator::Sql(Sql::WindowFunction(WindowFunction { window, .. }))
            | Operator::Streams(Streams::Window { window, .. })
            | Operator::Spark(Spark { query: Query::Window { window, .. }, .. }) => Some(window),
            _ => None,
        }
    }

    /// For how long after the first result late records still count: allowed lateness, grace. Zero where there is none.
    #[must_use]
    pub fn lateness(&self) -> i64 {
        match self.operator {
            Operator::DataStream(DataStream::Window { lateness, .. }) => lateness,
            Operator::Sql(Sql::GroupWindow { late_fire, .. }) => late_fire.unwrap_or(0),
            Operator::Streams(Streams::Window { grace, .. } | Streams::Join { grace, .. }) => grace,
            _ => 0,
        }
    }

    /// Two inputs are joined.
    #[must_use]
    pub fn joins(&self) -> bool {
        matches!(
            self.operator,
            Operator::DataStream(DataStream::IntervalJoin { .. } | DataStream::WindowJoin { .. })
                | Operator::Sql(Sql::IntervalJoin { .. } | Sql::WindowJoin { .. } | Sql::Join { .. })
                | Operator::Streams(Streams::Join { .. })
                | Operator::Spark(Spark { query: Query::Join { .. }, .. })
        )
    }
}
