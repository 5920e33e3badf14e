//! Any graph at all, cycles included, with any facts at all: the analysis ends, says the same again, and never panics.

use crate::renaming::decided;
use pipeline_desk::sorted::SortedMap;
use pipeline_desk::{
    analysis::{analyse, graph::Graph},
    model::{
        ChannelRole, Columns, Date, Design, Element, Evidence, EvidenceBasis, Field, FieldType, Id, Input, Keys,
        Lifecycle, List, Port, Schema, Shape, Shares, Statistic, Step, Subject, Value, View,
        legal::refuse_link,
        units::{ByteRate, Duration, Limit, Rate, Size},
    },
};
use proptest::prelude::*;

/// A small generator of numbers, so that one seed makes one design.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides.max(1)
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.roll(of.len())].clone()
    }

    fn id(&mut self, prefix: char, most: usize) -> Id {
        Id::new(&format!("{prefix}{}", self.roll(most))).unwrap()
    }

    fn value(&mut self, ty: FieldType) -> Value {
        let n = self.pick(&[0u64, 1, 2, 3, 60, 3_600_000, u64::MAX]);
        let columns = Columns(
            [std::sync::Arc::<str>::from(self.pick(&["id", "entity", "@coordinates", "@random", "@record_key"]))]
                .into(),
        );
        match ty {
            FieldType::Duration => Value::Duration(Duration::from_millis(n)),
            FieldType::Size => Value::Size(Size::from_bytes(n)),
            FieldType::Rate => Value::Rate(Rate::per_second(n as f64)),
            FieldType::ByteRate => Value::ByteRate(ByteRate::from_bytes(n as f64)),
            FieldType::Limit => {
                Value::Limit(self.pick(&[Limit::None, Limit::Unlimited, Limit::Of(Duration::from_millis(n))]))
            }
            FieldType::SizeLimit => {
                Value::SizeLimit(self.pick(&[Limit::None, Limit::Unlimited, Limit::Of(Size::from_bytes(n))]))
            }
            FieldType::Count => Value::Count(n),
            FieldType::Number => Value::Number(n as f64),
            FieldType::Ratio => Value::Number(0.5),
            FieldType::Bool => Value::Bool(n > 1),
            FieldType::Text => Value::Text(self.pick(&["3.9", "3.0.0", "x"]).into()),
            FieldType::Date => Value::Date(Date::new("2026-11-30").unwrap()),
            FieldType::Columns => Value::Columns(columns),
            FieldType::Keys => Value::Keys(Keys(vec![columns])),
            FieldType::List => Value::List(List(Vec::new())),
            FieldType::Schema => Value::Schema(Schema(Vec::new())),
            FieldType::Shares => Value::Shares(Shares(SortedMap::new())),
            FieldType::Words(words) => Value::Word(self.pick(words)),
            FieldType::Measured(inner) => {
                let value = self.value(*inner);
                Value::Statistics(SortedMap::from([
                    (Statistic::Percentile(99_000), value.clone()),
                    (Statistic::Max, value),
                ]))
            }
        }
    }
}

fn facts(dice: &mut Dice, design: &Design, subject: &Subject) -> Vec<(Field, Value)> {
    let rows: Vec<Field> = design.groups(subject).iter().flat_map(|group| group.fields()).collect();
    let mut facts = Vec::new();
    for field in rows {
        if dice.roll(3) == 0 {
            continue;
        }
        let unset = dice.roll(12) == 0;
        facts.push((field, if unset { Value::Unset } else { dice.value(field.row().ty) }));
    }
    facts
}

fn element(dice: &mut Dice, jobs: usize) -> (Element, Option<&'static str>) {
    match dice.roll(7) {
        0 => {
            (Element::Source { event: None }, Some(dice.pick(&["postgres", "http", "mqtt", "application", "nowhere"])))
        }
        1 | 2 => {
            let role = dice.pick(&[None, None, Some(ChannelRole::Retry)]);
            (Element::Channel { role }, Some(dice.pick(&["kafka", "kafka", "kinesis", "sqs", "pubsub", "nowhere"])))
        }
        3 => (
            Element::Sink,
            Some(dice.pick(&["postgres", "mysql", "elasticsearch", "http", "s3", "dashboard", "nowhere"])),
        ),
        4 => (Element::Consumer { question: None }, None),
        5 => (Element::Batch, Some("airflow")),
        _ => {
            let job = dice.id('j', jobs);
            let emits = (dice.roll(5) == 0).then(|| Id::new("event").unwrap());
            (Element::Operator { job, step: dice.pick(Step::ALL), emits }, None)
        }
    }
}

