//! Taking events from where they are born, or out of a store.

use super::{
    hop::Examined,
    ledger::{BOTH, COPIES, ClaimKind, Found, LOSS},
    running::{Running, rewind},
    state::{Instance, State},
    transaction::stated_outage,
    verdict::{Condition, CopyClass, HopPart, Variable},
};
use crate::{
    analysis::{
        explain::{Explained, Unit},
        graph::Place,
    },
    catalog::{self, PositionIn},
    model::{
        Known,
        key::{job, source, take},
        units::{Limit, human},
        words::{Acknowledge, AfterRestart, Capture, OffsetMismatch, Snapshot},
    },
};

/// Who takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Taker<'r> {
    /// The source writes itself.
    Itself,
    /// A job.
    Job(&'r Running),
}

/// Takes events over this link.
pub(super) fn examine(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, taker: Taker<'_>) {
    let graph = hop.graph;
    let takings = graph.nodes[from].entry.and_then(|entry| entry.source).map_or(&[][..], |source| source.takings);
    let capture = match (hop.peek(hop.place, take::CAPTURE), takings) {
        (Some(capture), _) => Some(capture),
        (None, [only]) => Some(only.capture),
        _ => hop.need(state, hop.place, take::CAPTURE, BOTH),
    };
    let Some(capture) = capture else { return };
    match capture {
        Capture::InProcess => in_process(hop, state),
        Capture::Push | Capture::Subscribe => handed_over(hop, state, capture, taker),
        Capture::ChangeLog => change_log(hop, state, from, taker),
        Capture::PollTimestamp | Capture::PollSequence | Capture::PollTable => polled(hop, state, capture, taker),
        Capture::Listing => listed(hop, state),
    }
    if matches!(taker, Taker::Itself) && !matches!(capture, Capture::InProcess) {
        restarts(hop, state);
    }
}

fn horizon(hop: &mut Examined<'_, '_>, taker: Taker<'_>) -> Option<u64> {
    match hop.peek(hop.place, take::RESEND_WITHIN) {
        Some(Limit::Of(within)) => Some(within.millis()),
        Some(_) => None,
        None => match taker {
            Taker::Job(running) => rewind(hop.graph, running.job),
            Taker::Itself => None,
        },
    }
}

/// What a restarted writer sends again, from what it kept.
fn restarts(hop: &mut Examined<'_, '_>, state: &mut State) -> Option<AfterRestart> {
    let kept = hop.need(state, hop.place, take::AFTER_RESTART, COPIES)?;
    if kept == AfterRestart::Nothing {
        hop.claim(state, ClaimKind::Prevents, "nothing is kept that a restart could send again");
        return Some(kept);
    }
    let isolated = kept == AfterRestart::ResendUnmarked;
    let horizon = horizon(hop, Taker::Itself);
    let copies =
        Instance { isolated, horizon, coordinates: false, ..Instance::new(CopyClass::ProducerRestart, hop.place) };
    hop.add(state, copies);
    Some(kept)
}

fn in_process(hop: &mut Examined<'_, '_>, state: &mut State) {
    let _ = hop.need(state, hop.place, take::AFTER_RESTART, LOSS);
    match restarts(hop, state) {
        Some(AfterRestart::Nothing) => {
            hop.lose(state, Found::possible(HopPart::Whole, "what is only in memory is gone when the process stops"));
        }
        Some(_) => hop.claim(state, ClaimKind::Keeps, "sent again after a restart, from what is kept"),
        None => {}
    }
}

fn handed_over(hop: &mut Examined<'_, '_>, state: &mut State, capture: Capture, taker: Taker<'_>) {
    let Some(acknowledge) = hop.need(state, hop.place, take::ACKNOWLEDGE, BOTH) else { return };
    match acknowledge {
        Acknowledge::Never => {
            hop.lose(
                state,
                Found::possible(HopPart::Whole, "never acknowledged: what is lost on the way is not sent again"),
            );
            hop.claim(state, ClaimKind::Prevents, "never sent again");
        }
        Acknowledge::BeforeStore => {
            hop.lose(state, Found::possible(HopPart::Whole, "acknowledged before it is stored"));
            resent(hop, state, taker);
        }
        Acknowledge::AfterStore => {
            hop.claim(state, ClaimKind::Keeps, "acknowledged after it is stored");
            buffered(hop, state, taker);
            resent(hop, state, taker);
        }
        Acknowledge::OncePerHop => {
            hop.lose(
                state,
                Found::unless(
                    HopPart::Whole,
                    open_condition(hop, "whoever takes it runs on from receipt to write"),
                    "handed over once on this hop only",
                ),
            );
            hop.claim(state, ClaimKind::Prevents, "handed over once on this hop");
        }
    }
    if capture == Capture::Subscribe && acknowledge != Acknowledge::Never {
        session(hop, state);
    }
}

