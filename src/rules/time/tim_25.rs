use crate::{
    model::{ElementKind, key, units::human},
    rules::{Context, Finding, Rule, context::Set, rule::rule},
};

rule! {
    /// A consumer needs results in time, and how long the input may be silent is not known.
    ///
    /// # Why
    /// A window closes by the events that come after it. Where none come, neither does its result, whatever size and watermark delay
    /// are: the longest pause of the slowest partition belongs to the latency.
    ///
    /// # Example
    /// "Results after six minutes", and a partition that gets a record every half hour at night.
    ///
    /// # What to do
    /// Measure the longest pause of a partition, or set an idle time-out and say what it drops.
    TIM_25 "TIM-25" Warning "How long the input is silent is not known"
    why "windows wait for the next event of the slowest partition"
    sources ["Apache Flink documentation, Generating Watermarks: Dealing With Idle Sources", "Apache Kafka documentation, Streams DSL: Window Final Results"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let mut seen = Set::default();
    let mut found = Vec::new();
    for (id, _) in context.elements(ElementKind::Consumer) {
        let Some(needed) = context.get(id, key::consumer::LATENCY_REQUIREMENT) else { continue };
        let Some(report) = context.consumer_report(id) else { continue };
        let silence = key::channel::LONGEST_SILENCE.field();
        for missing in report.latency_open.iter().filter(|missing| missing.field == silence) {
            if seen.insert(&missing.subject) {
                let (at, name) = (context.title(&missing.subject), context.title(id));
                let known = report.latency.as_ref().ok().map(|latency| latency.value);
                let rest = known.map_or_else(String::new, |known| format!(", and {} come before it", human::at_least(known)));
                let message = format!("{name} needs results within {}; how long a partition of {at} may be silent is not measured{rest}", needed.spoken());
                found.push(rule.finding(&[&missing.subject, id], message, "measure the longest pause of a partition, or set an idle time-out"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_unknown_pause_before_a_requirement_is_found() {
        let none = [("elements/orders/proposed/longest_silence", "null"), ("elements/sum/proposed/idle_timeout", "null")];
        let message = "board needs results within 15 min; how long a partition of orders may be silent is not measured, and 6 min 35 s come before it";
        assert_eq!(fires("TIM-25", &none).message, message);
        silent("TIM-25", &[none[0]]);
        // The retry channel is read as well.
        assert_eq!(fires("TIM-25", &[none[1]]).about[0].as_str(), "dlq");
        silent("TIM-25", &[none[0], none[1], ("elements/board/proposed/latency_requirement", "null")]);
        silent("TIM-25", &[none[0], none[1], ("elements/sum/proposed/clock", "\"processing_time\"")]);
    }
}
