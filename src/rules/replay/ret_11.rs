use crate::{
    analysis::formulas::recovery,
    model::{ElementKind, Id, Link, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A reader that stands still is mended later than what it has not read is deleted.
    ///
    /// # Why
    /// From the moment a reader stops, the log runs out: it keeps its reach from the append on, less what the reader was behind already
    /// and what it has to read again. Who notices and mends it after that finds a gap. A reader that is only too slow has somewhat longer, but the end is the same.
    ///
    /// # Example
    /// A job fails on Friday evening and is mended on Monday, 60 h later; the topic keeps 48 h.
    ///
    /// # What to do
    /// Keep more, or notice and mend sooner: an alert on lag in time at half of what is kept.
    RET_11 "RET-11" Error "Deleted before it is mended"
    why "what was not read by then is gone"
    sources ["Apache Kafka documentation, Topic Configs: retention.ms", "Apache Kafka documentation, Consumer Configs: auto.offset.reset"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let job = context.job_of(&link.to)?;
        let fix = context.get(job, key::job::FIX_TIME)?.secs() + context.get(job, key::job::DETECTION_TIME).map_or(0.0, |time| time.secs());
        if context.kind(&link.from) != Some(ElementKind::Channel) || !context.loss_matters(id) {
            return None;
        }
        let (kept, from) = context.kept(id, &link.from)?;
        let back = context.needs_back(id, job, fix);
        (recovery::loses_on_restart(back, kept)).then(|| {
            let and = if back > fix { format!(" and then needs what is up to {} old", human::at_most(back)) } else { String::new() };
            let message = format!(
                "{} is mended within {}{and}, {} keeps {}{from}",
                context.title(job), human::seconds(fix), context.title(&link.from), human::at_least(kept)
            );
            rule.finding(&[id, job], message, "keep more, or notice and mend sooner")
        })
    };
    context.links_from(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// Detection takes 50 s; 65 s and three failed checkpoints of 10 min, 31 min in all, are read again.
    #[test]
    fn mending_that_takes_longer_than_the_log_keeps_is_found() {
        let week = ("elements/revenue/proposed/fix_time", "\"7d\"");
        let detection = ("elements/revenue/proposed/detection_time", "null");
        assert_eq!(fires("RET-11", &[week, detection]).message, "revenue is mended within 7 d and then needs what is up to 7 d 1 h old, orders keeps 7 d");
        let lag = ("links/l2/proposed/lag_time", "\"2d\"");
        let five = ("elements/revenue/proposed/fix_time", "\"5d\"");
        let message = fires("RET-11", &[five, detection, lag]).message;
        assert_eq!(message, "revenue is mended within 5 d and then needs what is up to 7 d 1 h old, orders keeps 7 d");
        silent("RET-11", &[five, detection]);
        silent("RET-11", &[]);
        silent("RET-11", &[week, ("elements/board/proposed/loss_tolerated", "true")]);
    }

    /// 7 d are kept, records of up to two days come in: 5 d from the append on.
    #[test]
    fn what_came_late_is_deleted_before_that() {
        let six = ("elements/revenue/proposed/fix_time", "\"6d\"");
        silent("RET-11", &[six]);
        let message = fires("RET-11", &[six, ("elements/orders/proposed/append_delay", r#"{"p99":"1h","max":"2d"}"#)]).message;
        assert_eq!(message, "revenue is mended within 6 d 50 s and then needs what is up to 6 d 1 h old, orders keeps 5 d from the append on");
    }
}
