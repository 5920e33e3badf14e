//! The settings of brokers as the defaults of their cluster: only what all brokers that were read say alike.

use super::{Found, FoundFact, FoundRaw, Origin, Remark, kafka_keys, raw_value};
use crate::import::{kafka_configs::ConfigReading, lines::LineRef};
use crate::model::{Value, key};
use crate::sorted::{SortedMap, SortedSet};

#[derive(Clone)]
struct BrokerSetting {
    value: String,
    origin: Origin,
    at: LineRef,
    section: usize,
}

/// Settings by broker.
#[derive(Default)]
pub(in crate::import) struct Brokers {
    seen: SortedSet<u32>,
    by_broker: SortedMap<String, SortedMap<String, BrokerSetting>>,
    for_all: SortedMap<String, BrokerSetting>,
    at: Option<LineRef>,
}

impl Brokers {
    /// Brokers that hold copies of partitions.
    pub(super) fn seen(&mut self, ids: impl Iterator<Item = u32>) {
        self.seen.extend(ids);
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
                let setting = BrokerSetting { value: value.clone(), origin: entry.origin, at: entry.at, section };
                settings.insert(entry.key.clone(), setting);
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
                    Some(other) if other.value != setting.value && !self.for_all.contains_key(key) => {
                        differ.insert(key.clone(), setting.at);
                    }
                    _ => {
                        merged.insert(key.clone(), setting.clone());
                    }
                }
            }
        }
        merged.retain(|key, _| !differ.contains_key(key));
        let values: SortedMap<&str, &str> = merged.iter().map(|(key, s)| (key.as_str(), s.value.as_str())).collect();
        let mapped = kafka_keys::broker(&values);
        for (field, key, value, _) in &mapped.facts {
            let Some(setting) = merged.get(*key) else { continue };
            found.cluster.push(FoundFact::on_line(*field, key, value.clone(), setting.at, setting.section));
        }
        for (key, setting) in
            merged.iter().filter(|(key, s)| s.origin != Origin::Default && !mapped.used.contains(&key.as_str()))
        {
            if let Some(value) = raw_value(&setting.value).filter(|_| !of_one_broker(key)) {
                found.cluster_raw.push(FoundRaw { key: key.clone(), value, section: setting.section });
            }
        }
        for (key, at) in differ.iter().filter(|(key, _)| !of_one_broker(key)) {
            found.remarks.push(Remark {
                at: *at,
                text: format!("{key} differs between brokers, so it is not taken as the cluster's"),
            });
        }
        self.racks(found);
        found.cluster_at = self.at;
    }

    /// Distinct racks, where every broker that holds a copy was read.
    fn racks(&self, found: &mut Found) {
        let rack = |id: &u32| self.by_broker.get(&id.to_string())?.get("broker.rack");
        let racks: Option<Vec<&BrokerSetting>> = self.seen.iter().map(rack).collect();
        let Some((racks, last)) = racks.as_ref().and_then(|racks| Some((racks, racks.last()?))) else { return };
        let distinct: SortedSet<&str> = racks.iter().map(|rack| rack.value.as_str()).collect();
        found.cluster.push(FoundFact {
            field: key::cluster::FAILURE_DOMAINS.field(),
            key: "broker.rack".to_owned(),
            value: Value::Count(distinct.len() as u64),
            lines: racks.iter().map(|rack| rack.at).collect(),
            section: last.section,
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
