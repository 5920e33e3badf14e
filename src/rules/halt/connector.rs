//! Connector unreachable: something that could be read exists and cannot be read, and answers depend on it. What was
//! only not provided stops nothing.

use super::and;
use crate::{
    analysis::unreachable::{Unreachable, unreachable},
    model::Id,
    rules::{Context, Halt, HaltClass, Lift},
};

/// So many names stand in a sentence.
const MOST_NAMED: usize = 3;

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    unreachable(context.design).iter().filter_map(|source| halt(context, source)).collect()
}

fn halt(context: &Context<'_>, source: &Unreachable) -> Option<Halt> {
    let design = context.design;
    let evidence = design.records.evidence.get(&source.evidence)?;
    let named = || {
        let ids = evidence.about.iter().filter_map(|text| Id::new(text.split('.').next()?).ok());
        let mut ids: Vec<Id> =
            ids.filter(|id| design.subject(id).is_some() && design.visible(context.view, id)).collect();
        ids.dedup();
        ids
    };
    // What sort of evidence it is says what would have come from it.
    let covered = || source.leaves_open(design, context.view).into_iter().cloned().collect();
    let about: Vec<Id> = if source.about.is_empty() { covered() } else { named() };
    if about.is_empty() {
        return None;
    }
    let mut names: Vec<String> = about.iter().take(MOST_NAMED).map(|id| context.title(id).into_owned()).collect();
    if about.len() > MOST_NAMED {
        names.push(format!("{} more", about.len() - MOST_NAMED));
    }
    let depend = if names.len() == 1 { "depends" } else { "depend" };
    let from = evidence.from.as_ref().map_or_else(|| source.evidence.to_string(), ToString::to_string);
    Some(Halt {
        class: HaltClass::ConnectorUnreachable,
        action: format!("claim anything that rests on {from}"),
        consequence: format!("it exists and could not be read; {} {depend} on it", and(&names)),
        about,
        lifted_by: "access to it, or what it prints".to_owned(),
        lift: Lift::Change,
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        model::{Id, View},
        rules::{HaltClass, review, testing::careful_with},
    };

    #[test]
    fn only_what_exists_and_cannot_be_read_stops() {
        let halts = |state: &str| {
            let evidence =
                format!(r#"{{"e1":{{"from":"lag monitor","state":"{state}","about":["orders","l2.lag"]}}}}"#);
            let review = review(&careful_with(&[("evidence", &evidence)]), View::ToBe);
            review.halts.into_iter().filter(|halt| halt.class == HaltClass::ConnectorUnreachable).collect::<Vec<_>>()
        };
        assert_eq!(
            halts("unreachable")[0].consequence,
            "it exists and could not be read; orders and orders → dedup depend on it"
        );
        assert_eq!(halts("not_provided"), vec![]);
        assert_eq!(halts("absent"), vec![]);
    }

    /// The lag of what runs could have been read, that of what is only planned could not.
    #[test]
    fn a_sort_of_evidence_stops_what_it_would_have_told() {
        let halts = |covers: &str, running: &[(&str, &str)]| {
            let evidence = format!(r#"{{"e1":{{"from":"lag monitor","state":"unreachable","covers":["{covers}"]}}}}"#);
            let review = review(&careful_with(&[running, &[("evidence", &evidence)]].concat()), View::ToBe);
            review.halts.into_iter().filter(|halt| halt.class == HaltClass::ConnectorUnreachable).collect::<Vec<_>>()
        };
        let running = [("elements/orders/lifecycle", "\"existing\""), ("elements/revenue/lifecycle", "\"existing\"")];
        let lag = halts("lag", &running);
        assert_eq!(lag.len(), 1);
        assert!(lag[0].about.iter().any(|id| id.as_str() == "l2"), "{lag:?}");
        assert_eq!(halts("lag", &[]), vec![], "nothing runs");
        assert_eq!(halts("batch_path", &running), vec![], "there is none");
    }

    /// A proposal to keep less than what somebody said is kept today stops, although nothing rests on that word.
    #[test]
    fn what_nothing_rests_on_still_stops_a_change() {
        let facts = r#"{"said":{"retention_time":"7d"}}"#;
        let evidence = r#"{"said":{"basis":"stated","by":"owner"},"e1":{"from":"kafka-configs.sh","state":"unreachable","about":["orders.retention_time"]}}"#;
        let design = careful_with(&[
            ("elements/orders/lifecycle", "\"existing\""),
            ("elements/orders/observed", facts),
            ("elements/orders/proposed/retention_time", "\"1d\""),
            ("evidence", evidence),
        ]);
        let as_is = review(&design, View::AsIs);
        assert!(as_is.channels[&Id::new("orders").unwrap()].reach.is_err());
        let to_be = review(&design, View::ToBe);
        assert!(to_be.halts.iter().any(|halt| halt.class == HaltClass::ProductionOrDestructive), "{:?}", to_be.halts);
    }
}
