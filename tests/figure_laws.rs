//! Laws of all figures over designs drawn at random: any links, any settings, any statistics.

use pipeline_desk::{
    analysis::{
        Report, analyse,
        explain::{Derived, Explained, Missing, MissingWhy},
    },
    model::{
        Basis, Design, Element, Evidence, EvidenceBasis, FieldType, FieldValue, Id, Shape, Statistic, Step, Subject,
        Value, View, key,
        units::{ByteRate, Duration, Limit, Rate, Size},
    },
};
use proptest::prelude::*;
use std::sync::Arc;

/// A plain generator, so that a failing design is named by its seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }

    fn amount(&mut self) -> u64 {
        [0, 1, 60, 3600, 1 << 20, u64::MAX >> 12][self.roll(6)]
    }

    fn value(&mut self, ty: FieldType) -> Option<Value> {
        let amount = self.amount();
        Some(match ty {
            FieldType::Duration => Value::Duration(Duration::from_millis(amount)),
            FieldType::Size => Value::Size(Size::from_bytes(amount)),
            FieldType::Rate => Value::Rate(Rate::per_second(amount as f64 / 7.0)),
            FieldType::ByteRate => Value::ByteRate(ByteRate::from_bytes(amount as f64 / 7.0)),
            FieldType::Limit => {
                Value::Limit([Limit::None, Limit::Unlimited, Limit::Of(Duration::from_millis(amount))][self.roll(3)])
            }
            FieldType::SizeLimit => {
                Value::SizeLimit([Limit::None, Limit::Unlimited, Limit::Of(Size::from_bytes(amount))][self.roll(3)])
            }
            FieldType::Count => Value::Count(amount),
            FieldType::Number => Value::Number([-1.0, 0.0, 0.5, 1.3][self.roll(4)]),
            FieldType::Ratio => Value::Number([0.0, 0.5, 1.0][self.roll(3)]),
            FieldType::Bool => Value::Bool(self.roll(2) == 0),
            FieldType::Words(words) => Value::Word(words[self.roll(words.len())]),
            FieldType::Measured(inner) => {
                let plain = self.value(*inner)?;
                if self.roll(2) == 0 {
                    return Some(plain);
                }
                let statistics = [Statistic::Mean, Statistic::Max, Statistic::Min, Statistic::Partition(3)];
                let mut map = pipeline_desk::sorted::SortedMap::from([(statistics[self.roll(4)], plain)]);
                map.extend(self.value(*inner).map(|value| (statistics[self.roll(4)], value)));
                Value::Statistics(map)
            }
            _ => return None,
        })
    }
}

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

fn element(dice: &mut Dice, jobs: usize) -> Element {
    match dice.roll(9) {
        0 => Element::Source { event: None },
        1 | 2 => Element::Channel { role: None },
        3 => Element::Sink,
        4 => Element::Consumer { question: None },
        5 => Element::Batch,
        _ => Element::Operator {
            job: id(&format!("job{}", dice.roll(jobs))),
            step: Step::ALL[dice.roll(Step::ALL.len())],
            emits: None,
        },
    }
}

/// Settings of half of the fields of a subject, under two readings, one assumption and a proposal.
fn fill(dice: &mut Dice, design: &Design, subject: &mut Subject) {
    for field in design.groups(subject).into_iter().flat_map(|group| group.fields().collect::<Vec<_>>()) {
        if dice.roll(2) == 0 {
            continue;
        }
        let Some(value) = dice.value(field.row().ty) else { continue };
        let value = if dice.roll(12) == 0 { Value::Unset } else { value };
        match dice.roll(4) {
            0 => drop(subject.proposed.set(field, Some(value))),
            slot => {
                let evidence = id(["e1", "e2", "e3"][slot - 1]);
                subject.observed.entry(evidence).or_default().set(field, Some(value));
            }
        }
    }
}

fn design(seed: u64) -> Design {
    let mut dice = Dice(seed);
    let mut design = Design::default();
    for (evidence, basis) in
        [("e1", EvidenceBasis::Read), ("e2", EvidenceBasis::Stated), ("e3", EvidenceBasis::Assumed)]
    {
        design.records.evidence.insert(id(evidence), Evidence { basis: Some(basis), ..Evidence::default() });
    }
    let jobs = 1 + dice.roll(3);
    for job in 0..jobs {
        let mut subject = Subject::new(Shape::Element(Element::Job));
        let systems = [None, Some("flink"), Some("kafka_streams"), Some("spark"), Some("kafka_connect")];
        subject.system = systems[dice.roll(5)].map(Into::into);
        design.elements.insert(id(&format!("job{job}")), subject);
    }
    let count = 2 + dice.roll(12);
    for number in 0..count {
        let mut subject = Subject::new(Shape::Element(element(&mut dice, jobs)));
        subject.lifecycle = (dice.roll(2) == 0).then_some(pipeline_desk::model::Lifecycle::Existing);
        subject.system = (dice.roll(3) == 0).then(|| ["kafka", "kinesis", "postgres"][dice.roll(3)].into());
        design.elements.insert(id(&format!("n{number}")), subject);
    }
    for number in 0..dice.roll(2 * count) {
        let (from, to) = (dice.roll(count), dice.roll(count));
        let link = Subject::link(id(&format!("n{from}")), id(&format!("n{to}")));
        design.links.insert(id(&format!("l{number}")), link);
    }
    let whole = design.clone();
    for subject in design.elements.values_mut().chain(design.links.values_mut()) {
        fill(&mut dice, &whole, subject);
    }
    design
}

