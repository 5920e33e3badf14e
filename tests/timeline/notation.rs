//! The notation of the recorded runs.
//!
//! A block of lines a run, blocks parted by an empty line, `#` a comment:
//!
//! ```text
//! run NAME
//! set op=… window=kind:length:…:offset …        the operator; a word alone is a switch
//! in ID,KEY,TIME[,p=PARTITION][,v=VALUE][,r] …   records in order (r: right input); `idle,p=…`, `wait,MS`, `checkpoint`;
//!                                               `|` between the micro-batches of Spark
//! refused WORDS                                 the engine refuses the query with these words
//! STEP CHANGE field=… …                         a result: at a step, at `end`, or in an epoch (`n`: one without data);
//!                                               +I -U +U -D, U for upsert, T for tombstone
//! batches EPOCH[n]:ROWS:WATERMARK:DROPPED …     the micro-batches
//! late WHERE ID                                 what was too late for everything; `late unknown`: the engine only counts
//! counter NAME VALUE                            the drop counter, or `none`
//! unseen ID …                                   records that are in no result and not among the late ones
//! append ROWS ADDING RETRACTING                 the reader that appends: rows, total without and with retractions
//! upsert field=… …                              a row of the reader that upserts
//! ```
//!
//! Fields: `key`, `win` (start..end), `win-end`, `n` count, `sum`, `of` records, `rows` of the first stage, `pair`, `t`
//! timestamp, `w` watermark, `mark`, `stage`.

use pipeline_desk::timeline::{
    Arrival, DataStream, Event, Keep, MarkForm, MergePolicy, Operator, OutputMode, Query, Setup, Side, Spark, Sql,
    Streams, StreamsEmit, Then, Watermark, What, Window, WindowFunction, Zone,
};
use std::collections::BTreeMap;

/// One recorded run.
pub struct Run<'a> {
    pub name: &'a str,
    pub setup: Setup,
    pub arrivals: Vec<Arrival>,
    /// What was recorded, by first word; results under their step.
    pub lines: Vec<(&'a str, &'a str)>,
}

/// The runs of a file. `engine`: its name.
pub fn runs<'a>(engine: &str, text: &'a str) -> Vec<Run<'a>> {
    let blocks = text.split("\n\n").map(str::trim).filter(|block| block.starts_with("run "));
    blocks.map(|block| run(engine, block)).collect()
}

fn run<'a>(engine: &str, block: &'a str) -> Run<'a> {
    let lines = block.lines().filter(|line| !line.starts_with('#'));
    let mut lines: Vec<(&str, &str)> = lines.map(|line| line.split_once(' ').unwrap()).collect();
    let mut take = |word: &str| {
        let at = lines.iter().position(|(first, _)| *first == word).unwrap_or_else(|| panic!("no {word} in {block}"));
        lines.remove(at).1
    };
    let (name, set, input) = (take("run"), take("set"), take("in"));
    let set = Set(set.split(' ').map(|word| word.split_once('=').unwrap_or((word, "yes"))).collect());
    Run { name, setup: set.setup(engine), arrivals: arrivals(input, set.number("pace", 90)), lines }
}

fn arrivals(input: &str, pace: i64) -> Vec<Arrival> {
    let (mut step, mut clock, mut batch) = (0, 0, 0);
    let mut arrivals: Vec<Arrival> = Vec::new();
    for word in input.split(' ') {
        let parts: Vec<&str> = word.split(',').collect();
        let partition = parts.iter().find_map(|part| part.strip_prefix("p=")).map_or(0, |p| p.parse().unwrap());
        let value = parts.iter().find_map(|part| part.strip_prefix("v=")).map_or(1, |v| v.parse().unwrap());
        let side = if parts.contains(&"r") { Side::Right } else { Side::Left };
        if parts[0] == "|" {
            batch += 1;
            continue;
        }
        if parts[0] != "checkpoint" {
            (step, clock) = (step + 1, clock + pace);
        }
        let what = match parts[0] {
            "wait" => {
                clock += parts[1].parse::<i64>().unwrap();
                continue;
            }
            "idle" => What::Idle,
            "checkpoint" => What::Checkpoint,
            id => {
                let (id, key, time) = (id.to_owned(), parts[1].to_owned(), parts[2].parse().unwrap());
                What::Event(Event { id, time, key, value })
            }
        };
        arrivals.push(Arrival { step, clock, batch, side, partition, what });
    }
    arrivals
}

struct Set<'a>(BTreeMap<&'a str, &'a str>);

