//! What an import would change, by element: each fact can be left out, each conflict asks its question.

use super::{
    super::super::{
        marks::{absent, basis},
        store::Desk,
    },
    lines::place,
};
use crate::{
    action::entry::shown,
    import::{Choices, FactState, Presence, Proposal, ProposedFact, Resolution, SubjectRole},
    model::{Id, Nature, counted, counted_as},
    sorted::SortedMap,
};
use leptos::prelude::*;
use std::sync::Arc;

/// So many facts are drawn at first; the elements behind them stand folded, so that a large text leaves the page quick.
const DRAWN: usize = 200;
/// So many folded elements are listed at first.
const LISTED: usize = 100;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Filter {
    All,
    New,
    Stronger,
    Updates,
    Conflicts,
}

/// The table.
pub fn facts(
    desk: Desk,
    proposal: &Arc<Proposal>,
    choices: RwSignal<Choices>,
    names: RwSignal<Vec<(usize, String)>>,
) -> AnyView {
    let filter = RwSignal::new(Filter::All);
    let summary = proposal.summary();
    let chip = move |which: Filter, words: &'static str, count: usize| {
        (count > 0 || which == Filter::All).then(|| view! {
            <button type="button" class="button chip" aria-pressed=move || (filter.get() == which).to_string() on:click=move |_| filter.set(which)>
                {format!("{words} {count}")}
            </button>
        })
    };
    let shown = proposal.clone();
    view! {
        <header class="row wrap import-facts-head">
            <h3>"What it would change"</h3>
            {chip(Filter::All, "all", summary.found)}
            {chip(Filter::New, "new", summary.new)}
            {chip(Filter::Stronger, "stronger basis", summary.stronger)}
            {chip(Filter::Updates, "updates", summary.updates)}
            {chip(Filter::Conflicts, "conflict", summary.conflicts)}
        </header>
        {changed(choices)}
        {asks(proposal, names)}
        <div class="import-table" tabindex="0" role="region" aria-label="Facts">
            <table class="import-heads" aria-hidden="true">
                {columns()}
                <tbody><tr><td></td><td>"Setting"</td><td>"In the design"</td><td>"Read as"</td><td>"From"</td><td>"What follows"</td></tr></tbody>
            </table>
            {move || blocks(desk, &shown, filter.get(), choices)}
            {vanished(proposal)}
        </div>
    }
    .into_any()
}

/// What is told of each element. Once enough is drawn, an element is a line that opens, and in the end a button for all others.
fn blocks(desk: Desk, proposal: &Arc<Proposal>, filter: Filter, choices: RwSignal<Choices>) -> AnyView {
    let of = by_subject(proposal, filter);
    let told: Vec<usize> = (0..of.len())
        .filter(|at| proposal.subjects.get(*at).is_some_and(|subject| proposal.tells_of(subject)))
        .filter(|at| filter == Filter::All || of.get(*at).is_some_and(|facts| !facts.is_empty()))
        .collect();
    if told.is_empty() {
        return nothing(proposal);
    }
    let mut drawn = 0;
    let mut one = |at: &usize| {
        let facts = of.get(*at).cloned().unwrap_or_default();
        let open = drawn == 0 || drawn + facts.len() <= DRAWN;
        drawn += facts.len();
        proposal.subjects.get(*at).map(|_| block(desk, proposal.clone(), *at, facts, open, choices))
    };
    let first: Vec<AnyView> = told.iter().take(LISTED).filter_map(&mut one).collect();
    let rest: Vec<(usize, Vec<usize>)> =
        told.into_iter().skip(LISTED).map(|at| (at, of.get(at).cloned().unwrap_or_default())).collect();
    let (count, all, proposal) = (rest.len(), RwSignal::new(false), proposal.clone());
    let others = move || match all.get() {
        true => {
            let rest = rest.iter().cloned();
            rest.map(|(at, facts)| block(desk, proposal.clone(), at, facts, false, choices))
                .collect::<Vec<_>>()
                .into_any()
        }
        false => view! {
            <button type="button" class="button import-more" data-import-all="" on:click=move |_| all.set(true)>
                {format!("Show {count} more")}
            </button>
        }
        .into_any(),
    };
    view! { {first} {(count > 0).then_some(others)} }.into_any()
}

