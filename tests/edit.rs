//! Edits: what they change, what they refuse, and that their inverse restores the document to the byte.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests say what must hold by panicking")]

use pipeline_desk::sorted::{SortedMap, SortedSet};
use pipeline_desk::{
    codec::{decode, encode},
    edit::{CopiedFacts, Draft, Edit, EditError, History, Label, Record, draft},
    model::{
        Design, Element, ElementKind, Evidence, EvidenceBasis, Id, Lifecycle, Measured, Place, Port, RawValue, Section,
        Shape, Slot, Step, Subject, key, units::Limit,
    },
};

const CHECKOUT: &str = include_str!("../src/catalog/examples/checkout_revenue.json");

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

fn checkout() -> Design {
    decode(CHECKOUT).unwrap()
}

fn remove(section: Section, name: &str) -> Edit {
    Edit::Subject { section, id: id(name), to: None }
}

/// Applies, checks that the result is a valid document, that the inverse restores every byte, and that the inverse of
/// the inverse leads there again.
fn there_and_back(edit: Edit) -> Design {
    let mut design = checkout();
    let inverse = design.apply(edit).unwrap();
    let changed = encode(&design);
    assert_eq!(decode(&changed).unwrap(), design);
    let again = design.apply(inverse).unwrap();
    assert_eq!(encode(&design), CHECKOUT);
    design.apply(again).unwrap();
    assert_eq!(encode(&design), changed);
    design
}

fn refused(edit: Edit) -> String {
    let mut design = checkout();
    let error: EditError = design.apply(edit).unwrap_err();
    assert_eq!(encode(&design), CHECKOUT, "a refused edit has left a trace");
    error.to_string()
}

#[test]
fn removing_an_element_takes_its_links_and_layout_along() {
    let design = there_and_back(remove(Section::Elements, "orders"));
    assert!(!design.links.contains_key(&id("l2")) && !design.links.contains_key(&id("l3")));
    assert!(!design.layout.boxes.contains_key(&id("orders")));
    there_and_back(Edit::All(vec![
        Edit::Route { link: id("l2"), to: Some(vec![1, 2, 3, 4]) },
        Edit::Colour { element: id("orders"), to: Some("blue".into()) },
        Edit::Lock { element: id("orders"), to: true },
        remove(Section::Elements, "orders"),
    ]));
}

#[test]
fn what_is_in_use_stays_unless_its_users_go_too() {
    assert!(refused(remove(Section::Elements, "revenue")).contains("revenue is still in use by"));
    there_and_back(Edit::All(vec![
        remove(Section::Elements, "revenue"),
        remove(Section::Elements, "dedup"),
        remove(Section::Elements, "sum"),
    ]));
    assert!(refused(Edit::Record(Record::Evidence(id("e_code"), None))).contains("e_code is still in use"));
    there_and_back(Edit::Record(Record::Evidence(id("e_batch"), None)));
    assert!(refused(remove(Section::Events, "order")).contains("order is still in use by checkout db"));
    assert!(refused(remove(Section::Clusters, "kafka")).contains("kafka is still in use"));
}

#[test]
fn settings_are_set_cleared_and_refused() {
    let retention = key::channel::RETENTION_TIME;
    there_and_back(draft::propose(&id("orders"), retention, Limit::Unlimited));
    let lag = key::read::LAG.field();
    let cleared = draft::set(&id("l3"), Slot::Observed(id("e_groups")), lag, None);
    assert!(!there_and_back(cleared).links[&id("l3")].observed.contains_key(&id("e_groups")));
    there_and_back(draft::set(&id("orders"), Slot::Observed(id("e_prom")), retention.field(), None));
    let observed = |evidence: &str| draft::observe(&id("orders"), &id(evidence), retention, Limit::Unlimited);
    assert!(refused(observed("e99")).contains("elements.orders.observed.e99: there is no evidence e99"));
    let wrong = draft::propose(&id("sum"), retention, Limit::Unlimited);
    assert!(refused(wrong).contains("an operator has no setting retention time"));
    let value = Some(pipeline_desk::model::Value::Bool(true));
    assert!(refused(draft::set(&id("orders"), Slot::Proposed, retention.field(), value)).contains("needs a duration"));
    let nobody = draft::propose(&id("nobody"), retention, Limit::Unlimited);
    assert!(refused(nobody).contains("nobody: there is nothing of this id"));
    there_and_back(Edit::Raw {
        subject: id("revenue"),
        evidence: id("e_flink"),
        key: "web.port".into(),
        value: Some(RawValue::Number(8081.0)),
    });
}

