use crate::{
    model::{ActionKind, ElementKind, Id, StateHandling},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A replay runs, and stores or readers behind it are not held.
    ///
    /// # Why
    /// While a replay runs, results go back in time and come up again. What reads them meanwhile acts on that: exports ship old
    /// figures, pages go out again, rows that are only appended double.
    ///
    /// # Example
    /// A replay for a report also passes the alerting sink: every page of the week is sent once more.
    ///
    /// # What to do
    /// Hold every store and export behind it until the totals agree, or replay into a shadow and swap.
    REP_L2 "REP-L2" Error "A replay that nobody holds"
    why "readers see, or act on, half of a replay"
    sources ["Apache Flink documentation, Savepoints", "Apache Kafka documentation, Kafka Streams Developer Guide: Application Reset Tool", "Akidau, Chernyak, Lax, Streaming Systems, chapter 5"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let steps = context.design.records.actions.values();
    let running = steps.filter(|action| action.kind == ActionKind::Replay && action.state_handling != Some(StateHandling::Shadow));
    let one = |action| {
        let ends: Vec<&Id> = ends(context, &super::steps::behind(context, action));
        let first = *ends.first()?;
        let message = format!("a replay of {} reaches {}, which no hold stops", names(context, &action.about), names(context, ends.iter().copied()));
        let about: Vec<&Id> = [first].into_iter().chain(ends[1..].iter().copied().take(3)).collect();
        Some(rule.finding(&about, message, "hold every store and export behind it, or replay into a shadow"))
    };
    running.filter_map(one).collect()
}

/// The stores that are reached, and the consumers that read without one.
pub(super) fn ends<'a>(context: &Context<'a>, behind: &[&'a Id]) -> Vec<&'a Id> {
    let from_store = |id: &Id| context.into(id).all(|(_, link)| context.kind(&link.from) == Some(ElementKind::Sink));
    let ends = behind.iter().filter(|id| match context.kind(id) {
        Some(ElementKind::Sink) => true,
        Some(ElementKind::Consumer) => !from_store(id),
        _ => false,
    });
    ends.copied().collect()
}

/// At most three names.
pub(super) fn names<'i>(context: &Context<'_>, ids: impl IntoIterator<Item = &'i Id>) -> String {
    let mut names: Vec<_> = ids.into_iter().map(|id| context.title(id).into_owned()).collect();
    let more = names.len().saturating_sub(3);
    names.truncate(3);
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    fn step(text: &'static str) -> [(&'static str, &'static str); 1] {
        [("actions", text)]
    }

    #[test]
    fn a_replay_without_holds_is_found() {
        let message = fires("REP-L2", &step(r#"{"r1":{"kind":"replay","about":["orders"],"state_handling":"reset"}}"#)).message;
        assert_eq!(message, "a replay of orders reaches table, which no hold stops");
        for calm in [
            r#"{"r1":{"kind":"replay","about":["orders"],"state_handling":"reset","holds":["table"]}}"#,
            r#"{"r1":{"kind":"replay","about":["orders"],"state_handling":"reset","holds":["loader"]}}"#,
            r#"{"r1":{"kind":"replay","about":["orders"],"state_handling":"reset","holds":["l6"]}}"#,
            r#"{"r1":{"kind":"replay","about":["orders"],"state_handling":"shadow"}}"#,
            r#"{"r1":{"kind":"reset_offsets","about":["orders"]}}"#,
        ] {
            silent("REP-L2", &step(calm));
        }
    }
}
