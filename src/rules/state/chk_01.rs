use crate::{
    model::{ElementKind, Id, Link, Subject, key, units::Duration, words::Snapshot},
    rules::{Context, Finding, Rule, Severity, rule::rule},
};

rule! {
    /// Checkpoints take as long as they may, or longer.
    ///
    /// # Why
    /// A checkpoint that reaches its time-out is given up. With none that completes, a restart goes back ever further, and
    /// transactions are never committed.
    ///
    /// # Example
    /// Time-out 10 min, duration 11 min since the state has grown: the last good checkpoint is from yesterday.
    ///
    /// # What to do
    /// Make checkpoints incremental or unaligned, give the job more room, and then raise the time-out.
    CHK_01 "CHK-01" Error "Checkpoints reach their time-out"
    why "a checkpoint that does not complete protects nothing"
    sources ["Apache Flink documentation, Checkpointing: execution.checkpointing.timeout", "Apache Flink documentation, Tuning Checkpoints and Large State"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let taken = context.get(id, key::job::CHECKPOINT_DURATION)?.max()?;
        let allowed = context.get(id, key::job::CHECKPOINT_TIMEOUT)?;
        (taken >= allowed).then(|| {
            let message = format!(
                "{}: a checkpoint takes {} and is given up after {}",
                context.title(id),
                taken.spoken(),
                allowed.spoken()
            );
            // Barriers that wait behind records are another matter than what is written.
            let remedy = match context.get(id, key::job::CHECKPOINT_UNALIGNED) {
                Some(false) => "let barriers pass records that wait (unaligned), make checkpoints smaller or faster, and raise the time-out last",
                _ => "make checkpoints smaller or faster before raising the time-out",
            };
            rule.finding(&[id], message, remedy)
        })
    };
    let jobs = context.elements_with(ElementKind::Job, key::job::CHECKPOINT_DURATION).filter_map(one);
    jobs.chain(context.links().filter_map(|(id, link)| snapshot(rule, context, id, link))).collect()
}

/// A snapshot in which no checkpoint can be taken, against the time until the job gives up: the first checkpoint fails one
/// time-out after it was triggered, each tolerated one gives a further period.
fn snapshot(rule: &'static Rule, context: &Context<'_>, id: &Id, link: &Link) -> Option<Finding> {
    let taken = matches!(context.get(id, key::take::SNAPSHOT)?, Snapshot::Initial | Snapshot::Repeated);
    if !taken || context.get(id, key::take::SNAPSHOT_RESUMABLE)? || !context.runs(&link.to, "flink") {
        return None;
    }
    let job = context.job_of(&link.to)?;
    let [interval, timeout] = [key::job::CHECKPOINT_INTERVAL, key::job::CHECKPOINT_TIMEOUT].map(|key| context.get(job, key));
    let (interval, timeout) = (interval?.millis(), timeout?.millis());
    let pause = context.get(job, key::job::CHECKPOINT_MIN_PAUSE).unwrap_or(Duration::ZERO).millis();
    let more = context.get(job, key::job::TOLERABLE_FAILED_CHECKPOINTS)?.saturating_mul(interval.max(timeout.saturating_add(pause)));
    let longest = Duration::from_millis(interval.saturating_add(more).saturating_add(timeout));
    let duration = context.get(id, key::take::SNAPSHOT_DURATION);
    if duration.is_some_and(|duration| duration < longest) {
        return None;
    }
    let name = context.title(&link.from);
    let takes = duration.map_or_else(|| "how long it takes is not measured".to_owned(), |duration| format!("it takes {}", duration.spoken()));
    let message = format!("{}: no checkpoint can be taken inside the snapshot of {name}; after {} the job starts it again, {takes}", context.title(job), longest.spoken());
    let mut finding = rule.finding(&[job, id], message, "a snapshot that checkpoints can interrupt, or more tolerated failures while it runs");
    if duration.is_none() {
        finding.severity = Severity::Warning;
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_checkpoint_that_reaches_its_timeout_is_found() {
        let slow = "elements/revenue/proposed/checkpoint_duration";
        fires("CHK-01", &[(slow, r#"{"p50":"1min","max":"10min"}"#)]);
        let aligned = ("elements/revenue/proposed/checkpoint_unaligned", "false");
        assert!(fires("CHK-01", &[(slow, "\"10min\""), aligned]).remedy.contains("unaligned"));
        silent("CHK-01", &[(slow, "\"9min\"")]);
    }

    /// 5 min to the first checkpoint and 3 min until it is given up: 8 min; two tolerated: 5 min each more.
    #[test]
    fn a_snapshot_longer_than_the_checkpoints_allow_is_found() {
        let source = [
            ("elements/db", r#"{"kind":"source","system":"mysql","event":"order"}"#),
            ("links/s1", r#"{"from":"db","to":"dedup","proposed":{"capture":"change_log","snapshot":"initial","snapshot_resumable":false}}"#),
            ("elements/revenue/proposed/checkpoint_interval", "\"5min\""),
            ("elements/revenue/proposed/checkpoint_timeout", "\"3min\""),
        ];
        let failures = |text| ("elements/revenue/proposed/tolerable_failed_checkpoints", text);
        let takes = |text| ("links/s1/proposed/snapshot_duration", text);
        let with = |more: &[(&'static str, &'static str)]| [&source[..], more].concat();
        let found = fires("CHK-01", &with(&[failures("0"), takes("\"9min\"")]));
        let message = "revenue: no checkpoint can be taken inside the snapshot of db; after 8 min the job starts it again, it takes 9 min";
        assert_eq!(found.message, message);
        let open = fires("CHK-01", &with(&[failures("0")]));
        assert_eq!(open.severity, crate::rules::Severity::Warning);
        silent("CHK-01", &with(&[failures("2"), takes("\"17min\"")]));
        fires("CHK-01", &with(&[failures("2"), takes("\"18min\"")]));
        silent("CHK-01", &with(&[failures("0"), takes("\"9min\""), ("links/s1/proposed/snapshot_resumable", "true")]));
    }
}
