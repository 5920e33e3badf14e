use crate::{
    model::{Columns, Id, Step, key, words::EventIdSetBy},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A de-duplication works on a column that the event does not have, that may be empty, or that is made too late.
    ///
    /// # Why
    /// An id that a job draws is new for every copy that reached it; an empty id makes different events equal.
    ///
    /// # Example
    /// `event_id` is set by the consuming job with a random id: the same order gets two ids after a re-read.
    ///
    /// # What to do
    /// Take an id that is born with the event: at the source or the producer, required in the schema.
    DUP_02 "DUP-02" Error "The id does not identify the event"
    why "copies of one event carry different ids, or different events the same"
    sources ["Debezium documentation, Outbox Event Router: the id header for de-duplication", "Amazon Kinesis Data Streams Developer Guide, Handle duplicate records"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, step): (&Id, &Id, Step)| {
        if step != Step::Deduplicate {
            return None;
        }
        let columns = context.get(id, key::operator::KEY)?;
        let what: Vec<String> = context.events_at(id).iter().filter_map(|event| wrong(context, event, &columns)).collect();
        let message = || format!("{}: {}", context.title(id), what.join("; "));
        (!what.is_empty()).then(|| rule.finding(&[id], message(), "use a required id that is born with the event"))
    };
    context.operators_with(key::operator::KEY).filter_map(one).collect()
}

/// Why these columns do not identify an event of this type.
fn wrong(context: &Context<'_>, event: &Id, columns: &Columns) -> Option<String> {
    let fields = context.get(event, key::event::FIELDS);
    let mut wrong = columns.0.iter().filter(|column| !column.starts_with('@')).filter_map(|column| {
        let fields = fields.as_ref()?;
        let name = context.title(event);
        match fields.0.iter().find(|(field, _)| field == column) {
            None => Some(format!("{column} is not a column of {name}")),
            Some((_, ty)) if ty.ends_with('?') => Some(format!("{column} of {name} may be empty")),
            _ => None,
        }
    });
    let late = || {
        let of_event = context.get(event, key::event::EVENT_ID)? == *columns;
        let born = context.get(event, key::event::EVENT_ID_SET_BY)?;
        let late = of_event && matches!(born, EventIdSetBy::Job | EventIdSetBy::Broker);
        late.then(|| format!("{columns} of {} is set by the {}, after copies can exist", context.title(event), born.as_str()))
    };
    wrong.next().or_else(late)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn columns_that_do_not_identify_are_found() {
        let finding = fires("DUP-02", &[("elements/dedup/proposed/key", "[\"event_id\"]")]);
        assert_eq!(finding.message, "dedup: event_id is not a column of order");
        fires("DUP-02", &[("events/order/proposed/fields/order_id", "\"string?\"")]);
        fires("DUP-02", &[("events/order/proposed/event_id_set_by", "\"job\"")]);
        silent("DUP-02", &[("events/order/proposed/fields", "null")]);
    }

    #[test]
    fn each_event_type_that_comes_in_is_looked_at() {
        let lacks = ("events/refund/proposed/fields", r#"{"refund_id": "string"}"#);
        let finding = fires("DUP-02", &[OTHER[0], OTHER[1], OTHER[2], lacks]);
        assert_eq!(finding.message, "dedup: order_id is not a column of refund");
        silent("DUP-02", &OTHER);
    }
}
