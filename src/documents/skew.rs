//! What the keys of a channel do to its partitions, in numbers; where nobody measured them, what they would do.

use super::{
    blocks::{Inline, line},
    writer::Writer,
};
use crate::model::{ElementKind, Id, key, units::human};

/// Shares of a top key for which the effective parallelism is shown where none is measured.
const SUPPOSED: [f64; 5] = [0.0, 0.05, 0.1, 0.25, 0.5];

/// The table of all channels, and what is not measured.
pub(super) fn section(w: &mut Writer<'_>) {
    let (mut rows, mut open) = (Vec::new(), Vec::new());
    for id in w.desk.elements(ElementKind::Channel) {
        let Some(report) = w.desk.to_be.channels.get(id) else { continue };
        let skew = &report.skew;
        if skew.partitions.as_ref().is_ok_and(|partitions| partitions.value <= 1.0) || !keyed(w, id) {
            continue;
        }
        if skew.over_mean.is_err() {
            open.push(supposed(w, id));
            continue;
        }
        rows.push(vec![
            w.name(id),
            w.figure(&skew.effective),
            w.figure(&skew.over_mean),
            w.figure(&skew.hot_rate),
            w.figure(&skew.other_rate),
            w.figure(&report.busiest),
            w.figure(&skew.used),
        ]);
    }
    let measured = !rows.is_empty();
    w.table(
        &[
            "Channel",
            "Works like so many partitions",
            "Fullest over the mean",
            "Fullest partition",
            "Every other",
            "Busiest in 95 of 100 assignments",
            "Partitions with a key",
        ],
        rows,
    );
    if measured {
        w.say("More partitions take nothing off the partition of one key: only a key with more values does, or a sum in two steps.");
    }
    if !open.is_empty() {
        w.say("The share of the most frequent key is not measured, so nothing here counts on even keys. If it had 0, 5, 10, 25 or 50 % of the records, the partitions would work like this many:");
        w.list(open);
    }
}

/// Is a key written, as far as that is known?
fn keyed(w: &Writer<'_>, channel: &Id) -> bool {
    let writers = w.desk.into(channel);
    let of_writer = |id: &Id| w.desk.fact(id, key::write::KEY).map(|fact| fact.value);
    let mut keys = writers.iter().filter_map(|(id, _)| of_writer(id));
    let own = w.desk.fact(channel, key::channel::KEY).map(|fact| fact.value);
    keys.next().or(own).is_some_and(|key| !key.0.is_empty())
}

fn supposed(w: &mut Writer<'_>, channel: &Id) -> Inline {
    let name = w.name(channel);
    if let Some(evidence) = w.desk.withheld(channel, key::channel::PARTITIONS.field()).cloned() {
        let what = w.desk.setting_of(channel, key::channel::PARTITIONS.field());
        return line![name, ": ", w.withheld_claim(&evidence, what)];
    }
    let skew = w.desk.to_be.channels.get(channel).map(|report| &report.skew);
    let each: Vec<String> =
        SUPPOSED.iter().filter_map(|share| Some(human::decimals(skew?.effective_at(*share)?, 1))).collect();
    if each.is_empty() {
        return line![name, ": partitions ", w.setting(channel, key::channel::PARTITIONS)];
    }
    line![name, ": ", each.join(", ")]
}
