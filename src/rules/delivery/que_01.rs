use crate::{
    model::{Id, Link, key, units::Duration},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A message takes longer than its reader may keep it.
    ///
    /// # Why
    /// A queue hands a message out for a time. Clients extend it, up to a limit of their own; then the message is handed out again
    /// while the first attempt still works. A longer first deadline changes nothing about that limit.
    ///
    /// # Example
    /// A task takes 80 min, the client extends its lease for 60 min at the most: the task is started again and again.
    ///
    /// # What to do
    /// Note the task and acknowledge at once, or split it, or raise the longest lease above the longest task.
    QUE_01 "QUE-01" Error "Work outlasts its lease"
    why "the message is handed out again while the first attempt still works"
    sources ["Google Cloud documentation, Pub/Sub: lease management, max_lease_duration", "Amazon SQS Developer Guide, Visibility timeout"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Link)| {
        let work = context.get(id, key::read::TIME_PER_RECORD)?.max()?;
        let longest = context.get(id, key::read::LEASE_MAX);
        let (lease, what) = match longest {
            Some(lease) => (lease, "may keep it"),
            None => (context.get(id, key::read::REDELIVERY_AFTER)?, "has it"),
        };
        (work >= lease && context.repeats_matter(id)).then(|| {
            let over = Duration::from_millis(work.millis() - lease.millis());
            let message = format!("a record of {} takes {}, and its reader {what} for {}: {} too long", context.title(id), work.spoken(), lease.spoken(), over.spoken());
            rule.finding(&[id], message, "note the task and acknowledge it, split it, or raise the longest lease")
        })
    };
    context.links_with(key::read::TIME_PER_RECORD).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn work_beyond_the_lease_is_found() {
        let work = ("links/l5/proposed/time_per_record", "\"80min\"");
        let lease = ("links/l5/proposed/lease_max", "\"1h\"");
        assert!(fires("QUE-01", &[work, lease]).message.ends_with("for 1 h: 20 min too long"));
        silent("QUE-01", &[work]);
        silent("QUE-01", &[work, ("links/l5/proposed/lease_max", "\"2h\"")]);
    }
}
