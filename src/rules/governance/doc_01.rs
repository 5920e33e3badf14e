use crate::{
    analysis::delivery::verdict::{DeliveryVerdict, Fewest, Label},
    model::{ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, Severity, rule::rule},
};

rule! {
    /// A name or note promises exactly once, no loss or order, and the path does not hold it.
    ///
    /// # Why
    /// Words on a box are what people remember of a drawing. A guarantee belongs to a path, a mechanism and a scope; as a word it is
    /// repeated in tickets and contracts, also after the path has changed.
    ///
    /// # Example
    /// A job is called "exactly-once loader". It writes rows with plain inserts.
    ///
    /// # What to do
    /// Say how and between which points: "upsert on order_id", "two-phase commit up to the topic, readers wait for the commit". Or mend
    /// the path.
    DOC_01 "DOC-01" Error "A promise in words"
    why "the word is believed, and nothing on the path makes it true"
    sources ["Apache Kafka documentation, Design: Message Delivery Semantics", "Saltzer, Reed, Clark: End-to-End Arguments in System Design (1984)"]
    check check, of Design
}

/// What a text promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    Once,
    NoLoss,
    Order,
}

const PHRASES: [(&str, Promise); 17] = [
    ("exactly once", Promise::Once),
    ("exactly-once", Promise::Once),
    ("duplicate-free", Promise::Once),
    ("no duplicates", Promise::Once),
    ("no data loss", Promise::NoLoss),
    ("no message loss", Promise::NoLoss),
    ("zero data loss", Promise::NoLoss),
    ("zero loss", Promise::NoLoss),
    ("lossless", Promise::NoLoss),
    ("loss-free", Promise::NoLoss),
    ("guaranteed delivery", Promise::NoLoss),
    ("delivery guaranteed", Promise::NoLoss),
    ("delivery is guaranteed", Promise::NoLoss),
    ("strictly ordered", Promise::Order),
    ("globally ordered", Promise::Order),
    ("guaranteed order", Promise::Order),
    ("ordering guaranteed", Promise::Order),
];

/// Each phrase holds one of these.
const STEMS: [&[u8; 4]; 5] = [b"exac", b"dupl", b"loss", b"guar", b"dere"];

/// Words that make a sentence a wish, a denial, or the name of a setting.
const NO_PROMISE: [&str; 12] = [
    "not", "cannot", "without", "must", "should", "want", "wants", "goal", "mode", "setting", "support", "supports",
];

/// Beginnings of such words.
const NO_PROMISE_STEMS: [&str; 6] = ["need", "requir", "tolerat", "allow", "acceptab", "checkpoint"];

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let design = context.design;
    let drawn = design.elements.iter().chain(&design.links).map(|(id, subject)| (id, subject, true));
    let described = design.events.iter().chain(&design.clusters).map(|(id, subject)| (id, subject, false));
    let mut found: Vec<Finding> = drawn
        .chain(described)
        .filter_map(|(id, subject, drawn)| {
            let (phrase, promise) = promised(subject).filter(|_| design.visible(context.view, id))?;
            let (sentence, open) = if drawn { broken(context, id, promise)? } else { everywhere(context, promise)?.1 };
            Some(finding(rule, id, &format!("{} says", context.title(id)), phrase, (sentence, open)))
        })
        .collect();
    let of_design = || {
        let (phrase, promise) = promise(design.name.as_deref()?)?;
        let (consumer, against) = everywhere(context, promise)?;
        Some(finding(rule, consumer, "the name of the design says", phrase, against))
    };
    found.extend(of_design());
    found
}

fn finding(rule: &'static Rule, about: &Id, says: &str, phrase: &str, (sentence, open): (String, bool)) -> Finding {
    let message = format!("{says} \"{phrase}\"; {sentence}");
    let finding = rule.finding(&[about], message, "say by which mechanism and between which points, or mend the path");
    // Where facts are missing the words may still come true.
    if open { Finding { severity: Severity::Warning, ..finding } } else { finding }
}

