use crate::{
    model::{ElementKind, Id, Link, Step, key, units::{Duration, Limit}},
    rules::{Context, Finding, Rule, context::Along, rule::rule},
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
pub(in crate::rules) type Again<'a> = (Option<Duration>, &'a Id);

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, step): (&Id, &Id, Step)| {
        let (Step::Deduplicate, Limit::Of(kept)) = (step, context.get(id, key::operator::STATE_TTL)?) else { return None };
        let (horizon, link) = *resends(context).get(id)?;
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
    context.operators_with(key::operator::STATE_TTL).filter_map(one).collect()
}

/// The longest time by which a copy can come behind its first, in front of each element: what the source may send again,
/// and for each job on the way what it may have to read again and how long it may be away. What is not stated adds nothing.
pub(super) fn resends<'c, 'a>(context: &'c Context<'a>) -> &'c Along<'a, Again<'a>> {
    context.resends.get_or_init(|| worked_out(context))
}

fn worked_out<'a>(context: &Context<'a>) -> Along<'a, Again<'a>> {
    let longer = |a: &Again<'a>, b: &Again<'a>| a.0.is_none_or(|a| b.0.is_some_and(|b| a > b));
    context.forward(|_, inputs: &[(&'a Id, &'a Link, &Option<Again<'a>>)]| {
        let own = |at: &'a Id| match context.get(at, key::take::RESEND_WITHIN)? {
            Limit::Unlimited => Some((None, at)),
            Limit::Of(within) => Some((Some(within), at)),
            Limit::None => None,
        };
        let come = |at: &'a Id, link: &'a Link, from: Option<Again<'a>>| {
            let Some(relay) = relayed(context, link) else { return from };
            match from {
                Some((within, first)) => Some((within.map(|within| sum(within, relay)), first)),
                None => (!context.writes_transactions(at, &link.from)).then_some((Some(relay), at)),
            }
        };
        let all = inputs.iter().flat_map(|(at, link, from)| [own(at), come(at, link, **from)]).flatten();
        Some(all.reduce(|a, b| if longer(&b, &a) { b } else { a }))
    })
    .and_then(|again| again)
}

/// What a job that writes into a channel adds: what it reads again, and how long it is away.
fn relayed(context: &Context<'_>, link: &Link) -> Option<Duration> {
    if context.kind(&link.to)? != ElementKind::Channel || context.kind(&link.from)? != ElementKind::Operator {
        return None;
    }
    super::dup_07::read_again(context, &link.from)
}

pub(super) fn sum(a: Duration, b: Duration) -> Duration {
    Duration::from_millis(a.millis().saturating_add(b.millis()))
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

    /// 30 h by the shop, and a mirror that may be away for 17 h and has 2 h to read again: 49 h against two days.
    #[test]
    fn delays_on_the_way_add_up() {
        let mirror = [
            ("elements/raw", r#"{"kind":"channel","cluster":"kafka"}"#),
            ("elements/mirror", r#"{"kind":"job","system":"mirror_maker","proposed":{"processing_guarantee":"at_least_once","commit_interval":"2h","longest_outage":"17h"}}"#),
            ("elements/copy", r#"{"kind":"operator","job":"mirror","step":"copy"}"#),
            ("links/l1/to", "\"raw\""),
            ("links/l1/proposed/resend_within", "\"30h\""),
            ("links/m1", r#"{"from":"raw","to":"copy"}"#),
            ("links/m2", r#"{"from":"copy","to":"orders"}"#),
        ];
        assert_eq!(fires("DUP-01", &mirror).message, "dedup keeps ids for 2 d; shop → raw may send again for 2 d 1 h");
        silent("DUP-01", &[&mirror[..], &[("elements/mirror/proposed/longest_outage", "\"15h\"")]].concat());
    }
}
