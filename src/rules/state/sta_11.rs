use crate::{
    model::{Columns, Id, Step, key, words::Api},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A statement over a window function groups by one border of the window only.
    ///
    /// # Why
    /// Flink SQL makes a window aggregate only of a statement that groups by `window_start` and `window_end`. With one of them it plans
    /// an aggregate without windows: results are sent with every row and taken back, and no key ever leaves state.
    ///
    /// # Example
    /// `GROUP BY store, window_end`: the result looks right, the sink gets updates, and state grows for ever. There is no error.
    ///
    /// # What to do
    /// Group by both.
    STA_11 "STA-11" Warning "Grouped by one border of the window"
    why "the planner makes an aggregate without windows of it, whose state only grows"
    sources ["Apache Flink documentation, Window Aggregation: window_start and window_end in the GROUP BY clause"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, step): (&Id, &Id, Step)| {
        let sql = context.runs(job, "flink") && context.get(id, key::operator::API)? == Api::TableFunction;
        if step != Step::Aggregate || !sql {
            return None;
        }
        let key = context.get(id, key::operator::KEY)?;
        let has = |name: &str| key.0.iter().any(|column| &**column == name);
        let (there, other) = match (has("window_start"), has("window_end")) {
            (true, false) => ("window_start", "window_end"),
            (false, true) => ("window_end", "window_start"),
            _ => return None,
        };
        let message = format!("{} groups by {there} and not by {other}: planned without windows", context.title(id));
        let fix = propose("Propose to group by both", id, key::operator::KEY, Columns(key.0.iter().cloned().chain([other.into()]).collect()));
        Some(rule.finding(&[id], message, "group by window_start and window_end").fixed_by(Some(fix)))
    };
    context.operators_with(key::operator::KEY).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn one_border_of_the_window_is_found() {
        let sql = ("elements/sum/proposed/api", "\"table_function\"");
        let key = |text| ("elements/sum/proposed/key", text);
        fires("STA-11", &[sql, key(r#"["store","window_end"]"#)]);
        mends("STA-11", &[sql, key(r#"["store","window_end"]"#)]);
        mends("STA-11", &[sql, key(r#"["window_start"]"#)]);
        silent("STA-11", &[sql, key(r#"["store","window_start","window_end"]"#)]);
        silent("STA-11", &[sql]);
        silent("STA-11", &[key(r#"["store","window_end"]"#)]);
    }
}
