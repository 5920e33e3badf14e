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

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Settings<'d> {
    design: &'d Design,
    /// In order of `field`, one row a field.
    rows: Vec<Row<'d>>,
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

impl<'d> Settings<'d> {
    /// The settings of a subject that is visible in `view`; a channel's with those of its cluster behind its own.
    pub fn of(design: &'d Design, view: View, id: &'d Id, subject: &'d Subject) -> Self {
        let mut rows = own(design, view, id, subject);
        if subject.kind() == Some(ElementKind::Channel)
            && let Some((cluster, behind)) = subject.cluster.as_ref().and_then(|id| design.clusters.get_key_value(id))
            && !(view == View::AsIs && behind.lifecycle == Some(Lifecycle::Planned))
        {
            let known = rows.len();
            for row in own(design, view, cluster, behind) {
                if let Some(field) = channel_field(row.own)
                    && rows[..known].binary_search_by_key(&field, |row| row.field).is_err()
                {
                    rows.push(Row { field, ..row });
                }
            }
            sorted::sort_by_key(&mut rows, |row| row.field);
        }
        Self { design, rows }
    }

    /// The value of a setting with its basis, where there is one: spares whoever does not explain it the source.
    pub fn value<T: FieldValue>(&self, key: Key<T>) -> Option<(T, Basis)> {
        let at = self.rows.binary_search_by_key(&key.field(), |row| row.field).ok()?;
        match &self.rows[at].holds {
            Holds::One { value, basis, .. } => Some((T::from_value(value)?, *basis)),
            Holds::Several(_) => self.get(key).fact().map(|fact| (fact.value, fact.basis)),
        }
    }

    /// The value of a setting, with its basis and source.
    pub fn get<T: FieldValue>(&self, key: Key<T>) -> Known<T> {
        let nature = key.field().row().nature;
        let Ok(at) = self.rows.binary_search_by_key(&key.field(), |row| row.field) else {
            return Known::NotKnown(nature);
        };
        let row = &self.rows[at];
        match &row.holds {
            Holds::Several(observed) => super::design::typed(self.design.records.weigh(row.of, row.own, observed), key),
            Holds::One { value, basis, evidence } => {
                let slot = evidence.map_or(Slot::Proposed, |evidence| Slot::Observed(evidence.clone()));
                let source = FactRef { subject: row.of.clone(), field: row.own, slot };
                if matches!(value, Value::Unset) {
                    return Known::Unset(source);
                }
                match T::from_value(value) {
                    Some(value) => Known::Value(Fact { value, basis: *basis, source }),
                    None => Known::NotKnown(nature),
                }
            }
        }
    }
}

/// What stands on the subject itself, in order of fields.
fn own<'d>(design: &'d Design, view: View, id: &'d Id, subject: &'d Subject) -> Vec<Row<'d>> {
    let mut rows = Vec::new();
    let row =
        |field, value, basis, evidence| Row { field, of: id, own: field, holds: Holds::One { value, basis, evidence } };
    if view == View::ToBe {
        rows.extend(subject.proposed.iter().map(|(field, value)| row(field, value, Basis::Proposed, None)));
    }
    for (evidence, facts) in &subject.observed {
        let read = design.records.evidence.get(evidence).and_then(|entry| entry.basis);
        rows.extend(facts.iter().map(|(field, value)| {
            let basis = super::records::basis_of(read, field.row().nature, value);
            row(field, value, basis, Some(evidence))
        }));
    }
    // The sort keeps the proposed value, then the evidence, in front of what follows it.
    sorted::sort_by_key(&mut rows, |row| row.field);
    rows.dedup_by(|later, first| {
        let same = later.field == first.field;
        if same && !matches!(first.holds, Holds::One { evidence: None, .. }) {
            first.holds = Holds::Several(&subject.observed);
        }
        same
    });
    rows
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
                    let settings = Settings::of(&design, view, id, subject);
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
