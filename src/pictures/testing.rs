//! What the tests of all pictures use.

use super::{Line, Value};
use crate::{codec, model::Design};

/// The built-in example "Checkout revenue".
pub fn example() -> Design {
    codec::decode(crate::catalog::examples()[0].text).unwrap()
}

/// What stands on the line of that name.
pub fn text(lines: &[Line], what: &str) -> String {
    let line = lines.iter().find(|line| line.what == what).unwrap_or_else(|| panic!("{what}: {lines:?}"));
    match &line.value {
        Value::Figure(Ok(figure)) => figure.text(),
        Value::Figure(Err(why)) => format!("without {}", why.missing[0].label()),
        Value::Setting(id, field) => format!("{id}.{}", field.name()),
    }
}
