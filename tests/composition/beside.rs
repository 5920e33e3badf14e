//! Ways beside each other, of which a place needs to know several things at once: each counts, whatever comes first. Every
//! design is told the same under other ids too.

use crate::{
    renaming::decided,
    small::{design, produced, read, reader, report, sent, short, told, topic},
};
use pipeline_desk::{
    analysis::order::{Break, OrderKind},
    model::View,
};
use serde_json::{Value, json};

/// Tells the verdict of the small design with these changes in short, one after the other.
#[track_caller]
fn says(changes: &[&Value], expected: &[&str]) {
    let long: Vec<Value> = changes.iter().map(|change| short(change)).collect();
    let long: Vec<&Value> = long.iter().collect();
    assert_eq!(told(reader(&report(&long))), expected);
    for salt in 1..9 {
        assert_eq!(decided(&design(&long), View::ToBe, salt), None);
    }
}

/// A second source with a log of its own, which the same operator reads.
fn beside() -> Value {
    json!({ "src2": { "kind": "source", "system": "application", "event": "event" }, "u": topic(),
        "l5": sent("src2", "u"), "l6": read("u", "op") })
}

/// One row an entity, without a version, behind a de-duplication that never forgets.
fn latest() -> Value {
    json!({ "op": { "step": "deduplicate" }, "op.key": ["id"], "op.state_ttl": "unlimited",
        "l3.key": ["entity"], "table.unique_keys": [["entity"]] })
}

/// Another job's step of nothing.
fn step(job: &str) -> Value {
    json!({ "kind": "operator", "job": job, "step": "map" })
}

fn lost(link: &str) -> Value {
    json!({ (format!("{link}.acks")): "1", (format!("{link}.retries")): 0 })
}

const AGAIN: &str = "shows OlderValueShownAgain";

/// What is lost on one way is no first one of what is sent twice on the other: every repeat finds its first one there. Lost
/// on its own way, it passes and comes after newer ones.
#[test]
fn a_loss_beside_the_copies_makes_none_of_them_late() {
    let resent = json!({ "l5.after_restart": "resume_position" });
    says(&[&beside(), &latest(), &resent, &lost("l1")], &["0..1", "loses l1", AGAIN, "value Under"]);
    let late = ["0..n", "loses l5", "stale l3 by D2 l5", AGAIN, "value Stale", "mend l3 VersionGuard"];
    says(&[&beside(), &latest(), &resent, &lost("l5")], &late);
}

/// All copies whose first one can be lost come late, and each is named.
#[test]
fn every_late_copy_is_named() {
    let resent = json!({ "l1.after_restart": "resume_position", "l5.after_restart": "resume_position" });
    let both = [&lost("l1"), &lost("l5")];
    let late =
        ["0..n", "loses l1", "loses l5", "stale l3 by D2 l1, D2 l5", AGAIN, "value Stale", "mend l3 VersionGuard"];
    says(&[&beside(), &latest(), &resent, both[0], both[1]], &late);
}

/// One event on two ways, of which one loses: what the other brings can come after newer events of the first. Nothing is lost.
/// Where neither loses, the first of both counts and is no older than what came before it.
#[test]
fn what_one_way_loses_comes_late_on_the_other() {
    let two = json!({ "l5": sent("src", "u") });
    says(&[&beside(), &two, &latest()], &["1..1", AGAIN, "value Exact"]);
    let late = ["1..n", "stale l3 by D7 op", AGAIN, "value Stale", "mend l3 VersionGuard"];
    says(&[&beside(), &two, &latest(), &lost("l1")], &late);
    says(&[&beside(), &two, &latest(), &lost("l5")], &late);
    let both = ["0..n", "loses l1", "loses l5", "stale l3 by D7 op", AGAIN, "value Stale", "mend l3 VersionGuard"];
    says(&[&beside(), &two, &latest(), &lost("l1"), &lost("l5")], &both);
}

