//! All settings of one subject as they count in a view, found in one pass: what an analysis reads many times.
//!
//! Gives the same answers as [`Design::get`] for a subject that is visible in the view.

use super::{
    Design, Facts, Id, Known, Lifecycle, Slot, Subject, View,
    fields::{Field, Group, Key},
    known::{Basis, Fact, FactRef},
    subject::ElementKind,
    value::{FieldValue, Value},
};
use crate::sorted::{self, SortedMap};
use std::sync::LazyLock;

/// The settings of one subject.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<'a> {
    design: &'a Design,
    /// In order of `field`, one row a field.
    rows: &'a [Row<'a>],
    /// See [`bit`]: most questions are for what is not there.
    holds: u64,
}

/// The fields that anything in a design holds, in any slot.
#[derive(Debug, Default)]
pub(crate) struct Fields([[u64; 4]; Group::ALL.len()]);

impl Fields {
    /// Of a design; of clusters also what channels take from them.
    pub fn of(design: &Design) -> Self {
        let mut all = Self::default();
        for subject in [&design.elements, &design.links, &design.events].into_iter().flat_map(SortedMap::values) {
            all.add(subject, Some);
        }
        for cluster in design.clusters.values() {
            all.add(cluster, Some);
            all.add(cluster, channel_field);
        }
        all
    }

    fn add(&mut self, subject: &Subject, of: fn(Field) -> Option<Field>) {
        for facts in subject.observed.values().chain([&subject.proposed]) {
            for field in facts.iter().filter_map(|(field, _)| of(field)) {
                let [group, row] = field.number().to_be_bytes();
                self.0[usize::from(group)][usize::from(row / 64)] |= 1 << (row % 64);
            }
        }
    }

    /// Does anything hold it?
    pub const fn contains(&self, field: Field) -> bool {
        let [group, row] = field.number().to_be_bytes();
        self.0[group as usize][row as usize / 64] & 1 << (row % 64) != 0
    }
}

/// The settings of many subjects, by number in the order in which they were added.
#[derive(Debug)]
pub(crate) struct AllSettings<'d> {
    design: &'d Design,
    view: View,
    rows: Vec<Row<'d>>,
    subjects: Vec<Subjects>,
}

/// From where to where the rows of a subject stand, and which fields they are.
#[derive(Clone, Copy, Debug)]
struct Subjects {
    start: u32,
    end: u32,
    holds: u64,
}

#[derive(Clone, Debug)]
struct Row<'d> {
    /// The field that it answers for.
    field: Field,
    /// Where it stands: the subject's own field, or that of a channel's cluster.
    of: &'d Id,
    own: Field,
    holds: Holds<'d>,
}

#[derive(Clone, Debug)]
enum Holds<'d> {
    One {
        value: &'d Value,
        basis: Basis,
        /// `None`: proposed.
        evidence: Option<&'d Id>,
    },
    /// Readings that must be weighed.
    Several(&'d SortedMap<Id, Facts>),
}

/// The bit of a field: without it, a subject does not hold the field.
const fn bit(field: Field) -> u64 {
    1 << (field.number() % 64)
}

impl<'d> AllSettings<'d> {
    /// Of no subject yet, with room for so many.
    pub fn new(design: &'d Design, view: View, subjects: usize) -> Self {
        Self { design, view, rows: Vec::with_capacity(8 * subjects), subjects: Vec::with_capacity(subjects) }
    }

    /// Adds the settings of a subject that is visible in the view; a channel's with those of its cluster behind its own.
    pub fn add(&mut self, id: &'d Id, subject: &'d Subject) {
        let (design, start) = (self.design, self.rows.len());
        self.own(id, subject);
        if subject.kind() == Some(ElementKind::Channel)
            && let Some((cluster, behind)) = subject.cluster.as_ref().and_then(|id| design.clusters.get_key_value(id))
            && !(self.view == View::AsIs && behind.lifecycle == Some(Lifecycle::Planned))
        {
            let known = self.rows.len();
            self.own(cluster, behind);
            for row in self.rows.split_off(known) {
                if let Some(field) = channel_field(row.own)
                    && self.rows[start..known].binary_search_by_key(&field, |row| row.field).is_err()
                {
                    self.rows.push(Row { field, ..row });
                }
            }
            sorted::sort_by_key(&mut self.rows[start..], |row| row.field);
        }
        let holds = self.rows[start..].iter().fold(0, |all, row| all | bit(row.field));
        let row = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.subjects.push(Subjects { start: row(start), end: row(self.rows.len()), holds });
    }

