//! What engines print of their jobs, and the files that set them up: connectors, Flink jobs, queries; Redpanda's properties.

use super::support::{accept, day, facts, file, pasted, read, states};
use pipeline_desk::{
    codec,
    edit::{Edit, Label},
    import::{self, Choices, FactState, LineState, Presence, Proposal, SubjectRole},
    model::{Design, ElementKind, Id, Lifecycle, Port},
};

fn proposed(name: &str) -> Proposal {
    import::propose(&read(name), &Design::default(), day("2026-12-01"))
}

fn of_text(design: &Design, text: &str) -> Proposal {
    import::propose(&import::read(&[pasted(text)]), design, day("2026-12-01"))
}

/// `title role`
fn subjects(proposal: &Proposal) -> Vec<String> {
    proposal.subjects.iter().map(|subject| format!("{} {:?}", subject.title, subject.role)).collect()
}

fn remarks(proposal: &Proposal) -> Vec<String> {
    let of_lines = proposal.lines.iter().filter_map(|line| Some((line.at, line.remark.clone()?)));
    let all = of_lines.chain(proposal.remarks.iter().map(|remark| (remark.at, remark.text.clone())));
    all.map(|(at, text)| format!("{} {text}", at.number)).collect()
}

/// Connectors as `expand=info&expand=status` prints them in one line, the next prompt behind it.
#[test]
fn sinks_of_kafka_connect() {
    let proposal = proposed("connect-sinks.txt");
    assert_eq!(
        subjects(&proposal),
        [
            "kafka Cluster",
            "orders Channel",
            "orders_dlq Channel",
            "payments Channel",
            "orders-jdbc Job",
            "copy Operator",
            "orders → orders-jdbc Read",
            "payments → orders-jdbc Read",
            "orders-jdbc → orders_dlq Write",
            "shop Sink",
            "orders-jdbc → shop Write",
            "orders-search Job",
            "copy Operator",
            "orders → orders-search Read",
            "orders-search elasticsearch Sink",
            "orders-search → orders-search elasticsearch Write",
        ]
    );
    assert_eq!(
        facts(&proposal),
        [
            "orders-jdbc on_error = dead_letter (2)",
            "orders-jdbc parallelism = 2 (2)",
            "orders-jdbc client_version = 10.7.6 (2)",
            "orders-jdbc error_retry_time = unset (2)",
            "orders → orders-jdbc isolation = read_committed (2)",
            "orders → orders-jdbc max_poll_records = 200 (2)",
            "orders → orders-jdbc group = connect-orders-jdbc (2)",
            "payments → orders-jdbc isolation = read_committed (2)",
            "payments → orders-jdbc max_poll_records = 200 (2)",
            "payments → orders-jdbc group = connect-orders-jdbc (2)",
            "orders-jdbc → shop key = (store, order_id) (2)",
            "orders-jdbc → shop write_mode = upsert (2)",
            "orders-jdbc → shop deletes = applied (2)",
            "orders-jdbc → shop client_retries = 5 (2)",
            "orders-search parallelism = unset (2)",
            "orders-search on_error = unset (2)",
            "orders-search error_retry_time = unset (2)",
            "orders → orders-search group = connect-orders-search (2)",
            "orders-search → orders-search elasticsearch key = @record_key (2)",
            "orders-search → orders-search elasticsearch write_mode = upsert (2)",
            "orders-search → orders-search elasticsearch deletes = applied (2)",
            "orders-search → orders-search elasticsearch version_guard = @offset (2)",
        ]
    );
    assert_eq!(remarks(&proposal), ["2 a task of orders-jdbc is FAILED: what it is set to does not run"]);
    let odd: Vec<_> = states(&read("connect-sinks.txt")).into_iter().filter(|state| state.contains('?')).collect();
    assert_eq!(odd, ["3 ? the server answered with an error: Connector lost not found"]);
    let systems: Vec<_> = (proposal.subjects.iter())
        .filter_map(|subject| match &subject.presence {
            Presence::New(new) if subject.role == SubjectRole::Sink => new.system.clone(),
            _ => None,
        })
        .collect();
    assert_eq!(systems.iter().map(|s| &**s).collect::<Vec<_>>(), ["postgres", "elasticsearch"]);
    let dead = proposal
        .subjects
        .iter()
        .find(|subject| subject.title.ends_with("orders_dlq") && subject.role == SubjectRole::Write);
    assert!(
        matches!(&dead.unwrap().presence, Presence::New(new) if new.as_link().unwrap().port == Some(Port::DeadLetter))
    );
}