/// A count of what two compacted logs hold misses what either of them drops; the lag of one says nothing of the other.
#[test]
fn each_compacted_log_drops_versions() {
    let count = json!({ "op": { "step": "aggregate" }, "op.function": "count", "op.key": ["entity"],
        "l3.key": ["entity"], "table.unique_keys": [["entity"]] });
    let compact = json!({ "t.cleanup_policy": "compact", "u.cleanup_policy": "compact" });
    for log in ["t", "u"] {
        let lag = json!({ (format!("{log}.min_compaction_lag")): "1d" });
        let told = ["0..1", "loses op in values", "loses op in values unless", AGAIN, "value Under"];
        says(&[&beside(), &count, &compact, &lag], &told);
    }
    // One behind the other: what the first one dropped, the second never held; and deletions go on into
    // the second as long as the first one keeps them.
    let chain = json!({ "made": step("first"), "u": topic(), "l2": { "to": "made" }, "l5": produced("made", "u"), "l6": read("u", "op"),
        "first": { "kind": "job", "system": "kafka_streams", "proposed": { "processing_guarantee": "exactly_once" } } });
    says(
        &[&chain, &count, &compact],
        &["0..1", "loses op in values", "loses op in values", "loses l2 unless", AGAIN, "value Under"],
    );
}

/// Offsets of two logs that both can start again: rows of either can be taken for other ones.
#[test]
fn each_log_that_was_made_anew_gives_offsets_twice() {
    let rows = json!({ "l3.key": ["@coordinates"], "table.unique_keys": [["@coordinates"]],
        "t.recreated": true, "u.recreated": true });
    let told = ["1*..1", "loses l3:write unless", "loses l3:write unless", "value NotApplicable"];
    says(&[&beside(), &rows], &told);
    let changes = [&beside(), &rows].map(short);
    let verdict = report(&[&changes[0], &changes[1]]);
    let lossy: Vec<String> = reader(&verdict).lossy_hops.iter().map(|loss| loss.cause.to_string()).collect();
    let again = |log: &str| format!("offsets of {log} can start again: other records are taken for known ones");
    assert_eq!(lossy, [again("t"), again("u")]);
}

/// Rows of one key that two hand-overs give to several tasks, or a log that grows: a key at one of them mends that one alone.
#[test]
fn each_hand_over_parts_rows() {
    let maps = json!({ "a": step("job"), "b": step("job"), "op.parallelism": 2, "l2": { "to": "a" }, "l6": { "to": "b" },
        "l3.key": ["entity"], "table.unique_keys": [["entity"]],
        "l7": { "from": "a", "to": "op" }, "l8": { "from": "b", "to": "op" } });
    let given = |one: &str, other: &str| json!({ "l7.distribution": one, "l8.distribution": other });
    let end = [AGAIN, "value Stale"];
    let one = |link: &'static str| {
        let taint = format!("stale l3 by ORD {link}");
        ["1..n".to_owned(), taint, end[0].to_owned(), end[1].to_owned(), format!("mend {link} SameKey")]
    };
    for (link, given) in [("l7", given("rebalance", "hash")), ("l8", given("hash", "rebalance"))] {
        says(&[&beside(), &maps, &given], &one(link).each_ref().map(String::as_str));
    }
    let both = ["1..n", "stale l3 by ORD l7, ORD l8", end[0], end[1], "mend l3 VersionGuard"];
    says(&[&beside(), &maps, &given("rebalance", "rebalance")], &both);
}

