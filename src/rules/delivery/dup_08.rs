use crate::{
    analysis::delivery::verdict::CopyClass,
    model::{ElementKind, Id, Link, Step, key, words::OutputCommit},
    rules::{Context, Finding, Rule, context::{Map, Set}, rule::rule},
};

rule! {
    /// A store recognises records by topic, partition and offset, and the topic gives out others for the same records.
    ///
    /// # Why
    /// Coordinates identify what is read again from this log, and nothing else. A mirror that reads again writes new records at new
    /// offsets; a topic that was deleted and created starts at 0, and other records meet the coordinates of old ones.
    ///
    /// # Example
    /// Documents have the id `topic+partition+offset`. The mirror in front is restarted, writes its last 3 000 records again, and
    /// each of them is a new document.
    ///
    /// # What to do
    /// Take an id of the event for the key. Where it has to be coordinates, put the name of the source's incarnation into them.
    DUP_08 "DUP-08" Warning "Coordinates that do not last"
    why "the same record comes with other coordinates, or another one with the same"
    sources ["Apache Kafka documentation, Geo-Replication: offsets differ between clusters", "Confluent documentation, Elasticsearch Sink Connector: key.ignore (id of topic, partition and offset)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let by_offset = |id| context.get(id, key::store::VERSION_GUARD).is_some_and(|guard| guard.0.iter().any(|part| &**part == "@offset"));
    let mut found = Vec::new();
    for (id, link, channel) in by_coordinates(context) {
        let title = context.title(channel);
        // Versions by offset have a rule of their own.
        let anew = context.get(channel, key::channel::RECREATED) == Some(true) && !by_offset(id);
        let why = if anew && (context.loss_matters(id) || context.repeats_matter(id)) {
            format!("offsets of {title} have started again")
        } else if let Some(mirror) = mirror_of(context, channel) {
            format!("{} writes records again at new offsets", context.title(mirror))
        } else {
            continue;
        };
        let message = format!("{} recognises records by their offset in {title}, and {why}", context.title(id));
        found.push(rule.finding(&[id, channel, &link.to], message, "recognise records by an id of the event"));
    }
    found
}

/// Writes into stores that recognise a record by its coordinates or keep the offset with the rows, with the channel read.
fn by_coordinates<'a>(context: &Context<'a>) -> Vec<(&'a Id, &'a Link, &'a Id)> {
    let one = |(id, link): (&'a Id, &'a Link)| {
        if context.kind(&link.to)? != ElementKind::Sink {
            return None;
        }
        let named = context.get(id, key::write::KEY).is_some_and(|key| key.0.iter().any(|part| &**part == "@coordinates"));
        let kept = named || context.get(id, key::write::OUTPUT_COMMIT) == Some(OutputCommit::WithPosition);
        Some((id, link, context.channel_before(&link.from).filter(|_| kept)?))
    };
    context.links().filter_map(one).collect()
}

/// The write of a mirror into this channel whose repeats show, where it does not keep offsets.
fn mirror_of<'a>(context: &Context<'a>, channel: &Id) -> Option<&'a Id> {
    let mirrors = |(id, link): &(&'a Id, &'a Link)| {
        context.step(&link.from) == Some(Step::Copy)
            && context.get(&link.from, key::operator::KEEPS_OFFSETS) != Some(true)
            && !context.writes_transactions(id, &link.from)
            && context.copies_show(CopyClass::Reemission, id)
            && context.channel_before(&link.from).is_some()
    };
    context.into(channel).find(mirrors).map(|(id, _)| id)
}

/// The writes of mirrors that are named here, so that they are not found for the same repeats a second time.
pub(super) fn relayed<'a>(context: &Context<'a>) -> Set<'a> {
    let mut seen: Map<'a, ()> = Map::default();
    let mut mirrors = Set::default();
    for (_, _, channel) in by_coordinates(context) {
        if seen.insert(channel, ()).is_none() {
            mirrors.extend(mirror_of(context, channel));
        }
    }
    mirrors
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const COORDINATES: (&str, &str) = ("links/l6/proposed/key", "[\"@coordinates\"]");
    /// A mirror between the totals and the loader.
    const MIRROR: &[(&str, &str)] = &[
        COORDINATES,
        ("elements/table/proposed/unique_keys", "[[\"@coordinates\"]]"),
        ("elements/far", r#"{"kind":"channel","cluster":"kafka","proposed":{"cleanup_policy":"delete","retention_time":"7d","replication_factor":3,"min_insync_replicas":2,"unclean_leader_election":false}}"#),
        ("elements/mirror", r#"{"kind":"job","system":"mirror_maker","proposed":{"processing_guarantee":"at_least_once","on_error":"fail"}}"#),
        ("elements/copy", r#"{"kind":"operator","job":"mirror","step":"copy"}"#),
        ("links/m1", r#"{"from":"totals","to":"copy","proposed":{"isolation":"read_committed"}}"#),
        ("links/m2", r#"{"from":"copy","to":"far","proposed":{"key":["store","window_start"],"acks":"all","idempotence":true,"output_commit":"flush"}}"#),
        ("links/l5/from", "\"far\""),
    ];

    #[test]
    fn coordinates_behind_a_mirror_are_found() {
        assert_eq!(
            fires("DUP-08", MIRROR).message,
            "write → table recognises records by their offset in far, and copy → far writes records again at new offsets"
        );
        silent("DEL-13", MIRROR);
    }

    #[test]
    fn a_topic_that_was_made_anew_is_found() {
        let anew = ("elements/totals/proposed/recreated", "true");
        assert!(fires("DUP-08", &[COORDINATES, anew]).message.ends_with("offsets of totals have started again"));
        silent("DUP-08", &[COORDINATES, anew, ("links/l6/proposed/version_guard", "[\"@offset\"]")]);
    }

    #[test]
    fn lasting_coordinates_and_ids_of_the_event_are_left_alone() {
        silent("DUP-08", &[COORDINATES]);
        silent("DUP-08", &[("elements/totals/proposed/recreated", "true")]);
        silent("DUP-08", &MIRROR[1..]);
        silent("DUP-08", &[MIRROR, &[("elements/mirror/proposed/processing_guarantee", "\"exactly_once\""), ("links/m2/proposed/output_commit", "\"with_position\"")]].concat());
    }
}
