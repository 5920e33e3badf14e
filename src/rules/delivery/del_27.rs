use crate::{
    model::{ElementKind, Id, Port, Subject, key, words::OnError},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A job drops records that it cannot read or work on.
    ///
    /// # Why
    /// Log and continue keeps a job running and loses the record. Its lag is zero, its state is exact, and what is missing is in a
    /// log file.
    ///
    /// # Example
    /// `LogAndContinueExceptionHandler` in Kafka Streams: a producer moves to a new schema, and for an hour every record of it is
    /// logged and dropped.
    ///
    /// # What to do
    /// Set aside what fails in a dead-letter channel that somebody owns, or stop where every record counts.
    DEL_27 "DEL-27" Error "Records that fail are dropped"
    why "what cannot be read or worked on is gone, and the lag does not show it"
    sources ["Apache Kafka documentation, Kafka Streams: default.deserialization.exception.handler", "Hohpe, Woolf, Enterprise Integration Patterns: Invalid Message Channel"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        if super::con_l2::connector(context, id) {
            return Vec::new();
        }
        let whole = context.get(id, key::job::ON_ERROR) == Some(OnError::Skip);
        let skips = |operator: &&Id| {
            let own = context.get(operator, key::operator::ON_ERROR);
            let aside = || context.from(operator).any(|(_, link)| link.port == Some(Port::DeadLetter));
            own.map_or(whole, |own| own == OnError::Skip) && context.loss_matters(operator) && !aside()
        };
        let found: Vec<&Id> = context.operators_of(id).filter(skips).collect();
        let finding = |at: &Id, fix| {
            let message = format!("{} drops records that fail", context.title(at));
            rule.finding(&[at], message, "set aside what fails, or stop").fixed_by(Some(fix))
        };
        if whole {
            let fix = propose("Propose to stop on errors", id, key::job::ON_ERROR, OnError::Fail);
            return found.first().map(|_| finding(id, fix)).into_iter().collect();
        }
        let own = |at: &Id| finding(at, propose("Propose to stop on errors", at, key::operator::ON_ERROR, OnError::Fail));
        found.into_iter().map(own).collect()
    };
    context.elements(ElementKind::Job).flat_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_job_or_a_step_that_drops_is_found() {
        let job = ("elements/revenue/proposed/on_error", "\"skip\"");
        assert_eq!(fires("DEL-27", &[job]).message, "revenue drops records that fail");
        mends("DEL-27", &[job]);
        let step = ("elements/sum/proposed/on_error", "\"skip\"");
        assert_eq!(fires("DEL-27", &[step]).message, "sum drops records that fail");
        mends("DEL-27", &[step]);
    }

    #[test]
    fn what_is_set_aside_and_tolerated_is_left_alone() {
        silent("DEL-27", &[("elements/dedup/proposed/on_error", "\"skip\"")]);
        silent("DEL-27", &[("elements/revenue/proposed/on_error", "\"fail\"")]);
        silent("DEL-27", &[("elements/sum/proposed/on_error", "\"skip\""), ("elements/board/proposed/loss_tolerated", "true")]);
        silent("DEL-27", &[("elements/loader/proposed/on_error", "\"skip\"")]);
    }
}
