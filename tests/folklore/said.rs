//! Designs to ask, and everything that is said about them.

use crate::path::{self, From, Job, SHORT, Times};
use pipeline_desk::{
    analysis::{
        delivery::verdict::{CopyClass, DeliveryVerdict, Most},
        explain::Explained,
    },
    codec,
    documents::document_set,
    model::{Design, Id, View},
    rules::{Finding, Review, review},
};
use serde_json::Value;
use std::sync::Arc;

/// A careful design in which no rule has anything to say; everything in it is proposed.
pub const CAREFUL: &str = include_str!("../../src/rules/testing.json");
/// The example that opens in one click.
pub const CHECKOUT: &str = include_str!("../../src/catalog/examples/checkout_revenue.json");

/// A design with its review.
pub struct Asked {
    pub design: Design,
    pub review: Review,
}

pub fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

/// A design with changes: `elements/orders/proposed/partitions` to a value in JSON, `null` removes.
pub fn ask(text: &str, changes: &[(&str, &str)]) -> Asked {
    let mut document: Value = serde_json::from_str(text).unwrap();
    for (path, value) in changes {
        let parts: Vec<&str> = path.split('/').collect();
        let (last, parents) = parts.split_last().unwrap();
        let mut at = &mut document;
        for part in parents {
            at = at.as_object_mut().unwrap().entry(*part).or_insert_with(|| serde_json::json!({}));
        }
        match serde_json::from_str(value).unwrap() {
            Value::Null => assert!(at.as_object_mut().unwrap().remove(*last).is_some(), "{path}"),
            value => drop(at.as_object_mut().unwrap().insert((*last).to_owned(), value)),
        }
    }
    let design = codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{changes:?}: {error}"));
    let review = review(&design, View::ToBe);
    Asked { design, review }
}

pub fn careful(changes: &[(&str, &str)]) -> Asked {
    ask(CAREFUL, changes)
}

/// A straight path with changes; its consumer is `reader`.
pub fn along(from: From, jobs: &[Job], times: &Times, changes: &[(&str, &str)]) -> Asked {
    ask(&path::document(from, jobs, times).0, changes)
}

/// The same with every transaction longer than every outage.
pub fn straight(from: From, jobs: &[Job], changes: &[(&str, &str)]) -> Asked {
    along(from, jobs, &SHORT, changes)
}

impl Asked {
    pub fn verdict(&self, consumer: &str) -> &DeliveryVerdict {
        &self.review.consumers[&id(consumer)].delivery
    }

    pub fn reader(&self) -> &DeliveryVerdict {
        self.verdict("reader")
    }

    /// Do repeats of this class show as rows to the reader of a straight path?
    pub fn repeats(&self, class: CopyClass) -> bool {
        let shows = self.reader().duplicates.iter().any(|copies| copies.class == class);
        assert!(!shows || self.reader().badge.most == Most::Many, "what shows is in the badge");
        shows
    }

    pub fn findings(&self, rule: &str) -> Vec<&Finding> {
        self.review.findings.iter().map(AsRef::as_ref).filter(|finding: &&Finding| finding.rule == rule).collect()
    }

    /// Every line that somebody could read about this design.
    pub fn lines(&self) -> Vec<String> {
        let as_is = review(&self.design, View::AsIs);
        let mut texts: Vec<String> = Vec::new();
        for view in [&as_is, &self.review] {
            for consumer in view.consumers.values() {
                let verdict = &consumer.delivery;
                texts.extend([
                    verdict.sentence.clone(),
                    verdict.consumer_must.words().to_owned(),
                    verdict.scope.clone(),
                ]);
                texts.extend(verdict.why.iter().cloned());
                let rows = verdict.hops.iter();
                texts.extend(rows.flat_map(|row| [row.can_lose(), row.adds(), row.removes(), row.mechanism()]));
            }
            let title = |id: &Id| self.design.title(id);
            texts.extend(view.links.values().flat_map(|link| link.captions.lines(&title)));
            for finding in &view.findings {
                texts.extend([finding.message.clone(), finding.why.to_owned(), finding.remedy.to_string()]);
            }
            for halt in &view.halts {
                texts.extend([halt.action.clone(), halt.consequence.clone(), halt.lifted_by.clone()]);
            }
        }
        let documents = document_set(&self.design, &as_is, &self.review);
        texts.extend(documents.iter().map(|document| document.markdown()));
        texts.iter().flat_map(|text| text.lines()).map(str::to_lowercase).collect()
    }

    /// Lines that hold all of these words.
    pub fn says(&self, words: &[&str]) -> Vec<String> {
        let lines = self.lines().into_iter();
        lines.filter(|line| words.iter().all(|word| line.contains(&word.to_lowercase()))).collect()
    }

    #[track_caller]
    pub fn never_says(&self, words: &[&str]) {
        assert_eq!(self.says(words), Vec::<String>::new(), "{words:?}");
    }

    #[track_caller]
    pub fn does_say(&self, words: &[&str]) {
        assert!(!self.says(words).is_empty(), "nothing says {words:?}");
    }
}

/// A figure that can be derived, to a thousandth.
#[track_caller]
pub fn is(figure: &Arc<Explained>, expected: f64) {
    assert!((figure.value - expected).abs() <= expected.abs() / 1000.0, "{} is not {expected}", figure.value);
}
