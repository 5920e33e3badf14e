//! Reviews of designs that follow each other: what did not change is not worked out again.

use std::{collections::HashSet, fmt, sync::Arc};

use super::{Context, Review, Scope, context::Set, found, halt, parts, parts::Part, ranked, replay, review};
use crate::{
    analysis::{Report, Reports, graph::Graph, unreachable},
    model::{Design, Hashed, View},
};

/// Reviews the states of a design one after the other. Parts that nothing joins know nothing of each other, so those that
/// are as they were keep their reports and findings; what speaks of the whole is worked out each time. Every review is
/// the one that [`review`] gives.
#[derive(Clone, Default)]
pub struct Reviewer {
    as_is: Option<Known>,
    to_be: Option<Known>,
}

/// What was worked out of a design in one view.
#[derive(Clone)]
struct Known {
    design: Arc<Design>,
    parts: Vec<Arc<Part>>,
}

impl Reviewer {
    /// Reviews a design in a view.
    pub fn review(&mut self, design: &Arc<Design>, view: View) -> Review {
        // A source that could not be read takes the defaults of clusters along, for all parts.
        if !unreachable::unreachable(design).is_empty() {
            return review(design, view);
        }
        let members = parts::of(design);
        if members.len() < 2 {
            return review(design, view);
        }
        let known = match view {
            View::AsIs => &mut self.as_is,
            View::ToBe => &mut self.to_be,
        };
        let before =
            known.take().filter(|known| known.stands_beside(design)).map_or_else(Vec::new, |known| known.parts);
        let part = |members: &parts::Members<'_>| {
            let kept = before.binary_search_by(|part| part.first().cmp(&members.first())).ok().map(|at| &before[at]);
            kept.filter(|part| part.is(members)).map_or_else(|| Arc::new(Part::of(design, members, view)), Arc::clone)
        };
        let parts: Vec<Arc<Part>> = members.iter().map(part).collect();
        let review = together(design, view, &parts);
        *known = Some(Known { design: Arc::clone(design), parts });
        review
    }
}

impl Known {
    /// Is all that stands beside the parts and can say something of them as it is in this design?
    fn stands_beside(&self, design: &Design) -> bool {
        let (own, other) = (&self.design, design);
        own.events == other.events
            && own.clusters == other.clusters
            && own.records.evidence == other.records.evidence
            && own.records.actions == other.records.actions
            && own.records.decisions == other.records.decisions
    }
}

/// The parts that a review was put together from; none where it was worked out as a whole.
#[derive(Clone, Default)]
pub(super) struct Origin(Vec<Arc<Part>>);

/// How a review was worked out changes nothing of what it says.
impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} parts", self.0.len())
    }
}

impl Review {
    /// The elements and links about which the analysis may say something else than in another review of the same view;
    /// `None`: that is not known. Findings and halts are not looked at.
    #[must_use]
    pub(crate) fn changed_since(&self, other: &Self) -> Option<Set<'_>> {
        if self.view != other.view || self.origin.0.is_empty() || other.origin.0.is_empty() {
            return None;
        }
        let known: HashSet<*const Part, Hashed> = other.origin.0.iter().map(Arc::as_ptr).collect();
        let changed = self.origin.0.iter().filter(|part| !known.contains(&Arc::as_ptr(part)));
        Some(changed.flat_map(|part| part.ids()).collect())
    }
}

/// The review of a design whose parts are worked out.
fn together(design: &Design, view: View, parts: &[Arc<Part>]) -> Review {
    let report = report(view, parts);
    let graph = Graph::new(design, view);
    let context = Context::new(&graph, &report);
    let mut all = found(&context, Scope::Design);
    all.extend(parts.iter().flat_map(|part| part.found.iter().cloned()));
    let (findings, procedures) = (ranked(&context, all), replay::procedures(&context));
    let halts = halt::halts(&context);
    Review { report, findings, halts, procedures, origin: Origin(parts.to_vec()) }
}

fn report(view: View, parts: &[Arc<Part>]) -> Report {
    fn all<T>(parts: &[Arc<Part>], of: fn(&Report) -> &Reports<T>) -> Reports<T> {
        Reports::of_all(parts.iter().map(|part| of(&part.report)))
    }
    Report {
        view,
        consumers: all(parts, |report| &report.consumers),
        links: all(parts, |report| &report.links),
        channels: all(parts, |report| &report.channels),
        operators: all(parts, |report| &report.operators),
        jobs: all(parts, |report| &report.jobs),
        sinks: all(parts, |report| &report.sinks),
        sources: all(parts, |report| &report.sources),
        comparisons: all(parts, |report| &report.comparisons),
        reads: all(parts, |report| &report.reads),
    }
}

#[cfg(test)]
pub(super) mod tests;
