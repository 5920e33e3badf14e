use crate::sorted;
use crate::{
    model::Id,
    rules::{Context, Finding, Rule, rule::rule},
    analysis::{delivery::verdict::Copies, order::OldRows, versions::Versions},
};

rule! {
    /// Rows are replaced by key, nothing compares their versions, and an older one can come after a newer one.
    ///
    /// # Why
    /// An upsert keeps whatever comes last. After a retry that overtakes, a re-send of a single event, out of a log without
    /// keys, or with several tasks or workers that share a key, what comes last is not what happened last: the old state stands, and no count shows it.
    ///
    /// # Example
    /// A delete and an insert of one id go to two writers of a table: which of them is written last is chance.
    ///
    /// # What to do
    /// Let a version of the source decide in the condition of the write, or bring all rows of a key to one writer.
    ORD_L7 "ORD-L7" Warning "An older row can replace a newer one"
    why "the old state of a row stands, and nothing shows it"
    sources ["Elasticsearch reference, Index API: external versioning", "Apache Iceberg documentation, Flink Writes: distribution mode, equality fields", "Debezium documentation, source.lsn and transaction order"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let stale = context.report.consumers.values().flat_map(|report| &report.delivery.taints).filter(|taint| taint.stale);
    let mut found: Vec<(&Id, &Copies)> = stale
        .filter(|taint| context.design.links.contains_key(&taint.at))
        .filter_map(|taint| Some((&taint.at, taint.by.first()?)))
        .collect();
    sorted::sort_by_key(&mut found, |(at, _)| *at);
    found.dedup_by_key(|(at, _)| *at);
    let compares = |at: &Id| context.graph.place(at).map_or(Versions::NotKnown, |at| Versions::at(context.graph, at)).words();
    let mends = "compare a version of the source in the write, or bring all rows of a key to one writer";
    let one = |(at, by): (&Id, &Copies)| {
        let origin = &by.origin.at;
        let message = format!("{} {}, and {} at {} can bring an older row last", context.title(at), compares(at), by.class.words(), context.title(origin));
        rule.finding(&[at, origin], message, mends)
    };
    let mut findings: Vec<Finding> = found.iter().copied().map(one).collect();
    // What ended their order, without any copy.
    let inputs = context.report.consumers.values().flat_map(|report| &report.order.inputs);
    let mut ended: Vec<&OldRows> = inputs.filter_map(|input| input.old_rows.as_ref()).collect();
    sorted::sort_by_key(&mut ended, |old| &old.at);
    ended.dedup_by_key(|old| &old.at);
    ended.retain(|old| found.iter().all(|(at, _)| **at != old.at));
    findings.extend(ended.into_iter().map(|old| {
        let (at, after) = (&old.at, &old.after);
        let message = format!("{} {}, and {} {}: an older row can come last", context.title(at), compares(at), context.title(&after.at), after.words());
        rule.finding(&[at, &after.at], message, mends)
    }));
    findings
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_upsert_that_can_end_on_an_old_row_is_found() {
        let plain = [
            ("elements/sum/step", "\"map\""),
            ("elements/sum/proposed", "{}"),
            ("elements/sum/emits", "null"),
            ("links/l3/proposed/distribution", "\"rebalance\""),
            ("elements/revenue/proposed/parallelism", "6"),
            // What comes back from dead letters is old too, and after a loss a suffix that comes again is.
            ("elements/dedup/proposed/on_error", "\"fail\""),
            ("elements/dlq", "null"),
            ("links/l9", "null"),
            ("links/l10", "null"),
        ];
        // The hand-over is forgotten at the next log; inside one job it stays until the write.
        silent("ORD-L7", &plain);
        let direct = [&plain[..], &[
            ("links/d1", r#"{"from":"sum","to":"table","proposed":{"key":["store"],"write_mode":"upsert","output_commit":"flush","version_guard":[]}}"#),
            ("elements/table/proposed/unique_keys", r#"[["store"]]"#),
            // Else the same row comes on a second way too, and one of them is late.
            ("links/l6", "null"),
        ]].concat();
        assert!(fires("ORD-L7", &direct).message.starts_with("sum → table compares no versions"));
        let unread = [&direct[..], &[("links/d1/proposed/version_guard", "null")]].concat();
        assert!(fires("ORD-L7", &unread).message.starts_with("sum → table is not known to compare versions, and "));
        silent("ORD-L7", &[&direct[..], &[("links/l3/proposed/distribution", "\"hash\"")]].concat());
        // Out of a log without keys, rows of one store come side by side.
        let plain = [&direct[..], &[("links/l3/proposed/distribution", "\"hash\""), ("links/l1/proposed/key", "[]"), ("elements/shop/proposed/instances", "1")]].concat();
        let message = fires("ORD-L7", &plain).message;
        assert_eq!(message, "sum → table compares no versions, and shop → orders sends without a key, to any partition: an older row can come last");
        silent("ORD-L7", &[&plain[..], &[("links/d1/proposed/version_guard", "[\"version\"]")]].concat());
    }
}
