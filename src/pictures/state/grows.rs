//! The chart of state over time.

use super::{
    super::{
        chart::{self, Chart, Shape},
        labels::Tone,
    },
    made::{Of, a_day, full, most as most_words},
};
use crate::{analysis::explain::Explained, model::units::human};

const DAY: f64 = 86_400.0;

/// To its bound, and on as it would without it.
pub(super) fn to_a_bound(of: &Of<'_>, bound: &Explained) -> Chart {
    let top = (bound.value * 1.25).max(1.0);
    let stays = of.stays.as_ref().filter(|stay| stay.time.value > 0.0);
    let most = stays.map_or(DAY, |stay| stay.time.value * 2.5);
    let (up, unit) = chart::bytes(top);
    let height = bound.value / top * 100.0;
    let mut drawn = Chart { across: chart::time(most), up, unit: unit.to_owned(), ..Chart::default() };
    let (full, line) = match stays {
        Some(_) => (40.0, vec![(0.0, 0.0), (40.0, height), (100.0, height)]),
        None => (0.0, vec![(0.0, height), (100.0, height)]),
    };
    drawn.shapes.push(Shape::Area(line.clone()));
    if let Some(stay) = stays {
        drawn.shapes.push(Shape::Upright { x: full, to: height, tone: Tone::Quiet });
        let kept = format!("kept for {}", stay.time.text());
        drawn.say_of((full + 1.5, 9.0), false, Tone::Plain, kept, stay.time.basis);
    }
    if let Some(without) = &of.without {
        // At the same pace the top is reached at 1.25 of the time.
        drawn.shapes.push(Shape::Path(vec![(full, height), (full * 1.25, 100.0)], Tone::Bad));
        let grows = format!("at most + {}", a_day(without));
        drawn.say_of((full * 1.25 + 1.5, 93.0), false, Tone::Bad, grows, without.basis);
    }
    drawn.shapes.push(Shape::Path(line, Tone::Strong));
    let (most, within) = of.stays.as_ref().map_or((String::new(), String::new()), |stay| {
        (format!("{} ", most_words(stay)), format!(", within {}", stay.time.text()))
    });
    drawn.say_of((62.0, height - 9.0), false, Tone::Strong, format!("{most}{}", bound.text()), bound.basis);
    drawn.spoken = format!("State over time: it grows to {most}{}{within}.", bound.text());
    drawn
}

/// Without a bound: to the day on which the budget is full, or for 30 days.
pub(super) fn without_end(of: &Of<'_>, growth: &Explained) -> Chart {
    // Inputs of the time until the budget is full: the budget, what is there now, the growth.
    let given = |at: usize| {
        let full_in = of.figures.full_in.as_ref()?.as_ref().ok()?;
        full_in.inputs().get(at).cloned()
    };
    let input = |at: usize| given(at).map(|one| one.value);
    let now = input(1).unwrap_or(0.0);
    let full = full(of).filter(|(days, _)| *days >= 1.0);
    let days = full.as_ref().map_or(30.0, |(days, _)| days * 1.15);
    let end = now + growth.value * days;
    let budget = input(0).filter(|budget| budget.is_finite());
    let top = end.max(budget.unwrap_or(0.0) * 1.1).max(1.0);
    let height = |bytes: f64| bytes / top * 100.0;
    let (up, unit) = chart::bytes(top);
    let mut drawn = Chart { across: chart::time(days * DAY), up, unit: unit.to_owned(), ..Chart::default() };
    let line = vec![(0.0, height(now)), (100.0, height(end))];
    drawn.shapes.push(Shape::Area(line.clone()));
    if let Some(budget) = budget {
        drawn.shapes.push(Shape::Level(height(budget), Tone::Bad));
        let basis = given(0).and_then(|budget| budget.basis);
        let words = format!("budget {}", human::bytes(budget));
        drawn.say_of((1.5, height(budget) + 5.0), false, Tone::Bad, words, basis);
    }
    if let Some((at, date)) = &full {
        let x = at / days * 100.0;
        drawn.shapes.push(Shape::Upright { x, to: height(now + growth.value * at), tone: Tone::Bad });
        let date = date.as_ref().map(|date| format!(", {date}")).unwrap_or_default();
        let basis = of.figures.full_in.as_ref().and_then(|full| full.as_ref().ok()?.basis);
        drawn.say_of((x - 1.5, 9.0), true, Tone::Bad, format!("day {}{date}", human::number(*at)), basis);
    }
    drawn.shapes.push(Shape::Path(line, Tone::Strong));
    let middle = height(now) + (height(end) - height(now)) * 0.45;
    let grows = format!("+ {}", a_day(growth));
    drawn.say_of((46.0, (middle - 10.0).max(19.0)), false, Tone::Strong, grows, growth.basis);
    let when = full.map_or_else(String::new, |(at, _)| format!(", its budget is full on day {}", human::number(at)));
    drawn.spoken = format!("State over time: it grows {} without end{when}.", a_day(growth));
    drawn
}
