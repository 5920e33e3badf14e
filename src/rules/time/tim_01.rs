use crate::{
    model::{Id, Step, key, words::{Clock, WindowKind}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A window works by event time, and nobody says which field that is or who sets it.
    ///
    /// # Why
    /// A stamp from a device without a synchronised clock is not the time of the event; a stamp that the broker sets is the
    /// time of arrival. Every statement about late events rests on it.
    ///
    /// # Example
    /// Totals per five minutes by the record's timestamp, which turns out to be the time of the upload.
    ///
    /// # What to do
    /// Name the field and who sets it on the event type.
    TIM_01 "TIM-01" Error "Event time without a field"
    why "nobody knows which clock the window is read by"
    sources ["Apache Flink documentation, Timely Stream Processing: Notions of Time", "Akidau, Chernyak, Lax, Streaming Systems, chapter 2"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let by_event_time = |(id, _, _): &(&Id, &Id, Step)| {
        let window = context.get(id, key::operator::WINDOW);
        window.is_some_and(|window| !matches!(window, WindowKind::Nothing | WindowKind::Global))
            && context.get(id, key::operator::CLOCK) == Some(Clock::EventTime)
    };
    let one = |id: &Id, event: &Id| {
        let name = context.title(event);
        let what = match (context.get(event, key::event::TIMESTAMP_FIELD), context.get(event, key::event::TIMESTAMP_SET_BY)) {
            (None, _) => format!("the time field of {name} is not read"),
            (Some(field), None) => format!("who sets {field} of {name} is not read"),
            _ => return None,
        };
        let message = format!("{} works by event time, and {what}", context.title(id));
        Some(rule.finding(&[id, event], message, "name the field and who sets it on the event"))
    };
    let windows = context.operators().filter(by_event_time);
    windows.flat_map(|(id, ..)| context.events_at(id).iter().filter_map(move |event| one(id, event))).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_missing_time_field_is_found() {
        let field = ("events/order/proposed/timestamp_field", "null");
        assert_eq!(fires("TIM-01", &[field]).message, "sum works by event time, and the time field of order is not read");
        fires("TIM-01", &[("events/order/proposed/timestamp_set_by", "null")]);
        fires("TIM-01", &[field, OTHER[0], OTHER[1], OTHER[2]]);
        silent("TIM-01", &OTHER);
        silent("TIM-01", &[field, ("elements/sum/proposed/clock", "\"processing_time\"")]);
    }
}
