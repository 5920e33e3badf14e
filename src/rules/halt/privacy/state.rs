//! Personal data in the state of a job, and so in its changelog and its checkpoints: for longer than it may be kept,
//! without end where erasing is a duty, or in a less trusted place than it comes from.

use super::{Front, Problem, less_trusted, over, personal, stopped_in};
use crate::{
    analysis::formulas::{DAY, log, state},
    model::{
        ChannelRole, Element, ElementKind, Id, Known, Step, key,
        units::{Duration, Limit},
        words::{AggregateFunction, Clock, ErasureBy, JoinKind, WindowKind},
    },
    rules::{Context, Halt, time::told},
    sorted::SortedSet,
};

pub(super) fn halts(context: &Context<'_>, front: Front<'_>) -> Vec<Halt> {
    let mut halts = Vec::new();
    for (id, _, step) in context.operators() {
        for event in personal(context, id).filter(|event| held(context, id, step, event)) {
            let Some(stays) = stays(context, id, step) else { continue };
            let longest = match stays {
                Limit::Of(time) => time.secs(),
                Limit::Unlimited => f64::INFINITY,
                Limit::None => continue,
            };
            let (longest, of) = match changelog(context, id, step) {
                Some(kept) if kept > longest => (kept, "changelog"),
                _ => (longest, "state"),
            };
            let place = format!("the {of} of {}", context.title(id));
            let problem = over(context, event, longest).or_else(|| for_ever(context, event, stays));
            halts.extend(stopped_in(context, &place, id, event, problem));
        }
    }
    for (job, _) in context.elements(ElementKind::Job) {
        let mut seen = SortedSet::new();
        for operator in context.operators_of(job) {
            for event in personal(context, operator).filter(|event| seen.insert(*event)) {
                let keeps = context.operators_of(job).any(|operator| {
                    context.events_at(operator).contains(&event)
                        && context.step(operator).is_some_and(|step| held(context, operator, step, event))
                });
                let name = context.title(job);
                let place = if keeps { format!("the state of {name}") } else { format!("the memory of {name}") };
                let problem = less_trusted(context, job, front(operator));
                halts.extend(stopped_in(context, &place, job, event, problem));
            }
        }
    }
    halts
}

/// Does the state of this operator hold what is personal of an event? Where the personal fields are named and the state
/// keeps single columns, only if one of them is among those. What nobody read stops nothing.
pub(super) fn held(context: &Context<'_>, id: &Id, step: Step, event: &Id) -> bool {
    let whole = match step {
        Step::Join => true,
        Step::Deduplicate => false,
        Step::Aggregate => {
            let function = context.get(id, key::operator::FUNCTION);
            let rows = matches!(
                function,
                Some(
                    AggregateFunction::List
                        | AggregateFunction::Last
                        | AggregateFunction::First
                        | AggregateFunction::TopN
                        | AggregateFunction::Pattern
                        | AggregateFunction::Custom
                )
            );
            rows || context.get(id, key::operator::BUFFERS_RECORDS) == Some(true)
        }
        _ => return false,
    };
    let fields = context.get(event, key::event::PERSONAL_FIELDS).filter(|fields| !fields.0.is_empty());
    let Some(fields) = fields.filter(|_| !whole) else { return true };
    let key = context.get(id, key::operator::KEY);
    let value = context.get(id, key::operator::VALUE);
    key.is_some_and(|key| key.0.iter().any(|column| fields.0.contains(column)))
        || value.is_some_and(|value| fields.0.contains(&value))
}

/// How long an entry stays by what is set: its window with what is late, the bounds of a join, else its time to live.
fn stays(context: &Context<'_>, id: &Id, step: Step) -> Option<Limit<Duration>> {
    let get = |key| context.get(id, key);
    if let Some(retention) = streams_retention(context, id, step) {
        // A segment goes as a whole: what is kept at most.
        return Some(Limit::Of(whole_millis(state::streams_span(retention.secs()))));
    }
    // Time goes by the watermark: an entry stays until that is past it.
    let event_time = context.get(id, key::operator::CLOCK).is_none_or(|clock| clock == Clock::EventTime);
    let delay = || {
        let delays = told::reaching(context, id, key::operator::WATERMARK_DELAY).into_iter().filter_map(Known::value);
        delays.max().filter(|_| event_time).unwrap_or_default()
    };
    let more = || sum(get(key::operator::ALLOWED_LATENESS).unwrap_or_default(), delay());
    match step {
        Step::Aggregate => match context.get(id, key::operator::WINDOW) {
            Some(WindowKind::Tumbling | WindowKind::Hopping | WindowKind::Cumulating | WindowKind::Sliding) => {
                return Some(Limit::Of(sum(get(key::operator::WINDOW_SIZE)?, more())));
            }
            Some(WindowKind::Session) => {
                let gap = get(key::operator::WINDOW_GAP)?;
                let longest = context.get(id, key::operator::WINDOW_MAX)?;
                return Some(longest.map(|longest| sum(sum(longest, gap), more())));
            }
            _ => {}
        },
        Step::Join if context.get(id, key::operator::JOIN) == Some(JoinKind::Interval) => {
            return Some(Limit::Of(sum(
                sum(get(key::operator::JOIN_BEFORE)?, get(key::operator::JOIN_AFTER)?),
                delay(),
            )));
        }
        Step::Join if context.get(id, key::operator::JOIN) == Some(JoinKind::Window) => {
            return Some(Limit::Of(sum(get(key::operator::WINDOW_SIZE)?, more())));
        }
        _ => {}
    }
    context.get(id, key::operator::STATE_TTL)
}

