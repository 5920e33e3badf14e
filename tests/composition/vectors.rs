//! Small paths with what a reader at their end can observe, found by exhaustive exploration of failures of an operational
//! model of each hop: two events, up to two crashes, one lost broker, one lost answer.

use crate::{
    expect::{Expect, Loss, check},
    path::{CAPTURE, CLEAN, Engine, From, Job, RESENDING, SHORT, Step, Times, UNMARKED, WEBHOOK, Write},
};
use pipeline_desk::analysis::delivery::verdict::{
    CopyClass::{Aborted, ProducerRestart, ProducerRetry, Redelivery, Reemission, SourceResend},
    Label, RepairHow,
    Transient::{OlderValueShownAgain, UncommittedVisible},
    ValueEffect,
};

const fn job(engine: Engine, steps: &'static [Step], write: Write) -> Job {
    Job { engine, committed: true, steps, write }
}

const fn uncommitted(engine: Engine, steps: &'static [Step], write: Write) -> Job {
    Job { engine, committed: false, steps, write }
}

const NOTHING: Expect = Expect {
    loss: Loss::No,
    lossy: &[],
    rows: &[],
    transient: &[],
    taint: &[],
    value: ValueEffect::NotApplicable,
    label: Label::EffectivelyOnce,
    weakest_loss: None,
    origin: None,
    repair: None,
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

/// V32.
#[test]
fn no_acks_lose_and_never_repeat() {
    let jobs = [job(Engine::Streams("exactly_once"), &[Step::Map], Write::LogTransaction)];
    let expect =
        Expect { loss: Loss::Rows, lossy: &["src"], label: Label::AtMostOnce, weakest_loss: Some("src"), ..NOTHING };
    check(From::Application { acks: "0", idempotent: false, after_restart: "nothing" }, &jobs, &SHORT, &expect);
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
