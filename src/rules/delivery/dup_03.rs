use crate::{
    model::{Id, Step, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Repeats are removed behind a sum that has already counted them.
    ///
    /// # Why
    /// A sum or count turns its input into values. Removing equal rows afterwards cannot take a repeat out of a total.
    ///
    /// # Example
    /// Orders are summed by store, then the totals are de-duplicated: an order that came twice is in the total twice.
    ///
    /// # What to do
    /// Put the de-duplication directly in front of the first sum or count.
    DUP_03 "DUP-03" Error "De-duplication behind the sum"
    why "a repeat is in the total before it is removed"
    sources ["Akidau, Chernyak, Lax, Streaming Systems, chapter 5: Exactly-Once and Side Effects"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, step): (&Id, &Id, Step)| {
        if step != Step::Deduplicate || !context.repeats_matter(id) {
            return None;
        }
        let id = context.design.elements.get_key_value(id)?.0;
        let before = context.upstream(id);
        let guarded = |sum: &'_ Id| {
            let sum = context.design.elements.get_key_value(sum).map(|(id, _)| id);
            sum.is_some_and(|sum| {
                let in_front = context.upstream(sum);
                context.operators().any(|(other, _, step)| step == Step::Deduplicate && other != id && in_front.contains(&other))
            })
        };
        let sum = before.into_iter().find(|at| *at != id && context.additive(at) && !guarded(at))?;
        let message = format!("{} removes repeats behind {}, which adds up", context.title(id), context.title(sum));
        let columns = context.get(id, key::operator::KEY).map(|columns| columns.to_string()).unwrap_or_default();
        Some(rule.finding(&[id, sum], message, format!("put a de-duplication in front of {} {columns}", context.title(sum)).trim().to_owned()))
    };
    context.operators().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_late_deduplication_is_found() {
        let swap = [
            ("links/l2/to", "\"sum\""),
            ("links/l10", "null"),
            ("links/l3", r#"{"from":"sum","to":"dedup"}"#),
            ("links/l4/from", "\"dedup\""),
            ("elements/sum/emits", "null"),
        ];
        fires("DUP-03", &swap);
        silent("DUP-03", &[]);
    }
}
