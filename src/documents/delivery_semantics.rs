//! `delivery-semantics.md`: what each consumer observes, by which mechanism, at which hop, and in which order.

use super::{
    badge,
    blocks::{Inline, Span, join, line},
    desk::Desk,
    document::Document,
    findings,
    gap::Gap,
    order, say, stories,
    writer::Writer,
};
use crate::{
    analysis::{
        ConsumerReport,
        delivery::verdict::{
            Claims, Condition, Copies, DeliveryVerdict, Fewest, Hop, HopPart, HopRow, Label, Lack, LossKind, LossyHop,
            Most, RepairHow, ValueEffect, Variable,
        },
    },
    model::{Basis, ElementKind, Field, Id, Subject, View, key},
    rules::{Finding, Review},
};

const FILE: &str = "delivery-semantics.md";

/// Writes it.
#[must_use]
pub fn write(desk: &Desk<'_>) -> Document {
    let mut w = Writer::new(desk, FILE, "Delivery semantics");
    let consumers = desk.elements(ElementKind::Consumer);
    if consumers.is_empty() {
        w.heading(2, "Consumers");
        w.say("No consumer is drawn, so there is nobody for whom delivery could be stated.");
        w.gap(Gap::whole("a consumer", "not drawn"));
    }
    for id in consumers {
        consumer(&mut w, id);
    }
    links(&mut w);
    w.finish(&findings::halts_for(desk, &desk.to_be.halts, FILE))
}

fn consumer(w: &mut Writer<'_>, id: &Id) {
    let name = w.name(id);
    w.heading(2, name);
    let Some(report) = w.desk.to_be.consumers.get(id) else {
        w.say(Inline::from(Span::Absent("No claim: nothing reaches this consumer.".into())));
        w.gap_at(id, "a path", "to", "not drawn");
        return;
    };
    if let Some(evidence) = w.desk.withheld_verdict(&report.delivery).cloned() {
        let text = w.withheld_claim(&evidence, format!("what {} observes", w.desk.said(id)));
        w.say(text);
        return;
    }
    verdict(w, id, report);
    put_aside(w, &report.delivery);
    weakest(w, &report.delivery);
    losses(w, &report.delivery);
    copies(w, &report.delivery);
    owes(w, &report.delivery);
    order::section(w, id, &report.order);
    hops(w, &report.delivery);
    stories::write(w, id, &report.delivery);
}

fn verdict(w: &mut Writer<'_>, id: &Id, report: &ConsumerReport) {
    let delivery = &report.delivery;
    w.say(line![Span::Strong(delivery.sentence.clone())]);
    w.say(delivery.why.iter().map(|why| w.desk.names.sentence(why)).collect::<Vec<_>>().join(" "));
    // The hops below say which of them it is; what none of them says stands behind the verdict as a whole.
    let told = delivery.basis.is_none() || delivery.hops.iter().any(|row| row.acts() && row.basis == delivery.basis);
    let basis =
        if told { delivery.basis.map_or("a fact is not known", Basis::word) } else { w.judged(id, delivery.basis) };
    let text = delivery.badge.text();
    w.say(line![
        "Copies of one event, fewest and most: ",
        badge::words(&text),
        " (",
        Span::Code(text),
        format!("). Weakest basis of what this rests on: {basis}.")
    ]);
    if !delivery.scope.is_empty() {
        w.say(say::sentence(&delivery.scope));
    }
    if let Some(today) = w.desk.as_is.consumers.get(id)
        && today.delivery.sentence != delivery.sentence
    {
        w.say(line!["Today: ", today.delivery.sentence.as_str()]);
    }
    open(w, id, delivery);
    let unknown = delivery.unknown.iter().map(|missing| line![w.name(&missing.subject), ", ", missing.words()]);
    let unknown: Vec<Inline> = unknown.collect();
    if !unknown.is_empty() {
        w.say("Not known, so nothing that depends on it is claimed:");
        w.list(unknown);
    }
    value(w, delivery);
}

/// What a verdict and the duty of its reader lack.
pub(super) fn open(w: &mut Writer<'_>, consumer: &Id, delivery: &DeliveryVerdict) {
    for missing in &delivery.unknown {
        w.gap(Gap::missing(w.desk, missing));
    }
    for lack in delivery.consumer_must.lacks() {
        match lack {
            Lack::EventId => w.gap_at(consumer, "an id of the events", "that reach", "not read"),
            Lack::ResultId => w.gap_at(consumer, "an id of the results", "that reach", "not read"),
            Lack::HowLong => w.gap_at(consumer, "how long copies can come", "to", "not stated"),
        }
    }
}

/// What is said of them.
pub const PUT_ASIDE: &str = "Put aside by a decision; what follows from it is part of the verdict above";

