use crate::{
    model::{ElementKind, Field, key},
    rules::{Context, Finding, Rule, context::Set, rule::rule},
};

rule! {
    /// Results are to be made again, and from where on they are right again cannot be said.
    ///
    /// # Why
    /// A replay starts with empty state. How much has to be read before results are right follows from how far apart copies come, from
    /// what refreshes an entry, from the longest session. Without these the reach of the replay has no number.
    ///
    /// # Example
    /// A de-duplication of two days in front of the totals: is a replay of seven days right from the first hour, or from the third day?
    ///
    /// # What to do
    /// State or measure what is missing.
    STA_13 "STA-13" Warning "From where a replay is right is open"
    why "how far back results can be made again has no number"
    sources ["Apache Flink documentation, Working with State: State Time-To-Live (update types)", "Apache Flink documentation, Windows: Session Windows"]
    check check
}

/// What decides how much an operator must have read.
const ASKED: [Field; 4] = [
    key::operator::TTL_FROM.field(),
    key::operator::STATE_TTL.field(),
    key::operator::WINDOW_MAX.field(),
    key::take::RESEND_WITHIN.field(),
];

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let (mut seen, mut found) = (Set::default(), Vec::new());
    for (id, _) in context.elements(ElementKind::Consumer) {
        if context.get(id, key::consumer::REPLAY_NEEDED).is_none() {
            continue;
        }
        let Some(report) = context.consumer_report(id) else { continue };
        let starts = report.replay.iter().filter(|start| start.recompute);
        let figures = starts.flat_map(|start| [Some(&start.reach), start.after_deduplication.as_ref()]).flatten();
        for missing in figures.filter_map(|figure| figure.as_ref().err()).flat_map(|why| why.missing.iter()) {
            if ASKED.contains(&missing.field) && seen.insert(&missing.subject) {
                let (at, name) = (context.title(&missing.subject), context.title(id));
                let message = format!("{name} needs results that can be made again; {at}: {}", missing.words());
                found.push(rule.finding(&[&missing.subject, id], message, "state or measure what is missing"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn what_is_missing_for_a_replay_is_found() {
        let from = ("elements/dedup/proposed/ttl_from", "null");
        let message = "board needs results that can be made again; dedup: TTL from: not read";
        assert_eq!(fires("STA-13", &[from]).message, message);
        fires("STA-13", &[("links/l1/proposed/resend_within", "null")]);
        silent("STA-13", &[from, ("elements/board/proposed/replay_needed", "null")]);
        silent("STA-13", &[]);
    }
}
