//! How the numbered dictionaries of share links come about. A dictionary is frozen once a link was made with it; a
//! better one gets the next number. `UPDATE=1 cargo test --test link_dictionary` writes the proposal for it to
//! `target/link-dictionary.txt`.

use pipeline_desk::model::{FieldType, Group};
use std::{collections::BTreeSet, fmt::Write as _};

/// Usual fragments in file order, the most usual last: Deflate reaches what stands near its end with fewer bits.
const FRAGMENTS: &[&str] = &[
    r#","actions":{"a1":{"kind":"replay","about":["reset_offsets","delete_state","restore_savepoint","backfill","delete_channel","delete_records","publish"],"from":"","to":"","state_handling":"shadow","first_range":"","control_total":"","holds":["reset","keep"],"reason":"","at":"2026-12-01","done":{"1":""}}}"#,
    r#","approvals":{"p1":{"by":"","at":"2026-12-01","for":"","value":"","of":""}},"decisions":{"d1":{"text":"","by":"","at":"2026-12-01","about":[""],"kind":"drop_late","rule":"accept_finding choose_value single_partition reject_proposal other"}},"questions":{"q1":{"text":"","about":[""],"owner":""}}"#,
    r#","layout":{"boxes":{},"routes":{"l1":[]},"colours":{},"locked":[""],"notes":{"n1":{"text":"","box":[0,0,200,80]}}}"#,
    r#","state":"not_provided","from":"","covers":["schemas","topology","lag","latency_need","lateness","sink_capability","state","batch_path"],"about":["unreachable"]"#,
    r#""kind":"batch","system":"airflow","lifecycle":"existing","observed":{"e1":{"schedule":"daily 02:00","cut_off":"02:00","grain":"","time_zone":"UTC"}}"#,
    r#""system":"kinesis","system":"pulsar","system":"pubsub","system":"event_hubs","system":"redpanda","system":"sqs","system":"rabbitmq","system":"mqtt","system":"iceberg","system":"elasticsearch","system":"s3","system":"snowflake","system":"bigquery","system":"clickhouse","system":"mysql","system":"mongodb","system":"spark","system":"kafka_streams","system":"debezium","system":"http","system":"webhook","system":"dashboard","system":"plain_consumer","system":"application","system":"postgres","system":"flink","system":"kafka_connect","system":"kafka""#,
    r#""outcome","customer_id","user_id","account_id","payment_id","session_id","device_id","sensor_id","created_at","updated_at","occurred_at","event_time","region","status","currency","order_id","event_id","amount","window_start","window_end""#,
    r#","events":{"event":{"name":"event","observed":{"e2":{"key":["id"],"event_id":["event_id"],"event_id_set_by":"source","timestamp_field":"ts","timestamp_set_by":"application","timestamp_trust":"high","timestamp_unit":"ms","version_field":"version","personal_fields":["email"],"classification":"internal","max_retention":"30d","erasure_required":true,"erasure_by":"retention","size":{"mean":"600B"},"format":"avro","compatibility":"backward","contract":"agreed","fields":{"id":"string","store":"string","amount":"decimal(12,2)","ts":"timestamp","count":"bigint","name":"string?"}}}}"#,
    r#","clusters":{"kafka":{"system":"kafka","environment":"production","trust_zone":"restricted","observed":{"e1":{"transaction_max_timeout":"15min","offsets_retention":"7d","retention_check_interval":"5min","brokers":3,"failure_domains":3,"version":"3.9"}}},"connect":{"system":"kafka_connect","environment":"production","trust_zone":"internal","observed":{"e2":{"exactly_once_source":"disabled","rebalance_delay":"5min","version":"2.1"}}}}"#,
    r#",{"kind":"consumer","name":"","owner":"","lifecycle":"existing","question":"","observed":{"e1":{"latency_requirement":"10min","loss_tolerated":false,"duplicates_tolerated":false,"order_needed":["id"],"replay_needed":"7d","question_clock":"event_time","published":true,"criticality":"financial","claimed":"exactly_once"}}}"#,
    r#",{"kind":"source","name":"","system":"postgres","event":"","lifecycle":"existing","observed":{"e1":{"client":"java","rate":{"mean":"300/s","max":"1000/s"},"log_reach":"none","log_reach_size":"unlimited","position_survives_failover":false,"resnapshot":true}}}"#,
    r#",{"kind":"sink","name":"","system":"postgres","lifecycle":"existing","observed":{"e1":{"unique_keys":[["id"]],"declared_keys":[],"collapse":"at_write","version_column":"version","transactions":"two_phase","visibility_delay":"1s","rebuild":"overwrite","other_writers":false}}}"#,
    r#",{"kind":"operator","name":"","job":"","step":"aggregate","emits":"","proposed":{"key":["id"],"right_key":["id"],"determinism":"same","selectivity":0.5,"order_kept":"yes","api":"datastream","function":"sum","value":"amount","clock":"event_time","window":"tumbling","window_size":"5min","window_step":"1min","window_gap":"30min","watermark_delay":"30s","watermark_assigned":"at_source","idle_timeout":"1min","allowed_lateness":"10min","emit":"on_close","output_mode":"append","keys_per_window":1000,"live_keys":1000000,"entry_size":"100B","state_ttl":"1d","ttl_clock":"processing_time","ttl_from":"first","state_in":"engine"}}"#,
    r#",{"kind":"operator","job":"","step":"deduplicate","observed":{"e1":{"key":["event_id"],"state_ttl":"7d"}}},{"kind":"operator","job":"","step":"map"},{"kind":"operator","job":"","step":"filter"},{"kind":"operator","job":"","step":"join","proposed":{"join":"interval","join_type":"left"}},{"kind":"operator","job":"","step":"copy"}"#,
    r#",{"kind":"job","name":"","system":"flink","cluster":"flink","owner":"","lifecycle":"existing","observed":{"e1":{"client":"java","processing_guarantee":"exactly_once","commit_interval":"1min","checkpoint_interval":"1min","checkpoint_timeout":"10min","checkpoint_min_pause":"0s","checkpoint_incremental":true,"checkpoint_unaligned":false,"checkpoint_storage":"durable","checkpoints_retained":1,"checkpoint_duration":{"mean":"3s","max":"20s"},"checkpoint_size":"2GB","state_backend":"rocksdb","state_size":"10GB","space_amplification":1.3,"local_recovery":true,"restore_rate":"500MB/s","detection_time":"50s","reschedule_time":"20s","restart_time":"3min","fix_time":"1d","longest_outage":"8h","capacity":"1500/s","instance_capacity":"500/s","parallelism":12,"max_parallelism":128,"instances":3,"session_timeout":"45s","rebalance_protocol":"cooperative","static_membership":false,"deploys":"5/w","on_error":"fail","lag_target":"1min","lag_alert":"5min","memory":"4GiB"}}}"#,
    r#",{"kind":"job","system":"kafka_connect","cluster":"connect","lifecycle":"existing","observed":{"e1":{"client":"java","processing_guarantee":"at_least_once","commit_interval":"1min","parallelism":1,"on_error":"fail"}}},{"kind":"job","system":"plain_consumer","proposed":{"client":"java","instances":3}}"#,
    r#","raw":{"e1":{"compression.type":"producer","flush.messages":"9223372036854775807","flush.ms":"9223372036854775807","index.interval.bytes":"4096","preallocate":"false","message.downconversion.enable":"true","segment.index.bytes":"10485760","segment.jitter.ms":"0","file.delete.delay.ms":"60000","follower.replication.throttled.replicas":"","leader.replication.throttled.replicas":"","min.cleanable.dirty.ratio":"0.5"}}"#,
    r#",{"kind":"channel","name":"","cluster":"kafka","lifecycle":"existing","observed":{"e1":{"partitions":12,"replication_factor":3,"in_sync_replicas":3},"e2":{"min_insync_replicas":2,"unclean_leader_election":false,"cleanup_policy":"delete","retention_time":"7d","retention_size":"unlimited","segment_time":"7d","segment_size":"1GiB","min_compaction_lag":"0s","max_compaction_lag":"unlimited","tombstone_retention":"1d","tiered":false,"local_retention_time":"unlimited","local_retention_size":"unlimited","timestamp_type":"create_time","timestamp_before_max":"unlimited","timestamp_after_max":"1h","max_message_size":"1048588B","rate":{"mean":"300/s","max":"1000/s"},"disk_rate":{"mean":"0.5MB/s","max":"2MB/s"},"dominant_key_share":0.1,"lateness":{"p50":"1s","p99":"45s","p99.9":"7min"},"start_offset":{"0":0},"end_offset":{"total":1000000}}}}"#,
    r#",{"kind":"channel","system":"kafka","owner":"","lifecycle":"existing","observed":{"e1":{"partitions":3,"replication_factor":3,"min_insync_replicas":2,"unclean_leader_election":false,"cleanup_policy":"compact","retention_time":"14d"}},"proposed":{"partitions":6,"replication_factor":3,"min_insync_replicas":2,"cleanup_policy":"delete","retention_time":"30d","alert_above":"10/min"}}"#,
    r#","links":{"l1":{"from":"","to":"","observed":{"e1":{"capture":"change_log","acknowledge":"after_store","after_restart":"resume_position","snapshot":"initial","captures_deletes":true}}}"#,
    r#","l2":{"from":"","to":"","observed":{"e1":{"key":["id"],"output_commit":"two_phase","acks":"all","idempotence":true,"max_in_flight":5,"retries":2147483647,"delivery_timeout":"2min","linger":"0s","batch_size":"16KiB","transactional_id":"","transaction_timeout":"15min","on_send_failure":"retry","flush_on_close":true}}}"#,
    r#","l3":{"from":"","to":"","observed":{"e1":{"group":"","isolation":"read_uncommitted","offset_commit":"after_work","offset_reset":"earliest","processing":"sequential","close_commits":"handled","max_poll_records":500,"max_poll_interval":"5min","members":3,"committed_offset":{"0":0,"1":0},"lag":{"0":0,"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"10":0,"11":0}}}}"#,
    r#","l4":{"from":"","to":"","proposed":{"group":"","isolation":"read_committed","offset_reset":"latest"}},"l5":{"from":"","to":"","observed":{"e1":{"distribution":"hash","key":["id"]}}},"l6":{"from":"","to":"","proposed":{"key":["id"],"output_commit":"flush","write_mode":"upsert","version_guard":[],"deletes":"ignored","client_retries":3,"flush_interval":"1min","flush_records":1000}}"#,
    r#","l7":{"from":"","to":"","port":"dead_letter"},"l8":{"from":"","to":"","port":"late"},"l9":{"from":"","to":"","port":"side"},"l10":{"from":"","to":"","into":"left"},"l11":{"from":"","to":"","into":"right"},"l12":{"from":"","to":"","into":"lookup"},"l13":{"from":"","to":"","port":"reconcile","lifecycle":"planned","proposed":{"measure":"sum(amount)","grain":"day","cut_off":"30min","tolerance":0.001}},"l14":{"from":"","to":""},"l15":{"from":"","to":""},"l16":{"from":"","to":""},"l20":{"from":"","to":""}"#,
    r#","evidence":{"e1":{"basis":"read","from":"kafka-topics.sh --describe","at":"2026-12-01","covers":["topology"]},"e2":{"basis":"read","from":"kafka-configs.sh --describe --all --entity-type topics","at":"2026-12-01"},"e3":{"basis":"read","from":"kafka-consumer-groups.sh --describe --all-groups","at":"2026-12-01","covers":["lag"]},"e4":{"basis":"read","from":"GET /connectors//config","at":"2026-12-01"},"e5":{"basis":"stated","from":"design note","by":"job owner","at":"2026-12-01","covers":["schemas"]},"e6":{"basis":"stated","by":"","at":"2026-11-30","covers":["latency_need"]},"e7":{"basis":"assumed","from":""},"e8":{"basis":"read","at":"2026-11-30","covers":["sink_capability"]}}"#,
    r#"{"format":"streaming-pipeline","version":1,"name":"","question":"","elements":{""#,
];

