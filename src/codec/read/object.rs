//! Reading the members of one object: every key asked for is legal, every other one is a problem.

use crate::{
    codec::error::{Path, Problems},
    model::{
        Date, Id, Json, Text,
        limits::{MAX_ITEMS, TextKind, nearest},
        written::DATE,
    },
};

/// One object while it is read.
pub(in crate::codec) struct Object<'a, 'p> {
    members: &'a [(String, Json)],
    /// Where it stands.
    pub(in crate::codec) path: &'a Path<'a>,
    asked: Vec<&'static str>,
    /// Where problems go.
    pub(in crate::codec) problems: &'p mut Problems,
}

impl<'a, 'p> Object<'a, 'p> {
    /// The object, or nothing with a problem noted.
    pub(in crate::codec) fn new(json: &'a Json, path: &'a Path<'a>, problems: &'p mut Problems) -> Option<Self> {
        match json {
            Json::Object(members) => Some(Self { members, path, asked: Vec::new(), problems }),
            other => {
                problems.push(path, format!("needs an object in braces, not {}", other.kind()), None);
                None
            }
        }
    }

    /// The value of a key.
    pub(in crate::codec) fn take(&mut self, key: &'static str) -> Option<&'a Json> {
        self.asked.push(key);
        self.members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Notes a problem at a key.
    pub(in crate::codec) fn refuse(&mut self, key: &str, reason: impl Into<String>, suggestion: Option<String>) {
        self.problems.push(&self.path.at(key), reason, suggestion);
    }

    /// Notes that a key is missing.
    pub(in crate::codec) fn missing(&mut self, key: &str, what: &str) {
        self.refuse(key, format!("is missing; {what}"), None);
    }

    /// A text.
    pub(in crate::codec) fn text(&mut self, key: &'static str, kind: TextKind) -> Option<Text> {
        let json = self.take(key)?;
        self.text_of(key, json, kind)
    }

    fn text_of(&mut self, key: &str, json: &Json, kind: TextKind) -> Option<Text> {
        let checked = match json {
            Json::Text(text) => kind.check(text),
            other => Err(format!("needs a text in quotes, not {}", other.kind())),
        };
        checked.map_err(|reason| self.refuse(key, reason, None)).ok()
    }

    /// An id.
    pub(in crate::codec) fn id(&mut self, key: &'static str) -> Option<Id> {
        let json = self.take(key)?;
        self.id_of(key, json)
    }

    fn id_of(&mut self, key: &str, json: &Json) -> Option<Id> {
        let read = match json {
            Json::Text(text) => Id::new(text).map_err(|error| error.to_string()),
            other => Err(format!("needs an id in quotes, not {}", other.kind())),
        };
        read.map_err(|reason| self.refuse(key, reason, None)).ok()
    }

    /// A date.
    pub(in crate::codec) fn date(&mut self, key: &'static str) -> Option<Date> {
        let json = self.take(key)?;
        let date = json.as_text().and_then(Date::new);
        if date.is_none() {
            self.refuse(key, format!("needs {DATE}"), None);
        }
        date
    }

    /// One word of a closed list.
    pub(in crate::codec) fn word<T: Copy>(
        &mut self,
        key: &'static str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Option<T> {
        let json = self.take(key)?;
        self.word_of(key, json, all, name)
    }

    fn word_of<T: Copy>(&mut self, key: &str, json: &Json, all: &[T], name: fn(T) -> &'static str) -> Option<T> {
        let written = json.as_text();
        let found = all.iter().copied().find(|word| Some(name(*word)) == written);
        if found.is_none() {
            let names: Vec<_> = all.iter().map(|word| name(*word)).collect();
            let shown = written.map_or_else(|| json.kind().to_owned(), |text| format!("{text:?}"));
            let near = written.filter(|_| self.problems.has_room()).and_then(|w| nearest(w, names.iter().copied()));
            let suggestion = near.map(str::to_owned);
            self.refuse(key, format!("{shown} is not one of {}", names.join(", ")), suggestion);
        }
        found
    }

    /// A list, entry by entry; entries that are refused are left out.
    fn list<T>(&mut self, key: &'static str, mut item: impl FnMut(&mut Self, &str, &'a Json) -> Option<T>) -> Vec<T> {
        match self.take(key) {
            None => Vec::new(),
            Some(Json::List(items)) if items.len() <= MAX_ITEMS => {
                items.iter().enumerate().filter_map(|(i, json)| item(self, &format!("{key}.{i}"), json)).collect()
            }
            Some(other) => {
                self.refuse(key, format!("needs a list of at most {MAX_ITEMS} entries, not {}", other.kind()), None);
                Vec::new()
            }
        }
    }

    /// A list of texts.
    pub(in crate::codec) fn texts(&mut self, key: &'static str, kind: TextKind) -> Vec<Text> {
        self.list(key, |object, place, json| object.text_of(place, json, kind))
    }

    /// A list of ids.
    pub(in crate::codec) fn ids(&mut self, key: &'static str) -> Vec<Id> {
        self.list(key, |object, place, json| object.id_of(place, json))
    }

    /// A list of words, none of them twice.
    pub(in crate::codec) fn words<T: Copy + PartialEq>(
        &mut self,
        key: &'static str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Vec<T> {
        let mut seen: Vec<T> = Vec::new();
        self.list(key, |object, place, json| {
            let word = object.word_of(place, json, all, name)?;
            if seen.contains(&word) {
                object.refuse(place, format!("{:?} stands here twice", name(word)), None);
                return None;
            }
            seen.push(word);
            Some(word)
        })
    }

    /// The members of an object whose keys are not known beforehand.
    pub(in crate::codec) fn members(&mut self, key: &'static str) -> &'a [(String, Json)] {
        match self.take(key) {
            None => &[],
            Some(Json::Object(members)) => members,
            Some(other) => {
                self.refuse(key, format!("needs an object in braces, not {}", other.kind()), None);
                &[]
            }
        }
    }

    /// The id that a key of a map is, or nothing with a problem noted.
    pub(in crate::codec) fn key_id(&mut self, map: &str, key: &str) -> Option<Id> {
        Id::new(key).map_err(|error| self.problems.push(&self.path.at(map).at(key), error.to_string(), None)).ok()
    }

    /// Notes every key that nobody asked for.
    pub(in crate::codec) fn finish(self, what: &str) {
        for (key, _) in self.members {
            if !self.asked.contains(&key.as_str()) {
                let near = self.problems.has_room().then(|| nearest(key, self.asked.iter().copied())).flatten();
                let suggestion = near.map(str::to_owned);
                self.problems.push(&self.path.at(key), format!("{what} has no part of this name"), suggestion);
            }
        }
    }
}
