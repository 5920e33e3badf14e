//! Links: what is legal on one follows from its two ends.

fields! { link Link {
    RATE "rate": Measured<Rate>, Measurement, "measured", "rates", "own reading wins over the channel's and the derived one";
    LATENCY "latency": Measured<Duration>, Measurement, "measured", "LAT-E1", "latency";
    VERSION "version": Text, Configuration, "product", "catalogue", "version of the product";
} }

fields! { take Take {
    CAPTURE "capture": Capture, Configuration, "hand-over", "catalogue 18..43", "capture";
    ACKNOWLEDGE "acknowledge": Acknowledge, Configuration, "hand-over", "T17, MQTT, A7", "to the source";
    AFTER_RESTART "after_restart": AfterRestart, Configuration, "hand-over", "C-07, C-05", "what survives a restart";
    RESEND_WITHIN "resend_within": Limit<Duration>, Configuration, "hand-over", "D5, C-15", "how long the source may send again";
    SESSION_KEPT "session_kept": bool, Configuration, "hand-over", "catalogue 40", "session kept";
    SNAPSHOT "snapshot": Snapshot, Configuration, "snapshot and polling", "SRC-5, D5", "snapshot";
    SNAPSHOT_DURATION "snapshot_duration": Duration, Measurement, "snapshot and polling", "CHK-01", "snapshot duration";
    SNAPSHOT_RESUMABLE "snapshot_resumable": bool, Configuration, "snapshot and polling", "CHK-01", "a checkpoint can be taken inside it";
    HEARTBEAT "heartbeat": Limit<Duration>, Configuration, "snapshot and polling", "RET-12", "moves the slot on when nothing changes";
    POLL_INTERVAL "poll_interval": Duration, Configuration, "snapshot and polling", "catalogue 20", "poll interval";
    POLL_DELAY "poll_delay": Duration, Configuration, "snapshot and polling", "catalogue 20", "look-back for late commits";
    OFFSET_MISMATCH "offset_mismatch": OffsetMismatch, Configuration, "snapshot and polling", "catalogue 18", "PostgreSQL: what a slot ahead of the stored position does";
    TRANSACTION_RETENTION "transaction_retention": Limit<Duration>, Configuration, "snapshot and polling", "catalogue 18", "Oracle: how old an open transaction may get; unlimited: kept";
    CAPTURES_DELETES "captures_deletes": bool, Configuration, "snapshot and polling", "catalogue 20", "captures deletes";
} }

