use crate::{
    model::{ElementKind, Group, Id, Subject, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A consumer has a limit for latency, and what a window on the way waits is not known.
    ///
    /// # Why
    /// A window waits for its end, for the watermark, and for the next event that moves it. Where one of them is open, the sum of the
    /// rest says nothing about the limit.
    ///
    /// # Example
    /// Windows of an hour whose watermark delay nobody has read: results come an hour after the first event, and nobody knows how
    /// much later.
    ///
    /// # What to do
    /// Read or state size, delay and when results are emitted. How long a partition may be silent is a finding of its own (TIM-25).
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
        // How long the input may be silent is a finding of its own, at the channel (TIM-25).
        let open = report.latency_open.iter().find(|open| open.field.group() == Group::Operator)?;
        let rest = known.map_or_else(String::new, |known| format!(", and {} come before it", human::at_least(known)));
        let message = format!(
            "{} needs results within {}; how long a window waits for {} is open ({}){rest}",
            context.title(id), needed.spoken(), context.title(&open.subject), open.words()
        );
        Some(rule.finding(&[id, &open.subject], message, "read or state what the window waits for"))
    };
    context.elements_with(ElementKind::Consumer, key::consumer::LATENCY_REQUIREMENT).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_wait_that_is_open_is_found() {
        let open = [("elements/sum/proposed/watermark_delay", "null")];
        let message = fires("LAT-L3", &open).message;
        assert!(message.contains("how long a window waits for sum is open (watermark delay: "), "{message}");
        silent("LAT-L3", &[]);
        silent("LAT-L3", &[open[0], ("elements/board/proposed/latency_requirement", "null")]);
        // How long the input may be silent is found at the channel.
        let silence = [("elements/orders/proposed/longest_silence", "null"), ("elements/sum/proposed/idle_timeout", "null")];
        silent("LAT-L3", &silence);
        fires("TIM-25", &silence);
    }
}
