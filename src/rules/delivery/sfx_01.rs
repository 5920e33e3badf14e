use crate::{
    model::{ElementKind, Id, Link, key, units::Limit, words::WriteMode},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Somebody outside is called again, and cannot tell.
    ///
    /// # Why
    /// A call is outside of every transaction, whatever the job's guarantee. What is read again after a crash is called again, and an
    /// HTTP client that gets no answer calls again by itself. Only the callee can recognise it, by a key that it keeps longer than the
    /// repeat takes.
    ///
    /// # Example
    /// An alarm job pages by HTTP; each restart pages the last half minute once more.
    ///
    /// # What to do
    /// Send a key made from the event (`Idempotency-Key`), and ask how long the callee keeps it; or note each call in a store of your
    /// own, in one transaction with the position.
    SFX_01 "SFX-01" Error "A call that is made again"
    why "the callee acts a second time: pays, sends, pages"
    sources ["IETF draft, The Idempotency-Key HTTP Header Field", "RFC 9110, HTTP Semantics: idempotent methods and automatic retries", "Stripe API reference, Idempotent requests: keys are kept for 24 hours"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.get(id, key::store::WRITE_MODE)? != WriteMode::Call || context.kind(&link.to)? != ElementKind::Sink {
            return None;
        }
        // A screen shows the same value again.
        let screen = context.runs(&link.to, "dashboard");
        let retries = context.get(id, key::store::CLIENT_RETRIES).is_some_and(|retries| retries > 0);
        let reads_again = context.writes_again(&link.from);
        if screen || !(retries || reads_again) || !context.repeats_matter(id) {
            return None;
        }
        let why = unknown_to(context, id, link)?;
        let when = if reads_again { "after a crash" } else { "where an answer does not come" };
        let message = format!("{} calls again {when}, and {why}", context.title(id));
        Some(rule.finding(&[id, &link.to], message, "send a key made from the event that the callee keeps for longer than an outage"))
    };
    context.links_with(key::store::WRITE_MODE).filter_map(one).collect()
}

/// Why the callee does not recognise a repeat, where it does not.
fn unknown_to(context: &Context<'_>, id: &Id, link: &Link) -> Option<String> {
    let callee = context.title(&link.to);
    let window = match context.get(&link.to, key::sink::IDEMPOTENCY_WINDOW) {
        None => return Some(format!("no key is stated by which {callee} would know it")),
        Some(Limit::None) => return Some(format!("{callee} knows no key")),
        Some(window) => window,
    };
    if context.new_key(id) {
        return Some("draws a new key for every call".to_owned());
    }
    if context.get(id, key::write::KEY).is_some_and(|key| key.0.is_empty()) {
        return Some("sends no key".to_owned());
    }
    let Limit::Of(kept) = window else { return None };
    let again = super::dup_07::read_again(context, &link.from).filter(|again| *again >= kept)?;
    Some(format!("{callee} keeps a key for {}: repeats come after up to {}", kept.spoken(), again.spoken()))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const PAGER: &[(&str, &str)] = &[
        ("elements/table", r#"{"kind":"sink","system":"http","proposed":{"rebuild":"irreversible"}}"#),
        ("links/l6/proposed", r#"{"key":["store","window_start"],"write_mode":"call","client_retries":0}"#),
        ("elements/loader", r#"{"kind":"job","system":"plain_consumer","proposed":{"client":"java","on_error":"fail"}}"#),
    ];
    const DAY: (&str, &str) = ("elements/table/proposed/idempotency_window", "\"1d\"");

    #[test]
    fn a_callee_that_cannot_tell_is_found() {
        assert_eq!(
            fires("SFX-01", PAGER).message,
            "write → table calls again after a crash, and no key is stated by which table would know it"
        );
        fires("SFX-01", &[PAGER, &[("elements/table/proposed/idempotency_window", "\"none\"")]].concat());
        fires("SFX-01", &[PAGER, &[DAY, ("links/l6/proposed/key", "[\"@random\"]")]].concat());
        let away = [("elements/loader/proposed/commit_interval", "\"5s\""), ("elements/loader/proposed/longest_outage", "\"30h\"")];
        assert!(fires("SFX-01", &[PAGER, &[DAY], &away].concat()).message.contains("keeps a key for 24 h"));
    }

    #[test]
    fn the_clients_own_retries_are_found() {
        let once = ("links/l5/proposed/offset_commit", "\"before_work\"");
        silent("SFX-01", &[PAGER, &[once]].concat());
        let retries = [PAGER, &[once, ("links/l6/proposed/client_retries", "3")]].concat();
        assert!(fires("SFX-01", &retries).message.contains("where an answer does not come"));
    }

    #[test]
    fn a_callee_that_keeps_the_key_and_a_screen_are_left_alone() {
        silent("SFX-01", &[PAGER, &[DAY]].concat());
        silent("SFX-01", &[PAGER, &[("elements/table/system", "\"dashboard\"")]].concat());
        silent("SFX-01", &[PAGER, &[("elements/board/proposed/duplicates_tolerated", "true")]].concat());
        silent("SFX-01", &[]);
    }
}