fields! { read Read {
    GROUP "group": Text, Configuration, "position", "documents", "group";
    ISOLATION "isolation": Isolation, Configuration, "position", "ISO-1, DEL-15, C-13", "isolation";
    OFFSET_COMMIT "offset_commit": OffsetCommit, Configuration, "position", "CONS-1, DEL-11..13", "never: starts again at offset_reset";
    COMMIT_EVERY "commit_every": u64, Configuration, "position", "DUR-3", "commit every" => AtLeast(1);
    OFFSET_RESET "offset_reset": OffsetReset, Configuration, "position", "CONS-2, OFF-01, C-22", "offset reset";
    ON_MISSING_DATA "on_missing_data": OnMissingData, Configuration, "position", "SPK-L3", "on missing data";
    PROCESSING "processing": Processing, Configuration, "how it works through records", "CONS-1, ORD-6", "processing";
    WORKER_KEY "worker_key": Columns, Configuration, "how it works through records", "ORD-6", "worker key";
    IN_FLIGHT "in_flight": u64, Configuration, "how it works through records", "CONS-1", "records handed out and not finished";
    CLOSE_COMMITS "close_commits": CloseCommits, Configuration, "how it works through records", "C-10", "close commits";
    MAX_POLL_RECORDS "max_poll_records": u64, Configuration, "poll and fetch", "POLL-1, MEM-1", "max poll records" => AtLeast(1);
    MAX_POLL_INTERVAL "max_poll_interval": Duration, Configuration, "poll and fetch", "POLL-1", "max poll interval";
    TIME_PER_RECORD "time_per_record": Measured<Duration>, Measurement, "poll and fetch", "POLL-1", "time per record";
    FETCH_MIN "fetch_min": Size, Configuration, "poll and fetch", "LAT-E1", "fetch min";
    FETCH_WAIT "fetch_wait": Duration, Configuration, "poll and fetch", "LAT-E1", "fetch wait";
    FETCH_MAX "fetch_max": Size, Configuration, "poll and fetch", "MEM-1", "fetch max";
    FETCH_MAX_PARTITION "fetch_max_partition": Size, Configuration, "poll and fetch", "MEM-1", "fetch max partition";
    PREFETCH "prefetch": u64, Configuration, "queues and subscriptions", "D3", "prefetch";
    REDELIVERY_AFTER "redelivery_after": Duration, Configuration, "queues and subscriptions", "D3", "visibility, ack deadline";
    LEASE_MAX "lease_max": Duration, Configuration, "queues and subscriptions", "D3", "lease max";
    MAX_DELIVERIES "max_deliveries": u64, Configuration, "queues and subscriptions", "catalogue 26", "max deliveries" => AtLeast(1);
    RETAIN_ACKED "retain_acked": bool, Configuration, "queues and subscriptions", "MAN-3", "retain acked";
    RETENTION_TIME "retention_time": Limit<Duration>, Configuration, "queues and subscriptions", "MAN-3, OFF-1", "of a subscription that keeps its own backlog";
    OFFSETS_RETENTION "offsets_retention": Limit<Duration>, Configuration, "queues and subscriptions", "OFF-1", "idle time after which the position is dropped; else the cluster's";
    EXACTLY_ONCE_DELIVERY "exactly_once_delivery": bool, Configuration, "queues and subscriptions", "catalogue 31", "exactly once delivery";
    DELAY "delay": Duration, Configuration, "queues and subscriptions", "ORD-7", "retry channel";
    DEDICATED_THROUGHPUT "dedicated_throughput": bool, Configuration, "readings", "CAP-3", "enhanced fan-out";
    MEMBERS "members": u64, Measurement, "readings", "CAP-2, LAG", "members";
    COMMITTED_OFFSET "committed_offset": Measured<u64>, Measurement, "readings", "LAG-1", "committed offset";
    LAG "lag": Measured<u64>, Measurement, "readings", "LAG-1, LAG-L1", "records, by partition";
    LAG_SIZE "lag_size": Measured<Size>, Measurement, "readings", "LAG-L7", "bytes, by partition";
    LAG_TIME "lag_time": Measured<Duration>, Measurement, "readings", "LAG-1, RACE-1", "lag time";
} }

fields! { write Write {
    KEY "key": Columns, Configuration, "key and commit", "B2, SKEW, MECH-2, M-COORD-KEY", "partition, row, document, file or idempotency key";
    OUTPUT_COMMIT "output_commit": OutputCommit, Configuration, "key and commit", "A4, MECH, C-01, C-14, C-17", "output commit";
} }

fields! { produce Produce {
    PARTITIONER "partitioner": Partitioner, Configuration, "sending", "ORD-8, ORD-L5", "partitioner";
    ACKS "acks": Acks, Configuration, "sending", "PROD-1", "acks";
    IDEMPOTENCE "idempotence": bool, Configuration, "sending", "PROD-2", "as set by somebody; unset: the client decides";
    MAX_IN_FLIGHT "max_in_flight": u64, Configuration, "sending", "PROD-2, ORD-1", "max in flight" => AtLeast(1);
    RETRIES "retries": u64, Configuration, "sending", "PROD-2", "retries";
    DELIVERY_TIMEOUT "delivery_timeout": Limit<Duration>, Configuration, "sending", "D1 horizon", "delivery timeout";
    LINGER "linger": Duration, Configuration, "sending", "LAT-E1", "linger";
    BATCH_SIZE "batch_size": Size, Configuration, "sending", "recorded", "batch size";
    COMPRESSION "compression": Compression, Configuration, "sending", "PROD-1d", "compression";
    MAX_REQUEST_SIZE "max_request_size": Size, Configuration, "sending", "PROD-1d", "max request size";
    TRANSACTIONAL_ID "transactional_id": Text, Configuration, "transactions and closing", "FLK-02, PROD-4", "id or prefix";
    TRANSACTION_TIMEOUT "transaction_timeout": Duration, Configuration, "transactions and closing", "FLK-TXN", "transaction timeout";
    ON_SEND_FAILURE "on_send_failure": OnSendFailure, Configuration, "transactions and closing", "PROD-1c", "on send failure";
    FLUSH_ON_CLOSE "flush_on_close": bool, Configuration, "transactions and closing", "DEL-10", "flush on close";
} }

