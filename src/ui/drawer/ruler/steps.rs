//! The six steps of a replay beside the ruler: where each stands, what it lacks, and how it is recorded as done.
//!
//! Of a replay that is planned the machine of the rules says it; of one that nobody planned, what each step would lack.

use super::super::super::{
    marks::{Level, severity},
    store::Desk,
};
use crate::{
    action::records::RecordKind,
    edit::{Edit, Record},
    model::{
        Action, ActionKind, Design, Id, Subject, View, capital,
        units::{Duration, human::unbroken},
    },
    pictures::ruler::{Picture, Role},
    rules::{
        Review,
        procedure::{self, Need, Procedure, Standing, Step},
    },
};
use leptos::prelude::*;

/// Most needs that one step lists.
const LISTED: usize = 2;

/// How a step looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Done,
    /// Its turn, and nothing is missing.
    Open,
    /// Its turn, and something is missing; or recorded and not taken for done.
    Stopped,
    /// Not its turn yet.
    Later,
}

#[derive(Clone, Debug, PartialEq)]
struct Row {
    step: Step,
    look: Look,
    says: String,
}

/// The steps as they are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    rows: Vec<Row>,
    /// The replay that is planned, where one is.
    planned: Option<Procedure>,
    /// What planning it writes down, where none is.
    plan: Option<Action>,
    /// So many more replays of these logs are planned.
    more: usize,
}

impl Steps {
    /// The steps of the replay that is planned of these results, else of one from where they reach back the farthest.
    pub fn of(design: &Design, review: &Review, picture: &Picture) -> Option<Self> {
        let on_way = |id: &Id| picture.rows.iter().any(|row| row.role != Role::Beside && row.id == *id);
        let reads = |link: &Subject| link.as_link().is_some_and(|link| on_way(&link.from));
        let jobs =
            design.links.values().filter(|link| reads(link)).filter_map(|link| design.job_of(&link.as_link()?.to));
        let jobs: Vec<&Id> = jobs.collect();
        let about = |id: &Id| on_way(id) || jobs.contains(&id);
        let of_these = |one: &&Procedure| {
            let action = design.records.actions.get(&one.action);
            action.is_some_and(|action| action.about.iter().any(about))
        };
        let mut all = review.procedures.iter().filter(of_these);
        if let Some(planned) = all.next() {
            let rows = Step::ALL.map(|step| planned_row(step, planned.standing(step))).into();
            return Some(Self { rows, planned: Some(planned.clone()), plan: None, more: all.count() });
        }
        let start = picture.rows.iter().find(|row| row.role == Role::Recompute)?;
        let action = thought_of(start.id.clone(), picture.need.as_ref().map(|need| need.figure.value));
        let lacking = procedure::lacking(design, View::ToBe, review, &action);
        let rows = Step::ALL.into_iter().zip(&lacking).map(|(step, needs)| thought_row(step, needs)).collect();
        Some(Self { rows, planned: None, plan: Some(action), more: 0 })
    }
}

/// A replay from so many seconds back in a log.
fn thought_of(from: Id, back: Option<f64>) -> Action {
    let back = back.filter(|back| back.is_finite() && *back >= 0.0).map(|back| Duration::from_secs(back.ceil() as u64));
    Action {
        kind: ActionKind::Replay,
        about: vec![from],
        from: back.map(|back| back.to_string().into()),
        to: None,
        state_handling: None,
        first_range: None,
        control_total: None,
        holds: Vec::new(),
        reason: None,
        at: None,
        done: Default::default(),
    }
}

fn listed(needs: &[Need]) -> String {
    let mut said: Vec<&str> = needs.iter().take(LISTED).map(|need| need.what.as_str()).collect();
    let more = needs.len().saturating_sub(LISTED);
    let rest = format!("{more} more");
    if more > 0 {
        said.push(&rest);
    }
    said.join("; ")
}

fn planned_row(step: Step, standing: &Standing) -> Row {
    let (look, says) = match standing {
        Standing::Done(what) => (Look::Done, what.to_string()),
        Standing::Open => (Look::Open, "its turn: nothing is missing".to_owned()),
        Standing::Lacks(needs) => (Look::Stopped, format!("lacks {}", listed(needs))),
        Standing::Waits(before) => (Look::Later, format!("waits for step {}", before.number())),
        Standing::OutOfTurn { before: Some(before), .. } => {
            (Look::Stopped, format!("recorded out of turn: step {} is not done", before.number()))
        }
        Standing::OutOfTurn { before: None, needs } => {
            (Look::Stopped, format!("recorded and does not count: lacks {}", listed(needs)))
        }
    };
    Row { step, look, says }
}

