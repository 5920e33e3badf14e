//! The explanation of one number: formula, inputs, basis, source, date, the term that binds.

use super::{
    super::{
        kit::reveal,
        marks::{self, basis},
        popover,
        store::{Desk, Explains},
    },
    badge, setting, uses,
};
use crate::sorted;
use crate::{
    action::Figure,
    analysis::explain::{Explained, Missing, Origin, Underivable},
    model::{Basis, Design, Evidence, EvidenceBasis, FactRef, Id, Slot, Value, View, capital, units::human::unbroken},
};
use leptos::prelude::*;

/// Where an explanation stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// In the drawer.
    Drawer,
    /// Beside its number; which of the popovers.
    Popover(u32),
}

impl Where {
    /// Explains another figure at the same place.
    pub fn open(self, desk: Desk, figure: Figure) {
        match self {
            Self::Drawer => desk.explained.set(Some(figure)),
            Self::Popover(id) => popover::turn(desk, id, Explains::Figure(figure)),
        }
    }

    /// The id of the number, which the popover is described by.
    fn number_id(self) -> String {
        match self {
            Self::Drawer => "explanation-number".to_owned(),
            Self::Popover(id) => format!("explanation-{id}-number"),
        }
    }
}

/// The panel of the tab.
pub fn panel(desk: Desk) -> AnyView {
    match desk.explained.get().or_else(|| of_selection(desk)) {
        Some(figure) => content(desk, &Explains::Figure(figure), Where::Drawer),
        None => view! {
            <div class="empty-panel">
                <p class="drawer-headline">"No figure is open."</p>
                <p class="second">"Select an element, or choose any number with a dotted line under it."</p>
            </div>
        }
        .into_any(),
    }
}

/// What an explanation says.
pub fn content(desk: Desk, what: &Explains, at: Where) -> AnyView {
    match what {
        Explains::Figure(figure) => of_figure(desk, figure, at),
        Explains::Badge(id, view) => badge::content(desk, id, *view, at.number_id()),
        Explains::Setting(id, field) => setting::content(desk, id, *field, at.number_id()),
        Explains::Printed(explained) => {
            let of = explained.of.clone().map(|id| (desk.meaning.with(|d| d.title(&id)), id));
            let head = head(desk, explained.what, of);
            let main = number(desk, head, explained, String::new(), at);
            view! { <div class="explanation"><div class="explanation-main">{main}</div></div> }.into_any()
        }
        Explains::Missing(why) => {
            let main = lacking(desk, head(desk, why.what, None), why, String::new(), at);
            view! { <div class="explanation"><div class="explanation-main">{main}</div></div> }.into_any()
        }
    }
}

/// That a number is not derivable, and what it would need.
fn lacking(desk: Desk, head: AnyView, why: &Underivable, kind: String, at: Where) -> AnyView {
    view! {
        {head}
        <p class="explained-number" id=at.number_id() data-figure=kind><span class="figure-text">"not derivable"</span> {marks::absent("not known")}</p>
        <p>"It would need:"</p>
        <ul class="needs">{why.missing.iter().map(|m| need(desk, m)).collect::<Vec<_>>()}</ul>
    }
    .into_any()
}

fn head(desk: Desk, what: &str, of: Option<(String, Id)>) -> AnyView {
    let of = of.map(|(title, id)| {
        view! { " of " <button type="button" class="plain-name" on:click=move |_| reveal(desk, &id)>{title}</button> }
    });
    view! { <p class="second">{capital(what)} {of}</p> }.into_any()
}

/// The number with its basis in words, the sentence and the tree.
fn number(desk: Desk, head: AnyView, explained: &Explained, kind: String, at: Where) -> AnyView {
    view! {
        {head}
        <p class="explained-number" id=at.number_id() data-figure=kind>
            <span class="figure-text">{desk.meaning.with(|d| written(d, explained))}</span>
            {explained.basis.map(|b| view! { {basis(b, "")} <span class="small quiet">" " {in_words(explained)}</span> })}
        </p>
        {desk.meaning.with(|d| sentence(d, explained)).map(|text| view! { <p class="explained-sentence">{unbroken(&text).into_owned()}</p> })}
        <ul class="formula" role="tree" aria-label="Formula and inputs">{node(desk, explained, false, 1)}</ul>
    }
    .into_any()
}

