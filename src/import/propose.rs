//! What was found against a design: which subject each fact belongs to, and how it stands to what is known there.
//!
//! A topic is the channel of that name in the chosen cluster; a group is the job whose reading link carries it. A later
//! reading of the running system takes the place of an earlier one; what people stated is never overwritten without
//! being asked. Layout and proposed values are not touched. Not here: applying anything.

mod groups;
mod ids;
mod job_ends;
mod jobs;
mod subjects;
mod weigh;

use super::{
    Format, LineNote, LineRef, LineState, Proposal, Reading,
    found::{self, Found, FoundFact, FoundRaw},
    proposal::{Ask, FactState, ProposedFact, ProposedRaw, Skipped, Standing, Vanished},
};
use crate::model::{
    Basis, Covers, Date, Design, Evidence, EvidenceBasis, Id, RawValue, Subject, Text, limits::TextKind, shortened,
};
use crate::sorted::{self, SortedMap, SortedSet};
use ids::Ids;

/// Compares what was read with a design.
pub(super) fn propose(reading: &Reading, design: &Design, at: Option<Date>, taken: &dyn Fn(&Id) -> bool) -> Proposal {
    let found = found::gather(reading);
    let mut work = Work {
        design,
        ids: Ids::new(design, taken),
        proposal: Proposal { lines: reading.lines.clone(), at: at.clone(), ..Proposal::default() },
        new: (0, 0),
        sections: Vec::new(),
        fresh: Vec::new(),
    };
    work.evidence(reading, at);
    work.ask(reading, &found);
    work.subjects(&found);
    work.vanished(reading);
    let Found { remarks, skipped, .. } = found;
    let mut proposal = work.proposal;
    proposal.remarks.extend(remarks);
    sorted::sort_by_key(&mut proposal.remarks, |remark| remark.at);
    proposal.skipped.extend(skipped);
    mark_conflicts(&mut proposal);
    let conflicts = proposal.facts.iter().filter(|fact| fact.state == FactState::Conflict).count();
    proposal.next_decision = (0..conflicts).map(|_| work.ids.next('d')).collect();
    proposal
}

/// A proposal while it grows.
struct Work<'a> {
    design: &'a Design,
    ids: Ids<'a>,
    proposal: Proposal,
    /// Subjects proposed as new so far: all but links, and links.
    new: (usize, usize),
    /// Evidence id of each section.
    sections: Vec<Id>,
    /// Reading links of connectors, for the groups that they read in.
    fresh: Vec<job_ends::FreshRead>,
}

