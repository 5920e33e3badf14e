use crate::{
    model::{Basis, ElementKind, Id, Known, Link, Measured, Step, key, units::Duration},
    rules::{Context, Finding, Rule, context::Along, rule::rule},
};

rule! {
    /// How late events may be is set, and how late they are was never measured.
    ///
    /// # Why
    /// A bound set from intuition either drops real events or holds state open for nothing.
    ///
    /// # Example
    /// 30 s, because it sounded enough; the phones of one network send every few minutes.
    ///
    /// # What to do
    /// Measure the delay of arrival behind the highest event time, as percentiles over some days, on the channel.
    TIM_06 "TIM-06" Warning "Lateness is set, not measured"
    why "the bound either drops real events or holds state open for nothing"
    sources ["Apache Flink documentation, Generating Watermarks: bounded out-of-orderness", "Akidau, Chernyak, Lax, Streaming Systems, chapter 3: Watermarks"]
    check check
}

/// A channel or source with how late its events are, as measured.
pub(in crate::rules) type Lateness<'a> = (&'a Id, Measured<Duration>);

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let lateness = measured(context);
    let channels = context.forward(|id, inputs: &[(&Id, &Link, &&Id)]| {
        if context.kind(id) == Some(ElementKind::Channel) { Some(id) } else { inputs.first().map(|(.., at)| **at) }
    });
    let one = |(id, _, _): (&Id, &Id, Step)| {
        if !super::closes(context, id) || lateness.get(id).is_some() {
            return None;
        }
        // That nothing is taken at all is another finding.
        let bound = super::bound(context, id).filter(|bound| *bound > Duration::ZERO)?;
        let at = channels.get(id).copied();
        let place = at.map_or("its input".into(), |at| context.title(at));
        let message = format!(
            "{} takes events up to {} late; lateness of {place} is not measured",
            context.title(id),
            bound.spoken()
        );
        let mut about = vec![id];
        about.extend(at);
        Some(rule.finding(&about, message, "measure percentiles of arrival behind the highest event time"))
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

/// How late events are, as measured or stated (not assumed) nearest upstream of each element: on a channel, else on a
/// source.
pub(in crate::rules) fn measured<'c, 'a>(context: &'c Context<'a>) -> &'c Along<'a, Lateness<'a>> {
    context.lateness.get_or_init(|| worked_out(context))
}

fn worked_out<'a>(context: &Context<'a>) -> Along<'a, Lateness<'a>> {
    context.forward(|id, inputs: &[(&Id, &Link, &Lateness<'a>)]| {
        let own = match context.kind(id)? {
            ElementKind::Channel => Some(context.known(id, key::channel::LATENESS)),
            ElementKind::Source => Some(context.known(id, key::source::LATENESS)),
            _ => None,
        };
        match own {
            Some(Known::Value(fact)) if fact.basis != Basis::Assumed => Some((id, fact.value)),
            _ => inputs.first().map(|(.., from)| (*from).clone()),
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_unmeasured_bound_is_found() {
        let none = ("elements/orders/proposed/lateness", "null");
        let finding = fires("TIM-06", &[none]);
        assert_eq!(finding.message, "sum takes events up to 90 s late; lateness of orders is not measured");
        silent("TIM-06", &[none, ("elements/shop/proposed/lateness", r#"{"p99":"10s"}"#)]);
        silent("TIM-06", &[none, ("elements/sum/proposed/watermark_delay", "null")]);
    }
}
