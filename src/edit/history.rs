//! Undo and redo: inverses with their labels, one entry a gesture.
//!
//! Selection and viewport are not history. The text form that survives a reload is `codec`'s.

use super::{Edit, EditError, Record};
use crate::model::{Design, Id, Slot, Subject, Value};
use std::collections::VecDeque;

/// Most steps that can be undone.
pub const MAX_ENTRIES: usize = 500;
/// Most edits that the entries hold together; the oldest entries go first.
pub const MAX_WEIGHT: usize = 100_000;

/// One step that can be undone or redone.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What was done, in words: `Move orders`.
    pub label: String,
    /// What leads back (or forth again).
    pub edit: Edit,
    /// The gesture or text field that it belongs to, while that goes on.
    pub(crate) key: Option<String>,
}

/// A step that was undone or redone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// What it was, in words.
    pub label: String,
    /// Could the analysis notice? See [`Edit::touches_meaning`].
    pub meaning: bool,
}

/// The steps that led here and those that were undone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    pub(crate) undo: VecDeque<Entry>,
    pub(crate) redo: Vec<Entry>,
}

impl History {
    /// Applies an edit and notes its inverse.
    ///
    /// With a key, the step joins the last one of the same key: one drag, or typing in one field, is one entry until
    /// [`Self::seal`] or another step ends it. An edit that changes nothing leaves no entry.
    pub fn apply(
        &mut self,
        design: &mut Design,
        edit: Edit,
        label: impl Into<String>,
        key: Option<&str>,
    ) -> Result<(), EditError> {
        let wanted = edit.clone();
        let inverse = design.apply(edit)?;
        // Without this, a click that moves nothing would cost the steps that can be done again.
        let unchanged = inverse.sets_what_stood(&wanted);
        if !unchanged {
            self.record(label, inverse, key);
        }
        Ok(())
    }

    /// Notes the inverse of an edit that was applied already; see [`Self::apply`].
    pub fn record(&mut self, label: impl Into<String>, inverse: Edit, key: Option<&str>) {
        self.redo.clear();
        match self.undo.back_mut() {
            Some(last) if key.is_some() && last.key.as_deref() == key => {
                let older = std::mem::replace(&mut last.edit, Edit::All(Vec::new()));
                last.edit = join(inverse, older);
            }
            _ => self.undo.push_back(Entry { label: label.into(), edit: inverse, key: key.map(str::to_owned) }),
        }
        self.trim();
    }

    /// Ends the running gesture: the next step is an entry of its own.
    pub fn seal(&mut self) {
        if let Some(last) = self.undo.back_mut() {
            last.key = None;
        }
    }

    /// Takes the last step back; says which one it was.
    pub fn undo(&mut self, design: &mut Design) -> Result<Option<Done>, EditError> {
        let Some(entry) = self.undo.pop_back() else { return Ok(None) };
        match design.apply(entry.edit.clone()) {
            Ok(edit) => {
                let done = Done { label: entry.label.clone(), meaning: edit.touches_meaning() };
                self.redo.push(Entry { label: entry.label, edit, key: None });
                self.seal();
                Ok(Some(done))
            }
            Err(error) => {
                self.undo.push_back(entry);
                Err(error)
            }
        }
    }

    /// Takes the last undone step again; says which one it was.
    pub fn redo(&mut self, design: &mut Design) -> Result<Option<Done>, EditError> {
        let Some(entry) = self.redo.pop() else { return Ok(None) };
        match design.apply(entry.edit.clone()) {
            Ok(edit) => {
                let done = Done { label: entry.label.clone(), meaning: edit.touches_meaning() };
                self.undo.push_back(Entry { label: entry.label, edit, key: None });
                Ok(Some(done))
            }
            Err(error) => {
                self.redo.push(entry);
                Err(error)
            }
        }
    }

    /// What undo would take back.
    #[must_use]
    pub fn undo_label(&self) -> Option<&str> {
        self.undo.back().map(|entry| entry.label.as_str())
    }

    /// What redo would do again.
    #[must_use]
    pub fn redo_label(&self) -> Option<&str> {
        self.redo.last().map(|entry| entry.label.as_str())
    }

    /// How many steps can be undone.
    #[must_use]
    pub fn len(&self) -> usize {
        self.undo.len()
    }

    /// Is there nothing to undo?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.undo.is_empty()
    }

    /// Does a step mention this id, so that it must not be handed out again?
    #[must_use]
    pub fn mentions(&self, id: &Id) -> bool {
        self.undo.iter().chain(&self.redo).any(|entry| entry.edit.mentions(id))
    }

    fn trim(&mut self) {
        let mut weight: usize = self.undo.iter().map(|entry| entry.edit.weight()).sum();
        while self.undo.len() > MAX_ENTRIES || (weight > MAX_WEIGHT && self.undo.len() > 1) {
            if let Some(oldest) = self.undo.pop_front() {
                weight = weight.saturating_sub(oldest.edit.weight());
            }
        }
    }
}

