use crate::{
    model::{ElementKind, Id, Link, key, words::{OutputCommit, PositionGuard}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Rows and position are stored together, and nothing stops an owner that was replaced.
    ///
    /// # Why
    /// A process that pauses for longer than its session loses its partitions and does not know it. When it wakes it writes its rows
    /// and sets the position back to its own: the new owner's rows stand beside them.
    ///
    /// # Example
    /// A long garbage collection; the other instance takes over at offset 100, writes, stores 101; the first one wakes, writes the
    /// same row and stores 101.
    ///
    /// # What to do
    /// Write only where the stored position is the expected one (`UPDATE … WHERE next_offset = 100`), or compare an epoch that each
    /// owner raises first.
    DUP_13 "DUP-13" Error "A replaced owner can still write"
    why "two owners write the same rows, and the position goes back"
    sources ["Kleppmann, Designing Data-Intensive Applications, chapter 8: Fencing tokens", "Apache Kafka Javadoc, KafkaConsumer: Storing Offsets Outside Kafka"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let open = context.get(id, key::store::POSITION_GUARD)? == PositionGuard::Nothing
            && context.kind(&link.to)? == ElementKind::Sink
            && context.get(id, key::write::OUTPUT_COMMIT)? == OutputCommit::WithPosition;
        (open && context.repeats_matter(id)).then(|| {
            let message = format!("{} stores the position with the rows, and does not compare it first", context.title(id));
            let fix = propose("Propose compare and set", id, key::store::POSITION_GUARD, PositionGuard::CompareAndSet);
            rule.finding(&[id], message, "write only where the stored position is the expected one").fixed_by(Some(fix))
        })
    };
    context.links_with(key::store::POSITION_GUARD).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const TOGETHER: (&str, &str) = ("links/l6/proposed/output_commit", "\"with_position\"");
    const OPEN: (&str, &str) = ("links/l6/proposed/position_guard", "\"none\"");

    #[test]
    fn a_position_that_is_not_compared_is_found() {
        fires("DUP-13", &[TOGETHER, OPEN]);
        mends("DUP-13", &[TOGETHER, OPEN]);
    }

    #[test]
    fn guarded_and_unread_positions_are_left_alone() {
        silent("DUP-13", &[TOGETHER]);
        silent("DUP-13", &[OPEN]);
        silent("DUP-13", &[TOGETHER, ("links/l6/proposed/position_guard", "\"fencing\"")]);
        silent("DUP-13", &[TOGETHER, OPEN, ("elements/board/proposed/duplicates_tolerated", "true")]);
    }
}
