//! Changes of running systems, and consent to them.

use crate::{
    model::{Approval, Design, Field, Id, Known, Lifecycle, Subject, Value, View},
    rules::Context,
};

/// A field of an existing subject whose proposed value is another than the observed one.
pub(super) struct Change<'a> {
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
    pub(super) fn words(&self) -> String {
        let from = self.from.as_ref().map_or_else(|| self.field.row().nature.absent().to_owned(), ToString::to_string);
        format!("{} {from} → {}", self.field.label(), self.to)
    }
}

/// All changes of existing elements; none in the view of what is.
pub(super) fn changes<'a>(context: &Context<'a>) -> Vec<Change<'a>> {
    if context.view == View::AsIs {
        return Vec::new();
    }
    let design = context.design;
    let subjects = design.elements.iter().chain(&design.links).chain(&design.clusters);
    subjects
        .filter(|(id, _)| design.lifecycle(id) == Lifecycle::Existing && design.visible(context.view, id))
        .flat_map(|(id, subject)| of_subject(design, id, subject))
        .collect()
}

fn of_subject<'a>(design: &'a Design, id: &'a Id, subject: &'a Subject) -> Vec<Change<'a>> {
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

/// Has the owner of this consumer consented to exactly this path and value? An approval without a consumer speaks for
/// all of them.
pub(super) fn consented(design: &Design, path: &str, value: Option<&Value>, of: Option<&Id>) -> bool {
    design.records.approvals.values().any(|approval| {
        &*approval.for_ == path
            && value.is_none_or(|value| same_value(approval, value))
            && (approval.of.is_none() || of.is_none() || approval.of.as_ref() == of)
    })
}

/// Is the approved value, in file form, this value? Durations, sizes and rates compare by meaning.
fn same_value(approval: &Approval, value: &Value) -> bool {
    let Some(approved) = &approval.value else { return false };
    let text = approved.0.as_str();
    match value {
        Value::Unset => text == Some("unset"),
        Value::Duration(v) => text.and_then(|t| t.parse().ok()) == Some(*v),
        Value::Size(v) => text.and_then(|t| t.parse().ok()) == Some(*v),
        Value::Rate(v) => text.and_then(|t| t.parse().ok()) == Some(*v),
        Value::ByteRate(v) => text.and_then(|t| t.parse().ok()) == Some(*v),
        Value::Limit(v) => text.and_then(|t| t.parse().ok()) == Some(*v),
        Value::SizeLimit(v) => text.and_then(|t| t.parse().ok()) == Some(*v),
        Value::Count(v) => approved.0.as_u64() == Some(*v),
        Value::Number(v) => approved.0.as_f64() == Some(*v),
        Value::Bool(v) => approved.0.as_bool() == Some(*v),
        Value::Text(v) => text == Some(v),
        Value::Date(v) => text == Some(v.as_str()),
        Value::Word(v) => text == Some(v),
        Value::Columns(v) => {
            let names = |json: &serde_json::Value| json.as_str().map(str::to_owned);
            let approved = approved.0.as_array().map(|list| list.iter().map(names).collect::<Vec<_>>());
            approved == Some(v.0.iter().map(|name| Some(name.to_string())).collect())
        }
        Value::Keys(_) | Value::List(_) | Value::Schema(_) | Value::Shares(_) | Value::Statistics(_) => {
            text == Some(value.to_string().as_str())
        }
    }
}