fn of_figure(desk: Desk, figure: &Figure, at: Where) -> AnyView {
    let review = desk.review();
    let (title, name) = desk.meaning.with(|d| (d.title(&figure.of), figure.name(d, &review)));
    let Some(derived) = figure.resolve(&review) else {
        return view! { <p class="second empty-panel">{title} " has no such figure in this view."</p> }.into_any();
    };
    let head = head(desk, &name, Some((title, figure.of.clone())));
    let main = match &derived {
        Ok(explained) => number(desk, head, explained, format!("{:?}", figure.kind), at),
        Err(underivable) => lacking(desk, head, underivable, format!("{:?}", figure.kind), at),
    };
    view! {
        <div class="explanation">
            <div class="explanation-main">{main}</div>
            <aside class="explanation-side" aria-label="Other readings and uses">
                {others(desk, figure, at)}
                {uses::used_by(desk, &review, figure, derived.as_ref().ok(), at)}
                {uses::would_change(desk, &review, figure, &derived)}
            </aside>
        </div>
    }
    .into_any()
}

fn of_selection(desk: Desk) -> Option<Figure> {
    let id = desk.selected()?;
    let review = desk.review();
    desk.meaning.with(|design| Figure::all_of(design, &review, &id).into_iter().next().map(|(figure, _)| figure))
}

/// The bases that went into it, each once: `measured and configured`.
fn in_words(explained: &Explained) -> String {
    fn collect(explained: &Explained, into: &mut Vec<Basis>) {
        if explained.inputs().is_empty() {
            into.extend(explained.basis);
        }
        explained.inputs().iter().for_each(|input| collect(input, into));
    }
    let mut bases = Vec::new();
    collect(explained, &mut bases);
    sorted::sort_by_key(&mut bases, |basis| std::cmp::Reverse(*basis));
    bases.dedup();
    let words: Vec<&str> = bases.into_iter().map(Basis::word).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Which input decides, where one does.
fn sentence(design: &Design, explained: &Explained) -> Option<String> {
    let Origin::Formula { inputs, binding: Some(at), .. } = &explained.origin else { return None };
    let binding = inputs.get(*at)?;
    let rest: Vec<String> = inputs
        .iter()
        .enumerate()
        .filter(|(i, _)| i != at)
        .map(|(_, other)| format!("{} would give {}", other.what, written(design, other)))
        .collect();
    let rest = if rest.is_empty() { String::new() } else { format!("; {}", rest.join(", ")) };
    Some(format!("{} binds: {}{rest}.", capital(binding.what), written(design, binding)))
}

/// A configured quantity as it is written in the design (`50 GiB`), any other number as it was worked out.
fn written(design: &Design, explained: &Explained) -> String {
    let stored = |fact: &FactRef| {
        let facts = Design::facts(design.subject(&fact.subject)?, &fact.slot)?;
        match facts.get(fact.field)? {
            value @ (Value::Duration(_)
            | Value::Limit(_)
            | Value::Size(_)
            | Value::SizeLimit(_)
            | Value::Rate(_)
            | Value::ByteRate(_)) => Some(value.spoken()),
            _ => None,
        }
    };
    let written = if let Origin::Fact(fact) = &explained.origin { stored(fact) } else { None };
    written.unwrap_or_else(|| explained.text())
}

fn node(desk: Desk, explained: &Explained, binds: bool, level: usize) -> AnyView {
    let (formula, source, inputs, binding) = match &explained.origin {
        Origin::Formula { formula, inputs, binding } => {
            (Some(formula.text), formula.source.to_owned(), &**inputs, *binding)
        }
        Origin::Fact(fact) => (None, desk.meaning.with(|d| source_line(d, fact)), &[][..], None),
        Origin::FactBy(fact, how) => {
            (None, format!("{how}; {}", desk.meaning.with(|d| source_line(d, fact))), &[][..], None)
        }
        Origin::Constant { source } => (None, (*source).to_owned(), &[][..], None),
    };
    let children: Vec<AnyView> =
        inputs.iter().enumerate().map(|(i, input)| node(desk, input, binding == Some(i), level + 1)).collect();
    let children = (!children.is_empty()).then(|| view! { <ul role="group">{children}</ul> });
    let mark = match explained.basis {
        Some(of) => basis(of, ""),
        None => view! { <span class="small quiet" title="fixed by a product or by this analysis">" fixed"</span> }
            .into_any(),
    };
    view! {
        <li role="treeitem" prop:ariaLevel=level.to_string() aria-selected="false" class:binds=binds>
            <div class="formula-row">
                <span class="grow">
                    <span class:strong=level == 1>{unbroken(explained.what).into_owned()}</span>
                    {formula.map(|text| view! { " " <code class="second">{text}</code> })}
                    {binds.then(|| view! { " " <span class="pill">"binds"</span> })}
                </span>
                <span class="nowrap value">{desk.meaning.with(|d| written(d, explained))} {mark}</span>
            </div>
            {(!source.is_empty()).then(|| view! { <p class="mono quiet source">{unbroken(&source).into_owned()}</p> })}
            {children}
        </li>
    }
    .into_any()
}

/// What is said of evidence that names neither a source nor a person: somebody wrote the value here.
pub fn stated_here(entry: &Evidence) -> Option<&'static str> {
    (entry.from.is_none() && entry.by.is_none() && entry.basis == Some(EvidenceBasis::Stated))
        .then_some("stated in this design")
}

