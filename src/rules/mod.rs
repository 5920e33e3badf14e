//! One file a rule: what it finds, why it matters, when, what mends it. A rule reads a design and the report of the
//! analysis and says what is wrong; it computes no figure of its own.
//!
//! Findings never stop anything. What stops is in [`halt`], in six classes and no more. Not here: figures and verdicts
//! (`analysis`), how findings look (`ui`, `documents`).

pub mod compare;
mod context;
mod delivery;
mod finding;
mod governance;
pub mod halt;
mod order;
mod parts;
mod replay;
mod reviewer;
mod rule;
mod scaling;
mod state;
#[cfg(test)]
mod testing;
mod time;
mod ways;

pub use context::Context;
pub use finding::{Consent, Finding, Fix, Halt, HaltClass, Lift, Severity};
pub use replay::procedure;
pub use reviewer::Reviewer;
pub use rule::{Rule, Scope};

use crate::sorted;
use crate::{
    analysis::{self, Report, graph::Graph, unreachable},
    model::{Design, Numbers, View, words::Criticality},
};
use std::{ops::Deref, sync::Arc};

/// All rules, sorted by id.
pub static RULES: &[&Rule] = &[
    &scaling::CAP_L1,
    &scaling::CAP_L2,
    &scaling::CAP_L3,
    &scaling::CAP_L4,
    &scaling::CAP_L5,
    &governance::CFG_01,
    &state::CHK_01,
    &state::CHK_02,
    &state::CHK_03,
    &state::CHK_04,
    &state::CHK_05,
    &replay::CHK_06,
    &state::CHK_07,
    &state::CHK_08,
    &delivery::CON_L1,
    &delivery::CON_L10,
    &delivery::CON_L2,
    &delivery::CON_L3,
    &delivery::CON_L4,
    &delivery::CON_L5,
    &delivery::CON_L6,
    &delivery::CON_L7,
    &delivery::CON_L8,
    &delivery::CON_L9,
    &delivery::DEL_01,
    &delivery::DEL_02,
    &delivery::DEL_03,
    &delivery::DEL_04,
    &delivery::DEL_05,
    &delivery::DEL_06,
    &delivery::DEL_07,
    &delivery::DEL_08,
    &delivery::DEL_09,
    &delivery::DEL_10,
    &delivery::DEL_11,
    &delivery::DEL_12,
    &delivery::DEL_13,
    &delivery::DEL_14,
    &delivery::DEL_15,
    &delivery::DEL_16,
    &delivery::DEL_17,
    &delivery::DEL_18,
    &delivery::DEL_19,
    &delivery::DEL_20,
    &delivery::DEL_21,
    &delivery::DEL_22,
    &delivery::DEL_23,
    &delivery::DEL_24,
    &delivery::DEL_25,
    &delivery::DEL_26,
    &delivery::DEL_27,
    &delivery::DEL_28,
    &delivery::DEL_29,
    &replay::DET_01,
    &governance::DLQ_01,
    &order::DLQ_02,
    &governance::DLQ_03,
    &governance::DOC_01,
    &delivery::DUP_01,
    &delivery::DUP_02,
    &delivery::DUP_03,
    &delivery::DUP_04,
    &delivery::DUP_05,
    &delivery::DUP_06,
    &delivery::DUP_07,
    &delivery::DUP_08,
    &delivery::DUP_09,
    &delivery::DUP_10,
    &delivery::DUP_11,
    &delivery::DUP_12,
    &delivery::DUP_13,
    &delivery::DUP_14,
    &delivery::FLK_01,
    &delivery::FLK_02,
    &state::FLK_03,
    &delivery::FLK_04,
    &state::FLK_05,
    &delivery::FLK_06,
    &scaling::LAG_L1,
    &scaling::LAG_L2,
    &scaling::LAG_L3,
    &scaling::LAG_L4,
    &scaling::LAG_L5,
    &scaling::LAG_L6,
    &scaling::LAG_L7,
    &scaling::LAT_L1,
    &scaling::LAT_L2,
    &scaling::LAT_L3,
    &scaling::LAT_L4,
    &scaling::LAT_L5,
    &scaling::MEM_L1,
    &delivery::OFF_01,
    &delivery::OFF_02,
    &delivery::OFF_03,
    &delivery::OFF_04,
    &order::ORD_L1,
    &order::ORD_L2,
    &order::ORD_L3,
    &order::ORD_L4,
    &order::ORD_L5,
    &order::ORD_L6,
    &order::ORD_L7,
    &governance::PRV_01,
    &governance::PRV_02,
    &governance::PRV_03,
    &governance::PRV_04,
    &governance::PRV_05,
    &delivery::QUE_01,
    &delivery::QUE_02,
    &scaling::REB_L1,
    &scaling::REB_L2,
    &scaling::REB_L3,
    &scaling::REB_L4,
    &scaling::REB_L5,
    &scaling::REC_L1,
    &scaling::REC_L2,
    &scaling::REC_L3,
    &scaling::REC_L4,
    &replay::REP_L1,
    &replay::REP_L2,
    &replay::REP_L3,
    &replay::REP_L4,
    &replay::REP_L5,
    &replay::RET_01,
    &replay::RET_02,
    &replay::RET_03,
    &replay::RET_04,
    &replay::RET_05,
    &replay::RET_06,
    &replay::RET_07,
    &replay::RET_08,
    &replay::RET_09,
    &replay::RET_10,
    &replay::RET_11,
    &replay::RET_12,
    &replay::RET_13,
    &replay::RET_14,
    &replay::RET_15,
    &replay::RET_16,
    &replay::RET_17,
    &delivery::SFX_01,
    &order::SKW_01,
    &order::SKW_02,
    &order::SKW_03,
    &order::SKW_04,
    &delivery::SPK_L1,
    &delivery::SPK_L2,
    &delivery::SPK_L3,
    &delivery::SPK_L4,
    &delivery::SRC_L1,
    &delivery::SRC_L2,
    &delivery::SRC_L3,
    &state::STA_01,
    &state::STA_02,
    &state::STA_03,
    &state::STA_04,
    &state::STA_05,
    &state::STA_06,
    &state::STA_07,
    &state::STA_08,
    &state::STA_09,
    &state::STA_10,
    &state::STA_11,
    &state::STA_12,
    &state::STA_13,
    &state::STA_14,
    &time::TIM_01,
    &time::TIM_02,
    &time::TIM_03,
    &time::TIM_04,
    &time::TIM_05,
    &time::TIM_06,
    &time::TIM_07,
    &time::TIM_08,
    &time::TIM_09,
    &time::TIM_10,
    &time::TIM_11,
    &time::TIM_12,
    &time::TIM_13,
    &time::TIM_14,
    &time::TIM_15,
    &time::TIM_16,
    &time::TIM_17,
    &time::TIM_18,
    &time::TIM_19,
    &time::TIM_20,
    &time::TIM_21,
    &time::TIM_22,
    &time::TIM_23,
    &time::TIM_24,
    &time::TIM_25,
    &time::TIM_26,
];