fields! { store Store {
    WRITE_MODE "write_mode": WriteMode, Configuration, "what a write does", "MECH-1, LATE-5", "write mode";
    ON_CONFLICT "on_conflict": OnConflict, Configuration, "what a write does", "MECH-1, REP-4", "insert_if_absent meets an equal key";
    BUFFER_SIZE "buffer_size": Size, Configuration, "what a write does", "MEM-1", "per partition";
    POSITION_GUARD "position_guard": PositionGuard, Configuration, "what a write does", "C-19", "position guard";
    BATCH_GUARD_PAIRED "batch_guard_paired": bool, Configuration, "what a write does", "C-17, SPK-L4", "checkpoint and batch id stay together";
    VERSION_GUARD "version_guard": Columns, Configuration, "what a write does", "ORD-9, C-05", "[] = none; @offset = by offset";
    DELETES "deletes": Deletes, Configuration, "what a write does", "CDC", "deletes";
    CLIENT_RETRIES "client_retries": u64, Configuration, "what a write does", "C-12", "of the HTTP or database client";
    ROTATION "rotation": Rotation, Configuration, "cadence and files", "A6 S3", "rotation";
    FLUSH_INTERVAL "flush_interval": Duration, Configuration, "cadence and files", "LAT-E1, cadence", "flush interval";
    FLUSH_RECORDS "flush_records": u64, Configuration, "cadence and files", "LAT-E1", "flush records";
} }

fields! { flow Flow {
    DISTRIBUTION "distribution": Distribution, Configuration, "distribution", "ORD-4, WM-4", "distribution";
    KEY "key": Columns, Configuration, "distribution", "ORD-4", "key";
} }

fields! { serve Serve {
    REFRESH_INTERVAL "refresh_interval": Duration, Configuration, "reading", "LAT-E1", "refresh interval";
    READ_MODE "read_mode": ReadMode, Configuration, "reading", "catalogue 54", "FINAL, newest per key";
} }

fields! { reconcile Reconcile {
    MEASURE "measure": Text, Need, "comparison", "REC-1", "measure";
    GRAIN "grain": Text, Need, "comparison", "REC-1", "grain";
    CUT_OFF "cut_off": Duration, Need, "comparison", "REC-2", "after the end of the bucket";
    TIME_ZONE "time_zone": Text, Need, "comparison", "REC-4", "time zone";
    TOLERANCE "tolerance": Ratio, Need, "comparison", "REC-3", "tolerance";
    TOLERANCE_BASIS "tolerance_basis": Text, Need, "comparison", "REC-3", "tolerance basis";
    DIVERGENCE "divergence": Shares, Measurement, "comparison", "REC-3", "divergence";
    CONTROL_TOTAL "control_total": Text, Measurement, "comparison", "REC-6, E7-5", "control total";
    RESULT "result": ReconciliationResult, Measurement, "comparison", "REC-1, REC-5", "result";
    STREAM_VALUE "stream_value": f64, Measurement, "comparison", "REC-5", "stream value";
    BATCH_VALUE "batch_value": f64, Measurement, "comparison", "REC-5", "batch value";
    RESULT_AT "result_at": Date, Measurement, "comparison", "REC-1", "result at";
} }
