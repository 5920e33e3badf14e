//! Rows and captions of a verdict: what they say is put together when somebody reads them.

use super::{Badge, Claim, Condition, CopyClass, LossKind, LossyHop};
use crate::{
    analysis::explain::Missing,
    model::{Basis, Id},
};
use std::sync::Arc;

/// One row of the hop table of a consumer, in flow order.
#[derive(Clone, Debug, PartialEq)]
pub struct HopRow {
    /// Element or link.
    pub at: Id,
    /// What it can lose.
    pub losses: Vec<Arc<LossyHop>>,
    /// Classes of copies that it adds.
    pub added: Vec<CopyClass>,
    /// Classes of copies that it removes.
    pub removed: Vec<CopyClass>,
    /// What works here.
    pub claims: Vec<Arc<Claim>>,
    /// Remarks without a claim: `none: reads uncommitted`.
    pub remarks: Vec<&'static str>,
    /// The badge that it leaves.
    pub leaves: Arc<Badge>,
    /// Weakest basis of the facts it was judged by; `None` where a fact is not known, or none was asked for.
    pub basis: Option<Basis>,
    /// Is a fact that it needs not known? Then what is empty is not nothing.
    pub blind: bool,
    /// Which facts those are.
    pub open: Vec<Missing>,
}

/// The words of a row are put together when somebody reads them: most rows of most reports never are.
impl HopRow {
    /// What it can lose, in words; empty: nothing.
    #[must_use]
    pub fn can_lose(&self) -> String {
        let words = |loss: &Arc<LossyHop>| match &loss.kind {
            LossKind::Possible => loss.cause.to_string(),
            LossKind::Conditional(condition) => format!("{}, unless {}", loss.cause, condition.text),
        };
        self.losses.iter().map(words).collect::<Vec<_>>().join("; ")
    }

    /// What copies it adds, in words; empty: nothing.
    #[must_use]
    pub fn adds(&self) -> String {
        classes(&self.added)
    }

    /// What copies it removes, in words; empty: nothing.
    #[must_use]
    pub fn removes(&self) -> String {
        classes(&self.removed)
    }

    /// The mechanism, in a few words; empty: none.
    #[must_use]
    pub fn mechanism(&self) -> String {
        let claims = self.claims.iter().map(|claim| &*claim.mechanism);
        claims.chain(self.remarks.iter().copied()).collect::<Vec<_>>().join("; ")
    }

    /// Does it lose, add, remove or say anything, or may it by what is not known?
    #[must_use]
    pub const fn acts(&self) -> bool {
        self.blind
            || !(self.losses.is_empty()
                && self.added.is_empty()
                && self.removed.is_empty()
                && self.claims.is_empty()
                && self.remarks.is_empty())
    }
}

/// Each class once, in words.
fn classes(classes: &[CopyClass]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for class in classes {
        if !words.contains(&class.words()) {
            words.push(class.words());
        }
    }
    words.join("; ")
}

/// The lines under a badge, put together when somebody reads them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Captions(pub(in crate::analysis::delivery) Vec<Caption>);

/// What a line under a badge says: what made one of its two cells.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::analysis::delivery) enum Caption {
    /// The mechanism of a claim.
    By(Arc<Claim>),
    /// The condition under which nothing is lost.
    While(Arc<Condition>),
    /// The cause of a loss.
    Loses(Arc<LossyHop>),
    /// Copies that arise here and show.
    Adds(CopyClass),
    /// The fact that nothing can be said without, of this hop or an end of it.
    Open(Missing),
    /// The same, of a hop further up.
    OpenBefore(Missing),
    /// Why nothing is followed here.
    Undrawn(&'static str),
}

impl Captions {
    /// The condition that each line says, where it says one.
    pub fn conditions(&self) -> impl Iterator<Item = Option<&Arc<Condition>>> {
        self.0.iter().map(|caption| if let Caption::While(condition) = caption { Some(condition) } else { None })
    }

    /// As text, line by line, with the titles of what lies further up.
    pub fn lines(&self, title: &dyn Fn(&Id) -> String) -> impl Iterator<Item = String> {
        self.0.iter().map(move |caption| match caption {
            Caption::By(claim) => claim.mechanism.to_string(),
            Caption::While(condition) => format!("while {}", condition.text),
            Caption::Loses(loss) => loss.cause.to_string(),
            Caption::Adds(class) => class.words().to_owned(),
            Caption::Open(missing) => missing.words(),
            Caption::OpenBefore(missing) => {
                format!("{} of {}: {}", missing.label(), title(&missing.subject), missing.state())
            }
            Caption::Undrawn(why) => (*why).to_owned(),
        })
    }
}
