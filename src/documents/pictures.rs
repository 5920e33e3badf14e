//! The pictures of a replay, of state and of lag, in letters, with the numbers that go with them.
//!
//! Not here: what they say and where everything stands (`pictures`).

use super::{
    blocks::{Block, Inline, line},
    writer::Writer,
};
use crate::{
    analysis::explain::Derived,
    model::{Id, View, units::human},
    pictures::{
        Line, Value,
        chart::Chart,
        lag,
        ruler::{self, Choice, Role},
        state,
    },
};
use std::sync::Arc;

/// How far back the results of a consumer can be made again: the ruler, what stands beside each log, what would change it.
pub fn replay(w: &mut Writer<'_>, consumer: &Id) {
    let Some(picture) = ruler::draw(w.desk.design, View::ToBe, w.desk.to_be, Some(consumer)) else { return };
    let lines = picture.rows.iter().flat_map(|row| row.reaches.iter().chain(&row.needs)).map(|line| &line.value);
    let said_of: Vec<Value> = picture.says.iter().cloned().map(Value::Figure).collect();
    let needed = picture.need.as_ref().map(|need| Value::Figure(Ok(Arc::clone(&need.figure))));
    let all: Vec<&Value> = lines.chain(&said_of).chain(&needed).collect();
    let what = format!("the ruler of a replay for {}", w.desk.said(consumer));
    let withheld = withheld(w, &all, what);
    if !withheld {
        said(w, &picture.headline, &picture.about);
        // Logs beside the way alone say nothing about these results.
        if picture.rows.iter().any(|row| row.role != Role::Beside && !row.spans.is_empty()) {
            w.block(Block::Code { language: "text", text: picture.text() });
        }
    }
    for row in picture.rows.iter().filter(|row| row.role != Role::Beside) {
        if row.choices.len() > 1 && !withheld {
            let name = w.name(&row.id);
            w.say(line!["What would change the reach of ", name, ":"]);
            let rows = row.choices.iter().map(|one| choice(w, one)).collect();
            w.table(&["Way", "Reach", "On disk, all copies", "What follows"], rows);
        }
        if !row.beside.is_empty() {
            let name = w.name(&row.id);
            w.say(line!["Beside the reach of ", name, ":"]);
            let rows = facts(w, &row.beside);
            w.table(&["What", "How much", "What it means"], rows);
        }
    }
}

/// What becomes of the state of an operator over time.
pub fn growth(w: &mut Writer<'_>, operator: &Id) {
    let Some(picture) = state::draw(w.desk.design, View::ToBe, w.desk.to_be, operator) else { return };
    let all: Vec<&Value> = picture.made_of.iter().map(|line| &line.value).collect();
    let what = format!("the chart of state of {}", w.desk.said(operator));
    if withheld(w, &all, what) {
        return;
    }
    let name = w.name(operator);
    w.say(line![name, ": ", unbroken(&picture.headline)]);
    drawn(w, &picture.about, picture.chart.as_ref());
}

/// How the group of a job catches up.
pub fn catching_up(w: &mut Writer<'_>, job: &Id) {
    let Some(picture) = lag::draw(w.desk.design, View::ToBe, w.desk.to_be, job) else { return };
    let all: Vec<&Value> = picture.lag.iter().map(|line| &line.value).collect();
    let what = format!("the chart of lag of {}", w.desk.said(job));
    if withheld(w, &all, what) {
        return;
    }
    w.say(unbroken(&picture.headline));
    drawn(w, &picture.about, picture.chart.as_ref());
}

fn unbroken(text: &str) -> Inline {
    human::unbroken(text).into_owned().into()
}

fn said(w: &mut Writer<'_>, headline: &str, about: &[String]) {
    let all = std::iter::once(headline).chain(about.iter().map(String::as_str));
    w.say(unbroken(&all.collect::<Vec<_>>().join(" ")));
}

fn drawn(w: &mut Writer<'_>, about: &[String], chart: Option<&Chart>) {
    if !about.is_empty() {
        w.say(unbroken(&about.join(" ")));
    }
    if let Some(chart) = chart {
        w.block(Block::Code { language: "text", text: chart.text() });
    }
}

/// Is a picture withheld, because a source of what it shows could not be reached? That is said in its place.
fn withheld(w: &mut Writer<'_>, all: &[&Value], what: String) -> bool {
    let evidence = all.iter().find_map(|value| match value {
        Value::Figure(figure) => w.desk.withheld_figure(figure),
        Value::Setting(id, field) => w.desk.withheld(id, *field),
    });
    let Some(evidence) = evidence.cloned() else { return false };
    let said = w.withheld_claim(&evidence, what);
    w.say(said);
    true
}

/// A way that is not taken: its numbers are those of no design, so they stand in words and not among the figures. What
/// follows from a number that is withheld is withheld with it.
fn choice(w: &mut Writer<'_>, choice: &Choice) -> Vec<Inline> {
    let mut cell = |of: &Derived, what: &str| match w.desk.withheld_figure(of).cloned() {
        Some(evidence) => (w.withheld_claim(&evidence, format!("{what} of a way: {}", choice.what)), true),
        None => match of {
            Ok(one) => (one.text().into(), false),
            Err(underivable) => (w.underivable(&underivable.missing), false),
        },
    };
    let reach = choice.reach.as_ref().map(|reach| cell(reach, "reach"));
    let (reach, withheld) = reach.unwrap_or_else(|| (choice.reach_words.clone().into(), false));
    let disk = choice.disk.as_ref().map(|disk| cell(disk, "bytes on disk").0).unwrap_or_default();
    let then = if withheld { String::new() } else { choice.then.clone() };
    vec![choice.what.clone().into(), reach, disk, then.into()]
}

fn facts(w: &mut Writer<'_>, all: &[Line]) -> Vec<Vec<Inline>> {
    let row = |line: &Line| {
        let value = match &line.value {
            Value::Figure(figure) => w.figure(figure),
            Value::Setting(id, field) => w.field(id, *field),
        };
        vec![line.what.clone().into(), value, line.how.clone().into()]
    };
    all.iter().map(row).collect()
}
