//! Writes one document: every setting it prints is noted with its basis, every figure with its explanation, everything
//! that is not known as a gap. The end of the document follows from these notes.
//!
//! Not here: what a document says, and the words of values (`say`).

use super::numbers::Numbers;
use super::{
    appendix,
    assumed::Assumed,
    blocks::{Block, Inline, Span, join, line},
    desk::Desk,
    document::{Document, Status, Withheld},
    findings,
    gap::Gap,
    say,
};
use crate::sorted::{self, SortedMap, SortedSet};
use crate::{
    analysis::explain::{Derived, Explained, Missing, Origin},
    model::{Basis, FactRef, Field, FieldValue, Id, Key, Known, Value, View, counted_as, units::human},
    rules::Halt,
};
use std::sync::Arc;

/// A document while it is written.
pub struct Writer<'a> {
    /// What it looks things up in.
    pub desk: &'a Desk<'a>,
    /// The view whose verdicts it says; those of a document are of what shall be.
    pub view: View,
    file_name: &'static str,
    title: String,
    blocks: Vec<Block>,
    numbers: Numbers,
    gaps: Vec<Gap>,
    known_gaps: SortedMap<(Option<Id>, Option<Field>, String), usize>,
    assumed: Assumed,
    withheld: Vec<Withheld>,
    touched: SortedSet<Id>,
    at: String,
}

impl<'a> Writer<'a> {
    /// Starts a document.
    #[must_use]
    pub fn new(desk: &'a Desk<'a>, file_name: &'static str, subject: &str) -> Self {
        // Nothing can be built from a design without elements, whatever its documents do not lack.
        let undrawn = desk.design.elements.is_empty().then(|| Gap::whole("the topology", "not drawn"));
        Self {
            desk,
            view: View::ToBe,
            file_name,
            title: format!("{subject}: {}", desk.title()),
            blocks: Vec::new(),
            numbers: Numbers::default(),
            gaps: undrawn.into_iter().collect(),
            known_gaps: SortedMap::new(),
            assumed: Assumed::default(),
            withheld: Vec::new(),
            touched: SortedSet::new(),
            at: subject.to_owned(),
        }
    }

    /// A heading.
    pub fn heading(&mut self, level: u8, text: impl Into<Inline>) {
        let text = text.into();
        self.at = text.plain();
        self.blocks.push(Block::Heading { level, text });
    }

    /// A paragraph.
    pub fn say(&mut self, text: impl Into<Inline>) {
        let text = text.into();
        if !text.is_empty() {
            self.blocks.push(Block::Paragraph(text));
        }
    }

    /// A table; one without rows is not printed.
    pub fn table(&mut self, head: &[&str], rows: Vec<Vec<Inline>>) {
        if !rows.is_empty() {
            self.blocks.push(Block::Table { head: head.iter().map(|text| Inline::from(*text)).collect(), rows });
        }
    }

    /// A list with bullets; an empty one is not printed.
    pub fn list(&mut self, items: Vec<Inline>) {
        if !items.is_empty() {
            self.blocks.push(Block::List { ordered: false, items });
        }
    }

    /// Steps in their order.
    pub fn steps(&mut self, items: Vec<Inline>) {
        self.blocks.push(Block::List { ordered: true, items });
    }

    /// What was written, without what begins and ends a document.
    #[must_use]
    pub fn blocks(self) -> Vec<Block> {
        self.blocks
    }

    /// Any other block.
    pub fn block(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// A subject by its name; it counts as touched by this document.
    pub fn name(&mut self, id: &Id) -> Inline {
        self.touched.insert(id.clone());
        Span::Subject { id: id.clone(), title: self.desk.name(id) }.into()
    }

    /// Several subjects by name, or `none`.
    pub fn names<'i>(&mut self, ids: impl IntoIterator<Item = &'i Id>) -> Inline {
        let names: Vec<Inline> = ids.into_iter().map(|id| self.name(id)).collect();
        if names.is_empty() { "none".into() } else { join(names, ", ") }
    }

