//! Makes the ruler of a consumer.

use super::{
    super::{
        read,
        scale::{Back, NOW},
    },
    Need, Picture, need,
    rows::{From, Place, row},
    words,
};
use crate::{
    analysis::{ReplayStart, Report},
    model::{Design, ElementKind, Id, View},
};

/// Most rows that are drawn.
const MOST_ROWS: usize = 8;

/// The ruler of a consumer, or of all logs where none is given; `None` where nothing is drawn that could be read again.
#[must_use]
pub fn draw(design: &Design, view: View, report: &Report, consumer: Option<&Id>) -> Option<Picture> {
    let starts = consumer.and_then(|id| report.consumers.get(id)).map_or(&[][..], |of| of.replay.as_slice());
    let places = places(design, view, report, starts);
    if places.is_empty() {
        return None;
    }
    let need = consumer.and_then(|id| need::of(design, view, id));
    let shown = places.len().min(MOST_ROWS);
    let ages = places.iter().take(shown).flat_map(|place| place.ages(need.as_ref()));
    let scale = Back::through(ages.chain(need.as_ref().map(|need| need.value)));
    let from = From { design, view, report, starts, need: need.as_ref() };
    let rows = places.iter().take(shown).map(|place| row(&from, place, &scale)).collect();
    let (headline, about) = match consumer {
        Some(_) => (words::headline(starts, need.as_ref()), words::about(design, starts)),
        None => (every_log(report), vec!["No consumer is drawn that would say how far back is needed.".to_owned()]),
    };
    Some(Picture {
        consumer: consumer.cloned(),
        headline,
        about,
        recompute: words::recompute(starts),
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

/// Without a consumer: what the log with the least keeps.
fn every_log(report: &Report) -> String {
    let known = report.channels.values().filter_map(|channel| channel.reach.as_ref().ok());
    match known.min_by(|a, b| a.value.total_cmp(&b.value)) {
        Some(least) => {
            let binds = read::binds(least);
            let binds = if binds.is_empty() { String::new() } else { format!(": {binds}") };
            format!("Every log can be read again for {} at least{binds}.", least.text())
        }
        None => "How far back the logs reach cannot be said yet.".to_owned(),
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
