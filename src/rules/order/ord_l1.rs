use crate::{
    analysis::order::{Break, Breaker, words},
    model::{Columns, ElementKind, key, words::{Acks, OrderKept}},
    rules::{Context, Finding, Fix, Rule, rule::{propose, rule}},
};

rule! {
    /// A consumer needs records in order by a key, and something on its way does not keep that order.
    ///
    /// # Why
    /// A log keeps the order in which one producer appends to one partition. It ends where a batch is sent again after the next one,
    /// where the key of the record is another one, where the key is empty, where tasks share the rows of a key, and where workers
    /// take records of one partition at once.
    ///
    /// # Example
    /// Five requests in flight, retries, no idempotence: the second batch is stored, then the first one, sent again.
    ///
    /// # What to do
    /// Mend the hop that is named, or carry a version and let it decide.
    ORD_L1 "ORD-L1" Error "Order is needed and lost on the way"
    why "records of one key can arrive in another order"
    sources ["Apache Kafka documentation, Producer Configs: max.in.flight.requests.per.connection, enable.idempotence", "Apache Flink documentation, Physical Partitioning; Async I/O: order of results"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, _) in context.elements(ElementKind::Consumer) {
        let needed = context.get(id, key::consumer::ORDER_NEEDED).filter(|columns| !columns.0.is_empty());
        let (Some(needed), Some(report)) = (needed, context.consumer_report(id)) else { continue };
        let says = |how: String| format!("{} needs order by {}; {how}", context.title(id), words::key(&needed));
        let inputs = report.order.inputs.len();
        if inputs > 1 {
            let how = format!("it reads {inputs} inputs, which nothing orders with each other");
            findings.push(rule.finding(&[id], says(how), "one input, or a version or sequence number in the events"));
        }
        // Growth is found at the channel, with the share of keys that move and who needs them in order (ORD-L3).
        let grown = |breaker: &&Breaker| breaker.by == Break::Grown && super::ord_l3::growth(context, &breaker.at).is_some();
        findings.extend(report.order.ends_for(&needed).filter(|breaker| !grown(breaker)).map(|breaker| {
            let how = format!("{} {}", context.title(&breaker.at), breaker.words());
            rule.finding(&[id, &breaker.at], says(how), breaker.mend()).fixed_by(fix(context, breaker))
        }));
    }
    findings
}

/// A change that mends one hop and no other thing depends on.
fn fix(context: &Context<'_>, breaker: &Breaker) -> Option<Fix> {
    let at = &breaker.at;
    match breaker.by {
        Break::Retries(in_flight) => {
            let off = context.get(at, key::produce::IDEMPOTENCE) == Some(false);
            let fits = in_flight <= 5 && context.get(at, key::produce::ACKS) == Some(Acks::All);
            (off && fits).then(|| propose("Propose an idempotent producer", at, key::produce::IDEMPOTENCE, true))
        }
        Break::Workers(None) => {
            let by = Columns(["@record_key".into()].into());
            Some(propose("Propose workers by the record key", at, key::read::WORKER_KEY, by))
        }
        Break::Unordered => Some(propose("Propose results in order", at, key::operator::ORDER_KEPT, OrderKept::Yes)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const NEEDED: (&str, &str) = ("elements/board/proposed/order_needed", "[\"store\"]");
    /// Rows as they come, by store on the whole way, and everything stated that an order needs.
    const BY_STORE: [(&str, &str); 16] = [
        ("links/l1/proposed/after_restart", "\"resume_position\""),
        ("elements/dedup/step", "\"map\""),
        ("elements/dedup/proposed", "{\"on_error\":\"fail\"}"),
        ("elements/sum/step", "\"map\""),
        ("elements/sum/proposed", "{}"),
        ("elements/sum/emits", "null"),
        ("elements/dlq", "null"),
        ("links/l9", "null"),
        ("links/l10", "null"),
        ("elements/late", "null"),
        ("links/l8", "null"),
        ("elements/shop/proposed/instances", "1"),
        ("links/l1/proposed/partitioner", "\"murmur2\""),
        ("links/l4/proposed/partitioner", "\"murmur2\""),
        ("links/l4/proposed/key", "[\"store\"]"),
        ("links/l6/proposed/key", "[\"store\"]"),
    ];

    fn by_store<'a>(change: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        [&BY_STORE[..], &[NEEDED], change].concat()
    }

    #[test]
    fn what_breaks_the_order_is_named() {
        let says = |change: &[(&str, &str)]| fires("ORD-L1", &by_store(change)).message;
        let off = ("links/l1/proposed/idempotence", "false");
        assert_eq!(
            says(&[off]),
            "board needs order by store; shop → orders sends again without idempotence: up to 4 batches can overtake the first"
        );
        assert!(says(&[("links/l1/proposed/key", "[]")]).ends_with("sends without a key, to any partition"));
        assert!(says(&[("links/l1/proposed/key", "[\"amount\"]")]).contains("goes by amount"));
        assert!(says(&[("links/l3/proposed/distribution", "\"rebalance\"")]).ends_with("to several tasks"));
        assert!(says(&[("elements/dedup/proposed/order_kept", "\"no\"")]).ends_with("does not keep the order"));
        assert!(says(&[("links/l2/proposed/processing", "\"threads\"")]).ends_with("at once"));
        assert!(says(&[("elements/shop/proposed/instances", "3")]).contains("writes from 3 instances"));
        let again = says(&[("links/l1/proposed/after_restart", "\"resend_unmarked\"")]);
        assert!(again.contains("compares no versions, and re-sends after a producer restart"));
    }

    #[test]
    fn what_can_be_mended_alone_is() {
        mends("ORD-L1", &by_store(&[("links/l1/proposed/idempotence", "false")]));
        mends("ORD-L1", &by_store(&[("links/l2/proposed/processing", "\"threads\"")]));
        mends("ORD-L1", &by_store(&[("elements/dedup/proposed/order_kept", "\"no\"")]));
    }

    #[test]
    fn an_order_that_holds_or_is_not_known_is_no_fault() {
        silent("ORD-L1", &by_store(&[]));
        silent("ORD-L1", &[("links/l1/proposed/idempotence", "false")]);
        let off = ("links/l1/proposed/idempotence", "false");
        silent("ORD-L1", &by_store(&[off, ("links/l1/proposed/max_in_flight", "1")]));
        silent("ORD-L1", &by_store(&[("links/l1/proposed/partitioner", "null")]));
        let threads = ("links/l2/proposed/processing", "\"threads\"");
        silent("ORD-L1", &by_store(&[threads, ("links/l2/proposed/worker_key", "[\"@record_key\"]")]));
        // The store decides by a version: nothing before it can make an older row stand.
        silent("ORD-L1", &by_store(&[off, ("links/l6/proposed/version_guard", "[\"placed_at\"]")]));
    }

    #[test]
    fn results_have_an_order_of_their_own() {
        let windows = ("elements/board/proposed/order_needed", "[\"store\", \"window_start\"]");
        silent("ORD-L1", &[windows, ("links/l1/proposed/idempotence", "false")]);
        let message = fires("ORD-L1", &[NEEDED]).message;
        assert_eq!(message, "board needs order by store; sum → totals goes by (store, window_start) instead of store");
    }

    #[test]
    fn two_inputs_have_no_order_with_each_other() {
        let more = ("links/l12", r#"{"from":"totals","to":"board"}"#);
        let windows = ("elements/board/proposed/order_needed", "[\"store\", \"window_start\"]");
        assert!(fires("ORD-L1", &[windows, more]).message.contains("2 inputs"));
    }
}
