use crate::{
    model::{ElementKind, Id, Link, key, words::{Collapse, ReadMode, WriteMode}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};
use std::cell::LazyCell;

rule! {
    /// A result is sent more than once, and the store keeps every version of it as a row.
    ///
    /// # Why
    /// Updated totals are not parts of a total. Whoever adds up the rows counts every window as often as it was sent.
    ///
    /// # Example
    /// A window with one minute of allowed lateness fires again for each late order, with the new total; the table gets a row
    /// each time, and the monthly sum is too high.
    ///
    /// # What to do
    /// Write by key and window (upsert), emit only once (no lateness, suppress), or collapse to the newest when reading.
    TIM_12 "TIM-12" Error "The store keeps every version of a result"
    why "whoever adds up the rows counts a window as often as it was sent"
    sources ["Apache Flink documentation, Windows: Late elements considerations", "Apache Flink documentation, Dynamic Tables: Table to Stream Conversion", "Apache Spark, Structured Streaming Programming Guide: Output Modes"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let updates = LazyCell::new(|| super::updates(context));
    let one = |(id, link): (&Id, &Link)| {
        if context.kind(&link.to) != Some(ElementKind::Sink) || super::aside(link) {
            return None;
        }
        let effect = match context.get(id, key::store::WRITE_MODE)? {
            WriteMode::Append | WriteMode::FileCommit => "keeps every version",
            WriteMode::InsertIfAbsent => "keeps the first version",
            _ => return None,
        };
        if collapses(context, &link.to) {
            return None;
        }
        let (operator, how) = *updates.get(&link.from)?;
        let message = format!("{} {how}, and {} {effect}", context.title(operator), context.title(&link.to));
        let modes = context.entry(&link.to).and_then(|entry| entry.sink).map_or(&[][..], |sink| sink.write_modes);
        let key = context.get(id, key::write::KEY).is_some_and(|key| !key.0.is_empty());
        let fix = (key && modes.contains(&WriteMode::Upsert))
            .then(|| propose("Propose to write by key", id, key::store::WRITE_MODE, WriteMode::Upsert));
        Some(rule.finding(&[id, operator], message, "write by key and window, or emit a result only once").fixed_by(fix))
    };
    context.links_with(key::store::WRITE_MODE).filter_map(one).collect()
}

/// Are equal keys one row to whoever reads?
fn collapses(context: &Context<'_>, sink: &Id) -> bool {
    let of_product = || context.entry(sink)?.sink?.collapse;
    let collapse = context.get(sink, key::sink::COLLAPSE).or_else(of_product);
    let mut reads = context.from(sink).filter_map(|(id, _)| context.get(id, key::serve::READ_MODE)).peekable();
    matches!(collapse, Some(Collapse::AtMerge | Collapse::AtRead))
        || reads.peek().is_some() && reads.all(|mode| mode == ReadMode::Collapsed)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const APPEND: (&str, &str) = ("links/l6/proposed/write_mode", "\"append\"");

    #[test]
    fn versions_that_are_appended_are_found() {
        let message = "sum sends the total again for every late event, and table keeps every version";
        assert_eq!(fires("TIM-12", &[APPEND]).message, message);
        mends("TIM-12", &[APPEND]);
        let first = ("links/l6/proposed/write_mode", "\"insert_if_absent\"");
        assert!(fires("TIM-12", &[first]).message.ends_with("keeps the first version"));
        let once = ("elements/sum/proposed/allowed_lateness", "\"0s\"");
        fires("TIM-12", &[APPEND, once, ("elements/sum/proposed/emit", "\"every_update\"")]);
        fires("TIM-12", &[APPEND, once, ("elements/sum/proposed/output_mode", "\"retract\"")]);
    }

    #[test]
    fn one_result_a_window_may_be_appended() {
        let once = ("elements/sum/proposed/allowed_lateness", "\"0s\"");
        silent("TIM-12", &[APPEND, once]);
        silent("TIM-12", &[APPEND, ("elements/sum/proposed/api", "\"table_function\"")]);
        silent("TIM-12", &[APPEND, ("elements/sum/proposed/emit", "\"delta\"")]);
        silent("TIM-12", &[APPEND, ("elements/table/proposed/collapse", "\"at_read\"")]);
        silent("TIM-12", &[APPEND, ("links/l7/proposed/read_mode", "\"collapsed\"")]);
        silent("TIM-12", &[]);
    }
}
