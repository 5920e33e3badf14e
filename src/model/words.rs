//! The closed word lists of the field table. A new word needs a new version of the format.

use super::value::{FieldType, FieldValue, Value};

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),* }

        impl $name {
            /// All words, in table order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word as written in the document.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }
        }

        impl FieldValue for $name {
            const TYPE: FieldType = FieldType::Words(&[$($text),*]);

            fn from_value(value: &Value) -> Option<Self> {
                let Value::Word(word) = value else { return None };
                Self::ALL.iter().copied().find(|candidate| candidate.as_str() == *word)
            }

            fn into_value(self) -> Value {
                Value::Word(self.as_str())
            }
        }
    )*};
}

words! {
    /// Values of `cleanup_policy`.
    CleanupPolicy {
        Delete "delete", Compact "compact", CompactDelete "compact_delete",
    }
    /// Values of `timestamp_type`.
    TimestampType {
        CreateTime "create_time", AppendTime "append_time",
    }
    /// Values of `ordering`.
    Ordering {
        Nothing "none", PerPartition "per_partition", PerKey "per_key", PerGroup "per_group", Global "global",
    }
    /// Values of `capacity_mode`.
    CapacityMode {
        Provisioned "provisioned", OnDemand "on_demand",
    }
    /// Values of `exactly_once_source`.
    ExactlyOnceSource {
        Disabled "disabled", Preparing "preparing", Enabled "enabled",
    }
    /// Values of `client`.
    Client {
        Java "java", Librdkafka "librdkafka", Other "other",
    }
    /// Values of `processing_guarantee`.
    ProcessingGuarantee {
        Nothing "none", AtLeastOnce "at_least_once", ExactlyOnce "exactly_once",
    }
    /// Values of `checkpoint_storage`.
    CheckpointStorage {
        Durable "durable", CoordinatorMemory "coordinator_memory", Nothing "none",
    }
    /// Values of `state_backend`.
    StateBackend {
        Rocksdb "rocksdb", Heap "heap", Remote "remote", Nothing "none",
    }
    /// Values of `rebalance_protocol`.
    RebalanceProtocol {
        Eager "eager", Cooperative "cooperative", Consumer "consumer", Nothing "none",
    }
    /// Values of `on_error`.
    OnError {
        Fail "fail", Skip "skip", DeadLetter "dead_letter",
    }
    /// Values of `watermark_merge`.
    WatermarkMerge {
        Min "min", Max "max",
    }
    /// Values of `determinism`.
    Determinism {
        Same "same", ValueVaries "value_varies", KeyVaries "key_varies",
    }
    /// Values of `order_kept`.
    OrderKept {
        Yes "yes", PerKey "per_key", No "no",
    }
    /// Values of `api`.
    Api {
        Datastream "datastream", TableFunction "table_function", GroupWindow "group_window", Dsl "dsl",
    }
    /// Values of `function`.
    AggregateFunction {
        Count "count", Sum "sum", Avg "avg", Min "min", Max "max", Last "last", First "first", Set "set", Distinct "distinct", List "list", TopN "top_n", Pattern "pattern", Custom "custom",
    }
    /// Values of `accumulation`.
    Accumulation {
        Additive "additive", Idempotent "idempotent", Last "last",
    }
    /// Values of `clock`.
    Clock {
        EventTime "event_time", IngestionTime "ingestion_time", ProcessingTime "processing_time",
    }
    /// Values of `window`.
    WindowKind {
        Nothing "none", Tumbling "tumbling", Sliding "sliding", Hopping "hopping", Cumulating "cumulating", Session "session", Global "global",
    }
    /// Values of `watermark_assigned`.
    WatermarkAssigned {
        AtSource "at_source", AfterShuffle "after_shuffle", AfterFilter "after_filter",
    }
    /// Values of `emit`.
    Emit {
        OnClose "on_close", Suppress "suppress", EveryUpdate "every_update", EarlyAndClose "early_and_close", Delta "delta",
    }
    /// Values of `output_mode`.
    OutputMode {
        Append "append", Upsert "upsert", Retract "retract", Complete "complete",
    }
    /// Values of `ttl_clock`.
    TtlClock {
        ProcessingTime "processing_time", EventTime "event_time", Offsets "offsets",
    }
    /// Values of `ttl_from`.
    TtlFrom {
        First "first", Last "last",
    }
    /// Values of `state_in`.
    StateIn {
        Engine "engine", Memory "memory", External "external",
    }
    /// Values of `marks`.
    Marks {
        BeforeWrite "before_write", AfterWrite "after_write", WithWrite "with_write",
    }
    /// Values of `offset_mismatch`.
    OffsetMismatch {
        NoValidation "no_validation", TrustOffset "trust_offset", TrustSlot "trust_slot", TrustGreater "trust_greater_lsn",
    }
    /// Values of `compression`.
    Compression {
        Nothing "none", Gzip "gzip", Snappy "snappy", Lz4 "lz4", Zstd "zstd",
    }
    /// Values of `join`.
    JoinKind {
        Window "window", Interval "interval", Regular "regular", Table "table", Temporal "temporal", ForeignKey "foreign_key", GlobalTable "global_table",
    }
    /// Values of `join_type`.
    JoinType {
        Inner "inner", Left "left", Outer "outer",
    }
    /// Values of `collapse`.
    Collapse {
        AtWrite "at_write", AtMerge "at_merge", AtRead "at_read", Never "never",
    }
    /// Values of `transactions`.
    Transactions {
        Nothing "none", Local "local", TwoPhase "two_phase",
    }
    /// Values of `rebuild`.
    Rebuild {
        Overwrite "overwrite", Shadow "shadow", AppendOnly "append_only", Irreversible "irreversible",
    }
    /// Values of `question_clock`.
    QuestionClock {
        EventTime "event_time", IngestionTime "ingestion_time", ProcessingTime "processing_time",
    }
    /// Values of `criticality`.
    Criticality {
        Normal "normal", Financial "financial", Regulatory "regulatory",
    }
    /// Values of `claimed`.
    Claimed {
        BestEffort "best_effort", AtMostOnce "at_most_once", AtLeastOnce "at_least_once", EffectivelyOnce "effectively_once", ExactlyOnce "exactly_once",
    }
    /// Values of `dimensions_as_of`.
    DimensionsAsOf {
        EventTime "event_time", RunTime "run_time",
    }
    /// Values of `event_id_set_by`.
    EventIdSetBy {
        Source "source", Producer "producer", Broker "broker", Job "job", Nothing "none",
    }
    /// Values of `timestamp_set_by`.
    TimestampSetBy {
        Device "device", Application "application", Database "database", Broker "broker", Job "job", File "file",
    }
    /// Values of `timestamp_trust`.
    TimestampTrust {
        High "high", Medium "medium", Low "low",
    }
    /// Values of `timestamp_unit`.
    TimestampUnit {
        S "s", Ms "ms", Us "us", Ns "ns", Text "text",
    }
    /// Values of `classification`.
    Classification {
        Public "public", Internal "internal", Personal "personal", Health "health", Cardholder "cardholder",
    }
    /// Values of `erasure_by`.
    ErasureBy {
        Retention "retention", Tombstone "tombstone", KeyDestruction "key_destruction",
    }
    /// Values of `format`.
    Format {
        Json "json", Avro "avro", Protobuf "protobuf", Text "text", Binary "binary",
    }
    /// Values of `compatibility`.
    Compatibility {
        Nothing "none", Backward "backward", Forward "forward", Full "full", BackwardTransitive "backward_transitive", ForwardTransitive "forward_transitive", FullTransitive "full_transitive",
    }
    /// Values of `contract`.
    Contract {
        Draft "draft", Agreed "agreed", Enforced "enforced",
    }
    /// Values of `capture`.
    Capture {
        ChangeLog "change_log", PollTimestamp "poll_timestamp", PollSequence "poll_sequence", PollTable "poll_table", Push "push", Subscribe "subscribe", Listing "listing", InProcess "in_process",
    }
    /// Values of `acknowledge`.
    Acknowledge {
        Never "never", BeforeStore "before_store", AfterStore "after_store", OncePerHop "once_per_hop",
    }
    /// Values of `after_restart`.
    AfterRestart {
        ResumePosition "resume_position", ResendUnmarked "resend_unmarked", Nothing "nothing",
    }
    /// Values of `snapshot`.
    Snapshot {
        Nothing "none", Initial "initial", Repeated "repeated",
    }
    /// Values of `isolation`.
    Isolation {
        ReadCommitted "read_committed", ReadUncommitted "read_uncommitted",
    }
    /// Values of `offset_commit`.
    OffsetCommit {
        Auto "auto", BeforeWork "before_work", AfterWork "after_work", PerRecord "per_record", WithOutput "with_output", Never "never",
    }
    /// Values of `offset_reset`.
    OffsetReset {
        Earliest "earliest", Latest "latest", Nothing "none",
    }
    /// Values of `on_missing_data`.
    OnMissingData {
        Fail "fail", Continue "continue",
    }
    /// Values of `processing`.
    Processing {
        Sequential "sequential", Threads "threads", Async "async",
    }
    /// Values of `close_commits`.
    CloseCommits {
        Handled "handled", Polled "polled",
    }
    /// Values of `output_commit`.
    OutputCommit {
        Nothing "none", Flush "flush", TwoPhase "two_phase", WithPosition "with_position", BatchId "batch_id",
    }
    /// Values of `partitioner`.
    Partitioner {
        Murmur2 "murmur2", Crc32 "crc32", Sticky "sticky", RoundRobin "round_robin", Custom "custom",
    }
    /// Values of `acks`.
    Acks {
        Zero "0", One "1", All "all",
    }
    /// Values of `on_send_failure`.
    OnSendFailure {
        Retry "retry", Spool "spool", Drop "drop",
    }
    /// Values of `write_mode`.
    WriteMode {
        Append "append", InsertIfAbsent "insert_if_absent", Upsert "upsert", Patch "patch", Increment "increment", ReplaceRange "replace_range", FileCommit "file_commit", Call "call",
    }
    /// Values of `on_conflict`.
    OnConflict {
        Ignore "ignore", Fail "fail",
    }
    /// Values of `position_guard`.
    PositionGuard {
        Nothing "none", CompareAndSet "compare_and_set", Fencing "fencing",
    }
    /// Values of `deletes`.
    Deletes {
        Applied "applied", Ignored "ignored",
    }
    /// Values of `rotation`.
    Rotation {
        ByRecord "by_record", ByClock "by_clock",
    }
    /// Values of `distribution`.
    Distribution {
        Forward "forward", Hash "hash", Rebalance "rebalance", Broadcast "broadcast",
    }
    /// Values of `read_mode`.
    ReadMode {
        Collapsed "collapsed", Raw "raw",
    }
    /// Values of `result`.
    ReconciliationResult {
        NotReconciled "not_reconciled", Within "within", Outside "outside", Blocked "blocked",
    }
}
