//! One channel drawn twice, with settings that differ: only one of them can be what runs.

use crate::{
    model::{ElementKind, Field, Group, Id, Known, Nature, Value},
    rules::{Context, Halt, HaltClass, Lift, context::Map},
};
use std::collections::HashMap;

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    // By cluster and name: the first that is called so.
    let mut known: Map<'_, HashMap<&str, &Id>> = Map::default();
    let mut halts = Vec::new();
    for (id, subject) in context.elements(ElementKind::Channel) {
        let (Some(cluster), Some(name)) = (&subject.cluster, &subject.name) else { continue };
        match known.entry(cluster).or_default().entry(name) {
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(id);
            }
            std::collections::hash_map::Entry::Occupied(first) => halts.extend(halt(context, first.get(), id)),
        }
    }
    halts
}

fn halt(context: &Context<'_>, first: &Id, second: &Id) -> Option<Halt> {
    let value = |id: &Id, field: Field| match context.design.resolve(context.view, id, field) {
        Known::Value(fact) => Some(fact.value),
        _ => None,
    };
    let differ = |field: Field| {
        let pair: (Value, Value) = (value(first, field)?, value(second, field)?);
        (pair.0 != pair.1).then_some((field, pair))
    };
    let configured = Group::Channel.fields().filter(|field| field.row().nature == Nature::Configuration);
    let (field, (one, other)) = configured.into_iter().find_map(differ)?;
    let name = context.title(first);
    Some(Halt {
        class: HaltClass::SourceConflict,
        about: vec![first.clone(), second.clone()],
        action: format!("conclude anything from {} of {name}", field.label()),
        consequence: format!(
            "{name} is drawn twice in one cluster, once with {} and once with {}",
            one.spoken(),
            other.spoken()
        ),
        lifted_by: "one box for it, or another name; whoever can read it says which value is true".to_owned(),
        lift: Lift::Change,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::conflicts;

    fn twice(second: &str) -> usize {
        let other = format!(r#"{{"kind":"channel","name":"shop.orders","cluster":"kafka","proposed":{second}}}"#);
        conflicts(&[("elements/orders/name", "\"shop.orders\""), ("elements/again", &other)]).len()
    }

    #[test]
    fn one_topic_with_two_settings_is_a_conflict() {
        assert_eq!(twice(r#"{"retention_time":"3d"}"#), 1);
        assert_eq!(twice(r#"{"retention_time":"7d"}"#), 0, "the same");
        assert_eq!(twice("{}"), 0, "nothing is said of it");
    }

    #[test]
    fn the_same_name_in_another_cluster_is_another_topic() {
        let other = r#"{"kind":"channel","name":"shop.orders","cluster":"flink","proposed":{"retention_time":"3d"}}"#;
        assert_eq!(conflicts(&[("elements/orders/name", "\"shop.orders\""), ("elements/again", other)]).len(), 0);
    }
}
