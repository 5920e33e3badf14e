//! Files that nothing in a design can break.

use super::*;

/// Headings, cells and items as a reader of the Markdown finds them.
fn parsed(markdown: &str) -> (usize, usize, usize) {
    let (mut headings, mut cells, mut items) = (0, 0, 0);
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::Heading { .. }) => headings += 1,
            Event::Start(Tag::TableCell) => cells += 1,
            Event::Start(Tag::Item) => items += 1,
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::Rule
            | Event::Start(Tag::Link { .. } | Tag::BlockQuote(_)) => {
                panic!("markup from a name:\n{markdown}")
            }
            _ => {}
        }
    }
    (headings, cells, items)
}

fn counted(blocks: &[Block]) -> (usize, usize, usize) {
    let (mut headings, mut cells, mut items) = (0, 0, 0);
    for block in blocks {
        match block {
            Block::Heading { .. } => headings += 1,
            Block::Table { head, rows } => cells += head.len() * (rows.len() + 1),
            Block::List { items: list, .. } => items += list.len(),
            _ => {}
        }
    }
    (headings, cells, items)
}

/// Everything that must hold for any design at all.
fn sound(design: &Design) {
    for document in documents(design) {
        let markdown = document.markdown();
        assert_eq!(parsed(&markdown), counted(&document.blocks), "{}\n{markdown}", document.file_name);
        for block in &document.blocks {
            if let Block::Table { head, rows } = block {
                assert!(rows.iter().all(|row| row.len() == head.len()), "{}: ragged table", document.file_name);
            }
        }
    }
    let entries = files(design, None);
    assert_eq!(packet_problems(&file(&entries, "data_packet.json")), Vec::<String>::new());
    let svg = file(&entries, "diagram.svg");
    assert!(balanced(&svg), "{svg}");
    let mermaid = file(&entries, "diagram.mmd");
    assert!(
        mermaid.lines().skip(1).all(|line| line == "  end" || line.trim_start().starts_with(['n', 's'])),
        "{mermaid}"
    );
    assert_eq!(zip::write(&entries), zip::write(&files(design, None)));
}

/// Every tag of the picture is opened and closed, and no text opens one.
fn balanced(svg: &str) -> bool {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let Some((tag, text)) = tag.split_once('>') else { return false };
        let name = |tag: &str| tag.split_whitespace().next().unwrap_or_default().to_owned();
        if text.contains('>') || tag.matches('"').count() % 2 != 0 {
            return false;
        }
        if let Some(closed) = tag.strip_prefix('/') {
            if open.pop() != Some(name(closed)) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(name(tag));
        }
    }
    open.is_empty()
}

const NASTY: [&str; 18] = [
    "a | b",
    "`code`",
    "<script>alert(1)</script>",
    "# head",
    "- item\n- item",
    "*x* _y_",
    "[a](http://b)",
    "\"], x --> y",
    "=cmd()|'/c calc'!A1",
    "{\"a\":1}",
    "\\",
    "]]>",
    "&lt;&amp;",
    "end",
    "subgraph",
    "```\ncode\n```",
    "| --- | --- |",
    "\u{202e}x",
];

#[test]
fn no_name_breaks_any_file() {
    for (i, name) in NASTY.into_iter().enumerate() {
        let mut design = checkout();
        rename(&mut design, name, i);
        sound(&design);
    }
}

fn rename(design: &mut Design, name: &str, salt: usize) {
    let change = |subjects: &mut SortedMap<Id, Subject>| {
        for (n, subject) in subjects.values_mut().enumerate() {
            subject.name = Some(format!("{name}{}", if (n + salt).is_multiple_of(3) { "" } else { " x" }).into());
            subject.owner = Some(name.into());
        }
    };
    change(&mut design.elements);
    change(&mut design.events);
    change(&mut design.clusters);
    design.name = Some(name.into());
    design.question = Some(name.into());
    for evidence in design.records.evidence.values_mut() {
        evidence.from = Some(name.into());
    }
    for question in design.records.questions.values_mut() {
        question.text = name.into();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_design_gives_sound_files(design in random_design::any_design()) {
        sound(&design);
    }

    /// Whatever stands in a sentence, also at its start, a name is written as its owner wrote it.
    #[test]
    fn no_sentence_alters_a_name(design in random_design::any_design()) {
        let mut design = design;
        for (n, subject) in design.elements.values_mut().enumerate() {
            subject.name = Some(format!("zq{n} of record").into());
        }
        for view in [View::AsIs, View::ToBe] {
            let review = review(&design, view);
            let verdicts = review.consumers.values().map(|consumer| &consumer.delivery);
            let said = verdicts.flat_map(|d| d.why.iter().chain([&d.sentence, &d.scope]).map(String::as_str).chain([d.consumer_must.words()]));
            let found = review.findings.iter().flat_map(|f| [f.message.as_str(), f.why, &f.remedy]);
            let altered = said.chain(found).find(|text| text.contains("Zq"));
            prop_assert!(altered.is_none(), "{altered:?}");
        }
        for document in documents(&design) {
            let text = document.markdown();
            let altered = text.lines().find(|line| line.contains("Zq"));
            prop_assert!(altered.is_none(), "{}: {altered:?}", document.file_name);
        }
    }
}
