//! Source connectors whose runtime commits their positions in one transaction with the records.
//!
//! Kafka Connect does so where its whole cluster is set to (KIP-618). MirrorMaker 2 in a cluster of its own does from 3.5 on,
//! with `exactly.once.source.support=enabled` for its target and the internal REST server on (KIP-710; Apache Kafka
//! documentation, Geo-Replication), and wherever it runs only if it reads committed: else its source connector says that it
//! does not support it (MirrorSourceConnector, exactlyOnceSupport).

use super::{
    hop::Examined,
    ledger::COPIES,
    running::Running,
    state::State,
    write::{log_reads, own_undone},
};
use crate::{
    analysis::{explain::MissingWhy, graph::Place},
    catalog::Version,
    model::{
        Known, Text,
        key::{cluster, job, read},
        words::{ExactlyOnceSource, Isolation},
    },
};

/// The first version in which a cluster of its own can copy in transactions.
const DEDICATED: Version = Version(3, 5);

/// Does what happens to the connector's own copies. Gives whether readers can wait for its transactions.
pub(super) fn with_records(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, running: &Running) -> bool {
    let mirror = system(hop, running.job) == Some("mirror_maker");
    let mechanism = "one transaction for source position and records";
    if mirror && !on_connect(hop, running.job) {
        if !recent(hop, state, running.job) || !reads_committed(hop, state, from) {
            return false;
        }
    } else if !enabled(hop, state, running) || (mirror && !reads_committed(hop, state, from)) {
        return false;
    }
    own_undone(hop, state, mechanism);
    if mirror {
        hop.row.remarks.push("translated positions lie earlier: a group that moves to the copy reads again");
    }
    true
}

fn system(hop: &Examined<'_, '_>, job: Place) -> Option<&'static str> {
    hop.graph.nodes.get(job.index())?.entry.map(|entry| entry.id)
}

/// Does the job run in a cluster of Kafka Connect?
fn on_connect(hop: &Examined<'_, '_>, job: Place) -> bool {
    let graph = hop.graph;
    let cluster = graph.nodes[job.index()].subject.cluster.as_ref().and_then(|id| graph.design.clusters.get(id));
    cluster.is_some_and(|cluster| cluster.system.as_deref() == Some("kafka_connect"))
}

/// Is the whole Connect cluster set to it?
fn enabled(hop: &mut Examined<'_, '_>, state: &mut State, running: &Running) -> bool {
    let graph = hop.graph;
    let node = &graph.nodes[running.job.index()];
    let set = node.subject.cluster.as_ref().and_then(|id| {
        let subject = graph.design.clusters.get(id)?;
        graph.design.read(graph.view, id, subject, cluster::EXACTLY_ONCE_SOURCE).fact()
    });
    match set.map(|fact| hop.take(fact)) {
        Some(ExactlyOnceSource::Enabled) => true,
        Some(_) => {
            hop.row.remarks.push("positions are committed apart: the cluster is not set to");
            false
        }
        None => {
            hop.miss(state, running.job, cluster::EXACTLY_ONCE_SOURCE.field(), MissingWhy::NotKnown, COPIES);
            false
        }
    }
}

/// Is it a version that can do it in a cluster of its own?
fn recent(hop: &mut Examined<'_, '_>, state: &mut State, place: Place) -> bool {
    let version: Option<Text> = hop.need(state, place, job::VERSION, COPIES);
    let Some(version) = version.and_then(|version| Version::read(&version)) else { return false };
    let recent = version >= DEDICATED;
    if !recent {
        hop.row.remarks.push("positions are committed apart: before 3.5 it has no transactions");
    }
    recent
}

/// Does it read its source log committed? Its consumer is a Java client, which by default does not.
fn reads_committed(hop: &mut Examined<'_, '_>, state: &mut State, from: usize) -> bool {
    let reads = log_reads(hop.graph, from);
    // All are asked, so that all that is missing is named.
    let mut committed = !reads.is_empty();
    for edge in reads {
        let place = hop.graph.edge_place(edge);
        let isolation = match hop.graph.known(place, read::ISOLATION) {
            Known::Unset(_) => Some(Isolation::ReadUncommitted),
            _ => hop.need(state, place, read::ISOLATION, COPIES),
        };
        if isolation == Some(Isolation::ReadUncommitted) {
            hop.row.remarks.push("positions are committed apart: it does not read committed");
        }
        committed &= isolation == Some(Isolation::ReadCommitted);
    }
    committed
}

#[cfg(test)]
mod tests {
    use crate::{
        analysis::delivery::verdict::{CopyClass, DeliveryVerdict},
        codec,
        model::{Id, View},
        rules::review,
    };

