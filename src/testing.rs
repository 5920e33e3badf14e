//! Arbitrary designs and edits for property tests.
//!
//! A design is built from a list of numbers, taken one after the other; where the list ends, zeros follow. Shorter
//! lists and smaller numbers give smaller designs, so a failing case shrinks by itself. Integration tests use this file
//! by `#[path = "../src/testing.rs"] mod testing;`.

use pipeline_desk::sorted::SortedMap;
use pipeline_desk::{
    edit::{Edit, Label, Record},
    model::{
        ChannelRole, Columns, Date, Design, Element, ElementKind, Environment, Facts, FieldType, Id, Input, Keys,
        Lifecycle, Link, List, MAX_COUNT, Nature, Note, Place, Port, RawValue, Schema, Section, Shape, Shares, Slot,
        Statistic, Step, Subject, Text, TrustZone, Value,
        legal::refuse_link,
        units::{ByteRate, Duration, Limit, Rate, Size},
    },
};
use proptest::{collection::vec, prelude::*};

#[path = "testing/records.rs"]
mod records;

/// Numbers that a design or an edit is built from.
#[derive(Clone, Debug)]
pub struct Entropy {
    numbers: Vec<u32>,
    next: usize,
}

impl Entropy {
    /// From a list of numbers.
    pub fn new(numbers: Vec<u32>) -> Self {
        Self { numbers, next: 0 }
    }

    /// The next number, below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        let number = self.numbers.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        number as usize % bound.max(1)
    }

    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == of - 1
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn maybe<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        self.chance(3).then(|| self.pick(all))
    }

    fn some<T>(&mut self, of: usize, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance(of).then(|| make(self))
    }

    fn few<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    fn text(&mut self) -> Text {
        self.pick(&["a", "orders", "ä \"quoted\\", "unlimited", "{}", "p99.9", "☃ long text with words", "0"]).into()
    }

    fn column(&mut self) -> Text {
        self.pick(&["id", "store", "Order ID", "@coordinates", "@offset", "window.start", "lower(email)"]).into()
    }

    fn columns(&mut self) -> Columns {
        Columns(self.few(3, Self::column).into())
    }

    fn date(&mut self) -> Date {
        Date::new(self.pick(&["2026-11-30", "2024-02-29", "2026-12-01T08:00Z", "1999-01-01T23:59:59Z"])).unwrap()
    }

    fn place(&mut self) -> Place {
        let x = self.below(2000) as i32 - 1000;
        let y = self.below(2000) as i32 - 1000;
        let size = self.some(3, |e| (1 + e.below(500) as i32, 1 + e.below(500) as i32));
        Place { x, y, size }
    }

    fn points(&mut self) -> Vec<i32> {
        (0..2 * (1 + self.below(3))).map(|_| self.below(900) as i32).collect()
    }

    fn count(&mut self) -> u64 {
        self.pick(&[0, 1, 3, 12, 1_000_000, MAX_COUNT])
    }

    fn id(&mut self, design: &Design) -> Id {
        let ids: Vec<&Id> = design.elements.keys().chain(design.links.keys()).chain(design.events.keys()).collect();
        if ids.is_empty() || self.chance(12) {
            return Id::new(self.pick(&["nobody", "e1", "l1", "x"])).unwrap();
        }
        ids[self.below(ids.len())].clone()
    }

    fn path(&mut self, design: &Design) -> Text {
        let id = self.id(design);
        if self.chance(2) { format!("{id}.retention_time").into() } else { id.as_str().into() }
    }
}

/// Lists of numbers that designs are built from.
pub fn entropy(most: usize) -> impl Strategy<Value = Entropy> {
    vec(any::<u32>(), 0..most).prop_map(Entropy::new)
}

/// Arbitrary valid designs.
pub fn designs() -> impl Strategy<Value = Design> {
    entropy(600).prop_map(|mut entropy| design(&mut entropy))
}

