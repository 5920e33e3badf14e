//! Consumer groups out of all their tables: offsets by topic, members, state.

use super::{
    FoundFact, FoundRaw, Remark, kafka_keys,
    settings::{self, Settings, Spoken},
    statistics,
};
use crate::import::{
    consumer_groups::{GroupReading, OffsetRow},
    kafka_configs::ConfigReading,
    lines::LineRef,
};
use crate::model::{FieldValue, RawValue, Text, Value, key, words::RebalanceProtocol};
use crate::sorted::{self, SortedMap};

/// One group.
#[derive(Clone, Debug)]
pub(in crate::import) struct FoundGroup {
    pub name: String,
    pub at: LineRef,
    /// What is known of its reading each topic.
    pub topics: Vec<(String, Vec<FoundFact>)>,
    pub job: Vec<FoundFact>,
    /// The number of its members.
    pub members: Option<FoundFact>,
    pub raw: Vec<FoundRaw>,
    /// Its settings as a share group, for the links that read as one.
    pub share: Vec<FoundFact>,
    /// A table of it was read, not only settings.
    pub described: bool,
    /// Its client ids are those of Kafka Streams.
    pub streams: bool,
}

#[derive(Default)]
struct GroupState {
    at: LineRef,
    order: usize,
    rows: Vec<OffsetRow>,
    section: usize,
    /// How many, whether the text states it, the lines and the section.
    members: Option<(u64, bool, Vec<LineRef>, usize)>,
    state: Option<(String, usize)>,
    strategy: Option<(String, LineRef, usize)>,
    static_members: Option<(LineRef, usize)>,
    streams: bool,
    /// A table was read, not only settings.
    described: bool,
    settings: Settings,
}

/// Groups while the readings are walked through.
#[derive(Default)]
pub(in crate::import) struct Groups {
    by_name: SortedMap<String, GroupState>,
}

impl Groups {
    /// One reading of one group; no when it has no name.
    pub(super) fn put(&mut self, group: &GroupReading, section: usize, remarks: &mut Vec<Remark>) -> bool {
        let Some(name) = &group.name else { return false };
        if group.missing {
            remarks.push(Remark { at: group.at, text: format!("The group {name} does not exist on this cluster") });
            return true;
        }
        let state = self.state(name, group.at);
        state.described = true;
        if !group.rows.is_empty() {
            (state.rows, state.section) = (group.rows.clone(), section);
        }
        let stated = group.stated_members.is_some();
        // A later table of the same group with members beats "no active members" said before.
        if let Some(members) = group.members()
            && (members > 0 || stated || state.members.as_ref().is_none_or(|old| !old.1))
        {
            state.members = Some((members, stated, group.members_at(), section));
        }
        if let Some(word) = &group.state {
            state.state = Some((word.clone(), section));
        }
        if let Some((word, at)) = group.strategy.as_ref().zip(group.strategy_at) {
            state.strategy = Some((word.clone(), at, section));
        }
        if let Some(at) = group.static_at {
            state.static_members = Some((at, section));
        }
        state.streams |= group.streams;
        let idle = group.consumers.iter().filter(|(_, held)| *held == Some(0)).count();
        if idle > 0 {
            let text = format!("{name}: {idle} of {} members hold no partition", group.consumers.len());
            remarks.push(Remark { at: group.at, text });
        }
        true
    }

    /// One list of settings of one group.
    pub(super) fn configure(&mut self, name: &str, list: &ConfigReading, section: usize) {
        let state = self.state(name, list.at);
        for entry in &list.entries {
            if let Some(value) = &entry.value {
                settings::put(&mut state.settings, &entry.key, value, entry.origin, entry.at, section);
            }
        }
    }

    fn state(&mut self, name: &str, at: LineRef) -> &mut GroupState {
        let order = self.by_name.len();
        self.by_name.entry(name.to_owned()).or_insert_with(|| GroupState { at, order, ..GroupState::default() })
    }

    /// All groups in the order of the text.
    pub(super) fn finish(self, remarks: &mut Vec<Remark>) -> Vec<FoundGroup> {
        let mut groups: Vec<(String, GroupState)> = self.by_name.into_iter().collect();
        sorted::sort_by_key(&mut groups, |(_, state)| state.order);
        groups.into_iter().map(|(name, state)| state.finish(name, remarks)).collect()
    }
}