#[test]
fn labels_and_layout() {
    let label = |subject: &str, label, to: &str| Edit::Label { subject: id(subject), label, to: Some(to.into()) };
    assert_eq!(there_and_back(label("orders", Label::Name, "All orders")).title(&id("orders")), "All orders");
    assert_eq!(
        there_and_back(label("checkout_db", Label::Name, "checkout_db")).elements[&id("checkout_db")].name,
        None
    );
    there_and_back(label("orders", Label::Cluster, "connect"));
    there_and_back(label("board", Label::Question, ""));
    assert!(refused(label("orders", Label::Cluster, "nowhere")).contains("there is no cluster nowhere"));
    assert!(refused(label("sum", Label::System, "flink")).contains("elements.sum.system"));
    assert!(refused(label("orders", Label::System, "Apache Kafka")).contains("catalogue id"));
    assert!(refused(label("orders", Label::Question, "why?")).contains("only a consumer"));
    assert!(refused(label("orders", Label::Name, &"x".repeat(201))).contains("201 characters"));
    let place = |x, size| Some(Place { x, y: 0, size });
    there_and_back(Edit::Place { element: id("orders"), to: place(5, None) });
    there_and_back(Edit::Place { element: id("orders"), to: None });
    assert!(refused(Edit::Place { element: id("orders"), to: place(i32::MIN, None) }).contains("outside the canvas"));
    assert!(refused(Edit::Place { element: id("orders"), to: place(0, Some((0, 5))) }).contains("no size"));
    assert!(refused(Edit::Place { element: id("l1"), to: place(0, None) }).contains("there is no element l1"));
    assert!(refused(Edit::Route { link: id("l1"), to: Some(vec![1]) }).contains("points"));
    there_and_back(Edit::Title(None));
}

#[test]
fn links_and_ids_are_checked() {
    let link = |from: &str, to: &str| Edit::Subject {
        section: Section::Links,
        id: id("l99"),
        to: Some(Box::new(Subject::link(id(from), id(to)))),
    };
    there_and_back(link("orders", "sum"));
    assert!(refused(link("orders", "orders_dlq")).contains("Put a job or a bridge between them"));
    assert!(refused(link("orders", "orders")).contains("cannot follow itself"));
    assert!(refused(link("orders", "nowhere")).contains("links.l99.to: there is no element nowhere"));
    assert!(refused(link("dedup", "upsert_rows")).contains("Put a channel between the jobs"));
    let twice =
        Edit::Subject { section: Section::Events, id: id("orders"), to: Some(Box::new(Subject::new(Shape::Event))) };
    assert!(refused(twice).contains("orders: this id stands twice"));
    // Becoming something else is checked with everything that refers to it.
    let sink = Subject::new(Shape::Element(Element::Sink));
    let reshaped = Edit::Subject { section: Section::Elements, id: id("orders"), to: Some(Box::new(sink)) };
    assert!(refused(reshaped).starts_with("links.l"));
}

#[test]
fn a_gesture_is_one_entry_and_undo_restores_every_byte() {
    let (mut design, mut history) = (checkout(), History::default());
    for x in 0..1000 {
        let edit = Edit::Place { element: id("orders"), to: Some(Place { x, y: 1, size: None }) };
        history.apply(&mut design, edit, "Move orders", Some("drag")).unwrap();
    }
    history.seal();
    let retention = draft::propose(&id("orders"), key::channel::RETENTION_TIME, Limit::None);
    history.apply(&mut design, retention, "Set retention time", None).unwrap();
    assert_eq!((history.len(), history.undo_label()), (2, Some("Set retention time")));
    let after = encode(&design);
    assert_eq!(history.undo(&mut design).unwrap().map(|done| done.label).as_deref(), Some("Set retention time"));
    assert_eq!(history.undo(&mut design).unwrap().map(|done| done.label).as_deref(), Some("Move orders"));
    assert_eq!(history.undo(&mut design).unwrap(), None);
    assert_eq!(encode(&design), CHECKOUT);
    assert_eq!(history.redo(&mut design).unwrap().map(|done| done.label).as_deref(), Some("Move orders"));
    assert_eq!(history.redo(&mut design).unwrap().map(|done| done.label).as_deref(), Some("Set retention time"));
    assert_eq!(history.redo(&mut design).unwrap(), None);
    assert_eq!(encode(&design), after);
}