/// A value of a type.
pub fn value(e: &mut Entropy, ty: FieldType) -> Value {
    match ty {
        FieldType::Duration => Value::Duration(duration(e)),
        FieldType::Size => Value::Size(size(e)),
        FieldType::Rate => Value::Rate(rate(e)),
        FieldType::ByteRate => Value::ByteRate(byte_rate(e)),
        FieldType::Limit => Value::Limit(match e.below(4) {
            0 => Limit::None,
            1 => Limit::Unlimited,
            _ => Limit::Of(duration(e)),
        }),
        FieldType::SizeLimit => Value::SizeLimit(match e.below(4) {
            0 => Limit::None,
            1 => Limit::Unlimited,
            _ => Limit::Of(size(e)),
        }),
        FieldType::Count => Value::Count(e.count()),
        FieldType::Number => Value::Number(e.pick(&[0.0, 1.0, -2.5, 1e-9, 1e15, 0.1, 123_456.789])),
        FieldType::Ratio => Value::Number(e.pick(&[0.0, 1.0, 0.5, 1e-7, 0.333_333_333_333])),
        FieldType::Bool => Value::Bool(e.chance(2)),
        FieldType::Text => Value::Text(e.text()),
        FieldType::Date => Value::Date(e.date()),
        FieldType::Columns => Value::Columns(e.columns()),
        FieldType::Keys => Value::Keys(Keys(e.few(3, |e| {
            let (key, more) = (e.columns(), e.column());
            Columns(key.0.iter().cloned().chain([more]).collect())
        }))),
        FieldType::List => Value::List(List(e.few(3, Entropy::text))),
        FieldType::Schema => {
            let mut columns: Vec<(Text, Text)> = Vec::new();
            for (name, ty) in e.few(4, |e| (e.column(), e.text())) {
                if columns.iter().all(|(other, _)| *other != name) {
                    columns.push((name, ty));
                }
            }
            Value::Schema(Schema(columns))
        }
        FieldType::Shares => {
            Value::Shares(Shares(e.few(3, |e| (e.text(), e.pick(&[0.0, 0.25, 1.0]))).into_iter().collect()))
        }
        FieldType::Words(words) => Value::Word(words[e.below(words.len())]),
        FieldType::Measured(plain) if e.chance(2) => {
            let mut statistics = SortedMap::new();
            for _ in 0..=e.below(3) {
                let statistic = match e.below(6) {
                    0 => Statistic::Mean,
                    1 => Statistic::Min,
                    2 => Statistic::Max,
                    3 => Statistic::Total,
                    4 => Statistic::Percentile(e.pick(&[0, 50_000, 99_000, 99_900, 99_999, 7_050])),
                    _ => Statistic::Partition(e.below(30) as u32),
                };
                statistics.insert(statistic, value(e, *plain));
            }
            Value::Statistics(statistics)
        }
        FieldType::Measured(plain) => value(e, *plain),
    }
}

fn duration(e: &mut Entropy) -> Duration {
    Duration::from_millis(e.pick(&[0, 1, 250, 60_000, 5_400_000, 604_800_000, 86_400_001, u64::MAX]))
}

fn size(e: &mut Entropy) -> Size {
    Size::from_bytes(e.pick(&[0, 1, 600, 1_000_000, 1 << 30, 1_048_588, u64::MAX]))
}

fn rate(e: &mut Entropy) -> Rate {
    match e.below(4) {
        0 => Rate::per_second(e.pick(&[0.0, 300.0, 1.0 / 3.0, 1e-12, 1e40, 0.123_456_789_012])),
        1 => "20000000/d".parse().unwrap(),
        2 => "0.5/min".parse().unwrap(),
        _ => "3/w".parse().unwrap(),
    }
}

fn byte_rate(e: &mut Entropy) -> ByteRate {
    match e.below(3) {
        0 => ByteRate::from_bytes(e.pick(&[0.0, 2e6, 1.0 / 7.0, 1e30])),
        1 => "2MB/s".parse().unwrap(),
        _ => "0.5KiB/s".parse().unwrap(),
    }
}

/// An arbitrary valid design.
pub fn design(e: &mut Entropy) -> Design {
    let mut design = Design {
        name: e.some(2, Entropy::text),
        question: e.some(3, Entropy::text),
        min_reader: e.some(9, |_| 1),
        ..Design::default()
    };
    for n in 1..=e.below(5) {
        let evidence = records::evidence(e, &design);
        design.records.evidence.insert(Id::new(&format!("e{n}")).unwrap(), evidence);
    }
    for n in 0..e.below(3) {
        let environment = e.maybe(Environment::ALL);
        let trust_zone = e.maybe(TrustZone::ALL);
        let cluster = Subject::new(Shape::Cluster { environment, trust_zone });
        fill(e, &mut design, Section::Clusters, Id::new(&format!("cluster{n}")).unwrap(), cluster);
    }
    for n in 0..e.below(3) {
        let id = Id::new(&format!("event-{n}")).unwrap();
        fill(e, &mut design, Section::Events, id, Subject::new(Shape::Event));
    }
    for n in 0..e.below(14) {
        let shape = Shape::Element(element(e, &design));
        fill(e, &mut design, Section::Elements, Id::new(&format!("x{n}")).unwrap(), Subject::new(shape));
    }
    for n in 1..=e.below(24) {
        if let Some(link) = link(e, &design) {
            let id = Id::new(&format!("l{n}")).unwrap();
            fill(e, &mut design, Section::Links, id, Subject::new(Shape::Link(link)));
        }
    }
    records::all(e, &mut design);
    layout(e, &mut design);
    design
}

