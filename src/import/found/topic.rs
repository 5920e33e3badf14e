//! One topic while the readings are walked through: its descriptions, its settings with where they come from, its
//! offsets. Of several readings of one input the last counts; what other inputs say instead is kept beside it.

use super::{
    FoundFact, FoundRaw, FoundTopic, Origin, Remark, kafka_keys, raw_value,
    settings::{self, Setting, Settings, Slot, Spoken},
    statistics,
};
use crate::import::{
    kafka_configs::ConfigReading,
    kafka_topics::{PartitionRow, TopicReading},
    keys::Mapped,
    lines::LineRef,
    rpk_topics::RpkTopic,
};
use crate::model::{Field, FieldValue, RawValue, Statistic, Value, key, units::Size};
use crate::sorted::{SortedMap, SortedSet};

/// A topic while the readings are walked through.
#[derive(Default)]
pub(super) struct TopicState {
    pub(super) at: LineRef,
    partitions: Option<Slot<u64>>,
    factor: Option<Slot<u64>>,
    settings: Settings,
    in_sync: Option<(u64, LineRef, usize, Option<String>)>,
    raw: SortedMap<&'static str, (RawValue, usize)>,
    /// Where the topic id stands.
    id_at: Option<LineRef>,
    pub(super) starts: Offsets,
    pub(super) ends: Offsets,
    pub(super) sizes: Sizes,
    readings: usize,
    /// The last reading.
    last: LineRef,
    complete: Vec<(usize, LineRef)>,
    /// The list of all settings, with its heading.
    all: Option<(usize, LineRef)>,
    remarks: Vec<Remark>,
}

impl TopicState {
    /// Of a topic that is first spoken of here.
    pub(super) fn first_at(at: LineRef) -> Self {
        Self { at, ..Self::default() }
    }

    /// One reading of `kafka-topics --describe`.
    pub(super) fn describe(&mut self, topic: &TopicReading, section: usize) {
        let here = |n| (n, topic.at);
        self.counts(topic.partitions.map(here), topic.replication_factor.map(here), section);
        if topic.settings_complete {
            let input = topic.at.input;
            // What is not in the later list has been taken back; what a broker's file or the default said was never in it.
            self.settings.retain(|_, setting| {
                let here = setting.slot.at.input == input;
                !here || matches!(setting.origin, Origin::Default | Origin::BrokerFile | Origin::DynamicBroker)
            });
            self.complete.push((section, topic.at));
        }
        for setting in &topic.settings {
            settings::put(&mut self.settings, &setting.key, &setting.value, Origin::NotSaid, setting.at, section);
        }
        self.measure(topic, section);
    }

    /// One reading of `rpk`.
    pub(super) fn described(&mut self, name: &str, topic: &RpkTopic, section: usize, remarks: &mut Vec<Remark>) {
        let rows = topic.rows.iter().map(|row| PartitionRow {
            at: row.at,
            partition: row.partition,
            leader: Some(row.leader),
            replicas: row.replicas.clone(),
            in_sync: None,
            eligible: None,
        });
        let reading = TopicReading {
            at: topic.at,
            name: name.to_owned(),
            partitions: topic.partitions.map(|(n, _)| n),
            rows: rows.collect(),
            ..TopicReading::default()
        };
        self.counts(topic.partitions, topic.replicas, section);
        // Where the partitions were not asked for, none of them is missing.
        if !reading.rows.is_empty() {
            self.measure(&reading, section);
        }
        if let Some(settings) = &topic.settings {
            self.configure(settings, section);
        }
        for row in &topic.rows {
            for (offset, side) in [(row.start, &mut self.starts), (row.end, &mut self.ends)] {
                if let Some(offset) = offset {
                    side.put(row.partition, offset, row.at, section);
                }
            }
        }
        let down: Vec<u32> = topic.rows.iter().filter(|row| !row.offline.is_empty()).map(|row| row.partition).collect();
        if let (Some(list), Some(first)) = (ranges(&down), topic.rows.first()) {
            let text =
                format!("{name}: {} of {} partitions shown with copies offline ({list})", down.len(), topic.rows.len());
            remarks.push(Remark { at: first.at, text });
        }
    }

    fn counts(&mut self, partitions: Option<(u64, LineRef)>, factor: Option<(u64, LineRef)>, section: usize) {
        if let Some((partitions, at)) = partitions {
            self.readings += 1;
            self.last = at;
            Slot::put(&mut self.partitions, partitions, at, section);
        }
        if let Some((factor, at)) = factor {
            Slot::put(&mut self.factor, factor, at, section);
        }
    }

