use crate::{
    model::{ElementKind, Id, Known, Link, counted, key, words::{OutputCommit, Transactions, WriteMode}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A job prepares transactions in a store that cannot hold them, or sends a batch again inside one.
    ///
    /// # Why
    /// Two phases need a transaction that stays prepared over a crash of the job. PostgreSQL refuses `PREPARE TRANSACTION` while
    /// `max_prepared_transactions` is 0, its default. And a sink that retries a statement by itself can execute it twice inside the
    /// same transaction.
    ///
    /// # Example
    /// `JdbcSink.exactlyOnceSink` against a database with default settings: the job fails at its first checkpoint.
    ///
    /// # What to do
    /// Allow as many prepared transactions as there are sink tasks, with `maxRetries=0`; or upsert on a key, which needs neither.
    FLK_06 "FLK-06" Error "The store cannot keep a prepared transaction"
    why "the first checkpoint fails, or a batch is executed twice inside one transaction"
    sources ["Apache Flink JDBC connector documentation, exactlyOnceSink: maxRetries must be 0, XA", "PostgreSQL documentation, max_prepared_transactions; PREPARE TRANSACTION"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let two_phase = context.get(id, key::write::OUTPUT_COMMIT)? == OutputCommit::TwoPhase;
        let files = context.get(id, key::store::WRITE_MODE) == Some(WriteMode::FileCommit);
        if !two_phase || files || context.kind(&link.to)? != ElementKind::Sink {
            return None;
        }
        let sink = context.entry(&link.to)?.sink?;
        let title = context.title(&link.to);
        let can = sink.transactions == Transactions::TwoPhase;
        let off = match context.known(&link.to, key::sink::TRANSACTIONS) {
            Known::Value(fact) => fact.value != Transactions::TwoPhase,
            Known::Unset(_) => context.runs(&link.to, "postgres"),
            _ => !can,
        };
        let retries = context.get(id, key::store::CLIENT_RETRIES).filter(|retries| *retries > 0);
        let (what, fix) = if off {
            let fix = can.then(|| propose("Propose prepared transactions", &link.to, key::sink::TRANSACTIONS, Transactions::TwoPhase));
            (format!("{title} holds no prepared transactions"), fix)
        } else {
            let fix = propose("Propose no retries of its own", id, key::store::CLIENT_RETRIES, 0);
            (format!("it retries up to {} inside a transaction", counted(retries?, "time")), Some(fix))
        };
        let message = format!("{} writes in two phases, and {what}", context.title(id));
        let remedy = "allow prepared transactions and no retries of the sink's own, or upsert on a key";
        Some(rule.finding(&[id, &link.to], message, remedy).fixed_by(fix))
    };
    context.links_with(key::write::OUTPUT_COMMIT).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const XA: &[(&str, &str)] = &[
        ("elements/loader", r#"{"kind":"job","system":"flink","proposed":{"processing_guarantee":"exactly_once","checkpoint_interval":"1min","on_error":"fail"}}"#),
        ("links/l6/proposed/output_commit", "\"two_phase\""),
        ("links/l6/proposed/client_retries", "0"),
    ];
    const ABLE: (&str, &str) = ("elements/table/proposed/transactions", "\"two_phase\"");

    #[test]
    fn a_store_without_prepared_transactions_is_found() {
        assert_eq!(fires("FLK-06", XA).message, "write → table writes in two phases, and table holds no prepared transactions");
        mends("FLK-06", XA);
        fires("FLK-06", &[XA, &[("elements/table/proposed/transactions", "\"unset\"")]].concat());
        fires("FLK-06", &[XA, &[("elements/table/system", "\"elasticsearch\""), ("elements/table/proposed/transactions", "null")]].concat());
    }

    #[test]
    fn retries_inside_a_transaction_are_found() {
        let retries = [XA, &[ABLE, ("links/l6/proposed/client_retries", "3")]].concat();
        assert!(fires("FLK-06", &retries).message.ends_with("it retries up to 3 times inside a transaction"));
        mends("FLK-06", &retries);
    }

    #[test]
    fn an_able_store_and_an_unread_one_are_left_alone() {
        silent("FLK-06", &[XA, &[ABLE]].concat());
        silent("FLK-06", &[XA, &[("elements/table/proposed/transactions", "null")]].concat());
        silent("FLK-06", &XA[..1]);
        silent("FLK-06", &[XA, &[("links/l6/proposed/write_mode", "\"file_commit\"")]].concat());
    }
}