fn element(e: &mut Entropy, design: &Design) -> Element {
    let event = |e: &mut Entropy| {
        let ids: Vec<&Id> = design.events.keys().collect();
        (!ids.is_empty() && e.chance(2)).then(|| ids[e.below(ids.len())].clone())
    };
    let jobs: Vec<&Id> =
        design.elements.iter().filter(|(_, s)| s.kind() == Some(ElementKind::Job)).map(|x| x.0).collect();
    match e.pick(&ElementKind::ALL) {
        ElementKind::Source => Element::Source { event: event(e) },
        ElementKind::Channel => Element::Channel { role: e.maybe(ChannelRole::ALL) },
        ElementKind::Operator if !jobs.is_empty() => {
            Element::Operator { job: jobs[e.below(jobs.len())].clone(), step: e.pick(Step::ALL), emits: event(e) }
        }
        ElementKind::Job | ElementKind::Operator => Element::Job,
        ElementKind::Sink => Element::Sink,
        ElementKind::Consumer => Element::Consumer { question: e.some(3, Entropy::text) },
        ElementKind::Batch => Element::Batch,
    }
}

fn link(e: &mut Entropy, design: &Design) -> Option<Link> {
    let ids: Vec<&Id> = design.elements.keys().collect();
    if ids.is_empty() {
        return None;
    }
    let (from, to) = (ids[e.below(ids.len())], ids[e.below(ids.len())]);
    let port = e.maybe(Port::ALL);
    let same_job = design.job_of(from).is_some() && design.job_of(from) == design.job_of(to);
    let (a, b) = (design.kind(from)?, design.kind(to)?);
    if from == to || refuse_link(a, b, port, same_job).is_some() {
        return None;
    }
    let into = (b == ElementKind::Operator).then(|| e.maybe(Input::ALL)).flatten();
    Some(Link { from: from.clone(), to: to.clone(), port, into })
}

/// Gives a subject texts and settings and puts it into the design.
fn fill(e: &mut Entropy, design: &mut Design, section: Section, id: Id, mut subject: Subject) {
    subject.name = e.some(3, Entropy::text);
    subject.owner = e.some(5, Entropy::text);
    subject.note = e.some(9, |e| e.pick(&["one line", "two\nlines\tand a tab"]).into());
    subject.lifecycle = e.maybe(&[Lifecycle::Planned, Lifecycle::Existing, Lifecycle::Retiring]);
    if subject.shape.takes_system() {
        subject.system = e.some(2, |e| e.pick(&["kafka", "flink", "postgres", "something_new"]).into());
    }
    let clusters: Vec<&Id> = design.clusters.keys().collect();
    if subject.shape.takes_cluster() && !clusters.is_empty() && e.chance(2) {
        subject.cluster = Some(clusters[e.below(clusters.len())].clone());
    }
    let evidence: Vec<Id> = design.records.evidence.keys().cloned().collect();
    for _ in 0..e.below(6) {
        let slot = match e.below(3) {
            0 => Slot::Proposed,
            _ if evidence.is_empty() => Slot::Proposed,
            _ => Slot::Observed(evidence[e.below(evidence.len())].clone()),
        };
        let (field, value) = setting(e, design, &subject);
        let facts: &mut Facts = match &slot {
            Slot::Proposed => &mut subject.proposed,
            Slot::Observed(evidence) => subject.observed.entry(evidence.clone()).or_default(),
        };
        facts.set(field, Some(value));
    }
    if !evidence.is_empty() && e.chance(4) {
        let under = evidence[e.below(evidence.len())].clone();
        let (key, value) = (e.text(), raw(e));
        subject.raw.entry(under).or_default().insert(key, value);
    }
    // Applying it, rather than putting it, leaves the normal form to the code that is responsible for it.
    design.apply(Edit::Subject { section, id, to: Some(Box::new(subject)) }).unwrap();
}

fn setting(e: &mut Entropy, design: &Design, subject: &Subject) -> (pipeline_desk::model::Field, Value) {
    let groups = design.groups(subject);
    let fields: Vec<_> = groups.into_iter().flat_map(|group| group.fields()).collect();
    // Of two groups with a field of the same name, the first one's counts.
    let field = design.field(subject, fields[e.below(fields.len())].name()).unwrap();
    if field.row().nature == Nature::Configuration && e.chance(6) {
        return (field, Value::Unset);
    }
    (field, value(e, field.row().ty))
}

