//! Sources.

fields! { source Source {
    CLIENT "client": Client, Configuration, "client, traffic", "PROD-6, ORD-8", "where the source writes itself";
    CLIENT_VERSION "client_version": Text, Configuration, "client, traffic", "PROD-2", "client version";
    RATE "rate": Measured<Rate>, Measurement, "client, traffic", "B3, D2, F", "rate";
    INSTANCES "instances": u64, Configuration, "client, traffic", "ORD-2", "writers that may write the same key";
    LOG_REACH "log_reach": Limit<Duration>, Configuration, "reading it again", "SRC-1..4, RET-12", "how far back the source can be read again by time; none: not at all";
    LOG_REACH_SIZE "log_reach_size": Limit<Size>, Configuration, "reading it again", "SRC-1", "log reach size";
    LOG_RATE "log_rate": Measured<ByteRate>, Measurement, "reading it again", "SRC-1", "write-ahead log bytes";
    POSITION_SURVIVES_FAILOVER "position_survives_failover": bool, Configuration, "reading it again", "catalogue 18, C-20", "slot.failover, GTID, kept oplog";
    LONGEST_TRANSACTION "longest_transaction": Duration, Measurement, "reading it again", "catalogue 20", "a poll must look back further";
    RESNAPSHOT "resnapshot": bool, Configuration, "reading it again", "SRC-5", "current state can be delivered again";
    LATENESS "lateness": Measured<Duration>, Measurement, "reading it again", "LATE-1", "lateness";
    LONGEST_SILENCE "longest_silence": Measured<Limit<Duration>>, Measurement, "reading it again", "TIM-08, RET-12", "longest silence";
    DOMINANT_KEY_SHARE "dominant_key_share": Ratio, Measurement, "reading it again", "SKEW", "dominant key share";
    KEY_CARDINALITY "key_cardinality": u64, Measurement, "reading it again", "SKEW-4", "key cardinality";
    BUFFER_TIME "buffer_time": Duration, Configuration, "reading it again", "catalogue 43", "what a device keeps while offline";
    VERSION "version": Text, Configuration, "product", "catalogue", "version of the product";
} }
