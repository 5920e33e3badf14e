//! Micro-batches: how long one takes, and from the start of one to the next.
//!
//! A trigger starts a batch at its interval, or when the one before is done where that takes longer (Apache Spark, Structured
//! Streaming Programming Guide: Triggers, fixed interval micro-batches). How long one takes no setting gives; it is measured.

use super::{
    map::{Map, Place},
    need::{Figure, lacks, largest, seconds},
};
use crate::{
    analysis::explain::{Derived, Formula, MissingWhy},
    model::key,
};

static LONGER: Formula = Formula {
    id: "LAT-E1.batch.pace",
    text: "the longer of trigger interval and duration of a batch",
    source: "Apache Spark, Structured Streaming Programming Guide: Triggers: where a batch takes longer than the interval, the next starts when it is done",
};

/// How long a batch of a job takes, the longest that was read.
pub(super) fn duration<'a>(map: &Map<'a>, job: Place<'a>) -> Derived {
    map.most(job, key::job::BATCH_DURATION, seconds("duration of a batch"))
}

/// From the start of a batch to that of the next; where it was not measured how long one takes, the trigger interval is the least.
pub(super) fn between<'a>(map: &Map<'a>, job: Place<'a>, figure: Figure) -> Derived {
    let trigger = map.number(job, key::job::TRIGGER_INTERVAL, figure)?;
    match duration(map, job) {
        Ok(batch) => Ok(largest(figure, job, &LONGER, [trigger, batch])),
        Err(_) => Ok(trigger),
    }
}

/// Event time of one batch in steady running: what comes between two of them. In catch-up a batch spans far more.
pub(super) fn event_time<'a>(map: &Map<'a>, job: Place<'a>) -> Derived {
    let figure = seconds("event time of a batch, at its pace");
    let between = between(map, job, figure)?;
    if between.value > 0.0 {
        return Ok(between);
    }
    // At 0 a batch starts when the one before is done.
    Err(lacks(figure.what, job, key::job::BATCH_DURATION.field(), MissingWhy::NotKnown))
}