/// Firehose keeps what is put into it directly for a day (Amazon Data Firehose Developer Guide, Troubleshooting).
fn buffered(hop: &mut Examined<'_, '_>, state: &mut State, taker: Taker<'_>) {
    let Taker::Job(running) = taker else { return };
    let entry = hop.graph.nodes.get(running.job.index()).and_then(|node| node.entry);
    if entry.is_some_and(|entry| entry.id == "firehose") {
        let condition = open_condition(hop, "its destination is never away for 24 h");
        hop.lose(state, Found::unless(HopPart::Whole, condition, "what it could not hand on within a day"));
    }
}

fn open_condition(hop: &Examined<'_, '_>, text: &str) -> Condition {
    Condition {
        text: text.to_owned(),
        variable: Variable::Other(hop.graph.id(hop.place).clone()),
        bound: None,
        inside: None,
        hop: hop.hop(HopPart::Whole),
    }
}

fn session(hop: &mut Examined<'_, '_>, state: &mut State) {
    match hop.need(state, hop.place, take::SESSION_KEPT, LOSS) {
        Some(true) => {
            let condition = open_condition(hop, "the broker keeps the session and its queue has room");
            hop.lose(state, Found::unless(HopPart::Whole, condition, "what the broker does not keep while offline"));
        }
        Some(false) => {
            hop.lose(
                state,
                Found::possible(HopPart::Whole, "the session is not kept: what comes while offline is gone"),
            );
        }
        None => {}
    }
}

fn resent(hop: &mut Examined<'_, '_>, state: &mut State, taker: Taker<'_>) {
    if hop.peek(hop.place, take::RESEND_WITHIN) == Some(Limit::None) {
        hop.claim(state, ClaimKind::Prevents, "never sent again by the source");
        return;
    }
    let horizon = horizon(hop, taker);
    let copies =
        Instance { isolated: true, horizon, coordinates: false, ..Instance::new(CopyClass::SourceResend, hop.place) };
    hop.add(state, copies);
}

/// Copies that the taker itself makes: it reads again from its position after a crash.
fn reread(hop: &mut Examined<'_, '_>, state: &mut State, taker: Taker<'_>) {
    let Taker::Job(running) = taker else { return };
    let checkpointed = running.mode.is_some_and(|mode| mode.position == PositionIn::Checkpoint);
    let class = if checkpointed { CopyClass::Redelivery } else { CopyClass::SourceResend };
    let horizon = horizon(hop, taker);
    // Two tasks of Kafka Connect can take from one source for a while (KIP-618: zombies); nothing says it of other takers.
    let zombie = running.connector && running.zombies;
    hop.add(state, Instance { own: true, horizon, zombie, ..Instance::new(class, hop.place) });
    super::read::roll_back(hop, state, running);
}

fn change_log(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, taker: Taker<'_>) {
    reread(hop, state, taker);
    if hop.peek(hop.place, take::SNAPSHOT) == Some(Snapshot::Repeated) {
        // All rows in their present state, read in order with the changes (Debezium documentation, snapshot.mode).
        hop.add(state, Instance { coordinates: false, ..Instance::new(CopyClass::SourceResend, hop.place) });
        hop.row.remarks.push("the whole table is sent again");
    }
    let place = hop.graph.node_place(from);
    let survives = hop.peek(place, source::POSITION_SURVIVES_FAILOVER);
    if survives == Some(true) {
        hop.claim(state, ClaimKind::Keeps, "reads the change log from its position, which survives a failover");
    } else {
        let condition = Condition {
            text: format!("{} keeps the position in its change log", hop.title(place)),
            variable: Variable::PositionKept(hop.graph.id(place).clone()),
            bound: None,
            inside: None,
            hop: hop.hop(HopPart::Whole),
        };
        hop.claim(state, ClaimKind::Keeps, "reads the change log from its position");
        hop.lose(state, Found::unless(HopPart::Whole, condition, "changes that came while the position was gone"));
    }
    slot_ahead(hop, state, from);
    old_transactions(hop, state, place);
    let Taker::Job(running) = taker else { return };
    log_ends(hop, state, from, running.job, survives);
}

