//! The verdict of each consumer: badge, sentence, why, weakest hops, what a proposal would give, and the hop table.

mod order;
mod why;

use super::{
    super::{
        dialogs::reference,
        kit::{self, go_to, live_figure, reveal},
        marks::{self, badge, basis, weakest_glyph},
        popover,
        store::{Desk, Show},
    },
    bar::consumers,
    compare, hops, proposal,
    shown::{Part, Shown, When, shown},
};
use crate::{
    action::{Figure, FigureKind},
    analysis::{
        ConsumerReport,
        delivery::verdict::{DeliveryVerdict, Hop, Weakest},
        explain::Missing,
    },
    documents::{PUT_ASIDE, put_aside_on},
    model::{Basis, Id, View, units::human::unbroken},
};
use leptos::prelude::*;
use order::ORDER;
use why::why;

/// The panel of the tab.
pub fn panel(desk: Desk) -> AnyView {
    let all = Memo::new(move |_| consumers(desk));
    let at = Memo::new(move |_| desk.panes.consumer.get().min(all.with(Vec::len).saturating_sub(1)));
    let chosen = Memo::new(move |_| all.with(|all| all.get(at.get()).cloned()));
    let both = Memo::new(move |_| desk.show.get() == Show::Both);
    (move || match (chosen.get(), both.get()) {
        (None, _) => view! {
            <div class="empty-panel">
                <p class="drawer-headline">"No consumer is drawn yet."</p>
                <p class="second">"A verdict says what a consumer really observes. Add one with U and link what it reads to it."</p>
            </div>
        }
        .into_any(),
        (Some(id), true) => view! {
            <div class="both">
                <section class="as-is-side">{side(desk, View::AsIs, &id)}</section>
                <section>{side(desk, View::ToBe, &id)}</section>
            </div>
            {compare::table(desk, &id)}
            <div class="both both-why">
                <section class="as-is-side">{why_side(desk, View::AsIs, &id)}</section>
                <section>{why_side(desk, View::ToBe, &id)}</section>
            </div>
            {others(desk, all, at)}
        }
        .into_any(),
        (Some(id), false) => view! {
            <div class="verdict">
                <div class="verdict-main">{card(desk, &id)} {table(desk, &id)}</div>
                <aside class="verdict-side" aria-label="Other consumers, and as-is against to-be">
                    {others(desk, all, at)} {compare::beside(desk, &id)}
                </aside>
            </div>
        }
        .into_any(),
    })
    .into_any()
}

/// The other consumers, each with its verdict in short; choosing one shows it whole.
fn others(desk: Desk, all: Memo<Vec<Id>>, at: Memo<usize>) -> AnyView {
    let rest = Memo::new(move |_| {
        all.with(|all| {
            let others = all.iter().enumerate().filter(|(i, _)| *i != at.get());
            others.take(6).map(|(_, id)| id.clone()).collect::<Vec<Id>>()
        })
    });
    let any = Memo::new(move |_| rest.with(|rest| !rest.is_empty()));
    let one = move |id: Id| OTHER.of(desk, shown(desk, &id, When::Later), 0);
    let list = move || {
        view! { <div class="other-consumers"><For each=move || rest.get() key=Id::clone children=one /></div> }
    };
    view! { {move || any.get().then(list)} }.into_any()
}

const OTHER: Part = Part {
    same: |one, other, _| one.alike(other, |a, b| same_head(&a.delivery, &b.delivery)) && same_name(one, other),
    draw: |desk, shown, _| {
        let Some(verdict) = shown.report().map(|report| &report.delivery) else { return ().into_any() };
        let id = shown.id.clone();
        // Its place in the order may change while it is shown.
        let choose = move |_| {
            let at = untrack(|| consumers(desk)).iter().position(|other| *other == id);
            at.into_iter().for_each(|at| desk.panes.consumer.set(at));
        };
        view! {
            <button type="button" class="other-consumer" data-other=shown.id.to_string() on:click=choose>
                {badge(&verdict.badge, true, 1.6)}
                <span class="grow">
                    <strong>{shown.design.title(&shown.id)}</strong> " " <span class="quiet">{owner(shown)}</span>
                    <span class="other-sentence block">{unbroken(&verdict.sentence).into_owned()}</span>
                </span>
            </button>
        }
        .into_any()
    },
};

