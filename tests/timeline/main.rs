//! The timeline against recorded runs of the engines: every result with its step, content and watermark, what is late and
//! where it goes, the drop counters as each engine counts, the micro-batches, and what both readers see.

mod closed_form;
mod designs;
mod edges;
mod fates;
mod idle;
mod laws;
mod notation;
mod reference;
mod refused;

use notation::{Run, runs};
use pipeline_desk::timeline::{
    Arrival, At, Change, Emission, LateTo, Latest, Operator, Refusal, Row, Span, Sql, Subject, Timeline, Verdict, Why,
    predict,
};

fn check(engine: &str, text: &str, many: usize) {
    let runs = runs(engine, text);
    assert_eq!(runs.len(), many, "a run has gone missing");
    let wrong: Vec<String> = runs.iter().flat_map(differences).collect();
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn flink_datastream() {
    check("flink_datastream", include_str!("flink_datastream.txt"), 31);
}

#[test]
fn flink_sql() {
    check("flink_sql", include_str!("flink_sql.txt"), 36);
}

#[test]
fn kafka_streams() {
    check("kafka_streams", include_str!("kafka_streams.txt"), 18);
}

#[test]
fn spark() {
    check("spark", include_str!("spark.txt"), 24);
}

/// What was recorded and is not predicted, and the other way round.
fn differences(run: &Run) -> Vec<String> {
    let of = |word: &str| run.lines.iter().filter(|(first, _)| *first == word).map(|(_, rest)| *rest).collect();
    let refused: Vec<&str> = of("refused");
    let timeline = match (predict(&run.setup, &run.arrivals), refused.first()) {
        (Err(Refusal::Engine(text)), Some(words)) if text.contains(words) => return Vec::new(),
        (Err(refusal), _) => return vec![format!("{}: refused: {refusal}", run.name)],
        (Ok(_), Some(words)) => return vec![format!("{}: the engine refuses: {words}", run.name)],
        (Ok(timeline), None) => timeline,
    };
    let known = ["batches", "late", "counter", "unseen", "append", "upsert"];
    let results = run.lines.iter().filter(|(first, _)| !known.contains(first));
    let results: Vec<String> = results.map(|(first, rest)| format!("{first} {rest}")).collect();
    let mut wrong = compare("results", results.iter().map(String::as_str), &emissions(run, &timeline));
    let upsert: Vec<&str> = of("upsert");
    if !upsert.is_empty() {
        let rows: Vec<String> = timeline.readers.upsert.iter().map(|latest| latest_row(run, latest)).collect();
        wrong.extend(compare("upsert", upsert.into_iter().filter(|row| *row != "none"), &rows));
    }
    wrong.extend(one("counter", &of("counter"), &counters(&timeline)));
    wrong.extend(one("batches", &of("batches"), &batches(&timeline)));
    wrong.extend(one("append", &of("append"), &append(&timeline)));
    let late: Vec<&str> = of("late");
    let known_late = late != ["unknown"];
    if known_late {
        wrong.extend(compare("late", late.into_iter(), &lates(run, &timeline)));
    }
    wrong.extend(one("unseen", &of("unseen"), &[unseen(run, &timeline, known_late)]));
    wrong.into_iter().map(|text| format!("{}: {text}", run.name)).collect()
}

/// Each recorded line has a predicted one with all of its words, and there is no other.
fn compare<'a>(what: &str, recorded: impl Iterator<Item = &'a str>, predicted: &[String]) -> Vec<String> {
    let mut left: Vec<&String> = predicted.iter().collect();
    let mut wrong = Vec::new();
    for line in recorded {
        let fits = |other: &&String| {
            let words: Vec<&str> = other.split(' ').collect();
            line.split(' ').all(|word| words.contains(&word))
        };
        match left.iter().position(fits) {
            Some(at) => {
                left.remove(at);
            }
            None => wrong.push(format!("{what}: not predicted: {line}")),
        }
    }
    wrong.extend(left.into_iter().map(|line| format!("{what}: not recorded: {line}")));
    wrong
}

