use crate::{
    model::{Id, Link, Step, key, units::{Duration, Limit}},
    rules::{Context, Finding, Rule, context::Map, rule::rule},
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

/// How long a source in front may send again, the longest: `None` is without limit.
type Again<'a> = (Option<Duration>, &'a Id);

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let again = resends(context);
    let one = |(id, _, step): (&Id, &Id, Step)| {
        let (Step::Deduplicate, Limit::Of(kept)) = (step, context.get(id, key::operator::STATE_TTL)?) else { return None };
        let (horizon, link) = *again.get(id)?;
        if horizon.is_some_and(|horizon| horizon < kept) {
            return None;
        }
        let within = horizon.map_or("without limit".to_owned(), |horizon| format!("for {}", horizon.spoken()));
        let message = format!(
            "{} keeps ids for {}; {} may send again {within}",
            context.title(id),
            kept.spoken(),
            context.title(link)
        );
        Some(rule.finding(&[id, link], message, "keep ids longer than the last repeat, or write on a unique key"))
    };
    context.operators().filter_map(one).collect()
}

/// The longest re-send in front of each element.
fn resends<'a>(context: &Context<'a>) -> Map<'a, Again<'a>> {
    let longer = |a: &Again<'a>, b: &Again<'a>| a.0.is_none_or(|a| b.0.is_some_and(|b| a > b));
    context.forward(|_, inputs: &[(&'a Id, &'a Link, &Option<Again<'a>>)]| {
        let own = |at: &'a Id| match context.get(at, key::take::RESEND_WITHIN)? {
            Limit::Unlimited => Some((None, at)),
            Limit::Of(within) => Some((Some(within), at)),
            Limit::None => None,
        };
        let all = inputs.iter().flat_map(|(at, _, from)| [own(at), **from]).flatten();
        Some(all.reduce(|a, b| if longer(&b, &a) { b } else { a }))
    })
    .into_iter()
    .filter_map(|(id, again)| Some((id, again?)))
    .collect()
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
