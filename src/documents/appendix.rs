//! The end of a document: assumptions used, open questions, how the numbers were derived.

use super::{
    blocks::{Block, Inline, Span, join, line},
    desk::Desk,
    document::{Assumption, Gap},
    numbers::Numbers,
    say,
};
use crate::sorted::SortedSet;
use crate::{
    analysis::explain::{Explained, Origin},
    model::{Basis, Id, Value},
};
use std::sync::Arc;

fn head(words: &[&str]) -> Vec<Inline> {
    words.iter().map(|word| Inline::from(*word)).collect()
}

fn heading(text: &str) -> Block {
    Block::Heading { level: 2, text: text.into() }
}

/// What the document rests on that nobody read.
pub fn assumptions(desk: &Desk<'_>, assumptions: &[Assumption]) -> Vec<Block> {
    let mut blocks = vec![heading("Assumptions used")];
    if assumptions.is_empty() {
        blocks.push(Block::Paragraph("None: nothing above rests on what was only stated or assumed.".into()));
        return blocks;
    }
    let row = |a: &Assumption| {
        let used: SortedSet<&str> = a.used_in.iter().copied().collect();
        let used =
            if used.is_empty() { "this document".to_owned() } else { used.into_iter().collect::<Vec<_>>().join(", ") };
        vec![
            desk.names.capital(&a.what).into(),
            line![a.value.as_str()],
            a.basis.word().into(),
            a.source.as_str().into(),
            used.into(),
        ]
    };
    // What is only assumed stands before what somebody stated.
    let (assumed, stated): (Vec<_>, Vec<_>) = assumptions.iter().partition(|a| a.basis == Basis::Assumed);
    let rows = assumed.into_iter().chain(stated).map(row).collect();
    blocks.push(Block::Table { head: head(&["What", "Value", "Basis", "Who said so, or why", "Used in"]), rows });
    blocks
}

/// The gaps of the document and the questions of people that touch it.
pub fn questions(desk: &Desk<'_>, gaps: &[Gap], touched: &SortedSet<Id>) -> Vec<Block> {
    let mut blocks = vec![heading("Open questions")];
    let mut rows: Vec<Vec<Inline>> = gaps
        .iter()
        .map(|gap| {
            let close = gap.close.clone().map_or_else(Inline::default, |command| Span::Code(command).into());
            vec![desk.names.capital(&gap.what).into(), gap.state.into(), close]
        })
        .collect();
    for question in desk.design.records.questions.values() {
        let about = |text: &str| touched.iter().any(|id| text.split('.').next() == Some(id.as_str()));
        if question.about.is_empty() || question.about.iter().any(|text| about(text)) {
            let owner = question.owner.as_deref().map(|owner| format!("to be answered by {owner}")).unwrap_or_default();
            rows.push(vec![question.text.as_ref().into(), "asked".into(), owner.into()]);
        }
    }
    if rows.is_empty() {
        blocks.push(Block::Paragraph("None.".into()));
    } else {
        blocks.push(Block::Table { head: head(&["Question", "State", "What closes it"]), rows });
    }
    blocks
}

/// Every computed figure with its formula, inputs, basis and source; the inputs follow the figure they feed.
pub fn numbers(desk: &Desk<'_>, numbers: &Numbers) -> Vec<Block> {
    if numbers.iter().next().is_none() {
        return Vec::new();
    }
    let row = |(at, explained): (usize, &Arc<Explained>)| {
        let (how, source) = origin(desk, numbers, explained);
        let of = explained.of.as_ref().map(|id| desk.name(id)).unwrap_or_default();
        vec![
            format!("N{}", at + 1).into(),
            say::capital(explained.what).into(),
            of.into(),
            printed(desk, explained).into(),
            explained.basis.map_or("constant", Basis::word).into(),
            how,
            source,
        ]
    };
    let rows = numbers.iter().enumerate().map(row).collect();
    vec![
        heading("How the numbers were derived"),
        Block::Paragraph(
            "A figure is as well founded as the weakest of its inputs. Where one input decides, it is said to bind."
                .into(),
        ),
        Block::Table { head: head(&["No.", "Figure", "Of", "Value", "Basis", "How", "Source"]), rows },
    ]
}

/// A fact as it stands in the design, a figure as it prints itself.
fn printed(desk: &Desk<'_>, explained: &Explained) -> String {
    if let Origin::Fact(fact) = &explained.origin
        && let Some(value) = desk.stored(fact)
        && !matches!(value, Value::Statistics(_))
    {
        return say::value(value).0;
    }
    explained.text()
}

fn origin(desk: &Desk<'_>, numbers: &Numbers, explained: &Explained) -> (Inline, Inline) {
    match &explained.origin {
        Origin::Fact(fact) => (line!["reads ", Span::Code(path(fact))], say::source(desk.design, fact).into()),
        Origin::FactBy(fact, why) => {
            (line!["reads ", Span::Code(path(fact)), format!(", {why}")], say::source(desk.design, fact).into())
        }
        Origin::Constant { source } if explained.basis.is_some() => ("taken for granted".into(), (*source).into()),
        Origin::Constant { source } => ("fixed".into(), (*source).into()),
        Origin::Formula { formula, inputs, binding } => {
            let number = |input: &Arc<Explained>| numbers.find(input).map(|at| format!("N{at}")).unwrap_or_default();
            let from = join(inputs.iter().map(|input| Inline::from(number(input))), ", ");
            let mut how = line![formula.text];
            if !inputs.is_empty() {
                how.push(", from ");
                how.push(from);
            }
            if let Some(input) = binding.and_then(|at| inputs.get(at)) {
                how.push(format!("; {} binds", number(input)));
            }
            (how, formula.source.into())
        }
    }
}

fn path(fact: &crate::model::FactRef) -> String {
    format!("{}.{}", fact.subject, fact.field.name())
}
