//! Sayings about what comes once, twice or not at all.

use crate::{
    path::{CAPTURE, CLEAN, Engine, From, Job, RESENDING, SHORT, Step, Times, WEBHOOK, Write},
    said::{along, careful, straight},
};
use pipeline_desk::{
    analysis::delivery::verdict::{CopyClass, Fewest, Label, LossKind, Most, ValueEffect, Variable},
    rules::HaltClass,
};

const MAP: &[Step] = &[Step::Map];
const COUNT: &[Step] = &[Step::Count];

const fn job(engine: Engine, steps: &'static [Step], write: Write) -> Job {
    Job { engine, committed: true, steps, write }
}

const EXACT: Engine = Engine::Flink("exactly_once");
const STREAMS: Engine = Engine::Streams("exactly_once");

#[test]
fn f01_three_replicas_tolerate_two_broker_failures() {
    let one = careful(&[("elements/orders/proposed/min_insync_replicas", "1")]);
    one.never_says(&["survives 2"]);
    one.never_says(&["survive 2"]);
    let found = one.findings("DEL-03");
    assert!(found[0].message.contains("writes go on with 2 down"), "{}", found[0].message);
    assert!(found[0].message.contains("survive 0 broker losses"), "{}", found[0].message);
    let unless = |asked: &crate::said::Asked| {
        let lossy = &asked.verdict("board").lossy_hops;
        lossy.iter().any(|loss| {
            matches!(&loss.kind, LossKind::Conditional(condition) if matches!(condition.variable, Variable::BrokerLosses(_)))
        })
    };
    assert!(unless(&one), "only while no broker is lost");
    let two = careful(&[]);
    two.does_say(&["min isr 2", "survives 1 lost broker"]);
    two.never_says(&["survives 2"]);
    assert!(!unless(&two));
}

#[test]
fn f02_an_idempotent_producer_makes_no_duplicates() {
    let append = |from| straight(from, &[job(Engine::WithRows, MAP, Write::Insert)], &[]);
    assert!(append(RESENDING).repeats(CopyClass::ProducerRestart), "a new session numbers from the start");
    assert!(!append(RESENDING).repeats(CopyClass::ProducerRetry), "its own retries are recognised");
    assert!(!append(CLEAN).repeats(CopyClass::ProducerRestart), "nothing is kept that could be sent again");
}

#[test]
fn f03_idempotence_is_on_everywhere_since_3_0() {
    let with = |changes: &[(&str, &str)]| {
        let mut all = vec![
            ("links/l1/observed/e1/idempotence", "\"unset\""),
            ("elements/src/observed/e1/client_version", "\"3.9\""),
        ];
        all.extend_from_slice(changes);
        straight(CLEAN, &[job(Engine::WithRows, MAP, Write::Insert)], &all)
    };
    let retries = |changes: &[(&str, &str)]| with(changes).repeats(CopyClass::ProducerRetry);
    assert!(!retries(&[]), "Java 3.9 with nothing set");
    assert!(retries(&[("links/l1/observed/e1/acks", "\"1\"")]), "acks=1 switches it off without a word");
    assert!(retries(&[("links/l1/observed/e1/max_in_flight", "10")]), "so do more than five in flight");
    assert!(retries(&[("elements/src/observed/e1/client_version", "\"3.1.0\"")]), "3.1.0 did not apply its default");
    assert!(retries(&[("elements/src/observed/e1/client_version", "\"2.8\"")]));
    let librdkafka =
        [("elements/src/observed/e1/client", "\"librdkafka\""), ("elements/src/observed/e1/client_version", "\"2.5\"")];
    assert!(retries(&librdkafka), "off by default");
    let unset = [("links/l2/observed/e1/idempotence", "\"unset\"")];
    let connector = straight(CAPTURE, &[job(Engine::WithRows, MAP, Write::Insert)], &unset);
    assert!(connector.repeats(CopyClass::ProducerRetry), "off in the producers of Connect");
    // Whose isolation is not set is not judged by one client's default.
    let jobs = [job(STREAMS, MAP, Write::LogTransaction), job(Engine::AfterWork, MAP, Write::UpsertById)];
    let reader = straight(CLEAN, &jobs, &[("links/l4/observed/e1/isolation", "\"unset\"")]);
    assert_eq!(reader.reader().label, Label::NoClaim, "{}", reader.reader().sentence);
}

