//! The walks against the model of two partitions: order by which key, and what copies, a rebalance and a change of key
//! do to it.
//!
//! Where the comparison ends: losses are compared where a member commits before its work, the one way in which the model
//! loses anything, and order in runs that lose nothing (a copy whose first one was lost is for the delivery walk to tell).
//! An owner that is replaced while it works writes later in the runs against which an order is held, and the scope of the
//! delivery verdict; its other claims are those of the runs in which it does not.

use crate::generate::Numbers;
use pipeline_desk::{
    analysis::{
        ConsumerReport, analyse,
        delivery::verdict::{Fewest, Transient},
        order::{Break, Breaker, Order, OrderKind},
    },
    codec,
    explore::partitions::{
        A, B, Bounds, Columns, Commits, Into, Node, Path, Rows, Seen, Sending, Work, Write, observe,
    },
    model,
    model::View,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Every set of columns in which two events can be equal.
const EQUAL: [Columns; 4] = [0, A, B, A | B];

fn names(columns: Columns) -> Vec<&'static str> {
    [(A, "a"), (B, "b")].into_iter().filter(|(bit, _)| columns & bit != 0).map(|(_, name)| name).collect()
}

fn columns(set: Columns) -> model::Columns {
    model::Columns(names(set).into_iter().map(std::convert::Into::into).collect())
}

struct Build {
    elements: Map<String, Value>,
    links: Map<String, Value>,
}

fn merged(parts: &[Value]) -> Value {
    parts.iter().flat_map(|part| part.as_object().unwrap().clone()).collect::<Map<_, _>>().into()
}

fn producer(into: Into) -> Value {
    json!({
        "key": names(into.key), "acks": "all", "idempotence": into.sending == Sending::Recognised,
        "max_in_flight": if into.sending == Sending::Adjacent { 1 } else { 5 }, "on_send_failure": "retry",
        "partitioner": "murmur2"
    })
}

impl Build {
    fn element(&mut self, id: &str, mut subject: Value, facts: &Value) {
        subject["lifecycle"] = json!("existing");
        subject["observed"] = json!({ "e1": facts });
        self.elements.insert(id.to_owned(), subject);
    }

    fn link(&mut self, from: &str, to: &str, facts: &Value) {
        let id = format!("l{}", self.links.len() + 1);
        self.links.insert(id, json!({ "from": from, "to": to, "observed": { "e1": facts } }));
    }

    fn topic(&mut self, id: &str, into: Into) {
        let facts = json!({
            "partitions": into.partitions, "replication_factor": 3, "min_insync_replicas": 2,
            "unclean_leader_election": false, "cleanup_policy": "delete", "retention_time": "unlimited",
            "retention_size": "unlimited"
        });
        self.element(id, json!({ "kind": "channel", "system": "kafka" }), &facts);
    }

    fn node(&mut self, number: usize, node: &Node) {
        let (job, step) = (format!("n{number}_job"), format!("n{number}"));
        let streams = node.commits == Commits::WithOutput && matches!(node.write, Write::Log(_));
        let (system, facts) = if streams {
            ("kafka_streams", json!({ "processing_guarantee": "exactly_once", "longest_outage": "60s" }))
        } else {
            ("plain_consumer", json!({ "client": "java", "longest_outage": "60s" }))
        };
        self.element(&job, json!({ "kind": "job", "system": system }), &facts);
        self.element(&step, json!({ "kind": "operator", "job": job, "step": "map" }), &json!({}));
        let work = match node.work {
            Work::InOrder => json!({ "processing": "sequential" }),
            Work::ByKey(key) => json!({ "processing": "threads", "worker_key": names(key) }),
            Work::AsTheyCome => json!({ "processing": "threads" }),
        };
        let commits = match node.commits {
            Commits::After => json!({ "offset_commit": "after_work" }),
            Commits::Before => json!({ "offset_commit": "before_work" }),
            Commits::WithOutput if streams => json!({}),
            Commits::WithOutput => json!({ "offset_commit": "with_output" }),
        };
        let read = merged(&[json!({ "isolation": "read_committed" }), work, commits]);
        self.link(&format!("t{number}"), &step, &read);
        let next = format!("t{}", number + 1);
        match node.write {
            Write::Log(into) => {
                self.topic(&next, into);
                let commit = if streams { json!({}) } else { json!({ "output_commit": "flush" }) };
                let facts = merged(&[producer(into), json!({ "transaction_timeout": "900s" }), commit]);
                self.link(&step, &next, &facts);
            }
            Write::Store(rows) => {
                let commit = match node.commits {
                    Commits::WithOutput => {
                        json!({ "output_commit": "with_position", "position_guard": "compare_and_set" })
                    }
                    _ => json!({ "output_commit": "flush" }),
                };
                let upsert = |key: Vec<&str>, guard: &[&str]| {
                    let facts = json!({ "key": key, "write_mode": "upsert", "version_guard": guard });
                    (facts, json!({ "unique_keys": [key], "collapse": "at_write" }))
                };
                let (facts, able) = match rows {
                    Rows::Append => (json!({ "key": ["id"], "write_mode": "append" }), json!({ "unique_keys": [] })),
                    Rows::ById => upsert(vec!["id"], &[]),
                    Rows::ByKey(key) => upsert(names(key), &[]),
                    Rows::ByKeyGuarded(key) => upsert(names(key), &["version"]),
                };
                self.element(&next, json!({ "kind": "sink", "system": "postgres" }), &able);
                self.link(&step, &next, &merged(&[facts, commit]));
            }
        }
    }
}

