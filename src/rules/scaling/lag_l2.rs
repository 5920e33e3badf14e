use crate::{
    model::{ElementKind, Id, Statistic, counted, key},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A job's lag wakes somebody by the number of records alone, or is known as the sum over its partitions alone.
    ///
    /// # Why
    /// The same number is a second at noon and an hour at night. It counts commit markers and compacted records too, so that a
    /// reader that is at the end can show a lag of one for each partition. What matters is how old the oldest unread record is. A sum
    /// hides one partition that stands still behind others that are read.
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
    let records = context.elements_with(ElementKind::Job, key::job::LAG_ALERT_RECORDS).filter_map(|(id, _)| by_records(rule, context, id));
    let time = context.elements_with(ElementKind::Job, key::job::LAG_ALERT);
    let none = |id: &Id| context.get(id, key::job::LAG_ALERT).is_none();
    let watched = context.elements_with(ElementKind::Job, key::job::LAG_ALERT_RECORDS).filter(|(id, _)| none(id)).chain(time);
    records.chain(watched.filter_map(|(id, _)| by_sum(rule, context, id))).collect()
}

fn by_records(rule: &'static Rule, context: &Context<'_>, id: &Id) -> Option<Finding> {
    let records = context.get(id, key::job::LAG_ALERT_RECORDS)?;
    if context.get(id, key::job::LAG_ALERT).is_some() {
        return None;
    }
    let markers = context
        .operators_of(id)
        .flat_map(|operator| context.into(operator))
        .find(|(_, read)| context.into(&read.from).any(|(link, written)| context.writes_transactions(link, &written.from)));
    let also = markers.map_or_else(String::new, |(_, read)| format!("; commit markers in {} count as records", context.title(&read.from)));
    let message = format!("{} is watched by {} of lag, and not by time{also}", context.title(id), counted(records, "record"));
    let fix = context.get(id, key::job::LAG_TARGET).map(|target| propose(&format!("Propose an alert at {}", target.spoken()), id, key::job::LAG_ALERT, target));
    Some(rule.finding(&[id], message, "alert on lag in time, on the worst partition").fixed_by(fix))
}

/// An alert where the lag is read as one number for several partitions.
fn by_sum(rule: &'static Rule, context: &Context<'_>, id: &Id) -> Option<Finding> {
    let mut reads = context.operators_of(id).flat_map(|operator| context.into(operator));
    let (read, channel, partitions) = reads.find_map(|(read, link)| {
        let lag = context.get(read, key::read::LAG)?;
        let worst = lag.statistics.contains_key(&Statistic::Max) || lag.partitions().next().is_some();
        let partitions = context.get(&link.from, key::channel::PARTITIONS).filter(|partitions| *partitions > 1 && !worst)?;
        Some((read, &link.from, partitions))
    })?;
    let message = format!("the lag of {} on {} is read as one sum over {}, and somebody is woken by it", context.title(id), context.title(channel), counted(partitions, "partition"));
    Some(rule.finding(&[id, read], message, "read lag by partition, and alert on the worst one"))
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
    #[test]
    fn an_alert_on_a_sum_is_found() {
        let alert = ("elements/revenue/proposed/lag_alert", "\"5min\"");
        let message = fires("LAG-L2", &[alert, ("links/l2/proposed/lag", "600")]).message;
        assert_eq!(message, "the lag of revenue on orders is read as one sum over 6 partitions, and somebody is woken by it");
        silent("LAG-L2", &[alert, ("links/l2/proposed/lag", r#"{"0":100,"1":500}"#)]);
        silent("LAG-L2", &[alert, ("links/l2/proposed/lag", r#"{"max":500,"total":600}"#)]);
        silent("LAG-L2", &[alert, ("links/l2/proposed/lag", "600"), ("elements/orders/proposed/partitions", "1")]);
        silent("LAG-L2", &[("links/l2/proposed/lag", "600")]);
    }
}