/// The findings about this path that somebody put aside, each with its place and the reason.
pub fn put_aside_on<'a>(
    review: &'a Review,
    delivery: &'a DeliveryVerdict,
) -> impl Iterator<Item = (&'a Finding, &'a Id, &'a str)> {
    let on_path = |id: &Id| delivery.hops.iter().any(|row| row.at == *id);
    let aside = review.findings.iter().filter_map(|finding| {
        let reason = finding.accepted.as_deref()?;
        Some((&**finding, finding.about.first()?, reason))
    });
    aside.filter(move |(finding, ..)| finding.about.iter().any(on_path))
}

/// Findings about this path that somebody put aside: the verdict says what follows from them all the same.
fn put_aside(w: &mut Writer<'_>, delivery: &DeliveryVerdict) {
    let each: Vec<Inline> = put_aside_on(w.desk.to_be, delivery)
        .map(|(finding, at, reason)| line![Span::Finding(finding.rule), " at ", w.name(at), ": ", reason])
        .collect();
    if !each.is_empty() {
        w.say(format!("{PUT_ASIDE}:"));
        w.list(each);
    }
}

fn value(w: &mut Writer<'_>, delivery: &DeliveryVerdict) {
    let by = if delivery.value == ValueEffect::Exact { ", by the mechanisms below" } else { "" };
    w.say(say::sentence(&format!("{}{by}", delivery.value.words())));
    for taint in &delivery.taints {
        let at = w.name(&taint.at);
        let by = join(taint.by.iter().map(|copies| copies_words(w, copies)), "; ");
        w.say(line!["Values of ", at, " are changed by ", by, "."]);
    }
    let passing: Vec<Inline> = delivery.transient.iter().map(|transient| transient.words().into()).collect();
    if !passing.is_empty() {
        w.say("Wrong for a while only:");
        w.list(passing);
    }
}

fn weakest(w: &mut Writer<'_>, delivery: &DeliveryVerdict) {
    w.heading(3, "Weakest hop");
    let Some(weakest) = delivery.weakest_claimed() else {
        w.say("No hop is named: nothing is claimed while a fact is missing.");
        return;
    };
    let mut rows = Vec::new();
    if let Some(hop) = &weakest.duplicate_origin {
        let class = delivery.duplicates.iter().find(|copies| copies.origin == *hop);
        let why = class.map_or_else(|| adds_at(delivery, &hop.at), |copies| copies.class.words().to_owned());
        let when = if weakest.duplicate_conditional { "under a condition, or for a while" } else { "always possible" };
        let basis = basis_at(w, delivery, &hop.at);
        rows.push(vec!["duplicates".into(), hop_words(w, hop), why.into(), when.into(), basis.into()]);
    }
    if let Some(hop) = &weakest.loss {
        let why = delivery.lossy_hops.iter().find(|lossy| lossy.hop == *hop).map_or("", |lossy| &*lossy.cause);
        let when = if weakest.loss_conditional { "outside a condition" } else { "in normal running" };
        let basis = basis_at(w, delivery, &hop.at);
        rows.push(vec!["loss".into(), hop_words(w, hop), why.into(), when.into(), basis.into()]);
    }
    if rows.is_empty() {
        w.say("No hop is named: none of the hops below can lose or repeat, by what is known.");
    }
    w.table(&["Weakest for", "Hop", "Why", "When", "Basis"], rows);
    if let Some(repair) = &weakest.duplicate_repair {
        let at = w.name(&repair.at);
        let how = match repair.how {
            RepairHow::Write => "a write that a repeat overwrites, by a key that the store enforces",
            RepairHow::BeforeAggregate => "a de-duplication before the aggregate",
            RepairHow::DeterministicId => "an id that is the same when the event is made again",
            RepairHow::StateScope => "state that is committed together with its output",
            RepairHow::Isolation => "reading only what is committed",
            RepairHow::SameKey => "handing over by the key of the row, so that one task gets all of its rows",
            RepairHow::VersionGuard => "a condition on the version, so that an older value never replaces a newer one",
        };
        let which = if delivery.duplicates.is_empty() { "Repeats outside these conditions" } else { "These repeats" };
        w.say(line![which, " would be removed at ", at, " by ", how, "."]);
    }
}

