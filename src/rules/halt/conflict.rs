//! Source conflict: two readings of one fact disagree, or stream and batch do.

use super::and;
use crate::sorted::SortedSet;
use crate::{
    model::{Id, Known, Slot, Subject, key, words::ReconciliationResult},
    rules::{Context, Halt, HaltClass, Lift},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let design = context.design;
    let subjects = design.elements.iter().chain(&design.links).chain(&design.clusters).chain(&design.events);
    let twice = subjects.filter(|(_, subject)| subject.observed.len() > 1);
    let readings =
        twice.filter(|(id, _)| design.visible(context.view, id)).flat_map(|(id, subject)| facts(context, id, subject));
    readings.chain(context.links().filter_map(|(id, _)| results(context, id))).collect()
}

fn facts(context: &Context<'_>, id: &Id, subject: &Subject) -> Vec<Halt> {
    let fields: SortedSet<_> =
        subject.observed.values().flat_map(|facts| facts.iter().map(|(field, _)| field)).collect();
    let conflict = |field| {
        let Known::Conflict(sources) = context.design.resolve(context.view, id, field) else { return None };
        let value = |source: &crate::model::FactRef| {
            let Slot::Observed(evidence) = &source.slot else { return None };
            let value = subject.observed.get(evidence)?.get(field)?;
            let records = &context.design.records;
            let from = records.evidence.get(evidence).and_then(|e| e.from.as_ref());
            Some(format!("{} says {}", from.map_or_else(|| evidence.to_string(), ToString::to_string), value.spoken()))
        };
        let said: Vec<String> = sources.iter().filter_map(value).collect();
        let title = context.title(id);
        Some(Halt {
            class: HaltClass::SourceConflict,
            about: vec![id.clone()],
            action: format!("conclude anything from {} of {title}", field.label()),
            consequence: format!("{}; which one is true today decides the answer", and(&said)),
            lifted_by: "whoever can read it again; the other value goes, with a decision".to_owned(),
            lift: Lift::Reading(id.clone(), field),
        })
    };
    fields.into_iter().filter_map(conflict).collect()
}

fn results(context: &Context<'_>, id: &Id) -> Option<Halt> {
    if context.get(id, key::reconcile::RESULT)? != ReconciliationResult::Outside {
        return None;
    }
    let measure = context.get(id, key::reconcile::MEASURE).map_or_else(|| "the measure".to_owned(), |m| m.to_string());
    Some(Halt {
        class: HaltClass::SourceConflict,
        about: vec![id.clone()],
        action: format!("publish {measure} of {}", context.title(id)),
        consequence: "stream and batch disagree by more than is tolerated, and one of them contradicts the other"
            .to_owned(),
        lifted_by: "the owners of both results, with the cause and a decision".to_owned(),
        lift: Lift::Change,
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        model::View,
        rules::{HaltClass, review, testing::careful_with},
    };

    #[test]
    fn two_readings_that_disagree_are_stopped_until_somebody_decides() {
        let two = |second: &'static str| {
            [
                ("evidence/e1", r#"{"basis":"read","from":"cluster"}"#),
                ("evidence/e2", r#"{"basis":"stated","from":"design note"}"#),
                ("elements/orders/lifecycle", "\"existing\""),
                ("elements/orders/proposed/retention_time", "null"),
                ("elements/orders/observed/e1/retention_time", "\"14d\""),
                ("elements/orders/observed/e2/retention_time", second),
            ]
        };
        let conflicts = |changes: &[(&str, &str)]| {
            let halts = review(&careful_with(changes), View::ToBe).halts;
            halts.into_iter().filter(|halt| halt.class == HaltClass::SourceConflict).collect::<Vec<_>>()
        };
        let halts = conflicts(&two("\"7d\""));
        assert_eq!(halts.len(), 1);
        assert!(
            halts[0].consequence.starts_with("cluster says 14 d and design note says 7 d"),
            "{}",
            halts[0].consequence
        );
        assert_eq!(conflicts(&two("\"336h\"")), vec![], "14 d and 336 h are the same");
    }
}
