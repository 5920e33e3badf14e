//! What a person runs to close a gap.

use crate::model::{Design, ElementKind, Field, Group, Id, Subject};

/// The command that prints what is missing, where one is known for the system.
#[must_use]
pub fn command(design: &Design, id: &Id, field: Field) -> Option<String> {
    let (name, group) = (field.name(), field.group());
    let channel = match group {
        Group::Channel => Some(id),
        Group::Read => design.links.get(id).and_then(Subject::as_link).map(|link| &link.from),
        _ => None,
    };
    if let Some(channel) = channel
        && design.kind(channel) == Some(ElementKind::Channel)
        && design.system(channel).is_some_and(|system| &**system == "kafka")
    {
        return kafka(design, channel, id, name);
    }
    None
}

fn kafka(design: &Design, channel: &Id, link: &Id, name: &str) -> Option<String> {
    let topic = quoted(&design.title(channel));
    let server = "--bootstrap-server \"$BOOTSTRAP\"";
    Some(match name {
        "partitions" | "replication_factor" | "in_sync_replicas" => {
            format!("kafka-topics.sh {server} --describe --topic {topic}")
        }
        "start_offset" => format!("kafka-get-offsets.sh {server} --topic {topic} --time earliest"),
        "end_offset" => format!("kafka-get-offsets.sh {server} --topic {topic} --time latest"),
        "disk_rate" | "size_on_disk" => format!("kafka-log-dirs.sh {server} --describe --topic-list {topic}"),
        "lag" | "committed_offset" | "members" => {
            let group = design.get(crate::model::View::ToBe, link, crate::model::key::read::GROUP).value()?;
            format!("kafka-consumer-groups.sh {server} --describe --group {}", quoted(&group))
        }
        "min_insync_replicas"
        | "unclean_leader_election"
        | "cleanup_policy"
        | "retention_time"
        | "retention_size"
        | "segment_time"
        | "segment_size"
        | "min_compaction_lag"
        | "max_compaction_lag"
        | "tombstone_retention"
        | "timestamp_type"
        | "timestamp_before_max"
        | "timestamp_after_max"
        | "max_message_size"
        | "tiered" => {
            format!("kafka-configs.sh {server} --entity-type topics --entity-name {topic} --describe --all")
        }
        _ => return None,
    })
}

/// A name as one argument of a shell.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if !name.is_empty() && name.chars().all(plain) && !name.starts_with('-') {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_one_argument() {
        assert_eq!(quoted("orders_5m"), "orders_5m");
        assert_eq!(quoted("a'; rm -rf /"), "'a'\\''; rm -rf /'");
        assert_eq!(quoted("-x"), "'-x'");
    }
}
