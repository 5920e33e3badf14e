//! What a link carries of a design.

use super::Tidy;
use crate::model::{Design, Section};

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
