//! Changes of running systems, and consent to them.

use crate::{
    model::{
        Action, Approval, ApprovedValue, Design, ElementKind, Field, FieldValue, Group, Id, Json, Known, Lifecycle,
        Subject, Text, Value, View,
    },
    rules::{Consent, Context},
};

/// A field of an existing subject whose proposed value is another than the observed one.
pub(in crate::rules) struct Change<'a> {
    /// The subject.
    pub id: &'a Id,
    /// The field.
    pub field: Field,
    /// What is observed; `None`: not read.
    pub from: Option<Value>,
    /// What is proposed.
    pub to: &'a Value,
}

impl Change<'_> {
    /// `sum.allowed_lateness`.
    pub(super) fn path(&self) -> String {
        format!("{}.{}", self.id, self.field.name())
    }

    /// `allowed lateness 0s → 10min`.
    pub(in crate::rules) fn words(&self) -> String {
        let from = self.from.as_ref().map_or_else(|| self.field.row().nature.absent().to_owned(), Value::spoken);
        format!("{} {from} → {}", self.field.label(), self.to.spoken())
    }
}

impl Change<'_> {
    /// The consent that this change waits for, of the owner of a consumer or of what changes.
    pub(super) fn consent(&self, design: &Design, of: Option<&Id>) -> Consent {
        Consent {
            for_: self.path().into(),
            value: Some(ApprovedValue::new(self.to.written().to_serde())),
            what: self.words(),
            of: of.cloned(),
            owner: owner(design, of.unwrap_or(self.id)),
        }
    }
}

/// Who owns an element, where it is stated.
pub(super) fn owner(design: &Design, id: &Id) -> Option<Text> {
    design.elements.get(id).and_then(|element| element.owner.clone())
}

/// All changes of existing elements in these fields; none in the view of what is.
pub(super) fn changes<'a>(context: &Context<'a>, fields: &[Field]) -> Vec<Change<'a>> {
    if context.view == View::AsIs {
        return Vec::new();
    }
    let design = context.design;
    let touched = |subject: &Subject| fields.iter().any(|field| subject.proposed.get(*field).is_some());
    let elements = design.elements.iter().filter(|(_, subject)| touched(subject));
    elements
        .filter(|(id, _)| design.lifecycle(id) == Lifecycle::Existing)
        .flat_map(|(id, subject)| of_subject(design, id, subject))
        .filter(|change| fields.contains(&change.field))
        .chain(by_clusters(design, fields))
        .collect()
}

/// What a proposed default of a cluster changes for existing channels that have no value of their own.
fn by_clusters<'a>(design: &'a Design, fields: &[Field]) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    // A cluster holds the defaults of its channels under the same names, in a group of its own.
    let of_channels = |field: Field| fields.iter().copied().find(|own| Group::Cluster.field(own.name()) == Some(field));
    let proposed: Vec<(&Id, Field, &Value)> = design
        .clusters
        .iter()
        .flat_map(|(cluster, subject)| subject.proposed.iter().map(move |(field, to)| (cluster, field, to)))
        .filter_map(|(cluster, field, to)| Some((cluster, of_channels(field)?, to)))
        .collect();
    if proposed.is_empty() {
        return changes;
    }
    for (id, subject) in design.elements.iter().filter(|(id, _)| design.lifecycle(id) == Lifecycle::Existing) {
        for (cluster, field, to) in &proposed {
            let falls_back = subject.cluster.as_ref() == Some(*cluster)
                && subject.kind() == Some(ElementKind::Channel)
                && subject.proposed.get(*field).is_none()
                && subject.observed.values().all(|facts| facts.get(*field).is_none());
            if !falls_back {
                continue;
            }
            let from = match design.resolve(View::AsIs, id, *field) {
                Known::Value(fact) => Some(fact.value),
                Known::Unset(_) => Some(Value::Unset),
                _ => None,
            };
            if from.as_ref() != Some(*to) {
                changes.push(Change { id, field: *field, from, to });
            }
        }
    }
    changes
}

/// All changes of one subject.
pub(in crate::rules) fn of_subject<'a>(design: &'a Design, id: &'a Id, subject: &'a Subject) -> Vec<Change<'a>> {
    let change = |(field, to): (Field, &'a Value)| {
        let from = match design.resolve(View::AsIs, id, field) {
            Known::Value(fact) => Some(fact.value),
            Known::Unset(_) => Some(Value::Unset),
            _ => None,
        };
        (from.as_ref() != Some(to)).then_some(Change { id, field, from, to })
    };
    subject.proposed.iter().filter_map(change).collect()
}

/// Has the owner of this consumer consented to exactly this change? An approval without a consumer speaks for all of
/// them. Values compare by meaning: 600 s is 10 min.
pub(super) fn agreed(design: &Design, change: &Change<'_>, of: Option<&Id>) -> bool {
    let path = change.path();
    speaks(design, &path, of, |approval| {
        approval.value.as_ref().and_then(|approved| change.field.read(&Json::from_serde(&approved.0)).ok()).as_ref()
            == Some(change.to)
    })
}

/// What consent to an action is bound to: what is done, to what, over which range. An action that becomes another one
/// waits for consent again.
pub(super) fn bound(action: &Action) -> ApprovedValue {
    let about: Vec<&str> = action.about.iter().map(Id::as_str).collect();
    let mut text = format!("{} {}", action.kind.name(), about.join(", "));
    let state = action.state_handling.map(|state| Text::from(state.name()));
    for (word, value) in [("from", &action.from), ("to", &action.to), ("state", &state)] {
        if let Some(value) = value {
            text = format!("{text} {word} {value}");
        }
    }
    ApprovedValue::of(&Text::from(text).into_value())
}

/// Has the owner of this consumer consented to this action? Consent without a value speaks for it as it stands.
pub(in crate::rules) fn released(design: &Design, id: &Id, action: &Action, of: Option<&Id>) -> bool {
    speaks(design, id.as_str(), of, |approval| approval.value.as_ref().is_none_or(|value| *value == bound(action)))
}

/// Has somebody consented to this value of what `path` names?
pub(super) fn consented(design: &Design, path: &str, value: &ApprovedValue) -> bool {
    speaks(design, path, None, |approval| approval.value.as_ref() == Some(value))
}

/// The same, by the owner of this consumer.
pub(super) fn consented_by(design: &Design, path: &str, value: &ApprovedValue, of: &Id) -> bool {
    speaks(design, path, Some(of), |approval| approval.value.as_ref() == Some(value))
}

fn speaks(design: &Design, path: &str, of: Option<&Id>, fits: impl Fn(&Approval) -> bool) -> bool {
    design.records.approvals.values().any(|approval| {
        let same = of.is_none() || approval.of.is_none() || approval.of.as_ref() == of;
        &*approval.for_ == path && same && fits(approval)
    })
}
