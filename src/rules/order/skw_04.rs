use crate::{
    model::{ElementKind, Id, Link, Subject, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// The capacity of a job is held against a channel that goes by key, and nobody measured how even its keys are.
    ///
    /// # Why
    /// What a job can do in all is what its instances do together only while keys spread evenly. One key with a tenth of the records
    /// makes twelve partitions work like five and a half.
    ///
    /// # Example
    /// A load test with random keys passes; in production one customer sends every fourth record.
    ///
    /// # What to do
    /// Measure the share of the most frequent key and the number of keys.
    SKW_04 "SKW-04" Note "Nobody measured how even the keys are"
    why "the capacity of all instances together counts only while keys spread evenly"
    sources ["Apache Kafka documentation, Producer Configs: partitioner.class (hash of the key)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        context.from(id).any(|(_, link)| unmeasured(context, link)).then_some(())?;
        let skew = context.channel_report(id).map(|report| &report.skew);
        let tenth = skew.and_then(|skew| skew.effective_at(0.1));
        let if_so = tenth.map_or_else(String::new, |tenth| format!("; a key with 10 % would make them work like {tenth:.1}"));
        let message = format!("{}: the share of its top key is not measured{if_so}", context.title(id));
        Some(rule.finding(&[id], message, "measure the share of the most frequent key, and the number of keys"))
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
}

/// Does a job whose capacity is known read several partitions that go by key, of unknown evenness?
fn unmeasured(context: &Context<'_>, link: &Link) -> bool {
    let Some(skew) = context.channel_report(&link.from).map(|report| &report.skew) else { return false };
    let several = skew.partitions.as_ref().is_ok_and(|partitions| partitions.value > 1.0);
    let job = context.job_of(&link.to);
    let capacity = job.is_some_and(|job| {
        context.get(job, key::job::CAPACITY).is_some() || context.get(job, key::job::INSTANCE_CAPACITY).is_some()
    });
    several
        && capacity
        && skew.over_mean.is_err()
        && context.record_key(&link.from).is_some_and(|key| !key.0.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// 1 ÷ (0.1 + 0.9 ÷ 6) = 4.
    #[test]
    fn unmeasured_keys_are_said() {
        let open = ("elements/orders/proposed/dominant_key_share", "null");
        assert_eq!(
            fires("SKW-04", &[open]).message,
            "orders: the share of its top key is not measured; a key with 10 % would make them work like 4.0"
        );
        silent("SKW-04", &[]);
        silent("SKW-04", &[open, ("elements/revenue/proposed/capacity", "null")]);
        silent("SKW-04", &[open, ("links/l1/proposed/key", "[]")]);
    }
}
