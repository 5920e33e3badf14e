//! Makes the ruler of a consumer.

use super::{
    super::{
        labels, read,
        scale::{Back, NOW},
    },
    Need, Picture, need,
    rows::{From, Place, row},
    words,
};
use crate::{
    analysis::{ReplayStart, Report, made_by, unreachable},
    model::{Design, ElementKind, Id, View, counted_as},
};

/// Most rows that are drawn.
const MOST_ROWS: usize = 8;

/// The ruler of a consumer, or of all logs where none is given; `None` where nothing is drawn that could be read again.
#[must_use]
pub fn draw(design: &Design, view: View, report: &Report, consumer: Option<&Id>) -> Option<Picture> {
    draw_lettered(design, view, report, consumer, labels::LETTER)
}

/// The same with the words set for a narrow pane.
#[must_use]
pub fn draw_narrow(design: &Design, view: View, report: &Report, consumer: Option<&Id>) -> Option<Picture> {
    draw_lettered(design, view, report, consumer, labels::LETTER_NARROW)
}

fn draw_lettered(design: &Design, view: View, report: &Report, consumer: Option<&Id>, letter: f64) -> Option<Picture> {
    let readable = unreachable::readable(design);
    let design = readable.as_ref().unwrap_or(design);
    let starts = consumer.and_then(|id| report.consumers.get(id)).map_or(&[][..], |of| of.replay.as_slice());
    let places = places(design, view, report, starts);
    if places.is_empty() {
        return None;
    }
    let need = consumer.and_then(|id| need::of(design, view, id));
    let shown = places.len().min(MOST_ROWS);
    let ages = places.iter().take(shown).flat_map(|place| place.ages(need.as_ref()));
    let scale = Back::through(ages.chain(need.as_ref().map(|need| need.value)));
    let from = From { design, view, report, starts, need: need.as_ref(), letter };
    let rows = places.iter().take(shown).map(|place| row(&from, place, &scale)).collect();
    let (headline, about) = match consumer {
        Some(_) => (words::headline(design, starts, need.as_ref()), words::about(design, starts)),
        None => {
            (every_log(design, report), vec!["No consumer is drawn that would say how far back is needed.".to_owned()])
        }
    };
    Some(Picture {
        consumer: consumer.cloned(),
        headline,
        about,
        says: words::figures(starts),
        need: need.map(|figure| Need { x: scale.x(figure.value), text: format!("{} needed", figure.text()), figure }),
        ticks: scale.ticks(),
        now: NOW,
        rows,
        more: places.len() - shown,
    })
}

/// What can be read again: where results are recomputed from, where they are refilled from, the other logs.
fn places<'a>(design: &Design, view: View, report: &'a Report, starts: &'a [ReplayStart]) -> Vec<Place<'a>> {
    let of_way = |recompute: bool| starts.iter().filter(move |start| start.recompute == recompute);
    let channel = |start: &&ReplayStart| report.channels.contains_key(&start.from);
    let recompute = of_way(true).filter(channel);
    let sources = of_way(true).chain(of_way(false)).filter(|start| !channel(start));
    let place = |start: &'a ReplayStart| Place {
        id: &start.from,
        start: Some(start),
        channel: report.channels.get(&start.from),
    };
    let first = recompute.chain(of_way(false).filter(channel)).map(place);
    let beside = report
        .channels
        .iter()
        .filter(|(id, _)| design.visible(view, id) && !starts.iter().any(|start| start.from == **id))
        .map(|(id, channel)| Place { id, start: None, channel: Some(channel) });
    first.chain(beside).chain(sources.map(place)).collect()
}

/// Without a consumer: what the log with the least keeps, as far as that is known.
fn every_log(design: &Design, report: &Report) -> String {
    let all = report.channels.len();
    let known: Vec<_> =
        report.channels.iter().filter_map(|(id, channel)| Some((id, channel.reach.as_ref().ok()?))).collect();
    let Some((id, least)) = known.iter().min_by(|a, b| a.1.value.total_cmp(&b.1.value)) else {
        return "How far back the logs reach cannot be said yet.".to_owned();
    };
    let unknown = all - known.len();
    let (some, rest) = match unknown {
        0 => ("Every log".to_owned(), String::new()),
        _ => {
            let rest = counted_as(unknown, "log it", "logs it");
            (format!("{} of {all} logs", known.len()), format!(" Of {rest} cannot be said yet."))
        }
    };
    let binds = read::binds(least);
    let binds = if binds.is_empty() { String::new() } else { format!(": {binds}") };
    match least.value {
        value if value <= 0.0 && least.made_by(&made_by::EVERY_VERSION) => {
            format!("{} keeps for certain only the newest record of each key.{rest}", design.title(id))
        }
        value if value <= 0.0 => format!("{} keeps nothing for certain{binds}.{rest}", design.title(id)),
        _ if !least.unbounded() => format!("{some} can be read again for {} at least{binds}.{rest}", least.text()),
        _ if unknown == 0 => "No log deletes anything by time or size.".to_owned(),
        _ => format!("Nothing is deleted by time or size in {some}.{rest}"),
    }
}

/// The consumers of a design that are there in a view, in the order of their ids.
pub fn consumers(design: &Design, view: View) -> impl Iterator<Item = &Id> {
    design
        .elements
        .iter()
        .filter(move |(id, subject)| subject.kind() == Some(ElementKind::Consumer) && design.visible(view, id))
        .map(|(id, _)| id)
}
