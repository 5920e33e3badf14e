use crate::{
    model::{Id, Link, Step},
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

/// What stands in front of an element: is there a de-duplication, and the nearest sum that none protects.
#[derive(Clone, Copy, Default)]
struct Front<'a> {
    deduplicated: bool,
    sum: Option<&'a Id>,
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let fronts = context.forward(|id, inputs: &[(&Id, &Link, &Front<'_>)]| {
        let mut front = Front {
            deduplicated: inputs.iter().any(|(.., from)| from.deduplicated),
            sum: inputs.iter().find_map(|(.., from)| from.sum),
        };
        if front.sum.is_none() && !front.deduplicated && context.additive(id) {
            front.sum = Some(id);
        }
        front.deduplicated |= context.step(id) == Some(Step::Deduplicate);
        Some(front)
    });
    let one = |(id, _, step): (&Id, &Id, Step)| {
        if step != Step::Deduplicate || !context.repeats_matter(id) {
            return None;
        }
        let sum = fronts.get(id)?.sum.filter(|sum| *sum != id)?;
        let message = format!("{} removes repeats behind {}, which adds up", context.title(id), context.title(sum));
        let remedy = format!("put the de-duplication in front of {}", context.title(sum));
        Some(rule.finding(&[id, sum], message, remedy))
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
