//! The sentence of a verdict, why it is so, and between which points it holds.

use super::{
    aggregate::{INNER, LEFT},
    ledger::{ClaimKind, Ledger},
    read::bit,
    state::{State, Tainted},
    verdict::{Badge, CopyClass, Fewest, HopPart, HopRow, Label, LossKind, LossyHop, Most, Transient},
};
use crate::sorted;
use crate::{
    analysis::{
        explain::{Missing, MissingWhy},
        graph::{Graph, Place},
        versions::Versions,
    },
    model::{Id, Shape, capital},
};
use std::{
    borrow::{Borrow, Cow},
    cmp::Reverse,
    sync::Arc,
};

/// What the words are made from.
pub(super) struct Words<'w, 'd> {
    /// The graph.
    pub graph: &'w Graph<'d>,
    /// What the walk found.
    pub ledger: &'w Ledger,
    /// The state at the consumer.
    pub state: &'w State,
    /// The consumer.
    pub consumer: Place,
    /// Its badge.
    pub badge: &'w Badge,
    /// Its label.
    pub label: Label,
    /// Losses, worst first.
    pub lossy: &'w [Arc<LossyHop>],
    /// Facts that are missing.
    pub unknown: &'w [Missing],
    /// Every hop on the way, in flow order.
    pub hops: &'w [Arc<HopRow>],
    /// Where an older version stands if an owner that was replaced writes late, with the jobs of such owners.
    pub replaced: &'w [(Place, Vec<Place>)],
}

impl Words<'_, '_> {
    /// One sentence, as to a colleague; what is left out on purpose ends it.
    pub fn sentence(&self) -> String {
        let left_out = if self.label == Label::NoClaim { String::new() } else { self.left_out() };
        let mut sentence = self.delivered();
        if !left_out.is_empty() {
            let end = sentence.strip_suffix('.').map_or(sentence.len(), str::len);
            sentence.replace_range(end.., &["; ", &left_out, "."].concat());
        }
        sentence
    }

