//! What would change the reach: the limits that bind, with the value that would do, and the other ways.
//!
//! A change is offered as an edit only where it keeps more of a log of Kafka that holds no personal data; all else is said.

use super::{
    super::read,
    Choice,
    need::{self, Way},
    rows::{From, Place},
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, Gaps, Missing, MissingWhy, Origin, Underivable, Unit},
        formulas::{less, log, ratio},
        made_by, names,
    },
    edit::Edit,
    model::{
        Basis, Field, FieldValue, Id, Key, Known, Link, Slot, key,
        units::{Duration, Limit, Size},
    },
};
use std::sync::Arc;

const DELETION: &str = "Apache Kafka, UnifiedLog.deletableSegments: whole segments from the oldest, by largest timestamp \
    or while the rest still holds retention.bytes; per partition";

static ON_DISK: Formula =
    Formula { id: "CAP-1.disk", text: "partitions × replicas × (retention.bytes + one segment)", source: DELETION };

/// All of them; the first is as it is.
pub(super) fn all(
    from: &From<'_>,
    place: &Place<'_>,
    needed: Option<&Arc<Explained>>,
    reach: Option<&Arc<Explained>>,
) -> Vec<Choice> {
    let (Some(reach), Some(_)) = (reach, place.channel) else { return Vec::new() };
    let limits = Limits::of(reach);
    let taken = place.start.map(|start| Way::of(start).taken).unwrap_or_default();
    let gives = |reach: f64| gives(place, &taken, reach);
    let mut choices = vec![Choice {
        what: format!("As it is: {}", limits.words(reach)),
        reach: Some(Ok(Arc::clone(reach))),
        reach_words: String::new(),
        disk: limits
            .size
            .as_ref()
            .filter(|size| !size.unbounded())
            .map(|size| on_disk(from, place.id, Arc::clone(size))),
        then: gives(reach.value),
        fix: None,
    }];
    if let Some(needed) = needed.filter(|needed| needed.value > reach.value) {
        choices.extend(enough(from, place, &limits, needed).map(|choice| with(choice, &gives)));
        let filling = place.start.map(|start| Way::of(start).filling).unwrap_or_default();
        if !filling.is_empty() && filling.iter().all(|one| !one.unbounded()) {
            let more = need::at_log(place.id, needed, &filling);
            let choice = enough(from, place, &limits, &more);
            choices.extend(choice.map(|choice| with(choice, &|_| "also fills the de-duplication first".to_owned())));
        }
        choices.extend(spread(place, needed));
    }
    choices.extend(others(from, place));
    choices.extend(savepoint(from, place));
    choices
}

/// Adds what a choice gives before what it says itself.
fn with(mut choice: Choice, gives: &dyn Fn(f64) -> String) -> Choice {
    let reach = choice.reach.as_ref().and_then(|reach| reach.as_ref().ok()).map_or(0.0, |reach| reach.value);
    let first = gives(reach);
    choice.then = sentences([first, choice.then]);
    choice
}

/// Those of two that say something, one after the other.
fn sentences(all: [String; 2]) -> String {
    all.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(". ")
}

fn gives(place: &Place<'_>, taken: &[Arc<Explained>], reach: f64) -> String {
    let Some(start) = place.start else { return String::new() };
    let results = less(reach, taken.iter().map(|one| one.value).sum());
    match (start.recompute, results > 0.0) {
        (true, false) => "recomputes nothing".to_owned(),
        (_, _) if results.is_infinite() => String::new(),
        (true, true) => format!("recomputes {}", crate::model::units::human::at_least(results)),
        (false, _) => format!("refills {}", crate::model::units::human::at_least(results)),
    }
}

/// The limits that a reach was computed from.
struct Limits {
    time: Option<Arc<Explained>>,
    size: Option<Arc<Explained>>,
    rate: Option<Arc<Explained>>,
    lag: Option<Arc<Explained>>,
    /// How old records can be when they are appended.
    delay: Option<Arc<Explained>>,
    begins: bool,
}

