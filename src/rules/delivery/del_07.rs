use crate::sorted::SortedMap;
use crate::{
    model::{ElementKind, Environment, Id, Shape, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Replicas stand in fewer racks or zones than there are replicas to spread.
    ///
    /// # Why
    /// A replication factor counts brokers. What fails together, a rack, a zone, a rack's power, counts once: where two of three
    /// replicas stand in one zone, that zone can hold every copy that was in sync when a write was acknowledged.
    ///
    /// # Example
    /// Three brokers in one zone and a replication factor of 3: the zone fails, and no copy is left to read.
    ///
    /// # What to do
    /// Set `broker.rack` on brokers in at least three racks or zones; new topics are then spread over them.
    DEL_07 "DEL-07" Warning "Replicas that fail together"
    why "one rack or zone can hold every acknowledged copy of a record"
    sources ["Apache Kafka documentation, Basic Operations: Balancing replicas across racks", "KIP-36: Rack aware replica assignment"]
    check check, of Design
}

/// The first channel of a cluster that is concerned, how many there are, and the most replicas that one asks for.
struct Group<'a> {
    first: &'a Id,
    count: u64,
    replicas: u64,
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let mut clusters: SortedMap<&Id, Group<'_>> = SortedMap::new();
    for (id, subject) in context.elements(ElementKind::Channel) {
        let Some(cluster) = subject.cluster.as_ref().filter(|cluster| !in_development(context, cluster)) else { continue };
        let Some(replicas) = context.get(id, key::channel::REPLICATION_FACTOR).filter(|replicas| *replicas >= 2) else { continue };
        let Some(domains) = context.get(cluster, key::cluster::FAILURE_DOMAINS) else { continue };
        if domains >= replicas.min(3) || !context.loss_matters(id) {
            continue;
        }
        let group = clusters.entry(cluster).or_insert(Group { first: id, count: 0, replicas: 0 });
        group.count += 1;
        group.replicas = group.replicas.max(replicas);
    }
    let one = |(cluster, group): (&Id, Group<'_>)| {
        let domains = context.get(cluster, key::cluster::FAILURE_DOMAINS)?;
        let places = if domains == 1 { "1 rack or zone".to_owned() } else { format!("{domains} racks or zones") };
        let others = match group.count - 1 {
            0 => String::new(),
            1 => " and 1 more channel".to_owned(),
            more => format!(" and {more} more channels"),
        };
        let message = format!("{} has {places} for {} replicas of {}{others}", context.title(cluster), group.replicas, context.title(group.first));
        Some(rule.finding(&[group.first, cluster], message, "spread the brokers over at least three racks or zones"))
    };
    clusters.into_iter().filter_map(one).collect()
}

fn in_development(context: &Context<'_>, cluster: &Id) -> bool {
    let shape = context.subject(cluster).map(|subject| &subject.shape);
    matches!(shape, Some(Shape::Cluster { environment: Some(Environment::Development), .. }))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const ONE: (&str, &str) = ("clusters/kafka/proposed/failure_domains", "1");

    #[test]
    fn replicas_in_one_zone_are_found_once_a_cluster() {
        assert_eq!(fires("DEL-07", &[ONE]).message, "kafka has 1 rack or zone for 3 replicas of dlq and 2 more channels");
        let two = fires("DEL-07", &[("clusters/kafka/proposed/failure_domains", "2")]);
        assert!(two.message.starts_with("kafka has 2 racks or zones"));
    }

    #[test]
    fn what_is_spread_or_not_read_is_left_alone() {
        silent("DEL-07", &[]);
        silent("DEL-07", &[("clusters/kafka/proposed/failure_domains", "null")]);
        silent("DEL-07", &[ONE, ("clusters/kafka/environment", "\"development\"")]);
        silent("DEL-07", &[ONE, ("elements/board/proposed/loss_tolerated", "true")]);
    }
}