/// What a window store of Kafka Streams has to keep: its windows with their grace.
fn streams_retention(context: &Context<'_>, id: &Id, step: Step) -> Option<Duration> {
    if !context.job_of(id).is_some_and(|job| told::streams(context, job)) {
        return None;
    }
    let get = |key| context.get(id, key);
    let grace = get(key::operator::ALLOWED_LATENESS).unwrap_or_default();
    let kept = match step {
        Step::Aggregate => match context.get(id, key::operator::WINDOW)? {
            WindowKind::Tumbling | WindowKind::Hopping | WindowKind::Cumulating | WindowKind::Sliding => {
                get(key::operator::WINDOW_SIZE)?
            }
            _ => return None,
        },
        Step::Join => match context.get(id, key::operator::JOIN)? {
            JoinKind::Interval => sum(get(key::operator::JOIN_BEFORE)?, get(key::operator::JOIN_AFTER)?),
            JoinKind::Window => get(key::operator::WINDOW_SIZE)?,
            _ => return None,
        },
        _ => return None,
    };
    Some(sum(kept, grace))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time out of two of a design, far below 2^63 ms"
)]
fn whole_millis(seconds: f64) -> Duration {
    Duration::from_millis((seconds * 1000.0).round() as u64)
}

/// How long the changelog of a window store keeps an entry: what the store keeps and a day more
/// (`windowstore.changelog.additional.retention.ms`) at least, and as long as its cleaner holds segments together where that
/// channel is drawn.
fn changelog(context: &Context<'_>, id: &Id, step: Step) -> Option<f64> {
    let kept = streams_retention(context, id, step)?.secs() + DAY;
    let drawn = context.from(id).map(|(_, link)| &link.to).find(|to| {
        let element = context.subject(to).and_then(|subject| subject.element());
        matches!(element, Some(Element::Channel { role: Some(ChannelRole::JobState) }))
    });
    let cleaned = drawn.and_then(|channel| {
        let span = context.get(channel, key::channel::SEGMENT_TIME)?;
        let ratio = context.get(channel, key::channel::DIRTY_RATIO)?;
        Some(log::written_once_longest(kept, span.secs(), ratio.0))
    });
    Some(cleaned.unwrap_or(kept))
}

fn sum(one: Duration, other: Duration) -> Duration {
    Duration::from_millis(one.millis().saturating_add(other.millis()))
}

