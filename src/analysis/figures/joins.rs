//! Entries of joins, by engine and kind.

use super::{
    engine::Engine,
    keyed,
    map::{Map, Place},
    need::{Figure, all, all_of, count, derive, lacks, per_second, seconds, sum},
    state::{Around, Kept},
    windows::{self, ENTRIES, Waiting},
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, MissingWhy, Underivable, Unit},
        formulas::{product, state as form},
    },
    catalog::Version,
    model::{
        Input, key,
        words::{Api, JoinKind},
    },
};
use std::sync::Arc;

pub(super) static INTERVAL: Formula = Formula {
    id: "D2.interval",
    text: "left in × (after + kept longer) + right in × (before + kept longer)",
    source: "Apache Flink, IntervalJoinOperator and RowTimeIntervalJoin: each side is kept until the watermark rules out a partner",
};
static LONGER: Formula = Formula {
    id: "D2.interval.extra",
    text: "watermark delay + spread + cleaning step",
    source: "Flink SQL before 1.18 cleans in steps of half the interval; later versions and the DataStream API at once",
};
static LONGER_SPARK: Formula = Formula {
    id: "D2.interval.extra.spark",
    text: "watermark delay + distance of the inputs + 2 × event time of a batch",
    source: "Apache Spark, StreamingSymmetricHashJoinExec: evicted by the watermark of the batch before",
};
static CLEANING: Formula = Formula {
    id: "D2.interval.step",
    text: "(after + before) ÷ 2",
    source: "Flink SQL before 1.18, RowTimeIntervalJoin",
};
static BOTH: Formula = Formula { id: "D2.join.rate", text: "left in + right in", source: "both sides are kept" };
pub(super) static WINDOW: Formula = Formula {
    id: "D2.join.window",
    text: "(left in + right in) × (window size + watermark delay + lateness + spread)",
    source: "Apache Flink, WindowJoin: both sides are kept until the window closes",
};
pub(super) static STREAMS: Formula = Formula {
    id: "D2.join.streams",
    text: "(left in + right in) × (retention + max(retention ÷ 2, 60 s)), retention = before + after + grace",
    source: "Kafka Streams, JoinWindows: whole segments of max(retention/2, 60 s); seen on disk with 3.9",
};
pub(super) static KEPT_FOR: Formula = Formula {
    id: "D2.join.ttl",
    text: "(left in + right in) × time-to-live",
    source: "Apache Flink, table.exec.state.ttl: all rows of both sides",
};
static NEW_EVERYWHERE: Formula = Formula {
    id: "D2.join.global.growth",
    text: "new keys × instances",
    source: "Kafka Streams, GlobalKTable: a full copy on each instance",
};
static NEW_TABLES: Formula = Formula {
    id: "D2.join.tables.growth",
    text: "2 × new keys",
    source: "Apache Kafka documentation, Streams DSL: KTable-KTable equi-join, both tables are kept",
};
static TABLES: Formula = Formula {
    id: "D2.join.tables",
    text: "2 × live keys",
    source: "Apache Kafka documentation, Streams DSL: KTable-KTable equi-join, both tables are kept",
};
static SPARK_WINDOW: Formula = Formula {
    id: "D2.join.spark.window",
    text: "(left in + right in) × (window size + watermark delay + 2 × event time of a batch)",
    source: "Apache Spark, Structured Streaming Programming Guide: join on event-time windows; evicted by the watermark of the batch before",
};
static NEW_FOREIGN: Formula = Formula {
    id: "D2.join.foreign.growth",
    text: "3 × new keys",
    source: "Kafka Streams, foreign-key join (KIP-213): both tables and a subscription store",
};
static EVERYWHERE: Formula = Formula {
    id: "D2.join.global",
    text: "entries of the table × instances",
    source: "Kafka Streams, GlobalKTable: a full copy on each instance",
};
static FOREIGN: Formula = Formula {
    id: "D2.join.foreign",
    text: "3 × live keys",
    source: "Kafka Streams, foreign-key join (KIP-213): both tables and a subscription store",
};
static TEMPORAL: Formula = Formula {
    id: "D2.join.temporal.flink",
    text: "live keys + (left in + right in) × waiting",
    source: "Apache Flink, TemporalRowTimeJoinOperator: left rows and newer versions wait for the watermark, one version a key stays",
};
static WAITING: Formula = Formula {
    id: "D2.join.temporal.wait",
    text: "watermark delay + spread + step",
    source: "how far the watermark is behind what arrives",
};
static VERSIONS: Formula = Formula {
    id: "D2.join.temporal",
    text: "live keys + updates × (history + segment) + waiting rows",
    source: "Kafka Streams, versioned stores (KIP-889): old versions in segments of the history retention",
};

