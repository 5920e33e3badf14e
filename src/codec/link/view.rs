//! What a link carries of a design.

use super::Tidy;
use crate::model::{Design, Section};
use crate::sorted::SortedSet;

/// How much a link carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// Everything.
    Full,
    /// For looking: without raw product keys, open questions and the text of where evidence came from. Basis, date and
    /// state of evidence stay, so every mark stays true.
    View,
}

/// Rounds in which boxes that tidy would place elsewhere are put back, before all are kept.
const ROUNDS: usize = 4;

/// The design that the link holds.
pub(super) fn to_send(design: &Design, flavour: Flavour, tidy: Tidy<'_>) -> Design {
    let mut sent = design.clone();
    leave_out_boxes(&mut sent, design, tidy);
    if flavour == Flavour::View {
        for section in [Section::Elements, Section::Links, Section::Events, Section::Clusters] {
            sent.section_mut(section).values_mut().for_each(|subject| subject.raw.clear());
        }
        sent.records.evidence.values_mut().for_each(|evidence| evidence.from = None);
        sent.records.questions.clear();
    }
    sent
}

/// The same design without the names of owners and of who said something. Approvals keep theirs: without a name they
/// approve nothing.
#[must_use]
pub fn without_names(design: &Design) -> Design {
    let mut sent = design.clone();
    for section in [Section::Elements, Section::Links, Section::Events, Section::Clusters] {
        sent.section_mut(section).values_mut().for_each(|subject| subject.owner = None);
    }
    sent.records.evidence.values_mut().for_each(|evidence| evidence.by = None);
    sent
}

/// The names that [`without_names`] leaves out, each once.
#[must_use]
pub fn names(design: &Design) -> SortedSet<String> {
    let sections = [Section::Elements, Section::Links, Section::Events, Section::Clusters];
    let owners =
        sections.into_iter().flat_map(|section| design.section(section).values()).filter_map(|s| s.owner.as_ref());
    let said = design.records.evidence.values().filter_map(|evidence| evidence.by.as_ref());
    owners.chain(said).map(ToString::to_string).collect()
}

/// Leaves out the boxes that come back by themselves. Where tidy places one element may depend on where others stand,
/// so what is left out is checked with what is left in.
fn leave_out_boxes(sent: &mut Design, design: &Design, tidy: Tidy<'_>) {
    sent.layout.boxes.clear();
    for _ in 0..ROUNDS {
        let placed = tidy(sent);
        let elsewhere: Vec<_> = design
            .layout
            .boxes
            .iter()
            .filter(|(id, place)| !sent.layout.boxes.contains_key(*id) && placed.get(*id) != Some(*place))
            .map(|(id, place)| (id.clone(), *place))
            .collect();
        if elsewhere.is_empty() {
            return;
        }
        sent.layout.boxes.extend(elsewhere);
    }
    sent.layout.boxes = design.layout.boxes.clone();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Element, Id, Shape, Subject};

    #[test]
    fn names_are_left_out_on_request_and_nothing_else() {
        let mut design = Design::default();
        let mut source = Subject::new(Shape::Element(Element::Source { event: None }));
        source.owner = Some("A. Meyer".into());
        source.name = Some("orders".into());
        design.elements.insert(Id::new("orders").unwrap(), source);
        assert_eq!(names(&design), SortedSet::from(["A. Meyer".to_owned()]));
        let sent = without_names(&design);
        assert!(names(&sent).is_empty());
        let mut back = sent;
        back.elements.values_mut().for_each(|subject| subject.owner = Some("A. Meyer".into()));
        assert_eq!(back, design);
    }
}