fn figures(report: &Report) -> Vec<Derived> {
    let mut all = Vec::new();
    for channel in report.channels.values() {
        all.extend(
            [&channel.reach, &channel.typical, &channel.longest, &channel.erased, &channel.busiest].map(Clone::clone),
        );
    }
    for operator in report.operators.values() {
        all.push(operator.input_rate.clone());
        all.extend(
            [&operator.state, &operator.entries, &operator.growth, &operator.full_in].into_iter().flatten().cloned(),
        );
    }
    for job in report.jobs.values() {
        all.extend([&job.recovery, &job.parallelism_cap, &job.catch_up, &job.load].map(Clone::clone));
        let standstill =
            [&job.rebalance, &job.deploy_standstill, &job.crash_standstill, &job.state_of_task, &job.drain];
        all.extend(standstill.into_iter().flatten().cloned());
        let some = [&job.state, &job.checkpoint, &job.rewind, &job.outage_bound, &job.required_timeout];
        all.push(job.input_rate.clone());
        all.extend(
            [&job.state_of_instance, &job.store_memory, &job.deploy_pause, &job.checkpoint_size]
                .into_iter()
                .flatten()
                .cloned(),
        );
        all.extend(some.into_iter().flatten().cloned());
    }
    all.extend(report.sources.values().flat_map(|source| [source.reach.clone(), source.longest.clone()]));
    for read in report.reads.values() {
        all.extend([read.behind.clone(), read.behind_time.clone()]);
        all.extend(read.markers.clone());
        all.extend([&read.readable, &read.held].into_iter().flatten().cloned().map(Ok));
    }
    for consumer in report.consumers.values() {
        all.push(consumer.latency.clone());
        all.extend(consumer.complete.iter().map(|(after, _)| after.clone()));
        for start in &consumer.replay {
            all.push(start.reach.clone());
            all.extend(start.after_deduplication.clone());
            all.extend(start.start_within.clone());
            all.extend(start.duration.clone());
        }
    }
    all
}

