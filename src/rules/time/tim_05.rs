use crate::{
    catalog,
    model::{Id, Step, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// The engine drops late events, and nobody has decided that they may be dropped.
    ///
    /// # Why
    /// Kafka Streams, Spark, Beam, Flink SQL and the window join of Flink have no output for late events: they count them and go on. What is
    /// missing then stands in no log.
    ///
    /// # Example
    /// A grace of one minute, and a mobile network that holds some events back for ten: `dropped-records-total` grows, and
    /// nobody looks at it.
    ///
    /// # What to do
    /// Record who decided that late events are dropped, or set them aside in a step before the window.
    TIM_05 "TIM-05" Error "Late events are dropped without a decision"
    why "what comes after the window has closed is only counted"
    sources ["Apache Kafka documentation, Streams DSL: Window Final Results, grace period", "Apache Spark, Structured Streaming Programming Guide: Handling Late Data and Watermarking", "Apache Flink documentation, Windowing table-valued functions", "Apache Beam Programming Guide: Handling late data"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _): (&Id, &Id, Step)| {
        let by = drops(context, id, job)?;
        if !super::closes(context, id) || super::decided(context, id) {
            return None;
        }
        let message = format!("{}: {by} drops later events, and no decision says that it may", context.title(id));
        Some(rule.finding(&[id], message, "record the decision, or set late events aside in a step before the window"))
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

/// Who drops late events of this operator, where the engine has no output for them.
pub(in crate::rules) fn drops(context: &Context<'_>, id: &Id, job: &Id) -> Option<&'static str> {
    let join = context.get(id, key::operator::JOIN);
    catalog::drops_late(context.system(job)?, context.get(id, key::operator::API), context.get(id, key::operator::WINDOW), join)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_drop_that_nobody_decided_is_found() {
        let none = [("links/l8", "null"), ("elements/late", "null")];
        for (engine, by) in [("kafka_streams", "Kafka Streams"), ("spark", "Spark"), ("beam", "Beam")] {
            let system = format!("\"{engine}\"");
            let changes = [none[0], none[1], ("elements/revenue/system", &*system)];
            let drawn = fires("TIM-05", &changes[2..]).message;
            assert!(drawn.starts_with(&format!("sum: {by}")), "an output that the engine does not have settles nothing");
            let expected = format!("sum: {by} drops later events, and no decision says that it may");
            assert_eq!(fires("TIM-05", &changes).message, expected);
            silent("TIM-04", &changes);
            let decided = ("decisions", r#"{"d1":{"text":"late orders are dropped","kind":"drop_late","about":["sum"]}}"#);
            silent("TIM-05", &[changes[0], changes[1], changes[2], decided]);
        }
        let sql = ("elements/sum/proposed/api", "\"table_function\"");
        fires("TIM-05", &[none[0], none[1], sql]);
        silent("TIM-05", &[none[0], none[1], sql, ("elements/sum/proposed/clock", "\"processing_time\"")]);
        silent("TIM-05", &none);
    }

    /// In complete mode every late event counts, and so without a watermark in update mode.
    #[test]
    fn where_nothing_is_late_nothing_is_dropped() {
        let spark = ("elements/revenue/system", "\"spark\"");
        let mode = |mode| ("elements/sum/proposed/output_mode", mode);
        let unset = ("elements/sum/proposed/watermark_delay", "\"unset\"");
        fires("TIM-05", &[spark, mode("\"upsert\"")]);
        silent("TIM-05", &[spark, mode("\"complete\"")]);
        silent("TIM-05", &[spark, mode("\"upsert\""), unset]);
        for rule in ["TIM-04", "TIM-06", "TIM-07", "TIM-11"] {
            silent(rule, &[spark, mode("\"complete\"")]);
        }
    }

    /// A window join has no late output, so that none is proposed; nor has a row per record.
    #[test]
    fn a_window_of_flink_without_a_late_output_is_found() {
        let none = [("links/l8", "null"), ("elements/late", "null")];
        let over = ("elements/sum/proposed/window", "\"sliding\"");
        assert!(fires("TIM-05", &[none[0], none[1], over]).message.starts_with("sum: Flink SQL drops"));
        let join = [none[0], none[1], ("elements/sum/step", "\"join\""), ("elements/sum/proposed/join", "\"window\"")];
        assert!(fires("TIM-05", &join).message.starts_with("sum: the window join of Flink drops"));
        silent("TIM-04", &join);
    }
}
