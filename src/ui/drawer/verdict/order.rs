//! In which order events come to a consumer: by which key, from which log and writer, and which hop ends it.

use crate::{
    analysis::order::{Breaker, Order, OrderVerdict},
    model::{Id, capital},
    ui::{
        drawer::shown::{Part, Shown},
        kit::{disclosure, go_to},
        store::Desk,
    },
};
use leptos::prelude::*;

/// The order in a sentence, the hop that ends it, and behind it what every hop does to it.
pub(super) const ORDER: Part = Part {
    same: |one, other, _| {
        one.alike(other, |a, b| a.order == b.order)
            && one.report().is_none_or(|report| one.named_alike(other, named(&report.order).into_iter()))
    },
    draw: |desk, shown, _| match shown.report() {
        Some(report) if !report.order.inputs.is_empty() => order(desk, shown, &report.order),
        _ => ().into_any(),
    },
};

/// Everything that the part calls by name.
fn named(order: &OrderVerdict) -> Vec<&Id> {
    let of = |input| {
        let Order { holder, writer, store, born, breakers, missing, .. }: &Order = input;
        let places = [holder, writer, store, born].into_iter().flatten();
        places.chain(breakers.iter().map(|breaker| &breaker.at)).chain(missing.iter().map(|missing| &missing.subject))
    };
    order.inputs.iter().flat_map(of).collect()
}

fn order(desk: Desk, shown: &Shown, order: &OrderVerdict) -> AnyView {
    let name = |id: &Id| shown.design.title(id);
    let between = (order.inputs.len() > 1).then_some("None between the inputs. ");
    let inputs: Vec<AnyView> = order
        .inputs
        .iter()
        .map(|input| {
            let ends = input.ended_by().map(|breaker| {
                view! { " Ends or narrows at " {go_to(desk, breaker.at.clone(), name(&breaker.at))} }
            });
            view! { <span>{capital(&input.sentence(&name))} "." {ends} " "</span> }.into_any()
        })
        .collect();
    let rows: Vec<AnyView> = order
        .inputs
        .iter()
        .flat_map(|input| {
            let broken = input.breakers.iter().map(|breaker| row(desk, breaker, name(&breaker.at)));
            let open = input.missing.iter().map(|missing| {
                let at = go_to(desk, missing.subject.clone(), name(&missing.subject));
                view! { <li>{missing.words()} ", at " {at}</li> }.into_any()
            });
            broken.chain(open).collect::<Vec<AnyView>>()
        })
        .collect();
    let more = (!rows.is_empty()).then(|| {
        let content = view! { <ul>{rows}</ul> }.into_any();
        disclosure(
            desk,
            &format!("order/{}", shown.id),
            "verdict-more",
            "What each hop does to the order".into_any(),
            content,
        )
    });
    view! {
        <section class="owes second" data-order=order.kind().map(|kind| format!("{kind:?}"))>
            <p><span class="label">"Order "</span> {between} {inputs}</p>
            {more}
        </section>
    }
    .into_any()
}

fn row(desk: Desk, breaker: &Breaker, title: String) -> AnyView {
    let over = breaker.past.then_some(" (over: results are made of these events)");
    view! {
        <li>{go_to(desk, breaker.at.clone(), title)} " " {breaker.words()} {over} ". Mended by " {breaker.mend()} "."</li>
    }
    .into_any()
}
