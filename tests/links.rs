//! Share links: what they carry, how long they are, and what is said when one does not open.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests say what must hold by panicking")]

use pipeline_desk::sorted::SortedMap;
use pipeline_desk::{
    codec::{
        decode, encode,
        link::{self, Band, Flavour, LinkError},
    },
    model::{Design, Id, Place},
};

const CHECKOUT: &str = include_str!("../src/catalog/examples/checkout_revenue.json");
const SIGNUP: &str = include_str!("documents/signup_mail.json");

/// A tidy that places nothing: every box is sent.
fn untidy(_: &Design) -> SortedMap<Id, Place> {
    SortedMap::new()
}

fn full(design: &Design) -> String {
    link::encode(design, Flavour::Full, &untidy)
}

/// A link that a program cut behind its first point is refused in words, not passed over as an anchor of the page.
#[test]
fn the_beginning_of_a_link_is_told_from_an_anchor() {
    for text in ["#d1.", "#d1.1.", "https://desk.example/#d1.1.AAAA", "#d9999999.1.a.b"] {
        assert!(link::is_link(text), "{text}");
        assert!(link::decode(text).unwrap_err().to_string().contains("Copy it again whole"), "{text}");
    }
    for text in ["#d", "#d1", "#details.more", "#section-2", ""] {
        assert!(!link::is_link(text), "{text}");
    }
}

/// The wish to edit stands behind the data: the design is the same, and the link of a program that knows no such wish.
#[test]
fn a_link_may_ask_to_be_opened_ready_to_edit() {
    let design = decode(CHECKOUT).unwrap();
    let plain = full(&design);
    let to_edit = format!("https://desk.example/{plain}{}", link::TO_EDIT);
    assert!(!link::asks_to_edit(&plain));
    for text in [to_edit.clone(), format!("{to_edit}."), format!("{to_edit}\n")] {
        assert!(link::asks_to_edit(&text), "{text:?}");
        assert_eq!(link::decode(&text).unwrap().design, design);
    }
    assert!(!link::asks_to_edit("#details&edit"));
}

#[test]
fn a_full_link_carries_everything() {
    for text in [CHECKOUT, SIGNUP] {
        let design = decode(text).unwrap();
        let fragment = full(&design);
        assert!(link::is_link(&fragment));
        let opened = link::decode(&format!("https://desk.example/app/?x=1{fragment}")).unwrap();
        assert_eq!((encode(&opened.design).as_str(), opened.newer), (text, None));
    }
}

/// A link made by the first version. It opens for ever; never edit it.
#[test]
fn the_first_link_ever_made_opens() {
    let opened = link::decode(include_str!("links/v1-dictionary-1.txt")).unwrap();
    assert_eq!(encode(&opened.design), SIGNUP);
}

#[test]
fn a_view_link_leaves_out_what_is_only_text() {
    let design = decode(CHECKOUT).unwrap();
    let sent = link::decode(&link::encode(&design, Flavour::View, &untidy)).unwrap().design;
    assert!(sent.records.questions.is_empty());
    assert!(sent.elements.values().all(|element| element.raw.is_empty()));
    assert!(sent.records.evidence.values().all(|evidence| evidence.from.is_none()));
    assert_eq!(sent.layout, design.layout);
    let strip = |design: &Design| -> Vec<_> {
        design.records.evidence.iter().map(|(id, e)| (id.clone(), e.basis, e.at.clone(), e.state)).collect()
    };
    assert_eq!(strip(&sent), strip(&design));
}

#[test]
fn boxes_that_tidy_places_the_same_are_left_out() {
    let mut design = decode(CHECKOUT).unwrap();
    let tidied = design.layout.boxes.clone();
    let tidy = move |_: &Design| tidied.clone();
    let sent = |design: &Design| link::decode(&link::encode(design, Flavour::Full, &tidy)).unwrap().design.layout.boxes;
    assert!(sent(&design).is_empty());
    let moved = Place { x: 1, y: 2, size: None };
    let orders = Id::new("orders").unwrap();
    design.layout.boxes.insert(orders.clone(), moved);
    assert_eq!(sent(&design), SortedMap::from([(orders, moved)]));
    // A tidy that places everything else by what is fixed: nothing may move.
    let relative = |design: &Design| -> SortedMap<Id, Place> {
        let shift = i32::try_from(design.layout.boxes.len()).unwrap();
        design.elements.keys().map(|id| (id.clone(), Place { x: shift, y: 0, size: None })).collect()
    };
    let fragment = link::encode(&design, Flavour::Full, &relative);
    let opened = link::decode(&fragment).unwrap().design;
    let mut all = relative(&opened);
    all.extend(opened.layout.boxes);
    assert_eq!(all, design.layout.boxes);
}

