//! What stands beside the graph.

use super::Map;
use crate::{
    analysis::graph::Graph,
    model::{AllSettings, Subject},
};

/// Subjects that the graph does not hold: comparisons, events, clusters, and what the view hides. Of those that the view
/// shows, their settings.
pub(super) struct Beside<'a> {
    pub(super) subjects: Map<'a, (&'a Subject, Option<usize>)>,
    pub(super) settings: AllSettings<'a>,
}

impl<'a> Beside<'a> {
    pub(super) fn of(graph: &Graph<'a>) -> Self {
        let (design, view) = (graph.design, graph.view);
        let mut beside = Self { subjects: Map::default(), settings: AllSettings::new(design, view, 0) };
        let mut shown = 0;
        let mut add = |id, subject, visible: bool| {
            if visible {
                beside.settings.add(id, subject);
                shown += 1;
            }
            beside.subjects.insert(id, (subject, visible.then(|| shown - 1)));
        };
        if graph.places() < design.elements.len() + design.links.len() {
            for (id, subject) in design.elements.iter().chain(&design.links) {
                if graph.place(id).is_none() {
                    add(id, subject, graph.comparisons.iter().any(|edge| edge.id == id));
                }
            }
        }
        for (id, subject) in design.events.iter().chain(&design.clusters) {
            add(id, subject, design.visible(view, id));
        }
        beside
    }
}
