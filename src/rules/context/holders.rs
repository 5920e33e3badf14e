//! Who holds a setting, so that a rule that speaks of a setting visits only those.

use crate::{
    analysis::graph::Lists,
    model::{Field, Group, Settings},
};

/// Numbers of subjects by the fields that they hold.
#[derive(Default)]
pub(super) struct Holders {
    lists: Lists,
    /// By entry of the lists.
    subjects: Vec<u32>,
}

impl Holders {
    /// Of the settings of some subjects, by their place in the iterator.
    pub(super) fn of<'s>(all: impl Iterator<Item = Option<Settings<'s>>>) -> Self {
        let (mut fields, mut subjects) = (Vec::new(), Vec::new());
        for (number, settings) in (0..).zip(all) {
            if let Some(settings) = settings {
                fields.extend(settings.fields().map(number_of));
            }
            subjects.resize(fields.len(), number);
        }
        Self { lists: Lists::of(Group::ALL.len() << 8, &fields), subjects }
    }

    /// The numbers of those that hold a field, ascending.
    pub(super) fn of_field(&self, field: Field) -> impl Iterator<Item = usize> {
        self.lists.at(number_of(field)).iter().map(|entry| self.subjects[*entry] as usize)
    }
}

fn number_of(field: Field) -> usize {
    usize::from(field.number())
}