impl Set<'_> {
    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn number(&self, name: &str, otherwise: i64) -> i64 {
        self.0.get(name).map_or(otherwise, |value| value.parse().unwrap())
    }

    fn maybe(&self, name: &str) -> Option<i64> {
        self.0.get(name).map(|value| value.parse().unwrap())
    }

    fn window(&self, name: &str) -> Option<Window> {
        let mut parts = self.0.get(name)?.split(':');
        let kind = parts.next().unwrap();
        let numbers: Vec<i64> = parts.map(|part| part.parse().unwrap()).collect();
        Some(match (kind, numbers.as_slice()) {
            ("tumbling", &[size, offset]) => Window::Tumbling { size, offset },
            ("hopping", &[size, advance, offset]) => Window::Hopping { size, advance, offset },
            ("cumulating", &[max, step, offset]) => Window::Cumulating { max, step, offset },
            ("session", &[gap]) => Window::Session { gap },
            ("sliding", &[difference]) => Window::Sliding { difference },
            other => panic!("{other:?}"),
        })
    }

    fn bounds(&self) -> (i64, i64) {
        let (lower, upper) = self.0["bounds"].split_once(':').unwrap();
        (lower.parse().unwrap(), upper.parse().unwrap())
    }

    fn setup(&self, engine: &str) -> Setup {
        let operator = match engine {
            "flink_datastream" => Operator::DataStream(self.datastream()),
            "flink_sql" => Operator::Sql(self.sql()),
            "kafka_streams" => Operator::Streams(self.streams()),
            "spark" => Operator::Spark(self.spark()),
            other => panic!("{other}"),
        };
        let watermark = Watermark {
            delay: self.0.get("delay").and_then(|delay| delay.parse().ok()),
            form: if self.has("at-bound") { MarkForm::AtBound } else { MarkForm::OneBehind },
            interval: self.maybe("interval"),
            partitions: self.number("partitions", if self.has("after-merge") { 2 } else { 1 }).try_into().unwrap(),
            after_merge: self.has("after-merge"),
            idle_after: self.maybe("idle-after"),
            heeds_idle: self.has("heeds-idle"),
            policy: if self.has("policy") { MergePolicy::Max } else { MergePolicy::Min },
        };
        let rest = self.number("rest", 0);
        Setup { ends: self.has("ends"), rest, ..Setup::new(operator, watermark) }
    }

    fn datastream(&self) -> DataStream {
        let late_output = self.has("late-output");
        match self.0["op"] {
            "window" => DataStream::Window {
                window: self.window("window").unwrap(),
                lateness: self.number("lateness", 0),
                late_output,
                purging: self.has("purging"),
                then: self.window("then").map(|window| Then { window, lateness: self.number("then-lateness", 0) }),
            },
            "interval-join" => {
                let (lower, upper) = self.bounds();
                DataStream::IntervalJoin { lower, upper, late_output }
            }
            "window-join" => DataStream::WindowJoin { window: self.window("window").unwrap() },
            other => panic!("{other}"),
        }
    }

    fn sql(&self) -> Sql {
        let zone = Zone { offset: self.number("zone", 0), daylight_saving: self.has("daylight-saving") };
        let left = self.has("left");
        match self.0["op"] {
            "window" => Sql::WindowFunction(WindowFunction {
                window: self.window("window").unwrap(),
                two_phase: !self.has("one-phase"),
                zone,
                flush_heeds_offset: self.has("flush-heeds-offset"),
                late_fire: self.has("late-fire"),
                then: self.window("then"),
            }),
            "group-window" => {
                Sql::GroupWindow { window: self.window("window").unwrap(), late_fire: self.maybe("lateness"), zone }
            }
            "deduplicate" => Sql::Deduplicate(match self.0["keep"] {
                "first-by-time" => Keep::FirstByTime,
                "last-by-time" => Keep::LastByTime,
                "first-to-arrive" => Keep::FirstToArrive,
                "last-to-arrive" => Keep::LastToArrive,
                other => panic!("{other}"),
            }),
            "group-by" => Sql::GroupBy { ttl: self.maybe("ttl") },
            "current-watermark" => Sql::CurrentWatermark,
            "interval-join" => {
                let (lower, upper) = self.bounds();
                Sql::IntervalJoin { lower, upper, left }
            }
            "window-join" => Sql::WindowJoin { window: self.window("window").unwrap() },
            "join" => Sql::Join { left },
            other => panic!("{other}"),
        }
    }

    fn streams(&self) -> Streams {
        let grace = self.number("grace", 0);
        if self.0["op"] == "join" {
            let (before, after) = self.bounds();
            return Streams::Join { before: -before, after, grace, left: self.has("left") };
        }
        let emit = match self.0["emit"] {
            "update" => StreamsEmit::EveryUpdate,
            "close" => StreamsEmit::OnWindowClose,
            "suppress" => StreamsEmit::Suppress,
            other => panic!("{other}"),
        };
        Streams::Window { window: self.window("window").unwrap(), grace, emit }
    }

    fn spark(&self) -> Spark {
        let query = match self.0["op"] {
            "window" => Query::Window { window: self.window("window").unwrap(), then: self.window("then") },
            "group-by" => Query::GroupBy,
            "deduplicate" => Query::DropDuplicatesWithinWatermark,
            "join" => {
                let (lower, upper) = self.bounds();
                Query::Join { lower, upper, left: self.has("left") }
            }
            other => panic!("{other}"),
        };
        let mode = match self.0["mode"] {
            "append" => OutputMode::Append,
            "update" => OutputMode::Update,
            "complete" => OutputMode::Complete,
            other => panic!("{other}"),
        };
        Spark { query, mode, no_data_batches: !self.has("no-no-data"), backlog: self.has("backlog") }
    }
}
