//! Two events in logs of two partitions: which order a reader can get them in, and which copies, when keys change on the
//! way and a rebalance moves a partition whose progress was not committed.
//!
//! A model beside the runs of [`path`](super::path), where a log has one partition: there every mechanism has its own
//! machine, here all that counts is where a record goes and who reads it. A hash sends records that are equal in the key
//! to one partition, and others to the same one or not; without a key each goes anywhere. Partitions are read side by
//! side. All runs are followed within [`Bounds`].
//!
//! Sources: Apache Kafka documentation, Design: Message Delivery; Producer Configs: `partitioner.class`,
//! `max.in.flight.requests.per.connection`; Apache Kafka Javadoc, `KafkaConsumer` (consumer groups, rebalance: the new
//! owner begins at the committed position); `ConsumerRebalanceListener`.
//!
//! Not part of the model: lost leaders, transactions that abort, state, and time.

use super::search::Known;

/// Columns of an event, a bit each.
pub type Columns = u8;
/// A column.
pub const A: Columns = 1;
/// Another one.
pub const B: Columns = 2;

/// How a producer sends again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sending {
    /// In its order, and recognised: an idempotent producer.
    Recognised,
    /// Not recognised, several requests in flight: a request that fails is repeated after the next one.
    Overtaken,
    /// Not recognised, one request in flight: a copy comes right behind.
    Adjacent,
}

/// How records go into a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Into {
    /// By the hash of these columns; 0: without a key.
    pub key: Columns,
    /// One or two.
    pub partitions: u8,
    /// How it is sent again.
    pub sending: Sending,
}

/// What a write does to the rows of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rows {
    /// One row more.
    Append,
    /// One row an event.
    ById,
    /// One row for what is equal in these columns; what is written last stands.
    ByKey(Columns),
    /// The same, and an older version changes nothing.
    ByKeyGuarded(Columns),
}

/// Where a node writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Write {
    /// Into a log.
    Log(Into),
    /// Into a store, which ends the path.
    Store(Rows),
}

/// When a member commits what it read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Commits {
    /// After the work.
    After,
    /// Before the work.
    Before,
    /// With the output, in one transaction.
    WithOutput,
}

/// How a member works through the records of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Work {
    /// One after the other.
    InOrder,
    /// Shared out to workers by the hash of these columns.
    ByKey(Columns),
    /// Shared out to whoever is free.
    AsTheyCome,
}

/// A group of two members that reads, works and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// When it commits.
    pub commits: Commits,
    /// How it works.
    pub work: Work,
    /// Where it writes.
    pub write: Write,
}

/// A source, logs, groups, and a reader at the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path {
    /// Do two instances of the source write, each one event?
    pub apart: bool,
    /// Into the first log.
    pub into: Into,
    /// Behind it.
    pub nodes: Vec<Node>,
}

/// What may go wrong in one run, each at most so often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// A request fails, or its response is lost.
    pub sends: u8,
    /// A rebalance moves a partition whose progress was not committed; its owner may die over the record at hand.
    pub moves: u8,
    /// An owner is replaced while it works, and writes later.
    pub late: u8,
}

impl Bounds {
    /// One failed send, two moves, and no replaced owner that writes.
    pub const USUAL: Self = Self { sends: 1, moves: 2, late: 0 };
    /// One move, and one owner that is replaced while it works and writes later.
    pub const LATE: Self = Self { sends: 0, moves: 1, late: 1 };
}

/// What can be observed at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The second event comes first, in a run in which nothing was lost.
    pub reordered: bool,
    /// Two events are written the other way round than they lie in one partition of the last log.
    pub reversed: bool,
    /// One comes twice.
    pub twice: bool,
    /// One never comes.
    pub missing: bool,
    /// The row of both ends on the older one.
    pub stale: bool,
    /// The row of both shows the older one after the newer one.
    pub older: bool,
}

impl Seen {
    /// What one or the other shows.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            reordered: self.reordered || other.reordered,
            reversed: self.reversed || other.reversed,
            twice: self.twice || other.twice,
            missing: self.missing || other.missing,
            stale: self.stale || other.stale,
            older: self.older || other.older,
        }
    }
}

/// What can be observed of two events that are equal in these columns and in no other.
#[must_use]
pub fn observe(path: &Path, equal: Columns, bounds: Bounds) -> Seen {
    let source = Node {
        commits: Commits::WithOutput,
        work: if path.apart { Work::AsTheyCome } else { Work::InOrder },
        write: Write::Log(path.into),
    };
    let born = Records { number: 2, events: 0b10 };
    let mut fronts = vec![Front { log: [born, Records::default()], left: bounds, lost: false }];
    let mut seen = Seen::default();
    for node in [source].iter().chain(&path.nodes) {
        let mut reached = Reached::default();
        for front in &fronts {
            for hop in hops(node, front, equal) {
                hop.search(front, |to| {
                    if let Write::Store(rows) = node.write {
                        stored(rows, equal, front, &to, &mut seen);
                    }
                    reached.take(to);
                });
            }
        }
        fronts = reached.fronts;
    }
    if !path.nodes.last().is_some_and(|last| matches!(last.write, Write::Store(_))) {
        fronts.iter().for_each(|front| read(front, &mut seen));
    }
    seen
}

