//! What each step of a replay needs from the design.

use super::Step;
use crate::{
    model::{
        Action, Basis, ElementKind, Field, FieldValue, Id, Key, Measured, StateHandling, key,
        units::{Duration, human},
    },
    rules::{
        Context,
        halt::change::released,
        replay::{rep_l2, steps},
    },
    sorted,
};

/// Most names in one need.
const MOST: usize = 8;

/// Something that has to be there before a step is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// In words: `the log start of orders, as read`.
    pub what: String,
    /// What it would stand at.
    pub about: Id,
    /// The setting, where it is one.
    pub field: Option<Field>,
}

impl Need {
    fn of(about: &Id, what: String) -> Self {
        Self { what, about: about.clone(), field: None }
    }
}

/// What is not there for a step.
pub(super) fn of<'a>(context: &Context<'a>, id: &Id, action: &'a Action, step: Step) -> Vec<Need> {
    match step {
        Step::Reach => reach(context, id, action),
        Step::Approvals => approvals(context, id, action),
        Step::Hold => holds(context, id, action),
        Step::State => state(context, id, action),
        Step::Bounded => bounded(id, action),
        // What it compares with and releases stands in the steps before it.
        Step::Complete => Vec::new(),
    }
}

fn reach<'a>(context: &Context<'a>, id: &Id, action: &'a Action) -> Vec<Need> {
    let Some(from) = action.from.as_deref().filter(|from| !from.trim().is_empty()) else {
        return vec![Need::of(id, "where it starts".to_owned())];
    };
    let channels = channels(context, action);
    if channels.is_empty() {
        return vec![Need::of(id, "a channel, or a job that reads one, that it is about".to_owned())];
    }
    channels.into_iter().filter_map(|channel| start(context, action, from, channel)).collect()
}

/// The channels that are read again.
fn channels<'a>(context: &Context<'a>, action: &'a Action) -> Vec<&'a Id> {
    let mut found: Vec<&'a Id> = Vec::new();
    for about in &action.about {
        match context.kind(about) {
            Some(ElementKind::Channel) => found.push(about),
            Some(ElementKind::Job) => {
                let read = context.operators_of(about).flat_map(|operator| context.into(operator));
                found.extend(
                    read.map(|(_, link)| &link.from).filter(|from| context.kind(from) == Some(ElementKind::Channel)),
                );
            }
            _ => {}
        }
    }
    sorted::sort(&mut found);
    found.dedup();
    found
}

/// What is missing for a start in this channel: a reading of its log start, or a start behind it.
fn start(context: &Context<'_>, action: &Action, from: &str, channel: &Id) -> Option<Need> {
    let name = context.title(channel);
    let age = steps::age(action);
    let oldest = read(context, channel, key::channel::OLDEST_RECORD_AGE).map(Duration::secs);
    let first = read(context, channel, key::channel::START_OFFSET);
    if oldest.is_none() && first.is_none() {
        let field =
            if age.is_some() { key::channel::OLDEST_RECORD_AGE.field() } else { key::channel::START_OFFSET.field() };
        let what = format!("the log start of {name}, as read");
        return Some(Need { field: Some(field), ..Need::of(channel, what) });
    }
    let kept = context.channel_report(channel).and_then(|report| report.reach.as_ref().ok()).map(|reach| reach.value);
    let held = match (age, oldest) {
        (Some(age), Some(oldest)) if age > oldest => Some(format!("{} back by its reading", human::at_least(oldest))),
        (Some(age), _) => {
            kept.filter(|kept| age > *kept).map(|kept| format!("{} back by its retention", human::at_least(kept)))
        }
        (None, _) => first.zip(from.parse::<u64>().ok()).and_then(|(first, offset)| {
            let first = Measured::max(&first).filter(|first| offset < *first)?;
            Some(format!("from offset {first} on"))
        }),
    };
    held.map(|held| Need::of(channel, format!("a start that {name} still holds: {held}")))
}

/// A value that was read from what runs: no statement, assumption or proposal.
fn read<T: FieldValue>(context: &Context<'_>, id: &Id, key: Key<T>) -> Option<T> {
    let fact = context.known(id, key).fact()?;
    matches!(fact.basis, Basis::Configured | Basis::Measured).then_some(fact.value)
}

fn approvals(context: &Context<'_>, id: &Id, action: &Action) -> Vec<Need> {
    let mut consumers: Vec<&Id> = action
        .about
        .iter()
        .filter_map(|about| context.design.elements.get_key_value(about))
        .flat_map(|(about, _)| context.consumers_behind(about))
        .collect();
    sorted::sort(&mut consumers);
    consumers.dedup();
    let open = consumers.into_iter().filter(|consumer| !released(context.design, id, action, Some(consumer)));
    open.map(|consumer| {
        let owner = context.design.elements.get(consumer).and_then(|subject| subject.owner.as_deref());
        let who = owner.unwrap_or("its owner (not stated)");
        Need::of(consumer, format!("the approval of {who}, by name, for {}", context.title(consumer)))
    })
    .collect()
}

fn holds<'a>(context: &Context<'a>, id: &Id, action: &'a Action) -> Vec<Need> {
    if action.state_handling == Some(StateHandling::Shadow) {
        return Vec::new();
    }
    let open = rep_l2::ends(context, &steps::behind(context, action));
    match open.first() {
        Some(_) => vec![Need::of(id, format!("a hold of {}", rep_l2::names(context, open.iter().copied())))],
        None => Vec::new(),
    }
}

fn state<'a>(context: &Context<'a>, id: &Id, action: &'a Action) -> Vec<Need> {
    let mut kept: Vec<&Id> = steps::behind(context, action)
        .into_iter()
        .filter(|at| context.operator_report(at).is_some_and(|report| report.state.is_some()))
        .collect();
    kept.truncate(MOST);
    sorted::sort(&mut kept);
    if kept.is_empty() {
        return Vec::new();
    }
    let names = rep_l2::names(context, kept.iter().copied());
    let what = match action.state_handling {
        Some(StateHandling::Reset | StateHandling::Shadow) => return Vec::new(),
        Some(StateHandling::Keep) => format!("a reset or a shadow: kept state of {names} takes the same events twice"),
        None => format!("what happens to the state of {names}"),
    };
    vec![Need::of(id, what)]
}

fn bounded(id: &Id, action: &Action) -> Vec<Need> {
    let given = |text: &Option<crate::model::Text>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    let wanted = [
        (given(&action.first_range), "a bounded range to begin with"),
        (given(&action.control_total), "a control total from before"),
    ];
    wanted.into_iter().filter(|(there, _)| !there).map(|(_, what)| Need::of(id, what.to_owned())).collect()
}
