//! What a rule is, and the macro that makes its doc comment its manual page.

use std::borrow::Cow;

use super::{Context, Finding, Fix, Severity};
use crate::{
    edit::Edit,
    model::{FieldValue, Id, Key, Slot},
};

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Stable id: `DEL-15`.
    pub id: &'static str,
    /// How bad what it finds is, before a critical consumer raises it.
    pub severity: Severity,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// Why it matters, in one line.
    pub why: &'static str,
    /// Its manual page in Markdown: what it finds, why, an example, what to do.
    pub manual: &'static str,
    /// Public references.
    pub sources: &'static [&'static str],
    /// What it has to see.
    pub scope: Scope,
    /// What it finds in a design and its report.
    pub check: fn(&'static Rule, &Context<'_>) -> Vec<Finding>,
}

/// What a rule has to see. Parts of a design that nothing joins may be shown to a rule one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// What is joined to the place that it speaks of.
    Part,
    /// All of the design: it counts, compares places that nothing joins, or follows what people planned and decided.
    Design,
}

impl Rule {
    /// A finding of this rule; the first of `about` is where it is shown.
    pub(super) fn finding(
        &'static self,
        about: &[&Id],
        message: String,
        remedy: impl Into<Cow<'static, str>>,
    ) -> Finding {
        Finding {
            rule: self.id,
            severity: self.severity,
            about: about.iter().map(|id| (*id).clone()).collect(),
            message,
            why: self.why,
            remedy: remedy.into(),
            fix: None,
            accepted: None,
        }
    }
}

impl Finding {
    /// The same finding with a change that proposes its remedy.
    pub(super) fn fixed_by(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }
}

/// A change that proposes one value.
pub(super) fn propose<T: FieldValue>(label: &str, subject: &Id, key: Key<T>, value: T) -> Fix {
    let edit = Edit::Set {
        subject: subject.clone(),
        slot: Slot::Proposed,
        field: key.field(),
        value: Some(value.into_value()),
    };
    Fix { label: label.to_owned(), edit }
}

/// A rule whose doc comment is its manual page.
macro_rules! rule {
    (
        $(#[doc = $line:literal])+
        $name:ident $id:literal $severity:ident $title:literal
        why $why:literal
        sources [$($source:literal),+ $(,)?]
        check $check:expr $(, of $scope:ident)?
    ) => {
        $(#[doc = $line])+
        pub(in crate::rules) static $name: $crate::rules::Rule = $crate::rules::Rule {
            id: $id,
            severity: $crate::rules::Severity::$severity,
            title: $title,
            why: $why,
            manual: concat!($($line, "\n"),+),
            sources: &[$($source),+],
            scope: $crate::rules::rule::rule!(@scope $($scope)?),
            check: $check,
        };
    };
    (@scope) => { $crate::rules::Scope::Part };
    (@scope $scope:ident) => { $crate::rules::Scope::$scope };
}
pub(super) use rule;
