//! What the catalogue says that a command of an engine tells of, against what the import reads out of it; each key alone.

use super::support::{day, pasted};
use pipeline_desk::{
    catalog,
    import::{self, Proposal},
    model::{Design, Field, Group, Value},
};

/// One connector of each kind, as `GET /connectors/NAME/config` prints it.
const CONNECTORS: [(&str, &str); 8] = [
    (
        "cdc",
        r#"{"connector.class":"io.debezium.connector.postgresql.PostgresConnector","tasks.max":"1","topic.prefix":"shop","table.include.list":"public.orders","snapshot.mode":"when_needed","offset.mismatch.strategy":"trust_slot","heartbeat.interval.ms":"10000","skipped.operations":"t,d","exactly.once.support":"required","errors.tolerance":"none","errors.retry.timeout":"-1","producer.override.acks":"all","producer.override.enable.idempotence":"true","producer.override.max.in.flight.requests.per.connection":"1","producer.override.delivery.timeout.ms":"2147483647","producer.override.linger.ms":"5","producer.override.max.request.size":"1048576","producer.override.transaction.timeout.ms":"900000","name":"cdc"}"#,
    ),
    (
        "cdc-oracle",
        r#"{"connector.class":"io.debezium.connector.oracle.OracleConnector","topic.prefix":"ora","table.include.list":"A.B","log.mining.transaction.retention.ms":"0","name":"cdc-oracle"}"#,
    ),
    (
        "polled",
        r#"{"connector.class":"io.confluent.connect.jdbc.JdbcSourceConnector","connection.url":"jdbc:mysql://db:3306/shop","mode":"timestamp","table.whitelist":"orders","topic.prefix":"my-","poll.interval.ms":"5000","timestamp.delay.interval.ms":"60000","name":"polled"}"#,
    ),
    (
        "rows",
        r#"{"connector.class":"io.confluent.connect.jdbc.JdbcSinkConnector","topics":"orders","connection.url":"jdbc:postgresql://db/shop","insert.mode":"upsert","pk.mode":"kafka","delete.enabled":"false","max.retries":"10","consumer.override.isolation.level":"read_committed","consumer.override.max.poll.records":"100","name":"rows"}"#,
    ),
    (
        "documents",
        r#"{"connector.class":"io.confluent.connect.elasticsearch.ElasticsearchSinkConnector","topics":"orders","connection.url":"http://es:9200","key.ignore":"false","write.method":"INSERT","name":"documents"}"#,
    ),
    (
        "files",
        r#"{"connector.class":"io.confluent.connect.s3.S3SinkConnector","topics":"orders","s3.bucket.name":"raw","flush.size":"1000","rotate.schedule.interval.ms":"60000","name":"files"}"#,
    ),
    (
        "tables",
        r#"{"connector.class":"org.apache.iceberg.connect.IcebergSinkConnector","topics":"orders","iceberg.tables":"db.orders","iceberg.control.commit.interval-ms":"300000","name":"tables"}"#,
    ),
    (
        "rows-streamed",
        r#"{"connector.class":"com.snowflake.kafka.connector.SnowflakeSinkConnector","topics":"orders","snowflake.ingestion.method":"SNOWPIPE_STREAMING","buffer.flush.time":"10","buffer.count.records":"10000","buffer.size.bytes":"20000000","name":"rows-streamed"}"#,
    ),
];

