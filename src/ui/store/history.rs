//! Which edits the analysis could notice, and the stacks of undo and redo.

use crate::{edit::Edit, model::Design};

/// Could the analysis notice this edit? Positions, routes, colours, locks and notes have no meaning.
#[must_use]
pub fn touches_meaning(edit: &Edit) -> bool {
    match edit {
        Edit::All(edits) => edits.iter().any(touches_meaning),
        Edit::Place { .. } | Edit::Route { .. } | Edit::Colour { .. } | Edit::Lock { .. } | Edit::Note { .. } => false,
        _ => true,
    }
}

#[derive(Clone, Debug)]
struct Entry {
    label: String,
    edit: Edit,
    coalesce: Option<String>,
}

/// What can be undone and redone.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<Entry>,
    undone: Vec<Entry>,
}

impl History {
    pub fn record(&mut self, label: &str, inverse: Edit, coalesce: Option<&str>) {
        self.undone.clear();
        if let Some(last) =
            self.done.last_mut().filter(|last| coalesce.is_some() && last.coalesce.as_deref() == coalesce)
        {
            let before = std::mem::replace(&mut last.edit, Edit::All(Vec::new()));
            last.edit = Edit::All(vec![inverse, before]);
            return;
        }
        self.done.push(Entry { label: label.to_owned(), edit: inverse, coalesce: coalesce.map(str::to_owned) });
    }

    pub fn undo(&mut self, design: &mut Design) -> Option<(String, bool)> {
        Self::step(&mut self.done, &mut self.undone, design)
    }

    pub fn redo(&mut self, design: &mut Design) -> Option<(String, bool)> {
        Self::step(&mut self.undone, &mut self.done, design)
    }

    fn step(from: &mut Vec<Entry>, to: &mut Vec<Entry>, design: &mut Design) -> Option<(String, bool)> {
        let entry = from.pop()?;
        let means = touches_meaning(&entry.edit);
        let inverse = design.apply(entry.edit).ok()?;
        to.push(Entry { label: entry.label.clone(), edit: inverse, coalesce: None });
        Some((entry.label, means))
    }

    pub fn undo_label(&self) -> Option<String> {
        self.done.last().map(|entry| entry.label.clone())
    }

    pub fn redo_label(&self) -> Option<String> {
        self.undone.last().map(|entry| entry.label.clone())
    }
}