#[test]
fn what_changes_nothing_leaves_no_entry() {
    let (mut design, mut history) = (checkout(), History::default());
    let place = |x| Edit::Place { element: id("orders"), to: Some(Place { x, y: 138, size: None }) };
    history.apply(&mut design, place(1), "Move", None).unwrap();
    history.undo(&mut design).unwrap();
    let same = Edit::All(vec![place(574), Edit::Title(design.name.clone())]);
    history.apply(&mut design, same, "Move", None).unwrap();
    history.apply(&mut design, Edit::All(vec![]), "Nothing", None).unwrap();
    assert_eq!((history.len(), history.redo_label()), (0, Some("Move")));
    // The same rate, written otherwise, is another text in the file.
    let rate = draft::observe(
        &id("orders_dlq"),
        &id("e_prom"),
        key::channel::RATE,
        Measured { plain: Some("0/h".parse().unwrap()), statistics: SortedMap::new() },
    );
    history.apply(&mut design, rate, "Set rate", None).unwrap();
    assert_eq!(history.len(), 1);
    history.undo(&mut design).unwrap();
    assert_eq!(encode(&design), CHECKOUT);
}

#[test]
fn ids_in_the_history_are_not_handed_out_again() {
    let (mut design, mut history) = (checkout(), History::default());
    history.apply(&mut design, remove(Section::Elements, "orders_late"), "Delete", None).unwrap();
    assert!(history.mentions(&id("orders_late")) && history.mentions(&id("l6")));
    let mut draft = Draft::new(&design, &history);
    let late = draft.add_kind(ElementKind::Channel, "orders late", None).unwrap();
    let link = draft.link(&id("sum"), &late, Some(Port::Late)).unwrap();
    assert_eq!((late.as_str(), link.as_str()), ("orders_late-2", "l15"));
    history.apply(&mut design, draft.finish(), "Add", None).unwrap();
    history.undo(&mut design).unwrap();
    history.undo(&mut design).unwrap();
    assert_eq!(encode(&design), CHECKOUT);
}

