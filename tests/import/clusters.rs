//! Which cluster a reading belongs to, and what brokers say about it.

use super::support::{accept, facts, pasted};
use pipeline_desk::edit::{Edit, Label};
use pipeline_desk::import::{self, Presence, SubjectRole};
use pipeline_desk::model::{Design, Id, Section, Shape, Subject};

const ORDERS: &str = "Topic: orders\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: \n\
    \tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n";

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

fn cluster(design: &mut Design, name: &str) {
    let mut subject = Subject::new(Shape::Cluster { environment: None, trust_zone: None });
    subject.system = Some("kafka".into());
    design.apply(Edit::Subject { section: Section::Clusters, id: id(name), to: Some(Box::new(subject)) }).unwrap();
}

fn chosen(design: &Design) -> (String, bool) {
    let proposal = import::propose(&import::read(&[pasted(ORDERS)]), design, None);
    let cluster = proposal.subjects.iter().find(|subject| subject.role == SubjectRole::Cluster).unwrap();
    (cluster.id.to_string(), matches!(cluster.presence, Presence::New(_)))
}

#[test]
fn the_cluster_that_fits() {
    let mut design = Design::default();
    assert_eq!(chosen(&design), ("kafka".to_owned(), true));
    cluster(&mut design, "east");
    assert_eq!(chosen(&design), ("east".to_owned(), false));
    cluster(&mut design, "west");
    // Two to choose from and no topic in either: none is guessed.
    assert_eq!(chosen(&design), ("kafka".to_owned(), true));
    accept(&mut design, &[pasted(ORDERS)], "2026-12-01");
    let west = Edit::Label { subject: id("orders"), label: Label::Cluster, to: Some("west".into()) };
    design.apply(west).unwrap();
    assert_eq!(chosen(&design), ("west".to_owned(), false));
}

/// A topic of the same name in another cluster is another channel.
#[test]
fn a_namesake_elsewhere_stays_alone() {
    let mut design = Design::default();
    accept(&mut design, &[pasted(ORDERS)], "2026-12-01");
    let mut other = Subject::new(Shape::Cluster { environment: None, trust_zone: None });
    other.system = Some("pulsar".into());
    let put = Edit::Subject { section: Section::Clusters, id: id("pulsar"), to: Some(Box::new(other)) };
    let moved = Edit::Label { subject: id("orders"), label: Label::Cluster, to: Some("pulsar".into()) };
    design.apply(Edit::All(vec![put, moved])).unwrap();
    accept(&mut design, &[pasted(ORDERS)], "2026-12-02");
    assert!(design.elements.contains_key(&id("orders-2")));
}

/// Racks are counted only where every broker that holds a copy was read.
#[test]
fn racks() {
    let rack = |broker: u32, rack: &str| {
        format!(
            "All configs for broker {broker} are:\n  broker.rack={rack} sensitive=false synonyms={{STATIC_BROKER_CONFIG:broker.rack={rack}}}\n"
        )
    };
    let read = |text: String| facts(&import::propose(&import::read(&[pasted(&text)]), &Design::default(), None));
    let both = read(format!("{ORDERS}\n{}{}", rack(1, "a"), rack(2, "b")));
    assert!(both.contains(&"kafka failure_domains = 2 (5)".to_owned()), "{both:?}");
    let one = read(format!("{ORDERS}\n{}", rack(1, "a")));
    assert!(one.iter().all(|fact| !fact.contains("failure_domains")), "{one:?}");
}

/// More than a document holds is reported, not half applied.
#[test]
fn more_topics_than_a_design_holds() {
    let text: String =
        (0..2100).map(|n| format!("Topic: t{n}\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n")).collect();
    let mut design = Design::default();
    let proposal = accept(&mut design, &[pasted(&text)], "2026-12-01");
    assert!((1900..=2000).contains(&design.elements.len()));
    assert!(proposal.skipped.iter().all(|skipped| skipped.reason.contains("at most 2000 elements")));
    assert_eq!(proposal.skipped.len() + design.elements.len(), 2100);
    let text = pipeline_desk::codec::encode(&design);
    assert!(pipeline_desk::codec::decode(&text).is_ok());
}

/// A cluster that is there already and of which nothing is read is nothing to show; one that is new, or that something is
/// told of, is.
#[test]
fn a_cluster_that_nothing_is_told_of() {
    let mut design = Design::default();
    let told = |design: &Design, text: &str| {
        let proposal = import::propose(&import::read(&[pasted(text)]), design, None);
        let told = proposal.subjects.iter().filter(|subject| proposal.tells_of(subject));
        told.map(|subject| subject.title.clone()).collect::<Vec<_>>()
    };
    let sizes = "{\"version\":1,\"brokers\":[{\"broker\":1,\"logDirs\":[{\"partitions\":[{\"partition\":\"orders-0\",\"size\":4096,\"offsetLag\":0,\"isFuture\":false}],\"error\":null,\"logDir\":\"/d\"}]}]}\n";
    assert_eq!(told(&design, sizes), ["kafka", "orders"]);
    accept(&mut design, &[pasted(ORDERS)], "2026-12-01");
    assert_eq!(told(&design, sizes), ["orders"]);
    // What is read again is shown as it stands.
    assert_eq!(told(&design, ORDERS), ["orders"]);
    // A key without a field is something, too.
    let key = "Dynamic configs for broker 1 are:\n  my.own.key=7 sensitive=false synonyms={DYNAMIC_BROKER_CONFIG:my.own.key=7}\n";
    assert_eq!(told(&design, key), ["kafka"]);
    accept(&mut design, &[pasted(key)], "2026-12-01");
    assert!(told(&design, key).is_empty());
}
