//! State and lag: what an operator keeps and how its job comes back; how a group catches up and what caps it. Not here: what
//! it says and where it is drawn (`pictures::state`, `pictures::lag`).

use super::{
    super::{
        kit::{disclosure, reveal},
        store::Desk,
    },
    chart, facts,
};
use crate::{
    model::{Id, Subject, units::human::unbroken},
    pictures::{
        Line, lag,
        state::{self, Recovery, Term},
    },
};
use leptos::prelude::*;

/// The two pictures as they are shown.
#[derive(Clone, PartialEq)]
struct Shown {
    /// Operators that keep state, by name.
    operators: Vec<(Id, String)>,
    state: Option<state::Picture>,
    /// Jobs that read a channel, by name.
    jobs: Vec<(Id, String)>,
    lag: Option<lag::Picture>,
}

/// The panel of the tab. It reads what is settled: an edit is drawn before it.
pub fn panel(desk: Desk) -> AnyView {
    let (step, group) = (desk.panes.kept("state step", String::new), desk.panes.kept("lag group", String::new));
    let shown = {
        let (step, group) = (step.clone(), group.clone());
        Memo::new(move |_| shown(desk, &step.get(), &group.get()))
    };
    let drawn = move || {
        let Shown { operators, state, jobs, lag } = shown.get();
        if state.is_none() && lag.is_none() {
            return nothing();
        }
        let left = match &state {
            Some(picture) => state_half(desk, picture, &operators, step.clone()),
            None => empty(
                "No step keeps state.",
                "De-duplication, windows, joins and own code with a time-to-live keep some: what each keeps, and how its job comes back, is shown here.",
            ),
        };
        let right = match &lag {
            Some(picture) => lag_half(desk, picture, &jobs, group.clone()),
            None => empty(
                "No job reads a channel.",
                "Link a channel to an operator: how its group catches up after an outage is shown here.",
            ),
        };
        let name = |id: Option<&Id>| id.map(ToString::to_string).unwrap_or_default();
        view! {
            <div
                class="sl"
                data-state=name(state.as_ref().map(|picture| &picture.operator))
                data-lag=name(lag.as_ref().map(|picture| &picture.job))
                on:keydown=facts::leave
            >
                {left} {right}
            </div>
        }
        .into_any()
    };
    drawn.into_any()
}

fn shown(desk: Desk, step: &str, group: &str) -> Shown {
    let (design, view, selected) = (desk.settled.get(), desk.view(), desk.selected());
    let review = desk.settled_review(view);
    let named = |id: &Id| (id.clone(), design.title(id));
    let operators: Vec<(Id, String)> = state::operators(&design, view, &review).map(named).collect();
    let jobs: Vec<(Id, String)> = lag::jobs(&design, view, &review).map(named).collect();
    // A job that is selected shows its first step; a step, or the link into one, shows its job.
    let link =
        selected.as_ref().and_then(|id| design.links.get(id)).and_then(Subject::as_link).map(|link| link.to.clone());
    let place = link.or(selected);
    let of_job = |job: &Id| operators.iter().find(|(id, _)| design.job_of(id) == Some(job)).map(|(id, _)| id.clone());
    let own_step = place.as_ref().and_then(of_job).or_else(|| place.clone());
    let own_job = place.as_ref().map(|id| design.job_of(id).unwrap_or(id).clone());
    let of = |options: &[(Id, String)], own: Option<&Id>, kept: &str| {
        facts::chosen(options, own, kept).map(|(id, _)| id.clone())
    };
    let operator = of(&operators, own_step.as_ref(), step);
    // Where nobody chose a group, it is that of the step beside it.
    let beside = operator.as_ref().and_then(|id| design.job_of(id)).map(ToString::to_string).unwrap_or_default();
    let job = of(&jobs, own_job.as_ref(), if group.is_empty() { &beside } else { group });
    Shown {
        state: operator.and_then(|id| state::draw(&design, view, &review, &id)),
        lag: job.and_then(|id| lag::draw(&design, view, &review, &id)),
        operators,
        jobs,
    }
}

fn nothing() -> AnyView {
    view! {
        <div class="empty-panel" data-state="" data-lag="">
            <p class="drawer-headline">"No step keeps state, and no job reads a channel."</p>
            <p class="second">"Add a channel (T) and an operator (O) that reads it: what the operator keeps, and how its group catches up, is shown here."</p>
        </div>
    }
    .into_any()
}

fn empty(headline: &'static str, what: &'static str) -> AnyView {
    view! { <section class="sl-half"><p class="drawer-headline">{headline}</p> <p class="second">{what}</p></section> }
        .into_any()
}

fn head(desk: Desk, id: &Id, headline: &str, about: &[String], what: &'static str, letters: String) -> AnyView {
    let target = id.clone();
    let title = desk.settled.with_untracked(|design| design.title(id));
    let about: Vec<AnyView> = about.iter().map(|text| view! { " " {unbroken(text).into_owned()} }.into_any()).collect();
    view! {
        <header class="tl-head">
            <div class="grow">
                <h2 class="drawer-headline">{unbroken(headline).into_owned()}</h2>
                <p class="second">
                    <button type="button" class="plain-name" on:click=move |_| reveal(desk, &target)>{title}</button> "." {about}
                </p>
            </div>
            {facts::copy_button(desk, what, letters)}
        </header>
    }
    .into_any()
}

/// A picture in letters, with what stands above it.
fn letters(headline: &str, about: &[String], chart: Option<String>) -> String {
    format!("{headline}\n{}\n\n{}\n", about.join(" "), chart.unwrap_or_default())
}

