//! One row: spans, labels, words.

use super::{
    super::{
        Line,
        labels::{self, Tone},
        missing, read,
        scale::{Back, NOW},
    },
    Kind, Role, Row, Span, beside, choices,
    need::{self, Way},
};
use crate::{
    analysis::{
        ChannelReport, ReplayStart, Report,
        explain::{Derived, Explained, Underivable},
        made_by, names,
    },
    model::{Design, Id, Lifecycle, View, counted, key},
};
use std::sync::Arc;

/// What a row is made from.
pub(super) struct From<'a> {
    pub design: &'a Design,
    pub view: View,
    pub report: &'a Report,
    pub starts: &'a [ReplayStart],
    pub need: Option<&'a Arc<Explained>>,
    /// Width of a letter of its words, in hundredths.
    pub letter: f64,
}

/// A place before anything of it has a place on the axis.
pub(super) struct Place<'a> {
    pub id: &'a Id,
    pub start: Option<&'a ReplayStart>,
    pub channel: Option<&'a ChannelReport>,
}

impl<'a> Place<'a> {
    /// How far back the log itself can be read.
    pub fn log(&self) -> Option<Derived> {
        if let Some(ChannelReport { reach, since_append, .. }) = self.channel {
            // Results are made again of what was appended since.
            let goes = |since: &Arc<Explained>| reach.as_ref().is_ok_and(|reach| since.value < reach.value);
            let earlier = self.start.is_some() && since_append.as_ref().is_ok_and(goes);
            return Some(if earlier { since_append.clone() } else { reach.clone() });
        }
        let start = self.start?;
        Some(start.reach.as_ref().map(|reach| read::look_backs(reach).1).map_err(Clone::clone))
    }

    /// What is needed of it, where something is.
    pub fn needed(&self, need: Option<&Arc<Explained>>) -> Option<Arc<Explained>> {
        let start = self.start?;
        // Without a reach the look-backs on the way are not known, and what is needed of the log is not either.
        start.reach.as_ref().ok()?;
        Some(need::at_log(self.id, need?, &Way::of(start).taken))
    }

    /// The limit that is not reached: of time and size the longer.
    fn not_reached(&self) -> Option<Arc<Explained>> {
        let reach = self.channel?.reach.as_ref().ok()?;
        let other = reach.inputs().iter().find(|one| !one.unbounded() && one.value > reach.value)?;
        matches!(other.what, names::BY_TIME | names::BY_SIZE).then(|| Arc::clone(other))
    }

    /// All ages that have a place on the axis.
    pub fn ages(&self, need: Option<&Arc<Explained>>) -> Vec<f64> {
        let known = |derived: &Derived| derived.as_ref().ok().map(|one| one.value);
        let mut ages: Vec<f64> = self.log().as_ref().and_then(known).into_iter().collect();
        if let Some(channel) = self.channel {
            ages.extend([&channel.typical, &channel.longest].into_iter().filter_map(known));
        }
        ages.extend(self.not_reached().map(|one| one.value));
        ages.extend(self.needed(need).map(|one| one.value));
        ages
    }

    const fn role(&self) -> Role {
        match self.start {
            Some(start) if start.recompute => Role::Recompute,
            Some(_) => Role::Refill,
            None => Role::Beside,
        }
    }
}

/// The row of a place.
pub(super) fn row(from: &From<'_>, place: &Place<'_>, scale: &Back) -> Row {
    let From { design, view, .. } = *from;
    let (id, log) = (place.id, place.log());
    let reach = log.as_ref().and_then(|log| log.as_ref().ok());
    let needed = place.needed(from.need);
    let proposed = view == View::ToBe && design.lifecycle(id) == Lifecycle::Planned;
    let enough = needed.as_ref().zip(reach).map(|(needed, reach)| reach.value >= needed.value);
    let snapshot = design.get(view, id, key::source::RESNAPSHOT).value() == Some(true);
    let drawn = Drawn { place, scale, reach, needed: needed.as_ref(), proposed };
    let mut words = drawn.labels();
    if let Some(Err(why)) = &log {
        words.push((6.0, Tone::Quiet, without(why)));
    }
    if snapshot {
        words.push((6.0, Tone::Plain, "a snapshot gives today's rows, no history".to_owned()));
    }
    let short = drawn.short();
    let all: Vec<&str> =
        words.iter().map(|(.., text)| text.as_str()).chain(short.iter().map(|(.., text)| text.as_str())).collect();
    let spoken = spoken(place, &all);
    let figures: Vec<Derived> = place.start.map(|start| start.reach.clone()).into_iter().chain(log.clone()).collect();
    Row {
        id: id.clone(),
        name: design.title(id),
        under: under(design, view, place, proposed),
        role: place.role(),
        spans: drawn.spans(),
        needed_at: needed.as_ref().map(|needed| scale.x(needed.value)),
        labels: labels::set(from.letter, words),
        short: short.map(|(span, tone, text)| labels::around(from.letter, span, tone, text)),
        enough,
        spoken,
        reaches: reaches(place, log.as_ref()),
        needs: needs(from, place, needed.as_ref(), reach),
        race: beside::race(from, place),
        beside: beside::lines(from, place),
        remarks: place.start.map(|start| start.remarks.iter().map(ToString::to_string).collect()).unwrap_or_default(),
        choices: choices::all(from, place, needed.as_ref(), reach),
        missing: missing(&figures),
    }
}

