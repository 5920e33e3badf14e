//! The verdict of each consumer: badge, sentence, why, weakest hops, what a proposal would give, and the hop table.

use super::{
    super::{
        kit::{disclosure, figure, fix_button, go_to, reveal},
        marks::{self, badge, basis, weakest_glyph},
        popover,
        store::{Desk, Explains, Show},
    },
    bar::consumers,
    hops,
};
use crate::{
    action::{Figure, FigureKind},
    analysis::{
        ConsumerReport,
        delivery::verdict::{Badge, Condition, DeliveryVerdict, Fewest, Hop, Most},
        explain::{Missing, Unit},
    },
    model::{Basis, Id, View, units::human},
    rules::{Fix, Review},
};
use leptos::prelude::*;
use std::sync::Arc;

/// The panel of the tab.
pub fn panel(desk: Desk) -> AnyView {
    let all = consumers(desk);
    if all.is_empty() {
        return view! {
            <div class="empty-panel">
                <p class="drawer-headline">"No consumer is drawn yet."</p>
                <p class="second">"A verdict says what a consumer really observes. Add one with U and link what it reads to it."</p>
            </div>
        }
        .into_any();
    }
    let at = desk.panes.consumer.get().min(all.len() - 1);
    let Some(id) = all.get(at).cloned() else { return ().into_any() };
    if desk.show.get() == Show::Both {
        return view! {
            {others(desk, &all, at)}
            <div class="both">
                <section class="as-is-side">{side(desk, &desk.as_is.get(), View::AsIs, &id)}</section>
                <section>{side(desk, &desk.to_be.get(), View::ToBe, &id)}</section>
            </div>
        }
        .into_any();
    }
    let review = desk.review();
    view! {
        <div class="verdict">
            <div class="verdict-main">{card(desk, &review, &id)} {table(desk, &review, &id)}</div>
            <aside class="verdict-side" aria-label="Other consumers, and as-is against to-be">
                {others(desk, &all, at)} {compare(desk, &id)}
            </aside>
        </div>
    }
    .into_any()
}

/// The other consumers, each with its verdict in short; choosing one shows it whole.
fn others(desk: Desk, all: &[Id], at: usize) -> AnyView {
    let review = desk.review();
    let one = |(i, id): (usize, &Id)| {
        let (name, owner) = desk.design.with(|d| (d.title(id), d.subject(id).and_then(|s| s.owner.clone())));
        let verdict = &review.consumers.get(id)?.delivery;
        Some(
            view! {
                <button type="button" class="other-consumer" data-other=id.to_string() on:click=move |_| desk.panes.consumer.set(i)>
                    {badge(&verdict.badge, true, 1.6)}
                    <span class="grow">
                        <strong>{name}</strong> " " <span class="quiet">{owner.map(|o| o.to_string())}</span>
                        <span class="other-sentence block">{verdict.sentence.clone()}</span>
                    </span>
                </button>
            }
            .into_any(),
        )
    };
    let rest: Vec<AnyView> = all.iter().enumerate().filter(|(i, _)| *i != at).take(6).filter_map(one).collect();
    if rest.is_empty() { ().into_any() } else { view! { <div class="other-consumers">{rest}</div> }.into_any() }
}

fn side(desk: Desk, review: &Arc<Review>, view: View, id: &Id) -> AnyView {
    let title = match view {
        View::AsIs => view! { <span class="label">"As-is"</span> }.into_any(),
        View::ToBe => view! { <span class="label proposed-word">"To-be"</span> }.into_any(),
    };
    match review.consumers.get(id) {
        Some(report) => view! {
            <div class="stack">
                {title}
                {head(desk, report, id, 2.1)}
                {why(desk, &report.delivery, id)}
                {facts(desk, report, id)}
            </div>
        }
        .into_any(),
        None => {
            view! { <div class="stack">{title}<p class="second">"This consumer does not exist in this view."</p></div> }
                .into_any()
        }
    }
}