/// How well the facts are founded that a hop was judged by.
fn basis_at(w: &mut Writer<'_>, delivery: &DeliveryVerdict, at: &Id) -> &'static str {
    let row = delivery.hops.iter().find(|row| row.at == *at);
    based(w, at, row.and_then(|row| row.basis), row.is_some_and(|row| row.blind))
}

/// A basis in a word; not known where a fact that it needs is not.
fn based(w: &mut Writer<'_>, at: &Id, basis: Option<Basis>, blind: bool) -> &'static str {
    let word = w.judged(at, basis);
    if word.is_empty() && blind { "not known" } else { word }
}

/// What copies a hop adds, by its row.
fn adds_at(delivery: &DeliveryVerdict, at: &Id) -> String {
    delivery.hops.iter().find(|row| row.at == *at).map(|row| row.adds()).unwrap_or_default()
}

pub(super) fn losses(w: &mut Writer<'_>, delivery: &DeliveryVerdict) {
    w.heading(3, "What can be lost");
    if delivery.lossy_hops.is_empty() {
        kept(w, &delivery.badge.fewest);
    }
    let rows = delivery.lossy_hops.iter().map(|lossy| loss_row(w, delivery, lossy)).collect();
    w.table(&["Hop", "Cause", "When", "What is lost", "Basis"], rows);
}

/// What keeps events, by which mechanisms and under which conditions.
pub(super) fn kept(w: &mut Writer<'_>, fewest: &Fewest) {
    match fewest {
        Fewest::One(claims) | Fewest::OneWhile(claims, _) => {
            w.say("No hop loses an event, by these mechanisms:");
            mechanisms(w, claims);
        }
        Fewest::Zero => w.say("An event may be lost."),
        Fewest::Unknown(_) => w.say("Not claimed: a fact is not known."),
    }
    if let Fewest::OneWhile(_, conditions) = fewest {
        w.say("This holds while:");
        let each = conditions.iter().map(|condition| condition_words(w, condition)).collect();
        w.list(each);
    }
}

fn mechanisms(w: &mut Writer<'_>, claims: &Claims) {
    let each: Vec<Inline> = claims
        .iter()
        .map(|claim| line![w.desk.names.capital(&claim.mechanism), ", at ", hop_words(w, &claim.hop), "."])
        .collect();
    w.list(each);
}

fn loss_row(w: &mut Writer<'_>, delivery: &DeliveryVerdict, lossy: &LossyHop) -> Vec<Inline> {
    let blind = delivery.hops.iter().any(|row| row.at == lossy.hop.at && row.blind);
    let when = match &lossy.kind {
        LossKind::Possible => "in normal running".into(),
        LossKind::Conditional(condition) => line!["unless ", condition_words(w, condition)],
    };
    let what = if lossy.in_values { "parts of values" } else { "events" };
    vec![
        hop_words(w, &lossy.hop),
        lossy.cause.as_ref().into(),
        when,
        what.into(),
        based(w, &lossy.hop.at, lossy.basis, blind).into(),
    ]
}

/// A condition with its bound in place, so that the number carries its basis and explanation.
fn condition_words(w: &mut Writer<'_>, condition: &Condition) -> Inline {
    let mut out = Inline::default();
    match &condition.bound {
        Some(bound) => {
            let figure = w.bound(bound);
            let printed = figure.plain();
            let number = printed.split(" (").next().unwrap_or_default();
            match condition.text.split_once(number).filter(|_| !number.is_empty()) {
                Some((before, after)) => out = line![before, figure, after],
                None => out = line![condition.text.as_str(), ", bound ", figure],
            }
        }
        None => out.push(condition.text.as_str()),
    }
    if let Some(inside) = condition.inside {
        let met = if inside { "meets" } else { "does not meet" };
        let known = compared_with(w.desk, w.view, condition);
        let known = known.and_then(|(id, field)| Some((w.desk.setting_of(&id, field), w.value(&id, field)?)));
        out.push(match known {
            Some((what, value)) => line![", which the ", what, ", ", value, ", ", met],
            None => line![", which what is known of it ", met],
        });
    }
    out
}

/// The setting that a condition was compared with; none where it is several.
fn compared_with(desk: &Desk<'_>, view: View, condition: &Condition) -> Option<(Id, Field)> {
    let kind = |id: &Id| desk.design.kind(id);
    match &condition.variable {
        Variable::Outage(job) => {
            let stated = desk.design.get(view, job, key::job::LONGEST_OUTAGE).is_value();
            let field = if stated { key::job::LONGEST_OUTAGE.field() } else { key::job::RESTART_TIME.field() };
            Some((job.clone(), field))
        }
        Variable::BatchGuard(link) => Some((link.clone(), key::store::BATCH_GUARD_PAIRED.field())),
        Variable::Lateness(step) => measured_before(desk, step),
        Variable::Other(id) => match desk.design.links.get(id).and_then(Subject::as_link) {
            Some(link) => Some((link.from.clone(), key::source::LONGEST_TRANSACTION.field())),
            None => (kind(id) == Some(ElementKind::Channel)).then(|| (id.clone(), key::channel::RATE.field())),
        },
        _ => None,
    }
}

/// Where the lateness of the events of a step was measured, where they come on one way only.
fn measured_before(desk: &Desk<'_>, step: &Id) -> Option<(Id, Field)> {
    let (at, field) = desk.nearest(step, "lateness")?;
    let mut now = step;
    while now != at {
        let inputs = desk.into(now);
        let [(_, only)] = inputs.as_slice() else { return None };
        now = &only.from;
    }
    Some((at.clone(), field))
}

pub(super) fn copies(w: &mut Writer<'_>, delivery: &DeliveryVerdict) {
    w.heading(3, "What can be repeated");
    removed(w, &delivery.badge.most);
    let rows = delivery
        .duplicates
        .iter()
        .map(|copies| vec![copies.class.words().into(), hop_words(w, &copies.origin)])
        .collect();
    w.table(&["Copies that are left", "Made at"], rows);
}

/// What removes copies, by which mechanisms and under which conditions.
pub(super) fn removed(w: &mut Writer<'_>, most: &Most) {
    match most {
        Most::One(claims) | Most::OneWhile(claims, _) => {
            w.say("Repeats do not show at the end of this path, by these mechanisms:");
            mechanisms(w, claims);
        }
        Most::Many => w.say("Repeats show at the end of this path."),
        Most::Unknown(_) => w.say("Not claimed: a fact is not known."),
    }
    if let Most::OneWhile(_, conditions) = most {
        w.say("While all of these hold:");
        let each = conditions.iter().map(|condition| condition_words(w, condition)).collect();
        w.list(each);
    }
}

fn owes(w: &mut Writer<'_>, delivery: &DeliveryVerdict) {
    w.heading(3, "What the consumer owes");
    w.say(owes_words(delivery));
}

/// What the reader itself has to do.
pub(super) fn owes_words(delivery: &DeliveryVerdict) -> String {
    match (delivery.consumer_must.words(), delivery.label) {
        ("", Label::NoClaim) => "Not claimed: a fact is not known.".to_owned(),
        ("", _) => "Nothing, by what is known.".to_owned(),
        (words, _) => say::sentence(words),
    }
}

fn hops(w: &mut Writer<'_>, delivery: &DeliveryVerdict) {
    w.heading(3, "Mechanism at each hop");
    let or = |text: String, none: &str| Inline::from(if text.is_empty() { none } else { &text });
    let said = |row: &HopRow, text: String| or(text, if row.blind { "not known" } else { "nothing" });
    let rows: Vec<Vec<Inline>> = delivery
        .hops
        .iter()
        .filter(|row| row.acts())
        .map(|row| {
            for missing in &row.open {
                w.gap(Gap::missing(w.desk, missing));
            }
            vec![
                w.name(&row.at),
                said(row, row.can_lose()),
                said(row, row.adds()),
                said(row, row.removes()),
                or(row.mechanism(), "none"),
                Span::Code(row.leaves.text()).into(),
                based(w, &row.at, row.basis, row.blind).into(),
            ]
        })
        .collect();
    w.table(&["Hop", "Can lose", "Adds", "Removes", "Mechanism", "Leaves", "Basis"], rows);
    w.say(line![
        "What neither loses, adds nor removes anything is left out. Leaves: fewest and most copies of one event after the hop. ",
        Span::Code("*".into()),
        " means under a condition, ",
        Span::Code("n".into()),
        " several, ",
        Span::Code("?".into()),
        " not known."
    ]);
}

/// A class of copies with its hop, in words.
fn copies_words(w: &mut Writer<'_>, copies: &Copies) -> Inline {
    line![copies.class.words(), " at ", hop_words(w, &copies.origin)]
}

/// A hop by its name, with the part that matters.
fn hop_words(w: &mut Writer<'_>, hop: &Hop) -> Inline {
    let part = match hop.part {
        HopPart::Whole => "",
        HopPart::Deduplication | HopPart::ExternalDeduplication => " (de-duplication)",
        HopPart::Gate => " (state that gates results)",
        HopPart::Writer => " (write)",
        HopPart::TransactionTimeout => " (transaction timeout)",
        HopPart::VolatileState => " (state lost on restart)",
        HopPart::LateEvents => " (late events)",
    };
    line![w.name(&hop.at), part]
}

fn links(w: &mut Writer<'_>) {
    let rows: Vec<Vec<Inline>> = w
        .desk
        .links()
        .into_iter()
        .filter_map(|(id, _)| {
            let report = w.desk.to_be.links.get(id)?;
            if let Some(evidence) = w.desk.withheld_badge(&report.badge).cloned() {
                let claim = format!("copies on {}", w.desk.said(id));
                return Some(vec![w.name(id), w.withheld_claim(&evidence, claim), Inline::default()]);
            }
            Some(vec![
                w.name(id),
                Span::Code(report.badge.text()).into(),
                report.captions.lines(&|id| w.desk.said(id)).collect::<Vec<_>>().join("; ").into(),
            ])
        })
        .collect();
    if !rows.is_empty() {
        w.heading(2, "Copies on every link");
        w.say(badge::LEGEND);
        w.table(&["Link", "Copies", "Why"], rows);
    }
}
