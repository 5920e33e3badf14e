//! A design in one view as a graph with indexes: what is visible, what flows into what, and in which order.
//!
//! Built once per analysis, in time linear in elements and links. Cycles are cut so that the rest has an order: at the
//! readers of a retry channel, else at a link that what the loop is made of picks, with a flag. Of ways beside each other
//! the titles say which is walked first, so that no id decides what is said of them. Comparisons between two sinks are no
//! flow. Not here: what flows (`delivery`), numbers (`figures`).

mod cycles;
mod lists;
mod nearest;

use crate::{
    catalog::{self, Entry},
    model::{
        AllSettings, Design, Element, ElementKind, Fact, Field, FieldValue, Hashed, Id, Key, Known, Lifecycle, Link,
        Numbers, Port, Settings, Shape, Subject, View,
    },
    sorted,
};
use cycles::{cut_retries, order};
pub(crate) use lists::Lists;
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

/// An element or a link of the graph, by number: elements first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u32);

impl Place {
    /// The number, for a table with one entry a place.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A visible element.
#[derive(Debug)]
pub struct Node<'d> {
    /// Its id.
    pub id: &'d Id,
    /// Its settings.
    pub subject: &'d Subject,
    /// What it stands for.
    pub element: &'d Element,
    /// The job that it belongs to, where it is an operator and the job is visible.
    pub job: Option<usize>,
    /// What is known of its system; of an operator, of its job's.
    pub entry: Option<&'static Entry>,
    lifecycle: Lifecycle,
}

impl Node<'_> {
    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> ElementKind {
        self.element.kind()
    }
}

/// Why a link is left out of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// It is not.
    No,
    /// It reads a retry channel that this path feeds.
    Retry,
    /// It closes a cycle that has no retry channel.
    Loop,
}

/// A visible link between two visible elements.
#[derive(Debug)]
pub struct Edge<'d> {
    /// Its id.
    pub id: &'d Id,
    /// Its settings.
    pub subject: &'d Subject,
    /// Its port and input.
    pub link: &'d Link,
    /// Number of the element it leaves.
    pub from: usize,
    /// Number of the element it enters.
    pub to: usize,
    /// Is it left out of the order?
    pub cut: Cut,
}

/// A design in one view.
#[derive(Debug)]
pub struct Graph<'d> {
    /// The design.
    pub design: &'d Design,
    /// The view.
    pub view: View,
    /// Visible elements in id order.
    pub nodes: Vec<Node<'d>>,
    /// Visible links in id order, without comparisons.
    pub edges: Vec<Edge<'d>>,
    /// Numbers of the elements in flow order.
    pub order: Vec<usize>,
    outs: Lists,
    ins: Lists,
    flow: Vec<u32>,
    /// Visible comparisons between two sinks, in id order: no flow.
    pub comparisons: Vec<Edge<'d>>,
    index: Numbers<'d>,
    settings: AllSettings<'d>,
}