fn same_head(one: &DeliveryVerdict, other: &DeliveryVerdict) -> bool {
    one.badge == other.badge && one.sentence == other.sentence && one.basis == other.basis
}

/// Is the consumer called and owned the same?
fn same_name(one: &Shown, other: &Shown) -> bool {
    one.named_alike(other, std::iter::once(&one.id)) && owner(one) == owner(other)
}

fn owner(shown: &Shown) -> Option<String> {
    shown.design.subject(&shown.id).and_then(|subject| subject.owner.as_ref()).map(ToString::to_string)
}

/// Why, and in which order, on one side.
fn why_side(desk: Desk, view: View, id: &Id) -> AnyView {
    let shown = shown(desk, id, When::In(view));
    view! { {why(desk, shown)} {ORDER.of(desk, shown, 0)} }.into_any()
}

const ABSENT: &str = "This consumer does not exist in this view.";

/// One side of as-is against to-be.
fn side(desk: Desk, view: View, id: &Id) -> AnyView {
    let title = match view {
        View::AsIs => view! { <span class="label">"As-is"</span> }.into_any(),
        View::ToBe => view! { <span class="label proposed-word">"To-be"</span> }.into_any(),
    };
    let shown = shown(desk, id, When::In(view));
    let there = Memo::new(move |_| shown.with(|shown| shown.report().is_some()));
    let body = move || {
        if there.get() { head(desk, shown, BADGE_OF_SIDE) } else { view! { <p class="second">{ABSENT}</p> }.into_any() }
    };
    view! { <div class="stack">{title} {body}</div> }.into_any()
}

/// The card of one consumer.
pub fn card(desk: Desk, id: &Id) -> AnyView {
    let now = shown(desk, id, When::Now);
    let proposed = proposal::proposal(desk, shown(desk, id, When::Later));
    let there = Memo::new(move |_| now.with(|shown| shown.report().is_some()));
    let label = move || now.with(|shown| shown.report().map(|report| report.delivery.badge.text())).unwrap_or_default();
    let weak = Memo::new(move |_| {
        now.with(|shown| weakest(shown).is_some_and(|of| of.loss.is_some() || of.duplicate_origin.is_some()))
    });
    let id = id.to_string();
    (move || {
        if !there.get() {
            return view! { <p class="second">{ABSENT}</p> }.into_any();
        }
        view! {
            <article class="verdict-card" data-consumer=id.clone() data-verdict=label>
                {head(desk, now, BADGE)}
                {move || (weak.get() || proposed.with(Option::is_some)).then(|| view! {
                    <div class="weak-row">
                        {WEAKEST.of(desk, now, 0)}
                        {move || proposed.with(|proposed| proposed.as_ref().map(|one| proposal::card(desk, one)))}
                    </div>
                })}
                {ASIDE.of(desk, now, 0)}
                {why(desk, now)}
                {UNKNOWN.of(desk, now, 0)}
                {ORDER.of(desk, now, 0)}
                {OWES.of(desk, now, 0)}
            </article>
        }
        .into_any()
    })
    .into_any()
}

/// Badge, name, sentence and weakest basis, each drawn again only where it is another.
fn head(desk: Desk, from: Memo<Shown>, badge: Part) -> AnyView {
    view! {
        <div class="verdict-head">
            {badge.of(desk, from, 0)}
            <div class="grow">
                <div class="row wrap verdict-who">
                    {WHO.of(desk, from, 0)}
                    <span class="grow"></span>
                    {BASIS.of(desk, from, 0)}
                </div>
                <p class="verdict-sentence">{SENTENCE.of(desk, from, 0)}</p>
            </div>
        </div>
    }
    .into_any()
}

const BADGE: Part = Part {
    same: |one, other, _| {
        one.review.view == other.review.view
            && one.alike(other, |a, b| marks::same_badge(&a.delivery.badge, &b.delivery.badge))
    },
    draw: |desk, shown, _| explained_badge(desk, shown, 2.6),
};

const BADGE_OF_SIDE: Part = Part { draw: |desk, shown, _| explained_badge(desk, shown, 2.1), ..BADGE };

