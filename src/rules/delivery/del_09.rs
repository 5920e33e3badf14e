use crate::{
    catalog::Version,
    model::{Id, Known, Link, key, words::Client},
    rules::{Context, Finding, Rule, Severity, rule::{propose, rule}},
};

rule! {
    /// More requests are in flight than an idempotent producer may have.
    ///
    /// # Why
    /// The broker keeps the last five batches of a producer to recognise retries. With more in flight the Java client before 4.0
    /// turns idempotence off without an error, where nobody set it; from 4.0 on, and where it was set, it does not start. Without
    /// it retries are new records, and batches can overtake each other.
    ///
    /// # Example
    /// `max.in.flight.requests.per.connection=10` from an old tuning guide: duplicates since then, and after the upgrade to 4.0 a
    /// producer that throws at start.
    ///
    /// # What to do
    /// Five or fewer; that is the default.
    DEL_09 "DEL-09" Warning "Too many requests in flight"
    why "the client is not idempotent, or does not start"
    sources ["Apache Kafka documentation, Producer Configs: max.in.flight.requests.per.connection", "Apache Kafka documentation, Upgrading to 4.0: enable.idempotence no longer falls back"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let (most, then, stops) = in_conflict(context, id, link)?;
        let message = format!("{} has {most} requests in flight: {then}", context.title(id));
        let fix = propose("Propose 5 in flight", id, key::produce::MAX_IN_FLIGHT, 5);
        let finding = rule.finding(&[id], message, "keep at most five requests in flight").fixed_by(Some(fix));
        Some(if stops { Finding { severity: Severity::Error, ..finding } } else { finding })
    };
    context.links_with(key::produce::MAX_IN_FLIGHT).filter_map(one).collect()
}

/// Requests in flight, what the client then does, and whether that keeps it from starting.
pub(super) fn in_conflict(context: &Context<'_>, id: &Id, link: &Link) -> Option<(u64, &'static str, bool)> {
    let most = context.get(id, key::produce::MAX_IN_FLIGHT).filter(|most| *most > 5)?;
    if !context.entry(&link.to)?.channel?.transactions {
        return None;
    }
    match context.known(id, key::produce::IDEMPOTENCE) {
        Known::Value(fact) if fact.value => Some((most, "an idempotent producer with more than five does not start", true)),
        Known::Unset(_) if client(context, &link.from) == Some(Client::Java) => {
            match version(context, &link.from) {
                Some(version) if version < Version(3, 0) => None,
                Some(version) if version < Version(4, 0) => Some((most, "this client turns idempotence off without an error", false)),
                Some(_) => Some((most, "from client 4.0 on the producer does not start", true)),
                None => Some((most, "before client 4.0 idempotence is turned off without an error, from 4.0 on the producer does not start", false)),
            }
        }
        _ => None,
    }
}

/// The client family of whoever writes: as said, else of an engine that brings its own. Connect has its own defaults.
pub(super) fn client(context: &Context<'_>, from: &Id) -> Option<Client> {
    let job = context.job_of(from);
    if context.engine(from).is_some_and(|engine| engine.default_idempotence.is_some()) {
        return None;
    }
    let said = context.get(from, key::source::CLIENT).or_else(|| context.get(job?, key::job::CLIENT));
    let java = ["flink", "kafka_streams", "ksqldb", "spark"];
    said.or_else(|| java.contains(&context.system(job?)?).then_some(Client::Java))
}

/// The version of the client library, where the application brings it itself.
fn version(context: &Context<'_>, from: &Id) -> Option<Version> {
    let of_job = || context.job_of(from).filter(|job| context.runs(job, "plain_consumer"));
    let text = context.get(from, key::source::CLIENT_VERSION).or_else(|| context.get(of_job()?, key::job::CLIENT_VERSION))?;
    Version::read(&text)
}

#[cfg(test)]
mod tests {
    use crate::rules::{Severity, testing::*};

    const TEN: (&str, &str) = ("links/l1/proposed/max_in_flight", "10");
    const UNSET: (&str, &str) = ("links/l1/proposed/idempotence", "\"unset\"");

    #[test]
    fn too_many_in_flight_depend_on_the_client() {
        let on = |version| fires("DEL-09", &[TEN, UNSET, ("elements/shop/proposed/client_version", version)]);
        assert!(on("\"3.9\"").message.ends_with("this client turns idempotence off without an error"));
        assert_eq!(on("\"3.9\"").severity, Severity::Warning);
        assert!(on("\"4.1\"").message.ends_with("does not start"));
        assert_eq!(on("\"4.1\"").severity, Severity::Error);
        assert!(on("null").message.contains("before client 4.0"));
        assert_eq!(fires("DEL-09", &[TEN]).severity, Severity::Error);
        mends("DEL-09", &[TEN, UNSET]);
    }

    #[test]
    fn what_is_off_anyway_or_within_five_is_left_alone() {
        silent("DEL-09", &[("links/l1/proposed/max_in_flight", "5"), UNSET]);
        silent("DEL-09", &[TEN, ("links/l1/proposed/idempotence", "false")]);
        silent("DEL-09", &[TEN, ("links/l1/proposed/idempotence", "null")]);
        silent("DEL-09", &[TEN, UNSET, ("elements/shop/proposed/client", "\"librdkafka\"")]);
        silent("DEL-09", &[TEN, UNSET, ("elements/shop/proposed/client_version", "\"2.8\"")]);
        // One cause, one finding.
        let open = [("elements/dedup/step", "\"map\""), ("elements/dedup/proposed", "{}")];
        silent("DEL-08", &[TEN, UNSET, open[0], open[1]]);
    }
}
