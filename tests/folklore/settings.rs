//! Sayings about single settings.

use crate::{
    path::{CLEAN, Engine, Job, RESENDING, Step, Write},
    said::{CHECKOUT, ask, careful, straight},
};
use pipeline_desk::{
    analysis::delivery::verdict::CopyClass,
    catalog,
    model::{key, words::Client},
};

const fn job(engine: Engine, steps: &'static [Step], write: Write) -> Job {
    Job { engine, committed: true, steps, write }
}

#[test]
fn f08_ignoring_the_key_makes_elasticsearch_repeat_on_a_retry() {
    let by_coordinates = |from| straight(from, &[job(Engine::AfterWork, &[Step::Map], Write::ByCoordinates)], &[]);
    assert!(!by_coordinates(CLEAN).repeats(CopyClass::Redelivery), "topic, partition and offset are its id");
    assert!(by_coordinates(RESENDING).repeats(CopyClass::ProducerRestart), "a copy from upstream has another offset");
    // A data stream draws an id for every write.
    let stream = [("links/l3/observed/e1/write_mode", "\"append\"")];
    let append = straight(CLEAN, &[job(Engine::AfterWork, &[Step::Map], Write::ByCoordinates)], &stream);
    assert!(append.repeats(CopyClass::Redelivery));
}

#[test]
fn f10_cooperative_rebalancing_is_the_default() {
    let protocol = key::job::REBALANCE_PROTOCOL.field();
    let cooperative = |default: Option<&catalog::Default>| {
        default.is_some_and(|default| default.value == catalog::DefaultValue::Word("cooperative"))
    };
    // The default list of the Java client begins with the range assignor, so that a group is stopped as a whole.
    assert!(!cooperative(catalog::client_default(protocol, Client::Java, Some("3.9"))));
    for role in catalog::Role::ALL {
        for entry in catalog::entries(role) {
            let default = entry.defaults.iter().find(|default| default.field == protocol);
            // Kafka Streams and Kafka Connect bring protocols of their own.
            assert!(
                matches!(entry.id, "kafka_streams" | "kafka_connect" | "ksqldb") || !cooperative(default),
                "{}",
                entry.id
            );
        }
    }
    careful(&[("elements/loader/proposed/rebalance_protocol", "\"unset\"")]).never_says(&["cooperative"]);
}

#[test]
fn f13_max_poll_records_limits_memory() {
    let few = ("links/l5/proposed/max_poll_records", "10");
    let asked = careful(&[few]);
    asked.never_says(&["poll records", "memory"]);
    asked.never_says(&["poll records", "heap"]);
    ask(CHECKOUT, &[]).never_says(&["poll records", "memory"]);
    assert_eq!(asked.review.findings, careful(&[]).review.findings, "it buys nothing here");
}