/// What the change log drops before a job that stood still comes back. A limit of it that was not read may end it; where
/// the position may be gone anyway, that condition is there already.
fn log_ends(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, job: Place, survives: Option<bool>) {
    let place = hop.graph.node_place(from);
    let _ = (hop.peek(place, source::LOG_REACH), hop.peek(place, source::LOG_REACH_SIZE));
    let reach = hop.figures.and_then(|figures| figures.sources.get(hop.graph.id(place)));
    let condition = match reach.map(|source| &source.reach) {
        Some(Ok(reach)) if reach.unbounded() => return,
        Some(Ok(reach)) => super::retention::unread(hop, job, Some(reach.clone()), "the change log is kept"),
        _ => {
            // What lies further back than one limit is gone, whatever the other is.
            let most = reach.and_then(|source| source.longest.clone().ok());
            if most.is_none() && survives != Some(true) {
                return;
            }
            let known = super::retention::unread(hop, job, most, "the change log is kept");
            let gone = known.inside.filter(|inside| !inside);
            Condition { inside: gone, ..super::retention::unread(hop, job, None, "the change log is kept") }
        }
    };
    hop.lose(state, Found::unless(HopPart::Whole, condition, "changes older than the change log reaches"));
}

/// A replication slot that is ahead of the position that the connector stored: PostgreSQL from 15 on starts at the slot
/// and says nothing, and two strategies of the connector do so by design (Debezium documentation, PostgreSQL:
/// offset.mismatch.strategy). Before 15 the server refuses. What is not read of it is asked for.
fn slot_ahead(hop: &mut Examined<'_, '_>, state: &mut State, from: usize) {
    if hop.graph.nodes[from].entry.is_none_or(|entry| entry.id != "postgres") {
        return;
    }
    let refused = |hop: &mut Examined<'_, '_>| {
        let version = hop.peek(hop.graph.node_place(from), source::VERSION);
        version
            .and_then(|version| catalog::Version::read(&version))
            .is_some_and(|version| version < catalog::Version(15, 0))
    };
    let strategy = match hop.graph.known(hop.place, take::OFFSET_MISMATCH) {
        Known::Unset(_) => Some(OffsetMismatch::NoValidation),
        Known::Value(_) => hop.peek(hop.place, take::OFFSET_MISMATCH),
        Known::NotKnown(_) | Known::Conflict(_) if refused(hop) => None,
        Known::NotKnown(_) | Known::Conflict(_) => hop.need(state, hop.place, take::OFFSET_MISMATCH, LOSS),
    };
    let cause = match strategy {
        Some(OffsetMismatch::TrustOffset) => {
            hop.claim(state, ClaimKind::Keeps, "stops where the slot is ahead of the stored position");
            return;
        }
        Some(OffsetMismatch::NoValidation) if refused(hop) => return,
        Some(OffsetMismatch::NoValidation) => "changes between the stored position and a slot that is ahead, unseen",
        Some(OffsetMismatch::TrustSlot | OffsetMismatch::TrustGreater) => {
            "changes between the stored position and a slot that is ahead, which it trusts"
        }
        None => return,
    };
    let condition = open_condition(hop, "the slot stays at or behind the stored position");
    hop.lose(state, Found::unless(HopPart::Whole, condition, cause));
}

/// Transactions that stay open for longer than the connector keeps them are discarded whole (Debezium documentation,
/// Oracle: log.mining.transaction.retention.ms, 0 keeps them).
fn old_transactions(hop: &mut Examined<'_, '_>, state: &mut State, source: Place) {
    let Some(Limit::Of(kept)) = hop.peek(hop.place, take::TRANSACTION_RETENTION) else { return };
    if kept.millis() == 0 {
        return;
    }
    let bound = hop.graph.fact(hop.place, take::TRANSACTION_RETENTION);
    let bound = bound.map(|fact| Explained::fact("open transactions are kept", Unit::Seconds, &fact, kept.secs()));
    let longest = hop.peek(source, source::LONGEST_TRANSACTION);
    let condition = Condition {
        text: format!("no transaction stays open longer than {}", human::bound(kept.secs())),
        bound,
        inside: longest.map(|longest| longest <= kept),
        ..open_condition(hop, "")
    };
    hop.lose(state, Found::unless(HopPart::Whole, condition, "transactions that are open for longer, whole"));
}