impl Limits {
    fn of(reach: &Arc<Explained>) -> Self {
        let named = |name: &'static str| read::input(reach, &move |one| one.what == name).cloned();
        Self {
            time: named(names::BY_TIME),
            size: named(names::RETENTION_SIZE),
            rate: named(names::FULLEST),
            lag: named(names::COMPACTION_LAG),
            delay: named(names::DELAY),
            begins: read::binding(reach).is_some_and(|one| one.what == names::OLDEST),
        }
    }

    /// The limit that binds, as it is configured.
    fn words(&self, reach: &Explained) -> String {
        let binds = read::binding(reach).map_or(names::BY_TIME, |one| one.what);
        let gib = |size: &Arc<Explained>| Size::from_bytes(size.value as u64).spoken();
        match (binds, &self.size, &self.time, &self.lag) {
            (names::BY_SIZE, Some(size), ..) => format!("{} per partition", gib(size)),
            (names::COMPACTION_LAG, .., Some(lag)) => format!("compaction lag {}", lag.text()),
            (names::OLDEST, ..) => "the log is no older".to_owned(),
            (_, _, Some(time), _) if !time.unbounded() => time.text(),
            _ => "no limit".to_owned(),
        }
    }
}

/// A number that this picture proposes.
fn proposed(what: &'static str, of: &Id, unit: Unit, value: f64) -> Arc<Explained> {
    let source = "proposed here; the design does not hold it yet";
    let origin = Origin::Constant { source };
    Arc::new(Explained { what, of: Some(of.clone()), value, unit, basis: Some(Basis::Proposed), origin })
}

/// The least change of limits by which the log keeps what is needed.
fn enough(from: &From<'_>, place: &Place<'_>, limits: &Limits, needed: &Arc<Explained>) -> Option<Choice> {
    let id = place.id;
    if limits.begins || needed.unbounded() {
        return None;
    }
    let by_timestamp = needed.value + limits.delay.as_ref().map_or(0.0, |delay| delay.value);
    if limits.lag.as_ref().is_some_and(|lag| lag.value < needed.value) {
        return Some(keeps_versions(from, id, by_timestamp));
    }
    let (mut edits, mut words) = (Vec::new(), Vec::new());
    let mut time = limits.time.clone()?;
    if time.value < by_timestamp {
        let whole = hours(by_timestamp);
        words.push(format!("{} by time", whole.spoken()));
        edits.push(set(id, key::channel::RETENTION_TIME, Limit::Of(whole)));
        time = proposed(names::BY_TIME, id, Unit::Seconds, whole.secs());
    }
    if let Some(delay) = &limits.delay {
        let value = less(time.value, delay.value);
        let inputs = vec![time, Arc::clone(delay)];
        let formula = &made_by::KEPT_FROM_APPEND;
        time = Explained::derive(names::FROM_APPEND, Some(id), Unit::Seconds, formula, inputs, value, None);
    }
    let mut size = limits.size.clone();
    let mut by_size = f64::INFINITY;
    if let (Some(limit), Some(rate)) = (limits.size.as_ref().filter(|limit| !limit.unbounded()), &limits.rate) {
        by_size = ratio(limit.value, rate.value);
        if by_size < needed.value {
            let bytes = Size::to_hold(needed.value * rate.value)?;
            words.push(format!("{} per partition", bytes.spoken()));
            edits.push(set(id, key::channel::RETENTION_SIZE, Limit::Of(bytes)));
            by_size = ratio(bytes.bytes() as f64, rate.value);
            size = Some(proposed(names::RETENTION_SIZE, id, Unit::Bytes, bytes.bytes() as f64));
        }
    }
    let reach = reach(id, &time, size.as_ref().zip(limits.rate.as_ref()), by_size);
    let what = words.join(", ");
    let (fix, then) = offered(from, id, &what, edits);
    Some(Choice {
        what,
        reach: Some(Ok(reach)),
        reach_words: String::new(),
        disk: size.filter(|size| !size.unbounded()).map(|size| on_disk(from, id, size)),
        then,
        fix,
    })
}

/// Whole hours above.
fn hours(seconds: f64) -> Duration {
    Duration::from_secs(((seconds / 3_600.0).ceil() as u64).saturating_mul(3_600))
}

