use crate::{
    model::{ElementKind, Id, Link, key, units::Limit},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// An Iceberg table forgets its snapshots sooner than the job that writes it may be away.
    ///
    /// # Why
    /// The job finds in the properties of its own snapshots which checkpoint, or which offsets, were committed last. Where all of them
    /// have expired it finds nothing, and commits the files of the restored checkpoint again.
    ///
    /// # Example
    /// Snapshots are kept for five days, the job is stopped for a week while other jobs write and expire: its last files are in the
    /// table twice.
    ///
    /// # What to do
    /// Keep snapshots longer than the longest outage, or keep the last snapshot of every writing job when expiring.
    CON_L10 "CON-L10" Warning "The table forgets what was committed"
    why "the restored job commits files again that the table already has"
    sources ["Apache Iceberg documentation, Flink Writes: flink.max-committed-checkpoint-id, expiring snapshots", "Apache Iceberg documentation, Kafka Connect: kafka.connect.offsets", "Apache Iceberg documentation, Table properties: history.expire.max-snapshot-age-ms"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if !context.tied(id) || !context.runs(&link.to, "iceberg") || !context.repeats_matter(id) {
            return None;
        }
        let Limit::Of(kept) = context.get(&link.to, key::sink::RETENTION_TIME)? else { return None };
        let job = context.job_of(&link.from)?;
        let away = context.away(job).filter(|away| *away >= kept)?;
        let message = format!("{} may be away for {}, and {} keeps snapshots for {}", context.title(job), away.spoken(), context.title(&link.to), kept.spoken());
        Some(rule.finding(&[id, &link.to], message, "keep snapshots longer than the longest outage of the job"))
    };
    context.links_into(ElementKind::Sink).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const LAKE: &[(&str, &str)] = &[
        ("elements/table", r#"{"kind":"sink","system":"iceberg","proposed":{"retention_time":"5d","rebuild":"shadow","other_writers":false}}"#),
        ("links/l6/proposed/write_mode", "\"append\""),
        ("links/l6/proposed/output_commit", "\"with_position\""),
        ("links/l6/proposed/position_guard", "\"compare_and_set\""),
        ("elements/loader/proposed/longest_outage", "\"7d\""),
    ];

    #[test]
    fn snapshots_that_expire_during_an_outage_are_found() {
        assert_eq!(fires("CON-L10", LAKE).message, "loader may be away for 7 d, and table keeps snapshots for 5 d");
    }

    #[test]
    fn longer_snapshots_and_untied_writes_are_left_alone() {
        silent("CON-L10", &[LAKE, &[("elements/loader/proposed/longest_outage", "\"4d\"")]].concat());
        silent("CON-L10", &[LAKE, &[("elements/table/proposed/retention_time", "null")]].concat());
        silent("CON-L10", &[LAKE, &[("links/l6/proposed/output_commit", "\"flush\"")]].concat());
    }
}
