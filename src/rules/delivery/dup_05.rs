use crate::{
    model::{Id, Step, key, units::{Duration, Limit}, words::TtlClock},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A de-duplication forgets by the clock on the wall, also while its job stands still.
    ///
    /// # Why
    /// Copies that lie a second apart in the log can be read a day apart, where the job is down in between. With a time-to-live in
    /// processing time, as Flink's is, the ids have expired when it is restored: the second copy passes. What counts is the time
    /// between the two copies and the outage together.
    ///
    /// # Example
    /// Ids are kept for 24 h; the job is down for 30 h between two copies of a payment.
    ///
    /// # What to do
    /// Keep ids for longer than re-sends and the longest outage together, or by event time, or write on a unique key.
    DUP_05 "DUP-05" Warning "Ids expire while the job stands still"
    why "a copy that is read after an outage finds its id forgotten"
    sources ["Apache Flink documentation, Working with State: State Time-To-Live (processing time only)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let candidate = |(id, job, step): (&'_ Id, &'_ Id, Step)| {
        let by_the_wall = step == Step::Deduplicate && context.get(id, key::operator::TTL_CLOCK)? == TtlClock::ProcessingTime;
        let Limit::Of(kept) = context.get(id, key::operator::STATE_TTL)? else { return None };
        let away = context.away(job).filter(|_| by_the_wall && context.repeats_matter(id))?;
        Some((kept, away))
    };
    let candidates: Vec<_> = context.operators_with(key::operator::STATE_TTL).filter_map(|of| Some((of.0, of.1, candidate(of)?))).collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let again = super::dup_01::resends(context);
    let one = |(id, job, (kept, away)): (&Id, &Id, (Duration, Duration))| {
        // Without limit, or longer than the ids are kept: that is found without any outage.
        let apart = again.get(id).map_or(Some(Duration::ZERO), |again| again.0).filter(|apart| *apart < kept)?;
        (super::dup_01::sum(apart, away) >= kept).then(|| {
            let besides = if apart == Duration::ZERO { String::new() } else { format!(", and copies come up to {} apart", apart.spoken()) };
            let message = format!("{} keeps ids for {}, also while {} is away for {}{besides}", context.title(id), kept.spoken(), context.title(job), away.spoken());
            rule.finding(&[id, job], message, "keep ids for longer than re-sends and outage together, or by event time")
        })
    };
    candidates.into_iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const AWAY: (&str, &str) = ("elements/revenue/proposed/longest_outage", "\"25h\"");

    /// The shop may send again for 24 h, ids are kept for 48 h.
    #[test]
    fn an_outage_that_uses_up_the_rest_is_found() {
        assert_eq!(
            fires("DUP-05", &[AWAY]).message,
            "dedup keeps ids for 2 d, also while revenue is away for 25 h, and copies come up to 24 h apart"
        );
        fires("DUP-05", &[("links/l1/proposed/resend_within", "null"), ("elements/revenue/proposed/longest_outage", "\"2d\"")]);
    }

    #[test]
    fn event_time_shorter_outages_and_the_rule_on_re_sends_are_left_alone() {
        silent("DUP-05", &[]);
        silent("DUP-05", &[("elements/revenue/proposed/longest_outage", "\"23h\"")]);
        silent("DUP-05", &[AWAY, ("elements/dedup/proposed/ttl_clock", "\"event_time\"")]);
        silent("DUP-05", &[AWAY, ("elements/dedup/proposed/ttl_clock", "null")]);
        silent("DUP-05", &[AWAY, ("links/l1/proposed/resend_within", "\"2d\"")]);
    }
}
