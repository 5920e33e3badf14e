use crate::{
    model::{Id, Step, key, units::human, words::{Api, WindowKind}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Windows overlap so much that every record is worked on in a great many of them.
    ///
    /// # Why
    /// A record falls into size ÷ step windows. Each of them is read and written for it, and where windows keep their records, each
    /// keeps one of its own.
    ///
    /// # Example
    /// One day every second: 86 400 windows, and as many copies of every record.
    ///
    /// # What to do
    /// A longer step; a total per step that is added up to windows afterwards, as Flink SQL's `HOP` does; or a window per record.
    STA_14 "STA-14" Warning "Each record falls into a great many windows"
    why "every record is written once for each of its windows"
    sources ["Apache Flink documentation, Windows: Useful state size considerations", "Apache Kafka documentation, Streams DSL: Hopping time windows"]
    check check
}

/// From this many windows a record on.
const MANY: f64 = 100.0;

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _): (&Id, &Id, Step)| {
        if context.get(id, key::operator::WINDOW)? != WindowKind::Hopping {
            return None;
        }
        let (size, step) = (context.get(id, key::operator::WINDOW_SIZE)?.secs(), context.get(id, key::operator::WINDOW_STEP)?.secs());
        // Flink SQL adds up slices and shares them.
        let shared = context.runs(job, "flink") && context.get(id, key::operator::API) == Some(Api::TableFunction);
        if step <= 0.0 || size / step < MANY || shared {
            return None;
        }
        let kept = if context.get(id, key::operator::BUFFERS_RECORDS) == Some(true) { ", and each keeps a copy of it" } else { "" };
        let message = format!("{}: each record falls into {} windows{kept}", context.title(id), human::number((size / step).ceil()));
        Some(rule.finding(&[id], message, "a longer step, or a total per step that is added up afterwards"))
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_great_many_windows_are_found() {
        let day = [("elements/sum/proposed/window", "\"hopping\""), ("elements/sum/proposed/window_size", "\"1d\""), ("elements/sum/proposed/window_step", "\"1s\"")];
        assert_eq!(fires("STA-14", &day).message, "sum: each record falls into 86\u{2009}400 windows");
        let keeps = ("elements/sum/proposed/buffers_records", "true");
        assert!(fires("STA-14", &[day[0], day[1], day[2], keeps]).message.ends_with("each keeps a copy of it"));
        silent("STA-14", &[day[0], day[1], day[2], ("elements/sum/proposed/api", "\"table_function\"")]);
        silent("STA-14", &[day[0], day[1], ("elements/sum/proposed/window_step", "\"1h\"")]);
        silent("STA-14", &[day[1], day[2]]);
    }
}
