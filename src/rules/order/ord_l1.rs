use crate::sorted;
use crate::{
    model::{Columns, ElementKind, Id, Link, Port, counted_as, key, words::{Acks, Distribution, OrderKept, Processing}},
    rules::{Context, Finding, Rule, context::Set, rule::rule},
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
    let one = |(id, _)| {
        let needed = context.get(id, key::consumer::ORDER_NEEDED).filter(|columns| !columns.0.is_empty())?;
        let finding = |(at, how): (&Id, String)| {
            let message = format!("{} needs order by {needed}; {} {how}", context.title(id), context.title(at));
            rule.finding(&[id, at], message, "mend this hop, or carry a version and let it decide")
        };
        Some(breakers(context, id, &needed).into_iter().map(finding).collect::<Vec<_>>())
    };
    context.elements(ElementKind::Consumer).filter_map(one).flatten().collect()
}

/// Every place on the way to a consumer that does not keep the order of a key.
fn breakers<'a>(context: &Context<'a>, consumer: &'a Id, needed: &Columns) -> Vec<(&'a Id, String)> {
    let (mut seen, mut stack, mut found): (Set<'a>, _, _) = (Set::default(), vec![consumer], Vec::new());
    while let Some(at) = stack.pop() {
        if !seen.insert(at) {
            continue;
        }
        if matches!(context.get(at, key::operator::ORDER_KEPT), Some(OrderKept::No)) {
            found.push((at, "does not keep the order".to_owned()));
        }
        for (id, link) in context.into(at).filter(|(_, link)| link.port != Some(Port::Reconcile)) {
            let how = match (context.kind(&link.from), context.kind(at)) {
                (_, Some(ElementKind::Channel)) => sent(context, id, at, needed),
                (Some(ElementKind::Channel), _) => worked(context, id, &link.from, needed),
                (Some(ElementKind::Operator), Some(ElementKind::Operator)) => shared(context, id, link),
                _ => None,
            };
            found.extend(how.map(|how| (id, how)));
            stack.push(&link.from);
        }
    }
    sorted::sort(&mut found);
    found
}

/// Into a channel: by another key, by none, or with batches that overtake each other.
fn sent(context: &Context<'_>, id: &Id, channel: &Id, needed: &Columns) -> Option<String> {
    let written = context.get(id, key::write::KEY);
    if let Some(written) = written.filter(|_| context.get(channel, key::channel::PARTITIONS) != Some(1)) {
        if written.0.is_empty() {
            return Some("sends without a key, to any partition".to_owned());
        }
        if !written.0.iter().all(|column| needed.0.contains(column) || column.starts_with('@')) {
            return Some(format!("goes by {written}, so that the records lie in several partitions"));
        }
    }
    let in_flight = context.get(id, key::produce::MAX_IN_FLIGHT).filter(|n| *n > 1)?;
    let off = context.get(id, key::produce::IDEMPOTENCE) == Some(false)
        || context.get(id, key::produce::ACKS).is_some_and(|acks| acks != Acks::All);
    let retries = context.get(id, key::produce::RETRIES).is_none_or(|n| n > 0)
        && context.get(id, key::produce::ACKS) != Some(Acks::Zero);
    (off && retries).then(|| {
        let batches = counted_as(in_flight - 1, "batch", "batches");
        format!("sends again without idempotence: up to {batches} can overtake the first")
    })
}

/// Out of a channel: several workers on one partition, by another key than the one that needs order.
fn worked(context: &Context<'_>, id: &Id, channel: &Id, needed: &Columns) -> Option<String> {
    if !matches!(context.get(id, key::read::PROCESSING)?, Processing::Threads | Processing::Async) {
        return None;
    }
    let by = context.get(id, key::read::WORKER_KEY).filter(|by| !by.0.is_empty());
    let Some(by) = by else { return Some("works on several records of a partition at once".to_owned()) };
    let resolved = if by.0.iter().any(|column| &**column == "@record_key") { context.record_key(channel) } else { Some(by) };
    let keeps = resolved.as_ref().is_some_and(|by| !by.0.is_empty() && by.0.iter().all(|column| needed.0.contains(column)));
    (!keeps).then(|| match resolved {
        Some(by) => format!("shares a partition out to workers by {by}"),
        None => "shares a partition out to workers by the record key, which is not read".to_owned(),
    })
}

/// Inside a job: rows of one key to several tasks.
fn shared(context: &Context<'_>, id: &Id, link: &Link) -> Option<String> {
    let tasks = context.get(&link.to, key::operator::PARALLELISM).or_else(|| {
        context.get(context.job_of(&link.to)?, key::job::PARALLELISM)
    });
    let spreads = matches!(context.get(id, key::flow::DISTRIBUTION)?, Distribution::Rebalance | Distribution::Broadcast);
    (spreads && tasks != Some(1)).then(|| "gives rows of one key to several tasks".to_owned())
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const NEEDED: (&str, &str) = ("elements/board/proposed/order_needed", "[\"store\"]");

    #[test]
    fn what_breaks_the_order_is_named() {
        let says = |change: &[(&str, &str)]| fires("ORD-L1", &[&[NEEDED], change].concat()).message;
        let off = ("links/l1/proposed/idempotence", "false");
        assert_eq!(says(&[off]), "board needs order by (store); shop → orders sends again without idempotence: up to 4 batches can overtake the first");
        assert!(says(&[("links/l1/proposed/key", "[]")]).ends_with("sends without a key, to any partition"));
        assert!(says(&[("links/l1/proposed/key", "[\"amount\"]")]).contains("goes by (amount)"));
        assert!(says(&[("links/l3/proposed/distribution", "\"rebalance\"")]).ends_with("to several tasks"));
        assert!(says(&[("elements/dedup/proposed/order_kept", "\"no\"")]).ends_with("does not keep the order"));
        let threads = ("links/l2/proposed/processing", "\"threads\"");
        assert!(says(&[threads]).ends_with("at once"));
        silent("ORD-L1", &[off]);
        silent("ORD-L1", &[("elements/board/proposed/order_needed", "[\"store\", \"window_start\"]"), threads, ("links/l2/proposed/worker_key", "[\"@record_key\"]")]);
        silent("ORD-L1", &[("elements/board/proposed/order_needed", "[\"store\", \"window_start\"]"), off, ("links/l1/proposed/max_in_flight", "1")]);
    }
}
