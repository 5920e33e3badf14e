//! What a connector reads and writes: topics, and the system at its other end.
//!
//! A topic is named where the configuration says its name; one that a transform or a pattern makes is not guessed. Names of
//! change topics are the prefix, schema and table joined by points (Debezium documentation, Topic names). Not here: fields.

use super::{
    connect_kinds::{Of, Settings, is_sink, transforms},
    keys::names,
};

/// The system at the other end of a connector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// What it is called: a database, a table, a bucket.
    pub name: Option<String>,
    /// The entry of the catalogue.
    pub system: Option<&'static str>,
}

/// Topics, or why they cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Topics {
    Named(Vec<String>),
    /// The reason.
    NotSaid(&'static str),
}

/// Parts of the names of classes, and the systems they stand for.
const CLASSES: &[(&str, &str)] = &[
    ("postgresql", "postgres"),
    ("mysql", "mysql"),
    ("mariadb", "mariadb"),
    ("sqlserver", "sqlserver"),
    ("oracle", "oracle"),
    ("mongo", "mongodb"),
    ("elasticsearch", "elasticsearch"),
    ("opensearch", "opensearch"),
    ("connect.s3", "s3"),
    ("s3sink", "s3"),
    ("s3_sink", "s3"),
    ("connect.gcs", "gcs"),
    ("connect.hdfs", "hdfs"),
    ("iceberg", "iceberg"),
    ("snowflake", "snowflake"),
    ("bigquery", "bigquery"),
    ("clickhouse", "clickhouse"),
    ("cassandra", "cassandra"),
    ("dynamodb", "dynamodb"),
    ("redis", "redis"),
    ("kinesis", "kinesis"),
    ("mqtt", "mqtt"),
    ("filestream", "file"),
    ("deltalake", "delta"),
    ("hudi", "hudi"),
    ("http", "http"),
];

/// Beginnings of addresses of databases, and the systems they stand for.
const ADDRESSES: &[(&str, &str)] = &[
    ("jdbc:postgresql:", "postgres"),
    ("jdbc:mysql:", "mysql"),
    ("jdbc:mariadb:", "mariadb"),
    ("jdbc:sqlserver:", "sqlserver"),
    ("jdbc:oracle:", "oracle"),
    ("jdbc:clickhouse:", "clickhouse"),
    ("jdbc:snowflake:", "snowflake"),
    ("mongodb", "mongodb"),
];

/// Keys that name what is at the other end, the most telling first.
const NAMES: &[&str] = &[
    "table.name.format",
    "collection.name.format",
    "database.dbname",
    "database.names",
    "database.include.list",
    "collection",
    "s3.bucket.name",
    "gcs.bucket.name",
    "iceberg.tables",
    "snowflake.database.name",
    "database",
];

/// The other end of a connector that is no mirror.
pub(super) fn end(settings: &Settings<'_>) -> End {
    let class = settings.get("connector.class").map(|class| class.to_ascii_lowercase()).unwrap_or_default();
    let url = ["connection.url", "connection.uri", "mongodb.connection.string"];
    let url = url.into_iter().find_map(|key| settings.get(key)).copied().unwrap_or_default();
    let find = |table: &[(&str, &'static str)], test: &dyn Fn(&str) -> bool| {
        table.iter().find(|(part, _)| test(part)).map(|(_, system)| *system)
    };
    let of_class = find(CLASSES, &|part| class.contains(part));
    let system = of_class.or_else(|| find(ADDRESSES, &|begin| url.starts_with(begin)));
    // A name with a variable in it is the name of nothing.
    let named = NAMES.iter().find_map(|key| settings.get(key)).filter(|name| !name.contains(['$', '[']));
    let name = named.copied().or_else(|| database(url)).filter(|name| !name.is_empty() && !name.contains(['$', '[']));
    End { name: name.map(|name| name.chars().take(80).collect()), system }
}

/// `jdbc:postgresql://host:5432/shop?ssl=true`: shop; of an address of the web the host.
fn database(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    if scheme.starts_with("http") {
        return rest.split([':', '/', '?', ',']).next();
    }
    let (_, path) = rest.split_once('/')?;
    path.split(['?', ';', '/']).next()
}

/// The topics that a sink reads.
pub(super) fn reads(settings: &Settings<'_>) -> Topics {
    match settings.get("topics") {
        Some(topics) => Topics::Named(names(topics).map(str::to_owned).collect()),
        None if settings.contains_key("topics.regex") => {
            Topics::NotSaid("its topics are those that fit topics.regex; draw its links to them")
        }
        None => Topics::NotSaid("its topics are not in the text"),
    }
}

/// The topics that a source writes.
pub(super) fn writes(settings: &Settings<'_>) -> Topics {
    let get = |key: &str| settings.get(key).copied().filter(|text| !text.is_empty());
    let prefix = get("topic.prefix").or_else(|| get("database.server.name"));
    let made = if let Some(topic) = get("kafka.topic").or_else(|| get("topic")).filter(|_| !Of::Debezium.is(settings)) {
        vec![topic.to_owned()]
    } else if let (true, Some(database), Some(collection)) =
        (Of::MongoSource.is(settings), get("database"), get("collection"))
    {
        let parts = [prefix, Some(database), Some(collection), get("topic.suffix")];
        vec![parts.into_iter().flatten().collect::<Vec<_>>().join(".")]
    } else if let (Some(prefix), true) = (prefix, get("query").is_some()) {
        vec![prefix.to_owned()]
    } else {
        let tables = ["table.include.list", "collection.include.list", "table.whitelist"].into_iter().find_map(get);
        let (Some(prefix), Some(tables)) = (prefix, tables) else {
            return Topics::NotSaid("the text does not say which tables it captures; draw its links to their topics");
        };
        let joint = if Of::JdbcSource.is(settings) { "" } else { "." };
        let plain: Option<Vec<String>> = names(tables).map(literal).collect();
        let Some(tables) = plain else {
            return Topics::NotSaid("its tables are given by a pattern; draw its links to their topics");
        };
        tables.into_iter().map(|table| format!("{prefix}{joint}{table}")).collect()
    };
    routed(settings, made)
}

/// A pattern that is a plain name, with points escaped or not.
fn literal(pattern: &str) -> Option<String> {
    let name = pattern.replace("\\.", ".");
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ' ');
    (name.chars().all(plain) && !name.is_empty()).then(|| name.replace(' ', "_"))
}