/// Entries of a join; none where the kind keeps none in this engine.
pub(super) fn join(around: &Around) -> Option<Kept> {
    let kind = match around.map.setting(around.at, key::operator::JOIN, ENTRIES.what) {
        Ok(kind) => kind,
        Err(why) => return Some(Kept::bounded(Err(why))),
    };
    Some(match (kind, around.engine) {
        (JoinKind::Interval | JoinKind::Window, Engine::Streams) => Kept::bounded(streams(around)),
        (JoinKind::Interval, Engine::Flink) => Kept::bounded(interval(around, flink_extra(around))),
        (JoinKind::Interval, Engine::Spark) => Kept::bounded(interval(around, spark_extra(around))),
        (JoinKind::Window, Engine::Flink) => Kept::bounded(window(around)),
        (JoinKind::Window, Engine::Spark) => Kept::bounded(spark_window(around)),
        (JoinKind::Regular, Engine::Flink) => regular(around),
        // Without a range of time Spark removes nothing: it has no time-to-live for a join.
        (JoinKind::Regular, Engine::Spark) => Kept::without_bound(around.at, ENTRIES.what, both(around)),
        (JoinKind::Regular, Engine::Streams) => scaled(around, keyed::keys_for_ever(around), Times::Two),
        // A table is read anew with every batch, or sent to the executors: no state of the query.
        (JoinKind::Table | JoinKind::GlobalTable, Engine::Spark) => return None,
        (JoinKind::Table, _) => keyed::keys_for_ever(around),
        (JoinKind::GlobalTable, _) => scaled(around, keyed::keys_for_ever(around), Times::Instances),
        (JoinKind::ForeignKey, Engine::Streams) => scaled(around, keyed::keys_for_ever(around), Times::Three),
        (JoinKind::Temporal, Engine::Streams) => versioned(around),
        (JoinKind::Temporal, Engine::Flink) => temporal(around),
        _ => keyed::no_form(around),
    })
}

/// Rates of the left and the right input. Inputs without a side are left, then right, in order.
fn sides(around: &Around) -> [Derived; 2] {
    let Around { map, rates, site, at, .. } = *around;
    let figure = per_second("records in");
    let of = |side: &[Option<Input>], nth: usize| {
        let named = map.into(site).find(|wire| wire.link.into.is_some() && side.contains(&wire.link.into));
        let wire = named.or_else(|| map.into(site).filter(|wire| wire.link.into.is_none()).nth(nth));
        match wire {
            Some(wire) => rates.on(map, wire),
            None => Err(lacks(figure.what, at, key::link::RATE.field(), MissingWhy::NotKnown)),
        }
    };
    let left_named = map.into(site).any(|wire| wire.link.into == Some(Input::Left));
    [of(&[Some(Input::Left)], 0), of(&[Some(Input::Right), Some(Input::Table)], usize::from(!left_named))]
}

fn both(around: &Around) -> Derived {
    let inputs = all_of(ENTRIES.what, sides(around))?;
    Ok(sum(per_second("left and right in"), around.at, &BOTH, inputs))
}

fn bounds(map: &Map, at: Place) -> [Derived; 2] {
    [
        map.number(at, key::operator::JOIN_BEFORE, seconds("before")),
        map.number(at, key::operator::JOIN_AFTER, seconds("after")),
    ]
}

