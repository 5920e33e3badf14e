//! Missing approval: published results or replay reach would change without their owner.

use super::{
    and,
    change::{Change, agreed, bound, changes, consented_by, owner, released},
};
use crate::sorted;
use crate::{
    model::{
        Action, ActionKind, ApprovedValue, Field, FieldValue, Id, Lifecycle, Port, Text, Value, View, key, units::Limit,
    },
    rules::{Consent, Context, Halt, HaltClass, Lift},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let (restating, keeping) = (changes(context, RESTATING), changes(context, KEEPING));
    let windows = restating.iter().filter_map(|change| window(context, change));
    let reach = keeping.iter().filter(|change| shortens(change)).filter_map(|change| retention(context, change));
    let actions = context.design.records.actions.iter().filter_map(|(id, action)| replay(context, id, action));
    let mut halts: Vec<Halt> = windows.chain(reach).chain(actions).collect();
    halts.extend(destinations(context));
    halts
}

/// Links that carry late events of published windows away, and are proposed to go: those events would then be nowhere.
fn destinations(context: &Context<'_>) -> Vec<Halt> {
    if context.view == View::AsIs {
        return Vec::new();
    }
    let design = context.design;
    let gone = design.links.iter().filter_map(|(id, subject)| {
        let link = subject.as_link().filter(|link| link.port == Some(Port::Late))?;
        let stays = design.lifecycle(&link.from) == Lifecycle::Existing;
        (stays && design.lifecycle(id) == Lifecycle::Retiring).then_some((id, link))
    });
    gone.filter_map(|(id, link)| destination(context, id, &link.from)).collect()
}

fn destination(context: &Context<'_>, id: &Id, window: &Id) -> Option<Halt> {
    let value = ApprovedValue::of(&Text::from("removed").into_value());
    let open = published(context, window, |consumer| consented_by(context.design, id.as_str(), &value, consumer));
    if open.is_empty() {
        return None;
    }
    let names: Vec<_> = open.iter().map(|id| context.title(id)).collect();
    let what = format!("removal of where late events of {} go", context.title(window));
    let consent = |consumer: &&Id| Consent {
        for_: id.as_str().into(),
        value: Some(value.clone()),
        what: what.clone(),
        of: Some((*consumer).clone()),
        owner: owner(context.design, consumer),
    };
    Some(Halt {
        class: HaltClass::MissingApproval,
        about: std::iter::once(window).chain(open.iter().copied()).cloned().collect(),
        action: format!("remove where late events of {} go", context.title(window)),
        consequence: format!(
            "late events are then in no result and nowhere else, and a published figure rests on them: {}",
            and(&names)
        ),
        lifted_by: owners(context, &open),
        lift: Lift::Consent(open.iter().map(consent).collect()),
    })
}

/// A change of one of these alters results that were already published.
const RESTATING: &[Field] = &[
    key::operator::ALLOWED_LATENESS.field(),
    key::operator::WATERMARK_DELAY.field(),
    key::operator::WINDOW_SIZE.field(),
    key::operator::WINDOW_STEP.field(),
    key::operator::WINDOW_GAP.field(),
    key::operator::WINDOW_OFFSET.field(),
    key::operator::TIME_ZONE.field(),
    key::operator::WINDOW.field(),
    key::operator::CLOCK.field(),
];

/// A smaller value of one of these shortens how far a channel can be read again.
const KEEPING: &[Field] = &[key::channel::RETENTION_TIME.field(), key::channel::RETENTION_SIZE.field()];

fn window(context: &Context<'_>, change: &Change<'_>) -> Option<Halt> {
    let open = published(context, change.id, |consumer| agreed(context.design, change, Some(consumer)));
    if open.is_empty() {
        return None;
    }
    let names: Vec<_> = open.iter().map(|id| context.title(id)).collect();
    Some(Halt {
        class: HaltClass::MissingApproval,
        about: std::iter::once(change.id).chain(open.iter().copied()).cloned().collect(),
        action: format!("change {} of {}", change.words(), context.title(change.id)),
        consequence: format!("it changes a published figure: {}", and(&names)),
        lifted_by: owners(context, &open),
        lift: Lift::Consent(open.iter().map(|id| change.consent(context.design, Some(id))).collect()),
    })
}

/// Published consumers behind an element whose owner has not consented.
fn published<'a>(context: &Context<'a>, id: &Id, consents: impl Fn(&Id) -> bool) -> Vec<&'a Id> {
    let Some((id, _)) = context.design.elements.get_key_value(id) else { return Vec::new() };
    let is_open = |consumer: &&Id| context.get(consumer, key::consumer::PUBLISHED) == Some(true) && !consents(consumer);
    context.consumers_behind(id).into_iter().filter(is_open).collect()
}

