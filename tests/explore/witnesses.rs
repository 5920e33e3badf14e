//! Small paths whose outcome is known: what the model must show, and what it must not.

use pipeline_desk::explore::{
    Bounds, Effect, observe,
    path::{
        Checkpoints, Client, Commit,
        Engine::{self, Consumer, Flink, Spark, Streams, WithRows},
        Node, Operator, Path, Rows, Source, Write,
    },
};

const CLEAN: Source = Source::Steady(Client::SAFE);
const RESENDING: Source = Source::Position(Client::SAFE);
const CAPTURE: Source = Source::Position(Client::CONNECTOR);
const WEBHOOK: Source = Source::Webhook { before: false };
const AFTER: Engine = Consumer(Commit::After);
const BEFORE: Engine = Consumer(Commit::Before);
const EXACT: Engine = Streams { exact: true };
const FLINK: Engine = Flink(Checkpoints::ExactlyOnce);
const FLINK_ALO: Engine = Flink(Checkpoints::AtLeastOnce);
const LOG: Write = Write::Log(Client::SAFE);
const APPEND: Write = Write::Store(Rows::Append);
const BY_ID: Write = Write::Store(Rows::ById);
const BY_ENTITY: Write = Write::Store(Rows::ByEntity);
const BY_COORDINATES: Write = Write::Store(Rows::ByCoordinates);
const MAP: &[Operator] = &[Operator::Map];
const COUNT: &[Operator] = &[Operator::Count];

fn node(engine: Engine, operators: &[Operator], write: Write) -> Node {
    Node { engine, committed: true, operators: operators.to_vec(), write }
}

fn uncommitted(engine: Engine, operators: &[Operator], write: Write) -> Node {
    Node { committed: false, ..node(engine, operators, write) }
}

/// Explores a path and compares everything that is observed with what is expected.
#[track_caller]
fn shows(source: Source, nodes: &[Node], bounds: Bounds, expected: &[Effect]) {
    use Effect::{Duplicate, Loss, OlderShown, Over, Stale, UncommittedShown, Under};
    let path = Path { source, nodes: nodes.to_vec(), committed: true };
    let seen = observe(&path, bounds);
    let all = [Loss, Duplicate, Over, Under, Stale, OlderShown, UncommittedShown];
    let observed: Vec<Effect> = all.into_iter().filter(|effect| seen.story(*effect).is_some()).collect();
    assert_eq!(observed, expected);
    for story in observed.iter().filter_map(|effect| seen.story(*effect)) {
        assert!(story.failures > 0 && !story.steps.is_empty(), "nothing goes wrong by itself: {story:?}");
    }
}

#[track_caller]
fn usual(source: Source, nodes: &[Node], expected: &[Effect]) {
    shows(source, nodes, Bounds::USUAL, expected);
}

/// V01 to V04.
#[test]
fn a_consumer_and_its_table() {
    use Effect::{Duplicate, Loss};
    usual(RESENDING, &[node(AFTER, MAP, APPEND)], &[Duplicate]);
    usual(RESENDING, &[node(AFTER, MAP, BY_ID)], &[]);
    usual(RESENDING, &[node(AFTER, &[Operator::NewId], BY_ID)], &[Duplicate]);
    usual(Source::Steady(Client::LEADER), &[node(AFTER, MAP, APPEND)], &[Loss, Duplicate]);
}

/// V05 to V07.
#[test]
fn counts_of_a_transaction() {
    use Effect::{Duplicate, OlderShown, Over, UncommittedShown};
    let count = node(EXACT, COUNT, Write::LogTransaction);
    let rows = uncommitted(AFTER, MAP, APPEND);
    usual(CLEAN, &[count.clone(), rows], &[Duplicate, OlderShown, UncommittedShown]);
    usual(CLEAN, &[count.clone(), node(AFTER, MAP, BY_ENTITY)], &[OlderShown]);
    usual(RESENDING, &[count, node(AFTER, MAP, BY_ENTITY)], &[Over, OlderShown]);
}

/// V08 to V10 and F-17: an unconfirmed sink, a two-phase one inside and outside its timeout.
#[test]
fn the_sinks_of_flink() {
    use Effect::{Duplicate, Loss};
    usual(CLEAN, &[node(FLINK, MAP, Write::LogUnconfirmed)], &[Loss, Duplicate]);
    let two_phase = node(FLINK, MAP, Write::LogTransaction);
    usual(CLEAN, std::slice::from_ref(&two_phase), &[]);
    shows(CLEAN, &[two_phase], Bounds { outages: 1, ..Bounds::USUAL }, &[Loss]);
}

