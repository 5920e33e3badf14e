//! Designs of any shape: every kind, legal links, every field with any value of its type.

use pipeline_desk::model::{
    Columns, Date, Design, Element, ElementKind, Evidence, EvidenceBasis, EvidenceState, Facts, FieldType, FieldValue,
    Id, Keys, Link, List, Port, Schema, Shape, Shares, Step, Subject, Text, Value, legal,
    units::{ByteRate, Duration, Limit, Rate, Size},
};
use proptest::prelude::*;

/// Any design with up to 14 elements.
pub fn any_design() -> impl Strategy<Value = Design> {
    let elements = prop::collection::vec((0..ElementKind::ALL.len(), 0..Step::ALL.len(), name()), 0..14);
    let links = prop::collection::vec((any::<usize>(), any::<usize>(), 0..6usize), 0..24);
    (elements, links, any::<u64>()).prop_map(|(elements, links, seed)| build(&elements, &links, seed))
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z_]{1,12}", "[ -~]{1,16}", "[|`*<>#\\[\\]&\n_é]{1,8}"]
}

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

/// A small generator of numbers, so that one seed decides every value.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides.max(1)
    }
}

fn build(elements: &[(usize, usize, String)], links: &[(usize, usize, usize)], seed: u64) -> Design {
    let mut design = Design::default();
    let mut dice = Dice(seed);
    add_evidence(&mut design, &mut dice);
    add_elements(&mut design, elements, &mut dice);
    design.events.insert(id("ev"), Subject::new(Shape::Event));
    add_links(&mut design, links);
    let snapshot = design.clone();
    for subject in design.elements.values_mut().chain(design.links.values_mut()).chain(design.events.values_mut()) {
        facts(&snapshot, subject, &mut dice);
    }
    design
}

fn add_evidence(design: &mut Design, dice: &mut Dice) {
    for (e, (basis, state)) in [
        (EvidenceBasis::Read, None),
        (EvidenceBasis::Assumed, None),
        (EvidenceBasis::Stated, Some(EvidenceState::Unreachable)),
    ]
    .into_iter()
    .enumerate()
    {
        let entry = Evidence { basis: Some(basis), from: Some("a | command".into()), state, ..Evidence::default() };
        design.records.evidence.insert(id(&format!("e{e}")), entry);
    }
    if dice.roll(2) == 0 {
        design.records.evidence.remove(&id("e2"));
    }
}

fn add_elements(design: &mut Design, elements: &[(usize, usize, String)], dice: &mut Dice) {
    let jobs: Vec<Id> = elements
        .iter()
        .enumerate()
        .filter(|(_, (kind, ..))| ElementKind::ALL[*kind] == ElementKind::Job)
        .map(|(n, _)| id(&format!("x{n}")))
        .collect();
    for (n, (kind, step, name)) in elements.iter().enumerate() {
        let element = match ElementKind::ALL[*kind] {
            ElementKind::Source => Element::Source { event: Some(id("ev")) },
            ElementKind::Channel => Element::Channel { role: None },
            ElementKind::Job => Element::Job,
            ElementKind::Operator => match jobs.get(n % jobs.len().max(1)) {
                Some(job) => Element::Operator { job: job.clone(), step: Step::ALL[*step], emits: None },
                None => continue,
            },
            ElementKind::Sink => Element::Sink,
            ElementKind::Consumer => Element::Consumer { question: Some(name.as_str().into()) },
            ElementKind::Batch => Element::Batch,
        };
        let mut subject = Subject::new(Shape::Element(element));
        subject.name = Some(name.as_str().into());
        let systems = ["kafka", "flink", "kafka_connect", "postgres", "nobody_knows_it", "s3"];
        subject.system = systems.get(dice.roll(8) as usize).map(|system| (*system).into());
        design.elements.insert(id(&format!("x{n}")), subject);
    }
}

fn add_links(design: &mut Design, links: &[(usize, usize, usize)]) {
    let ids: Vec<Id> = design.elements.keys().cloned().collect();
    for (n, (from, to, port)) in links.iter().enumerate().filter(|_| !ids.is_empty()) {
        let (from, to) = (&ids[from % ids.len()], &ids[to % ids.len()]);
        let port =
            [None, None, Some(Port::Late), Some(Port::DeadLetter), Some(Port::Side), Some(Port::Reconcile)][*port];
        let (Some(a), Some(b)) = (design.kind(from), design.kind(to)) else { continue };
        let same_job = design.job_of(from) == design.job_of(to);
        if from != to && legal::refuse_link(a, b, port, same_job).is_none() {
            let link = Link { from: from.clone(), to: to.clone(), port, into: None };
            design.links.insert(id(&format!("l{n}")), Subject::new(Shape::Link(link)));
        }
    }
}

fn facts(design: &Design, subject: &mut Subject, dice: &mut Dice) {
    let chance = 2 + dice.roll(4);
    for group in design.groups(&subject.clone()) {
        for field in group.fields() {
            if dice.roll(chance) != 0 {
                continue;
            }
            let value = value(field.row().ty, dice);
            let slot: &mut Facts = match dice.roll(3) {
                0 => &mut subject.proposed,
                1 => subject.observed.entry(id("e0")).or_default(),
                _ => subject.observed.entry(id("e1")).or_default(),
            };
            slot.set(field, Some(value));
        }
    }
}

fn value(ty: FieldType, dice: &mut Dice) -> Value {
    let n = [0, 1, 2, 5, 60, 1_000, 86_400, 1 << 40][dice.roll(8) as usize];
    let text: Text = ["a", "a | b", "`x`", "<b>", "1970-01-01"][dice.roll(5) as usize].into();
    match ty {
        FieldType::Duration => Duration::from_millis(n).into_value(),
        FieldType::Size => Size::from_bytes(n).into_value(),
        FieldType::Rate => "7/s".parse::<Rate>().unwrap().into_value(),
        FieldType::ByteRate => "2MB/s".parse::<ByteRate>().unwrap().into_value(),
        FieldType::Limit => match dice.roll(3) {
            0 => Limit::<Duration>::Unlimited,
            1 => Limit::None,
            _ => Limit::Of(Duration::from_millis(n)),
        }
        .into_value(),
        FieldType::SizeLimit => match dice.roll(3) {
            0 => Limit::<Size>::Unlimited,
            1 => Limit::None,
            _ => Limit::Of(Size::from_bytes(n)),
        }
        .into_value(),
        FieldType::Count => n.into_value(),
        FieldType::Number => (n as f64 / 3.0).into_value(),
        FieldType::Ratio => Value::Number(dice.roll(101) as f64 / 100.0),
        FieldType::Bool => (n > 2).into_value(),
        FieldType::Text => text.into_value(),
        FieldType::Date => Date::new("2026-11-30").unwrap().into_value(),
        FieldType::Columns => Columns([text].into()).into_value(),
        FieldType::Keys => Keys(vec![Columns([text].into())]).into_value(),
        FieldType::List => List(vec![text]).into_value(),
        FieldType::Schema => Schema(vec![(text, "string".into())]).into_value(),
        FieldType::Shares => Shares([(text, 0.25)].into()).into_value(),
        FieldType::Words(words) => Value::Word(words[dice.roll(words.len() as u64) as usize]),
        FieldType::Measured(inner) if dice.roll(2) == 0 => value(*inner, dice),
        FieldType::Measured(inner) => {
            let mut map = pipeline_desk::sorted::SortedMap::new();
            for name in ["mean", "max", "p99", "0", "3"] {
                if dice.roll(2) == 0 {
                    map.insert(pipeline_desk::model::Statistic::named(name).unwrap(), value(*inner, dice));
                }
            }
            if map.is_empty() { value(*inner, dice) } else { Value::Statistics(map) }
        }
    }
}