/// The card of one consumer.
pub fn card(desk: Desk, review: &Arc<Review>, id: &Id) -> AnyView {
    let Some(report) = review.consumers.get(id) else {
        return view! { <p class="second">"This consumer does not exist in this view."</p> }.into_any();
    };
    view! {
        <article class="verdict-card" data-consumer=id.to_string() data-verdict=report.delivery.badge.text()>
            {head(desk, report, id, 2.6)}
            {weakest(desk, review, &report.delivery)}
            {why(desk, &report.delivery, id)}
            {unknown(desk, &report.delivery.unknown)}
            {owes(&report.delivery)}
        </article>
    }
    .into_any()
}

fn head(desk: Desk, report: &ConsumerReport, id: &Id, height: f64) -> AnyView {
    let verdict = &report.delivery;
    let (name, owner) = desk.design.with(|d| (d.title(id), d.subject(id).and_then(|s| s.owner.clone())));
    let weakest_basis = verdict.basis.map(weakest_basis);
    let for_name = id.clone();
    view! {
        <div class="verdict-head">
            {badge(&verdict.badge, true, height)}
            <div class="grow">
                <div class="row wrap verdict-who">
                    <button type="button" class="plain-name" on:click=move |_| reveal(desk, &for_name)>{name}</button>
                    <span class="quiet">{owner.map(|o| o.to_string())}</span>
                    <span class="grow"></span>
                    {weakest_basis}
                </div>
                <p class="verdict-sentence">{verdict.sentence.clone()}</p>
            </div>
        </div>
    }
    .into_any()
}

/// So many sentences of the why stand open, so that the weakest hops stay in view.
const AT_ONCE: usize = 2;
/// A sentence longer than this keeps its statement; what it enumerates goes behind the disclosure.
const LONG: usize = 200;

/// Why, in sentences whose bounds open their explanation.
fn why(desk: Desk, verdict: &DeliveryVerdict, id: &Id) -> AnyView {
    let bounds = bounds(id, verdict);
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for (i, line) in verdict.why.iter().enumerate() {
        let (statement, listed) = if i < AT_ONCE { shortened(line) } else { (None, vec![line.clone()]) };
        first.extend(statement);
        rest.extend(listed);
    }
    let first: Vec<AnyView> =
        first.iter().map(|line| view! { <span>{with_bounds(desk, line, &bounds)} " "</span> }.into_any()).collect();
    let more: Vec<AnyView> =
        rest.iter().map(|line| view! { <li>{with_bounds(desk, line, &bounds)}</li> }.into_any()).collect();
    view! {
        <p class="verdict-why">{first}</p>
        {(!more.is_empty()).then(|| {
            let content = view! { <ul>{more}</ul> }.into_any();
            disclosure(desk, &format!("why/{id}"), "verdict-more", "Why".into_any(), content)
        })}
    }
    .into_any()
}

/// The statement of a sentence, and what it enumerates where the sentence is long.
fn shortened(line: &str) -> (Option<String>, Vec<String>) {
    let whole = || (Some(line.to_owned()), Vec::new());
    if line.chars().count() <= LONG {
        return whole();
    }
    let Some(at) = line.find([':', ';']).filter(|at| line.get(at + 1..).is_some_and(|rest| rest.starts_with(' ')))
    else {
        return whole();
    };
    let (statement, listed) = line.split_at(at);
    let parts = listed.trim_start_matches([':', ';']).trim_end_matches('.').split("; ");
    (Some(format!("{statement}.")), parts.map(|part| part.trim().to_owned()).collect())
}

fn weakest_basis(of: Basis) -> AnyView {
    view! { <span class="small quiet nowrap">"weakest basis" {basis(of, "")} " " {of.word()}</span> }.into_any()
}

/// The bounds of the conditions of the badge, as the sentences print them.
pub fn bounds(id: &Id, verdict: &DeliveryVerdict) -> Vec<(String, Figure)> {
    let fewest = if let Fewest::OneWhile(_, conditions) = &verdict.badge.fewest { conditions.as_slice() } else { &[] };
    let most = if let Most::OneWhile(_, conditions) = &verdict.badge.most { conditions.as_slice() } else { &[] };
    let printed = |(i, condition): (usize, &Arc<Condition>)| {
        let bound = condition.bound.as_ref()?;
        let text =
            if matches!(bound.unit, Unit::Seconds | Unit::Timeout) { human::bound(bound.value) } else { bound.text() };
        Some((text, Figure::new(id.clone(), FigureKind::Bound(i))))
    };
    fewest.iter().chain(most).enumerate().filter_map(printed).collect()
}