fn without(why: &Underivable) -> String {
    match why.missing.first() {
        Some(missing) => format!("not derivable: {}", missing.words()),
        None => "not derivable".to_owned(),
    }
}

fn under(design: &Design, view: View, place: &Place<'_>, proposed: bool) -> String {
    let partitions = design.get(view, place.id, key::channel::PARTITIONS).value();
    let mut parts: Vec<String> = Vec::new();
    match place.channel {
        Some(_) => parts.extend(partitions.map(|partitions| counted(partitions, "partition"))),
        None => parts.push("source".to_owned()),
    }
    if proposed {
        parts.push("proposed".to_owned());
    }
    parts.join(", ")
}

struct Drawn<'a> {
    place: &'a Place<'a>,
    scale: &'a Back,
    reach: Option<&'a Arc<Explained>>,
    needed: Option<&'a Arc<Explained>>,
    proposed: bool,
}

impl Drawn<'_> {
    fn typical(&self) -> Option<&Arc<Explained>> {
        let (reach, typical) = (self.reach?, self.place.channel?.typical.as_ref().ok()?);
        (typical.value > reach.value).then_some(typical)
    }

    fn most(&self) -> Option<&Arc<Explained>> {
        let (reach, longest) = (self.reach?, self.place.channel?.longest.as_ref().ok()?);
        (longest.value > reach.value).then_some(longest)
    }

    fn spans(&self) -> Vec<Span> {
        let Some(reach) = self.reach else { return Vec::new() };
        let x = |one: &Arc<Explained>| self.scale.x(one.value);
        let mut spans = Vec::new();
        let mut add = |kind, from: f64, to: f64| {
            if to > from {
                spans.push(Span { kind, from, to });
            }
        };
        let least = x(reach);
        if let Some(other) = self.place.not_reached() {
            add(Kind::NotReached, x(&other), least);
        }
        if let Some(typical) = self.typical() {
            add(Kind::Typical, x(typical), least);
        }
        if let Some(most) = self.most() {
            add(Kind::Most, x(most), self.typical().map_or(least, x));
        }
        add(if self.proposed { Kind::Proposed } else { Kind::Least }, least, NOW);
        if let Some(needed) = self.needed.filter(|needed| needed.value > reach.value) {
            add(Kind::Short, x(needed), least);
        }
        spans
    }

    fn labels(&self) -> Vec<(f64, Tone, String)> {
        let Some(reach) = self.reach else { return Vec::new() };
        let x = |one: &Explained| self.scale.x(one.value);
        let binds = read::binds(reach);
        let binds = if binds.is_empty() { String::new() } else { format!(", {binds}") };
        let tone = if self.proposed { Tone::Proposed } else { Tone::Strong };
        let every = reach.made_by(&made_by::EVERY_VERSION);
        let least = match reach.value {
            value if every && value <= 0.0 => "for certain only the newest record of each key".to_owned(),
            _ if every => format!("every version at least {}{binds}", reach.text()),
            _ if reach.unbounded() => format!("no bound{binds}"),
            value if value <= 0.0 => format!("nothing{binds}"),
            _ => format!("at least {}{binds}", reach.text()),
        };
        let mut labels = vec![(x(reach), tone, least)];
        labels.extend(self.typical().map(|one| (x(one), Tone::Plain, format!("typical {}", one.text()))));
        labels.extend(self.most().map(|one| (x(one), Tone::Plain, most_words(one))));
        if let Some(other) = self.place.not_reached() {
            let how = if other.what == names::BY_TIME { "by time" } else { "by bytes" };
            labels.push((x(&other), Tone::Quiet, format!("{} {how}, not reached", other.text())));
        }
        labels
    }

    /// What is missing to what is needed: from where to where, and in words.
    fn short(&self) -> Option<((f64, f64), Tone, String)> {
        let (needed, reach) = self.needed.zip(self.reach).filter(|(needed, reach)| needed.value > reach.value)?;
        let short = need::short(self.place.id, needed, reach);
        let span = (self.scale.x(needed.value), self.scale.x(reach.value));
        Some((span, Tone::Bad, format!("short by {}", short.text())))
    }
}