    /// What joins and look-ups on the way leave out by design: no loss, and not in what the reader gets.
    fn left_out(&self) -> String {
        let at = |remark: &'static str| {
            let rows = self.hops.iter().filter(|row| row.remarks.contains(&remark));
            let mut titles: Vec<Cow<'_, str>> = rows.map(|row| self.graph.design.title(&row.at).into()).collect();
            if titles.len() > 3 {
                let more = titles.len() - 2;
                titles.truncate(2);
                titles.push(format!("{more} more").into());
            }
            titles
        };
        let (either, right) = (at(INNER), at(LEFT));
        let either =
            if either.is_empty() { String::new() } else { format!("what finds no match at {}", list(&either)) };
        let right = match right.as_slice() {
            [] => String::new(),
            right => format!("what finds no match on the right side of {}", list(right)),
        };
        match (either.is_empty(), right.is_empty()) {
            (true, true) => String::new(),
            (false, false) => format!("{either}, and {right}, is left out by design"),
            _ => format!("{either}{right} is left out by design"),
        }
    }

    fn delivered(&self) -> String {
        let shows = self.shows();
        match self.label {
            Label::NoClaim => self.no_claim(),
            Label::BestEffort => format!("May be lost and may repeat: {}, and {}.", self.worst_loss(), self.repeats()),
            Label::AtMostOnce if shows.is_empty() => {
                format!("May be lost, and does not repeat: {}.", self.worst_loss())
            }
            Label::AtMostOnce => format!("May be lost, and {shows}: {}.", self.worst_loss()),
            Label::AtLeastOnce => format!("At least once: {}{}.", self.repeats(), and(&shows)),
            Label::SuppressedWithin if shows.is_empty() => {
                format!("At least once; repeats are suppressed: {}.", self.removers(3))
            }
            Label::SuppressedWithin => format!("At least once, and {shows}."),
            Label::EffectivelyOnce => {
                let repeats = format!("Repeats are removed by {}", self.removers(1));
                format!("{repeats}; {}{}.", self.nothing_lost(2), and(&shows))
            }
            Label::ExactlyOnceScoped => {
                let by = self.removers(1);
                format!("Once {}, by {by}; {}{}.", self.between_logs(), self.nothing_lost(2), and(&shows))
            }
        }
    }

    /// One or two sentences under it.
    pub fn why(&self) -> Vec<String> {
        if self.label == Label::NoClaim {
            return self.unknown.iter().take(6).map(|missing| format!("{}.", self.missing(missing))).collect();
        }
        let mut why = Vec::new();
        let said =
            self.label >= Label::EffectivelyOnce || (self.label == Label::SuppressedWithin && self.shows().is_empty());
        match self.badge.most {
            _ if said => {}
            Most::Many => why.push(format!("{}.", capital(&self.origins()))),
            Most::One(_) | Most::OneWhile(..) => why.push(format!("{}.", self.no_repeats())),
            Most::Unknown(_) => {}
        }
        if self.badge.fewest == Fewest::Zero {
            let certain = self.lossy.iter().filter(|loss| loss.kind == LossKind::Possible);
            let lines: Vec<String> = certain.take(3).map(|loss| self.loss(loss)).collect();
            why.push(capital(&lines.join("; ")) + ".");
        } else {
            let mut line = capital(&self.nothing_lost(4)) + ": ";
            self.keepers(&mut line);
            why.push(line + ".");
        }
        why
    }

    /// Between which points anything is claimed.
    pub fn scope(&self) -> String {
        if self.label == Label::NoClaim {
            return String::new();
        }
        let between = if self.label == Label::ExactlyOnceScoped { self.between_logs() } else { self.between() };
        let mut scope = format!("{}. Outside of these nothing is claimed.", capital(&between));
        self.replaced.iter().for_each(|replaced| scope.push_str(&self.unless_replaced(replaced)));
        scope
    }

    /// What an owner writes after it was replaced can be the last write of its row.
    fn unless_replaced(&self, (at, owners): &(Place, Vec<Place>)) -> String {
        let title = self.graph.title(*at);
        let names: Vec<Cow<'_, str>> = owners.iter().map(|owner| self.graph.title(*owner)).collect();
        let names = list(&names);
        let versions = Versions::at(self.graph, *at).words();
        let (what, mended) = if at.index() < self.graph.nodes.len() {
            ("keeps what comes last", format!("one transaction for position and output of {names}"))
        } else if *owners == [super::owner(self.graph, *at)] {
            (versions, "a version, or an epoch of the owner, in the condition of the write".to_owned())
        } else {
            (versions, "a version in the condition of the write".to_owned())
        };
        format!(
            " An older version can stand if an owner of {names} still writes after its group has replaced it: {title} \
             {what}. Mended by {mended}."
        )
    }

    /// The two ends of the transactions: the log that is read first and what is written last.
    fn between_logs(&self) -> String {
        let graph = self.graph;
        let written = self.state.last_write.and_then(|place| {
            let edge = graph.edges.get(place.index().checked_sub(graph.nodes.len())?)?;
            Some(graph.title(graph.node_place(edge.to)))
        });
        match (self.state.first_log.map(|place| graph.title(place)), written) {
            (Some(first), Some(last)) if first != last => format!("between {first} and {last}"),
            _ => self.between(),
        }
    }

    fn between(&self) -> String {
        let begins = self.graph.in_flow(&self.state.begins);
        let begins: Vec<Cow<'_, str>> = begins.into_iter().map(|place| self.graph.title(place)).collect();
        format!("between {} and {}", list(&begins), self.graph.title(self.consumer))
    }

    fn no_claim(&self) -> String {
        if self.state.round && !self.state.begins.is_empty() {
            return format!(
                "No claim. What reaches {} can come round a cycle that is entered at several places.",
                self.graph.title(self.consumer)
            );
        }
        if self.state.undrawn {
            return format!(
                "No claim. What reaches {} is not drawn from its source on.",
                self.graph.title(self.consumer)
            );
        }
        let open = match (self.absent(), self.unknown) {
            (Some(absent), _) => format!("No claim. {absent} not read."),
            (None, []) => "No claim. Nothing that is drawn says why it would be so.".to_owned(),
            (None, [one]) => format!("No claim. {}.", self.missing(one)),
            (None, [one, rest @ ..]) => format!("No claim. {}, and {} more.", self.missing(one), rest.len()),
        };
        open + &self.proven()
    }

    /// What is certain whatever the missing facts are: a loss that no condition holds off, and repeats where nothing is missing
    /// that could remove them.
    fn proven(&self) -> String {
        let loses = self.lossy.iter().find(|loss| loss.kind == LossKind::Possible).map(|loss| self.loss(loss));
        let repeats = (self.badge.most == Most::Many).then(|| self.repeats());
        match (loses, repeats) {
            (Some(loses), Some(repeats)) => {
                format!(" In any case events may be lost and may repeat: {loses}, and {repeats}.")
            }
            (Some(loses), None) => format!(" In any case events may be lost: {loses}."),
            (None, Some(repeats)) => format!(" In any case events may repeat: {repeats}."),
            (None, None) => String::new(),
        }
    }

    /// The start of a sentence: names stay as they are.
    fn missing(&self, missing: &Missing) -> String {
        let title = self.graph.design.title(&missing.subject);
        match missing.why {
            MissingWhy::System => format!("The system of {title} is not known"),
            _ => format!("{} of {title}: {}", capital(&missing.label()), missing.state()),
        }
    }

    /// A place on the way that evidence should have told about, and did not.
    fn absent(&self) -> Option<String> {
        let design = self.graph.design;
        let on_the_way = |id: &Id| {
            self.unknown.iter().any(|missing| {
                let ends = match design.subject(&missing.subject).map(|subject| &subject.shape) {
                    Some(Shape::Link(link)) => link.from == *id || link.to == *id,
                    _ => false,
                };
                missing.subject == *id || ends
            })
        };
        let about = design.records.evidence.values().filter(|evidence| evidence.state.is_some()).flat_map(|e| &e.about);
        let mut ids = about.filter_map(|text| Id::new(text.split('.').next()?).ok());
        ids.find(|id| on_the_way(id)).map(|id| design.title(&id))
    }

    /// What is wrong for a while, in words.
    fn shows(&self) -> String {
        let has = |transient| self.state.transient & bit(transient) != 0;
        let said = self.state.copies.iter().any(|copy| copy.hidden.is_none() && copy.class == CopyClass::Aborted);
        if has(Transient::UncommittedVisible) && !said {
            return "results of aborted transactions show until a retry overwrites them".to_owned();
        }
        if has(Transient::OlderValueShownAgain) && self.label >= Label::SuppressedWithin {
            return "an older value can show again for a while".to_owned();
        }
        String::new()
    }

    fn worst_loss(&self) -> String {
        self.lossy.first().map_or_else(String::new, |loss| self.loss(loss))
    }

    fn loss(&self, loss: &LossyHop) -> String {
        format!("{} ({})", loss.cause.replace(": ", ", "), self.graph.design.title(&loss.hop.at))
    }

    /// The worst of the values that are certain to be changed: too high, else old, else most upstream; of one link what comes to
    /// it twice before what its producer sends twice.
    pub(super) fn changed(&self) -> Option<&Tainted> {
        let certain = self.state.taints.iter().filter(|taint| taint.hidden.is_none());
        let flow = |place| self.graph.flow_key(place);
        certain.min_by_key(|taint| (taint.stale, flow(taint.at), flow(taint.origin), Reverse(taint.class)))
    }

    fn repeats(&self) -> String {
        if let Some(first) = self.changed() {
            let at = self.graph.title(first.at);
            let by = first.class.words();
            return if first.stale {
                format!("an old version can stand at {at}, by {by}")
            } else {
                format!("values of {at} are too high, because {by} count again")
            };
        }
        let mut classes: Vec<CopyClass> =
            self.state.copies.iter().filter(|copy| copy.hidden.is_none()).map(|copy| copy.class).collect();
        sorted::sort(&mut classes);
        classes.dedup();
        let words: Vec<&str> = classes.into_iter().map(CopyClass::words).collect();
        format!("{} show", list(&words))
    }

    /// Where the copies that show are made.
    fn origins(&self) -> String {
        let rows = self.state.copies.iter().filter(|copy| copy.hidden.is_none()).map(|copy| (copy.class, copy.origin));
        let values =
            self.state.taints.iter().filter(|taint| taint.hidden.is_none()).map(|taint| (taint.class, taint.origin));
        let mut all: Vec<(CopyClass, Place)> = rows.chain(values).collect();
        sorted::sort_by_key(&mut all, |(class, origin)| (self.graph.flow_key(*origin), *class));
        all.dedup();
        let words =
            all.iter().take(4).map(|(class, origin)| format!("{} at {}", class.words(), self.graph.title(*origin)));
        words.collect::<Vec<_>>().join(", ")
    }

    /// Why nothing shows twice: what removes repeats, else what lets none arise.
    fn no_repeats(&self) -> String {
        let removed = listed_by(&self.mechanisms(self.least(), 3));
        match removed.is_empty() {
            true => format!("No repeats arise: {}", self.mechanisms(ClaimKind::Prevents, 3).join("; ")),
            false => format!("Repeats are removed by {removed}"),
        }
    }

    /// The mechanisms that remove repeats, the last ones first, with their hops; where none does, what prevents them.
    fn removers(&self, at_most: usize) -> String {
        let words = listed_by(&self.mechanisms(self.least(), at_most));
        if words.is_empty() { listed_by(&self.mechanisms(ClaimKind::Prevents, at_most)) } else { words }
    }

    /// From which strength on a mechanism is named as one that removes.
    fn least(&self) -> ClaimKind {
        if self.label == Label::SuppressedWithin { ClaimKind::Removes } else { ClaimKind::Atomic }
    }

    /// Mechanisms at least so strong, the last ones first, with their hops.
    fn mechanisms(&self, least: ClaimKind, at_most: usize) -> Vec<String> {
        let strong = self.ledger.claims(&self.state.claims).rev().filter(|booked| booked.kind >= least);
        let said = |booked: &super::ledger::Booked| {
            [&*booked.claim.mechanism, " at ", &self.graph.title(booked.place)].concat()
        };
        strong.take(at_most).map(said).collect()
    }

    fn nothing_lost(&self, at_most: usize) -> String {
        let Fewest::OneWhile(_, conditions) = &self.badge.fewest else {
            return "nothing is lost on this way".to_owned();
        };
        let mut conditions: Vec<_> = conditions.iter().collect();
        let late = HopPart::LateEvents;
        sorted::sort_by_key(&mut conditions, |condition| {
            (condition.inside == Some(true) && condition.hop.part != late, condition.bound.is_none())
        });
        let words: Vec<&str> = conditions.iter().take(at_most).map(|condition| condition.text.as_str()).collect();
        let more = conditions.len().saturating_sub(at_most);
        let rest = if more > 0 { format!(" ({more} more in the table)") } else { String::new() };
        ["nothing is lost while ", &list(&words), &rest].concat()
    }

    /// What keeps events, with its hops.
    fn keepers(&self, text: &mut String) {
        let keeps = self.ledger.claims(&self.state.claims).filter(|booked| booked.kind == ClaimKind::Keeps);
        for (number, booked) in keeps.take(4).enumerate() {
            let and = if number == 0 { "" } else { "; " };
            text.extend([and, &booked.claim.mechanism, " (", &self.graph.title(booked.place), ")"]);
        }
    }
}

/// A mechanism has commas of its own: "by" stands before each.
fn listed_by(said: &[String]) -> String {
    match said {
        [init @ .., last] if init.len() > 1 => [&init.join(", by "), ", and by ", last].concat(),
        few => few.join(", and by "),
    }
}

fn and(shows: &str) -> String {
    if shows.is_empty() { String::new() } else { format!(", and {shows}") }
}

fn list(words: &[impl Borrow<str>]) -> String {
    match words {
        [] => String::new(),
        [one] => one.borrow().to_owned(),
        [init @ .., last] => [&init.join(", "), " and ", last.borrow()].concat(),
    }
}