fn raw(e: &mut Entropy) -> RawValue {
    match e.below(3) {
        0 => RawValue::Text(e.text()),
        1 => RawValue::Number(e.pick(&[0.0, -1.0, 1e18, 0.5])),
        _ => RawValue::Bool(e.chance(2)),
    }
}

fn note(e: &mut Entropy) -> Note {
    Note { text: e.some(2, Entropy::text), place: e.some(2, Entropy::place) }
}

fn layout(e: &mut Entropy, design: &mut Design) {
    let ids: Vec<Id> = design.elements.keys().cloned().collect();
    for id in ids {
        if e.chance(2) {
            design.layout.boxes.insert(id.clone(), e.place());
        }
        if e.chance(6) {
            design.layout.colours.insert(id.clone(), "green".into());
        }
        if e.chance(6) {
            design.layout.locked.insert(id);
        }
    }
    let links: Vec<Id> = design.links.keys().cloned().collect();
    for id in links {
        if e.chance(5) {
            design.layout.routes.insert(id, e.points());
        }
    }
    for n in 0..e.below(2) {
        design.layout.notes.insert(Id::new(&format!("n{n}")).unwrap(), note(e));
    }
}

/// An arbitrary edit of a design, legal or not.
pub fn edit(e: &mut Entropy, design: &Design) -> Edit {
    let subject = e.id(design);
    match e.below(16) {
        0 => Edit::All(e.few(3, |e| edit(e, design))),
        1 | 2 => {
            let section = e.pick(&[Section::Elements, Section::Links, Section::Events, Section::Clusters]);
            Edit::Subject { section, id: subject, to: None }
        }
        3 => {
            let shape = Shape::Element(element(e, design));
            let id = if e.chance(2) { subject } else { Id::new(&format!("x{}", 100 + e.below(9))).unwrap() };
            Edit::Subject { section: Section::Elements, id, to: Some(Box::new(Subject::new(shape))) }
        }
        4 => match link(e, design) {
            Some(link) => {
                let id = Id::new(&format!("l{}", 1 + e.below(40))).unwrap();
                let to = Some(Box::new(Subject::new(Shape::Link(link))));
                Edit::Subject { section: Section::Links, id, to }
            }
            None => Edit::Title(Some(e.text())),
        },
        5 | 6 => {
            let slot = if e.chance(2) { Slot::Proposed } else { Slot::Observed(Id::new("e1").unwrap()) };
            let anything = Subject::new(Shape::Event);
            let (field, value) = setting(e, design, design.subject(&subject).unwrap_or(&anything));
            Edit::Set { subject, slot, field, value: (!e.chance(3)).then_some(value) }
        }
        7 => {
            let (key, value) = (e.text(), e.some(2, raw));
            Edit::Raw { subject, evidence: Id::new("e1").unwrap(), key, value }
        }
        8 => {
            let label =
                e.pick(&[Label::Name, Label::Note, Label::Owner, Label::System, Label::Cluster, Label::Question]);
            Edit::Label { subject, label, to: e.some(2, |e| e.pick(&["kafka", "cluster0", "", "A name"]).into()) }
        }
        9 => Edit::Lifecycle { subject, to: e.maybe(&[Lifecycle::Planned, Lifecycle::Retiring]) },
        10 => match e.below(2) {
            0 => Edit::Title(e.some(2, Entropy::text)),
            _ => Edit::Question(e.some(2, Entropy::text)),
        },
        11 => Edit::Record(match e.below(5) {
            0 => Record::Evidence(Id::new("e1").unwrap(), e.some(2, |e| records::evidence(e, design))),
            1 => Record::Action(Id::new("a1").unwrap(), e.some(2, |e| records::action(e, design))),
            2 => Record::Approval(Id::new("p1").unwrap(), e.some(2, |e| records::approval(e, design))),
            3 => Record::Decision(Id::new("d1").unwrap(), e.some(2, |e| records::decision(e, design))),
            _ => Record::Question(Id::new("q1").unwrap(), e.some(2, |e| records::question(e, design))),
        }),
        12 => Edit::Place { element: subject, to: e.some(2, Entropy::place) },
        13 => Edit::Route { link: subject, to: e.some(2, Entropy::points) },
        14 => match e.below(2) {
            0 => Edit::Colour { element: subject, to: e.some(2, Entropy::text) },
            _ => Edit::Lock { element: subject, to: e.chance(2) },
        },
        _ => Edit::Note { id: Id::new(&format!("n{}", e.below(3))).unwrap(), to: e.some(2, note) },
    }
}
