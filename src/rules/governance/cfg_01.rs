use crate::{
    catalog,
    model::{Id, Known, Subject},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A configuration that was read holds a key that is nearly one of the product, and not it.
    ///
    /// # Why
    /// Most products ignore a key that they do not know. What was meant to be set stays at its default, and nothing says so.
    ///
    /// # Example
    /// `task.max=10` in a connector: the key is `tasks.max`, and one task runs.
    ///
    /// # What to do
    /// Correct the key, and read the configuration again.
    CFG_01 "CFG-01" Warning "A setting that the product does not know"
    why "the product ignores it, and its default stays in force"
    sources ["Apache Kafka documentation, Kafka Connect Configs: tasks.max", "Apache Kafka, AbstractConfig.logUnused: unknown configurations are only logged"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, subject): (&Id, &Subject)| {
        let known = catalog::entry(context.system(id)?)?.defaults;
        let raw = subject.raw.values().flat_map(|read| read.keys());
        let (written, meant) = raw
            .filter(|written| known.iter().all(|default| *default.key != ***written))
            .find_map(|written| Some((written, known.iter().find(|default| near(written, default.key))?)))?;
        let message = format!("{}: {written} is not a setting; {} is, and is not set", context.title(id), meant.key);
        let unset = !matches!(context.design.resolve(context.view, id, meant.field), Known::Value(_));
        unset.then(|| rule.finding(&[id], message, "correct the key, and read the configuration again"))
    };
    let all = context.design.elements.iter().chain(&context.design.clusters);
    all.filter(|(_, subject)| !subject.raw.is_empty()).filter_map(one).collect()
}

/// One letter more, less or other.
fn near(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 || a == b {
        return false;
    }
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Less => *a == b[1..],
        std::cmp::Ordering::Greater => a[1..] == *b,
        std::cmp::Ordering::Equal => a[1..] == b[1..],
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_letter_more_less_or_other_is_near() {
        for (a, b) in [("task.max", "tasks.max"), ("tasks.maxx", "tasks.max"), ("tasks_max", "tasks.max")] {
            assert!(super::near(a, b), "{a} {b}");
        }
        assert!(!super::near("tasks.max", "tasks.max") && !super::near("topics", "tasks.max") && !super::near("", "tasks.max"));
    }

    #[test]
    fn a_misspelt_key_is_found() {
        let raw = [
            ("evidence/e1", r#"{"basis":"read","from":"GET /connectors/loader/config"}"#),
            ("elements/loader/raw", r#"{"e1":{"task.max":10}}"#),
            ("elements/loader/proposed/parallelism", "null"),
        ];
        assert_eq!(fires("CFG-01", &raw).message, "loader: task.max is not a setting; tasks.max is, and is not set");
        silent("CFG-01", &[raw[0], ("elements/loader/raw", r#"{"e1":{"topics":"totals"}}"#)]);
        silent("CFG-01", &raw[..2]);
    }
}
