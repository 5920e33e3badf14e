//! Security or privacy: personal, health or cardholder data would stay too long, go to a less trusted place, or never be
//! erased. Here what lies in channels; the copies that stand beside them each have a file.

mod aside;
mod savepoints;
mod state;
mod stores;
mod tiers;

use crate::{
    model::{
        ElementKind, Id, Link, Shape, TrustZone, key,
        units::{Limit, human},
        words::{CleanupPolicy, ErasureBy},
    },
    rules::{
        Context, Halt, HaltClass, Lift,
        governance::{erased_within, personal_key},
    },
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    if !context.design.events.keys().any(|event| context.personal(event)) {
        return Vec::new();
    }
    // The most trusted place that stands in front of each element or is its own.
    let zones = context.forward(|id, inputs: &[(&Id, &Link, &Option<TrustZone>)]| {
        Some(inputs.iter().filter_map(|(.., from)| **from).chain(zone(context, id)).max())
    });
    let front =
        |id: &Id| -> Option<TrustZone> { context.into(id).filter_map(|(_, link)| *zones.get(&link.from)?).max() };
    let channels = context.elements(ElementKind::Channel);
    let channels =
        channels.flat_map(|(id, _)| personal(context, id).flat_map(move |event| kept(context, id, event, front(id))));
    let mut halts: Vec<Halt> = channels.collect();
    halts.extend(stores::halts(context, &front));
    halts.extend(state::halts(context, &front));
    halts.extend(savepoints::halts(context));
    halts.extend(tiers::halts(context));
    halts.extend(aside::halts(context));
    halts
}

/// The most trusted place in front of an element, where one is known.
type Front<'f> = &'f dyn Fn(&Id) -> Option<TrustZone>;

/// What is wrong, and what mends it.
type Problem = (String, &'static str);

/// The personal event types that reach an element.
fn personal<'c, 'a>(context: &'c Context<'a>, id: &Id) -> impl Iterator<Item = &'a Id> + use<'c, 'a> {
    let events: Vec<&'a Id> = context.events_at(id).to_vec();
    events.into_iter().filter(|event| context.personal(event))
}

/// What is wrong with keeping events of this personal type in a channel.
fn kept(context: &Context<'_>, id: &Id, event: &Id, from: Option<TrustZone>) -> Vec<Halt> {
    let problems = [too_long(context, id, event), for_ever(context, id, event), less_trusted(context, id, from)];
    problems.into_iter().filter_map(|problem| stopped(context, id, event, problem)).collect()
}

/// The halt for a problem with its remedy, where an element itself keeps the events.
fn stopped(context: &Context<'_>, id: &Id, event: &Id, problem: Option<Problem>) -> Option<Halt> {
    stopped_in(context, &context.title(id), id, event, problem)
}

/// The halt for a problem, where `place` is what of an element keeps the events.
fn stopped_in(context: &Context<'_>, place: &str, id: &Id, event: &Id, problem: Option<Problem>) -> Option<Halt> {
    let (problem, remedy) = problem?;
    let owner = context.design.events.get(event).and_then(|event| event.owner.as_ref());
    let owner =
        owner.map_or_else(|| format!("the owner of {} (not stated)", context.title(event)), ToString::to_string);
    Some(Halt {
        class: HaltClass::SecurityOrPrivacy,
        about: vec![id.clone(), event.clone()],
        action: format!("keep {} in {place}", context.title(event)),
        consequence: problem,
        lifted_by: format!("{remedy}; {owner} decides"),
        lift: Lift::Change,
    })
}

/// Longer than its classification allows, by the longest stay and not by the retention that is set.
fn too_long(context: &Context<'_>, id: &Id, event: &Id) -> Option<Problem> {
    let stays = context.channel_report(id).and_then(|report| report.longest.as_ref().ok()).map(|longest| longest.value);
    let set = context.get(id, key::channel::RETENTION_TIME).and_then(|limit| match limit {
        Limit::Unlimited => Some(f64::INFINITY),
        Limit::Of(time) => Some(time.secs()),
        Limit::None => None,
    });
    over(context, event, stays.or(set)?)
}

