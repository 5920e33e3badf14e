//! Names of figures that others look for among the inputs of a figure.

/// Of a reader: how long what it has not acknowledged is kept, or what it has, where it keeps that.
pub(crate) const BACKLOG: &str = "backlog kept for the reader";
/// Of a log: retention by time.
pub(crate) const BY_TIME: &str = "by time";
/// Of a log: what is left of that from the append on.
pub(crate) const FROM_APPEND: &str = "by time, from the append on";
/// Of a log: how old a record can be when it is appended.
pub(crate) const DELAY: &str = "delay before the append";
/// Of a log: how long its bytes last, at a rate.
pub(crate) const BY_SIZE: &str = "by size";
/// Of a log: retention by size.
pub(crate) const RETENTION_SIZE: &str = "retention size, per partition";
/// Of a log: at which rate its fullest partition fills.
pub(crate) const FULLEST: &str = "bytes on disk per second, fullest partition at peak";
/// Of a log: from when on it holds records by reading.
pub(crate) const OLDEST: &str = "age of the oldest record";
/// Of a log: how long all versions of a key stay.
pub(crate) const COMPACTION_LAG: &str = "compaction lag";
/// Of a log: what the mean partition keeps.
pub(crate) const MEAN_REACH: &str = "reach, mean partition";
/// Of a source: how far back its own log reaches.
pub(crate) const LOG_REACH: &str = "log reach";
