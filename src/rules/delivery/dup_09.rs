use crate::{
    analysis::delivery::verdict::{Duty, Most},
    model::{ElementKind, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A consumer has to remove repeats itself, and does not say that it does.
    ///
    /// # Why
    /// Where the path leaves repeats, the last place to remove them is the reader. If it does not know, it counts twice.
    ///
    /// # Example
    /// A service is called for every alarm, at least once; it pages people twice after each restart of the job.
    ///
    /// # What to do
    /// Agree on the key and for how long, and write it down at the consumer; or remove the repeats on the path.
    DUP_09 "DUP-09" Error "The consumer would have to remove repeats"
    why "repeats reach a consumer that does not remove them"
    sources ["Apache Kafka documentation, Design: Message Delivery Semantics"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let report = context.consumer_report(id)?;
        let helpless = matches!(report.delivery.consumer_must, Duty::Helpless(_));
        // A promise that the path does not keep is found with the whole verdict, and mended at the same hop.
        let told = helpless && super::del_01::broken(context, id).is_some();
        let open = !told
            && report.delivery.consumer_must != Duty::Nothing
            && context.get(id, key::consumer::DUPLICATES_TOLERATED) != Some(true)
            && context.get(id, key::consumer::DEDUPLICATES_BY).is_none_or(|columns| columns.0.is_empty());
        open.then(|| {
            let message = format!("{} {}. {}", context.title(id), left(&report.delivery.badge.most), report.delivery.consumer_must.words());
            let remedy = if helpless {
                "mend it on the path, where the verdict says"
            } else {
                "state by which key and for how long it removes them, or remove them on the path"
            };
            rule.finding(&[id], message, remedy)
        })
    };
    context.elements(ElementKind::Consumer).filter_map(one).collect()
}

/// Whether repeats reach it: they do, or nobody has judged the condition under which they do not.
fn left(most: &Most) -> String {
    match most {
        Most::OneWhile(_, conditions) => {
            let open = conditions.iter().find(|condition| condition.inside.is_none());
            let broken = conditions.iter().any(|condition| condition.inside == Some(false));
            match open.filter(|_| !broken) {
                Some(condition) => format!("is left with repeats unless {}, which nobody has judged", condition.text),
                None => "is left with repeats".to_owned(),
            }
        }
        Most::Unknown(_) => "can be left with repeats".to_owned(),
        Most::One(_) | Most::Many => "is left with repeats".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        codec,
        model::View,
        rules::{review, testing::*},
    };

    #[test]
    fn a_consumer_that_is_left_with_repeats_is_found() {
        let mut leaky = vec![
            ("links/l6/proposed/write_mode", "\"append\""),
            ("elements/board/proposed/deduplicates_by", "null"),
            ("elements/board/proposed/deduplicates_within", "null"),
        ];
        fires("DUP-09", &leaky);
        leaky.push(("elements/board/proposed/duplicates_tolerated", "true"));
        silent("DUP-09", &leaky);
    }

    /// Where nothing but the path mends it, a promise that is not kept is found once, with the whole verdict.
    #[test]
    fn a_broken_promise_says_what_the_reader_cannot_mend() {
        let mut inside = vec![
            ("elements/dedup/step", "\"map\""),
            ("elements/dedup/proposed", "{}"),
            ("links/l1/proposed/idempotence", "false"),
            ("elements/board/proposed/deduplicates_by", "null"),
            ("elements/board/proposed/deduplicates_within", "null"),
        ];
        assert!(fires("DUP-09", &inside).message.contains("Nothing that it could do"));
        inside.push(("elements/board/proposed/claimed", "\"exactly_once\""));
        silent("DUP-09", &inside);
        fires("DEL-01", &inside);
    }

    /// A callee that knows the id for an hour: whether repeats come later nobody has said, with an outage of two hours they do, and
    /// while a fact is missing they can.
    #[test]
    fn repeats_that_nobody_has_judged_are_told_so() {
        let message = |job: &str, write: &str| {
            let text = format!(
                r#"{{"format":"streaming-pipeline","version":3,"elements":{{
                "shop":{{"kind":"source","system":"application","event":"order"}},"log":{{"kind":"channel","system":"kinesis","proposed":{{"retention_time":"7d"}}}},
                "pay":{{"kind":"job","system":"plain_consumer","proposed":{{{job}"on_error":"fail"}}}},"call":{{"kind":"operator","job":"pay","step":"map"}},
                "bank":{{"kind":"sink","system":"http","proposed":{{"idempotency_window":"1h","other_writers":false}}}},"clerk":{{"kind":"consumer"}}}},
                "links":{{"l1":{{"from":"shop","to":"log","proposed":{{"capture":"in_process","acknowledge":"after_store","after_restart":"nothing","on_send_failure":"retry"}}}},
                "l2":{{"from":"log","to":"call","proposed":{{"offset_commit":"after_work","offset_reset":"earliest","processing":"sequential"}}}},
                "l3":{{"from":"call","to":"bank","proposed":{{"write_mode":"call","key":["order_id"],"output_commit":"flush"{write}}}}},"l4":{{"from":"bank","to":"clerk"}}}},
                "events":{{"order":{{"proposed":{{"event_id":["order_id"],"event_id_set_by":"source"}}}}}}}}"#
            );
            let review = review(&codec::decode(&text).unwrap(), View::ToBe);
            review.findings.iter().find(|finding| finding.rule == "DUP-09").unwrap().message.clone()
        };
        let open = message("", r#","client_retries":0"#);
        assert!(open.starts_with("clerk is left with repeats unless repeats come within 1 h, which nobody has judged. "), "{open}");
        let broken = message(r#""longest_outage":"2h","commit_interval":"5s","#, r#","client_retries":0"#);
        assert!(broken.starts_with("clerk is left with repeats. "), "{broken}");
        let unknown = message("", "");
        assert!(unknown.starts_with("clerk can be left with repeats. "), "{unknown}");
    }
}
