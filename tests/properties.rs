//! Laws of documents, of edits and of the reviews that follow them, on arbitrary designs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests say what must hold by panicking")]

#[path = "../src/testing.rs"]
#[allow(dead_code, missing_docs, reason = "shared with other tests, which use other parts")]
mod testing;

use pipeline_desk::sorted::SortedSet;
use pipeline_desk::{
    canvas::picture::{Before, Picture, Subjects, picture, picture_after},
    codec::{self, decode, encode, encode_compact, link},
    edit::{CopiedFacts, Draft, History},
    layout::flow_order,
    model::{Design, Element, Id, Json, Shape, Subject, View},
    rules::{Review, Reviewer, review},
};
use proptest::prelude::*;
use std::sync::Arc;
use testing::{Entropy, designs, edit, entropy};

const CHECKOUT: &str = include_str!("../src/catalog/examples/checkout_revenue.json");

/// What comes of bytes from outside: a refusal that says something, or a valid design.
fn opens_or_says_why(text: &str) {
    match decode(text) {
        Ok(design) => assert_eq!(decode(&encode(&design)).unwrap(), design),
        Err(error) => {
            assert!(!error.reason.is_empty());
            assert!(error.problems().len() <= codec::MAX_PROBLEMS);
            assert!(!error.path.is_empty() || error.reason.starts_with("needs an object"), "{error}");
        }
    }
    if let Ok((rest, _)) = codec::salvage(text) {
        assert_eq!(decode(&encode(&rest)).unwrap(), rest);
    }
}

