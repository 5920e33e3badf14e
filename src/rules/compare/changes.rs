//! What a design proposes: settings that become others, and what is added and removed.

use crate::{
    model::{Design, Element, Field, Id, Lifecycle, Shape, Subject},
    rules::halt::change::of_subject,
};

/// One proposed change.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A setting becomes another.
    Setting {
        /// Element, link, event or cluster.
        subject: Id,
        /// Which setting.
        field: Field,
        /// `allowed lateness 0 s → 10 min`.
        words: String,
    },
    /// It comes.
    Added(Id),
    /// It goes.
    Removed(Id),
}

impl Change {
    /// What it is about.
    #[must_use]
    pub const fn subject(&self) -> &Id {
        match self {
            Self::Setting { subject, .. } | Self::Added(subject) | Self::Removed(subject) => subject,
        }
    }

    /// In words with the name of what changes: `allowed lateness 0 s → 10 min of sum by store`.
    #[must_use]
    pub fn words(&self, design: &Design) -> String {
        let title = design.title(self.subject());
        match self {
            Self::Setting { words, .. } => format!("{words} of {title}"),
            Self::Added(_) => format!("{title} is added"),
            Self::Removed(_) => format!("{title} is removed"),
        }
    }
}

/// All proposed changes: elements, links, events, clusters, each in id order. What comes or goes with something else (an
/// operator with its job, a link with its ends) is not listed again.
#[must_use]
pub fn changes(design: &Design) -> Vec<Change> {
    let sections = [&design.elements, &design.links, &design.events, &design.clusters];
    let mut all = Vec::new();
    for (id, subject) in sections.into_iter().flatten() {
        match design.lifecycle(id) {
            Lifecycle::Planned if on_its_own(design, subject, Lifecycle::Planned) => {
                all.push(Change::Added(id.clone()))
            }
            Lifecycle::Retiring if on_its_own(design, subject, Lifecycle::Retiring) => {
                all.push(Change::Removed(id.clone()));
            }
            Lifecycle::Existing => all.extend(settings(design, id, subject)),
            Lifecycle::Planned | Lifecycle::Retiring => {}
        }
    }
    all
}

fn on_its_own(design: &Design, subject: &Subject, lifecycle: Lifecycle) -> bool {
    match &subject.shape {
        Shape::Link(link) => ![&link.from, &link.to].into_iter().any(|end| design.lifecycle(end) == lifecycle),
        Shape::Element(Element::Operator { job, .. }) => design.lifecycle(job) != lifecycle,
        _ => true,
    }
}

fn settings(design: &Design, id: &Id, subject: &Subject) -> Vec<Change> {
    let changed = of_subject(design, id, subject).into_iter();
    changed.map(|change| Change::Setting { subject: id.clone(), field: change.field, words: change.words() }).collect()
}