/// V11 to V13 and F-19: change capture into a count, with a de-duplication and with one that forgets.
#[test]
fn change_capture_into_a_count() {
    use Effect::Over;
    usual(CAPTURE, &[node(EXACT, COUNT, Write::LogTransaction)], &[Over]);
    let both = node(EXACT, &[Operator::Deduplicate, Operator::Count], Write::LogTransaction);
    usual(CAPTURE, std::slice::from_ref(&both), &[]);
    shows(CAPTURE, &[both], Bounds { expiries: 1, ..Bounds::USUAL }, &[Over]);
}

/// V14 to V19.
#[test]
fn sources_and_sinks() {
    use Effect::{Duplicate, Loss};
    usual(Source::FireAndForget, &[node(EXACT, MAP, Write::LogTransaction)], &[Loss]);
    usual(CLEAN, &[node(Spark, MAP, LOG)], &[Duplicate]);
    usual(CLEAN, &[node(FLINK, MAP, Write::Store(Rows::Call))], &[Duplicate]);
    usual(CLEAN, &[node(AFTER, MAP, BY_COORDINATES)], &[]);
    usual(RESENDING, &[node(AFTER, MAP, BY_COORDINATES)], &[Duplicate]);
    let web = Source::Webhook { before: true };
    usual(web, &[node(FLINK, MAP, Write::LogTransaction)], &[Loss, Duplicate]);
}

/// V20 to V24, F-01 to F-04 and F-29: copies that another hop made are records of their own.
#[test]
fn copies_of_another_hop() {
    use Effect::{Duplicate, OlderShown, Over};
    let relay = node(AFTER, MAP, LOG);
    let with_rows = WithRows { guarded: true };
    usual(CLEAN, &[relay.clone(), node(AFTER, MAP, BY_COORDINATES)], &[Duplicate]);
    usual(CLEAN, &[relay.clone(), node(with_rows, MAP, APPEND)], &[Duplicate]);
    usual(CLEAN, &[node(Spark, MAP, LOG), node(FLINK, MAP, Write::LogTransaction)], &[Duplicate]);
    let count = node(EXACT, COUNT, Write::LogTransaction);
    usual(CLEAN, &[relay, count, node(AFTER, MAP, BY_ENTITY)], &[Over, OlderShown]);
    usual(Source::Steady(Client::RETRYING), &[node(EXACT, MAP, Write::LogTransaction)], &[Duplicate]);
}

/// V25 to V28, F-05 to F-07: marks and windows apart from the output, checkpoints behind the output.
#[test]
fn marks_and_checkpoints() {
    use Effect::{Duplicate, Loss, Over};
    let apart = Streams { exact: false };
    let marks = node(apart, &[Operator::Deduplicate], LOG);
    usual(CLEAN, std::slice::from_ref(&marks), &[Loss, Duplicate]);
    usual(WEBHOOK, &[marks, node(AFTER, MAP, BY_ID)], &[Loss]);
    let exact = node(EXACT, &[Operator::Deduplicate], Write::LogTransaction);
    usual(WEBHOOK, &[exact, node(AFTER, MAP, BY_ID)], &[]);
    usual(CLEAN, &[node(FLINK_ALO, MAP, Write::LogTransaction)], &[Duplicate]);
    usual(CLEAN, &[node(apart, &[Operator::CountWindow], LOG)], &[Loss, Duplicate, Over]);
}

/// V29 to V31, F-10, F-15 and F-16: isolation.
#[test]
fn isolation() {
    use Effect::{Duplicate, Over, UncommittedShown};
    let renewed = node(EXACT, &[Operator::NewId], Write::LogTransaction);
    usual(CLEAN, &[renewed.clone(), node(AFTER, MAP, BY_ID)], &[]);
    usual(CLEAN, &[renewed, uncommitted(AFTER, MAP, BY_ID)], &[Duplicate, UncommittedShown]);
    let first = node(FLINK, MAP, Write::LogTransaction);
    usual(CLEAN, &[first.clone(), uncommitted(FLINK, COUNT, Write::LogTransaction)], &[Over, UncommittedShown]);
    usual(CLEAN, &[first, uncommitted(AFTER, MAP, BY_ID)], &[UncommittedShown]);
}

