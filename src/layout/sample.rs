//! Small designs for tests.

use crate::model::{Design, Element, Id, Link, Port, Shape, Step, Subject};

pub(crate) fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

/// Elements as `kind name` or `operator name job`, links as `from to` or `from port to`.
pub(crate) fn design(elements: &str, links: &str) -> Design {
    let mut design = Design::default();
    for line in elements.split(',').map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let element = match words[0] {
            "source" => Element::Source { event: None },
            "channel" => Element::Channel { role: None },
            "job" => Element::Job,
            "operator" => Element::Operator { job: id(words[2]), step: Step::Map, emits: None },
            "sink" => Element::Sink,
            "consumer" => Element::Consumer { question: None },
            "batch" => Element::Batch,
            other => panic!("{other}"),
        };
        design.elements.insert(id(words[1]), Subject::new(Shape::Element(element)));
    }
    for line in links.split(',').map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let port = (words.len() == 3).then(|| Port::named(words[1]).unwrap());
        let link = Link { from: id(words[0]), to: id(words[words.len() - 1]), port, into: None };
        let next = design.next_id('l', &|_| false);
        design.links.insert(next, Subject::new(Shape::Link(link)));
    }
    design
}

/// The design of the pictures.
pub(crate) fn checkout() -> Design {
    design(
        "source checkout_db, job outbox, operator capture outbox, channel orders, job revenue, operator dedup revenue,
         operator sum revenue, channel orders_dlq, channel orders_late, channel revenue_5m, job rev_jdbc,
         operator upsert_rows rev_jdbc, sink revenue_table, consumer board, batch orders_full, sink fct_revenue,
         consumer close",
        "checkout_db capture, capture orders, orders dedup, dedup sum, dedup dead_letter orders_dlq,
         sum late orders_late, sum revenue_5m, revenue_5m upsert_rows, upsert_rows revenue_table, revenue_table board,
         checkout_db orders_full, orders_full fct_revenue, fct_revenue close, revenue_table reconcile fct_revenue",
    )
}