impl<'d> Graph<'d> {
    /// Indexes a design.
    #[must_use]
    pub fn new(design: &'d Design, view: View) -> Self {
        let (nodes, mut index) = nodes(design, view);
        let (mut edges, comparisons) = edges(design, view, &nodes, &index);
        let ends = |end: fn(&Edge<'_>) -> usize| Lists::of(nodes.len(), &edges.iter().map(end).collect::<Vec<_>>());
        let (mut outs, mut ins) = (ends(|edge| edge.from), ends(|edge| edge.to));
        let title = |node: usize| title(&nodes[node]);
        outs.arrange(|a, b| {
            let (a, b) = (&edges[a], &edges[b]);
            let same = || (a.link.port, a.link.into).cmp(&(b.link.port, b.link.into));
            title(a.to).cmp(title(b.to)).then_with(same)
        });
        cut_retries(&nodes, &outs, &mut edges);
        let order = order(&nodes, (&outs, &ins), &mut edges);
        let mut flow = vec![0; nodes.len() + edges.len()];
        let places = order
            .iter()
            .flat_map(|node| std::iter::once(*node).chain(outs.at(*node).iter().map(|edge| nodes.len() + edge)));
        for (number, place) in (0..).zip(places) {
            flow[place] = number;
        }
        ins.arrange(|a, b| flow[nodes.len() + a].cmp(&flow[nodes.len() + b]));
        let mut settings = AllSettings::new(design, view, nodes.len() + edges.len());
        for node in &nodes {
            settings.add(node.id, node.subject);
        }
        for (number, edge) in edges.iter().enumerate() {
            settings.add(edge.id, edge.subject);
            index.insert(edge.id, nodes.len() + number);
        }
        Self { design, view, nodes, edges, order, outs, ins, flow, comparisons, index, settings }
    }

    /// The place of an element.
    #[must_use]
    pub fn node_place(&self, node: usize) -> Place {
        Place(u32::try_from(node).unwrap_or(u32::MAX))
    }

    /// The place of a link.
    #[must_use]
    pub fn edge_place(&self, edge: usize) -> Place {
        Place(u32::try_from(self.nodes.len() + edge).unwrap_or(u32::MAX))
    }

    /// How many places there are.
    #[must_use]
    pub fn places(&self) -> usize {
        self.nodes.len() + self.edges.len()
    }

    /// The id of a place.
    #[must_use]
    pub fn id(&self, place: Place) -> &'d Id {
        let at = place.index();
        if at < self.nodes.len() { self.nodes[at].id } else { self.edges[at - self.nodes.len()].id }
    }

    /// The name of a place as people see it.
    #[must_use]
    pub fn title(&self, place: Place) -> Cow<'d, str> {
        let at = place.index();
        if at < self.nodes.len() {
            return self.name(at).into();
        }
        let edge = &self.edges[at - self.nodes.len()];
        [self.name(edge.from), self.name(edge.to)].join(" → ").into()
    }

    fn name(&self, node: usize) -> &'d str {
        title(&self.nodes[node])
    }

    /// Sorts places in flow order: an element, then the links that leave it.
    #[must_use]
    pub fn flow_key(&self, place: Place) -> u32 {
        self.flow[place.index()]
    }

    /// These places in flow order.
    #[must_use]
    pub(crate) fn in_flow(&self, places: &[Place]) -> Vec<Place> {
        let mut places = places.to_vec();
        sorted::sort_by_number(&mut places, |place| self.flow_key(*place).into());
        places
    }

    /// The value of a setting of a place, with its basis and source.
    #[must_use]
    pub fn known<T: FieldValue>(&self, place: Place, key: Key<T>) -> Known<T> {
        self.settings(place).get(key)
    }

    /// All settings of a place.
    #[inline]
    pub(crate) fn settings(&self, place: Place) -> Settings<'_> {
        self.settings.at(place.index())
    }

    /// May a place have this setting, by a look at a mask?
    #[inline]
    pub(crate) fn may_hold(&self, place: Place, field: Field) -> bool {
        self.settings.may_hold(place.index(), field)
    }

    /// The place of an element or link that it holds; not of comparisons.
    #[inline]
    #[must_use]
    pub fn place(&self, id: &Id) -> Option<Place> {
        self.index.get(id).map(|at| Place(u32::try_from(at).unwrap_or(u32::MAX)))
    }

    /// The element at a place, or the one that its link enters.
    #[must_use]
    pub fn end(&self, place: Place) -> usize {
        let at = place.index();
        if at < self.nodes.len() { at } else { self.edges[at - self.nodes.len()].to }
    }

    /// What stands at a place.
    #[must_use]
    pub fn subject(&self, place: Place) -> &'d Subject {
        let at = place.index();
        if at < self.nodes.len() { self.nodes[at].subject } else { self.edges[at - self.nodes.len()].subject }
    }

    /// The value of a setting of a place, where there is one.
    #[must_use]
    pub fn fact<T: FieldValue>(&self, place: Place, key: Key<T>) -> Option<Fact<T>> {
        self.known(place, key).fact()
    }

    /// The node of an element that is visible.
    #[inline]
    #[must_use]
    pub fn find(&self, id: &Id) -> Option<usize> {
        self.index.get(id).filter(|at| *at < self.nodes.len())
    }

    /// Links that leave a node, by the titles of where they lead.
    #[inline]
    #[must_use]
    pub fn outs(&self, node: usize) -> &[usize] {
        self.outs.at(node)
    }

    /// Links that enter a node, in flow order.
    #[inline]
    #[must_use]
    pub fn ins(&self, node: usize) -> &[usize] {
        self.ins.at(node)
    }

    /// Links that leave a node in the order of the walk, without those that are cut.
    pub fn flows_out(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.outs(node).iter().copied().filter(|edge| self.edges[*edge].cut == Cut::No)
    }

    /// Links that enter a node, without those that are cut.
    pub fn flows_in(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.ins(node).iter().copied().filter(|edge| self.edges[*edge].cut == Cut::No)
    }

    /// Does what is at one place, or leaves it, come to another? To a link comes what its from-end has.
    #[must_use]
    pub(crate) fn leads(&self, from: Place, to: Place) -> bool {
        if from == to {
            return true;
        }
        let to = to.index().checked_sub(self.nodes.len()).map_or(to.index(), |edge| self.edges[edge].from);
        let (mut seen, mut next) = (vec![false; self.nodes.len()], vec![self.end(from)]);
        while let Some(node) = next.pop() {
            if node == to {
                return true;
            }
            if !std::mem::replace(&mut seen[node], true) {
                next.extend(self.outs(node).iter().map(|edge| self.edges[*edge].to));
            }
        }
        false
    }

    /// Goes against the flow from a node, beyond each element once. `beyond` is shown every link on the way, and says
    /// whether to go on behind it.
    pub fn upstream(&self, node: usize, mut beyond: impl FnMut(usize) -> bool) {
        let (mut seen, mut open) = (HashSet::<usize, Hashed>::default(), vec![node]);
        while let Some(at) = open.pop() {
            for edge in self.flows_in(at) {
                let from = self.edges[edge].from;
                // What one link leaves is come to once, as nothing flows in a circle; so most ways take no set.
                if beyond(edge) && (self.outs(from).len() < 2 || seen.insert(from)) {
                    open.push(from);
                }
            }
        }
    }
}

