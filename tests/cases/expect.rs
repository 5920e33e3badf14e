//! The words of an expectation, and what comes of a check.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The fields of an expectation; a variant has the same, and `set`: paths into the design with the values they get.
pub struct Expect<'e> {
    pub fields: &'e Map<String, Value>,
}

impl Expect<'_> {
    pub const KNOWN: &'static [&'static str] = &[
        // In a sentence: what happens here.
        "what",
        // The last consumer: whose verdict is meant.
        "consumer",
        // best_effort, at_most_once, at_least_once, suppressed_within, once (effectively, or in one scope), no_claim.
        "guarantee",
        // none (perhaps under conditions), conditional, possible, unknown.
        "loss",
        // none, suppressed, shown, unknown.
        "repeats",
        // exact, over, under, stale, over_or_missing, rows.
        "value",
        // Where loss is worst, where the worst copies are made, and where they would be mended: ids.
        "weakest_loss",
        "weakest_repeats",
        "repair",
        // Order at the consumer: nothing, not_established, per_partition, arrival, per_key, newest, global; and where it
        // ends: an id.
        "order",
        "order_ends",
        // Words of a mechanism in the hop table.
        "mechanism",
        // Names of FAULTS.
        "faults",
        // No finding worse than a note, no halt.
        "quiet",
        // Words of the verdict or of a finding.
        "says",
        // Words that no sentence, finding or document may hold.
        "never_says",
        // Figures with their place in the report, perhaps a term of it, and a value to 1 %: a number, "no bound", or null
        // where it must not be derivable.
        "figures",
        // Where the report behind the case expected something else, and why not.
        "differs",
        // What the report behind the case also tells and no design can.
        "left_out",
        // Checks that do not hold yet, with the reason.
        "not_yet",
        "variants",
        "set",
    ];

    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field).map(|value| value.as_str().unwrap())
    }

    pub fn texts(&self, field: &str) -> Vec<&str> {
        self.fields
            .get(field)
            .map_or(Vec::new(), |value| value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect())
    }

    pub fn table(&self, field: &str) -> BTreeMap<String, String> {
        let entries = self.fields.get(field).map(|value| value.as_object().unwrap());
        entries.into_iter().flatten().map(|(key, text)| (key.clone(), text.as_str().unwrap().to_owned())).collect()
    }
}

/// One check: its name, and what was found where it does not hold.
pub type Check = (String, Result<(), String>);

pub fn check(name: impl Into<String>, expected: &str, found: &str) -> Check {
    (name.into(), if expected == found { Ok(()) } else { Err(format!("expected {expected}, found {found}")) })
}
