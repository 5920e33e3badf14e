//! What a delivery badge means and rests on, for whoever asks on the screen: the lines that `delivery-semantics.md` prints.

use super::{
    blocks::{Block, Inline, Span, line},
    delivery_semantics::{copies, kept, losses, removed},
    desk::Desk,
    writer::Writer,
};
use crate::{
    analysis::{
        delivery::verdict::{Badge, Fewest, Most},
        explain::Missing,
    },
    model::{Design, Id, View},
    rules::Review,
};

/// How a text form is read, for whoever meets one: under the conditions that stand beside it.
pub(crate) const LEGEND: &str = "Copies are the fewest and the most of one event: 0 it may be lost, n it may be repeated, ? not known; a 1 with a * holds only under the condition beside it.";

/// The text form of a badge (`1*..n`) in words: `none lost while a condition holds, repeats possible`. Empty for what is no
/// badge.
#[must_use]
pub fn words(text: &str) -> String {
    let Some((fewest, most)) = text.split_once("..") else { return String::new() };
    let fewest = match fewest {
        "1" => "none lost",
        "1*" => "none lost while a condition holds",
        "0" => "may be lost",
        _ => "loss not known",
    };
    let most = match most {
        "1" => "no repeats",
        "1*" => "repeats removed under a condition",
        "n" => "repeats possible",
        _ => "repeats not known",
    };
    format!("{fewest}, {most}")
}

/// The badge of a consumer or link in a view; none where it has none.
#[must_use]
pub fn of(as_is: &Review, to_be: &Review, view: View, id: &Id) -> Option<Badge> {
    let review = if view == View::AsIs { as_is } else { to_be };
    let consumer = review.consumers.get(id).map(|consumer| &consumer.delivery.badge);
    consumer.or_else(|| review.links.get(id).map(|link| &*link.badge)).cloned()
}

/// What it means, by which mechanism at which hop, and under which conditions.
#[must_use]
pub fn explanation(design: &Design, as_is: &Review, to_be: &Review, view: View, id: &Id) -> Vec<Block> {
    let desk = Desk::new(design, as_is, to_be);
    let mut w = Writer::new(&desk, "delivery-semantics.md", "");
    w.view = view;
    let review = if view == View::AsIs { as_is } else { to_be };
    let badge = of(as_is, to_be, view, id);
    match (review.consumers.get(id), &badge) {
        (Some(consumer), _) => {
            losses(&mut w, &consumer.delivery);
            copies(&mut w, &consumer.delivery);
        }
        (None, Some(badge)) => {
            w.heading(3, "What can be lost");
            kept(&mut w, &badge.fewest);
            w.heading(3, "What can be repeated");
            removed(&mut w, &badge.most);
        }
        (None, None) => w.say("There is no badge here in this view."),
    }
    if let Some(badge) = &badge {
        missing(&mut w, badge);
    }
    w.blocks()
}

fn missing(w: &mut Writer<'_>, badge: &Badge) {
    let fewest = if let Fewest::Unknown(missing) = &badge.fewest { missing.as_slice() } else { &[] };
    let most = if let Most::Unknown(missing) = &badge.most { missing.as_slice() } else { &[] };
    let rest = most.iter().filter(|one| !fewest.contains(one));
    let all: Vec<&Missing> = fewest.iter().chain(rest).collect();
    if !all.is_empty() {
        w.heading(3, "What would have to be known");
        let items = all.into_iter().map(|one| line![w.name(&one.subject), ", ", Span::Absent(one.words())]);
        let items: Vec<Inline> = items.collect();
        w.list(items);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::review;

    #[test]
    fn a_badge_is_said_in_words() {
        for (text, said) in [
            ("1..1", "none lost, no repeats"),
            ("1*..1*", "none lost while a condition holds, repeats removed under a condition"),
            ("0..n", "may be lost, repeats possible"),
            ("?..?", "loss not known, repeats not known"),
            ("", ""),
        ] {
            assert_eq!(words(text), said);
        }
    }

    /// The screen says what the document says, word for word.
    #[test]
    fn the_explanation_stands_in_the_document() {
        let design = crate::codec::decode(crate::catalog::examples()[0].text).unwrap();
        let (as_is, to_be) = (review(&design, View::AsIs), review(&design, View::ToBe));
        let board = Id::new("board").unwrap();
        let documents = crate::documents::document_set(&design, &as_is, &to_be);
        let delivery = documents.iter().find(|one| one.file_name == "delivery-semantics.md").unwrap();
        let printed: Vec<String> = crate::documents::markdown::render(&delivery.blocks).lines().map(bare).collect();
        let said = explanation(&design, &as_is, &to_be, View::ToBe, &board);
        let lines: Vec<String> = crate::documents::markdown::render(&said).lines().map(bare).collect();
        assert!(lines.len() > 10, "{lines:#?}");
        for line in lines {
            assert!(printed.contains(&line), "{line}");
        }
    }

    /// Without the numbers of the appendix, which the screen has no use for.
    fn bare(line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some(at) = rest.find(", N") {
            let digits = rest[at + 3..].chars().take_while(char::is_ascii_digit).count();
            out.push_str(&rest[..at]);
            rest = &rest[at + 3 + digits..];
        }
        out + rest
    }

    #[test]
    fn a_link_says_by_which_mechanism() {
        let design = crate::codec::decode(crate::catalog::examples()[0].text).unwrap();
        let (as_is, to_be) = (review(&design, View::AsIs), review(&design, View::ToBe));
        let text = |id: &str| {
            let said = explanation(&design, &as_is, &to_be, View::ToBe, &Id::new(id).unwrap());
            crate::documents::markdown::render(&said)
        };
        assert!(text("l4").contains("by outbox\\_id") || text("l4").contains("by outbox_id"), "{}", text("l4"));
        assert!(text("l12").contains("What would have to be known"), "{}", text("l12"));
        assert!(text("nowhere").contains("no badge"));
    }
}