fn title<'d>(node: &Node<'d>) -> &'d str {
    node.subject.name.as_deref().unwrap_or(node.id.as_str())
}

fn nodes(design: &Design, view: View) -> (Vec<Node<'_>>, Numbers<'_>) {
    let shown = |lifecycle: Lifecycle| {
        !matches!((view, lifecycle), (View::AsIs, Lifecycle::Planned) | (View::ToBe, Lifecycle::Retiring))
    };
    let jobs: HashMap<&Id, &Subject, Hashed> =
        design.elements.iter().filter(|(_, subject)| subject.kind() == Some(ElementKind::Job)).collect();
    let mut nodes = Vec::with_capacity(design.elements.len());
    let mut index = Numbers::with_room(design.elements.len() + design.links.len());
    for (id, subject) in &design.elements {
        let Shape::Element(element) = &subject.shape else { continue };
        let owner = match element {
            Element::Operator { job, .. } => jobs.get(job).copied(),
            _ => None,
        };
        let lifecycle = subject.lifecycle.or(owner.and_then(|job| job.lifecycle)).unwrap_or(Lifecycle::Planned);
        if !shown(lifecycle) {
            continue;
        }
        index.insert(id, nodes.len());
        let named = if matches!(element, Element::Operator { .. }) { owner } else { Some(subject) };
        let entry = named.and_then(|subject| system(design, subject)).and_then(catalog::entry);
        nodes.push(Node { id, subject, element, job: None, entry, lifecycle });
    }
    for node in &mut nodes {
        if let Element::Operator { job, .. } = node.element {
            node.job = index.get(job);
        }
    }
    (nodes, index)
}

fn system<'d>(design: &'d Design, subject: &'d Subject) -> Option<&'d str> {
    let own = subject.system.as_ref();
    own.or_else(|| design.clusters.get(subject.cluster.as_ref()?)?.system.as_ref()).map(AsRef::as_ref)
}