/// A stay of so many seconds that is longer than an event may be kept, unless its keys can be destroyed.
fn over(context: &Context<'_>, event: &Id, longest: f64) -> Option<Problem> {
    let Limit::Of(allowed) = context.get(event, key::event::MAX_RETENTION)? else { return None };
    if context.get(event, key::event::ERASURE_BY) == Some(ErasureBy::KeyDestruction) {
        return None;
    }
    (longest > allowed.secs()).then(|| {
        let stays = if longest.is_finite() {
            format!("for up to {}", human::at_most(longest))
        } else {
            "without end".to_owned()
        };
        (
            format!("personal data stays {stays}, {} are allowed", allowed.spoken()),
            "shorter retention or segments, or encryption with keys that can be destroyed",
        )
    })
}

/// Compacted, with a duty to erase that compaction does not meet.
fn for_ever(context: &Context<'_>, id: &Id, event: &Id) -> Option<Problem> {
    let compacts =
        matches!(context.get(id, key::channel::CLEANUP_POLICY)?, CleanupPolicy::Compact | CleanupPolicy::CompactDelete);
    if !compacts || context.get(event, key::event::ERASURE_REQUIRED) != Some(true) {
        return None;
    }
    let bounded = matches!(context.get(id, key::channel::MAX_COMPACTION_LAG), Some(Limit::Of(_)));
    let never_cleaned = erased_within(context, id).is_some_and(f64::is_infinite);
    match context.get(event, key::event::ERASURE_BY) {
        Some(ErasureBy::KeyDestruction) => None,
        Some(ErasureBy::Tombstone) if bounded && never_cleaned => Some((
            "a partition that nobody writes to any more is never cleaned: what a tombstone names stays in it"
                .to_owned(),
            "records that keep coming in every partition, or encryption with keys that can be destroyed",
        )),
        Some(ErasureBy::Tombstone) if bounded && !personal_key(context, id, event) => None,
        Some(ErasureBy::Tombstone) if bounded => Some((
            "the key itself is personal: each tombstone that erases a record names the person again".to_owned(),
            "a key that says nothing about a person, or encryption with keys that can be destroyed",
        )),
        _ => Some((
            "a compacted channel keeps the last version of every key without end, and erasure is a duty".to_owned(),
            "tombstones with a maximum compaction lag, or encryption with keys that can be destroyed",
        )),
    }
}

/// Copied into a place that is trusted less than the one it comes from.
fn less_trusted(context: &Context<'_>, id: &Id, from: Option<TrustZone>) -> Option<Problem> {
    let (to, from) = (zone(context, id)?, from?);
    (to < from).then(|| {
        (
            format!("personal data goes from {} to {}", from.name(), to.name()),
            "leave out or encrypt what is personal, or keep it in its zone",
        )
    })
}

