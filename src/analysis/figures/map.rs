//! The visible part of a design as arrays: neighbours in constant time, an order in which every site comes after what it
//! reads, and settings without look-ups by id. Built once per analysis.

use crate::model::{Design, Element, FieldValue, Id, Key, Known, Lifecycle, Link, Port, Shape, Subject, View};
use std::collections::HashMap;

/// A subject whose settings can be read.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub id: &'a Id,
    pub subject: &'a Subject,
}

/// An element that exists in the view.
pub(super) struct Site<'a> {
    pub at: Place<'a>,
    pub element: &'a Element,
    /// The job of an operator.
    pub job: Option<usize>,
    /// Wires that end here.
    pub ins: Vec<usize>,
    /// Wires that start here.
    pub outs: Vec<usize>,
    /// The operators of a job.
    pub operators: Vec<usize>,
    /// Sites of one component can reach each other.
    component: usize,
}

/// A link that exists in the view and whose two ends do; never a reconciliation.
pub(super) struct Wire<'a> {
    pub at: Place<'a>,
    pub link: &'a Link,
    pub from: usize,
    pub to: usize,
}

/// See the module.
pub(super) struct Map<'a> {
    pub design: &'a Design,
    pub view: View,
    pub sites: Vec<Site<'a>>,
    pub wires: Vec<Wire<'a>>,
    /// All sites, each after the sites that it reads; within a cycle in any order.
    pub order: Vec<usize>,
}

const fn seen(view: View, lifecycle: Lifecycle) -> bool {
    !matches!((view, lifecycle), (View::AsIs, Lifecycle::Planned) | (View::ToBe, Lifecycle::Retiring))
}

impl<'a> Map<'a> {
    pub fn of(design: &'a Design, view: View) -> Self {
        let mut map = Self { design, view, sites: Vec::new(), wires: Vec::new(), order: Vec::new() };
        let mut numbers: HashMap<&str, (Option<usize>, Lifecycle)> = HashMap::with_capacity(design.elements.len());
        for (id, subject) in &design.elements {
            if let Shape::Element(Element::Operator { .. }) = subject.shape {
                continue;
            }
            numbers.insert(id.as_str(), map.add(id, subject, None, subject.lifecycle.unwrap_or(Lifecycle::Planned)));
        }
        for (id, subject) in &design.elements {
            if let Shape::Element(Element::Operator { job, .. }) = &subject.shape {
                let (job, of_job) = numbers.get(job.as_str()).copied().unwrap_or((None, Lifecycle::Planned));
                numbers.insert(id.as_str(), map.add(id, subject, job, subject.lifecycle.unwrap_or(of_job)));
            }
        }
        for (id, subject) in &design.links {
            map.connect(id, subject, &numbers);
        }
        map.sort();
        map
    }

    fn add(
        &mut self,
        id: &'a Id,
        subject: &'a Subject,
        job: Option<usize>,
        lifecycle: Lifecycle,
    ) -> (Option<usize>, Lifecycle) {
        let (Shape::Element(element), true) = (&subject.shape, seen(self.view, lifecycle)) else {
            return (None, lifecycle);
        };
        let number = self.sites.len();
        if let Some(job) = job {
            self.sites[job].operators.push(number);
        }
        self.sites.push(Site {
            at: Place { id, subject },
            element,
            job,
            ins: Vec::new(),
            outs: Vec::new(),
            operators: Vec::new(),
            component: 0,
        });
        (Some(number), lifecycle)
    }

    fn connect(&mut self, id: &'a Id, subject: &'a Subject, numbers: &HashMap<&str, (Option<usize>, Lifecycle)>) {
        let Shape::Link(link) = &subject.shape else { return };
        let end = |id: &Id| numbers.get(id.as_str()).copied().and_then(|(number, life)| Some((number?, life)));
        let (Some((from, a)), Some((to, b))) = (end(&link.from), end(&link.to)) else { return };
        if link.port == Some(Port::Reconcile) || !seen(self.view, subject.lifecycle.unwrap_or(a.min(b))) {
            return;
        }
        let number = self.wires.len();
        self.wires.push(Wire { at: Place { id, subject }, link, from, to });
        self.sites[from].outs.push(number);
        self.sites[to].ins.push(number);
    }

    /// Strongly connected components by Tarjan's algorithm, without recursion; it finishes a component after all that
    /// can be reached from it, so the order is the reverse of that.
    fn sort(&mut self) {
        let count = self.sites.len();
        let (mut index, mut low) = (vec![usize::MAX; count], vec![0; count]);
        let (mut on_stack, mut stack) = (vec![false; count], Vec::new());
        let (mut next, mut components) = (0, 0);
        let mut order = Vec::with_capacity(count);
        for root in 0..count {
            if index[root] != usize::MAX {
                continue;
            }
            let mut calls = vec![(root, 0)];
            while let Some((site, edge)) = calls.pop() {
                if edge == 0 {
                    (index[site], low[site]) = (next, next);
                    next += 1;
                    stack.push(site);
                    on_stack[site] = true;
                }
                if let Some(wire) = self.sites[site].outs.get(edge) {
                    let to = self.wires[*wire].to;
                    calls.push((site, edge + 1));
                    if index[to] == usize::MAX {
                        calls.push((to, 0));
                    } else if on_stack[to] {
                        low[site] = low[site].min(index[to]);
                    }
                    continue;
                }
                if low[site] == index[site] {
                    while let Some(member) = stack.pop() {
                        on_stack[member] = false;
                        self.sites[member].component = components;
                        order.push(member);
                        if member == site {
                            break;
                        }
                    }
                    components += 1;
                }
                if let Some((caller, _)) = calls.last() {
                    low[*caller] = low[*caller].min(low[site]);
                }
            }
        }
        order.reverse();
        self.order = order;
    }

    /// Does this wire lead back to where it can be reached from?
    pub fn cyclic(&self, wire: &Wire) -> bool {
        self.sites[wire.from].component == self.sites[wire.to].component
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
        self.design.read(self.view, at.id, at.subject, key)
    }

    /// The value of a setting, where there is one.
    pub fn value<T: FieldValue>(&self, at: Place<'a>, key: Key<T>) -> Option<T> {
        self.get(at, key).value()
    }

    /// The cluster that a site runs in.
    pub fn cluster(&self, site: usize) -> Option<Place<'a>> {
        let (id, subject) = self.design.clusters.get_key_value(self.sites[site].at.subject.cluster.as_ref()?)?;
        Some(Place { id, subject })
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
