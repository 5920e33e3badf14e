//! Which operators send a result more than once, and how far that goes.

use super::told;
use crate::{
    catalog::Lateness,
    model::{
        ElementKind, Id, Known, Link, Port, Step, key,
        units::Duration,
        words::{Emit, OutputMode},
    },
    rules::{Context, context::Along},
};

/// An operator whose results replace earlier ones, and how.
pub(in crate::rules) type Updates<'a> = (&'a Id, &'static str);

/// The operator that sends updates to each element, where there is one: steps and channels pass them on, an aggregate makes
/// results of its own.
pub(in crate::rules) fn updates<'a>(context: &Context<'a>) -> Along<'a, Updates<'a>> {
    context.forward(|id, inputs: &[(&Id, &Link, &Updates<'a>)]| {
        let passed = || inputs.iter().find(|(_, link, _)| !aside(link)).map(|(.., updates)| **updates);
        match context.kind(id)? {
            ElementKind::Channel => passed(),
            ElementKind::Operator => match context.step(id)? {
                Step::Aggregate => of_aggregate(context, id).map(|how| (id, how)),
                Step::Join => by_mode(context, id).or_else(|| passed().map(|(_, how)| how)).map(|how| (id, how)),
                _ => passed(),
            },
            _ => None,
        }
    })
}

/// Does a link carry what is not a result?
pub(in crate::rules) const fn aside(link: &Link) -> bool {
    matches!(link.port, Some(Port::Late | Port::DeadLetter | Port::Side | Port::Reconcile))
}

fn by_mode(context: &Context<'_>, id: &Id) -> Option<&'static str> {
    match context.get(id, key::operator::OUTPUT_MODE)? {
        OutputMode::Append => None,
        OutputMode::Upsert => Some("sends a result again when it changes"),
        OutputMode::Retract => Some("takes results back and sends new ones"),
        OutputMode::Complete => Some("sends all results again with every batch"),
    }
}

fn of_aggregate(context: &Context<'_>, id: &Id) -> Option<&'static str> {
    if context.known(id, key::operator::OUTPUT_MODE).is_value() {
        return by_mode(context, id);
    }
    match context.get(id, key::operator::EMIT)? {
        Emit::EveryUpdate => Some("sends a result with every update"),
        Emit::EarlyAndClose => Some("sends early results before the final one"),
        Emit::Delta | Emit::Suppress => None,
        Emit::OnClose => fires_late(context, id).then_some("sends the total again for every late event"),
    }
}

/// Does this window take late events, one more result each?
pub(in crate::rules) fn fires_late(context: &Context<'_>, id: &Id) -> bool {
    let Some(engine) = context.job_of(id).and_then(|job| context.system(job)) else { return false };
    let takes = Lateness::of(engine, context.get(id, key::operator::API), None);
    let allowed = context.get(id, key::operator::ALLOWED_LATENESS);
    super::closes(context, id) && takes.sends_again(allowed, context.get(id, key::operator::LATE_FIRING))
}

/// What a window takes beyond the watermark: as set; read as not set, nothing.
pub(in crate::rules) fn lateness(context: &Context<'_>, id: &Id) -> Option<Duration> {
    match context.known(id, key::operator::ALLOWED_LATENESS) {
        Known::Value(fact) => Some(fact.value),
        Known::Unset(_) if !context.job_of(id).is_some_and(|job| told::streams(context, job)) => Some(Duration::ZERO),
        _ => None,
    }
}
