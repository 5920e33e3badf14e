//! To version 2: fields that version 1 did not have. Nothing that a document of version 1 says changes its meaning.

use super::settings;
use crate::{codec::error::DecodeError, model::Json};

/// Fields that came with version 2. A document of version 1 that holds one was never legal.
const NEW: [&str; 13] = [
    "append_delay",
    "async_capacity",
    "cleanup_interval",
    "compression",
    "deletes_remembered",
    "dirty_ratio",
    "input_time_spread",
    "lag_size",
    "late_firing",
    "offset_mismatch",
    "top",
    "transaction_retention",
    "upload_rate",
];

/// Refuses what version 1 would have refused.
pub(super) fn step(json: &mut Json) -> Result<(), DecodeError> {
    settings::refuse(json, &NEW, 2)
}

#[cfg(test)]
mod tests {
    use crate::codec::{VERSION, decode, encode};

    const BEFORE: &str = include_str!("v2_before.json");
    const AFTER: &str = include_str!("v2_after.json");

    #[test]
    fn a_design_of_version_1_opens_with_all_it_says() {
        let design = decode(BEFORE).unwrap();
        assert_eq!(encode(&design), AFTER.replace("\"version\": 2", &format!("\"version\": {VERSION}")));
        assert_eq!(decode(AFTER).unwrap(), design);
    }

    #[test]
    fn a_new_setting_in_a_design_of_version_1_stays_refused() {
        let with = BEFORE.replace("\"replication_factor\": 3", "\"replication_factor\": 3, \"dirty_ratio\": 0.5");
        let error = decode(&with).unwrap_err().to_string();
        assert!(error.contains("elements.orders.proposed.dirty_ratio"), "{error}");
        assert!(decode(&with.replace("\"version\": 1", "\"version\": 2")).is_ok());
    }
}
