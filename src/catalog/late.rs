//! What engines do with events that come after their window has closed: what they still take, whether they send a result
//! again for it, and who drops the rest.
//!
//! Kafka Streams has a grace period and no watermark (KIP-328, KIP-633); Spark only the delay of its watermark (Structured
//! Streaming Programming Guide, Handling Late Data and Watermarking); Apache Flink the watermark delay and, in windows of
//! its DataStream API, what is allowed beyond it (Windows: Allowed Lateness; Window TVF: none). Legacy group windows of
//! Flink SQL take that only where they send late results (`table.exec.emit.late-fire.enabled`, off by default; seen with
//! Flink 1.20: `allow-lateness` alone changes nothing). In Apache Beam the watermark is the runner's, and only what is
//! allowed beyond it is set (Beam Programming Guide, Watermarks and late data).

use crate::model::{
    units::{Duration, Limit},
    words::{Api, JoinKind, WindowKind},
};

/// What says how late an event may be and still count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lateness {
    /// A grace period against the highest time seen.
    Grace,
    /// The delay of the watermark alone.
    Delay,
    /// The delay, and what is allowed beyond it.
    DelayAndAllowed,
    /// The delay; what is allowed beyond it only where late results are sent.
    DelayAndLateResults,
    /// What is allowed beyond a watermark that the runner estimates.
    BeyondRunner,
}

impl Lateness {
    /// How an engine says it for a step by this API; of a join, by its kind. An engine without an entry is taken to have
    /// both.
    #[must_use]
    pub fn of(engine: &str, api: Option<Api>, join: Option<JoinKind>) -> Self {
        match (engine, api) {
            ("kafka_streams" | "ksqldb", _) => Self::Grace,
            ("spark", _) | ("flink", Some(Api::TableFunction)) => Self::Delay,
            ("flink", _) if join == Some(JoinKind::Interval) => Self::Delay,
            ("flink", Some(Api::GroupWindow)) => Self::DelayAndLateResults,
            ("beam" | "dataflow", _) => Self::BeyondRunner,
            _ => Self::DelayAndAllowed,
        }
    }

    /// Does a late event make a window send its result once more? `late_results`: their delay, where one is set.
    #[must_use]
    pub fn sends_again(self, allowed: Option<Duration>, late_results: Option<Limit<Duration>>) -> bool {
        let takes = match self {
            Self::Grace | Self::Delay => false,
            Self::DelayAndAllowed | Self::BeyondRunner => true,
            Self::DelayAndLateResults => matches!(late_results, Some(Limit::Of(_))),
        };
        takes && allowed.is_some_and(|allowed| allowed > Duration::ZERO)
    }
}

/// Who drops what is too late, where the engine has no output for it: counted at best, and gone. `window`: of a step with one;
/// `join`: of a join. Of Flink only the windows of an aggregate and the interval joins of its DataStream API lead it aside: a row
/// per record (`OVER`) is SQL, and its window join has no such output (seen with 2.1). Beam discards it (Beam Programming
/// Guide, Handling late data).
#[must_use]
pub fn drops_late(
    engine: &str,
    api: Option<Api>,
    window: Option<WindowKind>,
    join: Option<JoinKind>,
) -> Option<&'static str> {
    let sql = matches!(api, Some(Api::TableFunction | Api::GroupWindow)) || window == Some(WindowKind::Sliding);
    match engine {
        "kafka_streams" => Some("Kafka Streams"),
        "ksqldb" => Some("ksqlDB"),
        "spark" => Some("Spark"),
        "beam" => Some("Beam"),
        "dataflow" => Some("Dataflow"),
        "flink" if sql => Some("Flink SQL"),
        "flink" if join == Some(JoinKind::Window) => Some("the window join of Flink"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_engine_says_it_in_its_own_way() {
        use Lateness::*;
        for (engine, api, says) in [
            ("kafka_streams", None, Grace),
            ("spark", None, Delay),
            ("flink", None, DelayAndAllowed),
            ("flink", Some(Api::Datastream), DelayAndAllowed),
            ("flink", Some(Api::TableFunction), Delay),
            ("flink", Some(Api::GroupWindow), DelayAndLateResults),
            ("dataflow", None, BeyondRunner),
        ] {
            assert_eq!(Lateness::of(engine, api, None), says, "{engine} {api:?}");
        }
        assert_eq!(Lateness::of("flink", None, Some(JoinKind::Interval)), Delay);
        // Joins of Kafka Streams have their grace as well.
        assert_eq!(Lateness::of("kafka_streams", None, Some(JoinKind::Interval)), Grace);
    }

    #[test]
    fn only_some_windows_of_flink_lead_late_events_aside() {
        use JoinKind::{Interval, Window};
        let flink = |api, window, join| drops_late("flink", api, window, join);
        for api in [None, Some(Api::Datastream)] {
            assert_eq!(flink(api, Some(WindowKind::Tumbling), None), None);
            assert_eq!(flink(api, None, Some(Interval)), None);
            assert_eq!(flink(api, Some(WindowKind::Sliding), None), Some("Flink SQL"));
            assert_eq!(flink(api, Some(WindowKind::Tumbling), Some(Window)), Some("the window join of Flink"));
        }
        assert_eq!(flink(Some(Api::TableFunction), Some(WindowKind::Tumbling), None), Some("Flink SQL"));
        for (engine, name) in [("beam", "Beam"), ("dataflow", "Dataflow"), ("spark", "Spark")] {
            assert_eq!(drops_late(engine, None, None, None), Some(name));
        }
        assert_eq!(drops_late("lambda", None, None, None), None);
    }

    #[test]
    fn a_result_is_sent_again_for_what_is_still_taken() {
        let minute = Some(Duration::from_millis(60_000));
        let (on, off) = (Some(Limit::Of(Duration::ZERO)), Some(Limit::None));
        assert!(Lateness::DelayAndAllowed.sends_again(minute, None));
        assert!(!Lateness::DelayAndAllowed.sends_again(Some(Duration::ZERO), None));
        assert!(!Lateness::DelayAndAllowed.sends_again(None, None));
        assert!(Lateness::DelayAndLateResults.sends_again(minute, on));
        assert!(!Lateness::DelayAndLateResults.sends_again(minute, off));
        assert!(!Lateness::DelayAndLateResults.sends_again(minute, None));
        assert!(!Lateness::Delay.sends_again(minute, on) && !Lateness::Grace.sends_again(minute, on));
    }
}