/// A hand-written configuration with a broken line, a comma too few and one too many, a log line in between; its worker's log.
#[test]
fn a_source_of_kafka_connect_with_its_worker() {
    let proposal = proposed("connect-sources.txt");
    assert_eq!(
        facts(&proposal),
        [
            "connect-a exactly_once_source = enabled (37)",
            "connect-a rebalance_delay = 5min (41)",
            "shop-cdc processing_guarantee = exactly_once (19)",
            "shop-cdc on_error = skip (30)",
            "shop-cdc parallelism = unset (6)",
            "shop-cdc error_retry_time = unset (6)",
            "shop-cdc commit_interval = 1min (39)",
            "shop-cdc → orders acks = all (21)",
            "shop-cdc → orders idempotence = no (22)",
            "shop-cdc → stores acks = all (21)",
            "shop-cdc → stores idempotence = no (22)",
            "shop position_survives_failover = yes (16)",
            "shop → shop-cdc captures_deletes = no (24)",
            "shop → shop-cdc snapshot = initial (14)",
            "shop → shop-cdc heartbeat = none (17)",
            "shop → shop-cdc offset_mismatch = trust_offset (18)",
            "shop → shop-cdc capture = change_log (7)",
        ]
    );
    assert_eq!(
        remarks(&proposal),
        [
            "10 a comma is missing at the end of this line; it was read as if it stood there",
            "23 shop-cdc: producer.override.linger.ms: \"soon\" is no value that linger can hold; not used",
        ]
    );
    assert_eq!(proposal.summary().not_understood, 0, "{:?}", states(&read("connect-sources.txt")));
    let mut design = Design::default();
    design.apply(proposal.edit(&Choices::default())).unwrap();
    let job = &design.elements[&Id::new("shop_cdc").unwrap()];
    assert_eq!(
        (job.system.as_deref(), job.cluster.as_ref().map(Id::as_str)),
        (Some("kafka_connect"), Some("connect_a"))
    );
    let raw: Vec<_> = job.raw.values().flat_map(|keys| keys.keys()).map(|key| key.to_string()).collect();
    assert_eq!(raw, ["connector.class", "transforms.route.type", "transforms.unwrap.type"]);
    assert_eq!(design.elements[&Id::new("shop").unwrap()].system.as_deref(), Some("postgres"));
}

#[test]
fn files_that_a_clock_closes() {
    let told = facts(&proposed("connect-files.properties"));
    assert_eq!(
        told[4..],
        [
            "lake → lake-raw rotation = by_clock (8)",
            "lake → lake-raw flush_interval = 10min (8)",
            "lake → lake-raw flush_records = 1000 (7)",
            "lake → lake-raw write_mode = file_commit (3)",
            "lake → lake-raw key = @coordinates (3)",
        ]
    );
    // Nothing says that no clock closes them: not set is what was read.
    let text = file("connect-files.properties").text.replace("rotate.schedule.interval.ms=600000\n", "");
    let told = facts(&of_text(&Design::default(), &text));
    assert!(told.contains(&"lake → lake-raw rotation = unset (2)".to_owned()), "{told:?}");
    let by_record = text.replace("flush.size=1000", "flush.size=1000\nrotate.schedule.interval.ms=-1");
    let told = facts(&of_text(&Design::default(), &by_record));
    assert!(told.contains(&"lake → lake-raw rotation = by_record (8)".to_owned()), "{told:?}");
    let wallclock = text.replace(
        "partitioner.DefaultPartitioner",
        "partitioner.TimeBasedPartitioner\ntimestamp.extractor=Wallclock\nrotate.interval.ms=60000",
    );
    let told = facts(&of_text(&Design::default(), &wallclock));
    assert!(told.contains(&"lake → lake-raw rotation = by_clock (9)".to_owned()), "{told:?}");
    assert!(told.contains(&"lake → lake-raw flush_interval = 1min (10)".to_owned()), "{told:?}");
}

