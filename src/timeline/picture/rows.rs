//! The records of the picture: what became of each, and what follows from it.

use super::{
    super::{
        demonstration::Demonstration,
        outcome::{At, Change, Fate, LateTo, Span, Step, Timeline, Verdict, Why},
        setup::{Engine, Window},
    },
    Follows, Mark, PartitionAt, Record,
    scale::Scale,
    words::Times,
};
use crate::model::counted;

/// What the rows are made of.
pub(super) struct Rows<'a> {
    pub shown: &'a Demonstration,
    pub timeline: &'a Timeline,
    pub scale: &'a Scale,
    pub times: Times,
    /// Local time − UTC of the windows, ms.
    pub zone: i64,
}

/// More follows are summed up.
const MOST: usize = 3;

impl Rows<'_> {
    pub(super) fn all(&self) -> Vec<Record> {
        (0..self.shown.arrivals.len()).filter_map(|at| self.row(at)).collect()
    }

    fn row(&self, at: usize) -> Option<Record> {
        let arrival = self.shown.arrivals.get(at)?;
        let event = arrival.event()?;
        let fate = self.timeline.fates.iter().find(|fate| fate.event == at)?;
        let step = self.step(arrival.step);
        let several = self.shown.setup.watermark.partitions > 1;
        let partitions = step.filter(|_| several).map_or_else(Vec::new, |step| self.partitions(step));
        let watermark = step.and_then(|step| step.watermark);
        let mark = self.mark(at, event.time, fate);
        Some(Record {
            time: self.times.at(event.time),
            x: self.scale.x(event.time),
            partition: several.then_some(arrival.partition),
            mark,
            fate: self.words(mark, fate),
            then: self.then(arrival.step),
            watermark: watermark.map(|time| (self.scale.x(time), self.times.at(time))),
            partitions,
        })
    }

    /// The last known watermark when a step is over.
    fn step(&self, number: u32) -> Option<&Step> {
        self.timeline.steps.iter().rev().find(|step| matches!(step.at, At::Step(at) if at <= number))
    }

    fn partitions(&self, step: &Step) -> Vec<PartitionAt> {
        let at = |mark: &super::super::outcome::PartitionMark| PartitionAt {
            partition: mark.partition,
            x: mark.mark.map(|time| self.scale.x(time)),
            text: mark.mark.map_or_else(|| "none yet".to_owned(), |time| self.times.at(time)),
            idle: mark.idle,
        };
        step.partitions.iter().map(at).collect()
    }

    fn mark(&self, at: usize, time: i64, fate: &Fate) -> Mark {
        match fate.verdict {
            Verdict::Late(LateTo::Dropped(_)) => Mark::Dropped,
            Verdict::Late(LateTo::DroppedSilently) | Verdict::Gone(_) => Mark::Gone,
            Verdict::Late(_) => Mark::SideOutput,
            Verdict::Counted | Verdict::PartlyCounted | Verdict::Waiting => {
                let before = self.shown.arrivals.iter().take(at);
                let older = before.filter_map(|arrival| arrival.event()).any(|event| event.time > time);
                let step = self.shown.arrivals.get(at).map_or(0, |arrival| arrival.step);
                let mark = step.checked_sub(1).and_then(|step| self.step(step)).and_then(|step| step.watermark);
                let over = |span: &Span| mark.is_some_and(|mark| mark >= span.end - self.zone - 1);
                match (fate.windows.iter().any(over) || !fate.missed.is_empty(), older) {
                    (true, _) => Mark::LateCounted,
                    (false, true) => Mark::OutOfOrder,
                    (false, false) => Mark::InTime,
                }
            }
        }
    }

    fn words(&self, mark: Mark, fate: &Fate) -> String {
        match fate.verdict {
            Verdict::Counted => mark.words().to_owned(),
            Verdict::PartlyCounted => format!(
                "late: counted in {}, too late for {}",
                counted(fate.windows.len(), "window"),
                fate.missed.len()
            ),
            Verdict::Waiting => format!("{}; no result with it yet", mark.words()),
            Verdict::Late(LateTo::Dropped(counter)) => format!("too late: dropped, counted in {counter}"),
            Verdict::Late(LateTo::DroppedSilently) => "too late: dropped, counted nowhere".to_owned(),
            Verdict::Late(_) => "too late: goes to the late output".to_owned(),
            Verdict::Gone(why) => format!("gone, counted nowhere: {}", reason(why)),
        }
    }

    /// Results that are sent and state that goes while this is the last record that came.
    fn then(&self, step: u32) -> Vec<(Follows, String)> {
        let mut all: Vec<(Follows, String)> = Vec::new();
        for (at, emission) in self.timeline.emissions.iter().enumerate() {
            if emission.at != At::Step(step) || !emission.leaves {
                continue;
            }
            let records = counted(usize::try_from(emission.row.count).unwrap_or(0), "record");
            let name = emission.row.window.map_or_else(String::new, |span| self.name(span) + ": ");
            let same = |other: &super::super::outcome::Emission| {
                other.row.window == emission.row.window
                    && other.row.key == emission.row.key
                    && matches!(other.change, Change::Insert | Change::Upsert | Change::UpdateAfter)
            };
            let again = self.timeline.emissions.iter().take(at).any(same);
            all.push(match emission.change {
                Change::UpdateBefore | Change::Delete => (Follows::TakenBack, format!("{name}{records} taken back")),
                Change::Tombstone => (Follows::TakenBack, format!("{name}void, an empty value is sent")),
                _ if again => (Follows::SentAgain, format!("{name}sent again, {records}")),
                _ => (Follows::Sent, format!("{name}result sent, {records}")),
            });
        }
        let gone = self.timeline.windows.iter().filter(|life| life.purged == Some(At::Step(step)));
        all.extend(gone.map(|life| (Follows::Dropped, format!("{}: state dropped", self.name(life.span)))));
        let more = all.len().saturating_sub(MOST);
        if more > 1 {
            all.truncate(MOST);
            all.push((Follows::Sent, format!("and {more} more of other windows")));
        }
        all
    }

    /// A window, in UTC.
    pub(super) fn name(&self, span: Span) -> String {
        let span = Span { start: span.start - self.zone, end: span.end - self.zone };
        self.times.span(span, closed(self.shown))
    }
}

/// Does the end belong to the windows?
pub(super) fn closed(shown: &Demonstration) -> bool {
    shown.setup.engine() == Engine::KafkaStreams
        && matches!(shown.setup.window(), Some(Window::Session { .. } | Window::Sliding { .. }))
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::NoWindow => "it lies between two windows",
        Why::FlushedTooLate => "its row left the buffer after its window had fired",
        Why::HiddenByRetention => "the store no longer showed its window when it closed",
        Why::Duplicate => "another row of its key is kept",
        Why::Unmatched => "it has no partner",
    }
}