/// What the walks say.
fn said(path: &Path) -> ConsumerReport {
    let mut build = Build { elements: Map::new(), links: Map::new() };
    let source = json!({ "kind": "source", "system": "application", "event": "event" });
    build.element("src", source, &json!({ "client": "java", "instances": if path.apart { 2 } else { 1 } }));
    build.topic("t1", path.into);
    let taken = json!({
        "capture": "push", "acknowledge": "after_store", "resend_within": "none", "after_restart": "nothing"
    });
    build.link("src", "t1", &merged(&[taken, producer(path.into)]));
    for (number, node) in (1..).zip(&path.nodes) {
        build.node(number, node);
    }
    build.element("reader", json!({ "kind": "consumer" }), &json!({}));
    let isolation = if stored(path).is_some() { json!({}) } else { json!({ "isolation": "read_committed" }) };
    build.link(&format!("t{}", path.nodes.len() + 1), "reader", &isolation);
    let key = match stored(path) {
        Some(Rows::ByKey(key) | Rows::ByKeyGuarded(key)) => names(key),
        _ => vec!["a"],
    };
    let text = json!({
        "format": "streaming-pipeline", "version": 2, "elements": build.elements, "links": build.links,
        "events": { "event": { "observed": { "e1": { "key": key, "event_id": ["id"], "version_field": "version" } } } },
        "evidence": { "e1": { "basis": "read", "from": "reading" } }
    })
    .to_string();
    let design = codec::decode(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    analyse(&design, View::AsIs).consumers.values().next().unwrap().clone()
}

fn stored(path: &Path) -> Option<Rows> {
    match path.nodes.last()?.write {
        Write::Store(rows) => Some(rows),
        Write::Log(_) => None,
    }
}

/// What differs: what is compared, and whether it happens although it is excluded or is called possible and does not.
type Difference = (&'static str, bool);

fn differ(what: &'static str, said: bool, happens: bool, differences: &mut Vec<Difference>) {
    if said != happens {
        differences.push((what, happens));
    }
}

/// A copy that is written last: what the delivery walk found, and compared as that.
const fn overwrites(breaker: &Breaker) -> bool {
    matches!(breaker.by, Break::Overwritten(..))
}

/// What a replaced owner does to the order.
const fn replaced(breaker: &Breaker) -> bool {
    matches!(breaker.by, Break::Replaced(_))
}

/// The order of events that are equal in these columns, as the walk claims it, against what happens. Where no order is claimed at
/// all, events have to come the other way round although they are alike: equal in the key of their row, else in all.
fn orders(order: &Order, row: Option<Columns>, equal: Columns, seen: &Seen, differences: &mut Vec<Difference>) {
    let set = columns(equal);
    let ended = order.breakers.iter().any(|breaker| !overwrites(breaker) && breaker.ends(&set));
    if order.kind == OrderKind::Newest {
        return differ("newest", false, seen.stale, differences);
    }
    // A row shows what was written to it: between rows of other keys the walk claims nothing, though writes have an order.
    let within = row.is_none_or(|row| row & !equal == 0);
    if within || seen.reordered {
        differ("order", ended, seen.reordered, differences);
    }
    let of_key = order.key.0.iter().all(|column| set.0.contains(column));
    match order.kind {
        OrderKind::PerKey | OrderKind::Global if of_key => differ("per key", false, seen.reordered, differences),
        OrderKind::Arrival if of_key => differ("arrival", false, seen.reversed, differences),
        OrderKind::PerPartition => differ("partition", false, seen.reversed, differences),
        OrderKind::Nothing if equal == row.unwrap_or(A | B) => {
            differ("nothing", true, seen.reordered || seen.reversed || seen.stale, differences);
        }
        _ => {}
    }
}

fn compare(path: &Path) -> Vec<Difference> {
    let said = said(path);
    let (delivery, order) = (&said.delivery, &said.order.inputs[0]);
    assert_eq!((&delivery.unknown[..], &order.missing[..]), (&[][..], &[][..]), "every fact is there: {path:?}");
    let mut differences = Vec::new();
    let observed = |bounds| EQUAL.map(|equal| observe(path, equal, bounds));
    let (all, late) = (observed(Bounds::USUAL), observed(Bounds::LATE));
    let row = if let Some(Rows::ByKey(key)) = stored(path) { Some(key) } else { None };
    for ((equal, seen), late) in EQUAL.iter().zip(&all).zip(&late) {
        orders(order, row, *equal, &seen.or(*late), &mut differences);
        let set = columns(*equal);
        let ends = |of: fn(&Breaker) -> bool| order.breakers.iter().any(|breaker| of(breaker) && breaker.ends(&set));
        if ends(replaced) && !ends(|breaker| !replaced(breaker)) {
            differ("order without a replaced owner", false, seen.reordered, &mut differences);
        }
    }
    let any = |of: fn(&Seen) -> bool| all.iter().any(of);
    differ("duplicate", !delivery.duplicates.is_empty(), any(|seen| seen.twice), &mut differences);
    differ("loss", delivery.badge.fewest == Fewest::Zero, any(|seen| seen.missing), &mut differences);
    if let Some(Rows::ByKey(key)) = stored(path) {
        let set = columns(key);
        let ended = order.breakers.iter().any(|breaker| !replaced(breaker) && breaker.ends(&set));
        let stale = ended || delivery.taints.iter().any(|taint| taint.stale);
        differ("stale", stale, any(|seen| seen.stale), &mut differences);
        let first = order.breakers.iter().any(|breaker| replaced(breaker) && breaker.ends(&set));
        let copy = delivery.scope.contains("writes after its group has replaced it");
        let scoped = stale || first || copy;
        let happens = all.iter().chain(&late).any(|seen| seen.stale);
        differ("stale by a replaced owner", scoped, happens, &mut differences);
        let older = stale || delivery.transient.contains(&Transient::OlderValueShownAgain);
        differ("older", older, any(|seen| seen.older), &mut differences);
    } else {
        differ("scope", !delivery.replaced.is_empty(), false, &mut differences);
    }
    differences
}

const INTO: [Into; 18] = {
    let mut all = [Into { key: 0, partitions: 1, sending: Sending::Recognised }; 18];
    let keys = [0, A, A | B];
    let sending = [Sending::Recognised, Sending::Overtaken, Sending::Adjacent];
    let mut at = 0;
    while at < 18 {
        all[at] = Into { key: keys[at / 6], partitions: 1 + (at % 2) as u8, sending: sending[at / 2 % 3] };
        at += 1;
    }
    all
};

fn works(commits: Commits) -> &'static [Work] {
    match commits {
        Commits::After => &[Work::InOrder, Work::InOrder, Work::ByKey(A), Work::ByKey(A | B), Work::AsTheyCome],
        Commits::Before | Commits::WithOutput => &[Work::InOrder],
    }
}

fn sample(numbers: &mut Numbers, length: usize) -> Path {
    let into = numbers.pick(&INTO);
    let mut path = Path { apart: numbers.pick(&[false, false, false, true]), into, nodes: Vec::new() };
    for number in 1..=length {
        let commits = numbers.pick(&[Commits::After, Commits::After, Commits::Before, Commits::WithOutput]);
        let work = numbers.pick(works(commits));
        let into = Into { key: numbers.pick(&[0, A, B, A | B]), ..numbers.pick(&INTO) };
        // Transactions number their records.
        let sending = if commits == Commits::WithOutput { Sending::Recognised } else { into.sending };
        let rows = [Rows::Append, Rows::ById, Rows::ByKey(A), Rows::ByKey(A | B), Rows::ByKeyGuarded(A)];
        let store = number == length && numbers.pick(&[true, true, false]);
        let write = if store { Write::Store(numbers.pick(&rows)) } else { Write::Log(Into { sending, ..into }) };
        path.nodes.push(Node { commits, work, write });
    }
    path
}

fn agree(paths: &[Path]) {
    let mut classes: BTreeMap<Difference, Vec<&Path>> = BTreeMap::new();
    for path in paths {
        for difference in compare(path) {
            classes.entry(difference).or_default().push(path);
        }
    }
    let line = |((what, happens), paths): (&Difference, &Vec<&Path>)| {
        let kind = if *happens { "happens and is excluded" } else { "is called possible and does not happen" };
        let shortest = paths.iter().min_by_key(|path| (path.nodes.len(), format!("{path:?}").len())).unwrap();
        format!("{what} {kind}: {} times, as in {shortest:?}\n", paths.len())
    };
    let text: String = classes.iter().map(line).collect();
    assert!(classes.is_empty(), "{} paths\n{text}", paths.len());
}

#[test]
fn logs_without_a_group_between() {
    let paths: Vec<Path> =
        [false, true].into_iter().flat_map(|apart| INTO.map(|into| Path { apart, into, nodes: Vec::new() })).collect();
    agree(&paths);
}

#[test]
fn samples_of_one_group() {
    let mut numbers = crate::numbers(20_241_202);
    agree(&(0..500).map(|_| sample(&mut numbers, 1)).collect::<Vec<_>>());
}

#[test]
fn samples_of_two_groups() {
    let mut numbers = crate::numbers(20_241_203);
    agree(&(0..300).map(|_| sample(&mut numbers, 2)).collect::<Vec<_>>());
}

const BY_A: Into = Into { key: A, partitions: 2, sending: Sending::Recognised };
const AFTER: Node = Node { commits: Commits::After, work: Work::InOrder, write: Write::Log(BY_A) };

fn seen(nodes: &[Node], equal: Columns, bounds: Bounds) -> Seen {
    observe(&Path { apart: false, into: BY_A, nodes: nodes.to_vec() }, equal, bounds)
}

/// Worked out by hand: partitions are read side by side, one partition in its order, and a partition that moves before
/// its progress was committed is read again from its last committed record.
#[test]
fn keys_and_partitions() {
    let quiet = Bounds { sends: 0, moves: 0, late: 0 };
    assert_eq!(seen(&[AFTER], A, quiet), Seen::default());
    assert_eq!(seen(&[AFTER], B, quiet), Seen { reordered: true, ..Seen::default() }, "two keys may lie apart");
    let to_b = Node { write: Write::Log(Into { key: B, ..BY_A }), ..AFTER };
    assert!(
        !seen(&[to_b], A | B, quiet).reordered
            && seen(&[to_b], B, quiet).reordered
            && seen(&[to_b], A, quiet).reordered
    );
    let spread = Node { write: Write::Log(Into { key: 0, ..BY_A }), ..AFTER };
    assert!(seen(&[spread], A | B, quiet).reordered);
    let free = Node { work: Work::AsTheyCome, ..AFTER };
    assert!(seen(&[free], A | B, quiet).reordered);
    let by_b = Node { work: Work::ByKey(B), ..AFTER };
    assert!(seen(&[by_b], A, quiet).reordered && !seen(&[by_b], A | B, quiet).reordered);
    let moved = Bounds { moves: 1, ..quiet };
    assert_eq!(seen(&[AFTER], A, moved), Seen { twice: true, ..Seen::default() });
    let table = Node { write: Write::Store(Rows::ByKey(A)), ..AFTER };
    assert_eq!(seen(&[table], A, moved), Seen { older: true, ..Seen::default() });
    let rows_apart = Node { write: Write::Store(Rows::ByKey(B)), ..AFTER };
    assert!(seen(&[rows_apart], B, quiet).stale && !seen(&[rows_apart], A | B, quiet).stale);
    let exact = Node { commits: Commits::WithOutput, ..AFTER };
    assert_eq!(seen(&[exact], A, moved), Seen::default());
    let early = Node { commits: Commits::Before, ..AFTER };
    assert_eq!(seen(&[early], A, moved), Seen { missing: true, ..Seen::default() });
}

/// An owner that is replaced while it works and writes later. Committed after the work, its record is a copy that can be the
/// last write of its row; committed before, it comes after newer records.
#[test]
fn a_replaced_owner_writes_late() {
    let late = Bounds { sends: 0, moves: 0, late: 1 };
    assert_eq!(seen(&[AFTER], A, late), Seen { twice: true, ..Seen::default() });
    let table = Node { write: Write::Store(Rows::ByKey(A)), ..AFTER };
    assert!(seen(&[table], A, late).stale);
    let guarded = Node { write: Write::Store(Rows::ByKeyGuarded(A)), ..AFTER };
    assert!(!seen(&[guarded], A, late).stale);
    let early = Node { commits: Commits::Before, ..AFTER };
    assert!(seen(&[early], A, late).reordered);
    let exact = Node { commits: Commits::WithOutput, ..AFTER };
    assert_eq!(seen(&[exact], A, late), Seen::default());
}
