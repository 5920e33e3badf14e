//! Sources of evidence that exist and could not be read, and what would have come from them: claims that rest on any of it
//! are withheld.

use crate::{
    model::{Basis, Covers, Design, EvidenceState, Fact, Field, Group, Id, Known, Slot, View},
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

impl Unreachable {
    /// Would this setting have come from it?
    #[must_use]
    pub fn holds(&self, design: &Design, id: &Id, field: Field) -> bool {
        let covers = || self.covers.is_empty() || self.covers.iter().any(|covers| belongs(*covers, field));
        if self.about.is_empty() {
            return self.covers.iter().any(|covers| belongs(*covers, field));
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