/// Who speaks for these consumers: `Finance Ops, by name and date`.
fn owners(context: &Context<'_>, consumers: &[&Id]) -> String {
    let mut names: Vec<String> = consumers
        .iter()
        .map(|id| {
            let owner = context.design.elements.get(*id).and_then(|consumer| consumer.owner.as_ref());
            owner.map_or_else(|| format!("the owner of {} (not stated)", context.title(id)), ToString::to_string)
        })
        .collect();
    names.dedup();
    format!("{}, by name and date", and(&names))
}

/// Is this a retention that keeps less than today?
fn shortens(change: &Change<'_>) -> bool {
    match (&change.from, change.to) {
        (Some(Value::Limit(from)), Value::Limit(to)) => to < from,
        (Some(Value::SizeLimit(from)), Value::SizeLimit(to)) => to < from,
        // From an unknown or a default value it cannot be told; a finite limit may be less.
        (None | Some(Value::Unset), Value::Limit(Limit::Of(_) | Limit::None)) => true,
        (None | Some(Value::Unset), Value::SizeLimit(Limit::Of(_) | Limit::None)) => true,
        _ => false,
    }
}

fn retention(context: &Context<'_>, change: &Change<'_>) -> Option<Halt> {
    if agreed(context.design, change, None) {
        return None;
    }
    let owner = context.design.elements.get(change.id).and_then(|channel| channel.owner.as_ref());
    let name = context.title(change.id);
    let owner = owner.map_or_else(|| format!("the owner of {name} (not stated)"), ToString::to_string);
    Some(Halt {
        class: HaltClass::MissingApproval,
        about: vec![change.id.clone()],
        action: format!("change {} of {name}", change.words()),
        consequence: format!("it shortens how far {name} can be read again"),
        lifted_by: format!("{owner}, by name and date"),
        lift: Lift::Consent(vec![change.consent(context.design, None)]),
    })
}

