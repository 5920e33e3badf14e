//! Records as forms: which fields a kind has, what stands in them, and the record that they say.
//!
//! A form holds text by field; a list has one entry a line. Not here: how a form looks (`ui`), what is legal (`codec`,
//! `edit`).

use crate::sorted::SortedMap;
use crate::{
    codec::{decode_record, encode_record},
    edit::{Edit, Record},
    model::{ApprovedValue, Design, EvidenceBasis, Id, Json, Section, Slot, Subject},
};

mod fields;
pub use fields::{Entry, FormField};

/// The kinds of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum RecordKind {
    Question,
    Action,
    Decision,
    Evidence,
    Approval,
}

/// What is said of a kind.
struct Row {
    title: &'static str,
    heading: &'static str,
    section: &'static str,
    letter: char,
    fields: &'static [FormField],
}

impl RecordKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Question, Self::Action, Self::Decision, Self::Evidence, Self::Approval];

    const fn row(self) -> &'static Row {
        match self {
            Self::Question => &Row {
                title: "open question",
                heading: "Open questions",
                section: "questions",
                letter: 'q',
                fields: fields::QUESTION,
            },
            Self::Action => &Row {
                title: "planned action",
                heading: "Planned actions",
                section: "actions",
                letter: 's',
                fields: fields::ACTION,
            },
            Self::Decision => &Row {
                title: "decision",
                heading: "Decisions",
                section: "decisions",
                letter: 'd',
                fields: fields::DECISION,
            },
            Self::Evidence => &Row {
                title: "evidence",
                heading: "Evidence",
                section: "evidence",
                letter: 'e',
                fields: fields::EVIDENCE,
            },
            Self::Approval => &Row {
                title: "approval",
                heading: "Approvals",
                section: "approvals",
                letter: 'a',
                fields: fields::APPROVAL,
            },
        }
    }

    /// One of them.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.row().title
    }

    /// The heading of their list.
    #[must_use]
    pub const fn heading(self) -> &'static str {
        self.row().heading
    }

    /// The section of the document.
    #[must_use]
    pub const fn section(self) -> &'static str {
        self.row().section
    }

    /// The letter that ids of new ones begin with.
    #[must_use]
    pub const fn letter(self) -> char {
        self.row().letter
    }

    /// The fields of its form, in their order.
    #[must_use]
    pub const fn fields(self) -> &'static [FormField] {
        self.row().fields
    }

    /// The record of this kind with this id.
    #[must_use]
    pub fn record(self, design: &Design, id: &Id) -> Option<Record> {
        let (records, own) = (&design.records, id.clone());
        Some(match self {
            Self::Question => Record::Question(own, Some(records.questions.get(id)?.clone())),
            Self::Action => Record::Action(own, Some(records.actions.get(id)?.clone())),
            Self::Decision => Record::Decision(own, Some(records.decisions.get(id)?.clone())),
            Self::Evidence => Record::Evidence(own, Some(records.evidence.get(id)?.clone())),
            Self::Approval => Record::Approval(own, Some(records.approvals.get(id)?.clone())),
        })
    }

    /// The ids of all records of this kind.
    #[must_use]
    pub fn ids(self, design: &Design) -> Vec<Id> {
        let records = &design.records;
        match self {
            Self::Question => records.questions.keys().cloned().collect(),
            Self::Action => records.actions.keys().cloned().collect(),
            Self::Decision => records.decisions.keys().cloned().collect(),
            Self::Evidence => records.evidence.keys().cloned().collect(),
            Self::Approval => records.approvals.keys().cloned().collect(),
        }
    }

    /// The edit that takes a record away. Facts that rest on an evidence entry go with it.
    #[must_use]
    pub fn removal(self, design: &Design, id: &Id) -> Edit {
        let own = id.clone();
        let record = match self {
            Self::Question => Record::Question(own, None),
            Self::Action => Record::Action(own, None),
            Self::Decision => Record::Decision(own, None),
            Self::Evidence => Record::Evidence(own, None),
            Self::Approval => Record::Approval(own, None),
        };
        let mut edits = if self == Self::Evidence { clearing(design, id) } else { Vec::new() };
        edits.push(Edit::Record(record));
        Edit::All(edits)
    }
}

/// What rests on an evidence entry: subject, label of the setting and value of each fact, then product keys as read.
#[must_use]
pub fn resting(design: &Design, evidence: &Id) -> Vec<(Id, String, String)> {
    let mut all = Vec::new();
    for (id, subject) in subjects(design) {
        if let Some(facts) = subject.observed.get(evidence) {
            all.extend(facts.iter().map(|(field, value)| (id.clone(), field.label(), super::entry::shown(value))));
        }
        if let Some(raw) = subject.raw.get(evidence) {
            all.extend(raw.iter().map(|(key, value)| (id.clone(), key.to_string(), value.written().to_string())));
        }
    }
    all
}

