//! Makes the picture of a window of a design.

use super::{
    super::{
        Reading, answers,
        closed_form::{Answers, MeasuredOn},
        demonstrate,
        demonstration::{Demonstration, Role, zone},
        from_design::{Missing, Taken, from_design, stated_at},
        limits,
        outcome::{Span, Timeline},
        predict,
        setup::{Engine, Operator, Setup, Streams, StreamsEmit, Window},
    },
    Answer, Bar, Measured, Picture, Term, Tick, Vertical,
    rows::Rows,
    scale::Scale,
    words::{Times, length},
};
use crate::model::{Design, Field, Id, Known, View, counted, key, units::human};

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacks {
    /// What is not stated, or cannot be predicted.
    pub missing: Vec<Missing>,
    /// What the engine refuses, in its words.
    pub refused: Option<String>,
}

/// Noon of some day.
const NOON: i64 = 43_200_000;
/// Windows that hold the same records, beside the first.
const MOST_BARS: usize = 4;

/// The picture of the window of an operator; with `silent`, one partition sends a record and then nothing.
///
/// # Errors
///
/// [`Lacks`] where something is not stated, and where the engine refuses the query.
pub fn draw(design: &Design, view: View, operator: &Id, silent: bool) -> Result<Picture, Lacks> {
    let Reading { setup, taken } = from_design(design, view, operator);
    let setup = setup.map_err(|missing| Lacks { missing, refused: None })?;
    let refused = |text: String| Lacks { missing: Vec::new(), refused: Some(text) };
    let may_fall_silent =
        setup.engine() != Engine::KafkaStreams && setup.engine() != Engine::Spark && !setup.watermark.after_merge;
    let shown = demonstrate(&setup, NOON, silent && may_fall_silent).ok_or_else(|| {
        let why = limits::check(&setup, &[]).err().map(|refusal| refusal.to_string());
        refused(why.unwrap_or_else(|| "This window is not predicted.".to_owned()))
    })?;
    let timeline = predict(&shown.setup, &shown.arrivals).map_err(|refusal| refused(refusal.to_string()))?;
    let says = answers(&setup, shown.span).ok_or_else(|| refused("This window is not predicted.".to_owned()))?;
    Ok(Make { design, view, operator, shown, timeline, says }.picture(taken, may_fall_silent))
}

struct Make<'a> {
    design: &'a Design,
    view: View,
    operator: &'a Id,
    shown: Demonstration,
    timeline: Timeline,
    says: Answers,
}