/// The condition that a job is down less than a bound.
pub(super) fn down_less(
    hop: &Examined<'_, '_>,
    job: Place,
    bound: Option<std::sync::Arc<Explained>>,
    otherwise: &str,
) -> Condition {
    let name = hop.title(job);
    let text = match &bound {
        Some(bound) => format!("{name} is down less than {}", human::bound(bound.value)),
        None => format!("{name} is down less long than {otherwise}"),
    };
    let stated = stated_outage(hop.graph, job);
    let inside = stated.zip(bound.as_ref()).map(|(stated, bound)| stated.value < bound.value);
    let variable = Variable::Outage(hop.graph.id(job).clone());
    Condition { text, variable, bound, inside, hop: hop.hop(HopPart::Whole) }
}

fn polled(hop: &mut Examined<'_, '_>, state: &mut State, capture: Capture, taker: Taker<'_>) {
    let cause = match capture {
        Capture::PollSequence => "polls for new rows only: updates and deletes are not seen",
        Capture::PollTable => "polls whole tables: versions between two polls and deletes are not seen",
        _ => "polls by time: versions between two polls and deletes are not seen",
    };
    hop.lose(state, Found::possible(HopPart::Whole, cause));
    if capture == Capture::PollTable {
        let copies = Instance { coordinates: false, ..Instance::new(CopyClass::SourceResend, hop.place) };
        hop.add(state, copies);
    } else {
        reread(hop, state, taker);
    }
    if let Taker::Job(running) = taker {
        let _ = hop.peek(running.job, job::COMMIT_INTERVAL);
    }
}

fn listed(hop: &mut Examined<'_, '_>, state: &mut State) {
    let condition = open_condition(hop, "files are complete when they are listed and stay until then");
    hop.lose(state, Found::unless(HopPart::Whole, condition, "files that are changed or removed before they are read"));
    let horizon = horizon(hop, Taker::Itself);
    let copies =
        Instance { isolated: true, horizon, coordinates: false, ..Instance::new(CopyClass::SourceResend, hop.place) };
    hop.add(state, copies);
}

#[cfg(test)]
mod tests {
    use crate::{
        analysis::delivery::verdict::{DeliveryVerdict, LossKind, LossyHop},
        codec,
        model::{Id, View},
        rules::review,
    };
    use std::sync::Arc;

    /// What a reader observes where a connector takes the changes of a database.
    fn taken(database: &str, facts: &str, takes: &str) -> DeliveryVerdict {
        taken_by("", database, facts, takes)
    }