fn keeps_versions(from: &From<'_>, id: &Id, needed: f64) -> Choice {
    let whole = hours(needed);
    let what = format!("compaction lag {}", whole.spoken());
    let (fix, then) = offered(from, id, &what, vec![set(id, key::channel::MIN_COMPACTION_LAG, whole)]);
    Choice {
        what,
        reach: Some(Ok(proposed(names::COMPACTION_LAG, id, Unit::Seconds, whole.secs()))),
        reach_words: String::new(),
        disk: None,
        then: sentences([then, "every version is kept so long".to_owned()]),
        fix,
    }
}

fn reach(
    id: &Id,
    time: &Arc<Explained>,
    size: Option<(&Arc<Explained>, &Arc<Explained>)>,
    by_size: f64,
) -> Arc<Explained> {
    let Some((limit, rate)) = size.filter(|(limit, _)| !limit.unbounded()) else { return Arc::clone(time) };
    let inputs = vec![Arc::clone(limit), Arc::clone(rate)];
    let by_size =
        Explained::derive(names::BY_SIZE, Some(id), Unit::Seconds, &made_by::KEPT_BY_SIZE, inputs, by_size, None);
    let retention = log::Retention { time: time.value, bytes: limit.value };
    let (value, binding) = (log::guaranteed(retention, rate.value), usize::from(by_size.value < time.value));
    let inputs = vec![Arc::clone(time), by_size];
    Explained::derive("replay reach", Some(id), Unit::AtLeast, &made_by::KEPT_AT_LEAST, inputs, value, Some(binding))
}

fn set<T: FieldValue>(id: &Id, key: Key<T>, value: T) -> Edit {
    Edit::Set { subject: id.clone(), slot: Slot::Proposed, field: key.field(), value: Some(value.into_value()) }
}

/// The change as an edit, where it is safe to propose; else why not.
fn offered(from: &From<'_>, id: &Id, what: &str, mut edits: Vec<Edit>) -> (Option<(String, Edit)>, String) {
    let why_not = match (personal(from, id), from.design.system(id).map(|system| &**system)) {
        (Some(true), _) => Some("it holds personal data, so how long it may be kept is decided first"),
        (None, _) => Some("whether it holds personal data is not known, so how long it may be kept is decided first"),
        (Some(false), None) => Some("which system keeps it is not stated, so whether it lets it is not known"),
        (Some(false), Some("kafka" | "redpanda")) => None,
        (Some(false), Some(_)) => Some("as far as the product lets it"),
    };
    if let Some(why) = why_not {
        return (None, why.to_owned());
    }
    let edit = if edits.len() == 1 { edits.swap_remove(0) } else { Edit::All(edits) };
    let tiered = from.design.get(from.view, id, key::channel::TIERED).value() == Some(true);
    let then = if tiered { "in the remote tier".to_owned() } else { String::new() };
    (Some((format!("Propose {what}"), edit)), then)
}

