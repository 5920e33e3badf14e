use crate::{
    model::{Id, Link, key, words::{Acknowledge, Capture}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A source is told too early that its event has arrived, is never told, or forgets who was away.
    ///
    /// # Why
    /// Nothing behind this place can bring back what is lost here. A webhook that answers 200 and stores afterwards loses what was in
    /// work; MQTT at quality of service 0 is never sent again; and at 1 or 2 the broker keeps messages for a subscriber that is away
    /// only while its session is kept: MQTT 5 without a Session Expiry Interval, and 3.1.1 with a clean session, keep none.
    ///
    /// # Example
    /// Sensors publish at quality of service 1; the bridge reconnects with a clean session after a deploy, and two minutes are
    /// missing.
    ///
    /// # What to do
    /// Store first, then acknowledge; quality of service 1 and a session that outlasts the longest outage; remove the repeats that come
    /// with it by an id of the event.
    SRC_L3 "SRC-L3" Error "Lost before it was stored"
    why "the source does not send again what it believes to have arrived"
    sources ["OASIS MQTT Version 5.0, sections 3.1.2.11.2 Session Expiry Interval and 4.3 Quality of Service", "RFC 9110, HTTP Semantics: 202 (Accepted)", "Stripe API reference, Webhooks: what counts as delivered"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let capture = context.get(id, key::take::CAPTURE).or_else(|| only(context, &link.from))?;
        if !matches!(capture, Capture::Push | Capture::Subscribe) || !context.loss_matters(id) {
            return None;
        }
        let after_store = || propose("Propose to acknowledge after storing", id, key::take::ACKNOWLEDGE, Acknowledge::AfterStore);
        let (what, fix) = match context.get(id, key::take::ACKNOWLEDGE) {
            Some(Acknowledge::BeforeStore) => ("acknowledges before it has stored", after_store()),
            Some(Acknowledge::Never) => ("never acknowledges, so that nothing is sent again", after_store()),
            Some(_) if capture == Capture::Subscribe && context.get(id, key::take::SESSION_KEPT) == Some(false) => {
                ("keeps no session: what comes while it is away is gone", propose("Propose a kept session", id, key::take::SESSION_KEPT, true))
            }
            _ => return None,
        };
        let message = format!("{} {what}", context.title(id));
        Some(rule.finding(&[id, &link.from], message, "store, then acknowledge; keep the session for as long as an outage lasts").fixed_by(Some(fix)))
    };
    context.links_with(key::take::ACKNOWLEDGE).filter_map(one).collect()
}

/// The way of a source that has but one.
fn only(context: &Context<'_>, source: &Id) -> Option<Capture> {
    match context.entry(source)?.source?.takings {
        [only] => Some(only.capture),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const PUSHED: &[(&str, &str)] = &[("elements/shop/system", "\"http\""), ("links/l1/proposed/capture", "\"push\"")];
    const SENSORS: &[(&str, &str)] = &[
        ("elements/shop/system", "\"mqtt\""),
        ("links/l1/proposed/capture", "\"subscribe\""),
        ("links/l1/proposed/session_kept", "true"),
    ];

    #[test]
    fn what_is_acknowledged_too_early_is_found() {
        let early = [PUSHED, &[("links/l1/proposed/acknowledge", "\"before_store\"")]].concat();
        assert_eq!(fires("SRC-L3", &early).message, "shop → orders acknowledges before it has stored");
        mends("SRC-L3", &early);
        let never = [SENSORS, &[("links/l1/proposed/acknowledge", "\"never\"")]].concat();
        fires("SRC-L3", &never);
        mends("SRC-L3", &never);
    }

    #[test]
    fn a_session_that_is_not_kept_is_found() {
        let clean = [SENSORS, &[("links/l1/proposed/session_kept", "false")]].concat();
        assert!(fires("SRC-L3", &clean).message.ends_with("is gone"));
        // A broker is only ever subscribed to.
        fires("SRC-L3", &[&clean[..], &[("links/l1/proposed/capture", "null")]].concat());
        mends("SRC-L3", &clean);
    }

    #[test]
    fn stored_first_kept_and_tolerated_are_left_alone() {
        silent("SRC-L3", PUSHED);
        silent("SRC-L3", SENSORS);
        silent("SRC-L3", &[SENSORS, &[("links/l1/proposed/session_kept", "null")]].concat());
        let early = [PUSHED, &[("links/l1/proposed/acknowledge", "\"before_store\""), ("elements/board/proposed/loss_tolerated", "true")]].concat();
        silent("SRC-L3", &early);
    }
}