/// Builds a compound edit and checks it there and back.
fn drafted(build: impl FnOnce(&mut Draft<'_>)) -> Design {
    let design = checkout();
    let mut draft = Draft::without_history(&design);
    build(&mut draft);
    let expected = draft.design().clone();
    let changed = there_and_back(draft.finish());
    assert_eq!(changed, expected);
    changed
}

#[test]
fn compound_edits() {
    let design = drafted(|draft| draft.delete(&[id("revenue"), id("l4")], false).unwrap());
    assert_eq!(design.operators_of(&id("revenue")).count(), 0);
    let design = drafted(|draft| draft.delete(&[id("revenue")], true).unwrap());
    assert_eq!(design.operators_of(&id("revenue")).count(), 2);
    assert!(design.elements[&id("revenue")].observed.is_empty());

    let design = drafted(|draft| {
        let links = draft.delete_and_join(&id("dedup")).unwrap();
        assert_eq!(links.len(), 1, "the dead-letter channel cannot follow a channel");
    });
    let joined = design.links.values().find(|link| link.as_link().unwrap().to == id("sum")).unwrap();
    assert_eq!(joined.as_link().unwrap().from, id("orders"));
    assert!(joined.observed[&id("e_flink")].typed(key::read::GROUP).is_some());

    let design = drafted(|draft| {
        let copies = draft.duplicate(&SortedSet::from([id("revenue"), id("revenue_5m")]), (0, 200)).unwrap();
        let copies: Vec<_> = copies.iter().map(Id::as_str).collect();
        assert_eq!(copies, ["revenue-2", "revenue_5m-2", "dedup-2", "sum-2"]);
    });
    assert_eq!((design.elements.len(), design.links.len()), (21, 16));
    let copy = &design.elements[&id("revenue_5m-2")];
    assert!(copy.observed.is_empty() && copy.lifecycle.is_none());
    assert_eq!(copy.proposed.typed(key::channel::PARTITIONS), Some(6));

    let design = drafted(|draft| {
        let job = draft.add(Element::Job, "Totals", None).unwrap();
        // Both are there today: they stay, and copies of them go.
        let copies = draft.move_to_job(&[id("dedup"), id("sum")].into(), &job).unwrap();
        assert_eq!(copies, [(id("dedup"), id("dedup-2")), (id("sum"), id("sum-2"))].into());
        let alone = draft.move_to_job(&[id("sum-2")].into(), &id("revenue"));
        assert!(alone.is_err(), "one of two that hand over");
        assert!(draft.move_to_job(&[id("orders")].into(), &id("revenue")).is_err());
    });
    assert_eq!(design.operators_of(&id("totals")).count(), 2);
    assert_eq!(design.lifecycle(&id("revenue")), Lifecycle::Retiring);
    assert_eq!(design.lifecycle(&id("sum-2")), Lifecycle::Planned);

    drafted(|draft| {
        let shape = Shape::Element(Element::Operator { job: id("revenue"), step: Step::Filter, emits: None });
        draft.reshape(&id("sum"), shape).unwrap();
        let step = draft.add_kind(ElementKind::Operator, "enrich", None).unwrap();
        assert_eq!(draft.design().job_of(&step), Some(&id("job")));
    });
}

#[test]
fn a_part_pasted_into_another_design_brings_its_evidence() {
    let part = checkout().part(&SortedSet::from([id("orders"), id("dedup"), id("sum")]));
    let text = encode(&part);
    let part = decode(&text).unwrap();
    assert_eq!((part.elements.len(), part.links.len()), (4, 2));
    let mut other = Draft::without_history(&Design::default());
    let ids = other.insert(&part, (10, 10), CopiedFacts::Keep).unwrap();
    assert_eq!(ids.len(), 4);
    let pasted = other.design().clone();
    assert_eq!(pasted.elements[&id("orders")].observed.len(), 3);
    assert_eq!(pasted.layout.boxes[&id("orders")], Place { x: 584, y: 148, size: None });
    assert_eq!(decode(&encode(&pasted)).unwrap(), pasted);
    let mut again = Draft::without_history(&pasted);
    again.insert(&part, (0, 0), CopiedFacts::Keep).unwrap();
    assert_eq!(again.design().records.evidence.len(), pasted.records.evidence.len());
    assert_eq!(again.design().events.len(), pasted.events.len());
}

/// A second one of what is there today is a plan, however it was copied.
#[test]
fn a_part_pasted_beside_what_it_is_a_copy_of_is_a_proposal() {
    let design = checkout();
    let part = design.part(&SortedSet::from([id("orders"), id("dedup"), id("sum")]));
    assert_eq!(design.pasted(&part), CopiedFacts::AsProposal);
    // What was planned since then changes nothing.
    let mut edited = design.clone();
    edited.apply(draft::propose(&id("orders"), key::channel::PARTITIONS, 48)).unwrap();
    assert_eq!(edited.pasted(&part), CopiedFacts::AsProposal);
    // Cut out, or from a design that says something else of today, it brings what was read.
    let mut cut = Draft::without_history(&design);
    cut.delete(&[id("orders")], false).unwrap();
    assert_eq!(cut.design().pasted(&part), CopiedFacts::Keep);
    assert_eq!(Design::default().pasted(&part), CopiedFacts::Keep);
}

#[test]
fn evidence_is_written_once() {
    let mut draft = Draft::without_history(&checkout());
    let entry = Evidence { basis: Some(EvidenceBasis::Read), from: Some("kafka-topics".into()), ..Evidence::default() };
    let first = draft.evidence(entry.clone()).unwrap();
    assert_eq!(draft.evidence(entry).unwrap(), first);
}

#[test]
fn a_design_that_could_not_be_opened_again_is_refused() {
    let mut design = checkout();
    let note = |n: usize| Edit::Raw {
        subject: id("revenue"),
        evidence: id("e_flink"),
        key: format!("key.{n}").as_str().into(),
        value: Some(RawValue::Text("\"".repeat(4000).as_str().into())),
    };
    design.apply(Edit::All((0..500).map(note).collect())).unwrap();
    let accepted = 500 + (500..800).take_while(|n| design.apply(note(*n)).is_ok()).count();
    assert!((501..600).contains(&accepted), "8 kB each: {accepted}");
    assert!(encode(&design).len() <= pipeline_desk::codec::MAX_BYTES);
    assert_eq!(decode(&encode(&design)).unwrap(), design);
    let error = design.apply(note(800)).unwrap_err();
    assert!(error.to_string().contains("part it into several"));
}