/// Ids that are drawn on two ways into one transaction: what its reader sees of an aborted one has ids of either.
#[test]
fn ids_drawn_in_two_places_have_no_one_place_that_mends() {
    let into_log = json!({ "a": step("job"), "b": step("job"), "v": topic(), "l2": { "to": "a" }, "l6": { "to": "b" },
        "l7": { "from": "a", "to": "op" }, "l8": { "from": "b", "to": "op" }, "a.determinism": "key_varies",
        "l1.after_restart": "resume_position", "l3": { "to": "v", "proposed": { "write_mode": null, "version_guard": null } },
        "l3.acks": "all", "l3.idempotence": true, "l3.max_in_flight": 5, "l3.on_send_failure": "retry", "l3.output_commit": "two_phase",
        "l3.transaction_timeout": "15min", "l4": { "from": "v" }, "l4.isolation": "read_uncommitted" });
    let told = [
        "1*..n",
        "loses l3:timeout unless, stated inside",
        "rows D2 l1",
        "rows D4_ABORTED l4",
        "shows UncommittedVisible",
        "value NotApplicable",
    ];
    let mended: Vec<&str> = told.into_iter().chain(["mend a DeterministicId"]).collect();
    says(&[&beside(), &into_log], &mended);
    says(&[&beside(), &into_log, &json!({ "b.determinism": "key_varies" })], &told);
}

/// The same event on two ways, with ids of its own on one of them, or on each.
#[test]
fn ids_drawn_on_two_ways_of_one_event() {
    let two = json!({ "a": step("job"), "b": step("job"), "l5": sent("src", "u"), "l2": { "to": "a" }, "l6": { "to": "b" },
        "l7": { "from": "a", "to": "op" }, "l8": { "from": "b", "to": "op" } });
    let drawn = |at: &str| json!({ (format!("{at}.determinism")): "key_varies" });
    let rows = ["1..n", "rows D7 op", "rows D4 l3", "value NotApplicable"];
    for at in ["a", "b"] {
        let mend = format!("mend {at} DeterministicId");
        let told: Vec<&str> = rows.into_iter().chain([mend.as_str()]).collect();
        says(&[&beside(), &two, &drawn(at)], &told);
    }
    says(&[&beside(), &two, &drawn("a"), &drawn("b")], &rows);
}

/// A third input beside two that carry the same event: whose ids differ counts, wherever it stands.
#[test]
fn ids_differ_between_two_of_three_inputs() {
    let third = json!({ "z": { "kind": "source", "system": "application", "event": "event" }, "v": topic(), "l0": sent("z", "v"), "l9": read("v", "op") });
    let two = json!({ "b": step("job"), "l5": sent("src", "u"), "l6": { "to": "b" }, "l8": { "from": "b", "to": "op" },
        "b.determinism": "key_varies" });
    let told = ["1..n", "rows D7 op", "rows D4 l3", "value NotApplicable", "mend b DeterministicId"];
    says(&[&beside(), &two, &third], &told);
}

/// Who reads what is mixed can do nothing by key for those that have ids of their own.
#[test]
fn some_copies_have_ids_of_their_own() {
    let rows =
        json!({ "a": step("job"), "l2": { "to": "a" }, "l7": { "from": "a", "to": "op" }, "l3.write_mode": "append" });
    let must = |changes: &[&Value]| {
        let long: Vec<Value> = changes.iter().map(|change| short(change)).collect();
        reader(&report(&long.iter().collect::<Vec<_>>())).consumer_must.words().to_owned()
    };
    let drawn = |at: &str| json!({ (format!("{at}.determinism")): "key_varies" });
    let none = "Nothing that it could do by key: ";
    assert_eq!(must(&[&beside(), &rows, &drawn("a")]), format!("{none}some copies have an id of their own."));
    assert_eq!(must(&[&beside(), &rows, &drawn("op")]), format!("{none}every copy has an id of its own."));
    assert!(must(&[&beside(), &rows]).starts_with("Remove repeats by "));
}

/// What fails goes to either of two channels, and neither stays empty by itself.
#[test]
fn each_channel_for_what_fails_is_a_condition() {
    let aside = |link: &str, to: &str| {
        let mut change = json!({ (to): topic(), (link): produced("op", to) });
        change[link]["port"] = json!("dead_letter");
        change
    };
    let told = ["1*..1", "loses op unless", "loses op unless", "value NotApplicable"];
    says(&[&aside("l5", "d"), &aside("l6", "e")], &told);
    let stays = json!({ "d.rate": "0/s" });
    let told = ["1*..1", "loses op unless", "loses op unless, stated inside", "value NotApplicable"];
    says(&[&aside("l5", "d"), &aside("l6", "e"), &stays], &told);
}