fn subjects(design: &Design) -> impl Iterator<Item = (&Id, &Subject)> {
    [Section::Elements, Section::Links, Section::Events, Section::Clusters].into_iter().flat_map(|s| design.section(s))
}

/// The edits that clear what rests on an evidence entry.
fn clearing(design: &Design, evidence: &Id) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (id, subject) in subjects(design) {
        let slot = Slot::Observed(evidence.clone());
        for (field, _) in subject.observed.get(evidence).into_iter().flat_map(|facts| facts.iter()) {
            edits.push(Edit::Set { subject: id.clone(), slot: slot.clone(), field, value: None });
        }
        for key in subject.raw.get(evidence).into_iter().flat_map(|raw| raw.keys()) {
            edits.push(Edit::Raw { subject: id.clone(), evidence: evidence.clone(), key: key.clone(), value: None });
        }
    }
    edits
}

/// A form: text by the name of the field.
pub type Form = SortedMap<&'static str, String>;

/// The form of a record that stands.
#[must_use]
pub fn filled(kind: RecordKind, record: &Record) -> Form {
    let json = encode_record(record);
    let at = |name: &str| {
        let (outer, inner) = name.split_once('.').unwrap_or((name, ""));
        let value = json.as_ref()?.get(outer)?;
        if inner.is_empty() { Some(value) } else { value.get(inner) }
    };
    let line = |json: &Json| json.as_text().map_or_else(|| json.to_string(), str::to_owned);
    let text = |json: &Json| match json {
        Json::List(items) => items.iter().map(line).collect::<Vec<_>>().join("\n"),
        other => line(other),
    };
    kind.fields().iter().filter_map(|field| Some((field.name, text(at(field.name)?)))).collect()
}

/// The record that a form says; the error names the field and what is wrong. What an approval is bound to is the value
/// that is proposed now.
pub fn read(kind: RecordKind, id: &Id, form: &Form, design: &Design) -> Result<Record, (String, String)> {
    let mut members: Vec<(String, Json)> = Vec::new();
    let mut done: Vec<(String, Json)> = Vec::new();
    for field in kind.fields() {
        let text = form.get(field.name).map(|text| text.trim()).unwrap_or_default();
        if text.is_empty() {
            if field.needed.is_empty() {
                continue;
            }
            return Err((field.name.to_owned(), field.needed.to_owned()));
        }
        let value = match field.entry {
            Entry::Words(_) | Entry::Subjects | Entry::Places => {
                Json::List(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(Json::text).collect())
            }
            _ => Json::text(text),
        };
        match field.name.split_once('.') {
            Some((_, step)) => done.push((step.to_owned(), value)),
            None => members.push((field.name.to_owned(), value)),
        }
    }
    if !done.is_empty() {
        members.push(("done".to_owned(), Json::Object(done)));
    }
    let mut record = decode_record(kind.section(), id, &Json::Object(members)).map_err(|error| {
        let field = error.path.split('.').next().unwrap_or_default();
        let field = if field == "done" { error.path.clone() } else { field.to_owned() };
        (field, format!("{}.", error.reason.trim_end_matches('.')))
    })?;
    bind(&mut record, design)?;
    Ok(record)
}