    /// A mirror between two logs, and a reader of the copy who waits for commits.
    fn mirrored(job: &str, reads: &str, more: &str) -> DeliveryVerdict {
        let log = r#""partitions":3,"replication_factor":3,"min_insync_replicas":2,"unclean_leader_election":false,"cleanup_policy":"delete","retention_time":"7d","retention_size":"unlimited""#;
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":1,
            "elements":{{"a":{{"kind":"channel","system":"kafka","proposed":{{{log}}}}},"b":{{"kind":"channel","system":"kafka","proposed":{{{log}}}}},
             "m":{{"kind":"job","system":"mirror_maker"{job}}},"copy":{{"kind":"operator","job":"m","step":"copy"}},"u":{{"kind":"consumer"}}}},
            "links":{{"l1":{{"from":"a","to":"copy","proposed":{{"offset_reset":"earliest"{reads}}}}},
             "l2":{{"from":"copy","to":"b","proposed":{{"acks":"all","idempotence":true,"max_in_flight":5,"on_send_failure":"retry","flush_on_close":true}}}},
             "l3":{{"from":"b","to":"u","proposed":{{"isolation":"read_committed"}}}}}}{more}}}"#
        ))
        .unwrap_or_else(|error| panic!("{error}"));
        let review = review(&design, View::ToBe);
        review.consumers[&Id::new("u").unwrap()].delivery.clone()
    }

    fn repeats(verdict: &DeliveryVerdict) -> bool {
        verdict.duplicates.iter().any(|copies| copies.class == CopyClass::Reemission)
    }

    fn missing(verdict: &DeliveryVerdict, field: &str) -> bool {
        verdict.unknown.iter().any(|missing| missing.field.name() == field)
    }

    const EXACT: &str = r#","proposed":{"processing_guarantee":"exactly_once","version":"3.9"}"#;
    const COMMITTED: &str = r#","isolation":"read_committed""#;

    #[test]
    fn a_dedicated_mirror_that_reads_committed_copies_once() {
        let once = mirrored(EXACT, COMMITTED, "");
        assert!(!repeats(&once), "{once:?}");
        assert!(!missing(&once, "exactly_once_source") && !missing(&once, "version"), "{:?}", once.unknown);
        let said =
            once.hops.iter().any(|row| row.mechanism().contains("one transaction for source position and records"));
        assert!(said, "{:?}", once.hops);
    }

    #[test]
    fn a_mirror_that_reads_uncommitted_is_not_credited() {
        assert!(repeats(&mirrored(EXACT, r#","isolation":"read_uncommitted""#, "")));
        assert!(repeats(&mirrored(EXACT, r#","isolation":"unset""#, "")), "the Java client's default");
        assert!(missing(&mirrored(EXACT, "", ""), "isolation"));
        assert!(!missing(&mirrored(EXACT, r#","isolation":"unset""#, ""), "isolation"), "its default is known");
        let uncommitted = |reads: &str| remarks(&mirrored(EXACT, reads, "")).contains("does not read committed");
        assert!(uncommitted(r#","isolation":"read_uncommitted""#) && !uncommitted(COMMITTED));
    }

    /// What the row of the write says beside mechanisms.
    fn remarks(verdict: &DeliveryVerdict) -> String {
        let rows = verdict.hops.iter().filter(|row| row.at.as_str() == "l2");
        rows.flat_map(|row| &row.remarks).copied().collect::<Vec<_>>().join("; ")
    }

    /// A second source log that is read uncommitted makes the positions of the whole task committed apart.
    #[test]
    fn all_source_logs_have_to_be_read_committed() {
        let second = |isolation: &str| {
            let job = format!(
                r#"{EXACT}}},"z":{{"kind":"channel","system":"kafka"}},"z2":{{"kind":"job","system":"kafka_streams""#
            );
            let link = format!(
                r#"{COMMITTED}}}}},"l1b":{{"from":"z","to":"copy","proposed":{{"offset_reset":"earliest"{isolation}"#
            );
            mirrored(&job, &link, "")
        };
        assert!(!repeats(&second(COMMITTED)));
        assert!(repeats(&second(r#","isolation":"read_uncommitted""#)));
        assert!(missing(&second(""), "isolation"));
    }

    #[test]
    fn an_old_mirror_is_not_credited_and_an_unread_version_is_asked_for() {
        let of = |version: &str| {
            let job = format!(r#","proposed":{{"processing_guarantee":"exactly_once"{version}}}"#);
            mirrored(&job, COMMITTED, "")
        };
        assert!(repeats(&of(r#","version":"3.4.1""#)));
        assert!(!repeats(&of(r#","version":"3.5""#)));
        assert!(remarks(&of(r#","version":"3.4.1""#)).contains("before 3.5"));
        assert!(!remarks(&of(r#","version":"3.5""#)).contains("before 3.5"));
        assert!(missing(&of(""), "version"));
        let plain = mirrored(r#","proposed":{"processing_guarantee":"at_least_once","version":"3.9"}"#, COMMITTED, "");
        assert!(repeats(&plain));
    }

    #[test]
    fn on_connect_the_whole_cluster_has_to_be_set_to_it() {
        let on = |set: &str| {
            let clusters = format!(
                r#","clusters":{{"c":{{"system":"kafka_connect","proposed":{{"exactly_once_source":"{set}"}}}}}}"#
            );
            let job = r#","cluster":"c","proposed":{"processing_guarantee":"exactly_once"}"#;
            (mirrored(job, COMMITTED, &clusters), mirrored(job, r#","isolation":"read_uncommitted""#, &clusters))
        };
        let (committed, uncommitted) = on("enabled");
        assert!(!repeats(&committed) && repeats(&uncommitted));
        assert!(repeats(&on("preparing").0));
    }
}