/// V32 to V36, F-08, F-09 and F-11.
#[test]
fn old_versions() {
    use Effect::{Loss, OlderShown, Stale};
    usual(Source::Steady(Client::NONE), &[node(EXACT, MAP, Write::LogTransaction)], &[Loss]);
    let table = node(AFTER, MAP, BY_ENTITY);
    let last = node(EXACT, &[Operator::Last], Write::LogTransaction);
    usual(WEBHOOK, &[last, table.clone()], &[Stale, OlderShown]);
    let highest = node(EXACT, &[Operator::Max], Write::LogTransaction);
    usual(WEBHOOK, &[highest, table.clone()], &[OlderShown]);
    let flags = Source::Flags(Client::SAFE);
    usual(flags, std::slice::from_ref(&table), &[Stale, OlderShown]);
    usual(RESENDING, &[table], &[OlderShown]);
    usual(flags, &[node(AFTER, MAP, Write::Store(Rows::ByEntityGuarded))], &[]);
}

/// V37 to V40, F-12 to F-14, F-24 and F-28.
#[test]
fn consumers_of_their_own_making() {
    use Effect::{Duplicate, Loss, OlderShown, Over, Under};
    usual(CLEAN, &[node(AFTER, COUNT, APPEND)], &[Duplicate, Under, OlderShown]);
    usual(CLEAN, &[node(AFTER, MAP, Write::Store(Rows::Increment))], &[Over]);
    usual(CLEAN, &[node(BEFORE, MAP, Write::Store(Rows::Increment))], &[Under]);
    usual(CLEAN, &[node(Consumer(Commit::AutoClosing), MAP, BY_ID)], &[Loss]);
    usual(CLEAN, &[node(Consumer(Commit::AutoHandled), MAP, BY_ID)], &[]);
    usual(CLEAN, &[node(AFTER, &[Operator::MarkBefore], APPEND)], &[Loss]);
    usual(CLEAN, &[node(AFTER, &[Operator::MarkAfter], APPEND)], &[Duplicate]);
    usual(CLEAN, &[node(WithRows { guarded: true }, MAP, APPEND)], &[]);
    usual(CLEAN, &[node(WithRows { guarded: false }, MAP, APPEND)], &[Duplicate]);
}

/// F-27: a running count that is written again goes back for a while; a condition on the version keeps it.
#[test]
fn a_running_count_that_is_written_again() {
    let count = node(EXACT, COUNT, Write::LogTransaction);
    usual(CLEAN, &[count.clone(), node(AFTER, MAP, BY_ENTITY)], &[Effect::OlderShown]);
    usual(CLEAN, &[count, node(AFTER, MAP, Write::Store(Rows::ByEntityGuarded))], &[]);
}

/// F-20 to F-22: an operator sends a reader back.
#[test]
fn rewinds() {
    use Effect::{Duplicate, Over};
    let once = Bounds { rewinds: 1, ..Bounds::USUAL };
    let two_phase = node(FLINK, MAP, Write::LogTransaction);
    shows(CLEAN, &[two_phase.clone(), node(AFTER, MAP, BY_COORDINATES)], once, &[Duplicate]);
    shows(CLEAN, &[two_phase, node(AFTER, MAP, BY_ID)], once, &[]);
    shows(CLEAN, &[node(EXACT, COUNT, Write::LogTransaction)], once, &[Over]);
    shows(CLEAN, &[node(AFTER, MAP, BY_COORDINATES)], once, &[]);
    shows(CLEAN, &[node(WithRows { guarded: true }, MAP, APPEND)], once, &[]);
    shows(CLEAN, &[node(Spark, MAP, Write::StoreBatchId)], Bounds::USUAL, &[]);
}

/// F-22: a new checkpoint directory numbers its batches from the start, with other bounds.
#[test]
fn a_new_checkpoint_directory_loses_and_repeats() {
    let once = Bounds { rewinds: 1, ..Bounds::USUAL };
    let path = Path { source: CLEAN, nodes: vec![node(Spark, MAP, Write::StoreBatchId)], committed: true };
    assert!(observe(&path, once).duplicate.is_some());
}

/// The shortest story of a relay that writes again: it crashes between its write and its commit.
#[test]
fn a_story_tells_what_happens_hop_by_hop() {
    let nodes = vec![node(AFTER, MAP, LOG), node(AFTER, MAP, BY_COORDINATES)];
    let seen = observe(&Path { source: CLEAN, nodes, committed: true }, Bounds::USUAL);
    let story = seen.duplicate.unwrap();
    let told: Vec<String> = story.steps.iter().map(|told| format!("{} {}", told.hop, told.step.words())).collect();
    let expected = [
        "0 sends a",
        "0 sends b",
        "0 appends to the log a",
        "0 appends to the log b",
        "1 processes and writes a",
        "1 crashes and starts again",
        "1 processes and writes a",
        "1 processes and writes b",
        "2 processes and writes a",
        "2 processes and writes a",
        "2 processes and writes b",
    ];
    assert_eq!((told, story.failures), (expected.map(str::to_owned).to_vec(), 1));
}
