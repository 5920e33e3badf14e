//! Figures of consumers of the built-in example, and laws over small designs.

use super::*;
use crate::{
    analysis::explain::{Explained, Origin},
    catalog::examples,
    codec,
    model::View,
};
use std::sync::Arc;

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

fn checkout(view: View) -> Figures {
    let example = examples().iter().find(|example| example.id == "checkout_revenue").unwrap();
    Figures::of(&Graph::new(&codec::decode(example.text).unwrap(), view))
}

fn formula(figure: &Arc<Explained>) -> &'static str {
    match &figure.origin {
        Origin::Formula { formula, .. } => formula.id,
        _ => "",
    }
}

/// 300 s + 30 s + 0.2 s for the window, 60 s + 3 s for the commit: 393.2 s. The silence of orders, the hand-over of the
/// capture, lag and flushes have no figure, so it is "at least".
#[test]
fn first_result_at_the_board() {
    for view in [View::AsIs, View::ToBe] {
        let figures = checkout(view);
        let board = &figures.consumers[&id("board")];
        let latency = board.latency.as_ref().unwrap();
        assert!((latency.value - 393.2).abs() < 1e-9, "{}", latency.value);
        assert_eq!(latency.text(), "6 min 33 s");
        assert_eq!(formula(latency), "LAT-E2.at_least");
        let terms: Vec<_> = latency.inputs().iter().map(|term| (formula(term), term.value)).collect();
        assert_eq!(terms, [("LAT-E1.window", 330.2), ("LAT-E1.transaction", 63.0)]);
        assert!(board.latency_open.iter().any(|open| open.field.name() == "longest_silence"));
    }
}

/// Through the job: 26 843.5456 s − 300 s = 26 543.5456 s = 7 h 22 min; when the de-duplication must be filled first it
/// takes how long copies can come, and nobody stated that. From revenue_5m the table is refilled, not recomputed.
#[test]
fn where_the_board_can_be_made_again_from() {
    let figures = checkout(View::AsIs);
    let starts = &figures.consumers[&id("board")].replay;
    let orders = starts.iter().find(|start| start.from == id("orders")).unwrap();
    let reach = orders.reach.as_ref().unwrap();
    assert!((reach.value - 26_543.545_6).abs() < 1e-6);
    assert_eq!(reach.text(), "7 h 22 min");
    assert!(orders.recompute);
    let filled = orders.after_deduplication.as_ref().unwrap().as_ref().unwrap_err();
    assert_eq!(filled.missing[0].field.name(), "resend_within");
    let table = starts.iter().find(|start| start.from == id("revenue_5m")).unwrap();
    assert!(!table.recompute && table.after_deduplication.is_none());
    let source = starts.iter().find(|start| start.from == id("checkout_db")).unwrap();
    assert!(source.reach.is_err());
}
