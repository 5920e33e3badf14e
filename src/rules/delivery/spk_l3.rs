use crate::{
    model::{key, words::OnMissingData},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A reader goes on where records that it had not read are gone.
    ///
    /// # Why
    /// With `failOnDataLoss=false` a query whose offsets were deleted, by retention or with the topic, starts at what is left and
    /// writes a warning. The rows are missing, and nothing failed.
    ///
    /// # Example
    /// A query stands for a week on a topic that keeps three days; it comes back green, four days short.
    ///
    /// # What to do
    /// Leave `failOnDataLoss` at true, so that somebody decides; keep records longer than the longest standstill.
    SPK_L3 "SPK-L3" Error "Missing records are passed over"
    why "what was deleted before it was read is missing, and nothing fails"
    sources ["Apache Spark documentation, Structured Streaming + Kafka Integration Guide: failOnDataLoss"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let goes_on = context.get(id, key::read::ON_MISSING_DATA)? == OnMissingData::Continue && context.loss_matters(id);
        goes_on.then(|| {
            let message = format!("{} goes on where records are gone that it had not read", context.title(id));
            let fix = propose("Propose to fail instead", id, key::read::ON_MISSING_DATA, OnMissingData::Fail);
            rule.finding(&[id], message, "fail, so that somebody decides").fixed_by(Some(fix))
        })
    };
    context.links_with(key::read::ON_MISSING_DATA).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn going_on_over_a_gap_is_found() {
        let on = ("links/l2/proposed/on_missing_data", "\"continue\"");
        fires("SPK-L3", &[on]);
        mends("SPK-L3", &[on]);
        silent("SPK-L3", &[("links/l2/proposed/on_missing_data", "\"fail\"")]);
        silent("SPK-L3", &[on, ("elements/board/proposed/loss_tolerated", "true")]);
    }
}
