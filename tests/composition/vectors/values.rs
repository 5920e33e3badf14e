//! Vectors that end in computed values, or in one row an entity.

use super::{NOTHING, job, uncommitted};
use crate::{
    expect::{Expect, Loss, check},
    path::{CAPTURE, CLEAN, Engine, From, RESENDING, SHORT, Step, Times, UNMARKED, WEBHOOK, Write},
};
use pipeline_desk::analysis::delivery::verdict::{
    CopyClass::{Aborted, ProducerRestart, ProducerRetry, Redelivery, Reemission, SourceResend},
    Label, RepairHow,
    Transient::{OlderValueShownAgain, UncommittedVisible},
    ValueEffect,
};

/// V05.
#[test]
fn rolled_back_counts_show_to_an_uncommitted_reader() {
    let jobs = [
        job(Engine::Streams("exactly_once"), &[Step::Count], Write::LogTransaction),
        uncommitted(Engine::AfterWork, &[Step::Map], Write::Insert),
    ];
    let expect = Expect {
        rows: &[(Aborted, "n2"), (Redelivery, "n2")],
        transient: &[OlderValueShownAgain, UncommittedVisible],
        value: ValueEffect::Exact,
        label: Label::AtLeastOnce,
        origin: Some("n2"),
        repair: Some(("n2", RepairHow::Write)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V06.
#[test]
fn counts_of_a_transaction_into_a_keyed_table() {
    let jobs = [
        job(Engine::Streams("exactly_once"), &[Step::Count], Write::LogTransaction),
        job(Engine::AfterWork, &[Step::Map], Write::UpsertByEntity),
    ];
    let expect = Expect { transient: &[OlderValueShownAgain], value: ValueEffect::Exact, ..NOTHING };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V07.
#[test]
fn a_restarting_producer_is_counted_twice() {
    let jobs = [
        job(Engine::Streams("exactly_once"), &[Step::Count], Write::LogTransaction),
        job(Engine::AfterWork, &[Step::Map], Write::UpsertByEntity),
    ];
    let expect = Expect {
        transient: &[OlderValueShownAgain],
        taint: &[("n1", &[ProducerRestart])],
        value: ValueEffect::Over,
        label: Label::AtLeastOnce,
        origin: Some("src"),
        repair: Some(("n1", RepairHow::BeforeAggregate)),
        ..NOTHING
    };
    check(RESENDING, &jobs, &SHORT, &expect);
}

/// V11.
#[test]
fn captured_changes_are_counted_twice() {
    let jobs = [job(Engine::Streams("exactly_once"), &[Step::Count], Write::LogTransaction)];
    let expect = Expect {
        taint: &[("n1", &[ProducerRetry, SourceResend])],
        value: ValueEffect::Over,
        label: Label::AtLeastOnce,
        origin: Some("src"),
        repair: Some(("n1", RepairHow::BeforeAggregate)),
        ..NOTHING
    };
    check(CAPTURE, &jobs, &SHORT, &expect);
}

/// V12.
#[test]
fn deduplicated_before_the_count_in_time() {
    let jobs = [job(Engine::Flink("exactly_once"), &[Step::Deduplicate("86400s"), Step::Count], Write::LogTransaction)];
    let expect = Expect { value: ValueEffect::Exact, label: Label::SuppressedWithin, ..NOTHING };
    check(
        From::Capture { retries_within: "600s", resent_within: Some("360s") },
        &jobs,
        &Times { outage: "1800s", transaction_timeout: "3600s", ..SHORT },
        &expect,
    );
}

/// V13.
#[test]
fn deduplicated_before_the_count_too_late() {
    let jobs =
        [job(Engine::Streams("exactly_once"), &[Step::Deduplicate("86400s"), Step::Count], Write::LogTransaction)];
    let expect = Expect {
        taint: &[("n1", &[SourceResend])],
        value: ValueEffect::Over,
        label: Label::AtLeastOnce,
        origin: Some("src"),
        repair: Some(("n1", RepairHow::BeforeAggregate)),
        ..NOTHING
    };
    check(
        From::Capture { retries_within: "600s", resent_within: Some("200000s") },
        &jobs,
        &Times { outage: "1800s", transaction_timeout: "3600s", ..SHORT },
        &expect,
    );
}

/// V23.
#[test]
fn a_relay_in_front_of_an_exact_count() {
    let jobs = [
        job(Engine::AfterWork, &[Step::Map], Write::Log),
        job(Engine::Streams("exactly_once"), &[Step::Count], Write::LogTransaction),
        job(Engine::AfterWork, &[Step::Map], Write::UpsertByEntity),
    ];
    let expect = Expect {
        transient: &[OlderValueShownAgain],
        taint: &[("n2", &[Reemission])],
        value: ValueEffect::Over,
        label: Label::AtLeastOnce,
        origin: Some("n1"),
        repair: Some(("n2", RepairHow::BeforeAggregate)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V31.
#[test]
fn uncommitted_reader_between_two_exact_jobs() {
    let jobs = [
        job(Engine::Flink("exactly_once"), &[Step::Map], Write::LogTransaction),
        uncommitted(Engine::Flink("exactly_once"), &[Step::Count], Write::LogTransaction),
    ];
    let expect = Expect {
        transient: &[UncommittedVisible],
        taint: &[("n2", &[Aborted])],
        value: ValueEffect::Over,
        label: Label::AtLeastOnce,
        origin: Some("n2"),
        repair: Some(("n2", RepairHow::Isolation)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V33.
#[test]
fn last_value_behind_web_retries() {
    let jobs = [
        job(Engine::Streams("exactly_once"), &[Step::Last], Write::LogTransaction),
        job(Engine::AfterWork, &[Step::Map], Write::UpsertByEntity),
    ];
    let expect = Expect {
        transient: &[OlderValueShownAgain],
        taint: &[("n1", &[SourceResend])],
        value: ValueEffect::Stale,
        label: Label::AtLeastOnce,
        origin: Some("src"),
        repair: Some(("n1", RepairHow::VersionGuard)),
        ..NOTHING
    };
    check(WEBHOOK, &jobs, &SHORT, &expect);
}

/// V34.
#[test]
fn maximum_behind_web_retries() {
    let jobs = [
        job(Engine::Streams("exactly_once"), &[Step::Max], Write::LogTransaction),
        job(Engine::AfterWork, &[Step::Map], Write::UpsertByEntity),
    ];
    let expect = Expect { transient: &[OlderValueShownAgain], value: ValueEffect::Exact, ..NOTHING };
    check(WEBHOOK, &jobs, &SHORT, &expect);
}

/// V35.
#[test]
fn entity_rows_without_a_version() {
    let jobs = [job(Engine::AfterWork, &[Step::Map], Write::UpsertByEntity)];
    let expect = Expect {
        transient: &[OlderValueShownAgain],
        taint: &[("n1", &[ProducerRestart])],
        value: ValueEffect::Stale,
        label: Label::AtLeastOnce,
        origin: Some("src"),
        repair: Some(("n1", RepairHow::VersionGuard)),
        ..NOTHING
    };
    check(UNMARKED, &jobs, &SHORT, &expect);
}

/// V36.
#[test]
fn entity_rows_with_a_version() {
    let jobs = [job(Engine::AfterWork, &[Step::Map], Write::UpsertByEntityGuarded)];
    let expect = Expect { value: ValueEffect::Exact, ..NOTHING };
    check(UNMARKED, &jobs, &SHORT, &expect);
}

/// V37.
#[test]
fn a_count_in_memory_falls_short() {
    let jobs = [job(Engine::AfterWork, &[Step::CountInMemory], Write::Insert)];
    let expect = Expect {
        loss: Loss::Values,
        lossy: &["n1:volatile_state"],
        rows: &[(Redelivery, "n1")],
        transient: &[OlderValueShownAgain],
        value: ValueEffect::Under,
        label: Label::BestEffort,
        weakest_loss: Some("n1:volatile_state"),
        origin: Some("n1"),
        repair: Some(("n1", RepairHow::Write)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V38.
#[test]
fn an_increment_counts_rereads() {
    let jobs = [job(Engine::AfterWork, &[Step::Map], Write::Increment)];
    let expect = Expect {
        taint: &[("n1", &[Redelivery])],
        value: ValueEffect::Over,
        label: Label::AtLeastOnce,
        origin: Some("n1"),
        repair: Some(("n1", RepairHow::StateScope)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}
