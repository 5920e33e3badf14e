//! Everything that a review says, as text, without on whose word: two reviews say the same where their texts are equal.
//!
//! Reports are taken apart whole, so that what is added to one is compared too.

use crate::{
    analysis::{
        ChannelReport, ComparisonReport, ConsumerReport, JobReport, LinkReport, OperatorReport, ReadReport,
        ReplayStart, Report, SinkReport, SkewReport, SourceReport,
        delivery::verdict::{Condition, DeliveryVerdict, Fewest, LossKind, Most},
        explain::{Derived, Explained},
        order::{Order, OrderVerdict},
    },
    rules::{Context, findings, halt},
};
use std::{fmt::Write, sync::Arc};

/// All answers about a design.
pub(super) fn by(context: &Context<'_>) -> Vec<String> {
    let Report { view: _, consumers, links, channels, operators, jobs, sinks, sources, comparisons, reads } =
        context.report;
    let mut said: Vec<String> = consumers.values().map(consumer).collect();
    let title = |id: &crate::model::Id| context.title(id).into_owned();
    said.extend(
        links
            .values()
            .map(|LinkReport { badge, captions }| captions.lines(&title).fold(badge.text(), |all, line| all + &line)),
    );
    said.extend(channels.values().map(channel));
    said.extend(operators.values().map(operator));
    said.extend(jobs.values().map(job));
    said.extend(sinks.values().map(|SinkReport { write }| write.clone()));
    said.extend(sources.values().map(source));
    said.extend(comparisons.values().map(comparison));
    said.extend(reads.values().map(read));
    let found = findings(context);
    said.extend(found.iter().map(|finding| format!("{} {:?} {:?}", finding.rule, finding.severity, finding.about)));
    // No reading is left that disagrees, so that this does not come back here.
    let halts = halt::halts(context);
    said.extend(halts.iter().map(|halt| format!("{:?} {:?} {}", halt.class, halt.about, halt.action)));
    said
}

fn consumer(report: &ConsumerReport) -> String {
    let ConsumerReport { delivery: verdict, order: orders, latency, latency_open, lag_room, complete, replay } = report;
    let mut text = delivery(verdict);
    let OrderVerdict { inputs } = orders;
    for Order { over, kind, key, holder, writer, store, born, breakers, old_rows, missing, basis: _ } in inputs {
        let _ = write!(
            text,
            " {over} {kind:?} {key:?} {holder:?} {writer:?} {store:?} {born:?} {breakers:?} {old_rows:?} {missing:?}"
        );
    }
    figures(&mut text, [latency]);
    some(&mut text, [lag_room]);
    let _ = write!(text, " {latency_open:?}");
    if let Some((after, open)) = complete {
        figures(&mut text, [after]);
        let _ = write!(text, " {open:?}");
    }
    for start in replay {
        let ReplayStart { from, recompute, reach, after_deduplication, duration, start_within, usable, remarks } =
            start;
        let _ = write!(text, " {from} {recompute} {usable:?} {remarks:?}");
        figures(&mut text, [reach]);
        some(&mut text, [after_deduplication, duration, start_within]);
    }
    text
}

fn delivery(verdict: &DeliveryVerdict) -> String {
    let DeliveryVerdict {
        badge,
        label,
        sentence,
        why,
        lossy_hops,
        duplicates,
        taints,
        // The scope says it.
        replaced: _,
        transient,
        value,
        weakest,
        hops,
        consumer_must,
        scope,
        unknown,
        basis: _,
    } = verdict;
    let mut text = format!("{} {label:?} {sentence} {why:?} {duplicates:?} {taints:?} {transient:?}", badge.text());
    let _ = write!(text, " {value:?} {weakest:?} {consumer_must:?} {scope} {unknown:?}");
    let fewest = if let Fewest::OneWhile(_, conditions) = &badge.fewest { conditions.as_slice() } else { &[] };
    let most = if let Most::OneWhile(_, conditions) = &badge.most { conditions.as_slice() } else { &[] };
    for one in fewest.iter().chain(most) {
        condition(&mut text, one);
    }
    for loss in lossy_hops {
        let _ = write!(text, " {:?} {} {}", loss.hop, loss.cause, loss.in_values);
        if let LossKind::Conditional(one) = &loss.kind {
            condition(&mut text, one);
        }
    }
    for row in hops {
        let _ = write!(text, " {} {} {} {} {}", row.at, row.can_lose(), row.adds(), row.mechanism(), row.leaves.text());
    }
    text
}

