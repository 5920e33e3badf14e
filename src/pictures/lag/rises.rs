//! The chart of lag over time: an outage up, the catching up down, where records are lost.

use super::{
    super::{
        chart::{self, Chart, Shape},
        labels::Tone,
    },
    made::{Of, rates},
};
use crate::{
    analysis::{
        explain::Explained,
        formulas::{less, ratio},
    },
    model::{Id, key, shortened},
};
use std::sync::Arc;

/// Where a job that catches up has done so, in hundredths of the width: right of it there is room for words.
const CAUGHT_UP: f64 = 62.0;
/// How high the end of the outage stands: above it there is room for words.
const PEAK: f64 = 60.0;

/// Where the words stand above the lag: the target, the bound of an outage; what is lost stands above both.
const TARGET: f64 = 66.0;
const BOUND: f64 = 75.0;

/// The chart.
pub(super) fn chart(of: &Of<'_>, catch_up: &Arc<Explained>) -> Chart {
    let outage = of.outage.value.max(1.0);
    let most = if catch_up.unbounded() { outage * 2.0 } else { (outage + catch_up.value) / CAUGHT_UP * 100.0 };
    let top = outage / PEAK * 100.0;
    let (x, y) = (|time: f64| time / most * 100.0, |lag: f64| lag / top * 100.0);
    let mut drawn =
        Chart { across: chart::time(most), up: chart::time(top), unit: "behind".to_owned(), ..Chart::default() };
    let down = x(outage);
    let mut line = vec![(0.0, 0.0), (down, PEAK)];
    if catch_up.unbounded() {
        // It goes on falling behind by what it does not read.
        let falls = rates(of).map_or(0.0, |[arriving, capacity]| less(1.0, ratio(capacity.value, arriving.value)));
        line.push((100.0, y(outage + (most - outage) * falls.clamp(0.0, 1.0)).min(100.0)));
    } else {
        line.extend([(CAUGHT_UP, 0.0), (100.0, 0.0)]);
    }
    drawn.shapes.push(Shape::Area(line.clone()));
    loss(of, &mut drawn, top);
    drawn.shapes.push(Shape::Upright { x: down, to: PEAK, tone: Tone::Quiet });
    bound(of, &mut drawn, x);
    target(of, &mut drawn, top);
    drawn.shapes.push(Shape::Path(line, Tone::Strong));
    drawn.say_of((down * 0.42, 9.0), false, Tone::Plain, format!("down {}", of.outage.text()), of.outage.basis);
    if catch_up.unbounded() {
        let never = if of.figures.peak_known { "no end while the peak lasts" } else { "never catches up" };
        drawn.say((99.0, 30.0), true, Tone::Bad, never);
    } else {
        let words = format!("catch-up {}", catch_up.text());
        drawn.say_of((CAUGHT_UP + 1.5, 22.0), false, Tone::Strong, words, catch_up.basis);
    }
    let after = match (catch_up.unbounded(), of.figures.peak_known) {
        (true, true) => "is not worked off while the peak lasts".to_owned(),
        (true, false) => "is never worked off".to_owned(),
        (false, _) => format!("is worked off in {}", catch_up.text()),
    };
    drawn.spoken = format!("Lag over time: an outage of {} {after}.", of.outage.text());
    drawn
}

/// The log that is the first to delete what is not read; one that only compacts deletes nothing by its age.
fn least_kept<'a>(of: &'a Of<'_>) -> Option<(&'a Id, &'a Arc<Explained>)> {
    let reach = |from: &'a Id| Some((from, of.report.channels.get(from)?.deletion.as_ref().ok()?));
    let known = of.reads.iter().filter_map(|(_, link)| reach(&link.from));
    known.min_by(|a, b| a.1.value.total_cmp(&b.1.value))
}

fn loss(of: &Of<'_>, drawn: &mut Chart, top: f64) {
    let Some((channel, reach)) = least_kept(of).filter(|(_, reach)| !reach.unbounded()) else { return };
    let height = reach.value / top * 100.0;
    let above = if height >= 94.0 { ", above this chart" } else { "" };
    drawn.shapes.push(Shape::Lost(height.min(95.0)));
    // At the top, and clear of its own line.
    let at = match height {
        height if (86.0..90.0).contains(&height) => 96.0,
        height if (90.0..94.0).contains(&height) => BOUND + 9.0,
        _ => 90.0,
    };
    let what = format!(" deletes after {}{above}", reach.text());
    let room = (98.0 / chart::LETTER) as usize - chart::MARK;
    let name = shortened(&of.design.title(channel), room.saturating_sub(what.chars().count()).min(18));
    drawn.say_of((1.5, at), false, Tone::Bad, name + &what, reach.basis);
}

/// Longest outage that transactions survive, where it is within this one.
fn bound(of: &Of<'_>, drawn: &mut Chart, x: impl Fn(f64) -> f64) {
    let Some(Ok(bound)) = &of.figures.outage_bound else { return };
    if bound.value < of.outage.value {
        let at = x(bound.value);
        drawn.shapes.push(Shape::Upright { x: at, to: BOUND - 4.0, tone: Tone::Bad });
        let words = format!("{}: uncommitted results can be lost", bound.text());
        drawn.say_of((at + 1.5, BOUND), false, Tone::Bad, words, bound.basis);
    }
}

fn target(of: &Of<'_>, drawn: &mut Chart, top: f64) {
    let Some(fact) = of.design.get(of.view, of.job, key::job::LAG_TARGET).fact() else {
        drawn.say((99.0, TARGET), true, Tone::Quiet, "no target line: not stated");
        return;
    };
    let (target, basis) = (fact.value, Some(fact.basis));
    let height = target.secs() / top * 100.0;
    if height < 62.0 {
        drawn.shapes.push(Shape::Level(height, Tone::Proposed));
    }
    let within = if height < 62.0 { "" } else { ", above this chart" };
    drawn.say_of((99.0, TARGET), true, Tone::Proposed, format!("target {}{within}", target.spoken()), basis);
}
