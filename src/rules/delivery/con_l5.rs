use crate::{
    model::{Id, Link, key, words::{OutputCommit, Rotation, WriteMode}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A file is closed by the time on the wall, so that a restart cuts at other records.
    ///
    /// # Why
    /// A file that is written again replaces the first one only where it holds the same records under the same name. A clock cuts
    /// elsewhere the second time: the same records then lie in two files. The newest S3 connector checks whether a file of that
    /// start exists and suppresses most of these; older ones, and other stores, do not.
    ///
    /// # Example
    /// `rotate.schedule.interval.ms` closes a file every ten minutes; after a rebalance the next file begins three records earlier.
    ///
    /// # What to do
    /// Close by number of records or by their own time. A partition without new records is then not closed at all.
    CON_L5 "CON-L5" Error "Files are cut by the clock"
    why "records that are written again lie in a second file"
    sources ["Confluent documentation, Amazon S3 Sink Connector: exactly-once delivery, rotate.schedule.interval.ms, enable.conditional.writes"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let by_clock = context.get(id, key::store::ROTATION)? == Rotation::ByClock
            && context.get(id, key::store::WRITE_MODE)? == WriteMode::FileCommit
            && context.get(id, key::write::OUTPUT_COMMIT) != Some(OutputCommit::TwoPhase);
        (by_clock && context.repeats_matter(id) && context.writes_again(&link.from)).then(|| {
            let fix = propose("Propose closing by records", id, key::store::ROTATION, Rotation::ByRecord);
            let message = format!("{} closes files by the clock, and writes other ones after a restart", context.title(id));
            rule.finding(&[id], message, "close files by records or by their own time").fixed_by(Some(fix))
        })
    };
    context.links_with(key::store::ROTATION).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn files_cut_by_the_clock_are_found() {
        let files = ("links/l6/proposed/write_mode", "\"file_commit\"");
        let clock = ("links/l6/proposed/rotation", "\"by_clock\"");
        fires("CON-L5", &[files, clock]);
        mends("CON-L5", &[files, clock]);
        silent("CON-L5", &[files]);
        silent("CON-L5", &[files, clock, ("elements/board/proposed/duplicates_tolerated", "true")]);
    }
}