fn interval(around: &Around, extra: Derived) -> Derived {
    let ([left, right], [before, after]) = (sides(around), bounds(around.map, around.at));
    let inputs = all(ENTRIES.what, [left, after, right, before, extra])?;
    let [left, after, right, before, extra] = &inputs;
    let value = form::interval_side(left.value, after.value, extra.value)
        + form::interval_side(right.value, before.value, extra.value);
    Ok(derive(ENTRIES, around.at, &INTERVAL, inputs, value))
}

fn flink_extra(around: &Around) -> Derived {
    let figure = seconds("kept longer");
    let Waiting { delay, mut inputs } = windows::waiting_without_lateness(around)?;
    let step = cleaning(around.map, around.site)?;
    let value = delay.watermark + delay.drift + step.as_ref().map_or(0.0, |step| step.value);
    inputs.extend(step);
    Ok(derive(figure, around.at, &LONGER, inputs, value))
}

/// The step in which Flink SQL before 1.18 cleans; none elsewhere. Where neither API nor version is known it is asked
/// for.
pub(super) fn cleaning(map: &Map, site: usize) -> Result<Option<Arc<Explained>>, Underivable> {
    let at = map.sites[site].at;
    if map.value(at, key::operator::API) == Some(Api::Datastream) {
        return Ok(None);
    }
    let job = map.sites[site].job.unwrap_or(site);
    let own = map.value(map.sites[job].at, key::job::VERSION);
    let version = own.or_else(|| map.value(map.cluster(job)?, key::cluster::VERSION));
    let Some(version) = version else {
        return Err(lacks(ENTRIES.what, map.sites[job].at, key::job::VERSION.field(), MissingWhy::NotKnown));
    };
    let Some(version) = Version::read(&version) else {
        return Err(lacks(ENTRIES.what, map.sites[job].at, key::job::VERSION.field(), MissingWhy::NotKnown));
    };
    if version >= Version(1, 18) {
        // table.exec.interval-join.min-cleanup-interval, 0 where nobody sets it.
        return Ok(map.number(at, key::operator::CLEANUP_INTERVAL, seconds("cleaning step")).ok());
    }
    let [before, after] = all(ENTRIES.what, bounds(map, at))?;
    let value = form::interval_cleanup(-before.value, after.value, true);
    Ok(Some(derive(seconds("cleaning step"), at, &CLEANING, [after, before], value)))
}

fn spark_extra(around: &Around) -> Derived {
    let delay = windows::watermark_delay(around.map, around.site);
    let [delay, batch] = all(ENTRIES.what, [delay, keyed::batch(around)])?;
    let figure = seconds("event time between the two inputs");
    let apart = around.map.number(around.at, key::operator::INPUT_TIME_SPREAD, figure).unwrap_or_else(|_| {
        let reason = "not measured: the two inputs are taken to keep pace, as the smaller watermark counts";
        Explained::assumed(figure.what, None, Unit::Seconds, 0.0, reason)
    });
    let value = delay.value + apart.value + 2.0 * batch.value;
    Ok(derive(seconds("kept longer"), around.at, &LONGER_SPARK, [delay, apart, batch], value))
}

fn window(around: &Around) -> Derived {
    let Waiting { delay, inputs: waiting } = windows::waiting(around)?;
    let [rate, size] = all(ENTRIES.what, [both(around), windows::size_of(around.map, around.at)])?;
    let value = form::flink_elements(rate.value, size.value, size.value, delay);
    let mut inputs = vec![rate, size];
    inputs.extend(waiting);
    Ok(derive(ENTRIES, around.at, &WINDOW, inputs, value))
}

fn spark_window(around: &Around) -> Derived {
    let Around { map, at, site, .. } = *around;
    let inputs = [both(around), windows::size_of(map, at), windows::watermark_delay(map, site), keyed::batch(around)];
    let inputs = all(ENTRIES.what, inputs)?;
    let [rate, size, delay, batch] = &inputs;
    let value = form::kept_for(rate.value, size.value + delay.value + 2.0 * batch.value);
    Ok(derive(ENTRIES, at, &SPARK_WINDOW, inputs, value))
}

