//! Where an older version stands if an owner still writes after its group has replaced it: no label tells it, the scope does.
//! Each case follows from what its writer commits when and what compares versions or positions.

use crate::path::{self, CAPTURE, CLEAN, Engine, From, Job, SHORT, Step, UNMARKED, Write};
use pipeline_desk::{
    analysis::{analyse, delivery::verdict::DeliveryVerdict},
    model::View,
};

const EXACT: Engine = Engine::Flink("exactly_once");

const fn job(engine: Engine, steps: &'static [Step], write: Write) -> Job {
    Job { engine, committed: true, steps, write }
}

fn verdict(from: From, jobs: &[Job]) -> DeliveryVerdict {
    let (design, _) = path::design(from, jobs, &SHORT);
    let report = analyse(&design, View::AsIs);
    report.consumers.values().next().unwrap().delivery.clone()
}

/// Places with the jobs whose owners can be replaced; the scope names the same ones.
fn said(from: From, jobs: &[Job]) -> Vec<String> {
    let verdict = verdict(from, jobs);
    assert_eq!(verdict.unknown, [], "every fact is there");
    let words =
        |owners: &[pipeline_desk::model::Id]| owners.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    for one in &verdict.replaced {
        let text = format!("an owner of {} still writes after its group has replaced it", words(&one.owners));
        assert!(verdict.scope.contains(&text), "{}", verdict.scope);
    }
    assert_eq!(verdict.scope.matches("An older version can stand").count(), verdict.replaced.len());
    verdict.replaced.iter().map(|one| format!("{}: {}", one.at, words(&one.owners))).collect()
}

fn one(engine: Engine, write: Write) -> Vec<String> {
    said(CLEAN, &[job(engine, &[Step::Map], write)])
}

const NONE: [&str; 0] = [];

#[test]
fn rows_of_an_entity_without_versions() {
    let own = ["l3: n1_job"];
    assert_eq!(one(Engine::AfterWork, Write::UpsertByEntity), own);
    // The transaction of Kafka Streams ends at its log.
    assert_eq!(one(Engine::Streams("exactly_once"), Write::UpsertByEntity), own);
    assert_eq!(one(Engine::Streams("at_least_once"), Write::UpsertByEntity), own);
    for write in [Write::UpsertByEntityGuarded, Write::UpsertById, Write::Insert, Write::Increment, Write::Call] {
        assert_eq!(one(Engine::AfterWork, write), NONE, "{write:?}");
    }
    assert_eq!(one(Engine::WithRows, Write::UpsertByEntity), NONE, "the position is compared");
    assert_eq!(one(Engine::BeforeWork, Write::UpsertByEntity), NONE, "no copy: the order ends there");
    assert_eq!(one(EXACT, Write::UpsertByEntity), NONE, "no group");
    assert_eq!(one(Engine::Spark, Write::UpsertByEntity), NONE, "no group");
    let stale = [job(Engine::AfterWork, &[Step::Map], Write::UpsertByEntity)];
    assert_eq!(said(UNMARKED, &stale), NONE, "an old version can stand anyway");
}

/// A copy that came late into a log is late for whoever reads it.
#[test]
fn a_late_copy_goes_on() {
    let relay = job(Engine::AfterWork, &[Step::Map], Write::Log);
    let then = |engine, steps, write| said(CLEAN, &[relay, job(engine, steps, write)]);
    assert_eq!(then(EXACT, &[Step::Map], Write::UpsertByEntity), ["l5: n1_job"]);
    assert_eq!(then(Engine::AfterWork, &[Step::Map], Write::UpsertByEntity), ["l5: n1_job and n2_job"]);
    assert_eq!(then(Engine::WithRows, &[Step::Map], Write::UpsertByEntity), ["l5: n1_job"]);
    assert_eq!(then(EXACT, &[Step::Map], Write::UpsertByEntityGuarded), NONE);
    assert_eq!(then(EXACT, &[Step::Last], Write::UpsertByEntity), ["n2_0: n1_job"]);
    assert_eq!(then(EXACT, &[Step::Max], Write::UpsertByEntity), NONE, "a maximum does not fall");
    let fenced = job(Engine::Streams("exactly_once"), &[Step::Map], Write::LogTransaction);
    assert_eq!(said(CLEAN, &[fenced, job(EXACT, &[Step::Map], Write::UpsertByEntity)]), NONE);
}

/// Two tasks of a source connector can write what they took from one source (KIP-618); Flink takes by itself.
#[test]
fn tasks_of_a_source_connector() {
    let table = |engine| job(engine, &[Step::Map], Write::UpsertByEntity);
    assert_eq!(said(CAPTURE, &[table(EXACT)]), ["l4: capture_job"]);
    assert_eq!(said(CAPTURE, &[table(Engine::AfterWork)]), ["l4: capture_job and n1_job"]);
    assert_eq!(said(CLEAN, &[table(EXACT)]), NONE);
    let counted = job(Engine::Streams("exactly_once"), &[Step::Count], Write::LogTransaction);
    assert_eq!(said(CAPTURE, &[counted, table(EXACT)]), NONE, "a count that is too high is said as that");
}

#[test]
fn the_scope_names_the_mechanism_and_what_mends_it() {
    let scope = |jobs: &[Job]| verdict(CLEAN, jobs).scope;
    let relay = job(Engine::AfterWork, &[Step::Map], Write::Log);
    let table = job(Engine::AfterWork, &[Step::Map], Write::UpsertByEntity);
    assert_eq!(
        scope(&[table]),
        "Between src and reader. Outside of these nothing is claimed. An older version can stand if an owner of n1_job still \
         writes after its group has replaced it: n1_0 → t2 compares no versions. Mended by a version, or an epoch of the \
         owner, in the condition of the write."
    );
    // That nobody read what the write compares does not say that it compares nothing.
    let (text, _) = path::document(CLEAN, &[table], &SHORT);
    let unread = text.replace("\"version_guard\":[],", "").replace(",\"version_guard\":[]", "");
    assert_ne!(text, unread, "{text}");
    let report = analyse(&pipeline_desk::codec::decode(&unread).unwrap(), View::AsIs);
    let unread = &report.consumers.values().next().unwrap().delivery.scope;
    assert!(unread.contains(": n1_0 → t2 is not known to compare versions. Mended by a version,"), "{unread}");
    let other = scope(&[relay, job(EXACT, &[Step::Map], Write::UpsertByEntity)]);
    assert!(other.ends_with("compares no versions. Mended by a version in the condition of the write."), "{other}");
    let last = scope(&[relay, job(EXACT, &[Step::Last], Write::UpsertByEntity)]);
    let ends = "n2_0 keeps what comes last. Mended by one transaction for position and output of n1_job.";
    assert!(last.ends_with(ends), "{last}");
}
