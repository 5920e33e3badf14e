//! The reference: what the catalogue knows of each system, and the manual page of each rule, as blocks.
//!
//! Nothing is written here that the catalogue or the rule does not say itself. Not here: how it is shown (the shell).

mod manual;
mod system;

use super::{
    blocks::{Block, Inline},
    findings::document_of,
};
use crate::{
    catalog::{self, ENTRIES, Entry, Family},
    rules::{self, RULES, Rule},
    sorted,
};

/// The two parts of the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Part {
    #[default]
    Systems,
    Rules,
}

/// A page in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Catalogue id, or id of the rule.
    pub id: &'static str,
    /// Its name.
    pub title: &'static str,
}

/// Pages under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The heading.
    pub title: &'static str,
    /// The pages.
    pub pages: Vec<Listed>,
}

/// The pages that hold every word of a query, by family; a family without one is left out.
#[must_use]
pub fn list(part: Part, query: &str) -> Vec<Group> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let mut groups = match part {
        Part::Systems => systems(&words),
        Part::Rules => rule_groups(&words),
    };
    groups.retain(|group| !group.pages.is_empty());
    groups
}

fn systems(words: &[String]) -> Vec<Group> {
    let of = |family: Family| {
        let mine = ENTRIES.iter().filter(|entry| entry.family == family && holds(words, &terms(entry)));
        let mut pages: Vec<Listed> = mine.map(|entry| Listed { id: entry.id, title: entry.name }).collect();
        sorted::sort_by_key(&mut pages, |page| page.title.to_lowercase());
        Group { title: family.title(), pages }
    };
    Family::ALL.into_iter().map(of).collect()
}

/// What a system is found by: its names, its roles, the keys of its product.
fn terms(entry: &Entry) -> String {
    let mut all = format!("{} {} {}", entry.id, entry.name, entry.technology);
    for role in entry.roles {
        all.push(' ');
        all.push_str(role.word());
    }
    for default in entry.defaults {
        all.push(' ');
        all.push_str(default.key);
    }
    all.to_lowercase()
}

/// Rules by the document that they speak in.
const FAMILIES: [(&str, &str); 7] = [
    ("delivery-semantics.md", "Delivery"),
    ("windowing-and-lateness.md", "Time and windows"),
    ("state-and-checkpointing.md", "State and checkpoints"),
    ("topic-retention-and-replay.md", "Retention and replay"),
    ("consumer-lag-and-scaling.md", "Lag and scaling"),
    ("stream-batch-reconciliation.md", "Stream against batch"),
    ("streaming-design.md", "Keys, order and the rest"),
];

fn rule_groups(words: &[String]) -> Vec<Group> {
    let found = |rule: &Rule| {
        let text = format!("{} {} {} {}", rule.id, rule.title, rule.why, rule.manual).to_lowercase();
        holds(words, &text)
    };
    let of = |(document, title): (&str, &'static str)| {
        let mine = RULES.iter().filter(|rule| document_of(rule.id) == document && found(rule));
        Group { title, pages: mine.map(|rule| Listed { id: rule.id, title: rule.title }).collect() }
    };
    FAMILIES.into_iter().map(of).collect()
}

fn holds(words: &[String], text: &str) -> bool {
    words.iter().all(|word| text.contains(word.as_str()))
}

/// One page; none where nothing has this id.
#[must_use]
pub fn page(part: Part, id: &str) -> Option<Vec<Block>> {
    match part {
        Part::Systems => catalog::entry(id).map(system::page),
        Part::Rules => rules::rule(id).map(manual::page),
    }
}

fn heading(level: u8, text: impl Into<Inline>) -> Block {
    Block::Heading { level, text: text.into() }
}

fn say(text: impl Into<Inline>) -> Block {
    Block::Paragraph(text.into())
}

fn bullets(items: impl IntoIterator<Item = Inline>) -> Block {
    Block::List { ordered: false, items: items.into_iter().collect() }
}

fn references(all: &[&'static str], into: &mut Vec<Block>) {
    into.push(heading(2, "Where this is written"));
    into.push(bullets(all.iter().map(|one| Inline::from(*one))));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(blocks: &[Block]) -> String {
        super::super::markdown::render(blocks)
    }

    #[test]
    fn every_system_and_every_rule_has_a_page_and_stands_in_one_list() {
        for (part, ids) in [
            (Part::Systems, ENTRIES.iter().map(|entry| entry.id).collect::<Vec<_>>()),
            (Part::Rules, RULES.iter().map(|rule| rule.id).collect()),
        ] {
            let mut listed: Vec<&str> =
                list(part, "").iter().flat_map(|group| group.pages.iter().map(|page| page.id)).collect();
            listed.sort_unstable();
            assert_eq!(listed, ids, "{part:?}");
            assert!(ids.iter().all(|id| page(part, id).is_some()));
            assert_eq!(page(part, "nowhere"), None);
        }
    }

    #[test]
    fn the_search_finds_by_name_role_key_and_text() {
        let ids = |part, query| -> Vec<&str> {
            list(part, query).iter().flat_map(|group| group.pages.iter().map(|page| page.id)).collect()
        };
        assert!(ids(Part::Systems, "postgres").contains(&"postgres"));
        assert!(ids(Part::Systems, "min.insync").contains(&"kafka"));
        assert_eq!(ids(Part::Systems, "apache flink processor"), ["flink"]);
        assert_eq!(ids(Part::Systems, "no such system"), [] as [&str; 0]);
        assert!(ids(Part::Rules, "read_committed").contains(&"DEL-15"));
        assert_eq!(ids(Part::Rules, "del-15"), ["DEL-15"]);
    }

    #[test]
    fn a_page_says_what_the_catalogue_says() {
        let kafka = text(&page(Part::Systems, "kafka").unwrap());
        for said in ["# Apache Kafka", "min.insync.replicas", "Can lose", "KIP-1030", "from 4.0", "kafka-topics.sh"] {
            assert!(kafka.contains(said), "{said}\n{kafka}");
        }
        let mysql = text(&page(Part::Systems, "mysql").unwrap());
        assert!(mysql.contains("deletes, updates that are overwritten between two polls"), "{mysql}");
        for entry in ENTRIES {
            let page = text(&page(Part::Systems, entry.id).unwrap());
            assert_eq!(page.contains("no claim"), !entry.has_capability(), "{}", entry.id);
            assert!(entry.references.iter().all(|one| !one.is_empty()));
        }
    }

    #[test]
    fn a_manual_page_is_its_doc_comment() {
        let blocks = page(Part::Rules, "DEL-15").unwrap();
        let headings: Vec<String> = blocks
            .iter()
            .filter_map(|block| if let Block::Heading { text, .. } = block { Some(text.plain()) } else { None })
            .collect();
        assert_eq!(
            headings,
            ["DEL-15: Aborted results are read", "Why", "Example", "What to do", "Where this is written"]
        );
        let text = text(&blocks);
        assert!(text.contains("`isolation.level=read_committed`") && text.contains("KIP-98"), "{text}");
        assert!(!text.contains("# Why #") && !text.contains("/// "));
    }
}
