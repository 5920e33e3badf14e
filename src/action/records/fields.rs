//! The fields of each form, and how each is filled in.

use crate::model::{ActionKind, Covers, DecisionKind, EvidenceBasis, EvidenceState, StateHandling};

/// How a field is filled in.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// One line of text.
    Line,
    /// Several lines of text.
    Text,
    /// A day.
    Date,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// Any of these words.
    Words(fn() -> Vec<&'static str>),
    /// Elements and links of the design.
    Subjects,
    /// Elements, links, or settings such as `orders.retention_time`.
    Places,
    /// One subject, action or setting.
    Place,
}

/// One field of a form.
#[derive(Clone, Copy, Debug)]
pub struct FormField {
    /// As the document names it; of the record of a step, `done.1`.
    pub name: &'static str,
    /// As the form names it.
    pub label: &'static str,
    /// What to write, by example.
    pub example: &'static str,
    /// How it is filled in.
    pub entry: Entry,
    /// Why it must be filled in; empty where it need not be.
    pub needed: &'static str,
}

const fn field(name: &'static str, label: &'static str, example: &'static str, entry: Entry) -> FormField {
    FormField { name, label, example, entry, needed: "" }
}

const fn needed(mut field: FormField, why: &'static str) -> FormField {
    field.needed = why;
    field
}

macro_rules! words {
    ($ty:ty) => {
        || <$ty>::ALL.iter().map(|word| word.name()).collect()
    };
}

const ABOUT: FormField = field("about", "About", "orders or orders.retention_time", Entry::Places);
const WHEN: FormField = field("at", "On", "2026-11-30", Entry::Date);

/// Of an open question.
pub(super) const QUESTION: &[FormField] = &[
    needed(field("text", "Question", "What is the peak rate of checkout db?", Entry::Text), "Say it in a sentence."),
    field("owner", "To be answered by", "role or name", Entry::Line),
    ABOUT,
];
/// Of a planned action.
pub(super) const ACTION: &[FormField] = &[
    needed(field("kind", "What is planned", "", Entry::Word(words!(ActionKind))), "Choose what is planned."),
    needed(field("about", "Of", "orders", Entry::Subjects), "Say which element it changes."),
    field("from", "Starts at", "an offset, a time or a savepoint", Entry::Line),
    field("to", "Ends at", "an offset or a time", Entry::Line),
    field("reason", "Reason", "why it is done", Entry::Text),
    WHEN,
    field("state_handling", "State before it", "", Entry::Word(words!(StateHandling))),
    field("holds", "Held meanwhile", "a sink or a consumer", Entry::Subjects),
    field("first_range", "First bounded range", "one hour of one partition", Entry::Line),
    field("control_total", "Control total", "sum(amount) by day, taken before", Entry::Line),
    field("done.1", "Done, step 1: reach checked", "what was recorded", Entry::Line),
    field("done.2", "Done, step 2: approvals", "what was recorded", Entry::Line),
    field("done.3", "Done, step 3: held", "what was recorded", Entry::Line),
    field("done.4", "Done, step 4: state", "what was recorded", Entry::Line),
    field("done.5", "Done, step 5: bounded range", "what was recorded", Entry::Line),
    field("done.6", "Done, step 6: whole range", "what was recorded", Entry::Line),
];
/// Of a decision.
pub(super) const DECISION: &[FormField] = &[
    needed(field("text", "Decision", "what was decided, and why", Entry::Text), "Say it in a sentence."),
    needed(field("by", "Decided by", "role or name", Entry::Line), "A decision names who took it."),
    WHEN,
    field("kind", "Kind", "", Entry::Word(words!(DecisionKind))),
    field("rule", "Rule whose finding it accepts", "DEL-15", Entry::Line),
    ABOUT,
];
/// Of an entry of evidence.
pub(super) const EVIDENCE: &[FormField] = &[
    field("basis", "What it is", "", Entry::Word(words!(EvidenceBasis))),
    field(
        "from",
        "Command, file, page, or the reason of an assumption",
        "kafka-configs --describe --topic orders",
        Entry::Text,
    ),
    field("by", "Role or name", "who read or said it", Entry::Line),
    WHEN,
    field("state", "Why there is nothing", "", Entry::Word(words!(EvidenceState))),
    field("covers", "Required evidence that it is", "", Entry::Words(words!(Covers))),
    field("about", "What would have come from it", "orders.retention_time", Entry::Places),
];
/// Of an approval.
pub(super) const APPROVAL: &[FormField] = &[
    needed(
        field("for", "Of the action or the proposed value", "orders.retention_time", Entry::Place),
        "Say what is approved.",
    ),
    needed(field("by", "Given by", "role or name", Entry::Line), "An approval names who gave it."),
    needed(WHEN, "An approval says when it was given."),
    field("of", "For the owner of the consumer", "revenue-board", Entry::Place),
];