#[test]
fn a_link_that_does_not_open_says_why() {
    let fragment = full(&decode(SIGNUP).unwrap());
    let data = fragment.rsplit('.').next().unwrap().len();
    let cut = &fragment[..fragment.len() - 40];
    assert_eq!(link::decode(cut), Err(LinkError::CutShort { have: data - 40, of: data }));
    assert_eq!(
        link::decode(cut).unwrap_err().to_string(),
        format!(
            "this link was cut short: {} of {data} characters arrived. Copy it again whole, or ask for the file",
            data - 40
        )
    );
    let cut_in_head = link::decode(&fragment[..8]);
    assert_eq!(cut_in_head, Err(LinkError::NotOurs));
    for (from, to, error) in [
        ("#d1.1.", "#d2.1.", LinkError::NewerCodec(2)),
        ("#d1.1.", "#d1.9.", LinkError::NewerDictionary(9)),
        ("#d1.1.", "#d1.0.", LinkError::NotOurs),
        ("#d1.1.", "#d1.", LinkError::NotOurs),
        ("#d1.1.", "#1.1.", LinkError::NotOurs),
    ] {
        assert_eq!(link::decode(&fragment.replacen(from, to, 1)), Err(error), "{to}");
    }
    assert_eq!(link::decode("https://example.org/#section"), Err(LinkError::NotOurs));
    assert_eq!(link::decode(""), Err(LinkError::NotOurs));
}

#[test]
fn every_changed_character_is_noticed() {
    let fragment = full(&decode(SIGNUP).unwrap());
    let start = fragment.rfind('.').unwrap() + 1;
    let last = fragment.len() - 1;
    for at in start..last {
        let mut bytes = fragment.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let error = link::decode(&String::from_utf8(bytes).unwrap()).unwrap_err();
        assert!(matches!(error, LinkError::Damaged | LinkError::TooLarge), "{at}: {error}");
    }
}

#[test]
fn what_mail_and_chat_do_to_a_link_is_mended() {
    let fragment = full(&decode(SIGNUP).unwrap());
    let (head, tail) = fragment.split_at(300);
    for text in [
        format!("<https://desk.example/{fragment}>"),
        format!("see {head}\r\n{tail}."),
        format!("  {fragment}\n"),
        format!("{head}\u{200b}{tail}"),
        format!("{head}=\n{tail}"),
    ] {
        assert_eq!(encode(&link::decode(&text).unwrap().design), SIGNUP);
    }
}

/// Forty elements with the facts of three commands, as an import yields them.
fn imported(channels: usize) -> Design {
    use std::fmt::Write as _;
    let (mut elements, mut links) = (String::new(), String::new());
    for n in 0..channels {
        let _ = write!(
            elements,
            r#""topic_{n}":{{"kind":"channel","name":"shop.topic-{n}.v{v}","cluster":"kafka","lifecycle":"existing","observed":{{"e1":{{"partitions":{p},"replication_factor":3,"in_sync_replicas":3}},"e2":{{"min_insync_replicas":2,"unclean_leader_election":false,"cleanup_policy":"{c}","retention_time":"{d}d","retention_size":"unlimited","segment_time":"7d","segment_size":"1GiB","max_message_size":"1048588B"}}}}}},"#,
            v = n % 3 + 1,
            p = [3, 6, 12, 24][n % 4],
            c = ["delete", "compact"][usize::from(n % 5 == 0)],
            d = [1, 7, 14, 30][n * 7 % 4],
        );
        let _ = write!(
            elements,
            r#""job_{n}":{{"kind":"job","system":"plain_consumer","lifecycle":"existing"}},"work_{n}":{{"kind":"operator","job":"job_{n}","step":"custom"}},"#
        );
        let _ = write!(
            links,
            r#""l{n}":{{"from":"topic_{n}","to":"work_{n}","observed":{{"e3":{{"group":"service-{n}","members":{m},"lag":{{"0":{a},"1":{b},"2":{c}}}}}}}}},"#,
            m = n % 4 + 1,
            a = n * 37 % 900,
            b = n * 53 % 900,
            c = n * 71 % 900,
        );
    }
    let text = format!(
        r#"{{"format":"streaming-pipeline","version":1,"name":"Import","elements":{{{}}},"links":{{{}}},"clusters":{{"kafka":{{"system":"kafka"}}}},"evidence":{{"e1":{{"basis":"read","from":"kafka-topics.sh --describe","at":"2026-11-30","covers":["topology"]}},"e2":{{"basis":"read","from":"kafka-configs.sh --describe --all","at":"2026-11-30"}},"e3":{{"basis":"read","from":"kafka-consumer-groups.sh --describe --all-groups","at":"2026-11-30","covers":["lag"]}}}}}}"#,
        elements.trim_end_matches(','),
        links.trim_end_matches(',')
    );
    decode(&text).unwrap()
}

/// Lengths by the paper on the format: 2 934 and 2 274 characters for the checkout design, 632 for the sketch, and
/// forty elements with the facts of some commands below 2 000.
#[test]
fn links_are_short() {
    let length = |design: &Design, flavour| link::encode(design, flavour, &untidy).len();
    let (checkout, signup) = (decode(CHECKOUT).unwrap(), decode(SIGNUP).unwrap());
    let imported = imported(14);
    assert_eq!(imported.elements.len(), 42);
    let lengths = [
        ("checkout, full", length(&checkout, Flavour::Full), 2934),
        ("checkout, view", length(&checkout, Flavour::View), 2274),
        ("sketch, full", length(&signup, Flavour::Full), 632),
        ("sketch, view", length(&signup, Flavour::View), 595),
        ("42 elements of three commands", length(&imported, Flavour::Full), 2000),
    ];
    println!("{lengths:?}");
    for (what, length, most) in lengths {
        assert!(length <= most, "{what}: {length}");
    }
    assert_eq!(Band::of(length(&imported, Flavour::Full)), Band::Anywhere);
}
