use crate::{
    model::{Element, ElementKind, Id, Port, Subject, key, units::Limit},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A dead-letter channel that nobody owns, watches, keeps long enough, or empties.
    ///
    /// # Why
    /// What stands in it is lost to the main path until somebody mends it and sends it again.
    ///
    /// # Example
    /// A million records in `orders_dlq`; the alert was never set up, and retention has removed the oldest ones.
    ///
    /// # What to do
    /// An owner, an alert on growth, retention longer than mending takes, and a drawn way back.
    DLQ_01 "DLQ-01" Error "Nobody empties the dead letters"
    why "what is set aside is lost to the main path until somebody sends it again"
    sources ["KIP-298: Error Handling in Connect", "Hohpe, Woolf, Enterprise Integration Patterns: Dead Letter Channel"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, subject): (&Id, &Subject)| {
        let (_, writer) = context.into(id).find(|(_, link)| link.port == Some(Port::DeadLetter))?;
        let mut missing = Vec::new();
        if subject.owner.is_none() {
            missing.push("an owner".to_owned());
        }
        if context.get(id, key::channel::ALERT_ABOVE).is_none() {
            missing.push("an alert on growth".to_owned());
        }
        let job = context.job_of(&writer.from);
        let fix = job.and_then(|job| context.get(job, key::job::FIX_TIME));
        if let (Some(fix), Some(Limit::Of(kept))) = (fix, context.get(id, key::channel::RETENTION_TIME))
            && kept < fix
        {
            missing.push(format!("retention above the {} that mending takes (it is {})", fix.spoken(), kept.spoken()));
        }
        let back = context.from(id).any(|(_, link)| {
            matches!(context.design.elements.get(&link.to).and_then(Subject::element), Some(Element::Operator { .. } | Element::Batch))
        });
        if !back {
            missing.push("a way back".to_owned());
        }
        (!missing.is_empty()).then(|| {
            let message = format!("{} lacks {}", context.title(id), missing.join(", "));
            rule.finding(&[id], message, "name an owner, alert on growth, keep long enough, draw the way back")
        })
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_forgotten_dead_letter_channel_is_found() {
        assert_eq!(fires("DLQ-01", &[("elements/dlq/owner", "null")]).message, "dlq lacks an owner");
        fires("DLQ-01", &[("elements/dlq/proposed/alert_above", "null")]);
        fires("DLQ-01", &[("links/l10", "null")]);
        assert_eq!(
            fires("DLQ-01", &[("elements/dlq/proposed/retention_time", "\"12h\"")]).message,
            "dlq lacks retention above the 24 h that mending takes (it is 12 h)"
        );
        silent("DLQ-01", &[("elements/late/owner", "null")]);
    }
}
