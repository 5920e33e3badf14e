//! Paths to compare: every one of one node over a list, and samples of two and three.

use pipeline_desk::explore::meeting::{Meeting, Together};
use pipeline_desk::explore::path::{Checkpoints, Client, Commit, Engine, Node, Operator, Path, Rows, Source, Write};

/// Where paths begin.
pub const SOURCES: [Source; 12] = [
    Source::Steady(Client::SAFE),
    Source::Steady(Client::RETRYING),
    Source::Steady(Client::CONNECTOR),
    Source::Steady(Client::LEADER),
    Source::Steady(Client::NONE),
    Source::InMemory(Client::SAFE),
    Source::Position(Client::SAFE),
    Source::Position(Client::CONNECTOR),
    Source::Flags(Client::SAFE),
    Source::Webhook { before: false },
    Source::Webhook { before: true },
    Source::FireAndForget,
];

/// What runs nodes.
const ENGINES: [Engine; 12] = [
    Engine::Consumer(Commit::After),
    Engine::Consumer(Commit::Before),
    Engine::Consumer(Commit::AutoApart),
    Engine::Consumer(Commit::AutoClosing),
    Engine::Consumer(Commit::AutoHandled),
    Engine::WithRows { guarded: true },
    Engine::WithRows { guarded: false },
    Engine::Flink(Checkpoints::ExactlyOnce),
    Engine::Flink(Checkpoints::AtLeastOnce),
    Engine::Flink(Checkpoints::Off),
    Engine::Streams { exact: true },
    Engine::Streams { exact: false },
];

const COMMON: [&[Operator]; 9] = [
    &[Operator::Map],
    &[Operator::NewId],
    &[Operator::Deduplicate],
    &[Operator::Count],
    &[Operator::Deduplicate, Operator::Count],
    &[Operator::CountWindow],
    &[Operator::DistinctWindow],
    &[Operator::Last],
    &[Operator::Max],
];

const OUTSIDE: [&[Operator]; 4] =
    [&[Operator::MarkBefore], &[Operator::MarkAfter], &[Operator::MarkWith], &[Operator::CountOutside]];

const WITHOUT_STATE: [&[Operator]; 2] = [&[Operator::Map], &[Operator::NewId]];

fn engines() -> impl Iterator<Item = Engine> {
    ENGINES.into_iter().chain([Engine::Spark])
}

fn operators(engine: Engine, values: bool) -> Vec<&'static [Operator]> {
    if values {
        return WITHOUT_STATE.to_vec();
    }
    // A position that moves with each row leaves no room for values in memory.
    if matches!(engine, Engine::WithRows { .. }) {
        return WITHOUT_STATE.to_vec();
    }
    let own = matches!(engine, Engine::Consumer(_));
    COMMON.into_iter().chain(OUTSIDE.into_iter().filter(|_| own)).collect()
}

fn aggregates(operators: &[Operator]) -> bool {
    operators.iter().any(|operator| operator.aggregates())
}

/// Writes into a log that this engine can do.
fn logs(engine: Engine) -> Vec<Write> {
    match engine {
        Engine::Consumer(Commit::After) => {
            [Client::SAFE, Client::RETRYING, Client::LEADER, Client::NONE].map(Write::Log).to_vec()
        }
        Engine::Consumer(_) | Engine::Spark | Engine::Streams { exact: false } | Engine::Flink(Checkpoints::Off) => {
            vec![Write::Log(Client::SAFE)]
        }
        Engine::WithRows { .. } => Vec::new(),
        Engine::Flink(_) => vec![Write::Log(Client::SAFE), Write::LogUnconfirmed, Write::LogTransaction],
        Engine::Streams { exact: true } => vec![Write::LogTransaction],
    }
}

/// Writes that end a path.
fn ends(engine: Engine, operators: &[Operator], values: bool) -> Vec<Write> {
    let simple = operators == [Operator::Map] || operators == [Operator::NewId];
    let mut writes = vec![Write::Store(Rows::Call)];
    if matches!(engine, Engine::Streams { .. }) {
        return writes;
    }
    writes.push(Write::Store(Rows::Append));
    writes.push(Write::Store(if values { Rows::ByEntity } else { Rows::ById }));
    if simple && !values {
        writes.extend([Rows::ByEntityGuarded, Rows::ByEntity, Rows::ByCoordinates, Rows::Increment].map(Write::Store));
    }
    match engine {
        Engine::WithRows { .. } => writes.retain(|write| *write != Write::Store(Rows::Call)),
        Engine::Flink(Checkpoints::AtLeastOnce | Checkpoints::ExactlyOnce) => writes.push(Write::StoreTwoPhase),
        Engine::Spark => writes.push(Write::StoreBatchId),
        _ => {}
    }
    writes
}

fn fits(operators: &[Operator], write: Write) -> bool {
    // Marks in the transaction of the write need a store that has both.
    !operators.contains(&Operator::MarkWith) || matches!(write, Write::Store(rows) if rows != Rows::Call)
}

