use crate::{
    model::{Basis, ElementKind, Id, Key, Lifecycle, Link, Subject, key, units::Duration},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A lag is promised that nobody reads, or a lag of nothing is read of a group that has no members.
    ///
    /// # Why
    /// A target is a wish until the lag is read. A group without members reports no lag, or the last one it knew: that is not
    /// measured, and not zero.
    ///
    /// # Example
    /// "Lag at most five minutes" on a job whose lag nobody reads; a dashboard that shows 0 for a group that four crashed readers left.
    ///
    /// # What to do
    /// Read the lag in time per partition of a group that has members, and alert on that.
    LAG_L1 "LAG-L1" Error "A lag that nobody measures"
    why "that results are in time is said and not known"
    sources ["Apache Kafka documentation, Operations: Checking consumer position", "Beyer et al., Site Reliability Engineering, chapter 6, Monitoring Distributed Systems"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let reads = |job: &Id| -> Vec<(&Id, &Link)> {
        let into = context.operators_of(job).flat_map(|operator| context.into(operator));
        into.filter(|(_, link)| context.kind(&link.from) == Some(ElementKind::Channel)).collect()
    };
    let measured = |(id, _): &(&Id, &Link)| context.get(id, key::read::LAG).is_some() || context.get(id, key::read::LAG_TIME).is_some();
    let promised = |(id, _): (&Id, &Subject)| {
        let known = |key: Key<Duration>| context.known(id, key).fact().filter(|fact| fact.basis != Basis::Proposed);
        // What is only proposed is not promised yet.
        let target = known(key::job::LAG_TARGET).or_else(|| known(key::job::LAG_ALERT))?.value;
        let reads = reads(id);
        let (first, _) = reads.first()?;
        if context.design.lifecycle(id) != Lifecycle::Existing || reads.iter().any(measured) {
            return None;
        }
        let message = format!("{} shall lag by at most {}, and its lag is not measured", context.title(id), target.spoken());
        Some(rule.finding(&[id, first], message, "read the lag in time per partition"))
    };
    let empty = |(id, link): (&Id, &Link)| {
        let nobody = context.get(id, key::read::MEMBERS)? == 0;
        let nothing = context.get(id, key::read::LAG).and_then(|lag| lag.max()) == Some(0) && context.get(id, key::read::COMMITTED_OFFSET).is_none();
        (nobody && nothing).then(|| {
            let message = format!("{} has no members and a lag of 0 is read: that is not measured", context.title(id));
            rule.finding(&[id, &link.to], message, "read the lag while the group has members")
        })
    };
    context.elements(ElementKind::Job).filter_map(promised).chain(context.links_with(key::read::MEMBERS).filter_map(empty)).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const EXISTS: [(&str, &str); 3] = [
        ("evidence", r#"{"e1":{"basis":"stated","from":"the team"}}"#),
        ("elements/revenue/lifecycle", "\"existing\""),
        ("elements/revenue/observed", r#"{"e1":{"lag_target":"5min"}}"#),
    ];

    #[test]
    fn a_target_that_nobody_measures_is_found() {
        assert_eq!(fires("LAG-L1", &EXISTS).message, "revenue shall lag by at most 5 min, and its lag is not measured");
        silent("LAG-L1", &EXISTS[..2]);
        silent("LAG-L1", &[EXISTS[1], ("elements/revenue/proposed/lag_target", "\"5min\"")]);
        silent("LAG-L1", &[EXISTS[0], EXISTS[1], EXISTS[2], ("links/l2/proposed/lag_time", "\"20s\"")]);
    }

    #[test]
    fn nothing_read_of_nobody_is_found() {
        let nobody = [("links/l2/proposed/members", "0"), ("links/l2/proposed/lag", "0")];
        assert_eq!(fires("LAG-L1", &nobody).message, "orders → dedup has no members and a lag of 0 is read: that is not measured");
        silent("LAG-L1", &[("links/l2/proposed/members", "3"), nobody[1]]);
        silent("LAG-L1", &[nobody[0], ("links/l2/proposed/lag", "318940")]);
    }
}