    /// Adds what stands on the subject itself, in order of fields.
    fn own(&mut self, id: &'d Id, subject: &'d Subject) {
        let start = self.rows.len();
        let row = |field, value, basis, evidence| {
            let holds = Holds::One { value, basis, evidence };
            Row { field, of: id, own: field, holds }
        };
        if self.view == View::ToBe {
            self.rows.extend(subject.proposed.iter().map(|(field, value)| row(field, value, Basis::Proposed, None)));
        }
        for (evidence, facts) in &subject.observed {
            let read = self.design.records.evidence.get(evidence).and_then(|entry| entry.basis);
            self.rows.extend(facts.iter().map(|(field, value)| {
                let basis = super::records::basis_of(read, field.row().nature, value);
                row(field, value, basis, Some(evidence))
            }));
        }
        if self.rows[start..].is_sorted_by(|a, b| a.field < b.field) {
            return;
        }
        let mut rows = self.rows.split_off(start);
        // The sort keeps the proposed value, then the evidence, in front of what follows it.
        sorted::sort_by_key(&mut rows, |row| row.field);
        rows.dedup_by(|later, first| {
            let same = later.field == first.field;
            if same && !matches!(first.holds, Holds::One { evidence: None, .. }) {
                first.holds = Holds::Several(&subject.observed);
            }
            same
        });
        self.rows.append(&mut rows);
    }

    /// The settings of a subject by its number.
    #[inline]
    pub fn at(&self, number: usize) -> Settings<'_> {
        let Subjects { start, end, holds } = self.subjects[number];
        Settings { design: self.design, rows: &self.rows[start as usize..end as usize], holds }
    }

    /// May a subject hold a field? For most questions the answer is no, and no more needs to be looked at.
    #[inline]
    pub fn may_hold(&self, number: usize, field: Field) -> bool {
        self.subjects[number].holds & bit(field) != 0
    }
}

impl<'a> Settings<'a> {
    /// The fields that it holds, in order.
    pub fn fields(&self) -> impl Iterator<Item = Field> {
        self.rows.iter().map(|row| row.field)
    }

    fn row(&self, field: Field) -> Option<&'a Row<'a>> {
        if self.holds & bit(field) == 0 {
            return None;
        }
        // A subject holds a dozen or two: a look along them costs less than a search in halves.
        self.rows.iter().find(|row| row.field == field)
    }

    /// The value of a setting with its basis, where there is one: spares whoever does not explain it the source.
    pub fn value<T: FieldValue>(&self, key: Key<T>) -> Option<(T, Basis)> {
        match &self.row(key.field())?.holds {
            Holds::One { value, basis, .. } => Some((T::from_value(value)?, *basis)),
            Holds::Several(_) => self.get(key).fact().map(|fact| (fact.value, fact.basis)),
        }
    }

    /// The value of a setting, with its basis and source.
    pub fn get<T: FieldValue>(&self, key: Key<T>) -> Known<T> {
        let nature = || key.field().row().nature;
        let Some(row) = self.row(key.field()) else { return Known::NotKnown(nature()) };
        match &row.holds {
            Holds::Several(observed) => super::design::typed(self.design.records.weigh(row.of, row.own, observed), key),
            Holds::One { value, basis, evidence } => {
                let source = || {
                    let slot = evidence.map_or(Slot::Proposed, |evidence| Slot::Observed(evidence.clone()));
                    FactRef { subject: row.of.clone(), field: row.own, slot }
                };
                if matches!(value, Value::Unset) {
                    return Known::Unset(source());
                }
                match T::from_value(value) {
                    Some(value) => Known::Value(Fact { value, basis: *basis, source: source() }),
                    None => Known::NotKnown(nature()),
                }
            }
        }
    }
}

/// The field of a channel that falls back on this one of its cluster.
fn channel_field(field: Field) -> Option<Field> {
    static FIELDS: LazyLock<SortedMap<Field, Field>> = LazyLock::new(|| {
        let pair = |field: Field| Some((field, Group::Channel.field(field.name())?));
        Group::Cluster.fields().filter_map(pair).collect()
    });
    FIELDS.get(&field).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        codec,
        model::{Section, key},
    };

    /// On every visible subject of the built-in examples, every field of its groups, in both views.
    #[test]
    fn the_answers_are_those_of_the_design() {
        for example in crate::catalog::examples() {
            let design = codec::decode(example.text).unwrap();
            for (view, section) in [
                (View::AsIs, Section::Elements),
                (View::ToBe, Section::Elements),
                (View::AsIs, Section::Links),
                (View::ToBe, Section::Links),
            ] {
                for (id, subject) in design.section(section).iter().filter(|(id, _)| design.visible(view, id)) {
                    let mut all = AllSettings::new(&design, view, 1);
                    all.add(id, subject);
                    let settings = all.at(0);
                    for field in design.groups(subject).into_iter().flat_map(Group::fields) {
                        let found = settings.rows.iter().find(|row| row.field == field);
                        assert_eq!(found.is_some(), !matches!(design.resolve(view, id, field), Known::NotKnown(_)));
                    }
                    if subject.kind() == Some(ElementKind::Channel) {
                        let (time, rate) = (key::channel::RETENTION_TIME, key::channel::DISK_RATE);
                        assert_eq!(settings.get(time), design.get(view, id, time), "{id}");
                        assert_eq!(settings.get(rate), design.get(view, id, rate), "{id}");
                        let version = key::channel::VERSION;
                        assert_eq!(settings.get(version), design.get(view, id, version), "{id}");
                    }
                    assert_eq!(settings.get(key::operator::KEY), design.get(view, id, key::operator::KEY));
                    assert_eq!(settings.get(key::read::LAG), design.get(view, id, key::read::LAG));
                }
            }
        }
    }
}