impl GroupState {
    fn finish(self, name: String, remarks: &mut Vec<Remark>) -> FoundGroup {
        let mut topics: Vec<(String, Vec<&OffsetRow>)> = Vec::new();
        let mut index: SortedMap<&str, usize> = SortedMap::new();
        for row in &self.rows {
            let at = *index.entry(&row.topic).or_insert_with(|| {
                topics.push((row.topic.clone(), Vec::new()));
                topics.len() - 1
            });
            if let Some((_, rows)) = topics.get_mut(at) {
                rows.push(row);
            }
        }
        if self.rows.is_empty() && self.described {
            let state = self.state.as_ref().map_or(String::new(), |state| format!(" ({})", state.0));
            remarks.push(Remark {
                at: self.at,
                text: format!("{name}{state}: no offsets in the text, so its lag is not measured"),
            });
        }
        let unmeasured = self.rows.iter().filter(|row| row.lag.is_none()).count();
        if unmeasured > 0 {
            let text = format!(
                "{name}: nothing committed in {unmeasured} of {} partitions, so their lag is not measured",
                self.rows.len()
            );
            remarks.push(Remark { at: self.rows.first().map_or(self.at, |row| row.at), text });
        }
        let topics = topics.into_iter().map(|(topic, rows)| (topic, self.link(&name, &rows))).collect();
        let mut raw = Vec::new();
        let strategy = self.strategy.as_ref().map(|(word, _, section)| (word.clone(), *section));
        for (key, word) in [("STATE", &self.state), ("ASSIGNMENT-STRATEGY", &strategy)] {
            if let Some((word, section)) = word {
                raw.push(FoundRaw {
                    key: key.to_owned(),
                    value: RawValue::Text(word.as_str().into()),
                    section: *section,
                });
            }
        }
        let (job, members, share) = (self.job(), self.members(), self.share(&name, remarks));
        let (described, streams) = (self.described, self.streams);
        FoundGroup { name, at: self.at, topics, job, members, raw, share, described, streams }
    }

    /// Its settings as a share group; every group has them in a list of all, whatever it is.
    fn share(&self, name: &str, remarks: &mut Vec<Remark>) -> Vec<FoundFact> {
        let whose = format!("{name}: ");
        let spoken = Spoken { whose: &whose, on: "the group", unfit: "not used" };
        settings::facts(&self.settings, kafka_keys::share_group, &spoken, remarks).0
    }

    /// What is known of the group's reading of one topic.
    fn link(&self, name: &str, rows: &[&OffsetRow]) -> Vec<FoundFact> {
        let lines = || rows.iter().map(|row| row.at).collect::<Vec<_>>();
        let fact = |field, key: &str, value, lines, section| FoundFact {
            field,
            key: key.to_owned(),
            value,
            lines,
            section,
            note: None,
        };
        let group = Text::from(name).into_value();
        let first = rows.first().map(|row| row.at).into_iter().collect();
        let mut facts = vec![fact(key::read::GROUP.field(), "GROUP", group, first, self.section)];
        let committed = statistics(rows.iter().filter_map(|row| Some((row.partition, row.committed?))));
        let lag = statistics(rows.iter().filter_map(|row| Some((row.partition, row.lag?))));
        facts.extend(
            committed.map(|v| fact(key::read::COMMITTED_OFFSET.field(), "CURRENT-OFFSET", v, lines(), self.section)),
        );
        facts.extend(lag.map(|v| fact(key::read::LAG.field(), "LAG", v, lines(), self.section)));
        facts.extend(self.members());
        facts
    }

    fn members(&self) -> Option<FoundFact> {
        let (members, _, lines, section) = self.members.clone()?;
        let (field, key) = (key::read::MEMBERS.field(), "members".to_owned());
        Some(FoundFact { field, key, value: Value::Count(members), lines, section, note: None })
    }

    /// What is known of the group as a whole. `roundrobin` and `sticky` are assignors of the classic protocol that stop
    /// all members (`RoundRobinAssignor`, `StickyAssignor`); `range` is also one of the newer protocol (KIP-848), and
    /// `cooperative-sticky` may be held up by an older assignor beside it, so these two say nothing.
    fn job(&self) -> Vec<FoundFact> {
        let mut facts = Vec::new();
        if let Some((word, at, section)) = &self.strategy
            && matches!(word.as_str(), "roundrobin" | "sticky")
        {
            facts.push(
                FoundFact::on_line(
                    key::job::REBALANCE_PROTOCOL.field(),
                    "ASSIGNMENT-STRATEGY",
                    RebalanceProtocol::Eager.into_value(),
                    *at,
                    *section,
                )
                .noted(Some(format!("{word} stops all members while partitions are handed over"))),
            );
        }
        if let Some((at, section)) = self.static_members {
            facts.push(FoundFact::on_line(
                key::job::STATIC_MEMBERSHIP.field(),
                "GROUP-INSTANCE-ID",
                Value::Bool(true),
                at,
                section,
            ));
        }
        facts
    }
}
