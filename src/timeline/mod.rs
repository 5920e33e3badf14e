//! Windows, watermarks and lateness, step by step: what a sequence of records does to a stateful operator.
//!
//! [`predict`] takes an operator of Flink (DataStream or SQL), Kafka Streams or Spark and a sequence of arrivals, and says
//! which windows each record falls in, when results are sent and sent again, what is late and where it goes, and what an
//! appending and an upserting reader see. [`answers`] gives the same for one window without a sequence; [`from_design`]
//! reads the setup of a window of a design, and [`demonstrate`] makes a sequence of its numbers.
//!
//! ```
//! use pipeline_desk::{
//!     catalog, codec,
//!     model::View,
//!     timeline::{Role, Verdict, answers, demonstrate, from_design, predict, windows},
//! };
//!
//! let design = codec::decode(catalog::examples()[0].text)?;
//! let window = windows(&design, View::ToBe).next().ok_or("no window")?;
//! let setup = from_design(&design, View::ToBe, window).setup.map_err(|missing| format!("{missing:?}"))?;
//!
//! // 12:00 of some day: a window of 5 min, a watermark 30 s behind, 10 min of lateness.
//! let shown = demonstrate(&setup, 43_200_000, false).ok_or("not predicted")?;
//! let says = answers(&setup, shown.span).ok_or("no windows")?;
//! assert_eq!(says.first_result, Some(43_530_000), "12:05:30");
//! assert_eq!(says.counted_until, Some(44_130_000), "12:15:30");
//!
//! let timeline = predict(&shown.setup, &shown.arrivals)?;
//! for (fate, role) in timeline.fates.iter().zip(&shown.roles) {
//!     assert_eq!(matches!(fate.verdict, Verdict::Late(_)), *role == Role::TooLate);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It knows nothing of rates and sizes, and no broker: what arrives is what the operator gets. Checked against recorded
//! runs of Flink 2.1, Kafka Streams 3.9 and Spark 4.3.

mod arrival;
mod assign;
mod closed_form;
mod demonstration;
mod flink;
mod from_design;
mod limits;
mod outcome;
pub mod picture;
mod readers;
mod recorder;
mod setup;
mod spark;
mod streams;
mod watermark;

pub use arrival::{Arrival, Event, Side, What};
pub use closed_form::{Answers, MeasuredOn, answers};
pub use demonstration::{Demonstration, Role, demonstrate};
pub use from_design::{Missing, NOT_STATED, Reading, Taken, from_design, has_window, stated_at, windows};
pub use limits::{MAX_ARRIVALS, MAX_PARTITIONS, MAX_PLACES, MAX_WINDOWS, Refusal};
pub use outcome::{
    AppendReader, At, Change, Emission, Epoch, Fate, Late, LateTo, Latest, Metric, MicroBatch, PartitionMark, Readers,
    Row, Span, Step, Subject, Timeline, Verdict, Why, WindowLife,
};
pub use setup::{
    DataStream, Engine, Keep, MarkForm, MergePolicy, Operator, OutputMode, Query, Setup, Spark, Sql, Streams,
    StreamsEmit, Then, Watermark, Window, WindowFunction, Zone,
};

use recorder::Recorder;

/// What happens to the arrivals, in their order.
///
/// # Errors
///
/// [`Refusal`] where the engine refuses the query, where the sequence does not fit the setup (steps, clock or batches that
/// go back, a partition that is not there, a time before 1970 in Kafka Streams), or where it is more than can be
/// predicted at once.
pub fn predict(setup: &Setup, arrivals: &[Arrival]) -> Result<Timeline, Refusal> {
    limits::check(setup, arrivals)?;
    let mut recorder = Recorder::new(arrivals);
    match &setup.operator {
        Operator::DataStream(operator) => flink::datastream(operator, setup, arrivals, &mut recorder)?,
        Operator::Sql(query) => flink::sql(query, setup, arrivals, &mut recorder)?,
        Operator::Streams(operator) => streams::run(operator, setup, arrivals, &mut recorder)?,
        Operator::Spark(query) => spark::run(query, setup, arrivals, &mut recorder)?,
    }
    let by_record =
        matches!(setup.operator, Operator::Spark(Spark { query: Query::DropDuplicatesWithinWatermark, .. }));
    Ok(recorder.finish(by_record))
}
