//! Makes the picture of the lag of a job.

use super::{
    super::{missing, read},
    Picture, lines, rises,
};
use crate::{
    analysis::{
        JobReport, Report,
        explain::{Derived, Explained, Formula, Gaps, Missing, MissingWhy, Underivable, Unit},
        formulas::recovery as form,
    },
    model::{Design, ElementKind, Id, Known, Link, View, key, units::human},
};
use std::sync::Arc;

const SIMULATED: &str = "what arrives meanwhile is read too; checked against simulated recoveries";

static AFTER: Formula =
    Formula { id: "LAG-3", text: "outage × arriving ÷ (capacity − arriving)", source: SIMULATED };

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
    let catch_up = if example { after(design, view, job, figures, &outage) } else { figures.catch_up.clone() };
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

/// What a job reads when it is behind.
pub(super) fn capacity(design: &Design, view: View, job: &Id) -> Derived {
    let lacks = |why| Underivable {
        what: "capacity",
        missing: Gaps::One(Missing { subject: job.clone(), field: key::job::CAPACITY.field(), why }),
    };
    match design.get(view, job, key::job::CAPACITY) {
        Known::Value(fact) => match fact.value.mean_or_max() {
            Some(rate) => Ok(Explained::fact("capacity", Unit::RecordsPerSecond, &fact, rate.secs())),
            None => Err(lacks(MissingWhy::NotKnown)),
        },
        Known::Unset(_) => Err(lacks(MissingWhy::Unset)),
        Known::Conflict(_) => Err(lacks(MissingWhy::Conflict)),
        Known::NotKnown(_) => Err(lacks(MissingWhy::NotKnown)),
    }
}

/// So much time of input, worked off at the spare capacity.
fn after(design: &Design, view: View, job: &Id, figures: &JobReport, outage: &Arc<Explained>) -> Derived {
    const WHAT: &str = "catch-up after the longest outage";
    let (arriving, capacity) = match (figures.input_rate.clone(), capacity(design, view, job)) {
        (Ok(arriving), Ok(capacity)) => (arriving, capacity),
        (Err(a), Err(b)) => return Err(Underivable { what: WHAT, missing: a.missing.and(&b.missing) }),
        (Err(why), _) | (_, Err(why)) => return Err(Underivable { what: WHAT, missing: why.missing }),
    };
    let value = form::catch_up(outage.value, arriving.value, capacity.value);
    let inputs = vec![Arc::clone(outage), arriving, capacity];
    Ok(Explained::derive(WHAT, Some(job), Unit::Seconds, &AFTER, inputs, value, None))
}

/// What arrives and what is read, as the catching up was computed from them.
pub(super) fn rates(catch_up: &Arc<Explained>) -> Option<(f64, f64)> {
    let [_, arriving, capacity] = catch_up.inputs() else { return None };
    Some((arriving.value, capacity.value))
}

fn headline(of: &Of<'_>) -> String {
    let Ok(catch_up) = &of.catch_up else {
        return "How long it needs to catch up cannot be said yet.".to_owned();
    };
    if let Some((arriving, capacity)) = rates(catch_up).filter(|_| catch_up.unbounded()) {
        let (read, come) = (human::per_second(capacity), human::per_second(arriving));
        return format!("It never catches up: {read} are read, {come} arrive.");
    }
    let example = if of.example { ", as an example" } else { "" };
    format!("After {} down{example}, the group needs {} to catch up.", of.outage.text(), catch_up.text())
}

fn about(of: &Of<'_>) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some((arriving, capacity)) = of.catch_up.as_ref().ok().and_then(rates) {
        let (read, come) = (human::per_second(capacity), human::per_second(arriving));
        sentences.push(format!("It reads {read} against {come} arriving."));
    }
    for (link, ends) in &of.reads {
        let Some(lag) = of.design.get(of.view, link, key::read::LAG).value() else { continue };
        let worst = lag.partitions().reduce(|a, b| if b.1 > a.1 { b } else { a });
        let channel = of.design.title(&ends.from);
        let number = |n: u64| human::number(n as f64);
        match (worst, lag.max()) {
            (Some((partition, records)), _) => sentences.push(format!(
                "Lag now: {} records on partition {partition} of {channel}, the slowest.",
                number(records)
            )),
            (None, Some(records)) => sentences.push(format!("Lag now: {} records of {channel}.", number(records))),
            (None, None) => {}
        }
    }
    let peak = of.catch_up.as_ref().is_ok_and(|one| read::input(one, &|input| input.what.contains("peak")).is_some());
    if of.catch_up.is_ok() && !peak && !peak_known(of) {
        sentences.push("The peak of what arrives is not measured: at peak it may be longer, or never.".to_owned());
    }
    sentences
}

/// Is a peak of what arrives known for all that is read?
fn peak_known(of: &Of<'_>) -> bool {
    let mean = of.figures.input_rate.as_ref().map(|rate| rate.value).ok();
    let used = of.catch_up.as_ref().ok().and_then(rates).map(|(arriving, _)| arriving);
    mean.zip(used).is_some_and(|(mean, used)| used > mean)
}