/// Binds an approval to the proposed value that it is for; asks an entry of evidence for what makes it one.
fn bind(record: &mut Record, design: &Design) -> Result<(), (String, String)> {
    let refuse = |field: &str, why: &str| Err((field.to_owned(), why.to_owned()));
    match record {
        Record::Evidence(_, Some(entry)) if entry.basis.is_none() && entry.state.is_none() => {
            refuse("basis", "Say what it is, or why there is nothing.")
        }
        Record::Evidence(_, Some(entry)) if entry.basis == Some(EvidenceBasis::Assumed) && entry.from.is_none() => {
            refuse("from", "An assumption needs its reason.")
        }
        Record::Approval(id, Some(approval)) => {
            if approval.for_.split_once('.').is_none() {
                let action = Id::new(&approval.for_).ok();
                let stands = action.is_some_and(|id| design.records.actions.contains_key(&id));
                return if stands { Ok(()) } else { refuse("for", "There is no planned action with this id.") };
            }
            let before = design.records.approvals.get(id).filter(|before| before.for_ == approval.for_);
            approval.value = match before {
                Some(before) => before.value.clone(),
                None => proposed(design, &approval.for_),
            };
            if approval.value.is_none() {
                return refuse("for", "Nothing is proposed there, so there is nothing to approve.");
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn proposed(design: &Design, path: &str) -> Option<ApprovedValue> {
    let (subject, name) = path.split_once('.')?;
    let subject = design.subject(&Id::new(subject).ok()?)?;
    subject.proposed.get(design.field(subject, name)?).map(ApprovedValue::of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::decode;

    fn design() -> Design {
        decode(
            r#"{"format":"streaming-pipeline","version":1,
            "elements":{"orders":{"kind":"channel","lifecycle":"existing","observed":{"e1":{"partitions":12,"retention_time":"7d"}},
                "proposed":{"retention_time":"3d"},"raw":{"e1":{"max.message.bytes":1048588}}}},
            "evidence":{"e1":{"basis":"read","from":"kafka-topics --describe"}},
            "actions":{"r1":{"kind":"replay","about":["orders"],"done":{"2":"signed by Ops"}}}}"#,
        )
        .unwrap()
    }

    fn id(text: &str) -> Id {
        Id::new(text).unwrap()
    }

    fn form(fields: &[(&'static str, &str)]) -> Form {
        fields.iter().map(|(name, text)| (*name, (*text).to_owned())).collect()
    }

    #[test]
    fn every_record_reads_back_from_its_own_form() {
        let mut design = design();
        let new = [
            (
                RecordKind::Question,
                form(&[("text", "Peak rate?"), ("owner", "Shop"), ("about", "orders.rate\norders")]),
            ),
            (
                RecordKind::Decision,
                form(&[("text", "Dropped."), ("by", "Ops"), ("at", "2026-11-30"), ("kind", "drop_late")]),
            ),
            (RecordKind::Evidence, form(&[("basis", "stated"), ("by", "Ops"), ("covers", "lag\nstate")])),
            (RecordKind::Action, form(&[("kind", "reset_offsets"), ("about", "orders"), ("done.6", "all read")])),
            (RecordKind::Approval, form(&[("for", "orders.retention_time"), ("by", "Ops"), ("at", "2026-11-30")])),
        ];
        for (kind, form) in new {
            let record = read(kind, &id("x1"), &form, &design).unwrap();
            let back = filled(kind, &record);
            assert_eq!(back, form, "{kind:?}");
            design.apply(Edit::Record(record.clone())).unwrap();
            assert_eq!(kind.record(&design, &id("x1")), Some(record));
            design.apply(kind.removal(&design, &id("x1"))).unwrap();
        }
    }

    #[test]
    fn an_approval_is_bound_to_the_value_that_is_proposed() {
        let given = form(&[("for", "orders.retention_time"), ("by", "Ops"), ("at", "2026-11-30")]);
        let Ok(Record::Approval(_, Some(approval))) = read(RecordKind::Approval, &id("a1"), &given, &design()) else {
            panic!()
        };
        assert_eq!(approval.value.unwrap().0, serde_json::json!("3d"));
        let nothing = form(&[("for", "orders.partitions"), ("by", "Ops"), ("at", "2026-11-30")]);
        assert_eq!(read(RecordKind::Approval, &id("a1"), &nothing, &design()).unwrap_err().0, "for");
        let step = form(&[("for", "r1"), ("by", "Ops"), ("at", "2026-11-30")]);
        assert!(read(RecordKind::Approval, &id("a1"), &step, &design()).is_ok());
    }

    #[test]
    fn what_is_missing_or_wrong_is_said_at_its_field() {
        for (kind, fields, at) in [
            (RecordKind::Question, form(&[("owner", "Shop")]), "text"),
            (RecordKind::Action, form(&[("about", "orders")]), "kind"),
            (RecordKind::Action, form(&[("kind", "replay"), ("about", "no such id!")]), "about"),
            (RecordKind::Decision, form(&[("text", "Yes."), ("by", "Ops"), ("at", "soon")]), "at"),
            (RecordKind::Evidence, form(&[("from", "a page")]), "basis"),
            (RecordKind::Evidence, form(&[("basis", "assumed")]), "from"),
        ] {
            assert_eq!(read(kind, &id("x1"), &fields, &design()).unwrap_err().0, at, "{kind:?}");
        }
    }

    #[test]
    fn removing_evidence_takes_what_rests_on_it_and_comes_back_whole() {
        let mut design = design();
        let before = design.clone();
        let rests = resting(&design, &id("e1"));
        assert_eq!(rests.len(), 3);
        assert!(rests.contains(&(id("orders"), "partitions".to_owned(), "12".to_owned())));
        let inverse = design.apply(RecordKind::Evidence.removal(&design, &id("e1"))).unwrap();
        assert!(design.records.evidence.is_empty());
        assert!(design.elements[&id("orders")].observed.is_empty());
        design.apply(inverse).unwrap();
        assert_eq!(design, before);
    }
}
