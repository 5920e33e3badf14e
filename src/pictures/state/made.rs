//! Makes the picture of the state of an operator.

use super::{
    super::{chart::Chart, missing},
    Picture, grows, lines, recovery,
};
use crate::{
    analysis::{
        OperatorReport, Report,
        explain::{Explained, Origin},
        stay::{self, Stay, Until},
        unreachable,
    },
    model::{Date, Design, Id, Slot, View, units::human},
};
use std::sync::Arc;

/// What is known of an operator's state before it is drawn.
pub(super) struct Of<'a> {
    pub design: &'a Design,
    pub view: View,
    pub id: &'a Id,
    pub job: Option<&'a Id>,
    pub report: &'a Report,
    pub figures: &'a OperatorReport,
    /// How long an entry is kept, where time bounds it.
    pub stays: Option<Stay>,
    /// What it would grow a day without that bound, at most.
    pub without: Option<Arc<Explained>>,
}

/// The picture of the state of an operator; `None` where it keeps none.
#[must_use]
pub fn draw(design: &Design, view: View, report: &Report, operator: &Id) -> Option<Picture> {
    let readable = unreachable::readable(design);
    let design = readable.as_ref().unwrap_or(design);
    let (id, figures) = report.operators.get_key_value(operator)?;
    let state = figures.state.as_ref()?;
    let stays = figures.entries.as_ref().and_then(|entries| stay::of(id, entries.as_ref().ok()?));
    let bound = state.as_ref().ok().filter(|bound| !bound.unbounded());
    let without = bound.zip(stays.as_ref()).and_then(|(bound, stay)| stay::without(id, bound, stay));
    let job = design.job_of(id);
    let of = Of { design, view, id, job, report, figures, stays, without };
    let own = figures.full_in.iter().chain(&figures.growth).chain([state]);
    let recovery = job.and_then(|job| report.jobs.get(job)).map(recovery::of);
    Some(Picture {
        operator: id.clone(),
        job: job.cloned(),
        headline: headline(&of),
        about: about(&of),
        chart: chart(&of),
        made_of: lines::made_of(&of),
        job_lines: lines::of_job(&of),
        missing: missing(own.chain(recovery.iter().map(|recovery| &recovery.total))),
        recovery,
    })
}

/// The operators that keep state, in the order of their ids.
pub fn operators<'a>(design: &'a Design, view: View, report: &'a Report) -> impl Iterator<Item = &'a Id> {
    let keeps = move |(id, figures): &(&Id, &OperatorReport)| figures.state.is_some() && design.visible(view, id);
    report.operators.iter().filter(keeps).map(|(id, _)| id)
}

/// Bytes a day, as a sentence says it.
pub(super) fn a_day(growth: &Explained) -> String {
    format!("{} a day", human::bytes(growth.value))
}

/// The day on which the budget is full, counted from the reading of what is there now: `day 278`, and its date.
pub(super) fn full(of: &Of<'_>) -> Option<(f64, Option<String>)> {
    let full_in = of.figures.full_in.as_ref()?.as_ref().ok()?;
    if full_in.unbounded() {
        return None;
    }
    let days = (full_in.value / 86_400.0).floor();
    let read = full_in.inputs().get(1).and_then(|now| match &now.origin {
        Origin::Fact(fact) | Origin::FactBy(fact, _) => match &fact.slot {
            Slot::Observed(evidence) => of.design.records.evidence.get(evidence)?.at.as_ref(),
            Slot::Proposed => None,
        },
        _ => None,
    });
    Some((days, read.and_then(|at: &Date| super::date::after(at, days))))
}

fn headline(of: &Of<'_>) -> String {
    let Some(Ok(state)) = &of.figures.state else { return "How much state it keeps cannot be said yet.".to_owned() };
    if !state.unbounded() {
        return match &of.stays {
            Some(stay) => format!("State grows to {} {}, within {}.", most(stay), state.text(), stay.time.text()),
            None => format!("State is bounded: {}.", state.text()),
        };
    }
    let Some(Ok(growth)) = &of.figures.growth else {
        return "No bound: state grows, and how fast is not known.".to_owned();
    };
    let growth = a_day(growth);
    match full(of) {
        Some((days, _)) if days < 1.0 => {
            format!("No bound: state grows {growth}, and its budget is full within a day.")
        }
        Some((days, _)) => {
            format!("No bound: state grows {growth} and fills its budget on day {}.", human::number(days))
        }
        None => format!("No bound: state grows {growth}. When its budget is full cannot be said yet."),
    }
}

/// Entries are counted as one a record, windows as those that are open at once; of sessions only the mean is known.
pub(super) fn most(stay: &Stay) -> &'static str {
    if stay.until == Until::Session { "about" } else { "at most" }
}

/// How long what is kept, and why no longer.
fn kept(stay: &Stay) -> String {
    let time = stay.time.text();
    match stay.until {
        Until::TimeToLive => format!("An entry expires {time} after it was last written."),
        Until::Segment => {
            format!("A key is on disk for {time} at most: segments of half its retention, or a minute, go as a whole.")
        }
        Until::Watermark => format!("A key is kept for {time} at most, until the watermark has passed it."),
        Until::Window => format!("Each window is kept for {time} at most, from its start."),
        Until::Session => format!("A session is kept for {time} from its start, on average."),
        Until::Record => format!("A record is kept for {time} at most, as long as a result can need it."),
    }
}

fn about(of: &Of<'_>) -> Vec<String> {
    let mut sentences = Vec::new();
    let bounded = matches!(&of.figures.state, Some(Ok(state)) if !state.unbounded());
    if let Some(stay) = of.stays.as_ref().filter(|_| bounded) {
        sentences.push(kept(stay));
    }
    if let Some(without) = &of.without {
        sentences.push(format!("Without that bound it would grow by at most {}.", a_day(without)));
    }
    if let Some((_, Some(date))) = full(of) {
        sentences.push(format!("Counted from the reading of what is there now, that is {date}."));
    }
    sentences
}

fn chart(of: &Of<'_>) -> Option<Chart> {
    let state = of.figures.state.as_ref()?.as_ref().ok()?;
    if !state.unbounded() {
        return Some(grows::to_a_bound(of, state));
    }
    let growth = of.figures.growth.as_ref()?.as_ref().ok()?;
    Some(grows::without_end(of, growth))
}
