//! The settings of brokers as the defaults of their cluster: only what all brokers that were read say alike.

use super::{
    Found, FoundFact, FoundRaw, Origin, Remark, kafka_keys, raw_value,
    settings::{self, Settings, Slot, Spoken},
};
use crate::import::{
    kafka_api_versions::BrokerReading, kafka_configs::ConfigReading, kafka_features::FeatureReading, lines::LineRef,
};
use crate::model::{Value, key};
use crate::sorted::{SortedMap, SortedSet};

/// Settings by broker.
#[derive(Default)]
pub(in crate::import) struct Brokers {
    seen: SortedSet<u32>,
    by_broker: SortedMap<String, Settings>,
    for_all: Settings,
    at: Option<LineRef>,
    /// The brokers that are up, as the last output lists them, and its section.
    up: SortedMap<u32, BrokerReading>,
    up_section: usize,
    transactions: Option<(FeatureReading, usize)>,
}

impl Brokers {
    /// Brokers that hold copies of partitions.
    pub(super) fn seen(&mut self, ids: impl Iterator<Item = u32>) {
        self.seen.extend(ids);
    }

    /// All brokers that are up.
    pub(super) fn up(&mut self, list: &[BrokerReading], section: usize) {
        self.at = self.at.or(list.first().map(|broker| broker.at));
        self.up = list.iter().map(|broker| (broker.id, broker.clone())).collect();
        self.up_section = section;
    }

    /// What the cluster finalized; the last reading counts.
    pub(super) fn features(&mut self, list: &[FeatureReading], section: usize) {
        self.at = self.at.or(list.first().map(|feature| feature.at));
        self.transactions = list.last().cloned().map(|last| (last, section)).or(self.transactions.take());
    }

    /// One list of settings of one broker, or of all that say nothing else.
    pub(super) fn configure(&mut self, broker: Option<&str>, list: &ConfigReading, section: usize) {
        self.at = self.at.or(Some(list.at));
        let settings = match broker {
            Some(id) => self.by_broker.entry(id.to_owned()).or_default(),
            None => &mut self.for_all,
        };
        for entry in &list.entries {
            if let Some(value) = &entry.value {
                settings::put(settings, &entry.key, value, entry.origin, entry.at, section);
            }
        }
    }

    /// Facts and keys of the cluster.
    pub(super) fn finish(self, found: &mut Found) {
        let mut merged = self.for_all.clone();
        let mut differ: SortedMap<String, LineRef> = SortedMap::new();
        for settings in self.by_broker.values() {
            for (key, setting) in settings {
                match merged.get(key) {
                    Some(other) if other.slot.value != setting.slot.value && !self.for_all.contains_key(key) => {
                        differ.insert(key.clone(), setting.slot.at);
                    }
                    _ => {
                        merged.insert(key.clone(), setting.clone());
                    }
                }
            }
        }
        merged.retain(|key, _| !differ.contains_key(key));
        let spoken = Spoken { whose: "", on: "the brokers", unfit: "kept with its key" };
        let (facts, mapped) = settings::facts(&merged, kafka_keys::broker, &spoken, &mut found.remarks);
        found.cluster.extend(facts);
        for (key, setting) in
            merged.iter().filter(|(key, s)| s.origin != Origin::Default && !mapped.used.contains(&key.as_str()))
        {
            if let Some(value) = raw_value(&setting.slot.value).filter(|_| !of_one_broker(key)) {
                found.cluster_raw.push(FoundRaw { key: key.clone(), value, section: setting.slot.section });
            }
        }
        for (key, at) in differ.iter().filter(|(key, _)| !of_one_broker(key)) {
            found.remarks.push(Remark {
                at: *at,
                text: format!("{key} differs between brokers, so it is not taken as the cluster's"),
            });
        }
        self.racks(found);
        self.machines(found);
        if let Some((feature, section)) = &self.transactions {
            let (field, value) = (key::cluster::TRANSACTION_VERSION.field(), Value::Count(feature.transaction_version));
            found.cluster.push(FoundFact::on_line(field, "transaction.version", value, feature.at, *section));
        }
        found.cluster_at = self.at;
    }

    /// How many brokers are up, and their racks where each has one.
    fn machines(&self, found: &mut Found) {
        if self.up.is_empty() {
            return;
        }
        let fact = |field, key: &str, n: usize, note| FoundFact {
            field,
            key: key.to_owned(),
            value: Value::Count(n as u64),
            lines: self.up.values().map(|broker| broker.at).collect(),
            section: self.up_section,
            note,
        };
        found.cluster.push(fact(key::cluster::BROKERS.field(), "id", self.up.len(), None));
        let racks: Option<SortedSet<&str>> = self.up.values().map(|broker| broker.rack.as_deref()).collect();
        let Some(racks) = racks else { return };
        let note = Some(format!("distinct racks of {} brokers", self.up.len()));
        let racks = fact(key::cluster::FAILURE_DOMAINS.field(), "rack", racks.len(), note);
        // The settings of the brokers may have said so already.
        if !found.cluster.iter().any(|said| said.field == racks.field && said.value == racks.value) {
            found.cluster.push(racks);
        }
    }

    /// Distinct racks, where every broker that holds a copy was read.
    fn racks(&self, found: &mut Found) {
        let rack = |id: &u32| Some(&self.by_broker.get(&id.to_string())?.get("broker.rack")?.slot);
        let racks: Option<Vec<&Slot<String>>> = self.seen.iter().map(rack).collect();
        let Some((racks, first)) = racks.as_ref().and_then(|racks| Some((racks, racks.first()?))) else { return };
        let distinct: SortedSet<&str> = racks.iter().map(|rack| rack.value.as_str()).collect();
        found.cluster.push(FoundFact {
            field: key::cluster::FAILURE_DOMAINS.field(),
            key: "broker.rack".to_owned(),
            value: Value::Count(distinct.len() as u64),
            lines: racks.iter().map(|rack| rack.at).collect(),
            section: first.section,
            note: Some(format!("distinct racks of {} brokers", racks.len())),
        });
    }
}

/// Keys that name one broker or its disks: they differ by nature and say nothing about the cluster.
fn of_one_broker(key: &str) -> bool {
    matches!(
        key,
        "broker.id" | "node.id" | "broker.rack" | "log.dir" | "log.dirs" | "listeners" | "advertised.listeners"
    ) || key.starts_with("listener.name.")
}
