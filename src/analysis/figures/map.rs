//! The graph as the figures read it: settings as explained numbers, jobs with their operators.

use super::checkpoint::Shared;
use crate::{
    analysis::graph::{Cut, Edge, Graph},
    model::{Design, Element, FieldValue, Id, Key, Known, Link, Settings, Subject, View},
};

/// A subject whose settings can be read.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub id: &'a Id,
    pub subject: &'a Subject,
    /// `None`: of a cluster.
    settings: Option<Settings<'a>>,
}

impl<'a> Place<'a> {
    /// Of what is neither an element nor a flow: an event, a comparison.
    pub const fn beside(id: &'a Id, subject: &'a Subject) -> Self {
        Self { id, subject, settings: None }
    }
}

/// An element that exists in the view.
pub(super) struct Site<'a> {
    pub at: Place<'a>,
    pub element: &'a Element,
    /// The job of an operator.
    pub job: Option<usize>,
    /// Wires that end here.
    pub ins: &'a [usize],
    /// Wires that start here.
    outs: &'a [usize],
    /// The operators of a job.
    pub operators: Vec<usize>,
    /// Figures of a job that others are made from.
    pub shared: Shared,
}

/// A link that exists in the view and whose two ends do; never a comparison.
pub(super) struct Wire<'a> {
    pub at: Place<'a>,
    pub link: &'a Link,
    pub from: usize,
    pub to: usize,
    /// Does it close a cycle? Then what comes by it is not worked out, only read.
    pub back: bool,
}

/// See the module.
pub(super) struct Map<'a> {
    pub graph: &'a Graph<'a>,
    pub design: &'a Design,
    pub view: View,
    /// In id order.
    pub sites: Vec<Site<'a>>,
    pub wires: Vec<Wire<'a>>,
    /// All sites, each after the sites that it reads, except by wires that lead back.
    pub order: &'a [usize],
}

impl<'a> Map<'a> {
    pub fn of(graph: &'a Graph<'a>) -> Self {
        let mut sites: Vec<Site> = graph
            .nodes
            .iter()
            .enumerate()
            .map(|(number, node)| Site {
                at: Place {
                    id: node.id,
                    subject: node.subject,
                    settings: Some(graph.settings(graph.node_place(number))),
                },
                element: node.element,
                job: node.job,
                ins: graph.ins(number),
                outs: graph.outs(number),
                operators: Vec::new(),
                shared: Shared::default(),
            })
            .collect();
        for (number, node) in graph.nodes.iter().enumerate() {
            if let Some(job) = node.job {
                sites[job].operators.push(number);
            }
        }
        let wire = |(number, edge): (usize, &Edge<'a>)| Wire {
            at: Place { id: edge.id, subject: edge.subject, settings: Some(graph.settings(graph.edge_place(number))) },
            link: edge.link,
            from: edge.from,
            to: edge.to,
            back: edge.cut != Cut::No,
        };
        let wires = graph.edges.iter().enumerate().map(wire).collect();
        Self { graph, design: graph.design, view: graph.view, sites, wires, order: &graph.order }
    }

    /// The site of an element, by its number.
    pub fn site(&self, id: &Id) -> Option<usize> {
        self.sites.binary_search_by(|site| site.at.id.cmp(id)).ok()
    }

    /// The wires into a site.
    pub fn into(&self, site: usize) -> impl Iterator<Item = &Wire<'a>> {
        self.sites[site].ins.iter().map(|wire| &self.wires[*wire])
    }

    /// The wires out of a site.
    pub fn out_of(&self, site: usize) -> impl Iterator<Item = &Wire<'a>> {
        self.sites[site].outs.iter().map(|wire| &self.wires[*wire])
    }

    /// Wires into a job's operators from outside of it.
    pub fn reads(&self, job: usize) -> impl Iterator<Item = &Wire<'a>> {
        let operators = self.sites[job].operators.iter();
        operators.flat_map(|operator| self.into(*operator)).filter(move |wire| self.sites[wire.from].job != Some(job))
    }

    /// Wires out of a job's operators to its outside.
    pub fn writes(&self, job: usize) -> impl Iterator<Item = &Wire<'a>> {
        let operators = self.sites[job].operators.iter();
        operators.flat_map(|operator| self.out_of(*operator)).filter(move |wire| self.sites[wire.to].job != Some(job))
    }

    /// A setting.
    pub fn get<T: FieldValue>(&self, at: Place<'a>, key: Key<T>) -> Known<T> {
        match at.settings {
            Some(settings) => settings.get(key),
            None => self.design.read(self.view, at.id, at.subject, key),
        }
    }

    /// The value of a setting, where there is one.
    pub fn value<T: FieldValue>(&self, at: Place<'a>, key: Key<T>) -> Option<T> {
        match at.settings {
            Some(settings) => settings.value(key).map(|(value, _)| value),
            None => self.get(at, key).value(),
        }
    }

    /// The cluster that a site runs in.
    pub fn cluster(&self, site: usize) -> Option<Place<'a>> {
        let (id, subject) = self.design.clusters.get_key_value(self.sites[site].at.subject.cluster.as_ref()?)?;
        Some(Place { id, subject, settings: None })
    }

    /// The catalogue id of a site's system, an operator's by its job.
    pub fn system(&self, site: usize) -> Option<&'a str> {
        if let Some(job) = self.sites[site].job {
            return self.system(job);
        }
        let own = self.sites[site].at.subject.system.as_deref();
        own.or_else(|| self.cluster(site)?.subject.system.as_deref())
    }
}
