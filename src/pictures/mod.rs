//! Pictures of what the analysis worked out: places and words of everything that is drawn, without a browser.
//!
//! The ruler of a replay ([`ruler`]), the state of an operator ([`state`]), the lag of a group ([`lag`]). Screens draw them,
//! documents print them in letters; both read the same numbers, and each number is the figure of the report itself, so that
//! it explains itself wherever it stands. As the report, they take for not known what a source would have told that could not
//! be reached. What is *not* here: the figures (`analysis`), what a window does (`timeline`).

pub mod chart;
pub mod labels;
pub mod lag;
mod read;
pub mod ruler;
mod scale;
pub mod state;
#[cfg(test)]
mod testing;

use crate::{
    analysis::explain::{Derived, Missing},
    model::{Field, Id},
};

/// A moment or amount on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where, in hundredths of the axis.
    pub at: f64,
    /// `6 h`, `1.5 GB`.
    pub text: String,
}

/// One line of facts beside a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it is.
    pub what: String,
    /// How much.
    pub value: Value,
    /// What it means, or what binds it; empty where the value says it.
    pub how: String,
}

/// What stands on a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A computed figure, or what is missing for it.
    Figure(Derived),
    /// A setting of a subject, known or not.
    Setting(Id, Field),
}

impl Line {
    fn figure(what: impl Into<String>, derived: Derived, how: impl Into<String>) -> Self {
        Self { what: what.into(), value: Value::Figure(derived), how: how.into() }
    }

    fn setting(what: impl Into<String>, id: &Id, field: Field, how: impl Into<String>) -> Self {
        Self { what: what.into(), value: Value::Setting(id.clone(), field), how: how.into() }
    }
}

/// What is missing for these figures, each setting once, in the order in which they stand.
fn missing<'d>(figures: impl IntoIterator<Item = &'d Derived>) -> Vec<Missing> {
    let mut all: Vec<Missing> = Vec::new();
    for missing in figures.into_iter().filter_map(|figure| figure.as_ref().err()).flat_map(|why| why.missing.iter()) {
        if !all.contains(missing) {
            all.push(missing.clone());
        }
    }
    all
}
