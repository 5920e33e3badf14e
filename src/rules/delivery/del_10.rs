use crate::{
    model::{key, words::OnSendFailure},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A producer drops what it cannot send, or what it still holds when it stops.
    ///
    /// # Why
    /// Records live in the client's buffer until they are acknowledged. An error that is logged and forgotten, or a
    /// process that ends without flushing, loses them whatever the broker is set to.
    ///
    /// # Example
    /// `send()` without looking at its result: after two minutes of broker trouble the records are dropped with a log line.
    ///
    /// # What to do
    /// Retry or keep aside on failure; flush and close before the process ends.
    DEL_10 "DEL-10" Error "The producer drops what it cannot send"
    why "what waits in the client's buffer is lost, and no broker setting helps"
    sources ["Apache Kafka Javadoc, KafkaProducer: send, flush, close", "Apache Kafka documentation, Producer Configs: delivery.timeout.ms"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let drops = context.get(id, key::produce::ON_SEND_FAILURE) == Some(OnSendFailure::Drop);
        let forgets = context.get(id, key::produce::FLUSH_ON_CLOSE) == Some(false);
        if !(drops || forgets) || !context.loss_matters(id) {
            return None;
        }
        let what = if drops { "drops records that fail to send" } else { "does not flush when it stops" };
        let message = format!("{} {what}", context.title(id));
        Some(rule.finding(&[id], message, "retry or keep aside what fails, and flush before the process ends"))
    };
    context.links().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn dropping_and_forgetting_are_found() {
        fires("DEL-10", &[("links/l1/proposed/on_send_failure", "\"drop\"")]);
        fires("DEL-10", &[("links/l1/proposed/flush_on_close", "false")]);
        silent("DEL-10", &[("links/l1/proposed/flush_on_close", "null")]);
    }
}
