//! As-is against to-be for one consumer.

use super::super::{
    marks, popover,
    store::{Desk, Explains},
};
use crate::{
    action::{Figure, FigureKind},
    model::{Id, View},
    rules::Review,
};
use leptos::prelude::*;

/// The row whose numbers explain themselves.
const LATENCY: &str = "latency";
const AT_LEAST: &str = "at least ";

/// What changes between as-is and to-be for one consumer; follows once the verdict is drawn.
pub fn table(desk: Desk, id: &Id) -> AnyView {
    let of = id.clone();
    let rows = Memo::new(move |_| {
        let (as_is, to_be) = (desk.settled_review(View::AsIs), desk.settled_review(View::ToBe));
        compared(&of, &as_is, &to_be)
    });
    let (id, figure) = (id.clone(), Figure::new(id.clone(), FigureKind::Latency));
    let name = Memo::new(move |_| desk.settled.with(|design| design.title(&id)));
    let row = move |[what, before, after]: [String; 3]| {
        let changed = before != after;
        let (figure, explains) = (figure.clone(), what == LATENCY);
        let cell = move |side: &str, text: String| {
            if !explains || !text.contains(|c: char| c.is_ascii_digit()) {
                return text.into_any();
            }
            // "at least" is said of the number, which explains itself.
            let (before, number) = match text.strip_prefix(AT_LEAST) {
                Some(number) => (AT_LEAST, number.to_owned()),
                None => ("", text.clone()),
            };
            let label = format!("latency, {side}: {number}. Explain");
            view! { {before} {popover::number(desk, Explains::Figure(figure.clone()), label, number)} }.into_any()
        };
        view! {
            <tr class:changed=changed>
                <th scope="row">{what}</th>
                <td>{cell("as-is", before)}</td>
                <td>{if changed { cell("to-be", after) } else { "unchanged".into_any() }}</td>
            </tr>
        }
        .into_any()
    };
    view! {
        <h3 class="label">"As-is against to-be, " {move || name.get()}</h3>
        <table class="compare">
            <thead class="hidden-text"><tr><th>"What"</th><th>"As-is"</th><th>"To-be"</th></tr></thead>
            <tbody>{move || rows.get().into_iter().map(&row).collect::<Vec<AnyView>>()}</tbody>
        </table>
    }
    .into_any()
}

/// What, before, after.
fn compared(id: &Id, as_is: &Review, to_be: &Review) -> Vec<[String; 3]> {
    let absent = || "not there".to_owned();
    let of = |review: &Review| match review.consumers.get(id) {
        Some(report) => {
            let latency = match (&report.latency, report.latency_open.is_empty()) {
                (Ok(explained), true) => explained.text(),
                (Ok(explained), false) => format!("{AT_LEAST}{}", explained.text()),
                (Err(_), _) => "not derivable".to_owned(),
            };
            [report.delivery.badge.text(), marks::badge_words(&report.delivery.badge), latency]
        }
        None => [absent(), absent(), absent()],
    };
    let titles = ["copies", "reads as", LATENCY];
    let both = of(as_is).into_iter().zip(of(to_be));
    titles.into_iter().zip(both).map(|(what, (before, after))| [what.to_owned(), before, after]).collect()
}