fn thought_row(step: Step, needs: &[Need]) -> Row {
    let says = match (step, needs) {
        (Step::Complete, []) => "after the others, with what they recorded".to_owned(),
        (_, []) => "nothing is missing".to_owned(),
        (_, needs) => format!("needs {}", listed(needs)),
    };
    Row { step, look: Look::Later, says }
}

/// The steps beside the ruler.
pub fn steps(desk: Desk, steps: &Steps) -> AnyView {
    let rows: Vec<AnyView> = steps.rows.iter().map(|row| one(desk, row, steps.planned.as_ref())).collect();
    let done = steps.rows.iter().filter(|row| row.look == Look::Done).count();
    let state = match &steps.planned {
        Some(_) => format!("{done} of 6 done"),
        None => "not planned".to_owned(),
    };
    let more = (steps.more > 0).then(|| format!("{} more of these logs are planned.", steps.more));
    let plan = steps.plan.clone().map(|action| plan_button(desk, action));
    let turned = steps.planned.is_none().then_some("What each step of a replay from there would need, in this order.");
    view! {
        <aside class="rl-steps" aria-label="Replay, in this order" data-steps="">
            <header class="row rl-steps-head">
                <h3 class="panel-title grow">"Replay, in this order"</h3>
                <span class="small quiet nowrap">{state}</span>
            </header>
            {turned.map(|words| view! { <p class="small second">{words}</p> })}
            <ol class="rl-step-list">{rows}</ol>
            {more.map(|words| view! { <p class="small quiet">{words}</p> })}
            {plan}
        </aside>
    }
    .into_any()
}

fn one(desk: Desk, row: &Row, planned: Option<&Procedure>) -> AnyView {
    let sign = match row.look {
        Look::Done => severity(Level::Settled),
        Look::Stopped => severity(Level::Halt),
        _ => view! { <span class="rl-step-number">{row.step.number()}</span> }.into_any(),
    };
    let class = match row.look {
        Look::Done => "rl-step done",
        Look::Open => "rl-step open",
        Look::Stopped => "rl-step stopped",
        Look::Later => "rl-step",
    };
    let form = planned.filter(|_| row.look == Look::Open).map(|planned| record_form(desk, planned.clone(), row.step));
    view! {
        <li class=class data-step=row.step.number().to_string()>
            <span class="rl-step-sign" aria-hidden="true">{sign}</span>
            <div>
                <b>{capital(row.step.title())}</b>
                <span class="block small second">{unbroken(&row.says).into_owned()}</span>
                {form}
            </div>
        </li>
    }
    .into_any()
}

/// What was done of a step whose turn it is.
fn record_form(desk: Desk, procedure: Procedure, step: Step) -> AnyView {
    let what = RwSignal::new(String::new());
    let record = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let design = desk.design.get_untracked();
        if let Ok(edit) = procedure.record(&design, step, &what.get_untracked()) {
            desk.edit(edit, "Record a step of a replay", None);
        }
    };
    view! {
        <form class="row wrap" on:submit=record>
            <input
                class="input grow"
                aria-label=format!("What was done: {}", step.title())
                placeholder="what was done, by whom"
                maxlength="500"
                on:input=move |event| what.set(event_target_value(&event))
            />
            <button type="submit" class="button" aria-disabled=move || (what.with(|what| what.trim().is_empty()) || desk.reading.get()).to_string()>"Record"</button>
        </form>
    }
    .into_any()
}

/// Writes the replay down as planned; nothing is done by that, and its steps say from then on where they stand.
fn plan_button(desk: Desk, action: Action) -> AnyView {
    let plan = move |_| {
        let action = action.clone();
        desk.draft("Plan a replay", |draft| {
            let id = draft.next_id(RecordKind::Action.letter());
            draft.apply(Edit::Record(Record::Action(id, Some(action))))
        });
    };
    view! {
        <button type="button" class="button" data-plan-replay="" aria-disabled=move || desk.reading.get().to_string() on:click=plan>
            "Plan this replay"
        </button>
    }
    .into_any()
}
