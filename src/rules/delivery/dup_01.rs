use crate::{
    model::{ElementKind, Id, Port, Step, key, units::{Duration, Limit}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A de-duplication forgets ids earlier than the source may send again.
    ///
    /// # Why
    /// A repeat that comes after its id was forgotten passes as new. Delays add up along the path: re-sends of the source
    /// and of every job in front.
    ///
    /// # Example
    /// Ids are kept for 1 h, the webhook's sender retries for 24 h.
    ///
    /// # What to do
    /// Keep ids longer than the sum of all re-sends in front, or write on a unique key that never forgets.
    DUP_01 "DUP-01" Error "Ids are forgotten before the last repeat"
    why "a repeat that comes later than the ids are kept passes as new"
    sources ["Apache Flink documentation, Working with State: State Time-To-Live", "Stripe API reference, Webhooks: retries for up to three days"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, step): (&Id, &Id, Step)| {
        let (Step::Deduplicate, Limit::Of(kept)) = (step, context.get(id, key::operator::STATE_TTL)?) else { return None };
        let id = context.design.elements.get_key_value(id)?.0;
        let mut worst: Option<(Option<u64>, &Id)> = None;
        for at in context.upstream(id) {
            for (link, ends) in context.into(at) {
                if ends.port == Some(Port::Reconcile) || context.kind(&ends.from) != Some(ElementKind::Source) {
                    continue;
                }
                let horizon = match context.get(link, key::take::RESEND_WITHIN) {
                    Some(Limit::Unlimited) => None,
                    Some(Limit::Of(within)) => Some(within.millis()),
                    _ => continue,
                };
                if worst.is_none_or(|(known, _)| known.is_some_and(|known| horizon.is_none_or(|ms| ms > known))) {
                    worst = Some((horizon, link));
                }
            }
        }
        let (horizon, link) = worst?;
        if horizon.is_some_and(|ms| ms < kept.millis()) {
            return None;
        }
        let within = horizon.map_or("without limit".to_owned(), |ms| {
            format!("for {}", Duration::from_millis(ms).spoken())
        });
        let message = format!("{} keeps ids for {}; {} may send again {within}", context.title(id), kept.spoken(), context.title(link));
        Some(rule.finding(&[id, link], message, "keep ids longer than the last repeat, or write on a unique key"))
    };
    context.operators().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_memory_shorter_than_the_resend_is_found() {
        let finding = fires("DUP-01", &[("elements/dedup/proposed/state_ttl", "\"1h\"")]);
        assert_eq!(finding.message, "dedup keeps ids for 1 h; shop → orders may send again for 24 h");
        fires("DUP-01", &[("links/l1/proposed/resend_within", "\"unlimited\"")]);
        // Equal is not enough: a copy exactly as late as the time-to-live passes.
        fires("DUP-01", &[("links/l1/proposed/resend_within", "\"2d\"")]);
        silent("DUP-01", &[("links/l1/proposed/resend_within", "null")]);
    }
}
