//! What stands on an element.

use super::{BadgeView, Subjects, number::Number, technology};
use crate::{
    model::{
        Design, Element, ElementKind, Hashed, Id, Known, Lifecycle, Link, Port, Shape, Step, Subject, View, capital,
        counted, key,
        units::human,
        words::{CleanupPolicy, Isolation, WriteMode},
    },
    rules::Severity,
};
use std::collections::HashMap;

/// Is it there, shall it come, shall it go?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existence {
    /// Drawn plain.
    #[default]
    There,
    /// Dashed, with a + tab.
    Proposed,
    /// There, with a proposed change: a Δ tab.
    Changed,
    /// Dotted, struck through, with a × tab.
    ToGo,
}

/// The highest mark of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Mark {
    Note,
    Warning,
    Error,
    Halt,
}

impl Mark {
    /// In words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Halt => "halt",
        }
    }
}

/// The partitions of a channel; with their shares as heights from 0 to 1 where those are measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// How many partitions.
    pub partitions: u64,
    /// Height of each bar against the largest; at most 24.
    pub heights: Vec<f64>,
    /// Partitions without a bar.
    pub more: usize,
}

/// What the header of a job frame says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderView {
    /// Its recovery time.
    pub recovery: Number,
}

/// What stands on an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// Its kind: the silhouette.
    pub kind: ElementKind,
    /// Which icon names its technology.
    pub icon: &'static str,
    /// The line above the name.
    pub technology: String,
    /// Its name.
    pub name: String,
    /// Its one number.
    pub number: Option<Number>,
    /// Its number as it is today, where both are shown and it differs.
    pub was: Option<String>,
    /// Partition shares, where measured.
    pub bars: Option<Bars>,
    /// The header, of a job.
    pub header: Option<HeaderView>,
    /// Is it there?
    pub existence: Existence,
    /// Its highest severity.
    pub mark: Option<Mark>,
    /// Tidy leaves it where it is.
    pub locked: bool,
    /// Nothing leaves it although something could.
    pub ends_here: bool,
    /// The delivery badge, of a consumer.
    pub badge: Option<BadgeView>,
    /// The badge as it is today, where both are shown and it differs.
    pub badge_was: Option<BadgeView>,
}

/// The worst that rules say of each element or link, and how often.
pub(super) struct Marks<'a>(HashMap<&'a Id, (Mark, usize), Hashed>);

impl<'a> Marks<'a> {
    pub(super) fn of(from: Subjects<'a>) -> Self {
        let mut marks: HashMap<&Id, (Mark, usize), Hashed> = HashMap::default();
        let mut put = |id: &'a Id, mark: Mark| {
            let entry = marks.entry(id).or_insert((mark, 0));
            if mark > entry.0 {
                *entry = (mark, 1);
            } else if mark == entry.0 {
                entry.1 += 1;
            }
        };
        for finding in from.review.findings.iter().filter(|f| f.accepted.is_none()) {
            let mark = match finding.severity {
                Severity::Note => Mark::Note,
                Severity::Warning => Mark::Warning,
                Severity::Error => Mark::Error,
            };
            if let Some(id) = finding.about.first() {
                put(id, mark);
            }
        }
        for halt in &from.review.halts {
            if let Some(id) = halt.about.first() {
                put(id, Mark::Halt);
            }
        }
        Self(marks)
    }

    /// The worst that is said of it.
    pub(super) fn worst(&self, id: &Id) -> Option<Mark> {
        self.0.get(id).map(|(mark, _)| *mark)
    }
}

/// What is looked up once for all elements and links, so that each costs the same however large the design is.
pub(super) struct Surroundings<'a> {
    leaving: HashMap<&'a Id, Vec<&'a Link>, Hashed>,
    entering: HashMap<&'a Id, Vec<(&'a Id, &'a Link)>, Hashed>,
    /// Something exists already, so that what is planned stands out.
    pub(super) live: bool,
}

