//! What the analysis says about one element.

use super::Context;
use crate::{
    analysis::{ChannelReport, ConsumerReport, JobReport, OperatorReport, Reports, SourceReport},
    model::{ElementKind, Id},
};

impl<'a> Context<'a> {
    /// About a visible channel.
    #[must_use]
    pub fn channel_report(&self, id: &Id) -> Option<&'a ChannelReport> {
        self.of_kind(&self.report.channels, id, ElementKind::Channel)
    }

    /// About a visible operator.
    #[must_use]
    pub fn operator_report(&self, id: &Id) -> Option<&'a OperatorReport> {
        self.of_kind(&self.report.operators, id, ElementKind::Operator)
    }

    /// About a visible job.
    #[must_use]
    pub fn job_report(&self, id: &Id) -> Option<&'a JobReport> {
        self.of_kind(&self.report.jobs, id, ElementKind::Job)
    }

    /// About a visible consumer.
    #[must_use]
    pub fn consumer_report(&self, id: &Id) -> Option<&'a ConsumerReport> {
        self.of_kind(&self.report.consumers, id, ElementKind::Consumer)
    }

    /// About a visible source.
    #[must_use]
    pub fn source_report(&self, id: &Id) -> Option<&'a SourceReport> {
        self.of_kind(&self.report.sources, id, ElementKind::Source)
    }

    /// A report holds every visible element of a kind, in id order.
    fn of_kind<T>(&self, reports: &'a Reports<T>, id: &Id, kind: ElementKind) -> Option<&'a T> {
        let node = self.graph.find(id).filter(|node| self.graph.nodes[*node].kind() == kind)?;
        reports.at(self.ranks[node] as usize)
    }
}
