//! What an import changes in a design, and what it leaves alone.

use super::support::{accept, day, facts, file, pasted};
use pipeline_desk::codec;
use pipeline_desk::edit::{Edit, Label};
use pipeline_desk::import::{self, Choices, FactState, Input, Resolution};
use pipeline_desk::model::{
    Design, Evidence, EvidenceBasis, Facts, Id, Known, Lifecycle, Place, View, key,
    units::{Duration, Limit},
};

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

fn three() -> [Input; 3] {
    [file("topics-4x-tabs.txt"), file("configs-all.txt"), file("groups-3x.txt")]
}

#[test]
fn three_files_become_one_undoable_step() {
    let mut design = Design::default();
    let before = codec::encode(&design);
    let proposal = import::propose(&import::read(&three()), &design, day("2026-12-01"));
    assert_eq!(proposal.summary().conflicts, 0);
    let undo = design.apply(proposal.edit(&Choices::default())).unwrap();

    assert_eq!(design.clusters[&id("kafka")].system.as_deref(), Some("kafka"));
    let orders = &design.elements[&id("shop_orders")];
    assert_eq!((orders.name.as_deref(), orders.cluster.clone()), (Some("shop.orders"), Some(id("kafka"))));
    assert_eq!(design.lifecycle(&id("shop_orders")), Lifecycle::Existing);
    assert_eq!(design.system(&id("shop_orders")).map(|s| &**s), Some("kafka"));
    let retention = design.get(View::AsIs, &id("shop_orders"), key::channel::RETENTION_TIME).fact().unwrap();
    assert_eq!((retention.value, retention.basis.word()), (Limit::Of(Duration::from_secs(7 * 86_400)), "configured"));
    // The mean is not read anywhere: a lag of 840 in one partition and 0 in another stays by partition.
    let link = design.links.iter().find(|(_, l)| design.title(&l.as_link().unwrap().from) == "shop.orders").unwrap().0;
    let lag = design.get(View::AsIs, link, key::read::LAG).fact().unwrap();
    assert_eq!((lag.basis.word(), lag.value.partitions().collect::<Vec<_>>()), ("measured", vec![(0, 840), (1, 0)]));
    assert_eq!(design.job_of(&design.links[link].as_link().unwrap().to), Some(&id("billing")));

    assert_eq!(codec::decode(&codec::encode(&design)).unwrap(), design);
    design.apply(undo).unwrap();
    assert_eq!(codec::encode(&design), before);
}

#[test]
fn the_same_again_changes_nothing() {
    let mut design = Design::default();
    accept(&mut design, &three(), "2026-12-01");
    let again = import::propose(&import::read(&three()), &design, day("2026-12-01"));
    assert!(again.facts.iter().all(|fact| fact.state == FactState::Same), "{:?}", facts(&again));
    assert_eq!(again.edit(&Choices::default()), Edit::All(Vec::new()));
    // On another day only the date of the evidence moves.
    let text = codec::encode(&design);
    accept(&mut design, &three(), "2026-12-09");
    assert_eq!(codec::encode(&design), text.replace("2026-12-01", "2026-12-09"));
}

