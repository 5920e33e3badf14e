use crate::{
    model::{ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A job's lag wakes somebody by the number of records alone.
    ///
    /// # Why
    /// The same number is a second at noon and an hour at night. It counts commit markers and compacted records too, so that a
    /// reader that is at the end can show a lag of one for each partition. What matters is how old the oldest unread record is.
    ///
    /// # Example
    /// Alert at 100 000 records: at 8 000 a second that is 13 s; of a topic that gets one record a second it is a day.
    ///
    /// # What to do
    /// Alert on lag in time, on the worst partition and not on the sum, and on lag that keeps growing.
    LAG_L2 "LAG-L2" Warning "An alert on records, not on time"
    why "the number says nothing about how late results are"
    sources ["Apache Kafka documentation, Monitoring: records-lag-max", "Apache Kafka documentation, Design: transaction markers take an offset"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let records = context.get(id, key::job::LAG_ALERT_RECORDS)?;
        if context.get(id, key::job::LAG_ALERT).is_some() {
            return None;
        }
        let markers = context
            .operators_of(id)
            .flat_map(|operator| context.into(operator))
            .find(|(_, read)| context.into(&read.from).any(|(link, written)| context.writes_transactions(link, &written.from)));
        let also = markers.map_or_else(String::new, |(_, read)| format!("; commit markers in {} count as records", context.title(&read.from)));
        let message = format!("{} is watched by {records} records of lag, and not by time{also}", context.title(id));
        let fix = context.get(id, key::job::LAG_TARGET).map(|target| propose(&format!("Propose an alert at {}", target.spoken()), id, key::job::LAG_ALERT, target));
        Some(rule.finding(&[id], message, "alert on lag in time, on the worst partition").fixed_by(fix))
    };
    context.elements_with(ElementKind::Job, key::job::LAG_ALERT_RECORDS).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_alert_on_records_alone_is_found() {
        let records = ("elements/revenue/proposed/lag_alert_records", "100000");
        assert_eq!(fires("LAG-L2", &[records]).message, "revenue is watched by 100000 records of lag, and not by time");
        mends("LAG-L2", &[records, ("elements/revenue/proposed/lag_target", "\"5min\"")]);
        silent("LAG-L2", &[records, ("elements/revenue/proposed/lag_alert", "\"5min\"")]);
        let loader = ("elements/loader/proposed/lag_alert_records", "1");
        assert!(fires("LAG-L2", &[loader]).message.ends_with("; commit markers in totals count as records"));
    }
}