/// The facts that pass the filter by the place of their subject, as places in the proposal.
fn by_subject(proposal: &Proposal, filter: Filter) -> Vec<Vec<usize>> {
    let places: SortedMap<&Id, usize> =
        proposal.subjects.iter().enumerate().map(|(at, subject)| (&subject.id, at)).collect();
    let exists = |at: usize| {
        let subject = proposal.subjects.get(at);
        subject.is_some_and(|subject| matches!(subject.presence, Presence::Exists(_)))
    };
    let mut of = vec![Vec::new(); proposal.subjects.len()];
    for (place, fact) in proposal.facts.iter().enumerate() {
        let Some(at) = places.get(&fact.subject).copied() else { continue };
        let fits = match filter {
            Filter::All => fact.state != FactState::Same || exists(at),
            Filter::New => fact.state == FactState::New,
            Filter::Stronger => fact.state == FactState::StrongerBasis,
            Filter::Updates => matches!(fact.state, FactState::Update | FactState::Gone),
            Filter::Conflicts => fact.state == FactState::Conflict,
        };
        if let Some(facts) = of.get_mut(at).filter(|_| fits) {
            facts.push(place);
        }
    }
    of
}

/// Nothing is told of any part of the design; with the names of what was recognised.
fn nothing(proposal: &Proposal) -> AnyView {
    let known: Vec<&str> = proposal.subjects.iter().map(|subject| subject.title.as_str()).take(5).collect();
    let of = if known.is_empty() { String::new() } else { format!(" It names {}.", known.join(", ")) };
    view! { <p class="second import-nothing" data-import-nothing="">{format!("Nothing in it is new to the design.{of}")}</p> }
        .into_any()
}

/// What somebody changed of what was proposed, and the way back.
fn changed(choices: RwSignal<Choices>) -> AnyView {
    let words = Memo::new(move |_| choices.with(Choices::words));
    view! {
        <div role="status">
            {move || (!words.with(String::is_empty)).then(|| view! {
                <p class="row wrap import-changed" data-import-changed="">
                    <span><b>"You changed: "</b>{words.get()}"."</span>
                    <button type="button" class="button ghost" on:click=move |_| choices.set(Choices::default())>"As proposed"</button>
                </p>
            })}
        </div>
    }
    .into_any()
}

/// Names that the text does not say.
fn asks(proposal: &Proposal, names: RwSignal<Vec<(usize, String)>>) -> AnyView {
    let rows: Vec<AnyView> = proposal
        .asks
        .iter()
        .map(|ask| {
            let section = ask.section;
            view! {
                <label class="row ask-name">
                    <span>{ask.text.clone()}</span>
                    <input class="input" on:change=move |event| {
                        let name = event_target_value(&event);
                        names.update(|names| {
                            names.retain(|(of, _)| *of != section);
                            names.push((section, name));
                        });
                    } />
                </label>
            }
            .into_any()
        })
        .collect();
    rows.into_any()
}

/// The widths of the columns, the same in every block.
fn columns() -> AnyView {
    view! { <colgroup><col class="take"/><col class="key"/><col class="stands"/><col class="read"/><col class="from"/><col/></colgroup> }
        .into_any()
}

/// A key that may go on in a new line after a dot.
fn broken(key: &str) -> AnyView {
    let parts: Vec<AnyView> =
        key.split_inclusive('.').map(|part| view! { {part.to_owned()} <wbr/> }.into_any()).collect();
    view! { <span class="mono">{parts}</span> }.into_any()
}

fn role(role: SubjectRole) -> &'static str {
    match role {
        SubjectRole::Cluster => "cluster",
        SubjectRole::Channel => "channel",
        SubjectRole::Job => "job",
        SubjectRole::Operator => "operator",
        SubjectRole::Read => "read of a channel",
        SubjectRole::Source => "source",
        SubjectRole::Sink => "store",
        SubjectRole::Take => "read of a source",
        SubjectRole::Write => "write",
    }
}

