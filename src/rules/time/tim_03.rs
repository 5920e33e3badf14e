use crate::{
    model::{ElementKind, Id, Link, Subject, key, words::{Clock, QuestionClock, WindowKind}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A question about when things happened is answered by when the job saw them.
    ///
    /// # Why
    /// A processing-time window counts what arrived in it. After a stop, a backlog falls into one window; a replay gives
    /// other results than the first run.
    ///
    /// # Example
    /// "Revenue per five minutes" by the machine's clock: after ten minutes down, one window holds three.
    ///
    /// # What to do
    /// Use event time with a watermark and a place for late events.
    TIM_03 "TIM-03" Error "The window runs by the wrong clock"
    why "the question is about event time, the window counts by arrival"
    sources ["Apache Flink documentation, Timely Stream Processing: Event Time and Processing Time"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let by_arrival = |id: &Id| {
        context.get(id, key::operator::CLOCK) == Some(Clock::ProcessingTime)
            && !matches!(context.get(id, key::operator::WINDOW), None | Some(WindowKind::Nothing))
    };
    let windows = context.forward(|id, inputs: &[(&Id, &Link, &&Id)]| {
        if by_arrival(id) { Some(id) } else { inputs.first().map(|(.., window)| **window) }
    });
    let one = |(consumer, _): (&Id, &Subject)| {
        if context.get(consumer, key::consumer::QUESTION_CLOCK)? != QuestionClock::EventTime {
            return None;
        }
        let window = *windows.get(consumer)?;
        let message = format!(
            "{} asks by event time, {} counts by processing time",
            context.title(consumer),
            context.title(window)
        );
        let fix = propose("Propose event time", window, key::operator::CLOCK, Clock::EventTime);
        Some(rule.finding(&[window, consumer], message, "use event time with a watermark").fixed_by(Some(fix)))
    };
    context.elements(ElementKind::Consumer).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_processing_time_window_for_an_event_time_question_is_found() {
        let arrival = ("elements/sum/proposed/clock", "\"processing_time\"");
        fires("TIM-03", &[arrival]);
        mends("TIM-03", &[arrival]);
        silent("TIM-03", &[arrival, ("elements/board/proposed/question_clock", "\"processing_time\"")]);
    }
}