impl Work<'_> {
    /// One evidence entry a command; the one that the design has from the same command is used again.
    fn evidence(&mut self, reading: &Reading, at: Option<Date>) {
        let known: SortedMap<&str, &Id> = self
            .design
            .records
            .evidence
            .iter()
            .filter(|(_, e)| e.basis == Some(EvidenceBasis::Read) && e.state.is_none())
            .filter_map(|(id, e)| Some((&**e.from.as_ref()?, id)))
            .collect();
        let mut here: SortedMap<String, Id> = SortedMap::new();
        for section in &reading.sections {
            let from = from(reading, section);
            let covers: &[Covers] = match section.format {
                Format::Topics
                | Format::Configs
                | Format::Features
                | Format::Brokers
                | Format::RpkTopics
                | Format::RpkConfig
                | Format::Connect => &[Covers::Topology],
                Format::Groups | Format::RpkGroups => &[Covers::Topology, Covers::Lag],
                Format::Offsets | Format::LogDirs | Format::Flink | Format::Spark => &[],
            };
            let id = match (here.get(&from), known.get(from.as_str())) {
                (Some(id), _) => id.clone(),
                (None, Some(id)) => (*id).clone(),
                (None, None) => self.ids.next('e'),
            };
            self.sections.push(id.clone());
            if here.insert(from.clone(), id.clone()).is_some() {
                continue;
            }
            let old = self.design.records.evidence.get(&id);
            let mut entry = old.cloned().unwrap_or_else(|| Evidence {
                basis: Some(EvidenceBasis::Read),
                from: Some(from.into()),
                ..Evidence::default()
            });
            entry.at = at.clone().or(entry.at);
            entry.covers.extend(covers);
            sorted::sort(&mut entry.covers);
            entry.covers.dedup();
            if let Some(old) = old {
                self.proposal.known_evidence.insert(id.clone());
                if *old != entry {
                    self.proposal.refreshed.insert(id.clone());
                }
            }
            self.proposal.evidence.push((id, entry));
        }
    }

    fn ask(&mut self, reading: &Reading, found: &Found) {
        for (index, what) in &found.asks {
            let Some(section) = reading.sections.get(*index) else { continue };
            let text = match *what {
                "group" => "This table has no GROUP column. Which consumer group is it about?",
                _ => "These settings have no heading. Which topic do they belong to?",
            };
            let at = LineRef { input: section.input, number: section.first };
            self.proposal.asks.push(Ask { section: *index, at, text: text.to_owned() });
        }
    }

    /// Files one fact of a subject.
    fn fact(&mut self, id: &Id, subject: Option<&Subject>, fact: &FoundFact) {
        let Some(evidence) = self.sections.get(fact.section).cloned() else { return };
        // One value that no file could hold would have the whole import refused.
        if let Err(refusal) = fact.field.check(&fact.value) {
            let (what, reason) = (format!("{} of {id}", fact.key), refusal.reason);
            self.proposal.skipped.push(Skipped { at: fact.lines.first().copied(), what, reason });
            return;
        }
        let nature = fact.field.row().nature;
        let records = &self.design.records;
        let observed = subject.into_iter().flat_map(|subject| &subject.observed);
        let mut in_design: Vec<Standing> = observed
            .filter_map(|(evidence, facts)| {
                let value = facts.get(fact.field)?.clone();
                Some(Standing { evidence: evidence.clone(), basis: records.basis(evidence, nature, &value), value })
            })
            .collect();
        // Facts of one subject are filed one after the other: what another input says of this field stands close by.
        let earlier = self.proposal.facts.iter().rev().take_while(|earlier| earlier.subject == *id);
        let rivals: Vec<Standing> = earlier
            .filter(|earlier| earlier.field == fact.field)
            .filter_map(|earlier| {
                let value = earlier.read_as.clone()?;
                Some(Standing { evidence: earlier.evidence.clone(), value, basis: earlier.basis })
            })
            .collect();
        let weighed = if rivals.is_empty() {
            weigh::weigh(records, &in_design, &fact.value, nature, &evidence, self.proposal.at.as_ref())
        } else {
            weigh::Weighed { state: FactState::Conflict, replaces: Vec::new() }
        };
        in_design.extend(rivals);
        let basis = match nature {
            crate::model::Nature::Measurement => Basis::Measured,
            _ => Basis::Configured,
        };
        self.proposal.facts.push(ProposedFact {
            subject: id.clone(),
            field: fact.field,
            key: fact.key.clone(),
            in_design,
            read_as: Some(fact.value.clone()),
            basis,
            evidence,
            lines: fact.lines.clone(),
            state: weighed.state,
            note: fact.note.clone(),
            replaces: weighed.replaces,
        });
    }

    /// Files the keys without a field, and takes out those that an earlier reading of the same command had.
    fn raw(&mut self, id: &Id, subject: Option<&Subject>, raw: &[FoundRaw], complete: bool) {
        let mut now: SortedMap<Id, SortedSet<&str>> = SortedMap::new();
        for FoundRaw { key, value, section } in raw {
            let Some(evidence) = self.sections.get(*section).cloned() else { continue };
            if let Err(reason) = TextKind::Setting.check(key).and(value.check()) {
                let what = format!("{} of {id}", shortened(key, 80));
                self.proposal.skipped.push(Skipped { at: None, what, reason });
                continue;
            }
            now.entry(evidence.clone()).or_default().insert(key);
            let held = subject.into_iter().flat_map(|s| s.raw.values()).find_map(|keys| keys.get(key.as_str()));
            if held != Some(value) {
                let value = Some(value.clone());
                self.proposal.raw.push(ProposedRaw { subject: id.clone(), evidence, key: key.as_str().into(), value });
            }
        }
        let Some(subject) = subject else { return };
        for (evidence, keys) in &subject.raw {
            let again = self.sections.contains(evidence) && complete;
            for key in keys.keys() {
                let here = now.get(evidence).is_some_and(|keys| keys.contains(&**key));
                let elsewhere = raw.iter().any(|raw| raw.key == **key);
                let changed = raw.iter().any(|raw| raw.key == **key && keys.get(key) != Some(&raw.value));
                if !here && ((again && !elsewhere) || changed) {
                    let (key, evidence) = (key.clone(), evidence.clone());
                    self.proposal.raw.push(ProposedRaw { subject: id.clone(), evidence, key, value: None });
                }
            }
        }
    }

    /// Complete lists by their evidence, each with the line that the last of them begins on.
    fn whole(&self, complete: &[(usize, LineRef)]) -> SortedMap<Id, LineRef> {
        complete.iter().filter_map(|(section, at)| Some((self.sections.get(*section)?.clone(), *at))).collect()
    }

    /// Settings that an earlier reading of the same command had and this complete one, which begins `at`, has not.
    fn gone(
        &mut self,
        id: &Id,
        subject: &Subject,
        (evidence, at): (&Id, LineRef),
        facts: &[FoundFact],
        about: &dyn Fn(crate::model::Field) -> bool,
    ) {
        let Some(old) = subject.observed.get(evidence) else { return };
        for (field, value) in old.iter().filter(|(field, _)| about(*field)) {
            if facts.iter().any(|fact| fact.field == field) {
                continue;
            }
            let basis = self.design.records.basis(evidence, field.row().nature, value);
            self.proposal.facts.push(ProposedFact {
                subject: id.clone(),
                field,
                key: field.label(),
                in_design: vec![Standing { evidence: evidence.clone(), value: value.clone(), basis }],
                read_as: None,
                basis,
                evidence: evidence.clone(),
                lines: vec![at],
                state: FactState::Gone,
                note: Some("not in the reading any more".to_owned()),
                replaces: Vec::new(),
            });
        }
    }

    /// Channels and links that an earlier reading of the same commands had and this one has not.
    fn vanished(&mut self, reading: &Reading) {
        let whole: SortedSet<&Id> = (reading.sections.iter().zip(&self.sections))
            .filter(|(section, id)| {
                let all = section
                    .command
                    .as_ref()
                    .is_none_or(|c| c.option("topic").is_none() && c.option("group").is_none() && !c.filtered());
                all && matches!(section.format, Format::Topics | Format::Groups)
                    && self.proposal.known_evidence.contains(*id)
            })
            .map(|(_, id)| id)
            .collect();
        if whole.is_empty() {
            return;
        }
        let here: SortedSet<&Id> = self.proposal.subjects.iter().map(|subject| &subject.id).collect();
        let mut vanished = Vec::new();
        for (id, subject) in self.design.elements.iter().chain(&self.design.links) {
            if !here.contains(id) && subject.observed.keys().any(|evidence| whole.contains(evidence)) {
                let title = self.design.title(id);
                let text = format!(
                    "{title} was in the earlier reading and is not in this one. It stays in the design: mark it as retiring, or delete it."
                );
                vanished.push(Vanished { id: id.clone(), title, text });
            }
        }
        self.proposal.vanished = vanished;
    }
}

