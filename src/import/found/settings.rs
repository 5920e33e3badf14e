//! Settings of one thing while the readings are walked through, and the facts that they make: with their places, where
//! the product says that they come from, and what other inputs say instead.

use super::{FoundFact, Origin, Remark};
use crate::import::{keys::Mapped, lines::LineRef};
use crate::sorted::SortedMap;

/// A value with its place, and what other inputs say instead.
#[derive(Clone)]
pub(super) struct Slot<T> {
    pub(super) value: T,
    pub(super) at: LineRef,
    pub(super) section: usize,
    pub(super) rivals: Vec<(T, LineRef, usize)>,
}

impl<T: PartialEq> Slot<T> {
    pub(super) const fn new(value: T, at: LineRef, section: usize) -> Self {
        Self { value, at, section, rivals: Vec::new() }
    }

    /// The same value keeps its first place; a later one of the same input replaces it; one of another input is a rival.
    pub(super) fn take(&mut self, value: T, at: LineRef, section: usize) {
        if self.value == value {
            return;
        }
        if self.at.input == at.input {
            *self = Self::new(value, at, section);
        } else {
            self.rivals.retain(|rival| rival.1.input != at.input);
            self.rivals.push((value, at, section));
        }
    }

    /// As [`Slot::take`], where there may be nothing yet.
    pub(super) fn put(slot: &mut Option<Self>, value: T, at: LineRef, section: usize) {
        match slot {
            Some(slot) => slot.take(value, at, section),
            None => *slot = Some(Self::new(value, at, section)),
        }
    }
}

/// One setting.
#[derive(Clone)]
pub(super) struct Setting {
    pub(super) slot: Slot<String>,
    pub(super) origin: Origin,
}

/// Settings by their keys.
pub(super) type Settings = SortedMap<String, Setting>;

/// Adds a reading of one setting.
pub(super) fn put(settings: &mut Settings, key: &str, value: &str, origin: Origin, at: LineRef, section: usize) {
    let fresh = || Setting { slot: Slot::new(value.to_owned(), at, section), origin };
    let setting = settings.entry(key.to_owned()).or_insert_with(fresh);
    let same = setting.slot.value == value;
    setting.slot.take(value.to_owned(), at, section);
    if origin != Origin::NotSaid {
        // A line that says also where the value comes from is the one to show.
        if same && setting.origin != origin {
            (setting.slot.at, setting.slot.section) = (at, section);
        }
        setting.origin = origin;
    }
}

/// Settings as the table of keys takes them.
pub(super) fn texts(settings: &Settings) -> SortedMap<&str, &str> {
    settings.iter().map(|(key, setting)| (key.as_str(), setting.slot.value.as_str())).collect()
}

/// What the settings of one product become.
pub(super) type Map = for<'s> fn(&SortedMap<&'s str, &'s str>) -> Mapped;

/// How facts out of settings are spoken of.
pub(super) struct Spoken<'a> {
    /// What remarks begin with.
    pub(super) whose: &'a str,
    /// What the settings belong to: `the topic`.
    pub(super) on: &'a str,
    /// What becomes of a value that no field holds.
    pub(super) unfit: &'a str,
}

/// Facts out of settings, and out of what other inputs say instead.
pub(super) fn facts(
    settings: &Settings,
    map: Map,
    spoken: &Spoken<'_>,
    remarks: &mut Vec<Remark>,
) -> (Vec<FoundFact>, Mapped) {
    let (values, mut facts) = (texts(settings), Vec::new());
    let mapped = map(&values);
    let mut told = |key: &str, reason: &str, at: LineRef| {
        let text = format!("{}{key}: {reason}; {}", spoken.whose, spoken.unfit);
        remarks.push(Remark { at, text });
    };
    for (field, key, value, note) in &mapped.facts {
        let Some(Setting { slot, origin }) = settings.get(*key) else { continue };
        let note = note.map(str::to_owned).or_else(|| from(*origin, spoken.on));
        facts.push(FoundFact::on_line(*field, key, value.clone(), slot.at, slot.section).noted(note));
    }
    for (key, reason) in &mapped.unfit {
        if let Some(setting) = settings.get(*key) {
            told(key, reason, setting.slot.at);
        }
    }
    // What other inputs say, one at a time in place of the first.
    for (key, setting) in settings.iter().filter(|(_, setting)| !setting.slot.rivals.is_empty()) {
        for (rival, at, section) in &setting.slot.rivals {
            let mut values = values.clone();
            values.insert(key, rival);
            let other = map(&values);
            let of_key = other.facts.into_iter().filter(|fact| fact.1 == key);
            facts.extend(of_key.map(|(field, key, value, _)| FoundFact::on_line(field, key, value, *at, *section)));
            if let Some((_, reason)) = other.unfit.iter().find(|unfit| unfit.0 == key) {
                told(key, reason, *at);
            }
        }
    }
    (facts, mapped)
}

/// Where the broker says that a value comes from, where that is worth saying.
fn from(origin: Origin, on: &str) -> Option<String> {
    let brokers = on == "the brokers";
    match origin {
        Origin::BrokerFile if !brokers => Some(format!("set in the file of a broker, not on {on}")),
        Origin::DynamicBroker if !brokers => Some(format!("set on the brokers, not on {on}")),
        Origin::Default => Some(format!("in force without being set on {on}")),
        Origin::BrokerFile | Origin::DynamicBroker | Origin::Topic | Origin::Group | Origin::NotSaid => None,
    }
}
