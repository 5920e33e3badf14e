//! What a reader observes at the end, and the story behind it.

use super::{
    budget::Bounds,
    item::{EVENTS, Item, What},
    path::Rows,
    step::Step,
    table::Table,
};
use std::rc::Rc;

/// What a reader can observe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// An event or result is missing for good.
    Loss,
    /// A row is there twice.
    Duplicate,
    /// A value is above the truth.
    Over,
    /// A value is below the truth.
    Under,
    /// An old version stands although a newer one was written.
    Stale,
    /// An older value is shown again for a while.
    OlderShown,
    /// Something is read whose transaction was aborted.
    UncommittedShown,
}

/// One step of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// At which hop: 0 is the source, then the nodes in flow order.
    pub hop: usize,
    /// What happens.
    pub step: Step,
}

/// A run with the fewest things that go wrong, and of those the shortest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// What happens, in order, hop after hop.
    pub steps: Vec<Told>,
    /// How many things go wrong in it.
    pub failures: u32,
}

/// Everything that was observed, each with its shortest story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// An event or result is missing for good.
    pub loss: Option<Story>,
    /// A row is there twice.
    pub duplicate: Option<Story>,
    /// A value is above the truth.
    pub over: Option<Story>,
    /// A value is below the truth.
    pub under: Option<Story>,
    /// An old version stands.
    pub stale: Option<Story>,
    /// An older value is shown again for a while.
    pub older_shown: Option<Story>,
    /// Something is read whose transaction was aborted.
    pub uncommitted_shown: Option<Story>,
}

impl Observed {
    /// The story of an effect, where it was observed.
    #[must_use]
    pub const fn story(&self, effect: Effect) -> Option<&Story> {
        match effect {
            Effect::Loss => self.loss.as_ref(),
            Effect::Duplicate => self.duplicate.as_ref(),
            Effect::Over => self.over.as_ref(),
            Effect::Under => self.under.as_ref(),
            Effect::Stale => self.stale.as_ref(),
            Effect::OlderShown => self.older_shown.as_ref(),
            Effect::UncommittedShown => self.uncommitted_shown.as_ref(),
        }
    }

    /// Notes an effect with the run that shows it.
    pub(super) fn note(&mut self, effect: Effect, run: &Run, bounds: Bounds, left: Bounds) {
        let slot = match effect {
            Effect::Loss => &mut self.loss,
            Effect::Duplicate => &mut self.duplicate,
            Effect::Over => &mut self.over,
            Effect::Under => &mut self.under,
            Effect::Stale => &mut self.stale,
            Effect::OlderShown => &mut self.older_shown,
            Effect::UncommittedShown => &mut self.uncommitted_shown,
        };
        let failures = bounds.left().saturating_sub(left.left());
        let better = |story: &Story| (failures, run.length()) < (story.failures, story.steps.len());
        if slot.as_ref().is_none_or(better) {
            *slot = Some(Story { steps: run.told(), failures });
        }
    }
}

/// A run along several hops, sharing what it has in common with others.
#[derive(Clone, Debug, Default)]
pub(super) struct Run(Option<Rc<Part>>);

#[derive(Debug)]
struct Part {
    before: Run,
    hop: usize,
    steps: Rc<[Step]>,
    length: usize,
}

impl Run {
    /// With what happens at the next hop.
    pub fn then(&self, hop: usize, steps: &Rc<[Step]>) -> Self {
        let length = self.length() + steps.len();
        Self(Some(Rc::new(Part { before: self.clone(), hop, steps: Rc::clone(steps), length })))
    }

    /// How many steps.
    pub fn length(&self) -> usize {
        self.0.as_ref().map_or(0, |part| part.length)
    }

    fn told(&self) -> Vec<Told> {
        let mut parts = Vec::new();
        let mut at = self;
        while let Some(part) = &at.0 {
            parts.push(part);
            at = &part.before;
        }
        let tell = |part: &&Rc<Part>| {
            let hop = part.hop;
            part.steps.iter().map(move |step| Told { hop, step: *step }).collect::<Vec<_>>()
        };
        parts.iter().rev().flat_map(tell).collect()
    }
}

/// What is wrong with the rows of a store, or with what a reader got.
pub(super) fn judge(table: &Table) -> Vec<Effect> {
    let mut effects = Vec::new();
    if table.rows_are == Rows::Increment {
        if table.sum != EVENTS {
            effects.push(if table.sum > EVENTS { Effect::Over } else { Effect::Under });
        }
        return effects;
    }
    let Some(last) = table.last.or_else(|| table.rows.last().map(|row| row.item)) else {
        effects.push(Effect::Loss);
        return effects;
    };
    let again = |at: usize, item: Item| table.rows.iter().take(at).any(|row| row.item.what.same(item.what));
    if table.rows.iter().enumerate().any(|(at, row)| again(at, row.item)) {
        effects.push(Effect::Duplicate);
    }
    match last.what {
        What::Event(_) => events(table, &mut effects),
        What::Value { n, by, forgot } => {
            let over = |item: Item| matches!(item.what, What::Value { n, .. } if n > EVENTS);
            if table.rows.iter().any(|row| over(row.item)) {
                effects.push(Effect::Over);
            }
            if n < EVENTS {
                // A window has one result: a lower one is not an older one.
                let old = table.highest >= EVENTS && !forgot && by != EVENTS;
                effects.push(if old { Effect::Stale } else { Effect::Under });
            }
        }
    }
    // What stays too low is not shown for a while only, and what a state prints that lacks something is not old.
    let lacks = matches!(last.what, What::Value { forgot: true, .. } | What::Value { by: EVENTS, .. });
    if table.regressed && !lacks && !effects.contains(&Effect::Under) {
        effects.push(Effect::OlderShown);
    }
    effects
}

fn events(table: &Table, effects: &mut Vec<Effect>) {
    let has = |event: u8| table.rows.iter().any(|row| row.item.what == What::Event(event));
    let entity = matches!(table.rows_are, Rows::ByEntity | Rows::ByEntityGuarded);
    if !entity {
        if (0..EVENTS).any(|event| !has(event)) {
            effects.push(Effect::Loss);
        }
    } else if !has(EVENTS - 1) {
        effects.push(if table.highest >= EVENTS { Effect::Stale } else { Effect::Loss });
    }
}
