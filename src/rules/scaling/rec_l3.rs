use crate::{
    model::{Action, ActionKind, ElementKind, Id, Link, key, words::WriteMode},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A batch run writes the store that a stream fills from the same data, and nothing says where the one ends and the other begins.
    ///
    /// # Why
    /// What arrives between the listing of the batch and the next start of the stream is in neither or in both. The stream does not know
    /// what the batch has covered: its own position says only what it has read itself.
    ///
    /// # Example
    /// A table is rebuilt from all files while the stream keeps running. Files of that hour are in the table twice, or not at all.
    ///
    /// # What to do
    /// One position for both: let the batch end at it and the stream begin at it (planned as a backfill with its end), or build a
    /// table beside the live one and swap. Writes on a key that both share make the overlap harmless.
    REC_L3 "REC-L3" Error "A rebuild without a cut-over position"
    why "what arrives during the rebuild is written twice or not at all"
    sources ["Delta Lake documentation, Table streaming reads and writes", "Akidau, Chernyak, Lax, Streaming Systems, chapter 5"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let batches = context.elements(ElementKind::Batch);
    batches.filter_map(|(batch, _)| rebuild(rule, context, batch)).collect()
}

fn rebuild<'a>(rule: &'static Rule, context: &Context<'a>, batch: &'a Id) -> Option<Finding> {
    let read = context.with_origins(batch);
    let written = context.from(batch).filter(|(_, link)| link.port.is_none());
    written.filter(|(_, link)| context.kind(&link.to) == Some(ElementKind::Sink)).find_map(|(batched, link)| {
        let sink = &link.to;
        let streams = context.into(sink).filter(|(_, other)| context.kind(&other.from) == Some(ElementKind::Operator));
        let (streamed, stream) = streams.into_iter().find(|(_, other)| !context.with_origins(&other.from).is_disjoint(&read))?;
        if by_key(context, batched, streamed) || context.design.records.actions.values().any(|action| cuts_over(context, action, batch, stream)) {
            return None;
        }
        let job = context.job_of(&stream.from)?;
        let message = format!("{} rebuilds {} from what {} writes into it too, and no position says where the one ends and the other begins", context.title(batch), context.title(sink), context.title(job));
        Some(rule.finding(&[batch, sink], message, "end the batch and begin the stream at one position, or build beside and swap"))
    })
}

/// Do both write on the same key, so that the later write of a row stands for both?
fn by_key(context: &Context<'_>, one: &Id, other: &Id) -> bool {
    let key = |link: &Id| {
        let upsert = context.get(link, key::store::WRITE_MODE) == Some(WriteMode::Upsert);
        context.get(link, key::write::KEY).filter(|_| upsert)
    };
    key(one).is_some_and(|columns| key(other) == Some(columns))
}

/// Is it planned as a backfill that ends where the stream begins?
fn cuts_over(context: &Context<'_>, action: &Action, batch: &Id, stream: &Link) -> bool {
    let about = |id: &Id| action.about.contains(id);
    matches!(action.kind, ActionKind::Backfill | ActionKind::Replay)
        && action.to.is_some()
        && (about(batch) || about(&stream.to) || about(&stream.from) || context.job_of(&stream.from).is_some_and(about))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const REBUILD: [(&str, &str); 3] = [
        ("elements/rebuild", r#"{"kind":"batch","system":"spark"}"#),
        ("links/l20", r#"{"from":"totals","to":"rebuild"}"#),
        ("links/l21", r#"{"from":"rebuild","to":"table","proposed":{"write_mode":"append"}}"#),
    ];

    #[test]
    fn a_rebuild_beside_the_stream_is_found() {
        let message = fires("REC-L3", &REBUILD).message;
        assert_eq!(message, "rebuild rebuilds table from what loader writes into it too, and no position says where the one ends and the other begins");
        let planned = ("actions", r#"{"b1":{"kind":"backfill","about":["rebuild"],"from":"earliest","to":"2026-11-30T00:00Z"}}"#);
        silent("REC-L3", &[&REBUILD[..], &[planned]].concat());
        let open = ("actions", r#"{"b1":{"kind":"backfill","about":["rebuild"],"from":"earliest"}}"#);
        fires("REC-L3", &[&REBUILD[..], &[open]].concat());
        let keyed = ("links/l21", r#"{"from":"rebuild","to":"table","proposed":{"write_mode":"upsert","key":["store","window_start"]}}"#);
        silent("REC-L3", &[REBUILD[0], REBUILD[1], keyed]);
        let elsewhere = [("elements/beside", r#"{"kind":"sink","system":"postgres"}"#), ("links/l21", r#"{"from":"rebuild","to":"beside"}"#)];
        silent("REC-L3", &[&REBUILD[..2], &elsewhere].concat());
        let other = [("elements/files", r#"{"kind":"source","system":"s3"}"#), ("links/l20", r#"{"from":"files","to":"rebuild"}"#)];
        silent("REC-L3", &[REBUILD[0], other[0], other[1], REBUILD[2]]);
    }
}
