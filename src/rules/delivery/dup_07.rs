use crate::{
    model::{ElementKind, Id, Link, key, units::{Duration, Limit}, words::{OutputCommit, WriteMode}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A store or queue drops repeats for a while only, and they can come later.
    ///
    /// # Why
    /// Such a window covers a retry that comes at once. A writer that restarts begins at its last commit and comes back after the
    /// outage; a sender may try for hours.
    ///
    /// # Example
    /// The warehouse remembers insert ids for about a minute; a connector commits every minute and is back after three.
    ///
    /// # What to do
    /// Take the window for what it is, and remove repeats by a key or keep the position with the rows.
    DUP_07 "DUP-07" Warning "The store forgets what it has seen too early"
    why "a repeat that comes later than the window is kept"
    sources ["Google Cloud documentation, BigQuery: streaming insertAll, best effort de-duplication", "Amazon SQS Developer Guide, FIFO queues: deduplication interval", "ClickHouse documentation, Deduplicating inserts on retries"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let into_channel = context.kind(&link.to)? == ElementKind::Channel;
        let window = if into_channel {
            context.get(&link.to, key::channel::DEDUP_WINDOW)?
        } else {
            let append = context.get(id, key::store::WRITE_MODE) == Some(WriteMode::Append)
                && !matches!(context.get(id, key::write::OUTPUT_COMMIT), Some(OutputCommit::TwoPhase | OutputCommit::WithPosition));
            context.get(&link.to, key::sink::DEDUP_WINDOW).filter(|_| append)?
        };
        let Limit::Of(window) = window else { return None };
        if !context.repeats_matter(id) {
            return None;
        }
        let latest = if into_channel { resent(context, id) } else { read_again(context, &link.from) };
        let when = match latest {
            Some(latest) if latest < window => return None,
            Some(latest) => format!("after up to {}", latest.spoken()),
            None => "at a time that is not stated".to_owned(),
        };
        let message = format!("{} drops repeats for {}; they can come {when}", context.title(&link.to), window.spoken());
        Some(rule.finding(&[id, &link.to], message, "remove repeats by a key, or keep the position with the rows"))
    };
    context.links().filter_map(one).collect()
}

/// How late a source may send again, where it is limited.
fn resent(context: &Context<'_>, link: &Id) -> Option<Duration> {
    match context.get(link, key::take::RESEND_WITHIN)? {
        Limit::Of(within) => Some(within),
        Limit::None => Some(Duration::ZERO),
        Limit::Unlimited => None,
    }
}

/// How late a job may write again: what it had not committed, and how long it is away.
pub(super) fn read_again(context: &Context<'_>, operator: &Id) -> Option<Duration> {
    let job = context.job_of(operator)?;
    let interval = context.get(job, key::job::CHECKPOINT_INTERVAL).or_else(|| context.get(job, key::job::COMMIT_INTERVAL))?;
    Some(Duration::from_millis(interval.millis().saturating_add(context.away(job)?.millis())))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const APPEND: (&str, &str) = ("links/l6/proposed/write_mode", "\"append\"");
    const MINUTE: (&str, &str) = ("elements/table/proposed/dedup_window", "\"1min\"");

    #[test]
    fn a_window_that_ends_before_the_repeats_is_found() {
        assert_eq!(fires("DUP-07", &[APPEND, MINUTE]).message, "table drops repeats for 60 s; they can come at a time that is not stated");
        let away = [("elements/loader/proposed/commit_interval", "\"10s\""), ("elements/loader/proposed/longest_outage", "\"20s\"")];
        silent("DUP-07", &[APPEND, MINUTE, away[0], away[1]]);
        silent("DUP-07", &[MINUTE]);
        // The shop may send again for a day.
        let queue = fires("DUP-07", &[("elements/orders/proposed/dedup_window", "\"5min\"")]);
        assert_eq!(queue.message, "orders drops repeats for 5 min; they can come after up to 24 h");
    }
}