    /// By a job of which more is known.
    fn taken_by(job: &str, database: &str, facts: &str, takes: &str) -> DeliveryVerdict {
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":2,
            "elements":{{"db":{{"kind":"source","system":"{database}","proposed":{{"position_survives_failover":true{facts}}}}},
             "j":{{"kind":"job","system":"kafka_connect"{job}}},"c":{{"kind":"operator","job":"j","step":"copy"}},
             "t":{{"kind":"channel","system":"kafka"}},"u":{{"kind":"consumer"}}}},
            "links":{{"l1":{{"from":"db","to":"c","proposed":{{"capture":"change_log"{takes}}}}},
             "l2":{{"from":"c","to":"t"}},"l3":{{"from":"t","to":"u"}}}}}}"#
        ))
        .unwrap_or_else(|error| panic!("{error}"));
        review(&design, View::ToBe).report.consumers[&Id::new("u").unwrap()].delivery.clone()
    }

    /// What can be lost there.
    fn lost(database: &str, facts: &str, takes: &str) -> Vec<Arc<LossyHop>> {
        let lossy = taken(database, facts, takes).lossy_hops;
        lossy.into_iter().filter(|loss| loss.hop.at.as_str() == "l1").collect()
    }

    /// The change log has no end.
    const KEPT: &str = r#","log_reach":"unlimited","log_reach_size":"unlimited""#;

    #[test]
    fn a_slot_that_is_ahead_skips_unless_the_position_is_trusted() {
        let of = |facts: &str, takes: &str| lost("postgres", &format!("{facts}{KEPT}"), takes).len();
        assert_eq!(of(r#","version":"16""#, r#","offset_mismatch":"no_validation""#), 1);
        assert_eq!(of(r#","version":"16""#, r#","offset_mismatch":"unset""#), 1, "what nobody sets does not validate");
        assert_eq!(of(r#","version":"14""#, r#","offset_mismatch":"no_validation""#), 0, "the server refuses");
        assert_eq!(of(r#","version":"15""#, r#","offset_mismatch":"no_validation""#), 1, "15 does not");
        assert_eq!(of("", r#","offset_mismatch":"trust_slot""#), 1);
        assert_eq!(of("", r#","offset_mismatch":"trust_offset""#), 0);
        assert_eq!(lost("mysql", KEPT, r#","offset_mismatch":"no_validation""#).len(), 0, "no slot");
    }

    /// Nothing is found of what is not read, so that it has to be asked for: only before 15 no answer changes anything.
    #[test]
    fn what_a_slot_that_is_ahead_does_is_asked_for() {
        let asked = |database: &str, facts: &str, takes: &str| {
            let unknown = taken(database, facts, takes).unknown;
            unknown.iter().any(|missing| missing.field.name() == "offset_mismatch")
        };
        assert!(asked("postgres", "", ""));
        assert!(asked("postgres", r#","version":"16""#, ""));
        assert!(!asked("postgres", r#","version":"14.5""#, ""), "the server refuses");
        for strategy in ["no_validation", "trust_offset", "trust_slot", "trust_greater_lsn", "unset"] {
            assert!(
                !asked("postgres", r#","version":"16""#, &format!(r#","offset_mismatch":"{strategy}""#)),
                "{strategy}"
            );
        }
        assert!(!asked("mysql", "", ""), "no slot");
    }

    #[test]
    fn transactions_that_stay_open_for_longer_than_they_are_kept_are_lost() {
        let inside = |facts: &str, takes: &str| match lost("oracle", &format!("{facts}{KEPT}"), takes)
            .first()
            .map(|loss| loss.kind.clone())
        {
            Some(LossKind::Conditional(condition)) => Some(condition.inside),
            // A condition that what is stated does not meet is none.
            Some(LossKind::Possible) => Some(Some(false)),
            None => None,
        };
        let hours = r#","transaction_retention":"4h""#;
        assert_eq!(inside("", hours), Some(None));
        assert_eq!(inside(r#","longest_transaction":"6h""#, hours), Some(Some(false)));
        assert_eq!(inside(r#","longest_transaction":"1h""#, hours), Some(Some(true)));
        assert_eq!(inside("", r#","transaction_retention":"unlimited""#), None, "kept");
        assert_eq!(inside("", r#","transaction_retention":"0s""#), None, "0 keeps them");
    }

    /// A slot holds 1 TB, 50 000 s at 20 MB/s, and no longer by time: 50 000 s less nothing read again, where the job is at the
    /// head. A limit that nobody read leaves it open; what lies beyond the one that is known is gone.
    #[test]
    fn a_change_log_ends_by_any_of_its_limits() {
        let of = |facts: &str| {
            let all = lost("postgres", facts, r#","offset_mismatch":"trust_offset""#);
            all.iter().map(|loss| loss.cause.to_string()).collect::<Vec<_>>()
        };
        const OLDER: &str = "changes older than the change log reaches";
        let size = r#","log_reach_size":"1TB","log_rate":"20MB/s""#;
        assert_eq!(of(r#","log_reach_size":"unlimited","log_reach":"unlimited""#), Vec::<String>::new());
        assert_eq!(of(r#","log_reach_size":"unlimited","version":"16""#), Vec::<String>::new(), "no limit by time");
        assert_eq!(of(r#","log_reach_size":"unlimited""#), [OLDER], "18 may have one");
        assert_eq!(of(&format!(r#"{size},"version":"16""#)), [OLDER]);
        assert_eq!(of(""), [OLDER]);
        assert_eq!(lost("mysql", r#","log_reach":"unlimited""#, "").len(), 0, "no limit by size");
        // Away for a day: what a size alone holds is too little, whatever the limit by time is.
        let kinds = |outage: &str| {
            let job = format!(r#","proposed":{{"longest_outage":"{outage}"}}"#);
            let all = taken_by(&job, "postgres", size, r#","offset_mismatch":"trust_offset""#).lossy_hops;
            all.iter()
                .filter(|loss| loss.cause == OLDER)
                .map(|loss| loss.kind == LossKind::Possible)
                .collect::<Vec<_>>()
        };
        assert_eq!((kinds("1d"), kinds("1h")), (vec![true], vec![false]));
    }
}
