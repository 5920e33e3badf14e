//! The setup of a window operator of a design, with what is missing for it and what is taken for granted.

use super::setup::{
    DataStream, MarkForm, MergePolicy, Operator, OutputMode, Query, Setup, Spark, Sql, Streams, StreamsEmit, Watermark,
    Window, WindowFunction, Zone,
};
use crate::model::{
    Design, Element, Field, FieldValue, Id, Key, Known, Link, Port, Shape, Version, View, key,
    units::{Duration, Limit},
    words::{self, Api, Clock, Emit, WatermarkAssigned, WatermarkMerge, WindowKind},
    zone,
};

/// Something without which nothing can be predicted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Where it would be stated.
    pub id: Id,
    /// The setting; none: the system of the job.
    pub field: Option<Field>,
    /// What is wrong with it.
    pub why: &'static str,
}

/// Something that nobody stated and that is taken to be so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The setting.
    pub field: Field,
    /// What is taken.
    pub what: &'static str,
}

/// What a design says of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The setup, or what is missing for it.
    pub setup: Result<Setup, Vec<Missing>>,
    /// What is taken to be so.
    pub taken: Vec<Taken>,
}

/// Where a setting of a window is stated: at the operator, or at the nearest one before it in its job; none: nowhere.
#[must_use]
pub fn stated_at(design: &Design, view: View, operator: &Id, field: Field) -> Option<Id> {
    let known = |id: &Id| !matches!(design.resolve(view, id, field), Known::NotKnown(_));
    match *nearest(design, view, operator, known)? {
        [one] => Some(one.clone()),
        _ => None,
    }
}

/// The operators whose setting reaches one: itself where it is known there, else the nearest before it in its job on each way;
/// `None` where a way brings none.
fn nearest<'d>(design: &'d Design, view: View, at: &'d Id, known: impl Fn(&Id) -> bool) -> Option<Vec<&'d Id>> {
    if known(at) {
        return Some(vec![at]);
    }
    let job = design.job_of(at)?;
    let (mut open, mut seen, mut found) = (vec![at], vec![at], Vec::new());
    while let Some(at) = open.pop() {
        let into = design.links.iter().filter_map(|(link, subject)| {
            let Shape::Link(Link { from, to, .. }) = &subject.shape else { return None };
            (to == at && design.visible(view, link)).then_some(from)
        });
        let mut into = into.peekable();
        into.peek()?;
        for from in into {
            if design.job_of(from) != Some(job) {
                return None;
            }
            if !seen.contains(&from) {
                seen.push(from);
                let list = if known(from) { &mut found } else { &mut open };
                list.push(from);
            }
        }
    }
    Some(found)
}

/// Why something is missing that nobody stated.
pub const NOT_STATED: &str = "not stated";

/// Reads the window of an operator as it is in a view.
///
/// A watermark setting that the operator does not have is taken from the nearest operator before it in its job. Where the
/// whole configuration was read and a key is not in it, the engine's documented default is in force.
#[must_use]
pub fn from_design(design: &Design, view: View, operator: &Id) -> Reading {
    let mut ask = Ask { design, view, at: operator, missing: Vec::new(), taken: Vec::new() };
    let setup = ask.setup();
    let Ask { missing, taken, .. } = ask;
    let setup = match setup {
        Some(setup) if missing.is_empty() => Ok(setup),
        _ => Err(missing),
    };
    Reading { setup, taken }
}

struct Ask<'a> {
    design: &'a Design,
    view: View,
    at: &'a Id,
    missing: Vec<Missing>,
    taken: Vec<Taken>,
}

fn ms(duration: Duration) -> i64 {
    i64::try_from(duration.millis()).unwrap_or(i64::MAX)
}