    /// A setting, as [`Self::field`].
    pub fn setting<T: FieldValue>(&mut self, id: &Id, key: Key<T>) -> Inline {
        self.field(id, key.field())
    }

    /// A setting: its value with basis, what it is today where that differs, or how it is not known. What is said not to be
    /// known is a gap of the document that says it.
    pub fn field(&mut self, id: &Id, field: Field) -> Inline {
        self.touched.insert(id.clone());
        let design = self.desk.design;
        if let Some(evidence) = self.desk.withheld(id, field).cloned() {
            return self.withhold(evidence, self.desk.setting_of(id, field));
        }
        match design.resolve(View::ToBe, id, field) {
            Known::Value(fact) => {
                self.note(&fact.source, fact.basis);
                let mut out = line![printed(&fact.value, fact.basis).of_setting(id, field)];
                if let Known::Value(today) = design.resolve(View::AsIs, id, field)
                    && today.value != fact.value
                {
                    out.push("; today ");
                    out.push(printed(&today.value, today.basis));
                }
                out
            }
            Known::Unset(source) => {
                let word = if source.slot == crate::model::Slot::Proposed { "proposed" } else { "configured" };
                format!("not set, product default in force ({word})").into()
            }
            Known::Conflict(sources) => {
                let each = sources.iter().map(|source| self.reading(source)).collect::<Vec<_>>().join(" against ");
                self.gap(Gap::of(self.desk, id, field, "in conflict"));
                Span::Absent(format!("in conflict: {each}")).into()
            }
            Known::NotKnown(nature) => {
                self.gap(Gap::of(self.desk, id, field, nature.absent()));
                Span::Absent(nature.absent().to_owned()).into()
            }
        }
    }

    fn reading(&self, source: &FactRef) -> String {
        let value = self.desk.stored(source).map_or_else(|| "?".to_owned(), |value| say::value(value).0);
        format!("{value} ({})", say::source(self.desk.design, source))
    }

    /// The value of a setting in the view that is told, with its basis; nothing where there is none.
    pub fn value(&mut self, id: &Id, field: Field) -> Option<Inline> {
        let Known::Value(fact) = self.desk.design.resolve(self.view, id, field) else { return None };
        self.note(&fact.source, fact.basis);
        Some(printed(&fact.value, fact.basis).of_setting(id, field).into())
    }

    /// Where a setting was read, for the last column of a table; nothing where its value is withheld.
    #[must_use]
    pub fn source_of(&self, id: &Id, field: Field) -> Inline {
        if self.desk.withheld(id, field).is_some() {
            return Inline::default();
        }
        match self.desk.design.resolve(View::ToBe, id, field) {
            Known::Value(fact) => say::source(self.desk.design, &fact.source).into(),
            Known::Unset(source) => say::source(self.desk.design, &source).into(),
            Known::Conflict(_) | Known::NotKnown(_) => Inline::default(),
        }
    }

    /// Rows `setting | value | source`; settings that may be absent are left out where nobody set them.
    pub fn setting_rows(&mut self, id: &Id, needed: &[Field], optional: &[Field]) -> Vec<Vec<Inline>> {
        let mut rows = Vec::new();
        for (fields, wanted) in [(needed, true), (optional, false)] {
            for field in fields {
                let known = self.desk.design.resolve(View::ToBe, id, *field);
                if wanted || !matches!(known, Known::NotKnown(_)) || self.desk.withheld(id, *field).is_some() {
                    let value = self.field(id, *field);
                    rows.push(vec![say::capital(&field.label()).into(), value, self.source_of(id, *field)]);
                }
            }
        }
        rows
    }

    /// A computed figure with its basis and its number in the appendix, or what is missing for it.
    pub fn figure(&mut self, figure: &Derived) -> Inline {
        match figure {
            Ok(explained) => self.explained(explained),
            Err(underivable) => {
                if let Some(evidence) = self.desk.withheld_missing(&underivable.missing).cloned() {
                    return self.withhold(evidence, format!("{} ({})", underivable.what, self.at));
                }
                self.underivable(&underivable.missing)
            }
        }
    }