/// What is there today: all that is said of it but what is proposed.
fn today(design: &Design) -> Vec<(Id, String)> {
    let said = |(id, s): (&Id, &Subject)| (id.clone(), format!("{:?}", (&s.shape, &s.name, &s.observed, &s.raw)));
    design.elements.iter().chain(&design.links).filter(|(id, _)| design.visible(View::AsIs, id)).map(said).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_encoded_decodes_to_the_same(design in designs()) {
        let text = encode(&design);
        prop_assert_eq!(&decode(&text).unwrap(), &design);
        prop_assert_eq!(encode(&decode(&text).unwrap()), text.clone());
        prop_assert_eq!(&decode(&encode_compact(&design)).unwrap(), &design);
        prop_assert!(design.size_bound() >= text.len(), "{} < {}", design.size_bound(), text.len());
    }

    #[test]
    fn any_edits_undone_give_the_same_bytes(design in designs(), mut numbers in entropy(200)) {
        let mut edited = design.clone();
        let mut inverses = Vec::new();
        for _ in 0..8 {
            let before = encode(&edited);
            match edited.apply(edit(&mut numbers, &edited)) {
                Ok(inverse) => {
                    let text = encode(&edited);
                    prop_assert_eq!(&decode(&text).unwrap(), &edited, "an edit made an invalid design");
                    inverses.push((inverse, before));
                }
                Err(error) => {
                    prop_assert!(!error.reason.is_empty());
                    prop_assert_eq!(encode(&edited), before);
                }
            }
        }
        for (inverse, before) in inverses.into_iter().rev() {
            edited.apply(inverse).unwrap();
            prop_assert_eq!(encode(&edited), before);
        }
        prop_assert_eq!(edited, design);
    }

    #[test]
    fn a_review_after_edits_is_the_review_of_what_came_of_them(design in designs(), mut numbers in entropy(200)) {
        let (mut edited, mut reviewer) = (Arc::new(design), Reviewer::default());
        for _ in 0..12 {
            for view in [View::AsIs, View::ToBe] {
                prop_assert_eq!(reviewer.review(&edited, view), review(&edited, view));
            }
            let step = edit(&mut numbers, &edited);
            let _ = Arc::make_mut(&mut edited).apply(step);
        }
    }

    #[test]
    fn a_picture_after_another_is_the_picture_of_what_came_of_it(design in designs(), mut numbers in entropy(200)) {
        let (mut edited, mut reviewer) = (Arc::new(design), Reviewer::default());
        let mut before: [Option<(Picture, Review, Option<Review>)>; 3] = Default::default();
        for _ in 0..12 {
            let flow = flow_order(&edited);
            for ((view, both), last) in [(View::AsIs, false), (View::ToBe, false), (View::ToBe, true)].into_iter().zip(&mut before) {
                let now = reviewer.review(&edited, view);
                let was = both.then(|| reviewer.review(&edited, View::AsIs));
                let from = Subjects { design: &edited, view, review: &now, was: was.as_ref(), consumer: now.consumers.keys().next() };
                let kept = last.as_ref().map(|(picture, review, was)| Before { picture, review, was: was.as_ref() });
                let drawn = picture_after(from, &flow, kept);
                prop_assert_eq!(&drawn, &picture(from));
                *last = Some((drawn, now, was));
            }
            let step = edit(&mut numbers, &edited);
            let _ = Arc::make_mut(&mut edited).apply(step);
        }
    }

    #[test]
    fn the_history_leads_back_and_forth_also_after_a_reload(design in designs(), mut numbers in entropy(200)) {
        let (mut edited, mut history) = (design.clone(), History::default());
        for _ in 0..12 {
            let step = edit(&mut numbers, &edited);
            let key = ["drag", "typing"].get(numbers.below(4)).copied();
            let _ = history.apply(&mut edited, step, "Step", key);
        }
        let after = encode(&edited);
        let text = history.to_json();
        let mut history = History::from_json(&text).unwrap();
        prop_assert_eq!(history.to_json(), text);
        while history.undo(&mut edited).unwrap().is_some() {}
        prop_assert_eq!(encode(&edited), encode(&design));
        let mut history = History::from_json(&history.to_json()).unwrap();
        while history.redo(&mut edited).unwrap().is_some() {}
        prop_assert_eq!(encode(&edited), after);
    }

    #[test]
    fn gestures_make_valid_designs_and_can_be_undone(design in designs(), mut numbers in entropy(60)) {
        for gesture in 0..10 {
            let ids: SortedSet<Id> = design.elements.keys().filter(|_| numbers.below(3) == 0).cloned().collect();
            let list: Vec<Id> = ids.iter().cloned().collect();
            let mut draft = Draft::without_history(&design);
            let _ = match gesture {
                0 => draft.delete(&list, false),
                1 => draft.delete(&list, true),
                2 => list.iter().try_for_each(|id| draft.delete_and_join(id).map(drop)),
                3 => draft.duplicate(&ids, (20, 20)).map(drop),
                4 => draft.add(Element::Job, "Group", None).and_then(|job| draft.move_to_job(&ids, &job)).map(drop),
                5 => draft.insert(&design.part(&ids), (5, 5), CopiedFacts::Keep).map(drop),
                6 => draft.insert(&design.part(&ids), (5, 5), CopiedFacts::AsProposal).map(drop),
                7 => list.iter().try_for_each(|id| draft.reshape(id, Shape::Element(Element::Sink))),
                8 => design.links.keys().zip(&list).try_for_each(|(link, end)| draft.split_link(link, end).map(drop)),
                _ => {
                    let ends = list.iter().zip(list.iter().rev());
                    let mut moved = design.links.keys().zip(ends);
                    moved.try_for_each(|(link, (from, to))| draft.replug(link, from, to).map(drop))
                }
            };
            // What is drawn says nothing of what is there today.
            if matches!(gesture, 3 | 4 | 6 | 8 | 9) {
                prop_assert_eq!(today(draft.design()), today(&design));
            }
            if matches!(gesture, 3 | 5 | 6) {
                prop_assert!(list.is_empty() || draft.design().elements.len() > design.elements.len());
            }
            let part = design.part(&ids);
            prop_assert_eq!(&decode(&encode(&part)).unwrap(), &part);
            let built = draft.design().clone();
            prop_assert_eq!(&decode(&encode(&built)).unwrap(), &built);
            let mut edited = design.clone();
            let inverse = edited.apply(draft.finish()).unwrap();
            prop_assert_eq!(&edited, &built);
            edited.apply(inverse).unwrap();
            prop_assert_eq!(&edited, &design);
        }
    }

    #[test]
    fn links_carry_any_design(design in designs()) {
        let fragment = link::encode(&design, link::Flavour::Full, &|_| Default::default());
        prop_assert_eq!(link::decode(&fragment).unwrap().design, design);
    }

    #[test]
    fn no_text_breaks_the_link_door(text in "\\PC{0,200}", tail in "[A-Za-z0-9_.-]{0,80}") {
        let _ = link::decode(&text);
        let _ = link::decode(&format!("#d1.1.{tail}"));
        let _ = History::from_json(&text);
        opens_or_says_why(&text);
    }

    #[test]
    fn flipped_bytes_are_refused_or_legal(at in 0..CHECKOUT.len(), byte in 0x20u8..0x7f, count in 1usize..4) {
        let mut bytes = CHECKOUT.as_bytes().to_vec();
        for n in 0..count {
            let at = (at + n * 977) % bytes.len();
            bytes[at] = byte;
        }
        opens_or_says_why(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn changed_documents_are_refused_with_a_path_or_legal(design in designs(), mut numbers in entropy(40)) {
        let mut json = codec::to_json(&design);
        for _ in 0..=numbers.below(2) {
            mutate(&mut json, &mut numbers);
        }
        opens_or_says_why(&json.to_string());
    }
}

/// Changes one thing at a random place: a key gone, renamed or doubled, a value replaced or nested.
fn mutate(json: &mut Json, numbers: &mut Entropy) {
    match json {
        Json::Object(members) if !members.is_empty() => {
            let at = numbers.below(members.len());
            match numbers.below(8) {
                0 => drop(members.remove(at)),
                1 => members[at].0.push('x'),
                2 => members.push(members[at].clone()),
                3 => members[at].1 = other(numbers),
                _ => mutate(&mut members[at].1, numbers),
            }
        }
        Json::List(items) if !items.is_empty() && numbers.below(2) == 0 => {
            let at = numbers.below(items.len());
            mutate(&mut items[at], numbers);
        }
        value => *value = other(numbers),
    }
}

fn other(numbers: &mut Entropy) -> Json {
    match numbers.below(12) {
        0 => Json::Null,
        1 => Json::Bool(true),
        2 => Json::Number(-1.0),
        3 => Json::Number(1e308),
        4 => Json::Number(0.5),
        5 => Json::text(""),
        6 => Json::text("unset"),
        7 => Json::text("x".repeat(5000)),
        8 => Json::List(vec![Json::Null]),
        9 => (0..40).fold(Json::List(vec![]), |inner, _| Json::List(vec![inner])),
        10 => Json::Object(vec![("x".to_owned(), Json::Number(7.0))]),
        _ => Json::Object(vec![]),
    }
}
