use crate::{
    analysis::delivery::verdict::Most,
    model::{ElementKind, Id, Link, Port, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Two stores are compared by a count or a sum, and repeats show in at least one of them.
    ///
    /// # Why
    /// Every path makes its own repeats: the two figures differ while neither has lost anything. What tells is the number of distinct
    /// keys: equal keys mean that repeats explain the difference.
    ///
    /// # Example
    /// One table has 0.3 % more rows than the other, and the distinct ids of both agree to the last one.
    ///
    /// # What to do
    /// Compare distinct keys first, then rows; write down how many repeats each side shows.
    REC_L4 "REC-L4" Warning "Compared by rows where repeats show"
    why "a difference made of repeats is taken for a loss, or hides one"
    sources ["Akidau, Chernyak, Lax, Streaming Systems, chapter 5, Exactly-Once and Side Effects"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let measure = context.get(id, key::reconcile::MEASURE)?;
        if measure.to_lowercase().contains("distinct") {
            return None;
        }
        let stores: Vec<&Id> = [&link.from, &link.to].into_iter().filter(|store| repeats(context, store)).collect();
        let first = *stores.first()?;
        let names: Vec<_> = stores.iter().map(|store| context.title(store)).collect();
        let mut message = format!("{} against {}: compared by {measure}, and repeats show in {}", context.title(&link.from), context.title(&link.to), names.join(" and "));
        let counted = context.report.comparisons.get(id).and_then(|report| report.rows_apart.as_ref().zip(report.keys_apart.as_ref()));
        if let Some((rows, keys)) = counted {
            message += &format!("; as counted, {} and {} apart", human::counted(rows.value, "row"), human::counted(keys.value, "distinct key"));
        }
        Some(rule.finding(&[id, first], message, "compare distinct keys first, then rows"))
    };
    context.links().filter(|(_, link)| link.port == Some(Port::Reconcile)).filter_map(one).collect()
}

/// Can an event be in a store more than once?
fn repeats(context: &Context<'_>, store: &Id) -> bool {
    let streamed = context.into(store).filter(|(_, link)| context.kind(&link.from) != Some(ElementKind::Batch));
    streamed.into_iter().any(|(id, _)| context.report.links.get(id).is_some_and(|link| matches!(link.badge.most, Most::Many)))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    fn compared(by: &'static str) -> Vec<(&'static str, &'static str)> {
        vec![
            ("elements/warehouse", r#"{"kind":"sink","system":"postgres","proposed":{"rows":1000,"distinct_rows":990}}"#),
            ("elements/nightly", r#"{"kind":"batch"}"#),
            ("links/l20", r#"{"from":"orders","to":"nightly"}"#),
            ("links/l21", r#"{"from":"nightly","to":"warehouse"}"#),
            ("links/l22", by),
            ("links/l6/proposed/write_mode", "\"append\""),
            ("elements/table/proposed/rows", "1003"),
            ("elements/table/proposed/distinct_rows", "990"),
        ]
    }

    #[test]
    fn a_count_of_repeats_is_found() {
        let rows = r#"{"from":"table","to":"warehouse","port":"reconcile","proposed":{"measure":"count of rows"}}"#;
        let message = fires("REC-L4", &compared(rows)).message;
        assert_eq!(message, "table against warehouse: compared by count of rows, and repeats show in table; as counted, 3 rows and 0 distinct keys apart");
        silent("REC-L4", &compared(r#"{"from":"table","to":"warehouse","port":"reconcile","proposed":{"measure":"count distinct (store, window_start)"}}"#));
        // Upsert on the key, no way back into the job, and ids that are kept for ever: nothing repeats.
        let once = [
            ("links/l6/proposed/write_mode", "\"upsert\""),
            ("links/l9", "null"),
            ("links/l10", "null"),
            ("elements/dlq", "null"),
            ("elements/dedup/proposed/on_error", "\"fail\""),
            ("elements/dedup/proposed/state_ttl", "\"unlimited\""),
        ];
        silent("REC-L4", &[&compared(rows)[..], &once].concat());
    }
}