#[test]
fn a_later_reading_updates_and_leaves_layout_and_proposals() {
    let mut design = Design::default();
    let topics = "Topic: orders\tTopicId: one\tPartitionCount: 6\tReplicationFactor: 3\tConfigs: retention.ms=604800000,min.insync.replicas=2,flush.ms=10\n";
    accept(&mut design, &[pasted(topics)], "2026-12-01");
    let orders = id("orders");
    let place = Edit::Place { element: orders.clone(), to: Some(Place { x: 40, y: 80, size: None }) };
    let plan = Edit::Set {
        subject: orders.clone(),
        slot: pipeline_desk::model::Slot::Proposed,
        field: key::channel::PARTITIONS.field(),
        value: Some(key::channel::PARTITIONS.value(24)),
    };
    design.apply(Edit::All(vec![place, plan])).unwrap();
    let (layout, proposed) = (design.layout.clone(), design.elements[&orders].proposed.clone());

    let later =
        "Topic: orders\tTopicId: two\tPartitionCount: 12\tReplicationFactor: 3\tConfigs: retention.ms=86400000\n";
    let proposal = accept(&mut design, &[pasted(later)], "2026-12-08");
    assert_eq!(
        facts(&proposal),
        [
            "orders partitions = 12 (1) [update]",
            "orders replication_factor = 3 (1) [same]",
            "orders retention_time = 1d (1) [update]",
            "orders recreated = yes (1)",
            "orders min_insync_replicas = - (1) [gone]",
        ]
    );
    assert_eq!((&design.layout, &design.elements[&orders].proposed), (&layout, &proposed));
    assert_eq!(design.get(View::AsIs, &orders, key::channel::PARTITIONS).value(), Some(12));
    assert_eq!(design.get(View::ToBe, &orders, key::channel::PARTITIONS).value(), Some(24));
    assert!(!design.get(View::AsIs, &orders, key::channel::MIN_INSYNC_REPLICAS).is_value());
    assert_eq!(design.records.evidence.len(), 1);
    let raw: Vec<_> = design.elements[&orders].raw.values().flat_map(|keys| keys.keys()).map(|key| &**key).collect();
    assert_eq!(raw, ["TopicId"]);
}

/// An override that was taken back goes, whichever of the commands had shown it.
#[test]
fn an_override_that_was_taken_back() {
    let text = |configs: &str| {
        format!(
            "$ kafka-topics --describe\nTopic: orders\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: {configs}\n\n\
            $ kafka-configs --describe --topic orders\nDynamic configs for topic orders are:\n"
        )
    };
    let mut design = Design::default();
    accept(&mut design, &[pasted(&text("min.insync.replicas=2"))], "2026-12-01");
    assert!(design.get(View::AsIs, &id("orders"), key::channel::MIN_INSYNC_REPLICAS).is_value());
    let proposal = accept(&mut design, &[pasted(&text(""))], "2026-12-02");
    assert_eq!(facts(&proposal)[2..], ["orders min_insync_replicas = - (2) [gone]"]);
    assert!(!design.get(View::AsIs, &id("orders"), key::channel::MIN_INSYNC_REPLICAS).is_value());
}

/// Another command against the same cluster is a later reading too, not a contradiction.
#[test]
fn another_command_replaces_an_earlier_reading() {
    let mut design = Design::default();
    let row =
        |partitions: u32| format!("Topic: orders\tPartitionCount: {partitions}\tReplicationFactor: 3\tConfigs: \n");
    accept(&mut design, &[pasted(&format!("$ kafka-topics.sh --describe\n{}", row(6)))], "2026-12-01");
    let text = format!("$ kafka-topics.sh --describe --topic orders\n{}", row(12));
    let proposal = accept(&mut design, &[pasted(&text)], "2026-12-02");
    assert_eq!(facts(&proposal)[0], "orders partitions = 12 (2) [update]");
    assert_eq!(design.get(View::AsIs, &id("orders"), key::channel::PARTITIONS).value(), Some(12));
    // An older paste does not overrule a newer one silently.
    let older = import::propose(
        &import::read(&[pasted(&format!("$ kafka-topics.sh --describe --x\n{}", row(6)))]),
        &design,
        day("2026-11-01"),
    );
    assert_eq!(older.facts[0].state, FactState::Conflict);
}

/// A design in which somebody stated things about a channel.
fn stated() -> Design {
    let mut design = Design::default();
    accept(&mut design, &[pasted("Topic: orders\tPartitionCount: 6\tReplicationFactor: 3\n")], "2026-12-01");
    let mut orders = design.elements[&id("orders")].clone();
    orders.observed.clear();
    let note = Facts::default()
        .with(key::channel::PARTITIONS, 12)
        .with(key::channel::RETENTION_TIME, Limit::Of(Duration::from_secs(7 * 86_400)));
    orders.observed.insert(id("e_note"), note);
    let evidence = Evidence { basis: Some(EvidenceBasis::Stated), by: Some("Checkout".into()), ..Evidence::default() };
    design
        .apply(Edit::All(vec![
            Edit::Record(pipeline_desk::edit::Record::Evidence(id("e_note"), Some(evidence))),
            Edit::Subject {
                section: pipeline_desk::model::Section::Elements,
                id: id("orders"),
                to: Some(Box::new(orders)),
            },
        ]))
        .unwrap();
    design
}