fn condition(text: &mut String, condition: &Condition) {
    let _ = write!(text, " {} {:?} {:?}", condition.text, condition.inside, condition.hop);
}

fn channel(report: &ChannelReport) -> String {
    let ChannelReport { reach, since_append, deletion, typical, longest, erased, busiest, skew, needed, on_disk } =
        report;
    let SkewReport { partitions, hot_rate, other_rate, effective, over_mean, used } = skew;
    let mut text = String::new();
    figures(&mut text, [reach, since_append, deletion, typical, longest, erased, busiest, partitions]);
    figures(&mut text, [hot_rate, other_rate, effective, over_mean, used]);
    some(&mut text, [needed, on_disk]);
    text
}

fn operator(report: &OperatorReport) -> String {
    let OperatorReport { state, entries, growth, full_in, input_rate } = report;
    let mut text = String::new();
    some(&mut text, [state, entries, growth, full_in]);
    figures(&mut text, [input_rate]);
    text
}

fn job(report: &JobReport) -> String {
    let JobReport {
        state,
        checkpoint,
        rewind,
        recovery,
        parallelism_cap,
        catch_up,
        outage_bound,
        required_timeout,
        key_load,
        partition_load,
        busiest_instance,
        key_groups,
        lost_in,
        fetched,
        poll,
        input_rate,
        load,
        peak_known,
        drain,
        state_of_instance,
        state_of_task,
        store_memory,
        deploy_pause,
        rebalance,
        deploy_standstill,
        crash_standstill,
        checkpoint_size,
    } = report;
    let mut text = peak_known.to_string();
    figures(
        &mut text,
        [recovery, parallelism_cap, catch_up, key_load, partition_load, busiest_instance, input_rate, load],
    );
    some(&mut text, [state, checkpoint, rewind, outage_bound, required_timeout, key_groups, lost_in, fetched, poll]);
    some(&mut text, [drain, state_of_instance, state_of_task, store_memory, deploy_pause, rebalance]);
    some(&mut text, [deploy_standstill, crash_standstill, checkpoint_size]);
    text
}

fn source(SourceReport { reach, longest }: &SourceReport) -> String {
    let mut text = String::new();
    figures(&mut text, [reach, longest]);
    text
}

fn comparison(report: &ComparisonReport) -> String {
    let ComparisonReport { safe, open, below, above, rows_apart, keys_apart } = report;
    let mut text = format!("{open:?}");
    figures(&mut text, [safe]);
    numbers(&mut text, [below, above, rows_apart, keys_apart]);
    text
}

fn read(report: &ReadReport) -> String {
    let ReadReport { behind, behind_time, readable, held, markers } = report;
    let mut text = String::new();
    figures(&mut text, [behind, behind_time]);
    numbers(&mut text, [readable, held]);
    some(&mut text, [markers]);
    text
}

fn figures<const N: usize>(text: &mut String, all: [&Derived; N]) {
    for derived in all {
        let _ = match derived {
            Ok(figure) => write!(text, " {:?}", figure.value),
            Err(why) => write!(text, " {:?}", why.missing),
        };
    }
}

fn some<const N: usize>(text: &mut String, all: [&Option<Derived>; N]) {
    for derived in all {
        match derived {
            Some(derived) => figures(text, [derived]),
            None => text.push_str(" -"),
        }
    }
}

fn numbers<const N: usize>(text: &mut String, all: [&Option<Arc<Explained>>; N]) {
    for number in all {
        let _ = write!(text, " {:?}", number.as_ref().map(|number| number.value));
    }
}