/// One element with its facts, given by their places.
fn block(
    desk: Desk,
    proposal: Arc<Proposal>,
    at: usize,
    facts: Vec<usize>,
    open: bool,
    choices: RwSignal<Choices>,
) -> AnyView {
    let Some(subject) = proposal.subjects.get(at) else { return ().into_any() };
    let state = match &subject.presence {
        Presence::New(_) => "new".to_owned(),
        Presence::Exists(changes) => {
            let changes = changes.iter().map(|(_, words)| format!(", {words}"));
            format!("exists{}", changes.collect::<String>())
        }
    };
    let (id, title, role) = (subject.id.clone(), subject.title.clone(), role(subject.role));
    let leave_out = leave_out_subject(id.clone(), choices);
    let kept = facts.is_empty().then(|| kept(&proposal, &id));
    let (count, open) = (facts.len(), RwSignal::new(open));
    // A fact in conflict asks something: its element says so while it is folded.
    let asks = facts.iter().filter_map(|at| proposal.facts.get(*at)).filter(|f| f.state == FactState::Conflict).count();
    let words = match asks {
        0 => format!("Show {}", counted(count, "setting")),
        _ => format!("Show {}, {}", counted(count, "setting"), counted_as(asks, "needs a decision", "need a decision")),
    };
    let table = move || match (open.get(), count) {
        (_, 0) => ().into_any(),
        (true, _) => rows(desk, &proposal, &facts, choices),
        (false, _) => {
            let words = words.clone();
            view! { <button type="button" class="button link small" data-import-open="" on:click=move |_| open.set(true)>{words}</button> }
                .into_any()
        }
    };
    view! {
        <section class="import-block" data-import-subject=id.to_string()>
            <header class="row import-block-head">
                {leave_out}
                <strong>{title}</strong>
                <span class="second">{role} ", " {state}</span>
            </header>
            {table}
            {kept}
        </section>
    }
    .into_any()
}