const READ: &str = "Topic: orders\tPartitionCount: 12\tReplicationFactor: 3\tConfigs: retention.ms=1209600000\n";

#[test]
fn what_people_stated_is_asked_about() {
    let design = stated();
    let proposal = import::propose(&import::read(&[pasted(READ)]), &design, day("2026-12-01"));
    assert_eq!(
        facts(&proposal),
        [
            "orders partitions = 12 (1) [stronger]",
            "orders replication_factor = 3 (1)",
            "orders retention_time = 14d (1) [conflict]",
        ]
    );
    assert_eq!(proposal.lines[0].state, import::LineState::Conflict);
    let retention = |choices: &Choices| {
        let mut design = design.clone();
        let before = codec::encode(&design);
        let undo = design.apply(proposal.edit(choices)).unwrap();
        let known = design.get(View::AsIs, &id("orders"), key::channel::RETENTION_TIME);
        let decisions = design.records.decisions.values().map(|d| d.text.to_string()).collect::<Vec<_>>();
        design.apply(undo).unwrap();
        assert_eq!(codec::encode(&design), before);
        (known, decisions)
    };
    let days = |known: Known<Limit<Duration>>| known.value().map(|limit| limit.to_string());
    // Left open: nothing changes.
    let (known, decisions) = retention(&Choices::default());
    assert_eq!((days(known), decisions.len()), (Some("7d".to_owned()), 0));
    let decide =
        |resolution| Choices { conflicts: [(proposal.facts[2].id(), resolution)].into(), ..Choices::default() };
    let (known, decisions) = retention(&decide(Resolution::AsRead));
    assert_eq!(
        (days(known), decisions),
        (Some("14d".to_owned()), vec!["retention.ms of orders is 14d, not 7d".to_owned()])
    );
    let (known, decisions) = retention(&decide(Resolution::Keep));
    assert_eq!(
        (days(known), decisions),
        (Some("7d".to_owned()), vec!["retention.ms of orders is 7d, not 14d".to_owned()])
    );
    let (known, decisions) = retention(&decide(Resolution::KeepBoth));
    assert!(matches!(known, Known::Conflict(_)) && decisions.is_empty());
}

/// Two files have no order: what they disagree about is asked, what a command measured later counts.
#[test]
fn two_files_that_disagree() {
    let first = Input { name: Some("a.txt".into()), text: READ.to_owned() };
    let second = Input { name: Some("b.txt".into()), text: READ.replace("1209600000", "86400000") };
    let proposal = import::propose(&import::read(&[first, second]), &Design::default(), None);
    assert_eq!(
        facts(&proposal),
        [
            "orders partitions = 12 (1)",
            "orders replication_factor = 3 (1)",
            "orders retention_time = 14d (1)",
            "orders retention_time = 1d (1) [conflict]",
        ]
    );
    let mut design = Design::default();
    let choices = Choices { conflicts: [(proposal.facts[3].id(), Resolution::AsRead)].into(), ..Choices::default() };
    design.apply(proposal.edit(&choices)).unwrap();
    let known = design.get(View::AsIs, &id("orders"), key::channel::RETENTION_TIME);
    assert_eq!(known.value().map(|limit| limit.to_string()).as_deref(), Some("1d"));
}

#[test]
fn what_is_left_out_stays_out_with_what_needs_it() {
    let proposal = import::propose(&import::read(&three()), &Design::default(), None);
    let mut design = Design::default();
    let choices = Choices { without_subjects: [id("audit"), id("report")].into(), ..Choices::default() };
    design.apply(proposal.edit(&choices)).unwrap();
    assert!(!design.elements.contains_key(&id("audit")) && !design.elements.contains_key(&id("report")));
    assert_eq!(design.links.len(), 1);
    let partitions = proposal.facts.iter().find(|fact| fact.field == key::channel::PARTITIONS.field()).unwrap().id();
    let mut design = Design::default();
    design.apply(proposal.edit(&Choices { without_facts: [partitions].into(), ..Choices::default() })).unwrap();
    assert!(!design.get(View::AsIs, &id("shop_orders"), key::channel::PARTITIONS).is_value());
}