impl Make<'_> {
    fn setup(&self) -> &Setup {
        &self.shown.setup
    }

    /// The window in UTC.
    fn utc(&self, span: Span) -> Span {
        let zone = zone(self.setup());
        Span { start: span.start - zone, end: span.end - zone }
    }

    fn picture(self, taken: Vec<Taken>, may_fall_silent: bool) -> Picture {
        let span = self.utc(self.shown.span);
        let times = Times::from(span.start);
        let events = || self.shown.arrivals.iter().filter_map(|arrival| arrival.event());
        let mut moments = vec![span.start, span.end];
        moments.extend(self.says.first_result.into_iter().chain(self.says.counted_until));
        moments.extend(events().map(|event| event.time).max());
        moments.extend(events().map(|event| event.time).min());
        let spans = self.spans();
        moments.extend(spans.iter().map(|(span, _)| self.utc(*span).start).min());
        crate::sorted::sort(&mut moments);
        let scale = Scale::through(&moments);
        let rows =
            Rows { shown: &self.shown, timeline: &self.timeline, scale: &scale, times, zone: zone(self.setup()) };
        let bars = spans.iter().take(MOST_BARS).map(|(span, says)| self.bar(&rows, *span, *says)).collect();
        let late = events().zip(&self.shown.roles).filter(|(_, role)| **role == Role::LateCounted);
        let late = late.map(|(event, _)| event.time).next().unwrap_or(span.start);
        Picture {
            headline: self.headline(times, late),
            about: self.about(rows.name(self.shown.span)),
            ticks: scale.ticks(times, &moments),
            to_scale: scale.to_scale,
            bars,
            more: spans.len().saturating_sub(MOST_BARS),
            verticals: self.verticals(&scale, times),
            records: rows.all(),
            watermark_name: if self.streams().is_some() { "stream time" } else { "watermark" },
            answers: self.answers(times),
            terms: self.terms(),
            measured: self.measured(&scale, span.end),
            counters: self.counters(),
            appending: self.appending(),
            upserting: self.upserting(),
            taken,
            may_fall_silent,
        }
    }

    /// The windows that hold the first records, each with its answers.
    fn spans(&self) -> Vec<(Span, Answers)> {
        let mut spans = vec![self.shown.span];
        if matches!(self.setup().window(), Some(Window::Hopping { .. } | Window::Cumulating { .. })) {
            let of_window = |role: &Role| !matches!(role, Role::MovesOn | Role::ClosesForGood);
            let fates = self.timeline.fates.iter().zip(&self.shown.roles).filter(|(_, role)| of_window(role));
            for span in fates.flat_map(|(fate, _)| fate.windows.iter().chain(&fate.missed)) {
                if !spans.contains(span) {
                    spans.push(*span);
                }
            }
        }
        crate::sorted::sort(&mut spans);
        spans.into_iter().filter_map(|span| answers(self.setup(), span).map(|says| (span, says))).collect()
    }

    fn bar(&self, rows: &Rows<'_>, span: Span, says: Answers) -> Bar {
        let (name, utc) = (rows.name(span), self.utc(span));
        let lateness = self.setup().lateness();
        let still = says.repeated && says.counted_until.is_none_or(|until| until > utc.end) && lateness > 0;
        Bar {
            name,
            from: rows.scale.x(utc.start),
            to: rows.scale.x(utc.end),
            first: says.first_result.filter(|first| *first > utc.end).map(|first| rows.scale.x(first)),
            until: says.counted_until.map(|until| rows.scale.x(until)),
            length: length(utc.end - utc.start),
            lateness: match still {
                true => format!("still updated, {} {}", self.lateness_word(), length(lateness)),
                false => String::new(),
            },
        }
    }

    fn streams(&self) -> Option<StreamsEmit> {
        match self.setup().operator {
            Operator::Streams(Streams::Window { emit, .. }) => Some(emit),
            _ => None,
        }
    }

    fn lateness_word(&self) -> &'static str {
        if self.streams().is_some() { "grace" } else { "allowed lateness" }
    }

    fn headline(&self, times: Times, late: i64) -> String {
        if self.setup().watermark.partitions > 1 && self.timeline.emissions.is_empty() {
            return "Nothing is sent: the watermark waits for the partition that fell silent.".to_owned();
        }
        let late = times.at(late);
        match self.says.counted_until {
            Some(until) if self.says.measured_on == MeasuredOn::FinishedBatches => {
                format!("A record of {late} counts until a finished micro-batch has seen {}.", times.at(until))
            }
            Some(until) => format!("A record of {late} counts until the clock reaches {}.", times.at(until)),
            None => format!("A record of {late} always counts: no window of this step ever closes."),
        }
    }

    fn about(&self, window: String) -> String {
        let clock = match self.says.measured_on {
            MeasuredOn::SlowestPartition => "the highest event time seen on the slowest partition that is not idle",
            MeasuredOn::AllPartitions => "the highest event time seen on all partitions together",
            MeasuredOn::Task => "the stream time of the task: the highest event time it has seen",
            MeasuredOn::FinishedBatches => "the highest event time seen in finished micro-batches",
        };
        format!("Window {window} UTC of some day, one key. The clock is {clock}, not the wall clock.")
    }

    /// `end + 30 s + 10 min`, as far as it goes.
    fn sum(&self, with_lateness: bool) -> String {
        let mut sum = "end".to_owned();
        if let (Some(Window::Session { gap }), Some(_)) = (self.setup().window(), self.streams()) {
            sum += &format!(" + gap {}", length(gap));
        }
        if let Some(delay) = self.setup().watermark.delay.filter(|delay| *delay > 0) {
            sum += &format!(" + watermark delay {}", length(delay));
        }
        let lateness = self.setup().lateness();
        if with_lateness && lateness > 0 {
            sum += &format!(" + {} {}", self.lateness_word(), length(lateness));
        }
        sum
    }

    fn first_waits_for_grace(&self) -> bool {
        self.streams().is_some_and(|emit| emit != StreamsEmit::EveryUpdate)
    }

    fn verticals(&self, scale: &Scale, times: Times) -> Vec<Vertical> {
        let (first, until) = (self.says.first_result, self.says.counted_until);
        let at = |time: i64, what: &str, how: String| Vertical {
            x: scale.x(time),
            text: format!("{} {what}", times.at(time)),
            how,
        };
        match (first, until) {
            (Some(first), Some(until)) if until <= first => {
                vec![at(first, "result, closes for good", self.sum(self.first_waits_for_grace()))]
            }
            (first, until) => {
                let first = first.map(|first| at(first, "first result", self.sum(false)));
                first.into_iter().chain(until.map(|until| at(until, "closes for good", self.sum(true)))).collect()
            }
        }
    }

    fn answers(&self, times: Times) -> Vec<Answer> {
        let batches = self.says.measured_on == MeasuredOn::FinishedBatches;
        let reach = |time: i64| match batches {
            true => format!("once a finished micro-batch has seen {}", times.at(time)),
            false => format!("once the clock reaches {}", times.at(time)),
        };
        let first = match self.says.first_result {
            Some(first) => reach(first),
            None => "with its first record already".to_owned(),
        };
        let first_how = match self.says.first_result {
            Some(_) => self.sum(self.first_waits_for_grace()),
            None => "every record sends the new value".to_owned(),
        };
        let until = self
            .says
            .counted_until
            .map_or_else(|| "for ever".to_owned(), |until| format!("until the clock reaches {}", times.at(until)));
        let until = if batches { until.replace("the clock reaches", "a finished micro-batch has seen") } else { until };
        let until_how = match self.says.counted_until {
            Some(_) => self.sum(true),
            None => "nothing closes the window".to_owned(),
        };
        let state = self.says.state_dropped.map_or_else(|| "never".to_owned(), reach);
        let state_how = match self.says.state_dropped {
            Some(_) => until_how.clone(),
            None => "its state is kept for ever".to_owned(),
        };
        let again = if self.says.repeated { "yes, as new totals" } else { "no" };
        let again_how = match (self.says.repeated, self.says.first_result) {
            (true, Some(_)) => format!("each late record within {} sends its window again", self.lateness_word()),
            (true, None) => "each update replaces the one before".to_owned(),
            (false, _) => "one result a key and window".to_owned(),
        };
        vec![
            Answer { question: "First result", answer: first, how: first_how },
            Answer { question: "A record counts", answer: until, how: until_how },
            Answer { question: "State is dropped", answer: state, how: state_how },
            Answer { question: "Sent again", answer: again.to_owned(), how: again_how },
        ]
    }

    fn terms(&self) -> Vec<Term> {
        use key::operator as o;
        let fields: [Field; 6] = [
            o::WINDOW_SIZE.field(),
            o::WINDOW_STEP.field(),
            o::WINDOW_GAP.field(),
            o::WATERMARK_DELAY.field(),
            o::ALLOWED_LATENESS.field(),
            o::IDLE_TIMEOUT.field(),
        ];
        let term = |field: Field| {
            let at = stated_at(self.design, self.view, self.operator, field)?;
            let Known::Value(fact) = self.design.resolve(self.view, &at, field) else { return None };
            Some(Term { at, field, value: fact.value.spoken() })
        };
        fields.into_iter().filter_map(term).collect()
    }

    fn measured(&self, scale: &Scale, end: i64) -> Option<Measured> {
        let (at, field, statistics) = lateness(self.design, self.view, self.operator)?;
        let marks = statistics.into_iter().map(|(name, ms)| Tick {
            x: scale.x(end.saturating_add(ms)),
            text: format!("{name} within {}", length(ms)),
        });
        Some(Measured { at, field, marks: marks.collect() })
    }

    fn counters(&self) -> Vec<String> {
        let count = |value: u64| human::number(value as f64);
        let shown = self.timeline.dropped.iter().map(|metric| format!("{}: {}", metric.name, count(metric.value)));
        shown.collect()
    }

    fn appending(&self) -> String {
        let append = self.timeline.readers.append;
        let rows = counted(usize::try_from(append.rows).unwrap_or(0), "row");
        let adding = human::number(append.adding as f64);
        let mut text = format!("{rows} that add up to {adding}");
        if append.retracting != append.adding {
            text += &format!("; {} if it subtracts what is taken back", human::number(append.retracting as f64));
        }
        text
    }

    fn upserting(&self) -> String {
        let rows = &self.timeline.readers.upsert;
        let sum: i64 = rows.iter().map(|row| row.count).sum();
        let each = if rows.len() > 1 { " over all windows" } else { "" };
        format!("{}, {} in total{each}", counted(rows.len(), "row"), human::number(sum as f64))
    }
}