fn state_half(desk: Desk, picture: &state::Picture, all: &[(Id, String)], kept: ArcRwSignal<String>) -> AnyView {
    let drawn = picture.chart.as_ref().map(chart::figure);
    let letters =
        letters(&picture.headline, &picture.about, picture.chart.as_ref().map(crate::pictures::chart::Chart::text));
    let own: &[&[Line]] = &[&picture.made_of, &picture.job_lines];
    view! {
        <section class="sl-half" aria-label="State">
            {facts::choose(desk, "Step", all, &picture.operator, kept)}
            {head(desk, &picture.operator, &picture.headline, &picture.about, "chart of state", letters)}
            {drawn}
            {picture.recovery.as_ref().map(|recovery| recovery_bar(desk, recovery))}
            <div class="tl-cards">
                {facts::card(desk, "What it is made of", &picture.made_of)}
                {facts::card(desk, "What its job makes of it", &picture.job_lines)}
                {facts::unknown(desk, &picture.missing, own)}
            </div>
            {disclosure(desk, "state table", "tl-table", "State as a table".into_any(), table(desk, "State and recovery", own, picture.recovery.as_ref()))}
        </section>
    }
    .into_any()
}

fn lag_half(desk: Desk, picture: &lag::Picture, all: &[(Id, String)], kept: ArcRwSignal<String>) -> AnyView {
    let drawn = picture.chart.as_ref().map(chart::figure);
    let letters =
        letters(&picture.headline, &picture.about, picture.chart.as_ref().map(crate::pictures::chart::Chart::text));
    let own: &[&[Line]] = &[&picture.lag, &picture.scaling];
    view! {
        <section class="sl-half" aria-label="Lag">
            {facts::choose(desk, "Group", all, &picture.job, kept)}
            {head(desk, &picture.job, &picture.headline, &picture.about, "chart of lag", letters)}
            {drawn}
            <div class="tl-cards">
                {facts::card(desk, "Lag and catching up", &picture.lag)}
                {facts::card(desk, "What caps it", &picture.scaling)}
                {facts::unknown(desk, &picture.missing, own)}
            </div>
            {disclosure(desk, "lag table", "tl-table", "Lag as a table".into_any(), table(desk, "Lag and scaling", own, None))}
        </section>
    }
    .into_any()
}

/// Recovery as a bar of its terms, with the terms below it.
fn recovery_bar(desk: Desk, recovery: &Recovery) -> AnyView {
    let class = |down: bool| if down { "sl-term down" } else { "sl-term" };
    let parts: Vec<AnyView> = recovery
        .terms
        .iter()
        .map(|term| {
            let width = format!("{:.2}%", term.span.1 - term.span.0);
            view! { <span class=class(term.down) style:width=width></span> }.into_any()
        })
        .collect();
    // The terms under the ground that they are drawn with: what it means stands before them.
    let terms: Vec<AnyView> = recovery
        .terms
        .chunk_by(|one, next| one.down == next.down)
        .map(|of| {
            let down = of.first().is_some_and(|term| term.down);
            let says = if down { "nothing is read:" } else { "it reads, and is behind:" };
            let figures: Vec<AnyView> = of
                .iter()
                .map(|term| {
                    view! { <span class="nowrap">{term.what.clone()} " " {facts::explained(desk, &term.figure)}</span> }
                        .into_any()
                })
                .collect();
            view! {
                <span class="row wrap"><span class=format!("{} key", class(down)) aria-hidden="true"></span> <span class="quiet">{says}</span> {figures}</span>
            }
            .into_any()
        })
        .collect();
    let spoken: Vec<String> =
        recovery.terms.iter().map(|term| format!("{} {}", term.what, term.figure.text())).collect();
    let bar = (!parts.is_empty()).then(|| {
        view! { <div class="sl-bar" role="img" aria-label=format!("One after the other: {}", spoken.join(", "))>{parts}</div> }
    });
    let rewind = recovery.rewind.as_ref().filter(|rewind| rewind.is_ok());
    let rewind =
        rewind.map(|rewind| view! { <span class="row">"reads again up to " {facts::derived(desk, rewind)}</span> });
    view! {
        <section class="sl-recovery" aria-label="Recovery of the job">
            <h3 class="label">"Recovery of the job, term by term: " {facts::derived(desk, &recovery.total)}</h3>
            {bar}
            <div class="row wrap small second sl-terms" data-terms="">{terms} {rewind}</div>
        </section>
    }
    .into_any()
}

/// The lines and the terms as one table.
fn table(desk: Desk, label: &'static str, all: &[&[Line]], recovery: Option<&Recovery>) -> AnyView {
    let row = |what: &str, value: AnyView| {
        view! { <tr><th scope="row">{unbroken(what).into_owned()}</th><td>{value}</td></tr> }.into_any()
    };
    let lines = all.iter().flat_map(|lines| lines.iter()).map(|line| row(&line.what, facts::value(desk, &line.value)));
    let terms = recovery.into_iter().flat_map(|recovery| {
        let total = row("Recovery", facts::derived(desk, &recovery.total));
        let term = move |term: &Term| row(&format!("Recovery: {}", term.what), facts::explained(desk, &term.figure));
        std::iter::once(total).chain(recovery.terms.iter().map(term))
    });
    let rows: Vec<AnyView> = lines.chain(terms).collect();
    view! {
        <div class="table-scroll" tabindex="0" role="region" aria-label=label>
            <table class="hops"><thead><tr><th scope="col">"What"</th><th scope="col">"How much"</th></tr></thead><tbody>{rows}</tbody></table>
        </div>
    }
    .into_any()
}