/// What no consumer at all gets: the first of them, what its path gives, and whether that is only not known.
fn everywhere<'a>(context: &Context<'a>, promise: Promise) -> Option<(&'a Id, (String, bool))> {
    if promise == Promise::Order {
        return None;
    }
    let consumers = context.elements(ElementKind::Consumer).filter_map(|(id, _)| Some((id, context.consumer_report(id)?)));
    let mut first = None;
    for (id, report) in consumers {
        let open = against(&report.delivery, promise)?;
        first = first.or_else(|| Some((id, (format!("the path to {} gives: {}", context.title(id), report.delivery.sentence), open))));
    }
    first
}

/// The first promise in the name or the note of a subject.
fn promised(subject: &Subject) -> Option<(&'static str, Promise)> {
    [subject.name.as_deref(), subject.note.as_deref()].into_iter().flatten().find_map(promise)
}

/// The first promise in a text, sentence by sentence.
fn promise(text: &str) -> Option<(&'static str, Promise)> {
    // Four letters of each phrase: most names hold none of them, and are read once.
    let stem = |four: &[u8]| STEMS.iter().any(|stem| four.eq_ignore_ascii_case(*stem));
    if !text.as_bytes().windows(4).any(stem) {
        return None;
    }
    let (phrase, promise) = PHRASES.iter().find(|(phrase, _)| position(text, phrase).is_some())?;
    let at = position(text, phrase)?;
    let starts = text.get(..at)?.rfind(['.', '!', '?', ';', '\n']).map_or(0, |end| end + 1);
    let ends = text.get(at..)?.find(['.', '!', '?', ';', '\n']).map_or(text.len(), |end| at + end + 1);
    let sentence = text.get(starts..ends)?;
    let word = |word: &str| {
        let begins = |stem: &&str| word.get(..stem.len()).is_some_and(|start| start.eq_ignore_ascii_case(stem));
        let is = |other: &&str| word.eq_ignore_ascii_case(other);
        NO_PROMISE.iter().any(is) || NO_PROMISE_STEMS.iter().any(begins) || word.ends_with("n't")
    };
    let none = sentence.ends_with('?') || sentence.split(|c: char| !c.is_alphanumeric() && c != '\'').any(word);
    (!none).then_some((*phrase, *promise))
}

/// Where a phrase of small ASCII letters stands in a text, whatever the case.
fn position(text: &str, phrase: &str) -> Option<usize> {
    let (text, phrase) = (text.as_bytes(), phrase.as_bytes());
    text.windows(phrase.len()).position(|window| window.eq_ignore_ascii_case(phrase))
}

/// What the path gives instead, and whether that is only because facts are missing.
fn broken(context: &Context<'_>, id: &Id, promise: Promise) -> Option<(String, bool)> {
    if promise == Promise::Order {
        return unordered(context, id).map(|sentence| (sentence, false));
    }
    let start = context.subject(id)?.as_link().map_or(context.design.elements.get_key_value(id).map(|(id, _)| id), |link| Some(&link.to))?;
    let reports = context.consumers_behind(start).into_iter().filter_map(|consumer| context.consumer_report(consumer));
    let (verdict, open) = reports.filter_map(|report| Some((&report.delivery, against(&report.delivery, promise)?))).min_by_key(|(_, open)| *open)?;
    Some((format!("its path gives: {}", verdict.sentence), open))
}

/// Does a verdict not hold a promise? If so, is it only not known?
fn against(verdict: &DeliveryVerdict, promise: Promise) -> Option<bool> {
    match (promise, verdict.label, &verdict.badge.fewest) {
        (Promise::Once, Label::NoClaim, _) | (Promise::NoLoss, _, Fewest::Unknown(_)) => Some(true),
        (Promise::Once, label, _) => (label < Label::EffectivelyOnce).then_some(false),
        (_, _, fewest) => matches!(fewest, Fewest::Zero).then_some(false),
    }
}

