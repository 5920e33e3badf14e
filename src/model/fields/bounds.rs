//! What can be, within the type of a field: nothing runs on no partition, keeps no copy, or windows over no time.
//!
//! A document that says otherwise is read all the same; who types it is told.

use crate::model::Value;

/// The bounds of one row of the table, beyond those of its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bounds {
    /// Whatever the type holds.
    #[default]
    Type,
    /// At least so many, or as much as that factor.
    AtLeast(u32),
    /// More than nothing.
    AboveZero,
}

impl Bounds {
    /// Can this value be? Of several statistics, each.
    #[must_use]
    pub fn admit(self, value: &Value) -> bool {
        let number = match value {
            Value::Statistics(all) => return all.values().all(|one| self.admit(one)),
            Value::Count(n) => *n as f64,
            Value::Number(n) => *n,
            Value::Duration(time) => time.secs(),
            Value::Size(size) => size.bytes() as f64,
            Value::Rate(rate) => rate.secs(),
            Value::ByteRate(rate) => rate.bytes(),
            _ => return true,
        };
        match self {
            Self::Type => true,
            Self::AtLeast(least) => number >= f64::from(least),
            Self::AboveZero => number > 0.0,
        }
    }
}
