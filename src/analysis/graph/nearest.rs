//! Where the setting of a step stands that goes through its job, as its watermark does: on the step itself, else on the nearest
//! steps before it.

use super::Graph;
use crate::model::{FieldValue, Key, Known};

impl Graph<'_> {
    /// The elements whose setting reaches a step: itself where anything is known of it there, else the nearest step before it in
    /// its job on each way, and the step itself too where a way brings none. Read as not set is known: a step further up says
    /// nothing then. Never empty; where there are several, they need not agree.
    #[must_use]
    pub fn nearest<T: FieldValue>(&self, node: usize, key: Key<T>) -> Vec<usize> {
        let known = |node: usize| {
            let place = self.node_place(node);
            self.may_hold(place, key.field()) && !matches!(self.known(place, key), Known::NotKnown(_))
        };
        let job = self.nodes[node].job;
        if job.is_none() || known(node) {
            return vec![node];
        }
        let (mut found, mut bare) = (Vec::new(), false);
        self.upstream(node, |edge| {
            let from = self.edges[edge].from;
            let same = self.nodes[from].job == job;
            if same && known(from) {
                if !found.contains(&from) {
                    found.push(from);
                }
                return false;
            }
            bare |= !same || self.flows_in(from).next().is_none();
            same
        });
        if bare || found.is_empty() {
            found.push(node);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        codec,
        model::{Id, View, key},
    };

    /// Steps of the job of `w`, each with what is said of its watermark.
    fn reach(steps: &[(&str, &str)], links: &[(&str, &str)]) -> Vec<String> {
        let step = |(id, delay): &(&str, &str)| {
            let delay = if delay.is_empty() { String::new() } else { format!(r#""watermark_delay":"{delay}""#) };
            format!(r#","{id}":{{"kind":"operator","job":"j","step":"map","proposed":{{{delay}}}}}"#)
        };
        let link =
            |(number, (from, to)): (usize, &(&str, &str))| format!(r#""l{number}":{{"from":"{from}","to":"{to}"}}"#);
        let text = format!(
            r#"{{"format":"streaming-pipeline","version":2,"elements":{{"s":{{"kind":"channel"}},"j":{{"kind":"job","system":"flink"}}{}}},"links":{{{}}}}}"#,
            steps.iter().map(step).collect::<String>(),
            links.iter().enumerate().map(link).collect::<Vec<_>>().join(",")
        );
        let design = codec::decode(&text).unwrap();
        let graph = Graph::new(&design, View::ToBe);
        let node = graph.find(&Id::new("w").unwrap()).unwrap();
        let nearest = graph.nearest(node, key::operator::WATERMARK_DELAY);
        let mut names: Vec<String> = nearest.into_iter().map(|node| graph.nodes[node].id.to_string()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_nearest_step_of_each_way_says_it() {
        let one = [("s", "a"), ("a", "b"), ("b", "w")];
        assert_eq!(reach(&[("a", "1s"), ("b", ""), ("w", "")], &one), ["a"]);
        assert_eq!(reach(&[("a", "1s"), ("b", "2s"), ("w", "")], &one), ["b"]);
        assert_eq!(reach(&[("a", "1s"), ("b", "2s"), ("w", "3s")], &one), ["w"]);
        assert_eq!(reach(&[("a", "1s"), ("b", "unset"), ("w", "")], &one), ["b"], "read as not set is known");
        assert_eq!(reach(&[("a", ""), ("b", ""), ("w", "")], &one), ["w"], "nobody says it");
        let two = [("s", "a"), ("s", "b"), ("a", "w"), ("b", "w")];
        assert_eq!(reach(&[("a", "1s"), ("b", "2s"), ("w", "")], &two), ["a", "b"]);
        assert_eq!(reach(&[("a", "1s"), ("b", ""), ("w", "")], &two), ["a", "w"], "a way that brings none");
        assert_eq!(reach(&[("a", "1s"), ("w", "")], &[("s", "a"), ("s", "w"), ("a", "w")]), ["a", "w"]);
        let apart = [("s", "a"), ("a", "b"), ("a", "c"), ("b", "w"), ("c", "w")];
        assert_eq!(reach(&[("a", "1s"), ("b", ""), ("c", ""), ("w", "")], &apart), ["a"], "one step on two ways");
    }
}
