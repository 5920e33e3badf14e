//! Built-in designs that open in one click. They are files like any other: whoever opens one decodes it through the
//! one door.

/// A design to look at.
#[derive(Debug, PartialEq, Eq)]
pub struct Example {
    /// Stable id.
    pub id: &'static str,
    /// As shown.
    pub title: &'static str,
    /// What it shows, in a few words.
    pub caption: &'static str,
    /// The file.
    pub text: &'static str,
}

static EXAMPLES: &[Example] = &[Example {
    id: "checkout_revenue",
    title: "Checkout revenue",
    caption: "a live job with its facts, one proposed change, one halt",
    text: include_str!("examples/checkout_revenue.json"),
}];

/// All built-in examples.
#[must_use]
pub fn examples() -> &'static [Example] {
    EXAMPLES
}