fn zone(context: &Context<'_>, id: &Id) -> Option<TrustZone> {
    let cluster = context.subject(id)?.cluster.as_ref()?;
    match &context.subject(cluster)?.shape {
        Shape::Cluster { trust_zone, .. } => *trust_zone,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        model::View,
        rules::{
            Halt, HaltClass, review,
            testing::{OTHER, careful_with},
        },
    };

    pub(super) const PERSONAL: (&str, &str) = ("events/order/proposed/classification", "\"personal\"");

    pub(super) fn stopped(changes: &[(&str, &str)]) -> Vec<Halt> {
        let halts = review(&careful_with(changes), View::ToBe).halts;
        halts.into_iter().filter(|halt| halt.class == HaltClass::SecurityOrPrivacy).collect()
    }

    #[test]
    fn personal_data_that_stays_too_long_is_stopped() {
        let day = ("events/order/proposed/max_retention", "\"1d\"");
        let halts = stopped(&[PERSONAL, day]);
        assert!(halts.iter().any(|halt| halt.action == "keep order in orders"), "{halts:?}");
        assert_eq!(stopped(&[day]), vec![], "internal data may stay");
        assert_eq!(stopped(&[PERSONAL, ("events/order/proposed/max_retention", "\"365d\"")]), vec![]);
    }

    #[test]
    fn a_duty_to_erase_and_compaction_do_not_go_together() {
        let compact = ("elements/orders/proposed/cleanup_policy", "\"compact\"");
        let duty = ("events/order/proposed/erasure_required", "true");
        assert_eq!(stopped(&[PERSONAL, compact, duty]).len(), 1);
        assert_eq!(stopped(&[PERSONAL, compact]), vec![]);
        let met = [
            PERSONAL,
            compact,
            duty,
            ("events/order/proposed/erasure_by", "\"tombstone\""),
            ("elements/orders/proposed/max_compaction_lag", "\"1d\""),
        ];
        assert_eq!(stopped(&met), vec![]);
        let idle = ("elements/orders/proposed/longest_silence", "\"unlimited\"");
        let halts = stopped(&[met[0], met[1], met[2], met[3], met[4], idle]);
        assert!(halts[0].consequence.starts_with("a partition that nobody writes to"), "{halts:?}");
        let named = ("events/order/proposed/personal_fields", "[\"order_id\"]");
        let numbers = ("links/l1/proposed/key", "[\"order_id\"]");
        let halts = stopped(&[met[0], met[1], met[2], met[3], met[4], named, numbers]);
        assert!(halts[0].consequence.starts_with("the key itself is personal"), "{halts:?}");
        // Written by the store, whatever the key of the event is.
        assert_eq!(stopped(&[met[0], met[1], met[2], met[3], met[4], named]), vec![]);
        let email = ("events/order/proposed/personal_fields", "[\"email\"]");
        let by = ("links/l1/proposed/key", "[\"email\"]");
        assert_eq!(stopped(&[met[0], met[1], met[2], met[3], met[4], email]), vec![]);
        let halts = stopped(&[met[0], met[1], met[2], met[3], met[4], email, by]);
        assert!(halts[0].consequence.starts_with("the key itself is personal"), "{halts:?}");
    }

    #[test]
    fn a_store_in_a_less_trusted_place_is_looked_at_too() {
        let partner = [
            ("events/total/proposed/classification", "\"personal\""),
            ("clusters/outside", r#"{"system":"postgres","trust_zone":"partner"}"#),
            ("elements/table/cluster", "\"outside\""),
        ];
        assert_eq!(stopped(&partner)[0].action, "keep total in table");
        assert_eq!(stopped(&partner[1..]), vec![]);
    }

    #[test]
    fn personal_data_does_not_go_to_a_less_trusted_place() {
        let partner = [
            PERSONAL,
            ("clusters/outside", r#"{"system":"kafka","trust_zone":"partner"}"#),
            ("elements/late/cluster", "\"outside\""),
        ];
        assert_eq!(stopped(&partner)[0].consequence, "personal data goes from internal to partner");
        assert_eq!(stopped(&partner[1..]), vec![]);
    }

    #[test]
    fn each_event_type_in_a_channel_is_looked_at() {
        let day = ("events/refund/proposed/max_retention", "\"1d\"");
        let personal = ("events/refund/proposed/classification", "\"personal\"");
        let halts = stopped(&[OTHER[0], OTHER[1], OTHER[2], personal, day]);
        assert!(halts.iter().any(|halt| halt.action == "keep refund in orders"), "{halts:?}");
        assert!(halts.iter().all(|halt| !halt.action.contains("keep order in")), "{halts:?}");
        assert_eq!(stopped(&[OTHER[0], OTHER[1], OTHER[2], day]), vec![], "internal data may stay");
    }
}