impl<'a> Surroundings<'a> {
    /// Of the elements and links that are drawn.
    pub(super) fn of(from: Subjects<'a>, live: bool, drawn: impl Fn(&Id) -> bool) -> Self {
        let mut around = Self { leaving: HashMap::default(), entering: HashMap::default(), live };
        let links = from.design.links.iter().filter_map(|(id, subject)| Some((id, subject.as_link()?)));
        for (id, link) in links.filter(|(id, link)| drawn(id) || drawn(&link.from) || drawn(&link.to)) {
            around.entering.entry(&link.to).or_default().push((id, link));
            around.leaving.entry(&link.from).or_default().push(link);
        }
        around
    }

    /// Is this channel drawn small: do only late, dead-letter and side outputs write it?
    fn is_side(&self, id: &Id) -> bool {
        let side = |link: &Link| matches!(link.port, Some(Port::Late | Port::DeadLetter | Port::Side));
        let entering = self.entering(id);
        !entering.is_empty() && entering.iter().all(|(_, link)| side(link))
    }

    /// The links that end at this element, in the order of their ids.
    pub(super) fn entering(&self, id: &Id) -> &[(&'a Id, &'a Link)] {
        self.entering.get(id).map_or(&[], Vec::as_slice)
    }

    /// The links that leave this element, in the order of their ids.
    pub(super) fn leaving(&self, id: &Id) -> &[&'a Link] {
        self.leaving.get(id).map_or(&[], Vec::as_slice)
    }
}

/// The card of one element.
pub(super) fn card(from: Subjects<'_>, facts: &Surroundings<'_>, marks: &Marks<'_>, id: &Id) -> Option<Card> {
    let Subjects { design, view, review, was, .. } = from;
    let subject = design.elements.get(id)?;
    let kind = subject.kind()?;
    let bars = (kind == ElementKind::Channel && !facts.is_side(id)).then(|| bars(design, view, id)).flatten();
    let number = number(from, facts, id, kind);
    let now = number.as_ref().map(|n| n.text.clone());
    let earlier = was.and_then(|was| {
        let old = self::number(Subjects { view: View::AsIs, review: was, was: None, ..from }, facts, id, kind)?;
        (design.visible(View::AsIs, id) && Some(&old.text) != now.as_ref()).then_some(old.text)
    });
    let consumer = |review: &crate::rules::Review| {
        review.consumers.get(id).map(|c| BadgeView::quiet(&c.delivery.badge).loud(true, true))
    };
    let badge = consumer(review);
    let badge_was = was.and_then(consumer).filter(|old| Some(old) != badge.as_ref() && design.visible(View::AsIs, id));
    let ends = !matches!(kind, ElementKind::Consumer | ElementKind::Job | ElementKind::Channel);
    Some(Card {
        kind,
        icon: icon(design, id, subject),
        technology: technology::line(design, view, facts, id),
        name: design.title(id),
        number,
        was: earlier,
        bars,
        header: review
            .jobs
            .get(id)
            .map(|job| HeaderView { recovery: Number::derived(&job.recovery, "").led("back in") }),
        existence: existence(design, view, facts.live, id),
        mark: marks.worst(id),
        locked: design.layout.locked.contains(id),
        ends_here: ends && facts.leaving(id).is_empty(),
        badge,
        badge_was,
    })
}

/// Where it stands between as-is and to-be. A design in which nothing exists yet has nothing to be set off against.
pub(super) fn existence(design: &Design, view: View, live: bool, id: &Id) -> Existence {
    let changed = design.subject(id).is_some_and(|s| !s.proposed.is_empty());
    match design.lifecycle(id) {
        Lifecycle::Planned if live => Existence::Proposed,
        Lifecycle::Retiring => Existence::ToGo,
        Lifecycle::Existing if changed && view == View::ToBe => Existence::Changed,
        _ => Existence::There,
    }
}

fn icon(design: &Design, id: &Id, subject: &Subject) -> &'static str {
    match &subject.shape {
        Shape::Element(Element::Operator { step, .. }) => step.name(),
        _ => technology::of(design, id).map_or("", |entry| entry.icon),
    }
}

/// What stands behind the number of a channel that compacts.
const ALL_VERSIONS: &str = "all versions";

