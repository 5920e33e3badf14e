use crate::{
    model::{ChannelRole, Element, ElementKind, Id, Subject, key, units::Limit, words::CleanupPolicy},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A channel that holds what a job needs to start again deletes by time or size.
    ///
    /// # Why
    /// Such a channel is state and not a stream: a job reads it from the beginning when it starts. With a retention it starts, for a
    /// while; then what it needs is gone, and nobody notices before the next restart.
    ///
    /// # Example
    /// The schema history of a change capture keeps seven days by default: after a week a restart cannot rebuild the tables.
    ///
    /// # What to do
    /// Keep it for ever by time and size. A history of schema changes has one partition and is not compacted.
    RET_17 "RET-17" Error "The memory of a job is deleted"
    why "a restart fails once the oldest part is deleted"
    sources ["Debezium documentation, MySQL connector: schema history topic", "Apache Kafka documentation, Kafka Connect: internal topics are compacted"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, subject): (&Id, &Subject)| {
        let Some(Element::Channel { role: Some(ChannelRole::JobState) }) = subject.element() else { return None };
        if context.get(id, key::channel::CLEANUP_POLICY) == Some(CleanupPolicy::Compact) {
            return None;
        }
        let time = context.get(id, key::channel::RETENTION_TIME);
        let size = context.get(id, key::channel::RETENTION_SIZE);
        let (kept, fix) = match (time, size) {
            (Some(Limit::Of(time)), _) => {
                let fix = propose("Propose keeping it for ever", id, key::channel::RETENTION_TIME, Limit::Unlimited);
                (time.spoken(), fix)
            }
            (_, Some(Limit::Of(size))) => {
                let fix = propose("Propose keeping all of it", id, key::channel::RETENTION_SIZE, Limit::Unlimited);
                (size.spoken(), fix)
            }
            _ => return None,
        };
        let message = format!("{} is what a job starts from, and it keeps {kept}", context.title(id));
        Some(rule.finding(&[id], message, "keep it for ever by time and size").fixed_by(Some(fix)))
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_memory_that_is_deleted_is_found() {
        let state = ("elements/late/role", "\"job_state\"");
        assert_eq!(fires("RET-17", &[state]).message, "late is what a job starts from, and it keeps 14 d");
        mends("RET-17", &[state]);
        silent("RET-17", &[state, ("elements/late/proposed/cleanup_policy", "\"compact\"")]);
        silent("RET-17", &[]);
    }
}
