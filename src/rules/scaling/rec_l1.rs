use crate::{
    model::{ElementKind, Id, Port, Subject},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A batch path works on the same events as the stream, and nothing compares the two.
    ///
    /// # Why
    /// The two differ for good reasons (late events, repeats, days cut elsewhere) and for bad ones, and both look alike. Without a
    /// comparison and a tolerance somebody finds out by chance, and nobody knows which figure is right.
    ///
    /// # Example
    /// The board shows 1.02 million, the warehouse 1.04: an afternoon of meetings for what late events explain.
    ///
    /// # What to do
    /// Draw the comparison between the two stores: measure, grain, cut-off, tolerance and what it rests on.
    REC_L1 "REC-L1" Error "Stream and batch are never compared"
    why "the two differ and nobody can say whether they should"
    sources ["Kreps, Questioning the Lambda Architecture (2014)", "Akidau, Chernyak, Lax, Streaming Systems, chapter 1"]
    check check
}

fn check<'a>(rule: &'static Rule, context: &Context<'a>) -> Vec<Finding> {
    let compared = |id: &Id| context.from(id).chain(context.into(id)).any(|(_, link)| link.port == Some(Port::Reconcile));
    let one = |(id, _): (&'a Id, &'a Subject)| {
        // What takes dead letters out again is no second path.
        let inputs: Vec<_> = context.into(id).collect();
        let set_aside = |channel: &Id| context.into(channel).any(|(_, link)| matches!(link.port, Some(Port::DeadLetter | Port::Late)));
        if inputs.is_empty() || inputs.iter().all(|(_, link)| set_aside(&link.from)) {
            return None;
        }
        let target = context.from(id).map(|(_, link)| &link.to).find(|to| context.kind(to) == Some(ElementKind::Sink))?;
        if !streamed(context, id) || compared(id) || context.from(id).any(|(_, link)| compared(&link.to)) {
            return None;
        }
        let message = format!("{} works out {} from the same events, and nothing compares it with the stream", context.title(id), context.title(target));
        Some(rule.finding(&[id, target], message, "draw the comparison: measure, grain, cut-off, tolerance and its basis"))
    };
    context.elements(ElementKind::Batch).filter_map(one).collect()
}

/// Does a stream write a store from what the batch works on too?
fn streamed<'a>(context: &Context<'a>, batch: &'a Id) -> bool {
    let same = context.with_origins(batch);
    let mut writers = context.links_into(ElementKind::Sink).filter(|(_, link)| context.kind(&link.from) == Some(ElementKind::Operator));
    writers.any(|(_, link)| !context.with_origins(&link.from).is_disjoint(&same))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const BATCH: [(&str, &str); 4] = [
        ("elements/nightly", r#"{"kind":"batch"}"#),
        ("elements/warehouse", r#"{"kind":"sink","system":"postgres"}"#),
        ("links/l20", r#"{"from":"orders","to":"nightly"}"#),
        ("links/l21", r#"{"from":"nightly","to":"warehouse"}"#),
    ];

    #[test]
    fn a_batch_path_that_is_never_compared_is_found() {
        let message = fires("REC-L1", &BATCH).message;
        assert_eq!(message, "nightly works out warehouse from the same events, and nothing compares it with the stream");
        silent("REC-L1", &[&BATCH[..], &[("links/l22", r#"{"from":"table","to":"warehouse","port":"reconcile"}"#)]].concat());
        silent("REC-L1", &[BATCH[0], BATCH[1], ("links/l20", r#"{"from":"late","to":"nightly"}"#), BATCH[3]]);
        silent("REC-L1", &BATCH[..3]);
        let other = [("elements/other", r#"{"kind":"channel"}"#), ("links/l20", r#"{"from":"other","to":"nightly"}"#)];
        silent("REC-L1", &[BATCH[0], BATCH[1], other[0], other[1], BATCH[3]]);
    }
}
