//! A chart: lines, areas and words in hundredths of its width and height, with its axes. Heights count from below.

use super::{Tick, labels::Tone};
use crate::model::{Basis, units::human};

/// Width of a letter in hundredths of the narrowest chart: 6.6 px of 24 rem.
pub const LETTER: f64 = 1.75;
/// Letters that the mark of a basis takes.
pub const MARK: usize = 3;
/// Height of a line of words in hundredths of the height.
pub const LINE: f64 = 8.0;

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// From the bottom up to these points.
    Area(Vec<(f64, f64)>),
    /// Through these points.
    Path(Vec<(f64, f64)>, Tone),
    /// An upright from the bottom.
    Upright {
        /// Where.
        x: f64,
        /// How high.
        to: f64,
        /// How it is drawn.
        tone: Tone,
    },
    /// A level across.
    Level(f64, Tone),
    /// Across, from this height to the top: what lies there is lost.
    Lost(f64),
}

/// Words at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// Where they begin, or end.
    pub x: f64,
    /// Their middle, from below.
    pub y: f64,
    /// They end at `x`.
    pub left: bool,
    /// How they are set.
    pub tone: Tone,
    /// The words.
    pub text: String,
    /// How well the number in them is founded.
    pub basis: Option<Basis>,
}

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Across.
    pub across: Vec<Tick>,
    /// Up.
    pub up: Vec<Tick>,
    /// What goes up: `GB`, `behind`.
    pub unit: String,
    /// What is drawn, from the back to the front.
    pub shapes: Vec<Shape>,
    /// Words on it.
    pub words: Vec<Words>,
    /// What it shows, in a sentence.
    pub spoken: String,
}

impl Chart {
    /// Words without a number of their own.
    pub(super) fn say(&mut self, at: (f64, f64), left: bool, tone: Tone, text: impl Into<String>) {
        self.say_of(at, left, tone, text, None);
    }

    /// Words with a number, which wears the mark of its basis.
    pub(super) fn say_of(
        &mut self,
        (x, y): (f64, f64),
        left: bool,
        tone: Tone,
        text: impl Into<String>,
        basis: Option<Basis>,
    ) {
        let y = y.clamp(LINE / 2.0, 100.0 - LINE / 2.0);
        let mut words = Words { x, y, left, tone, text: text.into(), basis };
        let width = words.width();
        // What would leave the chart is moved back into it.
        words.x = if left { x.clamp(width.min(100.0), 100.0) } else { x.clamp(0.0, (100.0 - width).max(0.0)) };
        self.words.push(words);
    }
}

impl Words {
    /// Its width, the mark included.
    fn width(&self) -> f64 {
        let mark = if self.basis.is_some() { MARK } else { 0 };
        (self.text.chars().count() + mark) as f64 * LETTER
    }

    /// The same for those who do not see the mark: `kept for 24 h (configured)`.
    #[must_use]
    pub fn spoken(&self) -> String {
        match self.basis {
            Some(basis) => format!("{} ({basis})", self.text),
            None => self.text.clone(),
        }
    }

    /// Left, bottom, right and top.
    #[must_use]
    pub fn extent(&self) -> [f64; 4] {
        let width = self.width();
        let from = if self.left { self.x - width } else { self.x };
        [from, self.y - LINE / 2.0, from + width, self.y + LINE / 2.0]
    }
}

const LENGTHS: [f64; 22] = [
    1.0,
    2.0,
    5.0,
    10.0,
    20.0,
    30.0,
    60.0,
    120.0,
    300.0,
    600.0,
    1_200.0,
    1_800.0,
    3_600.0,
    7_200.0,
    10_800.0,
    21_600.0,
    43_200.0,
    86_400.0,
    172_800.0,
    432_000.0,
    864_000.0,
    1_728_000.0,
];

/// Even moments from zero to `most` seconds, in one unit; their places in hundredths.
pub(super) fn time(most: f64) -> Vec<Tick> {
    let longest = LENGTHS.into_iter().find(|step| most / step <= 6.0);
    let step = longest.unwrap_or_else(|| even(most / 86_400.0) * 86_400.0);
    let (unit, name) = match step {
        step if step >= 86_400.0 => (86_400.0, "d"),
        step if step >= 3_600.0 => (3_600.0, "h"),
        step if step >= 60.0 => (60.0, "min"),
        _ => (1.0, "s"),
    };
    ticks(most, step, |value| format!("{} {name}", human::decimals(value / unit, 1)))
}

/// Even amounts of bytes from zero to `most`, and their unit.
pub(super) fn bytes(most: f64) -> (Vec<Tick>, &'static str) {
    let (unit, name) = human::byte_unit(most);
    (ticks(most, even(most / unit) * unit, |value| human::decimals(value / unit, 2)), name)
}

/// A step of 1, 2 or 5 that divides this into at most six.
fn even(most: f64) -> f64 {
    let power = 10_f64.powf(most.max(f64::MIN_POSITIVE).log10().floor() - 1.0);
    [1.0, 2.0, 5.0, 10.0, 20.0].into_iter().map(|step| step * power).find(|step| most / step <= 6.0).unwrap_or(most)
}