/// Does any event that is written here hold data about people? `None`: of some that is not known.
fn personal(from: &From<'_>, channel: &Id) -> Option<bool> {
    let design = from.design;
    let into = |to: &Id| {
        let links = design.links.iter().filter_map(|(id, subject)| Some((id, subject.as_link()?)));
        let there = |(id, link): (&Id, &'_ Link)| link.to == *to && design.visible(from.view, id);
        links.filter(|(id, link)| there((id, link))).map(|(_, link)| link).collect::<Vec<_>>()
    };
    let (channel, _) = design.elements.get_key_value(channel)?;
    let at = design.events_at(channel, into);
    let each: Vec<Option<bool>> = at.events.iter().map(|event| design.personal(from.view, event)).collect();
    if each.contains(&Some(true)) {
        return Some(true);
    }
    (at.whole && !each.contains(&None)).then_some(false)
}

/// Bytes of all copies on disk.
fn on_disk(from: &From<'_>, id: &Id, limit: Arc<Explained>) -> Derived {
    const WHAT: &str = "most on disk, all copies";
    let count = |what: &'static str, key: Key<u64>| match from.design.get(from.view, id, key) {
        Known::Value(fact) => {
            let value = fact.value as f64;
            Ok(Explained::fact(what, Unit::Count, &fact, value))
        }
        Known::Conflict(_) => Err(lacks(WHAT, id, key.field(), MissingWhy::Conflict)),
        Known::Unset(_) => Err(lacks(WHAT, id, key.field(), MissingWhy::Unset)),
        Known::NotKnown(_) => Err(lacks(WHAT, id, key.field(), MissingWhy::NotKnown)),
    };
    let partitions = count("partitions", key::channel::PARTITIONS)?;
    let replicas = count("replicas", key::channel::REPLICATION_FACTOR)?;
    let segment = match from.design.get(from.view, id, key::channel::SEGMENT_SIZE).fact() {
        Some(fact) => {
            let value = fact.value.bytes() as f64;
            Explained::fact("segment size", Unit::Bytes, &fact, value)
        }
        None => return Err(lacks(WHAT, id, key::channel::SEGMENT_SIZE.field(), MissingWhy::NotKnown)),
    };
    let value = partitions.value * replicas.value * (limit.value + segment.value);
    let inputs = vec![partitions, replicas, limit, segment];
    Ok(Explained::derive(WHAT, Some(id), Unit::Bytes, &ON_DISK, inputs, value, None))
}

fn lacks(what: &'static str, id: &Id, field: Field, why: MissingWhy) -> Underivable {
    Underivable { what, missing: Gaps::One(Missing { subject: id.clone(), field, why }) }
}

/// Where the mean partition keeps enough and the fullest does not, the keys bind.
fn spread(place: &Place<'_>, needed: &Explained) -> Option<Choice> {
    let typical = place.channel?.typical.as_ref().ok()?;
    let even = read::input(typical, &|one| one.what == names::MEAN_REACH)?;
    (even.value >= needed.value).then(|| Choice {
        what: "Spread the keys of the fullest partition".to_owned(),
        reach: Some(Ok(Arc::clone(even))),
        reach_words: String::new(),
        disk: None,
        then: "only if all partitions become equal; the order of the keys changes, and it is to be measured again"
            .to_owned(),
        fix: None,
    })
}

/// The other places that these results can be made again from.
fn others(from: &From<'_>, place: &Place<'_>) -> Vec<Choice> {
    let Some(own) = place.start else { return Vec::new() };
    let design = from.design;
    let mut choices = Vec::new();
    for start in from.starts.iter().filter(|start| start.from != own.from) {
        let name = design.title(&start.from);
        if design.get(from.view, &start.from, key::source::RESNAPSHOT).value() == Some(true) {
            choices.push(Choice {
                what: format!("A snapshot of {name}"),
                reach: None,
                reach_words: "today's rows".to_owned(),
                disk: None,
                then: "no history".to_owned(),
                fix: None,
            });
        }
        if start.reach.is_err() {
            continue;
        }
        let (what, then) = match start.recompute {
            true => (format!("Recompute from {name}"), ""),
            false => (format!("Refill from {name}"), "the results as they were"),
        };
        let reach = Some(start.reach.clone());
        choices.push(Choice { what, reach, reach_words: String::new(), disk: None, then: then.to_owned(), fix: None });
    }
    choices
}

/// State that comes with a savepoint needs no look-back.
fn savepoint(from: &From<'_>, place: &Place<'_>) -> Option<Choice> {
    let start = place.start.filter(|start| start.recompute)?;
    let jobs = super::beside::readers(from.design, from.view, place.id);
    let stateful = jobs.iter().find(|job| {
        from.report.jobs.get(job).is_some_and(|report| report.state.is_some() && report.checkpoint.is_some())
    })?;
    let looks_back = !Way::of(start).taken.is_empty() || !Way::of(start).filling.is_empty();
    looks_back.then(|| Choice {
        what: format!("Start {} from a savepoint", from.design.title(stateful)),
        reach: None,
        reach_words: "as old as the savepoint".to_owned(),
        disk: None,
        then: "no look-back: the state comes with it; the log must reach back to it".to_owned(),
        fix: None,
    })
}
