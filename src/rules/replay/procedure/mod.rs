//! The six steps of a replay as a machine that cannot be skipped.
//!
//! Each step has what it needs from the design, and a place behind the steps before it. [`Procedure::record`] is the only
//! way on: it refuses a step whose turn it is not, and one whose evidence is not there. What was recorded past it is not
//! taken for done. What is *not* here: how far back a replay can start (`analysis`), and what stops it (halts).

mod needs;

pub use needs::Need;

use crate::{
    analysis::{Report, graph::Graph},
    edit::{Edit, Record},
    model::{Action, ActionKind, Design, Id, Text, View},
    rules::Context,
};

/// One step, in its order: replaying into live state adds the same events twice, and half-done figures reach readers
/// before anybody looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The log still holds where it starts, by reading.
    Reach,
    /// The owners of all results that it restates agree, by name.
    Approvals,
    /// Readers are stopped, stores and exports are held.
    Hold,
    /// State is reset, or a shadow takes it.
    State,
    /// A bounded range is read and compared with a total from before.
    Bounded,
    /// All of it is read, compared, released and told.
    Complete,
}

impl Step {
    /// All steps in their order.
    pub const ALL: [Self; 6] = [Self::Reach, Self::Approvals, Self::Hold, Self::State, Self::Bounded, Self::Complete];

    /// 1 to 6.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// In a few words: `stop and hold`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Reach => "confirm the reach",
            Self::Approvals => "get the approvals",
            Self::Hold => "stop and hold",
            Self::State => "decide what happens to state",
            Self::Bounded => "replay a bounded range and compare",
            Self::Complete => "complete, compare, release",
        }
    }

    fn recorded(self, action: &Action) -> Option<&Text> {
        action.done.get(self.number().to_string().as_str()).filter(|text| !text.trim().is_empty())
    }
}

/// Where a step stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Recorded in its turn, with all that it needs: what was recorded.
    Done(Text),
    /// It is its turn, and everything is there.
    Open,
    /// It is its turn, and these are not there.
    Lacks(Vec<Need>),
    /// An earlier step is not done.
    Waits(Step),
    /// Recorded and not taken for done: the earlier step that is not, or what it needs that is not there.
    OutOfTurn {
        /// The step whose turn it is, where that is an earlier one.
        before: Option<Step>,
        /// What it needs and is not there.
        needs: Vec<Need>,
    },
}

/// Why a step is not recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An earlier step is not done.
    NotYet(Step),
    /// It is done.
    Done,
    /// What it needs is not there.
    Lacks(Vec<Need>),
    /// Nothing is said of what was done.
    Nothing,
    /// The action is no longer part of the design.
    Gone,
}

/// The procedure of one planned replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// The planned action.
    pub action: Id,
    steps: [Standing; 6],
}

impl Procedure {
    /// Of an action that reads something again; `None` for any other.
    pub(in crate::rules) fn of<'a>(context: &Context<'a>, id: &Id, action: &'a Action) -> Option<Self> {
        let again = matches!(action.kind, ActionKind::Replay | ActionKind::Backfill | ActionKind::ResetOffsets);
        again.then(|| {
            let mut turn = None;
            let steps = Step::ALL.map(|step| standing(context, id, action, step, &mut turn));
            Self { action: id.clone(), steps }
        })
    }

    /// Where a step stands.
    #[must_use]
    pub const fn standing(&self, step: Step) -> &Standing {
        &self.steps[step as usize]
    }

    /// The step whose turn it is; `None`: all are done.
    #[must_use]
    pub fn turn(&self) -> Option<Step> {
        Step::ALL.into_iter().find(|step| !matches!(self.standing(*step), Standing::Done(_)))
    }

    /// The change that records a step as done.
    ///
    /// # Errors
    /// It is not its turn, it is done, something that it needs is not there, or nothing is said of what was done.
    pub fn record(&self, design: &Design, step: Step, what: &str) -> Result<Edit, Refusal> {
        match self.standing(step) {
            Standing::Done(_) => return Err(Refusal::Done),
            Standing::Waits(before) | Standing::OutOfTurn { before: Some(before), .. } => {
                return Err(Refusal::NotYet(*before));
            }
            Standing::Lacks(needs) | Standing::OutOfTurn { needs, .. } => return Err(Refusal::Lacks(needs.clone())),
            Standing::Open if what.trim().is_empty() => return Err(Refusal::Nothing),
            Standing::Open => {}
        }
        let mut action = design.records.actions.get(&self.action).ok_or(Refusal::Gone)?.clone();
        action.done.insert(step.number().to_string().as_str().into(), what.trim().into());
        Ok(Edit::Record(Record::Action(self.action.clone(), Some(action))))
    }

    /// Steps that were recorded and are not taken for done.
    pub fn out_of_turn(&self) -> impl Iterator<Item = (Step, Option<Step>, &[Need])> {
        Step::ALL.into_iter().filter_map(|step| match self.standing(step) {
            Standing::OutOfTurn { before, needs } => Some((step, *before, needs.as_slice())),
            _ => None,
        })
    }
}