fn explained_badge(desk: Desk, shown: &Shown, height: f64) -> AnyView {
    let badge = shown.report().map(|report| &report.delivery.badge);
    badge.map(|badge| popover::badge(desk, &shown.id, shown.review.view, badge, true, height)).into_any()
}

const WHO: Part = Part {
    same: |one, other, _| same_name(one, other),
    draw: |desk, shown, _| {
        let id = shown.id.clone();
        view! {
            <button type="button" class="plain-name" on:click=move |_| reveal(desk, &id)>{shown.design.title(&shown.id)}</button>
            <span class="quiet">{owner(shown)}</span>
        }
        .into_any()
    },
};

const BASIS: Part = Part {
    same: |one, other, _| one.alike(other, |a, b| a.delivery.basis == b.delivery.basis),
    draw: |_, shown, _| shown.report().and_then(|report| report.delivery.basis).map(weakest_basis).into_any(),
};

const SENTENCE: Part = Part {
    same: |one, other, _| one.alike(other, |a, b| a.delivery.sentence == b.delivery.sentence),
    draw: |_, shown, _| shown.report().map(|report| unbroken(&report.delivery.sentence).into_owned()).into_any(),
};

fn weakest_basis(of: Basis) -> AnyView {
    view! { <span class="small quiet nowrap">"weakest basis" {basis(of, "")} " " {of.word()}</span> }.into_any()
}

/// The weakest hops of a consumer, where anything is claimed.
fn weakest(shown: &Shown) -> Option<&Weakest> {
    shown.report()?.delivery.weakest_claimed()
}

/// The weakest hops.
const WEAKEST: Part = Part {
    same: |one, other, _| {
        let places = |shown: &Shown| -> Vec<Id> {
            let hops = weakest(shown).into_iter().flat_map(|of| of.duplicate_origin.iter().chain(&of.loss));
            hops.map(|hop| hop.at.clone()).collect()
        };
        let same = |a: &ConsumerReport, b: &ConsumerReport| {
            a.delivery.weakest == b.delivery.weakest && a.delivery.label == b.delivery.label
        };
        one.alike(other, same) && one.named_alike(other, places(one).iter())
    },
    draw: |desk, shown, _| {
        let Some(weakest) = weakest(shown) else { return ().into_any() };
        let card = |hop: &Option<Hop>, loss, conditional| {
            hop.as_ref().map(|hop| weak_card(desk, hop, shown.design.title(&hop.at), loss, conditional))
        };
        let duplicates = card(&weakest.duplicate_origin, false, weakest.duplicate_conditional);
        view! { {duplicates} {card(&weakest.loss, true, weakest.loss_conditional)} }.into_any()
    },
};

