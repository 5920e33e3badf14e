//! Production or destructive action: a running system would be changed in a way that cannot be taken back, or that its
//! readers feel. Here what lies in channels, and planned steps; the rest each has a file.

mod removed;
mod sequence;
mod state;

use super::{
    and,
    change::{Change, agreed, bound, changes, released},
};
use crate::{
    model::{Action, ActionKind, Environment, Id, Shape, Value, key},
    rules::{Consent, Context, Halt, HaltClass, Lift},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let fields = [
        key::channel::PARTITIONS.field(),
        key::channel::CLEANUP_POLICY.field(),
        key::channel::RETENTION_TIME.field(),
        key::channel::RETENTION_SIZE.field(),
        key::channel::MIN_COMPACTION_LAG.field(),
        key::channel::MAX_COMPACTION_LAG.field(),
        key::channel::TOMBSTONE_RETENTION.field(),
    ];
    let changes = changes(context, &fields);
    let live = changes.iter().filter_map(|change| channel(context, change));
    let actions = context.design.records.actions.iter().filter_map(|(id, action)| step(context, id, action));
    let mut halts: Vec<Halt> = live.chain(actions).collect();
    halts.extend(state::halts(context));
    halts.extend(removed::halts(context));
    halts.extend(sequence::halts(context));
    halts
}

/// Does it run in production? Where nobody says, it does.
fn in_production(context: &Context<'_>, id: &Id) -> bool {
    let subject = context.design.subject(context.job_of(id).unwrap_or(id));
    let cluster = subject.and_then(|subject| context.design.clusters.get(subject.cluster.as_ref()?));
    match cluster.map(|cluster| &cluster.shape) {
        Some(Shape::Cluster { environment: Some(environment), .. }) => *environment == Environment::Production,
        _ => true,
    }
}

/// Retention, compaction or partitions of a channel that is in use.
fn channel(context: &Context<'_>, change: &Change<'_>) -> Option<Halt> {
    let consequence = if change.field == key::channel::PARTITIONS.field() {
        if !matches!((&change.from, change.to), (Some(Value::Count(from)), Value::Count(to)) if from < to) {
            return None;
        }
        "keys move to other partitions, so order per key breaks for readers that are running"
    } else if change.field == key::channel::CLEANUP_POLICY.field() {
        "what compaction or deletion removes does not come back"
    } else if [
        key::channel::MIN_COMPACTION_LAG.field(),
        key::channel::MAX_COMPACTION_LAG.field(),
        key::channel::TOMBSTONE_RETENTION.field(),
    ]
    .contains(&change.field)
    {
        if !sooner(change) {
            return None;
        }
        "the cleaner removes sooner what readers that are behind have not seen, and it does not come back"
    } else {
        "retention of a live channel changes for everybody who reads it"
    };
    if !in_production(context, change.id) || agreed(context.design, change, None) {
        return None;
    }
    let owner = context.design.elements.get(change.id).and_then(|channel| channel.owner.as_ref());
    let name = context.title(change.id);
    let owner = owner.map_or_else(|| format!("the owner of {name} (not stated)"), ToString::to_string);
    Some(Halt {
        class: HaltClass::ProductionOrDestructive,
        about: vec![change.id.clone()],
        action: format!("change {} of {name}", change.words()),
        consequence: consequence.to_owned(),
        lifted_by: format!("{owner}, by name and date, for this value"),
        lift: Lift::Consent(vec![change.consent(context.design, None)]),
    })
}

/// Does the cleaner come sooner? From a default nobody read how long it was; the least compaction lag is none by default,
/// so that any other is later.
fn sooner(change: &Change<'_>) -> bool {
    match (&change.from, change.to) {
        (Some(Value::Duration(from)), Value::Duration(to)) => to < from,
        (Some(Value::Limit(from)), Value::Limit(to)) => to < from,
        (Some(Value::Unset), _) => change.field != key::channel::MIN_COMPACTION_LAG.field(),
        _ => false,
    }
}