fn replay(context: &Context<'_>, id: &Id, action: &Action) -> Option<Halt> {
    if !matches!(action.kind, ActionKind::Replay | ActionKind::Backfill | ActionKind::Publish) {
        return None;
    }
    let mut open: Vec<&Id> = action
        .about
        .iter()
        .flat_map(|about| published(context, about, |consumer| released(context.design, id, action, Some(consumer))))
        .collect();
    sorted::sort(&mut open);
    open.dedup();
    if open.is_empty() {
        return None;
    }
    let names: Vec<_> = open.iter().map(|id| context.title(id)).collect();
    let about: Vec<_> = action.about.iter().map(|id| context.title(id)).collect();
    let what = format!("{} of {}", action.kind.name().replace('_', " "), and(&about));
    let consent = |consumer: &&Id| Consent {
        for_: id.as_str().into(),
        value: Some(bound(action)),
        what: what.clone(),
        of: Some((*consumer).clone()),
        owner: owner(context.design, consumer),
    };
    let lift = Lift::Consent(open.iter().map(consent).collect());
    Some(Halt {
        class: HaltClass::MissingApproval,
        about: action.about.iter().chain(open.iter().copied()).cloned().collect(),
        action: what,
        consequence: format!("it restates figures that are already acted on: {}", and(&names)),
        lifted_by: owners(context, &open),
        lift,
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        edit::{Edit, Record},
        model::{Date, Id, View},
        rules::{Halt, HaltClass, Lift, review, testing::careful_with},
    };

    /// The sum exists, with no lateness allowed; 10 min are proposed.
    const LIVE: &[(&str, &str)] = &[
        ("evidence/e1", r#"{"basis":"read","from":"job graph"}"#),
        ("elements/revenue/lifecycle", "\"existing\""),
        ("elements/sum/observed/e1/allowed_lateness", "\"0s\""),
        ("elements/sum/proposed", r#"{"allowed_lateness":"10min"}"#),
        ("elements/board/proposed/published", "true"),
    ];

    fn missing(changes: &[(&str, &str)]) -> Vec<Halt> {
        let halts = review(&careful_with(changes), View::ToBe).halts;
        halts.into_iter().filter(|halt| halt.class == HaltClass::MissingApproval).collect()
    }

    #[test]
    fn a_lateness_that_changes_a_published_figure_needs_its_owner() {
        let halts = missing(LIVE);
        assert_eq!(halts.len(), 1);
        assert_eq!(halts[0].action, "change allowed lateness 0 s → 10 min of sum");
        assert_eq!(halts[0].consequence, "it changes a published figure: board");
        assert_eq!(halts[0].lifted_by, "Sales, by name and date");
    }

    #[test]
    fn late_events_of_a_published_window_keep_their_place_until_the_owner_agrees() {
        let going = [
            ("elements/revenue/lifecycle", "\"existing\""),
            ("elements/late/lifecycle", "\"retiring\""),
            ("elements/board/proposed/published", "true"),
        ];
        let missing = |changes: &[(&str, &str)]| -> Vec<Halt> {
            missing(changes).into_iter().filter(|halt| halt.action.starts_with("remove")).collect()
        };
        let halts = missing(&going);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "remove where late events of sum go");
        let go = r#"{"a1":{"by":"Sales","at":"2026-11-30","for":"l8","value":"removed","of":"board"}}"#;
        assert_eq!(missing(&[&going[..], &[("approvals", go)]].concat()), vec![], "agreed");
        assert_eq!(missing(&going[..2]), vec![], "not published");
        assert_eq!(missing(&[going[0], going[2]]), vec![], "stays");
    }

    #[test]
    fn consent_is_bound_to_the_value() {
        let with = |value: &str| {
            let approval = format!(
                r#"{{"a1":{{"by":"Sales","at":"2026-11-30","for":"sum.allowed_lateness","value":"{value}","of":"board"}}}}"#
            );
            let mut changes = LIVE.to_vec();
            changes.push(("approvals", &approval));
            missing(&changes).len()
        };
        assert_eq!(with("10min"), 0);
        assert_eq!(with("600s"), 0, "the same by meaning");
        assert_eq!(with("5min"), 1, "another proposal voids it");
    }

    #[test]
    fn nothing_is_stopped_that_nobody_publishes_or_that_does_not_exist_yet() {
        let mut unpublished = LIVE.to_vec();
        unpublished.push(("elements/board/proposed/published", "false"));
        assert_eq!(missing(&unpublished), vec![]);
        let mut planned = LIVE.to_vec();
        planned.push(("elements/revenue/lifecycle", "null"));
        assert_eq!(missing(&planned), vec![]);
    }

    #[test]
    fn the_consent_that_a_halt_asks_for_lifts_it() {
        let mut design = careful_with(LIVE);
        let halt = review(&design, View::ToBe).halts.remove(0);
        let Lift::Consent(consents) = &halt.lift else { panic!("{halt:?}") };
        assert_eq!(consents.len(), 1);
        assert_eq!(consents[0].what, "allowed lateness 0 s → 10 min");
        assert_eq!(consents[0].owner.as_deref(), Some("Sales"));
        let approval = consents[0].given("Sales".into(), Date::new("2026-11-30").unwrap());
        let id = Id::new("a1").unwrap();
        let undo = design.apply(Edit::Record(Record::Approval(id, Some(approval)))).unwrap();
        assert_eq!(review(&design, View::ToBe).halts, vec![]);
        design.apply(undo).unwrap();
        assert_eq!(review(&design, View::ToBe).halts, vec![halt]);
    }

    #[test]
    fn shorter_retention_needs_the_channels_owner() {
        let live = [
            ("evidence/e1", r#"{"basis":"read","from":"topics"}"#),
            ("elements/late/lifecycle", "\"existing\""),
            ("elements/late/observed/e1/retention_time", "\"30d\""),
        ];
        let halts = missing(&live);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "change retention time 30 d → 14 d of late");
        let longer = [live[0], live[1], ("elements/late/observed/e1/retention_time", "\"7d\"")];
        assert_eq!(missing(&longer), vec![]);
    }

    #[test]
    fn consent_to_an_action_is_bound_to_what_it_does() {
        let given = |value: &str| {
            let approval =
                format!(r#"{{"a1":{{"by":"Sales","at":"2026-11-30","for":"r1","value":"{value}","of":"board"}}}}"#);
            let changes = [
                ("actions", r#"{"r1":{"kind":"replay","about":["orders"],"from":"2026-11-01"}}"#),
                ("elements/board/proposed/published", "true"),
                ("approvals", &approval),
            ];
            missing(&changes).len()
        };
        assert_eq!(given("replay orders from 2026-11-01"), 0);
        assert_eq!(given("replay orders from 2026-10-01"), 1, "another range");
        assert_eq!(given("replay totals from 2026-11-01"), 1, "another channel");
    }

    #[test]
    fn a_replay_needs_every_owner_downstream() {
        let replay = [
            ("actions", r#"{"r1":{"kind":"replay","about":["orders"]}}"#),
            ("elements/board/proposed/published", "true"),
        ];
        assert_eq!(missing(&replay)[0].action, "replay of orders");
        let agreed =
            [replay[0], replay[1], ("approvals", r#"{"a1":{"by":"Sales","at":"2026-11-30","for":"r1","of":"board"}}"#)];
        assert_eq!(missing(&agreed), vec![]);
    }
}
