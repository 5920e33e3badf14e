use crate::{
    model::{ChannelRole, Columns, Element, ElementKind, Id, Port, Step, key, words::Classification},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// An event has personal fields and no class that says so, and copies of it stand aside.
    ///
    /// # Why
    /// Dead letters, late events, a job's state and its changelog, a tier on object storage hold whole records of the main path. Who sets up their access and
    /// retention goes by the class of the event. Where that is missing, or says internal, the copies are kept like any other.
    ///
    /// # Example
    /// The main topic is encrypted and keeps three days; `signups_dlq` holds the same addresses in clear for a year.
    ///
    /// # What to do
    /// Give the event its class; it then goes with every copy.
    PRV_03 "PRV-03" Error "Personal data stands aside without a class"
    why "copies of it are kept and opened like any other record"
    sources ["Regulation (EU) 2016/679, Article 5(1)(e) and (f)", "Apache Kafka documentation, Kafka Connect Configs: errors.deadletterqueue"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let unclassed: Vec<(&Id, Columns)> = context.design.events.keys().filter_map(|event| Some((event, unclassed(context, event)?))).collect();
    if unclassed.is_empty() {
        return Vec::new();
    }
    let aside = aside(context);
    let one = |(event, fields): (&Id, Columns)| {
        let places: Vec<&Id> = aside.iter().filter(|id| context.events_at(id).contains(&event)).copied().collect();
        let first = *places.first()?;
        let class = context.get(event, key::event::CLASSIFICATION);
        let class = class.map_or("no class is stated".to_owned(), |class| format!("its class is {}", class.as_str()));
        let names: Vec<_> = places.iter().take(3).map(|id| context.title(id)).collect();
        let more = if places.len() > 3 { format!(" and {} more", places.len() - 3) } else { String::new() };
        let message = format!("{} has personal fields {fields}, {class}, and copies stand in {}{more}", context.title(event), names.join(", "));
        let fix = propose("Propose the class personal", event, key::event::CLASSIFICATION, Classification::Personal);
        Some(rule.finding(&[first, event], message, "give the event its class").fixed_by(Some(fix)))
    };
    unclassed.into_iter().filter_map(one).collect()
}

/// The personal fields of an event that has no class for them.
pub(in crate::rules) fn unclassed(context: &Context<'_>, event: &Id) -> Option<Columns> {
    let fields = context.get(event, key::event::PERSONAL_FIELDS).filter(|fields| !fields.0.is_empty())?;
    let class = context.get(event, key::event::CLASSIFICATION);
    let open = class.is_none_or(|class| matches!(class, Classification::Public | Classification::Internal));
    open.then_some(fields)
}

/// Where copies stand besides the main path: dead letters, late events, retries, kept state, a tier on object storage.
pub(in crate::rules) fn aside<'a>(context: &Context<'a>) -> Vec<&'a Id> {
    let beside = |id: &Id| context.into(id).any(|(_, link)| matches!(link.port, Some(Port::DeadLetter | Port::Late)));
    let role = |id: &Id| matches!(context.subject(id).and_then(|subject| subject.element()), Some(Element::Channel { role: Some(ChannelRole::Retry | ChannelRole::JobState) }));
    let tiered = |id: &Id| context.get(id, key::channel::TIERED) == Some(true);
    let channels = context.elements(ElementKind::Channel).map(|(id, _)| id).filter(|id| role(id) || beside(id) || tiered(id));
    let state = context.operators().filter(|(_, _, step)| matches!(step, Step::Deduplicate | Step::Join)).map(|(id, ..)| id);
    channels.chain(state).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const FIELDS: (&str, &str) = ("events/order/proposed/personal_fields", "[\"customer\"]");

    #[test]
    fn copies_without_a_class_are_found() {
        let finding = fires("PRV-03", &[FIELDS]);
        assert_eq!(finding.message, "order has personal fields (customer), its class is internal, and copies stand in dlq, late, dedup");
        mends("PRV-03", &[FIELDS]);
        assert!(fires("PRV-03", &[FIELDS, ("events/order/proposed/classification", "null")]).message.contains("no class is stated"));
    }

    #[test]
    fn classed_events_and_paths_without_copies_are_left_alone() {
        silent("PRV-03", &[]);
        silent("PRV-03", &[FIELDS, ("events/order/proposed/classification", "\"personal\"")]);
        let plain = [FIELDS, ("elements/dlq", "null"), ("elements/late", "null"), ("links/l8", "null"), ("links/l9", "null"), ("links/l10", "null"), ("elements/dedup/step", "\"map\""), ("elements/dedup/proposed", "{}")];
        silent("PRV-03", &plain);
    }
}
