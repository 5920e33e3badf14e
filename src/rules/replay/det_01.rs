use crate::{
    model::{Id, Step, key, words::{Clock, Determinism, WindowKind}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// What a step gives depends on when it runs, and its results shall be made again from the records.
    ///
    /// # Why
    /// Into which window of the clock on the wall an event falls depends on when it is processed, and a replay runs at another
    /// speed and another time. A look-up or a call answers with what is there then, not with what was there at the time of the
    /// event. Random values and new ids are others each time. No result comes out as it was.
    ///
    /// # Example
    /// Windows of three seconds by processing time: a day is replayed in ten minutes, into two hundred windows. Orders of last
    /// week, priced again with the price list of today.
    ///
    /// # What to do
    /// A window by the time of the event, a table with versions that is joined by that time, the answer kept in the event, or no
    /// promise to make results again. Where the answer never changes, state that the step gives the same.
    DET_01 "DET-01" Warning "A replay gives other results"
    why "results of a second run are not those of the first"
    sources ["Apache Flink documentation, Timely Stream Processing: notions of time", "Apache Flink documentation, Joins: Lookup Join", "Akidau et al.: The Dataflow Model (2015)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, step): (&Id, &Id, Step)| {
        let (gives, remedy) = varies(context, id, step)?;
        let id = context.design.elements.get_key_value(id)?.0;
        let consumer = context.consumers_behind(id).into_iter().find(|consumer| context.get(consumer, key::consumer::REPLAY_NEEDED).is_some())?;
        let message = format!("{} {gives}; {} needs results that can be made again", context.title(id), context.title(consumer));
        Some(rule.finding(&[id, consumer], message, remedy))
    };
    context.operators().filter_map(one).collect()
}

/// What of a step is another on a second run, and what mends it. New ids are for those rules that speak of keys.
fn varies(context: &Context<'_>, id: &Id, step: Step) -> Option<(&'static str, &'static str)> {
    let windowed = || context.get(id, key::operator::WINDOW).is_some_and(|window| window != WindowKind::Nothing);
    if step == Step::Aggregate && windowed() && context.get(id, key::operator::CLOCK) == Some(Clock::ProcessingTime) {
        return Some(("goes by the clock on the wall", "a window by the time of the event"));
    }
    match (context.get(id, key::operator::DETERMINISM), step) {
        (Some(Determinism::ValueVaries), Step::Lookup | Step::Call) | (None, Step::Lookup | Step::Call) => {
            Some(("takes what the other side says when it runs", "join a table with versions by the time of the event, or keep the answer in the event"))
        }
        (Some(Determinism::ValueVaries), _) => Some(("gives other values on a second run", "make the value from the event alone")),
        (Some(Determinism::KeyVaries), _) => Some(("gives other keys on a second run", "make the key from the event alone")),
        (Some(Determinism::Same) | None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_replay_over_processing_time_is_found() {
        let wall = ("elements/sum/proposed/clock", "\"processing_time\"");
        fires("DET-01", &[wall]);
        silent("DET-01", &[wall, ("elements/board/proposed/replay_needed", "null")]);
        silent("DET-01", &[]);
    }

    #[test]
    fn what_varies_from_run_to_run_is_found() {
        let determinism = |value| ("elements/sum/proposed/determinism", value);
        let message = |changes: &[(&str, &str)]| fires("DET-01", changes).message;
        assert!(message(&[determinism("\"value_varies\"")]).contains("gives other values"));
        assert!(message(&[determinism("\"key_varies\"")]).contains("gives other keys"));
        silent("DET-01", &[determinism("\"same\"")]);
    }

    #[test]
    fn a_look_up_gives_what_is_there_now() {
        let step = |name| ("elements/dedup/step", name);
        for name in ["\"lookup\"", "\"call\""] {
            assert!(fires("DET-01", &[step(name)]).message.contains("takes what the other side says"), "{name}");
            silent("DET-01", &[step(name), ("elements/dedup/proposed/determinism", "\"same\"")]);
        }
        silent("DET-01", &[step("\"map\"")]);
    }
}