fn rows(desk: Desk, proposal: &Proposal, facts: &[usize], choices: RwSignal<Choices>) -> AnyView {
    let of: Vec<&ProposedFact> = facts.iter().filter_map(|at| proposal.facts.get(*at)).collect();
    // One key of the tool can be two settings here; then each says which it is.
    let twice = |fact: &ProposedFact| of.iter().filter(|other| other.key == fact.key).count() > 1;
    let rows: Vec<AnyView> = of.iter().map(|fact| row(desk, fact, twice(fact), choices)).collect();
    view! {
        <table>
            {columns()}
            <thead class="hidden-text"><tr><th>"Take"</th><th>"Setting"</th><th>"In the design"</th><th>"Read as"</th><th>"From"</th><th>"What follows"</th></tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

/// Product keys without a field, where nothing else is told of a subject.
fn kept(proposal: &Proposal, id: &Id) -> AnyView {
    let keys = |kept: bool| {
        let of = proposal.kept_of(id).filter(|(_, is)| *is == kept).map(|(key, _)| key);
        of.collect::<Vec<_>>().join(", ")
    };
    let line = |words: &'static str, keys: String| {
        (!keys.is_empty()).then(|| view! { <p class="small second">{words} <span class="mono">{keys}</span></p> })
    };
    view! { {line("Kept as read, not analysed: ", keys(true))} {line("Not there any more: ", keys(false))} }.into_any()
}

fn leave_out_subject(id: Id, choices: RwSignal<Choices>) -> AnyView {
    let of = id.clone();
    view! {
        <input
            type="checkbox"
            aria-label=format!("Take {id}")
            prop:checked=move || choices.with(|c| !c.without_subjects.contains(&of))
            on:change=move |event| {
                let take = event_target_checked(&event);
                choices.update(|c| {
                    if take { c.without_subjects.remove(&id) } else { c.without_subjects.insert(id.clone()) };
                });
            }
        />
    }
    .into_any()
}

fn row(desk: Desk, fact: &ProposedFact, twice: bool, choices: RwSignal<Choices>) -> AnyView {
    let (id, shown_id) = (fact.id(), fact.id());
    let nature = fact.field.row().nature;
    let standing: Vec<AnyView> = fact
        .in_design
        .iter()
        .map(|s| view! { <span class="nowrap">{shown(&s.value)} {basis(s.basis, "")} " "</span> }.into_any())
        .collect();
    let standing = if standing.is_empty() {
        view! { <span class="second">{nature.absent()} {absent(nature.absent())}</span> }.into_any()
    } else {
        standing.into_any()
    };
    let read = match &fact.read_as {
        Some(value) => view! { <strong>{shown(value)}</strong> {basis(fact.basis, "")} }.into_any(),
        None => view! { <span class="second">"not there any more"</span> }.into_any(),
    };
    let from = fact.lines.first().map(|at| place(desk, *at)).unwrap_or_default();
    let follows = fact.note.clone().unwrap_or_else(|| {
        match fact.state {
            FactState::New => "",
            FactState::StrongerBasis => "same value, stronger basis",
            FactState::Update => "newer reading",
            FactState::Conflict => "the design says something else",
            FactState::Same => "already there",
            FactState::Gone => "was read before",
        }
        .to_owned()
    });
    let conflict = fact.state == FactState::Conflict;
    let label = format!("Take {}", fact.key);
    let question = conflict.then(|| decide(fact, choices));
    view! {
        <tr class:conflict=conflict data-fact=fact.field.name()>
            <td>
                <input
                    type="checkbox"
                    aria-label=label
                    prop:checked=move || choices.with(|c| !c.without_facts.contains(&shown_id) && (!conflict || c.conflicts.contains_key(&shown_id)))
                    on:change=move |event| {
                        let take = event_target_checked(&event);
                        choices.update(|c| {
                            if take {
                                c.without_facts.remove(&id);
                                if conflict {
                                    c.conflicts.insert(id.clone(), Resolution::AsRead);
                                }
                            } else {
                                c.without_facts.insert(id.clone());
                                c.conflicts.remove(&id);
                            }
                        });
                    }
                />
            </td>
            <td>
                {broken(&fact.key)}
                {twice.then(|| view! { <span class="block small quiet">{fact.field.label()}</span> })}
            </td>
            <td>{standing}</td>
            <td>{read}</td>
            <td class="small second">{from}</td>
            <td class="small second">{follows}</td>
        </tr>
        {question}
    }
    .into_any()
}

fn decide(fact: &ProposedFact, choices: RwSignal<Choices>) -> AnyView {
    let read = fact.read_as.as_ref().map(shown).unwrap_or_default();
    let stands = fact
        .in_design
        .iter()
        .find(|s| Some(&s.value) != fact.read_as.as_ref())
        .map(|s| shown(&s.value))
        .unwrap_or_default();
    let choose = move |resolution: Resolution, words: String| {
        let (id, chosen) = (fact.id(), fact.id());
        view! {
            <button
                type="button"
                class="button"
                aria-pressed=move || choices.with(|c| c.conflicts.get(&chosen) == Some(&resolution)).to_string()
                on:click=move |_| choices.update(|c| {
                    c.without_facts.remove(&id);
                    c.conflicts.insert(id.clone(), resolution);
                })
            >
                {words}
            </button>
        }
        .into_any()
    };
    let question = match fact.field.row().nature {
        Nature::Measurement => "Which reading counts?",
        _ => "Which one is true today?",
    };
    view! {
        <tr class="conflict">
            <td></td>
            <td colspan="5">
                <div class="row wrap">
                    <strong>{question}</strong>
                    {choose(Resolution::AsRead, format!("{read}, as read"))}
                    {choose(Resolution::Keep, format!("{stands}, keep it"))}
                    {choose(Resolution::KeepBoth, "Keep both, record a conflict".to_owned())}
                </div>
            </td>
        </tr>
    }
    .into_any()
}

fn vanished(proposal: &Proposal) -> AnyView {
    let rows: Vec<AnyView> = proposal
        .vanished
        .iter()
        .map(|gone| view! { <li><strong>{gone.title.clone()}</strong> " " {gone.text.clone()}</li> }.into_any())
        .collect();
    if rows.is_empty() {
        return ().into_any();
    }
    view! { <section class="import-block"><h4 class="label">"Not there this time; it stays in the design"</h4> <ul class="small second">{rows}</ul></section> }.into_any()
}