fn ticks(most: f64, step: f64, text: impl Fn(f64) -> String) -> Vec<Tick> {
    let at = |n: u32| f64::from(n) * step;
    if !(step > 0.0 && most > 0.0 && most.is_finite()) {
        return Vec::new();
    }
    (0..=6)
        .map(at)
        .take_while(|value| *value <= most)
        .map(|value| Tick { at: value / most * 100.0, text: text(value) })
        .collect()
}

// Letters across and up, of the chart in letters.
const WIDTH: usize = 60;
const HEIGHT: usize = 11;

impl Chart {
    /// In letters: the lines, the axes, and the words below.
    #[must_use]
    pub fn text(&self) -> String {
        let mut field = vec![vec![' '; WIDTH]; HEIGHT];
        let mut put = |x: f64, y: f64, letter: char| {
            let column = (x.clamp(0.0, 100.0) / 100.0 * (WIDTH - 1) as f64).round() as usize;
            let row = HEIGHT - 1 - (y.clamp(0.0, 100.0) / 100.0 * (HEIGHT - 1) as f64).round() as usize;
            if let Some(place) = field.get_mut(row).and_then(|row| row.get_mut(column)) {
                *place = letter;
            }
        };
        for shape in &self.shapes {
            match shape {
                Shape::Area(_) => {}
                Shape::Path(points, tone) => trace(points, if *tone == Tone::Bad { '.' } else { '*' }, &mut put),
                Shape::Upright { x, to, .. } => trace(&[(*x, 0.0), (*x, *to)], '|', &mut put),
                Shape::Level(y, _) => trace(&[(0.0, *y), (100.0, *y)], '-', &mut put),
                Shape::Lost(y) => trace(&[(0.0, *y), (100.0, *y)], '!', &mut put),
            }
        }
        let mut lines: Vec<String> = vec![self.unit.clone()];
        for (n, row) in field.iter().enumerate() {
            let y = (HEIGHT - 1 - n) as f64 / (HEIGHT - 1) as f64 * 100.0;
            let half = 50.0 / (HEIGHT - 1) as f64;
            let tick =
                self.up.iter().find(|tick| (tick.at - y).abs() <= half - 1e-9).map_or("", |tick| tick.text.as_str());
            let drawn: String = row.iter().collect();
            lines.push(format!("{tick:>9} |{drawn}").trim_end().to_owned());
        }
        lines.push(format!("{:10}+{}", "", "-".repeat(WIDTH)));
        let mut axis = String::new();
        for tick in &self.across {
            let at = 11 + (tick.at / 100.0 * (WIDTH - 1) as f64).round() as usize;
            if axis.is_empty() || axis.chars().count() < at {
                axis.push_str(&" ".repeat(at.saturating_sub(axis.chars().count())));
                axis.push_str(&tick.text);
            }
        }
        lines.push(axis);
        lines.extend(self.words.iter().map(|words| format!("{:11}{}", "", words.spoken())));
        lines.join("\n")
    }
}

fn trace(points: &[(f64, f64)], letter: char, put: &mut dyn FnMut(f64, f64, char)) {
    for pair in points.windows(2) {
        let [(x0, y0), (x1, y1)] = [pair[0], pair[1]];
        let steps = WIDTH * 2;
        for step in 0..=steps {
            let share = step as f64 / steps as f64;
            put(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, letter);
        }
    }
}

#[cfg(test)]
pub(super) fn collides(chart: &Chart) -> Option<(String, String)> {
    let apart = |a: &Words, b: &Words| {
        let ([l, b0, r, t], [l2, b2, r2, t2]) = (a.extent(), b.extent());
        r <= l2 || r2 <= l || t <= b2 || t2 <= b0
    };
    let all = &chart.words;
    let inside = |one: &Words| {
        let [left, bottom, right, top] = one.extent();
        left >= -0.01 && right <= 100.01 && bottom >= -0.01 && top <= 100.01
    };
    if let Some(out) = all.iter().find(|one| !inside(one)) {
        return Some((out.text.clone(), "the edge".to_owned()));
    }
    let pairs = all.iter().enumerate().flat_map(|(n, a)| all.iter().skip(n + 1).map(move |b| (a, b)));
    pairs.into_iter().find(|(a, b)| !apart(a, b)).map(|(a, b)| (a.text.clone(), b.text.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_even_and_end_within() {
        let words = |ticks: Vec<Tick>| ticks.into_iter().map(|tick| tick.text).collect::<Vec<_>>();
        assert_eq!(words(time(2_700.0)), ["0 min", "10 min", "20 min", "30 min", "40 min"]);
        assert_eq!(words(time(216_000.0)), ["0 h", "12 h", "24 h", "36 h", "48 h", "60 h"]);
        assert_eq!(words(time(40.0 * 86_400.0)), ["0 d", "10 d", "20 d", "30 d", "40 d"]);
        let (ticks, unit) = bytes(2.53e9);
        assert_eq!((words(ticks), unit), (["0", "0.5", "1", "1.5", "2", "2.5"].map(String::from).to_vec(), "GB"));
        assert!(time(0.0).is_empty() && bytes(0.0).0.is_empty());
    }
}
