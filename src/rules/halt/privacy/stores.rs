//! Personal data in stores: in a less trusted place, or kept for longer than it may be.

use super::{Front, less_trusted, over, personal, stopped};
use crate::{
    model::{ElementKind, Id, key, units::Limit},
    rules::{Context, Halt},
};

pub(super) fn halts(context: &Context<'_>, front: Front<'_>) -> Vec<Halt> {
    let mut halts = Vec::new();
    for (id, _) in context.elements(ElementKind::Sink) {
        for event in personal(context, id) {
            let problems = [less_trusted(context, id, front(id)), kept(context, id, event)];
            halts.extend(problems.into_iter().filter_map(|problem| stopped(context, id, event, problem)));
        }
    }
    halts
}

/// By the retention of the store, where somebody set or read one.
fn kept(context: &Context<'_>, id: &Id, event: &Id) -> Option<super::Problem> {
    let stays = match context.get(id, key::sink::RETENTION_TIME)? {
        Limit::Of(time) => time.secs(),
        Limit::Unlimited => f64::INFINITY,
        Limit::None => return None,
    };
    over(context, event, stays)
}

#[cfg(test)]
mod tests {
    use super::super::tests::stopped;

    const TOTAL: [(&str, &str); 2] =
        [("events/total/proposed/classification", "\"personal\""), ("events/total/proposed/max_retention", "\"30d\"")];

    #[test]
    fn a_store_that_keeps_for_longer_than_is_allowed_is_stopped() {
        let years = ("elements/table/proposed/retention_time", "\"730d\"");
        let halts = stopped(&[TOTAL[0], TOTAL[1], years]);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "keep total in table");
        assert_eq!(halts[0].consequence, "personal data stays for up to 730 d, 30 d are allowed");
        let open = stopped(&[TOTAL[0], TOTAL[1], ("elements/table/proposed/retention_time", "\"unlimited\"")]);
        assert_eq!(open[0].consequence, "personal data stays without end, 30 d are allowed");
    }

    #[test]
    fn a_shorter_stay_an_unread_one_and_keys_that_are_destroyed_stop_nothing() {
        assert_eq!(stopped(&[TOTAL[0], TOTAL[1], ("elements/table/proposed/retention_time", "\"30d\"")]), vec![]);
        assert_eq!(stopped(&TOTAL), vec![]);
        let years = ("elements/table/proposed/retention_time", "\"730d\"");
        let destroyed = ("events/total/proposed/erasure_by", "\"key_destruction\"");
        assert_eq!(stopped(&[TOTAL[0], TOTAL[1], years, destroyed]), vec![]);
    }
}