#[test]
fn f04_automatic_commits_lose_data() {
    let with = |changes: &[(&str, &str)]| {
        let jobs = [job(Engine::AutomaticClosing, MAP, Write::UpsertById)];
        let handled = ("links/l2/observed/e1/close_commits", "\"handled\"");
        let all: Vec<(&str, &str)> = std::iter::once(handled).chain(changes.iter().copied()).collect();
        straight(CLEAN, &jobs, &all).reader().badge.fewest.clone()
    };
    assert!(matches!(with(&[]), Fewest::One(_)), "a loop that works off what it polled loses nothing");
    assert_eq!(with(&[("links/l2/observed/e1/processing", "\"threads\"")]), Fewest::Zero);
    assert_eq!(with(&[("elements/n1_job/observed/e1/client", "\"librdkafka\"")]), Fewest::Zero);
    assert_eq!(with(&[("links/l2/observed/e1/close_commits", "\"polled\"")]), Fewest::Zero);
}

#[test]
fn f05_commit_after_the_write_and_removing_repeats_by_event_id_is_exactly_once() {
    let keyed = |keys: &str| {
        let jobs = [job(Engine::AfterWork, MAP, Write::UpsertById)];
        straight(RESENDING, &jobs, &[("elements/t2/observed/e1/unique_keys", keys)])
    };
    assert!(keyed("[]").repeats(CopyClass::Redelivery), "the table does not enforce the key");
    assert_eq!(keyed("[[\"id\"]]").reader().label, Label::EffectivelyOnce);
    let random = straight(RESENDING, &[job(Engine::AfterWork, &[Step::RandomId], Write::UpsertById)], &[]);
    assert!(random.repeats(CopyClass::Redelivery), "an id that the consumer draws");
    // A store of ids that forgets: what comes later than it remembers passes.
    let late = From::Capture { retries_within: "600s", resent_within: Some("200000s") };
    let marked = |ttl: &str| {
        let jobs = [job(EXACT, &[Step::Deduplicate("86400s")], Write::LogTransaction)];
        let asked = straight(late, &jobs, &[("elements/n1_0/observed/e1/state_ttl", ttl)]);
        asked.repeats(CopyClass::SourceResend)
    };
    assert!(marked("\"86400s\"") && !marked("\"300000s\""));
}

