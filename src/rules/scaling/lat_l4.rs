use crate::{
    model::{Id, Input, Step, key, units::Duration},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A look-up answers out of a cache for longer than a consumer behind it can wait for a result.
    ///
    /// # Why
    /// What was looked up once is taken from the cache until it expires. A row of the table that changes meanwhile shows in results only
    /// then, however fast the events themselves come through. Each task has a cache of its own, so that two of them can answer differently
    /// for the same key at the same time, and a second run answers differently again.
    ///
    /// # Example
    /// Alerts within ten seconds by the limits of an account, which are cached for an hour: a card that was blocked passes for an hour.
    ///
    /// # What to do
    /// A cache no older than the limit, or the table as a stream of changes that is joined; or agree that such values may be older.
    LAT_L4 "LAT-L4" Warning "Looked-up values older than results may be"
    why "results come in time and say what was true before"
    sources ["Apache Flink documentation, JDBC SQL Connector: Lookup Cache", "Apache Flink documentation, SQL, Joins: Lookup Join"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, step): (&Id, &Id, Step)| {
        if !matches!(step, Step::Lookup | Step::Join | Step::Call | Step::Custom) {
            return None;
        }
        let kept = context.get(id, key::operator::CACHE_TTL)?;
        let id = context.design.elements.get_key_value(id)?.0;
        let (needed, consumer) = shortest(context, id).filter(|(needed, _)| *needed < kept)?;
        let beside = context.into(id).find(|(_, link)| matches!(link.into, Some(Input::Lookup | Input::Table)));
        let table = beside.map_or_else(|| "its table".into(), |(_, link)| context.title(&link.from));
        let message = format!(
            "{} keeps what it looked up for {}: what changes in {table} can show that much later; {} needs results within {}",
            context.title(id), kept.spoken(), context.title(consumer), needed.spoken()
        );
        Some(rule.finding(&[id, consumer], message, "a shorter cache, or the table as a stream of changes"))
    };
    context.operators_with(key::operator::CACHE_TTL).filter_map(one).collect()
}

/// The consumer behind an element that can wait least, and how long.
fn shortest<'a>(context: &Context<'a>, id: &'a Id) -> Option<(Duration, &'a Id)> {
    let behind = context.consumers_behind(id).into_iter();
    behind.filter_map(|consumer| Some((context.get(consumer, key::consumer::LATENCY_REQUIREMENT)?, consumer))).min()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// The board needs results within 15 min.
    #[test]
    fn a_cache_that_outlives_the_limit_is_found() {
        let step = ("elements/dedup/step", "\"lookup\"");
        let cached = |text: &'static str| [step, ("elements/dedup/proposed", text)];
        let hour = cached(r#"{"key":["order_id"],"cache_ttl":"1h","on_error":"fail"}"#);
        let message = fires("LAT-L4", &hour).message;
        let expected = "dedup keeps what it looked up for 1 h: what changes in its table can show that much later; board needs results within 15 min";
        assert_eq!(message, expected);
        let table = [
            ("elements/rates", r#"{"kind":"sink","system":"postgres"}"#),
            ("links/l20", r#"{"from":"rates","to":"dedup","into":"lookup"}"#),
        ];
        let message = fires("LAT-L4", &[&hour[..], &table].concat()).message;
        assert!(message.contains("what changes in rates can show that much later"), "{message}");
        silent("LAT-L4", &cached(r#"{"key":["order_id"],"cache_ttl":"15min","on_error":"fail"}"#));
        silent("LAT-L4", &cached(r#"{"key":["order_id"],"on_error":"fail"}"#));
        silent("LAT-L4", &[&hour[..], &[("elements/board/proposed/latency_requirement", "null")]].concat());
        silent("LAT-L4", &[("elements/dedup/proposed/cache_ttl", "\"1h\"")]);
        silent("LAT-L4", &[]);
    }
}
