//! What the consumer itself must do, by which key and for how long.

use super::{
    state::Instance,
    step::columns,
    verdict::{Duty, Lack},
    words::Words,
};
use crate::{
    analysis::graph::Place,
    model::{
        Element, Id, Step,
        key::{consumer, event, operator},
        units::{Limit, human},
        words::WindowKind,
    },
};
use std::time::Duration;

impl Words<'_, '_> {
    /// What the consumer itself must do.
    pub fn duty(&self) -> Duty {
        if let Some(taint) = self.changed() {
            let at = self.graph.title(taint.at);
            return Duty::Helpless(if taint.stale {
                format!("Nothing that it could do: an older version can have replaced the newer one at {at}.")
            } else {
                format!("Nothing that it could do: repeats are inside the values of {at}.")
            });
        }
        // Those that show count, and of them those that no key tells.
        let Some(worst) = self.state.copies.iter().min_by_key(|copy| (copy.hidden.is_some(), copy.key)) else {
            return Duty::Nothing;
        };
        if !worst.key {
            let alike = |copy: &&Instance| copy.hidden.is_some() == worst.hidden.is_some();
            let every = self.state.copies.iter().filter(alike).all(|copy| !copy.key);
            let whose = if every { "every copy has an id of its own" } else { "some copies have an id of their own" };
            return Duty::Helpless(format!("Nothing that it could do by key: {whose}."));
        }
        if self.state.versions { self.replaces() } else { self.removes() }
    }

    /// Each event counts once: whatever comes again while copies can come is left out.
    fn removes(&self) -> Duty {
        let mut lacks = Vec::new();
        let by = self.key_or(Lack::EventId, &mut lacks);
        let longest =
            self.state.copies.iter().map(|copy| copy.horizon).max_by_key(|horizon| horizon.unwrap_or(u64::MAX));
        let within = match longest.flatten() {
            Some(ms) => format!("for at least {}", human::at_most(Duration::from_millis(ms).as_secs_f64())),
            None => {
                lacks.push(Lack::HowLong);
                Lack::HowLong.words().to_owned()
            }
        };
        Duty::Does { text: format!("Remove repeats by {by}, {within}.{}", self.does_itself()), lacks }
    }

    /// Of results that are sent again each time they change, only the last one counts: one that comes again is no repeat of it.
    fn replaces(&self) -> Duty {
        let mut lacks = Vec::new();
        let key = self.key_or(Lack::ResultId, &mut lacks);
        let older = self.state.copies.iter().any(|copy| copy.isolated && !copy.level);
        let how = if older {
            "the newest by a version in it, because an older one can come again after it"
        } else {
            "the last that comes: those that come again end with it"
        };
        Duty::Does { text: format!("Keep one result for each {key}, {how}.{}", self.does_itself()), lacks }
    }

    /// The key that tells repeats apart, else what is said in its place.
    fn key_or(&self, lack: Lack, lacks: &mut Vec<Lack>) -> String {
        self.key().unwrap_or_else(|| {
            lacks.push(lack);
            lack.words().to_owned()
        })
    }

    /// What the consumer is said to remove itself; no claim rests on it.
    fn does_itself(&self) -> String {
        let Some(key) = self.graph.fact(self.consumer, consumer::DEDUPLICATES_BY) else { return String::new() };
        let within = match self.graph.fact(self.consumer, consumer::DEDUPLICATES_WITHIN).map(|fact| fact.value) {
            Some(Limit::Of(within)) => format!(" within {}", human::at_least(within.secs())),
            Some(Limit::Unlimited) => " for ever".to_owned(),
            Some(Limit::None) | None => String::new(),
        };
        format!(" It is said to remove them by {}{within}.", columns(&key.value))
    }

    /// The key that tells repeats apart.
    fn key(&self) -> Option<String> {
        let graph = self.graph;
        if let Some(aggregate) = self.state.aggregate {
            return self.result_key(aggregate);
        }
        let [kind] = self.state.kinds.as_slice() else { return None };
        let id = match graph.nodes.get(kind.index())?.element {
            Element::Source { event, .. } => event.as_ref()?,
            Element::Operator { emits, .. } => emits.as_ref()?,
            _ => return None,
        };
        self.event_id(id)
    }

    fn event_id(&self, id: &Id) -> Option<String> {
        let graph = self.graph;
        let subject = graph.design.events.get(id)?;
        let key = graph.design.read(graph.view, id, subject, event::EVENT_ID).value()?;
        (!key.0.is_empty()).then(|| columns(&key))
    }

    /// What tells a result apart: the id of its event type, else the key of the aggregate and the window that it is of. A
    /// join, and an aggregate for each record, give several results for one key.
    fn result_key(&self, at: Place) -> Option<String> {
        let graph = self.graph;
        let Element::Operator { step, emits, .. } = graph.nodes.get(at.index())?.element else { return None };
        if let Some(id) = emits.as_ref().and_then(|id| self.event_id(id)) {
            return Some(id);
        }
        let key = (*step == Step::Aggregate).then(|| graph.fact(at, operator::KEY)).flatten()?;
        let key = columns(&key.value);
        match graph.fact(at, operator::WINDOW).map(|fact| fact.value) {
            Some(WindowKind::Sliding) => None,
            Some(WindowKind::Nothing | WindowKind::Global) | None => Some(key),
            Some(_) => Some(format!("{key} and window")),
        }
    }
}