/// Nodes of an engine; `last` ends the path, and the input holds results or events.
fn nodes(engine: Engine, values: bool, last: bool, committed: &[bool]) -> Vec<Node> {
    let mut nodes = Vec::new();
    for operators in operators(engine, values) {
        let results = values || aggregates(operators);
        let mut writes = logs(engine);
        if last {
            writes.extend(ends(engine, operators, results));
        }
        for write in writes.into_iter().filter(|write| fits(operators, *write)) {
            // The slow ones need no variety: what they do does not depend on the steps before them.
            let slow =
                matches!(write, Write::LogUnconfirmed) || matches!(write, Write::Log(client) if !client.effective());
            if slow && operators != [Operator::Map] {
                continue;
            }
            for committed in committed {
                nodes.push(Node { engine, committed: *committed, operators: operators.to_vec(), write });
            }
        }
    }
    nodes
}

fn transactional(node: &Node) -> bool {
    node.write == Write::LogTransaction
}

/// Every path of one node.
pub fn one() -> Vec<Path> {
    let mut paths = Vec::new();
    for source in SOURCES {
        for node in engines().flat_map(|engine| nodes(engine, false, true, &[true])) {
            let readers: &[bool] = if transactional(&node) { &[true, false] } else { &[true] };
            for committed in readers {
                paths.push(Path { source, nodes: vec![node.clone()], committed: *committed });
            }
        }
    }
    paths
}

/// Numbers that are the same in every run: `SplitMix64`.
pub struct Numbers(pub u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.next() % of.len() as u64).unwrap()].clone()
    }
}

/// A path of so many nodes, each choice with the same chance.
pub fn sample(numbers: &mut Numbers, length: usize) -> Path {
    let source = numbers.pick(&SOURCES);
    let mut path = Path { source, nodes: Vec::new(), committed: true };
    let (mut values, mut waits) = (false, &[true][..]);
    for number in 1..=length {
        let last = number == length;
        let engines: Vec<Engine> = engines().filter(|engine| last || !logs(*engine).is_empty()).collect();
        let engine = numbers.pick(&engines);
        let node = numbers.pick(&nodes(engine, values, last, waits));
        values |= aggregates(&node.operators);
        waits = if transactional(&node) { &[true, false] } else { &[true] };
        path.nodes.push(node);
    }
    if path.nodes.last().is_some_and(transactional) {
        path.committed = numbers.pick(&[true, false]);
    }
    path
}

/// Writes of rows by a plain step, which two nodes can do in one store; offsets of one log are those of both.
const SHARED: [Rows; 5] = [Rows::Append, Rows::ById, Rows::ByEntity, Rows::ByEntityGuarded, Rows::Increment];

/// A path on which two ways meet: two sources, one log read by two nodes into one log or store, now and then by the same
/// one twice; with up to one node behind it.
pub fn sample_meeting(numbers: &mut Numbers) -> Meeting {
    let shape = numbers.pick(&[0, 1, 1, 2]);
    let store = (shape == 2).then(|| numbers.pick(&SHARED));
    let nodes =
        if store.is_none() && numbers.pick(&[true, true, false]) { behind(numbers, shape == 0) } else { vec![] };
    let together = if shape == 0 {
        Together::Sources([numbers.pick(&SOURCES), numbers.pick(&SOURCES)])
    } else {
        // Ids that are made anew on two ways are many to follow on.
        let steps = if nodes.is_empty() { &WITHOUT_STATE[..] } else { &WITHOUT_STATE[..1] };
        let one = plain(numbers, store, steps);
        let twice = numbers.pick(&[true, false, false]);
        let other = if twice { one.clone() } else { plain(numbers, store, steps) };
        Together::Nodes(numbers.pick(&SOURCES), [one, other])
    };
    Meeting { together, store, nodes, committed: true }
}

/// A node behind a log of two sources, or of one on two ways.
fn behind(numbers: &mut Numbers, apart: bool) -> Vec<Node> {
    let engine = numbers.pick(&engines().collect::<Vec<_>>());
    // Events of two sources are of two entities: which of them is older is no question.
    let older = |node: &Node| {
        node.operators.iter().any(|operator| matches!(operator, Operator::Last | Operator::Max))
            || matches!(node.write, Write::Store(Rows::ByEntity | Rows::ByEntityGuarded))
    };
    let fits: Vec<Node> =
        nodes(engine, false, true, &[true]).into_iter().filter(|node| !(apart && older(node))).collect();
    vec![numbers.pick(&fits)]
}

/// A node that hands on what it reads, into a log or row by row into this store.
fn plain(numbers: &mut Numbers, store: Option<Rows>, steps: &[&[Operator]]) -> Node {
    let able = |engine: &Engine| match store {
        None => !logs(*engine).is_empty(),
        Some(_) => matches!(engine, Engine::Consumer(_) | Engine::Flink(_) | Engine::Spark),
    };
    let engine = numbers.pick(&engines().filter(able).collect::<Vec<_>>());
    let write = store.map_or_else(|| numbers.pick(&logs(engine)), Write::Store);
    Node { engine, committed: true, operators: numbers.pick(steps).to_vec(), write }
}