/// The rule of an id.
#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id).copied()
}

/// What is worked out about a design in one view: the report of the analysis (which a review reads as), with what the
/// rules say about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// Figures and delivery verdicts.
    pub report: Report,
    /// Findings of all rules, worst first, then by element in flow order.
    pub findings: Vec<Arc<Finding>>,
    /// What must not go on, and who lifts it.
    pub halts: Vec<Halt>,
    /// Where the steps of planned replays stand, in id order.
    pub procedures: Vec<procedure::Procedure>,
    origin: reviewer::Origin,
}

impl Deref for Review {
    type Target = Report;

    fn deref(&self) -> &Report {
        &self.report
    }
}

/// Analyses a design in a view and examines the report by every rule. Halts look at all that was said of the design, also
/// at what nothing rests on because its source could not be reached.
#[must_use]
pub fn review(design: &Design, view: View) -> Review {
    let readable = unreachable::readable(design);
    let graph = Graph::new(readable.as_ref().unwrap_or(design), view);
    let report = analysis::report(&graph);
    let context = Context::new(&graph, &report);
    let (findings, procedures) = (findings(&context), replay::procedures(&context));
    let halts = match readable {
        None => halt::halts(&context),
        Some(_) => halt::halts(&Context::new(&Graph::new(design, view), &report)),
    };
    Review { report, findings, halts, procedures, origin: reviewer::Origin::default() }
}

/// The findings of all rules, in the order of a review.
fn findings(context: &Context<'_>) -> Vec<Arc<Finding>> {
    let all = [Scope::Part, Scope::Design].into_iter().flat_map(|scope| found(context, scope));
    ranked(context, all.collect())
}

/// A finding with the number of its rule.
type Found = (u16, Arc<Finding>);

/// What the rules of a scope find.
fn found(context: &Context<'_>, scope: Scope) -> Vec<Found> {
    let mut all = Vec::new();
    for (number, rule) in (0..).zip(RULES).filter(|(_, rule)| rule.scope == scope) {
        for mut finding in (rule.check)(rule, context) {
            if context.about_money(finding.about.first()) {
                finding.severity = finding.severity.raised();
            }
            all.push((number, Arc::new(finding)));
        }
    }
    all
}