/// Records or writes, oldest first: an event is a bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Records {
    number: u8,
    events: u8,
}

impl Records {
    fn push(&mut self, event: u8) {
        self.events |= event << self.number;
        self.number += 1;
    }

    fn iter(self) -> impl Iterator<Item = u8> {
        (0..self.number).map(move |at| self.events >> at & 1)
    }

    fn count(self, event: u8) -> usize {
        self.iter().filter(|other| *other == event).count()
    }

    fn first(self, event: u8) -> Option<usize> {
        self.iter().position(|other| other == event)
    }

    /// Does the second event come before the first one?
    fn turned(self) -> bool {
        self.first(1).is_some_and(|newer| self.first(0).is_none_or(|older| newer < older))
    }
}

type Log = [Records; 2];

/// A log, or the writes of a store in its first half, with what may still go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Front {
    log: Log,
    left: Bounds,
    /// Was a record lost on the way, if only a copy?
    lost: bool,
}

/// What was reached, without what shows no more than another one does.
#[derive(Default)]
struct Reached {
    fronts: Vec<Front>,
    at: Known<(Log, bool), Vec<Bounds>>,
}

impl Reached {
    fn take(&mut self, front: Front) {
        let known = self.at.entry((front.log, front.lost)).or_default();
        let less = |more: &Bounds| {
            front.left.sends <= more.sends && front.left.moves <= more.moves && front.left.late <= more.late
        };
        if !known.iter().any(less) {
            known.push(front.left);
            self.fronts.push(front);
        }
    }
}

/// Where the two events go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    Together,
    Apart,
    Anywhere,
}

impl Goes {
    /// All that a hash of this key can do with events that are equal in these columns.
    fn by(key: Columns, equal: Columns) -> &'static [Self] {
        if key & !equal == 0 { &[Self::Together] } else { &[Self::Together, Self::Apart] }
    }

    fn all(write: Write, equal: Columns) -> &'static [Self] {
        match write {
            Write::Log(Into { partitions: 2, key: 0, .. }) => &[Self::Anywhere],
            Write::Log(Into { partitions: 2, key, .. }) => Self::by(key, equal),
            Write::Log(_) | Write::Store(_) => &[Self::Together],
        }
    }

    fn places(self, event: u8) -> &'static [usize] {
        match (self, event) {
            (Self::Anywhere, _) => &[0, 1],
            (Self::Apart, 1) => &[1],
            (Self::Together | Self::Apart, _) => &[0],
        }
    }
}

/// Copies beyond the two events that a log may hold; longer ones are not followed.
const SURPLUS: u8 = 2;

/// A node on one log, with one outcome of each hash.
struct Hop<'p> {
    node: &'p Node,
    input: Log,
    goes: Goes,
    workers: Goes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    /// Which records of each partition are worked off, a bit each.
    done: [u8; 2],
    committed: [u8; 2],
    /// An event whose request has to be repeated.
    again: Option<u8>,
    /// An event that a replaced owner still holds.
    late: Option<u8>,
    to: Front,
}

fn hops<'p>(node: &'p Node, front: &Front, equal: Columns) -> Vec<Hop<'p>> {
    let workers: &[Goes] = match node.work {
        Work::InOrder => &[Goes::Together],
        Work::ByKey(key) => Goes::by(key, equal),
        Work::AsTheyCome => &[Goes::Anywhere],
    };
    let goes = Goes::all(node.write, equal);
    let input = front.log;
    let each = |workers: &Goes| {
        let workers = *workers;
        goes.iter().map(move |goes| Hop { node, input, goes: *goes, workers })
    };
    workers.iter().flat_map(each).collect()
}