/// A service that reads two logs: a position that is committed before the work ends the order, whichever read it is of.
#[test]
fn each_read_of_a_service_can_count_ahead() {
    let service = json!({ "job": { "system": "plain_consumer" }, "job.client": "java" });
    let commits = |one: &str, other: &str| json!({ "l2.offset_commit": one, "l6.offset_commit": other });
    let ended = |commits: &Value| {
        let changes = [&beside(), &service, commits].map(short);
        let changes: Vec<&Value> = changes.iter().collect();
        assert_eq!(decided(&design(&changes), View::ToBe, 3), None);
        let report = report(&changes);
        let order = &report.consumers.values().next().unwrap().order;
        assert_eq!(order.kind(), Some(OrderKind::Nothing), "two inputs meet");
        let breakers = order.inputs[0].breakers.iter().filter(|breaker| matches!(breaker.by, Break::Replaced(_)));
        breakers.map(|breaker| breaker.at.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ended(&commits("after_work", "after_work")), [""; 0]);
    assert_eq!(ended(&commits("before_work", "after_work")), ["l2"]);
    assert_eq!(ended(&commits("after_work", "before_work")), ["l6"]);
    assert_eq!(ended(&commits("before_work", "before_work")), ["l2", "l6"]);
}

/// Two writes into one table: an older row stands where rows came out of order, not where the other write is.
#[test]
fn an_old_row_stands_where_its_own_order_ended() {
    let other = json!({ "j2": { "kind": "job", "system": "plain_consumer", "proposed": { "client": "java" } }, "op2": step("j2"),
        "l6": { "to": "op2" }, "l6.offset_commit": "after_work", "l6.processing": "threads",
        "l3.key": ["entity"], "table.unique_keys": [["entity"]],
        "l7": { "from": "op2", "to": "table", "proposed": {
            "key": ["entity"], "write_mode": "upsert", "version_guard": [], "output_commit": "flush" } } });
    let old = |more: &Value| {
        let changes = [&beside(), &other, more].map(short);
        let changes: Vec<&Value> = changes.iter().collect();
        assert_eq!(decided(&design(&changes), View::ToBe, 5), None);
        let report = report(&changes);
        let order = &report.consumers.values().next().unwrap().order;
        order.inputs[0].old_rows.as_ref().map(|old| (old.at.to_string(), old.after.at.to_string()))
    };
    let at = |write: &str, after: &str| Some((write.to_owned(), after.to_owned()));
    assert_eq!(old(&json!({})), at("l7", "l6"));
    assert_eq!(old(&json!({ "l7.version_guard": ["version"] })), None, "an older row is turned away there");
}

/// What one way loses of an event comes late on the other, also where another event that only the lossy way carries stays lost.
#[test]
fn a_loss_that_stays_for_one_event_makes_another_late() {
    let two = json!({ "u": topic(), "v": topic(), "src2": { "kind": "source", "system": "application", "event": "event" },
        "l5": sent("src", "u"), "l9": sent("src2", "u"), "l6": read("u", "p"), "l7": produced("p", "v"), "l8": read("v", "op"),
        "p": step("pre"), "pre": { "kind": "job", "system": "plain_consumer", "proposed": { "client": "java" } } });
    let commits = |how: &str| json!({ "l6.offset_commit": how, "l6.processing": "sequential" });
    says(&[&two, &latest(), &commits("after_work")], &["1..1", AGAIN, "value Exact"]);
    let late = ["0..n", "loses l6", "stale l3 by D7 op", AGAIN, "value Stale", "mend l3 VersionGuard"];
    says(&[&two, &latest(), &commits("before_work")], &late);
}
