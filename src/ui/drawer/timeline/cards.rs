//! Under the drawing: legend, closed answers, readers, what is taken for granted, and all of it as a table.

use super::{
    super::super::{
        kit::disclosure,
        places, popover,
        store::{Desk, Explains},
    },
    facts,
    plot::glyph,
};
use crate::{
    model::{Id, View, capital},
    timeline::picture::{Mark, Picture, Record},
};
use leptos::prelude::*;

/// All of it.
pub fn cards(desk: Desk, id: &Id, picture: &Picture, other: Option<(View, String)>) -> AnyView {
    view! {
        {legend(picture)}
        <div class="tl-cards">
            {answers(desk, picture, other)}
            {readers(picture)}
            {taken(desk, id, picture)}
        </div>
        {disclosure(desk, "timeline table", "tl-table", "The same as a table".into_any(), table(picture))}
    }
    .into_any()
}

fn legend(picture: &Picture) -> AnyView {
    let there = |mark: &Mark| picture.records.iter().any(|record| record.mark == *mark);
    let marks = Mark::ALL.into_iter().filter(there).map(|mark| {
        view! { <span class="row"><svg class="tl-key" viewBox="-9 -9 26 18" aria-hidden="true">{glyph(mark)}</svg> {mark.words()}</span> }
            .into_any()
    });
    let marks: Vec<AnyView> = marks.collect();
    let swatch = |class: &'static str, words: String| {
        view! { <span class="row"><svg class="tl-key" viewBox="0 0 26 18" aria-hidden="true"><line class=class x1="2" x2="24" y1="9" y2="9" /></svg> {words}</span> }
            .into_any()
    };
    let several = picture.records.iter().any(|record| !record.partitions.is_empty());
    let name = picture.watermark_name;
    let whole = if several { format!("{name} of the operator: the lowest") } else { name.to_owned() };
    view! {
        <div class="tl-legend small second">
            {marks}
            {swatch("tl-mark", whole)}
            {several.then(|| swatch("tl-partition first", format!("{name} of partition 0")))}
            {several.then(|| swatch("tl-partition", format!("{name} of partition 1")))}
            {(!picture.to_scale).then(|| view! { <span>"Not to scale: short stretches are drawn out."</span> })}
            <span>"Arrow keys step through the records."</span>
        </div>
    }
    .into_any()
}

fn answers(desk: Desk, picture: &Picture, other: Option<(View, String)>) -> AnyView {
    let rows: Vec<AnyView> = picture
        .answers
        .iter()
        .map(|answer| {
            view! {
                <div class="fact">
                    <dt>{answer.question}</dt>
                    <dd><span class="value">{answer.answer.clone()}</span> <span class="block small quiet">{answer.how.clone()}</span></dd>
                </div>
            }
            .into_any()
        })
        .collect();
    let terms: Vec<AnyView> = picture
        .terms
        .iter()
        .map(|term| {
            let label = format!("{}: {}. Explain", term.field.label(), term.value);
            let what = Explains::Setting(term.at.clone(), term.field);
            view! {
                <span class="nowrap">{term.field.label()} " " {popover::number(desk, what, label, term.value.clone())} {facts::mark(desk, &term.at, term.field)}</span>
            }
            .into_any()
        })
        .collect();
    let other = other.map(|(view, says)| {
        let name = if view == View::AsIs { "As-is: " } else { "To-be: " };
        view! { <p class="small second" data-timeline-other=""><b>{name}</b> {says}"."</p> }
    });
    view! {
        <section class="tl-card" aria-label="Answers">
            <h3 class="label">"For this window"</h3>
            <dl class="facts">{rows}</dl>
            <p class="row wrap small second">"Made of" {terms}</p>
            {other}
        </section>
    }
    .into_any()
}

fn readers(picture: &Picture) -> AnyView {
    let counters: Vec<AnyView> =
        picture.counters.iter().map(|counter| view! { <p class="mono">{counter.clone()}</p> }.into_any()).collect();
    let none = counters.is_empty().then_some("No counter of this operator shows dropped records.");
    view! {
        <section class="tl-card" aria-label="Readers and counters">
            <h3 class="label">"At the end of this run"</h3>
            <dl class="facts">
                <div class="fact"><dt>"A reader that appends every row"</dt><dd class="value">{picture.appending.clone()}</dd></div>
                <div class="fact"><dt>"A reader that keeps the last row of a key and window"</dt><dd class="value">{picture.upserting.clone()}</dd></div>
            </dl>
            <h3 class="label">"Drop counters"</h3>
            {counters}
            <p class="second">{none}</p>
        </section>
    }
    .into_any()
}

fn taken(desk: Desk, id: &Id, picture: &Picture) -> Option<AnyView> {
    (!picture.taken.is_empty()).then(|| {
        let rows: Vec<AnyView> = picture
            .taken
            .iter()
            .map(|taken| {
                let (id, field) = (id.clone(), taken.field);
                let label = format!("{}: state it", taken.field.label());
                view! {
                    <li><button type="button" class="plain-link" title="Opens the field that would state it" aria-label=label data-states=taken.field.name() on:click=move |_| places::state(desk, &id, field)>{capital(&taken.field.label())}</button> ", not stated: " {taken.what} "."</li>
                }
                .into_any()
            })
            .collect();
        view! {
            <section class="tl-card" aria-label="Taken for granted">
                <h3 class="label">"Taken for granted"</h3>
                <ul class="second tl-taken">{rows}</ul>
            </section>
        }
        .into_any()
    })
}

fn table(picture: &Picture) -> AnyView {
    let several = picture.records.iter().any(|record| record.partition.is_some());
    let row = |(n, record): (usize, &Record)| {
        let then: Vec<&str> = record.then.iter().map(|(_, words)| words.as_str()).collect();
        let partitions: Vec<String> = record
            .partitions
            .iter()
            .map(|of| format!("p{} {}{}", of.partition, of.text, if of.idle { ", idle" } else { "" }))
            .collect();
        view! {
            <tr>
                <th scope="row">{n + 1}</th>
                <td class="mono">{record.time.clone()}</td>
                {several.then(|| view! { <td>{record.partition}</td> })}
                <td>{record.fate.clone()}</td>
                <td>{if then.is_empty() { "nothing".to_owned() } else { then.join("; ") }}</td>
                <td class="mono">{record.watermark.as_ref().map_or_else(|| "none yet".to_owned(), |(_, text)| text.clone())}</td>
                {several.then(|| view! { <td class="mono">{partitions.join(", ")}</td> })}
            </tr>
        }
        .into_any()
    };
    let rows: Vec<AnyView> = picture.records.iter().enumerate().map(row).collect();
    view! {
        <div class="table-scroll" tabindex="0" role="region" aria-label="Records of the timeline">
            <table class="hops">
                <thead>
                    <tr>
                        <th>"Record"</th><th>"Event time"</th>
                        {several.then(|| view! { <th>"Partition"</th> })}
                        <th>"What becomes of it"</th><th>"What follows"</th><th>{capital(picture.watermark_name)}</th>
                        {several.then(|| view! { <th>"By partition"</th> })}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