/// Lines that are compared whole, where the run has any.
fn one(what: &str, recorded: &[&str], predicted: &[String]) -> Option<String> {
    let same = recorded.is_empty() || recorded.iter().copied().eq(predicted.iter().map(String::as_str));
    (!same).then(|| format!("{what}: recorded {recorded:?}, predicted {predicted:?}"))
}

fn id(run: &Run, at: usize) -> String {
    run.arrivals[at].event().unwrap().id.clone()
}

fn span(span: Span) -> String {
    format!("{}..{}", span.start, span.end)
}

fn pair(run: &Run, pair: [Option<usize>; 2]) -> String {
    let [left, right] = pair.map(|at| at.map_or_else(|| "-".to_owned(), |at| id(run, at)));
    format!("pair={left},{right}")
}

fn stage_row(row: &Row) -> String {
    format!("{}={}", span(row.window.unwrap()), row.sum)
}

fn row_words(run: &Run, timeline: &Timeline, row: &Row) -> Vec<String> {
    let mut words = vec![format!("n={}", row.count), format!("sum={}", row.sum)];
    words.extend(row.key.iter().map(|key| format!("key={key}")));
    words.extend(row.window.map(|window| format!("win={}", span(window))));
    words.extend(row.window.map(|window| format!("win-end={}", window.end)));
    words.extend(row.pair.map(|both| pair(run, both)));
    words.extend(row.time.map(|time| format!("t={time}")));
    words.extend(row.late.map(|late| format!("mark={}", if late { "late" } else { "ok" })));
    let mut ids: Vec<String> = row.events.iter().map(|at| id(run, *at)).collect();
    ids.sort();
    let mut rows: Vec<String> = row.rows.iter().map(|at| stage_row(&timeline.emissions[*at].row)).collect();
    rows.sort();
    words.push(format!("of={}", ids.join(",")));
    words.push(format!("rows={}", rows.join(";")));
    words
}

fn emissions(run: &Run, timeline: &Timeline) -> Vec<String> {
    let leaving = timeline.emissions.iter().filter(|emission| emission.leaves);
    leaving.map(|emission| emission_line(run, timeline, emission)).collect()
}

fn emission_line(run: &Run, timeline: &Timeline, emission: &Emission) -> String {
    let at = match (emission.epoch, emission.at) {
        (Some(epoch), _) => format!("{}{}", epoch.number, if epoch.no_data { "n" } else { "" }),
        (None, At::Step(step)) => step.to_string(),
        (None, At::End) => "end".to_owned(),
    };
    let change = match emission.change {
        Change::Insert => "+I",
        Change::UpdateBefore => "-U",
        Change::UpdateAfter => "+U",
        Change::Delete => "-D",
        Change::Upsert => "U",
        Change::Tombstone => "T",
    };
    let mut words = vec![at, change.to_owned(), format!("stage={}", emission.stage)];
    words.extend(emission.watermark.map(|watermark| format!("w={watermark}")));
    words.extend(row_words(run, timeline, &emission.row));
    words.join(" ")
}

fn latest_row(run: &Run, latest: &Latest) -> String {
    let Latest { stage, key, window, pair: both, event, count, .. } = latest;
    let mut words = vec![format!("n={count}"), format!("stage={stage}")];
    words.extend(key.iter().map(|key| format!("key={key}")));
    words.extend(window.map(|window| format!("win={}", span(window))));
    words.extend(window.map(|window| format!("win-end={}", window.end)));
    words.extend(both.map(|both| pair(run, both)));
    words.extend(event.map(|at| format!("of={}", id(run, at))));
    words.join(" ")
}

fn counters(timeline: &Timeline) -> Vec<String> {
    let counters: Vec<String> =
        timeline.dropped.iter().map(|metric| format!("{} {}", metric.name, metric.value)).collect();
    if counters.is_empty() { vec!["none".to_owned()] } else { counters }
}