/// A sentence whose bounds open their explanation.
pub fn with_bounds(desk: Desk, line: &str, bounds: &[(String, Figure)]) -> AnyView {
    let first = bounds
        .iter()
        .filter_map(|(text, figure)| line.find(text.as_str()).map(|at| (at, text, figure)))
        .min_by_key(|(at, ..)| *at);
    let Some((at, text, figure)) = first else { return line.to_owned().into_any() };
    let (before, rest) = (line.get(..at).unwrap_or_default(), line.get(at + text.len()..).unwrap_or_default());
    let left: Vec<(String, Figure)> = bounds.iter().filter(|(_, other)| other != figure).cloned().collect();
    view! {
        {before.to_owned()}
        {popover::number(desk, Explains::Figure(figure.clone()), format!("{text}. Explain"), text.clone())}
        {with_bounds(desk, rest, &left)}
    }
    .into_any()
}

fn weakest(desk: Desk, review: &Arc<Review>, verdict: &DeliveryVerdict) -> AnyView {
    let duplicates = verdict
        .weakest
        .duplicate_origin
        .as_ref()
        .map(|hop| weak_card(desk, hop, false, verdict.weakest.duplicate_conditional));
    let loss = verdict.weakest.loss.as_ref().map(|hop| weak_card(desk, hop, true, verdict.weakest.loss_conditional));
    let places: Vec<&Id> =
        verdict.weakest.duplicate_origin.iter().chain(&verdict.weakest.loss).map(|hop| &hop.at).collect();
    let on_path = |id: &Id| places.contains(&id) || verdict.hops.iter().any(|row| row.at == *id);
    // Only what would give this consumer another badge; each try is an analysis of the whole design, so few are tried.
    let fixes = review.findings.iter().filter(|f| f.accepted.is_none() && f.about.iter().any(on_path));
    let proposal = fixes.filter_map(|f| f.fix.as_ref().map(|fix| (f, fix))).take(4).find_map(|(finding, fix)| {
        let gives = preview(desk, &fix.edit, verdict)?;
        Some(
            view! {
                <div class="weak-card">
                    {badge(&gives, false, 1.4)}
                    <p class="grow" title=finding.message.clone()><strong>{fix.label.clone()}</strong><span class="small quiet block cut">{finding.message.clone()}</span></p>
                    {fix_button(desk, &Fix { label: "Propose".to_owned(), edit: fix.edit.clone() }, false)}
                </div>
            }
            .into_any(),
        )
    });
    if duplicates.is_none() && loss.is_none() && proposal.is_none() {
        return ().into_any();
    }
    view! { <div class="weak-row">{duplicates} {loss} {proposal}</div> }.into_any()
}

/// The badge that the consumer of this verdict would have after an edit, where it is another one.
fn preview(desk: Desk, edit: &crate::edit::Edit, verdict: &DeliveryVerdict) -> Option<Badge> {
    let mut design = (*desk.meaning.get()).clone();
    design.apply(edit.clone()).ok()?;
    let before = desk.to_be.get();
    let (id, _) = before.consumers.iter().find(|(_, c)| c.delivery == *verdict)?;
    let after = crate::analysis::analyse(&design, View::ToBe);
    let badge = after.consumers.get(id)?.delivery.badge.clone();
    (badge.text() != verdict.badge.text()).then_some(badge)
}

fn weak_card(desk: Desk, hop: &Hop, loss: bool, conditional: bool) -> AnyView {
    let title = desk.design.with(|d| d.title(&hop.at));
    let class = if conditional { "weak-card condition" } else { "weak-card seen" };
    let id = hop.at.clone();
    view! {
        <div class=class>
            {weakest_glyph(loss)}
            <p class="grow">
                <strong>{if loss { "Weakest for loss" } else { "Weakest for duplicates" }}</strong>
                <span class="block small">{title}</span>
            </p>
            <button type="button" class="button" on:click=move |_| reveal(desk, &id)>"Show"</button>
        </div>
    }
    .into_any()
}

