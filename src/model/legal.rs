//! Which links are legal, and which settings they carry: those of the from-end plus those of the to-end.

use super::{
    fields::Group,
    subject::{ElementKind, Port},
};

/// Why two elements cannot be linked, with what to do instead.
#[must_use]
pub fn refuse_link(from: ElementKind, to: ElementKind, port: Option<Port>, same_job: bool) -> Option<&'static str> {
    use ElementKind as E;
    if port == Some(Port::Reconcile) {
        return ((from, to) != (E::Sink, E::Sink))
            .then_some("A reconciliation compares two sinks. Link it from one sink to the other.");
    }
    if port.is_some() && !matches!(from, E::Operator | E::Batch) {
        return Some("Only an operator or a batch path has a late, dead-letter or side output.");
    }
    match (from, to) {
        (E::Job, _) | (_, E::Job) => Some("A job is a frame. Link its operators."),
        (E::Consumer, _) => Some("A consumer is where a path ends. Draw a source for what it sends on."),
        (_, E::Source) => Some("A source is where events are born. Link from it, not to it."),
        (E::Channel, E::Channel) => Some("A channel cannot follow a channel. Put a job or a bridge between them."),
        (E::Channel, E::Sink) => {
            Some("A channel does not write by itself. Put a job or a connector between it and the sink.")
        }
        (E::Source, E::Consumer) => Some("A consumer reads a channel or a sink. Put one between the source and it."),
        (E::Operator | E::Batch, E::Consumer) => {
            Some("A consumer reads a channel or a sink. Let the job write one first.")
        }
        (E::Sink, E::Sink) => Some("Two sinks are linked only to be compared: use the reconcile port."),
        (E::Sink, E::Channel) => {
            Some("A sink does not write by itself. Put a capturing job between it and the channel.")
        }
        (E::Operator, E::Operator) if !same_job => {
            Some("Operators of two jobs do not hand over directly. Put a channel between the jobs.")
        }
        (E::Operator, E::Batch) | (E::Batch, E::Operator | E::Batch) => {
            Some("A batch path and a job hand over through a channel or a sink.")
        }
        _ => None,
    }
}

/// The groups of settings that a link between these kinds carries, in table order.
#[must_use]
pub fn link_groups(ends: (Option<ElementKind>, Option<ElementKind>), port: Option<Port>) -> Vec<Group> {
    use ElementKind as E;
    let mut groups = vec![Group::Link];
    let (Some(from), Some(to)) = ends else { return groups };
    if port == Some(Port::Reconcile) {
        groups.push(Group::Reconcile);
        return groups;
    }
    match (from, to) {
        (E::Source, _) | (E::Sink, E::Operator | E::Batch) => groups.push(Group::Take),
        (E::Channel, _) => groups.push(Group::Read),
        _ => {}
    }
    match to {
        E::Channel => groups.extend([Group::Write, Group::Produce]),
        E::Sink => groups.extend([Group::Write, Group::Store]),
        _ => {}
    }
    if (from, to) == (E::Operator, E::Operator) {
        groups.push(Group::Flow);
    }
    if from == E::Sink {
        groups.push(Group::Serve);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use ElementKind as E;

    /// The table of section 5 of the format, row by row.
    #[test]
    fn legal_pairs_and_their_groups() {
        let rows: [(E, E, &[Group]); 12] = [
            (E::Source, E::Channel, &[Group::Take, Group::Write, Group::Produce]),
            (E::Source, E::Operator, &[Group::Take]),
            (E::Source, E::Batch, &[Group::Take]),
            (E::Source, E::Sink, &[Group::Take, Group::Write, Group::Store]),
            (E::Channel, E::Operator, &[Group::Read]),
            (E::Channel, E::Batch, &[Group::Read]),
            (E::Channel, E::Consumer, &[Group::Read]),
            (E::Operator, E::Operator, &[Group::Flow]),
            (E::Operator, E::Channel, &[Group::Write, Group::Produce]),
            (E::Batch, E::Sink, &[Group::Write, Group::Store]),
            (E::Sink, E::Operator, &[Group::Take, Group::Serve]),
            (E::Sink, E::Consumer, &[Group::Serve]),
        ];
        for (from, to, groups) in rows {
            assert_eq!(refuse_link(from, to, None, true), None, "{from:?} {to:?}");
            assert_eq!(link_groups((Some(from), Some(to)), None)[1..], *groups, "{from:?} {to:?}");
        }
        let legal = E::ALL
            .into_iter()
            .flat_map(|a| E::ALL.map(|b| (a, b)))
            .filter(|(a, b)| refuse_link(*a, *b, None, true).is_none());
        assert_eq!(legal.count(), 15);
    }
}