/// What each command prints, by the end of the command.
const PRINTED: [(&str, &str); 11] = [
    (
        "<log of a Connect worker>",
        "[2026-11-30 10:00:00,123] INFO DistributedConfig values: \n\taccess.control.allow.methods = \n\texactly.once.source.support = disabled\n\tgroup.id = connect-a\n\toffset.flush.interval.ms = 60000\n\toffset.storage.topic = connect-offsets\n\tscheduled.rebalance.max.delay.ms = 300000\n",
    ),
    (
        "/status  (version, printed by Kafka 4.1 and later)",
        r#"{"name":"cdc","connector":{"state":"RUNNING","worker_id":"10.0.0.1:8083","version":"3.3.1.Final"},"tasks":[{"id":0,"state":"RUNNING","worker_id":"10.0.0.1:8083"}],"type":"source"}"#,
    ),
    (":8083/", r#"{"version":"4.1.0","commit":"13f7025","kafka_cluster_id":"I4ZmrWqfT2e-upky_4fdPA"}"#),
    (
        "/checkpoints/config",
        r#"{"mode":"exactly_once","interval":60000,"timeout":600000,"min_pause":5000,"max_concurrent":1,"externalization":{"enabled":false,"delete_on_cancellation":true},"state_backend":"HashMapStateBackend","checkpoint_storage":"JobManagerCheckpointStorage","unaligned_checkpoints":true,"tolerable_failed_checkpoints":0,"aligned_checkpoint_timeout":0,"checkpoints_after_tasks_finish":true}"#,
    ),
    (
        "/checkpoints",
        r#"{"counts":{"restored":0,"total":1,"in_progress":0,"completed":1,"failed":0},"summary":{"state_size":{"min":9,"max":9,"avg":9}},"latest":{"completed":{"@class":"completed","id":1,"status":"COMPLETED","checkpointed_size":9,"state_size":90,"end_to_end_duration":21},"savepoint":null,"failed":null,"restored":null},"history":[]}"#,
    ),
    (
        "/jobmanager/config",
        r#"[{"key":"execution.checkpointing.incremental","value":"true"},{"key":"execution.checkpointing.externalized-checkpoint-retention","value":"DELETE_ON_CANCELLATION"},{"key":"heartbeat.timeout","value":"50 s"},{"key":"state.backend.local-recovery","value":"false"},{"key":"taskmanager.memory.process.size","value":"1728m"},{"key":"s3.secret-key","value":"******"}]"#,
    ),
    (
        "/jobs/1f2e",
        r#"{"jid":"1f2e","name":"revenue","state":"RUNNING","vertices":[{"id":"a","name":"s","maxParallelism":128,"parallelism":2,"status":"RUNNING"}]}"#,
    ),
    (
        "/overview",
        r#"{"taskmanagers":1,"slots-total":4,"slots-available":2,"jobs-running":1,"jobs-finished":0,"jobs-cancelled":0,"jobs-failed":0,"flink-version":"2.1.0","flink-commit":"x"}"#,
    ),
    ("connectors/{name}/config", ""),
    (
        "query.lastProgress  (inputRowsPerSecond, processedRowsPerSecond, stateOperators)",
        "{'id': 'x', 'runId': 'y', 'name': 'q', 'numInputRows': 9, 'inputRowsPerSecond': 10.0, 'processedRowsPerSecond': 7.5, 'durationMs': {'triggerExecution': 1200}, 'stateOperators': [{'numRowsTotal': 4, 'memoryUsedBytes': 512}], 'sources': [{'description': 'KafkaV2[Subscribe[orders]]', 'endOffset': {'orders': {'0': 5}}, 'latestOffset': {'orders': {'0': 9}}, 'numInputRows': 9}], 'sink': {'description': 'x', 'numOutputRows': -1}}",
    ),
    (
        "query.recentProgress  (durationMs.triggerExecution of each batch: the largest)",
        "[{'id': 'x', 'runId': 'y', 'name': None, 'isDataAvailable': True, 'durationMs': {'triggerExecution': 1200}}, {'id': 'x', 'runId': 'y', 'name': None, 'durationMs': {'triggerExecution': 300}}]",
    ),
];

/// What a command is said to tell and the import does not read, with the reason.
const NOT_READ: [(&str, &str); 1] =
    [("read.time_per_record", "a metric of a running worker, read by tools of many kinds")];

/// All that is read of a text, in an empty design: who is asked for a name gives one.
fn proposed(text: &str) -> Proposal {
    let mut reading = import::read(&[pasted(text)]);
    for section in 0..reading.sections.len() {
        reading.name(section, "thing");
    }
    let proposal = import::propose(&reading, &Design::default(), day("2026-12-01"));
    assert_eq!(proposal.summary().not_understood, 0, "{text}: {:?}", proposal.lines);
    proposal
}

fn value(proposal: &Proposal, field: Field) -> Option<Value> {
    proposal.facts.iter().find(|fact| fact.field == field)?.read_as.clone().filter(|value| *value != Value::Unset)
}

/// What a command of an engine is shown for is read from what it prints below it.
#[test]
fn commands_tell_what_they_are_shown_for() {
    let mut not_read = Vec::new();
    for id in ["kafka_connect", "flink", "spark"] {
        for command in catalog::entry(id).unwrap().commands {
            let text = command.text.replace("<job id of {name}>", "1f2e");
            let printed = PRINTED.iter().find(|(end, _)| text.ends_with(end));
            let proposals: Vec<Proposal> = match printed {
                Some((end, _)) if end.contains("{name}") => CONNECTORS
                    .iter()
                    .map(|(name, config)| proposed(&format!("$ {}\n{config}\n", text.replace("{name}", name))))
                    .collect(),
                // The worker's interval is one of its jobs, so one of them is read beside it.
                Some((_, printed)) if text.starts_with("grep") => {
                    vec![proposed(&format!("{}\n$ {text}\n{printed}", CONNECTORS[0].1))]
                }
                Some((_, printed)) => vec![proposed(&format!("$ {}\n{printed}\n", text.replace("{name}", "cdc")))],
                None => Vec::new(),
            };
            let read = |field: &&Field| !proposals.iter().any(|proposal| value(proposal, **field).is_some());
            not_read.extend(command.reads.iter().filter(read).map(|field| field.qualified()));
        }
    }
    assert_eq!(not_read, NOT_READ.map(|(field, _)| field.to_owned()));
}

/// Group, field, class of the connector, key, a value it can have, and what that is here.
const CONNECT: &[(Group, &str, &str, &str, &str, &str)] = &[
    (Group::Job, "parallelism", "x.FooSink", "tasks.max", "3", "3"),
    (Group::Job, "on_error", "x.FooSink", "errors.tolerance", "all", "skip"),
    (Group::Job, "error_retry_time", "x.FooSink", "errors.retry.timeout", "600000", "10min"),
    (Group::Job, "processing_guarantee", "x.FooSource", "exactly.once.support", "required", "exactly_once"),
    (Group::Job, "session_timeout", "x.FooSink", "consumer.override.session.timeout.ms", "45000", "45s"),
    (Group::Read, "group", "x.FooSink", "consumer.override.group.id", "mine", "mine"),
    (
        Group::Read,
        "isolation",
        "x.FooSink",
        "consumer.override.isolation.level",
        "read_uncommitted",
        "read_uncommitted",
    ),
    (Group::Read, "offset_reset", "x.FooSink", "consumer.override.auto.offset.reset", "latest", "latest"),
    (Group::Read, "fetch_max", "x.FooSink", "consumer.override.fetch.max.bytes", "1048576", "1MiB"),
    (Group::Produce, "compression", "x.FooSource", "producer.override.compression.type", "lz4", "lz4"),
    (
        Group::Produce,
        "partitioner",
        "x.FooSource",
        "producer.override.partitioner.class",
        "org.apache.kafka.clients.producer.RoundRobinPartitioner",
        "round_robin",
    ),
    (Group::Take, "snapshot", "io.debezium.connector.mysql.MySqlConnector", "snapshot.mode", "schema_only", "none"),
    (Group::Take, "snapshot", "io.debezium.connector.mysql.MySqlConnector", "snapshot.mode", "no_data", "none"),
    (Group::Take, "snapshot", "io.debezium.connector.mysql.MySqlConnector", "snapshot.mode", "always", "repeated"),
    (Group::Take, "heartbeat", "io.debezium.connector.mysql.MySqlConnector", "heartbeat.interval.ms", "0", "none"),
    (Group::Take, "capture", "x.JdbcSourceConnector", "mode", "timestamp+incrementing", "poll_timestamp"),
    (Group::Take, "capture", "x.JdbcSourceConnector", "mode", "incrementing", "poll_sequence"),
    (Group::Take, "capture", "x.JdbcSourceConnector", "mode", "bulk", "poll_table"),
    (Group::Store, "write_mode", "x.JdbcSinkConnector", "insert.mode", "insert", "append"),
    (Group::Store, "write_mode", "x.JdbcSinkConnector", "insert.mode", "update", "patch"),
    (Group::Write, "key", "x.JdbcSinkConnector", "pk.mode", "none", "none"),
    (Group::Write, "key", "x.JdbcSinkConnector", "pk.mode", "kafka", "@coordinates"),
    (Group::Write, "key", "x.JdbcSinkConnector", "pk.mode", "record_key", "@record_key"),
    (
        Group::Write,
        "key",
        "io.debezium.connector.jdbc.JdbcSinkConnector",
        "primary.key.mode",
        "record_key",
        "@record_key",
    ),
    (Group::Write, "key", "x.ElasticsearchSinkConnector", "key.ignore", "true", "@coordinates"),
    (Group::Store, "write_mode", "x.ElasticsearchSinkConnector", "write.method", "UPSERT", "patch"),
    (Group::Store, "deletes", "x.ElasticsearchSinkConnector", "behavior.on.null.values", "IGNORE", "ignored"),
    (
        Group::Store,
        "write_mode",
        "io.tabular.iceberg.connect.IcebergSinkConnector",
        "iceberg.tables.upsert-mode-enabled",
        "true",
        "upsert",
    ),
    (
        Group::Write,
        "key",
        "io.tabular.iceberg.connect.IcebergSinkConnector",
        "iceberg.tables.default-id-columns",
        "id, region",
        "(id, region)",
    ),
    (
        Group::Write,
        "output_commit",
        "com.snowflake.kafka.connector.SnowflakeSinkConnector",
        "snowflake.ingestion.method",
        "SNOWPIPE",
        "none",
    ),
    (
        Group::Write,
        "key",
        "com.mongodb.kafka.connect.MongoSinkConnector",
        "document.id.strategy",
        "com.mongodb.kafka.connect.sink.processor.id.strategy.ProvidedInKeyStrategy",
        "@record_key",
    ),
    (
        Group::Store,
        "deletes",
        "com.mongodb.kafka.connect.MongoSinkConnector",
        "delete.on.null.values",
        "true",
        "applied",
    ),
    (Group::Store, "client_retries", "com.mongodb.kafka.connect.MongoSinkConnector", "max.num.retries", "3", "3"),
    (
        Group::Store,
        "write_mode",
        "com.wepay.kafka.connect.bigquery.BigQuerySinkConnector",
        "upsertEnabled",
        "true",
        "upsert",
    ),
    (
        Group::Write,
        "output_commit",
        "com.clickhouse.kafka.connect.ClickHouseSinkConnector",
        "exactlyOnce",
        "true",
        "with_position",
    ),
    (Group::Store, "client_retries", "io.confluent.connect.http.HttpSinkConnector", "max.retries", "10", "10"),
];

#[test]
fn each_key_of_a_connector_fills_its_field() {
    for (group, name, class, key, text, told) in CONNECT {
        let field = group.field(name).unwrap();
        let more =
            if key.starts_with("producer") { "table.include.list=t\ntopic.prefix=p\n" } else { "topics=orders\n" };
        let proposal = proposed(&format!("name=x\nconnector.class={class}\n{more}{key}={text}\n"));
        assert_eq!(
            value(&proposal, field).map(|value| value.to_string()).as_deref(),
            Some(*told),
            "{class} {key}={text}"
        );
        // A value that it cannot have is told once, and is no fact.
        let proposal = proposed(&format!("name=x\nconnector.class={class}\n{more}{key}=12 eggs\n"));
        let free =
            ["group.id", "default-id-columns"].iter().any(|end| key.ends_with(end)) || *key == "errors.tolerance";
        let said = proposal.remarks.iter().filter(|remark| remark.text.contains(*key)).count();
        assert!(free || said == 1, "{key}: {:?}", proposal.remarks);
    }
}

/// Key and value of Flink's configuration, in the spellings of 1.x and 2.x, and what that is here.
const FLINK: &[(&str, &str, &str, &str)] = &[
    ("checkpoint_interval", "execution.checkpointing.interval", "3 min", "3min"),
    ("processing_guarantee", "execution.checkpointing.mode", "AT_LEAST_ONCE", "at_least_once"),
    ("processing_guarantee", "execution.checkpointing.interval", "0", "none"),
    ("checkpoint_timeout", "execution.checkpointing.timeout", "600000", "10min"),
    ("checkpoint_min_pause", "execution.checkpointing.min-pause", "PT30S", "30s"),
    ("tolerable_failed_checkpoints", "execution.checkpointing.tolerable-failed-checkpoints", "2", "2"),
    ("checkpoint_unaligned", "execution.checkpointing.unaligned", "true", "yes"),
    ("checkpoint_unaligned", "execution.checkpointing.unaligned.enabled", "false", "no"),
    ("checkpoint_incremental", "execution.checkpointing.incremental", "true", "yes"),
    ("checkpoint_incremental", "state.backend.incremental", "true", "yes"),
    ("checkpoint_storage", "execution.checkpointing.storage", "jobmanager", "coordinator_memory"),
    ("checkpoint_storage", "state.checkpoints.dir", "hdfs:///flink", "durable"),
    ("checkpoint_storage", "execution.checkpointing.dir", "s3://bucket/flink", "durable"),
    (
        "checkpoints_retained",
        "execution.checkpointing.externalized-checkpoint-retention",
        "NO_EXTERNALIZED_CHECKPOINTS",
        "0",
    ),
    ("local_recovery", "execution.checkpointing.local-backup.enabled", "true", "yes"),
    ("state_backend", "state.backend.type", "rocksdb", "rocksdb"),
    ("state_backend", "state.backend", "hashmap", "heap"),
    ("state_backend", "state.backend.type", "forst", "remote"),
    ("parallelism", "parallelism.default", "4", "4"),
    ("max_parallelism", "pipeline.max-parallelism", "256", "256"),
    ("detection_time", "heartbeat.timeout", "50000", "50s"),
    ("memory", "taskmanager.memory.process.size", "4 gb", "4GiB"),
];

#[test]
fn each_key_of_flink_fills_its_field_flat_and_nested() {
    for (name, key, text, told) in FLINK {
        let field = Group::Job.field(name).unwrap();
        let parts: Vec<&str> = key.split('.').collect();
        let nested: String = parts
            .iter()
            .enumerate()
            .map(|(i, part)| {
                format!(
                    "{}{part}:{}\n",
                    "  ".repeat(i),
                    if i + 1 == parts.len() { format!(" {text}") } else { String::new() }
                )
            })
            .collect();
        for of in [format!("{key}: {text}\n"), nested] {
            let proposal = proposed(&format!("pipeline.name: x\n{of}"));
            assert_eq!(value(&proposal, field).map(|value| value.to_string()).as_deref(), Some(*told), "{of}");
        }
    }
    // What says nothing fills nothing: an address on one machine, a limit that the engine works out.
    let nothing = proposed("pipeline.name: x\npipeline.max-parallelism: -1\nstate.checkpoints.dir: file:///tmp\n");
    assert!(nothing.facts.is_empty(), "{:?}", nothing.facts);
    assert!(nothing.remarks.iter().any(|remark| remark.text.contains("outlives")), "{:?}", nothing.remarks);
}