/// What an evidence entry says it was read from: the command as pasted, else what the text is and where it came from.
fn from(reading: &Reading, section: &super::Section) -> String {
    let text = match (&section.command, reading.inputs.get(section.input).and_then(Option::as_ref)) {
        (Some(command), _) if command.tool.prints(section.format) => command.text.clone(),
        (_, Some(name)) => format!("{}, file {name}", section.format.command()),
        (_, None) => format!("{}, pasted", section.format.command()),
    };
    text.chars().take(4000).collect()
}

impl super::command::Tool {
    /// Does this tool print that format? A command above an output of another tool is not its source.
    const fn prints(self, format: Format) -> bool {
        matches!(
            (self, format),
            (Self::Topics, Format::Topics)
                | (Self::Configs, Format::Configs)
                | (Self::ConsumerGroups, Format::Groups)
                | (Self::Offsets, Format::Offsets)
                | (Self::Features, Format::Features)
                | (Self::ApiVersions, Format::Brokers)
                | (Self::LogDirs, Format::LogDirs)
                | (Self::RpkTopics, Format::RpkTopics)
                | (Self::RpkGroups, Format::RpkGroups)
                | (Self::RpkConfig, Format::RpkConfig)
                | (Self::Rest, Format::Connect | Format::Flink | Format::Spark)
        )
    }
}

/// A line whose fact is in conflict says so.
fn mark_conflicts(proposal: &mut Proposal) {
    let lines: SortedSet<_> = proposal
        .facts
        .iter()
        .filter(|f| f.state == FactState::Conflict)
        .flat_map(|f| f.lines.iter().copied())
        .collect();
    if lines.is_empty() {
        return;
    }
    // JSON in one line is shown as several of one number: the one with the key is meant.
    let same = |index: usize, at| proposal.lines.get(index).is_some_and(|other| other.at == at);
    let shared = |index: usize, at| same(index + 1, at) || same(index.wrapping_sub(1), at);
    let keys = |line: &LineNote| {
        let of = proposal.facts.iter().filter(|f| f.state == FactState::Conflict && f.lines.contains(&line.at));
        of.map(|fact| fact.key.rsplit('.').next().unwrap_or(&fact.key).to_owned()).collect::<Vec<_>>()
    };
    let meant = |index: usize, line: &LineNote| {
        !shared(index, line.at) || keys(line).iter().any(|key| line.text.contains(key.as_str()))
    };
    let conflicts: Vec<usize> = (proposal.lines.iter().enumerate())
        .filter(|(i, line)| line.state == LineState::Read && lines.contains(&line.at) && meant(*i, line))
        .map(|(index, _)| index)
        .collect();
    for index in conflicts {
        proposal.lines[index].state = LineState::Conflict;
    }
}

/// The topic id that the design holds for a channel, to notice one that was made again under its name.
fn topic_id(subject: &Subject) -> Option<&Text> {
    subject.raw.values().find_map(|keys| match keys.get("TopicId") {
        Some(RawValue::Text(id)) => Some(id),
        _ => None,
    })
}
