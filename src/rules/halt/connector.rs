//! Connector unreachable: something that could be read exists and cannot be read, and answers depend on it. What was
//! only not provided stops nothing.

use super::and;
use crate::{
    model::{EvidenceState, Id},
    rules::{Context, Halt, HaltClass, Lift},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let design = context.design;
    let unreachable = design.records.evidence.iter().filter(|(_, e)| e.state == Some(EvidenceState::Unreachable));
    let halt = |(id, evidence): (&Id, &crate::model::Evidence)| {
        let about: Vec<Id> = evidence
            .about
            .iter()
            .filter_map(|text| Id::new(text.split('.').next()?).ok())
            .filter(|id| design.subject(id).is_some() && design.visible(context.view, id))
            .collect();
        if about.is_empty() {
            return None;
        }
        let names: Vec<_> = about.iter().map(|id| context.title(id)).collect();
        let source = evidence.from.as_ref().map_or_else(|| id.to_string(), ToString::to_string);
        Some(Halt {
            class: HaltClass::ConnectorUnreachable,
            about: about.clone(),
            action: format!("claim anything that rests on {source}"),
            consequence: format!("it exists and could not be read; {} depend on it", and(&names)),
            lifted_by: "access to it, or what it prints".to_owned(),
            lift: Lift::Change,
        })
    };
    unreachable.filter_map(halt).collect()
}

#[cfg(test)]
mod tests {
    use crate::{
        model::View,
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
}