fn weak_card(desk: Desk, hop: &Hop, title: String, loss: bool, conditional: bool) -> AnyView {
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

/// The findings on the way that somebody put aside: what follows from them is in the sentence all the same.
const ASIDE: Part = Part {
    same: |one, other, _| {
        let said = |shown: &Shown| -> Vec<(&'static str, Id, String)> {
            let all = shown.report().into_iter().flat_map(|report| put_aside_on(&shown.review, &report.delivery));
            all.map(|(finding, at, reason)| (finding.rule, at.clone(), reason.to_owned())).collect()
        };
        let of_one = said(one);
        of_one == said(other) && one.named_alike(other, of_one.iter().map(|(_, at, _)| at))
    },
    draw: |desk, shown, _| {
        let Some(report) = shown.report() else { return ().into_any() };
        let rows: Vec<AnyView> = put_aside_on(&shown.review, &report.delivery)
            .map(|(finding, at, reason)| {
                let place = go_to(desk, at.clone(), shown.design.title(at));
                view! { <li>{reference::rule(desk, finding.rule)} " at " {place} ": " {unbroken(reason).into_owned()}</li> }
                    .into_any()
            })
            .collect();
        if rows.is_empty() {
            return ().into_any();
        }
        view! { <section class="put-aside-here small second"><p>{PUT_ASIDE} ":"</p><ul>{rows}</ul></section> }
            .into_any()
    },
};

/// What is not known and withholds a claim, each with the way to its field.
const UNKNOWN: Part = Part {
    same: |one, other, _| {
        let subjects = one.report().into_iter().flat_map(|report| &report.delivery.unknown);
        one.alike(other, |a, b| a.delivery.unknown == b.delivery.unknown)
            && one.named_alike(other, subjects.map(|missing| &missing.subject))
    },
    draw: |desk, shown, _| match shown.report() {
        Some(report) => unknown(desk, shown, &report.delivery.unknown),
        None => ().into_any(),
    },
};

/// Most missing facts that are listed at once.
const LISTED: usize = 8;

fn missing_row(desk: Desk, one: &Missing) -> AnyView {
    let title = desk.meaning.with_untracked(|design| design.title(&one.subject));
    view! { <li class="row wrap">{marks::absent(one.nature().absent())} {one.words()} " at " {go_to(desk, one.subject.clone(), title)}</li> }.into_any()
}

fn unknown(desk: Desk, shown: &Shown, missing: &[Missing]) -> AnyView {
    if missing.is_empty() {
        return ().into_any();
    }
    let (first, rest) = missing.split_at(missing.len().min(LISTED));
    let rows: Vec<AnyView> = first.iter().map(|one| missing_row(desk, one)).collect();
    let rest = kit::rest(desk, &format!("{}/unknown", shown.id), rest, missing_row);
    view! {
        <section class="unknown">
            <h3 class="label">"What would have to be known"</h3>
            <ul>{rows}</ul>
            {rest}
        </section>
    }
    .into_any()
}

/// What the consumer owes, and what is claimed of what.
const OWES: Part = Part {
    same: |one, other, _| {
        one.alike(other, |a, b| {
            a.delivery.consumer_must == b.delivery.consumer_must && a.delivery.scope == b.delivery.scope
        })
    },
    draw: |_, shown, _| match shown.report() {
        Some(report) => owes(&report.delivery),
        None => ().into_any(),
    },
};

fn owes(verdict: &DeliveryVerdict) -> AnyView {
    let line = |title: &'static str, text: &str| {
        (!text.is_empty()).then(|| view! { <p><span class="label">{title} " "</span>{text.to_owned()}</p> })
    };
    view! {
        <div class="owes second">
            {line("The consumer itself must:", verdict.consumer_must.words())}
            {line("Scope:", &verdict.scope)}
        </div>
    }
    .into_any()
}

/// Latency, and how far back a replay can reach; an edit writes into the figures that stand there.
fn facts(desk: Desk, from: Memo<Shown>) -> AnyView {
    let id = from.with_untracked(|shown| shown.id.clone());
    let latency = Memo::new(move |_| from.with(|shown| shown.report().map(|report| report.latency.clone())));
    let open = Memo::new(move |_| from.with(|shown| shown.report().is_some_and(|r| !r.latency_open.is_empty())));
    // What a replay can start from: by which way, and how it is called.
    let starts = Memo::new(move |_| {
        from.with(|shown| {
            let all = shown.report().into_iter().flat_map(|report| &report.replay);
            all.map(|start| (start.recompute, shown.design.title(&start.from))).collect::<Vec<_>>()
        })
    });
    let there = Memo::new(move |_| latency.with(Option::is_some));
    let of_latency = Figure::new(id.clone(), FigureKind::Latency);
    (move || {
        if !there.get() {
            return ().into_any();
        }
        let replay: Vec<AnyView> = starts
            .get()
            .into_iter()
            .enumerate()
            .map(|(at, (recompute, title))| {
                let reach = Memo::new(move |_| {
                    from.with(|shown| shown.report().and_then(|report| Some(report.replay.get(at)?.reach.clone())))
                });
                let what = if recompute { "recomputed from" } else { "refilled from" };
                let figure = live_figure(desk, Figure::new(id.clone(), FigureKind::Replay(at)), reach);
                view! { <div class="fact"><dt>{what} " " {title}</dt><dd>{figure}</dd></div> }.into_any()
            })
            .collect();
        view! {
            <dl class="facts">
                <div class="fact"><dt>"latency"{move || open.get().then_some(", at least")}</dt><dd>{live_figure(desk, of_latency.clone(), latency)}</dd></div>
                {replay}
            </dl>
        }
        .into_any()
    })
    .into_any()
}

fn table(desk: Desk, id: &Id) -> AnyView {
    let now = shown(desk, id, When::Now);
    view! { {facts(desk, now)} {hops::table(desk, now)} }.into_any()
}