/// Visible links, those that are a flow and those that are not.
fn edges<'d>(
    design: &'d Design,
    view: View,
    nodes: &[Node<'d>],
    index: &Numbers<'d>,
) -> (Vec<Edge<'d>>, Vec<Edge<'d>>) {
    let edge = |(id, subject): (&'d Id, &'d Subject)| {
        let Shape::Link(link) = &subject.shape else { return None };
        let (from, to) = (index.get(&link.from)?, index.get(&link.to)?);
        let lifecycle = subject.lifecycle.unwrap_or_else(|| nodes[from].lifecycle.min(nodes[to].lifecycle));
        let hidden = matches!((view, lifecycle), (View::AsIs, Lifecycle::Planned) | (View::ToBe, Lifecycle::Retiring));
        (!hidden).then_some(Edge { id, subject, link, from, to, cut: Cut::No })
    };
    let (mut flows, mut comparisons) = (Vec::with_capacity(design.links.len()), Vec::new());
    for edge in design.links.iter().filter_map(edge) {
        let list = if edge.link.port == Some(Port::Reconcile) { &mut comparisons } else { &mut flows };
        list.push(edge);
    }
    (flows, comparisons)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec;

    fn design(channels: &[(&str, &str)], links: &[(&str, &str)]) -> Design {
        let operator = |id: &str| format!(r#""{id}": {{"kind": "operator", "job": "j", "step": "map"}}"#);
        let mut elements = vec![r#""j": {"kind": "job"}"#.to_owned(), r#""src": {"kind": "source"}"#.to_owned()];
        elements.extend(["a", "b"].map(operator));
        elements.extend(channels.iter().map(|(id, role)| format!(r#""{id}": {{"kind": "channel"{role}}}"#)));
        let links: Vec<String> = links
            .iter()
            .enumerate()
            .map(|(number, (from, to))| format!(r#""l{number}": {{"from": "{from}", "to": "{to}"}}"#))
            .collect();
        let text = format!(
            r#"{{"format": "streaming-pipeline", "version": 1, "elements": {{{}}}, "links": {{{}}}}}"#,
            elements.join(","),
            links.join(",")
        );
        codec::decode(&text).unwrap()
    }

    fn cuts(graph: &Graph<'_>) -> Vec<(&'static str, String)> {
        let word = |cut| if cut == Cut::Retry { "retry" } else { "loop" };
        let cut = graph.edges.iter().filter(|edge| edge.cut != Cut::No);
        cut.map(|edge| (word(edge.cut), edge.id.to_string())).collect()
    }

    #[test]
    fn elements_stand_behind_what_flows_into_them() {
        let design = design(&[("t", ""), ("u", "")], &[("src", "t"), ("t", "a"), ("a", "u"), ("u", "b")]);
        let graph = Graph::new(&design, View::ToBe);
        let flow: Vec<&str> =
            graph.order.iter().map(|node| graph.nodes[*node].id.as_str()).filter(|id| *id != "j").collect();
        assert_eq!(flow, ["src", "t", "a", "u", "b"]);
        assert!(cuts(&graph).is_empty());
        assert!(Graph::new(&design, View::AsIs).nodes.is_empty(), "all of it is planned");
    }

    #[test]
    fn a_retry_channel_is_cut_at_its_reader() {
        let links = [("src", "t"), ("t", "a"), ("a", "again"), ("again", "a")];
        let retry = design(&[("t", ""), ("again", r#", "role": "retry""#)], &links);
        assert_eq!(cuts(&Graph::new(&retry, View::ToBe)), [("retry", "l3".to_owned())]);
        let plain = design(&[("t", ""), ("again", "")], &links);
        assert_eq!(cuts(&Graph::new(&plain, View::ToBe)), [("loop", "l3".to_owned())]);
    }

    #[test]
    fn a_retry_channel_of_another_path_is_not_cut() {
        let design = design(
            &[("t", ""), ("again", r#", "role": "retry""#)],
            &[("src", "t"), ("t", "a"), ("a", "again"), ("again", "b")],
        );
        assert!(cuts(&Graph::new(&design, View::ToBe)).is_empty());
    }
}