/// Findings in the order of a review, with what was put aside.
fn ranked(context: &Context<'_>, all: Vec<Found>) -> Vec<Arc<Finding>> {
    let mut order = Numbers::with_room(context.design.elements.len() + context.design.links.len());
    for (number, id) in context.flow_order().enumerate() {
        order.insert(id, number);
    }
    // What was put aside comes last; of the rest the worst first, in flow order; at one place by rule.
    let rank = |rule: u16, finding: &Finding| {
        let place = finding.about.first().and_then(|id| order.get(id)).and_then(|at| u32::try_from(at).ok());
        let last = u64::from(finding.accepted.is_some()) << 2 | (Severity::Error as u64 - finding.severity as u64);
        (last << 32 | u64::from(place.unwrap_or(u32::MAX))) << 16 | u64::from(rule)
    };
    let mut findings: Vec<(u64, Arc<Finding>)> = Vec::with_capacity(all.len());
    for (rule, mut finding) in all {
        if let Some(reason) = accepted(context.design, &finding) {
            Arc::make_mut(&mut finding).accepted = Some(reason);
        }
        findings.push((rank(rule, &finding), finding));
    }
    sorted::sort_by_number(&mut findings, |(rank, _)| *rank);
    for alike in findings.chunk_by_mut(|(a, _), (b, _)| a == b) {
        sorted::sort_by(alike, |(_, a), (_, b)| a.about.cmp(&b.about));
    }
    findings.into_iter().map(|(_, finding)| finding).collect()
}

/// The reason and name under which a finding was put aside, where somebody did.
fn accepted(design: &Design, finding: &Finding) -> Option<String> {
    let decision = design.records.decisions.get(finding.put_aside_by(design)?)?;
    Some(match &decision.by {
        Some(by) => format!("{} ({by})", decision.text),
        None => decision.text.to_string(),
    })
}

/// Is a consumer with this criticality one for whom every finding weighs one step more?
const fn weighs_more(criticality: Criticality) -> bool {
    matches!(criticality, Criticality::Financial | Criticality::Regulatory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_sorted_unique_and_documented() {
        let ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(ids, sorted);
        for rule in RULES {
            for section in ["# Why", "# Example", "# What to do"] {
                assert!(rule.manual.contains(section), "{} lacks {section}", rule.id);
            }
            assert!(!rule.sources.is_empty() && !rule.title.ends_with('.'), "{}", rule.id);
        }
    }

    /// A complete and careful design is silent: no rule complains about what is right.
    #[test]
    fn a_careful_design_has_no_findings_and_no_halts() {
        let review = review(&testing::careful(), View::ToBe);
        assert_eq!(review.findings, vec![], "{:#?}", review.findings);
        assert_eq!(review.halts, vec![]);
    }

    #[test]
    fn a_half_drawn_design_is_examined_without_harm() {
        for text in [r#"{"format":"streaming-pipeline","version":1}"#, testing::SKETCH] {
            let design = crate::codec::decode(text).unwrap();
            for view in [View::AsIs, View::ToBe] {
                let _ = review(&design, view);
            }
        }
    }

    #[test]
    fn an_accepted_finding_stays_visible_with_its_reason() {
        let decision = r#"{"d1":{"text":"one replica is enough here","by":"platform","kind":"accept_finding","rule":"DEL-04","about":["orders"]}}"#;
        let design =
            testing::careful_with(&[("elements/orders/proposed/replication_factor", "1"), ("decisions", decision)]);
        let findings = review(&design, View::ToBe).findings;
        let finding = findings.iter().find(|finding| finding.rule == "DEL-04").unwrap();
        assert_eq!(finding.accepted.as_deref(), Some("one replica is enough here (platform)"));
    }

    #[test]
    fn findings_weigh_one_step_more_for_financial_and_regulatory_figures() {
        let plain = testing::careful_with(&[("links/l5/proposed/offset_reset", "\"latest\"")]);
        let money = testing::careful_with(&[
            ("links/l5/proposed/offset_reset", "\"latest\""),
            ("elements/board/proposed/criticality", "\"financial\""),
        ]);
        let severity = |design| {
            let review = review(design, View::ToBe);
            review.findings.iter().find(|finding| finding.rule == "OFF-01").map(|finding| finding.severity)
        };
        assert_eq!(severity(&plain), Some(Severity::Warning));
        assert_eq!(severity(&money), Some(Severity::Error));
    }

    /// The example that opens in one click: the late channel and lateness are proposed, the owner has not agreed.
    #[test]
    fn checkout_revenue_waits_for_finance_ops() {
        let text = crate::catalog::examples()[0].text;
        let design = crate::codec::decode(text).unwrap();
        let to_be = review(&design, View::ToBe);
        let halts: Vec<_> = to_be.halts.iter().map(|halt| (halt.action.as_str(), halt.consequence.as_str())).collect();
        let lateness = "change allowed lateness 0 s → 10 min of sum by store";
        assert_eq!(halts, [(lateness, "it changes a published figure: Revenue board")]);
        assert_eq!(to_be.halts[0].lifted_by, "Finance Ops, by name and date");
        let as_is = review(&design, View::AsIs);
        assert_eq!(as_is.halts, vec![]);
        let rules = |review: &Review| review.findings.iter().map(|finding| finding.rule).collect::<Vec<_>>();
        for rule in ["DEL-15", "RET-02", "TIM-04", "TIM-07"] {
            assert!(rules(&as_is).contains(&rule), "{rule} as is: {:?}", rules(&as_is));
        }
        assert!(rules(&to_be).contains(&"DEL-15"));
        for rule in ["TIM-04", "TIM-07"] {
            assert!(!rules(&to_be).contains(&rule), "{rule} to be");
        }
    }
}