fn streams(around: &Around) -> Derived {
    let Around { map, at, .. } = *around;
    let [before, after] = bounds(map, at);
    let grace = map.number(at, key::operator::ALLOWED_LATENESS, seconds("grace"));
    let inputs = all(ENTRIES.what, [both(around), before, after, grace])?;
    let [rate, before, after, grace] = &inputs;
    let value = form::streams_rows(rate.value, before.value + after.value + grace.value);
    Ok(derive(ENTRIES, at, &STREAMS, inputs, value))
}

fn regular(around: &Around) -> Kept {
    let Around { map, at, .. } = *around;
    match map.number(at, key::operator::STATE_TTL, seconds("time-to-live")) {
        Ok(ttl) if ttl.unbounded() => Kept::without_bound(at, ENTRIES.what, both(around)),
        ttl => Kept::bounded(all(ENTRIES.what, [both(around), ttl]).map(|[rate, ttl]| {
            let value = form::kept_for(rate.value, ttl.value);
            derive(ENTRIES, at, &KEPT_FOR, [rate, ttl], value)
        })),
    }
}

#[derive(Clone, Copy)]
enum Times {
    Instances,
    Two,
    Three,
}

/// Several copies of a table.
fn scaled(around: &Around, kept: Kept, times: Times) -> Kept {
    let Around { map, site, at, .. } = *around;
    let job = map.sites[map.sites[site].job.unwrap_or(site)].at;
    let copies = |figure: Figure, one: Derived, [tables, foreign, everywhere]: [&'static Formula; 3]| {
        let one = one?;
        if one.unbounded() {
            return Ok(one);
        }
        match times {
            Times::Two => {
                let value = 2.0 * one.value;
                Ok(derive(figure, at, tables, [one], value))
            }
            Times::Three => {
                let value = 3.0 * one.value;
                Ok(derive(figure, at, foreign, [one], value))
            }
            Times::Instances => {
                let instances = map.most(job, key::job::INSTANCES, count("instances"))?;
                let value = product(one.value, instances.value);
                Ok(derive(figure, at, everywhere, [one, instances], value))
            }
        }
    };
    let new = per_second("new entries");
    Kept {
        entries: copies(ENTRIES, kept.entries, [&TABLES, &FOREIGN, &EVERYWHERE]),
        growth: kept.growth.map(|growth| copies(new, growth, [&NEW_TABLES, &NEW_FOREIGN, &NEW_EVERYWHERE])),
    }
}

/// One version a key, and what waits for the watermark on both sides.
fn temporal(around: &Around) -> Kept {
    let table = keyed::keys_for_ever(around);
    if table.growth.is_some() {
        return table;
    }
    let wait = windows::waiting_without_lateness(around).map(|Waiting { delay, inputs }| {
        let value = delay.watermark + delay.drift + delay.step;
        derive(seconds("waiting for the watermark"), around.at, &WAITING, inputs, value)
    });
    Kept::bounded(all(ENTRIES.what, [table.entries, both(around), wait]).map(|inputs| {
        let [table, rate, wait] = &inputs;
        let value = table.value + form::kept_for(rate.value, wait.value);
        derive(ENTRIES, around.at, &TEMPORAL, inputs, value)
    }))
}

/// The right side's versions, and the left side's rows that wait out the grace.
fn versioned(around: &Around) -> Kept {
    let Around { map, at, .. } = *around;
    let table = keyed::keys_for_ever(around);
    if table.growth.is_some() {
        return table;
    }
    let [left, right] = sides(around);
    let history = map.number(at, key::operator::HISTORY, seconds("history kept"));
    let grace = map.number(at, key::operator::ALLOWED_LATENESS, seconds("grace"));
    let figure: Figure = ENTRIES;
    let entries = all(figure.what, [table.entries, right, history, left, grace]).map(|inputs| {
        let [table, updates, history, left, grace] = &inputs;
        let value =
            table.value + form::versioned_old(updates.value, history.value) + form::kept_for(left.value, grace.value);
        derive(figure, at, &VERSIONS, inputs, value)
    });
    Kept::bounded(entries)
}
