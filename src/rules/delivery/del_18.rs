use crate::{
    model::{ElementKind, Id, Link, Step, key, words::{OutputCommit, ProcessingGuarantee}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A job processes exactly once what a copy between clusters may have written twice.
    ///
    /// # Why
    /// A transaction holds inside one cluster. A mirror that reads again after a crash writes new records with new offsets; the
    /// job behind it processes each of them once, faithfully twice.
    ///
    /// # Example
    /// Clicks are mirrored from one region to another and counted there with `exactly_once_v2`: a rebalance of the mirror is counted
    /// again.
    ///
    /// # What to do
    /// Remove repeats by an id of the event before anything is added up, or copy in transactions where the mirror can.
    DEL_18 "DEL-18" Error "Exactly once ends where one cluster is copied to another"
    why "the job processes every copy once"
    sources ["Apache Kafka documentation, Geo-Replication: exactly once", "Confluent documentation, Transactions in Apache Kafka: one cluster"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let job = believed(context, id, link)?;
        let message = format!("{} may write records twice, and {} processes each of them once", context.title(id), context.title(job));
        Some(rule.finding(&[id, job], message, "copy in transactions, or remove repeats behind it by an id of the event"))
    };
    context.links_into(ElementKind::Channel).filter_map(one).collect()
}

/// The job behind a copy that may repeat, which processes each record once and so counts both.
pub(super) fn believed<'a>(context: &'a Context<'_>, id: &Id, link: &Link) -> Option<&'a Id> {
    if !copies(context, id, link) || !context.repeats_matter(id) {
        return None;
    }
    let exact = |operator: &Id| {
        let job = context.job_of(operator)?;
        (context.get(job, key::job::PROCESSING_GUARANTEE)? == ProcessingGuarantee::ExactlyOnce).then_some(job)
    };
    context.from(&link.to).find_map(|(_, read)| exact(&read.to))
}

/// A copy from a channel of one cluster to one of another, not in one transaction with its position.
fn copies(context: &Context<'_>, id: &Id, link: &Link) -> bool {
    let cluster = |id: &Id| context.subject(id).and_then(|subject| subject.cluster.as_ref());
    if context.step(&link.from) != Some(Step::Copy) {
        return false;
    }
    let job = context.job_of(&link.from);
    let atomic = context.get(id, key::write::OUTPUT_COMMIT) == Some(OutputCommit::WithPosition)
        || job.is_some_and(|job| context.get(job, key::job::PROCESSING_GUARANTEE) == Some(ProcessingGuarantee::ExactlyOnce));
    let between = |from: &Id| cluster(from).zip(cluster(&link.to)).is_some_and(|(from, to)| from != to);
    !atomic && context.channel_before(&link.from).is_some_and(between)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const MIRROR: &[(&str, &str)] = &[
        ("clusters/far", r#"{"system":"kafka","environment":"production","trust_zone":"internal"}"#),
        ("elements/raw", r#"{"kind":"channel","cluster":"far","proposed":{"cleanup_policy":"delete","retention_time":"7d"}}"#),
        ("elements/mirror", r#"{"kind":"job","system":"mirror_maker","proposed":{"processing_guarantee":"at_least_once"}}"#),
        ("elements/copy", r#"{"kind":"operator","job":"mirror","step":"copy"}"#),
        ("links/m1", r#"{"from":"raw","to":"copy"}"#),
        ("links/m2", r#"{"from":"copy","to":"orders"}"#),
    ];

    #[test]
    fn exactly_once_behind_a_copy_is_found() {
        assert_eq!(fires("DEL-18", MIRROR).message, "copy → orders may write records twice, and revenue processes each of them once");
        // The copy that repeats is found once, for the job that trusts it.
        silent("DEL-13", MIRROR);
        let near = ("elements/raw/cluster", "\"kafka\"");
        silent("DEL-18", &[MIRROR, &[near]].concat());
        silent("DEL-18", &[MIRROR, &[("elements/mirror/proposed/processing_guarantee", "\"exactly_once\"")]].concat());
    }
}