/// `99 %` and its length in ms.
type Percentiles = Vec<(String, i64)>;

/// The nearest measurement of lateness up the stream, its percentiles and its maximum in ms.
fn lateness(design: &Design, view: View, operator: &Id) -> Option<(Id, Field, Percentiles)> {
    let (mut seen, mut open) = (vec![operator.clone()], vec![operator.clone()]);
    while !open.is_empty() {
        let mut further = Vec::new();
        for at in &open {
            let into = design.links.iter().filter(|(id, _)| design.visible(view, id));
            for link in into.filter_map(|(_, subject)| subject.as_link()).filter(|link| link.to == *at) {
                if !seen.contains(&link.from) {
                    seen.push(link.from.clone());
                    further.push(link.from.clone());
                }
            }
        }
        for at in &further {
            let channel =
                design.get(view, at, key::channel::LATENESS).value().map(|m| (m, key::channel::LATENESS.field()));
            let source =
                design.get(view, at, key::source::LATENESS).value().map(|m| (m, key::source::LATENESS.field()));
            let (measured, field) = match channel.or(source) {
                Some(found) => found,
                None => continue,
            };
            let name = |statistic: &crate::model::Statistic| match statistic {
                crate::model::Statistic::Percentile(p) => Some(format!("{} %", human::number(f64::from(*p) / 1000.0))),
                crate::model::Statistic::Max => Some("all".to_owned()),
                _ => None,
            };
            let ms = |length: &crate::model::units::Duration| i64::try_from(length.millis()).unwrap_or(i64::MAX);
            let marks =
                measured.statistics.iter().filter_map(|(statistic, length)| Some((name(statistic)?, ms(length))));
            return Some((at.clone(), field, marks.collect()));
        }
        open = further;
    }
    None
}