    /// What is said in the place of a figure that cannot be derived.
    pub fn underivable(&mut self, missing: &[Missing]) -> Inline {
        for missing in missing {
            self.gap(Gap::missing(self.desk, missing));
        }
        Span::Absent(format!("not derivable without {}", self.missing(missing))).into()
    }

    /// A fact that something which is said needs: a gap, or a claim that is withheld with its source.
    pub fn lacks(&mut self, missing: &Missing, claim: impl FnOnce(&Desk<'_>) -> String) {
        match self.desk.withheld(&missing.subject, missing.field).cloned() {
            Some(evidence) => drop(self.withhold(evidence, claim(self.desk))),
            None => self.gap(Gap::missing(self.desk, missing)),
        }
    }

    /// Something that is no setting and that nobody stated: said in its place, and a gap.
    pub fn absent(&mut self, subject: &Id, what: &str, joined: &str, state: &'static str) -> Inline {
        self.gap_at(subject, what, joined, state);
        Span::Absent(state.to_owned()).into()
    }

    /// Who owns an element.
    pub fn owner(&mut self, id: &Id) -> Inline {
        let owner = self.desk.design.subject(id).and_then(|subject| subject.owner.as_deref());
        match owner {
            Some(owner) => owner.into(),
            None => self.absent(id, "owner", "of", "not stated"),
        }
    }

    /// Missing settings by subject and state: `retention size, segment time of orders (not read)`.
    fn missing(&self, missing: &[Missing]) -> String {
        let mut groups: Vec<(&Id, &'static str, Vec<String>)> = Vec::new();
        for one in missing {
            let state = one.state();
            match groups.iter_mut().find(|(id, known, _)| **id == one.subject && *known == state) {
                Some((_, _, labels)) if labels.contains(&one.label()) => {}
                Some((_, _, labels)) => labels.push(one.label()),
                None => groups.push((&one.subject, state, vec![one.label()])),
            }
        }
        let words = groups
            .into_iter()
            .map(|(id, state, labels)| format!("{} of {} ({state})", labels.join(", "), self.desk.said(id)));
        words.collect::<Vec<_>>().join("; ")
    }

    /// A bound in the unit that time-outs are written in: `537 s`.
    pub fn bound(&mut self, figure: &Arc<Explained>) -> Inline {
        let mut line = self.explained(figure);
        if figure.is_time() && !figure.unbounded() {
            for span in &mut line.0 {
                if let Span::Value { text, .. } = span {
                    *text = human::bound(figure.value);
                }
            }
        }
        line
    }

    /// A figure that may not apply.
    pub fn figure_or(&mut self, figure: Option<&Derived>, otherwise: &str) -> Inline {
        figure.map_or_else(|| otherwise.into(), |figure| self.figure(figure))
    }

    /// An explained number.
    pub fn explained(&mut self, explained: &Arc<Explained>) -> Inline {
        let number = self.number(explained);
        Span::Value {
            text: explained.text(),
            code: false,
            basis: explained.basis,
            number: Some(number),
            explained: Some(Arc::clone(explained)),
            setting: None,
        }
        .into()
    }

    /// The number of a figure in the appendix; its inputs come after it.
    fn number(&mut self, explained: &Arc<Explained>) -> usize {
        if let Some(number) = self.numbers.find(explained) {
            return number;
        }
        let number = self.numbers.add(explained);
        self.touched.extend(explained.of.clone());
        match &explained.origin {
            Origin::Fact(fact) | Origin::FactBy(fact, _) => {
                self.note(fact, explained.basis.unwrap_or(Basis::Assumed));
            }
            Origin::Formula { inputs, .. } => {
                for input in inputs.iter() {
                    self.number(input);
                }
            }
            Origin::Constant { .. } => {}
        }
        number
    }

    fn note(&mut self, source: &FactRef, basis: Basis) {
        self.touched.insert(source.subject.clone());
        self.assumed.note(source, basis);
    }

    fn withhold(&mut self, evidence: Id, claim: String) -> Inline {
        let text = self.desk.withheld_words(&evidence);
        let withheld = Withheld { source: self.desk.source_name(&evidence), evidence, claim };
        if !self.withheld.contains(&withheld) {
            self.withheld.push(withheld);
        }
        Span::Absent(text).into()
    }

    /// The basis of what is said of a subject, in a word; empty where it rests on no setting. What nobody read is looked for
    /// among its settings.
    pub fn judged(&mut self, id: &Id, basis: Option<Basis>) -> &'static str {
        self.assumed.judged(id, basis);
        basis.map_or("", Basis::word)
    }

    /// Something that is taken for granted where nobody stated it.
    pub fn taken(&mut self, id: &Id, field: Field, value: &str, used_in: &'static str) {
        self.touched.insert(id.clone());
        self.assumed.take(self.desk, (id, field), value, used_in);
    }

    /// A claim that is not made because a source could not be reached.
    pub fn withheld_claim(&mut self, evidence: &Id, claim: String) -> Inline {
        self.withhold(evidence.clone(), claim)
    }

    /// Notes a gap once.
    pub fn gap(&mut self, gap: Gap) {
        let at = *self.known_gaps.entry(gap.identity()).or_insert(self.gaps.len());
        match self.gaps.get_mut(at) {
            Some(known) => known.bars |= gap.bars,
            None => self.gaps.push(gap),
        }
    }

    /// Notes something that is no setting and that is missing at one subject.
    pub fn gap_at(&mut self, subject: &Id, what: &str, joined: &str, state: &'static str) {
        self.touched.insert(subject.clone());
        self.gap(Gap::at(self.desk, subject, what, joined, state));
    }

    /// The document, with its status line, halts and findings, assumptions, questions and the appendix.
    #[must_use]
    pub fn finish(mut self, halts: &[&Halt]) -> Document {
        for asked in appendix::asked(self.desk, &self.touched) {
            self.gap(asked);
        }
        sorted::sort_by_key(&mut self.gaps, |gap| !gap.bars);
        let status = match halts.first() {
            Some(halt) => Status::Halted(halt.class),
            None if self.gaps.is_empty() && self.withheld.is_empty() => Status::Complete,
            None => Status::Unfinished { gaps: self.gaps.len(), withheld: self.withheld.len() },
        };
        let mut blocks = vec![
            Block::Status { status: status.text(), detail: self.detail(halts) },
            Block::Heading { level: 1, text: self.title.clone().into() },
        ];
        blocks.extend(findings::halts(self.desk, halts));
        blocks.append(&mut self.blocks);
        let touched = std::mem::take(&mut self.touched);
        blocks.extend(findings::section(self.desk, self.file_name));
        blocks.extend(findings::decisions(self.desk, &touched));
        let (assumptions, judged) = std::mem::take(&mut self.assumed).list(self.desk, &self.numbers);
        blocks.extend(appendix::assumptions(self.desk, &assumptions, &judged));
        let gaps = std::mem::take(&mut self.gaps);
        blocks.extend(appendix::questions(self.desk, &gaps));
        blocks.extend(appendix::numbers(self.desk, &self.numbers));
        Document {
            file_name: self.file_name.to_owned(),
            title: self.title,
            status,
            blocks,
            gaps,
            assumptions,
            withheld: self.withheld,
        }
    }

    fn detail(&self, halts: &[&Halt]) -> Inline {
        if let Some(halt) = halts.first() {
            return format!(
                "{} {}",
                self.desk.names.sentence(&halt.action),
                say::sentence(&format!("lifted by {}", halt.lifted_by))
            )
            .into();
        }
        let mut words: Vec<String> =
            self.gaps.iter().take(3).map(|gap| self.desk.names.sentence(&gap.words())).collect();
        if self.gaps.len() > 3 {
            let more = self.gaps.len() - 3;
            words.push(format!("{} listed under open questions.", counted_as(more, "more is", "more are")));
        }
        if !self.withheld.is_empty() {
            words.push("What is withheld is listed in streaming-connector-diagnostic.md.".to_owned());
        }
        words.join(" ").into()
    }
}

fn printed(value: &Value, basis: Basis) -> Span {
    let (text, code) = say::value(value);
    Span::Value { text, code, basis: Some(basis), number: None, explained: None, setting: None }
}
