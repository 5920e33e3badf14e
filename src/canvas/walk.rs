//! Walking along links with the keyboard, and what lies up and down the stream.

use super::Scene;
use crate::model::{Design, ElementKind, Id, Port, Subject};
use crate::sorted::{self, SortedMap, SortedSet};

/// A direction of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

fn neighbours<'a>(design: &'a Design, of: &'a Id, back: bool) -> impl Iterator<Item = &'a Id> {
    design.links.values().filter_map(Subject::as_link).filter_map(move |link| {
        let (here, there) = if back { (&link.to, &link.from) } else { (&link.from, &link.to) };
        (here == of && link.port != Some(Port::Reconcile)).then_some(there)
    })
}

/// The next element: along a link to the right or left, to a sibling up or down (of the same feeder or reader), else the
/// nearest that way.
#[must_use]
pub fn walk(design: &Design, scene: &Scene, from: &Id, direction: Direction) -> Option<Id> {
    if let Some(link) = design.links.get(from).and_then(Subject::as_link) {
        return Some(if matches!(direction, Direction::Left | Direction::Up) { &link.from } else { &link.to }.clone());
    }
    let here = scene.get(from)?.centre();
    let near = |id: &Id| scene.get(id).map_or(f64::INFINITY, |rect| rect.centre().distance(here));
    let nearest =
        |ids: &mut dyn Iterator<Item = Id>| ids.min_by(|a, b| near(a).total_cmp(&near(b)).then_with(|| a.cmp(b)));
    match direction {
        // A main output before side outputs: links of a design sort so that the first drawn comes first.
        Direction::Right => {
            let main =
                design.links.values().filter_map(Subject::as_link).filter(|l| l.from == *from && l.port.is_none());
            nearest(&mut main.map(|link| link.to.clone()))
                .or_else(|| nearest(&mut neighbours(design, from, false).cloned()))
        }
        Direction::Left => nearest(&mut neighbours(design, from, true).cloned()),
        Direction::Up | Direction::Down => {
            let beyond = |id: &Id| {
                let y = scene.get(id).map_or(here.y, |rect| rect.centre().y);
                id != from && if direction == Direction::Up { y < here.y - 1.0 } else { y > here.y + 1.0 }
            };
            let mut siblings: SortedSet<Id> = SortedSet::new();
            for back in [true, false] {
                for other in neighbours(design, from, back) {
                    siblings.extend(neighbours(design, other, !back).filter(|id| beyond(id)).cloned());
                }
            }
            let all = scene.keys().filter(|id| design.kind(id) != Some(ElementKind::Job) && beyond(id));
            nearest(&mut siblings.into_iter()).or_else(|| nearest(&mut all.cloned()))
        }
    }
}

/// The next link (or the one before): of an element the first that leaves it, else that enters it; of a link the one after
/// it in the order of flow; of nothing the first of all.
#[must_use]
pub fn next_link(design: &Design, order: &[Id], from: Option<&Id>, back: bool) -> Option<Id> {
    let rank: SortedMap<&Id, usize> = order.iter().enumerate().map(|(at, id)| (id, at)).collect();
    let mut links: Vec<(Option<&usize>, Option<&usize>, &Id)> = design
        .links
        .iter()
        .filter_map(|(id, subject)| Some((id, subject.as_link()?)))
        .map(|(id, link)| (rank.get(&link.from), rank.get(&link.to), id))
        .collect();
    sorted::sort(&mut links);
    let ends = |id: &Id| design.links.get(id).and_then(Subject::as_link).map(|link| (&link.from, &link.to));
    let at = from.and_then(|from| {
        let itself = links.iter().position(|(.., id)| *id == from);
        let leaves = || links.iter().position(|(.., id)| ends(id).is_some_and(|(start, _)| start == from));
        let enters = || links.iter().rposition(|(.., id)| ends(id).is_some_and(|(_, end)| end == from));
        itself
            .map(|at| if back { at + links.len() - 1 } else { at + 1 })
            .or_else(|| if back { enters().or_else(leaves) } else { leaves().or_else(enters) })
    });
    links.get(at.unwrap_or(0) % links.len().max(1)).map(|(.., id)| (*id).clone())
}

/// Everything that comes before (`back`) or behind these elements, themselves included.
#[must_use]
pub fn stream(design: &Design, from: &SortedSet<Id>, back: bool) -> SortedSet<Id> {
    let operators = |id: &Id| design.operators_of(id).map(|(op, _)| op.clone()).collect::<Vec<_>>();
    let mut found: SortedSet<Id> = from.iter().filter(|id| design.elements.contains_key(*id)).cloned().collect();
    let mut open: Vec<Id> = found.iter().flat_map(|id| [operators(id), vec![id.clone()]].concat()).collect();
    while let Some(id) = open.pop() {
        for other in neighbours(design, &id, back) {
            if found.insert(other.clone()) {
                open.push(other.clone());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{places, sample::*};

    #[test]
    fn arrows_follow_links_and_find_siblings() {
        let d = checkout();
        let scene = places(&d);
        let go = |from: &str, direction| walk(&d, &scene, &id(from), direction).map(|id| id.to_string());
        assert_eq!(go("checkout_db", Direction::Right).as_deref(), Some("capture"));
        assert_eq!(go("sum", Direction::Right).as_deref(), Some("revenue_5m"));
        assert_eq!(go("sum", Direction::Left).as_deref(), Some("dedup"));
        assert_eq!(go("sum", Direction::Down).as_deref(), Some("orders_dlq"));
        assert_eq!(go("board", Direction::Right), None);
    }

    #[test]
    fn streams_end_where_the_path_ends() {
        let d = checkout();
        let up = stream(&d, &SortedSet::from([id("orders")]), true);
        assert_eq!(up.iter().map(Id::as_str).collect::<Vec<_>>(), ["capture", "checkout_db", "orders"]);
        assert!(stream(&d, &SortedSet::from([id("revenue")]), false).contains(&id("board")));
    }
}