/// Sound all the way down: no NaN, nothing negative, never better founded than what it comes from.
fn sound(figure: &Arc<Explained>) {
    assert!(figure.value >= 0.0, "{} is {}", figure.what, figure.value);
    let weakest = figure.inputs().iter().filter_map(|input| input.basis).reduce(Basis::weaker);
    if let Some(weakest) = weakest {
        assert!(figure.basis.is_some_and(|basis| basis.strength() <= weakest.strength()), "{}", figure.what);
    }
    figure.inputs().iter().for_each(sound);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Any design has a report, and every figure in it is sound, or names what is missing.
    #[test]
    fn every_figure_is_sound_or_names_what_is_missing(seed in any::<u64>()) {
        let design = design(seed);
        for view in [View::AsIs, View::ToBe] {
            let report = analyse(&design, view);
            prop_assert_eq!(&report, &analyse(&design, view));
            for figure in figures(&report) {
                match figure {
                    Ok(figure) => sound(&figure),
                    Err(why) => prop_assert!(!why.missing.is_empty(), "{}", why.what),
                }
            }
        }
    }

    /// Keeping more never shortens a reach, of a channel or of a replay through it.
    #[test]
    fn more_retention_never_shortens_a_reach(seed in any::<u64>(), days in 0u64..400) {
        let with = |days: u64| {
            let mut design = design(seed);
            for subject in design.elements.values_mut().filter(|s| matches!(s.shape, Shape::Element(Element::Channel { .. }))) {
                let kept = Limit::Of(Duration::from_secs(days * 86_400));
                subject.proposed.set(key::channel::RETENTION_TIME.field(), Some(kept.into_value()));
            }
            analyse(&design, View::ToBe)
        };
        let (less, more) = (with(days), with(days + 30));
        for (id, channel) in &less.channels {
            if let Ok(reach) = &channel.reach {
                prop_assert!(more.channels[id].reach.as_ref().is_ok_and(|longer| longer.value >= reach.value));
            }
        }
    }

    /// Without a single fact nothing is derived: no figure rests on a product's default.
    #[test]
    fn nothing_known_gives_nothing(seed in any::<u64>()) {
        let mut design = design(seed);
        for subject in design.elements.values_mut().chain(design.links.values_mut()) {
            subject.observed.clear();
            subject.proposed = Default::default();
        }
        let report = analyse(&design, View::ToBe);
        for channel in report.channels.values() {
            prop_assert!(channel.reach.is_err() && channel.typical.is_err() && channel.longest.is_err());
        }
        for operator in report.operators.values() {
            prop_assert!(operator.input_rate.is_err());
            // A table of Kafka Streams is unbounded whatever is known; nothing finite comes out.
            prop_assert!(operator.state.iter().flatten().all(|state| state.unbounded()));
        }
        for job in report.jobs.values() {
            prop_assert!(job.recovery.is_err() && job.parallelism_cap.is_err() && job.catch_up.is_err());
        }
    }

    /// What is named as missing is what is missing: with any value for it, no figure asks for it again.
    #[test]
    fn what_is_named_as_missing_closes_the_gap(seed in any::<u64>()) {
        let (mut design, mut dice) = (design(seed), Dice(seed ^ 7));
        let whole = design.clone();
        let report = analyse(&design, View::ToBe);
        let missing: Vec<Missing> = figures(&report)
            .into_iter()
            .filter_map(Result::err)
            .flat_map(|why| why.missing.to_vec())
            .filter(|missing| missing.why == MissingWhy::NotKnown)
            .collect();
        for missing in missing.iter().take(4) {
            let Some(value) = dice.value(missing.field.row().ty) else { continue };
            let subjects = [&mut design.elements, &mut design.links].into_iter().find_map(|all| all.get_mut(&missing.subject));
            // A setting of a cluster that is not drawn, or of a link that is not there, has nowhere to stand.
            let Some(subject) = subjects.filter(|subject| whole.groups(subject).contains(&missing.field.group())) else {
                continue;
            };
            subject.proposed.set(missing.field, Some(value));
            let asked = figures(&analyse(&design, View::ToBe)).into_iter().filter_map(Result::err).any(|why| {
                let same = |other: &Missing| other.why == MissingWhy::NotKnown && other.subject == missing.subject && other.field == missing.field;
                why.missing.iter().any(same)
            });
            // A statistic that does not say what is asked (a least one where the mean counts) closes nothing.
            let plain = matches!(missing.field.row().ty, FieldType::Measured(_));
            prop_assert!(!asked || plain, "{} of {}", missing.field.name(), missing.subject);
        }
    }

    /// More capacity of every job: no recovery, catch-up or backlog takes longer, nothing is lost earlier.
    #[test]
    fn more_capacity_never_worsens_a_figure(seed in any::<u64>(), rate in 1.0..1e6f64, times in 1.0..50.0f64) {
        let with = |rate: f64| {
            let mut design = design(seed);
            for subject in design.elements.values_mut().filter(|s| matches!(s.shape, Shape::Element(Element::Job))) {
                subject.proposed.set(key::job::CAPACITY.field(), Some(Value::Rate(Rate::per_second(rate))));
            }
            analyse(&design, View::ToBe)
        };
        let (little, much) = (with(rate), with(rate * times));
        let longer = |a: &Derived, b: &Derived| matches!((a, b), (Ok(a), Ok(b)) if b.value > a.value * (1.0 + 1e-9));
        for (id, job) in &little.jobs {
            let more = &much.jobs[id];
            prop_assert!(!longer(&job.recovery, &more.recovery) && !longer(&job.catch_up, &more.catch_up) && !longer(&job.load, &more.load));
            for (a, b) in [(&job.drain, &more.drain), (&more.lost_in, &job.lost_in)] {
                prop_assert!(!matches!((a, b), (Some(a), Some(b)) if longer(a, b)), "{id}");
            }
        }
        for (id, consumer) in &little.consumers {
            for (start, more) in consumer.replay.iter().zip(&much.consumers[id].replay) {
                for (a, b) in [(&start.duration, &more.duration), (&more.start_within, &start.start_within)] {
                    prop_assert!(!matches!((a, b), (Some(a), Some(b)) if longer(a, b)), "{id}");
                }
            }
        }
    }

    /// Twice as many bytes an entry are twice as many bytes of state, on a task and in all, where nobody read how many they are.
    #[test]
    fn state_scales_with_its_entries(seed in any::<u64>(), bytes in 1u64..10_000) {
        let with = |bytes: u64| {
            let mut design = design(seed);
            for subject in design.elements.values_mut().filter(|s| matches!(s.shape, Shape::Element(Element::Operator { .. }))) {
                let read = key::operator::STATE_SIZE.field();
                subject.observed.values_mut().for_each(|facts| drop(facts.set(read, None)));
                subject.proposed.set(read, None);
                subject.proposed.set(key::operator::ENTRY_SIZE.field(), Some(Value::Size(Size::from_bytes(bytes))));
            }
            analyse(&design, View::ToBe)
        };
        let (once, twice) = (with(bytes), with(2 * bytes));
        let doubled = |a: &Option<Derived>, b: &Option<Derived>| match (a, b) {
            (Some(Ok(a)), Some(Ok(b))) => a.value.is_infinite() || (b.value - 2.0 * a.value).abs() <= 1e-9 * b.value,
            (Some(Err(_)), Some(Err(_))) | (None, None) => true,
            _ => false,
        };
        for (id, operator) in &once.operators {
            prop_assert!(doubled(&operator.state, &twice.operators[id].state), "{id}");
        }
        for (id, job) in &once.jobs {
            prop_assert!(doubled(&job.state, &twice.jobs[id].state) && doubled(&job.state_of_task, &twice.jobs[id].state_of_task), "{id}");
        }
    }
}