fn step(context: &Context<'_>, id: &Id, action: &Action) -> Option<Halt> {
    let consequence = match action.kind {
        ActionKind::Replay => "events are processed a second time",
        ActionKind::Backfill => "stored results are written again",
        ActionKind::ResetOffsets => "the group reads again, or skips, what lies between",
        ActionKind::DeleteState => "state does not come back without a replay",
        ActionKind::RestoreSavepoint => "output after the savepoint is written a second time",
        ActionKind::DeleteChannel | ActionKind::DeleteRecords => "the records do not come back",
        ActionKind::Publish => return None,
    };
    // What it is about is not said: then it may be anything.
    let production = action.about.is_empty() || action.about.iter().any(|about| in_production(context, about));
    if !production || released(context.design, id, action, None) {
        return None;
    }
    let about: Vec<_> = action.about.iter().map(|id| context.title(id)).collect();
    let kind = action.kind.name().replace('_', " ");
    let what = if about.is_empty() { kind } else { format!("{kind} of {}", and(&about)) };
    let lifted_by = format!("a named go for this step ({what}), with date");
    let go =
        Consent { for_: id.as_str().into(), value: Some(bound(action)), what: what.clone(), of: None, owner: None };
    Some(Halt {
        class: HaltClass::ProductionOrDestructive,
        about: action.about.clone(),
        action: what,
        consequence: consequence.to_owned(),
        lifted_by,
        lift: Lift::Consent(vec![go]),
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        model::View,
        rules::{Halt, HaltClass, review, testing::careful_with},
    };

    pub(super) fn stopped(changes: &[(&str, &str)]) -> Vec<Halt> {
        let halts = review(&careful_with(changes), View::ToBe).halts;
        halts.into_iter().filter(|halt| halt.class == HaltClass::ProductionOrDestructive).collect()
    }

    /// The actions that speak of this.
    fn named(changes: &[(&str, &str)], word: &str) -> Vec<String> {
        stopped(changes).into_iter().map(|halt| halt.action).filter(|action| action.contains(word)).collect()
    }

    #[test]
    fn destructive_steps_wait_for_a_named_go() {
        let reset = ("actions", r#"{"r1":{"kind":"reset_offsets","about":["orders"]}}"#);
        let halt = &stopped(&[reset])[0];
        assert_eq!(halt.action, "reset offsets of orders");
        assert_eq!(halt.lifted_by, "a named go for this step (reset offsets of orders), with date");
        assert_eq!(stopped(&[reset, ("approvals", r#"{"a1":{"by":"Shop","at":"2026-11-30","for":"r1"}}"#)]), vec![]);
        assert_eq!(stopped(&[reset, ("clusters/kafka/environment", "\"development\"")]), vec![]);
    }

    #[test]
    fn a_live_channel_is_not_compacted_sooner_on_the_quiet() {
        let lag = |to: &'static str| {
            [
                ("evidence/e1", r#"{"basis":"read","from":"topics"}"#),
                ("elements/late/lifecycle", "\"existing\""),
                (
                    "elements/late/observed",
                    r#"{"e1":{"cleanup_policy":"compact","min_compaction_lag":"1d","retention_time":"14d","retention_size":"unlimited","partitions":3}}"#,
                ),
                ("elements/late/proposed/cleanup_policy", "\"compact\""),
                ("elements/late/proposed/min_compaction_lag", to),
            ]
        };
        assert_eq!(stopped(&lag("\"1h\""))[0].action, "change min compaction lag 24 h → 1 h of late");
        assert_eq!(stopped(&lag("\"2d\"")), vec![], "later");
        let live = |from: &'static str, field: &'static str| {
            [lag("\"1d\"")[0], lag("\"1d\"")[1], ("elements/late/observed", from), (field, "\"1h\"")]
        };
        let tombs = live(r#"{"e1":{"tombstone_retention":"unset"}}"#, "elements/late/proposed/tombstone_retention");
        assert_eq!(named(&tombs, "tombstone").len(), 1, "sooner than the default, whatever that is");
        let most = live(r#"{"e1":{"max_compaction_lag":"1d"}}"#, "elements/late/proposed/max_compaction_lag");
        assert_eq!(named(&most, "max compaction lag"), ["change max compaction lag 24 h → 1 h of late"]);
        let longer = live(r#"{"e1":{"max_compaction_lag":"30min"}}"#, "elements/late/proposed/max_compaction_lag");
        assert_eq!(named(&longer, "max compaction lag"), Vec::<String>::new());
    }

    /// A default of the cluster is the value of every channel that has none of its own.
    #[test]
    fn a_default_of_the_cluster_changes_its_channels() {
        let by = |own: &'static str| {
            [
                ("evidence/e1", r#"{"basis":"read","from":"broker"}"#),
                ("clusters/kafka/observed", r#"{"e1":{"retention_time":"7d"}}"#),
                ("clusters/kafka/proposed/retention_time", "\"1d\""),
                ("elements/late/lifecycle", "\"existing\""),
                ("elements/late/proposed/retention_time", own),
            ]
        };
        assert_eq!(named(&by("null"), "retention time"), ["change retention time 7 d → 24 h of late"]);
        let own = named(&by("\"7d\""), "24 h");
        assert_eq!(own, Vec::<String>::new());
    }

    #[test]
    fn a_step_about_nothing_may_be_about_anything() {
        assert_eq!(stopped(&[("actions", r#"{"r1":{"kind":"reset_offsets","about":[]}}"#)])[0].action, "reset offsets");
    }

    #[test]
    fn partitions_of_a_live_channel_are_not_raised_on_the_quiet() {
        let live = |to: &'static str| {
            [
                ("evidence/e1", r#"{"basis":"read","from":"topics"}"#),
                ("elements/orders/lifecycle", "\"existing\""),
                (
                    "elements/orders/observed",
                    r#"{"e1":{"partitions":6,"cleanup_policy":"delete","retention_time":"7d","retention_size":"unlimited"}}"#,
                ),
                ("elements/orders/proposed/partitions", to),
            ]
        };
        assert_eq!(stopped(&live("12"))[0].action, "change partitions 6 → 12 of orders");
        assert_eq!(stopped(&live("6")), vec![]);
    }
}