/// Several partitions at the channel itself, or at the ends of the link: order is kept in each of them only.
fn unordered(context: &Context<'_>, id: &Id) -> Option<String> {
    let ends = match context.subject(id)?.as_link() {
        Some(link) => vec![&link.from, &link.to],
        None => vec![id],
    };
    let several = ends.into_iter().filter(|end| context.kind(end) == Some(ElementKind::Channel)).find_map(|end| {
        let partitions = context.get(end, key::channel::PARTITIONS).filter(|partitions| *partitions > 1)?;
        Some((end, partitions))
    });
    several.map(|(channel, partitions)| format!("{} has {partitions} partitions, and keeps order in each of them only", context.title(channel)))
}

#[cfg(test)]
mod tests {
    use super::{Promise, promise};
    use crate::rules::{Severity, testing::*};

    const APPEND: &[(&str, &str)] = &[("links/l6/proposed/write_mode", "\"append\""), ("elements/table/proposed/unique_keys", "[]")];
    const NAMED: (&str, &str) = ("elements/loader/name", "\"Exactly-once loader\"");

    #[test]
    fn a_promise_that_the_path_breaks_is_found() {
        let finding = fires("DOC-01", &[APPEND, &[NAMED]].concat());
        assert!(finding.message.starts_with("Exactly-once loader says \"exactly-once\"; its path gives:"), "{}", finding.message);
        assert_eq!(finding.severity, Severity::Error);
        let lossy = ("links/l1/proposed/acks", "\"1\"");
        fires("DOC-01", &[lossy, ("elements/orders/note", "\"Raw orders. No data loss: replicated three times.\"")]);
        fires("DOC-01", &[("elements/orders/note", "\"Strictly ordered by time\"")]);
        let name = fires("DOC-01", &[lossy, ("name", "\"Lossless orders\"")]);
        assert!(name.message.starts_with("the name of the design says \"lossless\"; the path to board gives:"));
        fires("DOC-01", &[lossy, ("clusters/kafka/note", "\"Zero data loss.\"")]);
    }

    #[test]
    fn where_facts_are_missing_it_weighs_less() {
        let unknown = ("links/l1/proposed/acks", "null");
        assert_eq!(fires("DOC-01", &[unknown, NAMED]).severity, Severity::Warning);
    }

    #[test]
    fn promises_that_hold_and_plain_words_are_left_alone() {
        silent("DOC-01", &[]);
        // Without the way back of dead letters, which would count again, the path holds.
        let kept = [
            NAMED,
            ("elements/dlq", "null"),
            ("links/l9", "null"),
            ("links/l10", "null"),
            ("elements/dedup/proposed/on_error", "\"fail\""),
            ("elements/dedup/proposed/state_ttl", "\"unlimited\""),
            ("elements/orders/note", "\"No data loss: three replicas\""),
        ];
        silent("DOC-01", &kept);
        silent("DOC-01", &[APPEND, &[("elements/loader/name", "\"Loader\"")]].concat());
        silent("DOC-01", &[("elements/orders/note", "\"Strictly ordered by time\""), ("elements/orders/proposed/partitions", "1")]);
    }

    #[test]
    fn every_phrase_is_reached() {
        for (phrase, _) in super::PHRASES {
            assert!(promise(&phrase.to_uppercase()).is_some(), "{phrase}");
        }
    }

    #[test]
    fn wishes_denials_and_settings_are_no_promises() {
        assert_eq!(promise("Exactly Once billing"), Some(("exactly once", Promise::Once)));
        assert_eq!(promise("Feeds the close. Lossless!"), Some(("lossless", Promise::NoLoss)));
        // A word that begins like a denial is none.
        assert!(promise("Another note: exactly once").is_some());
        for text in [
            "must be exactly once",
            "not exactly once: plain inserts",
            "Is this exactly once?",
            "exactly-once checkpoints every minute",
            "no data loss tolerated",
            "it doesn't give exactly once",
            "exactly once is required",
            "orders, ordered by store",
            "once a day",
            "",
        ] {
            assert_eq!(promise(text), None, "{text}");
        }
    }
}
