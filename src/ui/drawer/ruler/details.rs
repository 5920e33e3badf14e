//! Of the log that is looked at: its reaches, what is needed of it, what stands beside it, and what would change it.

use super::{
    super::{
        super::{
            kit::{fix_button, reveal},
            store::Desk,
        },
        facts,
    },
    Picture, Row,
};
use crate::{
    model::units::human::unbroken,
    pictures::{Value, ruler::Choice},
    rules::Fix,
};
use leptos::prelude::*;

/// All of it.
pub fn details(desk: Desk, row: &Row) -> AnyView {
    let id = row.id.clone();
    let remarks: Vec<AnyView> =
        row.remarks.iter().map(|text| view! { <li>{unbroken(text).into_owned()}</li> }.into_any()).collect();
    let remarks = (!remarks.is_empty()).then(|| {
        view! {
            <section class="tl-card" aria-label="What it costs or leaves out">
                <h3 class="label">"What it costs or leaves out"</h3>
                <ul class="second tl-taken">{remarks}</ul>
            </section>
        }
    });
    view! {
        <section class="rl-details" aria-label=format!("Of {}", row.name) data-of-log=row.id.to_string()>
            <h3 class="rl-title">
                <button type="button" class="plain-name" on:click=move |_| reveal(desk, &id)>{row.name.clone()}</button>
                <span class="small quiet">" " {row.role.words()}</span>
            </h3>
            {choices(desk, row)}
            <div class="tl-cards">
                {facts::card(desk, "How far back, and what binds", &row.reaches)}
                {facts::card(desk, "What is needed of it", &row.needs)}
                {facts::card(desk, "The race against retention", &row.race)}
                {facts::card(desk, "Positions, tiers, checkpoints", &row.beside)}
                {remarks}
                {facts::unknown(desk, &row.missing, &[&row.reaches, &row.needs, &row.race, &row.beside])}
            </div>
        </section>
    }
    .into_any()
}

fn choices(desk: Desk, row: &Row) -> Option<AnyView> {
    if row.choices.is_empty() {
        return None;
    }
    let rows: Vec<AnyView> = row.choices.iter().map(|one| choice(desk, one)).collect();
    let name = row.name.clone();
    Some(
        view! {
            <div class="table-scroll" tabindex="0" role="region" aria-label="What would change the reach">
                <table class="hops rl-choices">
                    <thead>
                        <tr>
                            <th scope="col">"What binds, and what would change it"</th>
                            <th scope="col">"Reach of " {name}</th>
                            <th scope="col">"On disk, all copies"</th>
                            <th scope="col">"What follows"</th>
                            <td></td>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
        .into_any(),
    )
}

fn choice(desk: Desk, choice: &Choice) -> AnyView {
    let reach = match &choice.reach {
        Some(reach) => facts::derived(desk, reach),
        None => view! { <span class="second">{choice.reach_words.clone()}</span> }.into_any(),
    };
    let disk = choice.disk.as_ref().map(|disk| facts::derived(desk, disk));
    let fix = choice.fix.as_ref().map(|(label, edit)| {
        let fix = Fix { label: "Propose".to_owned(), edit: edit.clone() };
        view! { <span data-proposes=label.clone()>{fix_button(desk, &fix, false)}</span> }
    });
    view! {
        <tr data-choice=choice.what.clone()>
            <th scope="row">{unbroken(&choice.what).into_owned()}</th>
            <td>{reach}</td>
            <td>{disk}</td>
            <td class="second">{unbroken(&choice.then).into_owned()}</td>
            <td>{fix}</td>
        </tr>
    }
    .into_any()
}

/// All logs, for those who do not see the ruler.
pub fn table(desk: Desk, picture: &Picture) -> AnyView {
    let cell = |row: &Row, what: &str| {
        let line = row.reaches.iter().chain(&row.needs).find(|line| line.what == what);
        line.map(|line| match &line.value {
            Value::Figure(figure) => facts::derived(desk, figure),
            _ => ().into_any(),
        })
    };
    let rows: Vec<AnyView> = picture
        .rows
        .iter()
        .map(|row| {
            let enough = match row.enough {
                Some(true) => "yes",
                Some(false) => "no",
                None if row.needed_at.is_some() => "not known",
                None => "nothing is needed of it, or it is not known",
            };
            view! {
                <tr>
                    <th scope="row">{row.name.clone()}</th>
                    <td>{row.role.words()}</td>
                    <td>{cell(row, "At least")}</td>
                    <td>{cell(row, "Typical")}</td>
                    <td>{cell(row, "At most")}</td>
                    <td>{cell(row, "Needed of this log")}</td>
                    <td>{enough}</td>
                </tr>
            }
            .into_any()
        })
        .collect();
    view! {
        <div class="table-scroll" tabindex="0" role="region" aria-label="How far back each log reaches">
            <table class="hops">
                <thead>
                    <tr>
                        <th scope="col">"Log"</th><th scope="col">"What it is"</th><th scope="col">"At least"</th><th scope="col">"Typical"</th>
                        <th scope="col">"At most"</th><th scope="col">"Needed of it"</th><th scope="col">"Enough"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
