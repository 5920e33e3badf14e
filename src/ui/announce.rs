//! Says to screen readers which verdicts an edit changed, once the hands are quiet; only what changed.

use super::{
    drawer,
    store::{Desk, Show},
};
use crate::sorted::SortedMap;
use crate::{model::Id, rules::Review};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*};
use std::time::Duration;

/// Nothing is said while edits follow each other faster than this.
const QUIET: Duration = Duration::from_millis(500);
/// So many verdicts are read out; of more, the number.
const READ_OUT: usize = 3;

/// What was said last: the verdict of each consumer, and the state it belongs to.
#[derive(Clone, Default)]
struct Said {
    verdicts: SortedMap<Id, String>,
    moment: Option<(u64, Show)>,
    compared: Option<String>,
}

/// Listens as long as the page stands.
pub fn listen(desk: Desk) {
    let said = StoredValue::new(Said::default());
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |_| {
        // With the frame of the edit or later: nothing is said before the hands are quiet.
        let review = desk.settled_review(desk.view());
        if let Some(handle) = waiting.get_value() {
            handle.clear();
        }
        let handle = set_timeout_with_handle(move || say(desk, &review, said), QUIET).ok();
        waiting.set_value(handle);
    });
}

fn say(desk: Desk, review: &Review, said: StoredValue<Said>) {
    let moment = Some((desk.revision.get_untracked(), desk.show.get_untracked()));
    let verdicts: SortedMap<Id, String> =
        review.consumers.iter().map(|(id, report)| (id.clone(), report.delivery.sentence.clone())).collect();
    let before = said.get_value();
    // Another design was opened: nothing changed in it.
    let opened = before.moment == moment;
    let changed: Vec<String> = verdicts
        .iter()
        .filter(|(id, now)| before.verdicts.get(id).is_some_and(|then| then != *now))
        .map(|(id, now)| format!("{}: {now}", desk.design.with_untracked(|d| d.title(id))))
        .collect();
    let compared = compared(desk).filter(|now| before.compared.as_ref() != Some(now));
    let remembered = if desk.show.get_untracked() == Show::Both { compared.clone().or(before.compared) } else { None };
    said.set_value(Said { verdicts, moment, compared: remembered });
    if opened || (changed.is_empty() && compared.is_none()) {
        return;
    }
    let more = changed.len().saturating_sub(READ_OUT);
    let mut text = changed.into_iter().take(READ_OUT).collect::<Vec<_>>().join(" ");
    if more > 0 {
        text.push_str(&format!(" {more} more verdicts changed."));
    }
    if let Some(compared) = compared {
        text = format!("{text} {compared}");
    }
    desk.messages.announce(text.trim());
}

/// Where both views are shown: what the changes gain and cost the consumer whose verdict comes first.
fn compared(desk: Desk) -> Option<String> {
    untrack(|| {
        let all = if desk.show.get() == Show::Both { drawer::consumers(desk) } else { Vec::new() };
        let at = desk.panes.consumer.get().min(all.len().saturating_sub(1));
        Some(drawer::compare::now(desk, all.get(at)?).of.summary.clone())
    })
}
