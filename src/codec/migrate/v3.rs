//! To version 3: how long a micro-batch takes. Nothing that a document of version 2 says changes its meaning.

use super::settings;
use crate::{codec::error::DecodeError, model::Json};

/// Settings that came with version 3.
const NEW: [&str; 1] = ["batch_duration"];

/// Refuses what version 2 would have refused.
pub(super) fn step(json: &mut Json) -> Result<(), DecodeError> {
    settings::refuse(json, &NEW, 3)
}

#[cfg(test)]
mod tests {
    use crate::codec::{VERSION, decode, encode};

    const BEFORE: &str = include_str!("v3_before.json");
    const AFTER: &str = include_str!("v3_after.json");

    #[test]
    fn a_design_of_version_2_opens_with_all_it_says() {
        let design = decode(BEFORE).unwrap();
        assert_eq!(encode(&design), AFTER.replace("\"version\": 3", &format!("\"version\": {VERSION}")));
        assert_eq!(decode(AFTER).unwrap(), design);
    }

    #[test]
    fn a_new_setting_in_a_design_of_version_2_stays_refused() {
        let with = BEFORE
            .replace("\"trigger_interval\": \"1min\"", "\"trigger_interval\": \"1min\", \"batch_duration\": \"20s\"");
        let error = decode(&with).unwrap_err().to_string();
        assert!(error.contains("elements.sums.proposed.batch_duration: is a setting of version 3"), "{error}");
        assert!(decode(&with.replace("\"version\": 2", "\"version\": 3")).is_ok());
    }
}
