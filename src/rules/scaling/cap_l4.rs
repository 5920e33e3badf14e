use crate::{
    model::{ChannelRole, Element, ElementKind, Id, Link, Measured, Statistic, Subject, key, units::Rate},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// The capacity of a job is known, and of what arrives only the mean.
    ///
    /// # Why
    /// A day has a peak, often two to five times the mean. What is worked out with the mean (recovery, catch-up, partitions) is then the
    /// best case.
    ///
    /// # Example
    /// 600 a second on average, 850 processed: enough at night, and at noon 900 arrive.
    ///
    /// # What to do
    /// Read the largest rate over a few minutes of a busy day, and state it as `max`.
    CAP_L4 "CAP-L4" Note "The peak is not known"
    why "figures that go by the mean are the best case"
    sources ["Apache Kafka documentation, Monitoring: MessagesInPerSec"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let _ = context.get(id, key::job::CAPACITY)?;
        let reads = context.operators_of(id).flat_map(|operator| context.into(operator));
        let at = reads.filter(|(_, link)| context.job_of(&link.from) != Some(id)).find_map(|read| without_peak(context, read))?;
        let message = format!("{} is held against the mean rate of {}: its peak is not known", context.title(id), context.title(at));
        Some(rule.finding(&[at, id], message, "read the largest rate of a busy day"))
    };
    context.elements_with(ElementKind::Job, key::job::CAPACITY).filter_map(one).collect()
}

/// Where only a mean rate is known of what comes by a link: the link itself, the channel, or what writes it.
fn without_peak<'a>(context: &Context<'a>, (id, link): (&'a Id, &'a Link)) -> Option<&'a Id> {
    let only_mean = |rate: &Measured<Rate>| rate.mean().is_some() && !rate.statistics.contains_key(&Statistic::Max);
    // What is set aside and tried again is little beside the main flow.
    let again = matches!(context.subject(&link.from)?.element(), Some(Element::Channel { role: Some(ChannelRole::Retry) }));
    if link.port.is_some() || again {
        return None;
    }
    if let Some(rate) = context.get(id, key::link::RATE) {
        return only_mean(&rate).then_some(id);
    }
    if context.kind(&link.from) == Some(ElementKind::Source) {
        return context.get(&link.from, key::source::RATE).is_some_and(|rate| only_mean(&rate)).then_some(&link.from);
    }
    match context.get(&link.from, key::channel::RATE) {
        Some(rate) => only_mean(&rate).then_some(&link.from),
        None => {
            let sources = context.into(&link.from).filter(|(_, link)| context.kind(&link.from) == Some(ElementKind::Source));
            sources.map(|(_, link)| &link.from).find(|source| context.get(source, key::source::RATE).is_some_and(|rate| only_mean(&rate)))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_mean_without_a_peak_is_found() {
        let mean = ("elements/shop/proposed/rate", "\"100/s\"");
        assert_eq!(fires("CAP-L4", &[mean]).message, "revenue is held against the mean rate of shop: its peak is not known");
        silent("CAP-L4", &[mean, ("elements/orders/proposed/rate", r#"{"mean":"100/s","max":"250/s"}"#)]);
        silent("CAP-L4", &[mean, ("elements/revenue/proposed/capacity", "null")]);
        silent("CAP-L4", &[("elements/shop/proposed/rate", "null")]);
    }
}
