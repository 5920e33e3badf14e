//! What is said of some paths, word for word.

use crate::path::{self, CAPTURE, CLEAN, Engine, From, Job, RESENDING, SHORT, Step, UNMARKED, WEBHOOK, Write};
use pipeline_desk::{analysis::analyse, model::View};
use std::fmt::Write as _;

const fn job(engine: Engine, steps: &'static [Step], write: Write) -> Job {
    Job { engine, committed: true, steps, write }
}

#[test]
fn sentences_reasons_duties_and_scopes() {
    let exact = Engine::Flink("exactly_once");
    let paths: [(From, &[Job]); 9] = [
        (RESENDING, &[job(Engine::AfterWork, &[Step::Map], Write::Insert)]),
        (RESENDING, &[job(Engine::AfterWork, &[Step::Map], Write::UpsertById)]),
        (CAPTURE, &[job(Engine::Streams("exactly_once"), &[Step::Count], Write::LogTransaction)]),
        (CAPTURE, &[job(exact, &[Step::Deduplicate("1d"), Step::Count], Write::LogTransaction)]),
        (CLEAN, &[job(exact, &[Step::Map], Write::LogTransaction)]),
        (From::Mqtt, &[job(exact, &[Step::Map], Write::Call)]),
        (WEBHOOK, &[job(Engine::Streams("at_least_once"), &[Step::Deduplicate("1d")], Write::Log)]),
        (UNMARKED, &[job(Engine::AfterWork, &[Step::Map], Write::UpsertByEntity)]),
        (CLEAN, &[job(Engine::AfterWork, &[Step::CountInMemory], Write::Insert)]),
    ];
    let mut text = String::new();
    for (from, jobs) in paths {
        let (design, _) = path::design(from, jobs, &SHORT);
        let report = analyse(&design, View::AsIs);
        let verdict = &report.consumers.values().next().unwrap().delivery;
        writeln!(text, "{from:?} {jobs:?}").unwrap();
        writeln!(text, "  {}  {}", verdict.badge.text(), verdict.sentence).unwrap();
        for why in &verdict.why {
            writeln!(text, "  {why}").unwrap();
        }
        writeln!(text, "  {}\n  {}\n", verdict.consumer_must.words(), verdict.scope).unwrap();
    }
    insta::assert_snapshot!(text);
}
