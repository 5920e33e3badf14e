//! Six ways to begin: small complete topologies that are then edited. They are files like any other and are opened
//! through the one door. A pattern proposes only what makes it that pattern; everything else is not stated.

/// A topology to start from.
#[derive(Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Stable id.
    pub id: &'static str,
    /// As shown.
    pub title: &'static str,
    /// What makes it, in a few words.
    pub caption: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! patterns {
    ($($id:literal $title:literal $caption:literal;)*) => {
        &[$(Pattern { id: $id, title: $title, caption: $caption, text: include_str!(concat!("patterns/", $id, ".json")) }),*]
    };
}

static PATTERNS: &[Pattern] = patterns! {
    "change_capture" "Change capture to a keyed table" "outbox, dedup, upsert";
    "windowed_metric" "Windowed metric with late records" "event time, corrections topic";
    "device_alerts" "Device fleet to alerts" "MQTT bridge, per-device count";
    "batch_twin" "Stream with a batch twin" "Connect sink, reconciled daily";
    "lakehouse" "Kafka to lakehouse files" "commit per checkpoint";
    "webhook_intake" "Webhook intake" "durable before answer, retry, dead letters";
};

/// All patterns, in the order in which they are shown.
#[must_use]
pub fn patterns() -> &'static [Pattern] {
    PATTERNS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        codec,
        model::{Lifecycle, View},
    };

    #[test]
    fn every_pattern_is_a_plan_that_opens_and_states_nothing_as_observed() {
        assert_eq!(patterns().len(), 6);
        for pattern in patterns() {
            let design = codec::decode(pattern.text).unwrap_or_else(|error| panic!("{}: {error}", pattern.id));
            assert_eq!(design.name.as_deref(), Some(pattern.title));
            for (id, subject) in design.elements.iter().chain(&design.links) {
                assert!(subject.observed.is_empty(), "{}: {id}", pattern.id);
                assert_eq!(design.lifecycle(id), Lifecycle::Planned, "{}: {id}", pattern.id);
            }
            assert!(design.elements.values().all(|subject| subject.owner.is_none()), "{}", pattern.id);
            let known = |id| design.system(id).is_none_or(|system| crate::catalog::entry(system).is_some());
            assert!(design.elements.keys().all(known), "{}", pattern.id);
        }
    }

    /// Opening and saving changes no byte, of patterns and examples alike.
    #[test]
    fn built_in_files_stand_in_the_form_that_is_saved() {
        let examples = crate::catalog::examples().iter().map(|example| (example.id, example.text));
        for (id, text) in examples.chain(patterns().iter().map(|pattern| (pattern.id, pattern.text))) {
            let design = codec::decode(text).unwrap();
            assert_eq!(codec::encode(&design), text, "{id}");
        }
    }

    #[test]
    fn every_pattern_gives_each_consumer_a_verdict_and_no_halt() {
        for pattern in patterns() {
            let design = codec::decode(pattern.text).unwrap();
            let review = crate::rules::review(&design, View::ToBe);
            assert!(!review.consumers.is_empty(), "{}", pattern.id);
            assert_eq!(review.halts, vec![], "{}", pattern.id);
        }
    }
}
