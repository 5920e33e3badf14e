use crate::{
    model::{ElementKind, Group, Id, Subject, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A consumer has a limit for latency, and what a window on the way waits is not known.
    ///
    /// # Why
    /// A window waits for its end, for the watermark, and for the next event that moves it. Where the length of the longest pause of a
    /// partition is open and no idle time-out ends it, the wait has no bound, and the sum of the rest says nothing about the limit.
    ///
    /// # Example
    /// Windows of ten seconds over four partitions that send once a minute: results come after up to four and a half minutes.
    ///
    /// # What to do
    /// Measure the longest silence of a partition, or set an idle time-out; state size, delay and when results are emitted.
    LAT_L3 "LAT-L3" Warning "A window's wait is left out of the latency"
    why "the latency that was stated can be exceeded without limit"
    sources ["Apache Flink documentation, Generating Watermarks: Dealing With Idle Sources"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let needed = context.get(id, key::consumer::LATENCY_REQUIREMENT)?;
        let report = context.consumer_report(id)?;
        let known = report.latency.as_ref().ok().map(|latency| latency.value);
        if known.is_some_and(|known| known > needed.secs()) {
            return None;
        }
        let silence = key::channel::LONGEST_SILENCE.field();
        let open = report.latency_open.iter().find(|open| open.field.group() == Group::Operator || open.field == silence)?;
        let rest = known.map_or_else(String::new, |known| format!(", and {} come before it", human::seconds(known)));
        let message = format!(
            "{} needs results within {}; how long a window waits for {} is open ({}){rest}",
            context.title(id), needed.spoken(), context.title(&open.subject), open.words()
        );
        Some(rule.finding(&[id, &open.subject], message, "measure the longest silence, or set an idle time-out"))
    };
    context.elements_with(ElementKind::Consumer, key::consumer::LATENCY_REQUIREMENT).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_wait_that_is_open_is_found() {
        let open = [("elements/orders/proposed/longest_silence", "null"), ("elements/sum/proposed/idle_timeout", "null")];
        let message = fires("LAT-L3", &open).message;
        assert!(message.contains("how long a window waits for orders is open (longest silence: not measured)"), "{message}");
        silent("LAT-L3", &open[..1]);
        silent("LAT-L3", &[]);
        silent("LAT-L3", &[open[0], open[1], ("elements/board/proposed/latency_requirement", "null")]);
    }
}
