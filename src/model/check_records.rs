//! Which records no file could hold: texts that are too long or empty, dates and words are legal by their types.

use super::{
    Action, Approval, Decision, Evidence, Note, Question, Text,
    limits::{MAX_ITEMS, TextKind},
};
use crate::sorted::SortedSet;

/// Path inside the record and reason.
type Refused = Result<(), (String, String)>;

fn text(path: &str, text: Option<&Text>, kind: TextKind) -> Refused {
    text.map_or(Ok(()), |text| kind.check(text).map(drop).map_err(|reason| (path.to_owned(), reason)))
}

fn paths(path: &str, texts: &[Text]) -> Refused {
    few(path, texts.len())?;
    texts
        .iter()
        .enumerate()
        .try_for_each(|(i, path_text)| text(&format!("{path}.{i}"), Some(path_text), TextKind::Path))
}

fn few(path: &str, count: usize) -> Refused {
    if count > MAX_ITEMS { Err((path.to_owned(), format!("holds more than {MAX_ITEMS} entries"))) } else { Ok(()) }
}

impl Evidence {
    /// What is wrong with it, if anything: path inside the record and reason.
    pub fn check(&self) -> Result<(), (String, String)> {
        text("from", self.from.as_ref(), TextKind::Long)?;
        text("by", self.by.as_ref(), TextKind::Name)?;
        let distinct: SortedSet<_> = self.covers.iter().collect();
        if distinct.len() != self.covers.len() {
            return Err(("covers".to_owned(), "holds a word twice".to_owned()));
        }
        paths("about", &self.about)
    }
}

impl Action {
    /// What is wrong with it, if anything: path inside the record and reason.
    pub fn check(&self) -> Result<(), (String, String)> {
        few("about", self.about.len())?;
        few("holds", self.holds.len())?;
        for (path, value) in [
            ("from", &self.from),
            ("to", &self.to),
            ("first_range", &self.first_range),
            ("control_total", &self.control_total),
            ("reason", &self.reason),
        ] {
            text(path, value.as_ref(), TextKind::Long)?;
        }
        self.done.iter().try_for_each(|(step, recorded)| {
            let path = format!("done.{step}");
            Self::step_number(step).map_err(|reason| (path.clone(), reason))?;
            text(&path, Some(recorded), TextKind::Long)
        })
    }
}

impl Approval {
    /// What is wrong with it, if anything: path inside the record and reason.
    pub fn check(&self) -> Result<(), (String, String)> {
        text("by", Some(&self.by), TextKind::Name)?;
        text("for", Some(&self.for_), TextKind::Path)?;
        match &self.value {
            Some(value) if value.0.is_null() => Err(("value".to_owned(), "null says nothing".to_owned())),
            Some(value) if value.depth() > 4 => Err(("value".to_owned(), "is nested too deep".to_owned())),
            Some(value) if value.0.to_string().len() > TextKind::Long.max() => {
                Err(("value".to_owned(), "is too long for the value of a setting".to_owned()))
            }
            _ => Ok(()),
        }
    }
}

impl Decision {
    /// What is wrong with it, if anything: path inside the record and reason.
    pub fn check(&self) -> Result<(), (String, String)> {
        text("text", Some(&self.text), TextKind::Long)?;
        text("by", self.by.as_ref(), TextKind::Name)?;
        text("rule", self.rule.as_ref(), TextKind::Name)?;
        paths("about", &self.about)
    }
}

impl Question {
    /// What is wrong with it, if anything: path inside the record and reason.
    pub fn check(&self) -> Result<(), (String, String)> {
        text("text", Some(&self.text), TextKind::Long)?;
        text("owner", self.owner.as_ref(), TextKind::Name)?;
        paths("about", &self.about)
    }
}

impl Note {
    /// What is wrong with it, if anything: path inside the note and reason.
    pub fn check(&self) -> Result<(), (String, String)> {
        text("text", self.text.as_ref(), TextKind::Long)?;
        match self.place {
            Some(place) if !place.is_legal() => Err(("box".to_owned(), "lies outside the canvas".to_owned())),
            _ => Ok(()),
        }
    }
}
