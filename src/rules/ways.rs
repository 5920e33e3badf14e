//! Questions of rules that follow a way through the design: which channel a job reads, by which key its records go.

use super::Context;
use crate::{
    analysis::formulas::recovery,
    catalog::PositionIn,
    model::{
        Columns, ElementKind, FieldValue, Id, Key, Link, Port, key,
        units::{Duration, Limit},
        words::{CleanupPolicy, OffsetCommit, OutputCommit},
    },
};

impl<'a> Context<'a> {
    /// The channel that the job of an operator reads in front of it.
    #[must_use]
    pub fn channel_before(&self, operator: &Id) -> Option<&'a Id> {
        let mut at = operator;
        for _ in 0..self.design.elements.len() {
            let (_, link) = self.into(at).find(|(_, link)| link.port != Some(Port::Reconcile))?;
            match self.kind(&link.from)? {
                ElementKind::Channel => return Some(&link.from),
                ElementKind::Operator => at = &link.from,
                _ => return None,
            }
        }
        None
    }

    /// The key of the records of a channel: as its one writer sets it, else as the channel says.
    #[must_use]
    pub fn record_key(&self, channel: &Id) -> Option<Columns> {
        let mut writers = self.into(channel);
        match (writers.next(), writers.next()) {
            (None, _) => self.get(channel, key::channel::KEY),
            (Some((link, _)), None) => self.get(link, key::write::KEY),
            _ => None,
        }
    }

    /// The key of a write, with the record key followed to where it was set; `None` where that is not known.
    #[must_use]
    pub fn written_key(&self, id: &Id, link: &Link) -> Option<Columns> {
        let key = self.get(id, key::write::KEY)?;
        if key.0.iter().any(|column| &**column == "@record_key") {
            return self.record_key(self.channel_before(&link.from)?);
        }
        Some(key)
    }

    /// What is written or said of this subject itself, leaving out what it falls back on.
    #[must_use]
    pub fn own<T: FieldValue>(&self, id: &Id, key: Key<T>) -> Option<T> {
        let subject = self.subject(id)?;
        subject.proposed.typed(key).or_else(|| subject.observed.values().find_map(|facts| facts.typed(key)))
    }

    /// How long a job may be away: what it must survive, else how long its restart takes.
    #[must_use]
    pub fn away(&self, job: &Id) -> Option<Duration> {
        self.get(job, key::job::LONGEST_OUTAGE).or_else(|| self.get(job, key::job::RESTART_TIME)?.max())
    }

    /// How old what a reader of a channel needs is when it comes back after `away` seconds: it was behind before, and reads again
    /// from its last position. What is not known adds nothing.
    #[must_use]
    pub fn needs_back(&self, link: &Id, job: &Id, away: f64) -> f64 {
        let again = self.job_report(job).and_then(|report| Some(report.rewind.as_ref()?.as_ref().ok()?.value));
        let read = self.get(link, key::read::LAG_TIME).and_then(|lag| lag.max()).map(Duration::secs);
        let behind = read.or_else(|| Some(self.report.reads.get(link)?.behind_time.as_ref().ok()?.value));
        let known = |time: Option<f64>| time.filter(|time| time.is_finite()).unwrap_or(0.0);
        recovery::needs_back(known(behind), known(again), away)
    }

    /// How long what is appended to a channel is certainly kept for this reader of it, in seconds, and the end of the words for it:
    /// of a reader with a backlog of its own that, whatever else the channel keeps; of a log that is
    /// compacted the newest record of each key, which whoever comes back late finds (Apache Kafka documentation, Design: Log
    /// Compaction); what needs all of them, and deletions, have rules of their own. `None` where it deletes nothing by age.
    #[must_use]
    pub fn kept(&self, read: &Id, channel: &Id) -> Option<(f64, &'static str)> {
        if let Some(Limit::Of(kept)) = self.get(read, key::read::RETENTION_TIME) {
            return Some((kept.secs(), ""));
        }
        let report = self.channel_report(channel)?;
        let since = match self.get(channel, key::channel::CLEANUP_POLICY) {
            Some(CleanupPolicy::Compact) => return None,
            Some(CleanupPolicy::CompactDelete) => &report.deletion,
            _ => &report.since_append,
        };
        let since = since.as_ref().ok()?.value;
        let earlier = report.reach.as_ref().is_ok_and(|reach| since < reach.value);
        Some((since, if earlier { " from the append on" } else { "" }))
    }

    /// Is what this link writes tied to the position of whoever writes it?
    #[must_use]
    pub fn tied(&self, id: &Id) -> bool {
        let commit = self.get(id, key::write::OUTPUT_COMMIT);
        matches!(commit, Some(OutputCommit::TwoPhase | OutputCommit::WithPosition | OutputCommit::BatchId))
    }

    /// Does this link write under a key that is new for every write?
    #[must_use]
    pub fn new_key(&self, id: &Id) -> bool {
        let key = self.get(id, key::write::KEY);
        key.is_some_and(|key| key.0.iter().any(|column| matches!(&**column, "@random" | "@arrival")))
    }

    /// Does the job of this operator write again what it reads again, by its engine and by how it commits?
    #[must_use]
    pub fn writes_again(&self, operator: &Id) -> bool {
        let Some(job) = self.job_of(operator) else { return false };
        if let Some(again) = self.again.borrow().get(job) {
            return *again;
        }
        let again = self.reads_and_writes_again(job, operator);
        self.again.borrow_mut().insert(job, again);
        again
    }

    fn reads_and_writes_again(&self, job: &Id, operator: &Id) -> bool {
        let Some(engine) = self.engine(operator) else { return false };
        let guarantee = self.get(job, key::job::PROCESSING_GUARANTEE);
        let mode = engine.mode(guarantee).or(engine.modes.first());
        let commits = || {
            let reads = self.operators_of(job).flat_map(|operator| self.into(operator));
            reads
                .filter_map(|(read, _)| self.get(read, key::read::OFFSET_COMMIT))
                .any(|commit| commit != OffsetCommit::BeforeWork)
        };
        match mode.map(|mode| mode.position) {
            Some(PositionIn::Checkpoint | PositionIn::Framework | PositionIn::Transaction) => true,
            Some(PositionIn::Group) => commits(),
            Some(PositionIn::Nowhere) | None => false,
        }
    }
}