    /// The rows below a topic. Only what the last reading shows is worth a remark.
    fn measure(&mut self, topic: &TopicReading, section: usize) {
        self.remarks.clear();
        if let Some(id) = &topic.topic_id {
            self.raw.insert("TopicId", (RawValue::Text(id.as_str().into()), section));
            self.id_at = Some(topic.at);
        }
        if topic.marked_for_deletion {
            self.raw.insert("MarkedForDeletion", (RawValue::Bool(true), section));
            self.remarks.push(Remark { at: topic.at, text: format!("{} is being deleted", topic.name) });
        }
        let eligible = topic.rows.iter().filter_map(|row| {
            let list = row.eligible.as_ref().filter(|list| !list.is_empty())?;
            Some(format!("{}: {}", row.partition, list.iter().map(u32::to_string).collect::<Vec<_>>().join(",")))
        });
        let eligible = eligible.collect::<Vec<_>>().join("; ");
        let (none, behind) = (topic.leaderless(), topic.under_replicated());
        for (key, list, count, says) in [
            ("unavailable-partitions", ranges(&none), none.len(), "no leader"),
            ("under-replicated-partitions", ranges(&behind), behind.len(), "fewer copies in sync than replicas"),
            ("Elr", (!eligible.is_empty()).then_some(eligible), 0, ""),
        ] {
            if !topic.rows.is_empty() {
                self.raw.remove(key);
            }
            let Some(list) = list else { continue };
            if count > 0 {
                let shown = topic.rows.len();
                let text = format!("{}: {count} of {shown} partitions shown with {says} ({list})", topic.name);
                self.remarks.push(Remark { at: topic.rows.first().map_or(topic.at, |row| row.at), text });
            }
            self.raw.insert(key, (RawValue::Text(list.into()), section));
        }
        let missing = topic.unmeasured();
        let shown = (missing > 0 && !topic.rows.is_empty())
            .then(|| format!("smallest of {} partitions shown; {missing} are not in the text", topic.rows.len()));
        if missing > 0 {
            let (announced, shown) = (topic.partitions.unwrap_or(0), topic.rows.len());
            let text = format!("{}: {shown} of {announced} partitions shown; the others are not measured", topic.name);
            self.remarks.push(Remark { at: topic.at, text });
        }
        if let Some((value, at)) = topic.in_sync() {
            self.in_sync = Some((value, at, section, shown));
        }
    }

    /// One list of `kafka-configs --describe`.
    pub(super) fn configure(&mut self, list: &ConfigReading, section: usize) {
        if list.complete {
            // What was set on the topic and is not in the later list has been taken back.
            self.settings.retain(|_, setting| {
                let here = setting.slot.at.input == list.at.input;
                !here || setting.origin != Origin::Topic
            });
            self.complete.push((section, list.at));
        }
        for entry in &list.entries {
            if let Some(value) = &entry.value {
                settings::put(&mut self.settings, &entry.key, value, entry.origin, entry.at, section);
            }
        }
        let lists = |key: &&str| list.entries.iter().any(|entry| entry.key == **key);
        let whole = list.all && list.complete && CORE.iter().all(lists);
        self.all = whole.then_some((section, list.at)).or(self.all);
    }

    pub(super) fn finish(mut self, name: String, remarks: &mut Vec<Remark>) -> FoundTopic {
        let mut facts = Vec::new();
        remarks.append(&mut self.remarks);
        if self.readings > 1 {
            let text = format!("{name} is read {} times in this text; the last reading counts", self.readings);
            remarks.push(Remark { at: self.last, text });
        }
        count(&self.partitions, key::channel::PARTITIONS.field(), "PartitionCount", &mut facts);
        count(&self.factor, key::channel::REPLICATION_FACTOR.field(), "ReplicationFactor", &mut facts);
        let values = settings::texts(&self.settings);
        let mapped = self.mapped(&mut facts, remarks);
        if let Some((value, at, section, note)) = &self.in_sync {
            facts.push(
                FoundFact::on_line(key::channel::IN_SYNC_REPLICAS.field(), "Isr", Value::Count(*value), *at, *section)
                    .noted(note.clone()),
            );
        }
        facts.extend(self.starts.fact(key::channel::START_OFFSET.field(), "log start offset"));
        facts.extend(self.ends.fact(key::channel::END_OFFSET.field(), "LOG-END-OFFSET"));
        facts.extend(self.sizes.fact());
        let mut raw: Vec<FoundRaw> = self
            .raw
            .iter()
            .map(|(key, (value, section))| FoundRaw { key: (*key).to_owned(), value: value.clone(), section: *section })
            .collect();
        raw.extend(self.settings.iter().filter_map(|(key, s)| raw_setting(key, s, &mapped)));
        let policy = values.get("cleanup.policy").copied().unwrap_or_default();
        let repartition = values.get("retention.ms") == Some(&"-1") && values.get("segment.bytes") == Some(&"52428800");
        FoundTopic {
            name,
            at: self.at,
            id_at: self.id_at,
            facts,
            raw,
            complete: self.complete,
            compacted: policy.contains("compact"),
            repartition,
        }
    }

