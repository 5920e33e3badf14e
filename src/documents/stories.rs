//! The shortest story of how an event is lost or seen twice, told by an operational model of each mechanism on the path
//! of one consumer. Where a path is not one that the model holds, that is said instead.

mod path;

use super::{
    blocks::{Inline, line},
    desk::Desk,
    say,
    writer::Writer,
};
use crate::{
    analysis::delivery::verdict::DeliveryVerdict,
    explore::{Act, Bounds, Effect, Observed, Story, observe},
    model::{Id, counted},
};

/// What a story begins with: one thing of each sort may go wrong, and nothing piles up.
const LITTLE: Bounds = Bounds { crashes: 1, leaders: 1, responses: 1, surplus: 1, expiries: 0, outages: 0, rewinds: 0 };

/// Writes the stories of a consumer, where anything can be lost or repeated.
pub(super) fn write(w: &mut Writer<'_>, id: &Id, delivery: &DeliveryVerdict) {
    let loses = !delivery.lossy_hops.is_empty();
    let repeats = !delivery.duplicates.is_empty() || !delivery.taints.is_empty();
    if !loses && !repeats {
        return;
    }
    w.heading(3, "Shortest failure story");
    match path::of(w.desk, id) {
        Err(why) => w.say(line![
            "No story is told for ",
            w.desk.said(id),
            ": ",
            why,
            ". What can be lost and repeated is in the tables above."
        ]),
        Ok(found) => told(w, &found, loses, repeats),
    }
}

fn told(w: &mut Writer<'_>, found: &path::Found, loses: bool, repeats: bool) {
    let little = observe(&found.path, LITTLE);
    let wanted = [
        (loses, "How an event is lost", [Effect::Loss, Effect::Under, Effect::Stale]),
        (repeats, "How an event counts twice", [Effect::Duplicate, Effect::Over, Effect::OlderShown]),
    ];
    let mut more: Option<Observed> = None;
    for (asked, title, effects) in wanted {
        if !asked {
            continue;
        }
        let first = |observed: &Observed| {
            effects.iter().find_map(|effect| observed.story(*effect).cloned().map(|story| (*effect, story)))
        };
        let story = first(&little).or_else(|| first(more.get_or_insert_with(|| observe(&found.path, Bounds::USUAL))));
        match story {
            Some((effect, story)) => one(w, found, title, effect, &story),
            None => w.say(format!(
                "{title}: not by crashes, lost leaders or lost responses, which is what the model lets go wrong. The causes \
                 in the tables above are of another kind: time, retention, settings that skip or repeat."
            )),
        }
    }
}

fn one(w: &mut Writer<'_>, found: &path::Found, title: &str, effect: Effect, story: &Story) {
    let goes_wrong = match story.failures {
        0 => "nothing goes wrong".to_owned(),
        failures => format!(
            "{} wrong",
            if failures == 1 { "one thing goes".to_owned() } else { counted(failures as usize, "thing go") }
        ),
    };
    w.say(format!("{title}, in which {goes_wrong}. Two events, a and b, enter:"));
    let steps: Vec<Inline> = story
        .steps
        .iter()
        .map(|told| {
            let mut what = told.step.words();
            if told.step.act == Act::Poll && found.commits_early(told.hop) {
                what.push_str(", and commits its position");
            }
            match found.hops.get(told.hop) {
                Some(at) => line![w.name(at), ": ", what],
                None => what.into(),
            }
        })
        .collect();
    w.steps(steps);
    w.say(say::sentence(seen(effect)));
}

/// What is seen at the end of a story.
const fn seen(effect: Effect) -> &'static str {
    match effect {
        Effect::Loss => "in the end one of the two events is missing for good",
        Effect::Duplicate => "in the end one of the two is there twice",
        Effect::Over => "in the end the value is above the truth",
        Effect::Under => "in the end the value is below the truth",
        Effect::Stale => "in the end an older version stands",
        Effect::OlderShown => "an older value is shown again for a while",
        Effect::UncommittedShown => "something is shown whose transaction was aborted",
    }
}

/// Reads one fact; only to name it where it is missing.
fn open(desk: &Desk<'_>, id: &Id, what: &str) -> String {
    format!("{what} of {} is not known", desk.said(id))
}

#[cfg(test)]
mod tests;
