//! Sources of evidence that exist and could not be read, and what would have come from them: nothing rests on any of it.
//! The analysis takes it for not known, whoever else may have said it, so that every claim which needs it is withheld.

use crate::{
    model::{Basis, Covers, Design, EvidenceState, Fact, Field, Group, Id, Known, Section, Slot, View},
    sorted::SortedSet,
};

/// A source of evidence that exists and could not be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Unreachable {
    /// Its evidence entry.
    pub evidence: Id,
    /// Ids and paths (`subject.field`) that would have come from it.
    pub about: SortedSet<String>,
    /// Which required evidence it is.
    pub covers: Vec<Covers>,
}

/// The sources of a design that could not be reached.
#[must_use]
pub fn unreachable(design: &Design) -> Vec<Unreachable> {
    let entries = design.records.evidence.iter().filter(|(_, e)| e.state == Some(EvidenceState::Unreachable));
    entries
        .map(|(id, entry)| Unreachable {
            evidence: id.clone(),
            about: entry.about.iter().map(ToString::to_string).collect(),
            covers: entry.covers.clone(),
        })
        .collect()
}

/// The design without what would have come from such sources; `None` where nothing is left out. What is proposed comes
/// from no source and stays. The default of a cluster that would stand for a setting which is left out goes as well.
#[must_use]
pub fn readable(design: &Design) -> Option<Design> {
    let sources = unreachable(design);
    if sources.is_empty() {
        return None;
    }
    let mut readable = design.clone();
    for section in [Section::Elements, Section::Links, Section::Events, Section::Clusters] {
        for (id, subject) in design.section(section) {
            let fields = design.groups(subject).into_iter().flat_map(Group::fields);
            for field in fields.filter(|field| sources.iter().any(|source| source.holds(design, id, *field))) {
                leave_out(&mut readable, section, id, field);
                if let (Group::Channel, Some(cluster)) = (field.group(), &subject.cluster)
                    && let Some(default) = Group::Cluster.field(field.name())
                {
                    leave_out(&mut readable, Section::Clusters, cluster, default);
                }
            }
        }
    }
    Some(readable)
}

/// Removes a setting from everything that was observed of a subject.
fn leave_out(design: &mut Design, section: Section, id: &Id, field: Field) {
    let Some(subject) = design.section_mut(section).get_mut(id) else { return };
    if subject.observed.values().any(|facts| facts.get(field).is_some()) {
        for facts in subject.observed.values_mut() {
            facts.set(field, None);
        }
    }
}

impl Unreachable {
    /// Would this setting have come from it?
    #[must_use]
    pub fn holds(&self, design: &Design, id: &Id, field: Field) -> bool {
        let covers = || self.covers.is_empty() || self.covers.iter().any(|covers| belongs(*covers, field));
        if self.about.is_empty() {
            // Of what is only planned a source that is not about it can tell nothing.
            let there =
                || design.visible(View::AsIs, id) || design.subject(id).is_some_and(|it| !it.observed.is_empty());
            return self.covers.iter().any(|covers| belongs(*covers, field)) && there();
        }
        let job = design.job_of(id);
        self.about.contains(&format!("{id}.{}", field.name()))
            || (covers()
                && (self.about.contains(id.as_str()) || job.is_some_and(|job| self.about.contains(job.as_str()))))
    }

    /// The subjects that it would have said something of which nothing else says: neither a proposal nor another reading.
    pub fn leaves_open<'d>(&self, design: &'d Design, view: View) -> Vec<&'d Id> {
        let sections = [&design.elements, &design.links, &design.events, &design.clusters];
        let open = |id: &Id, field: Field| match design.resolve(view, id, field) {
            Known::Value(Fact { basis, source, .. }) => basis != Basis::Proposed && source.slot == self.slot(),
            Known::NotKnown(_) => true,
            Known::Unset(_) | Known::Conflict(_) => false,
        };
        let subjects = sections.into_iter().flatten().filter(|(id, _)| design.visible(view, id));
        subjects
            .filter(|(id, subject)| {
                let fields = design.groups(subject).into_iter().flat_map(Group::fields);
                fields.into_iter().any(|field| self.holds(design, id, field) && open(id, field))
            })
            .map(|(id, _)| id)
            .collect()
    }

    fn slot(&self) -> Slot {
        Slot::Observed(self.evidence.clone())
    }
}

/// Does required evidence of this sort hold this setting?
fn belongs(covers: Covers, field: Field) -> bool {
    let name = field.name();
    match covers {
        Covers::Schemas => field.group() == Group::Event,
        Covers::Topology => field.group() == Group::Channel || matches!(name, "members" | "group"),
        Covers::Lag => matches!(name, "lag" | "lag_time" | "committed_offset" | "end_offset" | "members"),
        Covers::LatencyNeed => name == "latency_requirement",
        Covers::Lateness => matches!(name, "lateness" | "partition_time_spread" | "longest_silence"),
        Covers::SinkCapability => field.group() == Group::Sink,
        Covers::State => {
            name.starts_with("checkpoint")
                || matches!(name, "state_size" | "recovery_time" | "restart_time" | "restore_rate")
        }
        Covers::BatchPath => matches!(field.group(), Group::Batch | Group::Reconcile),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analysis::analyse, codec};

    /// Two topics of one cluster that has a default; what was told of them, and a source that could not be read.
    fn reach(topic: &str, source: &str) -> [Option<String>; 2] {
        let channel = |facts: &str| {
            format!(
                r#"{{"kind": "channel", "cluster": "k", "lifecycle": "existing", "observed": {{"said": {{"partitions": 6, "cleanup_policy": "delete", "retention_size": "unlimited", "timestamp_type": "append_time"{facts}}}}}}}"#
            )
        };
        let design = codec::decode(&format!(
            r#"{{"format": "streaming-pipeline", "version": 2,
             "elements": {{"orders": {}, "other": {}}},
             "clusters": {{"k": {{"system": "kafka", "lifecycle": "existing", "observed": {{"said": {{"retention_time": "7d"}}}}}}}},
             "evidence": {{"said": {{"basis": "stated", "by": "owner"}}, "e1": {{"from": "kafka-configs.sh", {source}}}}}}}"#,
            channel(topic),
            channel("")
        ));
        let report = analyse(&design.unwrap(), View::AsIs);
        ["orders", "other"].map(|id| Some(report.channels.get(&Id::new(id).unwrap())?.reach.as_ref().ok()?.text()))
    }

    /// A reach is not stated against a retention that nobody read, whoever remembers it.
    #[test]
    fn what_could_not_be_read_is_not_known_to_the_analysis() {
        let days = |text: &str| Some(text.to_owned());
        let own = r#", "retention_time": "3d""#;
        assert_eq!(reach(own, r#""state": "not_provided", "about": ["orders"]"#), [days("3 d"), days("7 d")]);
        let unread = r#""state": "unreachable", "about": ["orders.retention_time"]"#;
        assert_eq!(reach(own, r#""state": "unreachable", "about": ["orders"]"#)[0], None);
        assert_eq!(reach(own, r#""state": "unreachable", "covers": ["topology"]"#), [None, None]);
        assert_eq!(reach(own, r#""state": "unreachable", "covers": ["lag"]"#), [days("3 d"), days("7 d")]);
        // The default of the cluster does not stand for an override that nobody could read, nor can one be told from it.
        assert_eq!(reach(own, unread), [None, None]);
        assert_eq!(reach("", unread), [None, None]);
    }
}
