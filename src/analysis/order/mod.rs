//! Which order of events holds at a consumer: by which key, in the partition of which channel, from which writer, and
//! which hop ends it.
//!
//! One walk over the graph in flow order carries a `state::State` along every link: the finest key by which the events
//! still come in the order of their birth, the log that holds them, and a trail of what ended or narrowed that order. A
//! log, a shuffle or a set of workers that goes by a key keeps the order of two records only where they share that key
//! and came in order before, so that the key of the order only ever grows. Results of an aggregate are born at its
//! operator: their order is a new one. A fact that is not known never makes an order.
//!
//! Not here: copies and losses (`delivery`), how full a partition is (`figures`).

mod old_rows;
mod read;
mod replaced;
mod send;
mod state;
mod step;
mod store;
mod trail;
pub mod verdict;
mod walk;
pub mod words;

pub(super) use old_rows::say as say_old_rows;
pub use send::{Hashing, hashing};
pub use verdict::{Ahead, Break, Breaker, OldRows, Order, OrderKind, OrderVerdict};

use crate::{
    analysis::{delivery::Deliveries, graph::Graph},
    model::{ElementKind, Id},
    sorted::SortedMap,
};

/// The order at every consumer, in id order.
#[must_use]
pub fn judge(graph: &Graph<'_>, deliveries: &Deliveries) -> SortedMap<Id, OrderVerdict> {
    let mut walked = walk::walk(graph, &deliveries.retries);
    let consumers = graph.nodes.iter().enumerate().filter(|(_, node)| node.kind() == ElementKind::Consumer);
    consumers
        .map(|(number, node)| {
            let delivery = deliveries.consumers.get(node.id);
            (node.id.clone(), walked.verdict(number, delivery))
        })
        .collect()
}