impl Hop<'_> {
    /// All ways to be done.
    fn search(&self, front: &Front, mut found: impl FnMut(Front)) {
        let to = Front { log: Log::default(), ..*front };
        let start = State { done: [0; 2], committed: [0; 2], again: None, late: None, to };
        let mut visited: Known<State, ()> = Known::default();
        let mut work = vec![start];
        let mut next = Vec::new();
        while let Some(state) = work.pop() {
            if state.to.log.iter().map(|records| records.number).sum::<u8>() > 2 + SURPLUS
                || visited.insert(state, ()).is_some()
            {
                continue;
            }
            let all = |partition: usize| state.done[partition].count_ones() == u32::from(self.input[partition].number);
            if all(0) && all(1) && state.again.is_none() {
                // A replaced owner that never wakes up writes nothing.
                found(state.to);
            }
            self.steps(&state, &mut next);
            work.append(&mut next);
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<State>) {
        for partition in 0..2 {
            for (record, event) in (0..).zip(self.input[partition].iter()) {
                let bit = 1 << record;
                if state.done[partition] & bit == 0 && self.before(partition, record) & !state.done[partition] == 0 {
                    let mut to = *state;
                    to.done[partition] |= bit;
                    self.take(to, (partition, record, event), next);
                }
            }
            if self.node.commits == Commits::After {
                self.position(state, partition, next);
            }
        }
        if let Some(event) = state.again {
            self.append(&State { again: None, ..*state }, event, next);
        }
        if let Some(event) = state.late {
            self.append(&State { late: None, ..*state }, event, next);
        }
    }

    /// The records that have to be worked off before this one.
    fn before(&self, partition: usize, record: u8) -> u8 {
        let event = |record: u8| self.input[partition].events >> record & 1;
        let waits = |other: &u8| match self.workers {
            Goes::Together => true,
            Goes::Apart => event(*other) == event(record),
            Goes::Anywhere => false,
        };
        (0..record).filter(waits).fold(0, |bits, other| bits | 1 << other)
    }

    /// A record is worked off, and what comes of it is written.
    fn take(&self, mut state: State, (partition, record, event): (usize, u8, u8), next: &mut Vec<State>) {
        if self.node.commits != Commits::After {
            state.committed[partition] = record + 1;
        }
        if self.node.commits == Commits::Before && state.to.left.moves > 0 {
            let mut lost = state;
            lost.to.left.moves -= 1;
            lost.to.lost = true;
            next.push(lost);
        }
        if self.node.commits != Commits::WithOutput && state.to.left.late > 0 && state.late.is_none() {
            // Whoever takes over goes on at the committed position.
            let mut late = state;
            late.to.left.late -= 1;
            late.late = Some(event);
            late.done[partition] &= (1_u8 << late.committed[partition]) - 1;
            next.push(late);
        }
        let sending = if let Write::Log(into) = self.node.write { into.sending } else { Sending::Recognised };
        if state.to.left.sends > 0 && sending != Sending::Recognised {
            let mut fails = state;
            fails.to.left.sends -= 1;
            match sending {
                Sending::Overtaken if fails.again.is_none() => {
                    fails.again = Some(event);
                    // It did not arrive, or its response did not.
                    next.push(fails);
                    self.append(&fails, event, next);
                }
                Sending::Adjacent => {
                    let mut once = Vec::new();
                    self.append(&fails, event, &mut once);
                    once.iter().for_each(|state| self.append(state, event, next));
                }
                Sending::Overtaken | Sending::Recognised => {}
            }
        }
        self.append(&state, event, next);
    }

    fn append(&self, state: &State, event: u8, next: &mut Vec<State>) {
        for place in self.goes.places(event) {
            let mut to = *state;
            to.to.log[*place].push(event);
            next.push(to);
        }
    }

    /// Commits what is worked off and written, or moves the partition to the other member.
    fn position(&self, state: &State, partition: usize, next: &mut Vec<State>) {
        let (done, committed) = (state.done[partition], state.committed[partition]);
        let worked = u8::try_from(done.trailing_ones()).unwrap_or(u8::MAX);
        if state.again.is_none() {
            for position in committed + 1..=worked {
                let mut to = *state;
                to.committed[partition] = position;
                next.push(to);
            }
        }
        let kept = done & ((1_u8 << committed) - 1);
        if kept != done && state.to.left.moves > 0 {
            let mut to = *state;
            to.to.left.moves -= 1;
            to.done[partition] = kept;
            next.push(to);
        }
    }
}

/// What a reader of a log gets, partitions side by side.
fn read(front: &Front, seen: &mut Seen) {
    let count = |event: u8| front.log.iter().map(|records| records.count(event)).sum::<usize>();
    seen.twice |= count(0) > 1 || count(1) > 1;
    seen.missing |= count(0) == 0 || count(1) == 0;
    seen.reordered |= !front.lost && front.log.iter().any(|records| records.turned());
}

/// What a store shows after these writes.
fn stored(rows: Rows, equal: Columns, from: &Front, to: &Front, seen: &mut Seen) {
    let [writes, _] = to.log;
    let (older, newer) = (writes.count(0), writes.count(1));
    seen.missing |= older == 0 || newer == 0;
    seen.twice |= rows == Rows::Append && (older > 1 || newer > 1);
    seen.reordered |= !to.lost && writes.turned();
    let in_one = from.log.iter().any(|records| records.number == 0);
    let lies = from.log.iter().any(|records| records.turned());
    seen.reversed |= !to.lost && in_one && older > 0 && newer > 0 && lies != writes.turned();
    if matches!(rows, Rows::ByKey(key) if key & !equal == 0) {
        seen.older |= writes.first(1).is_some_and(|newer| writes.iter().skip(newer).any(|event| event == 0));
        seen.stale |= writes.iter().last() == Some(0) && newer > 0;
    }
}
