//! The end of a document: assumptions used, open questions, how the numbers were derived.

use super::{
    blocks::{Block, Inline, Span, join, line},
    desk::Desk,
    document::Assumption,
    gap::{ASKED, Closes, Gap, alike},
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

/// What the document rests on that nobody read. `judged`: what was judged by something of that sort, of which only the
/// basis is known.
pub fn assumptions(desk: &Desk<'_>, assumptions: &[Assumption], judged: &[Id]) -> Vec<Block> {
    let mut blocks = vec![heading("Assumptions used")];
    let rest = (!judged.is_empty()).then(|| {
        let names = join(judged.iter().map(|id| Span::Subject { id: id.clone(), title: desk.name(id) }.into()), ", ");
        Block::Paragraph(line![
            "By its basis, what is said of these rests on what was only stated or assumed: ",
            names,
            "."
        ])
    });
    if assumptions.is_empty() {
        let none = "None: nothing above rests on what was only stated or assumed.";
        blocks.push(rest.unwrap_or_else(|| Block::Paragraph(none.into())));
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
    blocks.extend(rest);
    blocks
}

/// The questions of people that touch a document.
pub fn asked(desk: &Desk<'_>, touched: &SortedSet<Id>) -> Vec<Gap> {
    let about = |text: &str| touched.iter().any(|id| text.split('.').next() == Some(id.as_str()));
    let questions = desk.design.records.questions.values();
    let mine = questions.filter(|one| one.about.is_empty() || one.about.iter().any(|text| about(text)));
    mine.map(|question| Gap::asked(desk, question)).collect()
}

/// What the document lacks, one row for all places that lack it alike.
pub fn questions(desk: &Desk<'_>, gaps: &[Gap]) -> Vec<Block> {
    let mut blocks = vec![heading("Open questions")];
    let row = |alike: &Vec<&Gap>| {
        let gap = alike.first()?;
        let close = match &gap.close {
            Some(Closes::Command(command)) => Span::Code(command.clone()).into(),
            Some(Closes::Answer(by)) => format!("to be answered by {by}").into(),
            None => Inline::default(),
        };
        let what = if gap.state == ASKED { gap.what.clone() } else { say::capital(&gap.what) };
        let places = alike.iter().filter_map(|gap| gap.subject.as_ref()).map(|id| Inline::from(desk.name(id)));
        Some(vec![what.into(), join(places, ", "), gap.state.into(), close])
    };
    let rows: Vec<Vec<Inline>> = alike(gaps).iter().filter_map(row).collect();
    if rows.is_empty() {
        blocks.push(Block::Paragraph("None.".into()));
    } else {
        blocks.push(Block::Table { head: head(&["What is missing", "Where", "State", "What closes it"]), rows });
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