fn design(seed: u64, size: usize, links: usize) -> Design {
    let mut dice = Dice(seed);
    let mut design = Design::default();
    let evidence = Id::new("e1").unwrap();
    design
        .records
        .evidence
        .insert(evidence.clone(), Evidence { basis: Some(EvidenceBasis::Read), ..Evidence::default() });
    design.events.insert(Id::new("event").unwrap(), Subject::new(Shape::Event));
    let jobs = 3;
    for number in 0..jobs {
        let mut job = Subject::new(Shape::Element(Element::Job));
        job.system =
            Some(dice.pick(&["flink", "kafka_streams", "kafka_connect", "plain_consumer", "spark", "nowhere"]).into());
        job.lifecycle = Some(Lifecycle::Existing);
        design.elements.insert(Id::new(&format!("j{number}")).unwrap(), job);
    }
    for number in 0..size {
        let (element, system) = element(&mut dice, jobs + 1);
        let mut subject = Subject::new(Shape::Element(element));
        subject.system = system.map(Into::into);
        subject.lifecycle =
            dice.pick(&[None, Some(Lifecycle::Existing), Some(Lifecycle::Existing), Some(Lifecycle::Retiring)]);
        design.elements.insert(Id::new(&format!("n{number}")).unwrap(), subject);
    }
    for number in 0..links {
        let (from, to) = (dice.id('n', size), dice.id('n', size));
        let (Some(a), Some(b)) = (design.kind(&from), design.kind(&to)) else { continue };
        let port = dice.pick(&[None, None, None, Some(Port::Late), Some(Port::DeadLetter), Some(Port::Side)]);
        let same = design.job_of(&from) == design.job_of(&to);
        if refuse_link(a, b, port, same).is_some() {
            continue;
        }
        let mut link = Subject::link(from, to);
        if let Shape::Link(ends) = &mut link.shape {
            ends.port = port;
            ends.into = dice.pick(&[None, None, Some(Input::Table), Some(Input::Left)]);
        }
        design.links.insert(Id::new(&format!("l{number}")).unwrap(), link);
    }
    fill(&mut dice, &mut design, &evidence);
    design
}

fn fill(dice: &mut Dice, design: &mut Design, evidence: &Id) {
    let all = design.clone();
    let (elements, links) = (design.elements.iter_mut(), design.links.iter_mut());
    for (_, subject) in elements.chain(links) {
        let facts = facts(dice, &all, subject);
        let slot = subject.observed.entry(evidence.clone()).or_default();
        for (field, value) in facts {
            slot.set(field, Some(value));
        }
    }
}

/// Without links that nothing but their ids tells from others.
fn told_apart(mut design: Design) -> Design {
    let mut seen = Vec::new();
    let twins: Vec<Id> = design
        .links
        .iter()
        .filter_map(|(id, link)| {
            let Shape::Link(link) = &link.shape else { return None };
            if seen.contains(&link) {
                return Some(id.clone());
            }
            seen.push(link);
            None
        })
        .collect();
    for id in twins {
        design.links.remove(&id);
    }
    design
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_graph_has_an_answer(seed in any::<u64>(), size in 1usize..24, links in 0usize..60) {
        let design = design(seed, size, links);
        for view in [View::AsIs, View::ToBe] {
            let graph = Graph::new(&design, view);
            let mut order = graph.order.clone();
            order.sort_unstable();
            prop_assert!(order.into_iter().eq(0..graph.nodes.len()));
            let report = analyse(&design, view);
            prop_assert_eq!(&report, &analyse(&design, view));
            let consumers = design.elements.iter().filter(|(id, subject)| {
                design.visible(view, id) && matches!(subject.shape, Shape::Element(Element::Consumer { .. }))
            });
            prop_assert_eq!(report.consumers.len(), consumers.count());
            for consumer in report.consumers.values() {
                prop_assert!(!consumer.delivery.sentence.is_empty());
            }
        }
    }

    #[test]
    fn ids_say_nothing_in_any_graph(seed in any::<u64>(), size in 1usize..24, links in 0usize..60, salt in 1u32..1000) {
        let design = told_apart(design(seed, size, links));
        for view in [View::AsIs, View::ToBe] {
            prop_assert_eq!(decided(&design, view, salt), None);
        }
    }
}
