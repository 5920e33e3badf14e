//! The shortest story of how an event is lost or seen twice, told by an operational model of each mechanism on the path
//! of one consumer. Where a path is not one that the model holds, that is said instead.

mod path;

use super::{
    blocks::{Inline, line},
    say,
    writer::Writer,
};
use crate::{
    analysis::delivery::verdict::DeliveryVerdict,
    explore::{Act, Bounds, Effect, Observed, Story, observe},
    model::{Id, counted, counted_as},
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
        Err(path::Untold { why, open }) => {
            if let Some(open) = open {
                w.lacks(&open, |desk| format!("the shortest failure story of {}", desk.said(id)));
            }
            w.say(line![
                "No story is told for ",
                w.desk.said(id),
                ": ",
                why,
                ". What can be lost and repeated is in the tables above."
            ]);
        }
        Ok(found) => told(w, &found, loses, repeats),
    }
}

fn told(w: &mut Writer<'_>, found: &path::Found, loses: bool, repeats: bool) {
    let little = observe(&found.path, LITTLE);
    let wanted = [
        (loses, "is lost, too low or too old", [Effect::Loss, Effect::Under, Effect::Stale]),
        (repeats, "counts twice, is too high or shown again", [Effect::Duplicate, Effect::Over, Effect::OlderShown]),
    ];
    let mut more: Option<Observed> = None;
    for (asked, nothing, effects) in wanted {
        if !asked {
            continue;
        }
        // With one thing that goes wrong a story is the shortest already.
        let story = shortest(&little, effects).filter(|(_, story)| story.failures <= 1);
        let story =
            story.or_else(|| shortest(more.get_or_insert_with(|| observe(&found.path, Bounds::USUAL)), effects));
        match story {
            Some((effect, story)) => one(w, found, effect, &story),
            None => w.say(none(nothing)),
        }
    }
}

/// Of these effects the one whose story has the fewest things that go wrong, and of those the fewest steps.
fn shortest(observed: &Observed, effects: [Effect; 3]) -> Option<(Effect, Story)> {
    let stories = effects.into_iter().filter_map(|effect| Some((effect, observed.story(effect)?.clone())));
    stories.min_by_key(|(_, story)| (story.failures, story.steps.len()))
}

/// That no run of the model ends so, and how much may go wrong in one.
fn none(nothing: &str) -> String {
    let Bounds { crashes, leaders, responses, surplus, .. } = Bounds::USUAL;
    let most = [
        counted_as(crashes, "crash", "crashes"),
        counted(leaders, "lost leader"),
        counted(responses, "lost response"),
        counted_as(surplus, "copy too many in a log between", "copies too many in a log between"),
    ];
    format!(
        "No run of the model, with two events and at most {}, ends with something that {nothing}. That does not show that \
         nothing is: the causes in the tables above can take more, or be of another kind, such as time, retention, and \
         settings that skip or repeat.",
        most.join(", ")
    )
}

fn one(w: &mut Writer<'_>, found: &path::Found, effect: Effect, story: &Story) {
    let goes_wrong = match story.failures {
        0 => "nothing goes wrong".to_owned(),
        failures => format!("{} wrong", in_letters(failures, "thing goes", "things go")),
    };
    let title = title(effect);
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

/// Small numbers stand as words in a sentence.
fn in_letters(count: u32, one: &str, many: &str) -> String {
    match count {
        1 => format!("one {one}"),
        2 => format!("two {many}"),
        3 => format!("three {many}"),
        count => counted_as(count, one, many),
    }
}

/// What a story is about.
const fn title(effect: Effect) -> &'static str {
    match effect {
        Effect::Loss => "How an event is lost",
        Effect::Duplicate => "How an event comes to stand there twice",
        Effect::Over => "How a value comes out too high",
        Effect::Under => "How a value comes out too low",
        Effect::Stale => "How an older version stays",
        Effect::OlderShown => "How an older value is shown again",
        Effect::UncommittedShown => "How an aborted result is shown",
    }
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

#[cfg(test)]
mod tests;