/// The addresses above the outputs name the job by its number, and the list of jobs says its name.
#[test]
fn a_job_of_flink() {
    let proposal = proposed("flink-rest.txt");
    assert_eq!(
        facts(&proposal),
        [
            "flink slots = 12 (10)",
            "flink version = 1.20.1 (10)",
            "revenue checkpoint_storage = durable (6)",
            "revenue checkpoints_retained = 0 (6)",
            "revenue checkpoint_duration = mean 1s, min 900ms, max 3s, p50 950ms, p95 2500ms, p99 3s (8)",
            "revenue checkpoint_size = mean 2KiB, min 1KiB, max 4KiB, p50 2KiB, p95 4kB, p99 4KiB (8)",
            "revenue state_size = 4MiB (8)",
            "revenue processing_guarantee = exactly_once (6)",
            "revenue checkpoint_interval = 1min (6)",
            "revenue checkpoint_timeout = 10min (6)",
            "revenue checkpoint_min_pause = 0s (6)",
            "revenue checkpoint_unaligned = no (6)",
            "revenue tolerable_failed_checkpoints = 3 (6)",
            "revenue state_backend = rocksdb (6)",
            "revenue parallelism = 12 (4)",
            "revenue max_parallelism = 128 (4)",
        ]
    );
    // The job that nobody names is asked for, and the one that has ended is left alone.
    assert_eq!(proposal.asks.len(), 1);
    assert_eq!(remarks(&proposal), ["2 it has ended, so it is not taken over", "12 without checkpoints"]);
    let mut named = read("flink-rest.txt");
    assert!(named.name(proposal.asks[0].section, "audit"));
    let proposal = import::propose(&named, &Design::default(), day("2026-12-01"));
    assert!(facts(&proposal).contains(&"audit processing_guarantee = none (12)".to_owned()), "{:?}", facts(&proposal));
}

#[test]
fn a_configuration_of_flink() {
    let proposal = proposed("flink-conf.yaml");
    assert_eq!(
        facts(&proposal),
        [
            "revenue checkpoint_storage = durable (17)",
            "revenue checkpoints_retained = 2 (19)",
            "revenue checkpoint_interval = 1min (10)",
            "revenue processing_guarantee = exactly_once (11)",
            "revenue checkpoint_timeout = 10min (12)",
            "revenue checkpoint_min_pause = 30s (13)",
            "revenue checkpoint_unaligned = yes (15)",
            "revenue checkpoint_incremental = yes (23)",
            "revenue state_backend = rocksdb (22)",
            "revenue parallelism = 12 (7)",
            "revenue detection_time = 50s (24)",
            "revenue memory = 4GiB (5)",
        ]
    );
    let said = remarks(&proposal);
    assert!(
        said[0].starts_with("16 revenue: execution.checkpointing.tolerable-failed-checkpoints: \"many\""),
        "{said:?}"
    );
    assert!(said[1].starts_with("25 revenue: table.exec.state.ttl is 1d"), "{said:?}");
    // Where one step keeps state, it is that one.
    let design = codec::decode(include_str!("../../src/catalog/examples/checkout_revenue.json")).unwrap();
    let one = of_text(&design, "pipeline.name: rev_jdbc2\ntable.exec.state.ttl: 0\n");
    assert!(one.remarks.iter().any(|remark| remark.text.contains("is unlimited")), "{:?}", one.remarks);
}

/// What names no job is the only one of its kind, and is asked for where there are several or none.
#[test]
fn a_text_that_names_no_job() {
    let text = "execution.checkpointing.interval: 0\nstate.backend: hashmap\n";
    let none = of_text(&Design::default(), text);
    assert_eq!((none.asks.len(), none.subjects.len()), (1, 0));
    let mut design = Design::default();
    accept(&mut design, &[pasted("pipeline.name: revenue\nparallelism.default: 2\n")], "2026-12-01");
    let one = of_text(&design, text);
    assert_eq!(
        facts(&one),
        ["revenue processing_guarantee = none (1)", "revenue state_backend = heap (2)"].map(|f| f.to_owned())
    );
    assert!(one.remarks[0].text.contains("the only one of its kind"), "{:?}", one.remarks);
    accept(&mut design, &[pasted("pipeline.name: other\nparallelism.default: 2\n")], "2026-12-01");
    assert_eq!(of_text(&design, text).asks.len(), 1);
}

