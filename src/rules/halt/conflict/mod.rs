//! Source conflict: two readings of one fact disagree and give different answers, or stream and batch disagree, or owners
//! agreed to different values, or one channel is drawn twice.

mod answers;
mod consents;
mod said;
mod twice;

use super::and;
use crate::sorted::SortedSet;
use crate::{
    model::{FactRef, Id, Known, Slot, Value, key, words::ReconciliationResult},
    rules::{Context, Halt, HaltClass, Lift},
};
use answers::{Conflict, Trials};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let all = conflicts(context);
    let mut trials = Trials::new(context, &all);
    let readings = all.iter().filter(|conflict| trials.decides(conflict)).map(|conflict| halt(context, conflict));
    let readings: Vec<Halt> = readings.collect();
    let mut halts: Vec<Halt> =
        readings.into_iter().chain(context.links().filter_map(|(id, _)| results(context, id))).collect();
    halts.extend(consents::halts(context));
    halts.extend(twice::halts(context));
    halts
}

/// All settings whose readings disagree.
fn conflicts<'a>(context: &Context<'a>) -> Vec<Conflict<'a>> {
    let design = context.design;
    let subjects = design.elements.iter().chain(&design.links).chain(&design.clusters).chain(&design.events);
    let twice = subjects.filter(|(_, subject)| subject.observed.len() > 1);
    let mut all = Vec::new();
    for (id, subject) in twice.filter(|(id, _)| design.visible(context.view, id)) {
        let fields: SortedSet<_> =
            subject.observed.values().flat_map(|facts| facts.iter().map(|(field, _)| field)).collect();
        for field in fields {
            let Known::Conflict(sources) = design.resolve(context.view, id, field) else { continue };
            let reading = |source: &FactRef| {
                let Slot::Observed(evidence) = &source.slot else { return None };
                let (evidence, facts) = subject.observed.get_key_value(evidence)?;
                Some((evidence, facts.get(field)?))
            };
            all.push(Conflict { id, subject, field, readings: sources.iter().filter_map(reading).collect() });
        }
    }
    all
}

fn halt(context: &Context<'_>, conflict: &Conflict<'_>) -> Halt {
    let Conflict { id, field, .. } = *conflict;
    let said = |(evidence, value): &(&Id, &Value)| {
        let from = context.design.records.evidence.get(*evidence).and_then(|e| e.from.as_ref());
        format!("{} says {}", from.map_or_else(|| evidence.to_string(), ToString::to_string), value.spoken())
    };
    let said: Vec<String> = conflict.readings.iter().map(said).collect();
    Halt {
        class: HaltClass::SourceConflict,
        about: vec![id.clone()],
        action: format!("conclude anything from {} of {}", field.label(), context.title(id)),
        consequence: format!("{}; which one is true today decides the answer", and(&said)),
        lifted_by: "whoever can read it again; the other value goes, with a decision".to_owned(),
        lift: Lift::Reading(id.clone(), field),
    }
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
        codec,
        model::View,
        rules::{Halt, HaltClass, review, testing::careful_with},
    };

    pub(super) fn conflicts(changes: &[(&str, &str)]) -> Vec<Halt> {
        let halts = review(&careful_with(changes), View::ToBe).halts;
        halts.into_iter().filter(|halt| halt.class == HaltClass::SourceConflict).collect()
    }

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
        let halts = conflicts(&two("\"7d\""));
        assert_eq!(halts.len(), 1);
        assert!(
            halts[0].consequence.starts_with("cluster says 14 d and design note says 7 d"),
            "{}",
            halts[0].consequence
        );
        assert_eq!(conflicts(&two("\"336h\"")), vec![], "14 d and 336 h are the same");
    }

    #[test]
    fn two_readings_that_give_the_same_answers_stop_nothing() {
        let two = |field: &'static str, first: &'static str, second: &'static str| {
            let changes = [
                ("evidence/e1", r#"{"basis":"read","from":"cluster"}"#.to_owned()),
                ("evidence/e2", r#"{"basis":"stated","from":"design note"}"#.to_owned()),
                ("elements/revenue/lifecycle", "\"existing\"".to_owned()),
                ("elements/revenue/observed", format!(r#"{{"e1":{{"{field}":{first}}},"e2":{{"{field}":{second}}}}}"#)),
            ];
            let proposed = format!("elements/revenue/proposed/{field}");
            let mut changes: Vec<(&str, &str)> = changes.iter().map(|(path, text)| (*path, text.as_str())).collect();
            changes.push((&proposed, "null"));
            let halts = review(&careful_with(&changes), View::ToBe).halts;
            halts.into_iter().filter(|halt| halt.class == HaltClass::SourceConflict).count()
        };
        // Six partitions are read by six instances at most: twelve or nine make no difference, four do.
        assert_eq!(two("parallelism", "12", "9"), 0);
        assert_eq!(two("parallelism", "12", "4"), 1);
    }

    /// A reader at 200 of 1 663 records: by one reading it stands behind all of them, by the other behind 20. LAG-L4 speaks
    /// either way, and of other numbers.
    #[test]
    fn readings_that_give_other_numbers_only_are_stopped_too() {
        let two = |first: u32, second: u32| {
            let observed = format!(r#"{{"e1":{{"stable_offset":{first}}},"e2":{{"stable_offset":{second}}}}}"#);
            conflicts(&[
                ("evidence/e1", r#"{"basis":"read","from":"cluster"}"#),
                ("evidence/e2", r#"{"basis":"read","from":"monitoring"}"#),
                ("elements/totals/lifecycle", "\"existing\""),
                ("elements/totals/observed", &observed),
                ("elements/totals/proposed/end_offset", "1663"),
                ("links/l5/proposed/committed_offset", "200"),
            ])
        };
        assert_eq!(two(200, 1643).len(), 1);
        // Both hold nothing back.
        assert_eq!(two(1663, 1700), vec![]);
    }

    /// A lone job for each conflict, of which none decides anything. Both readings take a job, what is copied beside it, here
    /// two clusters, an event and two entries of evidence, and the 10 that a review of nothing takes: 2 · 16 = 32 for a
    /// conflict, so that 312 take 9 984 of 10 000.
    #[test]
    fn work_counts_what_is_copied() {
        let of = |count: usize| {
            let job = r#""kind":"job","system":"flink","lifecycle":"existing","observed":{"e1":{"local_recovery":true},"e2":{"local_recovery":false}}"#;
            let jobs: Vec<String> = (0..count).map(|number| format!(r#""j{number}":{{{job}}}"#)).collect();
            let design = codec::decode(&format!(
                r#"{{"format":"streaming-pipeline","version":1,"elements":{{{}}},"links":{{}},
                "events":{{"e":{{}}}},"clusters":{{"c":{{}},"d":{{}}}},
                "evidence":{{"e1":{{"basis":"read"}},"e2":{{"basis":"read"}}}}}}"#,
                jobs.join(",")
            ))
            .unwrap_or_else(|error| panic!("{error}"));
            review(&design, View::ToBe).halts.iter().filter(|halt| halt.class == HaltClass::SourceConflict).count()
        };
        assert_eq!(of(312), 0);
        assert_eq!(of(313), 1, "beyond the work that one review does, a conflict counts as one that decides");
    }
}