/// The inverse of two steps: first the newer one's, then the older one's. Where both set the same place, the older
/// wins, so the newer is left out: a drag of a thousand moves stays one entry of one edit.
fn join(newer: Edit, older: Edit) -> Edit {
    let (mut newer, older) = (flat(newer), flat(older));
    newer.retain(|edit| !older.iter().any(|later| later.sets_what(edit)));
    newer.extend(older);
    match <[Edit; 1]>::try_from(newer) {
        Ok([one]) => one,
        Err(several) => Edit::All(several),
    }
}

fn flat(edit: Edit) -> Vec<Edit> {
    match edit {
        Edit::All(edits) => edits.into_iter().flat_map(flat).collect(),
        one => vec![one],
    }
}

impl Edit {
    /// Is this inverse the edit itself, so that the edit changed nothing? Whole subjects are taken as changed.
    fn sets_what_stood(&self, edit: &Self) -> bool {
        let mut inverse = flat(self.clone());
        inverse.reverse();
        let edits = flat(edit.clone());
        inverse.len() == edits.len()
            && inverse.iter().zip(&edits).all(|pair| match pair {
                (Self::Subject { .. }, _) => false,
                // Rates are equal by meaning; the file shows them as written.
                (
                    Self::Set { subject: a, slot: s, field: f, value: v },
                    Self::Set { subject: b, slot: t, field: g, value: w },
                ) => a == b && s == t && f == g && v.as_ref().map(Value::written) == w.as_ref().map(Value::written),
                (one, other) => one == other,
            })
    }

    /// Does this edit set the very place that the other one sets?
    fn sets_what(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Set { subject: a, slot: s, field: f, .. }, Self::Set { subject: b, slot: t, field: g, .. }) => {
                a == b && s == t && f == g
            }
            (Self::Raw { subject: a, evidence: e, key: k, .. }, Self::Raw { subject: b, evidence: f, key: l, .. }) => {
                a == b && e == f && k == l
            }
            (Self::Label { subject: a, label: l, .. }, Self::Label { subject: b, label: m, .. }) => a == b && l == m,
            (Self::Lifecycle { subject: a, .. }, Self::Lifecycle { subject: b, .. })
            | (Self::Place { element: a, .. }, Self::Place { element: b, .. })
            | (Self::Route { link: a, .. }, Self::Route { link: b, .. })
            | (Self::Colour { element: a, .. }, Self::Colour { element: b, .. })
            | (Self::Lock { element: a, .. }, Self::Lock { element: b, .. })
            | (Self::Note { id: a, .. }, Self::Note { id: b, .. }) => a == b,
            (Self::Title(_), Self::Title(_)) | (Self::Question(_), Self::Question(_)) => true,
            _ => false,
        }
    }

    /// Could the analysis notice this edit? Positions, routes, colours, locks and notes have no meaning.
    #[must_use]
    pub fn touches_meaning(&self) -> bool {
        match self {
            Self::All(edits) => edits.iter().any(Self::touches_meaning),
            Self::Place { .. } | Self::Route { .. } | Self::Colour { .. } | Self::Lock { .. } | Self::Note { .. } => {
                false
            }
            _ => true,
        }
    }

    /// Does this edit mention the id as a subject, record, note, evidence, or in a subject that it puts?
    #[must_use]
    pub fn mentions(&self, id: &Id) -> bool {
        let named = |subject: &Subject| subject.references().any(|named| named == id);
        match self {
            Self::All(edits) => edits.iter().any(|edit| edit.mentions(id)),
            Self::Subject { id: own, to, .. } => own == id || to.as_deref().is_some_and(named),
            Self::Set { subject, slot, .. } => subject == id || *slot == Slot::Observed(id.clone()),
            Self::Raw { subject, evidence, .. } => subject == id || evidence == id,
            Self::Label { subject, to, .. } => subject == id || to.as_deref() == Some(id.as_str()),
            Self::Lifecycle { subject, .. } => subject == id,
            Self::Title(_) | Self::Question(_) => false,
            Self::Record(record) => record.id() == id,
            Self::Place { element: own, .. }
            | Self::Route { link: own, .. }
            | Self::Colour { element: own, .. }
            | Self::Lock { element: own, .. }
            | Self::Note { id: own, .. } => own == id,
        }
    }

    /// How many changes it makes, counting each setting of a subject.
    #[must_use]
    pub fn weight(&self) -> usize {
        match self {
            Self::All(edits) => edits.iter().map(Self::weight).sum(),
            Self::Subject { to: Some(subject), .. } => {
                let observed: usize = subject.observed.values().map(|facts| facts.iter().count()).sum();
                let raw: usize = subject.raw.values().map(|values| values.len()).sum();
                4 + observed + subject.proposed.iter().count() + raw
            }
            _ => 1,
        }
    }
}

impl Record {
    /// The record's id.
    #[must_use]
    pub const fn id(&self) -> &Id {
        match self {
            Self::Evidence(id, _)
            | Self::Action(id, _)
            | Self::Approval(id, _)
            | Self::Decision(id, _)
            | Self::Question(id, _) => id,
        }
    }
}