#[test]
fn a_query_of_spark() {
    let proposal = proposed("spark-progress.txt");
    assert_eq!(
        facts(&proposal),
        [
            "orders_agg state_backend = rocksdb (32)",
            "orders_agg max_parallelism = 64 (33)",
            "orders_agg watermark_merge = max (34)",
            "orders_agg no_data_batches = no (35)",
            "orders_agg memory = 8GiB (36)",
            "orders_agg checkpoint_storage = durable (31)",
            "orders_agg batch_duration = 1200ms (12)",
            "orders_agg state_size = 2MiB (17)",
            "orders_agg capacity = 900/s (9)",
            "orders → orders_agg rate = 1030/s (8)",
            "orders → orders_agg committed_offset = 0 5, 1 6 (22)",
            "orders → orders_agg lag = 0 4, 1 0 (23)",
        ]
    );
    // A query that keeps up does not show what it can do; of several batches in a list the longest counts.
    let one = file("spark-progress.txt").text.replace("900.0", "2000.0");
    assert!(!facts(&of_text(&Design::default(), &one)).iter().any(|fact| fact.contains("capacity")));
    let batch = |ms: u32| format!("{{\"runId\":\"r\",\"name\":\"q\",\"durationMs\":{{\"triggerExecution\":{ms}}}}}");
    let list = of_text(&Design::default(), &format!("[{},{},{}]", batch(7), batch(30), batch(8)));
    assert_eq!(facts(&list), ["q batch_duration = 30ms (1)"]);
}

#[test]
fn properties_of_redpanda() {
    let proposal = proposed("rpk-config.txt");
    assert_eq!(
        facts(&proposal),
        [
            "redpanda partitions = 3 (5)",
            "redpanda replication_factor = 3 (8)",
            "redpanda cleanup_policy = compact_delete (11)",
            "redpanda retention_time = 7d (2)",
            "redpanda max_message_size = 1MiB (14)",
            "redpanda offsets_retention = 7d (13)",
        ]
    );
    let said = remarks(&proposal);
    assert_eq!(said, ["18 the broker needs a restart: it does not run with all of the configuration yet"]);
}

/// No secret of any fixture is shown, kept or stored, nor is the place where one lies.
#[test]
fn secrets_go_nowhere() {
    for name in super::support::FIXTURES.iter().filter(|name| file(name).text.contains("hunter2")) {
        let reading = read(name);
        assert!(reading.lines.iter().all(|line| !line.text.contains("hunter2")), "{name}");
        assert!(reading.secrets().count() > 0, "{name}");
        let mut design = Design::default();
        let proposal = accept(&mut design, &[file(name)], "2026-12-01");
        assert!(!format!("{proposal:?} {:?}", reading.sections).contains("hunter2"), "{name}");
        let text = codec::encode(&design);
        assert!(!text.contains("hunter2") && !text.contains("/opt/secrets"), "{name}: {text}");
    }
}

/// A second import of the same connector changes what changed, takes out what was taken back, and leaves place and plans.
#[test]
fn a_later_reading_of_a_connector() {
    let of = |more: &str| {
        format!(
            "$ curl http://c:8083/connectors/jdbc/config\n{{\n  \"connector.class\": \"io.confluent.connect.jdbc.JdbcSinkConnector\",\n  \"topics\": \"orders\",\n  \"insert.mode\": \"insert\"{more}\n}}\n"
        )
    };
    let mut design = Design::default();
    accept(&mut design, &[pasted(&of(",\n  \"tasks.max\": \"2\",\n  \"max.retries\": 3"))], "2026-12-01");
    let (elements, links) = (design.elements.len(), design.links.len());
    let job = Id::new("jdbc").unwrap();
    assert_eq!(design.lifecycle(&job), Lifecycle::Existing);
    assert_eq!(
        accept(&mut design, &[pasted(&of(",\n  \"tasks.max\": \"2\",\n  \"max.retries\": 3"))], "2026-12-01")
            .edit(&Choices::default()),
        Edit::All(Vec::new())
    );
    let proposal = accept(&mut design, &[pasted(&of(",\n  \"tasks.max\": \"4\""))], "2026-12-03");
    let changed: Vec<String> =
        facts(&proposal).into_iter().filter(|fact| fact.contains('[') && !fact.ends_with("[same]")).collect();
    assert_eq!(changed, ["jdbc parallelism = 4 (6) [update]", "copy → jdbc client_retries = - (2) [gone]"]);
    assert_eq!((design.elements.len(), design.links.len()), (elements, links));
    // A job that was drawn by hand under this name, with its ends: nothing new is drawn.
    let kinds = |kind| design.elements.values().filter(move |subject| subject.kind() == Some(kind)).count();
    assert_eq!((kinds(ElementKind::Job), kinds(ElementKind::Operator), kinds(ElementKind::Sink)), (1, 1, 1));
}