/// The topics behind the transforms that name others.
fn routed(settings: &Settings<'_>, mut topics: Vec<String>) -> Topics {
    const MADE: Topics = Topics::NotSaid("a transform makes the names of its topics; draw its links to them");
    let other = ["EventRouter", "ByLogicalTableRouter", "TimestampRouter", "ExtractTopic", "MongoEventRouter"];
    if other.into_iter().any(|class| transforms(settings, class).next().is_some()) {
        return MADE;
    }
    for name in transforms(settings, "RegexRouter") {
        let of = |end: &str| settings.get(format!("transforms.{name}.{end}").as_str()).copied();
        let (Some(pattern), Some(replacement)) = (of("regex"), of("replacement")) else { return MADE };
        let routed: Option<Vec<String>> = topics.iter().map(|topic| route(topic, pattern, replacement)).collect();
        match routed {
            Some(routed) => topics = routed,
            None => return MADE,
        }
    }
    topics.dedup();
    Topics::Named(topics)
}

/// `RegexRouter` with the patterns people use: all of the name, or its parts between points.
fn route(topic: &str, pattern: &str, replacement: &str) -> Option<String> {
    let parts: Vec<&str> = match pattern {
        "(.*)" | "(.+)" => vec![topic],
        _ => {
            // Somebody escaped it once for a shell and once for JSON.
            let pattern = pattern.replace("\\\\.", "\\.");
            let pieces = pattern.split("\\.").collect::<Vec<_>>();
            let parts: Vec<&str> = topic.split('.').collect();
            let all = |of: [&str; 2]| pieces.iter().all(|piece| of.contains(piece));
            match (all(["([^.]+)", "([^.]*)"]), all(["(.*)", "(.+)"])) {
                // A name that does not fit stays as it is.
                (true, _) if parts.len() != pieces.len() => return Some(topic.to_owned()),
                (true, _) => parts,
                (_, true) if parts.len() == pieces.len() => parts,
                _ => return None,
            }
        }
    };
    let mut name = replacement.replace("\\$", "$");
    for (index, part) in parts.iter().enumerate().rev() {
        name = name.replace(&format!("${}", index + 1), part);
    }
    (!name.contains('$')).then_some(name)
}

/// MirrorMaker's connectors (Apache Kafka documentation, Geo-Replication): the clusters and the topics by their names on
/// both sides; nothing for another connector.
pub(super) struct Mirror {
    pub from: Option<String>,
    pub to: Option<String>,
    /// By pairs: there, here.
    pub topics: Result<Vec<(String, String)>, &'static str>,
}

pub(super) fn mirror(settings: &Settings<'_>) -> Option<Mirror> {
    settings.get("connector.class").filter(|class| class.contains("MirrorSource"))?;
    let get = |key: &str| settings.get(key).copied();
    let from = get("source.cluster.alias").unwrap_or("source");
    let separator = get("replication.policy.separator").unwrap_or(".");
    let same = get("replication.policy.class").is_some_and(|class| class.ends_with("IdentityReplicationPolicy"));
    let plain: Option<Vec<String>> =
        get("topics").map(|topics| names(topics).map(literal).collect()).unwrap_or_default();
    let there = |topic: &String| if same { topic.clone() } else { format!("{from}{separator}{topic}") };
    let topics = plain.map(|topics| topics.into_iter().map(|topic| (topic.clone(), there(&topic))).collect());
    Some(Mirror {
        from: get("source.cluster.alias").map(str::to_owned),
        to: get("target.cluster.alias").map(str::to_owned),
        topics: topics.ok_or("its topics are given by a pattern; draw its links to them"),
    })
}

/// Connectors that move no records of a pipeline: MirrorMaker's heartbeats and checkpoints.
pub(super) fn moves_nothing(settings: &Settings<'_>) -> bool {
    settings.get("connector.class").is_some_and(|class| {
        class.ends_with("MirrorCheckpointConnector") || class.ends_with("MirrorHeartbeatConnector")
    })
}

/// Does it read topics, or make them?
pub(super) fn topics(settings: &Settings<'_>) -> Topics {
    if is_sink(settings) { reads(settings) } else { writes(settings) }
}