fn most_words(most: &Explained) -> String {
    if most.unbounded() { "at most: no bound".to_owned() } else { format!("at most {}", most.text()) }
}

fn spoken(place: &Place<'_>, said: &[&str]) -> String {
    let said = if said.is_empty() { "nothing is known of it".to_owned() } else { said.join("; ") };
    format!("{}: {said}", place.role().words())
}

fn reaches(place: &Place<'_>, log: Option<&Derived>) -> Vec<Line> {
    let how = |derived: &Derived| derived.as_ref().map(|one| read::binds(one)).unwrap_or_default();
    let every = log.is_some_and(|log| log.as_ref().is_ok_and(|log| log.made_by(&made_by::EVERY_VERSION)));
    let mut lines = Vec::new();
    if let Some(log) = log {
        let what = if every { "Every version, at least" } else { "At least" };
        lines.push(Line::figure(what, log.clone(), how(log)));
    }
    if every {
        let how = "kept so long; of each key the newest record stays";
        lines.push(Line::setting("Deletions", place.id, key::channel::TOMBSTONE_RETENTION.field(), how));
    }
    if let Some(channel) = place.channel {
        let typical =
            channel.typical.as_ref().ok().and_then(|one| read::input(one, &|input| read::binding(input).is_some()));
        let typical = typical.map(|one| read::binds(one)).unwrap_or_default();
        let typical =
            if typical.is_empty() { "mean partition".to_owned() } else { format!("mean partition, {typical}") };
        if !every {
            lines.push(Line::figure("Typical", channel.typical.clone(), typical));
        }
        lines.push(Line::figure("At most", channel.longest.clone(), "the longest that a record can still be there"));
        if let Ok(erased) = &channel.erased {
            lines.push(Line::figure("Gone from the disk after", Ok(Arc::clone(erased)), "at most"));
        }
    }
    if let Some(other) = place.not_reached() {
        lines.push(Line::figure("Limit that is not reached", Ok(other), ""));
    }
    lines
}

fn needs(
    from: &From<'_>,
    place: &Place<'_>,
    needed: Option<&Arc<Explained>>,
    reach: Option<&Arc<Explained>>,
) -> Vec<Line> {
    let Some(start) = place.start else { return Vec::new() };
    let mut lines = vec![Line::figure(
        if start.recompute { "Results recomputed from here" } else { "Results refilled from here" },
        start.reach.clone(),
        "by the end of a result",
    )];
    if let Some(after) = &start.after_deduplication {
        lines.push(Line::figure("With a de-duplication that knows all first copies", after.clone(), ""));
    }
    let way = Way::of(start);
    for one in way.taken.iter().rev() {
        let at = one.of.as_ref().map(|id| from.design.title(id)).unwrap_or_default();
        lines.push(Line::figure(format!("Look-back of {at}"), Ok(Arc::clone(one)), "adds to what is needed"));
    }
    for one in way.filling.iter().rev() {
        let at = one.of.as_ref().map(|id| from.design.title(id)).unwrap_or_default();
        let how = "only where no copy from before the start may pass";
        lines.push(Line::figure(format!("To fill {at}"), Ok(Arc::clone(one)), how));
    }
    if let Some(needed) = needed {
        lines.push(Line::figure("Needed of this log", Ok(Arc::clone(needed)), "approval and preparation come on top"));
        if let Some(reach) = reach.filter(|reach| reach.value < needed.value) {
            lines.push(Line::figure("Short by", Ok(need::short(place.id, needed, reach)), ""));
        }
    }
    lines
}
