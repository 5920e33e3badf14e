//! Sinks, consumers and batch paths.

fields! { sink Sink {
    UNIQUE_KEYS "unique_keys": Keys, Configuration, "keys", "MECH-2, DUP-04", "as enforced; [] = read, none";
    DECLARED_KEYS "declared_keys": Keys, Configuration, "keys", "recorded", "declared, not enforced";
    COLLAPSE "collapse": Collapse, Configuration, "keys", "catalogue 54, REC", "when equal keys become one row";
    COLLAPSE_WITHIN "collapse_within": Columns, Configuration, "keys", "catalogue 54", "only inside one table partition or shard";
    VERSION_COLUMN "version_column": Text, Configuration, "keys", "recorded", "version column";
    TRANSACTIONS "transactions": Transactions, Configuration, "capabilities", "FLK-06, MECH", "transactions";
    DEDUP_WINDOW "dedup_window": Limit<Duration>, Configuration, "capabilities", "DUP-07, CON-L7", "store-side, by id or identical block";
    IDEMPOTENCY_WINDOW "idempotency_window": Limit<Duration>, Configuration, "capabilities", "SFX-01", "how long a callee honours a key";
    DELETES_REMEMBERED "deletes_remembered": Duration, Configuration, "capabilities", "CON-L9", "version of a deleted document, index.gc_deletes";
    VISIBILITY_DELAY "visibility_delay": Measured<Duration>, Measurement, "capabilities", "LAT-E1", "visibility delay";
    REBUILD "rebuild": Rebuild, Configuration, "capabilities", "REP-4, E5", "rebuild";
    OTHER_WRITERS "other_writers": bool, Configuration, "capabilities", "MECH-2", "triggers, edits by hand, second job";
    RETENTION_TIME "retention_time": Limit<Duration>, Configuration, "capabilities", "MAN-6, PRV-01", "retention time";
    ROWS "rows": u64, Measurement, "measured", "REC-4", "rows";
    DISTINCT_ROWS "distinct_rows": u64, Measurement, "measured", "REC-4", "distinct rows";
    VERSION "version": Text, Configuration, "product", "catalogue", "version of the product";
} }

fields! { consumer Consumer {
    LATENCY_REQUIREMENT "latency_requirement": Duration, Need, "needs", "LAT-L1", "what the decision needs";
    LOSS_TOLERATED "loss_tolerated": bool, Need, "needs", "DEL-02", "loss tolerated";
    DUPLICATES_TOLERATED "duplicates_tolerated": bool, Need, "needs", "DUP-09", "duplicates tolerated";
    DEDUPLICATES_BY "deduplicates_by": Columns, Need, "what it does itself", "DUP-09", "deduplicates by";
    DEDUPLICATES_WITHIN "deduplicates_within": Limit<Duration>, Need, "what it does itself", "DUP-09", "deduplicates within";
    ORDER_NEEDED "order_needed": Columns, Need, "more needs", "ORD-L1", "order needed";
    REPLAY_NEEDED "replay_needed": Duration, Need, "more needs", "RET-01", "replay needed";
    LATE_SHARE_TOLERATED "late_share_tolerated": Ratio, Need, "more needs", "TIM-07, LATE-2", "late share tolerated";
    QUESTION_CLOCK "question_clock": QuestionClock, Need, "more needs", "TIME-4, TIM-03", "which time the question is about";
    RECOVERY_TARGET "recovery_target": Duration, Need, "more needs", "CHK-04", "recovery target";
    PUBLISHED "published": bool, Need, "more needs", "HALT-APPROVAL", "published";
    CRITICALITY "criticality": Criticality, Need, "more needs", "severity", "criticality";
    CLAIMED "claimed": Claimed, Need, "more needs", "DEL-01", "claimed";
    VERSION "version": Text, Configuration, "product", "catalogue", "version of the product";
} }

fields! { batch Batch {
    SCHEDULE "schedule": Text, Configuration, "run", "REC-2", "schedule";
    CUT_OFF "cut_off": Text, Configuration, "run", "REC-1", "cut off";
    GRAIN "grain": Text, Configuration, "run", "REC-1", "grain";
    TIME_ZONE "time_zone": Text, Configuration, "run", "REC-4", "time zone";
    DIMENSIONS_AS_OF "dimensions_as_of": DimensionsAsOf, Configuration, "run", "REC-4", "dimensions as of";
    DEDUPLICATES_BY "deduplicates_by": Columns, Configuration, "run", "REC-4", "deduplicates by";
    DIVERGENCE "divergence": Shares, Measurement, "run", "REC-3", "known causes and their share";
    VERSION "version": Text, Configuration, "product", "catalogue", "version of the product";
} }
