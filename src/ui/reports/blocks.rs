//! The block tree of a document on screen.

use super::super::{
    dialogs::reference,
    drawer::setting::is_number,
    kit::reveal,
    marks, popover,
    store::{Desk, Explains},
};
use crate::{
    documents::blocks::{Block, Inline, Span},
    model::units::human::unbroken,
};
use leptos::prelude::*;

/// All blocks.
pub fn blocks(desk: Desk, all: &[Block]) -> AnyView {
    all.iter().map(|one| block(desk, one)).collect::<Vec<_>>().into_any()
}

fn block(desk: Desk, block: &Block) -> AnyView {
    match block {
        Block::Heading { level, text } => {
            let text = inline(desk, text);
            match level {
                1 => view! { <h1>{text}</h1> }.into_any(),
                2 => view! { <h2>{text}</h2> }.into_any(),
                3 => view! { <h3>{text}</h3> }.into_any(),
                _ => view! { <h4>{text}</h4> }.into_any(),
            }
        }
        Block::Status { status, detail } => view! {
            <p class="page-status"><strong>"Status: " {status.clone()} "."</strong> " " {inline(desk, detail)}</p>
        }
        .into_any(),
        Block::Paragraph(line) => view! { <p>{inline(desk, line)}</p> }.into_any(),
        Block::Table { head, rows } => table(desk, head, rows),
        Block::List { ordered, items } => {
            let items: Vec<AnyView> =
                items.iter().map(|item| view! { <li>{inline(desk, item)}</li> }.into_any()).collect();
            if *ordered { view! { <ol>{items}</ol> }.into_any() } else { view! { <ul>{items}</ul> }.into_any() }
        }
        Block::Code { text, .. } => view! { <pre class="well" tabindex="0">{text.clone()}</pre> }.into_any(),
        Block::Figure { alternative, svg, .. } => view! {
            <figure class="page-figure" role="img" aria-label=alternative.clone() inner_html=svg.to_string()></figure>
        }
        .into_any(),
    }
}

fn table(desk: Desk, head: &[Inline], rows: &[Vec<Inline>]) -> AnyView {
    let head: Vec<AnyView> = head
        .iter()
        .map(|cell| match cell.is_empty() {
            // Nothing to read aloud: a header without words would only confuse.
            true => view! { <td></td> }.into_any(),
            false => view! { <th scope="col">{inline(desk, cell)}</th> }.into_any(),
        })
        .collect();
    let rows: Vec<AnyView> = rows
        .iter()
        .map(|row| {
            let cells: Vec<AnyView> =
                row.iter().map(|cell| view! { <td>{inline(desk, cell)}</td> }.into_any()).collect();
            view! { <tr>{cells}</tr> }.into_any()
        })
        .collect();
    view! {
        <div class="table-scroll" tabindex="0" role="group" aria-label="Table">
            <table class="page-table"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>
        </div>
    }
    .into_any()
}

fn inline(desk: Desk, line: &Inline) -> AnyView {
    line.0.iter().map(|one| span(desk, one)).collect::<Vec<_>>().into_any()
}

fn span(desk: Desk, span: &Span) -> AnyView {
    match span {
        Span::Text(text) => unbroken(text).into_owned().into_any(),
        Span::Strong(text) => view! { <strong>{unbroken(text).into_owned()}</strong> }.into_any(),
        Span::Code(text) => view! { <code>{text.clone()}</code> }.into_any(),
        Span::Value { text, basis, explained: Some(explained), .. } => {
            let label = format!("{}: {text}. Explain", explained.what);
            let number = popover::number(desk, Explains::Printed(explained.clone()), label, text.clone());
            view! { <span class="nowrap">{number} {basis.map(|of| marks::basis(of, ""))}</span> }.into_any()
        }
        Span::Value { text, basis, setting: Some((id, field)), .. } if is_number(*field) => {
            let what = Explains::Setting(id.clone(), *field);
            let label = format!("{}: {text}. Explain", field.label());
            let number = popover::number(desk, what, label, text.clone());
            view! { <span class="nowrap">{number} {basis.map(|of| marks::basis(of, ""))}</span> }.into_any()
        }
        Span::Value { text, code, basis, .. } => {
            let mark = basis.map(|of| marks::basis(of, ""));
            if *code {
                view! { <span class="nowrap"><code>{text.clone()}</code> {mark}</span> }.into_any()
            } else {
                view! { <span><span class="value">{unbroken(text).into_owned()}</span> {mark}</span> }.into_any()
            }
        }
        Span::Absent(word) => {
            view! { <span class="second">{word.clone()} {marks::absent("not known")}</span> }.into_any()
        }
        Span::Subject { id, title } => {
            let id = id.clone();
            view! { <button type="button" class="plain-link" on:click=move |_| reveal(desk, &id)>{title.clone()}</button> }.into_any()
        }
        Span::Finding(rule) => reference::rule(desk, rule),
    }
}
