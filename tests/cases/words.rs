//! What is said of a case, and what must not be.

use crate::expect::{Check, Expect};
use pipeline_desk::{
    documents::document_set,
    model::{Design, Id, View},
    rules::{Review, review},
};

/// Everything that is said about a design to its consumers, its makers and the readers of its documents.
fn said(design: &Design, review_: &Review) -> Vec<String> {
    let mut texts = Vec::new();
    let title = |id: &Id| design.title(id);
    for consumer in review_.report.consumers.values() {
        let verdict = &consumer.delivery;
        texts.extend([verdict.sentence.clone(), verdict.consumer_must.words().to_owned(), verdict.scope.clone()]);
        texts.extend(verdict.why.iter().cloned());
        texts.extend(consumer.order.inputs.iter().map(|input| input.sentence(&|id| id.to_string())));
        texts.extend(verdict.hops.iter().flat_map(|row| [row.can_lose(), row.adds(), row.removes(), row.mechanism()]));
    }
    texts.extend(review_.report.links.values().flat_map(|link| link.captions.lines(&title)));
    for finding in &review_.findings {
        texts.extend([finding.message.clone(), finding.why.to_owned(), finding.remedy.to_string()]);
        texts.extend(finding.fix.iter().map(|fix| fix.label.clone()));
    }
    for halt in &review_.halts {
        texts.extend([halt.action.clone(), halt.consequence.clone(), halt.lifted_by.clone()]);
    }
    let as_is = review(design, View::AsIs);
    texts.extend(document_set(design, &as_is, review_).iter().map(|document| document.markdown()));
    texts
}

pub fn word_checks(expect: &Expect<'_>, design: &Design, review: &Review) -> Vec<Check> {
    let texts: Vec<String> = said(design, review).iter().map(|text| text.to_lowercase()).collect();
    let says = expect.texts("says").into_iter().map(|words| {
        let stands = texts.iter().any(|text| text.contains(&words.to_lowercase()));
        (format!("says {words}"), if stands { Ok(()) } else { Err("nothing says so".to_owned()) })
    });
    let never = expect.texts("never_says").into_iter().map(|words| {
        let words = words.to_lowercase();
        let line = texts.iter().flat_map(|text| text.lines()).find(|line| line.contains(&words));
        (format!("never says {words}"), line.map_or(Ok(()), |line| Err(line.to_owned())))
    });
    says.chain(never).collect()
}