#[test]
fn f18_transactions_with_an_idempotent_producer_reach_back_to_the_source() {
    let id = ("links/l1/observed/e1/transactional_id", "\"orders\"");
    let end = [job(STREAMS, MAP, Write::LogTransaction)];
    let asked = straight(RESENDING, &end, &[id]);
    assert!(asked.repeats(CopyClass::ProducerRestart), "its position is in no transaction");
    assert_ne!(asked.reader().label, Label::ExactlyOnceScoped);
    asked.never_says(&["exactly once"]);
    let same = straight(CAPTURE, &end, &[]);
    assert!(same.repeats(CopyClass::SourceResend), "a connector that commits its position apart");
    let cluster = [
        ("clusters", r#"{"c":{"system":"kafka_connect","observed":{"e1":{"exactly_once_source":"enabled"}}}}"#),
        ("elements/capture_job/cluster", "\"c\""),
        ("elements/capture_job/observed/e1/processing_guarantee", "\"exactly_once\""),
        ("links/l2/observed/e1/idempotence", "true"),
    ];
    let tied = straight(CAPTURE, &end, &cluster);
    assert!(!tied.repeats(CopyClass::SourceResend), "{}", tied.reader().sentence);
}

#[test]
fn f19_a_batch_number_makes_a_table_write_idempotent_for_ever() {
    let with = |paired: &str| {
        let commit = [
            ("links/l3/observed/e1/output_commit", "\"batch_id\""),
            ("links/l3/observed/e1/batch_guard_paired", paired),
        ];
        straight(CLEAN, &[job(Engine::Spark, MAP, Write::Insert)], &commit)
    };
    let reset = with("false");
    assert_eq!(reset.reader().badge.fewest, Fewest::Zero, "new rows under known numbers are skipped");
    let paired = with("true");
    assert_ne!(paired.reader().badge.fewest, Fewest::Zero);
    assert!(!paired.repeats(CopyClass::Reemission) && !paired.repeats(CopyClass::Redelivery));
}

#[test]
fn f20_a_dead_letter_channel_with_an_alarm_is_enough() {
    let asked = careful(&[]);
    let Fewest::OneWhile(_, conditions) = &asked.verdict("board").badge.fewest else {
        panic!("{}", asked.verdict("board").sentence)
    };
    assert!(conditions.iter().any(|condition| condition.text.contains("dlq")));
    asked.does_say(&["what fails goes to dlq and is missing here"]);
    let nobody = careful(&[("elements/dlq/owner", "null"), ("links/l10", "null")]);
    let message = &nobody.findings("DLQ-01")[0].message;
    assert!(message.contains("an owner") && message.contains("back"), "{message}");
}

#[test]
fn f21_exactly_once_is_a_setting_of_the_framework() {
    let claimed = ("elements/board/proposed/claimed", "\"exactly_once\"");
    let append = careful(&[("links/l6/proposed/write_mode", "\"append\""), claimed]);
    let verdict = append.verdict("board");
    assert_eq!((verdict.label, &verdict.badge.most), (Label::AtLeastOnce, &Most::Many), "{}", verdict.sentence);
    assert_eq!(append.findings("DEL-01").len(), 1);
    assert!(append.review.halts.iter().any(|halt| halt.class == HaltClass::ReleaseIntegrity));
    // Where everything holds, the label still speaks of two named points.
    let inside = straight(CLEAN, &[job(EXACT, MAP, Write::LogTransaction)], &[]);
    assert_eq!(inside.reader().label, Label::ExactlyOnceScoped);
    assert!(inside.reader().sentence.starts_with("Once between t1 and t2"), "{}", inside.reader().sentence);
    assert!(inside.reader().scope.ends_with("Outside of these nothing is claimed."));
    inside.never_says(&["exactly once"]);
}

#[test]
fn f22_exactly_once_in_kafka_streams_removes_repeats_of_the_input() {
    let count = straight(CAPTURE, &[job(STREAMS, COUNT, Write::LogTransaction)], &[]);
    assert_eq!(count.reader().value, ValueEffect::Over);
    count.does_say(&["too high"]);
    let mended =
        straight(CAPTURE, &[job(STREAMS, &[Step::Deduplicate("unlimited"), Step::Count], Write::LogTransaction)], &[]);
    assert_eq!(mended.reader().value, ValueEffect::Exact);
}

#[test]
fn f23_removing_repeats_at_the_end_mends_totals() {
    let with = |steps| {
        let jobs = [job(STREAMS, steps, Write::LogTransaction), job(Engine::AfterWork, MAP, Write::UpsertByEntity)];
        straight(RESENDING, &jobs, &[]).reader().clone()
    };
    let after = with(&[Step::Count, Step::Deduplicate("unlimited")]);
    assert_eq!((after.value, after.taints.len()), (ValueEffect::Over, 1), "{}", after.sentence);
    assert_eq!(after.taints[0].at.as_str(), "n1_0");
    assert!(after.consumer_must.words().starts_with("Nothing that it could do"), "{}", after.consumer_must.words());
    let before = with(&[Step::Deduplicate("unlimited"), Step::Count]);
    assert_eq!((before.value, before.taints.len()), (ValueEffect::Exact, 0));
}

#[test]
fn f25_once_on_one_hop_is_once_from_end_to_end() {
    // MQTT quality of service 2: once between client and broker; the bridge behind it can still lose or repeat.
    let second = [("links/l1/observed/e1/acknowledge", "\"once_per_hop\"")];
    let mqtt = straight(From::Mqtt, &[job(Engine::AfterWork, MAP, Write::Insert)], &second);
    assert!(!matches!(mqtt.reader().badge.fewest, Fewest::One(_)), "{}", mqtt.reader().sentence);
    assert!(mqtt.repeats(CopyClass::Redelivery));
    // A FIFO queue knows ids for five minutes; a web call is repeated for an hour.
    let fifo = |within: &str| {
        let queue = [
            ("elements/t1/system", "\"sqs\""),
            ("elements/t1/observed/e1", r#"{"retention_time":"4d","dedup_window":"300s"}"#),
            ("links/l1/observed/e1/resend_within", within),
        ];
        let asked = straight(WEBHOOK, &[job(Engine::AfterWork, MAP, Write::Insert)], &queue);
        asked.repeats(CopyClass::SourceResend)
    };
    assert!(fifo("\"3600s\"") && fifo("\"60s\""), "ids of repeated web calls are no ids of the queue's client");
    // Pub/Sub: what is acknowledged does not come again; a crash between write and acknowledgement shows.
    let subscription = |write| {
        let pubsub = [
            ("elements/t1/system", "\"pubsub\""),
            ("elements/t1/observed/e1", r#"{"retention_time":"7d"}"#),
            ("links/l2/observed/e1/exactly_once_delivery", "true"),
            ("links/l2/observed/e1/isolation", "null"),
        ];
        straight(CLEAN, &[job(Engine::AfterWork, MAP, write)], &pubsub)
    };
    assert!(
        subscription(Write::Insert).repeats(CopyClass::Redelivery),
        "{}",
        subscription(Write::Insert).reader().sentence
    );
    assert!(!subscription(Write::UpsertById).repeats(CopyClass::Redelivery));
}

#[test]
fn f26_no_lag_means_no_loss() {
    let lag = ("links/l2/proposed/lag", r#"{"0":0,"1":0,"2":0,"3":0,"4":0,"5":0}"#);
    let asked = careful(&[lag, ("links/l1/proposed/acks", "\"0\"")]);
    assert_eq!(asked.verdict("board").badge.fewest, Fewest::Zero, "{}", asked.verdict("board").sentence);
    let kept = careful(&[lag]);
    assert_eq!(kept.verdict("board").badge, careful(&[]).verdict("board").badge, "lag is evidence of nothing else");
    kept.does_say(&["lag", "what was lost, dropped or set aside"]);
}

#[test]
fn f27_exactly_once_of_flinks_kafka_sink_works_as_it_comes() {
    let hour = careful(&[("links/l4/proposed/transaction_timeout", "\"1h\"")]);
    let message = &hour.findings("FLK-01")[0].message;
    assert!(message.contains("asks for 1 h") && message.contains("allows 15 min"), "{message}");
    assert_eq!(careful(&[]).findings("FLK-01"), Vec::<&pipeline_desk::rules::Finding>::new());
    // Mended, an outage beyond the timeout still loses what was prepared.
    let jobs = [job(EXACT, MAP, Write::LogTransaction)];
    let with = |outage| along(CLEAN, &jobs, &Times { outage, ..SHORT }, &[]).reader().badge.fewest.clone();
    // 900 s − 60 s − 1 s = 839 s are covered.
    assert_eq!(with("840s"), Fewest::Zero);
    assert_ne!(with("838s"), Fewest::Zero);
}
