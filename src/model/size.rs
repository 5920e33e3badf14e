//! How large the file of a design may become: a bound that is quick to compute and never too small, so that no edit
//! makes a design that could not be opened again.

use super::{Design, Evidence, Facts, Id, RawValue, Section, Subject, Text, Value};

/// What stands around a member: a line break with its indentation, quotes, colon, comma and spaces.
const MEMBER: usize = 16;
/// The longest number, date, quantity or word of the format.
const PLAIN: usize = 48;
/// The fixed words of a subject or record: kind, step, life cycle and the names of its parts.
const FRAME: usize = 320;

/// Bytes of a text in the file, with its quotes.
fn quoted(text: &str) -> usize {
    let escaped = |c: char| match c {
        '"' | '\\' | '\n' | '\r' | '\t' => 2,
        c if c < ' ' => 6,
        c => c.len_utf8(),
    };
    MEMBER + text.chars().map(escaped).sum::<usize>()
}

fn texts<'a>(texts: impl IntoIterator<Item = &'a Text>) -> usize {
    texts.into_iter().map(|text| quoted(text)).sum()
}

fn ids<'a>(ids: impl IntoIterator<Item = &'a Id>) -> usize {
    ids.into_iter().map(|id| MEMBER + id.as_str().len()).sum()
}

fn value(of: &Value) -> usize {
    match of {
        Value::Text(text) => quoted(text),
        Value::Columns(columns) => MEMBER + texts(&*columns.0),
        Value::Keys(keys) => MEMBER + keys.0.iter().map(|key| MEMBER + texts(&*key.0)).sum::<usize>(),
        Value::List(list) => MEMBER + texts(&list.0),
        Value::Schema(schema) => MEMBER + schema.0.iter().map(|(name, ty)| quoted(name) + quoted(ty)).sum::<usize>(),
        Value::Shares(shares) => MEMBER + shares.0.keys().map(|cause| quoted(cause) + PLAIN).sum::<usize>(),
        Value::Statistics(statistics) => MEMBER + statistics.values().map(|v| MEMBER + value(v)).sum::<usize>(),
        _ => PLAIN,
    }
}

fn facts(facts: &Facts) -> usize {
    facts.iter().map(|(field, v)| MEMBER + field.name().len() + value(v)).sum()
}

fn subject(id: &Id, subject: &Subject) -> usize {
    let question = match &subject.shape {
        super::Shape::Element(super::Element::Consumer { question }) => question.as_ref(),
        _ => None,
    };
    let labels = [&subject.name, &subject.note, &subject.owner, &subject.system].into_iter().flatten();
    let observed: usize = subject.observed.iter().map(|(id, slot)| MEMBER + id.as_str().len() + facts(slot)).sum();
    let raw = |value: &RawValue| match value {
        RawValue::Text(text) => quoted(text),
        RawValue::Number(_) | RawValue::Bool(_) => PLAIN,
    };
    let raw: usize = subject
        .raw
        .iter()
        .map(|(id, values)| {
            MEMBER + id.as_str().len() + values.iter().map(|(key, value)| quoted(key) + raw(value)).sum::<usize>()
        })
        .sum();
    FRAME
        + ids([id])
        + ids(subject.references())
        + texts(labels.chain(question))
        + observed
        + facts(&subject.proposed)
        + raw
}

fn evidence(evidence: &Evidence) -> usize {
    let own = [&evidence.from, &evidence.by].into_iter().flatten();
    FRAME + texts(own) + texts(&evidence.about) + evidence.covers.len() * PLAIN
}

impl Design {
    /// At most this many bytes has the file of this design.
    #[must_use]
    pub fn size_bound(&self) -> usize {
        let sections = [Section::Elements, Section::Links, Section::Events, Section::Clusters];
        let subjects = sections.into_iter().flat_map(|section| self.section(section));
        let subjects: usize = subjects.map(|(id, s)| subject(id, s)).sum();
        FRAME + texts(self.name.iter().chain(&self.question)) + subjects + self.records_bound() + self.layout_bound()
    }

    fn records_bound(&self) -> usize {
        let records = &self.records;
        let evidence: usize = records.evidence.iter().map(|(id, e)| ids([id]) + evidence(e)).sum();
        let action = |action: &super::Action| {
            let own = [&action.from, &action.to, &action.first_range, &action.control_total, &action.reason];
            let done: usize = action.done.iter().map(|(step, text)| quoted(step) + quoted(text)).sum();
            FRAME + texts(own.into_iter().flatten()) + ids(&action.about) + ids(&action.holds) + done
        };
        let actions: usize = records.actions.iter().map(|(id, a)| ids([id]) + action(a)).sum();
        let approval = |approval: &super::Approval| {
            let value = approval.value.as_ref().map_or(0, |value| 2 * value.0.to_string().len() + PLAIN);
            FRAME + texts([&approval.by, &approval.for_]) + ids(&approval.of) + value
        };
        let approvals: usize = records.approvals.iter().map(|(id, a)| ids([id]) + approval(a)).sum();
        let decision = |decision: &super::Decision| {
            FRAME + quoted(&decision.text) + texts(decision.by.iter().chain(&decision.rule)) + texts(&decision.about)
        };
        let decisions: usize = records.decisions.iter().map(|(id, d)| ids([id]) + decision(d)).sum();
        let question = |question: &super::Question| {
            FRAME + quoted(&question.text) + texts(&question.about) + texts(&question.owner)
        };
        let questions: usize = records.questions.iter().map(|(id, q)| ids([id]) + question(q)).sum();
        evidence + actions + approvals + decisions + questions
    }

    fn layout_bound(&self) -> usize {
        let layout = &self.layout;
        let boxes: usize = layout.boxes.keys().map(|id| ids([id]) + PLAIN).sum();
        let routes: usize = layout.routes.iter().map(|(id, points)| ids([id]) + points.len() * MEMBER).sum();
        let colours: usize = layout.colours.iter().map(|(id, colour)| ids([id]) + quoted(colour)).sum();
        let notes = layout.notes.iter().map(|(id, note)| ids([id]) + FRAME + texts(&note.text)).sum::<usize>();
        FRAME + boxes + routes + colours + ids(&layout.locked) + notes
    }
}
