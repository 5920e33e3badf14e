use crate::{
    analysis::delivery::takes,
    catalog::Lateness,
    model::{Id, Link, Step, key, units::Duration},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Events are measured later than the window takes them.
    ///
    /// # Why
    /// The share of events beyond the bound is in no result. At a steady rate that share is a number of events every day.
    ///
    /// # Example
    /// The bound is 30 s and the 99th percentile 45 s: at least 1 % of 300 events a second, 259 200 a day, are too late.
    ///
    /// # What to do
    /// Raise the watermark delay or the allowed lateness above the percentile that the consumer needs.
    TIM_07 "TIM-07" Error "Events are later than the window takes them"
    why "events beyond the bound are in no result"
    sources ["Apache Flink documentation, Windows: Allowed Lateness", "Akidau, Chernyak, Lax, Streaming Systems, chapter 3: Watermarks"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let measured = super::measured(context);
    // The smallest share of late events that a consumer behind an element accepts.
    let tolerated = context.backward(|id, inputs: &[(&Id, &Link, &f64)]| {
        let own = context.get(id, key::consumer::LATE_SHARE_TOLERATED).map(|ratio| ratio.0);
        inputs.iter().map(|(.., share)| **share).chain(own).reduce(f64::min)
    });
    let one = |(id, _, _): (&Id, &Id, Step)| {
        if !super::closes(context, id) {
            return None;
        }
        let bound = bound(context, id)?;
        let (at, lateness) = measured.get(id)?;
        // The lowest percentile above the bound: everything beyond it is too late for certain.
        let (percent, late) = lateness.percentiles().find(|(_, late)| *late > bound)?;
        let share = 1.0 - percent / 100.0;
        if tolerated.get(id).is_some_and(|tolerated| share <= tolerated + 1e-9) {
            return None;
        }
        let message = format!(
            "{} takes events up to {} late; p{percent} of {} is {}, so at least {:.3} % come later",
            context.title(id),
            bound.spoken(),
            context.title(at),
            late.spoken(),
            share * 100.0
        );
        Some(rule.finding(&[id, at], trim(&message), "raise the allowed lateness above the percentile that is needed"))
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

/// `1.000 %` as `1 %`.
fn trim(message: &str) -> String {
    let Some((head, tail)) = message.split_once(" % come") else { return message.to_owned() };
    format!("{} % come{tail}", head.trim_end_matches('0').trim_end_matches('.'))
}

/// How late an event may be and still count, by what its engine takes; not known where its inputs do not agree.
pub(in crate::rules) fn bound(context: &Context<'_>, id: &Id) -> Option<Duration> {
    let node = context.graph.find(id)?;
    let takes = Lateness::of(takes::engine(context.graph, node), context.get(id, key::operator::API), None);
    // Against the runner's own watermark, what is measured behind the highest time says nothing.
    if takes == Lateness::BeyondRunner {
        return None;
    }
    let bound = takes::bound(context.graph, node, takes, &mut takes::Plain(context.graph))?;
    bound.agreed.then(|| bound.time())
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn measured_lateness_beyond_the_bound_is_found() {
        let none = ("elements/sum/proposed/allowed_lateness", "\"0s\"");
        let strict = ("elements/board/proposed/late_share_tolerated", "0.0001");
        let finding = fires("TIM-07", &[none, strict]);
        assert_eq!(finding.message, "sum takes events up to 30 s late; p99.9 of orders is 50 s, so at least 0.1 % come later");
        // 1 in 1 000 is within the 1 in 100 that the board accepts.
        silent("TIM-07", &[none]);
        silent("TIM-07", &[strict]);
        // What is allowed beyond the watermark counts in legacy group windows only with late firing.
        let group = ("elements/sum/proposed/api", "\"group_window\"");
        let off = ("elements/sum/proposed/late_firing", "\"none\"");
        assert!(fires("TIM-07", &[group, off, strict]).message.starts_with("sum takes events up to 30 s late"));
        silent("TIM-07", &[group, ("elements/sum/proposed/late_firing", "\"0s\""), strict]);
        silent("TIM-07", &[group, strict]);
    }
}
