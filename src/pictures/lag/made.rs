//! Makes the picture of the lag of a job.

use super::{super::missing, Picture, lines, rises};
use crate::{
    analysis::{
        JobReport, Report,
        explain::{Derived, Explained, Underivable, Unit},
        formulas::recovery as form,
        made_by, unreachable,
    },
    model::{Design, ElementKind, Id, Link, View, key, units::human},
};
use std::sync::Arc;

/// An outage that is drawn where nobody says which one has to be survived.
const EXAMPLE: f64 = 1_800.0;

/// What is known of a job before it is drawn.
pub(super) struct Of<'a> {
    pub design: &'a Design,
    pub view: View,
    pub report: &'a Report,
    pub job: &'a Id,
    pub figures: &'a JobReport,
    /// The links from channels into it.
    pub reads: Vec<(&'a Id, &'a Link)>,
    pub outage: Arc<Explained>,
    /// Nobody says which outage has to be survived.
    pub example: bool,
    /// To catch up after it, with what arrives and what is read.
    pub catch_up: Derived,
}

/// The picture of the lag of a job; `None` where it reads no channel.
#[must_use]
pub fn draw(design: &Design, view: View, report: &Report, job: &Id) -> Option<Picture> {
    let readable = unreachable::readable(design);
    let design = readable.as_ref().unwrap_or(design);
    let (job, figures) = report.jobs.get_key_value(job)?;
    let reads = reads(design, view, job);
    if reads.is_empty() {
        return None;
    }
    let stated = design.get(view, job, key::job::LONGEST_OUTAGE).fact().map(|fact| {
        let value = fact.value.secs();
        Explained::fact("longest outage", Unit::Seconds, &fact, value)
    });
    let example = stated.is_none();
    let outage = stated.unwrap_or_else(|| {
        let reason = "nobody states which outage has to be survived: half an hour, as an example";
        Explained::assumed("longest outage", Some(job), Unit::Seconds, EXAMPLE, reason)
    });
    let catch_up = if example { after(job, figures, &outage) } else { figures.catch_up.clone() };
    let of = Of { design, view, report, job, figures, reads, outage, example, catch_up };
    let own = [&of.catch_up].into_iter().chain(&figures.lost_in).chain(&figures.drain);
    Some(Picture {
        job: job.clone(),
        headline: headline(&of),
        about: about(&of),
        chart: of.catch_up.as_ref().ok().map(|catch_up| rises::chart(&of, catch_up)),
        missing: missing(own),
        lag: lines::lag(&of),
        scaling: lines::scaling(&of),
    })
}

/// The jobs that read a channel, in the order of their ids.
pub fn jobs<'a>(design: &'a Design, view: View, report: &'a Report) -> impl Iterator<Item = &'a Id> {
    let reading = move |job: &&Id| design.visible(view, job) && !reads(design, view, job).is_empty();
    report.jobs.iter().map(|(id, _)| id).filter(reading)
}

fn reads<'a>(design: &'a Design, view: View, job: &Id) -> Vec<(&'a Id, &'a Link)> {
    let links = design.links.iter().filter_map(|(id, subject)| Some((id, subject.as_link()?)));
    let of_job =
        |link: &Link| design.job_of(&link.to) == Some(job) && design.kind(&link.from) == Some(ElementKind::Channel);
    links.filter(|(id, link)| of_job(link) && design.visible(view, id)).collect()
}

/// So much time of input, worked off at the spare capacity.
fn after(job: &Id, figures: &JobReport, outage: &Arc<Explained>) -> Derived {
    const WHAT: &str = "catch-up after the longest outage";
    let load = figures.load.as_ref().map_err(|why| Underivable { what: WHAT, ..why.clone() })?;
    let rate = |at: usize| load.inputs().get(at).map_or(0.0, |rate| rate.value);
    let value = form::catch_up(outage.value, rate(0), rate(1));
    let inputs: Vec<_> = std::iter::once(outage).chain(load.inputs()).cloned().collect();
    Ok(Explained::derive(WHAT, Some(job), Unit::Seconds, &made_by::CATCH_UP_AFTER, inputs, value, None))
}

/// What arrives, at peak where one is known, and what is read when it is behind.
pub(super) fn rates<'a>(of: &'a Of<'_>) -> Option<[&'a Arc<Explained>; 2]> {
    let [arriving, capacity] = of.figures.load.as_ref().ok()?.inputs() else { return None };
    Some([arriving, capacity])
}

fn headline(of: &Of<'_>) -> String {
    let Ok(catch_up) = &of.catch_up else {
        return "How long it needs to catch up cannot be said yet.".to_owned();
    };
    if let Some([arriving, capacity]) = rates(of).filter(|_| catch_up.unbounded()) {
        let (read, come) = (capacity.text(), arriving.text());
        return match of.figures.peak_known {
            true => format!("It does not catch up while the peak lasts: {read} are read, {come} arrive."),
            false => format!("It never catches up: {read} are read, {come} arrive."),
        };
    }
    let example = if of.example { ", as an example" } else { "" };
    let peak = if of.figures.peak_known { " at peak" } else { "" };
    format!("After {} down{example}, the group needs {} to catch up{peak}.", of.outage.text(), catch_up.text())
}

fn about(of: &Of<'_>) -> Vec<String> {
    let mut sentences = Vec::new();
    let peak = of.figures.peak_known;
    if let Some([arriving, capacity]) = rates(of) {
        let peak = if peak { " at peak" } else { "" };
        sentences.push(format!("It reads {} against {} arriving{peak}.", capacity.text(), arriving.text()));
    }
    for (link, ends) in &of.reads {
        let Some(lag) = of.design.get(of.view, link, key::read::LAG).value() else { continue };
        let worst = lag.partitions().reduce(|a, b| if b.1 > a.1 { b } else { a });
        let channel = of.design.title(&ends.from);
        match (worst, lag.max()) {
            (Some((partition, records)), _) => sentences.push(format!(
                "Lag now: {} on partition {partition} of {channel}, the farthest behind.",
                human::records(records as f64)
            )),
            (None, Some(records)) => {
                sentences.push(format!("Lag now: {} of {channel}.", human::records(records as f64)));
            }
            (None, None) => {}
        }
    }
    if of.catch_up.as_ref().is_ok_and(|catch_up| !peak && !catch_up.unbounded()) {
        sentences.push("The peak of what arrives is not measured: at peak it may be longer, or never.".to_owned());
    }
    sentences
}
