use crate::{
    catalog::Keys,
    model::{Columns, Id, Link, key, words::WriteMode},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A write relies on a key that the store does not enforce, or enforces otherwise.
    ///
    /// # Why
    /// Without a unique constraint on exactly these columns an upsert inserts a second row, or matches on another key and
    /// overwrites a row that is not meant.
    ///
    /// # Example
    /// `INSERT … ON DUPLICATE KEY UPDATE` on a table that is unique by `id`, `email` and `phone`: an equal phone number
    /// overwrites another person.
    ///
    /// # What to do
    /// Declare the unique key in the store and read it back, or write on the key that is there.
    DUP_04 "DUP-04" Error "The key is not enforced"
    why "the write is only safe to repeat on a unique key that the store enforces"
    sources ["PostgreSQL documentation, INSERT: ON CONFLICT needs a unique index", "MySQL Reference Manual, INSERT ... ON DUPLICATE KEY UPDATE"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let mode = context.get(id, key::store::WRITE_MODE)?;
        if !matches!(mode, WriteMode::Upsert | WriteMode::InsertIfAbsent) || !context.repeats_matter(id) {
            return None;
        }
        let written = context.written_key(id, link)?;
        if written.0.is_empty() || written.0.iter().any(|column| column.starts_with('@')) {
            return None;
        }
        let enforced = context.get(&link.to, key::sink::UNIQUE_KEYS);
        let kind = context.entry(&link.to).and_then(|entry| entry.sink).map(|sink| sink.keys);
        let table = context.title(&link.to);
        let problem = match enforced {
            Some(keys) if keys.0.is_empty() => format!("{table} enforces no key"),
            Some(keys) if !keys.0.iter().any(|unique| same(unique, &written)) => {
                format!("{table} enforces {}", list(&keys.0))
            }
            Some(keys) if keys.0.len() > 1 => format!("{table} also enforces {}", other(&keys.0, &written)),
            None if kind == Some(Keys::Declared) => format!("{table} does not enforce keys"),
            _ => return None,
        };
        let message = format!("{} writes on {written}, but {problem}", context.title(&link.from));
        Some(rule.finding(&[id, &link.to], message, "enforce the key in the store, or write on the key that is there"))
    };
    context.links_with(key::store::WRITE_MODE).filter_map(one).collect()
}

/// The same columns in any order.
fn same(a: &Columns, b: &Columns) -> bool {
    a.0.len() == b.0.len() && a.0.iter().all(|column| b.0.contains(column))
}

fn list(keys: &[Columns]) -> String {
    keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn other(keys: &[Columns], written: &Columns) -> String {
    list(&keys.iter().filter(|key| !same(key, written)).cloned().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_key_that_is_not_enforced_is_found() {
        let keys = "elements/table/proposed/unique_keys";
        assert_eq!(fires("DUP-04", &[(keys, "[]")]).message, "write writes on (store, window_start), but table enforces no key");
        fires("DUP-04", &[(keys, r#"[["id"]]"#)]);
        fires("DUP-04", &[(keys, r#"[["store","window_start"],["id"]]"#)]);
        silent("DUP-04", &[(keys, r#"[["window_start","store"]]"#)]);
        silent("DUP-04", &[(keys, "null")]);
    }

    #[test]
    fn a_store_that_only_declares_keys_is_found() {
        let keys = ("elements/table/proposed/unique_keys", "null");
        fires("DUP-04", &[keys, ("elements/table/system", "\"snowflake\""), ("elements/table/proposed/collapse", "null")]);
    }
}