/// The one number of a kind.
fn number(from: Subjects<'_>, facts: &Surroundings<'_>, id: &Id, kind: ElementKind) -> Option<Number> {
    let Subjects { design, view, review, .. } = from;
    match kind {
        ElementKind::Source => {
            let rate = design.get(view, id, key::source::RATE).map(|rate| rate.mean_or_max());
            Some(
                Number::known(rate, |rate| rate.map_or_else(|| "0 /s".to_owned(), |r| human::per_second(r.secs())))
                    .tailed("avg"),
            )
        }
        ElementKind::Channel => {
            let written = design.get(view, id, key::channel::RATE);
            let into = facts.entering(id);
            if !into.is_empty() && into.iter().all(|(_, link)| link.port.is_some()) && written.is_value() {
                let rate = written.map(|rate| rate.mean_or_max());
                return Some(Number::known(rate, |rate| {
                    rate.map_or_else(|| "0 /s".to_owned(), |r| r.to_string().replace('/', " /"))
                }));
            }
            // Compaction keeps the newest record of a key; what is bounded is how long all versions stay.
            let policy = design.get(view, id, key::channel::CLEANUP_POLICY).value();
            let compacts = matches!(policy, Some(CleanupPolicy::Compact | CleanupPolicy::CompactDelete));
            let reach = &review.channels.get(id)?.reach;
            if compacts && reach.as_ref().is_ok_and(|reach| reach.value <= 0.0) {
                return Some(Number::word("newest of each key"));
            }
            Some(Number::derived(reach, "").tailed(if compacts { ALL_VERSIONS } else { "reach" }))
        }
        ElementKind::Operator => operator_number(from, facts, id),
        ElementKind::Job => None,
        ElementKind::Sink => Some(sink_number(from, facts, id)),
        ElementKind::Consumer => Some(Number::derived(&review.consumers.get(id)?.latency, "≥ ")),
        ElementKind::Batch => {
            Some(Number::known(design.get(view, id, key::batch::CUT_OFF), ToString::to_string).led("cut-off"))
        }
    }
}

fn operator_number(from: Subjects<'_>, facts: &Surroundings<'_>, id: &Id) -> Option<Number> {
    let Subjects { design, view, review, .. } = from;
    if let Some(state) = review.operators.get(id).and_then(|op| op.state.as_ref()) {
        return Some(Number::derived(state, "").tailed("state"));
    }
    let selectivity = design.get(view, id, key::operator::SELECTIVITY);
    if selectivity.is_value() {
        return Some(Number::known(selectivity, |share| human::number(*share)).tailed("of records"));
    }
    let reads = facts.entering(id).first().map(|(link, _)| *link);
    let isolation = reads.map(|link| design.get(view, link, key::read::ISOLATION));
    match isolation {
        Some(known @ Known::Value(_)) => Some(Number::known(known, |isolation| {
            let word = if *isolation == Isolation::ReadCommitted { "committed" } else { "uncommitted" };
            word.to_owned()
        })),
        _ if may_keep(design, id) => {
            Some(Number::known(design.get(view, id, key::operator::STATE_TTL), ToString::to_string).tailed("state"))
        }
        _ => Some(Number::word("no state")),
    }
}

/// Is it own code of which nobody said whether it keeps anything, on an engine that can, or of which nothing is known?
fn may_keep(design: &Design, id: &Id) -> bool {
    let custom = matches!(
        design.elements.get(id).map(|subject| &subject.shape),
        Some(Shape::Element(Element::Operator { step: Step::Custom, .. }))
    );
    let engine = design.job_of(id).and_then(|job| technology::of(design, job)).and_then(|entry| entry.engine);
    custom && engine.is_none_or(|engine| engine.stateful)
}