impl Ask<'_> {
    fn get<T: FieldValue>(&self, key: Key<T>) -> Known<T> {
        self.design.get(self.view, self.at, key)
    }

    fn miss(&mut self, field: Field, why: &'static str) {
        self.missing.push(Missing { id: self.at.clone(), field: Some(field), why });
    }

    fn take(&mut self, field: Field, what: &'static str) {
        self.taken.push(Taken { field, what });
    }

    fn need<T: FieldValue>(&mut self, key: Key<T>) -> Option<T> {
        match self.get(key) {
            Known::Value(fact) => Some(fact.value),
            Known::Conflict(_) => {
                self.miss(key.field(), "readings disagree");
                None
            }
            Known::Unset(_) | Known::NotKnown(_) => {
                self.miss(key.field(), NOT_STATED);
                None
            }
        }
    }

    fn need_ms(&mut self, key: Key<Duration>) -> Option<i64> {
        self.need(key).map(ms)
    }

    /// The lateness: 0 where the code was read and does not set it.
    fn lateness(&mut self) -> Option<i64> {
        match self.get(key::operator::ALLOWED_LATENESS) {
            Known::Unset(_) => Some(0),
            _ => self.need_ms(key::operator::ALLOWED_LATENESS),
        }
    }

    /// A watermark setting of this operator, else of the nearest ones before it, where they agree.
    fn inherited<T: FieldValue + PartialEq>(&self, key: Key<T>) -> Known<T> {
        let get = |id: &Id| self.design.get(self.view, id, key);
        let nearest = nearest(self.design, self.view, self.at, |id| !matches!(get(id), Known::NotKnown(_)));
        let agreed = |one: Known<T>, other: Known<T>| match (&one, &other) {
            (Known::Value(a), Known::Value(b)) if a.value == b.value => one,
            _ => Known::NotKnown(key.field().row().nature),
        };
        nearest.into_iter().flatten().map(get).reduce(agreed).unwrap_or_else(|| self.get(key))
    }

    fn delay(&mut self) -> Option<i64> {
        match self.inherited(key::operator::WATERMARK_DELAY) {
            Known::Value(fact) => Some(ms(fact.value)),
            _ => self.need_ms(key::operator::WATERMARK_DELAY),
        }
    }

    fn setup(&mut self) -> Option<Setup> {
        match self.get(key::operator::CLOCK).value() {
            Some(Clock::EventTime) => {}
            Some(_) => {
                self.miss(key::operator::CLOCK.field(), "without event time there is no watermark and nothing is late");
                return None;
            }
            None => self.miss(key::operator::CLOCK.field(), NOT_STATED),
        }
        let window = self.window();
        let system = self.design.system(self.at).map(|system| system.to_string());
        match system.as_deref() {
            Some("flink") => self.flink(window),
            Some("kafka_streams" | "ksqldb") => self.streams(window),
            Some("spark") => self.spark(window),
            _ => {
                let id = self.design.job_of(self.at).unwrap_or(self.at).clone();
                let why = "windows of Flink, Kafka Streams and Spark are predicted";
                self.missing.push(Missing { id, field: None, why });
                None
            }
        }
    }

    fn window(&mut self) -> Option<Window> {
        let kind = self.need(key::operator::WINDOW)?;
        let offset = self.get(key::operator::WINDOW_OFFSET).value().map_or(0, ms);
        Some(match kind {
            WindowKind::Tumbling => Window::Tumbling { size: self.need_ms(key::operator::WINDOW_SIZE)?, offset },
            WindowKind::Hopping => {
                let size = self.need_ms(key::operator::WINDOW_SIZE);
                let advance = self.need_ms(key::operator::WINDOW_STEP);
                Window::Hopping { size: size?, advance: advance?, offset }
            }
            WindowKind::Cumulating => {
                let max = self.need_ms(key::operator::WINDOW_SIZE);
                let step = self.need_ms(key::operator::WINDOW_STEP);
                Window::Cumulating { max: max?, step: step?, offset }
            }
            WindowKind::Session => Window::Session { gap: self.need_ms(key::operator::WINDOW_GAP)? },
            WindowKind::Sliding => Window::Sliding { difference: self.need_ms(key::operator::WINDOW_SIZE)? },
            WindowKind::Nothing | WindowKind::Global => {
                self.miss(key::operator::WINDOW.field(), "such a window never closes");
                return None;
            }
        })
    }

    fn late_output(&self) -> bool {
        self.design.links.iter().any(|(id, subject)| {
            let Shape::Link(link) = &subject.shape else { return false };
            link.from == *self.at && link.port == Some(Port::Late) && self.design.visible(self.view, id)
        })
    }

    fn watermark(&mut self) -> Option<Watermark> {
        let delay = self.delay()?;
        let assigned = self.inherited(key::operator::WATERMARK_ASSIGNED).value();
        if assigned.is_none() {
            self.take(
                key::operator::WATERMARK_ASSIGNED.field(),
                "the watermark is assigned at the source, by partition",
            );
        }
        let idle_after = match self.inherited(key::operator::IDLE_TIMEOUT) {
            Known::Value(fact) => match fact.value {
                Limit::Of(after) => Some(ms(after).max(1)),
                Limit::None | Limit::Unlimited => None,
            },
            Known::Unset(_) => None,
            Known::Conflict(_) | Known::NotKnown(_) => {
                self.take(key::operator::IDLE_TIMEOUT.field(), "a silent partition is waited for without end");
                None
            }
        };
        let after_merge = assigned == Some(WatermarkAssigned::AfterShuffle);
        Some(Watermark { delay: Some(delay), after_merge, idle_after, ..Watermark::default() })
    }

    fn flink(&mut self, window: Option<Window>) -> Option<Setup> {
        let late_output = self.late_output();
        let api = match self.get(key::operator::API).value() {
            Some(api) => api,
            None => {
                let what = "the window is written in the DataStream API";
                self.take(key::operator::API.field(), what);
                Api::Datastream
            }
        };
        let watermark = self.watermark();
        let operator = match api {
            Api::Datastream | Api::Dsl => {
                let lateness = self.lateness();
                let purging = self.get(key::operator::EMIT).value() == Some(Emit::Delta);
                let (window, lateness) = (window?, lateness?);
                Operator::DataStream(DataStream::Window { window, lateness, late_output, purging, then: None })
            }
            Api::TableFunction => Operator::Sql(Sql::WindowFunction(self.window_function(window)?)),
            Api::GroupWindow => {
                let (lateness, zone) = (self.lateness(), self.zone());
                let late_fire = lateness.filter(|lateness| *lateness > 0);
                Operator::Sql(Sql::GroupWindow { window: window?, late_fire, zone: zone? })
            }
        };
        let mut watermark = watermark?;
        if !matches!(operator, Operator::DataStream(_)) {
            watermark.form = MarkForm::AtBound;
        }
        Some(Setup::new(operator, watermark))
    }

    fn window_function(&mut self, window: Option<Window>) -> Option<WindowFunction> {
        let zone = self.zone();
        let two_phase = self.get(key::operator::PRE_AGGREGATES).value().unwrap_or_else(|| {
            self.take(key::operator::PRE_AGGREGATES.field(), "rows are added up before the shuffle");
            true
        });
        let window = window?;
        let offset = match window {
            Window::Tumbling { offset, .. } | Window::Hopping { offset, .. } | Window::Cumulating { offset, .. } => {
                offset
            }
            Window::Session { .. } | Window::Sliding { .. } => 0,
        };
        let mut flush_heeds_offset = true;
        if offset != 0 {
            let job = self.design.job_of(self.at)?;
            let version = self.design.get(self.view, job, key::job::VERSION).value();
            // FLINK-36664.
            let read = version.as_deref().and_then(Version::read);
            flush_heeds_offset = read.is_some_and(|version| version >= Version(2, 3));
            if version.is_none() {
                self.take(key::job::VERSION.field(), "Flink is older than 2.3");
            }
        }
        let zone = zone?;
        Some(WindowFunction { window, two_phase, zone, flush_heeds_offset, late_fire: false, then: None })
    }

    /// The zone of a local time attribute, as far as it can be told without a table of zones.
    fn zone(&mut self) -> Option<Zone> {
        if self.get(key::operator::LOCAL_ROWTIME).value() != Some(true) {
            return Some(Zone::default());
        }
        let zone = self.need(key::operator::TIME_ZONE)?;
        let offset = zone::fixed_offset(&zone);
        if offset.is_none() {
            self.miss(key::operator::TIME_ZONE.field(), "only UTC and fixed offsets such as +08:00 are predicted");
        }
        Some(Zone { offset: offset?, daylight_saving: false })
    }

    fn streams(&mut self, window: Option<Window>) -> Option<Setup> {
        let grace = self.need_ms(key::operator::ALLOWED_LATENESS);
        let emit = match self.need(key::operator::EMIT)? {
            Emit::Suppress => StreamsEmit::Suppress,
            Emit::OnClose => StreamsEmit::OnWindowClose,
            Emit::EveryUpdate | Emit::EarlyAndClose | Emit::Delta => StreamsEmit::EveryUpdate,
        };
        let operator = Operator::Streams(Streams::Window { window: window?, grace: grace?, emit });
        Some(Setup::new(operator, Watermark { delay: None, ..Watermark::default() }))
    }

    fn spark(&mut self, window: Option<Window>) -> Option<Setup> {
        let delay = self.delay();
        let mode = match self.need(key::operator::OUTPUT_MODE) {
            Some(words::OutputMode::Append) => Some(OutputMode::Append),
            Some(words::OutputMode::Upsert) => Some(OutputMode::Update),
            Some(words::OutputMode::Complete) => Some(OutputMode::Complete),
            Some(words::OutputMode::Retract) => {
                self.miss(key::operator::OUTPUT_MODE.field(), "Spark has append, update and complete");
                None
            }
            None => None,
        };
        let job = self.design.job_of(self.at)?;
        let no_data = self.design.get(self.view, job, key::job::NO_DATA_BATCHES);
        let merge = self.design.get(self.view, job, key::job::WATERMARK_MERGE).value();
        if matches!(no_data, Known::NotKnown(_) | Known::Conflict(_)) {
            self.take(key::job::NO_DATA_BATCHES.field(), "a batch without data runs where the watermark has moved");
        }
        let no_data_batches = no_data.value().unwrap_or(true);
        let query = Query::Window { window: window?, then: None };
        let operator = Operator::Spark(Spark { query, mode: mode?, no_data_batches, backlog: false });
        let policy = if merge == Some(WatermarkMerge::Max) { MergePolicy::Max } else { MergePolicy::Min };
        Some(Setup::new(operator, Watermark { delay: Some(delay?), policy, ..Watermark::default() }))
    }
}

