//! Makes the picture of the state of an operator.

use super::{
    super::{chart::Chart, missing},
    Picture, grows, lines, recovery,
};
use crate::{
    analysis::{
        OperatorReport, Report,
        explain::{Explained, Formula, Origin, Unit},
    },
    model::{
        Date, Design, Id, Key, Slot, View, key,
        units::{Duration, human},
    },
};
use std::sync::Arc;

static STAYS: Formula = Formula {
    id: "D2.stays",
    text: "window size + watermark delay + allowed lateness",
    source: "a window is kept until the watermark has passed its end and the allowed lateness",
};
static WITHOUT: Formula = Formula {
    id: "ST-1.without",
    text: "bound ÷ time kept × one day",
    source: "entries would come at the same pace, and nothing would remove one",
};

/// What is known of an operator's state before it is drawn.
pub(super) struct Of<'a> {
    pub design: &'a Design,
    pub view: View,
    pub id: &'a Id,
    pub job: Option<&'a Id>,
    pub report: &'a Report,
    pub figures: &'a OperatorReport,
    /// How long an entry is kept, where a time bounds it.
    pub stays: Option<Arc<Explained>>,
    /// What it would grow a day without that bound.
    pub without: Option<Arc<Explained>>,
}

/// The picture of the state of an operator; `None` where it keeps none.
#[must_use]
pub fn draw(design: &Design, view: View, report: &Report, operator: &Id) -> Option<Picture> {
    let (id, figures) = report.operators.get_key_value(operator)?;
    let state = figures.state.as_ref()?;
    let stays = stays(design, view, id);
    let bound = state.as_ref().ok().filter(|bound| !bound.unbounded());
    let expires = design.get(view, id, key::operator::STATE_TTL).is_value();
    let without = bound.zip(stays.as_ref()).filter(|_| expires).map(|(bound, stays)| without(id, bound, stays));
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

/// How long an entry is kept: the time-to-live, or a window until its results are final.
fn stays(design: &Design, view: View, id: &Id) -> Option<Arc<Explained>> {
    use key::operator as o;
    if let Some(fact) = design.get(view, id, o::STATE_TTL).fact() {
        let value = fact.value.bound()?.secs();
        return Some(Explained::fact("time-to-live", Unit::Seconds, &fact, value));
    }
    let of = |what: &'static str, key: Key<Duration>| {
        let fact = design.get(view, id, key).fact()?;
        let value = fact.value.secs();
        Some(Explained::fact(what, Unit::Seconds, &fact, value))
    };
    let inputs = [
        of("window size", o::WINDOW_SIZE)?,
        of("watermark delay", o::WATERMARK_DELAY)?,
        of("allowed lateness", o::ALLOWED_LATENESS)?,
    ];
    let value = inputs.iter().map(|one| one.value).sum();
    Some(Explained::derive("a window is kept", Some(id), Unit::Seconds, &STAYS, inputs, value, None))
}

fn without(id: &Id, bound: &Arc<Explained>, stays: &Arc<Explained>) -> Arc<Explained> {
    let value = if stays.value > 0.0 { bound.value / stays.value * 86_400.0 } else { 0.0 };
    let inputs = vec![Arc::clone(bound), Arc::clone(stays)];
    Explained::derive("growth without the bound", Some(id), Unit::BytesPerDay, &WITHOUT, inputs, value, None)
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
    let read = full_in.inputs().iter().find(|one| one.what == "state now").and_then(|now| match &now.origin {
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
            Some(stays) => format!("State stops growing at {} after {}.", state.text(), stays.text()),
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

fn about(of: &Of<'_>) -> Vec<String> {
    let mut sentences = Vec::new();
    let bounded = matches!(&of.figures.state, Some(Ok(state)) if !state.unbounded());
    if let Some(stays) = of.stays.as_ref().filter(|_| bounded) {
        sentences.push(match of.without.is_some() {
            true => format!("Each key is kept for {}.", stays.text()),
            false => format!("Each window is kept for {} from its start.", stays.text()),
        });
    }
    if let Some(without) = &of.without {
        sentences.push(format!("Without that bound it would grow {}.", a_day(without)));
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
