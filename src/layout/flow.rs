//! The order of flow: every element after what feeds it, paths kept together, jobs before their operators.

use crate::model::{Design, ElementKind, Id, Port, Subject};
use crate::sorted::{self, SortedMap, SortedSet};

fn is_job(subject: &Subject) -> bool {
    subject.kind() == Some(ElementKind::Job)
}

/// All elements in the order of flow: the order of Tab and of the outline. Cycles are cut where they close.
#[must_use]
pub fn flow_order(design: &Design) -> Vec<Id> {
    let mut after: SortedMap<&Id, Vec<&Id>> = SortedMap::new();
    let mut waiting: SortedMap<&Id, usize> =
        design.elements.iter().filter(|(_, s)| !is_job(s)).map(|(id, _)| (id, 0)).collect();
    for link in design.links.values().filter_map(Subject::as_link) {
        let known = waiting.contains_key(&link.from) && waiting.contains_key(&link.to);
        if known && link.from != link.to && link.port != Some(Port::Reconcile) {
            after.entry(&link.from).or_default().push(&link.to);
            *waiting.entry(&link.to).or_default() += 1;
        }
    }
    let rank = |id: &Id| match design.kind(id) {
        Some(ElementKind::Source) => 0,
        Some(ElementKind::Batch) => 2,
        _ => 1,
    };
    // The last of the stack comes next; batch paths wait at its bottom.
    let mut stack: Vec<&Id> = waiting.iter().filter(|(_, n)| **n == 0).map(|(id, _)| *id).collect();
    sorted::sort_by(&mut stack, |a, b| (rank(b), b).cmp(&(rank(a), a)));
    let (mut order, mut seen) = (Vec::with_capacity(design.elements.len()), SortedSet::new());
    let mut left: SortedSet<&Id> = waiting.keys().copied().collect();
    let mut touched: SortedSet<&Id> = SortedSet::new();
    loop {
        // Nothing is ready and something is left: a cycle. What the flow has reached opens it, else its first element.
        let open = || touched.first().or_else(|| left.first()).copied();
        let Some(next) = stack.pop().or_else(open) else { break };
        if !seen.insert(next) {
            continue;
        }
        left.remove(next);
        touched.remove(next);
        if let Some(job) = design.job_of(next)
            && design.elements.contains_key(job)
            && seen.insert(job)
        {
            order.push(job.clone());
        }
        order.push(next.clone());
        let mut ready = Vec::new();
        for follower in after.get(next).into_iter().flatten() {
            if let Some(n) = waiting.get_mut(follower) {
                *n = n.saturating_sub(1);
                if !seen.contains(follower) {
                    touched.insert(follower);
                    if *n == 0 {
                        ready.push(*follower);
                    }
                }
            }
        }
        let (batch, mut rest): (Vec<_>, Vec<_>) = ready.into_iter().partition(|id| rank(id) == 2);
        let same_job = |id: &Id| design.job_of(id).is_some() && design.job_of(id) == design.job_of(next);
        let leaf = |id: &Id| after.get(id).is_none_or(Vec::is_empty);
        // Popped first: what ends here (side channels), then the next step of the same job, then the way on.
        sorted::sort_by_key(&mut rest, |id| (leaf(id), same_job(id), std::cmp::Reverse(*id)));
        stack.splice(0..0, batch);
        stack.extend(rest);
    }
    order.extend(design.elements.iter().filter(|(id, s)| is_job(s) && !seen.contains(id)).map(|(id, _)| id.clone()));
    order
}

#[cfg(test)]
mod tests {
    use super::super::sample::{checkout, design};
    use super::*;

    fn names(design: &Design) -> String {
        flow_order(design).iter().map(Id::as_str).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_example_reads_like_its_outline() {
        assert_eq!(
            names(&checkout()),
            "checkout_db outbox capture orders revenue dedup orders_dlq sum orders_late revenue_5m rev_jdbc upsert_rows \
             revenue_table board orders_full fct_revenue close"
        );
    }

    #[test]
    fn cycles_and_loose_ends_are_all_there_once() {
        let d = design("channel a, job j, operator o j, channel b, job empty, consumer c", "a o, o b, b o, o a");
        assert_eq!(names(&d), "c a j o b empty");
    }
}