/// The operators of a design that have a window by event time, in id order.
pub fn windows(design: &Design, view: View) -> impl Iterator<Item = &Id> {
    let operators =
        design.elements.iter().filter(|(_, subject)| matches!(subject.shape, Shape::Element(Element::Operator { .. })));
    operators.map(|(id, _)| id).filter(move |id| has_window(design, view, id))
}

/// Has an operator a window that closes?
#[must_use]
pub fn has_window(design: &Design, view: View, id: &Id) -> bool {
    let window = design.get(view, id, key::operator::WINDOW).value();
    design.visible(view, id) && !matches!(window, None | Some(WindowKind::Nothing | WindowKind::Global))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Design {
        crate::codec::decode(crate::catalog::examples()[0].text).unwrap()
    }

    fn named(design: &Design, id: &str) -> Id {
        design.elements.keys().find(|at| at.as_str() == id).unwrap().clone()
    }

    #[test]
    fn the_window_of_the_example_is_read_in_both_views() {
        let design = example();
        let sum = named(&design, "sum");
        assert_eq!(windows(&design, View::AsIs).collect::<Vec<_>>(), [&sum]);
        // 5 min, 30 s; lateness 0 and nowhere for late orders as it is, 10 min and a late channel as it shall be.
        for (view, lateness, late_output) in [(View::AsIs, 0, false), (View::ToBe, 600_000, true)] {
            let reading = from_design(&design, view, &sum);
            let setup = reading.setup.unwrap();
            let window = Window::Tumbling { size: 300_000, offset: 0 };
            let expected = DataStream::Window { window, lateness, late_output, purging: false, then: None };
            assert_eq!(setup.operator, Operator::DataStream(expected));
            assert_eq!(setup.watermark, Watermark { delay: Some(30_000), ..Watermark::default() });
            let taken: Vec<&str> = reading.taken.iter().map(|taken| taken.field.name()).collect();
            assert_eq!(taken, ["api", "idle_timeout"]);
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let mut design = example();
        let sum = named(&design, "sum");
        let subject = design.elements.get_mut(&sum).unwrap();
        subject.observed.clear();
        subject.proposed = crate::model::Facts::default();
        let missing = from_design(&design, View::ToBe, &sum).setup.unwrap_err();
        let fields: Vec<&str> = missing.iter().filter_map(|missing| Some(missing.field?.name())).collect();
        assert_eq!(fields, ["clock", "window", "watermark_delay", "allowed_lateness"]);
    }
}
