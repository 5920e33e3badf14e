//! Vectors that end in a log.

use super::{NOTHING, job};
use crate::{
    expect::{Expect, Loss, check},
    path::{CLEAN, Engine, From, SHORT, Step, Times, Write},
};
use pipeline_desk::analysis::delivery::verdict::{
    CopyClass::{ProducerRetry, Reemission, SourceResend},
    Label, RepairHow,
};

/// V08.
#[test]
fn an_unconfirmed_sink_loses() {
    let jobs = [job(Engine::Flink("exactly_once"), &[Step::Map], Write::LogUnconfirmed)];
    let expect = Expect {
        loss: Loss::Rows,
        lossy: &["n1:w"],
        rows: &[(Reemission, "n1")],
        label: Label::BestEffort,
        weakest_loss: Some("n1:w"),
        origin: Some("n1"),
        repair: Some(("n1", RepairHow::Write)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V09.
#[test]
fn two_phase_sink_inside_its_timeout() {
    let jobs = [job(Engine::Flink("exactly_once"), &[Step::Map], Write::LogTransaction)];
    let expect = Expect { label: Label::ExactlyOnceScoped, ..NOTHING };
    check(CLEAN, &jobs, &Times { transaction_timeout: "900s", checkpoint_duration: "120s", outage: "300s" }, &expect);
}

/// V10.
#[test]
fn two_phase_sink_outside_its_timeout() {
    let jobs = [job(Engine::Flink("exactly_once"), &[Step::Map], Write::LogTransaction)];
    let expect = Expect {
        loss: Loss::Rows,
        lossy: &["n1:txn_timeout"],
        label: Label::AtMostOnce,
        weakest_loss: Some("n1:txn_timeout"),
        ..NOTHING
    };
    check(CLEAN, &jobs, &Times { transaction_timeout: "900s", checkpoint_duration: "120s", outage: "1800s" }, &expect);
}

/// V14.
#[test]
fn quality_of_service_zero_loses_and_does_not_repeat() {
    let jobs = [job(Engine::Streams("exactly_once"), &[Step::Map], Write::LogTransaction)];
    let expect =
        Expect { loss: Loss::Rows, lossy: &["src"], label: Label::AtMostOnce, weakest_loss: Some("src"), ..NOTHING };
    check(From::Mqtt, &jobs, &SHORT, &expect);
}

/// V15.
#[test]
fn spark_writes_a_log_again() {
    let jobs = [job(Engine::Spark, &[Step::Map], Write::Log)];
    let expect = Expect {
        rows: &[(Reemission, "n1")],
        label: Label::AtLeastOnce,
        origin: Some("n1"),
        repair: Some(("n1", RepairHow::Write)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V19.
#[test]
fn a_web_call_acknowledged_too_early() {
    let jobs = [job(Engine::Flink("exactly_once"), &[Step::Map], Write::LogTransaction)];
    let expect = Expect {
        loss: Loss::Rows,
        lossy: &["src"],
        rows: &[(SourceResend, "src")],
        label: Label::BestEffort,
        weakest_loss: Some("src"),
        origin: Some("src"),
        repair: Some(("n1", RepairHow::Write)),
        ..NOTHING
    };
    check(From::Webhook { acknowledge: "before_store", resent_within: "unlimited" }, &jobs, &SHORT, &expect);
}

/// V22.
#[test]
fn spark_in_front_of_a_two_phase_sink() {
    let jobs = [
        job(Engine::Spark, &[Step::Map], Write::Log),
        job(Engine::Flink("exactly_once"), &[Step::Map], Write::LogTransaction),
    ];
    let expect = Expect {
        rows: &[(Reemission, "n1")],
        label: Label::AtLeastOnce,
        origin: Some("n1"),
        repair: Some(("n2", RepairHow::Write)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V24.
#[test]
fn producer_retries_in_front_of_a_transaction() {
    let jobs = [job(Engine::Streams("exactly_once"), &[Step::Map], Write::LogTransaction)];
    let expect = Expect {
        rows: &[(ProducerRetry, "src")],
        label: Label::AtLeastOnce,
        origin: Some("src"),
        repair: Some(("n1", RepairHow::Write)),
        ..NOTHING
    };
    check(From::Application { acks: "all", idempotent: false, after_restart: "nothing" }, &jobs, &SHORT, &expect);
}

/// V25.
#[test]
fn marks_apart_from_output_lose() {
    let jobs = [job(Engine::Streams("at_least_once"), &[Step::Deduplicate("unlimited")], Write::Log)];
    let expect = Expect {
        loss: Loss::Rows,
        lossy: &["n1:dedup"],
        rows: &[(Reemission, "n1")],
        label: Label::BestEffort,
        weakest_loss: Some("n1:dedup"),
        origin: Some("n1"),
        repair: Some(("n1", RepairHow::Write)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V28.
#[test]
fn two_phase_sink_over_at_least_once_checkpoints() {
    let jobs = [job(Engine::Flink("at_least_once"), &[Step::Map], Write::LogTransaction)];
    let expect = Expect {
        rows: &[(Reemission, "n1")],
        label: Label::AtLeastOnce,
        origin: Some("n1"),
        repair: Some(("n1", RepairHow::Write)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V32.
#[test]
fn no_acks_lose_and_never_repeat() {
    let jobs = [job(Engine::Streams("exactly_once"), &[Step::Map], Write::LogTransaction)];
    let expect =
        Expect { loss: Loss::Rows, lossy: &["src"], label: Label::AtMostOnce, weakest_loss: Some("src"), ..NOTHING };
    check(From::Application { acks: "0", idempotent: false, after_restart: "nothing" }, &jobs, &SHORT, &expect);
}
