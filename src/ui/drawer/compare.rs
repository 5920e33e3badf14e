//! As-is against to-be for one consumer.

use super::super::{marks, store::Desk};
use crate::{
    model::{Id, View},
    rules::Review,
};
use leptos::prelude::*;

/// What changes between as-is and to-be for one consumer; follows once the verdict is drawn.
pub fn table(desk: Desk, id: &Id) -> AnyView {
    let of = id.clone();
    let rows = Memo::new(move |_| {
        let (as_is, to_be) = (desk.settled_review(View::AsIs), desk.settled_review(View::ToBe));
        compared(&of, &as_is, &to_be)
    });
    let id = id.clone();
    let name = Memo::new(move |_| desk.settled.with(|design| design.title(&id)));
    let row = |[what, before, after]: [String; 3]| {
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
        <h3 class="label">"As-is against to-be, " {move || name.get()}</h3>
        <table class="compare">
            <thead class="hidden-text"><tr><th>"What"</th><th>"As-is"</th><th>"To-be"</th></tr></thead>
            <tbody>{move || rows.get().into_iter().map(row).collect::<Vec<AnyView>>()}</tbody>
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
                (Ok(explained), false) => format!("at least {}", explained.text()),
                (Err(_), _) => "not derivable".to_owned(),
            };
            [report.delivery.badge.text(), marks::badge_words(&report.delivery.badge), latency]
        }
        None => [absent(), absent(), absent()],
    };
    let titles = ["copies", "reads as", "latency"];
    let both = of(as_is).into_iter().zip(of(to_be));
    titles.into_iter().zip(both).map(|(what, (before, after))| [what.to_owned(), before, after]).collect()
}
