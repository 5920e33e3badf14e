use crate::{
    model::{Id, Step, key, words::{Clock, WindowKind}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A window goes by the clock on the wall, and its results shall be made again from the records.
    ///
    /// # Why
    /// Which window an event falls into depends on when it is processed. A replay runs at another speed and another time: all of it
    /// may fall into a few windows, and no result comes out as it was.
    ///
    /// # Example
    /// Windows of three seconds by processing time: a day is replayed in ten minutes, into two hundred windows.
    ///
    /// # What to do
    /// A window by the time of the event, or no promise to make results again.
    DET_01 "DET-01" Warning "A replay gives other windows"
    why "results of a second run are not those of the first"
    sources ["Apache Flink documentation, Timely Stream Processing: notions of time", "Akidau et al.: The Dataflow Model (2015)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, step): (&Id, &Id, Step)| {
        let windowed = context.get(id, key::operator::WINDOW).is_some_and(|window| window != WindowKind::Nothing);
        if step != Step::Aggregate || !windowed || context.get(id, key::operator::CLOCK)? != Clock::ProcessingTime {
            return None;
        }
        let id = context.design.elements.get_key_value(id)?.0;
        let consumer = context.consumers_behind(id).into_iter().find(|consumer| context.get(consumer, key::consumer::REPLAY_NEEDED).is_some())?;
        let message = format!("{} goes by the clock on the wall; {} needs results that can be made again", context.title(id), context.title(consumer));
        Some(rule.finding(&[id, consumer], message, "a window by the time of the event"))
    };
    context.operators().filter_map(one).collect()
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
}