/// The example's connectors by their names: what is drawn is filled, and no box comes.
#[test]
fn connectors_that_are_drawn() {
    let mut design = codec::decode(include_str!("../../src/catalog/examples/checkout_revenue.json")).unwrap();
    let text = "{\"name\":\"rev-jdbc\",\"config\":{\"connector.class\":\"io.confluent.connect.jdbc.JdbcSinkConnector\",\"topics\":\"revenue_5m\",\"tasks.max\":\"6\",\"insert.mode\":\"upsert\",\"pk.mode\":\"record_key\",\"pk.fields\":\"store,window_start\"}}";
    let before = (design.elements.len(), design.links.len());
    let proposal = accept(&mut design, &[pasted(text)], "2026-12-01");
    assert_eq!((design.elements.len(), design.links.len()), before, "{:?}", subjects(&proposal));
    let told = facts(&proposal);
    assert!(told.contains(&"rev-jdbc parallelism = 6 (1) [same]".to_owned()), "{told:?}");
    assert!(told.contains(&"upsert rows → revenue_5m write_mode = upsert (1) [same]".to_owned()), "{told:?}");
}

/// A group that Connect named and its connector are one job, whichever is read first and in one text.
#[test]
fn a_connector_and_its_group() {
    let connector = "{\n\"name\": \"jdbc\",\n\"config\": {\n\"connector.class\": \"x.JdbcSinkConnector\",\n\"topics\": \"orders\"\n}\n}\n";
    let group = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\nconnect-jdbc orders 0 5 7 2 c-1 /10.0.0.1 c\n";
    for texts in [
        vec![format!("{connector}\n{group}")],
        vec![format!("{group}\n{connector}")],
        vec![connector.to_owned(), group.to_owned()],
        vec![group.to_owned(), connector.to_owned()],
    ] {
        let mut design = Design::default();
        for text in &texts {
            accept(&mut design, &[pasted(text)], "2026-12-01");
        }
        let jobs = design.elements.values().filter(|subject| subject.kind() == Some(ElementKind::Job)).count();
        assert_eq!((jobs, design.links.len()), (1, 2), "{texts:?}");
        let lag = design
            .links
            .values()
            .flat_map(|link| link.observed.values())
            .any(|facts| facts.iter().any(|(field, _)| field.name() == "lag"));
        assert!(lag, "{texts:?}");
    }
}

/// A mirror reads in one cluster and writes in another, under the names of its policy.
#[test]
fn a_mirror() {
    let of = |more: &str| {
        format!(
            "name=mm\nconnector.class=org.apache.kafka.connect.mirror.MirrorSourceConnector\nsource.cluster.alias=west\ntarget.cluster.alias=east\ntopics=orders,payments\n{more}"
        )
    };
    let proposal = of_text(&Design::default(), &of(""));
    assert_eq!(
        subjects(&proposal),
        [
            "mm Job",
            "copy Operator",
            "west Cluster",
            "orders Channel",
            "payments Channel",
            "east Cluster",
            "west.orders Channel",
            "west.payments Channel",
            "orders → mm Read",
            "payments → mm Read",
            "mm → west.orders Write",
            "mm → west.payments Write",
        ]
    );
    let same = of_text(
        &Design::default(),
        &of("replication.policy.class=org.apache.kafka.connect.mirror.IdentityReplicationPolicy\n"),
    );
    assert_eq!(subjects(&same).iter().filter(|subject| *subject == "orders Channel").count(), 2);
    let mut design = Design::default();
    accept(&mut design, &[pasted(&of(""))], "2026-12-01");
    assert_eq!(of_text(&design, &of("")).edit(&Choices::default()), Edit::All(Vec::new()));
    let pattern = of_text(&Design::default(), &of("").replace("orders,payments", "orders.*"));
    assert!(pattern.remarks.iter().any(|remark| remark.text.contains("pattern")), "{:?}", pattern.remarks);
    let heart = of_text(&Design::default(), &of("").replace("MirrorSource", "MirrorHeartbeat"));
    assert!(heart.subjects.is_empty() && heart.skipped[0].reason.contains("no records"), "{:?}", heart.skipped);
}