/// The words and field names of the table, then the fragments.
fn proposal() -> String {
    let mut out = String::new();
    let mut seen = BTreeSet::new();
    for row in Group::ALL.into_iter().flat_map(|group| group.rows()) {
        if !seen.insert(row.name) || FRAGMENTS.iter().any(|f| f.contains(&format!("\"{}\":", row.name))) {
            continue;
        }
        let value = match row.ty {
            FieldType::Words(words) => words.first().map(|word| format!("\"{word}\"")).unwrap_or_default(),
            FieldType::Bool => "true".to_owned(),
            FieldType::Duration | FieldType::Limit => "\"1h\"".to_owned(),
            _ => String::new(),
        };
        let _ = write!(out, ",\"{}\":{value}", row.name);
    }
    for row in Group::ALL.into_iter().flat_map(|group| group.rows()) {
        let FieldType::Words(words) = row.ty else { continue };
        for word in words {
            let quoted = format!("\"{word}\"");
            if !out.contains(&quoted) && !FRAGMENTS.iter().any(|fragment| fragment.contains(&quoted)) {
                out.push_str(&quoted);
            }
        }
    }
    FRAGMENTS.iter().for_each(|fragment| out.push_str(fragment));
    out
}

/// Deflate looks back 32 KiB at most: what stands before that would never be used.
const WINDOW: usize = 32 * 1024;

#[test]
fn a_dictionary_knows_every_field_and_word_and_fits_the_window() {
    let text = proposal();
    for row in Group::ALL.into_iter().flat_map(|group| group.rows()) {
        assert!(text.contains(&format!("\"{}\"", row.name)), "{}", row.name);
        if let FieldType::Words(words) = row.ty {
            assert!(words.iter().all(|word| text.contains(word)), "{}", row.name);
        }
    }
    assert!(text.len() <= WINDOW, "{} bytes", text.len());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write("target/link-dictionary.txt", text).unwrap();
    }
}