/// What was left out of a first text is still left out when a second one is read beside it.
#[test]
fn what_is_left_out_stays_out_when_more_is_read() {
    let first = Input { name: None, text: READ.to_owned() };
    let proposal = import::propose(&import::read(std::slice::from_ref(&first)), &Design::default(), None);
    let without = proposal.facts.iter().find(|fact| fact.field == key::channel::PARTITIONS.field()).unwrap().id();
    let choices = Choices { without_facts: [without].into(), ..Choices::default() };
    // The added text is sorted before the first one by the name of its topic.
    let more = Input { name: None, text: READ.replace("orders", "accounts") };
    let proposal = import::propose(&import::read(&[first, more]), &Design::default(), None);
    let mut design = Design::default();
    design.apply(proposal.edit(&choices)).unwrap();
    let partitions = |of: &str| design.get(View::AsIs, &id(of), key::channel::PARTITIONS).value();
    assert_eq!((partitions("orders"), partitions("accounts")), (None, Some(12)));
}

#[test]
fn vanished_topics_are_reported_and_stay() {
    let mut design = Design::default();
    let row = |name: &str| format!("Topic: {name}\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n");
    let command = "$ kafka-topics.sh --describe\n";
    accept(&mut design, &[pasted(&format!("{command}{}{}", row("kept"), row("lost")))], "2026-12-01");
    let proposal = accept(&mut design, &[pasted(&format!("{command}{}", row("kept")))], "2026-12-02");
    assert_eq!(proposal.vanished.iter().map(|v| v.title.as_str()).collect::<Vec<_>>(), ["lost"]);
    assert!(design.elements.contains_key(&id("lost")));
}

/// A job that was drawn and named like the group takes the reading; a planned channel turns out to exist.
#[test]
fn what_was_drawn_before_is_found_again() {
    let mut design = Design::default();
    let topic = "Topic: orders\tPartitionCount: 1\tReplicationFactor: 1\n";
    let groups = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\nbilling orders 0 1 2 1 - - -\n";
    accept(&mut design, &[pasted(topic), pasted(groups)], "2026-12-01");
    let elements = design.elements.len();
    let forget = design.links.keys().next().unwrap().clone();
    let mut link = design.links[&forget].clone();
    link.observed.clear();
    design
        .apply(Edit::All(vec![
            Edit::Subject {
                section: pipeline_desk::model::Section::Links,
                id: forget.clone(),
                to: Some(Box::new(link)),
            },
            Edit::Lifecycle { subject: id("orders"), to: None },
            Edit::Label { subject: id("orders"), label: Label::Cluster, to: None },
        ]))
        .unwrap();
    let proposal = accept(&mut design, &[pasted(groups)], "2026-12-02");
    assert_eq!((design.elements.len(), design.links.len()), (elements, 1));
    assert_eq!(design.get(View::AsIs, &forget, key::read::GROUP).value().as_deref(), Some("billing"));
    assert_eq!(design.lifecycle(&id("orders")), Lifecycle::Existing);
    assert_eq!(design.elements[&id("orders")].cluster, Some(id("kafka")));
    assert!(proposal.asks.is_empty());
}

/// Changelogs of Streams are a job's own state, not channels people work with.
#[test]
fn internal_topics_of_jobs() {
    let text = "Topic: app-counts-changelog\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: cleanup.policy=compact\n\
        Topic: price-changelog\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: cleanup.policy=delete\n";
    let mut design = Design::default();
    accept(&mut design, &[pasted(text)], "2026-12-01");
    let text = codec::encode(&design);
    assert_eq!(text.matches("job_state").count(), 1, "{text}");
}