/// Two texts that disagree about one connector are a conflict on the line that says it.
#[test]
fn two_readings_that_disagree() {
    let of = |tasks: &str| {
        pasted(&format!(
            "{{\"name\":\"jdbc\",\"config\":{{\"connector.class\":\"x.JdbcSinkConnector\",\"topics\":\"orders\",\"tasks.max\":\"{tasks}\",\"insert.mode\":\"upsert\"}}}}"
        ))
    };
    let proposal = import::propose(&import::read(&[of("1"), of("2")]), &Design::default(), None);
    let tasks: Vec<_> = proposal.facts.iter().filter(|fact| fact.key == "tasks.max").map(|fact| fact.state).collect();
    assert_eq!(tasks, [FactState::New, FactState::Conflict]);
    let marked: Vec<&str> =
        proposal.lines.iter().filter(|line| line.state == LineState::Conflict).map(|line| line.text.as_str()).collect();
    assert_eq!(marked, ["\"tasks.max\":\"2\","]);
}

/// Broken JSON costs the line that is broken; the text says where and what.
#[test]
fn broken_json() {
    let text = "{\n  \"name\": \"jdbc\",\n  \"config\": {\n    \"connector.class\": \"x.JdbcSinkConnector\",\n    \"topics: \"orders\",\n    insert.mode: upsert\n    \"tasks.max\": \"2\"\n";
    let proposal = of_text(&Design::default(), text);
    assert!(facts(&proposal).contains(&"jdbc parallelism = 2 (7)".to_owned()), "{:?}", facts(&proposal));
    let odd: Vec<_> = proposal
        .lines
        .iter()
        .filter(|line| matches!(line.state, LineState::NotUnderstood(_)))
        .map(|line| line.at.number)
        .collect();
    assert_eq!(odd, [5, 6]);
    assert!(
        remarks(&proposal).iter().any(|remark| remark.starts_with("7 the text ends before")),
        "{:?}",
        remarks(&proposal)
    );
    // What is cut is no whole configuration: nothing is told as not set.
    assert!(proposal.facts.iter().all(|fact| fact.read_as != Some(pipeline_desk::model::Value::Unset)));
    let deep = format!("{}1{}", "{\"a\":".repeat(2000), "}".repeat(2000));
    assert!(of_text(&Design::default(), &deep).facts.is_empty());
    let lists = format!("{}{}", "[{\"a\":[".repeat(2000), "]}]".repeat(2000));
    assert!(of_text(&Design::default(), &lists).facts.is_empty());
}

/// A request with its body: the name stands in the address behind it.
#[test]
fn a_request_with_a_body() {
    let text = "curl -X PUT -H \"Content-Type: application/json\" --data '{\n  \"connector.class\": \"x.JdbcSinkConnector\",\n  \"topics\": \"orders\"\n}' http://localhost:8083/connectors/jdbc/config | jq .\n";
    assert_eq!(subjects(&of_text(&Design::default(), text))[2], "jdbc Job");
}

/// A connector that is filed under the name of another system's job is one of its own.
#[test]
fn a_namesake_of_another_engine() {
    let mut design = Design::default();
    accept(&mut design, &[pasted("pipeline.name: jdbc\nparallelism.default: 2\n")], "2026-12-01");
    let proposal = of_text(&design, "name=jdbc\nconnector.class=x.JdbcSinkConnector\ntopics=orders\n");
    assert!(proposal.subjects.iter().any(|subject| subject.id.as_str() == "jdbc-2"), "{:?}", subjects(&proposal));
    let to = Some("kafka_connect".into());
    design.apply(Edit::Label { subject: Id::new("jdbc").unwrap(), label: Label::System, to }).unwrap();
    let proposal = of_text(&design, "name=jdbc\nconnector.class=x.JdbcSinkConnector\ntopics=orders\n");
    assert!(
        proposal.subjects.iter().all(|subject| subject.role != SubjectRole::Job || subject.id.as_str() == "jdbc"),
        "{:?}",
        subjects(&proposal)
    );
}
