//! The share of late events that a consumer accepts, against what the windows in front of it take and how late events
//! are.

use super::{Short, halt};
use crate::{
    model::{Basis, Id, Known, Link, key, units::Duration},
    rules::{
        Context, Halt,
        time::{bound, closes, measured, told},
    },
};

/// Shares are compared with this much room for what arithmetic rounds.
const ROUNDING: f64 = 1e-9;

pub(super) fn halts<'a>(context: &Context<'a>) -> Vec<Halt> {
    // The consumer behind each element that accepts the smallest share of late events.
    let strictest = context.backward(|id, inputs: &[(&Id, &Link, &(f64, &'a Id))]| {
        let own = context.get(id, key::consumer::LATE_SHARE_TOLERATED).map(|share| (share.0, id));
        inputs
            .iter()
            .map(|(.., strict)| **strict)
            .chain(own)
            .reduce(|one, other| if other.0 < one.0 { other } else { one })
    });
    let one = |(id, ..): (&Id, &Id, _)| {
        let (tolerated, consumer) = *strictest.get(id).filter(|_| closes(context, id))?;
        let short = short(context, id, tolerated)?;
        halt(context, &[consumer, id], &format!("with at most {} late", share(tolerated)), short)
    };
    context.operators().filter_map(one).collect()
}

fn short(context: &Context<'_>, id: &Id, tolerated: f64) -> Option<Short> {
    let name = context.title(id);
    let Some(takes) = bound(context, id) else {
        return Some(Short::Open(format!("how late an event may be for {name} is not known")));
    };
    let Some((at, lateness)) = measured(context).get(id) else {
        return Some(Short::Open(format!("how late events reach {name} is not measured")));
    };
    let beyond = lateness.percentiles().find(|(_, late)| *late > takes);
    if let Some((percent, late)) = beyond
        && 1.0 - percent / 100.0 > tolerated + ROUNDING
    {
        let (least, at, late) = (share(1.0 - percent / 100.0), context.title(at), late.spoken());
        let what = format!(
            "{name} takes events up to {} late; p{percent} of {at} is {late}, at least {least} come later",
            takes.spoken()
        );
        return Some(Short::Unmet(what, "more lateness allowed, or a larger share accepted".to_owned()));
    }
    // What is inside the bound says how many can be beyond it at most.
    let inside = lateness.percentiles().filter(|(_, late)| *late <= takes).map(|(percent, _)| 1.0 - percent / 100.0);
    let all = lateness.max().filter(|most| *most <= takes).map(|_| 0.0);
    let most = inside.chain(all).fold(1.0, f64::min);
    if most > tolerated + ROUNDING {
        return Some(Short::Open(format!("no percentile of {} shows it", context.title(at))));
    }
    assumed(context, id).then_some(Short::Assumed)
}

/// Is what a window takes only assumed?
fn assumed(context: &Context<'_>, id: &Id) -> bool {
    let guessed = |known: Known<Duration>| matches!(known, Known::Value(fact) if fact.basis == Basis::Assumed);
    guessed(context.known(id, key::operator::ALLOWED_LATENESS))
        || told::reaching(context, id, key::operator::WATERMARK_DELAY).into_iter().any(guessed)
}

/// `1 %`.
fn share(share: f64) -> String {
    let text = format!("{:.3}", share * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::super::tests::released;

    const NONE: (&str, &str) = ("elements/sum/proposed/allowed_lateness", "\"0s\"");
    const STRICT: (&str, &str) = ("elements/board/proposed/late_share_tolerated", "0.0001");

    /// 30 s are taken and p99.9 is 50 s: 1 in 1 000 comes later, 1 in 10 000 is accepted.
    #[test]
    fn a_bound_below_what_is_needed_is_not_released() {
        let halts = released("late", &[NONE, STRICT]);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "release board with at most 0.01 % late");
        assert_eq!(
            halts[0].consequence,
            "sum takes events up to 30 s late; p99.9 of orders is 50 s, at least 0.1 % come later"
        );
        // 90 s take p99.9: at most 1 in 1 000 comes later, and 1 in 100 is accepted.
        assert_eq!(released("late", &[]), vec![]);
        assert_eq!(released("late", &[("elements/board/proposed/late_share_tolerated", "null"), NONE]), vec![]);
    }

    #[test]
    fn what_no_percentile_shows_stops_only_what_is_published() {
        assert_eq!(released("late", &[STRICT]), vec![]);
        let out = ("elements/board/proposed/published", "true");
        assert_eq!(
            released("late", &[STRICT, out])[0].consequence,
            "nothing establishes it: no percentile of orders shows it"
        );
        let most = ("elements/orders/proposed/lateness", r#"{"max":"60s"}"#);
        assert_eq!(released("late", &[STRICT, out, most]), vec![], "none is later than 60 s");
        let none = ("elements/orders/proposed/lateness", "null");
        assert!(released("late", &[out, none])[0].consequence.ends_with("how late events reach sum is not measured"));
    }

    #[test]
    fn a_bound_that_is_assumed_is_not_released() {
        let on = |basis: &str| {
            let evidence = format!(r#"{{"e1":{{"basis":"{basis}","from":"note"}}}}"#);
            let changes = [
                ("evidence", evidence.as_str()),
                ("elements/revenue/lifecycle", "\"existing\""),
                ("elements/sum/proposed/allowed_lateness", "null"),
                ("elements/sum/observed", r#"{"e1":{"allowed_lateness":"1min"}}"#),
            ];
            released("late", &changes)
        };
        assert_eq!(on("read"), vec![]);
        assert!(on("assumed")[0].consequence.ends_with("some of the facts behind it are assumed"));
    }
}
