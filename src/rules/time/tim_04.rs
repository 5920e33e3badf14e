use crate::{
    analysis::delivery::takes,
    edit::Edit,
    model::{DecisionKind, Element, ElementKind, Id, Link, Port, Section, Shape, Step, Subject, key, words::{Clock, WindowKind}},
    rules::{Context, Finding, Fix, Rule, context::Set, rule::rule},
};
use std::collections::VecDeque;

rule! {
    /// An event-time window has no place for events that come after it has closed.
    ///
    /// # Why
    /// Later events are dropped without a trace. Dropping is a choice, and then it is written down.
    ///
    /// # Example
    /// 1 % of the orders come more than 30 s late; the window has closed and they are in no total and in no log.
    ///
    /// # What to do
    /// Give the window a late output into a channel, or record the decision that late events are dropped.
    TIM_04 "TIM-04" Error "Late events go nowhere"
    why "what comes after the window has closed is dropped without a trace"
    sources ["Apache Flink documentation, Windows: Getting late data as a side output", "Apache Flink documentation, Windows: Allowed Lateness"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _): (&Id, &Id, Step)| {
        if !closes(context, id) || super::drops(context, id, job).is_some() || settled(context, id) {
            return None;
        }
        let message = format!("{}: later events have no destination", context.title(id));
        let mut finding = rule.finding(&[id], message, "give late events a channel, or record that they are dropped");
        // Of the engines that are known only Flink can lead late events aside; elsewhere the remedy is an own filter.
        finding.fix = context.runs(job, "flink").then(|| late_channel(context, id)).flatten();
        Some(finding)
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

/// Does this window close by the watermark?
pub(in crate::rules) fn closes(context: &Context<'_>, id: &Id) -> bool {
    by_event_time(context, id) && !context.graph.find(id).is_some_and(|node| takes::everything(context.graph, node))
}

/// Does this window go by event time?
pub(super) fn by_event_time(context: &Context<'_>, id: &Id) -> bool {
    let window = context.get(id, key::operator::WINDOW);
    !matches!(window, None | Some(WindowKind::Nothing | WindowKind::Global))
        && context.get(id, key::operator::CLOCK) == Some(Clock::EventTime)
}

/// Have late events a destination, or did somebody decide that they are dropped?
fn settled(context: &Context<'_>, id: &Id) -> bool {
    context.from(id).any(|(_, link)| link.port == Some(Port::Late)) || decided(context, id)
}

/// Did somebody decide that late events are dropped?
pub(in crate::rules) fn decided(context: &Context<'_>, id: &Id) -> bool {
    context.design.records.decisions.values().any(|decision| {
        decision.kind == Some(DecisionKind::DropLate)
            && decision.about.iter().any(|text| text.split('.').next() == Some(id.as_str()))
    })
}

/// A planned channel behind a late output, on the cluster of a channel that the job already uses.
fn late_channel(context: &Context<'_>, id: &Id) -> Option<Fix> {
    let design = context.design;
    let model = near_channel(context, id).and_then(|at| design.elements.get(at));
    let name = format!("{}_late", context.title(id));
    let channel = design.fresh_id(&Id::slug(&name, "late"));
    let mut subject = Subject::new(Shape::Element(Element::Channel { role: None }));
    subject.name = (name != channel.as_str()).then(|| name.as_str().into());
    subject.cluster = model.and_then(|model| model.cluster.clone());
    subject.system = model.and_then(|model| model.system.clone());
    let ends = Link { from: id.clone(), to: channel.clone(), port: Some(Port::Late), into: None };
    let edit = Edit::All(vec![
        Edit::Subject { section: Section::Elements, id: channel, to: Some(Box::new(subject)) },
        Edit::Subject { section: Section::Links, id: context.next_link(), to: Some(Box::new(Subject::new(Shape::Link(ends)))) },
    ]);
    Some(Fix { label: "Propose a late channel".to_owned(), edit })
}

/// The nearest channel behind an operator, else in front of it.
fn near_channel<'a>(context: &Context<'a>, id: &Id) -> Option<&'a Id> {
    let is_channel = |at: &&Id| context.kind(at) == Some(ElementKind::Channel);
    let behind = context.from(id).map(|(_, link)| &link.to).find(is_channel);
    behind.or_else(|| {
        let own = context.design.elements.get_key_value(id).map(|(id, _)| id)?;
        let (mut seen, mut queue) = (Set::default(), VecDeque::from([own]));
        while let Some(at) = queue.pop_front() {
            if is_channel(&at) {
                return Some(at);
            }
            queue.extend(context.into(at).map(|(_, link)| &link.from).filter(|from| seen.insert(*from)));
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const NO_LATE: &[(&str, &str)] = &[("links/l8", "null"), ("elements/late", "null")];

    #[test]
    fn a_window_without_a_late_destination_is_found() {
        fires("TIM-04", NO_LATE);
        mends("TIM-04", NO_LATE);
        let mut decided = NO_LATE.to_vec();
        decided.push(("decisions", r#"{"d1":{"text":"late orders are dropped","kind":"drop_late","about":["sum"]}}"#));
        silent("TIM-04", &decided);
        let mut arrival = NO_LATE.to_vec();
        arrival.push(("elements/sum/proposed/clock", "\"processing_time\""));
        silent("TIM-04", &arrival);
    }

    #[test]
    fn the_proposed_channel_stands_on_the_cluster_of_its_neighbours() {
        let mut design = careful_with(NO_LATE);
        design.apply(fires("TIM-04", NO_LATE).fix.unwrap().edit).unwrap();
        let channel = design.elements.iter().find(|(id, _)| id.as_str() == "sum_late").unwrap().1;
        assert_eq!(channel.cluster.as_ref().map(|id| id.as_str()), Some("kafka"));
        assert!(channel.proposed.is_empty(), "nothing is invented");
    }
}