fn sink_number(from: Subjects<'_>, facts: &Surroundings<'_>, id: &Id) -> Number {
    let Subjects { design, view, .. } = from;
    let keys = design.get(view, id, key::sink::UNIQUE_KEYS);
    if keys.is_value() {
        return Number::known(
            keys,
            |keys| if keys.0.is_empty() { "no key".to_owned() } else { "key enforced".to_owned() },
        );
    }
    let writes = facts.entering(id).iter().find(|(_, link)| link.port.is_none());
    let mode = writes.map(|(link, _)| design.get(view, link, key::store::WRITE_MODE)).filter(Known::is_value);
    mode.map_or_else(
        || Number::known(keys, |_| String::new()),
        |mode| Number::known(mode, |mode| write_words(*mode).to_owned()),
    )
}

/// A write mode in words.
pub(super) const fn write_words(mode: WriteMode) -> &'static str {
    match mode {
        WriteMode::Append => "append",
        WriteMode::InsertIfAbsent => "insert if absent",
        WriteMode::Upsert => "upsert",
        WriteMode::Patch => "patch",
        WriteMode::Increment => "increment",
        WriteMode::ReplaceRange => "replace range",
        WriteMode::FileCommit => "file commit",
        WriteMode::Call => "call",
    }
}

/// One bar a partition where the rates of partitions are measured, else their count alone.
fn bars(design: &Design, view: View, id: &Id) -> Option<Bars> {
    let partitions = design.get(view, id, key::channel::PARTITIONS).value()?;
    let rates = design.get(view, id, key::channel::RATE).value();
    let by_rate: Vec<f64> = rates.iter().flat_map(|r| r.partitions().map(|(_, rate)| rate.secs())).collect();
    let most = by_rate.iter().copied().fold(0.0, f64::max);
    if by_rate.len() < 2 || most <= 0.0 {
        return Some(Bars { partitions, heights: Vec::new(), more: 0 });
    }
    let more = by_rate.len().saturating_sub(24);
    let mut shown = by_rate;
    if more > 0 {
        crate::sorted::sort_by(&mut shown, |a, b| b.total_cmp(a));
        shown.truncate(24);
    }
    Some(Bars { partitions, heights: shown.into_iter().map(|rate| rate / most).collect(), more })
}

/// The name of an element for screen readers; it is number `at.0` of `at.1`.
pub(super) fn label(from: Subjects<'_>, marks: &Marks<'_>, id: &Id, card: &Card, at: (usize, usize)) -> String {
    let kind = match card.kind {
        ElementKind::Batch => "Batch path".to_owned(),
        kind => capital(kind.name()),
    };
    let mut parts = vec![format!("{kind} {}", card.name)];
    if card.kind == ElementKind::Channel
        && let Some(n) = from.design.get(from.view, id, key::channel::PARTITIONS).value()
    {
        parts.push(counted(n, "partition"));
    }
    let what = match card.kind {
        ElementKind::Channel if card.number.as_ref().is_some_and(|n| n.tail == ALL_VERSIONS) => "all versions stay",
        ElementKind::Channel => "reach",
        ElementKind::Operator if card.number.as_ref().is_some_and(|n| n.tail == "state") => "state",
        ElementKind::Consumer => "latency",
        ElementKind::Source => "rate",
        ElementKind::Batch => "cut-off",
        _ => "",
    };
    let what = if card.number.as_ref().is_some_and(|n| n.tail.is_empty() && card.kind == ElementKind::Channel) {
        "rate"
    } else {
        what
    };
    parts.extend(card.number.as_ref().map(|number| number.spoken(what)));
    parts.extend(card.header.as_ref().map(|header| header.recovery.spoken("back in")));
    parts.extend(card.badge.as_ref().map(BadgeView::spoken));
    match card.existence {
        Existence::Proposed => parts.push("proposed".to_owned()),
        Existence::Changed => parts.push("changed".to_owned()),
        Existence::ToGo => parts.push("to be removed".to_owned()),
        Existence::There => {}
    }
    if let Some((mark, n)) = marks.0.get(id) {
        parts.push(counted(*n, mark.word()));
    }
    if card.locked {
        parts.push("locked".to_owned());
    }
    if card.ends_here {
        parts.push("ends here".to_owned());
    }
    parts.push(format!("{} of {}", at.0, at.1));
    parts.join(", ")
}
