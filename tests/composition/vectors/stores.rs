//! Vectors that end in rows of a store, or in a call.

use super::{NOTHING, job, uncommitted};
use crate::{
    expect::{Expect, Loss, check},
    path::{CLEAN, Engine, From, RESENDING, SHORT, Step, Times, WEBHOOK, Write},
};
use pipeline_desk::analysis::delivery::verdict::{
    CopyClass::{Aborted, ProducerRestart, ProducerRetry, Redelivery, Reemission},
    Label, RepairHow,
    Transient::UncommittedVisible,
};

/// V01.
#[test]
fn plain_insert_shows_resends_and_rereads() {
    let jobs = [job(Engine::AfterWork, &[Step::Map], Write::Insert)];
    let expect = Expect {
        rows: &[(ProducerRestart, "src"), (Redelivery, "n1")],
        label: Label::AtLeastOnce,
        origin: Some("src"),
        repair: Some(("n1", RepairHow::Write)),
        ..NOTHING
    };
    check(RESENDING, &jobs, &SHORT, &expect);
}

/// V02.
#[test]
fn unique_event_id_absorbs_both() {
    let jobs = [job(Engine::AfterWork, &[Step::Map], Write::UpsertById)];
    let expect = NOTHING;
    check(RESENDING, &jobs, &SHORT, &expect);
}

/// V03.
#[test]
fn an_id_made_by_the_consumer_absorbs_nothing() {
    let jobs = [job(Engine::AfterWork, &[Step::RandomId], Write::UpsertById)];
    let expect = Expect {
        rows: &[(ProducerRestart, "src"), (Redelivery, "n1")],
        label: Label::AtLeastOnce,
        origin: Some("src"),
        repair: Some(("n1", RepairHow::DeterministicId)),
        ..NOTHING
    };
    check(RESENDING, &jobs, &SHORT, &expect);
}

/// V04.
#[test]
fn acks_of_the_leader_alone_lose() {
    let jobs = [job(Engine::AfterWork, &[Step::Map], Write::Insert)];
    let expect = Expect {
        loss: Loss::Rows,
        lossy: &["src"],
        rows: &[(ProducerRetry, "src"), (Redelivery, "n1")],
        label: Label::BestEffort,
        weakest_loss: Some("src"),
        origin: Some("src"),
        repair: Some(("n1", RepairHow::Write)),
        ..NOTHING
    };
    check(From::Application { acks: "1", idempotent: false, after_restart: "nothing" }, &jobs, &SHORT, &expect);
}

/// V16.
#[test]
fn a_call_out_of_an_exact_job_repeats() {
    let jobs = [job(Engine::Flink("exactly_once"), &[Step::Map], Write::Call)];
    let expect = Expect {
        rows: &[(Reemission, "n1")],
        label: Label::AtLeastOnce,
        origin: Some("n1"),
        repair: Some(("n1", RepairHow::Write)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V17.
#[test]
fn coordinates_absorb_the_rereads_of_their_log() {
    let jobs = [job(Engine::AfterWork, &[Step::Map], Write::ByCoordinates)];
    let expect = NOTHING;
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V18.
#[test]
fn coordinates_do_not_absorb_a_resend() {
    let jobs = [job(Engine::AfterWork, &[Step::Map], Write::ByCoordinates)];
    let expect = Expect {
        rows: &[(ProducerRestart, "src")],
        label: Label::AtLeastOnce,
        origin: Some("src"),
        repair: Some(("n1", RepairHow::Write)),
        ..NOTHING
    };
    check(RESENDING, &jobs, &SHORT, &expect);
}

/// V20.
#[test]
fn a_relay_in_front_of_coordinates() {
    let jobs =
        [job(Engine::AfterWork, &[Step::Map], Write::Log), job(Engine::AfterWork, &[Step::Map], Write::ByCoordinates)];
    let expect = Expect {
        rows: &[(Reemission, "n1")],
        label: Label::AtLeastOnce,
        origin: Some("n1"),
        repair: Some(("n2", RepairHow::Write)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V21.
#[test]
fn a_relay_in_front_of_a_stored_position() {
    let jobs = [job(Engine::AfterWork, &[Step::Map], Write::Log), job(Engine::WithRows, &[Step::Map], Write::Insert)];
    let expect = Expect {
        rows: &[(Reemission, "n1")],
        label: Label::AtLeastOnce,
        origin: Some("n1"),
        repair: Some(("n2", RepairHow::Write)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V26.
#[test]
fn marks_apart_from_output_in_front_of_a_keyed_table() {
    let jobs = [
        job(Engine::Streams("at_least_once"), &[Step::Deduplicate("unlimited")], Write::Log),
        job(Engine::AfterWork, &[Step::Map], Write::UpsertById),
    ];
    let expect = Expect {
        loss: Loss::Rows,
        lossy: &["n1:dedup"],
        label: Label::AtMostOnce,
        weakest_loss: Some("n1:dedup"),
        ..NOTHING
    };
    check(WEBHOOK, &jobs, &SHORT, &expect);
}

/// V27.
#[test]
fn marks_with_output_in_front_of_a_keyed_table() {
    let jobs = [
        job(Engine::Streams("exactly_once"), &[Step::Deduplicate("86400s")], Write::LogTransaction),
        job(Engine::AfterWork, &[Step::Map], Write::UpsertById),
    ];
    let expect = NOTHING;
    check(
        From::Webhook { acknowledge: "after_store", resent_within: "200000s" },
        &jobs,
        &Times { outage: "1800s", transaction_timeout: "3600s", ..SHORT },
        &expect,
    );
}

/// V29.
#[test]
fn random_ids_in_a_transaction_read_committed() {
    let jobs = [
        job(Engine::Streams("exactly_once"), &[Step::RandomId], Write::LogTransaction),
        job(Engine::AfterWork, &[Step::Map], Write::UpsertById),
    ];
    let expect = NOTHING;
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V30.
#[test]
fn random_ids_in_a_transaction_read_uncommitted() {
    let jobs = [
        job(Engine::Streams("exactly_once"), &[Step::RandomId], Write::LogTransaction),
        uncommitted(Engine::AfterWork, &[Step::Map], Write::UpsertById),
    ];
    let expect = Expect {
        rows: &[(Aborted, "n2")],
        transient: &[UncommittedVisible],
        label: Label::AtLeastOnce,
        origin: Some("n2"),
        repair: Some(("n2", RepairHow::Isolation)),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V39.
#[test]
fn closing_after_an_error_skips() {
    let jobs = [job(Engine::AutomaticClosing, &[Step::Map], Write::UpsertById)];
    let expect =
        Expect { loss: Loss::Rows, lossy: &["n1"], label: Label::AtMostOnce, weakest_loss: Some("n1"), ..NOTHING };
    check(CLEAN, &jobs, &SHORT, &expect);
}

/// V40.
#[test]
fn marked_before_written_loses() {
    let jobs = [job(Engine::AfterWork, &[Step::MarkedBefore], Write::Insert)];
    let expect = Expect {
        loss: Loss::Rows,
        lossy: &["n1:xd"],
        label: Label::AtMostOnce,
        weakest_loss: Some("n1:xd"),
        ..NOTHING
    };
    check(CLEAN, &jobs, &SHORT, &expect);
}