fn batches(timeline: &Timeline) -> Vec<String> {
    let batches = timeline.batches.iter().map(|batch| {
        let no_data = if batch.epoch.no_data { "n" } else { "" };
        format!("{}{no_data}:{}:{}:{}", batch.epoch.number, batch.rows, batch.watermark, batch.dropped)
    });
    vec![batches.collect::<Vec<_>>().join(" ")]
}

fn append(timeline: &Timeline) -> Vec<String> {
    let append = timeline.readers.append;
    vec![format!("{} {} {}", append.rows, append.adding, append.retracting)]
}

/// What was late, but for what vanished silently, of which no engine says anything.
fn lates(run: &Run, timeline: &Timeline) -> Vec<String> {
    let lines = timeline.late.iter().filter_map(|late| {
        let to = match late.to {
            LateTo::Dropped(_) => "dropped",
            LateTo::SideOutput => "side",
            LateTo::SideOutputLeft => "side-left",
            LateTo::SideOutputRight => "side-right",
            LateTo::DroppedSilently => return None,
        };
        Some(match late.subject {
            Subject::Event(at) => format!("{to} {}", id(run, at)),
            Subject::Row(at) => format!("{to} row={}", stage_row(&timeline.emissions[at].row)),
        })
    });
    lines.collect()
}

/// Records in no result; where the late ones are known, without them.
fn unseen(run: &Run, timeline: &Timeline, known_late: bool) -> String {
    let late = |verdict: Verdict| known_late && matches!(verdict, Verdict::Late(to) if to != LateTo::DroppedSilently);
    let seen = |verdict: Verdict| matches!(verdict, Verdict::Counted | Verdict::PartlyCounted);
    let unseen = timeline.fates.iter().filter(|fate| !seen(fate.verdict) && !late(fate.verdict));
    let ids: Vec<String> = unseen.map(|fate| id(run, fate.event)).collect();
    if ids.is_empty() { "-".to_owned() } else { ids.join(" ") }
}

/// What the setup says of rows that leave their buffer too late is what was recorded.
#[test]
fn late_flushes_are_told_by_the_setup() {
    let hit = ["fsql-27", "fsql-43", "fsql-53", "fsql-55", "fsql-61", "fsql-53@2.3.0", "fsql-65"];
    for run in runs("flink_sql", include_str!("flink_sql.txt")) {
        let Operator::Sql(Sql::WindowFunction(function)) = run.setup.operator else { continue };
        assert_eq!(function.may_flush_too_late(), hit.contains(&run.name), "{}", run.name);
        let lost = predict(&run.setup, &run.arrivals)
            .is_ok_and(|timeline| timeline.fates.iter().any(|fate| fate.verdict == Verdict::Gone(Why::FlushedTooLate)));
        // Not the other way round: checkpoints saved the rows of one run.
        assert!(!lost || function.may_flush_too_late(), "{}", run.name);
    }
}

/// Every record has one fate, and a record that is late or gone is in no result.
#[test]
fn no_record_is_both_counted_and_gone() {
    let files = [
        ("flink_datastream", include_str!("flink_datastream.txt")),
        ("flink_sql", include_str!("flink_sql.txt")),
        ("kafka_streams", include_str!("kafka_streams.txt")),
        ("spark", include_str!("spark.txt")),
    ];
    for (engine, text) in files {
        for run in runs(engine, text) {
            let Ok(timeline) = predict(&run.setup, &run.arrivals) else { continue };
            let events = run.arrivals.iter().filter(|arrival: &&Arrival| arrival.event().is_some()).count();
            assert_eq!(timeline.fates.len(), events, "{}", run.name);
            for late in &timeline.late {
                let Subject::Event(at) = late.subject else { continue };
                let shown = timeline.emissions.iter().any(|emission| emission.row.events.contains(&at));
                assert!(!shown, "{}: {} is late and in a result", run.name, id(&run, at));
            }
        }
    }
}
