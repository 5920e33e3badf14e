use crate::{
    model::{Id, Link, Port, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Stream and batch are compared before the stream is complete, or with a tolerance that rests on nothing.
    ///
    /// # Why
    /// A bucket is complete when its window has closed, what is allowed late has come, and the result is written. Before that the
    /// difference is time, not error. A tolerance below the measured causes is exceeded every day; one far above hides a loss.
    ///
    /// # Example
    /// Hourly figures compared five minutes after the hour, where lateness, lag and commit take fourteen.
    ///
    /// # What to do
    /// A cut-off after the bucket is complete, and a tolerance from measured causes, for each side its own.
    REC_L2 "REC-L2" Warning "A comparison that cannot come out right"
    why "it raises alarms while all is well, or hides a loss"
    sources ["Akidau, Chernyak, Lax, Streaming Systems, chapter 3, Watermarks", "Apache Flink documentation, Windows: Allowed Lateness"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    use key::reconcile as r;
    let one = |(id, link): (&Id, &Link)| {
        let report = context.report.comparisons.get(id)?;
        let mut wrong = Vec::new();
        if let (Some(cut_off), Ok(safe)) = (context.get(id, r::CUT_OFF), &report.safe)
            && cut_off.secs() < safe.value
        {
            wrong.push(format!("buckets are compared {} after their end and complete only after {}", cut_off.spoken(), safe.text()));
        }
        if let Some(tolerance) = context.get(id, r::TOLERANCE) {
            let percent = |share: f64| format!("{} %", human::number(share * 100.0));
            let causes = report.below.iter().chain(&report.above).map(|side| side.value).reduce(f64::max);
            match causes {
                Some(causes) if tolerance.0 < causes => {
                    wrong.push(format!("measured causes alone make up {}, and {} are tolerated", percent(causes), percent(tolerance.0)));
                }
                Some(_) => {
                    // A loss hides in the room for repeats, and the other way round: each side has its own cap.
                    for (side, way) in [(&report.below, "missing"), (&report.above, "too much")] {
                        if let Some(side) = side && side.value > 0.0 && tolerance.0 > 3.0 * side.value {
                            let (tolerated, explained) = (percent(tolerance.0), percent(side.value));
                            wrong.push(format!("{tolerated} are tolerated, and measured causes explain {explained} {way}"));
                        }
                    }
                }
                None if context.get(id, r::TOLERANCE_BASIS).is_none() => {
                    wrong.push(format!("{} are tolerated, and nothing says why", percent(tolerance.0)));
                }
                _ => {}
            }
        }
        (!wrong.is_empty()).then(|| {
            let message = format!("{} against {}: {}", context.title(&link.from), context.title(&link.to), wrong.join("; "));
            rule.finding(&[id, &link.from], message, "compare after the bucket is complete, within what measured causes explain")
        })
    };
    context.links().filter(|(_, link)| link.port == Some(Port::Reconcile)).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const BATCH: [(&str, &str); 4] = [
        ("elements/nightly", r#"{"kind":"batch"}"#),
        ("elements/warehouse", r#"{"kind":"sink","system":"postgres"}"#),
        ("links/l20", r#"{"from":"orders","to":"nightly"}"#),
        ("links/l21", r#"{"from":"nightly","to":"warehouse"}"#),
    ];

    fn compared(by: &'static str) -> Vec<(&'static str, &'static str)> {
        [&BATCH[..], &[("links/l22", by)]].concat()
    }

    /// Watermark 30 s and 0.2 s behind, a silence of 60 s, 60 s of lateness, 65 s until the commit: 215.2 s.
    #[test]
    fn a_bucket_that_is_still_open_is_found() {
        let message = fires("REC-L2", &compared(r#"{"from":"table","to":"warehouse","port":"reconcile","proposed":{"cut_off":"1min"}}"#)).message;
        assert_eq!(message, "table against warehouse: buckets are compared 60 s after their end and complete only after 3 min 35 s");
        silent("REC-L2", &compared(r#"{"from":"table","to":"warehouse","port":"reconcile","proposed":{"cut_off":"4min"}}"#));
    }

    /// Late records take away 0.4 %, repeats add 0.02 %: below 0.4 % alarms are raised while all is well, and 0.42 % hide repeats of
    /// twenty times what is measured.
    #[test]
    fn a_tolerance_beside_the_causes_is_found() {
        let by = |text: &'static str| compared(text);
        let message = fires("REC-L2", &by(r#"{"from":"table","to":"warehouse","port":"reconcile","proposed":{"tolerance":0.001,"divergence":{"late dropped":0.004,"duplicates":0.0002}}}"#)).message;
        assert!(message.ends_with("measured causes alone make up 0.4 %, and 0.1 % are tolerated"), "{message}");
        fires("REC-L2", &by(r#"{"from":"table","to":"warehouse","port":"reconcile","proposed":{"tolerance":0.05,"divergence":{"late dropped":0.004,"duplicates":0.0002}}}"#));
        let message = fires("REC-L2", &by(r#"{"from":"table","to":"warehouse","port":"reconcile","proposed":{"tolerance":0.0042,"divergence":{"late dropped":0.004,"duplicates":0.0002}}}"#)).message;
        assert!(message.ends_with("0.42 % are tolerated, and measured causes explain 0.02 % too much"), "{message}");
        silent("REC-L2", &by(r#"{"from":"table","to":"warehouse","port":"reconcile","proposed":{"tolerance":0.005,"divergence":{"late dropped":0.004,"duplicates":0.003}}}"#));
        fires("REC-L2", &by(r#"{"from":"table","to":"warehouse","port":"reconcile","proposed":{"tolerance":0.01}}"#));
        silent("REC-L2", &by(r#"{"from":"table","to":"warehouse","port":"reconcile","proposed":{"tolerance":0.01,"tolerance_basis":"last quarter"}}"#));
    }
}