/// What is not known and withholds a claim, each with the way to its field.
fn unknown(desk: Desk, missing: &[Missing]) -> AnyView {
    if missing.is_empty() {
        return ().into_any();
    }
    let rows: Vec<AnyView> = missing
        .iter()
        .take(8)
        .map(|one| {
            let title = desk.design.with(|d| d.title(&one.subject));
            view! { <li class="row wrap">{marks::absent(one.nature().absent())} {one.words()} " at " {go_to(desk, one.subject.clone(), title)}</li> }.into_any()
        })
        .collect();
    let more = missing.len().saturating_sub(8);
    view! {
        <section class="unknown">
            <h3 class="label">"What would have to be known"</h3>
            <ul>{rows}</ul>
            {(more > 0).then(|| view! { <p class="small quiet">{format!("and {more} more")}</p> })}
        </section>
    }
    .into_any()
}

fn owes(verdict: &DeliveryVerdict) -> AnyView {
    let line = |title: &'static str, text: &str| {
        (!text.is_empty()).then(|| view! { <p><span class="label">{title} " "</span>{text.to_owned()}</p> })
    };
    view! {
        <div class="owes second">
            {line("The consumer itself must:", &verdict.consumer_must)}
            {line("Scope:", &verdict.scope)}
        </div>
    }
    .into_any()
}

fn facts(desk: Desk, report: &ConsumerReport, id: &Id) -> AnyView {
    let latency = figure(desk, Figure::new(id.clone(), FigureKind::Latency), &report.latency);
    let replay: Vec<AnyView> = report
        .replay
        .iter()
        .enumerate()
        .map(|(i, start)| {
            let title = desk.design.with(|d| d.title(&start.from));
            let what = if start.recompute { "recomputed from" } else { "refilled from" };
            view! {
                <div class="fact"><dt>{what} " " {title}</dt><dd>{figure(desk, Figure::new(id.clone(), FigureKind::Replay(i)), &start.reach)}</dd></div>
            }
            .into_any()
        })
        .collect();
    view! {
        <dl class="facts">
            <div class="fact"><dt>"latency"{(!report.latency_open.is_empty()).then_some(", at least")}</dt><dd>{latency}</dd></div>
            {replay}
        </dl>
    }
    .into_any()
}

fn table(desk: Desk, review: &Arc<Review>, id: &Id) -> AnyView {
    let Some(report) = review.consumers.get(id) else { return ().into_any() };
    view! {
        {facts(desk, report, id)}
        {hops::table(desk, &report.delivery, &bounds(id, &report.delivery))}
    }
    .into_any()
}

/// What changes between as-is and to-be for one consumer.
fn compare(desk: Desk, id: &Id) -> AnyView {
    let (as_is, to_be) = (desk.as_is.get(), desk.to_be.get());
    let name = desk.design.with(|d| d.title(id));
    let reads = |review: &Review| match review.consumers.get(id) {
        Some(report) => marks::badge_words(&report.delivery.badge),
        None => "not there".to_owned(),
    };
    let latency = |review: &Review| match review.consumers.get(id).map(|c| (&c.latency, c.latency_open.is_empty())) {
        Some((Ok(explained), true)) => explained.text(),
        Some((Ok(explained), false)) => format!("at least {}", explained.text()),
        Some((Err(_), _)) => "not derivable".to_owned(),
        None => "not there".to_owned(),
    };
    let label =
        |review: &Review| review.consumers.get(id).map_or_else(|| "not there".to_owned(), |c| c.delivery.badge.text());
    let row = |what: &'static str, before: String, after: String| {
        let changed = before != after;
        view! {
            <tr class:changed=changed>
                <th scope="row">{what}</th>
                <td>{before}</td>
                <td>{if changed { after } else { "unchanged".to_owned() }}</td>
            </tr>
        }
        .into_any()
    };
    view! {
        <h3 class="label">"As-is against to-be, " {name}</h3>
        <table class="compare">
            <thead class="hidden-text"><tr><th>"What"</th><th>"As-is"</th><th>"To-be"</th></tr></thead>
            <tbody>
                {row("copies", label(&as_is), label(&to_be))}
                {row("reads as", reads(&as_is), reads(&to_be))}
                {row("latency", latency(&as_is), latency(&to_be))}
            </tbody>
        </table>
    }
    .into_any()
}