/// Without end, and erasing is a duty. A tombstone removes what it names.
fn for_ever(context: &Context<'_>, event: &Id, stays: Limit<Duration>) -> Option<Problem> {
    let erased =
        matches!(context.get(event, key::event::ERASURE_BY), Some(ErasureBy::KeyDestruction | ErasureBy::Tombstone));
    let duty = context.get(event, key::event::ERASURE_REQUIRED) == Some(true);
    (stays == Limit::Unlimited && duty && !erased).then(|| {
        (
            "the state keeps every key without end, with its changelog and checkpoints, and erasure is a duty"
                .to_owned(),
            "a time to live, tombstones that delete the entry, or encryption with keys that can be destroyed",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{PERSONAL, stopped};
    use crate::rules::Halt;

    /// Only what is said of the state of `dedup`.
    fn of_state(changes: &[(&str, &str)]) -> Vec<Halt> {
        let halts = stopped(&[&[PERSONAL], changes].concat());
        halts.into_iter().filter(|halt| halt.action.contains("the state of")).collect()
    }

    const HOUR: (&str, &str) = ("events/order/proposed/max_retention", "\"1h\"");

    /// Ids are kept for two days, one hour is allowed; the windows of five minutes with a minute of lateness are inside it.
    #[test]
    fn state_that_outlives_what_is_allowed_is_stopped() {
        let halts = of_state(&[HOUR]);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "keep order in the state of dedup");
        assert_eq!(halts[0].consequence, "personal data stays for up to 2 d, 1 h are allowed");
        assert_eq!(of_state(&[HOUR, ("elements/dedup/proposed/state_ttl", "\"1h\"")]), vec![], "mended");
        assert_eq!(of_state(&[HOUR, ("elements/dedup/proposed/state_ttl", "null")]), vec![], "not read");
        assert_eq!(of_state(&[HOUR, ("events/order/proposed/erasure_by", "\"key_destruction\"")]), vec![]);
    }

    /// Five minutes of window, one of lateness, half a minute until the watermark is past it: six and a half.
    #[test]
    fn a_window_holds_its_length_with_what_is_late() {
        let ttl = ("elements/dedup/proposed/state_ttl", "\"5min\"");
        let window = of_state(&[("events/order/proposed/max_retention", "\"5min\""), ttl]);
        assert_eq!(window.len(), 1, "{window:?}");
        assert_eq!(window[0].action, "keep order in the state of sum");
        assert_eq!(window[0].consequence, "personal data stays for up to 6 min 30 s, 5 min are allowed");
        assert_eq!(of_state(&[("events/order/proposed/max_retention", "\"6min\""), ttl]).len(), 1);
        assert_eq!(of_state(&[("events/order/proposed/max_retention", "\"7min\""), ttl]), vec![]);
        let waits = ("elements/sum/proposed/watermark_delay", "\"1h\"");
        assert_eq!(of_state(&[("events/order/proposed/max_retention", "\"1h\""), ttl, waits]).len(), 1);
    }

    /// Kafka Streams keeps six minutes and its changelog a day more.
    #[test]
    fn a_changelog_keeps_a_day_longer() {
        let streams = ("elements/revenue/system", "\"kafka_streams\"");
        let ttl = ("elements/dedup/proposed/state_ttl", "\"5min\"");
        let halts = of_changelog(&[("events/order/proposed/max_retention", "\"1d\""), ttl, streams]);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "keep order in the changelog of sum");
        assert_eq!(of_changelog(&[("events/order/proposed/max_retention", "\"2d\""), ttl, streams]), vec![]);
    }

    /// Drawn, with a cleaner that starts at half new bytes: (1 d 6 min + 1 h) × 3 and 15 s, 3 d 3 h 18 min.
    #[test]
    fn a_changelog_keeps_what_its_cleaner_holds_together() {
        let streams = ("elements/revenue/system", "\"kafka_streams\"");
        let ttl = ("elements/dedup/proposed/state_ttl", "\"5min\"");
        let log = r#"{"kind":"channel","system":"kafka","role":"job_state","proposed":{"cleanup_policy":"compact_delete","segment_time":"1h","dirty_ratio":0.5}}"#;
        let drawn = [("elements/store", log), ("links/l20", r#"{"from":"sum","to":"store"}"#)];
        let of = |allowed: &'static str| {
            let changes = [("events/order/proposed/max_retention", allowed), ttl, streams, drawn[0], drawn[1]];
            of_changelog(&changes).into_iter().map(|halt| halt.consequence).collect::<Vec<_>>()
        };
        assert_eq!(of("\"3d\""), ["personal data stays for up to 3 d 4 h, 3 d are allowed"]);
        assert_eq!(of("\"4d\""), [] as [&str; 0]);
    }

    fn of_changelog(changes: &[(&str, &str)]) -> Vec<Halt> {
        let halts = stopped(&[&[PERSONAL], changes].concat());
        halts.into_iter().filter(|halt| halt.action.contains("the changelog of")).collect()
    }

    #[test]
    fn state_of_single_columns_holds_only_those() {
        let named = |fields: &'static str| ("events/order/proposed/personal_fields", fields);
        assert_eq!(of_state(&[HOUR, named("[\"address\"]")]), vec![], "ids of orders say nothing about a person");
        assert_eq!(of_state(&[HOUR, named("[\"order_id\"]")]).len(), 1);
        let list = ("elements/sum/proposed/function", "\"list\"");
        let short = ("events/order/proposed/max_retention", "\"5min\"");
        assert_eq!(of_state(&[short, named("[\"address\"]"), list])[0].action, "keep order in the state of sum");
    }

    #[test]
    fn a_duty_to_erase_needs_a_way_out_of_state_without_end() {
        let open = [
            ("elements/dedup/proposed/state_ttl", "\"unlimited\""),
            ("events/order/proposed/erasure_required", "true"),
        ];
        let halts = of_state(&open);
        assert!(halts[0].consequence.starts_with("the state keeps every key without end"), "{halts:?}");
        assert_eq!(of_state(&open[..1]), vec![], "no duty");
        assert_eq!(of_state(&[open[1]]), vec![], "two days, then it is gone");
        assert_eq!(of_state(&[open[0], open[1], ("events/order/proposed/erasure_by", "\"tombstone\"")]), vec![]);
    }

    #[test]
    fn a_job_in_a_less_trusted_place_is_stopped() {
        let partner = ("clusters/flink/trust_zone", "\"partner\"");
        let halts = of_state(&[partner]);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "keep order in the state of revenue");
        assert_eq!(halts[0].consequence, "personal data goes from internal to partner");
        assert_eq!(of_state(&[]), vec![]);
    }
}