/// Where a fact was read, by whom and when.
pub fn source_line(design: &Design, fact: &FactRef) -> String {
    let Slot::Observed(evidence) = &fact.slot else { return "proposed in this design".to_owned() };
    let Some(entry) = design.records.evidence.get(evidence) else { return evidence.to_string() };
    let parts = [
        entry.from.clone().or_else(|| stated_here(entry).map(Into::into)),
        entry.by.as_ref().map(|by| format!("by {by}").into()),
        entry.at.as_ref().map(|at| at.as_str().into()),
    ];
    let said: Vec<String> = parts.into_iter().flatten().map(|part| part.to_string()).collect();
    if said.is_empty() { "source not stated".to_owned() } else { said.join(" · ") }
}

/// A setting that is missing, where, and the command that reads it. Name and command follow by themselves, so that a panel
/// with it is not drawn anew by every edit.
pub fn need(desk: Desk, missing: &Missing) -> AnyView {
    let (id, field) = (missing.subject.clone(), missing.field);
    let (of, at) = (id.clone(), id.clone());
    let title = Memo::new(move |_| desk.settled.with(|d| d.title(&of)));
    let command = Memo::new(move |_| desk.settled.with(|d| crate::catalog::command(d, &at, field)));
    view! {
        <li>
            <p>
                {marks::absent(missing.nature().absent())} " " {missing.words()} ", at "
                <button type="button" class="plain-name" on:click=move |_| reveal(desk, &id)>{move || title.get()}</button>
            </p>
            {move || command.get().map(|command| view! { <p class="small quiet">"To close it, run and paste:"</p> <pre class="well">{command}</pre> })}
        </li>
    }
    .into_any()
}

/// The other figures of the same element, and the same figure in the other view.
fn others(desk: Desk, figure: &Figure, at: Where) -> AnyView {
    let (as_is, to_be) = (desk.settled_review(View::AsIs), desk.settled_review(View::ToBe));
    let text = |view: View| {
        let review = if view == View::AsIs { &as_is } else { &to_be };
        match figure.resolve(review) {
            Some(Ok(explained)) => explained.text(),
            Some(Err(_)) => "not derivable".to_owned(),
            None => "not there".to_owned(),
        }
    };
    let review = desk.review();
    let rest: Vec<AnyView> = desk
        .design
        .with(|design| Figure::all_of(design, &review, &figure.of))
        .into_iter()
        .filter(|(other, _)| other != figure)
        .map(|(other, derived)| {
            let (target, title) = (other.clone(), desk.design.with_untracked(|design| other.name(design, &review)));
            let value = derived.map_or_else(|_| "not derivable".to_owned(), |explained| explained.text());
            view! {
                <div class="fact">
                    <dt><button type="button" class="plain-link" on:click=move |_| at.open(desk, target.clone())>{title}</button></dt>
                    <dd class="value">{value}</dd>
                </div>
            }
            .into_any()
        })
        .collect();
    view! {
        <h3 class="label">"Same figure, other readings"</h3>
        <dl class="facts">
            <div class="fact"><dt>"as-is"</dt><dd class="value">{text(View::AsIs)}</dd></div>
            <div class="fact"><dt>"to-be"</dt><dd class="value">{text(View::ToBe)}</dd></div>
            {rest}
        </dl>
    }
    .into_any()
}
