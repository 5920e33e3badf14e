//! Laws of the comparison of two views, on designs of any shape and on the example after any edits.
#![allow(clippy::unwrap_used, reason = "tests say what must hold by panicking")]

#[path = "../src/testing.rs"]
#[allow(dead_code, missing_docs, reason = "shared with other tests, which use other parts")]
mod testing;

use pipeline_desk::{
    analysis::explain::Unit,
    codec::decode,
    model::{Design, Id, View},
    rules::{
        Review,
        compare::{Direction, Entry, ForConsumer, Side, Standing, What, changes, compare, without},
        review,
    },
};
use proptest::prelude::*;
use testing::{designs, edit, entropy};

const CHECKOUT: &str = include_str!("../src/catalog/examples/checkout_revenue.json");

fn both(design: &Design) -> (Review, Review) {
    (review(design, View::AsIs), review(design, View::ToBe))
}

/// The example after some edits, some of which propose something.
fn edited() -> impl Strategy<Value = Design> {
    entropy(120).prop_map(|mut entropy| {
        let mut design = decode(CHECKOUT).unwrap();
        for _ in 0..8 {
            let change = edit(&mut entropy, &design);
            let _ = design.apply(change);
        }
        design
    })
}

fn swapped(entry: &Entry) -> Entry {
    Entry {
        what: entry.what.clone(),
        before: entry.after.clone(),
        after: entry.before.clone(),
        direction: entry.direction.swapped(),
    }
}

/// The same entries, in any order.
fn same(one: &[Entry], other: &[Entry]) -> bool {
    one.len() == other.len() && one.iter().all(|entry| other.contains(&swapped(entry)))
}

fn laws(design: &Design) {
    let (as_is, to_be) = both(design);
    for view in [&as_is, &to_be] {
        let none = compare(design, view, view);
        assert!(none.elsewhere.is_empty());
        assert!(none.consumers.values().all(|of| of.entries.is_empty()));
    }
    let (there, back) = (compare(design, &as_is, &to_be), compare(design, &to_be, &as_is));
    assert!(same(&there.elsewhere, &back.elsewhere));
    for (id, of) in &there.consumers {
        let other = back.consumers.get(id).unwrap();
        assert!(same(&of.entries, &other.entries), "{id}\n{:#?}\n{:#?}", of.entries, other.entries);
        known_is_never_beaten_by_unknown(of);
        order_goes_by_what_holds(&as_is, &to_be, id, of);
    }
}

/// A gain in order is a stronger kind or a wider key, never a weaker kind; what says nothing of the order leaves the
/// verdicts of both views alike.
fn order_goes_by_what_holds(as_is: &Review, to_be: &Review, id: &Id, of: &ForConsumer) {
    let (Some(before), Some(after)) = (as_is.consumers.get(id), to_be.consumers.get(id)) else { return };
    let claims: Vec<&Entry> = of.entries.iter().filter(|entry| matches!(entry.what, What::Order(_))).collect();
    if let ([one], [other]) = (before.order.inputs.as_slice(), after.order.inputs.as_slice()) {
        let (was, is) = (one.kind.strength(), other.kind.strength());
        for claim in &claims {
            match claim.direction {
                Direction::Better => assert!(was <= is, "{claim:?}"),
                Direction::Worse => assert!(was >= is, "{claim:?}"),
                _ => {}
            }
        }
        assert!(!claims.is_empty() || was == is, "{id}: {one:?} {other:?}");
    }
    if before.order == after.order {
        let other = of.entries.iter().find(|entry| matches!(entry.what, What::OrderEnds(_) | What::OrderBetween));
        assert!(claims.is_empty() && other.is_none(), "{id}: {claims:?} {other:?}");
    }
}

/// Is something of a side not known? Of a sum that lacks terms it is how much more there is.
fn open(side: &Side) -> bool {
    side.standing == Standing::Unknown || side.figure.as_ref().is_some_and(|figure| figure.unit == Unit::AtLeast)
}

fn known_is_never_beaten_by_unknown(of: &ForConsumer) {
    for entry in &of.entries {
        match entry.direction {
            Direction::Better => assert_ne!(entry.after.standing, Standing::Unknown, "{entry:?}"),
            Direction::Worse => assert_ne!(entry.before.standing, Standing::Unknown, "{entry:?}"),
            Direction::UnknownAfter => assert!(open(&entry.after), "{entry:?}"),
            Direction::UnknownBefore => assert!(open(&entry.before), "{entry:?}"),
            Direction::Different | Direction::Incomparable => {}
        }
        assert_ne!(entry.before.text, entry.after.text, "{entry:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn they_hold_for_designs_of_any_shape(design in designs()) {
        laws(&design);
    }

    #[test]
    fn they_hold_for_the_example_after_any_edits(design in edited()) {
        laws(&design);
    }

    #[test]
    fn with_every_change_taken_back_nothing_differs(design in edited()) {
        let mut rest = design;
        // Taking one back can uncover what came with it.
        for _ in 0..40 {
            let Some(next) = changes(&rest).into_iter().next() else { break };
            rest = without(&rest, &next);
            let left = changes(&rest);
            prop_assert!(!left.contains(&next), "{next:?} stays");
        }
    }
}
