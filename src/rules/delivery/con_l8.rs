use crate::{
    catalog::Version,
    model::{Id, Known, Link, key, words::{OutputCommit, WriteMode}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A warehouse is filled in the way that does not compare positions, although it offers one that does.
    ///
    /// # Why
    /// Snowpipe recognises a file by its name, and after a restart the same records lie in a file of another name. BigQuery's default
    /// stream appends whatever comes. Snowpipe Streaming keeps an offset token in each channel, BigQuery's own streams take an offset
    /// with every append: what they have is refused. The Snowflake connector writes files unless told otherwise before version 4;
    /// from 4 on it only streams.
    ///
    /// # Example
    /// The task moves to another worker in the middle of a file; its first 800 rows are in the file before as well.
    ///
    /// # What to do
    /// `snowflake.ingestion.method=SNOWPIPE_STREAMING`, or a BigQuery stream of its own with offsets. Repeats from in front have other
    /// offsets: those need a merge by an id of the event.
    CON_L8 "CON-L8" Warning "The warehouse loads repeats again"
    why "records that are sent again after a restart are loaded again"
    sources ["Snowflake documentation, Snowpipe Streaming: channels and offset tokens; Kafka connector: snowflake.ingestion.method", "Google Cloud documentation, Introduction to the BigQuery Storage Write API: default stream, exactly-once with offsets"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let how = how(context, id, link)?;
        (context.repeats_matter(id) && context.writes_again(&link.from)).then(|| {
            let message = format!("{} {how}", context.title(id));
            let fix = propose("Propose offsets with the rows", id, key::write::OUTPUT_COMMIT, OutputCommit::WithPosition);
            rule.finding(&[id, &link.to], message, "load by a way that keeps the offset with the rows").fixed_by(Some(fix))
        })
    };
    context.links_with(key::store::WRITE_MODE).filter_map(one).collect()
}

/// In which way without positions it loads, where that is known.
pub(super) fn how(context: &Context<'_>, id: &Id, link: &Link) -> Option<&'static str> {
    let system = context.system(&link.to).filter(|system| matches!(*system, "snowflake" | "bigquery"))?;
    if context.get(id, key::store::WRITE_MODE)? != WriteMode::Append || context.runs(&link.from, "spark") {
        return None;
    }
    let loose = match context.known(id, key::write::OUTPUT_COMMIT) {
        Known::Value(fact) => matches!(fact.value, OutputCommit::Flush | OutputCommit::Nothing),
        Known::Unset(_) => system == "snowflake" && context.runs(&link.from, "kafka_connect") && before_4(context, link) == Some(true),
        _ => false,
    };
    loose.then_some(match system {
        "snowflake" => "loads files, which are known by their name only: what is sent again lies in another file",
        _ => "appends to the default stream, which compares no offsets: what is sent again is appended again",
    })
}

fn before_4(context: &Context<'_>, link: &Link) -> Option<bool> {
    let version = context.get(context.job_of(&link.from)?, key::job::CLIENT_VERSION)?;
    Some(Version::read(&version)? < Version(4, 0))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const FILES: &[(&str, &str)] = &[
        ("elements/table", r#"{"kind":"sink","system":"snowflake","proposed":{"rebuild":"shadow","other_writers":false}}"#),
        ("links/l6/proposed/write_mode", "\"append\""),
    ];

    #[test]
    fn loads_without_positions_are_found() {
        assert!(fires("CON-L8", FILES).message.contains("lies in another file"));
        mends("CON-L8", FILES);
        silent("DEL-13", FILES);
        let stream = [FILES, &[("elements/table/system", "\"bigquery\"")]].concat();
        assert!(fires("CON-L8", &stream).message.contains("default stream"));
    }

    #[test]
    fn what_the_connector_does_unset_depends_on_its_version() {
        let unset = [FILES, &[("links/l6/proposed/output_commit", "\"unset\"")]].concat();
        let on = |version| [&unset[..], &[("elements/loader/proposed/client_version", version)]].concat();
        fires("CON-L8", &on("\"3.2.0\""));
        silent("CON-L8", &on("\"4.1.0\""));
        silent("CON-L8", &on("null"));
    }

    #[test]
    fn offsets_with_the_rows_are_left_alone() {
        silent("CON-L8", &[FILES, &[("links/l6/proposed/output_commit", "\"with_position\"")]].concat());
        silent("CON-L8", &[FILES, &[("elements/board/proposed/duplicates_tolerated", "true")]].concat());
    }
}