    /// Facts out of the settings.
    fn mapped(&self, facts: &mut Vec<FoundFact>, remarks: &mut Vec<Remark>) -> Mapped {
        let spoken = Spoken { whose: "", on: "the topic", unfit: "kept with its key" };
        let (out_of_settings, mapped) = settings::facts(&self.settings, kafka_keys::topic, &spoken, remarks);
        facts.extend(out_of_settings);
        let tiered = key::channel::TIERED.field();
        if let Some((section, at)) = self.all.filter(|_| mapped.facts.iter().all(|fact| fact.0 != tiered)) {
            let note = Some("not in the complete list of settings".to_owned());
            facts.push(FoundFact::on_line(tiered, "remote.storage.enable", Value::Unset, at, section).noted(note));
        }
        mapped
    }
}

/// Offsets by partition, with their lines; merged over readings.
#[derive(Default)]
pub(super) struct Offsets {
    by_partition: SortedMap<u32, (u64, LineRef, usize)>,
    section: usize,
}

impl Offsets {
    pub(super) fn put(&mut self, partition: u32, offset: u64, at: LineRef, section: usize) {
        self.by_partition.insert(partition, (offset, at, section));
        self.section = section;
    }

    fn fact(&self, field: Field, key: &str) -> Option<FoundFact> {
        let value = statistics(self.by_partition.iter().map(|(partition, (offset, ..))| (*partition, *offset)))?;
        // Those of the section that it is filed under first: other partitions may stand in other outputs.
        let of = |here: bool| self.by_partition.values().filter(move |row| (row.2 == self.section) == here);
        let lines = of(true).chain(of(false)).map(|(_, at, _)| *at).collect();
        Some(FoundFact { field, key: key.to_owned(), value, lines, section: self.section, note: None })
    }
}

/// The largest copy of each partition; one line of the output is one reading, and the last counts.
#[derive(Default)]
pub(super) struct Sizes {
    by_partition: SortedMap<u32, u64>,
    at: LineRef,
    section: usize,
}

impl Sizes {
    pub(super) fn put(&mut self, partition: u32, bytes: u64, at: LineRef, section: usize) {
        if self.at != at {
            self.by_partition = SortedMap::new();
        }
        (self.at, self.section) = (at, section);
        let largest = self.by_partition.entry(partition).or_insert(bytes);
        *largest = bytes.max(*largest);
    }

    fn fact(&self) -> Option<FoundFact> {
        let sizes = self.by_partition.iter();
        let map: SortedMap<Statistic, Value> = sizes
            .map(|(partition, bytes)| (Statistic::Partition(*partition), Value::Size(Size::from_bytes(*bytes))))
            .collect();
        let note = Some("the largest copy of each partition".to_owned());
        (!map.is_empty()).then(|| {
            let (field, value) = (key::channel::SIZE_ON_DISK.field(), Value::Statistics(map));
            FoundFact::on_line(field, "size", value, self.at, self.section).noted(note)
        })
    }
}

/// Keys that every list of all settings of a topic has since 1.0; without one of them the list is not whole.
const CORE: [&str; 8] = [
    "cleanup.policy",
    "retention.ms",
    "retention.bytes",
    "segment.ms",
    "segment.bytes",
    "min.insync.replicas",
    "max.message.bytes",
    "delete.retention.ms",
];

fn count(slot: &Option<Slot<u64>>, field: Field, key: &str, facts: &mut Vec<FoundFact>) {
    let Some(slot) = slot else { return };
    let all = [(slot.value, slot.at, slot.section)].into_iter().chain(slot.rivals.iter().copied());
    facts.extend(all.map(|(value, at, section)| FoundFact {
        field,
        key: key.to_owned(),
        value: value.into_value(),
        lines: vec![at],
        section,
        note: None,
    }));
}

/// A key without a field is kept where somebody set it; a default in force is only kept of another vendor's keys, which
/// nothing else here knows.
fn raw_setting(key: &str, setting: &Setting, mapped: &Mapped) -> Option<FoundRaw> {
    let slot = &setting.slot;
    let vendor = key.starts_with("confluent.") || key.starts_with("redpanda.");
    let kept = setting.origin != Origin::Default || vendor;
    if !kept || mapped.used.contains(&key) {
        return None;
    }
    Some(FoundRaw { key: key.to_owned(), value: raw_value(&slot.value)?, section: slot.section })
}

/// `0-3, 7`; nothing where the list is empty.
fn ranges(numbers: &[u32]) -> Option<String> {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for n in numbers.iter().collect::<SortedSet<_>>() {
        match parts.last_mut() {
            Some(last) if last.1.checked_add(1) == Some(*n) => last.1 = *n,
            _ => parts.push((*n, *n)),
        }
    }
    let text: Vec<String> =
        parts.iter().map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") }).collect();
    (!text.is_empty()).then(|| text.join(", "))
}
