//! The same design under other ids: what is said of it must be the same.

use pipeline_desk::{
    analysis::{
        ConsumerReport, Report, analyse,
        delivery::verdict::{Badge, Claims, Condition, Fewest, Most},
    },
    model::{Design, Element, Id, Shape, Subject, View},
    sorted::SortedMap,
};
use std::{fmt::Debug, sync::Arc};

/// New ids, all of one length, so that none is a part of another one or of a word.
pub struct Renaming(SortedMap<Id, Id>);

impl Renaming {
    /// Of all elements and links, in an order of its own for each number.
    pub fn of(design: &Design, salt: u32) -> Self {
        let mut ids: Vec<&Id> = design.elements.keys().chain(design.links.keys()).collect();
        ids.sort_by_key(|id| (mixed(id.as_str(), salt), *id));
        let new = |number: usize| Id::new(&format!("q{number:03}z")).unwrap();
        Self(ids.into_iter().enumerate().map(|(number, id)| (id.clone(), new(number))).collect())
    }

    fn new_id(&self, old: &Id) -> Id {
        self.0.get(old).unwrap_or(old).clone()
    }

    /// The design under its new ids, everything called by its old one or by its new one.
    pub fn apply(&self, design: &Design, keep_names: bool) -> Design {
        let renamed = |(id, subject): (&Id, &Subject)| {
            let (new, mut subject) = (self.new_id(id), subject.clone());
            let name = if keep_names { id } else { &new };
            match &mut subject.shape {
                Shape::Link(link) => (link.from, link.to) = (self.new_id(&link.from), self.new_id(&link.to)),
                Shape::Element(element) => {
                    if let Element::Operator { job, .. } = element {
                        *job = self.new_id(job);
                    }
                    subject.name = Some(name.as_str().into());
                }
                _ => {}
            }
            (new, subject)
        };
        let (elements, links) = (design.elements.iter().map(renamed), design.links.iter().map(renamed));
        Design { elements: elements.collect(), links: links.collect(), ..design.clone() }
    }

    /// A text with its old ids: those that stand alone in quotes, or all.
    fn back(&self, mut text: String, everywhere: bool) -> String {
        for (old, new) in self.0.iter() {
            if everywhere {
                text = text.replace(new.as_str(), old.as_str());
            } else {
                text = text.replace(&format!("\"{new}\""), &format!("\"{old}\""));
            }
        }
        text
    }
}

fn mixed(id: &str, salt: u32) -> u32 {
    let hash = id.bytes().fold(salt ^ 0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d)
}

/// All that is said of consumers and links, word for word, by the old ids.
fn said(report: &Report, ids: &Renaming) -> Vec<(String, String)> {
    let text = |id: &Id, of: &dyn Debug| (ids.back(format!("\"{id}\""), true), ids.back(format!("{of:#?}"), false));
    let consumers = report.consumers.iter().map(|(id, consumer)| text(id, &(&consumer.delivery, &consumer.order)));
    let mut all: Vec<_> = consumers.chain(report.links.iter().map(|(id, link)| text(id, link))).collect();
    all.sort();
    all
}

/// What is found at each consumer, by the old ids, in no order: names decide what stands first.
fn found(report: &Report, ids: &Renaming) -> Vec<(String, Vec<String>)> {
    let told = |id: &Id, consumer: &ConsumerReport| {
        let mut told: Vec<String> = facts(consumer).into_iter().map(|text| ids.back(text, true)).collect();
        told.sort();
        told.dedup();
        (ids.back(id.to_string(), true), told)
    };
    let mut all: Vec<_> = report.consumers.iter().map(|(id, consumer)| told(id, consumer)).collect();
    all.sort();
    all
}