/// What each step of a replay would lack, its turn or not: of one that is only thought of.
#[must_use]
pub fn lacking(design: &Design, view: View, report: &Report, action: &Action) -> [Vec<Need>; 6] {
    let (graph, id) = (Graph::new(design, view), Id::new("thought_of"));
    let context = Context::new(&graph, report);
    Step::ALL.map(|step| id.as_ref().map(|id| needs::of(&context, id, action, step)).unwrap_or_default())
}

/// `turn` is the first step that is not done, once there is one.
fn standing<'a>(context: &Context<'a>, id: &Id, action: &'a Action, step: Step, turn: &mut Option<Step>) -> Standing {
    let (recorded, before) = (step.recorded(action), *turn);
    if recorded.is_none()
        && let Some(before) = before
    {
        return Standing::Waits(before);
    }
    let needs = needs::of(context, id, action, step);
    if before.is_none() && needs.is_empty() {
        if let Some(recorded) = recorded {
            return Standing::Done(recorded.clone());
        }
        *turn = Some(step);
        return Standing::Open;
    }
    turn.get_or_insert(step);
    if recorded.is_some() { Standing::OutOfTurn { before, needs } } else { Standing::Lacks(needs) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{review, testing::careful_with};

    const PLAN: &str = r#"{"r1":{"kind":"replay","about":["orders"],"from":"1d","state_handling":"reset","holds":["table"],
        "first_range":"one day of one store","control_total":"rows and sum(amount) per day","done":DONE}}"#;
    const READ: [(&str, &str); 3] = [
        ("evidence/e1", r#"{"basis":"read","from":"kafka-get-offsets"}"#),
        ("elements/orders/lifecycle", "\"existing\""),
        ("elements/orders/observed", r#"{"e1":{"oldest_record_age":"6d"}}"#),
    ];
    const AGREED: (&str, &str) =
        ("approvals", r#"{"a1":{"by":"Sales, M. Ito","at":"2026-12-01","for":"r1","of":"board"}}"#);

    fn plan(done: &str, more: &[(&str, &str)]) -> (Design, Procedure) {
        let actions = PLAN.replace("DONE", done);
        let design = careful_with(&[&[("actions", actions.as_str())], more].concat());
        let procedure = review(&design, View::ToBe).procedures.into_iter().next().unwrap();
        (design, procedure)
    }

    fn all() -> Vec<(&'static str, &'static str)> {
        [&READ[..], &[AGREED]].concat()
    }

    /// With everything there, the six steps can be recorded one after the other, and in no other order.
    #[test]
    fn steps_come_one_after_the_other() {
        let (mut design, _) = plan("{}", &all());
        for (at, step) in Step::ALL.into_iter().enumerate() {
            let procedure = review(&design, View::ToBe).procedures.swap_remove(0);
            assert_eq!(procedure.turn(), Some(step));
            for later in &Step::ALL[at + 1..] {
                assert_eq!(procedure.record(&design, *later, "done"), Err(Refusal::NotYet(step)));
            }
            for earlier in &Step::ALL[..at] {
                assert_eq!(procedure.record(&design, *earlier, "again"), Err(Refusal::Done));
            }
            assert_eq!(procedure.record(&design, step, "  "), Err(Refusal::Nothing));
            design.apply(procedure.record(&design, step, "as read").unwrap()).unwrap();
        }
        let procedure = review(&design, View::ToBe).procedures.swap_remove(0);
        assert_eq!((procedure.turn(), procedure.out_of_turn().count()), (None, 0));
    }

    /// What is recorded past the machine is not taken for done, and neither is what comes after it.
    #[test]
    fn what_was_skipped_is_not_done() {
        let (design, procedure) = plan(r#"{"1":"read","3":"stopped","4":"reset"}"#, &all());
        assert_eq!(procedure.standing(Step::Reach), &Standing::Done("read".into()));
        assert_eq!(procedure.standing(Step::Approvals), &Standing::Open);
        let out: Vec<_> = procedure.out_of_turn().map(|(step, before, _)| (step, before)).collect();
        assert_eq!(out, [(Step::Hold, Some(Step::Approvals)), (Step::State, Some(Step::Approvals))]);
        assert_eq!(procedure.standing(Step::Bounded), &Standing::Waits(Step::Approvals));
        assert_eq!(procedure.record(&design, Step::Hold, "stopped"), Err(Refusal::NotYet(Step::Approvals)));
    }

    fn lacks(step: Step, done: &str, more: &[(&str, &str)]) -> Vec<String> {
        match plan(done, more).1.standing(step) {
            Standing::Lacks(needs) => needs.iter().map(|need| need.what.clone()).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_step_names_what_it_lacks() {
        assert_eq!(lacks(Step::Reach, "{}", &[AGREED]), ["the log start of orders, as read"]);
        let short = ("elements/orders/observed", r#"{"e1":{"oldest_record_age":"20h"}}"#);
        assert_eq!(
            lacks(Step::Reach, "{}", &[READ[0], READ[1], short, AGREED]),
            ["a start that orders still holds: 20 h back by its reading"]
        );
        assert_eq!(lacks(Step::Approvals, r#"{"1":"read"}"#, &READ), ["the approval of Sales, by name, for board"]);
        let open = |path: &'static str, value: &'static str| [&all()[..], &[(path, value)]].concat();
        let two = r#"{"1":"read","2":"signed"}"#;
        assert_eq!(lacks(Step::Hold, two, &open("actions/r1/holds", "[]")), ["a hold of table"]);
        let three = r#"{"1":"read","2":"signed","3":"held"}"#;
        assert_eq!(
            lacks(Step::State, three, &open("actions/r1/state_handling", "null")),
            ["what happens to the state of dedup, sum"]
        );
        assert_eq!(
            lacks(Step::State, three, &open("actions/r1/state_handling", "\"keep\"")),
            ["a reset or a shadow: kept state of dedup, sum takes the same events twice"]
        );
        let four = r#"{"1":"read","2":"signed","3":"held","4":"reset"}"#;
        assert_eq!(
            lacks(Step::Bounded, four, &open("actions/r1/control_total", "null")),
            ["a control total from before"]
        );
        assert_eq!(
            lacks(Step::Bounded, four, &open("actions/r1/first_range", "null")),
            ["a bounded range to begin with"]
        );
    }

    /// Of a replay that nobody planned, each step says what it would lack, also those whose turn it would not be.
    #[test]
    fn what_a_replay_would_lack_is_told_before_it_is_planned() {
        let (design, _) = plan("{}", &READ);
        let mut action = design.records.actions.values().next().unwrap().clone();
        action.first_range = None;
        action.holds.clear();
        let report = review(&design, View::ToBe).report;
        let what = lacking(&design, View::ToBe, &report, &action);
        let what: Vec<Vec<&str>> =
            what.iter().map(|needs| needs.iter().map(|need| need.what.as_str()).collect()).collect();
        assert_eq!(what[0], [""; 0]);
        assert_eq!(what[1], ["the approval of Sales, by name, for board"]);
        assert_eq!(what[2], ["a hold of table"]);
        assert_eq!(what[4], ["a bounded range to begin with"]);
    }

    /// An assumption about the log start is no reading.
    #[test]
    fn the_reach_is_confirmed_by_reading_alone() {
        let assumed = [("evidence/e1", r#"{"basis":"assumed","from":"retention"}"#), READ[1], READ[2], AGREED];
        assert_eq!(lacks(Step::Reach, "{}", &assumed), ["the log start of orders, as read"]);
        let (_, other) = plan(r#"{"1":"thought so"}"#, &assumed);
        assert!(matches!(other.standing(Step::Reach), Standing::OutOfTurn { before: None, .. }));
        assert_eq!(other.turn(), Some(Step::Reach));
    }
}
