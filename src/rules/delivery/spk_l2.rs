use crate::{
    model::{ElementKind, Id, Link, key, words::{OutputCommit, WriteMode}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A Spark query appends its batches without telling the table their number.
    ///
    /// # Why
    /// The query notes a batch as done after its function returned. A crash before that runs the whole batch again, and whatever the
    /// function had written by then is there twice: in each table, and in each message it had sent.
    ///
    /// # Example
    /// One batch writes two tables and a message; the message fails, and both tables get their rows a second time.
    ///
    /// # What to do
    /// Give the table the application and the number of the batch, or merge by a key. Persist a batch that goes to several places.
    SPK_L2 "SPK-L2" Error "A batch that is run again is written again"
    why "a crash before the batch is noted writes all of it once more"
    sources ["Apache Spark documentation, Structured Streaming: foreachBatch, fault-tolerance semantics", "Delta Lake documentation, Idempotent table writes in foreachBatch: txnAppId, txnVersion"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let commit = context.get(id, key::write::OUTPUT_COMMIT);
        let open = context.kind(&link.from) == Some(ElementKind::Operator)
            && context.runs(&link.from, "spark")
            && context.get(id, key::store::WRITE_MODE) == Some(WriteMode::Append)
            && commit.is_some_and(|commit| matches!(commit, OutputCommit::Flush | OutputCommit::Nothing));
        (open && context.repeats_matter(id)).then(|| {
            let others = context.from(&link.from).count();
            let together = if others > 1 { format!(", one of {others} writes of the same batch") } else { String::new() };
            let message = format!("{} appends a batch without its number{together}", context.title(id));
            rule.finding(&[id], message, "write the number of the batch with it, or merge by a key")
        })
    };
    context.links_with(key::store::WRITE_MODE).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn batches_without_a_number_are_found() {
        let spark = [
            ("elements/loader", r#"{"kind":"job","system":"spark","proposed":{"checkpoint_storage":"durable","on_error":"fail"}}"#),
            ("links/l6/proposed/write_mode", "\"append\""),
        ];
        assert_eq!(fires("SPK-L2", &spark).message, "write → table appends a batch without its number");
        silent("SPK-L2", &[&spark[..], &[("links/l6/proposed/output_commit", "\"batch_id\"")]].concat());
        silent("SPK-L2", &spark[..1]);
    }
}