fn facts(consumer: &ConsumerReport) -> Vec<String> {
    let (delivery, order) = (&consumer.delivery, &consumer.order);
    let mut told = badge(&delivery.badge);
    told.push(format!("{:?} {:?} {:?}", delivery.label, delivery.value, delivery.transient));
    told.push(format!("basis {:?}", delivery.basis));
    let repair = delivery.weakest.duplicate_repair.as_ref();
    told.push(format!("mended {:?}", repair.map(|repair| (&repair.at, repair.how))));
    told.push(format!("weakest {} {}", delivery.weakest.loss_conditional, delivery.weakest.duplicate_conditional));
    told.extend(
        delivery.lossy_hops.iter().map(|loss| format!("loses {:?} {} {}", loss.hop, loss.cause, loss.in_values)),
    );
    told.extend(delivery.duplicates.iter().map(|copies| format!("{copies:?}")));
    for taint in &delivery.taints {
        told.extend(taint.by.iter().map(|by| format!("{} {} {by:?}", taint.at, taint.stale)));
    }
    for replaced in &delivery.replaced {
        told.extend(replaced.owners.iter().map(|owner| format!("replaced {} {owner}", replaced.at)));
    }
    told.extend(delivery.unknown.iter().map(|missing| format!("{missing:?}")));
    told.extend(delivery.hops.iter().map(|row| format!("row {} {:?} {}", row.at, row.basis, row.leaves.text())));
    told.push(format!("order {:?}", order.kind()));
    for input in &order.inputs {
        let mut key: Vec<_> = input.key.0.iter().collect();
        key.sort();
        told.push(format!("{} {:?} {key:?} {:?} {:?}", input.over, input.kind, input.holder, input.writer));
        told.push(format!("{:?} {:?} {} {:?}", input.store, input.born, input.old_rows.is_some(), input.basis));
        told.extend(input.breakers.iter().map(|breaker| format!("{} {}", breaker.at, breaker.past)));
        told.extend(input.missing.iter().map(|missing| format!("order {missing:?}")));
    }
    told
}

fn badge(badge: &Badge) -> Vec<String> {
    let mut told = vec![badge.text()];
    let mut all = |claims: Option<&Claims>, conditions: &[Arc<Condition>]| {
        told.extend(claims.into_iter().flat_map(Claims::iter).map(|claim| format!("{claim:?}")));
        told.extend(conditions.iter().map(|condition| format!("while {} {:?}", condition.text, condition.inside)));
    };
    match &badge.fewest {
        Fewest::One(claims) => all(Some(claims), &[]),
        Fewest::OneWhile(claims, conditions) => all(Some(claims), conditions),
        Fewest::Zero | Fewest::Unknown(_) => {}
    }
    match &badge.most {
        Most::One(claims) => all(Some(claims), &[]),
        Most::OneWhile(claims, conditions) => all(Some(claims), conditions),
        Most::Many | Most::Unknown(_) => {}
    }
    told
}

/// What ids decide: the first thing that is said otherwise under others where names stay, or found otherwise where they
/// change too; `None`: nothing.
pub fn decided(design: &Design, view: View, salt: u32) -> Option<String> {
    let (same, ids) = (Renaming::of(design, 0), Renaming::of(design, salt));
    let [one, other] = [&same, &ids].map(|ids| said(&analyse(&ids.apply(design, true), view), ids));
    let said = one.iter().zip(&other).find(|(one, other)| one != other).map(|(one, other)| {
        let same = one.1.lines().zip(other.1.lines()).take_while(|(one, other)| one == other).count();
        let around = |text: &str| text.lines().skip(same.saturating_sub(6)).take(12).collect::<Vec<_>>().join("\n");
        format!("said of {}:\n{}\nagainst\n{}", one.0, around(&one.1), around(&other.1))
    });
    let [one, other] = [&same, &ids].map(|ids| found(&analyse(&ids.apply(design, false), view), ids));
    said.or_else(|| {
        one.iter().zip(&other).find(|(one, other)| one != other).map(|((at, one), (_, other))| {
            let lone = |a: &[String], b: &[String]| a.iter().filter(|x| !b.contains(x)).cloned().collect::<Vec<_>>();
            format!("found at {at}: {:?} against {:?}", lone(one, other), lone(other, one))
        })
    })
}
